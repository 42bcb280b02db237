# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Every schedule and algorithm that is listed has an example, which both engines run alike; what runs
of schedules report and what `flitscope schedule` prints, cycles of some against closed forms. Whether
their steps are those of the papers is for traffic/schedule_test.cpp."""
from collections import Counter
import json
import pathlib
import re

from flitscope_cli import (CliTest, FLIT_BYTES, coordinates, distance, hypercube, machine, main, mesh,
                           node_count, sides, without)

CONFIGS = pathlib.Path(__file__).resolve().parents[3] / "configs"

STARTUP = 100
RECEIVE = 20
HOP = 3  # router delay at the source, then router and link delay of one link


def chosen(text):
    """Schedule and algorithm of a configuration, as written; the algorithm may be ''."""
    schedule = re.search(r"\bschedule: *([\w-]+)", text)
    algorithm = re.search(r"\balgorithm: *([\w-]+)", text)
    return (schedule and schedule[1], algorithm[1] if algorithm else "")


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


class Schedules(CliTest):
    def listed(self):
        return {schedule["name"]: [a["name"] for a in schedule["algorithms"]]
                for schedule in json.loads(self.ok("list", "--json"))["schedules"]}

    def test_every_one_that_is_listed_has_an_example(self):
        listed = self.listed()
        shown = set()
        for config in [*CONFIGS.glob("*.yaml"), *CONFIGS.glob("schedules/*.yaml")]:
            schedule, algorithm = chosen(config.read_text())
            if schedule:
                shown.add((schedule, algorithm or listed[schedule][0]))
        self.assertGreater(len(shown), 20)
        for schedule, algorithms in listed.items():
            for algorithm in algorithms:
                self.assertIn((schedule, algorithm), shown,
                              "no configuration in testbench/configs or its folder schedules")

    def test_examples_are_named_after_what_they_show(self):
        for config in CONFIGS.glob("schedules/*.yaml"):
            schedule, algorithm = chosen(config.read_text())
            self.assertEqual(config.stem, "_".join(filter(None, (schedule, algorithm))))

    def test_examples_run_alike_on_both_engines(self):
        compared = 0
        for config in sorted(CONFIGS.glob("schedules/*.yaml")):
            with self.subTest(config=config.name):
                summary = self.report("run", str(config))
                self.assertEqual(summary["status"], "complete")
                self.assertGreater(summary["messages_delivered"], 0)
                verified = self.call("verify", str(config))
                if "nothing to compare" in verified.stderr:
                    continue  # the hardware that it needs has one engine
                self.assertEqual(verified.returncode, 0, verified.stderr)
                compared += 1
        self.assertGreaterEqual(compared, 30)

    def cycles(self, shape, traffic):
        config = machine(shape, traffic,
                         node={"send_overhead": STARTUP, "recv_overhead": RECEIVE})
        return self.run_report(config)["cycles"]

    def test_a_chain_takes_the_cycles_of_its_closed_form(self):
        # 16 nodes; pieces of 512 / P flits and a header. The first piece waits at every node to be
        # received, all others follow it a startup and their length apart.
        for shape in (mesh(4, 4), hypercube(4)):
            for pieces in (1, 2, 8, 64):
                message = STARTUP + 512 // pieces + 1
                expected = (16 + pieces - 2) * message + 15 * HOP + 14 * RECEIVE
                for schedule in ("broadcast", "reduce"):
                    traffic = {"schedule": schedule, "algorithm": "pipelined_chain",
                               "message_bytes": 4096, "root": 5, "chunks": pieces}
                    self.assertEqual(self.cycles(shape, traffic), expected, traffic)

    def test_the_number_of_pieces_that_is_chosen_is_about_the_best(self):
        for algorithm in ("pipelined_chain", "pipelined_tree"):
            traffic = {"schedule": "broadcast", "algorithm": algorithm, "message_bytes": 32768}
            chosen_cycles = self.cycles(hypercube(4), traffic)
            tried = [self.cycles(hypercube(4), {**traffic, "chunks": pieces})
                     for pieces in (1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 64, 128)]
            self.assertLess(chosen_cycles, 1.02 * min(tried), algorithm)
            self.assertLess(2 * chosen_cycles, tried[0], algorithm)

    def test_allreduce_takes_the_cycles_of_its_closed_forms(self):
        # Vectors of 512 flits; a message is a startup, its flits and header, a hop and its receipt.
        fixed = STARTUP + 1 + HOP + RECEIVE
        for shape in (mesh(4, 4), hypercube(4)):
            ring = {"schedule": "allreduce", "algorithm": "ring", "message_bytes": 4096}
            self.assertEqual(self.cycles(shape, ring), 30 * (fixed + 32) - RECEIVE)
        doubling = {"schedule": "allreduce", "message_bytes": 4096}
        self.assertEqual(self.cycles(hypercube(4), doubling), 4 * (fixed + 512) - RECEIVE)
        halving = {**doubling, "algorithm": "rabenseifner"}
        self.assertEqual(self.cycles(hypercube(4), halving),
                         2 * (4 * fixed + 256 + 128 + 64 + 32) - RECEIVE)

    def test_complete_exchanges_report_what_they_deliver(self):
        """Counts of messages, flits and flit-hops, derived here anew."""
        flits = 64 // FLIT_BYTES + 1  # of a message, with its header
        for topology, own in ((mesh(4, 5), "bounded-contention"), (mesh(4, 4), "pex"),
                              (hypercube(4), "aap")):
            nodes = range(node_count(topology))
            messages = len(nodes) * (len(nodes) - 1)
            hops = sum(distance(topology, a, b) for a in nodes for b in nodes)
            for schedule in ("pex-gen", "pex-gen-shift", "gen", "naive", own):
                for engine in ("cycle", "tlm"):
                    with self.subTest(topology=topology, schedule=schedule, engine=engine):
                        report = self.run_report(
                            machine(topology, {"schedule": schedule, "message_bytes": 64}), "--engine", engine)
                        expected = {"status": "complete", "problems": [], "nodes": len(nodes),
                                    "schedule": schedule, "engine": engine, "seed": 1,
                                    "messages_expected": messages, "messages_delivered": messages,
                                    "flits_delivered": flits * messages, "flit_hops": flits * hops}
                        self.assertEqual({key: report[key] for key in expected}, expected)
                        # A node injects all of its flits through one channel.
                        self.assertGreaterEqual(report["lower_bound_cycles"], flits * (len(nodes) - 1))
                        self.assertGreaterEqual(report["cycles"], report["lower_bound_cycles"])
                        self.assertAlmostEqual(report["time_us"], report["cycles"] / 1000)  # 1 ns per cycle
                        use = report["link_utilization"]
                        self.assertAlmostEqual(use["mean"],
                                               report["flit_hops"] / report["cycles"] / report["links"])
                        self.assertLessEqual(use["max"], 1)
                        percentiles = [report["latency"][key] for key in ("p50", "p95", "p99", "max")]
                        self.assertEqual(percentiles, sorted(percentiles))

    def test_smallest_networks_run(self):
        for topology in (mesh(1), mesh(1, 1), mesh(2), mesh(1, 7), hypercube(0), hypercube(1)):
            n = node_count(topology)
            with self.subTest(topology=topology):
                report = self.run_report(machine(topology, {"schedule": "gen",
                                                            "message_bytes": 0}))
                self.assertEqual(report["messages_delivered"], n * (n - 1))
                self.assertEqual(report["flits_delivered"], n * (n - 1))  # only headers
                self.assertEqual(report["status"], "complete")

    def steps(self, topology, schedule):
        self.write("config.yaml", machine(topology, {"schedule": schedule, "message_bytes": 64}))
        report = self.report("schedule", "config.yaml")
        self.assertEqual(report["schedule"], schedule)
        return report["steps"]

    def test_contention_is_that_of_the_printed_transfers(self):
        for topology in (mesh(8, 8), mesh(4, 5), mesh(5, 5), mesh(3, 4, 2), hypercube(5)):
            for schedule in ("pex-gen", "pex-gen-shift", "gen", "naive"):
                with self.subTest(topology=topology, schedule=schedule):
                    steps = self.steps(topology, schedule)
                    self.assertEqual(
                        [s["max_link_contention"] for s in steps],
                        [most_shared(s["transfers"], sides(topology)) for s in steps])

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
