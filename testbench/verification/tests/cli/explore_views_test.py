# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope explore: what is told of studies that are kept: fronts, designs, axes, tables, lists."""
import csv
import io
import json
import sqlite3

from explore_studies import AXES, EVERYTHING, GOALS, ExploreTest
from flitscope_cli import machine, main, mesh


class ExploreViews(ExploreTest):
    def test_the_front_is_drawn_with_names(self):
        report = self.explore(self.study(), "--db", "a.db", "--plot", "first.svg")
        self.ok("explore", "front", "--db", "a.db", "--plot", "second.svg")
        self.assertEqual(self.read("first.csv"), self.read("second.csv"))
        rows = [row for row in self.read_csv("first.csv") if row["series"] == "front"]
        self.assertEqual([float(row["x"]) for row in rows],
                         [design["objectives"]["time_ns"] for design in report["front"]])
        self.assertIn(report["front"][0]["axes"]["fabric.flit_bits"], rows[0]["label"])
        self.assertIn(b"</svg>", self.read("second.svg"))
        self.refused("explore", "front", "--db", "a.db", "--plot", "front.pdf", says=[".svg"])

    def test_every_design_of_a_front_runs_as_it_is_shown(self):
        report = self.explore(self.study(), "--db", "a.db")
        for design in report["front"]:
            shown = self.ok("explore", "show", design["digest"][:12], "--db", "a.db")
            self.assertNotIn("until:", shown)  # for a trace that has no end
            self.write("shown.yaml", shown)
            run = self.report("run", "shown.yaml")
            self.assertEqual(run["cycles"], design["objectives"]["time_ns"])
        first, last = report["front"][0], report["front"][-1]
        difference = self.ok("explore", "diff", first["digest"], last["digest"], "--db", "a.db")
        self.assertIn("time_ns", difference)
        self.assertIn("%", difference)
        told = json.loads(self.ok("explore", "diff", first["digest"], last["digest"], "--db", "a.db",
                                  "--json"))
        self.assertEqual((told["first"], told["second"]), (first["digest"], last["digest"]))
        self.assertEqual({axis["axis"]: (axis["first"], axis["second"]) for axis in told["axes"]},
                         {name: (label, last["axes"][name]) for name, label in first["axes"].items()
                          if last["axes"][name] != label})
        for objective in told["objectives"]:
            ends = [design["objectives"][objective["objective"]] for design in (first, last)]
            self.assertEqual([objective["first"], objective["second"]], ends)
            self.assertAlmostEqual(objective["change"], ends[1] / ends[0] - 1)
        self.assertEqual(len(told["objectives"]), 2)
        self.assertEqual([f"{key['key']}: {key['first'] or 'nothing'} -> {key['second'] or 'nothing'}"
                          for key in told["keys"]],
                         [line for line in difference.splitlines() if " -> " in line])
        self.assertIn({"key": "fabric.flit_bits", "measurement": None,
                       "first": first["axes"]["fabric.flit_bits"],
                       "second": last["axes"]["fabric.flit_bits"]}, told["keys"])
        self.refused("explore", "show", "ffffffffffff", "--db", "a.db", says=["no design"])
        self.refused("explore", "show", "--db", "a.db", says=["takes 1 argument, found 0"])
        self.refused("explore", "show", first["digest"], "--db", "a.db", "--json",
                     says=["--json: error: explore show does not accept it"])

    def test_two_designs_differ_in_keys_of_sections_and_in_every_measurement(self):
        traffic = {"pattern": "uniform", "warmup_cycles": 100, "measure_cycles": 400}
        self.write("base.yaml", machine(mesh(2, 2), traffic))
        pair = {"a": {"traffic.injection_rate": 1, "traffic.message_bytes": 16},  # node.injection_bandwidth: 1
                "b": {"traffic.injection_rate": 0.5, "traffic.message_bytes": 64}}
        self.study(vary={"pair": pair}, search=EVERYTHING, objectives={"min": "latency_ns"},
                   measure={"small": {"set": {"traffic.message_bytes": 8}}, "own": {}})
        self.explore("study.yaml", "--db", "a.db")
        digests = {row["pair"]: row["digest"] for row in csv.DictReader(
            io.StringIO(self.ok("explore", "export", "--db", "a.db")))}
        arguments = ("explore", "diff", digests["a"], digests["b"], "--db", "a.db")
        self.assertIn("traffic.injection_rate: 1 -> 0.5\nmeasurement own:\n"
                      "  traffic.message_bytes: 16 -> 64\n", self.ok(*arguments))
        told = self.report(*arguments)
        self.assertEqual(told["keys"], [
            {"key": "traffic.injection_rate", "measurement": None, "first": "1", "second": "0.5"},
            {"key": "traffic.message_bytes", "measurement": "own", "first": "16", "second": "64"}])
        self.assertEqual((told["measurements_only_first"], told["measurements_only_second"]), ([], []))

    def test_the_settings_of_a_study_are_kept_and_shown(self):
        small, large = "traffic.message_bytes=64", "traffic.message_bytes=4096"
        self.study(vary={"fabric.buffer_depth": [2, 4], "fabric.flit_bits": [32]})

        def explored(*arguments):
            done = self.call("explore", "study.yaml", "--db", "a.db", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            return [line for line in done.stderr.splitlines() if line.startswith("note: ")]
        self.assertEqual(explored("--set", small), [])
        self.assertEqual(explored("--set", small), [])  # the same command continues
        note, = explored("--set", large)
        self.assertIn(f"'study' replaces the stored one of that name, which had --set {small};", note)
        for view in (("front",), ("axes",), ("best", "--budget", "pins=1000"),
                     ("table", "--rows", "fabric.buffer_depth", "--columns", "fabric.flit_bits")):
            self.assertEqual(self.explore(*view, "--db", "a.db")["overrides"], [large])
            self.assertIn(f"\n  explored with --set {large}\n", self.ok("explore", *view, "--db", "a.db"))
        self.assertEqual(self.explore("list", "--db", "a.db")["studies"][0]["overrides"], [large])
        self.assertIn(f"--set {large}\n", self.ok("explore", "list", "--db", "a.db"))
        self.ok("report", "a.db", "-o", "page.html")
        self.assertIn(f'"settings":"--set {large}"', self.read("page.html").decode())
        self.assertEqual(explored("--set", small, "--dry-run"), [])  # leaves the study as it is
        self.assertEqual(explored("--set", small, "--study", "another"), [])  # beside the first
        self.assertEqual([study["study"] for study in self.explore("list", "--db", "a.db")["studies"]],
                         ["study", "another"])
        self.study(vary={"fabric.buffer_depth": [2, 8]})
        note, = explored()
        self.assertIn(f"which had another text and --set {large};", note)
        self.assertEqual(self.explore("front", "--db", "a.db")["overrides"], [])
        self.assertNotIn("explored with --set", self.ok("explore", "front", "--db", "a.db"))
        note, = explored("--set", small)
        self.assertIn("which had no --set;", note)
        with sqlite3.connect(self.path("a.db")) as connection:
            connection.execute("DROP TABLE setting")  # as before November 2026
        self.assertIsNone(self.explore("front", "--db", "a.db")["overrides"])
        self.assertIn("not known\n", self.ok("explore", "list", "--db", "a.db"))
        self.assertEqual(explored(), [])  # unknown

    def test_a_design_of_several_studies_is_shown_as_one_of_them_knows_it(self):
        self.explore(self.study("pruned.yaml"), "--db", "a.db", "--jobs", "2")
        with sqlite3.connect(self.path("a.db")) as connection:
            pruned = [digest for digest, in connection.execute(
                "SELECT digest FROM design WHERE state = 'pruned' ORDER BY digest")]
        self.assertGreater(len(pruned), 1)
        self.explore(self.study("all.yaml", search=EVERYTHING), "--db", "a.db", "--jobs", "2")
        for db in ("a.db", "b.db"):
            if db == "b.db":  # the other way round
                self.explore("all.yaml", "--db", db, "--jobs", "2")
                self.explore("pruned.yaml", "--db", db, "--jobs", "2")
            for digest in pruned:
                shown = self.ok("explore", "show", digest, "--db", db)
                self.assertIn("time_ns", shown)
                self.assertNotIn("# pruned: ", shown)
                self.assertEqual(self.ok("explore", "show", digest, "--db", db, "--study", "all"),
                                 shown)
            self.assertIn("time_ns", self.ok("explore", "diff", *pruned[:2], "--db", db))
        self.assertIn("# pruned: ", self.ok("explore", "show", pruned[0], "--db", "a.db", "--study",
                                            "pruned"))
        self.assertNotIn("time_ns", self.ok("explore", "diff", *pruned[:2], "--db", "a.db",
                                            "--study", "pruned"))
        self.refused("explore", "show", pruned[0], "--db", "a.db", "--study", "none",
                     says=["--study none", "pruned, all"])

    def test_axes_budgets_and_kinds_are_compared(self):
        everything = self.explore(self.study(search=EVERYTHING), "--db", "a.db")
        rows = list(csv.DictReader(io.StringIO(self.ok("explore", "export", "--db", "a.db"))))
        effects = json.loads(self.ok("explore", "axes", "--db", "a.db", "--json"))["effects"]
        self.assertEqual([(e["axis"], e["objective"]) for e in effects],
                         [(axis, name) for axis in AXES for name in GOALS["min"]])
        width = next(e for e in effects if (e["axis"], e["objective"]) == ("fabric.flit_bits", "pins"))
        self.assertEqual((width["groups"], width["best"], width["wins"]), (12, "16", 12))
        self.assertAlmostEqual(width["spread"], 4)
        best = json.loads(self.ok("explore", "best", "--budget", "pins=64,9999", "--db", "a.db",
                                  "--json"))["choices"]
        for choice, limit in zip(best, (64, 9999)):
            within = [float(row["time_ns"]) for row in rows if float(row["pins"]) <= limit]
            self.assertEqual(choice["design"]["objectives"]["time_ns"], min(within))
        table = json.loads(self.ok("explore", "table", "--rows", "fabric.topology", "--columns",
                                   "fabric.flit_bits", "--db", "a.db", "--json"))["cells"]
        self.assertEqual(len(table), 9)
        for cell in table:
            alike = [float(row["time_ns"]) for row in rows
                     if (row["fabric.topology"], row["fabric.flit_bits"]) ==
                     (cell["row"], cell["column"])]
            self.assertEqual((cell["designs"], cell["measured"]), (len(alike), len(alike)))
            self.assertEqual(cell["best"]["objectives"]["time_ns"], min(alike))
        for view in (("axes",), ("best", "--budget", "pins=64"),
                     ("table", "--rows", "fabric.topology", "--columns", "traffic.schedule")):
            told = self.ok("explore", *view, "--db", "a.db")
            self.assertIn("time_ns", told)
            self.assertIn("times are cycles of 1 ns: clock_ns, whatever the routers", told)
        self.refused("explore", "best", "--db", "a.db", says=["an objective", "time_ns, pins"])
        self.refused("explore", "best", "--db", "a.db", "--budget", "pins=x", says=["'x' is no limit"])
        self.refused("explore", "table", "--rows", "depth", "--columns", "fabric.flit_bits", "--db",
                     "a.db", says=["no axis 'depth'", "fabric.buffer_depth"])
        self.assertEqual(everything["points"], 36)

    def test_every_table_tells_periods_that_designs_do_not_share(self):
        clocks = {"quick": {"clock_ns": 1, "fabric.flit_bits": 16},
                  "slow": {"clock_ns": 1.5, "fabric.flit_bits": 64}}
        report = self.explore(self.study(vary={"clock": clocks, "traffic.schedule": ["pex", "gen"]}),
                              "--db", "a.db")
        self.assertEqual({design["axes"]["clock"] for design in report["front"]}, set(clocks))
        best = ("best", "--budget", "pins=32,64,256")
        for view in (("front",), best):
            told = self.ok("explore", *view, "--db", "a.db")
            for says in ("period [ns]", " 1 clock_ns", " 1.5 clock_ns", "the period of each design"):
                self.assertIn(says, told)
        for view in (("axes",), ("table", "--rows", "clock", "--columns", "traffic.schedule")):
            self.assertIn("times are cycles of 1 to 1.5 ns, each design its own: that of its synthesized "
                          "router, or clock_ns", self.ok("explore", *view, "--db", "a.db"))
        none, quick, slow = (choice["design"] for choice in json.loads(
            self.ok("explore", *best, "--db", "a.db", "--json"))["choices"])
        self.assertIsNone(none)
        self.assertEqual([(design["period_ns"], design["period_of"]) for design in (quick, slow)],
                         [(1, "clock_ns"), (1.5, "clock_ns")])

    def test_all_designs_are_exported(self):
        report = self.explore(self.study(), "--db", "a.db")
        rows = list(csv.DictReader(io.StringIO(self.ok("explore", "export", "--db", "a.db"))))
        self.assertEqual(len(rows), report["points"])
        self.assertEqual(sum(row["state"] == "simulated" for row in rows),
                         report["simulated"] - report["stopped"])
        pruned = [row for row in rows if row["state"] == "pruned"]
        self.assertEqual(len(pruned), report["pruned"] + report["stopped"])
        digests = {row["digest"] for row in rows}
        self.write("shown.yaml", self.ok("explore", "show", pruned[0]["digest"], "--db", "a.db"))
        self.assertIn("# pruned: ", self.read("shown.yaml").decode())
        self.ok("run", "shown.yaml")  # loads that were not run can be
        for row in pruned:
            said = row["reason"]
            if said.startswith("dominated by "):
                self.assertIn(said.split()[2].rstrip(":"), digests)
                self.assertRegex(said, r": [a-z_]+ (at (least|most) )?[0-9.e+]+ (against [0-9.e+]+|as well)")
            else:
                self.assertIn("stopped after", said)

    def test_every_view_of_an_incomplete_study_says_so(self):
        views = (("front",), ("axes",), ("best", "--budget", "pins=64"),
                 ("table", "--rows", "fabric.topology", "--columns", "fabric.flit_bits"))
        self.explore(self.study(), "--db", "a.db")

        def change(*statements):
            with sqlite3.connect(self.path("a.db")) as connection:
                for statement in statements:
                    connection.execute(statement)

        def has_said(text, complete, expected):
            for view in views:
                told = self.explore(*view, "--db", "a.db")
                self.assertEqual((told["complete"], told["expected"]), (complete, expected))
                printed = self.ok("explore", *view, "--db", "a.db")
                self.assertEqual(text in printed if text else "INCOMPLETE" not in printed, True)
            done = self.call("explore", "export", "--db", "a.db")
            self.assertEqual(done.stderr, f"note: {text}\n" if text else "")
            self.ok("report", "a.db", "-o", "page.html")
            self.assertIn(f'"incomplete":"{text}"', self.read("page.html").decode())
        has_said("", True, 36)
        change("UPDATE search SET has_ended = 0", "DELETE FROM design WHERE ordinal > 29")
        has_said("INCOMPLETE: 30 of 36 designs", False, 36)
        change("UPDATE search SET designs = 0")  # for a search that draws
        has_said("INCOMPLETE: 30 designs, and the search has not finished", False, None)
        change("DROP TABLE search")  # as before November 2026
        has_said("", True, None)
        self.explore("study.yaml", "--db", "a.db")
        has_said("", True, 36)

    def test_the_studies_of_a_database_are_listed(self):
        first = self.explore(self.study(), "--db", "a.db")
        self.explore(self.study("one.yaml", vary={"fabric.buffer_depth": [2]}), "--db", "a.db")
        listed = self.explore("list", "--db", "a.db")["studies"]
        self.assertEqual([(one["study"], one["points"], one["on_front"], one["complete"])
                          for one in listed],
                         [("study", 36, len(first["front"]), True), ("one", 1, 1, True)])
        told = self.ok("explore", "list", "--db", "a.db").splitlines()
        self.assertEqual([line.split()[0] for line in told], ["study", "study", "one"])
        self.assertIn("one: 1 design, 1 simulated, 1 on the front\n",
                      self.ok("explore", "front", "--db", "a.db"))
        self.refused("explore", "export", "--db", "a.db", "--json", says=["explore export does not accept it"])


if __name__ == "__main__":
    main()
