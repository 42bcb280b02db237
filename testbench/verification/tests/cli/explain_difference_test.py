#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope explain A B: where the difference of two runs lies, in text, JSON and CSV; and steps as their
schedule counts them."""
import csv
import io
import json
import pathlib
import re

from flitscope_cli import EXIT_STANDSTILL, CliTest, machine, main, mesh

TESTBENCH = pathlib.Path(__file__).resolve().parents[3]
CONFIGS = TESTBENCH / "configs"
EXAMPLES = TESTBENCH / "app" / "explain" / "examples"
PEX = CONFIGS / "mesh_8x8_pex.yaml"
TRANSPOSE = EXAMPLES / "transpose.yaml"


class ExplainDifferenceTest(CliTest):
    def setUp(self):
        super().setUp()
        for schedule in ("pex", "gen"):
            self.write(f"{schedule}.yaml", json.dumps({
                "machine": "delta", "fabric": {"topology": mesh(4, 4)},
                "traffic": {"schedule": schedule, "message_bytes": 1024}}))

    def compare(self, first, second, *options):
        return json.loads(self.ok("explain", first, second, *options, "--json"))

    def check(self, told):
        """That each difference is that of its values, and that the parts sum up to the whole."""
        whole = told["cycles"]
        for side in ("first", "second"):
            for causes in [told["causes"]] + [place["causes"] for place in told["places"]]:
                for figure in causes.values():
                    self.assertAlmostEqual(figure["difference"], figure["second"] - figure["first"])
            self.assertAlmostEqual(sum(c[side] for c in told["causes"].values()), whole[side])
            self.assertAlmostEqual(sum(p["cycles"][side] or 0 for p in told["places"]), whole[side])
        for key in ("difference", "difference_ns"):
            self.assertAlmostEqual(sum(c[key] for c in told["causes"].values()), whole[key])
            self.assertAlmostEqual(sum(p["cycles"][key] for p in told["places"]), whole[key])

    def test_causes_and_places_sum_up_to_the_difference_of_the_makespans(self):
        cycles = [self.report("run", f"{name}.yaml")["cycles"] for name in ("pex", "gen")]
        for engine in ("tlm", "cycle"):
            told = self.compare("pex.yaml", "gen.yaml", "--engine", engine)
            self.check(told)
            self.assertEqual([told["cycles"][side] for side in ("first", "second")], cycles)
            self.assertEqual(sum(c["difference"] for c in told["causes"].values()),
                             cycles[1] - cycles[0])
            self.assertEqual(sum(s["path_cycles"]["difference"] for s in told["steps"]),
                             cycles[1] - cycles[0])
            self.assertEqual(told["first"]["engine"], engine)
            kept = {k: v for k, v in told.items() if k not in ("first", "second")}
            self.assertEqual(kept, getattr(self, "before", kept))
            self.before = kept

    def test_causes_sum_up_to_the_difference_of_the_mean_latencies(self):
        self.write("other.yaml", TRANSPOSE.read_text().replace(
            "buffer_depth: 4", "buffer_depth: 4\n  routing: odd_even"))
        told = self.compare(TRANSPOSE, "other.yaml")
        self.check(told)
        runs = [self.report("explain", config) for config in (TRANSPOSE, "other.yaml")]
        for side, run in zip(("first", "second"), runs):
            self.assertAlmostEqual(told["cycles"][side], run["latency"]["mean"], 6)
            self.assertEqual(told[side]["packets"], run["packets"])
        self.assertEqual([d["hops"] for d in told["distances"]], [2, 4, 6])
        text = self.ok("explain", TRANSPOSE, "other.yaml")
        self.assertRegex(text, r"^a packet of B takes 18\.89 cycles less than one of A, on average: 46\.6 % of A")

    def test_steps_have_the_begins_and_ends_of_their_nodes(self):
        told = self.compare("pex.yaml", "gen.yaml")
        for side, name in (("first", "pex"), ("second", "gen")):
            nodes = list(csv.DictReader(io.StringIO(self.ok("explain", f"{name}.yaml", "--slack"))))
            for step in told["steps"]:
                own = [row for row in nodes if int(row["step"]) == step["step"]]
                begins = [int(row["begin"]) for row in own]
                ends = [int(row["end"]) for row in own]
                self.assertEqual(len(own), 16)
                self.assertEqual([step[key][side] for key in (
                    "first_begin", "last_begin", "first_end", "last_end", "skew")],
                    [min(begins), max(begins), min(ends), max(ends), max(begins) - min(begins)])

    def test_steps_count_without_their_handshakes(self):
        self.assertEqual(self.report("run", "pex.yaml")["steps"], 15)
        explained = self.report("explain", "pex.yaml")
        self.assertEqual([s["step"] for s in explained["slack"]["steps"]], list(range(1, 16)))
        self.assertEqual([s["parts"] for s in explained["slack"]["steps"]], [16] * 15)
        self.assertLessEqual({s["step"] for s in explained["steps"]}, set(range(1, 16)))
        path = list(csv.DictReader(io.StringIO(self.ok("explain", "pex.yaml", "--csv"))))
        self.assertEqual({int(row["step"]) for row in path if row["step"]},
                         {s["step"] for s in explained["steps"]})
        steps = re.findall(r"step (\d+)", self.ok("explain", "pex.yaml"))
        self.assertLessEqual(max(map(int, steps)), 15)

    def test_runs_the_other_way_round_turn_the_signs(self):
        there, back = (self.compare(*names) for names in (("pex.yaml", "gen.yaml"),
                                                          ("gen.yaml", "pex.yaml")))
        self.assertNotEqual(there["cycles"]["difference"], 0)
        for part in (lambda told: told["causes"], lambda told: {"": told["cycles"]},
                     lambda told: {p["place"]: p["cycles"] for p in told["places"]},
                     lambda told: {s["step"]: s["skew"] for s in told["steps"]},
                     lambda told: {c["channel"]: c["waiting_cycles"] for c in told["channels"]}):
            ours, theirs = part(there), part(back)
            self.assertEqual(list(ours), list(theirs))
            for key, figure in ours.items():
                self.assertEqual(figure["difference"], -theirs[key]["difference"])
                self.assertEqual((figure["first"], figure["second"]),
                                 (theirs[key]["second"], theirs[key]["first"]))

    def test_no_difference_is_one_sentence(self):
        self.assertRegex(self.ok("explain", PEX, PEX),
                         r"\AA and B do not differ: 9,103 cycles in both, [^\n]+\n\Z")
        self.assertRegex(self.ok("explain", TRANSPOSE, TRANSPOSE),
                         r"\AA and B do not differ: 3,987 packets of 40.55 cycles [^\n]+\n\Z")

    def test_of_different_clocks_the_time_is_compared(self):
        self.write("slow.yaml", PEX.read_text() + "clock_ns: 3\n")
        text = self.ok("explain", PEX, "slow.yaml")
        self.assertTrue(text.startswith("B takes 18.206 us longer than A: 200.0 % of A\n"), text)
        self.assertIn("a cycle takes 1 ns in A and 3 ns in B", text)
        self.assertIn("in cycles they do not differ: 9,103 cycles", text)
        self.write("slow.yaml", PEX.read_text().replace("pex", "gen") + "clock_ns: 3\n")
        told = self.compare(PEX, "slow.yaml")
        self.check(told)
        for figure in told["causes"].values():
            self.assertEqual(figure["difference_ns"], 3 * figure["second"] - figure["first"])
        text = self.ok("explain", PEX, "slow.yaml")
        self.assertIn("B - A, ns", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_what_one_network_does_not_have_is_told(self):
        told = self.compare("gen.yaml", "gen.yaml")
        self.assertNotIn(None, [p["cycles"]["first"] for p in told["places"]])
        self.write("cube.yaml", machine({"kind": "hypercube", "dimensions": 6},
                                        {"schedule": "gen", "message_bytes": 64}))
        told = self.compare(PEX, "cube.yaml")
        self.check(told)
        missing = {p["place"] for p in told["places"] if p["cycles"]["first"] is None}
        self.assertEqual(missing, {f"dimension {i}" for i in range(2, 6)})
        self.assertIn(None, [c["busy_cycles"]["second"] for c in told["channels"]])
        text = self.ok("explain", PEX, "cube.yaml")
        self.assertRegex(text, r"dimension 5 +- +[\d,]+ +\+")
        self.assertIn("the networks differ", text)

    def test_the_table_for_scripts_has_the_figures_of_the_object(self):
        told = self.compare("pex.yaml", "gen.yaml")
        rows = list(csv.DictReader(io.StringIO(self.ok("explain", "pex.yaml", "gen.yaml", "--csv"))))
        table = {(row["part"], row["name"], row["quantity"]): row for row in rows}
        self.assertEqual(len(table), len(rows))
        checked = 0
        for part, key, name in (("place", "places", "place"), ("step", "steps", "step"),
                                ("channel", "channels", "channel")):
            for entry in told[key]:
                for quantity, figure in entry.items():
                    if quantity in (name, "causes"):
                        continue
                    row = table[part, str(entry[name]), quantity]
                    for column in ("first", "second", "difference"):
                        self.assertEqual(row[column],
                                         "" if figure[column] is None else str(figure[column]))
                    checked += 1
        self.assertGreater(checked, 100)
        self.assertEqual(int(table["run", "", "cycles"]["difference"]), told["cycles"]["difference"])

    def test_the_change_of_the_example_gains_what_its_page_says(self):
        page = (EXAMPLES.parent / "EXAMPLES.md").read_text()
        said = re.findall(r"`--set (\S+)` on both: ([\d,]+) cycles with PEX and ([\d,]+) with GEN", page)
        (change, *cycles), = said
        for name, number in zip(("pex", "gen"), cycles):
            run = self.report("run", EXAMPLES / "pex_or_gen" / f"{name}.yaml", "--set", change)
            self.assertEqual(f"{run['cycles']:,}", number)

    def test_overrides_are_for_both(self):
        told = self.compare("pex.yaml", "gen.yaml", "--set", "traffic.message_bytes=64")
        self.assertEqual(told["cycles"]["first"], self.report(
            "run", "pex.yaml", "--set", "traffic.message_bytes=64")["cycles"])
        self.assertEqual(told["cycles"]["second"], self.report(
            "run", "gen.yaml", "--set", "traffic.message_bytes=64")["cycles"])

    def test_what_cannot_be_compared_is_refused(self):
        self.refused("explain", PEX, TRANSPOSE, says=("transpose.yaml:", "is a pattern and", "a program",
                                                      "compare two programs, or two patterns"))
        self.refused("explain", TRANSPOSE, PEX, says=("transpose.yaml:", "compare two programs"))
        for option in (("--try", "2"), ("--slack",)):
            self.refused("explain", PEX, PEX, *option, says=("excludes",))
        self.refused("explain", PEX, CONFIGS / "mesh_8x8_two_planes.yaml",
                     says=("mesh_8x8_two_planes.yaml:", "explain supports one plane"))
        self.refused("explain", PEX, "nothing.yaml", says=("nothing.yaml", "no such configuration file"))
        self.refused("explain", TRANSPOSE, TRANSPOSE, "--set", "traffic.injection_rate=0.000001",
                     says=("no packet that counts was delivered",))

    def test_runs_that_do_not_complete_are_not_compared(self):
        ring = CONFIGS / "ring_4_deadlock.yaml"
        for configs, options, says in (((PEX, ring), (), ("ring_4_deadlock.yaml", "deadlock")),
                                       ((ring, PEX), (), ("ring_4_deadlock.yaml", "deadlock")),
                                       ((PEX, PEX), ("--set", "limits.max_cycles=2000"),
                                        ("mesh_8x8_pex.yaml", "timeout")),
                                       ((TRANSPOSE, TRANSPOSE), ("--set", "limits.max_cycles=200"),
                                        ("transpose.yaml", "timeout"))):
            with self.subTest(configs=configs):
                done = self.call("explain", *configs, *options)
                self.assertEqual(done.returncode, EXIT_STANDSTILL)
                self.assertEqual(done.stdout, "")
                self.assertIn("a run that does not complete is not compared", done.stderr)
                for text in says:
                    self.assertIn(text, done.stderr)


if __name__ == "__main__":
    main()
