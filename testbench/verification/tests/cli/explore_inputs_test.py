# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope explore: files that designs name, conditions that few designs fulfil, slips in both, and what
is kept of a study when it is explored again with one."""
import json
import os

from explore_studies import EVERYTHING, ExploreTest
from flitscope_cli import EXIT_USAGE, machine, main, mesh

DEPTHS = {"fabric.buffer_depth": [2, 3, 4, 8]}
CHEAP = {"min": ["time_ns", "buffer_bits"]}
RANDOM = {"method": "random"}
GENETIC = {"method": "nsga2", "population": 4}


class Files(ExploreTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("sub"))
        self.write("sub/base.yaml", machine(mesh(2, 2), {"schedule": "pex", "message_bytes": 64}))
        for name, size in (("a", 3), ("b", 4)):
            self.write(f"sub/{name}.csv", "from,to\n" + "".join(
                f"{i},{i + 1}\n{i + 1},{i}\n" for i in range(size - 1)))
        self.write("sub/p.csv", "source,destination,bytes,step\n0,1,64,0\n")

    def custom(self, **files):
        return {"fabric.topology": {name: {"kind": "custom", "file": file} for name, file in files.items()}}

    def test_names_begin_at_the_folder_of_the_study(self):
        study = self.study("sub/study.yaml", vary=self.custom(a="a.csv", b="./b.csv"), objectives=CHEAP,
                           measure={"run": {"set": {"traffic": {"program": "p.csv"}}}}, search=EVERYTHING)
        report = self.explore(study, "--db", "a.db")
        self.assertEqual((report["points"], report["simulated"]), (2, 2))
        self.write("sub/none.yaml", "base: base.yaml\nobjectives: {min: [time_ns, buffer_bits]}\nvary:\n  traffic:\n"
                                    "    p: {program: p.csv}\n    s: {schedule: pex, program: none}\n")
        self.assertEqual(self.explore("sub/none.yaml")["points"], 2)
        # Those of the command line are relative to the current one, as usual.
        self.write("mine.csv", "source,destination,bytes,step\n0,1,8,0\n")
        plain = self.study("sub/plain.yaml", vary=DEPTHS, objectives=CHEAP)
        self.explore(plain, "--set", "traffic={program: mine.csv}")
        done = self.call("explore", plain, "--set", "traffic={program: p.csv}")
        self.assertEqual(done.returncode, EXIT_USAGE)
        self.assertIn("no such file 'p.csv'", done.stderr)
        self.assertIn("on the command line names are relative to the current folder", done.stderr)

    def test_those_that_are_not_there_are_named_with_their_place(self):
        for search in (None, RANDOM, GENETIC):
            with self.subTest(search=search):
                study = self.study("sub/gone.yaml", vary=self.custom(gone="gone.csv", no="no.csv"),
                                   objectives=CHEAP, search=search)
                for command in (("explore", study), ("explore", study, "--dry-run")):
                    if search is None or "--dry-run" not in command:
                        self.refused(*command, says=["sub/gone.yaml:1:", "no such file", "gone.csv"])
        # One of two is a slip of the exact search, too.
        self.refused("explore", self.study("sub/one.yaml", vary=self.custom(a="a.csv", gone="gone.csv"),
                                           objectives=CHEAP), says=["sub/one.yaml:1:", "gone.csv"])
        self.refused("explore", self.study("sub/set.yaml", vary=DEPTHS, objectives=CHEAP, measure={
            "m": {"set": {"traffic": {"program": "gone.csv"}}}}), says=["sub/set.yaml:1:", "gone.csv"])
        self.write("sub/base.yaml", machine(mesh(2, 2), {"program": "gone.csv"}))
        self.refused("explore", self.study("sub/base_too.yaml", vary=DEPTHS, objectives=CHEAP),
                     says=["sub/base.yaml:1:", "gone.csv"])


class Conditions(ExploreTest):
    def test_that_none_fulfils_are_told_whatever_the_search(self):
        for search in (None, RANDOM, GENETIC):
            with self.subTest(search=search):
                self.refused("explore", self.study(vary=DEPTHS, objectives=CHEAP, search=search,
                                                   where="fabric.buffer_depth > 100"),
                             says=["study.yaml:1:", "no design fulfils the condition"])
        huge = {"seed": list(range(3000)), "fabric.buffer_depth": list(range(1, 3001))}
        for search in (RANDOM, GENETIC):
            self.refused("explore", self.study(vary=huge, objectives=CHEAP, search=search,
                                               where="fabric.buffer_depth > 5000"),
                         says=["study.yaml: error: the conditions admit none of 1000 designs that were drawn"])

    def test_few_that_fulfil_them_are_all_found(self):
        vary = {"fabric.buffer_depth": list(range(2, 102)), "seed": list(range(100))}
        where = "fabric.buffer_depth == seed"
        for search in (RANDOM, GENETIC):
            report = self.explore(self.study(vary=vary, objectives=CHEAP, where=where,
                                             search={**search, "evaluations": 5000}))
            self.assertEqual(report["points"], 98, search)
        some = self.study(vary=vary, objectives=CHEAP, where=where, search={**RANDOM, "evaluations": 60})
        drawn = [self.explore(some, "--db", name, "--jobs", jobs)["front"]
                 for name, jobs in (("a.db", "1"), ("b.db", "2"))]
        self.assertEqual(drawn[0], drawn[1])
        self.assertEqual(len(self.ok("explore", "export", "--db", "a.db").splitlines()), 61)

    def test_axes_are_zipped_once(self):
        vary = {"fabric.buffer_depth": [2, 4], "seed": [1, 2], "fabric.flit_bits": [16, 32]}
        for zips, says in (([["seed", "fabric.buffer_depth"], ["fabric.flit_bits", "seed"]], "'seed' is zipped twice"),
                           ([["seed", "seed"]], "'seed' is zipped with itself")):
            self.refused("explore", self.study(vary=vary, objectives=CHEAP, zip=zips), says=["study.yaml:1:", says])

    def test_axes_have_names_of_their_own_in_tables(self):
        for name in ("state", "digest", "pins"):
            vary = {name: {"a": {"seed": 1}, "b": {"seed": 2}}}
            self.refused("explore", self.study(vary=vary, objectives=CHEAP),
                         says=[f"'{name}' is a column of tables of designs already"])

    def test_budgets_that_contradict_each_other_are_told_by_their_places(self):
        done = self.call("explore", self.study(vary=DEPTHS, objectives=CHEAP, equal_cost={
            "fabric.pin_budget": 256, "fabric.bisection_budget": 256}))
        self.assertEqual(done.returncode, EXIT_USAGE)
        self.assertIn("contradicts 'fabric.pin_budget' at ", done.stderr)
        self.assertNotIn("--set", done.stderr)


class Kept(ExploreTest):
    def designs(self):
        listed = json.loads(self.ok("explore", "list", "--db", "a.db", "--json"))["studies"]
        return [(study["points"], study["complete"]) for study in listed]

    def test_a_study_with_a_slip_replaces_nothing(self):
        for search in (None, RANDOM, GENETIC):
            with self.subTest(search=search):
                self.explore(self.study(vary=DEPTHS, objectives=CHEAP, search=search), "--db", "a.db")
                self.assertEqual(self.designs(), [(4, True)])
                for slip in ({"where": "fabric.buffer_depth + x > 1"}, {"vary": {"fabric.buffer_depth": [2.5]}},
                             {"where": "fabric.buffer_depth > 100"}):
                    self.refused("explore", self.study(**{"vary": DEPTHS, "objectives": CHEAP, "search": search,
                                                          **slip}), "--db", "a.db", says=["study.yaml:1:"])
                    self.assertEqual(self.designs(), [(4, True)])
                os.remove(self.path("a.db"))

    def test_where_all_designs_are_refused_every_search_says_so(self):
        self.write("base.yaml", machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 640},
                                        fabric={"switching": "virtual_cut_through"}))
        for search in (None, RANDOM, GENETIC):
            self.refused("explore", self.study(vary={"fabric.buffer_depth": [2, 3]}, objectives=CHEAP,
                                               search=search), says=["can be built"])

    def test_measurements_have_the_names_of_their_study(self):
        for study, measure in (("one", {"m1": {}}), ("three", {"m3": {"weight": 3}}), ("other", {"m2": {}})):
            self.explore(self.study(f"{study}.yaml", vary=DEPTHS, objectives=CHEAP, measure=measure), "--db", "a.db")
        for study, name in (("one", "m1"), ("three", "m3"), ("other", "m2")):
            front = json.loads(self.ok("explore", "front", "--db", "a.db", "--study", study, "--json"))["front"]
            shown = self.ok("explore", "show", front[0]["digest"], "--db", "a.db", "--study", study,
                            "--measurement", name)
            self.assertIn("buffer_depth", shown)

    def test_a_database_that_is_broken_is_refused(self):
        self.explore(self.study(vary=DEPTHS, objectives=CHEAP), "--db", "a.db")
        os.truncate(self.path("a.db"), 9000)
        for arguments in (["explore", "front", "--db", "a.db"], ["explore", "study.yaml", "--db", "a.db"],
                          ["report", "a.db", "-o", "page.html"]):
            self.refused(*arguments, says=["a.db", "malformed"])

    def test_where_no_design_was_simulated_nothing_is_drawn(self):
        self.write("base.yaml", machine(mesh(2, 2), {"schedule": "gen", "message_bytes": 64},
                                        limits={"max_cycles": 1}))
        done = self.call("explore", self.study(vary=DEPTHS, objectives={"min": ["cycles", "pins"]}), "--db",
                         "none.db", "--plot", "front.svg")
        self.assertEqual(done.returncode, EXIT_USAGE, done.stderr)
        self.assertIn("--plot front.svg: error: no design of the study was simulated", done.stderr)
        self.assertNotEqual(done.stdout, "", "what came of it is told nonetheless")
        self.assertFalse(os.path.exists(self.path("front.svg")))


if __name__ == "__main__":
    main()
