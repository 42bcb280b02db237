# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Computations as a user meets them: the example configurations run and say what was computed, and
a run with a wrong result fails."""
import json
import pathlib

from flitscope_cli import CliTest, EXIT_FAILED, machine, main, mesh

CONFIGS = pathlib.Path(__file__).resolve().parents[3] / "configs"

# Steps (None: they depend on the numbers) and number of results.
EXAMPLES = {
    "semigroup_line": (14, 1),
    "schedules/semigroup_rows": (12, 1),
    "schedules/semigroup_submeshes": (12, 1),
    "schedules/semigroup_row_major": (15, 1),
    "schedules/semigroup_row_major_printed": (18, 1),
    "semigroup_shifted": (20, 1),
    "semigroup_compound": (14, 1),
    "semigroup_hierarchy": (12, 1),
    "semigroup_how": (10, 1),
    "semigroup_torus": (16, 1),
    "schedules/prefix": (24, 512),
    "schedules/median-row": (24, 16),
    "schedules/median": (None, 1),
    "schedules/closest-neighbour": (36, None),
}


class Computations(CliTest):
    def test_examples_compute_what_is_right(self):
        for name, (steps, results) in EXAMPLES.items():
            with self.subTest(name):
                report = self.report("run", CONFIGS / f"{name}.yaml")
                self.assertEqual(report["status"], "complete")
                computation = report["computation"]
                self.assertIn("equal to direct computation", computation["computed"])
                self.assertGreater(computation["correct_results"], 0)
                if steps is not None:
                    self.assertEqual(report["steps"], steps)
                if results is not None:
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

    def test_keys_of_computations_are_for_them_alone(self):
        for traffic, says in (
                ({"schedule": "median", "operation": "max"},
                 "does not apply to schedule 'median'"),
                ({"schedule": "gen", "values_per_node": 2},
                 "does not apply to schedule 'gen'")):
            config = self.write("config.yaml", machine(mesh(4, 4), traffic))
            self.refused("check", config, says=[says])

    def test_a_network_that_does_not_fit_is_refused_with_a_remedy(self):
        self.refused("run", CONFIGS / "schedules/semigroup_submeshes.yaml",
                     "--set", "traffic.algorithm=rows",
                     says=["traffic.algorithm", "express links in every line", "use submeshes"])
        self.refused("run", CONFIGS / "schedules/prefix.yaml", "--set",
                     "fabric.topology={kind: custom, file: %s}" % (CONFIGS / "ring_4_graph.yaml"),
                     "--set", "fabric.allow_deadlock=true",
                     says=["needs nodes in lines", "use a mesh"])


if __name__ == "__main__":
    main()
