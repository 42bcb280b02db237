# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The Python package gives what the program prints, as frames, and what goes wrong as exceptions."""
import io
import json
import os
import pathlib
import pty
import select
import stat
import sys
import time

from package_cli import (CONFIGS, PACKAGE, POLL_S, ROOT, TIMEOUT_S, PackageTest, binary, main, mesh,
                         needs_figures, needs_package)

try:
    import pandas
    import flitscope
except ImportError:  # needs_package says so
    pass

EXCHANGE = {"fabric": {"topology": mesh(4, 4)}, "traffic": {"schedule": "pex", "message_bytes": 64}}
UNIFORM = {"fabric": {"topology": mesh(2, 2)}, "steady": {"half_width": 0.2},
           "traffic": {"pattern": "uniform", "injection_rate": 0.1, "message_bytes": 16}}
# Far more cycles than any machine simulates while the test waits.
ENDLESS = {"fabric": {"topology": mesh(4, 4)}, "limits": {"max_cycles": 10**12},
           "traffic": {"pattern": "uniform", "injection_rate": 0.1, "message_bytes": 64, "measure_cycles": 10**9}}
WALL_CLOCK = ("wall_seconds", "flit_hops_per_second", "search_seconds", "simulation_seconds", "files", "memory_bytes",
              "program", "version")


def comparable(result):
    data = getattr(result, "data", result)
    return {key: value for key, value in data.items() if key not in WALL_CLOCK}


@needs_package
class Results(PackageTest):
    def assert_printed(self, result, *arguments):
        self.assertEqual(comparable(result), comparable(self.report(*arguments)))

    def test_a_run_is_the_same_from_a_dict_a_config_and_a_file(self):
        self.write("exchange.yaml", json.dumps(EXCHANGE))
        printed = self.report("run", "exchange.yaml", "--out", "out", "--messages")
        for config in (EXCHANGE, flitscope.Config(EXCHANGE), "exchange.yaml", pathlib.Path("exchange.yaml")):
            run = flitscope.run(config, messages=True)
            self.assertEqual(comparable(run), comparable(printed))
            self.assertEqual(sorted(run.tables), ["links", "messages", "nodes", "steps"])
            for name, table in run.tables.items():
                pandas.testing.assert_frame_equal(table, pandas.read_csv(f"out/{name}.csv"))
        self.assertEqual(run.cycles, printed["cycles"])
        self.assertEqual(run["latency.mean"], printed["latency"]["mean"])
        self.assertIn("latency.mean", run)
        self.assertNotIn("latency.cause", run)
        with self.assertRaisesRegex(KeyError, "no table of ranks, but of links, messages, nodes, steps"):
            _ = run.ranks
        pandas.testing.assert_frame_equal(flitscope.Run.load("out").links, run.links)

    def test_files_stay_where_they_are_wanted(self):
        run = flitscope.run(EXCHANGE, out="kept", trace="links.vcd")
        self.assertEqual(run.folder, pathlib.Path("kept"))
        self.assertLessEqual({"kept/summary.json", "kept/config.yaml", "links.vcd"}, self.everything())
        before = self.everything()
        self.assertIsNone(flitscope.run(EXCHANGE).folder)
        self.assertEqual(self.everything(), before)

    def test_overrides_are_those_of_set(self):
        config = flitscope.Config(EXCHANGE).override({"fabric.buffer_depth": 2})
        self.write("exchange.yaml", json.dumps(EXCHANGE))
        words = ("--set", "fabric.buffer_depth=2", "--set", "traffic.message_bytes=128")
        self.assert_printed(flitscope.run(config, {"traffic.message_bytes": 128}), "run", "exchange.yaml", *words)
        self.assertEqual(config.source, EXCHANGE)
        # An override replaces what contradicts it in a dict as in a file.
        budget = {"traffic.message_bytes": 128, "fabric.pin_budget": 512}
        narrow = {**EXCHANGE, "fabric": {**EXCHANGE["fabric"], "flit_bits": 16}}
        self.write("narrow.yaml", json.dumps(narrow))
        self.assertEqual(flitscope.run(narrow, budget)["flit_bits"], 128)
        self.assertEqual(flitscope.run("narrow.yaml", budget)["flit_bits"], 128)
        steady = flitscope.Config(UNIFORM, {"steady": None, "traffic.measure_cycles": 500})
        self.assertNotIn("steady", flitscope.run(steady))

    def test_values_of_other_types_become_plain_ones(self):
        numbers = pandas.Series([2, 3])
        run = flitscope.run({"fabric": {"topology": {"kind": "mesh", "dims": numbers}, "buffer_depth": numbers[1]},
                             "traffic": {"schedule": "gen"}, "seed": numbers.max()})
        self.assertEqual((run["nodes"], run["seed"]), (6, 3))
        for wrong in (float("nan"), object()):
            with self.assertRaises((TypeError, ValueError)):
                flitscope.run(EXCHANGE, {"seed": wrong})

    def test_names_of_files_begin_where_they_are_written(self):
        self.write("there/two.csv", "source,destination,bytes,step\n0,1,64,0\n")
        self.write("there/two.yaml", json.dumps({**EXCHANGE, "traffic": {"program": "two.csv"}}))
        in_dict = {**EXCHANGE, "traffic": {"program": "there/two.csv"}}
        for config, overrides in (("there/two.yaml", {}), (in_dict, {}),
                                  (EXCHANGE, {"traffic": {"program": pathlib.Path("there/two.csv")}})):
            self.assertEqual(flitscope.run(config, overrides)["messages_expected"], 1)
        study = {"base": in_dict, "objectives": {"min": ["time_ns"]},
                 "vary": {"traffic.program": ["there/two.csv"], "fabric.buffer_depth": [2, 4]}}
        self.assertEqual(flitscope.explore(study)["simulated"], 2)
        with self.assertRaises(flitscope.ConfigError) as caught:
            flitscope.run({**EXCHANGE, "traffic": {"program": "two.csv"}})
        self.assertIn("no such program file", str(caught.exception))

    def test_each_command_gives_what_it_prints(self):
        self.write("exchange.yaml", json.dumps(EXCHANGE))
        self.write("uniform.yaml", json.dumps(UNIFORM))
        self.assert_printed(flitscope.check(EXCHANGE), "check", "exchange.yaml")
        curve = flitscope.curve(UNIFORM, rates=[0.1, 0.2], replications=2)
        self.assert_printed(curve, "curve", "uniform.yaml", "--rates", "0.1,0.2", "--replications", 2)
        self.assertEqual(list(curve.points.rate), [0.1, 0.2])
        self.assertEqual(curve.points["latency.mean"][1], curve["points"][1]["latency"]["mean"])
        saturation = flitscope.saturate(UNIFORM, quick=True)
        self.assert_printed(saturation, "saturate", "uniform.yaml", "--quick")
        self.assertTrue(saturation["saturation.lower"] <= saturation.saturation <= saturation["saturation.upper"])
        self.assertTrue(saturation.points.rate.is_monotonic_increasing)
        why = flitscope.explain(EXCHANGE, tries=1)
        self.assert_printed(why, "explain", "exchange.yaml", "--try", 1)
        self.assertEqual(why.causes.sum(), why["cycles"])
        self.assertEqual((why.path["to"] - why.path["from"]).sum(), why["cycles"])
        self.assertEqual(why.what_if.measured_cycles.notna().sum(), 1)
        self.assertEqual(why.channels["causes.serialization"][0], why["channels"][0]["causes"]["serialization"])
        found = flitscope.find_schedule(EXCHANGE, "all_gather", output="found.csv")
        self.assert_printed(found, "find-schedule", "exchange.yaml", "--collective", "all_gather", "-o", "f.csv")
        pandas.testing.assert_frame_equal(found.messages, pandas.read_csv("found.csv"))
        self.assertEqual(flitscope.keys("fabric.topology.dims"), self.ok("keys", "fabric.topology.dims"))

    def test_a_topology_has_its_graph(self):
        self.write("exchange.yaml", json.dumps(EXCHANGE))
        network = flitscope.topology(EXCHANGE)
        self.assert_printed(network, "topology", "exchange.yaml")
        self.assertEqual(len(network.links), network["links"])
        self.assertEqual(network.positions.iloc[6].tolist(), [1, 2])

    def test_a_trace_has_ranks(self):
        run = flitscope.run(CONFIGS / "fat_tree_8_goal.yaml")
        self.assertEqual(run.ranks.end_ns.max(), run["trace.end_ns"])

    def test_a_study_of_a_few_lines_is_that_of_its_file(self):
        study = {
            "base": {"fabric": {"topology": {"kind": "mesh", "dims": [4, 4]}, "flit_bits": 64},
                     "traffic": {"schedule": "pex", "message_bytes": 256}},
            "vary": {
                "fabric.topology": {"mesh": {"kind": "mesh", "dims": [4, 4]},
                                    "cube": {"kind": "hypercube", "dimensions": 4}},
                "fabric.buffer_depth": [2, 4, 8],
                "traffic.schedule": ["pex", "gen"],
            },
            "equal_cost": {"fabric.pin_budget": 256},
            "objectives": {"min": ["time_ns", "buffer_bits"]},
        }
        found = flitscope.explore(study, name="sixteen", jobs=1)
        self.write("base.yaml", json.dumps(study["base"]))
        self.write("sixteen.yaml", json.dumps({**study, "base": "base.yaml"}))
        printed = self.report("explore", "sixteen.yaml", "--db", "sixteen.db", "--jobs", 1)
        self.assertEqual(comparable(found), comparable(printed))
        points = pandas.read_csv(io.StringIO(self.ok("explore", "export", "--db", "sixteen.db")))
        pandas.testing.assert_frame_equal(found.points, points)
        self.assertEqual(len(points), 12)
        self.assertEqual(list(found.front.digest), [design["digest"] for design in printed["front"]])
        for same, name in (("sixteen.yaml", None), (study, "sixteen"), (study, "sixteen")):
            again = flitscope.explore(same, name=name, db="sixteen.db")
            self.assertEqual((again["study"], again["simulated"]), ("sixteen", 0))
        pandas.testing.assert_frame_equal(again.points, points)


@needs_package
class Errors(PackageTest):
    def error(self, config, overrides=None, kind=None):
        with self.assertRaises(kind or flitscope.ConfigError) as caught:
            flitscope.run(config, overrides)
        return caught.exception

    def test_a_wrong_configuration_has_file_line_and_key(self):
        self.write("bad.yaml", "fabric:\n  topology: {kind: mesh, dims: [4, 4]}\n  virtual_channels: 99\n"
                   "traffic: {patern: uniform}\n")
        error = self.error("bad.yaml")
        self.assertEqual((error.file, error.line, error.key), ("bad.yaml", 3, "fabric.virtual_channels"))
        self.assertIn("from 1 to 16", error.message)
        self.assertEqual([finding.line for finding in error.findings][:2], [3, 4])
        self.assertIn("\nbad.yaml:4:11: ", str(error))
        self.assertEqual(str(error.findings[-1]),
                         "bad.yaml:4:11: unknown key 'patern' (did you mean 'pattern'?)")

    def test_one_in_a_dict_or_an_override_has_a_key_and_no_file(self):
        wrong = {**EXCHANGE, "fabric": {**EXCHANGE["fabric"], "bufer_depth": 3}}
        error = self.error(wrong)
        self.assertEqual((error.file, error.line, error.key), (None, None, "bufer_depth"))
        error = self.error(EXCHANGE, {"fabric.bufer_depth": 3})
        self.assertEqual((error.file, error.line, error.key), (None, None, "fabric.bufer_depth"))
        self.assertEqual(error.findings[0].remedy, "did you mean 'fabric.buffer_depth'?")
        self.assertEqual(self.error({}).file, None)
        self.assertEqual(self.error("nowhere.yaml").file, "nowhere.yaml")
        with self.assertRaisesRegex(flitscope.ConfigError, "engine"):
            flitscope.run(EXCHANGE, engine="warp")
        with self.assertRaisesRegex(flitscope.FlitscopeError, "nonsense"):
            flitscope.keys("nonsense")
        with self.assertRaisesRegex(KeyError, "base"):
            flitscope.explore({"vary": {}})

    def test_a_deadlock_has_its_run(self):
        error = self.error(CONFIGS / "ring_4_deadlock.yaml", kind=flitscope.RunFailed)
        self.assertEqual((error.exit_code, error.result["status"]), (3, "deadlock"))
        self.assertIn("waits for link_001_002", str(error))
        self.assertEqual(len(error.result.links), 4)
        with self.assertRaises(flitscope.RunFailed) as caught:
            flitscope.curve(UNIFORM, {"limits.max_cycles": 50}, rates=[0.1])
        self.assertEqual(len(caught.exception.result.points), 1)

    def test_a_program_that_is_missing_or_another_one_is_named_with_the_remedy(self):
        def program(name, text):
            self.write(name, text)
            os.chmod(self.path(name), stat.S_IRWXU)
            return self.path(name)
        os.environ["FLITSCOPE"] = self.path("nothing")
        self.assertIn("environment variable FLITSCOPE", str(self.error(EXCHANGE, kind=flitscope.ProgramError)))
        old = program("old", "#!/bin/sh\necho flitscope 0.0.1, model 1\n")
        with self.assertRaisesRegex(flitscope.ProgramError, r"is flitscope 0\.0\.1, this Python package is for"):
            flitscope.run(EXCHANGE, program=old)
        with self.assertRaisesRegex(flitscope.ProgramError, "is not flitscope"):
            flitscope.run(EXCHANGE, program=program("other", "#!/bin/sh\n"))
        with self.assertRaisesRegex(flitscope.ProgramError, "cannot be run"):
            flitscope.run(EXCHANGE, program=program("broken", "#!/nowhere/sh\n"))
        self.assertEqual(flitscope.find_program(binary()), binary())
        os.environ["FLITSCOPE"] = ""
        os.symlink(binary(), self.path("flitscope"))
        path = os.environ["PATH"]
        self.addCleanup(os.environ.update, {"PATH": path})
        os.environ["PATH"] = f"{self.folder}:{path}"
        self.assertEqual(flitscope.find_program(), self.path("flitscope"))
        os.environ["PATH"] = self.path("empty")
        if (ROOT / "build/release/flitscope").exists():
            self.assertEqual(flitscope.find_program(), str(ROOT / "build/release/flitscope"))

    def test_the_version_is_the_one_of_the_program(self):
        self.assertEqual(f"flitscope {flitscope.__version__}", self.ok("--version").split(",")[0])


@needs_package
class Terminals(PackageTest):
    # What is left of an interrupted run.
    SCRIPT = ("import flitscope, json, sys\nprint('begun', flush=True)\n"
              "try: flitscope.run(json.loads(sys.argv[1]), out='kept')\n"
              "except flitscope.Interrupted as end: print(end.result['status'], len(end.result.links))\n")

    def test_ctrl_c_in_a_terminal_keeps_what_was_written_and_progress_is_shown(self):
        process, terminal = pty.fork()
        if process == 0:
            os.environ.update(PYTHONPATH=str(PACKAGE))
            os.execv(sys.executable, [sys.executable, "-B", "-c", self.SCRIPT, json.dumps(ENDLESS)])
        self.addCleanup(os.close, terminal)
        said = self.read_until(terminal, "messages")
        self.assertRegex(said, r"\r\x1b\[K +[\d.]+ %  cycle \d+")
        os.write(terminal, b"\x03")
        self.assertIn("interrupted 48", self.read_until(terminal, "interrupted 48"))
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), 0)
        self.assertEqual(json.loads(self.read("kept", "summary.json"))["status"], "interrupted")
        self.assertFalse([name for name in self.everything() if "partial" in name])

    def read_until(self, terminal, words):
        said, deadline = "", time.monotonic() + TIMEOUT_S
        while words not in said and time.monotonic() < deadline:
            if select.select([terminal], [], [], POLL_S)[0]:
                try:
                    said += os.read(terminal, 1 << 16).decode(errors="replace")
                except OSError:  # the other end is closed
                    break
        self.assertIn(words, said)
        return said

    SEARCH = """import flitscope, os, signal, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)
flitscope.find_program()  # which calls it
def interrupt():
    while not open(f"/proc/self/task/{os.getpid()}/children").read():
        time.sleep(0.02)
    time.sleep(1)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    flitscope.find_schedule({"fabric": {"topology": {"kind": "mesh", "dims": [6, 6]}}}, "all_to_all",
                            message_bytes=4096, time=1000)
except flitscope.Interrupted as end:
    print("ended", end.result, [name for name in os.listdir() if "flitscope" in name])
"""

    def test_a_search_that_is_interrupted_has_no_result_and_leaves_no_file(self):
        done = self.python("-c", self.SEARCH)
        self.assertEqual((done.returncode, done.stdout), (0, "ended None []\n"), done.stderr)

    def test_notes_are_passed_on_and_errors_are_not(self):
        fabric = {"fabric": {"topology": mesh(2, 2)}, "traffic": EXCHANGE["traffic"]}
        script = "import flitscope, json, sys\nflitscope.run(json.loads(sys.argv[1]), trace='a.vcd')\n"
        done = self.python("-c", script, json.dumps({**fabric, "waveform": {"from": 10**6}}))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note: the waveform shows nothing", done.stderr)
        done = self.python("-c", script, json.dumps({**fabric, "limits": {"max_cycles": 3}}))
        self.assertEqual(done.stderr.count("timeout"), 1, done.stderr)


@needs_figures
class Figures(PackageTest):
    def test_each_figure_shows_its_result_with_units(self):
        from flitscope import figures
        run, network = flitscope.run(EXCHANGE), flitscope.topology(EXCHANGE)
        drawn = figures.network(network, run)
        self.assertEqual(len(drawn.collections[0].get_segments()), 48)
        figures.network(network)
        crossbar = CONFIGS / "fat_tree_8_goal.yaml"  # without a link
        figures.network(flitscope.topology(crossbar), flitscope.run(crossbar))
        figures.links(flitscope.run(crossbar))
        drawn = figures.links(run, most=5)
        self.assertEqual(len(drawn.get_yticklabels()), 5)
        curves = {"mesh": flitscope.curve(UNIFORM, rates=[0.1, 0.2])}
        drawn = figures.latency(curves)
        self.assertEqual((drawn.get_xlabel(), drawn.get_ylabel()),
                         ("accepted (flits per node and cycle)", "mean latency (cycles)"))
        self.assertEqual(drawn.get_legend_handles_labels()[1], ["mesh"])
        self.assertEqual(list(drawn.lines[0].get_xdata()), list(curves["mesh"].points.accepted))
        why = flitscope.explain(EXCHANGE)
        drawn = figures.causes({"one": why, "two": why})
        self.assertEqual(sum(bar.get_width() for bar in drawn.patches), 2 * why["cycles"])
        figures.ranks(flitscope.run(CONFIGS / "fat_tree_8_goal.yaml"))
        study = {"base": EXCHANGE, "vary": {"fabric.buffer_depth": [2, 8]},
                 "objectives": {"min": ["time_ns", "buffer_bits"]}}
        drawn = figures.front(flitscope.explore(study), "buffer_bits", "time_ns", label="fabric.buffer_depth")
        self.assertEqual([text.get_text() for text in drawn.texts], ["2", "8"])
        drawn.figure.savefig("front.png")
        self.assertGreater(os.path.getsize("front.png"), 1000)


if __name__ == "__main__":
    main()
