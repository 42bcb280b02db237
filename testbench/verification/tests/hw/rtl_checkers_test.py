#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The checkers of hw/rtl/checkers name what breaks the rules of a channel, and nothing else: at pins that
a bench drives, and at a router that is broken on purpose. In Icarus Verilog, which knows unknown bits.

usage: rtl_checkers_test.py ROOT
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import suite  # noqa: E402

RTL = pathlib.Path(sys.argv.pop(1)).resolve() / "hw/rtl"
CHECKERS = RTL / "checkers"
SOURCES = [line for line in (RTL / "sources.txt").read_text().splitlines()
           if line and not line.startswith("#")]

BENCH = """
module bench;
    logic clk = 1'b0, rst_n = 1'b0;
    always #5 clk = !clk;
    {body}
    initial begin
        repeat (3) @(negedge clk);
        rst_n = 1'b1;
        {steps}
        repeat ({rest}) @(negedge clk);
        $display("PASS");
        $finish;
    end
endmodule
"""

# A router in a line: packets of three flits for node 1 from its node; the next router takes each flit at
# once, and returns its credit two cycles later.
ROUTER = """
    logic [2:0] valid_o, head_o, tail_o, credit_o, back1 = '0, back2 = '0, credit_i;
    logic [191:0] data_o;
    int count = 0, credits = 2;
    logic valid;
    assign valid = rst_n && credits > 0;
    assign credit_i = back2 | {2'b0, valid_o[0]};
    always @(posedge clk) begin
        back1 <= {valid_o[2:1], 1'b0};
        back2 <= back1;
        if (rst_n) begin
            count <= valid ? count + 1 : count;
            credits <= credits - valid + credit_o[0];
        end
    end
    router #(.Ports(3), .Depth(2)) i_router (
        .clk_i(clk), .rst_ni(rst_n), .node_i(16'd0), .fields_i(16'd1), .table_write_i(1'b0),
        .table_address_i('0), .table_port_i('0), .table_vcs_i('0), .flit_valid_i({2'b0, valid}),
        .flit_vc_i('0), .flit_head_i({2'b0, count % 3 == 0}), .flit_tail_i({2'b0, count % 3 == 2}),
        .flit_data_i({128'b0, 64'd1}), .credit_o(credit_o), .flit_valid_o(valid_o), .flit_vc_o(),
        .flit_head_o(head_o), .flit_tail_o(tail_o), .flit_data_o(data_o), .credit_i(credit_i)
    );
    router_pins_checker #(.Ports(3), .Depth(2)) i_checker (
        .clk_i(clk), .rst_ni(rst_n), .flit_valid_i({2'b0, valid}), .flit_vc_i('0),
        .flit_head_i({2'b0, count % 3 == 0}), .flit_tail_i({2'b0, count % 3 == 2}),
        .flit_data_i({128'b0, 64'd1}), .credit_o(credit_o), .flit_valid_o(valid_o), .flit_vc_o('0),
        .flit_head_o(head_o), .flit_tail_o(tail_o), .flit_data_o(data_o), .credit_i(credit_i)
    );
"""


class Checkers(unittest.TestCase):
    def simulate(self, sources, body, steps="", rest=0, slip=None):
        """What the bench says; `slip` is a file, what is in it, and what is put there instead."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            paths = []
            for source in sources:
                text = source.read_text()
                if slip and slip[0] == source.name:
                    self.assertEqual(text.count(slip[1]), 1, slip)
                    text = text.replace(slip[1], slip[2])
                (folder / source.name).write_text(text)
                paths.append(source.name)
            (folder / "bench.sv").write_text(BENCH.format(body=body, steps=steps, rest=rest))
            subprocess.run(["iverilog", "-g2012", "-DSYNTHESIS", "-s", "bench", "-o", "bench.vvp", *paths,
                            "bench.sv"], cwd=folder, check=True, capture_output=True, timeout=100)
            # As for exported fabrics (testbench/app/export/README.md).
            subprocess.run(["sed", "-i", r"/^Ewait_/s/, E_0x0;/;/", "bench.vvp"], cwd=folder, check=True)
            return subprocess.run(["vvp", "-n", "bench.vvp"], cwd=folder, text=True, capture_output=True,
                                  timeout=100).stdout

    def check(self, checker, parameters, pins, rows, says):
        """The pins have the values of a row in each cycle."""
        body = "\n".join(f"logic [{width - 1}:0] {pin} = '0;" for pin, width in pins.items())
        wires = ", ".join(f".{pin}({pin})" for pin in pins)
        body += f"\n{checker} #({parameters}) i_checker (.clk_i(clk), .rst_ni(rst_n), {wires});"
        steps = "\n".join(f"{{{', '.join(pins)}}} = {{{', '.join(row.split())}}}; @(negedge clk);"
                          for row in rows)
        said = self.simulate([CHECKERS / f"{checker}.sv"], body, steps)
        if says is None:
            self.assertIn("PASS", said)
            self.assertNotIn("FAIL", said)
        else:
            self.assertRegex(said, rf"FAIL: bench\.i_checker[^:]*: .*{says}")
            self.assertNotIn("PASS", said)

    def test_channels_with_valid_and_ready(self):
        pins = {"valid_i": 1, "ready_i": 1, "data_i": 4}
        for rows, says in (
                (["1'b0 1'bx 4'bx", "1'b1 1'b0 4'h5", "1'b1 1'b1 4'h5", "1'b1 1'b1 4'h6", "1'b0 1'b0 4'h0"],
                 None),
                (["1'b1 1'b0 4'h5", "1'b0 1'b0 4'h5"], "valid is withdrawn before ready, with 5"),
                (["1'b1 1'b0 4'h5", "1'b1 1'b1 4'h7"], "5 becomes 7 before ready"),
                (["1'bx 1'b0 4'h5"], "valid is x"),
                (["1'b1 1'bx 4'h5"], "ready is x")):
            self.check("ready_valid_checker", ".Width(4)", pins, rows, says)

    def test_channels_of_flits(self):
        pins = {"valid_i": 1, "vc_i": 2, "head_i": 1, "tail_i": 1, "data_i": 4, "credit_i": 3}
        none = "1'b0 2'dx 1'bx 1'bx 4'bx"
        head, body, tail, single = (f"1'b1 2'd1 1'b{h} 1'b{t} 4'h5" for h, t in ((1, 0), (0, 0), (0, 1), (1, 1)))
        other = "1'b1 2'd2 1'b1 1'b1 4'h5"
        for rows, says in (
                ([f"{head} 3'b000", f"{other} 3'b000", f"{tail} 3'b010", f"{none} 3'b110", f"{single} 3'b000",
                  f"{none} 3'b010"], None),
                ([f"{other} 3'b100"], None),  # at ejection a credit is at the pins in the cycle of its flit
                ([f"{head} 3'b0", f"{head} 3'b0"], "virtual channel 1: a head before the tail"),
                ([f"{body} 3'b0"], "virtual channel 1: a flit without a head"),
                ([f"{head} 3'b0", f"{body} 3'b0", f"{tail} 3'b0"], "virtual channel 1: a flit without a credit"),
                ([f"{head} 3'b0", f"{none} 3'b100"], "virtual channel 2: a credit for no flit"),
                ([f"{head} 3'b0", f"{none} 3'b010", f"{none} 3'b010"], "virtual channel 1: a credit for no flit"),
                (["1'b1 2'd3 1'b1 1'b1 4'h5 3'b0"], "virtual channel 3 of 3"),
                (["1'b1 2'd1 1'b1 1'b1 4'bx 3'b0"], "unknown bits"),
                ([f"{none} 3'bx"], "unknown bits")):
            self.check("flit_checker", ".VirtualChannels(3), .Depth(2), .FlitBits(4)", pins, rows, says)

    def test_a_router_keeps_the_rules_and_a_broken_one_does_not(self):
        sources = [RTL / name for name in SOURCES]
        sources += [CHECKERS / name for name in ("flit_checker.sv", "router_pins_checker.sv")]
        for slip, says in (
                (None, None),
                (("router.sv", "assign credit_o = send;", "assign credit_o = ~valid;"), "i_input.*credit for no flit"),
                (("vc_allocator.sv", "valid_i & has_credit", "valid_i"), "i_output.*a flit without a credit"),
                (("crossbar.sv", "(accepted & chosen_tail) != '0;", "1'b0;"), "i_output.*head before the tail"),
                (("crossbar.sv", "(accepted & chosen_head) != '0;", "1'b0;"), "i_output.*flit without a head"),
                (("router_outputs.sv", "assign flit_data_o = passed_data;", "assign flit_data_o = 'x;"),
                 "i_output.*unknown bits")):
            with self.subTest(slip=slip):
                said = self.simulate(sources, ROUTER, rest=60, slip=slip)
                if says is None:
                    self.assertIn("PASS", said)
                else:
                    self.assertRegex(said, rf"FAIL: bench\.i_checker\.gen_port\[\d\]\.{says}")


if __name__ == "__main__":
    suite.main()
