#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The netlist that synthesis makes of a router does what the RTL does, on random traffic.

usage: gates_test.py FLITSCOPE RTL_VECTORS
"""
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
CELLS = "/usr/share/qflow/tech/osu018/osu018_stdcells.v"
CYCLES = 1500


def run(*command, **options):
    return subprocess.run([str(c) for c in command], check=True, text=True,
                          stdout=subprocess.PIPE, **options).stdout


class Gates:
    """Of one router; the classes at the end say which."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.folder.name)
        (folder / "config.yaml").write_text(cls.CONFIG)
        environment = {**os.environ, "FLITSCOPE_CACHE": str(folder / "cache")}
        report = json.loads(run(FLITSCOPE, "synth", folder / "config.yaml", "--json", "--full-routers",
                                env=environment, stderr=subprocess.DEVNULL))["results"][0]
        assert report["variant"] == cls.VARIANT, report["variant"]
        cls.netlist = pathlib.Path(report["netlist"]).read_text()
        cls.cells = report["cells"]
        table, *vectors = run(RTL_VECTORS, cls.VARIANT, CYCLES, 1).splitlines()
        (folder / "table.hex").write_text(table + "\n")
        (folder / "vectors.hex").write_text("\n".join(vectors) + "\n")
        cls.path = folder

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def simulate(self, netlist):
        """Cycles, flits and mismatches of a netlist."""
        (self.path / "netlist.v").write_text(netlist)
        defines = {"NETLIST": self.VARIANT, "PORTS": self.PORTS, "VCS": self.VCS,
                   "VC_BITS": (self.VCS - 1).bit_length(), "FLIT_BITS": 64,
                   "PORT_BITS": (self.PORTS - 1).bit_length(), "ENTRIES": self.ENTRIES,
                   "CYCLES": CYCLES, "VECTORS": f'"{self.path}/vectors.hex"',
                   "TABLE": f'"{self.path}/table.hex"'}
        run("iverilog", "-g2005", "-gno-specify", "-o", self.path / "bench",
            *[f"-D{name}={value}" for name, value in defines.items()],
            HERE / "netlist_bench.v", self.path / "netlist.v", CELLS)
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
        gates = list(re.finditer(r"\bNAND2X1\b", self.netlist))
        self.assertGreater(len(gates), 10)
        gate = gates[len(gates) // 2]
        broken = self.netlist[:gate.start()] + "NOR2X1" + self.netlist[gate.end():]
        self.assertGreater(self.simulate(broken)[2], 0)


@suite.needs_synthesis
class SequentialGates(Gates, unittest.TestCase):
    VARIANT = "router_p3_v2_d3_w64_r2_table8"
    PORTS, VCS, ENTRIES = 3, 2, 8
    CONFIG = """
fabric:
  topology: {kind: mesh, dims: [7]}
  virtual_channels: 2
  buffer_depth: 3
  router_delay: 2
traffic: {pattern: uniform}
"""


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
