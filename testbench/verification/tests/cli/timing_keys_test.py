# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Keys that change when things happen, against the cycle counts that hw/TIMING.md gives."""
from fractions import Fraction

from flitscope_cli import CliTest, FLIT_BYTES, machine, main, mesh

LINE = mesh(1, 5)


class TimingKeys(CliTest):
    def latency(self, hops=4, size=64, *, fabric=None, node=None):
        """Latency of one message on an empty line of five nodes."""
        self.write("one.csv", f"source,destination,bytes,step\n0,{hops},{size},0\n")
        report = self.run_report(machine(LINE, {"program": "one.csv"}, fabric=fabric or {},
                                         node=node or {}))
        self.assertEqual(report["messages_delivered"], 1)
        latency = report["latency"]["max"]
        self.assertEqual(report["cycles"], latency + 1)
        self.assertEqual(report["latency"]["mean"], latency)
        return latency

    def test_one_message_takes_injection_hops_and_its_flits(self):
        for hops in (1, 2, 4):
            for size in (0, 8, 64, 100):
                flits = 1 + -(-size // FLIT_BYTES)
                self.assertEqual(self.latency(hops, size), 1 + 2 * hops + flits - 1)

    def test_delays_add_up_along_the_route(self):
        for router in (1, 3):
            for link in (1, 2, 5):
                fabric = {"router_delay": router, "link_delay": link, "buffer_depth": 64}
                self.assertEqual(self.latency(fabric=fabric),
                                 router + 4 * (router + link) + 8)

    def test_startup_delays_the_first_flit(self):
        self.assertEqual(self.latency(node={"send_overhead": 37}), self.latency() + 37)

    def test_network_latency_leaves_out_the_time_at_the_source(self):
        # The second message waits for the startup, and then for the nine flits of the first.
        self.write("two.csv", "source,destination,bytes,step\n0,4,64,0\n0,2,64,0\n")
        for engine in ("cycle", "tlm"):
            report = self.run_report(machine(LINE, {"program": "two.csv"},
                                             node={"send_overhead": 37}), "--engine", engine)
            network = [1 + 2 * hops + 8 for hops in (4, 2)]
            self.assertEqual(report["network_latency"]["max"], network[0])
            self.assertEqual(report["network_latency"]["mean"], sum(network) / 2)
            self.assertEqual(report["latency"]["mean"], (37 + network[0] + 37 + 9 + network[1]) / 2)

    def test_long_wires_are_slower_in_the_linear_model(self):
        self.write("one.csv", "source,destination,bytes,step\n0,1,64,0\n")
        for length in (1, 4, 5, 9):
            self.write("graph.yaml", "nodes: 2\nlinks: [{from: 0, to: 1, both: true, "
                       f"length: {length}}}]\n")
            report = self.run_report(machine({"kind": "custom", "file": "graph.yaml"},
                                             {"program": "one.csv"},
                                             fabric={"link_delay": {"model": "linear",
                                                                    "reach": 4}}))
            self.assertEqual(report["latency"]["max"], 1 + 1 + -(-length // 4) + 8)

    def test_physical_wires_take_their_time_in_cycles_of_the_clock(self):
        self.write("one.csv", "source,destination,bytes,step\n0,1,64,0\n")
        for length, clock, cycles in ((1, 1, 1), (10, 1, 1), (11, 1, 2), (40, 1, 4), (40, 0.5, 8),
                                      (40, 0.7, 6)):  # 0.1 ns a node pitch
            self.write("graph.yaml", "nodes: 2\nlinks: [{from: 0, to: 1, both: true, "
                       f"length: {length}}}]\n")
            report = self.run_report(machine({"kind": "custom", "file": "graph.yaml"},
                                             {"program": "one.csv"}, clock_ns=clock,
                                             fabric={"buffer_depth": 64,
                                                     "link_delay": {"model": "physical",
                                                                    "pitch_mm": 0.4,
                                                                    "ns_per_mm": 0.25}}))
            self.assertEqual(report["latency"]["max"], 1 + 1 + cycles + 8)

    def test_a_report_tells_the_delays_that_the_links_have(self):
        mesh_with_express = {"kind": "express_mesh", "dims": [8, 8], "segment": 4}
        for delay, told in ((3, "3"),
                            ({"model": "linear", "reach": 2}, "1 to 2 = ceil(length/2)"),
                            ({"model": "linear", "reach": 4}, "1 = ceil(length/4)"),
                            ({"model": "physical", "pitch_mm": 1, "ns_per_mm": 0.5},
                             "1 to 2 = ceil(length x 1 mm x 0.5 ns/mm / 1 ns)")):
            self.write("config.yaml", machine(mesh_with_express, {"schedule": "gen"},
                                              fabric={"link_delay": delay}))
            self.assertIn(f"link delay {told}\n", self.ok("run", "config.yaml"))

    def test_packets_carry_a_header_each(self):
        for size, packets, flits in ((64, 4, 8), (65, 5, 9), (16, 1, 2), (0, 1, 0)):
            for header in (1, 3):
                with self.subTest(size=size, header=header):
                    report = self.run_report(
                        machine(mesh(4, 4), {"schedule": "gen", "message_bytes": size},
                                node={"packet_bytes": 16, "header_flits": header}))
                    self.assertEqual(report["flits_delivered"],
                                     240 * (packets * header + flits))
                    self.assertEqual(report["messages_delivered"], 240)

    def test_a_barrier_begins_each_step_everywhere_at_its_price(self):
        # 10 cycles per doubling of 16 nodes, and 100.
        config = machine(mesh(4, 4), {"schedule": "gen", "message_bytes": 64,
                                      "barrier": {"per_doubling": 10, "fixed": 100}})
        with_barrier = self.run_report(config, "--out", "out")
        rows = self.read_csv("out", "steps.csv")
        self.assertEqual(len(rows), 15)
        for step, following in zip(rows, rows[1:]):
            self.assertEqual(int(following["start"]), int(step["end"]) + 140)
        free = self.run_report(machine(mesh(4, 4), {"schedule": "gen", "message_bytes": 64,
                                                    "barrier": True}))
        self.assertEqual(with_barrier["cycles"], free["cycles"] + 14 * 140)

    def test_receive_overhead_delays_the_following_steps(self):
        def cycles(overhead):
            return self.run_report(machine(mesh(4, 4), {"schedule": "gen", "message_bytes": 64,
                                                        "barrier": True},
                                           node={"recv_overhead": overhead}))["cycles"]
        self.assertEqual(cycles(50), cycles(0) + 14 * 50)

    def test_a_slow_node_injects_at_its_rate(self):
        makespans = []
        for rate in (1, "2/3", "1/2", "1/7"):
            report = self.run_report(machine(mesh(4, 4), {"schedule": "gen", "message_bytes": 64},
                                             node={"injection_bandwidth": rate}))
            self.assertEqual(report["messages_delivered"], 240)
            self.assertGreaterEqual(report["cycles"], 15 * 9 / Fraction(rate))
            self.assertGreaterEqual(report["cycles"], report["lower_bound_cycles"])
            makespans.append(report["cycles"])
        self.assertEqual(makespans, sorted(set(makespans)))
        # One message of nine flits is assembled in 18 cycles, then injected at full rate.
        self.assertEqual(self.latency(node={"injection_bandwidth": "1/2"}), self.latency() + 18)

    def test_bounds_know_times_and_startups(self):
        self.write("late.csv", "source,destination,bytes,time\n0,4,64,0\n4,0,64,1000000\n")
        report = self.run_report(machine(LINE, {"program": "late.csv"}))
        self.assertEqual(report["lower_bound_cycles"], report["cycles"])
        self.write("many.csv", "source,destination,bytes,step\n" + 5 * "0,4,64,0\n")
        report = self.run_report(machine(LINE, {"program": "many.csv"},
                                         node={"send_overhead": 500, "serialize_overhead": True}))
        self.assertEqual(report["lower_bounds"]["injection"], 5 * 509)
        self.assertEqual(report["cycles"], 5 * 509 + 1 + 2 * 4)

    def test_a_program_without_messages_sends_nothing_and_says_so(self):
        for header in ("source,destination,bytes,step\n", "source,destination,bytes,time\n"):
            self.write("empty.csv", header)
            report = self.run_report(machine(LINE, {"program": "empty.csv"}))
            self.assertEqual(report["status"], "complete")
            for key in ("cycles", "messages_expected", "flit_hops", "lower_bound_cycles"):
                self.assertEqual(report[key], 0, key)
            self.assertEqual(set(report["latency"].values()), {None})
            text = self.ok("run", "config.yaml")
            self.assertIn("nothing is sent", text)
            self.assertNotIn("makespan / lower bound", text)
            self.assertIn("NOTHING IS SENT", self.ok("check", "config.yaml"))

    def test_time_is_cycles_times_the_clock_period(self):
        config = machine(mesh(4, 4), {"schedule": "gen", "message_bytes": 64})
        report = self.run_report(config, "--set", "clock_ns=2.5")
        self.assertEqual(report["clock_ns"], 2.5)
        self.assertAlmostEqual(report["time_us"], report["cycles"] * 2.5 / 1000)
        self.assertEqual(report["cycles"], self.run_report(config)["cycles"])

    def test_shallow_buffers_cost_time_and_deep_ones_do_not_hurt(self):
        cycles = [self.run_report(machine(mesh(8, 8), {"schedule": "pex", "message_bytes": 512},
                                          fabric={"buffer_depth": depth}))["cycles"]
                  for depth in (1, 2, 64)]
        self.assertGreater(cycles[0], cycles[1])
        self.assertGreater(cycles[1], cycles[2])
        # One slot, freed and filled again every three cycles (c + d of a link).
        self.assertEqual(self.latency(size=800, fabric={"buffer_depth": 1}),
                         1 + 2 * 4 + 3 * 100)


if __name__ == "__main__":
    main()
