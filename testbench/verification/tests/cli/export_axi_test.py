# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope export --rtl --nodes axi: random managers read what they wrote, in order, over fabrics of several
kinds; broken bridges are found; what the bridges do not do is refused.

With FLITSCOPE_DEPTH=all every fabric in both simulators; else two in Icarus Verilog.
"""
import json
import pathlib
import shutil

from exported_fabric import COMBINED, ExportedFabric, commands, run
from flitscope_cli import hypercube, main, mesh, suite

MAP = {"initiators": [0, 3], "outstanding": 8,
       "targets": [{"node": 1, "base": 0, "size": 65536}, {"node": 2, "base": 1 << 31, "size": 65536}]}
FABRIC = {"virtual_channels": 2, "classes": ["request", "reply"], "flit_bits": 72}
CASES = {
    "mesh": (mesh(2, 2), {"buffer_depth": 2}, MAP, ()),
    # A node with both; addresses of more than 32 bits; one transaction at a time.
    "fat tree": ({"kind": "fat_tree", "arity": 2, "height": 2}, {"flit_bits": 80}, {
        "initiators": [0, 3, 2], "outstanding": 1,
        "targets": [{"node": 0, "base": 1 << 35, "size": 4096}, {"node": 1, "base": 4096, "size": 8192}]}, ()),
    # A target with two ranges, and no address without a target; other names, another reset.
    "hypercube": (hypercube(2), {**COMBINED, "buffer_depth": 1}, {
        "initiators": [0, 1, 3],
        "targets": [{"node": 2, "base": 0, "size": 1 << 31}, {"node": 2, "base": 1 << 31, "size": 1 << 31}]},
        ("--prefix", "acme_", "--reset", "async")),
    # Ranges that begin anywhere.
    "odd ranges": (mesh(3), {"buffer_depth": 1}, {"initiators": [0], "outstanding": 3, "targets": [
        {"node": 1, "base": 0x123, "size": 0x1005}, {"node": 2, "base": 0x1128, "size": 0x333}]}, ()),
    "cmesh": ({"kind": "mesh", "dims": [2, 2], "concentration": [2, 1]}, {"buffer_depth": 3, "flit_bits": 144}, {
        "initiators": [0, 3, 5, 6],
        "targets": [{"node": node, "base": node << 16, "size": 1 << 16} for node in (1, 4, 7)]}, ()),
}


class ExportAxi(ExportedFabric):
    def config(self, topology, fabric, interconnect):
        return self.write("config.yaml", json.dumps(
            {"fabric": {"topology": topology, **FABRIC, **fabric}, "interconnect": interconnect}))

    def export(self, case):
        *machine, options = case
        shutil.rmtree(self.path("rtl"), ignore_errors=True)
        said = self.ok("export", self.config(*machine), "--rtl", "rtl", "--nodes", "axi", *options)
        self.assertIn("a test bench with random reads and writes", said)
        return pathlib.Path(self.path("rtl"))

    def assert_passes(self, folder, simulator, managers):
        done = run(folder, commands(folder)[simulator])
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
        self.assertRegex(done.stdout, rf"PASS: {200 * managers} reads and writes of {managers} managers, in \d+ cycles")
        self.assertNotIn("warning", done.stderr)

    def test_structs_carry_every_channel(self):
        *machine, _ = CASES["mesh"]
        folder = self.export((*machine, ("--structs",)))
        top = (folder / "axi_top.sv").read_text()
        for port, direction in (("node_000_s_axi_req_i", "input"), ("node_000_s_axi_rsp_o", "output"),
                                ("node_001_m_axi_req_o", "output"), ("node_001_m_axi_rsp_i", "input")):
            self.assertRegex(top, rf"{direction} +axi_top_pkg::[sm]_axi_(?:req|rsp)_t {port}\b")
        lint = run(folder, commands(folder)["struct_lint"])
        self.assertEqual((lint.returncode, lint.stdout + lint.stderr), (0, ""))

    @suite.campaign
    def test_managers_read_what_they_wrote_through_structs(self):
        *machine, _ = CASES["mesh"]
        self.assert_passes(self.export((*machine, ("--structs",))), "structs", managers=2)

    def test_managers_read_what_they_wrote_in_order(self):
        for name, case in suite.sample_of(CASES.items(), 2):
            with self.subTest(name=name):
                folder = self.export(case)
                lint = run(folder, commands(folder)["lint"])
                self.assertEqual((lint.returncode, lint.stdout + lint.stderr), (0, ""), name)
                self.assert_passes(folder, "icarus", len(case[2]["initiators"]))

    @suite.campaign
    def test_verilator_agrees_with_the_assertions_on(self):
        for name, case in CASES.items():
            with self.subTest(name=name):
                self.assert_passes(self.export(case), "verilator", len(case[2]["initiators"]))

    def test_a_broken_bridge_is_noticed(self):
        manager, subordinate, target = (f"rtl/axi_{name}.sv" for name in (
            "manager_bridge", "subordinate_bridge", "target"))
        folder = self.export(CASES["mesh"])
        for name, old, new in suite.sample_of((
                (target, "counts_q[id_i] == '0 ||", "1'b1 ||"),  # others of the ID go elsewhere
                (target, "- CountBits'(ends_i &&", "- CountBits'(1'b0 && ends_i &&"),
                (target, "address_i <= Last[", "address_i <= First["),  # only first addresses are known
                (manager, "error_left_q - 1'b1", "error_left_q"),
                (manager, "error_data_q ? !(w_valid && w_last) : fails[1]", "1'b0"),
                (manager, "assign m_ready_o = is_write ? b_ready : r_ready", "assign m_ready_o = r_ready"),
                (subordinate, "stays_q ? chosen_q : b_valid", "b_valid"),
                (subordinate, "owner[0+:IdBits], r_resp", "id, r_resp"),
                (subordinate, "s_last_o = chosen || r_last", "s_last_o = chosen || r_valid")), 4):
            with self.subTest(broken=name, new=new):
                self.assert_noticed(folder, name, old, new)

    def test_a_subordinate_that_takes_too_many_reads_is_noticed(self):
        folder = self.export((mesh(2, 2), {"buffer_depth": 2}, {**MAP, "outstanding": 2}, ()))
        self.assert_noticed(folder, "rtl/axi_subordinate_bridge.sv",
                            "!in_data_q && !is_write && has_room[0]", "!in_data_q && !is_write")

    def test_what_the_bridges_do_not_do_is_refused(self):
        def refused(words, *, topology=mesh(2, 2), fabric=None, interconnect=None, node=None):
            config = {"fabric": {"topology": topology, **FABRIC, **(fabric or {})}, "node": node or {},
                      "interconnect": interconnect or MAP}
            self.refused("export", self.write("config.yaml", json.dumps(config)), "--rtl", "rtl", "--nodes",
                         "axi", says=[words])
        config = self.write("config.yaml", json.dumps({"fabric": {"topology": mesh(2, 2), **FABRIC}}))
        self.refused("export", config, "--rtl", "rtl", "--nodes", "axi", says=["section 'interconnect'"])
        refused("a virtual channel for requests and one for replies", fabric={"virtual_channels": 3, "classes": ["a", "b", "c"]})
        refused("a virtual channel for requests and one for replies", fabric={"virtual_channels": 4})
        refused("set fabric.flit_bits to 72 or more", fabric={"flit_bits": 64})
        refused("set fabric.flit_bits to 88 or more", interconnect={
            **MAP, "targets": [{"node": 1, "base": 1 << 60, "size": 65536}]}, fabric={"flit_bits": 72})
        refused("AXI bridges send whole bursts", node={"packet_bytes": 64})
        refused("set interconnect.request_class: request and response_class: reply",
                interconnect={**MAP, "response_class": "request"})
        refused("at most 256 transactions", interconnect={**MAP, "outstanding": 300})
        refused("node 0 has two initiators", interconnect={**MAP, "initiators": [0, 0]})
        refused("for the test bench", interconnect={
            **MAP, "targets": [{"node": 1, "base": 0, "size": 64}]})
        refused("can deadlock", topology={"kind": "torus", "dims": [5]})
        # Without it the nodes see flits, and there has to be traffic.
        self.refused("export", self.config(mesh(2, 2), {}, MAP), "--rtl", "rtl", says=["no traffic"])


if __name__ == "__main__":
    main()
