# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Several outputs of the switch per port, and the queue behind them: what they give, what shows of
them, and what refuses them."""
import csv

from flitscope_cli import CliTest, machine, main, mesh

CHANNELS = {"virtual_channels": 2, "buffer_depth": 4}
QUEUES = {**CHANNELS, "output_speedup": 2, "output_queue": 4}
BUSY = {"pattern": "uniform", "injection_rate": 0.6, "message_bytes": 32, "warmup_cycles": 1000,
        "measure_cycles": 3000}


class OutputQueues(CliTest):
    def test_an_idle_machine_is_as_quick_and_a_full_one_accepts_more(self):
        self.write("one.csv", "source,destination,bytes,step\n0,15,32,0\n")
        idle = [self.run_report(machine(mesh(4, 4), {"program": "one.csv"}, fabric=fabric))
                for fabric in (CHANNELS, QUEUES)]
        self.assertEqual(idle[0]["latency"], idle[1]["latency"])
        plain, queues = (self.run_report(machine(mesh(8, 8), BUSY, fabric=fabric))
                         for fabric in (CHANNELS, QUEUES))
        self.assertTrue(plain["overloaded"] and queues["overloaded"])
        self.assertGreater(queues["accepted_flits_per_node_cycle"],
                           1.02 * plain["accepted_flits_per_node_cycle"])

    def test_what_meets_leaves_one_after_the_other(self):
        # From both sides to the node between, at once, over ports that go to different outputs.
        self.write("two.csv", "source,destination,bytes,step\n0,1,0,0\n2,1,0,0\n")
        self.write("config.yaml", machine(mesh(3, 1), {"program": "two.csv"}, fabric=QUEUES))
        self.ok("run", "config.yaml", "--out", "out", "--messages", "--trace", "run.fst")
        rows = csv.DictReader(self.read("out/messages.csv").decode().splitlines())
        first, second = sorted(int(row["delivered"]) for row in rows)
        self.assertEqual(second, first + 1)

    def test_threads_change_nothing(self):
        reports = [self.run_report(machine(mesh(4, 4), BUSY, fabric=QUEUES), *arguments)
                   for arguments in ((), ("--threads", "2"))]
        for report in reports:
            for key in ("wall_seconds", "flit_hops_per_second"):
                report.pop(key)
        self.assertEqual(*reports)

    def test_who_knows_of_no_queues_says_so(self):
        self.write("config.yaml", machine(mesh(4, 4), BUSY, fabric=QUEUES))
        for arguments, words in (
                (("explain", "config.yaml"), ["explain knows no queues between the switch"]),
                (("report", "config.yaml", "-o", "page.html"), ["a page knows no queues"]),
                (("run", "config.yaml", "--energy"), ["energies of routers with queues"]),
                (("synth", "config.yaml", "--energy"), ["energies of routers with queues"]),
                (("run", "config.yaml", "--engine", "tlm"),
                 ["one output of the switch per port, without a queue"])):
            with self.subTest(arguments):
                self.refused(*arguments, says=[*words, "fabric.output_speedup: 1"])

    def test_what_a_machine_is_like_names_the_queues(self):
        self.write("config.yaml", machine(mesh(4, 4), BUSY, fabric=QUEUES))
        self.assertIn("output speedup 2 into queues of 4 flits", self.ok("check", "config.yaml"))


if __name__ == "__main__":
    main()
