# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Traces of applications, from files as other tools write them to the report."""
import gzip
import json
import os

from flitscope_cli import EXIT_STANDSTILL, machine, main, mesh
from trace_files import METADATA, TraceTest, binary

CONFIGS = os.path.join(os.path.dirname(__file__), "..", "..", "..", "configs")

PAIR = """num_ranks 2
rank 0 {
a: calc 100
b: send 64b to 1 tag 5
b requires a
c: recv 8b from 1
c irequires b
}
rank 1 {
d: recv 64b from -1 tag -1 cpu 1
e: send 8b to 0
e requires d
}
"""
ANY = 2**32 - 1
PAIR_BINARY = [[(3, 0, 100, 0, 0, [1], []), (1, 1, 64, 5, 0, [], [2]), (2, 1, 8, 0, 0, [], [])],
               [(2, ANY, 64, ANY, 1, [1], []), (1, 0, 8, 0, 0, [], [])]]


class Traces(TraceTest):
    def test_loggopsim_reduction_ends_when_it_says(self):
        """L = 2500, o = 1500, G = 6, g = 1000, 1024 bytes, 8 ranks: 34,914 ns."""
        report = self.report("run", os.path.join(CONFIGS, "fat_tree_8_goal.yaml"))
        self.assertEqual(report["trace"]["ranks"], 8)
        self.assertEqual(report["trace"]["operations"], 14)
        self.assertEqual(report["trace"]["last_rank"], 0)
        self.assertLess(abs(report["trace"]["end_ns"] / 34914 - 1), 0.005)

    def test_text_binary_and_what_import_writes_are_one_trace(self):
        self.write("pair.goal", PAIR)
        self.write("pair.bin", binary(PAIR_BINARY))
        node_keys = {"send_overhead": 7, "recv_overhead": 9}
        text = self.ends(self.config({"file": "pair.goal"}, node=node_keys))
        self.assertGreater(text[0], text[1])
        self.assertEqual(self.ends(self.config({"file": "pair.bin"}, node=node_keys)), text)
        self.assertIn("2 ranks, 5 operations, 3 dependencies",
                      self.ok("import", "pair.bin", "-o", "again.goal"))
        self.assertEqual(self.ends(self.config({"file": "again.goal"}, node=node_keys)), text)

    def test_rendezvous_waits_for_the_receive(self):
        self.write("t.goal", "num_ranks 2\nrank 0 {\nsend 800b to 1\n}\n"
                             "rank 1 {\na: calc 1000\nb: recv 800b from 0\nb requires a\n}\n")
        eager = self.ends(self.config({"file": "t.goal"}))
        rendezvous = self.ends(self.config({"file": "t.goal", "eager_bytes": 799}))
        self.assertEqual(self.ends(self.config({"file": "t.goal", "eager_bytes": 800})), eager)
        self.assertLess(eager[0], 1000)
        self.assertEqual(eager[1], 1000)  # it is there already
        self.assertGreater(rendezvous[0], 1000)
        self.assertGreater(rendezvous[1], 1100)  # 100 flits

    def test_placement_from_a_file(self):
        self.write("pair.goal", PAIR)
        self.write("nodes.txt", "3\n1\n")
        config = self.config({"file": "pair.goal", "placement": "file",
                              "placement_file": "nodes.txt"})
        self.write("config.yaml", config)
        self.ok("run", "config.yaml", "--out", "out", "--messages")
        ends = {(row["source"], row["destination"])
                for row in self.read_csv("out", "messages.csv")}
        self.assertEqual(ends, {("3", "1"), ("1", "3")})
        self.refuse("check", "config.yaml", "--set", "traffic.trace.placement=linear",
                    expect="placement_file")

    def test_csv_is_placed(self):
        self.write("t.csv", "source,destination,bytes,time_ns,after\n0,1,64,10,\n1,0,64,0,0\n")
        self.write("config.yaml", self.config({"format": "csv", "file": "t.csv"}, clock_ns=2))
        self.ok("run", "config.yaml", "--out", "out", "--messages")
        self.assertEqual(self.read_csv("out", "messages.csv")[0]["sent"], "5")
        self.write("t.csv", "source,destination,bytes,step\n0,1,64,1\n")
        self.refuse("check", "config.yaml", expect="messages with times")

    def test_computations_are_scaled(self):
        self.write("t.goal", "num_ranks 1\nrank 0 {\ncalc 1000\ncalc 3\n}\n")
        for scale, cycles in ((1, 1003), (0.5, 502), (2.5, 2508), (0, 0)):  # 1.5 and 7.5 are rounded up
            self.write("config.yaml", self.config({"file": "t.goal", "compute_scale": scale}))
            self.assertEqual(self.report("run", "config.yaml")["trace"]["end_cycles"], cycles)
        self.write("config.yaml", self.config({"file": "t.goal"}))
        changes = {change["change"]: change for change in
                   self.report("explain", "config.yaml", "--try", 9)["what_if"]}
        self.assertEqual(changes["traffic.trace.compute_scale=0.5"]["measured_cycles"], 501)

    def test_algorithms_of_collectives_are_chosen(self):
        self.write_chakra(4, lambda rank: self.collective(1, 0, 4096))
        chakra = {"format": "chakra", "file": "app"}
        traced = self.messages_of(self.config({**chakra, "algorithms": ["allreduce/ring"]}))
        plain = self.messages_of(machine(mesh(2, 2), {
            "schedule": "allreduce", "algorithm": "ring", "message_bytes": 4096}))
        self.assertEqual(sorted(traced), sorted(plain))
        self.assertNotEqual(sorted(traced), sorted(self.messages_of(self.config(chakra))))
        # By size: of two all-reduces each takes the one that holds for it, or that of the library.
        self.write_chakra(4, lambda rank: self.collective(1, 0, 4096) + self.collective(2, 0, 4097))
        for chosen, expected in (
                (["allreduce/ring up to 4096", "allreduce/reduce_broadcast"], {"ring", "reduce_broadcast"}),
                (["allreduce/ring up to 4096"], {"ring", "rabenseifner"}),
                (["allreduce/reduce_broadcast up to 4095", "allreduce/ring up to 4097"], {"ring"})):
            self.write("config.yaml", self.config({**chakra, "algorithms": chosen}))
            notes = self.report("run", "config.yaml")["trace"]["notes"]
            self.assertEqual({note.split("by allreduce/")[1].split(",")[0] for note in notes if " by " in note},
                             expected)
        for wrong, says in (("allreduce/ring up to many", "does not end with a number of bytes"),
                            ("allreduce/ring up to 8, allreduce/rabenseifner up to 8", "never holds after")):
            self.refuse("check", "config.yaml", "--set", f"traffic.trace.algorithms=[{wrong}]", expect=says)

    def test_collectives_take_the_algorithms_of_a_library(self):
        chakra = {"format": "chakra", "file": "app"}

        def taken(ranks, kind, size):
            for rank in range(ranks):
                self.write(f"app.{rank}.et", METADATA + self.collective(1, kind, size))
            self.write("config.yaml", self.config(chakra, mesh(ranks)))
            report = self.report("run", "config.yaml")
            (note,) = [note for note in report["trace"]["notes"] if " by " in note]
            for rank in range(ranks):
                os.remove(self.path(f"app.{rank}.et"))
            return note

        for ranks, kind, size, algorithm in (
                (8, 0, 2048, "allreduce/recursive_doubling"), (8, 0, 2049, "allreduce/rabenseifner"),
                (8, 2, 65535, "allgather/recursive_doubling"), (8, 2, 65536, "allgather/ring"),
                (6, 2, 8, "allgather/ring"), (7, 5, 2**20, "broadcast/binomial"),
                (8, 5, 12287, "broadcast/binomial"), (8, 5, 12288, "broadcast/scatter_doubling"),
                (9, 5, 12288, "broadcast/scatter_allgather"), (8, 5, 2**19, "broadcast/scatter_allgather"),
                (8, 7, 2**19 - 8, "reduce-scatter/recursive_halving"), (8, 7, 2**19, "reduce-scatter/ring")):
            with self.subTest(ranks=ranks, size=size, algorithm=algorithm):
                block = size // ranks if kind == 7 else size
                self.assertEqual(taken(ranks, kind, size),
                                 f"1 collective by {algorithm}, of {block} bytes in all")

    def halo(self, side, number_of):
        """Each rank of a square sends 2000 bytes to its neighbours, ten times."""
        lines = [f"num_ranks {side * side}"]
        for place in range(side * side):
            x, y = place % side, place // side
            near = [(x + dx, y + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
                    if 0 <= x + dx < side and 0 <= y + dy < side]
            lines.append(f"rank {number_of[place]} {{")
            for step in range(10):
                lines.append(f"c{step}: calc 100")
                lines += [f"c{step} requires r{step - 1}x{i}" for i in range(len(near)) if step > 0]
                for i, (a, b) in enumerate(near):
                    peer = number_of[a + side * b]
                    lines += [f"s{step}x{i}: send 2000b to {peer} tag {step}",
                              f"s{step}x{i} requires c{step}",
                              f"r{step}x{i}: recv 2000b from {peer} tag {step}",
                              f"r{step}x{i} requires c{step}"]
            lines.append("}")
        return "\n".join(lines) + "\n"

    def test_ranks_that_send_each_other_much_stand_near_each_other(self):
        side = 8
        # Numbers that say nothing of places.
        shuffled = [(37 * n + 11) % (side * side) for n in range(side * side)]
        self.write("halo.goal", self.halo(side, shuffled))
        config = {"file": "halo.goal"}
        cycles, hops = {}, {}
        for placement in ("linear", "random", "volume"):
            self.write("config.yaml", self.config({**config, "placement": placement},
                                                  mesh(side, side)))
            report = self.report("run", "config.yaml")
            cycles[placement], hops[placement] = report["cycles"], report["flit_hops"]
            flits = report["flits_delivered"]
        print(f"halo of 64 ranks on a mesh 8 x 8: cycles {cycles}, flit-hops {hops}")
        # Each message of the best placement has one hop; this one comes near.
        self.assertLess(hops["volume"], 1.7 * flits)
        self.assertLess(2 * hops["volume"], hops["linear"])
        self.assertLess(1.5 * cycles["volume"], cycles["linear"])
        self.assertLess(1.5 * cycles["volume"], cycles["random"])
        again = self.report("run", "config.yaml")
        self.assertEqual(again["cycles"], cycles["volume"])
        # On a network with switches, and with dead nodes, which are left out.
        report = self.report("run", "config.yaml", "--set",
                             "fabric.topology={kind: fat_tree, arity: 4, height: 3}")
        self.assertEqual(report["messages_delivered"], report["messages_expected"])
        self.write("config.yaml", self.config({**config, "placement": "volume"}, mesh(9, 8),
                                              faults={"nodes": [0, 20]}))
        report = self.report("run", "config.yaml")
        self.assertEqual(report["messages_delivered"], report["messages_expected"])
        self.refuse("check", "config.yaml", "--set", "fabric.topology.dims=[8, 8]",
                    expect="the network 62 nodes that are alive")

    def test_equal_traffic_is_placed_alike_whatever_its_format(self):
        """However many messages the bytes of a pair are cut into, and in whatever order."""
        sends = [(a, (7 * a + 3 * i + 1) % 16, 64 * (1 + (a + i) % 5))
                 for i in range(6) for a in range(16)]
        sends = [(a, b, size) for a, b, size in sends if a != b]
        lines = ["num_ranks 16"]
        for rank in range(16):
            lines.append(f"rank {rank} {{")
            for tag, (a, b, size) in enumerate(sends):
                if a == rank:
                    lines.append(f"send {size}b to {b} tag {tag}")
                if b == rank:
                    lines.append(f"recv {size}b from {a} tag {tag}")
            lines.append("}")
        self.write("t.goal", "\n".join(lines) + "\n")
        rows = sorted(sends, key=lambda s: (11 * s[1] + 5 * s[0] + s[2]) % 97)
        self.write("t.csv", "source,destination,bytes,time\n" +
                   "".join(f"{a},{b},{size},0\n" for a, b, size in rows))
        placed, hops = {}, {}
        for name, trace in (("goal", {"file": "t.goal"}),
                            ("csv", {"format": "csv", "file": "t.csv"}),
                            ("linear", {"file": "t.goal", "placement": "linear"})):
            placed[name] = sorted(self.messages_of(self.config(
                {"placement": "volume", **trace}, mesh(4, 4))))
            hops[name] = json.loads(self.read("out", "summary.json"))["flit_hops"]
        self.assertEqual(placed["csv"], placed["goal"])
        self.assertEqual(hops["csv"], hops["goal"])
        self.assertLess(hops["goal"], hops["linear"])

    def ring(self, ranks):
        """Each rank sends to the next one."""
        return f"num_ranks {ranks}\n" + "".join(
            f"rank {rank} {{\nsend 8b to {(rank + 1) % ranks}\n"
            f"recv 8b from {(rank - 1) % ranks}\n}}\n" for rank in range(ranks))

    def test_ranks_are_placed_on_nodes_that_are_alive(self):
        self.write("ring.goal", self.ring(12))
        self.write("ring.csv", "source,destination,bytes,time\n" +
                   "".join(f"{rank},{(rank + 1) % 12},8,0\n" for rank in range(12)))
        alive = [node for node in range(16) if node not in (0, 5)]
        for trace in ({"file": "ring.goal"}, {"format": "csv", "file": "ring.csv"}):
            for placement in ("linear", "random", "volume"):
                with self.subTest(trace=trace, placement=placement):
                    messages = self.messages_of(self.config(
                        {**trace, "placement": placement}, mesh(4, 4), faults={"nodes": [0, 5]}))
                    nodes = {source for source, *_ in messages}
                    self.assertEqual(len(nodes), 12)
                    self.assertLessEqual(nodes, set(alive))
                    if placement == "linear":
                        self.assertEqual({(a, b) for a, b, _ in messages},
                                         {(alive[i], alive[(i + 1) % 12]) for i in range(12)})
                    self.refuse("check", "config.yaml", "--set", "faults.nodes=[0,1,2,3,4]",
                                expect="the trace has 12 ranks, the network 11 nodes that are alive")
        # Only a file names nodes whether they live or not.
        self.write("nodes.txt", "".join(f"{node}\n" for node in range(1, 13)))
        config = self.config({"file": "ring.goal", "placement": "file",
                              "placement_file": "nodes.txt"}, mesh(4, 4), faults={"nodes": [0, 5]})
        self.write("config.yaml", config)
        self.refuse("check", "config.yaml", expect="node 5 of ring.goal is dead")

    def test_bad_binary_is_refused_with_its_offset(self):
        good = binary(PAIR_BINARY)
        self.write("config.yaml", self.config({"file": "t.bin"}))
        at = 14 + 32 + 8 + 4 * 1  # place of the first operation
        for offset, bytes_, why in ((8, b"\x00\x00\x00\x00", "at byte 8: there are 0 ranks"),
                                    (at + 22, b"\x01", None),
                                    (14, b"\xff", "at byte 14: rank 0 is at 255"),
                                    (at + 4, b"\x09", "no operations of type 9"),
                                    (at, b"\x02", "operation 0 waits for 2 others"),
                                    (at + 21, b"\x05", "processor 5 is above the greatest, 1"),
                                    (at + 23, b"\xff", "255 dependencies"),
                                    (at + 16, b"\xff", "are too many")):
            with self.subTest(why=why):
                self.write("t.bin", good[:offset] + bytes_ + good[offset + len(bytes_):])
                if why is None:  # the interface of a computation is nobody's
                    self.ok("check", "config.yaml")
                    self.refuse("check", "config.yaml", "--set", "traffic.trace.interfaces=refused",
                                expect=f"at byte {offset}: network interface 1")
                    continue
                self.refuse("check", "config.yaml", expect=why)
        for length in range(8, len(good)):
            self.write("t.bin", good[:length])
            if length % 7 == 0:
                self.refuse("check", "config.yaml", expect="at byte")

    def test_an_error_in_the_last_operation_of_a_rank_is_told(self):
        for wrong, says in (("l1: send 10 to 1", "t.goal:4:13: error: expected 'b'"),
                            ("l1: send 10b to 1 nic 256", "t.goal:4:")):
            self.write("t.goal", f"num_ranks 2\nrank 0 {{\nl0: calc 5\n{wrong}\nl1 requires l0\n}}\n"
                                 "rank 1 {\nrecv 10b from 0\n}\n")
            self.write("config.yaml", self.config({"file": "t.goal"}))
            for command in ("check", "run", "report"):
                self.refuse(command, "config.yaml", *(["-o", "p.html"] if command == "report" else []), expect=says)

    def test_check_finds_ranks_that_wait_for_each_other(self):
        cycle = ("num_ranks 3\nrank 0 {\na: recv 8b from 1\nb: send 8b to 1\nb requires a\n}\n"
                  "rank 1 {\na: recv 8b from 0\nb: send 8b to 0\nb requires a\nc: calc 5\n}\n"
                  "rank 2 {\ncalc 7\n}\n")
        config = self.config({"file": "t.goal"})
        self.write("config.yaml", config)
        self.write("t.goal", cycle)
        for command in ("check", "run"):
            self.refused(command, "config.yaml", says=[
                "t.goal:", "error: ranks wait for each other in a dependency cycle: ",
                "rank 0, line 3: receive from rank 1, tag 0", "rank 1, line 8: receive from rank 0"])
        self.write("t.goal", cycle.replace("b requires a\nc:", "b requires c\nc:"))
        self.ok("check", "config.yaml")
        # With rendezvous sends wait, too.
        sends_first = ("num_ranks 2\n" + "".join(
            f"rank {rank} {{\na: send 8b to {1 - rank}\nb: recv 8b from {1 - rank}\n"
            "b requires a\n}\n" for rank in range(2)))
        self.write("t.goal", sends_first)
        self.ok("check", "config.yaml")
        self.refused("check", "config.yaml", "--set", "traffic.trace.eager_bytes=7",
                     says=["wait for each other in a dependency cycle"])
        # Which message the receive gets is the network's choice.
        self.write("t.goal", "num_ranks 2\nrank 0 {\na: recv 8b from -1\nb: send 8b to 1\n"
                             "b requires a\n}\nrank 1 {\na: recv 8b from 0\nb: send 8b to 0\n"
                             "b requires a\n}\n")
        self.refused("check", "config.yaml", says=["receive from any rank, tag 0"])

    def test_gzip_is_unpacked(self):
        self.write("pair.goal", PAIR)
        plain = self.ends(self.config({"file": "pair.goal"}))
        packed = gzip.compress(PAIR.encode())
        half = len(PAIR) // 2
        for content in (packed, gzip.compress(binary(PAIR_BINARY)),
                        gzip.compress(PAIR[:half].encode()) + gzip.compress(PAIR[half:].encode())):
            self.write("pair.gz", content)
            self.assertEqual(self.ends(self.config({"file": "pair.gz"})), plain)
        for content, why in ((packed[:-9], "ends early"), (packed[:15] + b"x" + packed[16:], "is damaged"),
                             (packed + b"more", "is damaged")):
            self.write("pair.gz", content)
            self.refused("check", "config.yaml", says=["pair.gz: error: this gzip file " + why])

    def test_what_was_assumed_is_said(self):
        self.write("t.goal", "num_ranks 2\nrank 0 {\na: send 8b to 1 tag 4294967303 nic 1\n"
                             "a: calc 5\n}\nrank 1 {\nrecv 8b from 0 tag 7\n}\n")
        self.write("config.yaml", self.config({"file": "t.goal"}))
        notes = self.report("run", "config.yaml")["trace"]["notes"]
        self.assertEqual(len(notes), 3)
        for text in (self.ok("check", "config.yaml"), self.ok("run", "config.yaml"),
                     self.ok("import", "t.goal", "-o", "again.goal")):
            for note in notes:
                self.assertIn(note, text)
        self.write("config.yaml", self.config({"file": "again.goal"}))
        self.assertEqual(self.report("run", "config.yaml")["trace"]["notes"], [])

    def test_receive_that_waits_for_ever_is_named(self):
        self.write("t.goal", "num_ranks 3\nrank 0 {\nrecv 8b from -1\nrecv 8b from 1\n}\n"
                             "rank 1 {\nsend 8b to 0\n}\nrank 2 {\na: calc 900\nb: send 8b to 0\n"
                             "b requires a\n}\n")
        self.write("config.yaml", self.config({"file": "t.goal"}))
        done = self.call("run", "config.yaml")
        self.assertEqual(done.returncode, EXIT_STANDSTILL)
        self.assertIn("rank 0, line 4: receive from rank 1, tag 0 waits", done.stdout + done.stderr)

    def test_a_limit_holds_for_what_ranks_do_after_the_last_delivery(self):
        self.write("t.goal", "num_ranks 2\nrank 0 {\na: send 8b to 1\n}\nrank 1 {\n"
                             "b: recv 8b from 0\nc: calc 100000\nc requires b\n}\n")
        self.write("config.yaml", self.config({"file": "t.goal"}))
        end = self.report("run", "config.yaml")["trace"]["end_cycles"]
        self.assertGreater(end, 100000)
        for engine in ("cycle", "tlm"):
            with self.subTest(engine):
                command = ("run", "config.yaml", "--json", "--engine", engine, "--out", engine, "--set")
                report = json.loads(self.ok(*command, f"limits.max_cycles={end}"))
                self.assertEqual((report["status"], report["trace"]["end_cycles"]), ("complete", end))
                self.assertEqual(len(self.read_csv(engine, "ranks.csv")), 2)
                done = self.call(*command, f"limits.max_cycles={end - 1}")
                self.assertEqual(done.returncode, EXIT_STANDSTILL, done.stderr)
                report = json.loads(done.stdout)
                self.assertEqual((report["status"], report["messages_delivered"]), ("timeout", 1))
                self.assertEqual(report["problems"], [
                    f"limits.max_cycles = {end - 1} reached",
                    f"all messages were delivered, but rank 1 (node 1) is busy up to cycle {end}"])
                self.assertIsNone(report["trace"]["end_cycles"])
                self.assertEqual(self.read_csv(engine, "ranks.csv"), [])

    def test_more_operations_than_slack_is_found_of(self):
        calc = "calc 1\n" * (2**20 + 1)
        self.write("long.goal", f"num_ranks 1\nrank 0 {{\n{calc}}}\n")
        self.write("config.yaml", self.config({"file": "long.goal"}))
        self.refuse("explain", "config.yaml", "--slack", expect="slack is found of at most 1048576 operations")

    def test_what_traces_cannot_have_is_refused(self):
        self.write("pair.goal", PAIR)
        self.write("config.yaml", self.config({"file": "pair.goal"}))
        self.refuse("schedule", "config.yaml", expect="pair.goal has no steps")
        self.refuse("run", "config.yaml", "--set", "node.port_model=one_output",
                    expect="nodes with one channel")
        self.refuse("run", "config.yaml", "--set", "traffic.handshake=true", expect="handshake")
        self.refuse("run", "config.yaml", "--set", "traffic.trace.eager_bytes=1",
                    expect="any source or tag")
        self.refuse("run", "config.yaml", "--set", "fabric.topology.dims=[1]",
                    expect="2 ranks, the network 1 nodes")
        self.refuse("import", "pair.goal", "--format", "csv", "-o", "x.goal", expect="program file")
        self.refuse("run", "config.yaml", "--set", "traffic.message_bytes=9",
                    expect="traffic.message_bytes")
        self.write("prog.csv", "source,destination,bytes,time\n0,1,64,0\n1,0,64,9\n")
        for key in ("eager_bytes: 9", "send_completes: injected"):
            self.refuse("run", "config.yaml", "--set",
                        f"traffic.trace={{file: prog.csv, format: csv, {key}}}",
                        expect="not who waits for them")
        said = self.refused("import", "prog.csv", "-o", "x.goal",
                            says=("prog.csv:1:1: error: ", "for CSV set traffic.trace.format: csv"))
        self.assertEqual(said.count("error: "), 1)
        self.refuse("run", "config.yaml", "--set", "traffic.trace={file: prog.csv}",
                    expect="for CSV set traffic.trace.format: csv")


main()
