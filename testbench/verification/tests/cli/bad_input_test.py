# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Whatever is wrong with a configuration or the files it names: exit code 2, a message that names
place and remedy, nothing on standard output, nothing left behind, never a crash.

The tests may run as root, so "unwritable" is a path below a regular file or in /proc."""
import json
import os
import subprocess

from flitscope_cli import CliTest, EXIT_FAILED, EXIT_USAGE, TIMEOUT_S, binary, main, mesh

FABRIC = "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
TRAFFIC = "traffic: {schedule: gen, message_bytes: 64}\n"
GOOD = FABRIC + TRAFFIC
COMMANDS = ("run", "check", "topology", "schedule")
# `topology` has no use for the traffic, and does not look into what a key of it names.
TRAFFIC_COMMANDS = ("run", "check", "schedule")


def fabric(topology="kind: mesh, dims: [4, 4]", more=""):
    return f"fabric: {{topology: {{{topology}}}{more}}}\n"


class BadInput(CliTest):
    def refused_by_all(self, config, says=(), commands=COMMANDS):
        self.write("config.yaml", config)
        for command in commands:
            error = self.refused(command, "config.yaml", says=says)
        return error

    def refuse_each(self, cases):
        """Cases of a configuration and what is said of it. All commands load alike: one of the
        others beside `run` will do."""
        for number, (config, *says) in enumerate(cases):
            with self.subTest(config=config[:100]):
                self.write("config.yaml", config)
                for command in ("run", COMMANDS[1 + number % 3]):
                    self.refused(command, "config.yaml", says=says)

    def test_broken_files(self):
        cases = [
            ("", "config.yaml", "is empty"),
            ("# nothing\n", "config.yaml", "is empty"),
            ("fabric: {topology: {kind: mesh, dims: [4, 4", "config.yaml:1:"),
            (GOOD + "node: {send_overhead: 3\n", "config.yaml:"),
            (GOOD[:-3], "config.yaml:"),
            (GOOD + "\tnode: 3\n", "config.yaml:3:"),
            ("- 1\n- 2\n", "config.yaml:1:1", "map"),
            ("just words\n", "config.yaml:1:1", "map"),
            ("topology = mesh;\nk = 8;\n", "config.yaml:1:1", "this is YAML, key: value"),
            ("fabric:\ntraffic:\n", "config.yaml:1:1", "fabric.topology.kind"),
            ("a: &a [*a, *a]\n", "config.yaml:1:"),
            ("[" * 100000, "config.yaml:1:"),
            ("{a: " * 100000, "config.yaml:1:"),
            (GOOD + "x" * 3000000, "config.yaml"),
            (GOOD + "---\n" + GOOD, "config.yaml"),
            ("fabric: !!python/object:os.system {}\n" + TRAFFIC, "config.yaml:"),
        ]
        self.refuse_each(cases)

    def test_binary_garbage(self):
        for garbage in (bytes(range(256)) * 64, b"\x00" * 1000, b"\xff\xfe" + GOOD.encode("utf-16"),
                        b"\x7fELF" + bytes(500), GOOD.encode() + b"\x00\x80\xff"):
            with self.subTest(garbage=garbage[:20]):
                self.refused_by_all(garbage, ["config.yaml"])

    def test_every_cut_of_a_good_file_is_handled(self):
        for length in range(0, len(GOOD), 7):
            self.write("config.yaml", GOOD[:length])
            done = self.call("check", "config.yaml")
            self.assertEqual(done.returncode, EXIT_USAGE, GOOD[:length])
            self.assertIn("config.yaml", done.stderr)

    def test_missing_files_and_directories(self):
        os.mkdir(self.path("machines"))
        for command in COMMANDS:
            self.refused(command, "nowhere.yaml", says=["nowhere.yaml: error:"])
            self.refused(command, "machines", says=["machines: error:", "folder"])
            self.refused(command, "")
        self.refused("run", "/dev/null", says=["/dev/null"])

    def test_wrong_types(self):
        self.refuse_each([
            (fabric(more=", buffer_depth: many") + TRAFFIC, "config.yaml:1:",
             "buffer_depth", "many"),
            (fabric(more=", buffer_depth: [1]") + TRAFFIC, "config.yaml:1:", "buffer_depth"),
            (fabric(more=", buffer_depth: 1.5") + TRAFFIC, "config.yaml:1:", "buffer_depth", "1.5"),
            (fabric(more=", allow_deadlock: 7") + TRAFFIC, "config.yaml:1:", "allow_deadlock"),
            (fabric(more=", router_overrides: rtl") + TRAFFIC, "config.yaml:1:66",
             "router_overrides", "[{nodes: [5], router: rtl}]"),
            (fabric(more=", router: {top: 2fast}") + TRAFFIC, "config.yaml:1:62", "router.top",
             "2fast"),
            (GOOD + "waveform: {rtl_nodes: 5}\n", "config.yaml:3:23", "rtl_nodes", "list"),
            (fabric("kind: mesh, dims: 8") + TRAFFIC, "config.yaml:1:", "dims"),
            (fabric("kind: mesh, dims: {a: 1}") + TRAFFIC, "config.yaml:1:", "dims"),
            (fabric("kind: [mesh], dims: [4]") + TRAFFIC, "config.yaml:1:", "kind"),
            ("fabric: 7\n" + TRAFFIC, "config.yaml:1:", "fabric"),
            ("fabric: [a]\n" + TRAFFIC, "config.yaml:1:", "fabric"),
            (FABRIC + "traffic: pex\n", "config.yaml:2:", "traffic"),
            (FABRIC + "traffic: {schedule: {a: b}}\n", "config.yaml:2:", "schedule"),
            (GOOD + "seed: one\n", "config.yaml:3:7", "seed", "one"),
            (GOOD + "seed: -1\n", "config.yaml:3:7", "seed", "-1"),
            (GOOD + "clock_ns: fast\n", "config.yaml:3:", "clock_ns"),
            (GOOD + "node: {injection_bandwidth: half}\n", "config.yaml:3:", "injection_bandwidth"),
        ])

    def test_zero_and_huge_sizes(self):
        huge = "9" * 40
        self.refuse_each([
            (fabric("kind: mesh, dims: [0, 4]") + TRAFFIC, "config.yaml:1:40", "dims"),
            (fabric("kind: mesh, dims: []") + TRAFFIC, "config.yaml:1:", "dims"),
            (fabric("kind: mesh, dims: [-4, 4]") + TRAFFIC, "config.yaml:1:40", "dims"),
            (fabric("kind: mesh, dims: [70000]") + TRAFFIC, "config.yaml:1:40", "65536"),
            (fabric("kind: mesh, dims: [700, 100]") + TRAFFIC, "config.yaml:1:", "65536"),
            (fabric("kind: mesh, dims: [65536, 65536, 65536, 65536]") + TRAFFIC, "65536 nodes"),
            (fabric(f"kind: mesh, dims: [{huge}]") + TRAFFIC, "config.yaml:1:40"),
            (fabric("kind: hypercube, dimensions: 17") + TRAFFIC, "config.yaml:1:", "0 to 16"),
            (fabric("kind: hypercube, dimensions: -1") + TRAFFIC, "config.yaml:1:", "0 to 16"),
            (fabric(more=", buffer_depth: 0") + TRAFFIC, "config.yaml:1:", "buffer_depth", "1 to"),
            (fabric(more=", virtual_channels: 0") + TRAFFIC, "virtual_channels", "1 to 16"),
            (fabric(more=", virtual_channels: 17") + TRAFFIC, "virtual_channels", "1 to 16"),
            (fabric(more=", flit_bits: 0") + TRAFFIC, "config.yaml:1:", "flit_bits"),
            (fabric(more=", flit_bits: 63") + TRAFFIC, "config.yaml:1:", "flit_bits"),
            (fabric(more=", router_delay: 0") + TRAFFIC, "config.yaml:1:", "router_delay"),
            (fabric(more=", link_delay: 0") + TRAFFIC, "config.yaml:1:", "link_delay"),
            (fabric(more=", link_delay: {model: linear, reach: 0}") + TRAFFIC, "reach"),
            (fabric(more=", link_delay: {model: physical}") + TRAFFIC, "pitch_mm"),
            (fabric(more=", link_delay: {model: physical, pitch_mm: -1}") + TRAFFIC, "pitch_mm",
             "0.001 to 1000"),
            (fabric(more=", link_delay: {model: physical, pitch_mm: 1mm}") + TRAFFIC, "pitch_mm"),
            (fabric(more=", link_delay: {model: physical, pitch_mm: 1, ns_per_mm: 0}") + TRAFFIC,
             "ns_per_mm", "0.001 to 1000"),
            (fabric(more=", link_delay: {model: physical, pitch_mm: area}") + TRAFFIC, "node_mm2"),
            (fabric(more=", link_delay: {model: physical, pitch_mm: area, node_mm2: -1}") + TRAFFIC,
             "node_mm2", "0 to 100000,"),
            (fabric(more=", link_delay: {model: physical, pitch_mm: 1000, ns_per_mm: 1000}") +
             TRAFFIC, "takes 1e+06 ns, more than 65536 cycles", "larger clock_ns"),
            (FABRIC + f"traffic: {{schedule: gen, message_bytes: {huge}}}\n", "message_bytes"),
            (FABRIC + "traffic: {schedule: gen, message_bytes: -1}\n", "config.yaml:2:"),
            (FABRIC + "traffic: {schedule: broadcast, root: 16}\n", "root", "0 to 15"),
            (FABRIC + "traffic: {pattern: uniform, injection_rate: 0}\n", "injection_rate"),
            (FABRIC + "traffic: {pattern: uniform, injection_rate: 1.01}\n", "injection_rate"),
            (FABRIC + "traffic: {pattern: uniform, injection_rate: .nan}\n", "injection_rate"),
            (FABRIC + "traffic: {pattern: hotspot, hotspot_fraction: 2}\n", "hotspot_fraction"),
            (FABRIC + "traffic: {pattern: uniform, measure_cycles: 0}\n", "measure_cycles"),
            (GOOD + "node: {injection_bandwidth: 1/0}\n", "config.yaml:3:", "injection_bandwidth"),
            (GOOD + "node: {injection_bandwidth: 3/2}\n", "config.yaml:3:", "injection_bandwidth"),
            (GOOD + "node: {header_flits: 0}\n", "config.yaml:3:", "header_flits"),
            (GOOD + "limits: {max_cycles: 0}\n", "config.yaml:3:", "max_cycles"),
            (GOOD + "clock_ns: 0\n", "config.yaml:3:", "clock_ns"),
            (GOOD + f"seed: {huge}\n", "config.yaml:3:", "seed"),
        ])

    def test_an_exchange_too_large_for_memory_is_refused_at_once(self):
        for schedule, nodes in {"gen": "32768", "naive": "8192", "pex": "32768", "allgather": "32768"}.items():
            self.refused_by_all(fabric("kind: hypercube, dimensions: 16") +
                                f"traffic: {{schedule: {schedule}}}\n", ["65536", nodes],
                                TRAFFIC_COMMANDS)

    def test_contradictory_keys(self):
        self.refuse_each([
            (FABRIC + "traffic: {schedule: gen, pattern: uniform}\n", "config.yaml:2:11",
             "contradicts", "exactly one"),
            (FABRIC + "traffic: {schedule: gen, program: a.csv}\n", "contradicts"),
            (FABRIC + "traffic: {message_bytes: 64}\n", "config.yaml:2:", "exactly one"),
            (fabric("kind: mesh, dims: [4, 4], dimensions: 4") + TRAFFIC, "config.yaml:1:",
             "key 'dimensions'", "only for topology kind 'hypercube'"),
            (fabric("kind: hypercube, dims: [4, 4]") + TRAFFIC, "config.yaml:1:", "dims"),
            (fabric("kind: mesh") + TRAFFIC, "config.yaml:1:", "dims"),
            (fabric(more=", link_delay: {model: linear, cycles: 3}") + TRAFFIC, "cycles"),
            (fabric(more=", link_delay: {model: linear, pitch_mm: 3}") + TRAFFIC, "pitch_mm"),
            (fabric(more=", link_delay: {model: physical, pitch_mm: 3, node_mm2: 1}") + TRAFFIC,
             "node_mm2", "pitch_mm '3'"),
            (FABRIC + "traffic: {schedule: gen, algorithm: ring}\n", "config.yaml:2:", "algorithm"),
            (FABRIC + "traffic: {schedule: scatter, algorithm: ring}\n", "direct", "binomial"),
            (FABRIC + "traffic: {schedule: gen, root: 1}\n", "config.yaml:2:", "root"),
            (FABRIC + "traffic: {schedule: gen, injection_rate: 0.1}\n", "injection_rate"),
            (FABRIC + "traffic: {pattern: uniform, barrier: true}\n", "config.yaml:2:", "barrier"),
            (GOOD + "waveform: {from: 10, until: 10}\n", "config.yaml:3:", "until"),
            (GOOD + "waveform: {nodes: [16]}\n", "config.yaml:3:", "0 to 15"),
            (GOOD + "waveform: {dimensions: [2]}\n", "config.yaml:3:", "dimension 2"),
            (FABRIC + GOOD, "config.yaml:2:1", "duplicate key 'fabric'"),
            (GOOD + "seed: 1\nseed: 1\n", "config.yaml:4:1", "duplicate key 'seed'"),
            (fabric(more=", routing: dimension_ordr") + TRAFFIC, "dimension_order"),
            (fabric(more=", router: rlt") + TRAFFIC, "config.yaml:1:56", "did you mean 'rtl'"),
            (fabric("kind: mseh, dims: [4]") + TRAFFIC, "did you mean 'mesh'"),
        ])
        for config, *says in (
                (fabric("kind: mesh, dims: [3, 3]") + "traffic: {pattern: bit_reverse}\n",
                 "config.yaml:2:", "power-of-two", "use uniform"),
                (fabric("kind: mesh, dims: [4, 8]") + "traffic: {pattern: transpose}\n",
                 "config.yaml:2:", "equal halves"),
                (fabric("kind: hypercube, dimensions: 4") + "traffic: {pattern: tornado}\n",
                 "config.yaml:2:", "use uniform")):
            self.refused_by_all(config, says, TRAFFIC_COMMANDS)
            self.ok("topology", "config.yaml")

    def test_unknown_keys_come_with_place_and_suggestion(self):
        self.refuse_each([
            (fabric(more=", bufer_depth: 4") + TRAFFIC, "config.yaml:1:48: error: unknown key "
             "'bufer_depth'", "did you mean 'buffer_depth'?"),
            (GOOD + "sede: 3\n", "config.yaml:3:1: error: unknown key 'sede'",
             "did you mean 'seed'?"),
            (fabric(more=", router_overrides: [{nods: [5], nodes: [5], router: rtl}]") + TRAFFIC,
             "config.yaml:1:68: error: unknown key 'nods'", "did you mean 'nodes'?"),
            (GOOD + "buffer_depth: 3\n", "config.yaml:3:1:", "did you mean 'fabric.buffer_depth'?"),
            (GOOD + "xyzzy: 3\n", "config.yaml:3:1:", "fabric", "traffic", "seed"),
        ])

    def test_all_findings_are_told_at_once(self):
        error = self.refused_by_all(fabric(more=", bufer_depth: 4, virtual_channels: 0") +
                                    "traffic: {schedule: gen, root: 3}\nclok_ns: 1\n")
        for words in ("bufer_depth", "virtual_channels", "root", "clok_ns"):
            self.assertIn(words, error)
        places = [line.split(": error:")[0] for line in error.splitlines()]
        self.assertEqual(len(places), 4)
        self.assertEqual(places, sorted(places, key=lambda p: [int(n) for n in p.split(":")[1:]]))

    def test_programs_can_have_the_same_errors_as_json(self):
        self.write("bad.yaml", "fabric:\n  topology: {kind: mesh, dims: [8, 8]}\n  bufer_depth: 4\n"
                   "  virtual_channels: 99\n")
        done = self.call("run", "bad.yaml", "--set", "fabric.x=3", "--json", "--json-errors")
        self.assertEqual((done.returncode, done.stderr), (EXIT_USAGE, ""))
        errors = json.loads(done.stdout)["errors"]
        self.assertEqual([(e["source"], e["line"], e["column"], e["key"]) for e in errors],
                         [("bad.yaml", 3, 3, "bufer_depth"),
                          ("bad.yaml", 4, 21, "fabric.virtual_channels"),
                          ("--set fabric.x=3", None, None, "fabric.x")])
        self.assertEqual(errors[0]["remedy"], "did you mean 'buffer_depth'?")
        text = self.refused("run", "bad.yaml", "--set", "fabric.x=3", "--json")
        for error in errors:
            self.assertIn(error["message"], text)
        done = self.call("run", "bad.yaml", "--json", "--json-errors", "--jsn")
        self.assertEqual(json.loads(done.stdout)["errors"][0]["message"], "unknown option '--jsn'")
        done = self.call("run", "bad.yaml", "--json-errors")
        self.assertIn("requires --json", json.loads(done.stdout)["errors"][0]["message"])

    def test_overrides_are_checked_like_the_file(self):
        self.write("config.yaml", GOOD)
        for override, *says in (
                ("fabric.bufer_depth=4", "did you mean 'fabric.buffer_depth'?"),
                ("trafic.schedule=gen", "did you mean 'traffic.schedule'?"),
                ("injection_rate=0.2", "did you mean 'traffic.injection_rate'?"),
                ("max_cycles=9", "did you mean 'steady.max_cycles' or 'limits.max_cycles'?"),
                ("fabric.topology=torus", "write topology: {kind: torus, dims: ...}"),
                ("fabric.switching=vct", "that is 'virtual_cut_through' here"),
                ("fabric.num_vcs=2", "that is 'fabric.virtual_channels' here"),
                ("fabric.topology.kind=cmesh", "concentration: [2, 2]"),
                ("fabric.topology.dims=8x8", "write [8, 8]"),
                ("clock_ns=1GHz", "the unit is ns: write 1)"),
                ("fabric.buffer_depth=0", "buffer_depth", "1 to"),
                ("fabric.buffer_depth", "key=value"),
                ("=4", "key=value"),
                ("fabric..x=4", "empty part"),
                ("seed=[", "seed=["),
                ("fabric.topology.dims=[0]", "dims"),
                ("fabric.router_overrides=[{nodes: [65536], router: rtl}]", "nodes[0]", "65535"),
                ("fabric.router_overrides=[{nodes: [5]}]", "router_overrides[0].router", "missing"),
                ("fabric=7", "map"),
                ("seed.x=1", "seed"),
                ("", "key=value")):
            with self.subTest(override=override):
                for command in ("run", "check"):
                    self.refused(command, "config.yaml", "--set", override,
                                 says=[f"--set {override}", *says])
        self.assertEqual(self.report("run", "config.yaml", "--set", "traffic.pattern=uniform",
                                     "--set", "traffic.measure_cycles=100")["schedule"], "uniform")

    def test_graph_files(self):
        os.mkdir(self.path("folder"))
        self.write("config.yaml", fabric("kind: custom, file: graph.yaml") + TRAFFIC)
        for graph, *says in (
                ("", "graph.yaml"),
                (bytes(range(256)) * 9, "graph.yaml"),
                ("nodes: 4\nlinks: " + "[" * 100000, "graph.yaml"),
                ("nodes: 4\n", "graph.yaml:1:1", "links"),
                ("nodes: 0\nlinks: []\n", "graph.yaml:1:8", "nodes"),
                ("nodes: 70000\nlinks: []\n", "graph.yaml:1:8", "65536"),
                ("nodes: two\nlinks: []\n", "graph.yaml:1:8", "two"),
                ("nodes: 2\nlinks: [{from: 0, to: 1}]\n", "graph.yaml:2:", "reach"),
                ("nodes: 2\nlinks: [{from: 0, to: 2}]\n", "graph.yaml:2:", "0 to 1"),
                ("nodes: 2\nlinks: [{from: 0, to: 0}]\n", "graph.yaml:2:", "itself"),
                ("nodes: 2\nlinks: [{from: 0, to: 1, both: true, count: 0}]\n",
                 "graph.yaml:2:", "'count'"),
                ("nodes: 2\nlinks: [{from: 0, to: 1, lenght: 2}]\n", "did you mean 'length'"),
                ("nodes: 2\nlinks: [{from: 0, to: 1, delay: 0}]\n", "graph.yaml:2:", "delay"),
                ("nodes: 2\nlinks: [{from: 0, to: 1, both: perhaps}]\n", "both"),
                ("nodes: 2\nlinks: 7\n", "graph.yaml", "links")):
            with self.subTest(graph=graph[:80]):
                self.write("graph.yaml", graph)
                self.refused("run", "config.yaml", says=says)
        for name in ("folder", "nowhere.yaml"):
            self.refused_by_all(fabric(f"kind: custom, file: {name}") + TRAFFIC, [name])

    def test_program_files(self):
        os.mkdir(self.path("folder.csv"))
        self.write("config.yaml", FABRIC + "traffic: {program: p.csv}\n")
        head = "source,destination,bytes,step\n"
        for program, *says in (
                ("", "p.csv"),
                (bytes(range(256)) * 9, "p.csv"),
                ("a,b,c\n1,2,3\n", "p.csv:1:", "source"),
                ("source,destination,bytes\n0,1,64\n", "p.csv:1:", "step"),
                (head + "0,1\n", "p.csv:2:"),
                (head + "0,1,64,0,9\n", "p.csv:2:"),
                (head + "0,1,sixty,0\n", "p.csv:2:5", "sixty"),
                (head + "0,16,64,0\n", "p.csv:2:3", "16"),
                (head + "0,0,64,0\n", "p.csv:2:"),
                (head + "0,-1,64,0\n", "p.csv:2:3"),
                (head + "0,1,64,0\n0,1," + "9" * 30 + ",0\n", "p.csv:3:5")):
            with self.subTest(program=program[:60]):
                self.write("p.csv", program)
                self.refused("run", "config.yaml", says=says)
        drop = ("config.yaml", "--set", "traffic.self_messages=drop")
        self.write("p.csv", "src,dst,size,time_ns\n0,0,64,0\n0,1,64,0.5\n3,3,64,0\n")
        report = self.report("run", *drop)
        self.assertEqual((report["messages_dropped"], report["messages_delivered"]), (2, 1))
        for command in ("schedule", "check", "run"):
            self.assertIn("2 of nodes to themselves dropped", self.ok(command, *drop))
        for name in ("folder.csv", "nowhere.csv", "p.txt"):
            self.refused_by_all(FABRIC + f"traffic: {{program: {name}}}\n", [name],
                                TRAFFIC_COMMANDS)
        self.write("p.yaml", "transfers: [{source: 0, destination: 1, bytes: 64, step: 0")
        self.refused_by_all(FABRIC + "traffic: {program: p.yaml}\n", ["p.yaml:1:"],
                            TRAFFIC_COMMANDS)
        self.write("p.yaml", "transfers: [{source: 0, destination: 1, bytes: 64, stp: 0}]\n")
        self.refused_by_all(FABRIC + "traffic: {program: p.yaml}\n",
                            ["p.yaml:1:52", "did you mean"], TRAFFIC_COMMANDS)
        self.write("p.yaml", "transfers: " + "[" * 100000)
        self.refused_by_all(FABRIC + "traffic: {program: p.yaml}\n", ["p.yaml"], TRAFFIC_COMMANDS)

    def test_outputs_that_cannot_be_written(self):
        self.write("config.yaml", GOOD)
        self.write("file", "in the way")
        os.mkdir(self.path("folder.vcd"))
        os.symlink("loop", self.path("loop"))
        os.symlink("nowhere", self.path("nothing"))
        for arguments, *says in (
                (["--out", "file"], "--out file: error: is a file, not a folder (choose another"),
                (["--out", "loop"], "--out loop: error: cannot create the folder"),
                (["--out", "nothing"], "--out nothing: error: cannot create the folder"),
                (["--out", "nothing/below"], "--out nothing/below: error: cannot create the folder"),
                (["--out", ""], "--out needs a name"),
                (["--trace", ""], "--trace needs a name"),
                (["--out", "file/below"], "--out file/below: error: 'file' is a file, not a folder"),
                (["--out", "/proc/flitscope"], "--out /proc/flitscope"),
                (["--trace", "file/run.vcd"], "file/run.vcd"),
                (["--trace", "file/run.fst"], "file/run.fst"),
                (["--trace", "nowhere/run.vcd"], "nowhere/run.vcd", "folder"),
                (["--trace", "/proc/run.vcd"], "/proc/run.vcd"),
                (["--trace", "/proc/run.fst"], "/proc/run.fst"),
                (["--trace", "folder.vcd"], "folder.vcd"),
                (["--trace", "run.txt"], "run.txt", ".vcd", ".fst"),
                (["--trace", "run"], ".vcd", ".fst"),
                (["--trace", "run.vcd", "--set", "waveform.links=[0-9]"], "waveform.links", "0-1")):
            with self.subTest(arguments=arguments):
                self.refused("run", "config.yaml", *arguments, says=says)
                self.refused("run", "config.yaml", "--json", *arguments, says=says)
        for option in ("--rtl", "--systemc"):
            self.refused("export", "config.yaml", option, "nothing/below", says=["nothing/below"])
        for link in ("loop", "nothing"):
            self.assertTrue(os.path.islink(self.path(link)), "somebody's link is gone")

    def test_options_that_are_no_numbers(self):
        self.write("config.yaml", GOOD)
        for arguments, says in (
                (["find-schedule", "config.yaml", "--collective", "all_gather", "-o", "x.csv", "--time",
                  "nan"], "--time: Value nan is not a number"),
                (["synth", "config.yaml", "--period", "nan"], "--period: Value nan is not a number"),
                (["synth", "config.yaml", "--activity", "-nan"], "--activity: Value -nan is not a number"),
                (["synth", "config.yaml", "--period", "1e7"], "--period: Value 1e7 not in range"),
                (["synth", "config.yaml", "--period", "four"], "--period: Value four")):
            with self.subTest(arguments=arguments):
                self.refused(*arguments, says=[says])

    def test_a_weight_that_makes_sums_endless(self):
        self.write("config.yaml", GOOD)
        self.write("study.yaml", "base: config.yaml\nvary: {fabric.buffer_depth: [2, 3]}\n"
                   "measure: {a: {weight: 1e308}, b: {weight: 1, set: {seed: 2}}}\n"
                   "objectives: {min: [cycles]}\n")
        self.refused("explore", "study.yaml", "--db", "s.db", says=["study.yaml:3:23", "at most 1e+12"])

    def test_what_cannot_even_be_looked_at_is_refused(self):
        os.symlink("loop", self.path("loop"))
        self.write("config.yaml", GOOD)
        self.ok("run", "config.yaml", "--out", "out")
        os.remove(self.path("out", "steps.csv"))
        os.symlink("steps.csv", self.path("out", "steps.csv"))
        os.environ["FLITSCOPE_CACHE"] = self.path("loop/cache")
        self.addCleanup(os.environ.pop, "FLITSCOPE_CACHE")
        for arguments, says in (
                (["report", "loop/run", "-o", "page.html"], "loop/run: error: no such"),
                (["report", "out", "-o", "page.html"], "out/steps.csv: error: cannot be read"),
                (["explore", "front", "--db", "loop/x.db"], "--db loop/x.db: error: there is no"),
                (["explore", "show", "0", "--db", "loop/x.db"], "--db loop/x.db: error: there is no"),
                (["run", "config.yaml", "--trace", "loop/x.vcd"], "error: cannot write loop/x.vcd"),
                (["run", "config.yaml", "--set", "fabric.router={top: t, sources: [loop/t.sv]}"],
                 "there is no file")):
            with self.subTest(arguments=arguments):
                self.refused(*arguments, says=[says])
        # Nothing of the cache is known.
        done = self.call("run", "config.yaml", "--set", "fabric.router=rtl", "--set",
                         "fabric.buffer_depth=13")
        self.assertIn("cannot write", done.stderr)
        self.assertNotIn("filesystem error", done.stderr)

    def test_an_imported_trace_that_cannot_be_written(self):
        self.write("t.goal", "num_ranks 1\nrank 0 {\n}\n")
        os.mkdir(self.path("folder"))
        for name, *says in (("", "needs a name"), ("folder", "-o folder: error: a folder is in"),
                            ("nowhere/t.goal", "-o nowhere/t.goal", "does the folder exist")):
            self.refused("import", "t.goal", "-o", name, says=says)

    def test_trace_keys_that_cannot_be_met_are_refused_whether_a_trace_is_wanted_or_not(self):
        self.write("config.yaml", GOOD)
        for override, *says in (
                ("waveform.links=[0-9]", "waveform.links", "0-1"),
                ("waveform.links=[link_000_099]", "waveform.links", "link_000_099"),
                ("waveform.nodes=[16]", "waveform.nodes", "0 to 15"),
                ("waveform.dimensions=[2]", "waveform.dimensions", "dimension 2"),
                ("waveform.rtl_nodes=[16]", "waveform.rtl_nodes", "0 to 15"),
                ("waveform.rtl_nodes=[3]", "waveform.rtl_nodes", "the router of node 3 is not RTL")):
            for command in (["check"], ["run"], ["run", "--engine", "cycle"],
                            ["run", "--trace", "run.vcd"], ["verify"]):
                with self.subTest(override=override, command=command):
                    self.refused(command[0], "config.yaml", *command[1:], "--set", override,
                                 says=says)

    def test_a_refused_run_leaves_no_output_folder(self):
        self.write("config.yaml", GOOD)
        self.refused("run", "config.yaml", "--out", "out", "--trace", "nowhere/run.vcd")
        self.refused("run", "config.yaml", "--out", "out/deep", "--trace", "run.txt")
        self.refused("run", "config.yaml", "--out", "out", "--trace", "run.vcd", "--engine", "tlm",
                     "--set", "fabric.virtual_channels=2", says=["--engine cycle"])
        self.refused("run", "config.yaml", "--trace", "run.vcd", "--out", "config.yaml/out")

    def test_files_in_the_way_of_outputs_are_found_before_the_run(self):
        self.write("config.yaml", GOOD)
        os.makedirs(self.path("out", "links.csv"))
        self.refused("run", "config.yaml", "--out", "out", says=["links.csv"])
        os.mkdir(self.path("run.vcd.gtkw"))
        self.refused("run", "config.yaml", "--trace", "run.vcd", says=["run.vcd.gtkw"])

    def test_a_closed_standard_output_is_an_error(self):
        self.write("config.yaml", GOOD)
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([binary(), "run", self.path("config.yaml"), "--json"],
                                  stdout=full, stderr=subprocess.PIPE, timeout=TIMEOUT_S)
        self.assertEqual(done.returncode, EXIT_FAILED)
        self.assertIn(b"standard output", done.stderr)

    def test_large_but_legal_values_are_no_error(self):
        self.write("config.yaml", json.dumps({
            "fabric": {"topology": mesh(2, 2), "buffer_depth": 65536, "flit_bits": 1024,
                       "router_delay": 1024, "link_delay": 1024, "virtual_channels": 16},
            "node": {"send_overhead": 10**9, "recv_overhead": 10**9, "header_flits": 16},
            "traffic": {"schedule": "gen", "message_bytes": 64}, "seed": 2**64 - 1}))
        report = self.report("run", "config.yaml")
        self.assertEqual(report["messages_delivered"], 12)
        self.assertGreater(report["cycles"], 3 * 10**9 + 2 * 10**9)
        self.assertEqual(report["seed"], 2**64 - 1)


if __name__ == "__main__":
    main()
