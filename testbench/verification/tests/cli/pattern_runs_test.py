# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""What runs of synthetic patterns report: what is offered and accepted, over which cycles, whether a
run was overloaded, unstable, short or cut."""
import json

from flitscope_cli import CliTest, hypercube, machine, main, mesh

RATE = 0.1
NODES = 64


def traffic(pattern, **more):
    return {"pattern": pattern, "injection_rate": RATE, "message_bytes": 64,
            "warmup_cycles": 1000, "measure_cycles": 10000, **more}


class PatternRuns(CliTest):
    def test_silent_nodes_do_not_read_as_saturation(self):
        for pattern, senders in (("transpose", 56), ("bit_reverse", 56), ("shuffle", 62)):
            report = self.run_report(machine(mesh(8, 8), traffic(pattern, injection_rate=0.02)))
            offered = report["offered_flits_per_node_cycle"]
            self.assertAlmostEqual(offered, 0.02 * senders / 64, delta=0.001)
            self.assertAlmostEqual(report["accepted_flits_per_node_cycle"], offered,
                                   delta=0.02 * offered)
            self.assertEqual(report["configured_flits_per_node_cycle"], 0.02)
            text = self.ok("run", "config.yaml")
            self.assertRegex(text, r"offered +0\.01\d+ flits/node/cycle .* each of the "
                             f"{senders} nodes that send \\(configured: 0.02\\)")

    def test_a_random_permutation_is_drawn_from_the_seed(self):
        pairs = {}
        for seed in (1, 2):
            for engine in ("cycle", "tlm"):
                report = self.run_report(
                    machine(mesh(8, 8), traffic("random_permutation")), "--set", f"seed={seed}",
                    "--engine", engine, "--out", "out", "--messages")
                self.assertEqual(report["messages_delivered"], report["messages_expected"])
                self.assertEqual(report["sending_nodes"], NODES)
                pairs[seed, engine] = {(int(row["source"]), int(row["destination"]))
                                       for row in self.read_csv("out", "messages.csv")}
            drawn = pairs[seed, "cycle"]
            self.assertEqual(drawn, pairs[seed, "tlm"])
            for side in (0, 1):
                self.assertEqual(sorted(pair[side] for pair in drawn), list(range(NODES)))
            self.assertFalse([pair for pair in drawn if pair[0] == pair[1]])
        self.assertNotEqual(pairs[1, "cycle"], pairs[2, "cycle"])

    def test_utilization_is_that_of_the_measurement(self):
        # Two nodes ask nearly twice as much of a link as it can carry; then it drains.
        config = machine(mesh(1, 3), traffic("hotspot", injection_rate=0.9, warmup_cycles=3000,
                                             measure_cycles=2000, root=2, hotspot_fraction=1))
        for engine in ("cycle", "tlm"):
            report = self.run_report(config, "--engine", engine, "--out", "out")
            use = report["link_utilization"]
            self.assertGreater(use["max"], 0.99)
            self.assertLessEqual(use["max"], 1)
            self.assertEqual((use["from"], use["until"]), (3000, 5000))
            rows = self.read_csv("out", "links.csv")
            for row in rows:
                self.assertEqual(row["measured_cycles"], "2000")
                self.assertAlmostEqual(float(row["utilization"]),
                                       int(row["measured_flits"]) / 2000, places=5)
                self.assertLess(int(row["measured_flits"]), int(row["flits"]))
            self.assertEqual(sum(int(r["flits"]) for r in rows), report["flit_hops"])
        text = self.ok("run", "config.yaml")
        self.assertRegex(text, r"link utilization +mean \d+\.\d % while measuring, cycles 3,000 to "
                         r"4,999\n +link_001_002 +(99|100)\.\d %")

    def test_utilization_of_a_steady_run_is_that_of_all_of_it(self):
        config = machine(mesh(3, 3), {"pattern": "uniform", "injection_rate": 0.1,
                                      "message_bytes": 64}, steady={"half_width": 0.07,
                                                                    "confidence": 0.55})
        report = self.run_report(config)
        self.assertEqual(report["link_utilization"]["from"], 0)
        text = self.ok("run", "config.yaml")
        self.assertRegex(text, r"link utilization +mean \d+\.\d % of the whole run, cycles 0 to ")
        self.assertRegex(text, r"until the mean latency is known within \+-7 %\n")
        self.assertIn(" cycles (55 % confidence), ", text)

    def test_a_run_that_ends_in_its_warmup_has_measured_nothing(self):
        for engine in ("cycle", "tlm"):
            self.write("config.yaml", machine(mesh(4, 4), traffic("uniform", injection_rate=0.05),
                                              limits={"max_cycles": 500}))
            done = self.call("run", "config.yaml", "--engine", engine)
            self.assertEqual(done.returncode, 3)
            self.assertIn("measured          nothing: the run ended within the 1,000 cycles of its "
                          "warm-up", done.stdout)
            self.assertNotIn("while measuring", done.stdout)
            self.assertRegex(done.stdout, r"link utilization +mean [1-9]\d*\.\d %\n")
            self.assertNotIn("step ", done.stdout + done.stderr)
            report = json.loads(self.call("run", "config.yaml", "--engine", engine,
                                          "--json").stdout)
            self.assertIsNone(report["offered_flits_per_node_cycle"])
            self.assertIsNone(report["accepted_flits_per_node_cycle"])
            self.assertGreater(report["link_utilization"]["mean"], 0)
            self.assertEqual(report["link_utilization"]["from"], 0)

    def test_a_window_of_few_messages_says_so(self):
        # Means of 2,559 to 3,911 cycles by seed, of 18 to 28 messages; 4,083 after a million cycles.
        keys = traffic("uniform", message_bytes=16384, injection_rate=0.3, warmup_cycles=0,
                       measure_cycles=3000)
        self.write("config.yaml", machine(mesh(4, 4), keys))
        done = self.call("run", "config.yaml")
        self.assertRegex(done.stdout, r"SHORT +\d+ messages measured in 3,000 cycles, [01]\.\d times "
                                      r"their mean latency: the mean depends on the seed")
        report = json.loads(self.call("run", "config.yaml", "--json").stdout)
        self.assertTrue(report["short_measurement"])
        keys = traffic("uniform", message_bytes=64, measure_cycles=5000)
        self.write("config.yaml", machine(mesh(4, 4), keys))
        self.assertNotIn("SHORT", self.call("run", "config.yaml").stdout)
        self.assertFalse(json.loads(self.call("run", "config.yaml", "--json").stdout)
                         ["short_measurement"])

    def test_a_run_that_is_cut_short_expects_what_has_begun(self):
        hot = traffic("hotspot", root=4, hotspot_fraction=1, message_bytes=16, injection_rate=0.9,
                      warmup_cycles=0)
        for measured in ({}, {"steady": {"max_cycles": 40000}}):
            keys = {key: hot[key] for key in hot if not (measured and key.endswith("_cycles"))}
            self.write("config.yaml", machine(mesh(3, 3), keys, limits={"max_cycles": 300}, **measured))
            for engine in ("cycle", "tlm"):
                done = self.call("run", "config.yaml", "--engine", engine, "--json")
                report = json.loads(done.stdout)
                self.assertEqual(report["messages_expected"], 774, (measured, engine))
                self.assertIn("node 0 is sending", done.stderr)
                if not measured:
                    self.assertAlmostEqual(report["offered_flits_per_node_cycle"], 774 * 3 / 9 / 300)
                    self.assertEqual(report["backlog_growth_flits"],
                                     3 * (774 - report["messages_delivered"]))
        # Later messages are not expected, and no node is sending them.
        self.write("config.yaml", machine(mesh(3, 3), traffic("uniform", message_bytes=16,
                                                              injection_rate=0.005, warmup_cycles=0)))
        for limit, begun in ((20, 0), (300, 8)):
            done = self.call("run", "config.yaml", "--set", f"limits.max_cycles={limit}", "--json")
            self.assertEqual(done.returncode, 3)
            self.assertEqual(json.loads(done.stdout)["messages_expected"], begun)
            self.assertNotIn("is sending", done.stderr)
        # In the warm-up, too.
        done = self.call("run", "config.yaml", "--set", "limits.max_cycles=300", "--set",
                         "traffic.warmup_cycles=1000", "--json")
        self.assertEqual(json.loads(done.stdout)["messages_expected"], 8)

    def test_traffic_that_never_varies_is_steady_at_once(self):
        # The mean latency of every window is 14 1/3 cycles.
        config = machine(mesh(3, 3), {"pattern": "neighbour", "arrivals": "periodic",
                                      "injection_rate": 0.18, "message_bytes": 64},
                         steady={"half_width": 0.05})
        report = self.run_report(config)
        self.assertEqual(report["steady"]["status"], "stable")
        self.assertLess(report["steady"]["measured_cycles"], 100_000)

    def test_an_overloaded_run_says_so(self):
        for overrides, overloaded in (({"injection_rate": 0.9}, True),
                                      ({"injection_rate": 0.5, "warmup_cycles": 0}, True),
                                      ({"injection_rate": 0.1, "warmup_cycles": 0,
                                        "measure_cycles": 100}, False),
                                      ({"injection_rate": 0.2}, False)):
            with self.subTest(overrides):
                report = self.run_report(machine(mesh(8, 8), traffic("uniform", **overrides)))
                self.assertEqual(report["status"], "complete")
                self.assertIs(report["overloaded"], overloaded)
                text = self.ok("run", "config.yaml")
                outcome = "OVERLOADED" if overloaded else "complete"
                self.assertTrue(text.startswith(f"uniform: {outcome}\n"), text)
                self.assertEqual("  OVERLOADED" in text, overloaded)
                self.assertRegex(text, rf"simulated +{report['simulated_cycles']:,} cycles")
                self.assertNotIn("makespan", text)
        done = self.call("run", "config.yaml", "--json", "--set", "limits.max_cycles=1500")
        report = json.loads(done.stdout)
        self.assertIsNone(report["overloaded"])  # cut short
        self.assertEqual(report["link_utilization"]["until"], 1500)

    def test_an_unstable_run_says_so(self):
        for rate, keys, status, overloaded, outcome in (
                (0.9, {}, "unstable", True, "UNSTABLE"), (0.1, {}, "stable", False, "complete"),
                (0.1, {"max_cycles": 40000, "half_width": 0.001}, "not_converged", None, "NOT STEADY")):
            with self.subTest(outcome=outcome):
                report = self.run_report(machine(
                    mesh(4, 4), {"pattern": "uniform", "message_bytes": 64, "injection_rate": rate},
                    steady=keys))
                self.assertEqual((report["status"], report["steady"]["status"]),
                                 ("complete", status))
                self.assertIs(report["overloaded"], overloaded)
                text = self.ok("run", "config.yaml")
                self.assertTrue(text.startswith(f"uniform: {outcome}\n"), text)
                self.assertEqual(f"  {outcome} " in text, outcome != "complete")

    def test_check_warns_of_what_no_channel_can_carry(self):
        hot = traffic("hotspot", root=27, hotspot_fraction=0.2)
        for topology, keys, fabric, warns in (
                (mesh(8, 8), hot, {}, "node 27 is asked to receive 1.3"),
                (mesh(8, 8), traffic("transpose", injection_rate=0.5), {}, "link_"),
                (mesh(8, 8), traffic("uniform", injection_rate=0.9),
                 {"routing": "o1turn", "virtual_channels": 2}, "middle cut"),
                (mesh(8, 8), traffic("uniform"), {}, None)):
            self.write("config.yaml", machine(topology, keys, fabric=fabric))
            text = self.ok("check", "config.yaml")
            self.assertRegex(text, r"\n  load +at most 0\.\d+ flits/cycle from a node")
            warnings = [line for line in text.splitlines() if line.startswith("  ! ")]
            self.assertEqual(len(warnings), 0 if warns is None else 1, text)
            if warns:
                self.assertIn(warns, warnings[0])
                self.assertIs(self.report("run", "config.yaml")["overloaded"], True)

    def test_tornado_sends_nothing_on_a_hypercube(self):
        self.write("config.yaml", machine(hypercube(6), traffic("tornado")))
        self.refused("run", "config.yaml", says=["tornado", "use uniform"])


if __name__ == "__main__":
    main()
