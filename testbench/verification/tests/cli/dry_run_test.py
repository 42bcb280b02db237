# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope explore --dry-run: what it looks at, what it measures of that, what it says."""
from explore_studies import ExploreTest
from flitscope_cli import main


class DryRun(ExploreTest):
    def test_designs_that_constraints_rule_out_are_not_measured(self):
        study = self.study(constraints={"pins": {"max": 1}})
        told = self.explore(study, "--dry-run", "--db", "a.db")
        self.assertEqual((told["points"], told["measured"]), (36, 0))
        self.assertEqual(told["ruled_out"], told["tried"])
        self.assertGreater(told["tried"], 5)
        self.assertIsNone(told["estimated_seconds"])
        self.assertIn("at most 1 is allowed", told["problem"])
        self.assertIn("36 designs; how long they take is not known, for constraints rule out all",
                      self.ok("explore", study, "--dry-run"))
        self.assertEqual(self.explore(self.study(), "--db", "a.db")["reused"], 0)

    def test_a_bound_rules_out_as_well(self):
        told = self.explore(self.study(constraints={"cycles": {"max": 2}}), "--dry-run")
        self.assertEqual((told["ruled_out"], told["measured"]), (told["tried"], 0))
        self.assertIn("cycles is at least ", told["problem"])

    def test_others_are_looked_at_in_place_of_them(self):
        """Of one kind in three, among five there would be too few."""
        study = self.study(constraints={"flit_bits": {"max": 16}})
        told = self.explore(study, "--dry-run")
        self.assertGreater(told["tried"], 5)
        self.assertLess(told["ruled_out"], told["tried"])
        self.assertLessEqual(told["measured"], 5)
        self.assertIn("that constraints do not rule out in advance: ",
                      self.ok("explore", study, "--dry-run"))

    def test_routers_that_are_not_synthesized_rule_out_nothing(self):
        study = self.study(constraints={"area_mm2": {"max": 1e-9}, "period_ns": {"max": 1e-9}})
        told = self.explore(study, "--dry-run", "--set", "clock_ns=synth")
        self.assertEqual((told["tried"], told["ruled_out"]), (5, 0))
        told = self.explore(self.study(constraints={"pins": {"max": 1}}), "--dry-run", "--set",
                            "clock_ns=synth")
        self.assertEqual((told["ruled_out"], told["measured"]), (told["tried"], 0))

    def test_the_number_of_designs_is_told_before_any_is_measured(self):
        done = self.call("explore", self.study(), "--dry-run")
        self.assertTrue(done.stderr.startswith("36 designs"), done.stderr)
        self.assertIn("up to five designs", " ".join(self.ok("explore", "--help").split()))


if __name__ == "__main__":
    main()
