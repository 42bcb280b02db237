# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Links with valid and ready (fabric.link_protocol): what they cost, that engines and our RTL router agree
on them, and what rejects them."""
import csv
import io
import json

from flitscope_cli import CliTest, machine, main, mesh

UNIFORM = {"pattern": "uniform", "injection_rate": 0.5, "message_bytes": 64, "warmup_cycles": 100,
           "measure_cycles": 1000}
LINE = 5  # nodes


def valid_ready(**fabric):
    return {"link_protocol": "valid_ready", **fabric}


class LinkProtocol(CliTest):
    def configure(self, topology=None, traffic=None, **fabric):
        self.write("config.yaml", machine(topology or mesh(4, 4), traffic or UNIFORM,
                                          fabric=valid_ready(**fabric)))

    def test_a_hop_is_a_cycle_quicker_than_with_credits(self):
        self.write("one.csv", f"source,destination,bytes,step\n0,{LINE - 1},64,0\n")
        for fabric in ({}, {"link_delay": 3, "router_delay": 2}):
            self.configure(mesh(1, LINE), {"program": "one.csv"}, buffer_depth=8, **fabric)
            ready = self.report("run", "config.yaml")
            credits = self.report("run", "config.yaml", "--set", "fabric.link_protocol=credits")
            self.assertEqual(ready["cycles"], credits["cycles"] - (LINE - 1))
            self.assertEqual(ready["cycles"], ready["lower_bounds"]["latency"])

    def test_the_full_rate_takes_two_places_however_long_the_wire(self):
        self.write("long.csv", f"source,destination,bytes,step\n0,{LINE - 1},8000,0\n")
        cycles = {}
        for depth in (2, 16):
            self.configure(mesh(1, LINE), {"program": "long.csv"}, buffer_depth=depth, link_delay=6)
            cycles[depth] = self.report("run", "config.yaml")["cycles"]
        self.assertEqual(cycles[2], cycles[16])
        short = self.report("run", "config.yaml", "--set", "fabric.link_protocol=credits",
                            "--set", "fabric.buffer_depth=2")["cycles"]
        self.assertGreater(short, 3 * cycles[2])

    def test_engines_agree_and_tlm_says_why_it_is_quick(self):
        for fabric in ({"buffer_depth": 2}, {"buffer_depth": 3, "link_delay": 4},
                       {"virtual_channels": 2, "buffer_depth": 1, "switch_arbitration": "per_packet"}):
            with self.subTest(fabric=fabric):
                self.configure(**fabric)
                self.assertIn("equal", self.ok("verify", "config.yaml"))
        self.configure(traffic={"schedule": "pex", "message_bytes": 512}, buffer_depth=2, link_delay=4)
        report = self.report("run", "config.yaml")
        self.assertEqual(report["engine"], "tlm")
        self.assertIn("fabric.buffer_depth 2 >= 2", report["engine_reason"])

    def test_our_rtl_router_follows_in_lock_step(self):
        for fabric in ({}, {"buffer_depth": 4, "link_delay": 3},
                       {"virtual_channels": 2, "buffer_depth": 4}):
            with self.subTest(fabric=fabric):
                self.configure(**fabric)
                report = self.report("cosim", "config.yaml", "--no-verilate")
                self.assertEqual((report["outcome"], report["rtl_routers"]), ("equal", 16))
                self.assertGreater(report["flits"], 1000)

    def test_reports_and_explanations_are_of_these_links(self):
        self.configure(traffic={"schedule": "pex", "message_bytes": 256}, buffer_depth=2, link_delay=2)
        self.assertIn("links with valid and ready", self.ok("check", "config.yaml"))
        self.ok("explain", "config.yaml")
        self.ok("report", "config.yaml", "-o", "page.html")
        self.ok("run", "config.yaml", "--trace", "run.vcd", "--set", "waveform.details=true",
                "--set", "waveform.nodes=[5]")
        self.assertIn(" buffered [2:0] ", self.read("run.vcd").decode())  # up to 2 and 2 of a slice

    def test_register_slices_are_buffers_in_a_study(self):
        self.write("base.yaml", machine(mesh(4, 4), UNIFORM, fabric=valid_ready(buffer_depth=2)))
        self.write("study.yaml", "base: base.yaml\nvary: {fabric.link_delay: [1, 3]}\n"
                   "objectives: {min: [buffer_bits, latency_ns]}\n")
        self.ok("explore", "study.yaml", "--db", "s.db")
        rows = csv.DictReader(io.StringIO(self.ok("explore", "export", "--db", "s.db")))
        bits = {row["fabric.link_delay"]: int(row["buffer_bits"]) for row in rows}
        self.assertEqual(bits["1"], (16 * 4 + 16) * 2 * 64)  # inputs of links and nodes, flits, bits
        self.assertEqual(bits["3"], bits["1"] + 48 * 2 * 2 * 64)  # links, slices, places

    def test_schedules_that_are_found_take_their_time_and_not_less_than_the_bound(self):
        for topology, fabric in ((mesh(1, 2), {}), (mesh(2, 3), {"link_delay": 2}), (mesh(4, 4), {})):
            for collective, size in (("broadcast", "8"), ("all_to_all", "256")):
                with self.subTest(topology=topology, collective=collective):
                    self.write("config.yaml", json.dumps({
                        "fabric": {"topology": topology, **valid_ready(buffer_depth=2, **fabric)}}))
                    found = self.report("find-schedule", "config.yaml", "--collective", collective,
                                        "--message-bytes", size, "-o", "found.csv")
                    run = self.report("run", "config.yaml", "--set", "traffic.program=found.csv")
                    self.assertEqual(run["cycles"], found["cycles"])
                    self.assertGreaterEqual(found["cycles"], found["bound_cycles"])

    def test_what_knows_no_valid_and_ready_says_so(self):
        self.configure()
        for command in (("synth", "config.yaml"), ("export", "config.yaml", "--rtl", "out"),
                        ("run", "config.yaml", "--energy")):
            with self.subTest(command=command):
                self.refused(*command, says=["counts credits", "fabric.link_protocol: credits"])
        self.assertIn("no figures", self.ok("topology", "config.yaml"))
        self.assertNotIn("link_registers", self.ok("topology", "config.yaml", "--json"))

    def test_what_a_sender_would_have_to_know_is_refused(self):
        self.configure()
        torus = "fabric.topology={kind: torus, dims: [4, 4]}"
        dragonfly = "fabric.topology={kind: dragonfly, groups: 3, group_size: 2, global_links: 1}"
        for overrides, words in (
                (["fabric.switching=virtual_cut_through"], ["room for a flit", "fabric.switching: wormhole"]),
                (["fabric.switching=store_and_forward"], ["room for a flit", "fabric.switching: wormhole"]),
                (["fabric.switching=circuit"], ["link_protocol", "circuit"]),
                (["fabric.virtual_channels=2", "fabric.output_speedup=2"],
                 ["ready cannot promise", "fabric.output_speedup: 1"]),
                (["faults.links=[0-1]", "faults.at=100"], ["register slices cannot drop", "faults.at: 0"]),
                (["fabric.routing=minimal_adaptive", "fabric.virtual_channels=2"],
                 ["only if their FIFO is empty", "without an escape"]),
                ([dragonfly, "fabric.routing=ugal_local", "fabric.virtual_channels=3"],
                 ["chooses by the number of flits", "dragonfly_minimal or valiant"]),
                (["fabric.link_rate={die: [2, 4], rate: 1/2}"], ["in parts", "rates of links to 1"]),
                (["fabric.virtual_channels=2", "fabric.link_delay=2"],
                 ["a wire of 2 cycles", "take turns", "fabric.virtual_channels: 1", "fabric.link_delay: 1"]),
                ([torus, "fabric.virtual_channels=2", "fabric.router_delay=2"],
                 ["a wire of 2 cycles", "fabric.router_delay: 1"]),
                (["fabric.buffer_depth=1", "fabric.link_delay=2"],
                 ["one in two cycles", "fabric.buffer_depth: 2 or more"]),
                (["fabric.link_delay=2000"], ["has 1999 register slices, and at most 1024"]),
                (["fabric.router=rtl", "fabric.link_delay={model: linear}",
                  "fabric.topology={kind: express_mesh, dims: [8], segment: 4}"],
                 ["FIFOs of one depth", "give all links one delay"])):
            sets = [word for override in overrides for word in ("--set", override)]
            with self.subTest(overrides=overrides):
                self.refused("run", "config.yaml", *sets, says=words)
        self.refused("run", "config.yaml", "--set", "fabric.link_protocol=ready",
                     says=["credits, valid_ready"])

    def test_adaptive_routings_without_an_escape_are_simulated(self):
        self.configure(routing="west_first", buffer_depth=2)
        self.assertIn("equal", self.ok("verify", "config.yaml"))


if __name__ == "__main__":
    main()
