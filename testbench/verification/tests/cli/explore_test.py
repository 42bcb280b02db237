# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope explore: what scripts rely on, what designs are chosen by, dry runs, bad studies."""
import csv
import io
import json
import pathlib
import sqlite3

from explore_studies import AXES, EVERYTHING, GOALS, ExploreTest
from flitscope_cli import EXIT_USAGE, machine, main, mesh, suite

STUDIES = pathlib.Path(__file__).resolve().parents[3] / "configs" / "studies"


class Explore(ExploreTest):
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
            self.assertEqual(float(f'{run["latency"]["mean"]:.12g}'),
                             design["objectives"]["latency_ns"])

    def test_loads_that_are_other_work_in_other_designs_are_told(self):
        # Eight flits of 64 bits, or sixteen of 32, and a header: 8 and 4 bytes of payload in a flit.
        self.write("base.yaml", machine(mesh(4, 4), {"pattern": "uniform", "message_bytes": 64,
                                                     "injection_rate": 0.1, "measure_cycles": 1000}))
        study = self.study(vary={"fabric.flit_bits": [32, 64]},
                           objectives={"min": ["latency_ns", "flit_bits"]})
        self.assertIn("UNEQUAL WORK", self.ok("explore", study))
        [spread] = self.explore(study)["unequal_payloads"]
        self.assertEqual(spread["unit"], "Gbit/s")
        self.assertAlmostEqual(spread["least"], 0.1 * 512 / 17)
        self.assertAlmostEqual(spread["most"], 0.1 * 512 / 9)
        # A budget of 256 wires leaves the 4 links over the bisection of the mesh 64, the 8 of the cube 32.
        budget = self.study(vary={"fabric.topology": {"mesh": mesh(4, 4), "cube": {"kind": "hypercube", "dimensions": 4}}},
                            equal_cost={"fabric.bisection_budget": 256},
                            objectives={"min": ["latency_ns", "buffer_bits"]})
        [spread] = self.explore(budget)["unequal_payloads"]
        self.assertAlmostEqual(spread["least"], 0.1 * 512 / 17)
        self.assertAlmostEqual(spread["most"], 0.1 * 512 / 9)
        study = self.study(vary={"fabric.flit_bits": [32, 64]},
                           objectives={"min": ["latency_ns", "flit_bits"]})
        for same in ("traffic.injection_rate=3 Gbit/s", "fabric.flit_bits=32"):
            if same.startswith("fabric"):
                study = self.study(vary={"fabric.buffer_depth": [2, 4]},
                                   objectives={"min": ["latency_ns", "buffer_bits"]})
            text = self.ok("explore", study, "--set", same)
            self.assertNotIn("UNEQUAL WORK", text)

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
                         ["no steady state at this load, so no round_trip_ns: the backlog grows without bound"])
        # Without replies there are no round trips.
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
        # Without computations no rank has an end: refused before they are simulated.
        self.write("trace.csv", "source,destination,bytes,time\n0,1,8,0\n")
        self.write("program.csv", "step,source,destination,bytes\n0,0,1,8\n")
        for traffic, key in (({"schedule": "gen"}, "gen"), ({"program": "program.csv"}, "a program of messages"),
                             ({"trace": {"file": "trace.csv", "format": "csv"}}, "messages with times"),
                             ({"pattern": "uniform"}, "a pattern")):
            self.write("base.yaml", machine(mesh(4, 4), traffic))
            study = self.study(vary={"fabric.buffer_depth": [2, 4]}, objectives={"min": ["ranks_end_ns"]})
            self.refused("explore", study, says=["base.yaml:", key, "no ranks_end_ns"])

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
        # Without the constraint all of them are tried, and none finishes.
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
        self.ok("explore", "study.yaml", "--dry-run", "--set", "node.send_overhead=3")
        self.refused("explore", "front", "--db", "a.db", "--set", "seed=2",
                     says=["--set: error: explore front does not accept it"])
        self.refused("explore", "base.yaml", says=["base.yaml: error: is a configuration"])
        self.refused("run", "study.yaml", says=["study.yaml: error: is a study",
                                                "flitscope explore study.yaml"])

    def test_a_dry_run_leaves_a_study_as_it_is(self):
        everything = self.explore(self.study(search=EVERYTHING), "--db", "a.db")
        self.assertEqual(everything["simulated"], 36)
        before = self.ok("explore", "export", "--db", "a.db")
        self.explore("study.yaml", "--dry-run", "--db", "a.db")
        self.assertEqual(self.ok("explore", "export", "--db", "a.db"), before)
        # Its measurements are stored.
        measured = self.explore("study.yaml", "--dry-run", "--db", "b.db")["measured"]
        self.assertEqual(self.explore("study.yaml", "--db", "b.db")["reused"], measured)

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

    def test_a_load_that_is_too_much_has_no_latency(self):
        self.write("base.yaml", machine(mesh(4, 4), {
            "pattern": "uniform", "injection_rate": 0.35, "message_bytes": 64, "warmup_cycles": 100,
            "measure_cycles": 900}))
        self.study(vary={"fabric.topology": {"line": mesh(16), "ghc": {"kind": "ghc", "dims": [4, 4]}}},
                   objectives={"min": ["latency_ns", "pins"]})
        told = self.explore("study.yaml")
        self.assertEqual([design["axes"]["fabric.topology"] for design in told["front"]], ["ghc"])
        self.assertIn("1: overloaded, so no latency_ns", self.ok("explore", "study.yaml"))

    def test_a_metric_that_the_traffic_does_not_have_is_refused_beforehand(self):
        load = {"pattern": "uniform", "injection_rate": 0.1, "message_bytes": 64}
        vary = {"fabric.buffer_depth": [2, 8]}
        self.write("base.yaml", machine(mesh(4, 4), load))
        for metric in ("time_ns", "cycles"):
            self.refused("explore", self.study(vary=vary, objectives={"min": [metric, "pins"]}),
                         says=["base.yaml:", f"a pattern has no makespan, so there is no {metric}",
                               "latency_ns"])
        self.refused("explore", self.study(vary=vary, objectives={"min": "pins"},
                                           constraints={"cycles": {"max": 9}}), says=["no cycles"])
        self.write("base.yaml", machine(mesh(4, 4), load, steady={"half_width": 0.2}))
        self.refused("explore", self.study(vary=vary, objectives={"min": "energy_uj"}),
                     says=["base.yaml:", "there is no energy_uj", "energy_per_bit_pj"])

    def test_options_that_would_do_nothing_are_refused(self):
        study = self.study(vary={"fabric.buffer_depth": [1, 2]})
        self.explore(study, "--db", "a.db")
        for words in (("axes", "--db", "a.db", "--plot", "a.svg"),
                      ("export", "--db", "a.db", "--plot", "a.svg"),
                      ("list", "--db", "a.db", "--study", "x"),
                      ("front", "--db", "a.db", "--rows", "x"),
                      ("front", "--db", "a.db", "--jobs", "2"),
                      (study, "--budget", "pins=1")):
            self.refused("explore", *words, says=[words[-2] + ": error: explore", "does not accept it",
                                                  "it accepts --db --"])
        self.refused("explore", study, "--dry-run", "--plot", "a.svg", says=["excludes"])

    def test_nothing_is_drawn_over_the_database(self):
        for name in ("n.csv", "n.svg"):
            self.refused("explore", self.study(vary={"fabric.buffer_depth": [1, 2]}), "--db", name,
                         "--plot", "n.svg", says=["--plot n.svg", "would be overwritten"])
        self.refused("explore", "study.yaml", "--db", "absent/a.db", says=["no folder absent"])

    def test_a_missing_figure_is_laid_to_the_measurement_that_gives_it(self):
        self.write("base.yaml", machine(mesh(4, 4), {"pattern": "uniform", "injection_rate": 0.1},
                                        steady={"half_width": 0.001, "max_cycles": 40000}))
        self.study(vary={"fabric.buffer_depth": [4]}, search=EVERYTHING,
                   measure={"sat": {"kind": "saturation"}, "lat": {}},
                   objectives={"max": "saturation_gbps", "min": "latency_ns"})
        self.explore("study.yaml", "--db", "a.db")
        said = self.ok("explore", "front", "--db", "a.db")
        self.assertIn("no latency_ns that has converged to steady.half_width", said)

    def test_the_studies_that_ship_can_be_explored(self):
        quick = ("--set", "steady={half_width: 0.2, max_cycles: 40000}")
        if not suite.TAKES_ALL:
            quick += ("--set", "fabric.topology.dims=[4, 4]")
        studies = sorted(STUDIES.glob("*.yaml"))
        self.assertGreaterEqual(len(studies), 4)
        for study in suite.sample_of(studies, 1):
            with self.subTest(study=study.name):
                settings = quick if "steady" in study.read_text() else ()
                told = self.explore(str(study), "--dry-run", *settings)
                self.assertGreater(told["points"], 2)
        if not suite.TAKES_ALL:
            return  # the commands of the documentation explore one
        papers = self.explore(str(STUDIES / "papers_64_nodes.yaml"))
        self.assertGreater(papers["pruned"], 0)
        self.assertGreater(len(papers["front"]), 1)

    def test_one_two_and_four_dies_are_an_axis(self):
        """Of 12 mm, and half a millimetre for every gap; slow links add latency."""
        self.explore(str(STUDIES / "chiplets.yaml"), "--db", "a.db")
        table = json.loads(self.ok("explore", "table", "--rows", "fabric.link_rate.die", "--columns",
                                   "fabric.topology", "--db", "a.db", "--json"))
        figures = {(cell["row"], cell["column"]): cell["best"]["objectives"] for cell in table["cells"]}
        self.assertEqual(len(figures), 9)
        for topology in ("mesh", "sparse", "how2"):
            dies = [figures[row, topology] for row in ("one", "two", "four")]
            self.assertEqual([die["chip_mm2"] for die in dies], [12 * 12, 12 * 12.5, 12.5 * 12.5])
            self.assertEqual(len({die["wire_bits"] for die in dies}), 1)
            latencies = [die["latency_ns"] for die in dies]
            self.assertLess(latencies[0] + 3, latencies[1])
            self.assertLess(latencies[1] + 3, latencies[2])

    def test_the_last_bits_of_a_sum_decide_nothing(self):
        # The mean hops of both are 71/35, summed up in another order.
        self.write("base.yaml", machine(mesh(2, 4), {
            "pattern": "hotspot", "message_bytes": 32, "injection_rate": 0.02, "warmup_cycles": 100,
            "measure_cycles": 400}, fabric={"flit_bits": 128}))
        report = self.explore(self.study(
            vary={"fabric.topology": {"mesh24": mesh(2, 4), "mesh42": mesh(4, 2)}},
            objectives={"min": ["zero_load_ns", "pins"]}, search=EVERYTHING))
        self.assertEqual(len(report["front"]), 2)
        # Of 192 pins, by any weights.
        self.write("base.yaml", machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 64}))
        pins = self.explore(self.study(vary={"seed": [1]}, objectives={"min": ["pins"]}))
        pins = pins["front"][0]["objectives"]["pins"]
        for weights in ((3, 0.2), (0.5, 0.3), (1.5, 0.7)):
            measures = {name: {"kind": "run", "weight": weight, "set": {"traffic.message_bytes": 8 * k}}
                        for k, (name, weight) in enumerate(zip("ab", weights), 1)}
            report = self.explore(self.study(vary={"seed": [1]}, measure=measures,
                                             objectives={"min": ["pins"]},
                                             constraints={"pins": {"min": pins, "max": pins}}))
            self.assertEqual(len(report["front"]), 1, weights)

    def test_numbers_are_varied_as_they_are_written(self):
        self.write("base.yaml", machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 64}))
        self.write("study.yaml", "base: base.yaml\nvary: {traffic.barrier.fixed: [-5, 10], "
                   "clock_ns: [.5, 1.5e+1]}\n"
                   "objectives: {min: [time_ns, cycles]}\nsearch: {method: random, evaluations: 8}\n")
        report = self.explore("study.yaml")
        self.assertEqual((report["points"], report["refused"]), (4, 0))

    def test_bad_studies_are_refused_before_anything_runs(self):
        for keys, says in (
                ({"vary": {"fabric.depth": [1]}}, ["study.yaml:1:", "unknown key 'fabric.depth'"]),
                ({"base": "nowhere.yaml"}, ["study.yaml:1:10", "no such configuration file"]),
                ({"equal_cost": {"fabric.pin_budget": 16}, "vary": {"seed": [1, 2]}},
                 ["no design of the study can be built", "study.yaml:1:", "a pin budget of 16"]),
                *(({"equal_cost": {"fabric.pin_budget": 16}, "vary": {"seed": [1, 2]},
                    "search": {"method": method, "evaluations": 2}},
                   ["no design that was drawn can be built", "study.yaml:1:", "a pin budget of 16"])
                  for method in ("random", "nsga2"))):
            with self.subTest(keys=keys):
                self.refused("explore", self.study(**keys), says=says)
        # Consequences of an unknown measurement are not reported in addition.
        for measure in ("throughput", {"a": {"kind": "throughput"}}):
            error = self.refused("explore", self.study(measure=measure,
                                                       objectives={"max": "saturation_gbps"}),
                                 says=["expected a measurement", "throughput"])
            self.assertEqual(len(error.splitlines()), 1)
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
