#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The mutants fit the sources, and the table of what caught them is that of the list.

usage: mutants_test.py ROOT
"""

import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import suite  # noqa: E402

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "testbench/verification/mutants"))
import results_table  # noqa: E402
import run_mutants  # noqa: E402


class Mutants(unittest.TestCase):
    def test_every_text_is_found_once_and_becomes_another(self):
        for mutant in run_mutants.load_mutants():
            with self.subTest(mutant=mutant["name"]):
                self.assertNotEqual(mutant["find"], mutant["replace"])
                self.assertNotIn("|", mutant["bug"])

    def test_the_table_is_that_of_the_list_and_nothing_survived(self):
        self.assertEqual(results_table.faults(), [],
                         "run ./dev mutants --missing --markdown, or --only NAME --markdown")

    def test_every_mutant_has_tests_that_are_built(self):
        built = (ROOT / "testbench/verification/tests/CMakeLists.txt").read_text()
        for mutant in run_mutants.load_mutants():
            for test in run_mutants.tests_of(mutant):
                self.assertRegex(built, rf"\b{test}\b", mutant["name"])

    def test_verdicts_name_the_test(self):
        said = "[ RUN      ] A.B/0\n[  FAILED  ] A.B/0, where GetParam() = 1\n[ RUN      ] A.C\n"
        self.assertIsNone(results_table.verdict(0, said))
        self.assertEqual(results_table.verdict(1, said), "A.B/0")
        self.assertEqual(results_table.verdict(-11, said), "A.C (crashes, SIGSEGV)")
        self.assertEqual(results_table.verdict(-24, said), "A.C (hangs)")
        self.assertEqual(results_table.verdict(2, ""), "exit code 2")

    def test_what_caught_a_mutant_is_tried_first(self):
        self.assertEqual(results_table.hint("x_test: S/A.B/0"), ("x_test", "S/A.B/0"))
        self.assertEqual(results_table.hint("x_test: A.C (hangs)"), ("x_test", "A.C"))
        self.assertEqual(results_table.hint("x_test: exit code 2"), ("x_test", None))

    def test_results_of_other_sources_are_not_gone_on_with(self):
        import json
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "results.json").write_text(
                json.dumps({"digest": "other", "results": {}}))
            done = subprocess.run(
                [sys.executable, "-B", str(ROOT / "testbench/verification/mutants/run_mutants.py"), "--resume",
                 "--scratch", folder], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("the sources have changed", done.stderr)


if __name__ == "__main__":
    suite.main()
