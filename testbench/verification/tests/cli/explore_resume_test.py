# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope explore: studies that were killed or interrupted go on, and what is lost with them."""
import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import time
import unittest

from explore_studies import AXES, EVERYTHING, ExploreTest
from flitscope_cli import EXIT_FAILED, EXIT_INTERRUPTED, TIMEOUT_S, children, machine, main, mesh


class ExploreResume(ExploreTest):
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
        self.assertIn("rerun the command to resume", errors.decode())
        self.assertGreater(len(self.metrics("a.db")), 0)
        kept = self.explore("front", "--db", "a.db")
        self.assertLess(kept["points"], 108)
        self.assertEqual((kept["complete"], kept["expected"]), (False, 108))
        self.assertIn(f"INCOMPLETE: {kept['points']} of 108 designs\n",
                      self.ok("explore", "front", "--db", "a.db"))

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

    @unittest.skipUnless(os.geteuid() == 0, "mounts a small file system")
    def test_a_full_disk_ends_the_study_with_a_sentence(self):
        small = self.path("small")
        os.mkdir(small)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=420k", "tmpfs", small],
                          check=False).returncode != 0:
            self.skipTest("cannot mount")
        self.addCleanup(subprocess.run, ["umount", small], check=True)
        done = self.call("explore", self.study(), "--db", "small/a.db")
        self.assertEqual(done.returncode, EXIT_FAILED, done.stderr)
        self.assertIn("database or disk is full", done.stderr)
        self.ok("explore", "front", "--db", "small/a.db")


if __name__ == "__main__":
    main()
