# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope explore: what scripts rely on, interrupted studies, the database, bad studies."""
import contextlib
import csv
import io
import json
import math
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import time
import unittest

from flitscope_cli import (CliTest, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_USAGE, TIMEOUT_S, children,
                           machine, main, mesh)

STUDIES = pathlib.Path(__file__).resolve().parents[2] / "configs" / "studies"
AXES = {"fabric.topology": {"mesh": mesh(4, 4), "cube": {"kind": "hypercube", "dimensions": 4},
                            "how": {"kind": "how", "dims": [4, 4], "window": 2}},
        "fabric.flit_bits": [16, 32, 64],
        "fabric.buffer_depth": [2, 4],
        "traffic.schedule": ["pex", "gen"]}
GOALS = {"min": ["time_ns", "pins"]}
EVERYTHING = {"method": "random", "evaluations": 100000}


class Explore(CliTest):
    def setUp(self):
        super().setUp()
        os.environ["FLITSCOPE_CACHE"] = self.path("cache")
        self.write("base.yaml", machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 64}))

    def study(self, name="study.yaml", **keys):
        study = {"base": "base.yaml", "vary": AXES, "objectives": GOALS, **keys}
        self.write(name, json.dumps({k: v for k, v in study.items() if v is not None}))
        return name

    def explore(self, *arguments):
        return json.loads(self.ok("explore", *arguments, "--json"))

    def metrics(self, db):
        with sqlite3.connect(self.path(db)) as connection:
            return sorted(connection.execute("SELECT digest, name, value FROM metric"))

    def points_in(self, db):
        """How many have metrics; none before there is such a table."""
        if not os.path.exists(self.path(db)):
            return 0
        try:
            return len({digest for digest, *_ in self.metrics(db)})
        except sqlite3.OperationalError:
            return 0

    def test_the_report_has_what_scripts_rely_on(self):
        report = self.explore(self.study(), "--db", "a.db", "--jobs", "2")
        self.assertEqual(report["points"], 36)
        self.assertEqual(report["points"], report["simulated"] + report["reused"] +
                         report["pruned"] + report["refused"])
        self.assertGreater(report["simulated"], 0)
        for design in report["front"]:
            self.assertEqual(set(design["axes"]), set(AXES))
            self.assertEqual(set(design["objectives"]), set(GOALS["min"]))
        times = [design["objectives"]["time_ns"] for design in report["front"]]
        self.assertEqual(times, sorted(times))
        kept = json.loads(self.ok("explore", "front", "--db", "a.db", "--json"))
        self.assertEqual(kept["front"], report["front"])
        everything = self.explore(self.study("all.yaml", search=EVERYTHING))
        self.assertEqual(everything["front"], report["front"])
        table = self.ok("explore", "front", "--db", "a.db")
        for design in report["front"]:
            self.assertIn(design["digest"][:10], table)

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
            self.assertNotIn("until:", shown)  # of a trace that has no end
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
        for sign, lines in (("-", told["only_first"]), ("+", told["only_second"])):
            self.assertEqual([line[2:] for line in difference.splitlines() if line.startswith(sign)],
                             lines)
        self.refused("explore", "show", "ffffffffffff", "--db", "a.db", says=["no design"])
        self.refused("explore", "show", "--db", "a.db", says=["takes 1 argument, found 0"])
        self.refused("explore", "show", first["digest"], "--db", "a.db", "--json",
                     says=["explore show --json: error: a design is shown as a configuration"])

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

    def test_designs_that_are_measured_until_they_are_steady_run_as_shown(self):
        self.write("base.yaml", machine(mesh(4, 4), {"pattern": "uniform", "message_bytes": 32,
                                                     "injection_rate": 0.2},
                                        steady={"half_width": 0.2, "max_cycles": 40000}))
        report = self.explore(self.study(vary={"fabric.buffer_depth": [2, 4]},
                                         objectives={"min": ["latency_ns", "buffer_bits"]}),
                              "--db", "a.db")
        self.assertGreater(len(report["front"]), 0)
        for design in report["front"]:
            self.write("shown.yaml", self.ok("explore", "show", design["digest"], "--db", "a.db"))
            run = self.report("run", "shown.yaml")
            self.assertEqual(run["latency"]["mean"], design["objectives"]["latency_ns"])

    def test_designs_can_be_chosen_by_their_round_trips(self):
        self.write("base.yaml", machine(mesh(4, 4), {"pattern": "uniform", "message_bytes": 8,
                                                     "reply_bytes": 64, "injection_rate": 0.1},
                                        steady={"half_width": 0.2, "max_cycles": 40000}))
        report = self.explore(self.study(vary={"fabric.buffer_depth": [1, 2, 4]},
                                         objectives={"min": ["round_trip_ns", "buffer_bits"]}),
                              "--db", "a.db")
        self.assertEqual(len(report["front"]), 3)
        trips = [design["objectives"]["round_trip_ns"] for design in report["front"]]
        self.assertEqual(trips, sorted(trips))
        for design in report["front"]:
            self.write("shown.yaml", self.ok("explore", "show", design["digest"], "--db", "a.db"))
            run = self.report("run", "shown.yaml")
            self.assertAlmostEqual(run["round_trip"]["mean"], design["objectives"]["round_trip_ns"])
        # One flit deep, twice that load has no steady state: no design of the front, and why not.
        report = self.explore("study.yaml", "--db", "b.db", "--set", "traffic.injection_rate=0.2")
        self.assertEqual((len(report["front"]), report["refused"]), (2, 1))
        rows = csv.DictReader(io.StringIO(self.ok("explore", "export", "--db", "b.db")))
        self.assertEqual([row["reason"] for row in rows if row["state"] == "refused"],
                         ["no steady state at this load, so no round_trip_ns: the backlog grows "
                          "for good"])
        # Without replies there are none.
        self.write("base.yaml", machine(mesh(4, 4), {"pattern": "uniform", "message_bytes": 8}))
        study = self.study(vary={"fabric.buffer_depth": [2, 4]},
                           objectives={"min": ["round_trip_ns", "buffer_bits"]})
        self.refused("explore", study, says=["base.yaml:", "no round_trip_ns", "reply_bytes"])

    def test_designs_can_be_chosen_by_when_ranks_end(self):
        self.write("base.yaml", machine(mesh(4, 4), {"schedule": "halo-2d", "message_bytes": 256}))
        report = self.explore(self.study(vary={"fabric.buffer_depth": [1, 2, 4]},
                                         objectives={"min": ["ranks_end_ns", "buffer_bits"]}),
                              "--db", "a.db")
        self.assertEqual(len(report["front"]), 3)
        for design in report["front"]:
            self.write("shown.yaml", self.ok("explore", "show", design["digest"], "--db", "a.db"))
            self.ok("run", "shown.yaml", "--out", "out")
            ends = [int(row["end"]) for row in self.read_csv("out", "ranks.csv")]
            self.assertEqual(max(ends), design["objectives"]["ranks_end_ns"])

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
            self.assertIn("times are cycles of 1 to 1.5 ns, each design its own: of its synthesized "
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
        self.ok("run", "shown.yaml")  # what nobody has run can be
        for row in pruned:
            said = row["reason"]
            if said.startswith("dominated by "):
                self.assertIn(said.split()[-1], digests)
            else:
                self.assertIn("stopped after", said)

    def test_what_was_killed_goes_on(self):
        vary = {**AXES, "traffic.message_bytes": [64, 128, 192]}
        study = self.study(vary=vary, search=EVERYTHING)
        whole = self.explore(study, "--db", "whole.db")
        everything = self.points_in("whole.db")
        rng = random.Random(7)
        kept = 0
        partial = 0
        for turn in range(20):
            process = self.start("explore", study, "--db", "killed.db", "--jobs", "2")
            if turn % 2 == 0:  # however slow the machine is, half of them die after they have kept a point
                self.wait_until(lambda: self.points_in("killed.db") > kept or process.poll() is not None,
                                "no point is kept")
            time.sleep(rng.uniform(0, 0.03))
            for worker in children(process)[:1]:
                with contextlib.suppress(ProcessLookupError):  # it has ended
                    os.kill(worker, signal.SIGKILL)
                time.sleep(rng.uniform(0, 0.03))
            process.kill()
            process.wait()
            kept = self.points_in("killed.db")
            partial += 0 < kept < everything
        self.assertGreater(partial, 0, "no kill left a part of the study")
        after = self.explore(study, "--db", "killed.db")
        self.assertEqual(after["front"], whole["front"])
        self.assertEqual(self.metrics("killed.db"), self.metrics("whole.db"))
        again = self.explore(study, "--db", "killed.db")
        self.assertEqual((again["simulated"], again["front"]), (0, whole["front"]))

    def test_interrupted_studies_keep_what_they_have(self):
        study = self.study(vary={**AXES, "traffic.message_bytes": [4096, 8192, 16384]},
                           search=EVERYTHING)
        process = self.start("explore", study, "--db", "a.db", "--engine", "cycle",
                             stderr=subprocess.PIPE)
        self.wait_until(lambda: self.points_in("a.db") > 115,  # 108 appraisals
                        "too few points are kept", process)
        second = self.call("explore", study, "--db", "a.db")
        self.assertEqual(second.returncode, EXIT_FAILED)
        self.assertIn("another exploration writes 'a.db'", second.stderr)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, EXIT_INTERRUPTED)
        self.assertIn("the same command goes on", errors.decode())
        self.assertGreater(len(self.metrics("a.db")), 0)
        kept = self.explore("front", "--db", "a.db")
        self.assertLess(kept["points"], 108)
        self.assertEqual((kept["complete"], kept["expected"]), (False, 108))
        self.assertIn(f"INCOMPLETE: {kept['points']} of 108 designs\n",
                      self.ok("explore", "front", "--db", "a.db"))

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
        change("UPDATE search SET designs = 0")  # of a search that draws
        has_said("INCOMPLETE: 30 designs, and the search has not come to its end", False, None)
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
        self.refused("explore", "export", "--db", "a.db", "--json", says=["CSV alone"])

    def test_reasons_of_what_is_refused_are_told(self):
        deep = self.study("deep.yaml", vary={"traffic.message_bytes": [8, 4096, 8192]},
                          search=EVERYTHING, measure={"m": {"set": {"limits.max_cycles": 1000}}})
        report = self.explore(deep)
        self.assertEqual((report["refused"], len(report["front"])), (2, 1))
        why, = report["why_refused"]
        self.assertEqual((why["designs"], why["state"]), (2, "refused"))
        self.assertRegex(self.ok("explore", deep), r"refused +2\n +2: timeout: limits.max_cycles")

    def test_a_point_that_dies_is_refused_and_named(self):
        self.study(vary={"fabric.buffer_depth": [1, 2]},
                   measure={"quick": {}, "never": {"set": {"limits.max_cycles": 3}}},
                   objectives={"min": "cycles"}, search=EVERYTHING)
        report = self.explore("study.yaml", "--db", "a.db")
        self.assertEqual((report["refused"], report["front"]), (2, []))
        rows = list(csv.DictReader(io.StringIO(self.ok("explore", "export", "--db", "a.db"))))
        self.assertIn("timeout", rows[0]["reason"])

    def test_an_empty_front_says_why(self):
        self.study(constraints={"pins": {"max": 3}},
                   measure={"quick": {}, "never": {"set": {"limits.max_cycles": 3}}})
        report = self.explore("study.yaml", "--db", "a.db")
        self.assertEqual((report["points"], report["front"]), (36, []))
        why = report["why_empty"]
        self.assertEqual([(one["designs"], one["state"]) for one in why], [(36, "pruned")])
        self.assertIn("at most 3 is allowed", why[0]["reason"])
        kept = json.loads(self.ok("explore", "front", "--db", "a.db", "--json"))
        self.assertEqual(kept["why_empty"], why)
        for told in (self.ok("explore", "study.yaml"), self.ok("explore", "front", "--db", "a.db")):
            self.assertRegex(told, r"no design\n +36 pruned: pins is \d+, at most 3 is allowed "
                                   r"\(the first of them\)\n")
        # Without the constraint all of them are tried, and none comes to its end.
        self.study(measure={"never": {"set": {"limits.max_cycles": 3}}})
        self.assertIn(" 36 refused: timeout: limits.max_cycles = 3 reached\n",
                      self.ok("explore", "study.yaml"))
        report = self.explore(self.study())
        self.assertEqual((report["why_empty"], report["front"] == []), ([], False))

    def test_a_dry_run_only_tells(self):
        self.study()
        told = self.explore("study.yaml", "--dry-run")
        self.assertEqual(told["points"], 36)
        self.assertGreater(told["estimated_seconds"], 0)
        self.assertIn("36 designs", self.ok("explore", "study.yaml", "--dry-run"))
        for method in ("random", "nsga2"):
            for evaluations, points in ((10, 10), (1000, 36)):
                self.study(search={"method": method, "evaluations": evaluations})
                self.assertEqual(self.explore("study.yaml", "--dry-run")["points"], points)

    def test_a_base_that_is_a_study_is_refused(self):
        self.study()
        self.study("outer.yaml", base="study.yaml")
        for arguments in ((), ("--dry-run",)):
            self.refused("explore", "outer.yaml", *arguments,
                         says=["outer.yaml:1:10: error: 'base' is a configuration file",
                               "'study.yaml' is a study"])

    def test_overrides_that_change_nothing_and_files_of_the_other_kind(self):
        axis = next(iter(AXES))
        self.study(measure={"a": {"set": {"traffic.message_bytes": 64}},
                            "b": {"set": {"traffic.message_bytes": 128}}})
        for override, who in ((f"{axis}=4", "design"), ("traffic.message_bytes=8", "measurement")):
            self.refused("explore", "study.yaml", "--set", override,
                         says=[f"changes nothing: every {who}", "change it in study.yaml"])
        self.ok("explore", "study.yaml", "--dry-run", "--set", "node.send_startup=3")
        self.refused("explore", "front", "--db", "a.db", "--set", "seed=2",
                     says=["changes nothing of what is kept"])
        self.refused("explore", "base.yaml", says=["base.yaml: error: is a configuration"])
        self.refused("run", "study.yaml", says=["study.yaml: error: is a study",
                                                "flitscope explore study.yaml"])

    def test_a_dry_run_leaves_a_study_as_it_is(self):
        everything = self.explore(self.study(search=EVERYTHING), "--db", "a.db")
        self.assertEqual(everything["simulated"], 36)
        before = self.ok("explore", "export", "--db", "a.db")
        self.explore("study.yaml", "--dry-run", "--db", "a.db")
        self.assertEqual(self.ok("explore", "export", "--db", "a.db"), before)
        # What it measures is known afterwards.
        self.explore("study.yaml", "--dry-run", "--db", "b.db")
        self.assertEqual(self.explore("study.yaml", "--db", "b.db")["reused"], 5)

    def test_a_report_tells_what_crashed(self):
        self.write("base.yaml", machine(mesh(8, 8), {"schedule": "pex", "message_bytes": 65536}))
        study = self.study(vary={"fabric.buffer_depth": [2]}, search=EVERYTHING,
                           objectives={"min": "cycles"})
        process = self.start("explore", study, "--engine", "cycle", "--json", stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        worker = self.wait_until(lambda: children(process), "no worker was started", process)[0]
        time.sleep(0.1)
        os.kill(worker, signal.SIGKILL)
        told, errors = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, EXIT_FAILED)
        report = json.loads(told)
        self.assertEqual((report["points"], report["simulated"], report["refused"],
                          report["crashed"]), (1, 0, 1, 1))
        self.assertIn("ended by signal 9", report["crash"])
        self.assertIn(report["crash"], errors.decode())
        quick = self.explore(self.study("quick.yaml", vary={"fabric.buffer_depth": [2]}),
                             "--set", "traffic.message_bytes=8")
        self.assertEqual((quick["crashed"], quick["crash"]), (0, None))

    def test_what_cannot_be_built_has_no_points(self):
        self.write("base.yaml", machine(mesh(4, 4), {"schedule": "broadcast", "message_bytes": 64}))
        axes = {"fabric.topology": {"m2": mesh(2, 4), "m3": mesh(3, 3), "m4": mesh(4, 4)}}
        self.study(vary=axes, search=EVERYTHING, objectives={"min": "time_ns"},
                   measure={"near": {"set": {"traffic.root": 1}},
                            "far": {"set": {"traffic.root": 12}}})
        report = self.explore("study.yaml", "--db", "a.db")
        self.assertEqual((report["simulated"], report["refused"]), (1, 2))
        with sqlite3.connect(self.path("a.db")) as connection:
            rows = list(connection.execute("SELECT design, workload, point FROM member"))
            points = [digest for digest, in connection.execute("SELECT digest FROM point")]
        self.assertEqual({(design, workload) for design, workload, _ in rows},
                         {(report["front"][0]["digest"], "near"),
                          (report["front"][0]["digest"], "far")})
        self.assertEqual(sorted(points), sorted(point for *_, point in rows))

    def test_all_measurements_of_a_design_take_one_router(self):
        def study(**wanted):
            return self.study(vary={"fabric.buffer_depth": [1]}, search=None, measure=wanted,
                              objectives={"min": ["time_ns", "area_mm2"]})
        slim = {"set": {"fabric.virtual_channels": 1, "traffic.message_bytes": 8}}
        wide = {"set": {"fabric.virtual_channels": 4, "fabric.flit_bits": 128}}
        self.refused("explore", study(slim=slim, wide=wide),
                     says=["no design of the study can be built", "'slim' router_p5_v1_d1_w64",
                           "'wide' router_p5_v4_d1_w128", "'vary'",
                           "fabric.virtual_channels, fabric.flit_bits under 'set'"])
        # Networks of several sizes have the same router; the area is the mean of theirs.
        self.write("base.yaml", machine(mesh(4), {"schedule": "gen", "message_bytes": 16},
                                        fabric={"flit_bits": 16, "buffer_depth": 1}))
        nets = {"near": mesh(4), "far": mesh(8)}
        design, = self.explore(study(**{name: {"set": {"fabric.topology": net}}
                                        for name, net in nets.items()}))["front"]
        areas = [self.report("topology", "base.yaml", "--set", "fabric.topology=" + json.dumps(net))
                 ["fabric_area_um2"] for net in nets.values()]
        self.assertAlmostEqual(design["objectives"]["area_mm2"], sum(areas) / 2 / 1e6)

    def test_reasons_of_several_lines_are_comments_and_sentences(self):
        self.write("bin/yosys", "#!/bin/sh\necho first line\necho ERROR: broken\nexit 1\n")
        os.chmod(self.path("bin/yosys"), 0o755)
        path = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        os.environ["PATH"] = self.path("bin") + ":" + path
        keys = {"vary": {"fabric.buffer_depth": [2]}, "objectives": {"min": ["time_ns", "area_mm2"]}}
        report = self.explore(self.study("all.yaml", **keys, search=EVERYTHING), "--db", "a.db")
        self.assertEqual(report["refused"], 1)
        row, = csv.DictReader(io.StringIO(self.ok("explore", "export", "--db", "a.db")))
        self.assertIn("\n", row["reason"])
        self.assertEqual((row["cycle_ns"], row["cycle_of"]), ("1", "clock_ns"))
        self.explore("all.yaml", "--set", "clock_ns=synth", "--db", "b.db")
        unknown, = csv.DictReader(io.StringIO(self.ok("explore", "export", "--db", "b.db")))
        self.assertEqual((unknown["cycle_ns"], unknown["cycle_of"]), ("", ""))
        shown = self.ok("explore", "show", row["digest"], "--db", "a.db")
        self.assertIn("ERROR: broken\n", shown)
        self.write("shown.yaml", shown)
        self.ok("run", "shown.yaml")
        done = self.call("explore", self.study("exact.yaml", **keys))
        self.assertEqual(done.returncode, EXIT_USAGE)
        self.assertIn("(of the first one: router_p5", done.stderr)
        self.assertIn("first line; ERROR: broken; all of it: ", done.stderr)

    def test_times_and_areas_are_those_of_synthesized_routers(self):
        self.write("base.yaml", machine(mesh(4), {"schedule": "gen", "message_bytes": 16},
                                        clock_ns="synth"))
        small = {"fabric.flit_bits": [16], "fabric.buffer_depth": [1, 2]}
        self.refused("run", "base.yaml", "--set", "fabric.flit_bits=16", "--set",
                     "fabric.buffer_depth=1", says=["base.yaml:1:", "has not been synthesized",
                                                    "flitscope synth"])
        self.study(vary=small, search=EVERYTHING,
                   objectives={"min": ["time_ns", "area_mm2", "period_ns"]})
        before = self.everything()
        dry = self.explore("study.yaml", "--dry-run")
        self.assertEqual(self.everything(), before)  # nothing is in the cache
        self.assertEqual((dry["tried"], dry["problem"]), (2, None))
        self.assertGreater(dry["estimated_seconds"], 0)
        self.assertEqual({name.split("_")[0] for name in dry["unsynthesized"]}, {"router", "link"})
        told = self.ok("explore", "study.yaml", "--dry-run")
        for name in dry["unsynthesized"]:
            self.assertIn(name, told)
        report = self.explore("study.yaml", "--db", "a.db")
        self.assertEqual((report["simulated"], report["refused"]), (2, 0))
        self.assertEqual(self.explore("study.yaml", "--dry-run")["unsynthesized"], [])
        for design in report["front"]:
            depth = f"fabric.buffer_depth={design['axes']['fabric.buffer_depth']}"
            narrow = ("--set", "fabric.flit_bits=16", "--set", depth)
            network = self.report("topology", "base.yaml", *narrow)
            router = network["router"]
            run = self.report("run", "base.yaml", *narrow)
            told = design["objectives"]
            self.assertAlmostEqual(told["period_ns"], router["min_period_ns"])
            self.assertGreater(network["link_registers"]["area_um2"], 6 * 20 * 90)
            self.assertAlmostEqual(told["area_mm2"], (router["total_area_um2"] +
                                                      network["link_registers"]["area_um2"]) / 1e6)
            self.assertAlmostEqual(told["area_mm2"], network["fabric_area_um2"] / 1e6)
            clock = math.ceil(router["min_period_ns"] * 1000 - 1e-6) / 1000
            self.assertAlmostEqual(told["time_ns"], run["cycles"] * clock)
            self.assertAlmostEqual(run["time_us"], told["time_ns"] / 1000)
            fast = self.report("run", "base.yaml", *narrow, "--set", "clock_ns=0.5")
            self.assertAlmostEqual(fast["synthesized"]["time_us"],
                                   run["cycles"] * router["min_period_ns"] / 1000)
            self.assertIn("too short for the router",
                          self.ok("run", "base.yaml", *narrow, "--set", "clock_ns=0.5"))
        self.assertNotIn("synthesized", self.report("run", "base.yaml", *narrow))

    def test_physical_wires_are_of_the_router_of_each_design(self):
        """Delays follow from a period and a pitch that are found on the way: so do bounds."""
        self.write("base.yaml", machine(
            mesh(6), {"schedule": "gen", "message_bytes": 8}, clock_ns="synth",
            fabric={"flit_bits": 16, "link_delay": {"model": "physical", "pitch_mm": "area",
                                                    "node_mm2": 9, "ns_per_mm": 0.5}}))
        how = {"kind": "how", "dims": [6], "window": 5}
        axes = {"fabric.topology": {"mesh": mesh(6), "how": how},
                "fabric.buffer_depth": [1, 4], "node.send_startup": [0, 30, 90]}
        goals = {"min": ["time_ns", "buffer_bits"]}
        self.study("all.yaml", vary=axes, objectives=goals, search=EVERYTHING)
        self.study("exact.yaml", vary=axes, objectives=goals)
        # Without them no design can be tried, and a dry run finds none.
        dry = self.explore("exact.yaml", "--dry-run")
        self.assertIsNone(dry["estimated_seconds"])
        self.assertIn("is not synthesized, and the delays of its wires", dry["problem"])
        self.assertIn("how long they take is not known", self.ok("explore", "all.yaml", "--dry-run"))
        everything = self.explore("all.yaml", "--db", "all.db")
        self.assertEqual((everything["points"], everything["simulated"]), (12, 12))
        dry = self.explore("exact.yaml", "--dry-run")
        self.assertGreater(dry["estimated_seconds"], 0)
        self.assertEqual(dry["unsynthesized"], [])
        exact = self.explore("exact.yaml", "--db", "exact.db")
        self.assertGreater(exact["pruned"], 0)
        keys = ("axes", "objectives")
        self.assertEqual([[design[key] for key in keys] for design in exact["front"]],
                         [[design[key] for key in keys] for design in everything["front"]])

        rows = list(csv.DictReader(io.StringIO(self.ok("explore", "export", "--db", "all.db"))))
        self.assertEqual(len(rows), 12)
        slowest = 0
        for row in rows:
            network = axes["fabric.topology"][row["fabric.topology"]]
            changes = ["--set", "fabric.topology=" + json.dumps(network)]
            for key in ("fabric.buffer_depth", "node.send_startup"):
                changes += ["--set", f"{key}={row[key]}"]
            wires = self.report("topology", "base.yaml", *changes)
            self.assertAlmostEqual(wires["wires"]["pitch_mm"],
                                   math.sqrt(9 + wires["router"]["area_um2"] / 1e6))
            slowest = max(slowest, wires["wires"]["delay_cycles"]["max"])
            run = self.report("run", "base.yaml", *changes)
            self.assertAlmostEqual(float(row["time_ns"]),
                                   run["cycles"] * wires["wires"]["clock_ns"], places=6)
            self.assertLessEqual(run["lower_bound_cycles"], run["cycles"])
        self.assertGreaterEqual(slowest, 3)
        # What is known is known of the period that was found.
        again = self.explore("all.yaml", "--db", "all.db")
        self.assertEqual((again["simulated"], again["reused"]), (0, 12))

    def test_times_of_a_program_are_those_of_the_synthesized_clock(self):
        self.write("late.csv", "source,destination,bytes,time_ns\n0,3,8,300\n")
        self.write("base.yaml", machine(mesh(4), {"program": "late.csv"}, clock_ns="synth",
                                        fabric={"flit_bits": 16}))
        self.study(vary={"fabric.buffer_depth": [1]}, search=EVERYTHING)
        design, = self.explore("study.yaml", "--db", "a.db")["front"]
        run = self.report("run", "base.yaml", "--set", "fabric.buffer_depth=1")
        self.assertAlmostEqual(design["objectives"]["time_ns"], run["time_us"] * 1000)
        self.assertLess(design["objectives"]["time_ns"], 400)
        # So are the times of traces.
        self.write("late.goal", "num_ranks 2\nrank 0 {\nc: calc 300\ns: send 8b to 1 tag 0\n"
                   "s requires c\n}\nrank 1 {\nr: recv 8b from 0 tag 0\nc: calc 100\n"
                   "c requires r\n}\n")
        for trace, end_ns in (({"file": "late.goal"}, 500), ({"file": "late.csv", "format": "csv"}, None)):
            self.write("base.yaml", machine(mesh(4), {"trace": trace}, clock_ns="synth",
                                            fabric={"flit_bits": 16}))
            goals = {"min": ["time_ns"] + ["ranks_end_ns"] * (end_ns is not None)}
            self.study(vary={"fabric.buffer_depth": [1]}, search=EVERYTHING, objectives=goals)
            design, = self.explore("study.yaml")["front"]
            run = self.report("run", "base.yaml", "--set", "fabric.buffer_depth=1")
            self.assertAlmostEqual(design["objectives"]["time_ns"], run["time_us"] * 1000)
            self.assertLess(design["objectives"]["time_ns"], 400)
            if end_ns:
                self.assertAlmostEqual(design["objectives"]["ranks_end_ns"], run["trace"]["end_ns"])
                self.assertLess(design["objectives"]["ranks_end_ns"], end_ns)

    def test_a_load_that_is_too_much_has_no_latency(self):
        self.write("base.yaml", machine(mesh(4, 4), {
            "pattern": "uniform", "injection_rate": 0.35, "message_bytes": 64, "warmup_cycles": 100,
            "measure_cycles": 900}))
        self.study(vary={"fabric.topology": {"line": mesh(16), "ghc": {"kind": "ghc", "dims": [4, 4]}}},
                   objectives={"min": ["latency_ns", "pins"]})
        told = self.explore("study.yaml")
        self.assertEqual([design["axes"]["fabric.topology"] for design in told["front"]], ["ghc"])
        self.assertIn("1: overloaded, so no latency_ns", self.ok("explore", "study.yaml"))

    def test_a_missing_figure_is_laid_to_the_measurement_that_gives_it(self):
        self.write("base.yaml", machine(mesh(4, 4), {"pattern": "uniform", "injection_rate": 0.1},
                                        steady={"half_width": 0.001, "max_cycles": 40000}))
        self.study(vary={"fabric.buffer_depth": [4]}, search=EVERYTHING,
                   measure={"sat": {"kind": "saturation"}, "lat": {}},
                   objectives={"max": "saturation_gbps", "min": "latency_ns"})
        self.explore("study.yaml", "--db", "a.db")
        said = self.ok("explore", "front", "--db", "a.db")
        self.assertIn("no latency_ns that is sure to steady.half_width", said)

    @unittest.skipUnless(os.geteuid() == 0, "mounts a small file system")
    def test_a_full_disk_ends_the_study_with_a_sentence(self):
        small = self.path("small")
        os.mkdir(small)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=360k", "tmpfs", small],
                          check=False).returncode != 0:
            self.skipTest("cannot mount")
        self.addCleanup(subprocess.run, ["umount", small], check=True)
        done = self.call("explore", self.study(), "--db", "small/a.db")
        self.assertEqual(done.returncode, EXIT_FAILED, done.stderr)
        self.assertIn("database or disk is full", done.stderr)
        self.ok("explore", "front", "--db", "small/a.db")

    def test_the_studies_that_ship_can_be_explored(self):
        quick = ("--set", "steady={half_width: 0.2, max_cycles: 40000}")
        studies = sorted(STUDIES.glob("*.yaml"))
        self.assertGreaterEqual(len(studies), 4)
        for study in studies:
            with self.subTest(study=study.name):
                settings = quick if "steady" in study.read_text() else ()
                told = self.explore(str(study), "--dry-run", *settings)
                self.assertGreater(told["points"], 2)
        papers = self.explore(str(STUDIES / "papers_64_nodes.yaml"))
        self.assertGreater(papers["pruned"], 0)
        self.assertGreater(len(papers["front"]), 1)

    def test_bad_studies_are_refused_before_anything_runs(self):
        for keys, says in (
                ({"vary": {"fabric.depth": [1]}}, ["study.yaml:1:", "unknown key 'fabric.depth'"]),
                ({"vary": None}, ["key 'vary' is missing"]),
                ({"vary": {"seed": []}}, ["has no values"]),
                ({"base": "nowhere.yaml"}, ["study.yaml:1:10", "no such configuration file"]),
                ({"objectives": {"min": "speed"}}, ["unknown metric 'speed'", "time_ns"]),
                ({"objectives": {"max": "saturation_gbps"}}, ["no measurement of this study"]),
                ({"constraints": {"pins": {"min": 3, "max": 2}}}, ["no design can keep both"]),
                ({"equal_cost": {"fabric.pin_budget": 16}, "vary": {"seed": [1, 2]}},
                 ["no design of the study can be built", "study.yaml:1:", "a pin budget of 16"])):
            with self.subTest(keys=keys):
                self.refused("explore", self.study(**keys), says=says)
        self.refused("explore", "nowhere.yaml", says=["nowhere.yaml"])
        self.refused("explore", "frnt", "--db", "a.db",
                     says=["explore frnt: error: there is no such study", "did you mean 'front'?"])
        self.refused("explore", "front", says=["--db"])
        self.refused("explore", "front", "--db", "nowhere.db", says=["no such file"])
        self.write("text.db", "no database\n" * 100)
        done = self.call("explore", "front", "--db", "text.db")
        self.assertEqual(done.returncode, EXIT_USAGE)


if __name__ == "__main__":
    main()
