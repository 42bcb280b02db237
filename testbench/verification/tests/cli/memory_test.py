# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""What would not fit into memory is refused before it is built, with the figure; what is small on its
way to the limits is not refused."""
import json
import os
import resource

from flitscope_cli import CliTest, EXIT_USAGE, GIB, hypercube, is_sanitized, machine, main, mesh, suite

MIB = 1 << 20


class Memory(CliTest):
    def refused(self, memory, config, says):
        self.write("config.yaml", config)
        done, seconds = self.call_with(memory, "check", "config.yaml")
        self.assertEqual(done.returncode, EXIT_USAGE, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for text in says:
            self.assertIn(text, done.stderr)
        self.assertLess(seconds, 30, "before anything is built")

    def setUp(self):
        super().setUp()
        self.write("c.yaml", machine(mesh(2, 2), {"schedule": "gen", "message_bytes": 8}))
        if is_sanitized():
            self.skipTest("a sanitizer needs an address space of its own")

    def test_messages_that_do_not_fit_are_refused_with_the_figure(self):
        exchange = {"schedule": "bounded-contention", "message_bytes": 8}
        self.refused(GIB // 2, machine(mesh(64, 64), exchange),
                     ["config.yaml:1:", "16773120 messages, about 0.9 GiB of memory",
                      "this process may use 0.5 GiB"])
        shaken = {"schedule": "pex", "message_bytes": 8, "handshake": True}
        self.refused(GIB // 2, machine(mesh(64, 64), shaken), ["about 0.9 GiB of memory"])
        chain = {"schedule": "broadcast", "algorithm": "pipelined_chain", "message_bytes": 1 << 24,
                 "chunks": 65536}
        self.refused(GIB // 2, machine(mesh(16, 16), chain), ["16711680 messages, about 0.9 GiB"])

    def test_blocks_that_are_relayed_count_as_often_as_they_move(self):
        line = {"kind": "how", "dims": [2048], "window": 16}
        exchange = {"schedule": "relayed-exchange", "message_bytes": 8}
        self.refused(4 * GIB, machine(line, exchange),
                     ["relayed-exchange among 2048 nodes needs up to 2147483648 messages",
                      "at most 67108864"])
        self.refused(4 * GIB, machine(dict(line, dims=[65536]),
                                      {"schedule": "scatter", "algorithm": "windows",
                                       "message_bytes": 8}),
                     ["scatter among 65536 nodes needs up to 1073741824 messages"])

    def test_messages_by_rule_take_none(self):
        """Half a billion: a ring of 16384 nodes."""
        ring = {"schedule": "allreduce", "algorithm": "ring", "message_bytes": 1 << 20}
        self.write("ring.yaml", machine(dict(mesh(128, 128), kind="torus"), ring, fabric={"virtual_channels": 2}))
        done, _ = self.call_with(GIB, "check", "ring.yaml", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["messages"], 2 * 16384 * 16383)
        listed = dict(ring, message_bytes=(1 << 20) + 1)
        self.refused(GIB, machine(dict(mesh(128, 128), kind="torus"), listed,
                                   fabric={"virtual_channels": 2}),
                     ["at most 67108864", "a vector of a multiple of 16384 bytes"])

    def test_files_take_a_quarter_of_it_at_most(self):
        self.refused(GIB // 2, machine(mesh(2, 2), {"trace": {"file": "/dev/zero"}}),
                     ["config.yaml:1:", "the trace '/dev/zero' has more than 0.1 GiB, a quarter of"])

    def test_steps_have_a_bound(self):
        self.write("p.csv", "source,destination,bytes,step\n0,1,8,300000000\n")
        self.refused(GIB, machine(mesh(2, 2), {"program": "p.csv"}),
                     ["p.csv:2:7: error: step '300000000' is too large"])

    def test_what_combines_its_messages_takes_the_memory_of_those_it_sends(self):
        self.write("h.yaml", machine(hypercube(13), {"schedule": "recursive-exchange",
                                                     "message_bytes": 8}))
        done, _ = self.call_with(GIB, "check", "h.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_deadlock_check_takes_memory_by_links_alone(self):
        """A table of links by outputs and classes would take 48 MiB here."""
        self.write("f.yaml", machine({"kind": "ghc", "dims": [64, 16]},
                                     {"schedule": "naive", "message_bytes": 8},
                                     faults={"links": ["0-1"]}))
        done, _ = self.call_with(56 * MIB, "topology", "f.yaml", of=resource.RLIMIT_DATA)
        self.assertEqual(done.returncode, 0, done.stderr)

    def run_in(self, memory, config, *options):
        """The report of a run with so much memory of its own."""
        self.write("config.yaml", config)
        done, _ = self.call_with(memory, "run", "config.yaml", "--json", *options,
                                 of=resource.RLIMIT_DATA)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_exchanges_by_rule_hold_no_list_of_their_messages(self):
        """A million messages, which would take 8 MiB, and 4 MiB more as what nodes receive."""
        exchange = {"schedule": "pex", "message_bytes": 8}
        report = self.run_in(48 * MIB, machine(hypercube(10), exchange), "--engine", "cycle")
        self.assertEqual(report["messages_delivered"], 1024 * 1023)

    @suite.campaign
    def test_exchanges_by_rule_are_forecast_as_such(self):
        self.write("h.yaml", machine(hypercube(12), {"schedule": "gen", "message_bytes": 8}))
        done, _ = self.call_with(200 * MIB, "check", "h.yaml", of=resource.RLIMIT_DATA)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_node_takes_ten_kilobytes(self):
        """4096 nodes; with ports and channels in the tables of SystemC they took 16 or 20 each. What
        the program itself has is in it, too."""
        for engine in ("cycle", "tlm"):
            with self.subTest(engine=engine):
                broadcast = {"schedule": "broadcast", "message_bytes": 64}
                report = self.run_in(68 * MIB, machine(mesh(64, 64), broadcast),
                                     "--engine", engine)
                self.assertEqual(report["messages_delivered"], 4095)

    def replay(self, name, blocks, memory):
        """`blocks` yields the text of each rank. Files that are read count as no memory."""
        with open(self.path(name), "w", encoding="ascii") as file:
            for rank, rows in enumerate(blocks):
                file.write(f"num_ranks {len(blocks)}\n" if rank == 0 else "")
                file.write(f"rank {rank} {{\n{rows}}}\n")
        return self.run_in(memory, machine(mesh(8, 8), {"trace": {"format": "goal", "file": name}}))

    def test_4096_nodes_are_elaborated_soon(self):
        """Within what a slow build on a busy machine takes; steps that grow with the square of the
        nodes or of the ports would take minutes."""
        self.write("p.csv", "source,destination,bytes,step\n0,4095,64,0\n")
        for topology, hops in (({"kind": "how", "dims": [64, 64], "window": 3}, 21 + 21),
                               ({"kind": "ghc", "dims": [16, 16, 16]}, 3),
                               ({"kind": "express_mesh", "dims": [64, 64], "segment": 8}, 2 * (7 + 7)),
                               ({"kind": "express_mesh", "dims": [64, 64], "segment": 4,
                                 "layout": "hierarchy", "levels": 2},
                                3 + 3 + 3 + 63)):  # column 63 has no express links
            with self.subTest(topology=topology):
                report = self.run_report(machine(topology, {"program": "p.csv"}))
                self.assertEqual(report["nodes"], 4096)
                self.assertEqual(report["flit_hops"], 9 * hops)

    def test_traces_are_played_without_being_held(self):
        """1.28 million operations; held in memory they would take 130 MiB."""
        rows = []
        for rank in range(64):
            text = []
            for i in range(5000):
                n = 4 * i
                text.append(f"l{n}: calc {100 + (i * 7 + rank) % 50}\n"
                            f"l{n + 1}: send 64b to {rank ^ 1 << i % 6} tag {i % 1000}\n"
                            f"l{n + 2}: recv 64b from {rank ^ 1 << i % 6} tag {i % 1000}\n"
                            f"l{n + 3}: calc 10\nl{n + 1} requires l{n}\nl{n + 2} requires l{n}\n"
                            f"l{n + 3} requires l{n + 1}\nl{n + 3} requires l{n + 2}\n"
                            + (f"l{n} requires l{n - 1}\n" if i else ""))
            rows.append("".join(text))
        report = self.replay("pairs.goal", rows, 40 * MIB)
        self.assertEqual(report["trace"]["operations"], 64 * 5000 * 4)

    def test_who_only_receives_keeps_up(self):
        """140,000 messages to each of four ranks, which would wait in its memory until the end."""
        def chain(operations, count):
            rows = [f"o{i}: {operations[i % len(operations)]}\n" for i in range(count)]
            rows += [f"o{i} requires o{i - 1}\n" for i in range(1, count)]
            return "".join(rows)
        rows = [chain(["recv 8b from -1 tag 1"], 20000 * 7)] * 4
        rows += [chain([f"send 8b to {rank & 3} tag 1", "calc 100"], 40000) for rank in range(4, 32)]
        report = self.replay("many_to_few.goal", rows, 64 * MIB)
        self.assertEqual(report["trace"]["operations"], 3 * 28 * 20000)

    def test_out_of_memory_is_said_as_such(self):
        self.write("wide.yaml", machine(mesh(180, 180), {"pattern": "uniform", "message_bytes": 8}))
        done, _ = self.call_with(120 * MIB, "run", "wide.yaml", "--out", "out")
        self.assertEqual(done.returncode, EXIT_USAGE, done.stderr)
        self.assertIn("error: out of memory: this process may use 0.1 GiB", done.stderr)
        self.assertFalse(os.path.exists(self.path("out")), "nothing is left behind")


if __name__ == "__main__":
    main()
