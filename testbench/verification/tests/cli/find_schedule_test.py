# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope find-schedule: the file it writes runs in the cycles that it tells, never below the bound,
and the bound follows from its certificate and the exported graph by arithmetic of this test alone."""
import fractions
import json
import os

from bound_certificates import Certificates, least_cost
from flitscope_cli import CliTest, EXIT_STANDSTILL, machine, main, mesh, suite

FLIT_BITS = 64
HEADER = 1
COLLECTIVES = ("all_to_all", "all_gather", "reduce_scatter", "all_reduce", "broadcast", "scatter")


class SynthesizeTest(CliTest):
    def find(self, config, collective, *options, file="found.csv"):
        return json.loads(self.ok("find-schedule", config, "--collective", collective, "-o", file,
                                  "--json", *options))

    def config(self, topology, ports, **sections):
        text = json.dumps({"fabric": {"topology": topology, **sections.pop("fabric", {})},
                           "node": {"port_model": ports, **sections.pop("node", {})}, **sections})
        return self.write(f"{ports}.yaml", text)

    def links(self, config):
        self.ok("topology", config, "--export", "graph.json")
        with open(os.path.join(self.folder, "graph.json")) as file:
            return json.load(file)

    def test_the_file_runs_in_the_cycles_that_are_told_and_not_below_the_bound(self):
        for ports in ("independent", "single"):
            config = self.config(mesh(4, 4), ports, node={"send_overhead": 20, "recv_overhead": 7})
            for collective in COLLECTIVES:
                with self.subTest(collective=collective, ports=ports):
                    # Blocks of an all-reduce are short here: they would go several at a time.
                    method = ("--method", "matching") if collective == "all_reduce" else ()
                    found = self.find(config, collective, "--message-bytes", "1024", *method)
                    run = self.report("run", config, "--set", "traffic.program=found.csv")
                    self.assertEqual(run["cycles"], found["cycles"])
                    self.assertEqual(run["messages_delivered"], found["messages"])
                    self.assertGreaterEqual(found["cycles"], found["bound_cycles"])
                    self.assertGreaterEqual(found["rounds"], found["bound_rounds"])
                    self.assertEqual(found["contention"], {"link": 1, "send": 1, "receive": 1})
                    if found["planned_cycles"] is not None:
                        self.assertEqual(found["planned_cycles"], found["found_cycles"])
                    self.assertAlmostEqual(found["optimality_gap"],
                                           found["cycles"] / found["bound_cycles"] - 1)

    def test_trees_run_in_the_cycles_that_are_told(self):
        config = self.config(mesh(4, 4), "independent", node={"send_overhead": 20})
        for collective in ("all_gather", "reduce_scatter", "all_reduce", "broadcast"):
            with self.subTest(collective=collective):
                found = self.find(config, collective, "--message-bytes", "4096", "--method",
                                        "trees")
                self.assertEqual(found["method"], "trees")
                run = self.report("run", config, "--set", "traffic.program=found.csv")
                self.assertEqual(run["cycles"], found["cycles"])
                self.assertEqual(found["contention"], {"link": 1, "send": 1, "receive": 1})
                self.assertGreaterEqual(found["rounds"], found["bound_rounds"])

    @suite.campaign
    def test_long_reductions_on_meshes_are_within_a_tenth_of_the_bound(self):
        config = self.config(mesh(4, 4), "independent")
        found = self.find(config, "all_reduce", "--message-bytes", "1048576")
        self.assertLessEqual(found["optimality_gap"], 0.1)
        halves = [self.find(config, half, "--message-bytes", "65536")
                  for half in ("reduce_scatter", "all_gather")]
        self.assertLess(found["cycles"], 0.8 * sum(half["cycles"] for half in halves))

    def test_bounds_follow_from_their_certificates(self):
        seen = set()
        for ports, rate in suite.sample_of((("independent", "1/3"), ("independent", 1), ("single", 1),
                                            ("single", "1/2")), 2):
            slow = {} if rate == 1 else {"link_rate": {"die": [3, 2], "rate": rate}}
            config = self.config(mesh(3, 6), ports, fabric=slow)
            graph = self.links(config)
            proof = Certificates(graph["nodes"], graph["links"], ports == "single")
            for collective in COLLECTIVES:
                with self.subTest(collective=collective, ports=ports, rate=rate):
                    found = self.find(config, collective, "--message-bytes", "4096")
                    certificate = found["certificate"]
                    share = fractions.Fraction(certificate["share"]["numerator"],
                                               certificate["share"]["denominator"])
                    share *= certificate["period_cycles"]
                    kind = found["bound_kind"]
                    seen.add(kind)
                    if kind == "cut":
                        self.assertEqual(share, proof.cut(collective, certificate["inside"], 0))
                    elif kind == "lengths":
                        self.assertEqual(share, proof.lengths(certificate["lengths"]))
                    else:
                        self.assertEqual(kind, "transfers")
                        self.assertEqual(share, proof.transfers(certificate) if
                                         ports == "independent" else fractions.Fraction(2 * 17, 18))
                    flits = -(-share * 4096 * 8 // FLIT_BITS) + HEADER
                    self.assertEqual(found["bound_cycles"], flits + 3)
        self.assertEqual(seen, {"cut", "lengths", "transfers"})

    def test_bounds_of_startups_follow_from_counting_ways(self):
        config = self.config(mesh(2, 4), "single", node={"send_overhead": 200, "serialize_overhead": True})
        kinds = []
        for size in (8, 256, 1024, 65536):
            with self.subTest(size=size):
                found = self.find(config, "all_to_all", "--message-bytes", str(size))
                kinds.append(found["bound_kind"])
                self.assertGreaterEqual(found["cycles"], found["bound_cycles"])
                if kinds[-1] != "startups":
                    continue
                startups = found["certificate"]["startups"]
                self.assertEqual(startups["slot_cycles"], 200 + HEADER + 1)
                self.assertEqual(startups["message_cycles"], 200 + HEADER)
                self.assertEqual(startups["block_cycles"], size // 8)
                for cycles, is_possible in ((found["bound_cycles"] - 1, False), (found["bound_cycles"], True)):
                    time = cycles - startups["way_cycles"]
                    least = least_cost(8, startups, time // startups["slot_cycles"])
                    self.assertEqual(least is not None and least[0] <= 8 * time, is_possible)
                    if not is_possible:
                        self.assertEqual(startups["slots"], time // startups["slot_cycles"])
                        if least is not None:
                            self.assertEqual((startups["messages"], startups["blocks"]), least[1:])
        self.assertIn("startups", kinds)
        told = self.find(config, "broadcast", "--message-bytes", "8")
        self.assertEqual(told["bound_cycles"], 3 * 202 + 3)  # 1, 2, 4, 8 nodes have it

    def test_short_blocks_go_in_few_messages(self):
        config = self.write("machine.yaml", json.dumps({
            "machine": "paragon", "fabric": {"topology": mesh(4, 4)}}))
        for size, sends in ((16, 4), (4096, 6)):
            with self.subTest(size=size):
                found = self.find(config, "all_to_all", "--message-bytes", str(size))
                self.assertEqual((found["method"], found["messages"]), ("combining", 16 * sends))
                run = self.report("run", config, "--set", "traffic.program=found.csv")
                self.assertEqual(run["cycles"], found["cycles"])
                best = min(self.report("run", config, "--set", "traffic={schedule: %s, message_bytes: %d}"
                                       % (schedule, size))["cycles"]
                           for schedule in ("naive", "pex", "recursive-exchange"))
                self.assertLessEqual(found["cycles"], best)
        self.refused("find-schedule", config, "--collective", "all_to_all", "-o", "found.csv", "--method",
                     "combining", "--chunks", "2", says=("whole", "--chunks"))
        for collective, sends in (("broadcast", 15), ("all_reduce", 64), ("all_gather", 64)):
            found = self.find(config, collective, "--message-bytes", "64")
            self.assertEqual((found["method"], found["messages"]), ("combining", sends))

    @suite.campaign
    def test_long_exchanges_are_within_five_per_cent_of_the_flow_bound(self):
        for ports, topology in (("independent", mesh(6, 6)), ("single", mesh(8, 8)),
                                ("independent", {"kind": "torus", "dims": [6, 6]})):
            with self.subTest(topology=topology, ports=ports):
                config = self.config(topology, ports, fabric={"virtual_channels": 2,
                                                              "switch_arbitration": "per_packet"})
                found = self.find(config, "all_to_all", "--message-bytes", "65536")
                self.assertLessEqual(found["optimality_gap"], 0.05)

    def test_a_dead_link_and_a_dead_node_are_gone_round(self):
        config = self.config(mesh(4, 4), "independent", faults={"links": ["5-6"], "nodes": [10]})
        for collective in COLLECTIVES:
            with self.subTest(collective=collective):
                found = self.find(config, collective)
                self.assertEqual(found["nodes"], 15)
                self.assertEqual(self.report("run", config, "--set", "traffic.program=found.csv")
                                 ["cycles"], found["cycles"])

    def test_the_same_command_writes_the_same_file(self):
        for ports, collective in (("independent", "all_gather"), ("single", "all_to_all")):
            config = self.config(mesh(2, 4), ports)
            texts = []
            for file in ("one.csv", "two.csv"):
                self.find(config, collective, file=file)
                with open(os.path.join(self.folder, file)) as written:
                    texts.append(written.read())
            self.assertEqual(texts[0], texts[1])

    def test_a_schedule_of_the_catalogue_is_the_same(self):
        config = self.config(mesh(4, 4), "independent")
        found = self.find(config, "all_gather", "--message-bytes", "512")
        run = self.report("run", config, "--set", "traffic.schedule=synthesized",
                          "--set", "traffic.algorithm=all_gather",
                          "--set", "traffic.message_bytes=512")
        self.assertEqual(run["cycles"], found["cycles"])

    @suite.campaign
    def test_schedules_are_an_axis_of_studies(self):
        base = self.config(mesh(4, 4), "single", traffic={"schedule": "pex",
                                                          "message_bytes": 4096})
        study = self.write("study.yaml", json.dumps({
            "base": base, "vary": {"traffic.schedule": ["pex", "gen", "synthesized"]},
            "objectives": {"min": "cycles"}}))
        self.ok("explore", study, "--db", "study.db")
        rows = self.ok("explore", "export", "--db", "study.db").splitlines()
        self.assertEqual(len(rows), 4)
        front = self.ok("explore", "front", "--db", "study.db")
        self.assertIn("synthesized", front)

    def test_check_tells_what_no_schedule_can_beat(self):
        config = self.config(mesh(8, 8), "single", traffic={"schedule": "pex",
                                                            "message_bytes": 4096})
        text = self.ok("check", config)
        self.assertIn("all_to_all of 4,096 bytes takes 65,540 cycles or more: 128 blocks", text)

        told = json.loads(self.ok("check", config, "--json"))
        self.assertEqual((told["bound_cycles"], told["bound_kind"]), (65540, "lengths"))
        self.assertEqual((told["steps"], told["complete_exchange"]), (63, True))
        graph = self.links(config)
        proof = Certificates(graph["nodes"], graph["links"], True)
        self.assertEqual(proof.lengths(told["certificate"]["lengths"]), 128)

    def test_check_of_a_timetable_counts_by_its_times(self):
        config = self.config(mesh(3, 3), "single")
        self.find(config, "all_to_all", "--message-bytes", "64", "--method", "flow")
        program = ("--set", "traffic.program=found.csv")
        self.assertIn("at any time at most 1 message on a link", self.ok("check", config, *program))
        told = json.loads(self.ok("check", config, *program, "--json"))
        self.assertEqual((told["contention_at_a_time"], told["complete_exchange"]), (1, True))
        with open(os.path.join(self.folder, "found.csv")) as file:
            lines = file.read().splitlines()
        times = [int(line.split(",")[3]) for line in lines if line[0].isdigit()]
        self.assertEqual(told["last_begin_cycle"], max(times))
        self.assertIn(f"72 messages by the clock, up to cycle {max(times)}",
                      self.ok("check", config, *program))
        with open(os.path.join(self.folder, "crowd.csv"), "w") as file:
            file.write("source,destination,bytes,time\n0,2,64,0\n1,2,64,0\n")
        crowd = json.loads(self.ok("check", config, "--set", "traffic.program=crowd.csv", "--json"))
        self.assertEqual(crowd["contention_at_a_time"], 2)

    def test_auto_takes_the_only_method_that_finds_a_schedule(self):
        tree = self.write("tree.yaml", json.dumps({"fabric": {"topology": {
            "kind": "fat_tree", "arity": 2, "height": 3}}}))
        for collective in ("all_gather", "all_reduce", "broadcast"):
            of = ("find-schedule", tree, "--collective", collective, "--message-bytes", "1024", "-o")
            auto = self.report(*of, "auto.csv")
            self.assertEqual(auto["method"], "combining")
            self.assertEqual(auto["found_cycles"], self.report(*of, "named.csv", "--method",
                                                         "combining")["cycles"])

    def test_auto_is_no_slower_than_combining_where_blocks_are_short(self):
        # An all-reduce has a vector, of which every node has a block.
        grid = self.config(mesh(8, 8), "single")
        for size in (32, 64, 256, 1024):
            of = ("find-schedule", grid, "--collective", "all_reduce", "--message-bytes", size, "-o")
            combining = self.report(*of, "combining.csv", "--method", "combining")
            self.assertLessEqual(self.report(*of, "auto.csv")["cycles"], combining["cycles"])

    def test_the_quickest_of_the_catalogue_is_told(self):
        grid = self.config(mesh(2, 4), "single")
        for collective, schedule in (("all_reduce", "allreduce"), ("broadcast", "broadcast")):
            of = ("find-schedule", grid, "--collective", collective, "--message-bytes", "1024", "-o",
                  "found.csv")
            found = self.report(*of)
            cycles = {}
            for algorithm in ("ring", "recursive_doubling", "rabenseifner", "dimension_order",
                              "binomial", "pipelined_chain"):
                run = self.call("run", grid, "--set", f"traffic.schedule={schedule}", "--set",
                                f"traffic.algorithm={algorithm}", "--set",
                                "traffic.message_bytes=1024", "--json")
                if run.returncode == 0:
                    cycles[algorithm] = json.loads(run.stdout)["cycles"]
            self.assertGreaterEqual(len(cycles), 3)
            known = found["catalogue"]
            self.assertEqual(known["schedule"], schedule)
            self.assertEqual(known["cycles"], min(cycles.values()))
            self.assertEqual(cycles[known["algorithm"]], known["cycles"])
            said = f"catalogue +{known['cycles']:,} cycles by {schedule}, algorithm "
            self.assertRegex(self.ok(*of), said)
        of = ("find-schedule", grid, "--collective", "all_to_all", "--message-bytes", "1024", "-o", "found.csv")
        known = self.report(*of)["catalogue"]
        cycles = {schedule: self.report("run", grid, "--set", f"traffic.schedule={schedule}", "--set",
                                        "traffic.message_bytes=1024")["cycles"]
                  for schedule in ("gen", "naive", "pex", "bounded-contention", "recursive-exchange")}
        self.assertEqual(known["cycles"], min(cycles.values()))
        self.assertEqual(cycles[known["schedule"]], known["cycles"])

    def test_the_quicker_one_of_the_catalogue_is_written_and_said_so(self):
        grid = self.config(mesh(5, 5), "single")
        of = ("find-schedule", grid, "--collective", "all_gather", "--message-bytes", "4096", "-o")
        found = self.report(*of, "found.csv")
        known = found["catalogue"]
        self.assertEqual((found["written"], known["algorithm"]), ("catalogue", "ring"))
        self.assertLess(known["cycles"], found["found_cycles"])
        self.assertEqual(found["cycles"], known["cycles"])
        self.assertAlmostEqual(found["optimality_gap"], found["cycles"] / found["bound_cycles"] - 1)
        for file in ("found.csv", "found.yaml"):
            text = self.ok(*of, file)
            self.assertIn("written           allgather, algorithm ring of the catalogue, which is quicker", text)
            self.assertIn(f"found takes       {found['found_cycles']:,} cycles", text)
            self.assertNotIn("quicker than this", text)
            run = self.report("run", grid, "--set", f"traffic.program={file}")
            self.assertEqual((run["cycles"], run["messages_delivered"]), (found["cycles"], found["messages"]))
        # Whoever names a method, or several chunks, gets what was asked for.
        named = self.report(*of, "named.csv", "--method", "matching")
        self.assertEqual((named["written"], named["cycles"]), ("found", named["found_cycles"]))
        self.assertEqual(named["catalogue"], known)
        self.assertIn(": quicker than this", self.ok(*of, "named.csv", "--method", "matching"))
        self.assertEqual(self.report(*of, "two.csv", "--chunks", "2")["written"], "found")

    def test_the_found_one_is_written_where_it_is_quicker(self):
        grid = self.config(mesh(4, 4), "independent")
        for collective in ("all_gather", "all_to_all"):
            of = ("find-schedule", grid, "--collective", collective, "--message-bytes", "4096", "-o", "found.csv")
            found = self.report(*of)
            self.assertEqual((found["written"], found["cycles"]), ("found", found["found_cycles"]))
            self.assertLess(found["cycles"], found["catalogue"]["cycles"])
            text = self.ok(*of)
            self.assertNotIn("written", text)
            self.assertNotIn("quicker", text)
            self.assertEqual(self.report("run", grid, "--set", "traffic.program=found.csv")["cycles"],
                             found["cycles"])

    def test_what_was_found_beside_it_is_told_with_its_cycles(self):
        slow = self.config(mesh(4, 4), "independent", fabric={"link_delay": 20, "buffer_depth": 64})
        of = ("find-schedule", slow, "--collective", "all_to_all", "--message-bytes", "64", "-o", "found.csv")
        found = self.report(*of)
        named = self.report(*of, "--method", "combining")
        self.assertLess(found["cycles"], named["cycles"])
        self.assertEqual(found["other"], {"method": named["method"], "cycles": named["cycles"]})
        self.assertIsNone(named["other"])
        self.assertRegex(self.ok(*of), f"also found +{named['cycles']:,} cycles by {named['method']}")
        relayed = self.report(*of, "--method", "flow")
        self.assertLessEqual(found["cycles"], relayed["cycles"])

    def test_what_did_not_complete_has_no_gap(self):
        of = ("find-schedule", self.config(mesh(2, 4), "single"), "--collective", "broadcast", "-o",
              "found.csv", "--set", "limits.max_cycles=10")
        done = self.call(*of)
        self.assertEqual(done.returncode, EXIT_STANDSTILL)
        self.assertRegex(done.stdout, r"simulated +[0-9]+ cycles \(timeout\)\n")
        self.assertIsNone(json.loads(self.call(*of, "--json").stdout)["optimality_gap"])

    def test_whoever_runs_what_is_found_hears_of_the_catalogue(self):
        for algorithm, schedule in (("broadcast", "broadcast"), ("all_reduce", "allreduce"),
                                    ("all_to_all", None)):
            self.write("config.yaml", machine(mesh(2, 4), {
                "schedule": "synthesized", "algorithm": algorithm, "message_bytes": 64}))
            if schedule is None:
                self.assertNotIn("hint", self.ok("run", "config.yaml"))
                continue
            for command in ("run", "check"):
                told = self.ok(command, "config.yaml")
                self.assertIn(f"  hint              algorithms of traffic.schedule: {schedule} may",
                              told)
                self.assertIn(f"find-schedule --collective {algorithm} runs both", told)
        self.write("config.yaml", machine(mesh(2, 4), {"schedule": "broadcast"}))
        self.assertNotIn("hint", self.ok("run", "config.yaml"))

    def test_the_bound_of_an_exchange_is_that_of_check_whatever_the_method(self):
        # Two cliques, of nodes 0, 2, 4, 6 and 1, 3, 5, 7, with one link between 0 and 7: that cut is
        # not in the middle of the order of nodes, and 4 x 4 blocks cross it each way.
        pairs = [(a, b) for side in ((0, 2, 4, 6), (1, 3, 5, 7)) for a in side for b in side if a < b]
        self.write("graph.yaml", json.dumps({"nodes": 8, "links": [
            {"from": a, "to": b, "both": True} for a, b in [*pairs, (0, 7)]]}))
        config = self.write("two.yaml", machine({"kind": "custom", "file": "graph.yaml"},
                                                {"schedule": "gen", "message_bytes": 512}))
        bound = self.report("check", config)["bound_cycles"]
        for method in ("combining", "flow"):
            with self.subTest(method):
                found = self.find(config, "all_to_all", "--method", method)
                self.assertEqual((found["bound_rounds"], found["bound_cycles"]), (16, bound))

    def test_one_node_has_nothing_to_send(self):
        alone = self.config(mesh(1), "independent")
        for collective in ("all_gather", "reduce_scatter", "broadcast"):
            for method in ("auto", "trees", "matching"):
                if (collective, method) == ("reduce_scatter", "matching"):
                    continue
                self.ok("find-schedule", alone, "--collective", collective, "-o", "found.csv", "--method", method)
                self.assertEqual(len(self.read("found.csv").splitlines()), 1)

    def test_every_chunk_has_a_byte(self):
        line = self.config(mesh(8), "independent")
        for collective in COLLECTIVES:
            of = ("find-schedule", line, "--collective", collective, "-o", "found.csv", "--message-bytes")
            is_vector = collective == "all_reduce"  # every node has a block of it
            self.refused(*of, "80", "--chunks", "11" if is_vector else "81",
                         says=("--chunks", "cannot be cut into", "at most %d chunk" % (10 if is_vector else 80)))
            self.refused(*of, "200", "--chunks", "60000", says=("--chunks",))
            self.find(line, collective, "--message-bytes", "8", "--chunks", "1")
            # Shorter than the nodes are many.
            for size in (0, 1, 7):
                found = self.find(line, collective, "--message-bytes", str(size))
                self.assertEqual(found["chunks"] if size < 2 or is_vector else 1, 1)
                self.assertGreaterEqual(found["rounds"], found["bound_rounds"] if
                                        found["method"] != "combining" else 1)
        self.refused("run", line, "--set", "traffic={schedule: synthesized, algorithm: broadcast, "
                     "message_bytes: 1, chunks: 300}", says=("chunks", "every chunk has at least one byte"))

    def graph(self, name, nodes, endpoints, pairs):
        """A machine with links from and to the pairs; a third number k is a rate of 1/k."""
        links = "".join(f"  - {{from: {a}, to: {b}, both: true, rate: 1/{rate[0] if rate else 1}}}\n"
                        for a, b, *rate in pairs)
        self.write(name, f"nodes: {nodes}\nendpoints: {endpoints}\nlinks:\n{links}")
        return machine({"kind": "custom", "file": name}, {"pattern": "uniform"},
                       node={"port_model": "independent"})

    def unequal_networks(self):
        """Per name: routers, nodes among them, links, and a block that is long there. Switches come last."""
        quad = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
        dgx = quad + [(a + 4, b + 4) for a, b in quad] + [(a, a + 4) for a in range(4)]
        doubled = [(0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (4, 7), (5, 6), (6, 7)]
        dgx += [(end, 8 + i) for i, pair in enumerate(doubled) for end in pair]
        six = [(node, 8 + switch) for node in range(8) for switch in range(6)]
        two = [(8 * server + node, 16 + 6 * server + switch)
               for server in range(2) for node in range(8) for switch in range(6)]
        clos = [(node, 16 + node // 4) for node in range(16)] + \
               [(16 + leaf, 20 + spine) for leaf in range(4) for spine in range(4)]
        return {"a DGX-1 with switches for doubled links": (16, 8, dgx),
                "a server of 8 nodes and 6 switches": (14, 8, six),
                "two of them, nodes on a slow switch": (29, 16, two + [(node, 28, 4) for node in range(16)]),
                "two of them, their switches joined by slow links":
                    (28, 16, two + [(16 + switch, 22 + switch, 4) for switch in range(6)]),
                "a Clos of 4 leaves and 4 spines": (24, 16, clos)}

    def test_long_messages_end_within_five_per_cent_of_the_bound_over_switches(self):
        cases = [(*network, collective) for network in self.unequal_networks().items() for collective in
                 ("all_gather", "reduce_scatter", "all_reduce", "broadcast")]
        for name, graph, collective in suite.sample_of(cases, 4):
            with self.subTest(network=name, collective=collective):
                self.write("net.yaml", self.graph("graph.yaml", *graph))
                # A vector, or the block of one node, is all that is sent; blocks of all are much more.
                size = 1 << 16 if collective in ("all_gather", "reduce_scatter") else 1 << 19
                found = self.find("net.yaml", collective, "--message-bytes", str(size if not suite.TAKES_ALL
                                                                                 else 1 << 20))
                self.assertLess(found["optimality_gap"], 0.05)
                self.assertEqual(self.report("run", "net.yaml", "--set", "traffic.program=found.csv")["cycles"],
                                 found["cycles"])

    def test_ways_over_switches_are_links_of_a_schedule(self):
        """Two nodes with a link and a switch between them; a DGX-1 whose doubled links are switches."""
        pair = [(0, 1), (0, 2), (2, 1)]
        quad = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
        dgx = quad + [(a + 4, b + 4) for a, b in quad] + [(a, a + 4) for a in range(4)]
        doubled = [(0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (4, 7), (5, 6), (6, 7)]
        dgx += [(end, 8 + i) for i, pair_of in enumerate(doubled) for end in pair_of]
        for name, (nodes, endpoints, pairs), share in (("pair", (3, 2, pair), 2),
                                                       ("dgx", (16, 8, dgx), 6 / 7)):
            self.write("net.yaml", self.graph(name + "_graph.yaml", nodes, endpoints, pairs))
            for collective in COLLECTIVES:
                with self.subTest(name=name, collective=collective):
                    report = self.report("find-schedule", "net.yaml", "--collective", collective,
                                         "--message-bytes", "16384", "-o", "found.csv")
                    self.assertEqual(report["status"], "complete")
                    self.assertEqual(report["contention"]["link"], 1)
                    self.assertGreaterEqual(report["cycles"], report["bound_cycles"])
                    # Over all links, as no schedule over the direct ones could.
                    if collective == "all_gather":
                        self.assertLess(report["cycles"], 16384 / 8 / share * 1.1)

    def test_more_rounds_than_the_bound_are_taken_where_switches_pair_nodes_badly(self):
        """A switch with a link to some nodes only: trees over its ways need more than flows do."""
        star = [(n, 4) for n in range(4)] + [(0, 1)]
        self.write("net.yaml", self.graph("star.yaml", 5, 4, star))
        for collective in ("all_gather", "reduce_scatter", "broadcast", "all_reduce"):
            report = self.report("find-schedule", "net.yaml", "--collective", collective, "--method",
                                 "trees", "--message-bytes", "4096", "-o", "found.csv")
            self.assertEqual((report["status"], report["contention"]["link"]), ("complete", 1))
            self.write("run.yaml", self.read("net.yaml"))
            self.ok("run", "run.yaml", "--set", "traffic={schedule: synthesized, message_bytes: 4096, "
                    f"algorithm: {collective}}}")

    def test_what_cannot_be_found_is_refused_with_a_remedy(self):
        self.refused("find-schedule", self.config(mesh(4, 4), "single"), "--collective", "all_to_all", "-o",
                     "found.csv", "--set", "faults={links: [0-1], at: 20}",
                     says=("faults.at", "error: no schedules are found for a network that changes", "faults.at: 0"))
        self.refused("find-schedule", self.config(mesh(4), "single"), "--collective", "all_to_all", "-o",
                     "found.csv", "--message-bytes", "1", "--chunks", "5",
                     says=["--chunks: error: a block of 1 byte cannot be cut into 5 chunks"])
        tree = self.write("tree.yaml", json.dumps({"fabric": {"topology": {
            "kind": "fat_tree", "arity": 2, "height": 3}}}))
        grid = self.config(mesh(4, 4), "independent")
        found = ("--collective", "all_gather", "-o", "found.csv")
        self.refused("find-schedule", tree, *found, "--method", "matching", says=("neighbour",))
        self.refused("find-schedule", tree, *found, "--chunks", "2", says=("neighbour",))
        self.refused("find-schedule", grid, *found, "--method", "flow",
                     says=("--method", "matching, trees or combining"))
        self.refused("find-schedule", grid, "--collective", "scatter", "-o", "found.csv", "--method",
                     "trees", says=("trees does not find schedules of scatter", "use flow or combining"))
        single = self.config(mesh(4, 4), "single")
        self.refused("find-schedule", single, *found, "--method", "trees",
                     says=("--method", "port_model: independent"))
        self.refused("find-schedule", single, *found, "--set", "fabric.switching=circuit",
                     says=("circuits", "aap"))
        self.refused("find-schedule", grid, *found, "--set", "node.port_model=one_output",
                     says=("port_model", "independent or single"))
        self.refused("find-schedule", grid, "--collective", "broadcast", "--root", "16", "-o",
                     "found.csv", says=("--root", "0 .. 15"))
        self.refused("find-schedule", grid, "--collective", "all_gather", "--root", "3", "-o",
                     "found.csv", says=("--root 3: error: all_gather has no root",))
        self.refused("find-schedule", grid, "--collective", "all_gather", "-o", "found.txt",
                     says=(".csv",))
        self.refused("find-schedule", grid, "--collective", "gossip", "-o", "found.csv",
                     says=("all_gather",))


if __name__ == "__main__":
    main()
