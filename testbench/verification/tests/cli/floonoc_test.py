#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""testbench/examples/floonoc with the sources of FlooNoC, where somebody has fetched them."""
import csv
import io
import os
import pathlib
import shutil
import unittest
import unittest.mock

from flitscope_cli import CliTest, main, suite

EXAMPLE = pathlib.Path(__file__).resolve().parents[3] / "examples/floonoc"
FETCHED = os.environ.get("FLITSCOPE_FLOONOC", "")


@suite.campaign
@unittest.skipUnless(FETCHED, "needs FLITSCOPE_FLOONOC, the folder that testbench/examples/floonoc/fetch.sh fills")
class FlooNoC(CliTest):
    def setUp(self):
        super().setUp()
        for patch in (unittest.mock.patch.dict(os.environ, FLITSCOPE_CACHE=self.path("the cache")),
                      unittest.mock.patch("flitscope_cli.TIMEOUT_S", 900)):
            patch.start()
            self.addCleanup(patch.stop)
        shutil.copytree(EXAMPLE, self.path("example"), ignore=shutil.ignore_patterns("fetched"))
        os.symlink(pathlib.Path(FETCHED).resolve(), self.path("example/fetched"))

    def test_its_routers_run_in_a_study_of_the_depth_of_their_fifos(self):
        report = self.report("run", "example/mesh_4x4.yaml")
        self.assertEqual((report["status"], report["rtl_routers"]), ("complete", 16))
        self.ok("explore", "example/fifo_depth.yaml", "--db", "f.db")
        rows = csv.DictReader(io.StringIO(self.ok("explore", "export", "--db", "f.db")))
        latency = {row["fabric.router_parameters"]: float(row["latency_ns"]) for row in rows}
        self.assertEqual(set(latency), {"two", "three", "four", "eight"})
        self.assertAlmostEqual(latency["two"], report["latency"]["mean"])
        self.assertGreater(latency["two"], latency["four"])
        self.assertGreater(latency["four"], latency["eight"])


if __name__ == "__main__":
    main()
