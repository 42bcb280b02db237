# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Every command that writes files, beside `run` (attacks_test.py, user_files_test.py): disks that are full,
signals at any moment, several processes, links, pipes and folders in the way, nobody to read what it prints."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

from flitscope_cli import (CliTest, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE, TIMEOUT_S, binary,
                           machine, main, mesh)

CONFIGS = {
    "c.yaml": machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 64}),
    "r.yaml": machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 64}, fabric={"buffer_depth": 4}),
    "s.yaml": machine(mesh(4, 4), {"pattern": "uniform", "message_bytes": 64},
                      steady={"half_width": 0.2}),
    "study.yaml": '{"base": "c.yaml", "objectives": {"min": ["cycles", "pins"]},'
                  ' "vary": {"fabric.buffer_depth": [2, 4, 8, 16]}}',
    "t.goal": "num_ranks 2\nrank 0 {\n" + "send 8b to 1\n" * 3000 + "}\nrank 1 {\n" +
              "recv 8b from 0\n" * 3000 + "}\n",
}
# What they write, in the folder `o`; the first is the name on the command line.
WRITERS = {
    "synthesize": (["synthesize", "c.yaml", "--collective", "all_to_all", "-o"], ["found.csv"]),
    "export --rtl": (["export", "r.yaml", "--rtl"], ["rtl"]),
    "export --systemc": (["export", "c.yaml", "--systemc"], ["program"]),
    "topology --export": (["topology", "c.yaml", "--export"], ["net.yaml"]),
    "topology --draw": (["topology", "c.yaml", "--draw"], ["net.svg"]),
    "import": (["import", "t.goal", "-o"], ["again.goal"]),
    "report": (["report", "c.yaml", "-o"], ["page.html"]),
    "curve": (["curve", "s.yaml", "--rates", "0.1", "--by-hops", "--plot"],
              ["load.svg", "load.csv", "load_accepted.svg", "load_accepted.csv", "load_by_hops.svg",
               "load_by_hops.csv"]),
}
FOLDERS = ("export --rtl", "export --systemc")
MOMENTS = 6  # of each signal and command
ADD_LINKS = pathlib.Path(__file__).parents[3] / "app" / "study" / "add_links.py"


class OutputAttacks(CliTest):
    def setUp(self):
        super().setUp()
        for name, text in CONFIGS.items():
            self.write(name, text)

    def arguments(self, command, folder="o"):
        words, names = WRITERS[command]
        return [*words, f"{folder}/{names[0]}"]

    def new_folder(self):
        shutil.rmtree(self.path("o"), ignore_errors=True)
        os.mkdir(self.path("o"))

    def error_of(self, process):
        error = process.communicate(timeout=TIMEOUT_S)[1].decode()
        for trace in ("Sanitizer", "runtime error:", "terminate called"):
            self.assertNotIn(trace, error)
        return error

    # ---- Full disks -----------------------------------------------------------------------------

    def test_a_full_disk_is_named_and_keeps_nothing_that_is_not_whole(self):
        self.mount_small_disk("o", "64k")
        for room in (4, 16):
            with open(self.path("o", "ballast"), "wb") as file:
                file.write(bytes(64 - room << 10))
            for command, (_, names) in WRITERS.items():
                with self.subTest(command=command, room=room):
                    done = self.call(*self.arguments(command))
                    left = set(os.listdir(self.path("o"))) - {"ballast"}
                    self.assertLessEqual(left, set(names))
                    if done.returncode == EXIT_OK:
                        self.assertEqual(left, set(names))
                    else:
                        self.assertIn(done.returncode, (EXIT_FAILED, EXIT_USAGE))
                        self.assertIn("No space left on device", done.stderr)
                        self.assertEqual(done.stderr.count("error: "), 1, done.stderr)
                for name in left:
                    path = self.path("o", name)
                    shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)

    def test_a_study_and_a_reproduction_name_it_too(self):
        self.mount_small_disk("o", "40k")
        for arguments in (["explore", "study.yaml", "--db", "o/s.db"],
                          ["reproduce", "boppana", "--out", "o/papers"]):
            done = self.call(*arguments)
            self.assertEqual(done.returncode, EXIT_FAILED, done.stderr)
            self.assertIn("o/", done.stderr)
            self.assertRegex(done.stderr, "No space left on device|disk is full")
            self.assertEqual([n for n in self.everything() if n.endswith(".partial")], [])
            for name in os.listdir(self.path("o")):
                path = self.path("o", name)
                shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)

    # ---- Signals --------------------------------------------------------------------------------

    def test_a_signal_at_any_moment_leaves_nothing_that_is_not_whole(self):
        for command, (_, names) in WRITERS.items():
            self.new_folder()
            begin = time.monotonic()
            self.ok(*self.arguments(command))
            takes = time.monotonic() - begin
            whole = {name for name in self.everything() if name.startswith("o/")}
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
                for moment in range(MOMENTS):
                    self.new_folder()
                    process = self.start(*self.arguments(command), stderr=subprocess.PIPE)
                    time.sleep(takes * (moment + 0.5) / MOMENTS)
                    process.send_signal(number)
                    with self.subTest(command=command, signal=number, moment=moment):
                        error = self.error_of(process)
                        self.assertIn(process.returncode, (EXIT_OK, EXIT_INTERRUPTED, -number), error)
                        left = {name for name in self.everything() if name.startswith("o/")}
                        if number != signal.SIGKILL:
                            self.assertLessEqual(left, whole)
                        if command in FOLDERS and "o/" + names[0] in left:
                            self.assertLessEqual(whole, left)

    def test_exports_end_between_two_files(self):
        """Of so many that there is a moment to choose."""
        self.write("wide.yaml", machine(mesh(16, 16), {"schedule": "pex", "message_bytes": 8},
                                        fabric={"buffer_depth": 4}))
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start("export", "wide.yaml", "--rtl", "rtl", stderr=subprocess.PIPE)
            self.wait_until(
                lambda: any(re.match(r"rtl\.......(/|$)", name) for name in self.everything()),
                "no folder was seen", process, poll_s=0)
            process.send_signal(number)
            error = self.error_of(process)
            self.assertEqual(process.returncode, EXIT_INTERRUPTED, error)
            self.assertIn("error: interrupted", error)
            self.assertEqual(self.everything(), {*CONFIGS, "wide.yaml"})

    # ---- Several processes ----------------------------------------------------------------------

    def test_several_processes_leave_one_whole_result(self):
        for command, (_, names) in WRITERS.items():
            self.new_folder()
            self.ok(*self.arguments(command))
            whole = {name for name in self.everything() if name.startswith("o/")}
            for _ in range(3):
                self.new_folder()
                processes = [self.start(*self.arguments(command), stderr=subprocess.PIPE)
                             for _ in range(3)]
                errors = [self.error_of(process) for process in processes]
                codes = sorted(process.returncode for process in processes)
                with self.subTest(command=command):
                    self.assertEqual({name for name in self.everything() if name.startswith("o/")}, whole)
                    self.assertEqual(codes[0], EXIT_OK, errors)
                    if command in FOLDERS:
                        for code, error in zip(codes[1:], sorted(errors)[1:]):
                            self.assertEqual(code, EXIT_USAGE)
                            self.assertIn("the folder is not empty, and nothing in it is", error)
                    else:
                        self.assertEqual(codes[-1], EXIT_OK, errors)

    def test_one_of_several_studies_writes_a_database(self):
        for _ in range(5):
            self.new_folder()
            processes = [self.start("explore", "study.yaml", "--db", "o/s.db", stderr=subprocess.PIPE)
                         for _ in range(4)]
            errors = [self.error_of(process) for process in processes]
            for process, error in zip(processes, errors):
                self.assertIn(process.returncode, (EXIT_OK, EXIT_FAILED), errors)
                if process.returncode == EXIT_FAILED:
                    self.assertIn("another exploration writes 'o/s.db'", error)
            self.assertIn(EXIT_OK, [process.returncode for process in processes], errors)
            self.assertEqual(self.report("explore", "front", "--db", "o/s.db")["points"], 4)

    # ---- What is in the way ---------------------------------------------------------------------

    def refused_at_once(self, *arguments, says=()):
        before = self.everything()
        done = self.call(*arguments)
        self.assertEqual(done.returncode, EXIT_USAGE, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for words in says:
            self.assertIn(words, done.stderr)
        self.assertEqual(self.everything(), before)

    def test_folders_and_loops_in_the_way_are_refused_before_anything_is_done(self):
        for command, (_, names) in WRITERS.items():
            for name in names:
                for kind in ("folder", "loop"):
                    self.new_folder()
                    place = self.path("o", name)
                    if kind == "folder":
                        os.makedirs(os.path.join(place, "full"))
                    else:
                        os.symlink(place, place)
                    with self.subTest(command=command, name=name, kind=kind):
                        self.refused_at_once(*self.arguments(command), says=["o/" + names[0]])

    def test_a_link_that_leads_nowhere_becomes_no_folder(self):
        for command in FOLDERS:
            self.new_folder()
            place = self.path("o", WRITERS[command][1][0])
            os.symlink("nowhere", place)
            self.refused_at_once(*self.arguments(command), says=["a symbolic link leads nowhere"])
            self.assertTrue(os.path.islink(place))

    def test_pipes_of_names_that_nobody_typed_are_not_waited_for(self):
        for name in WRITERS["curve"][1][1:]:
            self.new_folder()
            os.mkfifo(self.path("o", name))
            self.refused_at_once(*self.arguments("curve"), says=[name, "is not a regular file"])
        self.write("mine", "mine")
        self.new_folder()
        os.symlink("../mine", self.path("o", "load.csv"))
        self.refused_at_once(*self.arguments("curve"), says=["load.csv", "is not a regular file"])
        self.assertEqual(self.read("mine"), b"mine")
        self.new_folder()
        os.mkfifo(self.path("o", "front.csv"))
        self.refused_at_once("explore", "study.yaml", "--db", "s.db", "--plot", "o/front.svg",
                             says=["front.csv", "is not a regular file"])

    def test_databases_are_files(self):
        for kind in ("pipe", "folder"):
            self.new_folder()
            (os.mkfifo if kind == "pipe" else os.mkdir)(self.path("o", "s.db"))
            self.refused_at_once("explore", "study.yaml", "--db", "o/s.db", says=["is no file"])
        self.new_folder()
        os.symlink("elsewhere", self.path("o", "s.db.lock"))
        done = self.call("explore", "study.yaml", "--db", "o/s.db")
        self.assertEqual(done.returncode, EXIT_FAILED, done.stderr)
        self.assertIn("s.db.lock", done.stderr)
        self.assertEqual(os.listdir(self.path("o")).count("elsewhere"), 0)

    def test_a_reproduction_follows_no_link_out_of_its_folder(self):
        self.ok("reproduce", "boppana", "--out", "o")
        self.write("mine", "mine")
        for name in ("boppana.csv", "boppana_eta.svg", "boppana_eta.csv", "conclusions.md"):
            os.remove(self.path("o", name))
            os.symlink("../mine", self.path("o", name))
            self.refused_message("reproduce", "boppana", "--out", "o",
                                 says=["a symbolic link is in the way of the file " + name])
            self.assertEqual(self.read("mine"), b"mine")
            os.remove(self.path("o", name))
        shutil.rmtree(self.path("o", "runs"))
        self.write("o/runs", "mine")
        self.refused_message("reproduce", "boppana", "--out", "o", says=["o/runs: error: cannot create"])

    def refused_message(self, *arguments, says):
        done = self.call(*arguments)
        self.assertEqual(done.returncode, EXIT_USAGE, done.stderr)
        for words in says:
            self.assertIn(words, done.stderr)

    # ---- Standard output ------------------------------------------------------------------------

    def test_what_nobody_can_read_is_an_error(self):
        for arguments in (["check", "c.yaml", "--json"], ["verify", "c.yaml", "--json"],
                          ["compare", "c.yaml", "s.yaml", "--json"], ["schedule", "c.yaml", "--json"],
                          ["curve", "s.yaml", "--rates", "0.1", "--csv"], ["explain", "c.yaml"],
                          ["topology", "c.yaml", "--json"]):
            with self.subTest(arguments=arguments):
                for closed in (False, True):
                    with open("/dev/full", "w", encoding="ascii") as full:
                        done = subprocess.run([binary(), *arguments], cwd=self.folder, stdout=full,
                                              stderr=subprocess.PIPE, timeout=TIMEOUT_S, check=False,
                                              preexec_fn=(lambda: os.close(1)) if closed else None)
                    self.assertEqual(done.returncode, EXIT_FAILED, done.stderr)
                    self.assertIn(b"cannot write to standard output", done.stderr)

    def test_what_is_printed_is_in_no_file_where_standard_files_are_closed(self):
        self.ok("run", "c.yaml", "--trace", "whole.vcd")
        def close():
            for number in (0, 1, 2):
                os.close(number)
        done = subprocess.run([binary(), "run", "c.yaml", "--trace", "run.vcd", "--progress"],
                              cwd=self.folder, timeout=TIMEOUT_S, check=False, preexec_fn=close)
        self.assertEqual(done.returncode, EXIT_FAILED)
        self.assertEqual(self.read("run.vcd"), self.read("whole.vcd"))

    # ---- ./dev add-links ------------------------------------------------------------------------

    def add_links(self, *arguments):
        return subprocess.run([sys.executable, "-B", str(ADD_LINKS), binary(), *arguments], text=True,
                              capture_output=True, cwd=self.folder, timeout=TIMEOUT_S, check=False)

    def test_added_links_replace_nothing_that_was_read_and_fill_no_half_file(self):
        self.write("g.yaml", "nodes: 3\nlinks:\n  - {from: 0, to: 1, both: true}\n"
                             "  - {from: 1, to: 2, both: true}\n")
        self.write("g3.yaml", machine({"kind": "custom", "file": "g.yaml"},
                                      {"schedule": "gen", "message_bytes": 8}))
        before = {name: self.read(name) for name in self.everything()}
        for name, says in (("g3.yaml", "-o g3.yaml: error: g3.yaml has been read"),
                           ("g.yaml", "-o g.yaml: error: g.yaml has been read")):
            done = self.add_links("g3.yaml", "--links", "1", "-o", name)
            self.assertEqual(done.returncode, EXIT_USAGE, done.stderr)
            self.assertIn(says, done.stderr)
            self.assertEqual({n: self.read(n) for n in self.everything()}, before)
        self.mount_small_disk("o", "4k")
        with open(self.path("o", "ballast"), "wb") as file:
            file.write(bytes(4 << 10))
        done = self.add_links("g3.yaml", "--links", "1", "-o", "o/new.yaml")
        self.assertEqual(done.returncode, EXIT_FAILED, done.stderr)
        self.assertIn("cannot write o/new.yaml: No space left on device", done.stderr)
        self.assertEqual(os.listdir(self.path("o")), ["ballast"])

    def test_a_search_for_links_ends_with_a_signal(self):
        self.write("wide.yaml", machine(mesh(8, 8), {"schedule": "gen", "message_bytes": 8}))
        process = subprocess.Popen([sys.executable, "-B", str(ADD_LINKS), binary(), "wide.yaml", "--links",
                                    "50", "-o", "new.yaml"], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        self.assertIn("link", process.stdout.readline())
        process.send_signal(signal.SIGTERM)
        error = process.communicate(timeout=TIMEOUT_S)[1]
        self.assertEqual((process.returncode, error), (EXIT_INTERRUPTED, "error: interrupted\n"))
        self.assertEqual(self.everything(), {*CONFIGS, "wide.yaml"})


if __name__ == "__main__":
    main()
