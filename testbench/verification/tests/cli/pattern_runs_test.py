# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Synthetic patterns below saturation: all delivered, accepted equals offered, no latency below
that of an empty network."""
import json

from flitscope_cli import CliTest, distance, hypercube, machine, main, mesh, node_count

RATE = 0.1
FLITS = 9  # 64 bytes in 8-byte flits, and the header
NODES = 64
BITS = 6


def reversed_bits(n):
    return int(f"{n:0{BITS}b}"[::-1], 2)


def inverted_bits(n):
    return NODES - 1 - n


def rotated(n):
    return (n << 1 | n >> (BITS - 1)) & (NODES - 1)


def on_mesh(move):
    return lambda n: move(n // 8) % 8 * 8 + move(n % 8) % 8


# Destination of each node; None: drawn at random among the other nodes.
DESTINATIONS = {
    "mesh": {"uniform": None, "transpose": lambda n: n % 8 * 8 + n // 8,
             "bit_reverse": reversed_bits, "bit_complement": inverted_bits, "shuffle": rotated,
             "tornado": on_mesh(lambda k: k + 3), "neighbour": on_mesh(lambda k: k + 1),
             "hotspot": None},
    # One ahead in a dimension of side two is the other node, here in all six.
    "hypercube": {"uniform": None, "transpose": lambda n: n % 8 * 8 + n // 8,
                  "bit_reverse": reversed_bits, "bit_complement": inverted_bits,
                  "shuffle": rotated, "neighbour": lambda n: n ^ 63, "hotspot": None},
}
TOPOLOGIES = {"mesh": mesh(8, 8), "hypercube": hypercube(BITS)}


def traffic(pattern, **more):
    keys = {"pattern": pattern, "injection_rate": RATE, "message_bytes": 64,
            "warmup_cycles": 1000, "measure_cycles": 10000, **more}
    if pattern == "hotspot":
        # 0.05 x 64 x 0.1 flits/cycle: not saturated
        keys = {"root": 27, "hotspot_fraction": 0.05, **keys}
    return keys


def latency_of_empty_network(hops):
    """Begin to tail: router delay, then router and link delay per hop, then the flits."""
    return 1 + 2 * hops + FLITS - 1


class PatternRuns(CliTest):
    def check(self, report, senders=NODES):
        offered = RATE * senders / NODES
        self.assertEqual(report["status"], "complete")
        self.assertEqual(report["messages_delivered"], report["messages_expected"])
        self.assertEqual(report["flits_delivered"], FLITS * report["messages_delivered"])
        self.assertEqual(report["configured_flits_per_node_cycle"], RATE)
        self.assertEqual(report["sending_nodes"], senders)
        for side in ("offered", "accepted"):
            self.assertAlmostEqual(report[f"{side}_flits_per_sending_node_cycle"], RATE,
                                   delta=0.05 * RATE)
        self.assertAlmostEqual(report["offered_flits_per_node_cycle"], offered,
                               delta=0.05 * offered)
        # All measured flits were generated, and none are left.
        self.assertAlmostEqual(report["offered_flits_per_node_cycle"],
                               report["measured_messages"] * FLITS / NODES / 10000)
        self.assertEqual(report["overloaded"], False)
        # Bernoulli injection of about 7000 messages: 1.2 % standard deviation.
        self.assertAlmostEqual(report["accepted_flits_per_node_cycle"], offered,
                               delta=0.05 * offered)
        self.assertGreater(report["measured_messages"], 5000)

    def test_all_is_delivered_at_the_offered_rate(self):
        for kind, patterns in DESTINATIONS.items():
            topology = TOPOLOGIES[kind]
            for pattern, destination in patterns.items():
                with self.subTest(topology=kind, pattern=pattern):
                    report = self.run_report(machine(topology, traffic(pattern)))
                    if destination is None:
                        self.check(report)
                        continue
                    pairs = [(n, destination(n)) for n in range(NODES) if destination(n) != n]
                    self.check(report, len(pairs))
                    hops = [distance(topology, a, b) for a, b in pairs]
                    mean_hops = sum(hops) / len(hops)
                    latency = report["latency"]
                    self.assertGreater(latency["mean"],
                                       0.97 * latency_of_empty_network(mean_hops))
                    self.assertGreaterEqual(latency["max"], latency_of_empty_network(max(hops)))
                    self.assertGreaterEqual(latency["p50"], latency_of_empty_network(min(hops)))
                    self.assertAlmostEqual(
                        report["flit_hops"] / report["flits_delivered"], mean_hops,
                        delta=0.05 * mean_hops)

    def test_silent_nodes_do_not_read_as_saturation(self):
        for pattern, senders in (("transpose", 56), ("bit_reverse", 56), ("shuffle", 62)):
            report = self.run_report(machine(mesh(8, 8), traffic(pattern, injection_rate=0.02)))
            offered = report["offered_flits_per_node_cycle"]
            self.assertAlmostEqual(offered, 0.02 * senders / 64, delta=0.001)
            self.assertAlmostEqual(report["accepted_flits_per_node_cycle"], offered,
                                   delta=0.02 * offered)
            self.assertEqual(report["configured_flits_per_node_cycle"], 0.02)
            text = self.ok("run", "config.yaml")
            self.assertRegex(text, r"offered +0\.01\d+ flits/node/cycle .* each of the "
                             f"{senders} nodes that send \\(configured: 0.02\\)")

    def test_a_random_permutation_is_drawn_from_the_seed(self):
        pairs = {}
        for seed in (1, 2):
            for engine in ("cycle", "tlm"):
                report = self.run_report(
                    machine(mesh(8, 8), traffic("random_permutation")), "--set", f"seed={seed}",
                    "--engine", engine, "--out", "out", "--messages")
                self.check(report)
                pairs[seed, engine] = {(int(row["source"]), int(row["destination"]))
                                       for row in self.read_csv("out", "messages.csv")}
            drawn = pairs[seed, "cycle"]
            self.assertEqual(drawn, pairs[seed, "tlm"])
            for side in (0, 1):
                self.assertEqual(sorted(pair[side] for pair in drawn), list(range(NODES)))
            self.assertFalse([pair for pair in drawn if pair[0] == pair[1]])
        self.assertNotEqual(pairs[1, "cycle"], pairs[2, "cycle"])

    def test_utilization_is_that_of_the_measurement(self):
        # Two nodes ask nearly twice as much of a link as it can carry; then it drains.
        config = machine(mesh(1, 3), traffic("hotspot", injection_rate=0.9, warmup_cycles=3000,
                                             measure_cycles=2000, root=2, hotspot_fraction=1))
        for engine in ("cycle", "tlm"):
            report = self.run_report(config, "--engine", engine, "--out", "out")
            use = report["link_utilization"]
            self.assertGreater(use["max"], 0.99)
            self.assertLessEqual(use["max"], 1)
            self.assertEqual((use["from"], use["until"]), (3000, 5000))
            rows = self.read_csv("out", "links.csv")
            for row in rows:
                self.assertEqual(row["measured_cycles"], "2000")
                self.assertAlmostEqual(float(row["utilization"]),
                                       int(row["measured_flits"]) / 2000, places=5)
                self.assertLess(int(row["measured_flits"]), int(row["flits"]))
            self.assertEqual(sum(int(r["flits"]) for r in rows), report["flit_hops"])
        text = self.ok("run", "config.yaml")
        self.assertRegex(text, r"link utilization +mean \d+\.\d % while measuring, cycles 3,000 to "
                         r"4,999\n +link_001_002 +(99|100)\.\d %")

    def test_utilization_of_a_steady_run_is_that_of_all_of_it(self):
        config = machine(mesh(3, 3), {"pattern": "uniform", "injection_rate": 0.1,
                                      "message_bytes": 64}, steady={"half_width": 0.07,
                                                                    "confidence": 0.55})
        report = self.run_report(config)
        self.assertEqual(report["link_utilization"]["from"], 0)
        text = self.ok("run", "config.yaml")
        self.assertRegex(text, r"link utilization +mean \d+\.\d % of the whole run, cycles 0 to ")
        self.assertRegex(text, r"until the mean latency is known within \+-7 %\n")
        self.assertIn(" cycles (55 % confidence), ", text)

    def test_a_run_that_ends_in_its_warmup_has_measured_nothing(self):
        for engine in ("cycle", "tlm"):
            self.write("config.yaml", machine(mesh(4, 4), traffic("uniform", injection_rate=0.05),
                                              limits={"max_cycles": 500}))
            done = self.call("run", "config.yaml", "--engine", engine)
            self.assertEqual(done.returncode, 3)
            self.assertIn("measured          nothing: the run ended within the 1,000 cycles of its "
                          "warm-up", done.stdout)
            self.assertNotIn("while measuring", done.stdout)
            self.assertRegex(done.stdout, r"link utilization +mean [1-9]\d*\.\d %\n")
            self.assertNotIn("step ", done.stdout + done.stderr)
            report = json.loads(self.call("run", "config.yaml", "--engine", engine,
                                          "--json").stdout)
            self.assertIsNone(report["offered_flits_per_node_cycle"])
            self.assertIsNone(report["accepted_flits_per_node_cycle"])
            self.assertGreater(report["link_utilization"]["mean"], 0)
            self.assertEqual(report["link_utilization"]["from"], 0)

    def test_a_window_of_few_messages_says_so(self):
        # Means of 2,559 to 3,911 cycles by seed, of 18 to 28 messages; 4,083 after a million cycles.
        keys = traffic("uniform", message_bytes=16384, injection_rate=0.3, warmup_cycles=0,
                       measure_cycles=3000)
        self.write("config.yaml", machine(mesh(4, 4), keys))
        done = self.call("run", "config.yaml")
        self.assertRegex(done.stdout, r"SHORT +\d+ messages measured in 3,000 cycles, [01]\.\d times "
                                      r"their mean latency: the mean depends on the seed")
        report = json.loads(self.call("run", "config.yaml", "--json").stdout)
        self.assertTrue(report["short_measurement"])
        keys = traffic("uniform", message_bytes=64, measure_cycles=5000)
        self.write("config.yaml", machine(mesh(4, 4), keys))
        self.assertNotIn("SHORT", self.call("run", "config.yaml").stdout)
        self.assertFalse(json.loads(self.call("run", "config.yaml", "--json").stdout)
                         ["short_measurement"])

    def test_a_run_that_is_cut_short_expects_what_has_begun(self):
        hot = traffic("hotspot", root=4, hotspot_fraction=1, message_bytes=16, injection_rate=0.9,
                      warmup_cycles=0)
        for measured in ({}, {"steady": {"max_cycles": 40000}}):
            keys = {key: hot[key] for key in hot if not (measured and key.endswith("_cycles"))}
            self.write("config.yaml", machine(mesh(3, 3), keys, limits={"max_cycles": 300}, **measured))
            for engine in ("cycle", "tlm"):
                done = self.call("run", "config.yaml", "--engine", engine, "--json")
                report = json.loads(done.stdout)
                self.assertEqual(report["messages_expected"], 774, (measured, engine))
                self.assertIn("node 0 is sending", done.stderr)
                if not measured:
                    self.assertAlmostEqual(report["offered_flits_per_node_cycle"], 774 * 3 / 9 / 300)
                    self.assertEqual(report["backlog_growth_flits"],
                                     3 * (774 - report["messages_delivered"]))
        # Later messages are not expected, and no node is sending them.
        self.write("config.yaml", machine(mesh(3, 3), traffic("uniform", message_bytes=16,
                                                              injection_rate=0.005, warmup_cycles=0)))
        for limit, begun in ((20, 0), (300, 8)):
            done = self.call("run", "config.yaml", "--set", f"limits.max_cycles={limit}", "--json")
            self.assertEqual(done.returncode, 3)
            self.assertEqual(json.loads(done.stdout)["messages_expected"], begun)
            self.assertNotIn("is sending", done.stderr)
        # In the warm-up, too.
        done = self.call("run", "config.yaml", "--set", "limits.max_cycles=300", "--set",
                         "traffic.warmup_cycles=1000", "--json")
        self.assertEqual(json.loads(done.stdout)["messages_expected"], 8)

    def test_traffic_that_never_varies_is_steady_at_once(self):
        # The mean latency of every window is 14 1/3 cycles.
        config = machine(mesh(3, 3), {"pattern": "neighbour", "arrivals": "periodic",
                                      "injection_rate": 0.18, "message_bytes": 64},
                         steady={"half_width": 0.05})
        report = self.run_report(config)
        self.assertEqual(report["steady"]["status"], "stable")
        self.assertLess(report["steady"]["measured_cycles"], 100_000)

    def test_an_overloaded_run_says_so(self):
        for overrides, overloaded in (({"injection_rate": 0.9}, True),
                                      ({"injection_rate": 0.5, "warmup_cycles": 0}, True),
                                      ({"injection_rate": 0.1, "warmup_cycles": 0,
                                        "measure_cycles": 100}, False),
                                      ({"injection_rate": 0.2}, False)):
            with self.subTest(overrides):
                report = self.run_report(machine(mesh(8, 8), traffic("uniform", **overrides)))
                self.assertEqual(report["status"], "complete")
                self.assertIs(report["overloaded"], overloaded)
                text = self.ok("run", "config.yaml")
                outcome = "OVERLOADED" if overloaded else "complete"
                self.assertTrue(text.startswith(f"uniform: {outcome}\n"), text)
                self.assertEqual("  OVERLOADED" in text, overloaded)
                self.assertRegex(text, rf"simulated +{report['simulated_cycles']:,} cycles")
                self.assertNotIn("makespan", text)
        done = self.call("run", "config.yaml", "--json", "--set", "limits.max_cycles=1500")
        report = json.loads(done.stdout)
        self.assertIsNone(report["overloaded"])  # cut short
        self.assertEqual(report["link_utilization"]["until"], 1500)

    def test_an_unstable_run_says_so(self):
        for rate, keys, status, overloaded, outcome in (
                (0.9, {}, "unstable", True, "UNSTABLE"), (0.1, {}, "stable", False, "complete"),
                (0.1, {"max_cycles": 40000, "half_width": 0.001}, "not_converged", None, "NOT STEADY")):
            with self.subTest(outcome=outcome):
                report = self.run_report(machine(
                    mesh(4, 4), {"pattern": "uniform", "message_bytes": 64, "injection_rate": rate},
                    steady=keys))
                self.assertEqual((report["status"], report["steady"]["status"]),
                                 ("complete", status))
                self.assertIs(report["overloaded"], overloaded)
                text = self.ok("run", "config.yaml")
                self.assertTrue(text.startswith(f"uniform: {outcome}\n"), text)
                self.assertEqual(f"  {outcome} " in text, outcome != "complete")

    def test_check_warns_of_what_no_channel_can_carry(self):
        hot = traffic("hotspot", root=27, hotspot_fraction=0.2)
        for topology, keys, fabric, warns in (
                (mesh(8, 8), hot, {}, "node 27 is asked to receive 1.3"),
                (mesh(8, 8), traffic("transpose", injection_rate=0.5), {}, "link_"),
                (mesh(8, 8), traffic("uniform", injection_rate=0.9),
                 {"routing": "o1turn", "virtual_channels": 2}, "middle cut"),
                (mesh(8, 8), traffic("uniform"), {}, None)):
            self.write("config.yaml", machine(topology, keys, fabric=fabric))
            text = self.ok("check", "config.yaml")
            self.assertRegex(text, r"\n  load +at most 0\.\d+ flits/cycle from a node")
            warnings = [line for line in text.splitlines() if line.startswith("  ! ")]
            self.assertEqual(len(warnings), 0 if warns is None else 1, text)
            if warns:
                self.assertIn(warns, warnings[0])
                self.assertIs(self.report("run", "config.yaml")["overloaded"], True)

    def test_uniform_traffic_travels_the_average_distance(self):
        for kind, topology in TOPOLOGIES.items():
            with self.subTest(topology=kind):
                report = self.run_report(machine(topology, traffic("uniform")))
                mean = self.report("topology", "config.yaml")["average_distance"]
                exact = sum(distance(topology, a, b) for a in range(NODES)
                            for b in range(NODES)) / (NODES * (NODES - 1))
                self.assertAlmostEqual(mean, exact)
                self.assertAlmostEqual(report["flit_hops"] / report["flits_delivered"], exact,
                                       delta=0.02 * exact)
                self.assertGreater(report["latency"]["mean"],
                                   0.98 * latency_of_empty_network(exact))

    def test_more_load_takes_longer(self):
        means = [self.run_report(machine(mesh(8, 8), traffic("uniform", injection_rate=rate)))
                 ["latency"]["mean"] for rate in (0.02, 0.1, 0.2)]
        self.assertEqual(means, sorted(set(means)))

    def test_a_hotspot_draws_its_share(self):
        self.run_report(machine(mesh(8, 8), traffic("uniform")), "--out", "uniform")
        self.run_report(machine(mesh(8, 8), traffic("hotspot")), "--out", "hotspot")

        def into_root(folder):
            return sum(int(r["flits"]) for r in self.read_csv(folder, "links.csv")
                       if r["to"] == "27")
        self.assertGreater(into_root("hotspot"), 1.3 * into_root("uniform"))

    def test_several_virtual_channels_deliver_the_same_messages(self):
        for kind, topology in TOPOLOGIES.items():
            reports = []
            for channels in (1, 2, 4, 8):
                with self.subTest(topology=kind, virtual_channels=channels):
                    reports.append(self.run_report(
                        machine(topology, traffic("uniform"),
                                fabric={"virtual_channels": channels})))
                    self.check(reports[-1])
            self.assertEqual(len({r["messages_expected"] for r in reports}), 1)
            self.assertEqual(len({r["flit_hops"] for r in reports}), 1)

    def test_virtual_channels_relieve_a_loaded_mesh(self):
        def mean(channels):
            return self.run_report(machine(mesh(8, 8), traffic("uniform", injection_rate=0.25),
                                           fabric={"virtual_channels": channels})
                                   )["latency"]["mean"]
        self.assertLess(mean(4), mean(1))

    def test_schedules_deliver_over_several_virtual_channels(self):
        for topology in (mesh(4, 5), hypercube(4)):
            n = node_count(topology)
            for schedule in ("pex-gen", "naive", "allgather"):
                for channels in (2, 4, 8):
                    with self.subTest(topology=topology, schedule=schedule, channels=channels):
                        report = self.run_report(
                            machine(topology, {"schedule": schedule, "message_bytes": 64},
                                    fabric={"virtual_channels": channels, "buffer_depth": 2}))
                        self.assertEqual(report["messages_delivered"], n * (n - 1))

    def test_tornado_sends_nothing_on_a_hypercube(self):
        self.write("config.yaml", machine(hypercube(BITS), traffic("tornado")))
        self.refused("run", "config.yaml", says=["tornado", "use uniform"])


if __name__ == "__main__":
    main()
