# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Every schedule on every mesh and hypercube of a set delivers every message, no faster than the
bound. Counts of messages, flits and flit-hops are derived here anew."""

from flitscope_cli import (CliTest, FLIT_BYTES, distance, hypercube, machine, main, mesh,
                           node_count, suite)

BYTES = 64
BLOCK = BYTES // FLIT_BYTES  # flits of a block; a packet has one header flit more

# In the quick set none has more than 64 nodes: a complete exchange takes their square.
TOPOLOGIES = [mesh(4, 4), mesh(8, 8), mesh(8, 4), mesh(4, 5), mesh(6, 8), mesh(5, 5)]
TOPOLOGIES += [hypercube(n) for n in range(3, 7)]
TOPOLOGIES += suite.TAKES_ALL * [mesh(16, 8), hypercube(7), hypercube(8)]
EXCHANGES = ["pex", "pex-gen", "pex-gen-shift", "gen", "naive"]
COLLECTIVES = [("broadcast", "binomial"), ("broadcast", "dimension_order"), ("allgather", "ring"),
               ("allgather", "recursive_doubling"), ("scatter", "direct"), ("scatter", "binomial")]

RUN_KEYS = {"topology", "nodes", "links", "schedule", "engine", "seed", "cycles", "time_us",
            "messages_expected", "messages_delivered", "flits_delivered", "flit_hops",
            "link_utilization", "latency", "lower_bound_cycles", "wall_seconds",
            "flit_hops_per_second"}


def is_power_of_two(n):
    return n & (n - 1) == 0


def halving_blocks(n):
    """Blocks sent by a halving tree over n nodes; a message holds those of the half it goes to."""
    if n == 1:
        return 0
    kept = (n + 1) // 2
    return n - kept + halving_blocks(kept) + halving_blocks(n - kept)


def exchange_hops(topology):
    n = node_count(topology)
    return sum(distance(topology, a, b) for a in range(n) for b in range(n))


class Delivery(CliTest):
    def check(self, *expected):
        for engine in ("cycle", "tlm"):
            self.check_engine(engine, *expected)

    def check_engine(self, engine, topology, traffic, messages, flits, flit_hops=None,
                     least_bound=0):
        nodes = node_count(topology)
        report = self.run_report(machine(topology, {"message_bytes": BYTES, **traffic}),
                                 "--engine", engine)
        self.assertLessEqual(RUN_KEYS, set(report))
        self.assertLessEqual({"mean", "max"}, set(report["link_utilization"]))
        self.assertLessEqual({"mean", "p50", "p95", "p99", "max"}, set(report["latency"]))
        self.assertEqual(report["status"], "complete")
        self.assertEqual(report["problems"], [])
        self.assertEqual(report["nodes"], nodes)
        self.assertEqual(report["schedule"], traffic["schedule"])
        self.assertEqual(report["engine"], engine)
        self.assertEqual(report["seed"], 1)
        self.assertEqual(report["messages_expected"], messages)
        self.assertEqual(report["messages_delivered"], messages)
        self.assertEqual(report["flits_delivered"], flits)
        if flit_hops is not None:
            self.assertEqual(report["flit_hops"], flit_hops)
        self.assertGreaterEqual(report["lower_bound_cycles"], least_bound)
        self.assertGreaterEqual(report["cycles"], report["lower_bound_cycles"])
        self.assertAlmostEqual(report["time_us"], report["cycles"] / 1000)  # 1 ns per cycle
        self.assertAlmostEqual(report["link_utilization"]["mean"],
                               report["flit_hops"] / report["cycles"] / report["links"])
        self.assertLessEqual(report["link_utilization"]["max"], 1)
        percentiles = [report["latency"][key] for key in ("p50", "p95", "p99", "max")]
        self.assertEqual(percentiles, sorted(percentiles))

    def test_complete_exchanges_deliver_every_ordered_pair(self):
        for topology in TOPOLOGIES:
            n = node_count(topology)
            messages = n * (n - 1)
            flits = (BLOCK + 1) * messages
            hops = (BLOCK + 1) * exchange_hops(topology)
            own = "aap" if topology["kind"] == "hypercube" else "bounded-contention"
            for schedule in EXCHANGES + [own]:
                if schedule == "pex" and not is_power_of_two(n):
                    continue
                with self.subTest(topology=topology, schedule=schedule):
                    # A node injects all of its flits through one channel.
                    self.check(topology, {"schedule": schedule}, messages, flits, hops,
                               (BLOCK + 1) * (n - 1))

    def test_broadcast_and_allgather_and_scatter_deliver_every_block(self):
        for topology in TOPOLOGIES:
            n = node_count(topology)
            doublings = n.bit_length() - 1
            ring_hops = sum(distance(topology, a, (a + 1) % n) for a in range(n))
            packet = BLOCK + 1
            expected = {  # messages, flits, flit-hops if they have a simple form, least bound
                ("broadcast", "binomial"): (n - 1, packet * (n - 1), None, packet),
                ("broadcast", "dimension_order"): (n - 1, packet * (n - 1), None, packet),
                ("allgather", "ring"): (n * (n - 1), packet * n * (n - 1),
                                        packet * (n - 1) * ring_hops, packet * (n - 1)),
                ("allgather", "recursive_doubling"): (
                    n * doublings, n * (doublings + BLOCK * (n - 1)), None,
                    doublings + BLOCK * (n - 1)),
                ("scatter", "direct"): (n - 1, packet * (n - 1),
                                        packet * sum(distance(topology, 0, b) for b in range(n)),
                                        packet * (n - 1)),
                ("scatter", "binomial"): (n - 1, n - 1 + BLOCK * halving_blocks(n), None,
                                          BLOCK * (n - 1)),
            }
            for (schedule, algorithm), values in expected.items():
                if algorithm == "recursive_doubling" and not is_power_of_two(n):
                    continue
                with self.subTest(topology=topology, schedule=schedule, algorithm=algorithm):
                    self.check(topology, {"schedule": schedule, "algorithm": algorithm}, *values)

    def test_recursive_exchange_sends_half_of_all_blocks_in_every_step(self):
        for topology in TOPOLOGIES:
            n = node_count(topology)
            if not is_power_of_two(n):
                continue
            steps = n.bit_length() - 1
            flits = steps * (1 + BLOCK * n // 2)  # flits of a node
            with self.subTest(topology=topology):
                self.check(topology, {"schedule": "recursive-exchange"}, n * steps, n * flits,
                           None, flits)

    def test_powers_of_two_are_demanded_with_an_alternative_named(self):
        for topology in TOPOLOGIES:
            if is_power_of_two(node_count(topology)):
                continue
            for traffic, key, place in (({"schedule": "pex"}, "pex", "pex-gen"),
                                        ({"schedule": "allgather",
                                          "algorithm": "recursive_doubling"},
                                         "recursive_doubling", "ring")):
                with self.subTest(topology=topology, traffic=traffic):
                    self.write("config.yaml", machine(topology, traffic))
                    self.refused("run", "config.yaml", "--json",
                                 says=["config.yaml:1:", key, "power-of-two",
                                       str(node_count(topology)), place])

    def test_other_roots_reach_all_nodes(self):
        for topology in (mesh(4, 5), hypercube(4)):
            n = node_count(topology)
            for schedule, algorithm in COLLECTIVES:
                if schedule == "allgather":
                    continue
                with self.subTest(topology=topology, schedule=schedule, algorithm=algorithm):
                    config = machine(topology, {"schedule": schedule, "algorithm": algorithm,
                                                "root": n - 2, "message_bytes": BYTES})
                    report = self.run_report(config)
                    self.assertEqual(report["messages_delivered"], n - 1)
                    steps = self.report("schedule", "config.yaml")["steps"]
                    transfers = [t for step in steps for t in step["transfers"]]
                    self.assertEqual(sorted(t[1] for t in transfers),
                                     [node for node in range(n) if node != n - 2])
                    informed = {n - 2}  # no node sends what it has not received
                    for step in steps:
                        self.assertLessEqual({t[0] for t in step["transfers"]}, informed)
                        informed.update(t[1] for t in step["transfers"])

    def test_smallest_networks_run(self):
        for topology in (mesh(1), mesh(1, 1), mesh(2), mesh(1, 7), hypercube(0), hypercube(1)):
            n = node_count(topology)
            with self.subTest(topology=topology):
                report = self.run_report(machine(topology, {"schedule": "gen",
                                                            "message_bytes": 0}))
                self.assertEqual(report["messages_delivered"], n * (n - 1))
                self.assertEqual(report["flits_delivered"], n * (n - 1))  # only headers
                self.assertEqual(report["status"], "complete")


if __name__ == "__main__":
    main()
