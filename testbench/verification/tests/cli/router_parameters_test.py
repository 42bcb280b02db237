# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Files, folders, macros and parameters of a router of one's own, and a study over a parameter."""
import os
import pathlib
from unittest import mock

from flitscope_cli import CliTest, EXIT_OK, machine, main, mesh, suite

ROOT = pathlib.Path(__file__).resolve().parents[4]
GEN = {"schedule": "gen", "message_bytes": 64}
# What the router wants: a parameter that is not below a macro, and a file that is included.
WANTS = """
    parameter int InFifoDepth = 0,
"""
CHECKS = """
`include "limits.svh"
    generate
        if (InFifoDepth < `LEAST || InFifoDepth > `MOST) begin : gen_refused
            $error("InFifoDepth = %0d, from %0d to %0d", InFifoDepth, `LEAST, `MOST);
        end
    endgenerate
endmodule
"""


class RouterParameters(CliTest):
    def setUp(self):
        super().setUp()
        environment = mock.patch.dict(os.environ, FLITSCOPE_CACHE=self.path("cache"))
        environment.start()
        self.addCleanup(environment.stop)

    def router(self, **more):
        """A configuration with a router that has a parameter, and needs a macro and a folder."""
        ours = (ROOT / "hw/rtl/foreign/valid_ready_router.sv").read_text()
        text = ours.replace("valid_ready_router", "fifo_router")
        self.assertEqual(text.count("parameter"), 2)
        text = text.replace("    parameter", WANTS.strip("\n") + "\n    parameter", 1)
        self.write("theirs/rtl/fifo_router.sv", text.replace("endmodule", CHECKS))
        self.write("theirs/rtl/limits/limits.svh", "`define LEAST 2\n")
        self.write("theirs/rtl/files.f", "// of the router\n-f more.f\nfifo_router.sv\n")
        self.write("theirs/rtl/more.f", "+incdir+limits +define+MOST=8  # of both\n")
        return machine(mesh(2, 2), GEN, fabric={
            "router": {"top": "fifo_router", "sources": ["rtl/files.f"], "protocol": "valid_ready"},
            "router_parameters": {"InFifoDepth": 4}, **more})

    def made(self):
        return sorted(pathlib.Path(self.path("cache/rtl")).glob("*/*.so"))

    def test_a_list_of_files_says_what_keys_say(self):
        listed = self.write("theirs/listed.yaml", self.router())
        named = self.write("theirs/named.yaml", self.router(router={
            "top": "fifo_router", "sources": ["rtl/fifo_router.sv"], "protocol": "valid_ready",
            "include": ["rtl/limits"], "defines": {"MOST": 8}}))
        first = self.report("run", listed)
        self.assertEqual((first["status"], first["rtl_routers"]), ("complete", 4))
        self.assertEqual(len(self.made()), 1)
        # The same library, so nothing is verilated again.
        self.assertEqual(self.report("run", named, "--no-verilate")["cycles"], first["cycles"])
        self.assertIn("4 of 4 routers RTL: fifo_router", text := self.ok("run", listed, "--out", "out"))
        self.assertIn(", InFifoDepth = 4\n", text)
        self.assertEqual(self.report("run", "out/config.yaml", "--no-verilate")["cycles"],
                         first["cycles"])

    @suite.campaign
    def test_every_value_of_a_parameter_is_a_router_and_an_axis_of_a_study(self):
        self.write("theirs/net.yaml", self.router())
        study = self.write("theirs/study.yaml", (
            "base: net.yaml\n"
            "vary:\n"
            "  fabric.router_parameters: {two: {InFifoDepth: 2}, eight: {InFifoDepth: 8}}\n"
            "objectives: {min: [time_ns]}\n"))
        self.ok("explore", study, "--db", "study.db")
        self.assertEqual(len(self.made()), 2)
        table = self.ok("explore", "front", "--db", "study.db")
        self.assertRegex(table, "two|eight")
        # What the router itself refuses.
        broken = self.call("run", "theirs/net.yaml", "--set",
                           "fabric.router_parameters={InFifoDepth: 9}")
        self.assertNotEqual(broken.returncode, EXIT_OK)
        self.assertIn("InFifoDepth", broken.stderr)

    def placed(self, topology):
        """A configuration with a router that has its coordinates as parameters, and no pins for them."""
        ours = (ROOT / "hw/rtl/foreign/valid_ready_router.sv").read_text()
        text = ours.replace("valid_ready_router", "placed_router").replace(
            ".node_i(my_node)", ".node_i(NodeBits'(Y * 2 + X))")
        text = text.replace("    parameter", "    parameter int unsigned X = 9, parameter int unsigned Y = 9,\n"
                            "    parameter", 1)
        self.write("theirs/placed_router.sv", text)
        return self.write("theirs/placed.yaml", machine(topology, GEN, fabric={
            "router": {"top": "placed_router", "sources": ["placed_router.sv"], "protocol": "valid_ready"},
            "router_parameters": {"X": "x", "Y": "y"}}))

    def test_a_router_may_have_its_place_as_a_parameter(self):
        side = suite.sample_of((1, 2), 1)[-1]  # each router is verilated
        config = self.placed(mesh(side, 2))
        report = self.report("cosim", config, "--delivery")
        self.assertEqual((report["outcome"], report["rtl_routers"]), ("equal", 2 * side))
        self.assertEqual(len(self.made()), 2 * side)
        self.assertIn(", X = x of each, Y = y of each\n", self.ok("run", config, "--out", "out"))
        self.assertIn("X: x, Y: y", self.read("out/config.yaml").decode())

    def test_places_that_cannot_be_parameters_are_refused(self):
        config = self.placed(mesh(1, 2))
        for override, words in (
                ("fabric.router_parameters={X: z}", ["have 2 coordinates, and no 'z'", "use node"]),
                ("fabric.router_parameters={X: w}", ["place of the router", "node, x, y, z"]),
                ("fabric.topology.dims=[16, 8]", ["once per place, for at most 64 routers, not 128"])):
            with self.subTest(override):
                self.refused("run", config, "--set", override, says=words)
        self.refused("export", config, "--systemc", "program", says=["once per place", "pins for its place"])
        with mock.patch.dict(os.environ, FLITSCOPE_RTL_LIBRARIES=self.path("cache")):
            self.refused("run", config, says=["verilated once per place", "FLITSCOPE_RTL_LIBRARIES empty"])

    def test_what_cannot_be_is_refused_where_it_is_written(self):
        config = self.write("theirs/net.yaml", self.router())
        for value, words in (
                ("{InFifoDepth: many}", ["'fabric.router_parameters.InFifoDepth' must be a parameter", "node, x, y, z"]),
                ("4", ["must be a map of parameters", "write {InFifoDepth: 4}"]),
                ("{DataBits: 8}", ["'DataBits' is a parameter that flitscope sets from other keys"])):
            with self.subTest(value):
                self.refused("check", config, "--set", f"fabric.router_parameters={value}", says=words)
        self.refused("check", config, "--set", "fabric.router=rtl",
                     says=["does not apply to routers of flitscope", "a router of your own"])
        self.refused("check", config, "--set", "fabric.router={top: fifo_router}",
                     says=["that is built from its sources", "sources: [my_router.sv]"])
        for line, words in (
                ("-y elsewhere", ["files.f:1: ", "'-y' is not understood in a list of files"]),
                ("${ROOT}/a.sv", ["files.f:1: ", "without variables"]),
                ("-f files.f", ["files.f:1: ", "leads back to itself"]),
                ("\n-f nowhere.f", ["files.f:2: ", "nowhere.f"]),
                ("nowhere.sv", ["there is no file", "nowhere.sv"]),
                ("+incdir+nowhere fifo_router.sv", ["there is no folder", "nowhere"])):
            self.write("theirs/rtl/files.f", line + "\n")
            with self.subTest(line):
                self.refused("check", config, says=words)


if __name__ == "__main__":
    main()
