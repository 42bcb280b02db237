# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Execution traces of Chakra: their nodes, collectives and what is refused."""
import gzip
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
        for comm_type, schedule, size, block, algorithm in (
                (0, "allreduce", 4096, 4096, "rabenseifner"),
                (2, "allgather", 512, 512, "recursive_doubling"), (6, "gen", 4096, 1024, None),
                (7, "reduce-scatter", 4096, 1024, "recursive_halving")):
            with self.subTest(schedule=schedule):
                self.write_chakra(4, lambda rank, t=comm_type, s=size: node(
                    9, "all", 7, attribute("comm_type", t) + attribute("comm_size", s, "uint64")))
                self.write("trace.yaml", self.config({"format": "chakra", "file": "app"}))
                traffic = {"schedule": schedule, "message_bytes": block}
                if algorithm:
                    traffic["algorithm"] = algorithm
                self.write("schedule.yaml", machine(mesh(2, 2), traffic))
                trace = self.report("run", "trace.yaml")
                plain = self.report("run", "schedule.yaml")
                self.assertEqual(trace["messages_delivered"], plain["messages_delivered"])
                self.assertEqual(trace["flit_hops"], plain["flit_hops"])
                self.ok("import", "app", "--format", "chakra", "-o", "all.goal")
                for name in ("app", "app.0.et"):  # recognized
                    self.ok("import", name, "-o", "x.goal")
                    self.assertEqual(self.read("x.goal"), self.read("all.goal"))
                self.refused("import", "app", "--format", "goal", "-o", "x.goal",
                             says=["app: error: this is a trace of Chakra", "--format chakra"])
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

    def notes(self, **trace):
        """Without those on the schedules of collectives."""
        self.write("config.yaml", self.config({"format": "chakra", "file": "app", **trace}))
        notes = self.report("run", "config.yaml")["trace"]["notes"]
        return [note for note in notes if " bytes in all" not in note]

    def end(self, **trace):
        return max(self.ends(self.config({"format": "chakra", "file": "app", **trace})))

    def test_operations_of_0_us_take_no_time(self):
        self.write_chakra(2, lambda rank: node(1, "none", 4) + node(2, "some", 4, number(7, 3) +
                                                                    number(5, 1)))
        self.assertEqual(self.end(), 3000)
        self.assertEqual(self.notes(), ["2 operations of 0 us take no time (first: node 'none')"])

    def test_work_takes_the_longer_time_of_a_roofline(self):
        self.write_chakra(1, lambda rank: node(1, "sum", 4, attribute("num_ops", 6000) +
                                               attribute("tensor_size", 1000)))
        for compute, cycles in (({"flops_per_ns": 2, "bytes_per_ns": 1}, 3000),
                                ({"flops_per_ns": 20, "bytes_per_ns": 1}, 1000),
                                ({"flops_per_ns": 20}, 300), ({"bytes_per_ns": 0.5}, 2000)):
            self.assertEqual(self.end(compute=compute), cycles)
        self.assertEqual(len(self.notes(compute={"flops_per_ns": 1})), 1)

    def test_collectives_without_a_root_have_the_first_rank_of_their_group(self):
        chakra = {"format": "chakra", "file": "app"}
        for kind in (1, 3, 4, 5):
            with self.subTest(kind=kind):
                self.write_chakra(4, lambda rank, k=kind: self.collective(1, k, 512, 0))
                named = self.messages_of(self.config(chakra))
                self.write_chakra(4, lambda rank, k=kind: self.collective(1, k, 512))
                self.assertEqual(sorted(self.messages_of(self.config(chakra))), sorted(named))
                self.assertEqual(self.notes(), ["1 collective without root_rank has the first rank "
                                                "of its group as root (first: node 'c1')"])
        self.write_chakra(4, lambda rank: self.collective(1, 5, 512, None, "late") if rank > 1 else b"")
        self.assertEqual(self.messages_of(self.config(chakra)), [(2, 3, 512)])

    def test_check_finds_two_ranks_that_both_receive_first(self):
        def ranks(waits):
            def make(rank):
                size = attribute("comm_size", 100, "uint64")
                receive = node(3, "in", 6, size + attribute("comm_src", 1 - rank, "uint64"))
                after = blob(5, b"\x03") if waits or rank == 0 else b""
                return receive + node(4, "out", 5, after + size +
                                      attribute("comm_dst", 1 - rank, "uint64"))
            return make
        self.write("config.yaml", self.config({"format": "chakra", "file": "app"}))
        self.write_chakra(2, ranks(waits=True))
        for command in ("check", "run"):
            self.refused(command, "config.yaml", says=[
                "app: error: ranks wait for each other in a dependency cycle: rank 0: receive from rank 1",
                "waits for rank 1: receive from rank 0",
                "one of these ranks has to send before it receives"])
        self.write_chakra(2, ranks(waits=False))
        self.ok("check", "config.yaml")
        self.assertEqual(self.report("run", "config.yaml")["messages_delivered"], 2)

    def test_a_call_on_the_cpu_is_not_the_collective(self):
        cpu = attribute("is_cpu_op", 1)
        call = node(1, "c10d::allreduce_", 7, cpu + number(7, 4))
        kernel = node(2, "ncclKernel", 7, number(5, 1) + attribute("comm_type", 0) +
                      attribute("comm_size", 4096) + attribute("is_cpu_op", 0))
        self.write_chakra(4, lambda rank: call + kernel)
        both = self.end()
        self.assertEqual(len(self.notes()), 1)
        self.assertIn("4 collectives on the CPU have no comm_type", self.notes()[0])
        self.write_chakra(4, lambda rank: node(1, "work", 4, cpu + number(7, 4)) + kernel)
        self.assertEqual(self.end(), both)
        self.assertEqual(self.notes(), [])

    def test_control_dependencies_are_awaited_where_they_can_be(self):
        after = number(7, 2) + number(4, 1)
        parts = {"awaited": node(1, "a", 4, number(7, 3)) + node(2, "b", 4, after +
                                                                  attribute("is_cpu_op", 1)),
                 "missing": node(2, "b", 4, after + number(4, 8)) + node(1, "a", 4, number(7, 3) +
                                                                        attribute("is_cpu_op", 1)),
                 "cycle": node(2, "b", 4, after) + node(1, "a", 4, number(7, 3) + number(5, 2))}
        self.write_chakra(1, lambda rank: parts["awaited"])
        self.assertEqual(self.end(), 5000)
        self.assertEqual(self.notes(), [])
        self.assertEqual(self.end(control_dependencies="ignored"), 3000)
        self.assertEqual(len(self.notes(control_dependencies="ignored")), 1)
        self.write_chakra(1, lambda rank: parts["missing"])
        self.assertEqual(self.end(), 3000)
        self.assertEqual(self.notes(), [
            "2 control dependencies are passed over: they name callers, and Chakra's own feeder waits "
            "for data dependencies only; 1 on nodes that are not in the file (first: node 'b')"])
        self.refused("check", "config.yaml", "--set", "traffic.trace.control_dependencies=awaited",
                     says=["node 'b': depends on node 8"])
        self.write_chakra(1, lambda rank: parts["cycle"])
        self.assertEqual(self.end(), 5000)
        self.assertIn("1 control dependency is passed over", self.notes()[0])
        self.refused("check", "config.yaml", "--set", "traffic.trace.control_dependencies=awaited",
                     says=["wait for each other"])

    def test_ranks_of_an_all_to_all_may_send_different_amounts(self):
        self.write_chakra(4, lambda rank: self.collective(1, 6, 4096 * (rank + 1)))
        self.assertEqual(sorted(self.messages_of(self.config({"format": "chakra", "file": "app"}))),
                         [(a, b, 1024 * (a + 1)) for a in range(4) for b in range(4) if a != b])
        self.assertIn("1 all-to-all has ranks that send different amounts", self.notes()[0])
        self.write_chakra(4, lambda rank: self.collective(1, 6, 4096))
        self.assertEqual(self.notes(), [])
        self.write_chakra(4, lambda rank: self.collective(1, 0, 4096 * (rank + 1)))
        self.refuse("check", "config.yaml", expect="collective 1 of rank 1 is not that of rank 0")

    def test_files_may_be_packed(self):
        self.write_chakra(4, lambda rank: self.collective(1, 0, 4096))
        plain = self.end()
        for rank in (0, 3):
            with open(self.path(f"app.{rank}.et"), "rb") as file:
                content = file.read()
            self.write(f"app.{rank}.et", gzip.compress(content))
        self.assertEqual(self.end(), plain)
        self.write("app.3.et", gzip.compress(content)[:-1])
        self.refuse("check", "config.yaml", expect="app.3.et: error: this gzip file ends early")

    def test_refuses_what_it_does_not_know_by_name(self):
        size, to = attribute("comm_size", 64), attribute("comm_dst", 1)
        for bad, why in (
                (node(1, "x", 5, to), "node 'x': has no attribute comm_size"),
                (node(1, "x", 5, size), "node 'x': has no attribute comm_dst"),
                (node(1, "x", 5, to + attribute("comm_size", -1)), "not a whole number from 0"),
                (node(1, "x", 5, size + attribute("comm_dst", 2)), "not a whole number from 0 to 1"),
                (node(1, "x", 5, to + blob(10, blob(1, "comm_size") + blob(29, "64"))),
                 "comm_size is not a whole number"),
                (node(1, "x", 4, attribute("num_ops", 5)), "node 'x': has no duration"),
                (node(1, "x", 2, attribute("tensor_size", 5)), "set traffic.trace.compute"),
                (node(1, "x", 8), "node 'x': is of unknown type 8"),
                (node(1, "x", 0), "node 'x': is of unknown type 0"),
                (node(1, "x", 1, blob(11, b"")), "node 'x': has an unknown field 11"),
                (node(1, "x", 1, number(5, 7)), "node 'x': depends on node 7"),
                (node(1, "x", 1) + node(1, "y", 1), "node 'y': has the id 1 of another"),
                (node(1, "x", 7, size + attribute("comm_type", 10)), "type 10 are not expanded"),
                (node(1, "x", 7, size), "has no attribute comm_type"),
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
