# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Loads as payload in Gbit/s and as messages per ns, times in ns: in runs, curves, studies, and what they write."""
import csv
import io
import json
import os

from flitscope_cli import EXIT_OK, CliTest, machine, main, mesh

PATTERN = {"pattern": "uniform", "message_bytes": 256, "reply_bytes": 16, "warmup_cycles": 200,
           "measure_cycles": 2000}
# Flits of a request of 256 bytes and its reply of 16, header included, and their payload in bits.
FLITS = {64: 33 + 3, 128: 17 + 2, 256: 9 + 2}
PAYLOAD = 8 * 272


def by_hand(gbps, bits, clock_ns):
    return gbps * clock_ns * FLITS[bits] / PAYLOAD


class Units(CliTest):
    def results(self, folder, *overrides):
        """All that a run writes; the load to ten digits, since by hand it differs in the last bit."""
        sets = [word for override in overrides for word in ("--set", override)]
        summary = self.report("run", "config.yaml", "--out", folder, *sets)
        for key in ("wall_seconds", "flit_hops_per_second", "config_digest"):
            summary.pop(key, None)
        key = "configured_flits_per_node_cycle"
        summary[key] = float(f"{summary[key]:.10g}")
        return summary, self.read(folder, "links.csv")

    def test_a_machine_with_units_is_that_with_numbers_computed_by_hand(self):
        self.write("config.yaml", machine(mesh(4, 4), PATTERN))
        for number, (bits, clock_ns) in enumerate(((64, 1), (64, 0.8), (128, 1), (256, 0.4))):
            shape = (f"fabric.flit_bits={bits}", f"clock_ns={clock_ns}")
            cycles = {"traffic.reply_delay": -(-40 // clock_ns), "node.send_overhead": -(-10 // clock_ns),
                      "node.recv_overhead": -(-2 // clock_ns)}
            bare = [f"{key}={int(value)}" for key, value in cycles.items()]
            units = ("traffic.reply_delay=40 ns", "node.send_overhead=10 ns", "node.recv_overhead=2ns")
            for load, rate in (("6.4 Gbit/s", by_hand(6.4, bits, clock_ns)),
                               ("0.003 /ns", 0.003 * clock_ns * FLITS[bits])):
                with self.subTest(bits=bits, clock_ns=clock_ns, load=load):
                    names = [f"{kind}{number}{load[-2:].strip('/')}" for kind in ("units", "bare", "again")]
                    given, links = self.results(names[0], *shape, *units,
                                                          f"traffic.injection_rate={load}")
                    self.assertEqual(self.results(names[1], *shape, *bare,
                                                  f"traffic.injection_rate={rate!r}"),
                                     (given, links))
                    # What was resolved keeps the units, and runs to the same cycles.
                    written = self.read(names[0], "config.yaml").decode()
                    for line in (f"injection_rate: {load}\n", "reply_delay: 40 ns\n",
                                 "send_overhead: 10 ns\n", "recv_overhead: 2 ns\n"):
                        self.assertIn(line, written)
                    self.write("config.yaml", written)
                    self.assertEqual(self.results(names[2]), (given, links))
                    self.write("config.yaml", machine(mesh(4, 4), PATTERN))
                    if load.endswith("Gbit/s"):
                        self.assertEqual(given["configured_gbps_per_sending_node"], 6.4)
                        self.assertAlmostEqual(given["accepted_gbps_per_sending_node"], 6.4, delta=1)

    def test_programs_have_times_too(self):
        times = {"send_overhead": "9.5 ns", "recv_overhead": "3 ns"}
        barrier = {"per_doubling": "2 ns", "fixed": "-1 ns"}
        self.write("config.yaml", machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 64, "barrier": barrier},
                                          node=times, clock_ns=0.8))
        self.write("bare.yaml", machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 64,
                                                     "barrier": {"per_doubling": 2.5, "fixed": -1.25}},
                                        node={"send_overhead": 12, "recv_overhead": 4}, clock_ns=0.8))
        for engine in ("cycle", "tlm"):
            self.assertEqual(self.report("run", "config.yaml", "--engine", engine)["cycles"],
                             self.report("run", "bare.yaml", "--engine", engine)["cycles"])
        # Without a clock a network can be compared, and described.
        self.write("synth.yaml", machine(mesh(4, 4), {"schedule": "pex", "barrier": barrier}, node=times,
                                         clock_ns="synth"))
        self.ok("compare", "synth.yaml", "config.yaml")

    def test_more_than_a_channel_carries_is_refused_with_the_figure(self):
        self.write("config.yaml", "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
                                  "traffic: {pattern: uniform, message_bytes: 64, injection_rate: 80 Gbit/s}\n")
        says = ["config.yaml:2:64: error: 'traffic.injection_rate' of 80 Gbit/s is 1.406 flits per cycle and node",
                "at clock_ns 1, flit_bits 64 and 9 flits for 64 bytes of payload that is 56.8889 Gbit/s",
                "(a lower load, wider flits (fabric.flit_bits) or a shorter clock_ns)"]
        for command in ("run", "check"):
            self.refused(command, "config.yaml", says=says)
        self.ok("check", "config.yaml", "--set", "fabric.flit_bits=256")
        self.ok("topology", "config.yaml")  # which has no load
        self.refused("curve", "config.yaml", "--rates", "10:80:35Gbit/s",
                     says=["--rates 10:80:35Gbit/s: error: a load of 80 Gbit/s is 1.406 flits per cycle"])
        for rates in ("1:2Gbit/s", "xGbit/s", "1Gbit/s,2", "0/ns", "-1Gbit/s", "Gbit/s", "1:2:1 Gbps", " /ns"):
            with self.subTest(rates=rates):
                self.refused("curve", "config.yaml", "--rates=" + rates, says=["is no load", "1:20:1Gbit/s"])

    def test_curves_at_equal_payload(self):
        steady = {"half_width": 0.2}
        self.write("narrow.yaml", machine(mesh(4, 4), PATTERN | {"warmup_cycles": None}, steady=steady)
                   .replace('"warmup_cycles": null, "measure_cycles": 2000', '"injection_rate": 0.2'))
        self.write("wide.yaml", self.read("narrow.yaml").decode().replace('"fabric": {', '"fabric": {"flit_bits": 128, ')
                   .replace('"steady"', '"clock_ns": 0.8, "steady"'))
        command = ("curve", "narrow.yaml", "wide.yaml", "--rates", "4:12:4Gbit/s")
        both = json.loads(self.ok(*command, "--json"))["curves"]
        for curve, bits, clock_ns in zip(both, (64, 128), (1, 0.8)):
            self.assertEqual(curve["clock_ns"], clock_ns)
            self.assertAlmostEqual(curve["payload_bits_per_flit"], PAYLOAD / FLITS[bits])
            self.assertEqual([point["rate_gbps"] for point in curve["points"]], [4, 8, 12])
            for point in curve["points"]:
                self.assertAlmostEqual(point["rate"], by_hand(point["rate_gbps"], bits, clock_ns))
                self.assertAlmostEqual(point["accepted_gbps"],
                                       point["accepted"] * PAYLOAD / FLITS[bits] / clock_ns)
            # As the same loads in flits.
            rates = ",".join(repr(point["rate"]) for point in curve["points"])
            self.assertEqual(json.loads(self.ok("curve", curve["config"] + ".yaml", "--rates", rates,
                                                "--json"))["points"], curve["points"])
        for rates in ("4Gbit/s,8 Gbit/s,12Gbit/s", "4,8,12 Gbit/s"):
            self.assertEqual(json.loads(self.ok(*command[:3], "--rates", rates, "--json"))["curves"], both)
        rows = list(csv.DictReader(self.ok(*command, "--csv").splitlines()))
        self.assertEqual([float(row["rate_gbps"]) for row in rows], [4, 8, 12] * 2)
        self.assertAlmostEqual(float(rows[4]["accepted_gbps"]), both[1]["points"][1]["accepted_gbps"], places=4)
        text = self.ok(*command)
        self.assertIn("headers included; one is 60.44 Gbit/s of payload", text)
        self.assertRegex(text, r"rate +Gbit/s +offered")
        self.assertRegex(text, r"\n +0\.1324 +8 +0\.1")
        self.ok(*command, "--plot", "curve.svg")
        means = [row for row in self.read_csv("curve.csv") if row["series"] in ("narrow", "wide")]
        self.assertEqual([float(row["x"]) for row in means], [4, 8, 12] * 2)
        self.assertIn(b"Gbit/s of payload/node", self.read("curve.svg"))
        # Messages per ns.
        points = json.loads(self.ok("curve", "wide.yaml", "--rates", "0.001,0.002/ns", "--json"))["points"]
        self.assertAlmostEqual(points[1]["rate"], 0.002 * 0.8 * FLITS[128])

    def test_a_saturation_is_told_in_both_units(self):
        self.write("config.yaml", machine(mesh(2, 2), {"pattern": "uniform", "message_bytes": 64,
                                                       "injection_rate": "1000 Gbit/s"},
                                          steady={"half_width": 0.3}, clock_ns=0.5))
        found = json.loads(self.ok("saturate", "config.yaml", "--json"))
        for end in ("lower", "upper"):
            self.assertAlmostEqual(found["saturation_gbps"][end], found["saturation"][end] * 512 / 9 / 0.5)
        self.assertAlmostEqual(found["plateau_accepted_gbps"], found["plateau_accepted"] * 512 / 9 / 0.5)
        text = self.ok("saturate", "config.yaml")
        self.assertRegex(text, r"saturation +between [\d.]+ \([\d.]+ Gbit/s\), at which")
        self.assertRegex(text, r"beyond saturation +[\d.]+ \([\d.]+ Gbit/s\) accepted at [\d.]+ \([\d.]+ Gbit/s\)")

    def test_a_share_of_the_saturation_is_found_first_and_kept(self):
        self.write("config.yaml", machine(mesh(2, 2), {"pattern": "transpose", "message_bytes": 64},
                                          steady={"half_width": 0.3, "max_cycles": 40000}))
        lower = json.loads(self.ok("saturate", "config.yaml", "--json"))["saturation"]["lower"]
        half = ("--set", "traffic.injection_rate=0.5 of saturation")
        done = self.call("run", "config.yaml", *half, "--json", "--out", "out")
        self.assertEqual(done.returncode, EXIT_OK, done.stderr)
        self.assertIn("note: 0.5 of saturation (between ", done.stderr)
        self.assertAlmostEqual(json.loads(done.stdout)["configured_flits_per_node_cycle"], lower / 2)
        kept = self.report("run", "out/config.yaml")
        self.assertAlmostEqual(kept["configured_flits_per_node_cycle"], lower / 2)
        self.refused("check", "config.yaml", *half, says=["0.5 of saturation is known to commands", "flitscope saturate"])
        self.refused("run", "config.yaml", "--set", "traffic.injection_rate=9 of saturation",
                     says=["traffic.injection_rate", "sources offer at most 1", "a smaller share"])
        # Every design of a study has its own.
        self.write("study.yaml", json.dumps({
            "base": "config.yaml", "vary": {"fabric.buffer_depth": [1, 8],
                                            "traffic.injection_rate": ["0.3 of saturation", "0.6 of saturation"]},
            "objectives": {"min": ["latency_ns", "buffer_bits"]}}))
        self.ok("explore", "study.yaml", "--db", "study.db")
        rows = list(csv.DictReader(io.StringIO(self.ok("explore", "export", "--db", "study.db"))))
        latency = {(row["fabric.buffer_depth"], row["traffic.injection_rate"]): float(row["latency_ns"])
                   for row in rows if row["latency_ns"]}
        for depth in ("1", "8"):
            saturated = json.loads(self.ok("saturate", "config.yaml", "--json", "--set", f"fabric.buffer_depth={depth}"))
            run = self.report("run", "config.yaml", "--set", f"fabric.buffer_depth={depth}", "--set",
                              f"traffic.injection_rate={0.3 * saturated['saturation']['lower']}")
            self.assertAlmostEqual(latency[depth, "0.3 of saturation"], run["latency"]["mean"], places=3)

    def test_a_study_over_widths_and_clocks_holds_the_payload(self):
        os.environ["FLITSCOPE_CACHE"] = self.path("cache")
        self.write("base.yaml", machine(mesh(3, 3), {"pattern": "uniform", "message_bytes": 64,
                                                     "measure_cycles": 4000, "arrivals": "periodic"}))
        self.write("study.yaml", json.dumps({
            "base": "base.yaml",
            "vary": {"fabric.flit_bits": [32, 128], "clock_ns": [1, 0.5],
                     "traffic.injection_rate": ["4 Gbit/s", "0.01 /ns"]},
            "objectives": {"min": ["latency_ns", "pins"]}, "search": {"method": "random", "evaluations": 100}}))
        found = json.loads(self.ok("explore", "study.yaml", "--db", "study.db", "--json"))
        self.assertEqual((found["points"], found["simulated"]), (8, 8))
        self.assertEqual(json.loads(self.ok("explore", "study.yaml", "--db", "study.db", "--json"))["reused"], 8)
        for bits, flits in ((32, 17), (128, 5)):
            for clock_ns in (1, 0.5):
                report = self.report("run", "base.yaml", "--set", f"fabric.flit_bits={bits}", "--set",
                                     f"clock_ns={clock_ns}", "--set", "traffic.injection_rate=4 Gbit/s")
                self.assertAlmostEqual(report["configured_flits_per_node_cycle"], 4 * clock_ns * flits / 512)
                self.assertAlmostEqual(report["accepted_gbps_per_sending_node"], 4, delta=0.1)
        # A design that cannot carry the load is refused, and the others are not.
        study = json.loads(self.read("study.yaml"))
        study["vary"]["traffic.injection_rate"] = ["40 Gbit/s"]
        self.write("study.yaml", json.dumps(study))
        found = json.loads(self.ok("explore", "study.yaml", "--db", "more.db", "--json"))
        reason, = (why for why in found["why_refused"] if "flits per cycle" in why["reason"])
        self.assertEqual(reason["designs"], 1)  # 32 bits at 1 ns carry 30.1
        self.assertIn("'traffic.injection_rate' of 40 Gbit/s is 1.328 flits per cycle and node", reason["reason"])


if __name__ == "__main__":
    main()
