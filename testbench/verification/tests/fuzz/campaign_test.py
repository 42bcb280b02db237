#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""A campaign of fuzzing fails as long as a reader is broken, with a program in place of libFuzzer's.

usage: campaign_test.py ROOT
"""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import suite  # noqa: E402

ROOT = pathlib.Path(sys.argv.pop(1))

# Has two readers, one of which ends as $BREAKS says; like libFuzzer, it names a breaking input by
# its text, so that equal inputs have equal names.
FUZZER = """#!/bin/sh
reader=$FLITSCOPE_FUZZED_READER
for word; do
    case $word in
    -readers) printf 'config\\ntrace\\n'; exit ;;
    -seeds=*) exit ;;
    -merge=1) is_merge=yes ;;
    -runs=*) runs=${word#*=} ;;
    -artifact_prefix=*) prefix=${word#*=} ;;
    esac
done
[ -z "$is_merge" ] || exit 0
echo "stat::number_of_executed_units: ${runs:-7}" >&2
[ $reader = trace ] && [ -n "$BREAKS" ] || exit 0
if [ "$BREAKS" = crash ]; then
    : >${prefix}crash-0
    echo "artifact_prefix='$prefix'; Test unit written to ${prefix}crash-0" >&2
fi
sleep 0.2
exit 77
"""


class Campaign(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        fuzzer = self.folder / "fuzzer"
        fuzzer.write_text(FUZZER, encoding="utf-8")
        fuzzer.chmod(0o755)

    def called(self, *words, breaks=""):
        return subprocess.run([sys.executable, ROOT / "testbench/verification/fuzz/campaign.py", self.folder / "fuzzer",
                               self.folder / "out", *words], env={**os.environ, "BREAKS": breaks},
                              capture_output=True, text=True, check=False)

    def rows(self):
        with open(self.folder / "out/campaign.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))[-2:]

    def campaign(self, breaks=""):
        """The exit code, and the findings of each reader."""
        done = self.called("all", "1", breaks=breaks)
        return done.returncode, {row["reader"]: row["findings"] for row in self.rows()}, done.stdout

    def test_what_does_not_break_anything_succeeds(self):
        self.assertEqual(self.campaign()[:2], (0, {"config": "0", "trace": "0"}))

    def test_a_crash_that_is_known_is_a_crash(self):
        for _ in range(2):
            code, findings, said = self.campaign("crash")
            self.assertEqual((code, findings), (1, {"config": "0", "trace": "1"}))
            self.assertIn("trace.crash-0", said)
        self.assertEqual(self.campaign()[:2], (0, {"config": "0", "trace": "0"}))

    def test_a_reader_that_ends_without_a_finding_is_broken_too(self):
        code, _, said = self.campaign("exit")
        self.assertEqual(code, 1)
        self.assertIn("trace is broken", said)

    def test_so_many_texts_are_tried_once(self):
        done = self.called("--texts", "50")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([row["executions"] for row in self.rows()], ["50", "50"])
        done = self.called("trace", "--texts", "50", breaks="crash")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.count("trace is broken"), 1)
        self.assertIn("Test unit written to", done.stdout)  # if there is no folder to look into

    def test_what_cannot_be_done_is_refused(self):
        for words, said in ((("--texts", "0"), "'0' is not a whole number"),
                            (("config", "soon"), "'soon' is not"),
                            (("progam",), "there is no reader progam; there are config, trace")):
            done = self.called(*words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    suite.main()
