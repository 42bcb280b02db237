# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Computations as a user meets them: the example configurations run and say what was computed, and
a run with a wrong result fails."""
import json
import pathlib

from flitscope_cli import CliTest, EXIT_FAILED, main

CONFIGS = pathlib.Path(__file__).resolve().parents[3] / "configs"

# Number of results; how many steps they take is for traffic/computation_test.cpp.
EXAMPLES = {"semigroup_shifted": 1, "schedules/prefix": 512, "schedules/median-row": 16}


class Computations(CliTest):
    def test_examples_compute_what_is_right(self):
        for name, results in EXAMPLES.items():
            with self.subTest(name):
                report = self.report("run", CONFIGS / f"{name}.yaml")
                self.assertEqual(report["status"], "complete")
                computation = report["computation"]
                self.assertIn("equal to direct computation", computation["computed"])
                self.assertEqual(computation["correct_results"], results)

    def test_summary_says_what_was_computed(self):
        summary = self.ok("run", CONFIGS / "schedules/semigroup_rows.yaml")
        self.assertIn("semigroup concat of 256 values: node 0 holds values 0 to 255, equal to "
                      "direct computation", summary)

    def test_results_follow_the_seed(self):
        def computed(seed):
            report = self.report("run", CONFIGS / "semigroup_line.yaml", "--set", f"seed={seed}")
            return report["computation"]["computed"]

        self.assertEqual(computed(5), computed(5))
        self.assertNotEqual(computed(5), computed(6))

    def test_a_wrong_result_is_a_failed_run(self):
        done = self.call("run", CONFIGS / "schedules/semigroup_row_major_printed.yaml", "--json",
                         "--set", "traffic.operation=concat")
        self.assertEqual(done.returncode, EXIT_FAILED)
        report = json.loads(done.stdout)
        self.assertEqual(report["status"], "failed")
        self.assertEqual(report["problems"], ["semigroup concat of 256 values: node 0 holds values "
                                              "out of order instead of values 0 to 255"])
        self.assertEqual(report["computation"], {"computed": "", "correct_results": 0})


if __name__ == "__main__":
    main()
