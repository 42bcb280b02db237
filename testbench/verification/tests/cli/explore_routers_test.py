# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope explore: studies whose times and areas are those of synthesized routers."""
import csv
import io
import json
import math
import os
import pathlib
import re
import shutil

from explore_studies import EVERYTHING, ExploreTest
from flitscope_cli import EXIT_USAGE, machine, main, mesh, suite


@suite.needs_synthesis
class ExploreRouters(ExploreTest):
    def test_all_measurements_of_a_design_take_one_router(self):
        def study(**wanted):
            return self.study(vary={"fabric.buffer_depth": [1]}, search=None, measure=wanted,
                              objectives={"min": ["time_ns", "area_mm2"]})
        slim = {"set": {"fabric.virtual_channels": 1, "traffic.message_bytes": 8}}
        wide = {"set": {"fabric.virtual_channels": 4, "fabric.flit_bits": 128}}
        self.refused("explore", study(slim=slim, wide=wide),
                     says=["no design of the study can be built", "'slim' router_p5_v1_d1_w64",
                           "'wide' router_p5_v4_d1_w128", "'vary'",
                           "fabric.virtual_channels, fabric.flit_bits under 'set'"])
        # Networks of several sizes have the same router; the area is the mean of theirs.
        self.write("base.yaml", machine(mesh(4), {"schedule": "gen", "message_bytes": 16},
                                        fabric={"flit_bits": 16, "buffer_depth": 1}))
        nets = {"near": mesh(4), "far": mesh(8)}
        design, = self.explore(study(**{name: {"set": {"fabric.topology": net}}
                                        for name, net in nets.items()}))["front"]
        areas = [self.report("topology", "base.yaml", "--set", "fabric.topology=" + json.dumps(net))
                 ["fabric_area_um2"] for net in nets.values()]
        self.assertAlmostEqual(design["objectives"]["area_mm2"], sum(areas) / 2 / 1e6)

    def test_an_area_that_is_too_large_is_told_with_its_parts(self):
        self.write("base.yaml", machine(mesh(4), {"schedule": "gen", "message_bytes": 16},
                                        fabric={"flit_bits": 16, "link_delay": 2}))
        self.study(vary={"fabric.buffer_depth": [1]}, search=None, constraints={"area_mm2": {"max": 0.001}},
                   objectives={"min": ["time_ns", "area_mm2"]})
        self.call("explore", "study.yaml", "--db", "a.db")
        row, = csv.DictReader(io.StringIO(self.ok("explore", "export", "--db", "a.db")))
        parts = re.fullmatch(r"area_mm2 is ([\d.]+), at most 0\.001 is allowed \(of which routers ([\d.]+): "
                             r"2 x ([\d.]+) mm2 with 3 ports, 2 x ([\d.]+) with 2; registers of links "
                             r"([\d.e-]+)\)", row["reason"])
        self.assertIsNotNone(parts, row["reason"])
        area, routers, inner, outer, links = map(float, parts.groups())
        network = self.report("topology", "base.yaml", "--set", "fabric.buffer_depth=1")
        self.assertAlmostEqual(area, network["fabric_area_um2"] / 1e6, places=5)
        self.assertAlmostEqual(routers, 2 * inner + 2 * outer, delta=0.002)
        self.assertAlmostEqual(routers + links, area, delta=1e-4)
        self.assertGreater(links, 0)

    def test_reasons_of_several_lines_are_comments_and_sentences(self):
        self.write("bin/yosys", '#!/bin/sh\nfor script; do :; done\nif grep -q "Depth 2 " "$script"; then\n'
                                f'echo first line\necho ERROR: broken\nexit 1\nfi\nexec {shutil.which("yosys")} "$@"\n')
        os.chmod(self.path("bin/yosys"), 0o755)
        path = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        os.environ["PATH"] = self.path("bin") + ":" + path
        self.write("base.yaml", machine(mesh(2), {"schedule": "pex", "message_bytes": 64}, fabric={"flit_bits": 16}))
        def study(name, depths, search=None):
            return self.study(name, vary={"fabric.buffer_depth": depths}, search=search,
                              objectives={"min": ["time_ns", "area_mm2"]})
        for options in (("--db", "a.db"), ("--db", "b.db", "--set", "clock_ns=synth")):
            self.ok("explore", study("all.yaml", [1, 2], EVERYTHING), *options)
        rows = {}
        for db in ("a.db", "b.db"):
            rows[db], = (row for row in csv.DictReader(io.StringIO(self.ok("explore", "export", "--db", db)))
                         if row["state"] == "refused")
        row = rows["a.db"]
        self.assertIn("\n", row["reason"])
        self.assertEqual((row["cycle_ns"], row["cycle_of"]), ("1", "clock_ns"))
        self.assertEqual((rows["b.db"]["cycle_ns"], rows["b.db"]["cycle_of"]), ("", ""))
        shown = self.ok("explore", "show", row["digest"], "--db", "a.db")
        self.assertIn("ERROR: broken\n", shown)
        self.write("shown.yaml", shown)
        self.ok("run", "shown.yaml")
        for search, which in ((None, "of the study"), (EVERYTHING, "that was drawn")):
            done = self.call("explore", study("none.yaml", [2], search))
            self.assertEqual(done.returncode, EXIT_USAGE)
            self.assertIn(f"no design {which} can be built (the first one: router_p", done.stderr)
            self.assertIn("first line; ERROR: broken; all of it: ", done.stderr)

    def test_times_and_areas_are_those_of_synthesized_routers(self):
        self.write("base.yaml", machine(mesh(2), {"schedule": "gen", "message_bytes": 16},
                                        clock_ns="synth"))
        small = {"fabric.flit_bits": [16], "fabric.buffer_depth": [1, 2]}
        self.refused("run", "base.yaml", "--set", "fabric.flit_bits=16", "--set",
                     "fabric.buffer_depth=1", says=["base.yaml:1:", "has not been synthesized",
                                                    "flitscope synth"])
        self.study(vary=small, search=EVERYTHING,
                   objectives={"min": ["time_ns", "area_mm2", "period_ns"]})
        before = self.everything()
        dry = self.explore("study.yaml", "--dry-run")
        self.assertEqual(self.everything(), before)  # nothing is in the cache
        self.assertEqual((dry["tried"], dry["problem"]), (2, None))
        self.assertGreater(dry["estimated_seconds"], 0)
        self.assertEqual({name.split("_")[0] for name in dry["unsynthesized"]}, {"router", "link"})
        told = self.ok("explore", "study.yaml", "--dry-run")
        for name in dry["unsynthesized"]:
            self.assertIn(name, told)
        report = self.explore("study.yaml", "--db", "a.db")
        self.assertEqual((report["simulated"], report["refused"]), (2, 0))
        self.assertEqual(self.explore("study.yaml", "--dry-run")["unsynthesized"], [])
        for design in report["front"]:
            depth = f"fabric.buffer_depth={design['axes']['fabric.buffer_depth']}"
            narrow = ("--set", "fabric.flit_bits=16", "--set", depth)
            network = self.report("topology", "base.yaml", *narrow)
            router = network["router"]
            run = self.report("run", "base.yaml", *narrow)
            told = design["objectives"]
            self.assertAlmostEqual(told["period_ns"], router["min_period_ns"])
            self.assertGreater(network["link_registers"]["area_um2"], 2 * 20 * 90)
            self.assertAlmostEqual(told["area_mm2"], (router["total_area_um2"] +
                                                      network["link_registers"]["area_um2"]) / 1e6)
            self.assertAlmostEqual(told["area_mm2"], network["fabric_area_um2"] / 1e6)
            clock = math.ceil(router["min_period_ns"] * 1000 - 1e-6) / 1000
            self.assertAlmostEqual(told["time_ns"], run["cycles"] * clock)
            self.assertAlmostEqual(run["time_us"], told["time_ns"] / 1000)
            fast = self.report("run", "base.yaml", *narrow, "--set", "clock_ns=0.5")
            self.assertAlmostEqual(fast["synthesized"]["time_us"],
                                   run["cycles"] * router["min_period_ns"] / 1000)
            self.assertIn("too short for the router",
                          self.ok("run", "base.yaml", *narrow, "--set", "clock_ns=0.5"))
        self.assertNotIn("synthesized", self.report("run", "base.yaml", *narrow))

    def test_technologies_are_kept_apart(self):
        tied = str(pathlib.Path(__file__).resolve().parents[1] / "gates/tied_cells.lib")
        self.write("base.yaml", machine(mesh(2), {"schedule": "gen", "message_bytes": 16},
                                        clock_ns="synth", fabric={"flit_bits": 16, "buffer_depth": 1}))
        self.study(vary={"technology.library": ["osu018", tied]}, search=EVERYTHING,
                   objectives={"min": ["period_ns", "area_mm2"]})
        dry = self.explore("study.yaml", "--dry-run")
        self.assertEqual(sum(" in " in name for name in dry["unsynthesized"]), 2)
        counts = dry["syntheses"]
        self.assertEqual((counts["examined"], counts["routers"], counts["links"], counts["is_least"]),
                         (2, 2, 2, False))
        self.assertGreater(counts["estimated_seconds"], 0)
        self.assertIn("2 routers and 2 links to synthesize, about 0:0",
                      self.ok("explore", "study.yaml", "--dry-run"))
        self.explore("study.yaml", "--db", "a.db")
        priced = {}
        for row in csv.DictReader(io.StringIO(self.ok("explore", "export", "--db", "a.db"))):
            priced[row["technology.library"]] = (float(row["period_ns"]), float(row["area_mm2"]))
        self.assertEqual(len(priced), 2)
        for library, (period, area) in priced.items():
            network = self.report("topology", "base.yaml", "--set", f"technology.library={library}")
            self.assertAlmostEqual(period, network["router"]["min_period_ns"])
            self.assertAlmostEqual(area, network["fabric_area_um2"] / 1e6)
        self.assertNotEqual(priced["osu018"], priced[tied])
        self.assertEqual(self.explore("study.yaml", "--dry-run")["syntheses"]["examined"], 0)
        # The same database opened in another technology: no price of before.
        self.study("one.yaml", vary={"fabric.buffer_depth": [1]}, search=EVERYTHING,
                   objectives={"min": ["period_ns", "area_mm2"]})
        for library, options in (("osu018", ()), (tied, ("--liberty", tied)), ("osu018", ())):
            design, = self.explore("one.yaml", "--db", "a.db", *options)["front"]
            self.assertEqual((design["objectives"]["period_ns"], design["objectives"]["area_mm2"]),
                             priced[library])
        self.refused("explore", "one.yaml", "--liberty", "none", "--db", "none.db",
                     says=["no such cell library"])
        self.assertFalse(os.path.exists(self.path("none.db")))
        # One of several libraries is not there: its designs are refused, the others are measured.
        self.study("some.yaml", vary={"technology.library": ["osu018", "none"]}, search=EVERYTHING,
                   objectives={"min": ["period_ns", "area_mm2"]})
        told = self.explore("some.yaml", "--db", "a.db")
        self.assertEqual((told["refused"], len(told["front"])), (1, 1))
        self.assertIn("no such cell library", told["why_refused"][0]["reason"])
        self.study("two.yaml", vary={"fabric.buffer_depth": [1]}, search=EVERYTHING,
                   measure={"a": {}, "b": {"set": {"technology.library": tied}}},
                   objectives={"min": ["area_mm2"]})
        self.refused("explore", "two.yaml", says=["its measurements are in different technologies: osu018"])

    def test_physical_wires_are_of_the_router_of_each_design(self):
        """Delays follow from a period and a pitch that are found on the way: so do bounds."""
        self.write("base.yaml", machine(
            mesh(3), {"schedule": "gen", "message_bytes": 8}, clock_ns="synth",
            fabric={"flit_bits": 16, "link_delay": {"model": "physical", "pitch_mm": "area",
                                                    "node_mm2": 9, "ns_per_mm": 1.2}}))
        how = {"kind": "how", "dims": [3], "window": 2}
        axes = {"fabric.topology": {"mesh": mesh(3), "how": how},
                "fabric.buffer_depth": [1, 2], "node.send_overhead": [0, 30, 90]}
        goals = {"min": ["time_ns", "buffer_bits"]}
        self.study("all.yaml", vary=axes, objectives=goals, search=EVERYTHING)
        self.study("exact.yaml", vary=axes, objectives=goals)
        # Without them no design can be tried, and a dry run finds none.
        dry = self.explore("exact.yaml", "--dry-run")
        self.assertIsNone(dry["estimated_seconds"])
        self.assertIn("is not synthesized, and the delays of its wires", dry["problem"])
        self.assertIn("how long they take is not known", self.ok("explore", "all.yaml", "--dry-run"))
        everything = self.explore("all.yaml", "--db", "all.db")
        self.assertEqual((everything["points"], everything["simulated"]), (12, 12))
        dry = self.explore("exact.yaml", "--dry-run")
        self.assertGreater(dry["estimated_seconds"], 0)
        self.assertEqual(dry["unsynthesized"], [])
        exact = self.explore("exact.yaml", "--db", "exact.db")
        self.assertGreater(exact["pruned"], 0)
        keys = ("axes", "objectives")
        self.assertEqual([[design[key] for key in keys] for design in exact["front"]],
                         [[design[key] for key in keys] for design in everything["front"]])

        rows = list(csv.DictReader(io.StringIO(self.ok("explore", "export", "--db", "all.db"))))
        self.assertEqual(len(rows), 12)
        slowest = 0
        for row in rows:
            network = axes["fabric.topology"][row["fabric.topology"]]
            changes = ["--set", "fabric.topology=" + json.dumps(network)]
            for key in ("fabric.buffer_depth", "node.send_overhead"):
                changes += ["--set", f"{key}={row[key]}"]
            wires = self.report("topology", "base.yaml", *changes)
            self.assertAlmostEqual(wires["wires"]["pitch_mm"],
                                   math.sqrt(9 + wires["router"]["area_um2"] / 1e6))
            slowest = max(slowest, wires["wires"]["delay_cycles"]["max"])
            run = self.report("run", "base.yaml", *changes)
            self.assertAlmostEqual(float(row["time_ns"]),
                                   run["cycles"] * wires["wires"]["clock_ns"], places=6)
            self.assertLessEqual(run["lower_bound_cycles"], run["cycles"])
        self.assertGreaterEqual(slowest, 3)
        # The known figures are for the period that was found.
        again = self.explore("all.yaml", "--db", "all.db")
        self.assertEqual((again["simulated"], again["reused"]), (0, 12))

    def test_times_of_a_program_are_those_of_the_synthesized_clock(self):
        self.write("late.csv", "source,destination,bytes,time_ns\n0,1,8,300\n")
        self.write("base.yaml", machine(mesh(2), {"program": "late.csv"}, clock_ns="synth",
                                        fabric={"flit_bits": 16}))
        self.study(vary={"fabric.buffer_depth": [1]}, search=EVERYTHING)
        design, = self.explore("study.yaml", "--db", "a.db")["front"]
        run = self.report("run", "base.yaml", "--set", "fabric.buffer_depth=1")
        self.assertAlmostEqual(design["objectives"]["time_ns"], run["time_us"] * 1000)
        self.assertLess(design["objectives"]["time_ns"], 400)
        # So are the times of traces.
        self.write("late.goal", "num_ranks 2\nrank 0 {\nc: calc 300\ns: send 8b to 1 tag 0\n"
                   "s requires c\n}\nrank 1 {\nr: recv 8b from 0 tag 0\nc: calc 100\n"
                   "c requires r\n}\n")
        for trace, end_ns in (({"file": "late.goal"}, 500), ({"file": "late.csv", "format": "csv"}, None)):
            self.write("base.yaml", machine(mesh(2), {"trace": trace}, clock_ns="synth",
                                            fabric={"flit_bits": 16}))
            goals = {"min": ["time_ns"] + ["ranks_end_ns"] * (end_ns is not None)}
            self.study(vary={"fabric.buffer_depth": [1]}, search=EVERYTHING, objectives=goals)
            design, = self.explore("study.yaml")["front"]
            run = self.report("run", "base.yaml", "--set", "fabric.buffer_depth=1")
            self.assertAlmostEqual(design["objectives"]["time_ns"], run["time_us"] * 1000)
            self.assertLess(design["objectives"]["time_ns"], 400)
            if end_ns:
                self.assertAlmostEqual(design["objectives"]["ranks_end_ns"], run["trace"]["end_ns"])
                self.assertLess(design["objectives"]["ranks_end_ns"], end_ns)


if __name__ == "__main__":
    main()
