# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""What reports and tables say of keys that change when things happen. That the fabric keeps to
hw/TIMING.md is for the tests of hw and tlm."""
from flitscope_cli import CliTest, machine, main, mesh

LINE = mesh(1, 5)


class TimingKeys(CliTest):
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


if __name__ == "__main__":
    main()
