# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Execution traces of Chakra: their nodes, collectives and what is refused."""
import os

from flitscope_cli import machine, main, mesh
from trace_files import KINDS, METADATA, TraceTest, attribute, blob, node, number


class Chakra(TraceTest):
    def test_takes_every_kind_of_integer(self):
        ends = {}
        for kind in KINDS:
            def make(rank, kind=kind):
                work = node(0, "work", 4, number(7, 2))
                if rank == 0:
                    return work + node(1, "out", 5, blob(5, b"\x00") + attribute(
                        "comm_size", 5000, kind) + attribute("comm_dst", 1, kind))
                return work + node(1, "in", 6, number(4, 0) + attribute(
                    "comm_size", 5000, kind) + attribute("comm_src", 0, kind))
            self.write_chakra(2, make)
            ends[kind] = self.ends(self.config({"format": "chakra", "file": "app"}))
        self.assertEqual(len(set(map(tuple, ends.values()))), 1)
        self.assertGreater(ends["int64"][1], 2000 + 5000 / 8)  # cycles of 1 ns

    def test_a_rank_without_a_file_is_missed(self):
        self.write_chakra(4, lambda rank: node(0, "work", 4, number(7, 2)))
        self.write("config.yaml", self.config({"format": "chakra", "file": "app"}))
        self.write("app.05.et", b"")  # and files that do not belong to the trace
        self.write("app.x.et", b"")
        self.ok("check", "config.yaml")
        os.remove(self.path("app.1.et"))
        self.refused("check", "config.yaml", says=["config.yaml:1:", "there is app.2.et, and no app.1.et"])
        os.mkdir(self.path("sub"))
        for rank in (0, 2, 3):
            os.rename(self.path(f"app.{rank}.et"), self.path("sub", f"app.{rank}.et"))
        self.refused("check", "config.yaml", "--set", "traffic.trace.file=sub/app",
                     says=["there is sub/app.2.et, and no sub/app.1.et"])

    def test_collectives_become_schedules(self):
        for comm_type, schedule, size, block in ((0, "allreduce", 4096, 4096),
                                                 (2, "allgather", 512, 512),
                                                 (6, "gen", 4096, 1024),
                                                 (7, "reduce-scatter", 4096, 1024)):
            with self.subTest(schedule=schedule):
                self.write_chakra(4, lambda rank, t=comm_type, s=size: node(
                    9, "all", 7, attribute("comm_type", t) + attribute("comm_size", s, "uint64")))
                self.write("trace.yaml", self.config({"format": "chakra", "file": "app"}))
                self.write("schedule.yaml", machine(mesh(2, 2), {"schedule": schedule,
                                                                 "message_bytes": block}))
                trace = self.report("run", "trace.yaml")
                plain = self.report("run", "schedule.yaml")
                self.assertEqual(trace["messages_delivered"], plain["messages_delivered"])
                self.assertEqual(trace["flit_hops"], plain["flit_hops"])
                self.ok("import", "app", "--format", "chakra", "-o", "all.goal")
                for name in ("app", "app.0.et"):
                    self.refused("import", name, "-o", "x.goal",
                                 says=[f"{name}: error: this is a trace of Chakra", "--format chakra"])
                text = self.report("run", "trace.yaml", "--set", "traffic.trace={file: all.goal}")
                self.assertEqual(text["messages_delivered"], plain["messages_delivered"])

    def test_collectives_have_roots_and_barriers(self):
        chakra = {"format": "chakra", "file": "app"}
        for kind, schedule, size, block in ((1, "reduce", 512, 512), (5, "broadcast", 512, 512),
                                            (4, "scatter", 2048, 512)):
            with self.subTest(schedule=schedule):
                self.write_chakra(4, lambda rank, k=kind, s=size: self.collective(1, k, s, 2))
                traced = self.messages_of(self.config(chakra))
                plain = self.messages_of(machine(mesh(2, 2), {
                    "schedule": schedule, "message_bytes": block, "root": 2}))
                self.assertEqual(sorted(traced), sorted(plain))
        # A gather takes the paths of a scatter backwards.
        self.write_chakra(4, lambda rank: self.collective(1, 3, 512, 2))
        gathered = self.messages_of(self.config(chakra))
        self.assertEqual(sorted((b, a, n) for a, b, n in gathered), sorted(plain))
        self.assertEqual({b for a, b, n in gathered if b == 2}, {2})
        # Nobody leaves a barrier before the last has come.
        self.write_chakra(4, lambda rank: node(1, "work", 4, number(7, 5 if rank == 3 else 0) if
                          rank == 3 else number(7, 1)) + node(
                              2, "wait", 7, number(4, 1) + attribute("comm_type", 9)))
        for end in self.ends(self.config(chakra)):
            self.assertGreaterEqual(end, 5000)

    def test_collectives_of_groups_are_of_their_ranks(self):
        chakra = {"format": "chakra", "file": "app"}
        # Rows of 2 x 2 nodes sum up, then columns; ranks of a group have the same size.
        self.write_chakra(4, lambda rank: self.collective(1, 0, 64, None, f"row {rank // 2}") +
                          self.collective(2, 0, 128 + 8 * (rank % 2), None, f"column {rank % 2}"))
        messages = self.messages_of(self.config(chakra))
        self.assertEqual(sorted(messages), sorted(
            [(a, b, 64) for a, b in ((0, 1), (1, 0), (2, 3), (3, 2))] +
            [(a, b, 128) for a, b in ((0, 2), (2, 0))] + [(a, b, 136) for a, b in ((1, 3), (3, 1))]))
        # Shares are those of the group; fewer ranks than nodes are a separate line.
        for rank in range(3):
            self.write(f"three.{rank}.et", METADATA + self.collective(1, 6, 300))
        three = self.messages_of(self.config({"format": "chakra", "file": "three"}))
        self.assertEqual(sorted(three), [(a, b, 100) for a in range(3) for b in range(3) if a != b])
        # The same order in a group is asked for, and its name is in the message.
        for rank in range(2):
            self.write(f"two.{rank}.et", METADATA + self.collective(1, 0, 64 + rank, None, "tp"))
        self.refuse("check", "config.yaml", "--set", "traffic.trace.file=two",
                    expect="rank 1 in group 'tp' is not that of rank 0")

    def test_refuses_what_it_does_not_know_by_name(self):
        size, to = attribute("comm_size", 64), attribute("comm_dst", 1)
        for bad, why in (
                (node(1, "x", 5, to), "node 'x': has no attribute comm_size"),
                (node(1, "x", 5, size), "node 'x': has no attribute comm_dst"),
                (node(1, "x", 5, to + attribute("comm_size", -1)), "not a whole number from 0"),
                (node(1, "x", 5, size + attribute("comm_dst", 2)), "not a whole number from 0 to 1"),
                (node(1, "x", 5, to + blob(10, blob(1, "comm_size") + blob(29, "64"))),
                 "comm_size is not a whole number"),
                (node(1, "x", 4), "node 'x': has no duration"),
                (node(1, "x", 8), "node 'x': is of unknown type 8"),
                (node(1, "x", 0), "node 'x': is of unknown type 0"),
                (node(1, "x", 1, blob(11, b"")), "node 'x': has an unknown field 11"),
                (node(1, "x", 1, number(4, 7)), "node 'x': depends on node 7"),
                (node(1, "x", 1) + node(1, "y", 1), "node 'y': has the id 1 of another"),
                (node(1, "x", 7, size + attribute("comm_type", 10)), "type 10 are not expanded"),
                (node(1, "x", 7, size + attribute("comm_type", 5)), "has no attribute root_rank"),
                (node(1, "x", 7, size + attribute("comm_type", 5) + attribute("root_rank", 1) +
                      blob(10, blob(1, "pg_name") + blob(29, "tp"))), "not in its group"),
                (node(1, "x", 7, size + attribute("comm_type", 0) + blob(
                    10, blob(1, "involved_dim") + blob(28, blob(1, b"\x01\x00")))), "involved_dim"),
                (node(1, "x", 7, size + attribute("comm_type", 0)), "collective 1 of rank 1"),
                (node(1, "x", 1)[:-1], "ends within a node")):
            with self.subTest(why=why):
                self.write_chakra(2, lambda rank, bad=bad: bad if rank == 0 else b"")
                self.write("config.yaml", self.config({"format": "chakra", "file": "app"},
                                                      mesh(2)))
                self.refuse("check", "config.yaml", expect=why)
        self.refuse("check", "config.yaml", "--set", "traffic.trace.file=nobody", expect="nobody.0.et")


if __name__ == "__main__":
    main()
