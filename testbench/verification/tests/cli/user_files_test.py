# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Every command that writes files: nothing takes the place of what was read, what cannot be written is said
before anything is done, and a file that has its name is whole, whatever ended the command."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
from unittest import mock

from flitscope_cli import (CliTest, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE, TIMEOUT_S, binary,
                           machine, main, mesh)
from waveform import check_vcd

GEN = {"schedule": "gen", "message_bytes": 8}
GRAPH = "from,to\n0,1\n1,0\n1,2\n2,1\n"
FILES = {
    "c.yaml": machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 64}),
    "r.yaml": machine(mesh(2, 2), GEN, fabric={"buffer_depth": 4}),
    "s.yaml": machine(mesh(2, 2), {"pattern": "uniform", "message_bytes": 64}, steady={"half_width": 0.2}),
    "study.yaml": '{"base": "c.yaml", "objectives": {"min": ["cycles", "pins"]},'
                  ' "vary": {"fabric.buffer_depth": [2, 4]}}',
    "t.goal": "num_ranks 2\nrank 0 {\n" + "send 8b to 1\n" * 3000 + "}\nrank 1 {\n" +
              "recv 8b from 0\n" * 3000 + "}\n",
}
# Files that they write, in the folder `o`; the first is the name on the command line.
WRITERS = {
    "find-schedule": (["find-schedule", "c.yaml", "--collective", "all_to_all", "--time", "0.1", "-o"],
                      ["found.csv"]),
    "export --rtl": (["export", "r.yaml", "--rtl"], ["rtl"]),
    "export --systemc": (["export", "c.yaml", "--systemc"], ["program"]),
    "topology --export": (["topology", "c.yaml", "--export"], ["net.yaml"]),
    "topology --draw": (["topology", "c.yaml", "--draw"], ["net.svg"]),
    "import": (["import", "t.goal", "-o"], ["again.goal"]),
    "report": (["report", "c.yaml", "-o"], ["page.html"]),
    "curve": (["curve", "s.yaml", "--rates", "0.1", "--plot"],
              ["load.svg", "load.csv", "load_accepted.svg", "load_accepted.csv"]),
    "run --trace": (["run", "c.yaml", "--trace"], ["run.vcd", "run.vcd.gtkw", "run.vcd.owners"]),
}
RUN_FILES = ("config.yaml", "links.csv", "messages.csv", "nodes.csv", "steps.csv", "summary.json")
ODD_NAMES = ("with a blank", "quote'\"s", "a`b$c;d")
ADD_LINKS = pathlib.Path(__file__).parents[3] / "app" / "study" / "add_links.py"


class UserFiles(CliTest):
    def setUp(self):
        super().setUp()
        for name, text in FILES.items():
            self.write(name, text)

    def contents(self):
        return {name: self.read(name) for name in self.everything() if os.path.isfile(self.path(name))}

    def refused(self, *arguments, says=()):
        """One message, exit code 2, and the folder as it was."""
        before = self.contents()
        error = super().refused(*arguments, says=says)
        self.assertEqual(len(error.splitlines()), 1, error)
        self.assertEqual(self.contents(), before)

    def arguments(self, command):
        words, names = WRITERS[command]
        return [*words, "o/" + names[0]]

    def new_folder(self):
        shutil.rmtree(self.path("o"), ignore_errors=True)
        os.mkdir(self.path("o"))

    def left(self):
        return {name for name in self.everything() if name.startswith("o/")} - {"o/ballast"}

    def clear(self):
        for name in os.listdir(self.path("o")):
            path = self.path("o", name)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)

    def fill(self, disk_bytes, room_bytes=0):
        self.write("o/ballast", bytes(disk_bytes - room_bytes))

    def add_links(self, *arguments):
        return subprocess.run([sys.executable, "-B", str(ADD_LINKS), binary(), *arguments], text=True,
                              capture_output=True, cwd=self.folder, timeout=TIMEOUT_S, check=False)

    # ---- What was read --------------------------------------------------------------------------

    def test_a_run_does_not_replace_what_it_has_read(self):
        self.write("config.yaml", machine(mesh(2, 2), GEN))
        self.refused("run", "config.yaml", "--out", ".",
                     says=["--out .: error: ", "config.yaml has been read", "(choose another"])
        os.mkdir(self.path("sub"))
        self.refused("run", "sub/../config.yaml", "--out", self.folder, says=["config.yaml"])
        os.symlink("../config.yaml", self.path("sub", "config.yaml"))
        self.refused("run", "config.yaml", "--out", "sub", says=["config.yaml"])
        self.write("steps.csv", "source,destination,bytes,step\n0,1,8,0\n")
        self.write("a.yaml", machine(mesh(2, 2), {"program": "steps.csv"}))
        self.refused("run", "a.yaml", "--out", ".", says=["steps.csv has been read"])
        self.write("links.csv", GRAPH)
        self.write("b.yaml", machine({"kind": "custom", "file": "links.csv"}, GEN))
        self.refused("run", "b.yaml", "--out", ".", says=["links.csv has been read"])
        for trace in ("run.vcd", "run.vcd.gtkw"):
            self.write(trace, machine(mesh(2, 2), GEN))
            self.refused("run", trace, "--trace", "run.vcd", says=[trace + " has been read"])

    def test_nor_does_any_other_command(self):
        self.write("page.html", FILES["c.yaml"])
        self.refused("report", "page.html", "-o", "page.html", says=["-o page.html", "has been read"])
        self.write("graph.csv", GRAPH)
        self.write("graph.yaml", "nodes: 2\nlinks: [{from: 0, to: 1, both: true}]\n")
        for name in ("graph.csv", "graph.yaml"):
            self.write("custom.yaml", machine({"kind": "custom", "file": name}, GEN))
            if name == "graph.csv":
                self.refused("find-schedule", "custom.yaml", "--collective", "all_to_all", "-o", name,
                             says=["-o graph.csv", "has been read"])
            else:
                self.refused("topology", "custom.yaml", "--export", name, says=["--export", "has been read"])
            done = self.add_links("custom.yaml", "--links", "1", "-o", name)
            self.assertEqual(done.returncode, EXIT_USAGE, done.stderr)
        self.write("load.csv", "0,1,1,1\n1,0,1,1\n1,1,0,1\n1,1,1,0\n")
        self.write("steady.yaml", machine(mesh(2, 2), {"pattern": "matrix", "matrix": "load.csv",
                                                       "message_bytes": 64}, steady={}))
        self.refused("curve", "steady.yaml", "--rates", "0.1", "--plot", "load.svg",
                     says=["--plot load.svg", "load.csv has been read"])

    def test_nor_are_databases_replaced(self):
        for name in ("page.html", "front.csv"):
            self.ok("explore", "study.yaml", "--db", name)
        self.refused("report", "page.html", "-o", "page.html", says=["page.html has been read"])
        self.refused("explore", "front", "--db", "front.csv", "--plot", "front.svg",
                     says=["front.csv has been read"])
        self.refused("explore", "study.yaml", "--db", "c.yaml", says=["c.yaml: error: is not a database"])

    def test_a_waveform_has_no_name_of_the_files_beside_it(self):
        for trace in ("out/summary.json", "./out/../out/summary.json"):
            self.refused("run", "c.yaml", "--trace", trace, "--out", "out",
                         says=[f"--trace {trace}", "summary.json is a file that --out writes"])
        self.ok("run", "c.yaml", "--trace", "out/trace.json", "--out", "out")

    # ---- What is in the way ---------------------------------------------------------------------

    def test_a_folder_in_the_place_of_a_file_is_refused_before_anything_is_done(self):
        for command, (_, names) in WRITERS.items():
            for name in names:
                self.new_folder()
                self.write(f"o/{name}/full", "mine")
                with self.subTest(command=command, name=name):
                    self.refused(*self.arguments(command), says=["o/"])
        for name in RUN_FILES:
            self.new_folder()
            os.mkdir(self.path("o", name))
            self.refused("run", "c.yaml", "--out", "o", says=["--out o: error: a folder is in the way"])
        self.refused("explore", "study.yaml", "--db", "o", says=["is a folder"])
        self.new_folder()
        self.write("o/runs", "mine")
        done = self.call("reproduce", "boppana", "--out", "o")
        self.assertEqual(done.returncode, EXIT_USAGE, done.stderr)
        self.assertIn("o/runs: error: cannot create", done.stderr)

    def test_what_is_written_protected_or_for_another_place_is_refused(self):
        for command in WRITERS:
            if "export --" in command:
                continue  # they make the folders that are missing
            words = self.arguments(command)
            self.refused(*words[:-1], "no/such/" + words[-1], says=["no/such/"])
        # Before a search that may take long.
        self.write("large.yaml", machine(mesh(64, 64), GEN))
        self.refused("find-schedule", "large.yaml", "--collective", "all_to_all", "-o", "no/such.csv",
                     says=["cannot write no/such.csv"])

    def test_files_of_others_beside_the_outputs_stay_as_they_are(self):
        for name in (".flitscope", "links.csv.partial", "run.vcd.partial", "notes"):
            self.write("out/" + name, "mine")
        self.ok("run", "c.yaml", "--out", "out", "--trace", "out/run.vcd")
        for name in (".flitscope", "links.csv.partial", "run.vcd.partial", "notes"):
            self.assertEqual(self.read("out", name), b"mine")

    # ---- Whole or not at all --------------------------------------------------------------------

    def test_a_full_disk_is_named_and_keeps_nothing_that_is_not_whole(self):
        self.mount_small_disk("o", "64k")
        self.fill(64 << 10, 4 << 10)
        for command, (_, names) in WRITERS.items():
            with self.subTest(command=command):
                done = self.call(*self.arguments(command))
                left = set(os.listdir(self.path("o"))) - {"ballast"}
                self.assertLessEqual(left, set(names))
                if done.returncode != EXIT_OK:
                    self.assertIn(done.returncode, (EXIT_FAILED, EXIT_USAGE))
                    self.assertIn("No space left on device", done.stderr)
                    self.assertEqual(done.stderr.count("error: "), 1, done.stderr)
                for name in left:
                    os.remove(self.path("o", name))
        self.clear()
        for arguments, room in ((["run", "c.yaml", "--out", "o"], 0),
                                (["explore", "study.yaml", "--db", "o/s.db"], 40 << 10)):
            self.fill(64 << 10, room)
            with self.subTest(arguments=arguments):
                done = self.call(*arguments)
                self.assertIn(done.returncode, (EXIT_FAILED, EXIT_USAGE), done.stderr)
                self.assertRegex(done.stderr, "No space left on device|disk is full")
                self.assertEqual([n for n in self.everything() if n.endswith(".partial")], [])
            self.clear()
        self.write("g.yaml", machine({"kind": "custom", "file": "g.csv"}, GEN))
        self.write("g.csv", GRAPH)
        self.fill(64 << 10)
        done = self.add_links("g.yaml", "--links", "1", "-o", "o/new.yaml")
        self.assertEqual(done.returncode, EXIT_FAILED, done.stderr)
        self.assertIn("cannot write o/new.yaml: No space left on device", done.stderr)
        self.assertEqual(self.left(), set())

    def test_a_full_folder_of_temporary_files_is_named(self):
        self.mount_small_disk("o", "2M")
        ring = "".join(f"rank {rank} {{\n" + f"send 8b to {(rank + 1) % 4}\n" * 50000 +
                       f"recv 8b from {(rank + 3) % 4}\n" * 50000 + "}\n" for rank in range(4))
        self.write("ring.goal", "num_ranks 4\n" + ring)
        self.write("t.yaml", machine(mesh(2, 2), {"trace": {"file": "ring.goal"}}))
        for arguments, ballast in ((["run", "t.yaml", "--out", "out"], 0),
                                   (["topology", "c.yaml", "--draw", "net.svg"], 2 << 20)):
            self.fill(ballast)
            with mock.patch.dict(os.environ, TMPDIR=self.path("o")):
                done = self.call(*arguments)
            self.assertEqual(done.returncode, EXIT_FAILED, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            for text in (self.path("o"), "No space left", "TMPDIR"):
                self.assertIn(text, done.stderr)
            self.assertEqual(self.left(), set())
            self.assertFalse(os.path.exists(self.path("out")))

    def test_an_interrupt_leaves_nothing_that_is_not_whole(self):
        for command, (_, names) in WRITERS.items():
            self.new_folder()
            begin = time.monotonic()
            self.ok(*self.arguments(command))
            takes = time.monotonic() - begin
            whole = self.left()
            for number, moment in ((signal.SIGINT, 0.3), (signal.SIGTERM, 0.7)):
                self.new_folder()
                process = self.start(*self.arguments(command), stderr=subprocess.PIPE)
                time.sleep(takes * moment)
                process.send_signal(number)
                with self.subTest(command=command, signal=number):
                    error = process.communicate(timeout=TIMEOUT_S)[1].decode()
                    self.assertIn(process.returncode, (EXIT_OK, EXIT_INTERRUPTED, -number), error)
                    self.assertLessEqual(self.left(), whole)
                    if "export --" in command and "o/" + names[0] in self.left():
                        self.assertEqual(self.left(), whole)

    def test_a_search_for_links_ends_with_a_signal(self):
        self.write("wide.yaml", machine(mesh(4, 4), GEN))
        process = subprocess.Popen([sys.executable, "-B", str(ADD_LINKS), binary(), "wide.yaml", "--links",
                                    "50", "-o", "new.yaml"], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        self.assertIn("link", process.stdout.readline())
        process.send_signal(signal.SIGTERM)
        error = process.communicate(timeout=TIMEOUT_S)[1]
        self.assertEqual((process.returncode, error), (EXIT_INTERRUPTED, "error: interrupted\n"))
        self.assertEqual(self.everything(), {*FILES, "wide.yaml"})

    def test_a_killed_run_leaves_no_half_file_under_its_name(self):
        self.write("endless.yaml", machine(
            mesh(4, 4), {"pattern": "uniform", "injection_rate": 0.1, "message_bytes": 64,
                         "measure_cycles": 10**9}, limits={"max_cycles": 10**12}))
        for number, code in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGTERM, EXIT_INTERRUPTED)):
            self.new_folder()
            process = self.start("run", "endless.yaml", "--engine", "cycle", "--out", "o/out", "--trace",
                                 "o/run.vcd", stderr=subprocess.PIPE)

            def has_written():
                self.assertFalse(os.path.exists(self.path("o/run.vcd")), "has its name too early")
                # Files that only try the folder may be gone again.
                return any(re.fullmatch(r"run\.vcd\.\w+\.partial", entry.name)
                           and entry.stat().st_size > 50000 for entry in os.scandir(self.path("o")))
            self.wait_until(has_written, "the run never started", process)
            process.send_signal(number)
            error = process.communicate(timeout=TIMEOUT_S)[1].decode()
            self.assertEqual(process.returncode, code, error)
            if number == signal.SIGKILL:
                self.assertFalse(os.path.exists(self.path("o/run.vcd")))
                self.assertFalse(os.path.exists(self.path("o/out/summary.json")))
            else:
                check_vcd(self, self.read("o/run.vcd").decode())
                self.assertEqual(json.loads(self.read("o/out/summary.json"))["status"], "interrupted")

    def test_what_nobody_can_read_is_an_error(self):
        for arguments in (["check", "c.yaml", "--json"], ["explain", "c.yaml"],
                          ["curve", "s.yaml", "--rates", "0.1", "--csv"]):
            with open("/dev/full", "w", encoding="ascii") as full:
                done = subprocess.run([binary(), *arguments], cwd=self.folder, stdout=full,
                                      stderr=subprocess.PIPE, timeout=TIMEOUT_S, check=False)
            self.assertEqual(done.returncode, EXIT_FAILED, done.stderr)
            self.assertIn(b"cannot write to standard output", done.stderr)

    # ---- Several processes ----------------------------------------------------------------------

    def test_files_of_two_runs_into_one_folder_do_not_mix(self):
        self.write("a.yaml", machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 8}))
        self.write("b.yaml", machine(mesh(4, 4), {"schedule": "gen", "message_bytes": 64}))
        running = [self.start("run", config, "--out", "out", "--json", stderr=subprocess.PIPE)
                   for config in ("a.yaml", "b.yaml", "a.yaml", "b.yaml")]
        for process in running:
            error = process.communicate(timeout=TIMEOUT_S)[1].decode()
            self.assertEqual(process.returncode, EXIT_OK, error)
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         ["config.yaml", "links.csv", "nodes.csv", "steps.csv", "summary.json"])
        summary = json.loads(self.read("out", "summary.json"))
        hops = sum(int(row["flits"]) for row in self.read_csv("out", "links.csv"))
        self.assertEqual(hops, summary["flit_hops"])
        self.assertIn(summary["schedule"], self.read("out", "config.yaml").decode())

    def test_one_of_several_studies_writes_a_database(self):
        processes = [self.start("explore", "study.yaml", "--db", "s.db", stderr=subprocess.PIPE)
                     for _ in range(3)]
        errors = [process.communicate(timeout=TIMEOUT_S)[1].decode() for process in processes]
        for process, error in zip(processes, errors):
            self.assertIn(process.returncode, (EXIT_OK, EXIT_FAILED), errors)
            if process.returncode == EXIT_FAILED:
                self.assertIn("another exploration writes 's.db'", error)
        self.assertIn(EXIT_OK, [process.returncode for process in processes], errors)
        self.assertEqual(self.report("explore", "front", "--db", "s.db")["points"], 2)

    # ---- Names ----------------------------------------------------------------------------------

    def test_names_of_files_and_folders_hold_what_they_like(self):
        """Pictures, titles and legends of plots."""
        for name in ODD_NAMES:
            with self.subTest(name=name):
                self.write(name + ".csv", GRAPH)
                self.write(name + ".yaml", machine({"kind": "custom", "file": name + ".csv"},
                                                   {"pattern": "uniform", "message_bytes": 64},
                                                   steady={"half_width": 0.2}))
                os.mkdir(self.path(name))
                self.ok("curve", "s.yaml", name + ".yaml", "--rates", "0.1", "--plot", name + "/load.svg")
                self.ok("topology", "s.yaml", "--draw", name + "/net.svg")
                for picture in ("load.svg", "load_accepted.svg", "net.svg"):
                    self.assertIn(b"</svg>", self.read(name, picture))

    def test_so_does_the_folder_of_the_cache(self):
        self.write("ring.csv", "from,to\n0,1\n1,0\n")
        self.write("ring.yaml", machine({"kind": "custom", "file": "ring.csv"},
                                        {"pattern": "uniform", "injection_rate": 0.1, "message_bytes": 8},
                                        fabric={"buffer_depth": 1}))
        with mock.patch.dict(os.environ, FLITSCOPE_CACHE=self.path("with a blank")):
            for is_kept in (False, True):
                self.assertEqual(self.report("synth", "ring.yaml")["results"][0]["from_cache"], is_kept)


if __name__ == "__main__":
    main()
