# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Latency by load: curves, replications, saturation."""
import csv
import json
import os
import signal
import statistics

from flitscope_cli import (CliTest, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, EXIT_STANDSTILL, EXIT_USAGE,
                           TIMEOUT_S, children, machine, main, mesh)

UNIFORM = {"pattern": "uniform", "message_bytes": 64}


class Loads(CliTest):
    def test_a_curve_has_a_point_for_every_load(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM))
        command = ("curve", "config.yaml", "--rates", "0.4,0.1,0.9")
        curve = json.loads(self.ok(*command, "--json"))
        points = curve["points"]
        self.assertEqual([p["rate"] for p in points], [0.1, 0.4, 0.9])
        self.assertEqual([p["status"] for p in points], ["stable", "stable", "unstable"])
        self.assertLess(points[0]["latency"]["mean"], points[1]["latency"]["mean"])
        for point in points:  # the backlog of an unstable load waits at its sources
            self.assertLess(point["network_latency"]["mean"], point["latency"]["mean"])
        self.ok(*command, "--plot", "curve.svg")
        drawn = [row for row in self.read_csv("curve.csv") if row["series"] == "mean"]
        self.assertEqual([float(row["x"]) for row in drawn], [0.1, 0.4])  # .9 has no steady state
        self.assertAlmostEqual(float(drawn[0]["half_width"]), points[0]["latency"]["half_width"])
        self.assertIn(b"</svg>", self.read("curve.svg"))
        for point in points[:2]:
            self.assertLess(abs(point["offered"] - point["rate"]), 0.05 * point["rate"])
            self.assertLess(abs(point["accepted"] - point["offered"]), 0.01)
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

    def test_replications_are_runs_with_seeds_of_their_own(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM, seed=7))
        command = ("curve", "config.yaml", "--rates", "0.2,0.9")
        single = json.loads(self.ok(*command, "--json"))
        self.assertEqual(single["seeds"], [7])
        many = (*command, "--replications", "3")
        curve = json.loads(self.ok(*many, "--json", "--plot", "curve.svg"))
        self.assertEqual(len(set(curve["seeds"])), 3)
        self.assertEqual(curve["seeds"][0], 7)
        self.assertEqual(json.loads(self.ok(*many, "--json", "--jobs", "1")), curve)
        runs = [json.loads(self.ok(*command, "--json", "--set", f"seed={seed}"))["points"]
                for seed in curve["seeds"]]
        self.assertEqual(runs[0], single["points"])
        stable, unstable = curve["points"]
        self.assertEqual([stable["status"], unstable["status"]], ["stable", "unstable"])
        for number, point in enumerate(curve["points"]):
            self.assertEqual(point["replications"], 3)
            self.assertEqual(point["measured_cycles"],
                             sum(run[number]["measured_cycles"] for run in runs))
            self.assertAlmostEqual(point["accepted"],
                                   statistics.mean(run[number]["accepted"] for run in runs))
            for figure, width in (("mean", "half_width"), ("p50", "p50_half_width"),
                                  ("p95", "p95_half_width"), ("p99", "p99_half_width")):
                values = [run[number]["latency"][figure] for run in runs]
                self.assertAlmostEqual(point["latency"][figure], statistics.mean(values))
                self.assertAlmostEqual(
                    point["network_latency"][figure],
                    statistics.mean(run[number]["network_latency"][figure] for run in runs))
                if point is unstable:
                    self.assertIsNone(point["latency"][width])
                    continue
                # Student's t of two degrees of freedom.
                self.assertAlmostEqual(point["latency"][width],
                                       4.3026527 * statistics.stdev(values) / 3 ** 0.5, places=5)
        for run in runs:
            self.assertEqual([run[0]["latency"][f"p{p}_half_width"] for p in (50, 95, 99)],
                             [None] * 3)
        drawn = {row["series"]: float(row["half_width"]) for row in self.read_csv("curve.csv")}
        self.assertEqual(list(drawn), ["mean", "median", "95 %", "99 %"])
        self.assertAlmostEqual(drawn["99 %"], stable["latency"]["p99_half_width"])
        rows = list(csv.DictReader(self.ok(*many, "--csv").splitlines()))
        self.assertAlmostEqual(float(rows[0]["p95"]), stable["latency"]["p95"], places=5)
        self.assertAlmostEqual(float(rows[0]["p95_network_latency"]),
                               stable["network_latency"]["p95"], places=5)
        self.assertAlmostEqual(float(rows[0]["p95_half_width"]),
                               stable["latency"]["p95_half_width"], places=4)
        self.assertEqual(rows[1]["p95_half_width"], "")
        self.assertIn("3 per load", self.ok(*many))

    def test_latency_that_never_changes_is_sure_to_0_cycles_wherever_it_is_told(self):
        torus = {"kind": "torus", "dims": [4, 4]}
        self.write("config.yaml", machine(torus, {"pattern": "neighbour", "message_bytes": 64,
                                                  "arrivals": "periodic", "injection_rate": 0.1},
                                          fabric={"virtual_channels": 2},
                                          steady={"half_width": 0.2}))
        self.assertEqual(self.report("run", "config.yaml")["steady"]["half_width"], 0)
        command = ("curve", "config.yaml", "--rates", "0.1", "--by-hops")
        for more in ((), ("--replications", "3")):
            with self.subTest(more=more):
                point, = json.loads(self.ok(*command, *more, "--json"))["points"]
                of_class, = point["by_hops"]
                for figures in (point["latency"], of_class):
                    self.assertEqual(figures["half_width"], 0)
                    self.assertEqual(figures["p95_half_width"], 0 if more else None)
                for by_hops in ((), command[-1:]):
                    row, = csv.DictReader(self.ok(*command[:-1], *by_hops, *more,
                                                  "--csv").splitlines())
                    self.assertEqual((row["half_width"], row["p95_half_width"]),
                                     ("0", "0" if more else ""))
                line, = [text.split() for text in self.ok(*command[:-1], *more).splitlines()
                         if text.startswith("    0.1000")]
                self.assertEqual(line[5], "0.00")
                self.ok(*command, *more, "--plot", "curve.svg")
                drawn = {row["series"]: row["half_width"] for row in self.read_csv("curve.csv")}
                self.assertEqual((drawn["mean"], drawn["95 %"]), ("0", "0" if more else ""))

    def test_a_curve_tells_round_trips_where_messages_are_replied_to(self):
        self.write("config.yaml", machine(mesh(4, 4), {"pattern": "uniform", "message_bytes": 8,
                                                       "reply_bytes": 64, "reply_delay": 20}))
        command = ("curve", "config.yaml", "--rates", "0.02,0.3,1")
        curve = json.loads(self.ok(*command, "--json"))
        for point in curve["points"]:
            latency, trip = point["latency"], point["round_trip"]
            if point["status"] == "stable":  # two messages, and the node between them
                self.assertAlmostEqual(trip["mean"], 2 * latency["mean"] + 21, delta=1)
            self.assertLessEqual(trip["p50"], trip["p95"])
            self.assertLessEqual(trip["p95"], trip["p99"])
            self.assertEqual(trip["half_width"] is None, point["status"] != "stable")
        idle, busy, over = (point["round_trip"] for point in curve["points"])
        self.assertEqual(curve["points"][2]["status"], "unstable")
        self.assertLess(idle["mean"], busy["mean"])
        self.assertLess(busy["mean"], over["mean"])
        self.assertLess(idle["half_width"], 0.05 * idle["mean"])
        # The same as those of a run, whichever engine.
        run = self.report("run", "config.yaml", "--set", "steady={}", "--set",
                          "traffic.injection_rate=0.3")
        self.assertAlmostEqual(busy["mean"], run["round_trip"]["mean"])
        self.assertEqual([busy[p] for p in ("p50", "p95", "p99")],
                         [run["round_trip"][p] for p in ("p50", "p95", "p99")])
        self.assertEqual(json.loads(self.ok(*command, "--json", "--engine", "cycle")), curve)
        rows = list(csv.DictReader(self.ok(*command, "--csv").splitlines()))
        self.assertAlmostEqual(float(rows[1]["mean_round_trip"]), busy["mean"], places=3)
        self.assertAlmostEqual(float(rows[1]["p99_round_trip"]), busy["p99"])
        self.assertEqual(rows[2]["round_trip_half_width"], "")
        self.assertNotIn(None, rows[0])  # as many cells as heads
        self.assertIn("round trips, from the start of a request", self.ok(*command))
        # For replications the means, with intervals for all figures.
        many = json.loads(self.ok(*command, "--json", "--replications", "3"))["points"][1]
        runs = [json.loads(self.ok(*command, "--json", "--set", f"seed={seed}"))["points"][1]
                for seed in json.loads(self.ok(*command, "--json", "--replications", "3"))["seeds"]]
        for figure, width in (("mean", "half_width"), ("p95", "p95_half_width")):
            values = [one["round_trip"][figure] for one in runs]
            self.assertAlmostEqual(many["round_trip"][figure], statistics.mean(values))
            self.assertAlmostEqual(many["round_trip"][width],
                                   4.3026527 * statistics.stdev(values) / 3 ** 0.5, places=4)
        # Without replies, or if they are late, there are no figures of them.
        late = json.loads(self.ok("curve", "config.yaml", "--rates", "0.02", "--json", "--set",
                                  "traffic.reply_delay=100000", "--set",
                                  "steady={max_cycles: 40000}"))
        self.assertNotIn("round_trip", late["points"][0])
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM))
        self.assertNotIn("round", self.ok("curve", "config.yaml", "--rates", "0.1", "--csv"))
        text = self.ok("curve", "config.yaml", "--rates", "0.1")
        self.assertNotIn("round trip", text)
        self.assertIn("\n  offered, accepted: flits per cycle and node that sends\n", text)
        plain = json.loads(self.ok("curve", "config.yaml", "--rates", "0.1", "--json"))
        self.assertNotIn("round_trip", plain["points"][0])

    def test_what_was_not_delivered_has_no_latency(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM, node={"send_overhead": 1000000},
                                          steady={"max_cycles": 40000}))
        command = ("curve", "config.yaml", "--rates", "0.00001,0.0000001")
        for point in json.loads(self.ok(*command, "--json"))["points"]:
            self.assertEqual(point["status"], "not_converged")
            self.assertEqual(set(point["latency"].values()), {None})
            self.assertEqual(len(point["latency"]), 8)
        rows = list(csv.DictReader(self.ok(*command, "--csv").splitlines()))
        self.assertNotIn(None, rows[0])  # as many cells as heads
        self.assertEqual([rows[0][name] for name in ("mean_latency", "half_width", "p50", "p99")],
                         [""] * 4)
        self.assertNotEqual(rows[0]["measured_cycles"], "")
        # Rates of any size can be distinguished.
        told = [line.split() for line in self.ok(*command).splitlines() if "not_converged" in line]
        self.assertEqual([line[0] for line in told if len(line) > 9], ["1e-07", "1e-05"])
        self.assertEqual([line[4:9] for line in told if len(line) > 9], [["-"] * 5] * 2)
        run = self.report("run", "config.yaml", "--set", "traffic.injection_rate=0.01")
        self.assertIsNone(run["steady"]["mean_latency"])
        self.assertIsNone(run["latency"]["mean"])
        self.assertIn("nothing was delivered while measuring", self.ok(
            "run", "config.yaml", "--set", "traffic.injection_rate=0.01"))
        # The zero-load latency is known nevertheless.
        found = json.loads(self.ok("saturate", "config.yaml", "--json"))
        self.assertEqual(found["zero_load_method"], "mean of idle paths")
        self.assertGreater(found["zero_load_latency"], 1000000)
        self.assertIsNone(found["rate_at_3x_zero_load"])
        self.assertIn("not known", self.ok("saturate", "config.yaml"))
        adaptive = ("--set", "fabric.virtual_channels=2", "--set", "fabric.routing=minimal_adaptive")
        found = json.loads(self.ok("saturate", "config.yaml", "--json", *adaptive))
        self.assertEqual([found[key] for key in ("zero_load_latency", "zero_load_method",
                                                 "rate_at_3x_zero_load")], [None] * 3)
        self.assertIn("delivered nothing", self.ok("saturate", "config.yaml", *adaptive))

    def test_a_load_that_is_unstable_is_not_claimed_as_stable(self):
        """A FIFO of one flit before a long wire takes less than a fiftieth of a flit per cycle."""
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM, steady={"half_width": 0.2},
                                          fabric={"buffer_depth": 1, "link_delay": {"cycles": 1000}}))
        found = json.loads(self.ok("saturate", "config.yaml", "--json"))
        runs = {run["rate"]: run["status"] for run in found["runs"]}
        self.assertEqual(found["runs"][0]["status"], "unstable")
        self.assertNotEqual(runs.get(found["saturation"]["lower"]), "unstable")
        self.assertLessEqual(found["saturation"]["upper"], found["runs"][0]["rate"])
        self.assertGreater(found["zero_load_latency"], 1000)
        self.assertNotIn("has no steady state", self.ok("saturate", "config.yaml"))
        # If the routing chooses, only a run could show the zero-load latency.
        told = self.ok("saturate", "config.yaml", "--set", "fabric.virtual_channels=2", "--set",
                       "fabric.routing=minimal_adaptive")
        self.assertIn("has no steady state", told)
        self.assertIn("not known", told)

    def test_without_a_stable_load_there_is_no_latency_to_draw(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM))
        done = self.call("curve", "config.yaml", "--rates", "0.9,1", "--plot", "curve.svg")
        self.assertEqual(done.returncode, EXIT_FAILED)
        self.assertIn("unstable", done.stdout)
        self.assertIn("no load is stable", done.stderr)
        self.assertIn(b"</svg>", self.read("curve_accepted.svg"))

    def test_a_plot_says_which_loads_it_leaves_out(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM, steady={"max_cycles": 40000}))
        command = ("curve", "config.yaml", "--plot", "curve.svg", "--by-hops", "--rates")
        done = self.call(*command, "0.1,0.0000001,0.9,0.8")
        self.assertEqual(done.returncode, EXIT_OK)
        self.assertIn("note: no latency can be drawn at these loads: "
                      "1e-07 (not_converged); 0.8, 0.9 (unstable)\n", done.stderr)
        for picture in ("curve.svg", "curve_by_hops.svg"):
            self.assertIn(b"loads left out: 1 not_converged, 2 unstable", self.read(picture))
        self.assertNotIn(b"left out", self.read("curve_accepted.svg"))
        done = self.call(*command, "0.1,0.2")
        self.assertEqual((done.returncode, "note:" in done.stderr), (EXIT_OK, False))
        self.assertNotIn(b"left out", self.read("curve.svg"))

    def test_a_network_that_accepts_less_as_more_is_offered_is_seen(self):
        self.write("config.yaml", machine({"kind": "torus", "dims": [8, 8]}, {
            "pattern": "tornado", "message_bytes": 64, "injection_rate": 0.9,
            "warmup_cycles": 200, "measure_cycles": 2000}, fabric={"virtual_channels": 2}))
        found = json.loads(self.ok("curve", "config.yaml", "--rates", "0.1,0.2,0.9", "--json"))
        points = found["points"]
        self.assertLess(points[2]["accepted"], points[0]["accepted"] / 2)
        self.assertEqual(found["collapse"], {
            "peak_rate": 0.1, "peak_accepted": points[0]["accepted"], "rate": 0.9,
            "accepted": points[2]["accepted"]})
        self.assertRegex(self.ok("curve", "config.yaml", "--rates", "0.1,0.2,0.9"),
                         r"\n  collapse: offered more, the network accepts less: 0\.0\d+ at 0\.1000 falls to 0\.0\d+ ")
        below = json.loads(self.ok("curve", "config.yaml", "--rates", "0.05,0.1", "--json"))
        self.assertIsNone(below["collapse"])
        self.assertRegex(self.ok("run", "config.yaml"),
                         r"injected by node  from 0\.0000 \(node 0\) to 0\.[3-9]\d+ \(node \d+\) flits/cycle")

    def test_where_nobody_sends_there_are_no_loads(self):
        self.write("alone.yaml", machine(mesh(1), {"pattern": "uniform"}))
        self.write("dead.yaml", machine(mesh(2, 2), {"pattern": "bit_complement"},
                                        faults={"nodes": [0, 1], "traffic": "drop"}))
        for config, pattern in (("alone.yaml", "uniform"), ("dead.yaml", "bit_complement")):
            for command in (["curve", config, "--rates", "0.1"], ["curve", config], ["saturate", config]):
                self.refused(*command, says=[config, f"under '{pattern}' no node of this network sends"])

    def test_loads_may_be_a_series(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM, steady={"half_width": 0.2}))
        curve = json.loads(self.ok("curve", "config.yaml", "--rates", "0.05,0.1:0.3:0.1,0.2", "--json"))
        self.assertEqual([point["rate"] for point in curve["points"]], [0.05, 0.1, 0.2, 0.3])
        for rates, problem in (("0.1:0.3", "three parts, FROM:TO:STEP, not 2"),
                               ("0.1:0.3:0.1:1", "three parts, FROM:TO:STEP, not 4"),
                               ("0.1:0.3:0", "STEP is not above 0"),
                               ("0.3:0.1:0.1", "FROM is above TO"),
                               ("0.1:x:0.1", "FROM, TO and STEP are numbers"),
                               ("0.1:1:1e-9", "more than 1000"),
                               ("0.1:9:0.1", "up to 1")):
            self.refused("curve", "config.yaml", "--rates", rates,
                         says=[f"'{rates}' is no load", problem, "from:to:step"])

    def test_keys_of_a_fixed_measurement_are_said_not_to_be_used(self):
        self.write("config.yaml", machine(mesh(4, 4), {**UNIFORM, "measure_cycles": 2000}))
        self.assertIn("not used          traffic.warmup_cycles, traffic.measure_cycles",
                      self.ok("curve", "config.yaml", "--rates", "0.1"))
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM))
        self.assertNotIn("not used", self.ok("curve", "config.yaml", "--rates", "0.1"))

    def test_without_loads_there_are_ten_up_to_the_bound(self):
        self.write("config.yaml", machine(mesh(4, 4), {"pattern": "transpose", "message_bytes": 64},
                                          steady={"half_width": 0.2, "max_cycles": 40000}))
        done = self.call("curve", "config.yaml", "--json")
        self.assertEqual(done.returncode, EXIT_OK, done.stderr)
        rates = [point["rate"] for point in json.loads(done.stdout)["points"]]
        # Row by row three messages share a link.
        self.assertEqual(rates, [round(0.0333 * i, 4) for i in range(1, 11)])
        self.assertIn("note: no --rates, so ten loads up to 0.3333, which saturates the busiest channel",
                      done.stderr)
        self.assertIn("0.0333, 0.0666, ", done.stderr)
        # Sources that offer less are asked for no more.
        done = self.call("curve", "config.yaml", "--json", "--set", "traffic.arrivals=bursty", "--set",
                         "traffic.burst_rate=0.2")
        self.assertEqual(json.loads(done.stdout)["points"][-1]["rate"], 0.2)

    def test_several_configurations_are_put_side_by_side(self):
        quick = {"half_width": 0.2, "max_cycles": 40000}
        self.write("one/net.yaml", machine(mesh(4, 4), UNIFORM, steady=quick))
        self.write("torus.yaml", machine({"kind": "torus", "dims": [4, 4]}, UNIFORM, steady=quick,
                                         fabric={"virtual_channels": 2}))
        rates = ("--rates", "0.1,0.2,1")
        single = [json.loads(self.ok("curve", name, *rates, "--json"))
                  for name in ("one/net.yaml", "torus.yaml")]
        both = json.loads(self.ok("curve", "one/net.yaml", "torus.yaml", *rates, "--json"))
        self.assertEqual(set(both), {"version", "curves"})
        self.assertEqual([curve.pop("config") for curve in both["curves"]], ["net", "torus"])
        self.assertEqual(both["curves"], single)
        done = self.call("curve", "one/net.yaml", "torus.yaml", *rates, "--plot", "both.svg")
        self.assertEqual(done.returncode, EXIT_OK, done.stderr)
        # Without a terminal a status comes after a second, and then every ten.
        self.assertLessEqual(done.stderr.count(" of 6  "), 1)
        self.assertIn("note: torus: no latency can be drawn at these loads: 1 (unstable)\n", done.stderr)
        for title in ("net: uniform: latency by load\n", "\ntorus: uniform: latency by load\n"):
            self.assertIn(title, done.stdout)
        # One picture has the mean of each.
        drawn = [(row["series"], float(row["x"])) for row in self.read_csv("both.csv")]
        self.assertEqual(drawn, [(name, rate) for name in ("net", "torus") for rate in (0.1, 0.2)])
        self.assertIn(b"net: unstable at 1", self.read("both.svg"))
        accepted = {row["series"] for row in self.read_csv("both_accepted.csv")}
        self.assertEqual(accepted, {"net", "torus", "offered"})
        for more in ((), ("--by-hops",)):
            rows = list(csv.DictReader(self.ok("curve", "one/net.yaml", "torus.yaml", *rates, "--csv",
                                               *more).splitlines()))
            self.assertEqual(list(dict.fromkeys(row["config"] for row in rows)), ["net", "torus"])
            self.assertEqual(next(iter(rows[0])), "config")
            self.assertNotIn(None, rows[0])
            self.assertNotIn("config", self.ok("curve", "torus.yaml", *rates, "--csv", *more))
        # If the names of files do not distinguish them, their paths do.
        self.write("two/net.yaml", machine(mesh(2, 2), UNIFORM, steady=quick))
        both = json.loads(self.ok("curve", "one/net.yaml", "two/net.yaml", "--rates", "0.1", "--json"))
        self.assertEqual([curve["config"] for curve in both["curves"]], ["one/net.yaml", "two/net.yaml"])
        self.refused("curve", "one/net.yaml", "torus.yaml", *rates, "--by-hops", "--plot", "both.svg",
                     says=["--plot both.svg", "for a single configuration"])
        self.refused("curve", "one/net.yaml", "none.yaml", *rates, says=["none.yaml"])

    def test_accepted_is_drawn_beside_what_is_offered_on_average(self):
        """Of a matrix a load is that of the busiest node, and what goes to dead nodes is dropped."""
        self.write("m.csv", "0,3,1\n2,0,0\n0,0,0\n")
        matrix = {"pattern": "matrix", "matrix": "m.csv", "message_bytes": 8}
        quick = {"half_width": 0.2, "max_cycles": 40000}
        self.write("matrix.yaml", machine(mesh(3), matrix, steady=quick))
        self.write("drop.yaml", machine(mesh(3), UNIFORM, steady=quick,
                                        faults={"nodes": [2], "traffic": "drop"}))
        self.write("plain.yaml", machine(mesh(3), UNIFORM, steady=quick))
        for name, share, series in (("matrix", 0.75, "offered on average"),
                                    ("drop", 0.5, "offered on average"), ("plain", 1, "offered")):
            with self.subTest(name):
                points = json.loads(self.ok("curve", f"{name}.yaml", "--rates", "0.1,0.3", "--json",
                                            "--plot", "one.svg"))["points"]
                offered = [float(row["y"]) for row in self.read_csv("one_accepted.csv")
                           if row["series"] == series]
                self.assertEqual(len(offered), 2)
                for point, mean in zip(points, offered):
                    self.assertAlmostEqual(mean, share * point["rate"])
                    self.assertLess(abs(point["accepted"] / mean - 1), 0.15)
        self.ok("curve", "matrix.yaml", "plain.yaml", "--rates", "0.1", "--plot", "both.svg")
        drawn = {row["series"]: float(row["y"]) for row in self.read_csv("both_accepted.csv")}
        self.assertEqual(list(drawn), ["matrix", "plain", "matrix: offered on average",
                                       "plain: offered"])
        self.assertAlmostEqual(drawn["matrix: offered on average"], 0.075)
        self.assertEqual(drawn["plain: offered"], 0.1)

    def test_a_configuration_that_is_named_twice_is_refused(self):
        self.write("net.yaml", machine(mesh(2, 2), UNIFORM, steady={"half_width": 0.2}))
        self.write("two/net.yaml", machine(mesh(2, 2), UNIFORM, steady={"half_width": 0.2}))
        for again in ("net.yaml", "./net.yaml", "two/../net.yaml", self.path("net.yaml")):
            with self.subTest(again=again):
                self.refused("curve", "net.yaml", "two/net.yaml", again, "--rates", "0.1",
                             says=[f"{again}: error: this configuration is given twice",
                                   "leave one of them out"])
        # Another name of a file is another place to look for files from.
        os.symlink(self.path("net.yaml"), self.path("two/link.yaml"))
        both = json.loads(self.ok("curve", "net.yaml", "two/link.yaml", "--rates", "0.1", "--json"))
        self.assertEqual([curve["config"] for curve in both["curves"]], ["net", "link"])

    def test_a_load_that_ended_at_max_cycles_is_drawn_as_not_sure(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM,
                                          steady={"half_width": 0.001, "max_cycles": 40000}))
        command = ("curve", "config.yaml", "--rates", "0.1,0.2,1", "--plot", "curve.svg")
        points = json.loads(self.ok(*command, "--json"))["points"]
        self.assertEqual([point["status"] for point in points], ["not_converged"] * 2 + ["unstable"])
        means = [row for row in self.read_csv("curve.csv") if row["series"] == "mean"]
        self.assertEqual([(float(row["x"]), row["is_sure"]) for row in means],
                         [(0.1, "0"), (0.2, "0")])
        picture = self.read("curve.svg")
        for said in (b"ended by max_cycles, not converged", b"unstable at 1", b"zero load: mean "):
            self.assertIn(said, picture)
        self.ok(*command, "--set", "steady.half_width=0.2")
        self.assertNotIn("is_sure", self.read("curve.csv").decode())
        self.assertNotIn(b"not converged", self.read("curve.svg"))

    def test_a_load_that_was_not_measured_has_no_figures(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM, limits={"max_cycles": 1000}))
        done = self.call("curve", "config.yaml", "--rates", "0.1", "--csv")
        self.assertEqual(done.returncode, EXIT_STANDSTILL, done.stderr)
        rows = list(csv.DictReader(done.stdout.splitlines()))
        self.assertEqual({name: cell for name, cell in rows[0].items() if cell},
                         {"rate": "0.1", "status": "timeout", "replications": "1",
                          "rate_gbps": "5.68889"})
        self.assertNotIn(None, rows[0])
        self.assertNotIn(None, rows[0].values())

    def test_a_deadlock_ends_as_one(self):
        self.write("ring.yaml", machine({"kind": "torus", "dims": [6]}, UNIFORM,
                                        fabric={"allow_deadlock": True, "buffer_depth": 2}))
        for arguments in (("curve", "ring.yaml", "--rates", "0.05,0.6"), ("saturate", "ring.yaml")):
            done = self.call(*arguments)
            self.assertEqual(done.returncode, EXIT_STANDSTILL, done.stderr)
            self.assertIn("deadlock", done.stdout + done.stderr)

    def test_bad_loads_and_other_traffic_are_refused(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM))
        self.write("pex.yaml", machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 64}))
        for arguments, words in (
                (("curve",), ("CONFIG.yaml",)),
                (("curve", "config.yaml", "--rates", "0.1,x,9"), ("'x' is no load", "'9'", "up to 1")),
                (("curve", "config.yaml", "--rates", "0.1,2"), ("a load of 2", "at most 1")),
                (("curve", "config.yaml", "--rates", "0.1, 0x1p-3"), ("'0x1p-3' is no load",)),
                (("curve", "config.yaml", "--rates", ""), ("no load",)),
                (("curve", "config.yaml", "--rates", "0.1", "--jobs", "0"), ("--jobs",)),
                (("curve", "config.yaml", "--rates", "0.1", "--replications", "0"),
                 ("--replications", "1 to 100")),
                (("curve", "config.yaml", "--rates", "0.1", "--plot", "curve.png"),
                 ("--plot curve.png", ".svg")),
                (("curve", "pex.yaml", "--rates", "0.1"), ("pex.yaml", "pattern")),
                (("saturate", "pex.yaml"), ("pex.yaml", "pattern")),
                (("saturate", "config.yaml", "--engine", "tlm", "--set",
                  "fabric.virtual_channels=2"), ("fabric.switch_arbitration: per_packet",))):
            with self.subTest(arguments=arguments):
                done = self.call(*arguments)
                self.assertEqual(done.returncode, EXIT_USAGE, done.stderr)
                for word in words:
                    self.assertIn(word, done.stderr)
                self.assertEqual(done.stdout, "")

    def test_an_interrupt_ends_all_runs(self):
        self.write("long.yaml", machine(mesh(8, 8), UNIFORM,
                                        steady={"half_width": 0.001, "max_cycles": 10**9}))
        process = self.start("curve", "long.yaml", "--rates", "0.01,0.02,0.03")
        workers = self.wait_until(lambda: children(process), "no run was started", process)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=TIMEOUT_S), EXIT_INTERRUPTED)
        for worker in workers:
            with self.assertRaises(ProcessLookupError):
                os.kill(worker, 0)


if __name__ == "__main__":
    main()
