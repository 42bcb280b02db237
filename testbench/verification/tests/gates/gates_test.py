#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The netlist that synthesis makes of a router does what the RTL does, on random traffic.

usage: gates_test.py FLITSCOPE RTL_VECTORS
"""
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import suite  # noqa: E402

RTL_VECTORS = sys.argv.pop(2)
FLITSCOPE = sys.argv.pop(1)
HERE = pathlib.Path(__file__).resolve().parent
OSU018 = "/usr/share/qflow/tech/osu018/osu018_stdcells.v"
# Read-only data beside the project, which is not part of it.
SG13G2 = HERE.parents[4] / "shared/data/liberty/sg13g2_typ_1p20V_25C.lib.gz"
CYCLES = 1500 if suite.TAKES_ALL else 500


def run(*command, **options):
    return subprocess.run([str(c) for c in command], check=True, text=True,
                          stdout=subprocess.PIPE, **options).stdout


def cells_of(liberty, path):
    """What yosys makes of the functions in a library: modules of Verilog."""
    plain = path / "cells.lib"
    text = pathlib.Path(liberty).read_bytes()
    plain.write_bytes(gzip.decompress(text) if text.startswith(b"\x1f\x8b") else text)
    run("yosys", "-q", "-p", f"read_liberty -ignore_miss_func {plain}; write_verilog {path}/cells.v")
    return path / "cells.v"


class Gates:
    """Of one router; the classes at the end say which."""
    LIBERTY = ""  # osu018
    OPTIONS = ()
    CLOCK_GATE = None  # the module of Verilog that it is, which no function says
    TIED = ""
    GATE, OTHER = "NAND2X1", "NOR2X1"  # two gates with the same pins

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.folder.name)
        (folder / "config.yaml").write_text(cls.CONFIG)
        environment = {**os.environ, "FLITSCOPE_CACHE": str(folder / "cache")}
        liberty = ["--liberty", cls.LIBERTY] if cls.LIBERTY else []
        report = json.loads(run(FLITSCOPE, "synth", folder / "config.yaml", "--json", "--full-routers",
                                *liberty, *cls.OPTIONS, env=environment, stderr=subprocess.DEVNULL))["results"][0]
        assert report["variant"] == cls.VARIANT, report["variant"]
        assert report["tied"] == cls.TIED, report["tied"]
        cls.models = cells_of(cls.LIBERTY, folder) if cls.LIBERTY else OSU018
        assert report["clock_gates"] == bool(cls.CLOCK_GATE)
        cls.netlist = pathlib.Path(report["netlist"]).read_text()
        cls.cells = report["cells"]
        table, *vectors = run(RTL_VECTORS, cls.SIMULATED, CYCLES, 1).splitlines()
        (folder / "table.hex").write_text(table + "\n")
        (folder / "vectors.hex").write_text("\n".join(vectors) + "\n")
        cls.path = folder

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def simulate(self, netlist, clock_gate=None):
        """Cycles, flits and mismatches of a netlist."""
        (self.path / "netlist.v").write_text(netlist)
        clock_gates = []
        if self.CLOCK_GATE:
            clock_gates = [self.path / "clock_gate.v"]
            clock_gates[0].write_text(clock_gate or self.CLOCK_GATE)
        defines = {"NETLIST": self.VARIANT, "PORTS": self.PORTS, "VCS": self.VCS,
                   "VC_BITS": (self.VCS - 1).bit_length(), "FLIT_BITS": 64,
                   "PORT_BITS": (self.PORTS - 1).bit_length(), "ENTRIES": self.ENTRIES,
                   "CYCLES": CYCLES, "VECTORS": f'"{self.path}/vectors.hex"',
                   "TABLE": f'"{self.path}/table.hex"'}
        run("iverilog", "-g2005", "-gno-specify", "-o", self.path / "bench",
            *[f"-D{name}={value}" for name, value in defines.items()],
            HERE / "netlist_bench.v", self.path / "netlist.v", *clock_gates, self.models)
        said = run("vvp", "-n", self.path / "bench")
        found = re.search(r"cycles (\d+) flits (\d+) mismatches (\d+)", said)
        self.assertTrue(found, said)
        return [int(number) for number in found.groups()]

    def test_gates_do_what_the_rtl_does(self):
        cycles, flits, mismatches = self.simulate(self.netlist)
        print(f"{self.cells} cells, {cycles} cycles, {flits} flits, {mismatches} mismatches")
        self.assertEqual(cycles, CYCLES)
        self.assertGreater(flits, CYCLES // 2)
        self.assertEqual(mismatches, 0)

    def test_a_wrong_gate_is_noticed(self):
        gates = list(re.finditer(rf"\b{self.GATE}\b", self.netlist))
        self.assertGreater(len(gates), 10)
        gate = gates[len(gates) // 2]
        broken = self.netlist[:gate.start()] + self.OTHER + self.netlist[gate.end():]
        self.assertGreater(self.simulate(broken)[2], 0)


@suite.needs_synthesis
class SequentialGates(Gates, unittest.TestCase):
    VARIANT = "router_p3_v2_d3_w64_r2_pins"
    SIMULATED = "router_p3_v2_d3_w64_r2_table8"  # the same router with its routes inside
    PORTS, VCS, ENTRIES = 3, 2, 8
    CONFIG = """
fabric:
  topology: {kind: mesh, dims: [7]}
  virtual_channels: 2
  buffer_depth: 3
  router_delay: 2
traffic: {pattern: uniform}
"""


@suite.needs_synthesis
class TiedGates(SequentialGates):
    """Registers are flip-flops with more pins, which are tied."""
    LIBERTY = HERE / "tied_cells.lib"
    TIED = "FLOP (tied: EN 1, RN 1, SN 1, SI 0, SE 0)"
    GATE, OTHER = "NAND2", "NOR2"

    def test_an_untied_pin_is_noticed(self):
        for pin, broken in suite.sample_of((("SE", "1"), ("EN", "0"), ("RN", "0"), ("SN", "0")), 2):
            tied = f".{pin}(1'b{'01'[broken == '0']})"
            self.assertIn(tied, self.netlist)
            netlist = self.netlist.replace(tied, f".{pin}(1'b{broken})")
            self.assertGreater(self.simulate(netlist)[2], 0, pin)


@suite.needs_synthesis
@unittest.skipUnless(SG13G2.is_file(), f"{SG13G2} is not there")
class ResetGates(SequentialGates):
    LIBERTY = SG13G2
    TIED = "sg13g2_dfrbp_1 (tied: RESET_B 1)"
    GATE, OTHER = "sg13g2_nand2_1", "sg13g2_nor2_1"


class ClockGates:
    """Wide registers with an enable are behind clock gates."""
    OPTIONS = ("--clock-gates",)
    SLOTS = 3 * 2 * 3  # inputs, virtual channels, places in a FIFO
    STAGES = 3         # of router_delay, one per input

    def test_every_slot_of_a_fifo_has_its_gate(self):
        gates = re.findall(rf"\b{self.CELL} \w+ \(\s*([^;]*)\);", self.netlist)
        self.assertGreaterEqual(len(gates), self.SLOTS)
        clocks = {re.search(rf"\.{self.OUTPUT}\((\w+)\)", pins).group(1) for pins in gates}
        self.assertEqual(len(clocks), len(gates))
        flip_flops = re.findall(r"\.CL?K\((\w+)\)", self.netlist)
        behind = [sum(clock == one for one in flip_flops) for clock in clocks]
        self.assertEqual(sum(bits >= 64 for bits in behind), self.SLOTS + self.STAGES)
        self.assertGreaterEqual(min(behind), 4)
        enables = [re.search(rf"\.{self.ENABLE}\(([^)]+)\)", pins).group(1) for pins in gates]
        self.assertEqual(len(set(enables)), len(enables), "gates with the same enable")
        for pins in gates:
            for pin in self.TEST_PINS:
                self.assertIn(f".{pin}(1'b0)", pins)

    def test_a_gate_that_opens_otherwise_is_noticed(self):
        for opens in ("1'b0", "1'b1", "late"):  # never, always, a cycle after it should
            broken = self.CLOCK_GATE.replace("clk & open", f"clk & {opens}")
            self.assertNotEqual(broken, self.CLOCK_GATE)
            self.assertGreater(self.simulate(self.netlist, broken)[2], 0, opens)


def clock_gate(cell, clock, enable, output, test=""):
    """A latch that is transparent while the clock is low, and an and; `late` is for the broken ones."""
    pins = f"input {clock}, input {enable}, output {output}" + (f", input {test}" if test else "")
    return f"""module {cell} ({pins});
  wire clk = {clock};
  reg open, late = 0;
  always @* if (!clk) open = {enable}{f' | {test}' if test else ''};
  always @(negedge clk) late <= open;
  assign {output} = clk & open;
endmodule
"""


@suite.needs_synthesis
class TiedClockGates(ClockGates, TiedGates):
    CELL, ENABLE, OUTPUT, TEST_PINS = "GATE", "EN", "GCK", ("TE",)
    CLOCK_GATE = clock_gate("GATE", "CK", "EN", "GCK", "TE")


@suite.needs_synthesis
@unittest.skipUnless(SG13G2.is_file(), f"{SG13G2} is not there")
class ResetClockGates(ClockGates, ResetGates):
    CELL, ENABLE, OUTPUT, TEST_PINS = "sg13g2_lgcp_1", "GATE", "GCLK", ()
    CLOCK_GATE = clock_gate("sg13g2_lgcp_1", "CLK", "GATE", "GCLK")


@suite.campaign
@suite.needs_synthesis
class CombinedGates(Gates, unittest.TestCase):
    VARIANT = "router_p5_v2_d5_w64_r1_table8_hold_combined"
    PORTS, VCS, ENTRIES = 5, 2, 8
    CONFIG = """
fabric:
  topology: {kind: torus, dims: [2, 4]}
  virtual_channels: 2
  buffer_depth: 5
  switch_arbitration: per_packet
  allocation: combined
traffic: {pattern: uniform}
"""


if __name__ == "__main__":
    suite.main()
