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

    def test_what_one_command_refuses_all_refuse(self):
        """A finding of every kind; all of them are in models/config_keys_test.cpp and its neighbours."""
        for config, *says in (
                (fabric(more=", buffer_depth: many") + TRAFFIC, "config.yaml:1:", "buffer_depth", "many"),
                (fabric(more=", virtual_channels: 17") + TRAFFIC, "virtual_channels", "1 to 16"),
                (fabric("kind: mesh, dims: [4, 4], dimensions: 4") + TRAFFIC, "config.yaml:1:",
                 "key 'dimensions'", "only for topology kind 'hypercube'"),
                (FABRIC + GOOD, "config.yaml:2:1", "duplicate key 'fabric'"),
                (fabric(more=", bufer_depth: 4") + TRAFFIC,
                 "config.yaml:1:48: error: unknown key 'bufer_depth'", "did you mean 'buffer_depth'?")):
            with self.subTest(config=config):
                self.refused_by_all(config, says)
        self.refused_by_all(fabric("kind: mesh, dims: [3, 3]") + "traffic: {pattern: bit_reverse}\n",
                            ["config.yaml:2:", "power-of-two", "use uniform"], TRAFFIC_COMMANDS)
        self.ok("topology", "config.yaml")

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
                ("fabric.switching=vct", "that is 'virtual_cut_through' here"),
                ("fabric.buffer_depth=0", "buffer_depth", "1 to"),
                ("fabric.buffer_depth", "key=value"),
                ("=4", "key=value"),
                ("fabric..x=4", "empty part"),
                ("seed=[", "seed=["),
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
                ("nodes: 2\nlinks: [{from: 0, to: 1}]\n", "graph.yaml:2:", "reach"),
                ("nodes: 2\nlinks: [{from: 0, to: 1, lenght: 2}]\n", "did you mean 'length'"),
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
                (head + "0,1,sixty,0\n", "p.csv:2:5", "sixty"),
                (head + "0,16,64,0\n", "p.csv:2:3", "16"),
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
        self.write("p.yaml", "transfers: [{source: 0, destination: 1, bytes: 64, stp: 0}]\n")
        self.refused_by_all(FABRIC + "traffic: {program: p.yaml}\n",
                            ["p.yaml:1:52", "did you mean"], TRAFFIC_COMMANDS)
        self.write("p.yaml", "transfers: " + "[" * 100000)
        self.refused_by_all(FABRIC + "traffic: {program: p.yaml}\n", ["p.yaml"], TRAFFIC_COMMANDS)

    def test_outputs_that_cannot_be_written(self):
        self.write("config.yaml", GOOD)
        self.write("file", "in the way")
        os.mkdir(self.path("folder.vcd"))
        for arguments, *says in (
                (["--out", "file"], "--out file: error: is a file, not a folder (choose another"),
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
            self.refused("export", "config.yaml", option, "file/below", says=["file/below"])

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
