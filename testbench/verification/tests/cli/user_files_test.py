# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Files that belong to somebody else: nothing that is written takes the place of what was read, follows
a link out of its folder, waits for a pipe, or mixes with what another process writes."""
import json
import os
import subprocess
import threading
from unittest import mock

from flitscope_cli import CliTest, EXIT_OK, EXIT_USAGE, TIMEOUT_S, machine, main, mesh, suite

PROGRAM = "source,destination,bytes,step\n0,1,8,0\n1,2,64,1\n"
CONFIG = machine(mesh(2, 2), {"schedule": "gen", "message_bytes": 8})
PATTERN = machine(mesh(2, 2), {"pattern": "uniform", "injection_rate": 0.1, "message_bytes": 8,
                               "measure_cycles": 200})
GRAPH = "from,to\n0,1\n1,0\n1,2\n2,1\n"
OUTPUTS = ("config.yaml", "links.csv", "messages.csv", "steps.csv", "summary.json")
# A shell that sees one of these as anything but a name leaves a file `ran`.
HOSTILE = ("a`touch ran`b", "a;touch ran;b", "a$(touch ran)b", "with a blank", "quote'\"s", "line\nfeed")


class UserFiles(CliTest):
    def refused(self, *arguments, says=()):
        """One message, exit code 2, and the folder as it was."""
        before = {name: self.content(name) for name in self.everything()}
        done = self.call(*arguments)
        self.assertEqual(done.returncode, EXIT_USAGE, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for text in says:
            self.assertIn(text, done.stderr)
        after = {name: self.content(name) for name in self.everything()}
        self.assertEqual(after, before)

    def content(self, name):
        path = self.path(name)
        if os.path.islink(path):
            return "-> " + os.readlink(path)
        return self.read(name) if os.path.isfile(path) else None

    # ---- What was read --------------------------------------------------------------------------

    def test_a_run_into_the_folder_of_its_configuration_does_not_replace_it(self):
        self.write("config.yaml", CONFIG)
        self.refused("run", "config.yaml", "--out", ".",
                     says=["--out .: error: ", "config.yaml has been read", "(choose another"])
        os.mkdir(self.path("sub"))
        self.refused("run", "sub/../config.yaml", "--out", self.folder, says=["config.yaml"])
        os.link(self.path("config.yaml"), self.path("sub", "config.yaml"))
        self.refused("run", "config.yaml", "--out", "sub", says=["config.yaml"])
        self.ok("run", "config.yaml", "--out", "out")

    def test_nor_programs_and_graphs_of_the_names_of_its_tables(self):
        self.write("steps.csv", PROGRAM)
        self.write("a.yaml", machine(mesh(2, 2), {"program": "steps.csv"}))
        self.refused("run", "a.yaml", "--out", ".", says=["steps.csv has been read"])
        self.write("links.csv", GRAPH)
        self.write("b.yaml", machine({"kind": "custom", "file": "links.csv"},
                                     {"schedule": "gen", "message_bytes": 8}))
        self.refused("run", "b.yaml", "--out", ".", says=["links.csv has been read"])

    def test_an_export_does_not_replace_its_input(self):
        self.write("net.yaml", CONFIG)
        self.write("graph.yaml", "nodes: 2\nlinks: [{from: 0, to: 1, both: true}]\n")
        self.write("c.yaml", json.dumps({"fabric": {"topology": {"kind": "custom",
                                                                 "file": "graph.yaml"}}}))
        os.symlink("net.yaml", self.path("link.yaml"))
        for arguments in (("net.yaml", "--export", "net.yaml"), ("net.yaml", "--export", "link.yaml"),
                          ("c.yaml", "--export", "graph.yaml")):
            self.refused("topology", *arguments, says=["--export", "has been read"])
        self.ok("topology", "c.yaml", "--export", "other.yaml")

    def test_nor_do_waveforms_pages_and_plots(self):
        self.write("run.vcd", CONFIG)
        self.refused("run", "run.vcd", "--trace", "run.vcd", says=["run.vcd has been read"])
        for beside in ("a.vcd.gtkw", "a.fst.owners"):
            self.write(beside, CONFIG)
            self.refused("run", beside, "--trace", beside[:5], says=[beside + " has been read"])
        self.write("page.html", CONFIG)
        self.refused("report", "page.html", "-o", "page.html", says=["-o page.html", "has been read"])
        self.write("load.csv", ",".join("0111") + "\n1,0,1,1\n1,1,0,1\n1,1,1,0\n")
        steady = machine(mesh(2, 2), {"pattern": "matrix", "matrix": "load.csv",
                                      "message_bytes": 64}, steady={})
        self.write("steady.yaml", steady)
        self.refused("curve", "steady.yaml", "--rates", "0.1", "--plot", "load.svg",
                     says=["--plot load.svg", "load.csv has been read"])

    def test_a_waveform_has_no_name_of_the_files_beside_it(self):
        self.write("config.yaml", CONFIG)
        for trace in ("out/summary.json", "./out/../out/summary.json"):
            self.refused("run", "config.yaml", "--trace", trace, "--out", "out",
                         says=[f"--trace {trace}", "summary.json is a file that --out writes"])
        self.ok("run", "config.yaml", "--trace", "out/trace.json", "--out", "out")

    def test_nor_does_a_schedule_that_was_searched_for(self):
        for name, topology in (("c.csv", mesh(2, 2)),
                               ("d.yaml", {"kind": "custom", "file": "graph.csv"})):
            self.write(name, machine(topology, {"schedule": "gen", "message_bytes": 8}))
        self.write("graph.csv", GRAPH)
        found = ("--collective", "all_to_all", "-o")
        for config, file in (("c.csv", "c.csv"), ("d.yaml", "d.yaml"), ("d.yaml", "graph.csv")):
            self.refused("synthesize", config, *found, file, says=["-o " + file, "has been read"])
        # Before a search that may take long.
        self.write("large.yaml", machine(mesh(64, 64), {"schedule": "gen", "message_bytes": 8}))
        self.refused("synthesize", "large.yaml", *found, "no/such.csv", says=["cannot write no/such.csv"])
        os.mkfifo(self.path("pipe.csv"))
        self.refused("synthesize", "large.yaml", *found, "pipe.csv", says=["is not a regular file"])

    def test_nor_are_databases_replaced(self):
        self.write("c.yaml", CONFIG)
        self.write("study.yaml", json.dumps({"base": "c.yaml", "objectives": {"min": "cycles"},
                                             "vary": {"fabric.buffer_depth": [4, 8]}}))
        for name in ("page.html", "front.csv"):
            self.ok("explore", "study.yaml", "--db", name)
        os.remove(self.path("front.csv.lock"))
        self.refused("report", "page.html", "-o", "page.html", says=["page.html has been read"])
        self.refused("explore", "front", "--db", "front.csv", "--plot", "front.svg",
                     says=["front.csv has been read"])
        # What SQLite has beside a database, and the lock.
        for ending in ("-wal", "-shm", "-journal", ".lock"):
            os.rename(self.path("study.yaml"), self.path("new.db" + ending))
            self.refused("explore", "new.db" + ending, "--db", "new.db", says=[ending + " has been"])
            os.rename(self.path("new.db" + ending), self.path("study.yaml"))

    def test_what_is_no_database_is_left_alone(self):
        self.write("c.yaml", CONFIG)
        self.write("study.yaml", json.dumps({"base": "c.yaml", "objectives": {"min": "cycles"},
                                             "vary": {"fabric.buffer_depth": [4, 8]}}))
        self.refused("explore", "study.yaml", "--db", "c.yaml", says=["c.yaml: error: is no database"])

    def test_a_configuration_from_a_pipe_is_no_file_to_be_kept(self):
        os.mkfifo(self.path("pipe"))
        feeder = threading.Thread(target=lambda: self.write("pipe", CONFIG))
        feeder.start()
        self.ok("run", "pipe", "--out", "out")
        feeder.join(TIMEOUT_S)
        feeder = threading.Thread(target=lambda: self.write("pipe", CONFIG))
        feeder.start()
        self.ok("report", "pipe", "-o", "page.html")
        feeder.join(TIMEOUT_S)

    def test_the_folder_of_a_run_holds_files(self):
        self.write("c.yaml", CONFIG)
        for name in ("config.yaml", "summary.json", "links.csv"):
            out = "out of " + name
            self.ok("run", "c.yaml", "--out", out)
            os.remove(self.path(out, name))
            os.mkfifo(self.path(out, name))
            self.refused("report", out, "-o", "page.html", says=[name + ": error: is no file"])

    # ---- Links and pipes ------------------------------------------------------------------------

    def test_links_and_pipes_in_an_output_folder_are_refused_and_left_alone(self):
        self.write("c.yaml", CONFIG)
        self.write("precious", "mine")
        for number, name in enumerate(OUTPUTS):
            for kind in ("link", "dangling", "pipe", "folder"):
                out = f"{kind}{number}"
                os.mkdir(self.path(out))
                place = self.path(out, name)
                if kind == "link":
                    os.symlink("../precious", place)
                elif kind == "dangling":
                    os.symlink("../new", place)
                elif kind == "pipe":
                    os.mkfifo(place)
                else:
                    os.mkdir(place)
                with self.subTest(name=name, kind=kind):
                    self.refused("run", "c.yaml", "--out", out,
                                 says=["--out " + out, "is in the way of the file " + name])

    def test_files_of_others_beside_the_outputs_stay_as_they_are(self):
        self.write("c.yaml", CONFIG)
        self.write("target", "mine")
        os.mkdir(self.path("out"))
        for name in (".flitscope", "links.csv.partial", "probe", "run.vcd.partial"):
            os.symlink("../target", self.path("out", name))
        self.ok("run", "c.yaml", "--out", "out", "--trace", "out/run.vcd")
        self.assertEqual(self.read("target"), b"mine")
        self.assertTrue(os.path.islink(self.path("out", ".flitscope")))

    # ---- Several processes ----------------------------------------------------------------------

    def test_files_of_two_runs_into_one_folder_do_not_mix(self):
        self.write("a.yaml", machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 8}))
        self.write("b.yaml", machine(mesh(4, 4), {"schedule": "gen", "message_bytes": 64}))
        for trial in range(12):
            running = [self.start("run", config, "--out", "out", "--json", stderr=subprocess.PIPE)
                       for config in ("a.yaml", "b.yaml", "a.yaml", "b.yaml")]
            for process in running:
                error = process.communicate(timeout=TIMEOUT_S)[1].decode()
                self.assertEqual(process.returncode, EXIT_OK, error)
            with self.subTest(trial=trial):
                self.assertEqual(sorted(os.listdir(self.path("out"))),
                                 ["config.yaml", "links.csv", "steps.csv", "summary.json"])
                summary = json.loads(self.read("out", "summary.json"))
                hops = sum(int(row["flits"]) for row in self.read_csv("out", "links.csv"))
                self.assertEqual(hops, summary["flit_hops"])
                self.assertIn(summary["schedule"], self.read("out", "config.yaml").decode())

    def test_two_reproductions_into_one_folder_share_what_they_keep(self):
        running = [self.start("reproduce", "boppana", "--out", "out", stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) for _ in range(2)]
        said = [process.communicate(timeout=TIMEOUT_S) for process in running]
        self.assertEqual([process.returncode for process in running], [EXIT_OK] * 2, said)
        self.assertEqual(said[0][0], said[1][0])
        self.assertEqual([name for name in self.everything()
                          if name.endswith((".partial", ".damaged"))], [])

    # ---- Names ----------------------------------------------------------------------------------

    def test_no_name_of_the_user_runs_as_a_command(self):
        self.write("s.yaml", machine(mesh(2, 2), {"pattern": "matrix", "matrix": "m.csv",
                                                  "message_bytes": 64},
                                     steady={"half_width": 0.2}))
        self.write("m.csv", "0,1,1,1\n1,0,1,1\n1,1,0,1\n1,1,1,0\n")
        for folder in HOSTILE:
            name = folder.replace("\n", "") + ".csv"  # stands in the title of the plot
            self.write(name, GRAPH)
            self.write("named.yaml", machine({"kind": "custom", "file": name},
                                             {"pattern": "uniform", "message_bytes": 64},
                                             steady={"half_width": 0.2}))
            self.ok("curve", "named.yaml", "--rates", "0.1", "--plot", "named.svg")
            self.assertIn(b"</svg>", self.read("named.svg"))
            config = folder.replace("\n", "") + ".yaml"  # stands in the legend
            self.write(config, self.read("s.yaml"))
            self.ok("curve", "s.yaml", config, "--rates", "0.1", "--plot", "both.svg")
            self.assertIn(b"</svg>", self.read("both.svg"))
            with self.subTest(folder=folder):
                os.makedirs(self.path(folder))
                self.ok("curve", "s.yaml", "--rates", "0.1", "--plot", folder + "/load.svg")
                self.ok("topology", "s.yaml", "--draw", folder + "/net.svg")
                for name in ("load.svg", "load_accepted.svg", "net.svg"):
                    self.assertIn(b"</svg>", self.read(folder, name))
                found = [name for name in self.everything() if os.path.basename(name) == "ran"]
                self.assertEqual(found, [])

    @suite.needs_synthesis
    def test_nor_does_the_path_of_the_cache_reach_a_shell(self):
        self.write("ring.csv", "from,to\n0,1\n1,0\n")
        self.write("ring.yaml", machine({"kind": "custom", "file": "ring.csv"},
                                        {"pattern": "uniform", "injection_rate": 0.1,
                                         "message_bytes": 8}, fabric={"buffer_depth": 1}))
        environment = mock.patch.dict(os.environ)
        environment.start()
        self.addCleanup(environment.stop)
        for folder in HOSTILE:
            os.environ["FLITSCOPE_CACHE"] = self.path(folder)
            with self.subTest(folder=folder):
                for is_kept in (False, True):
                    found = self.report("synth", "ring.yaml")["results"][0]
                    self.assertGreater(found["cells"], 100)
                    self.assertEqual(found["from_cache"], is_kept)
                found = [name for name in self.everything() if os.path.basename(name) == "ran"]
                self.assertEqual(found, [])


if __name__ == "__main__":
    main()
