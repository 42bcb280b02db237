# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Measurements that end by themselves: a steady run, a curve of latency by load, a saturation."""
import json
import os
import signal
import subprocess
import time

from flitscope_cli import (CliTest, EXIT_INTERRUPTED, EXIT_USAGE, TIMEOUT_S, binary,
                           machine, main, mesh)

UNIFORM = {"pattern": "uniform", "message_bytes": 64}


class Loads(CliTest):
    def test_a_steady_run_ends_when_the_mean_is_sure(self):
        self.write("steady.yaml", machine(mesh(4, 4), {**UNIFORM, "injection_rate": 0.2},
                                          steady={"half_width": 0.02}))
        report = self.report("run", "steady.yaml")
        steady = report["steady"]
        self.assertEqual(steady["status"], "stable")
        self.assertLessEqual(steady["half_width"], 0.02 * steady["mean_latency"])
        self.assertEqual(report["simulated_cycles"],
                         steady["warmup_cycles"] + steady["measured_cycles"] + 1)
        for word, flits in (("offered", "generated_flits"), ("accepted", "delivered_flits")):
            self.assertAlmostEqual(report[f"{word}_flits_per_node_cycle"],
                                   steady[flits] / (16 * steady["measured_cycles"]))
        self.assertIn("steady state", self.ok("run", "steady.yaml"))
        over = self.report("run", "steady.yaml", "--set", "traffic.injection_rate=1")
        self.assertEqual(over["steady"]["status"], "unstable")
        self.assertIsNone(over["steady"]["half_width"])
        self.assertIn("UNSTABLE", self.ok("run", "steady.yaml", "--set",
                                          "traffic.injection_rate=1"))

    def test_the_keys_of_steady_are_checked(self):
        self.write("config.yaml", machine(mesh(4, 4), {**UNIFORM, "measure_cycles": 500}))
        for override, words in (
                ("steady={}", ("traffic.measure_cycles", "'steady'", "remove one")),
                ("steady={confidence: 2}", ("confidence", "0.5 to 0.999")),
                ("steady={warmup: soon}", ("warmup", "integer")),
                ("steady={max_cycles: 10}", ("max_cycles", "40000"))):
            with self.subTest(override=override):
                done = self.call("check", "config.yaml", "--set", override)
                self.assertEqual(done.returncode, EXIT_USAGE, done.stderr)
                for word in words:
                    self.assertIn(word, done.stderr)
        self.write("pex.yaml", machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 64}))
        done = self.call("check", "pex.yaml", "--set", "steady={}")
        self.assertEqual(done.returncode, EXIT_USAGE)
        self.assertIn("pattern", done.stderr)

    def test_a_curve_has_a_point_for_every_load(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM))
        command = ("curve", "config.yaml", "--rates", "0.4,0.1,0.9")
        curve = json.loads(self.ok(*command, "--json"))
        points = curve["points"]
        self.assertEqual([p["rate"] for p in points], [0.1, 0.4, 0.9])
        self.assertEqual([p["status"] for p in points], ["stable", "stable", "unstable"])
        self.assertLess(points[0]["latency"]["mean"], points[1]["latency"]["mean"])
        self.ok(*command, "--plot", "curve.svg")
        drawn = [row for row in self.read_csv("curve.csv") if row["series"] == "mean"]
        self.assertEqual([float(row["x"]) for row in drawn], [0.1, 0.4])  # .9 has no steady state
        self.assertAlmostEqual(float(drawn[0]["half_width"]), points[0]["latency"]["half_width"])
        self.assertIn(b"</svg>", self.read("curve.svg"))
        for point in points[:2]:
            self.assertLess(abs(point["generated"] - point["rate"]), 0.05 * point["rate"])
            self.assertLess(abs(point["accepted"] - point["generated"]), 0.01)
            latency = point["latency"]
            self.assertLessEqual(latency["p50"], latency["p95"])
            self.assertLessEqual(latency["p95"], latency["p99"])
            self.assertLessEqual(latency["half_width"], 0.05 * latency["mean"])
        self.assertIsNone(points[2]["latency"]["half_width"])
        # However many at a time, and whichever engine.
        for more in (("--jobs", "1"), ("--jobs", "3"), ("--engine", "cycle"), ("--engine", "tlm")):
            with self.subTest(more=more):
                self.assertEqual(json.loads(self.ok(*command, "--json", *more)), curve)
        rows = self.ok(*command, "--csv").splitlines()
        self.assertEqual(len(rows), 4)
        self.assertEqual(len(rows[0].split(",")), len(rows[1].split(",")))
        self.assertIn("stable", self.ok(*command))

    def test_transpose_saturates_at_a_seventh(self):
        """Row by row seven messages share the busiest link of an 8 x 8 mesh under XY."""
        self.write("config.yaml", machine(mesh(8, 8), {"pattern": "transpose", "message_bytes": 64},
                                          steady={"max_cycles": 300000}))
        report = json.loads(self.ok("saturate", "config.yaml", "--json"))
        lower, upper = (report["saturation"][end] for end in ("lower", "upper"))
        self.assertLess(lower, upper)
        self.assertLess(upper - lower, 0.021 * upper)
        self.assertLess(abs((lower + upper) / 2 - 1 / 7), 0.02 / 7)
        self.assertLessEqual(len(report["runs"]), 12)
        self.assertLess(report["rate_at_3x_zero_load"], upper)
        self.assertEqual(report["generating_nodes"], 56)
        self.assertLessEqual(upper, 1 / 7)  # more is proved to be too much
        self.assertGreater(report["plateau_accepted"], 1 / 7)  # other flows have room to spare

    def test_what_cannot_be_overloaded_has_no_saturation(self):
        self.write("config.yaml", machine(mesh(4, 4), {"pattern": "neighbour",
                                                       "message_bytes": 504},
                                          fabric={"topology": {"kind": "torus", "dims": [8]},
                                                  "virtual_channels": 2}))
        report = json.loads(self.ok("saturate", "config.yaml", "--json"))
        self.assertEqual(report["saturation"], {"lower": 1, "upper": 1})
        self.assertIn("none up to", self.ok("saturate", "config.yaml"))

    def test_bad_loads_and_other_traffic_are_refused(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM))
        self.write("pex.yaml", machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 64}))
        for arguments, words in (
                (("curve", "config.yaml"), ("--rates",)),
                (("curve", "config.yaml", "--rates", "0.1,x,2"), ("'x' is no load", "'2'", "up to 1")),
                (("curve", "config.yaml", "--rates", ""), ("no load",)),
                (("curve", "config.yaml", "--rates", "0.1", "--jobs", "0"), ("--jobs",)),
                (("curve", "pex.yaml", "--rates", "0.1"), ("pex.yaml", "pattern")),
                (("saturate", "pex.yaml"), ("pex.yaml", "pattern")),
                (("saturate", "config.yaml", "--engine", "tlm", "--set",
                  "fabric.virtual_channels=2"), ("virtual_channels",))):
            with self.subTest(arguments=arguments):
                done = self.call(*arguments)
                self.assertEqual(done.returncode, EXIT_USAGE, done.stderr)
                for word in words:
                    self.assertIn(word, done.stderr)
                self.assertEqual(done.stdout, "")

    def test_an_interrupt_ends_all_runs(self):
        self.write("long.yaml", machine(mesh(8, 8), UNIFORM,
                                        steady={"half_width": 0.001, "max_cycles": 10**9}))
        process = subprocess.Popen([binary(), "curve", "long.yaml", "--rates", "0.01,0.02,0.03"],
                                   cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        children = f"/proc/{process.pid}/task/{process.pid}/children"
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            with open(children, encoding="utf-8") as file:
                workers = file.read().split()
            if workers:
                break
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, EXIT_INTERRUPTED)
        for worker in workers:
            with self.assertRaises(ProcessLookupError):
                os.kill(int(worker), 0)


if __name__ == "__main__":
    main()
