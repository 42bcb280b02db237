# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope export --rtl --nodes stream: the network interfaces in RTL do what the simulator's do, flit
by flit, lose nothing when nodes stall, and what is broken in them is found.

With FLITSCOPE_DEPTH=all every fabric below in both simulators and with stalls; else a few in Icarus.
"""
import os
import pathlib
import re

from exported_fabric import (COMBINED, GEN, HOLD, PEX, QUICK, UNIFORM, ExportedFabric, commands, run,
                             vcs)
from flitscope_cli import hypercube, machine, main, mesh, suite

TORUS = {"kind": "torus", "dims": [4, 2]}
FAT_TREE = {"kind": "fat_tree", "arity": 2, "height": 2}
CMESH = {"kind": "mesh", "dims": [2, 2], "concentration": [2, 2]}
CUT = {"packet_bytes": 24}       # messages of 40 bytes become two packets
UNEVEN = {"packet_bytes": 20}    # of 20 bytes in three flits, and again
CLASSES = {"classes": ["request", "reply"]}
REPLIES = {**UNIFORM, "reply_bytes": 16, "reply_class": "reply"}
SHALLOW = {"buffer_depth": 1}

# Name: topology, traffic, keys of the fabric, keys of the node.
CASES = {
    **{name: (*case, {}) for name, case in QUICK.items()},
    "shallow mesh": (mesh(3, 3), UNIFORM, SHALLOW, {}),
    "shallow torus, cut": (TORUS, UNIFORM, {**vcs(4), **SHALLOW}, CUT),
    "two flits deep": (mesh(3, 3), UNIFORM, {"buffer_depth": 2}, CUT),
    "shallow, combined": (mesh(3, 2), UNIFORM, {**vcs(3), **COMBINED, **SHALLOW}, UNEVEN),
    "fat tree, cut": (FAT_TREE, UNIFORM, {**vcs(2), **HOLD}, CUT),
    "classes, cut": (CMESH, REPLIES, {**vcs(4), **CLASSES}, {"packet_bytes": 8}),
    "shallow classes": (CMESH, REPLIES, {**vcs(2), **CLASSES, **SHALLOW}, {}),
    "one packet of 8 bytes": (mesh(4), {**UNIFORM, "message_bytes": 8}, vcs(2), {"packet_bytes": 8}),
    "startups": (hypercube(3), GEN, vcs(2), {**CUT, "send_overhead": 7}),
    "startups one at a time": (mesh(2, 4), PEX, {}, {"send_overhead": 5, "serialize_overhead": True}),
    "nothing but headers": (mesh(4, 4), {"schedule": "pex", "message_bytes": 0}, {}, {}),
    "lengths": (mesh(3, 2), {**UNIFORM, "message_bytes": None, "message_lengths": {8: 3, 0: 1, 72: 1}},
                vcs(2), CUT),
}
CASES["lengths"][1].pop("message_bytes")


class ExportStreams(ExportedFabric):
    nodes = ("--nodes", "stream")

    def assert_arrives(self, folder, report, seed):
        """With nodes that stall; after assert_passes()."""
        done = run(folder, [f"vvp -n replay.vvp +stalls={seed}"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        packets, beats = re.search(r"^PASS: (\d+) packets, (\d+) beats, each once and in order",
                                   done.stdout, re.MULTILINE).groups()
        # Headers do not go to the node, but for those of packets without payload.
        self.assertGreaterEqual(int(beats), report["flits_delivered"] - int(packets))

    def test_every_flit_has_its_cycle_and_stalls_lose_none(self):
        for number, (name, (*case, node)) in enumerate(suite.sample_of(CASES.items(), 1)):
            with self.subTest(name=name):
                folder, report = self.replay(name, case, node=node)
                self.assert_arrives(folder, report, number + 1)

    def test_a_broken_interface_is_noticed(self):
        sender, receiver = "rtl/message_sender.sv", "rtl/packet_receiver.sv"
        both = "rtl/stream_interface.sv"
        folder, _, _ = self.export(CMESH, REPLIES, {**vcs(4), **CLASSES, "buffer_depth": 2}, node=CUT)
        for name, old, new in suite.sample_of((
                (both, ".request_i(request), .advance_i(1'b1)", ".request_i(request), .advance_i(1'b0)"),
                (sender, ".advance_i(send_i && head_o)", ".advance_i(send_i)"),
                (both, "sequence_q <= sequence_q + 1'b1", "sequence_q <= sequence_q + send[0]"),
                ("rtl/register_slice.sv", "ready_q <= !stays_behind", "ready_q <= !stays_behind && !push"),
                (both, "credit_counter #(.Depth(Depth))", "credit_counter #(.Depth(Depth - 1))"),
                (receiver, "assign credit_o = pop;\n        end else", "assign credit_o = pop && !is_header;\n        end else"),
                (sender, "left - LengthBits'(PacketFlits)", "left - LengthBits'(1)")), 3):
            with self.subTest(broken=name, new=new):
                self.assert_noticed(folder, name, old, new)

    def test_what_the_interface_does_not_do_is_refused(self):
        config = self.write("config.yaml", machine(mesh(2, 2), PEX))
        for change, words in (("node.header_flits=2", "headers of one flit"),
                              ("node.injection_bandwidth=1/2", "does not assemble")):
            self.refused("export", config, "--rtl", "rtl", *self.nodes, "--set", change,
                                says=[words, "--nodes flits"])
            self.ok("export", config, "--rtl", change, "--set", change)
        self.refused("export", config, "--rtl", "rtl", "--nodes", "pins", says=["flits", "stream"])
        self.refused("export", config, "--systemc", "program", *self.nodes, says=["--rtl"])

    @suite.campaign
    @suite.needs_synthesis
    def test_an_interface_costs_less_than_its_router_and_is_faster(self):
        """The table of hw/rtl/SYNTHESIS.md."""
        os.environ["FLITSCOPE_CACHE"] = self.path("cache")
        folder, _, _ = self.export(mesh(3), UNIFORM, {"buffer_depth": 4})
        router = self.report("synth", "config.yaml")["results"][0]
        cells = pathlib.Path(router["netlist"]).parent
        for vcs_of, classes, cut in ((1, 1, 0), (1, 1, 8), (2, 1, 0), (2, 2, 0)):
            area = self.area(folder, cells, "stream_interface",
                             f"-chparam VirtualChannels {vcs_of} -chparam Classes {classes} "
                             f"-chparam Depth 4 -chparam PacketFlits {cut}")
            period = self.period(folder, "stream_interface")
            print(f"\n{vcs_of} channels, {classes} classes, cut at {cut}: {area / 1e6:.3f} mm2, {period:.2f} ns")
            self.assertLess(period, router["min_period_ns"] * 1.2)

    @suite.campaign
    def test_verilator_agrees_with_the_assertions_on(self):
        for name, (*case, node) in CASES.items():
            with self.subTest(name=name):
                folder, report, _ = self.export(*case, node=node)
                self.assert_passes(folder, report, "verilator")
                done = run(folder, ["obj_dir/Vstream_replay +stalls=5"])
                self.assertIn("PASS", done.stdout, done.stdout + done.stderr)


if __name__ == "__main__":
    main()
