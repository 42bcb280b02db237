# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope synth: figures, sweeps, the cache, and what topology makes of them."""
import contextlib
import gzip
import json
import math
import os
import pathlib
import pty
import re
import shutil

from flitscope_cli import CliTest, EXIT_OK, TIMEOUT_S, machine, main, mesh, suite

TIED = pathlib.Path(__file__).resolve().parents[1] / "gates/tied_cells.lib"
SMALL = ("--set", "fabric.flit_bits=16", "--set", "fabric.buffer_depth=2")


@suite.needs_synthesis
class Synth(CliTest):
    def setUp(self):
        super().setUp()
        os.environ["FLITSCOPE_CACHE"] = self.path("cache")
        self.write("config.yaml", machine(mesh(8), {"pattern": "uniform"}))

    def test_figures_are_found_kept_and_stated_by_topology(self):
        before = self.report("topology", "config.yaml", *SMALL)["router"]
        self.assertEqual(before, {"variant": "router_p3_v1_d2_w16_r1_mesh"})
        registers = self.report("topology", "config.yaml", *SMALL)["link_registers"]
        self.assertEqual(registers, {"flip_flops": 14 * 20})
        report = self.report("synth", "config.yaml", *SMALL)
        # In a row of 8 six routers have two neighbours, and two have one.
        first, second = report["results"]
        self.assertEqual([(first["ports"], first["turns"]), (second["ports"], second["turns"])],
                         [(3, 6), (2, 2)])
        self.assertRegex(first["variant"], "^router_p3_v1_d2_w16_r1_mesh_t[0-9a-f]+$")
        fabric, = report["fabrics"]
        self.assertEqual(fabric["routers"], [{"variant": first["variant"], "count": 6},
                                             {"variant": second["variant"], "count": 2}])
        total = 6 * first["area_um2"] + 2 * second["area_um2"]
        self.assertAlmostEqual(fabric["area_um2"], total)
        self.assertEqual(fabric["min_period_ns"],
                         max(first["min_period_ns"], second["min_period_ns"]))
        link, = report["links"]
        self.assertEqual((link["variant"], link["flip_flops"]), ("link_v1_w16_d1", 20))
        self.assertGreater(link["area_um2"], 20 * 96)  # area of only a flip-flop
        self.assertFalse(first["from_cache"])
        for key in ("cells", "flip_flops", "area_um2", "min_period_ns", "power_mw"):
            self.assertGreater(first[key], 0, key)
        self.assertLess(first["flip_flops"], first["cells"])
        self.assertIn("1.8 V", first["conditions"])
        self.assertTrue(os.path.isfile(first["netlist"]))
        again, _ = self.report("synth", "config.yaml", *SMALL)["results"]
        self.assertTrue(again.pop("from_cache"))
        first.pop("from_cache")
        self.assertEqual(again, first)
        router = self.report("topology", "config.yaml", *SMALL)["router"]
        self.assertEqual(router["area_um2"], first["area_um2"])
        self.assertAlmostEqual(router["total_area_um2"], total)
        self.assertEqual([kind["count"] for kind in router["kinds"]], [6, 2])
        self.assertEqual(router["library"], "osu018")
        network = self.report("topology", "config.yaml", *SMALL)
        self.assertAlmostEqual(network["link_registers"]["area_um2"], 14 * link["area_um2"])
        self.assertAlmostEqual(network["fabric_area_um2"],
                               total + 14 * link["area_um2"])
        self.assertRegex(self.ok("topology", "config.yaml", *SMALL),
                         r"as built +6 x 0\.\d+ mm2 with 3 ports, 2 x 0\.\d+ with 2\n")
        full, = self.report("synth", "config.yaml", *SMALL, "--full-routers")["results"]
        self.assertEqual((full["variant"], full["turns"]), ("router_p3_v1_d2_w16_r1_mesh", 9))
        self.assertGreater(full["area_um2"], first["area_um2"])
        self.assertGreater(first["area_um2"], 1.2 * second["area_um2"])

    def test_wires_follow_from_the_router_and_links_from_the_wires(self):
        wires = ("--set", "fabric.link_delay={model: physical, pitch_mm: area, node_mm2: 4, "
                 "ns_per_mm: 3}", "--set", "fabric.topology.dims=[5]")
        self.refused("topology", "config.yaml", *SMALL, *wires,
                     says=["has not been synthesized, so it has no area", "flitscope synth"])
        report = self.report("synth", "config.yaml", *SMALL, *wires, "--set", "clock_ns=synth")
        largest = max(router["area_um2"] for router in report["results"])
        slowest = max(router["min_period_ns"] for router in report["results"])
        pitch = (largest / 1e6 + 4) ** 0.5
        cycles = math.ceil(pitch * 3 / (math.ceil(slowest * 1000) / 1000))
        self.assertGreater(cycles, 1)
        self.assertEqual([link["delay"] for link in report["links"]], [cycles])
        network = self.report("topology", "config.yaml", *SMALL, *wires, "--set", "clock_ns=synth")
        self.assertAlmostEqual(network["wires"]["pitch_mm"], pitch)
        self.assertAlmostEqual(network["wires"]["total_mm"], 4 * pitch)
        self.assertAlmostEqual(network["wires"]["delay_ns"]["max"], pitch * 3)
        self.assertEqual(network["wires"]["delay_cycles"],
                         {"min": cycles, "mean": cycles, "max": cycles})
        self.assertEqual(network["link_registers"],
                         {"flip_flops": 8 * report["links"][0]["flip_flops"],
                          "area_um2": 8 * report["links"][0]["area_um2"]})
        # The run that is written out is the same one, and needs no synthesis.
        traffic = ("--set", "traffic={schedule: gen, message_bytes: 8}")
        self.ok("run", "config.yaml", *SMALL, *wires, "--set", "clock_ns=synth", *traffic,
                "--out", "out")
        os.environ["FLITSCOPE_CACHE"] = self.path("empty")
        kept = json.loads((pathlib.Path(self.folder) / "out/summary.json").read_text())
        again = self.report("run", "out/config.yaml")
        self.assertEqual((again["cycles"], again["time_us"]), (kept["cycles"], kept["time_us"]))

    def test_a_terminal_shows_one_line_which_is_removed(self):
        ours, terminal = pty.openpty()
        self.addCleanup(os.close, ours)
        process = self.start("synth", "config.yaml", *SMALL, "--full-routers", stderr=terminal)
        os.close(terminal)
        parts = []
        with contextlib.suppress(OSError):  # at the end: no process has the other side open
            while part := os.read(ours, 1 << 12):
                parts.append(part)
        self.assertEqual(process.wait(timeout=TIMEOUT_S), EXIT_OK)
        shown = b"".join(parts).decode()
        lines = shown.split("\r\033[K")
        self.assertIn("router_p3_v1_d2_w16_r1_mesh: timing, ", shown)
        self.assertEqual((lines[0], lines[-1]), ("", ""))
        self.assertNotIn("\r", "".join(lines))
        self.assertNotIn("\n", shown)

    def test_any_library_will_do_that_has_what_is_needed(self):
        def synthesized(*arguments):
            return self.report("synth", "config.yaml", *SMALL, "--full-routers",
                               *arguments)["results"][0]

        ours = synthesized()
        larger = synthesized("--liberty", "osu035")
        self.assertFalse(larger["from_cache"])
        self.assertIn("osu035 (0.35 um, typical corner, 3.3 V, 25 C)", larger["conditions"])
        self.assertGreater(larger["area_um2"], 3 * ours["area_um2"])
        self.assertGreater(larger["min_period_ns"], 1.2 * ours["min_period_ns"])
        # The same cells in a file of the user's: another library, with the same figures.
        with open("/usr/share/qflow/tech/osu018/osu018_stdcells.lib", encoding="utf-8") as file:
            self.write("own.lib", re.sub(r"\blibrary *\([^)]*\)", 'library ("acme 18 lv")', file.read(),
                                         count=1))
        own = synthesized("--liberty", "own.lib", "--corner", "typical")
        self.assertFalse(own["from_cache"])
        self.assertEqual(own["library"], "acme 18 lv")
        for key in ("cells", "area_um2", "min_period_ns", "power_mw"):
            self.assertEqual(own[key], ours[key], key)
        self.assertTrue(synthesized()["from_cache"])
        # Compressed it is the same text.
        text = (pathlib.Path(self.folder) / "own.lib").read_bytes()
        (pathlib.Path(self.folder) / "own.lib.gz").write_bytes(gzip.compress(text))
        again = synthesized("--liberty", "own.lib.gz")
        self.assertEqual((again["from_cache"], again["netlist"]), (True, own["netlist"]))
        (pathlib.Path(self.folder) / "own.lib.gz").write_bytes(gzip.compress(text)[:1000])
        self.refused("synth", "config.yaml", "--liberty", "own.lib.gz", says=["own.lib.gz"])

    def test_flip_flops_with_more_pins_are_tied_and_said(self):
        text = self.ok("synth", "config.yaml", *SMALL, "--liberty", str(TIED))
        self.assertIn("tied_cells (typical corner, 1.2 V, 25 C); yosys, abc and OpenSTA; flip-flops: "
                      "FLOP (tied: EN 1, RN 1, SN 1, SI 0, SE 0); ", text)
        report = self.report("synth", "config.yaml", *SMALL, "--liberty", str(TIED), "--energy")
        clocks = set()  # per flip-flop: nothing else takes energy when nothing moves
        for router in report["results"]:
            self.assertEqual(router["tied"], "FLOP (tied: EN 1, RN 1, SN 1, SI 0, SE 0)")
            clocks.add(round(router["energy"]["idle_pj_per_cycle"] / router["flip_flops"], 6))
            self.assertGreater(router["energy"]["write_pj"], 0)
        # 0.02 pJ for each edge of a clock pin, which OpenSTA counts twice (hw/rtl/ENERGY.md).
        self.assertEqual(clocks, {2 * 2 * 0.02})

    def test_every_command_that_prices_does_so_in_the_technology_asked_for(self):
        tied = ("--liberty", str(TIED))
        small = (*SMALL, "--set", "fabric.topology.dims=[3]")
        report = self.report("synth", "config.yaml", *small, *tied, "--energy")
        self.assertEqual(report["results"][0]["library"], "tied_cells")
        self.assertGreater(report["links"][0]["area_um2"], 20 * 20)  # of flip-flops alone
        total = report["fabrics"][0]["area_um2"]
        priced = self.report("topology", "config.yaml", *small, *tied)
        self.assertAlmostEqual(priced["router"]["total_area_um2"], total)
        self.assertEqual(priced["router"]["library"], "tied_cells")
        self.assertAlmostEqual(priced["link_registers"]["area_um2"],
                               4 * report["links"][0]["area_um2"])
        self.assertNotIn("total_area_um2", self.report("topology", "config.yaml", *small)["router"])
        # Energies.
        run = ("run", "config.yaml", *small, "--energy")
        of_tied = self.report(*run, *tied)["energy"]
        self.refused(*run, says=["the energies of router_p3", "are not known (flitscope synth"])
        self.refused(*run, *tied, "--wires", "fanout",
                     says=["are not known in", "tied_cells.lib, wires fanout"])
        self.ok("synth", "config.yaml", *small, "--energy")
        self.assertNotEqual(self.report(*run)["energy"], of_tied)
        self.assertEqual(self.report(*run, *tied)["energy"], of_tied)
        # The clock; the key is as good as the option, and a file beside the configuration.
        shutil.copy(TIED, self.path("cells.lib"))
        self.write("clocked.yaml", machine(mesh(3), {"schedule": "gen", "message_bytes": 8},
                                           clock_ns="synth", technology={"library": "cells.lib"},
                                           fabric={"flit_bits": 16, "buffer_depth": 2}))
        slowest = max(one["min_period_ns"] for one in report["results"])
        done = self.report("run", "clocked.yaml")
        self.assertAlmostEqual(done["time_us"], done["cycles"] * math.ceil(slowest * 1000) / 1e6)
        self.refused("compare", "clocked.yaml", "config.yaml", *small,
                     says=["different technologies: cells.lib, and osu018"])
        both = self.report("compare", "clocked.yaml", "config.yaml", *small, "--liberty",
                           self.path("cells.lib"))
        self.assertEqual(len(both["networks"]), 2)
        self.refused("run", "clocked.yaml", "--liberty", "osu050",
                     says=["has not been synthesized in osu050, so it has no period"])
        for command in ("run", "topology", "compare"):
            self.refused(command, "clocked.yaml", "--liberty", "osu19",
                         says=["technology.library=osu19", "'osu19': there is no such cell library",
                               "osu018, osu035"])

    def test_wires_are_said_and_make_routers_slower(self):
        small = (*SMALL, "--set", "fabric.topology.dims=[3]", "--liberty")
        text = TIED.read_text(encoding="utf-8")
        model = """
  wire_load (long) { capacitance : 0.001; resistance : 0; slope : 10; fanout_length (1, 10); }
  default_wire_load : long;
"""
        self.write("wired.lib", text.replace("  cell (INV)", model + "  cell (INV)", 1))

        def of(library, *wires):
            return self.report("synth", "config.yaml", *small, library, *wires)["results"][0]

        none, fanout = of(str(TIED)), of(str(TIED), "--wires", "fanout")
        self.assertIn("no wire load, ", none["conditions"])
        self.assertIn("Optimistic", none["conditions"])
        self.assertIn("wires by fan-out (0.2 fF/um", fanout["conditions"])
        self.assertNotIn("Optimistic", fanout["conditions"])
        self.assertEqual((none["wires"], fanout["wires"]), ("none", "fanout"))
        self.assertEqual((none["cells"], none["area_um2"]), (fanout["cells"], fanout["area_um2"]))
        # A wire of L um per sink, 0.2 fF each, and 3 ns per pF: 10 to 30 gates with several sinks.
        self.assertGreater(fanout["min_period_ns"], none["min_period_ns"] + 0.01)
        self.assertLess(fanout["min_period_ns"], 2 * none["min_period_ns"])
        # OpenSTA takes the model of a library by itself: not if there are to be no wires.
        bare, loaded = of("wired.lib"), of("wired.lib", "--wires", "library")
        self.assertEqual(bare["cells"], loaded["cells"])
        self.assertGreater(loaded["min_period_ns"], bare["min_period_ns"] + 0.1)
        self.refused("synth", "config.yaml", *small, str(TIED), "--wires", "library",
                     says=["no default_wire_load", "--wires fanout"])

    def test_clock_gates_take_what_the_clock_of_idle_registers_took(self):
        small = (*SMALL, "--set", "fabric.topology.dims=[3]", "--liberty", str(TIED), "--energy")

        def of(*options):
            report = self.report("synth", "config.yaml", *small, *options)
            return report, report["results"][0]

        def idle_pj(result, gates, gated):
            # Edges of clock pins: 0.02 pJ for a flip-flop, 0.03 for a gate, which OpenSTA counts twice.
            return 4 * (0.02 * (result["flip_flops"] - gated) + 0.03 * gates)

        (plain_report, plain), (gated_report, gated) = of(), of("--clock-gates")
        self.assertEqual((plain["clock_gates"], gated["clock_gates"]), (False, True))
        self.assertIn("; clock gates, which this power takes as open; ", gated["conditions"])
        self.assertNotIn("clock gates", plain["conditions"])
        self.assertEqual(gated["flip_flops"], plain["flip_flops"])
        self.assertLess(gated["area_um2"], plain["area_um2"])
        netlist = pathlib.Path(gated["netlist"]).read_text(encoding="utf-8")
        clocks = re.findall(r"\bGATE \w+ \([^;]*\.GCK\((\w+)\)", netlist)
        behind = [clock for clock in re.findall(r"\bFLOP \w+ \(\s*\.CK\((\w+)\)", netlist)
                  if clock in set(clocks)]
        # Three inputs, each with two slots of a flit and its marks.
        self.assertGreaterEqual(len(behind), 3 * 2 * 18)
        self.assertAlmostEqual(gated["energy"]["idle_pj_per_cycle"],
                               idle_pj(gated, len(clocks), len(behind)), places=4)
        self.assertAlmostEqual(plain["energy"]["idle_pj_per_cycle"], idle_pj(plain, 0, 0), places=4)
        # A flit is written by one edge of the clock of its slot, which costs what it costs elsewhere.
        clock_of_a_slot = 4 * 0.02 * (16 + 2 + 2)
        self.assertAlmostEqual(gated["energy"]["write_pj"] - plain["energy"]["write_pj"],
                               clock_of_a_slot, delta=0.5 * clock_of_a_slot)
        # The registers of a link: all of a flit behind one gate, its valid bit not.
        self.assertAlmostEqual(plain["energy"]["link"]["idle_pj_per_cycle"], 4 * 0.02 * 20, places=4)
        self.assertAlmostEqual(gated["energy"]["link"]["idle_pj_per_cycle"], 4 * (0.02 + 0.03), places=4)
        self.assertLess(gated_report["links"][0]["area_um2"], plain_report["links"][0]["area_um2"])
        # The key is as good, the option overrides it, and figures of one are not those of the other.
        _, keyed = of("--set", "technology.clock_gates=true")
        self.assertTrue(keyed["from_cache"])
        self.assertEqual(keyed["area_um2"], gated["area_um2"])
        _, off = of("--set", "technology.clock_gates=true", "--clock-gates=false")
        self.assertEqual(off["area_um2"], plain["area_um2"])
        run = ("run", "config.yaml", *small)
        self.assertLess(self.report(*run, "--clock-gates")["energy"]["total_j"],
                        self.report(*run)["energy"]["total_j"])
        self.refused("run", "config.yaml", "--clock-gates",
                     says=["this library has no clock gate", "ihp-sg13g2 or sky130hd"])

    def test_a_table_is_in_one_technology(self):
        self.refused("synth", "config.yaml", *SMALL, "--sweep", "technology.library=osu018,osu035",
                     says=["--sweep technology.library=osu035",
                           "two technologies in one table: osu018, and osu035"])

    def test_libraries_that_will_not_do_are_refused(self):
        self.write("empty.lib", "library (empty) { time_unit : \"1ns\"; }\n")
        self.refused("synth", "config.yaml", "--liberty", "empty.lib",
                     says=["empty.lib", "lacks", "capacitive_load_unit", "flip-flop", "inverter"])
        self.refused("synth", "config.yaml", "--liberty", "config.yaml",
                     says=["config.yaml:1: error: here should be a name"])
        self.refused("synth", "config.yaml", "--liberty", "none.lib",
                     says=["none.lib", "no such cell library", "osu018, osu035, osu050"])
        self.refused("synth", "config.yaml", "--corner", "hot", says=["'hot'", "typical"])

    def test_a_sweep_takes_every_combination_once(self):
        """Values may hold commas."""
        cubes = ",".join(f"{{kind: hypercube, dimensions: {number}}}" for number in (1, 2))
        table = self.ok("synth", "config.yaml", *SMALL, "--sweep", f"fabric.topology={cubes}",
                        "--sweep", "fabric.flit_bits=16,24,16", "--markdown", "--full-routers")
        rows = [line for line in table.splitlines() if line.startswith("|")]
        self.assertEqual([row.split()[1] for row in rows[2:]], ["2", "2", "3", "3"], table)  # ports

    def test_what_is_wrong_with_a_swept_value_is_said_of_the_sweep(self):
        for sweep, said in (
                ("fabric.bufer_depth=2,4",
                 "--sweep fabric.bufer_depth=2: error: unknown key 'fabric.bufer_depth'"),
                ("fabric.topology.dims=[4],[2,0]", "--sweep fabric.topology.dims=[2,0]: error:"),
                ("fabric.topology.dims=[2,2", "--sweep fabric.topology.dims=[2,2: error:"),
                ("fabric.topology={kind: mesh, dims: [4]},3", "--sweep fabric.topology=3: error:")):
            error = self.refused("synth", "config.yaml", *SMALL, "--sweep", sweep, says=[said])
            self.assertNotIn("--set", error)

    def test_what_cannot_be_is_refused_before_anything_runs(self):
        for arguments, words in (
                (["--sweep", "fabric.buffer_depth"], ["KEY=VALUE,VALUE"]),
                (["--sweep", "fabric.buffer_depth=2,none"], ["fabric.buffer_depth=none"]),
                (["--set", "fabric.router={top: theirs}"], ["theirs", "only 'router'"])):
            self.refused("synth", "config.yaml", *arguments, says=words)

    def test_what_run_refuses_is_refused(self):
        for changes, words in (
                (["fabric.topology.kind=torus"], ["can deadlock", "datelines"]),
                (["node.port_model=independent", "traffic={schedule: naive}"], ["port_model"]),
                (["fabric.switching=store_and_forward", "fabric.buffer_depth=64"],
                 ["only wormhole switching"]),
                (["fabric.routing=valiant", "fabric.virtual_channels=2"], ["fabric.routing"])):
            sets = [word for change in ["fabric.router=rtl", *changes] for word in ("--set", change)]
            with self.subTest(changes=changes):
                for command in ("synth", "run"):
                    self.refused(command, "config.yaml", *SMALL[2:], *sets, says=words)
        self.refused("synth", "config.yaml", *SMALL, "--sweep", "fabric.topology.kind=mesh,torus",
                     says=["can deadlock"])

    def test_missing_tools_are_named_with_their_packages(self):
        path, os.environ["PATH"] = os.environ["PATH"], "/nowhere"
        try:
            self.refused("synth", "config.yaml", *SMALL, says=["yosys", "./dev setup"])
        finally:
            os.environ["PATH"] = path


if __name__ == "__main__":
    main()
