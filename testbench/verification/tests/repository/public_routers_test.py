#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The script that puts public routers beside ours, as far as that needs no sources of theirs.

usage: public_routers_test.py ROOT FLITSCOPE
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import suite  # noqa: E402

FLITSCOPE = pathlib.Path(sys.argv.pop(2)).resolve()
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
SCRIPT = ROOT / "testbench/tools/make_public_routers.py"
sys.path.insert(0, str(SCRIPT.parent))
import make_public_routers as tool  # noqa: E402

LIBERTY = """
library (small) {
    /* cell (GONE) { ff ("x") } */
    cell (DFF) { ff (q, qn) { } pin (D) { direction : input; } pin (CLK) { direction : input; }
        pin (Q) { direction : output; } }
    cell ("BUF") { pin (A) { direction : input; } pin ("Y") { direction : "output"; } }
    cell (AND) { pin (A) { direction : input; } pin (B) { direction : input; }
        pin (Y) { direction : output; } }
}
"""


class Script(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def refused(self, *arguments, says, path=None):
        done = subprocess.run(
            [sys.executable, "-B", str(SCRIPT), str(FLITSCOPE), "--print", *map(str, arguments)], cwd=ROOT,
            capture_output=True, text=True, timeout=60, env={"PATH": path or "/usr/bin:/bin"})
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        for words in says:
            self.assertIn(words, done.stderr)

    def clone_of_pronoc(self):
        sources = self.folder / "mpsoc/src_noc"
        sources.mkdir(parents=True)
        (sources / "router.v").write_text("module router; endmodule\n")
        return self.folder

    def test_clones_have_to_be_named_and_there(self):
        self.refused(says=["no clone is named", "--stanford DIR"])
        self.refused("--stanford", self.folder / "gone", says=[f"{self.folder}/gone is no folder", "--help"])
        self.refused("--pronoc", self.folder, says=[f"{self.folder} has no mpsoc/src_noc", "--help"])
        self.refused("--stanford", self.folder, says=["has no src/clib/"])

    def test_a_missing_tool_is_named(self):
        (self.folder / "bin").mkdir()
        self.refused("--pronoc", self.clone_of_pronoc(), path=str(self.folder / "bin"),
                     says=["yosys is missing: ./dev setup"])

    @suite.needs_synthesis
    def test_a_router_that_yosys_cannot_read_is_named_with_what_yosys_says(self):
        clone = self.clone_of_pronoc()
        (clone / "mpsoc/src_noc/router.v").write_text("module router(input type_t flit);\n")
        model = self.folder / "model"
        model.mkdir()
        for name in ("cells.lib", "abc", "abc.constr", "timing.tcl"):
            (model / name).write_text("")
        (model / "synthesis.ys").write_text("read_verilog a.sv\nhierarchy -top a\nrename -top b\n")
        router = tool.pronoc(clone, 2, "somebody's", "COMB_NONSPEC")
        with self.assertRaises(SystemExit) as refusal, tempfile.TemporaryFile("w+") as said:
            stderr, sys.stderr = sys.stderr, said
            try:
                tool.synthesize(router, model)
            finally:
                sys.stderr = stderr
                said.seek(0)
                text = said.read()
        self.assertEqual(refusal.exception.code, 2)
        for words in ("somebody's, 2 virtual channels", "yosys failed", "ERROR"):
            self.assertIn(words, text)

    @suite.needs_synthesis
    def test_wrappers_are_verilog(self):
        for number, router in enumerate(
                [tool.stanford(self.folder, "vcr_top", vcs, "s") for vcs in tool.CHANNELS] +
                [tool.pronoc(self.folder, vcs, "p", "COMB_SPEC1") for vcs in tool.CHANNELS]):
            path = self.folder / f"{number}.v"
            path.write_text(router.wrapper)
            done = subprocess.run(["yosys", "-q", "-p", f"read_verilog -sv {path}"],
                                  capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def netlist(self, of_bit):
        """A netlist in which every bit of the payload takes this way from pin to pin."""
        text = "module a(flit_data_i, flit_data_o);\n"
        for bit in range(tool.PORTS * tool.BITS):
            for number, (cell, pins) in enumerate(of_bit):
                connected = ",\n".join(f"    .{pin}({net.replace('*', str(bit))})" for pin, net in pins.items())
                text += f"  {cell} c{bit}_{number} (\n{connected}\n  );\n"
        path = self.folder / "netlist.v"
        path.write_text(text + "endmodule\n")
        (self.folder / "cells.lib").write_text(LIBERTY)
        return tool.Netlist(path, tool.Cells(self.folder / "cells.lib"))

    def test_a_hop_is_counted_in_the_registers_of_the_netlist(self):
        write = ("DFF", {"D": "flit_data_i[*]", "CLK": "clk_i", "Q": "\\fifo[*] "})
        read = ("AND", {"A": "\\fifo[*] ", "B": "grant", "Y": "_read_*"})
        # The register is in the link, not at the output.
        self.netlist([write, read, ("BUF", {"A": "_read_*", "Y": "flit_data_o[*]"})])
        self.assertEqual(tool.hop(self.folder), 1 + 1)
        # The output ends in a register, after a buffer: that is the link's.
        self.netlist([write, read, ("DFF", {"D": "_read_*", "CLK": "clk_i", "Q": "_out_*"}),
                      ("BUF", {"A": "_out_*", "Y": "flit_data_o[*]"})])
        self.assertEqual(tool.hop(self.folder), 2)
        # The shortest of several ways counts.
        netlist = self.netlist([write, read, ("DFF", {"D": "_read_*", "CLK": "clk_i", "Q": "_out_*"}),
                                ("AND", {"A": "_out_*", "B": "flit_data_i[*]", "Y": "flit_data_o[*]"})])
        self.assertEqual(netlist.registers("flit_data_i", "flit_data_o"), 0)
        self.assertFalse(netlist.is_registered("flit_data_o"))


if __name__ == "__main__":
    suite.main()
