# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Every schedule and algorithm that is listed has an example, which both engines run alike; cycles
of some against closed forms."""
import json
import pathlib
import re

from flitscope_cli import CliTest, hypercube, machine, main, mesh

CONFIGS = pathlib.Path(__file__).resolve().parents[3] / "configs"


STARTUP = 100
RECEIVE = 20
HOP = 3  # router delay at the source, then router and link delay of one link


def chosen(text):
    """Schedule and algorithm of a configuration, as written; the algorithm may be ''."""
    schedule = re.search(r"\bschedule: *([\w-]+)", text)
    algorithm = re.search(r"\balgorithm: *([\w-]+)", text)
    return (schedule and schedule[1], algorithm[1] if algorithm else "")


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


if __name__ == "__main__":
    main()
