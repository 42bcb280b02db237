#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The modules that others instantiate refuse parameters that they do not have, by name.

usage: rtl_parameters_test.py ROOT
"""
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import suite  # noqa: E402

RTL = pathlib.Path(sys.argv.pop(1)).resolve() / "hw/rtl"
SOURCES = [RTL / line for line in (RTL / "sources.txt").read_text().splitlines()
           if line and not line.startswith("#")]
TABLE = {"Routing": 2}


def lint(top, sources, parameters, *options):
    return subprocess.run(
        ["verilator", "--lint-only", "-Wall", *options, "--top-module", top,
         *(f"-G{name}={value}" for name, value in parameters.items()), *map(str, sources)],
        text=True, capture_output=True, timeout=100)


class Parameters(unittest.TestCase):
    def test_what_is_in_their_ranges_is_clean(self):
        for parameters in ({"Ports": 3, "Depth": 1, "FlitBits": 16}, {"VirtualChannels": 16},
                           {"Routing": 1, "Ports": 2}, {"Routing": 1, "Ports": 17}, {"Ports": 33}, {"Routing": 4}, {"Routing": 6, "VirtualChannels": 3},
                           {"Routing": 3, "VirtualChannels": 2}, {"Routing": 7, "RouterDelay": 3},
                           {"Routing": 5, "Ports": 4, "Combined": "1'b1"}, {**TABLE, "TableEntries": 64}):
            # The two largest take as long as all others together: one of them, once.
            is_large = parameters in ({"VirtualChannels": 16}, {"Ports": 33})
            if parameters == {"Ports": 33} and not suite.TAKES_ALL:
                continue
            for options in ((), ("-DSYNTHESIS",))[:1 if is_large and not suite.TAKES_ALL else 2]:
                done = lint("router", SOURCES, parameters, *options)
                self.assertEqual((done.returncode, done.stderr), (0, ""), (parameters, options))

    def test_what_is_not_is_refused_by_name(self):
        for parameters in ({"VirtualChannels": 17}, {"Depth": 0}, {"FlitBits": 15},
                           {"RouterDelay": 0}, {"Routing": -1},
                           {"Routing": 8}, {"Routing": 9},
                           {**TABLE, "TableEntries": 48}, {**TABLE, "TableEntries": 1},
                           {**TABLE, "TableEntries": 2**17}, {"Routing": 0, "Ports": 2},
                           {"Routing": 0, "Ports": 6}, {"Routing": 0, "Ports": 35},
                           {"Routing": 1, "Ports": 18}):
            *_, (name, value) = parameters.items()
            done = lint("router", SOURCES, parameters)
            self.assertNotEqual(done.returncode, 0, parameters)
            shown = value - 4 if name == "Routing" and value > 4 else value  # without SlowLinks
            self.assertRegex(done.stderr, rf"(?m)^%.*router: {name} = {shown},", parameters)
        for parameters in ({"Ports": 1}, {"VirtualChannels": 0}):  # verilator itself gets no further
            self.assertNotEqual(lint("router", SOURCES, parameters).returncode, 0, parameters)
        done = lint("link", [RTL / "delay_line.sv", RTL / "fabric/link.sv"], {"Delay": 0})
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, "(?m)^%.*link: Delay = 0, at least 1")
        slow = [RTL / "delay_line.sv", RTL / "fabric/link.sv", RTL / "fabric/slow_link.sv"]
        self.assertEqual(lint("slow_link", slow, {"Cycles": 64, "FlitBits": 16}).stderr, "")
        done = lint("slow_link", slow, {"Cycles": 65})
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, "(?m)^%.*slow_link: Cycles = 65, 2 to 64")

    @suite.needs_synthesis
    def test_synthesis_refuses_them_too(self):
        for name, value in (("Ports", 1), ("VirtualChannels", 17), ("VirtualChannels", 0), ("Depth", 0)):
            done = subprocess.run(["yosys", "-q", "-p", f"read_verilog -sv -defer {' '.join(map(str, SOURCES))}; "
                                   f"hierarchy -check -top router -chparam {name} {value}"],
                                  text=True, capture_output=True, timeout=100)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("router_has_a_parameter_out_of_range", done.stdout + done.stderr, name)


if __name__ == "__main__":
    suite.main()
