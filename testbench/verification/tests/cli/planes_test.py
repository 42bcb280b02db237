# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Several planes (hw/TIMING.md, "Planes") in bounds, contention, prices and loads."""
import json

from flitscope_cli import CliTest, machine, main, mesh

EXCHANGE = {"schedule": "gen", "message_bytes": 4096}


class Planes(CliTest):
    def setUp(self):
        super().setUp()
        self.write("config.yaml", machine(mesh(4), EXCHANGE, fabric={"planes": 2}))

    def test_no_run_is_below_the_bound_on_any_schedule(self):
        for planes in (1, 2, 8):
            sets = ("--set", f"fabric.planes={planes}")
            bound = self.report("check", "config.yaml", *sets)["bound_cycles"]
            self.assertGreaterEqual(self.report("run", "config.yaml", *sets)["cycles"], bound)
            # A middle of one link each way, over which four blocks of 513 flits cross.
            self.assertAlmostEqual(bound, 4 * 512 / planes, delta=8)
        for collective in ("all_gather", "broadcast", "all_reduce"):
            found = self.report("find-schedule", "config.yaml", "--collective", collective, "-o", "found.csv")
            self.assertGreaterEqual(found["optimality_gap"], 0, collective)

    def test_messages_meet_on_their_plane_only(self):
        self.assertIn("at most 2 messages of a step on a link", self.ok("check", "config.yaml"))

    def test_every_plane_is_paid_for(self):
        self.write("study.yaml", """\
base: config.yaml
vary: {fabric.planes: [1, 2]}
objectives: {min: [time_ns, pins, bisection_wires, wire_length, wire_bits, buffer_bits, links]}
""")
        self.ok("explore", "study.yaml", "--db", "study.db")
        one, two = sorted(json.loads(self.ok("explore", "front", "--db", "study.db", "--json"))["front"],
                          key=lambda row: row["objectives"]["links"])
        for metric in ("pins", "bisection_wires", "wire_length", "wire_bits", "buffer_bits", "links"):
            self.assertEqual(2 * one["objectives"][metric], two["objectives"][metric], metric)
        self.assertIn("\nplanes ", self.ok("compare", "config.yaml"))

    def test_loads_go_up_to_a_flit_per_plane(self):
        self.write("load.yaml", machine(mesh(3), {"pattern": "uniform", "message_bytes": 64},
                                        fabric={"planes": 2}, steady={"half_width": 0.4}))
        rows = self.report("curve", "load.yaml", "--rates", "1.2")["points"]
        self.assertGreater(rows[0]["accepted"], 1.1)
        self.refused("curve", "load.yaml", "--rates", "2.1", says=["injects at most 2"])
        self.refused("curve", "load.yaml", "--rates", "9", says=["'9' is no load"])

    def test_an_interface_beyond_all_planes_has_one_way_out(self):
        self.write("t.goal", "num_ranks 2\nrank 0 {\nl1: send 8b to 1 nic 9\n}\nrank 1 {\nl1: recv 8b from 0 nic 9\n}\n")
        self.write("trace.yaml", machine(mesh(4), {"trace": {"file": "t.goal", "interfaces": "planes"}},
                                         fabric={"planes": 2}))
        done = self.refused("check", "trace.yaml", says=["traffic.trace.interfaces: shared"])
        self.assertNotIn("fabric.planes: 10", done)


if __name__ == "__main__":
    main()
