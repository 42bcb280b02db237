#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The small modules of the RTL do what they have to, proved by yosys' SAT solver for every input and,
by induction, for any time; and what is broken on purpose is found.

usage: formal_test.py ROOT
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
HERE = pathlib.Path(__file__).resolve().parent
PROVED = "Induction step proven: SUCCESS!"
BOUNDED = "proved base case for {} steps: SUCCESS!"


class Formal(unittest.TestCase):
    def prove(self, properties, sources, parameters, wires=(), steps=None, slip=None):
        """What yosys says of the assertions in `properties`, from the first cycle of reset on: for any
        time, or where `steps` are given for so many cycles, then with the assertions on the order of
        flits. `wires` are connected with registers of the modules. `slip` is a file, what stands in it,
        and what is to stand there instead."""
        with tempfile.TemporaryDirectory() as folder:
            names = []
            for source in sources:
                text = (ROOT / "hw/rtl" / source).read_text()
                if slip and slip[0] == source:
                    self.assertEqual(text.count(slip[1]), 1, slip)
                    text = text.replace(slip[1], slip[2])
                (pathlib.Path(folder) / source).write_text(text)
                names.append(source)
            chosen = " ".join(f"-chparam {name} {value}" for name, value in parameters.items())
            how = "-tempinduct -maxsteps 4"
            if steps:
                how = f"-tempinduct -tempinduct-baseonly -maxsteps {steps}"
            script = [f"read_verilog -sv {' '.join(names)}",
                      f"read_verilog -sv -formal {'-DORDER ' if steps else ''}{HERE / properties}.sv",
                      f"hierarchy -check -top {properties} {chosen}", "proc", "flatten",
                      *(f"connect -set {wire} {register}" for wire, register in wires),
                      "opt", "dffunmap",
                      f"sat -verify {how} -prove-asserts -set-at 1 rst_ni 0 -seq 1"]
            done = subprocess.run(["yosys", "-p", "; ".join(script)], cwd=folder, text=True,
                                  capture_output=True, timeout=300)
        said = done.stdout + done.stderr
        wanted = BOUNDED.format(steps) if steps else PROVED
        if done.returncode == 0:
            self.assertIn(wanted, said[-5000:])
            self.assertGreater(len(re.findall("Import proof for assert", said)), 4)
            return True
        self.assertIn("Called with -verify and proof did fail!", said[-2000:])
        return False

    def arbiter(self, requests, slip=None):
        return self.prove("arbiter_properties", ["round_robin_arbiter.sv"], {"Requests": requests},
                          [("preferred", "dut.gen_arbiter.preferred_q")], slip=slip)

    def channel(self, depth, steps=None, slip=None):
        return self.prove("channel_properties", ["credit_counter.sv", "flit_fifo.sv"],
                          {"Depth": depth},
                          [] if steps else [("credits", "sender.count_q"),
                                            ("count", "receiver.count_q")], steps, slip)

    def allocators(self, parameters, slip=None):
        return self.prove("allocator_properties", ["round_robin_arbiter.sv", "output_vc_allocator.sv",
                                                   "switch_allocator.sv"], parameters, slip=slip)

    def test_arbiters_are_their_specification_and_fair(self):
        for requests in (2, 3, 4, 5, 9):
            self.assertTrue(self.arbiter(requests), requests)

    def test_a_broken_arbiter_is_found(self):
        name = "round_robin_arbiter.sv"
        for old, new in (("preferred_q <= passed", "preferred_q <= '0"),
                         ("advance_i && request_i", "request_i"),
                         ("passed[i-1] | grant_o[i-1]", "passed[i-1] | grant_o[i]"),
                         ("? after & (~after + 1'b1)", "? after")):
            self.assertFalse(self.arbiter(4, (name, old, new)), new)

    def test_a_virtual_channel_never_overflows_and_loses_no_credit(self):
        for depth in (2, 3, 5, 8):
            self.assertTrue(self.channel(depth), depth)

    def test_a_fifo_keeps_the_order_of_flits(self):
        """Nor does it overflow, in any run of so many cycles."""
        for depth, cycles in ((1, 10), (2, 12), (3, 14)):
            self.assertTrue(self.channel(depth, cycles), depth)

    def test_a_broken_counter_or_fifo_is_found(self):
        counter, fifo = "credit_counter.sv", "flit_fifo.sv"
        for slip in ((counter, "credit_i ? count_q : count_q - 1'b1", "count_q - 1'b1"),
                     (counter, "(count_q >> 1) != '0", "count_q != '0"),
                     (counter, "count_q <= Bits'(Depth);", "count_q <= Bits'(Depth) + 1'b1;"),
                     (fifo, "pop_i ? loads_popped : valid_q || push_i", "loads_popped"),
                     (fifo, "push_i ? count_q : count_q - 1'b1", "count_q - 1'b1")):
            self.assertFalse(self.channel(3, slip=slip), slip)
        for slip in ((fifo, "marks_q[(s+1)%Depth]", "marks_q[s]"),
                     (fifo, "if (push_i) write_q <=", "if (pop_i) write_q <="),
                     (fifo, "loads_kept = push_i && !valid_q", "loads_kept = push_i")):
            self.assertFalse(self.channel(3, 14, slip), slip)

    def test_allocators_give_nothing_twice(self):
        for parameters in ({"Ports": 3, "VirtualChannels": 2}, {"Ports": 5, "VirtualChannels": 3},
                           {"Ports": 3, "VirtualChannels": 2, "Hold": "1'b1"},
                           {"Ports": 3, "VirtualChannels": 2, "Hold": "1'b1", "Combined": "1'b1"}):
            self.assertTrue(self.allocators(parameters), parameters)

    def test_a_broken_allocator_is_found(self):
        for slip in (("output_vc_allocator.sv", "served[w*Inputs+:Inputs] | grant", "grant"),
                     ("output_vc_allocator.sv", " & ~served[w*Inputs+:Inputs]", ""),
                     ("output_vc_allocator.sv", "taken_i[w]\n", "taken_i[0]\n"),
                     ("switch_allocator.sv", "assign sends[p] = by_output != '0",
                      "assign sends[p] = 1'b1"),
                     ("switch_allocator.sv", "assign asking = ready_i;", "assign asking = '1;")):
            # A grant replaced in `served` shows with a third virtual channel.
            self.assertFalse(self.allocators({"Ports": 3, "VirtualChannels": 3}, slip), slip)


if __name__ == "__main__":
    unittest.main()
