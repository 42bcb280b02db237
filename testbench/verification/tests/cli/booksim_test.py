# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The recipe of testbench/app/cli/BOOKSIM.md against numbers that BookSim2 printed.

booksim_runs.json has its configurations and results; testbench/tools/compare_booksim.py makes them
again."""
import json
import pathlib

from flitscope_cli import CliTest, machine, main, mesh, suite

RECORDED = json.loads((pathlib.Path(__file__).parent / "booksim_runs.json").read_text())
PACKET = 5        # flits, one of them a header here
SEND_OVERHEAD = 4  # the cycles that BookSim2 has more at both ends of a path
NODES = 64
DIFFER_BY_2 = "hypercube", "torus, input speedup"  # percent, beyond saturation


class BookSim(CliTest):
    def test_an_idle_network_has_the_same_latency_to_the_cycle(self):
        for run in RECORDED["zero_load"]:
            for links, cycles in zip(run["links"], run["latency"]):
                # On a line of as many links as the shortest and the longest path of the pattern.
                self.write("one.csv", f"source,destination,bytes,step\n0,{links},32,0\n")
                report = self.run_report(machine(
                    mesh(1, links + 1), {"program": "one.csv"},
                    fabric={**run["here"], "buffer_depth": 8},
                    node={"send_overhead": SEND_OVERHEAD}))
                with self.subTest(run["configuration"], links=links):
                    self.assertEqual(report["latency"]["max"], cycles)

    def test_loads_give_the_same_latency_and_saturate_alike(self):
        points = [(run, point) for run in RECORDED["runs"] for point in run["loads"]]
        for run, point in suite.sample_of(points, len(points) // 2):  # of every run one at least
            to_itself = 1 / NODES if run["pattern"] == "uniform" else 0
            with self.subTest(run["name"], load=point["injection_rate"]):
                self.compare(run, point, to_itself)

    def compare(self, run, point, to_itself):
        """`to_itself`: share of the packets that BookSim2's nodes send to themselves."""
        fabric = dict(run["here"])
        report = self.run_report(machine(
            fabric.pop("topology"),
            {"pattern": run["pattern"], "message_bytes": 32, "warmup_cycles": 20000,
             "measure_cycles": 40000,
             "injection_rate": point["injection_rate"] * (1 - to_itself)},
            fabric={**fabric, "buffer_depth": 8}, node={"send_overhead": SEND_OVERHEAD},
            limits={"max_cycles": 3_000_000}))
        is_saturated = point["accepted"] < 0.95 * point["injection_rate"]
        self.assertEqual(report["overloaded"], is_saturated)
        if is_saturated:
            accepted = point["accepted"] * (1 - to_itself)
            self.assertAlmostEqual(report["accepted_flits_per_node_cycle"] / accepted, 1,
                                   delta=0.02 if run["name"] in DIFFER_BY_2 else 0.01)
            return
        own = SEND_OVERHEAD + run["here"]["router_delay"] + PACKET - 1
        latency = (point["latency"] - to_itself * own) / (1 - to_itself)
        self.assertAlmostEqual(report["latency"]["mean"] / latency, 1, delta=0.01)


if __name__ == "__main__":
    main()
