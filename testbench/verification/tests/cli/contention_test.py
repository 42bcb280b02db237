# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Contention per step of the complete exchanges against published oracles (Thakur, Choudhary and
Fox 1993, corrected by brute force: errata 000.5), and schedules printed, read back and replayed."""
from collections import Counter

from flitscope_cli import (CliTest, coordinates, hypercube, machine, main, mesh, node_count, sides,
                           suite, without)

HISTOGRAMS = {  # schedule -> mesh (rows, columns) -> {contention: number of steps}
    "pex": {
        (4, 4): {1: 3, 2: 12},
        (8, 8): {1: 3, 2: 12, 4: 48},
        (16, 8): {1: 3, 2: 12, 4: 48, 8: 64},
        (16, 16): {1: 3, 2: 12, 4: 48, 8: 192},
        (16, 32): {1: 3, 2: 12, 4: 48, 8: 192, 16: 256},
    },
    "gen": {
        (4, 4): {1: 6, 2: 9},
        (8, 8): {1: 6, 2: 14, 3: 22, 4: 21},
        (16, 8): {1: 6, 2: 14, 3: 22, 4: 22, 5: 16, 6: 16, 7: 16, 8: 15},
        (16, 16): {1: 6, 2: 14, 3: 22, 4: 30, 5: 38, 6: 46, 7: 54, 8: 45},
        (16, 32): {1: 6, 2: 14, 3: 22, 4: 30, 5: 38, 6: 46, 7: 54, 8: 61,
                   **{f: 32 for f in range(9, 16)}, 16: 16},
        (4, 5): {1: 6, 2: 13},
        (6, 8): {1: 6, 2: 14, 3: 21, 4: 6},
        (16, 9): {1: 6, 2: 14, 3: 22, 4: 30, 5: 18, 6: 18, 7: 18, 8: 17},
        (16, 14): {1: 6, 2: 14, 3: 22, 4: 30, 5: 38, 6: 46, 7: 40, 8: 27},
        (16, 30): {1: 6, 2: 14, 3: 22, 4: 30, 5: 38, 6: 46, 7: 54, 8: 61,
                   **{f: 32 for f in range(9, 15)}, 15: 16},
    },
    "pex-gen": {
        (4, 5): {1: 6, 2: 23, 3: 2},
        (6, 8): {1: 3, 2: 28, 4: 32},
        (16, 9): {2: 33, 3: 50, 4: 96, 5: 7, 6: 5, 7: 8, 8: 56},
        (16, 14): {1: 1, 4: 5, 5: 5, 6: 49, 7: 71, 8: 123, 9: 1},
        (16, 30): {1: 1, 4: 5, 5: 1, 8: 36, 9: 6, 10: 28, 11: 2, 12: 74, 13: 10, 14: 149, 15: 5,
                   16: 158, 17: 8, 18: 28},
    },
    "pex-gen-shift": {
        (4, 5): {1: 8, 2: 22, 3: 1},
        (6, 8): {1: 7, 2: 20, 3: 4, 4: 32},
        (16, 9): {1: 5, 2: 54, 3: 50, 4: 74, 5: 6, 6: 2, 8: 64},
        (16, 14): {1: 1, 4: 13, 5: 5, 6: 57, 7: 91, 8: 87, 9: 1},
        (16, 30): {1: 1, 4: 5, 5: 1, 8: 69, 9: 7, 10: 54, 11: 6, 12: 87, 13: 7, 14: 100, 15: 4,
                   16: 147, 17: 5, 18: 18},
    },
}

STEP_LISTS = {  # contention of step 1, step 2, ...
    ("pex", (4, 4)): "1 2 2 1 1 2 2 2 2 2 2 2 2 2 2",
    ("pex", (8, 8)): "1 2 2 4 4 4 4 1 1 2 2 4 4 4 4 2 2 2 2 4 4 4 4 2 2 2 2 4 4 4 4" + 32 * " 4",
    ("gen", (4, 5)): "1 2 2 1 1 2 2 2 2 2 2 2 2 2 1 1 2 2 1",
    ("gen", (8, 8)): "1 2 3 4 3 2 1 1 2 2 3 4 3 2 2 2 3 3 3 4 3 3 3 3 4 4 4 4 4 4 4 4 4 4 4 4 4 4 "
                     "4 3 3 3 3 4 3 3 3 2 2 2 3 4 3 2 2 1 1 2 3 4 3 2 1",
    ("pex-gen", (4, 5)): "2 3 2 2 2 2 2 3 2 2 2 2 2 2 2 1 1 2 2 2 2 1 2 2 2 1 1 2 2 2 1",
    ("pex-gen-shift", (4, 5)): "2 3 2 2 2 2 1 2 2 1 1 2 1 2 2 1 1 2 2 2 2 1 1 2 2 2 2 2 2 2 2",
}


def route(a, b, dims):
    """Links of the dimension-order route, as (node, node): the fastest-varying dimension first."""
    strides = [1] * len(dims)
    for d in range(len(dims) - 2, -1, -1):
        strides[d] = strides[d + 1] * dims[d + 1]
    at, goal = coordinates(a, dims), coordinates(b, dims)
    links = []
    for d in range(len(dims) - 1, -1, -1):
        while at[d] != goal[d]:
            step = 1 if goal[d] > at[d] else -1
            links.append((a, a + step * strides[d]))
            a += step * strides[d]
            at[d] += step
    return links


def most_shared(transfers, dims):
    load = Counter(link for a, b in transfers for link in route(a, b, dims))
    return max(load.values(), default=0)


class Contention(CliTest):
    def steps(self, topology, schedule):
        self.write("config.yaml", machine(topology, {"schedule": schedule, "message_bytes": 64}))
        report = self.report("schedule", "config.yaml")
        self.assertEqual(report["schedule"], schedule)
        return report["steps"]

    def test_histograms_equal_the_oracles_and_every_pair_is_covered_once(self):
        for schedule, meshes in HISTOGRAMS.items():
            for dims, histogram in meshes.items():
                if dims[0] * dims[1] > 150 and not suite.TAKES_ALL:
                    continue  # up to a quarter of a million transfers each
                with self.subTest(schedule=schedule, mesh=dims):
                    steps = self.steps(mesh(*dims), schedule)
                    self.assertEqual(Counter(s["max_link_contention"] for s in steps), histogram)
                    nodes = dims[0] * dims[1]
                    transfers = [tuple(t) for s in steps for t in s["transfers"]]
                    self.assertEqual(len(transfers), nodes * (nodes - 1))
                    self.assertEqual(set(transfers), {(a, b) for a in range(nodes)
                                                      for b in range(nodes) if a != b})

    def test_step_lists_equal_the_oracles(self):
        for (schedule, dims), text in STEP_LISTS.items():
            with self.subTest(schedule=schedule, mesh=dims):
                contention = [s["max_link_contention"] for s in self.steps(mesh(*dims), schedule)]
                self.assertEqual(contention, [int(f) for f in text.split()])

    def test_contention_is_that_of_the_printed_transfers(self):
        for topology in (mesh(8, 8), mesh(4, 5), mesh(5, 5), mesh(3, 4, 2), hypercube(5)):
            for schedule in ("pex-gen", "pex-gen-shift", "gen", "naive"):
                with self.subTest(topology=topology, schedule=schedule):
                    steps = self.steps(topology, schedule)
                    self.assertEqual(
                        [s["max_link_contention"] for s in steps],
                        [most_shared(s["transfers"], sides(topology)) for s in steps])

    def test_partners_of_pairwise_exchanges_meet_in_one_step(self):
        for topology in (mesh(4, 5), mesh(6, 8), mesh(5, 5), hypercube(5)):
            for schedule in ("pex-gen", "pex-gen-shift"):
                with self.subTest(topology=topology, schedule=schedule):
                    for step in self.steps(topology, schedule):
                        sent = {tuple(t) for t in step["transfers"]}
                        self.assertEqual(sent, {(b, a) for a, b in sent})
                        self.assertEqual(len(sent), len({a for a, _ in sent}))

    def test_pex_partners_differ_by_the_step_number(self):
        topology = mesh(4, 8)
        steps = self.steps(topology, "pex")
        for i, step in enumerate(steps, start=1):
            self.assertEqual(sorted(step["transfers"]),
                             [[n, n ^ i] for n in range(node_count(topology))])

    def test_a_printed_program_read_back_gives_the_same_run(self):
        traffics = [{"schedule": s} for s in ("pex-gen", "pex-gen-shift", "gen", "naive")]
        traffics += [{"schedule": "broadcast"}, {"schedule": "scatter", "algorithm": "binomial"},
                     {"schedule": "allgather"}]
        for topology in (mesh(4, 5), hypercube(3)):
            for traffic in traffics:
                with self.subTest(topology=topology, traffic=traffic):
                    config = machine(topology, {**traffic, "message_bytes": 64})
                    built = self.run_report(config)
                    self.write("program.csv", self.ok("schedule", "config.yaml", "--csv"))
                    replayed = self.run_report(machine(topology, {"program": "program.csv"}))
                    self.assertGreater(replayed["messages_delivered"], 0)
                    self.assertEqual(without(replayed, "schedule", "inputs"), without(built, "schedule"))
                    self.assertEqual(self.ok("schedule", "config.yaml", "--csv").encode(),
                                     self.read("program.csv"))


if __name__ == "__main__":
    main()
