# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Runs that end by themselves, once their mean latency is sure, and latency by hops."""
import csv
import json
import statistics

from flitscope_cli import CliTest, EXIT_STANDSTILL, EXIT_USAGE, machine, main, mesh

UNIFORM = {"pattern": "uniform", "message_bytes": 64}


class Steady(CliTest):
    def test_a_steady_run_ends_when_the_mean_is_sure(self):
        self.write("steady.yaml", machine(mesh(4, 4), {**UNIFORM, "injection_rate": 0.2},
                                          steady={"half_width": 0.02}))
        report = self.report("run", "steady.yaml")
        steady = report["steady"]
        self.assertEqual(steady["status"], "stable")
        self.assertLessEqual(steady["half_width"], 0.02 * steady["mean_latency"])
        self.assertEqual(report["simulated_cycles"],
                         steady["warmup_cycles"] + steady["measured_cycles"] + 1)
        for word, flits in (("offered", "offered_flits"), ("accepted", "delivered_flits")):
            self.assertAlmostEqual(report[f"{word}_flits_per_node_cycle"],
                                   steady[flits] / (16 * steady["measured_cycles"]))
        self.assertIn("steady state", self.ok("run", "steady.yaml"))
        over = self.report("run", "steady.yaml", "--set", "traffic.injection_rate=1")
        self.assertEqual(over["steady"]["status"], "unstable")
        self.assertIsNone(over["steady"]["half_width"])
        self.assertIn("UNSTABLE", self.ok("run", "steady.yaml", "--set",
                                          "traffic.injection_rate=1"))

    def test_network_latency_is_that_of_the_messages_measured(self):
        self.write("steady.yaml", machine(mesh(4, 4), {**UNIFORM, "injection_rate": 0.3},
                                          node={"packet_bytes": 24}, steady={}))
        for engine in ("cycle", "tlm"):
            report = self.report("run", "steady.yaml", "--engine", engine, "--out", "out",
                                 "--messages")
            begin = report["steady"]["warmup_cycles"]
            end = begin + report["steady"]["measured_cycles"]
            lives = [(int(row["injected"]), int(row["delivered"]))
                     for row in self.read_csv("out", "messages.csv") if row["delivered"]]
            network = [delivered - injected for injected, delivered in lives
                       if begin <= delivered < end]
            self.assertEqual(len(network), report["measured_messages"])
            self.assertAlmostEqual(report["network_latency"]["mean"], statistics.mean(network))
            self.assertEqual(report["network_latency"]["max"], max(network))
            self.assertLess(report["network_latency"]["mean"], report["latency"]["mean"])

    def test_a_run_without_anything_left_to_happen_is_measured_all_the_same(self):
        self.write("idle.yaml", machine(mesh(3, 3), {**UNIFORM, "injection_rate": 1e-9}, steady={}))
        for engine in ("cycle", "tlm"):
            with self.subTest(engine):
                report = self.report("run", "idle.yaml", "--engine", engine)
                steady = report["steady"]
                self.assertEqual((report["status"], steady["status"]), ("complete", "not_converged"))
                self.assertEqual(report["messages_delivered"], 0)  # else the seed is the wrong one
                self.assertEqual(report["simulated_cycles"], 0)
                self.assertEqual(steady["warmup_cycles"] + steady["measured_cycles"], 1_000_000)
                self.assertGreater(steady["measured_cycles"], 0)
                text = self.ok("run", "idle.yaml", "--engine", engine)
                self.assertIn("no message begins from cycle 0 up to steady.max_cycles = 1,000,000: "
                              "nothing was delivered while measuring", text)
                self.assertNotIn("reached", text)
        # A few messages, the last of them long before the end.
        few = [self.report("run", "idle.yaml", "--set", "traffic.injection_rate=1e-5", "--engine",
                           engine) for engine in ("cycle", "tlm")]
        self.assertGreater(few[0]["messages_delivered"], 0)
        for key in ("steady", "latency", "simulated_cycles"):
            self.assertEqual(few[0][key], few[1][key])
        # Cycles that take no time to simulate take none to inspect.
        endless = ("idle.yaml", "--set", "steady.max_cycles=10000000000", "--set",
                   "traffic.injection_rate=1e-13")
        steady = self.report("run", *endless)["steady"]
        self.assertLessEqual(steady["warmup_cycles"] + steady["measured_cycles"], 10**8)
        self.assertIn("up to steady.max_cycles = 10,000,000,000:", self.ok("run", *endless))

    def test_a_steady_run_that_is_cut_short_names_no_limit_that_was_not_reached(self):
        self.write("cut.yaml", machine(mesh(3, 3), {**UNIFORM, "injection_rate": 0.1},
                                       steady={"half_width": 0.001}, limits={"max_cycles": 30000}))
        done = self.call("run", "cut.yaml")
        self.assertEqual(done.returncode, EXIT_STANDSTILL)
        self.assertIn("the run ended in cycle 30,000, before steady.max_cycles = 1,000,000: ",
                      done.stdout)
        self.assertNotIn("1,000,000 reached", done.stdout)

    def test_of_a_steady_run_that_ends_before_a_first_look_nothing_is_measured(self):
        self.write("cut.yaml", machine(mesh(3, 3), {**UNIFORM, "injection_rate": 0.1}, steady={},
                                       limits={"max_cycles": 300}))
        done = self.call("run", "cut.yaml")
        self.assertEqual(done.returncode, EXIT_STANDSTILL)
        self.assertRegex(done.stdout, "measured +nothing: the run ended before the first look")
        self.assertNotIn("accepted", done.stdout)
        report = json.loads(self.call("run", "cut.yaml", "--json").stdout)
        self.assertGreater(report["messages_delivered"], 0)
        self.assertEqual(report["measured_messages"], 0)
        self.assertIsNone(report["accepted_flits_per_node_cycle"])
        self.assertNotIn("steady", report)

    def test_the_keys_of_steady_are_checked(self):
        self.write("config.yaml", machine(mesh(4, 4), {**UNIFORM, "measure_cycles": 500}))
        for override, words in (
                ("steady={}", ("key 'measure_cycles' does not apply to a pattern with the section", "it is only for a pattern without the section 'steady'")),
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

    def test_latency_by_hops_adds_up_to_that_of_all(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM))
        command = ("curve", "config.yaml", "--rates", "0.005,0.3", "--by-hops")
        curve = json.loads(self.ok(*command, "--json", "--plot", "curve.svg"))
        plain = json.loads(self.ok(*command[:-1], "--json"))
        for point, without in zip(curve["points"], plain["points"]):
            classes = point.pop("by_hops")
            self.assertEqual(point, without)  # a look at it changes nothing
            self.assertEqual([c["hops"] for c in classes], [1, 2, 3, 4, 5, 6])
            self.assertAlmostEqual(sum(c["messages"] * c["mean"] for c in classes),
                                   sum(c["messages"] for c in classes) * point["latency"]["mean"],
                                   delta=1e-3)
            for c in classes:
                self.assertLessEqual(c["p50"], c["p95"])
                self.assertLessEqual(c["p95"], c["p99"])
                self.assertEqual(c["half_width"] is None, c["messages"] < 320, c)
            if point["rate"] < 0.01:
                # On an idle network 9 flits and 2 cycles a hop.
                self.assertEqual([c["p50"] for c in classes], [9 + 2 * h for h in range(1, 7)])
        for engine in ("cycle", "tlm"):
            again = json.loads(self.ok(*command, "--json", "--engine", engine))
            self.assertEqual([p["by_hops"] for p in again["points"]],
                             [p["by_hops"] for p in
                              json.loads(self.ok(*command, "--json"))["points"]])
        rows = list(csv.DictReader(self.ok(*command, "--csv").splitlines()))
        self.assertEqual([row["hops"] for row in rows], [str(h) for h in range(1, 7)] * 2)
        self.assertIn("by hops", self.ok(*command))
        # The pictures.
        series = [row["series"] for row in self.read_csv("curve_by_hops.csv")]
        self.assertEqual(series[::2], [f"{h} hops" for h in range(6, 1, -1)] + ["1 hop"])
        accepted = [row for row in self.read_csv("curve_accepted.csv")
                    if row["series"] == "accepted"]
        self.assertEqual([float(row["x"]) for row in accepted], [0.005, 0.3])
        self.assertAlmostEqual(float(accepted[1]["y"]), curve["points"][1]["accepted"])
        # Replications.
        many = json.loads(self.ok(*command, "--json", "--replications", "3"))
        runs = [json.loads(self.ok(*command, "--json", "--set", f"seed={seed}"))
                for seed in many["seeds"]]
        for number in (0, 5):
            together = many["points"][1]["by_hops"][number]
            single = [run["points"][1]["by_hops"][number] for run in runs]
            self.assertEqual(together["messages"], sum(c["messages"] for c in single))
            self.assertAlmostEqual(together["p95"], statistics.mean(c["p95"] for c in single))
            self.assertAlmostEqual(together["p95_half_width"],
                                   4.3026527 * statistics.stdev(c["p95"] for c in single) /
                                   3 ** 0.5, places=5)

    def test_hops_are_those_of_a_shortest_path_whatever_the_routing(self):
        self.write("config.yaml", machine(mesh(4, 4), {"pattern": "transpose",
                                                       "message_bytes": 64},
                                          fabric={"topology": mesh(4, 4), "routing": "valiant",
                                                  "virtual_channels": 2}))
        curve = json.loads(self.ok("curve", "config.yaml", "--rates", "0.1", "--by-hops", "--json"))
        self.assertEqual([c["hops"] for c in curve["points"][0]["by_hops"]], [2, 4, 6])


if __name__ == "__main__":
    main()
