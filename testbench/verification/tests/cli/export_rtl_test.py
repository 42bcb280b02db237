# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope export --rtl: what is written is clean, replays to the cycle in both simulators, can fail,
and costs what its routers and links cost.

With FLITSCOPE_DEPTH=all every fabric of the campaign is replayed, in an hour or two, and all areas are
compared; else a few small ones.
"""
import os
import pathlib
import re
import subprocess

from exported_fabric import (COMBINED, GEN, HOLD, LINEAR, PEX, QUICK, TIMEOUT_S, UNIFORM, ExportedFabric,
                             commands, run, vcs)
from flitscope_cli import EXIT_STANDSTILL, hypercube, machine, main, mesh, suite

CONFIGS = pathlib.Path(__file__).resolve().parents[3] / "configs"
CAMPAIGN = {
    "mesh": (mesh(4, 4), PEX, {}),
    "torus": ({"kind": "torus", "dims": [4, 4]}, UNIFORM, {}),
    "hypercube": (hypercube(4), GEN, {}),
    "how": ({"kind": "how", "dims": [8], "window": 4}, UNIFORM, {"link_delay": LINEAR}),
    "express": ({"kind": "express_mesh", "dims": [6, 6], "segment": 3, "layout": "sparse"}, UNIFORM,
                {"link_delay": {"model": "linear", "reach": 1}}),
    "fat_tree": ({"kind": "fat_tree", "arity": 2, "height": 3}, UNIFORM, {}),
    "dragonfly": ({"kind": "dragonfly", "groups": 5, "group_size": 2, "global_links": 2}, UNIFORM,
                  {"link_delay": LINEAR}),
    "cmesh": ({"kind": "mesh", "dims": [4, 4], "concentration": [2, 2]}, UNIFORM, {}),
    "full_dragonfly": ({"kind": "dragonfly", "groups": 5, "group_size": 2, "global_links": 2,
                        "concentration": 2}, UNIFORM, {}),
    "controllers": ({"kind": "mesh", "dims": [4, 4], "extra_nodes": [0, 3, 12, 15]}, UNIFORM, {}),
}
SLOW = {"dies": (mesh(4, 4), UNIFORM, {"link_rate": {"die": [2, 2], "rate": "1/3", "delay": 2}}),
        "slow_dragonfly": ({"kind": "dragonfly", "groups": 5, "group_size": 2, "global_links": 2},
                           UNIFORM, {"link_rate": {"global": "1/4"}})}


def campaign():
    for name, (topology, traffic, fabric) in CAMPAIGN.items():
        fewest = 2 if name in ("torus", "dragonfly", "full_dragonfly") else 1
        for channels in (fewest, 4, 16) if name in ("torus", "mesh") else (fewest, 4):
            for allocation in ({}, COMBINED):
                for hold in ({}, HOLD) if channels > 1 else ({},):
                    yield name, (topology, traffic, {**fabric, **vcs(channels), **allocation, **hold})
    for name, (topology, traffic, fabric) in SLOW.items():
        for channels in (2, 4):
            for allocation in ({}, COMBINED):
                yield name, (topology, traffic, {**fabric, **vcs(channels), **allocation})


class ExportRtl(ExportedFabric):
    def test_a_graph_with_links_one_way_and_delays_of_their_own(self):
        self.write("graph.yaml", "nodes: 4\nlinks:\n"
                   "  - {from: 0, to: 1, both: true}\n  - {from: 0, to: 2, delay: 3, both: true}\n"
                   "  - {from: 1, to: 2, delay: 2, both: true}\n  - {from: 2, to: 3, both: true}\n"
                   "  - {from: 3, to: 0, delay: 4}\n")
        folder, _ = self.replay("graph", ({"kind": "custom", "file": "graph.yaml"}, UNIFORM,
                                          {**vcs(2), "allow_deadlock": True}))
        top = (folder / "fabric.sv").read_text()
        instances = re.findall(r"\.Delay\((\d)\)\n    \) (\w+)", top)
        self.assertEqual(sorted(delay for delay, _ in instances), ["1", "1", "1", "1", "2", "2", "3", "3", "4"])
        self.assertIn(("4", "link_003_000"), instances)
        self.assertIn("open_input_", top)

    def test_slow_links_are_narrow_and_their_routers_wait(self):
        folder, _ = self.replay("dies", QUICK["dies"])
        top = (folder / "fabric.sv").read_text()
        self.assertEqual(len(re.findall(r"\bslow_link #\(\s+[^;]*?\.Cycles\(2\), \.Delay\(3\)", top)), 4)
        self.assertEqual(top.count("router_pkg::SlowLinks"), 4)  # not those at the ends
        for name, old, new in (
                ("rtl/slow_link.sv", "CountBits'(Cycles - 1);\n        else if (left",
                 "'0;\n        else if (left"),  # the last part is lost
                ("rtl/link_rate.sv", "cycles_i == '0", "(cycles_i >> 1) == '0"),  # a cycle too fast
                ("fabric.sv", "6'd0, 6'd1, 6'd0", "6'd1, 6'd0, 6'd0")):
            with self.subTest(broken=name):
                file = folder / name
                text = file.read_text()
                self.assertIn(old, text)
                file.write_text(text.replace(old, new, 1))
                try:
                    self.assert_fails(folder, "FAIL: ")
                finally:
                    file.write_text(text)

    def test_a_graph_with_parallel_links(self):
        self.write("graph.yaml", "routers: 3\nnodes_per_router: 2\nlinks:\n"
                   "  - {from: 0, to: 1, both: true, count: 2}\n"
                   "  - {from: 1, to: 2, delay: 2, both: true, count: 3}\n")
        folder, report = self.replay("parallel", ({"kind": "custom", "file": "graph.yaml"}, UNIFORM,
                                                  vcs(2)))
        self.assertRegex(report["routing"], "/")  # with a spread
        links = re.findall(r"\) (link_\w+) \(", (folder / "fabric.sv").read_text())
        self.assertEqual(sorted(links), sorted(
            [f"link_{ends}{number}" for ends in ("000_001", "001_000") for number in ("", "_1")] +
            [f"link_{ends}{number}" for ends in ("001_002", "002_001")
             for number in ("", "_1", "_2")]))

    def test_a_fabric_with_dead_links_and_nodes(self):
        faults = {"links": ["1-4"], "nodes": [8], "traffic": "drop"}
        folder, report = self.replay("faults", (mesh(3, 3), UNIFORM, {**vcs(2), **HOLD}),
                                     faults=faults)
        self.assertRegex(report["routing"], "^lash")
        links = re.findall(r"\) (link_\d+_\d+)", (folder / "fabric.sv").read_text())
        self.assertEqual(len(set(links)), 24 - 2 - 4)
        self.assertNotIn("link_001_004", links)

    def test_small_fabrics_are_clean_and_replay_in_icarus(self):
        for name, case in suite.sample_of(QUICK.items(), 2):
            with self.subTest(name=name):
                self.replay(name, case)

    @suite.campaign
    def test_all_fabrics_are_clean_and_replay_in_both_simulators(self):
        seen = set()
        for name, case in campaign():
            with self.subTest(name=name, fabric=case[2]):
                folder, report = self.replay(name, case)
                if name not in seen:
                    self.assert_passes(folder, report, "verilator")
                seen.add(name)
                print(f"{name} {case[2]}: {report['flits_delivered']} flits", flush=True)

    @suite.campaign
    def test_verilator_replays_with_the_assertions_on(self):
        topology = {"kind": "torus", "dims": [3]}  # with tables, and without open ports
        folder, report, _ = self.export(topology, UNIFORM, {**vcs(2), "buffer_depth": 2})
        self.assert_passes(folder, report, "verilator")

    @suite.needs_synthesis
    def test_yosys_makes_gates_of_it(self):
        folder, _, _ = self.export(mesh(2), PEX, {"buffer_depth": 1})
        done = run(folder, commands(folder)["yosys"])
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)
        self.assertRegex(done.stdout, r"(?s)=== design hierarchy ===.*fabric.*\$_DFF")

    def test_a_difference_is_noticed_and_named(self):
        folder, _, _ = self.export(mesh(3, 2), UNIFORM, {**vcs(2), "buffer_depth": 2})
        deliveries = folder / "replay/deliveries.hex"
        right = deliveries.read_text()
        # The last flit, a cycle later than it comes; a wrong word; another virtual channel.
        *before, last = right.splitlines()
        flit = last.split("_")
        cycle, node, source, packet = (int(field, 16) for field in flit[:4])
        where = rf"FAIL: node {node}, packet {packet} of node {source}, flit \d+ \(tail\): "
        vc, marks = flit[5]
        for changed, words in (
                ([f"{cycle + 1:08x}", *flit[1:]], f"expected in cycle {cycle + 1}, found in cycle {cycle}$"),
                ([f"{cycle - 1:08x}", *flit[1:]], f"expected in cycle {cycle - 1}, found"),
                ([*flit[:-1], "0123456789abcdef"], f"expected in cycle {cycle}, found another one"),
                ([*flit[:5], f"{int(vc) ^ 1}{marks}", flit[6]],
                 f"in cycle {cycle} on virtual channel {vc}, expected on {int(vc) ^ 1}$")):
            with self.subTest(changed=changed):
                lines = sorted([*before, "_".join(changed)], key=lambda line: line[:13])
                deliveries.write_text("\n".join(lines) + "\n")
                self.assert_fails(folder, re.compile(where + words, re.MULTILINE))
        deliveries.write_text(right)

    def test_a_broken_fabric_is_noticed(self):
        """A router, who it is, a wire, a register of a link, an entry of a table, a parameter; outputs
        that are not known."""
        unknown = [("fabric.sv", rf"(assign {output}_o\S* =)[^;]*", r"\1 'x")
                   for output in ("ready", "inject_credit", "eject_valid", "eject_vc", "eject_head",
                                  "eject_tail", "eject_data")]
        for topology, slips in (
                (mesh(4, 2), (("rtl/round_robin_arbiter.sv", r"preferred_q <= passed",
                               "preferred_q <= '0"),
                              ("fabric.sv", r"\.node_i\(16'd3\)", ".node_i(16'd2)"),
                              ("fabric.sv", r"\.Delay\(1\)", ".Delay(2)"),
                              ("rtl/link.sv", r"assign credit_o = credit_i", "assign credit_o = '0"),
                              ("fabric_pkg.sv", r"int Depth = 2", "int Depth = 3"), *unknown)),
                (mesh(3, 2), (("fabric_pkg.sv", r"(Routes_002 =\s+\d+'h..)_..", r"\1_03"),
                              ("rtl/route_rom.sv", r"32'\(destination_i\[", "32'(~destination_i["),
                              ("fabric.sv", r"\.table_port_i\(route_port_001\)",
                               ".table_port_i(route_port_004)")))):
            folder, _, _ = self.export(topology, UNIFORM, {**vcs(2), "buffer_depth": 2})
            for name, old, new in suite.sample_of(slips, 3):
                with self.subTest(broken=name, new=new):
                    file = folder / name
                    text = file.read_text()
                    broken, changes = re.subn(old, new, text, count=1)
                    self.assertEqual(changes, 1)
                    file.write_text(broken)
                    try:
                        self.assert_fails(folder, "FAIL: ")
                    finally:
                        file.write_text(text)

    @suite.campaign
    @suite.needs_synthesis
    def test_the_area_is_that_of_routers_and_links(self):
        """Mapped to cells as flitscope synth does, without flattening."""
        os.environ["FLITSCOPE_CACHE"] = self.path("cache")
        for topology, fabric in ((mesh(4), {"link_delay": {"model": "constant", "cycles": 2}}),
                                 ({"kind": "torus", "dims": [5]}, {**vcs(2), "buffer_depth": 4})):
            with self.subTest(topology=topology):
                folder, _, _ = self.export(topology, UNIFORM, fabric)
                router, = self.report("synth", "config.yaml")["results"]
                network = self.report("topology", "config.yaml")
                links = network["links"]
                of_routers = router["area_um2"] * topology["dims"][0]
                top = self.area(folder, pathlib.Path(router["netlist"]).parent, "fabric", "")
                self.assert_as_fast_as_its_router(folder, router["min_period_ns"])
                link = self.area(folder, pathlib.Path(router["netlist"]).parent, "link",
                                 self.link_parameters(folder))
                self.assertGreater(link, 64 * 90)  # registers for at least a flit
                print(f"\n{top:.0f} um2, and {of_routers:.0f} + {links} x {link:.0f}")
                self.assertAlmostEqual(top / (of_routers + links * link), 1, delta=0.01)
                counted = network["link_registers"]["area_um2"]
                print(f"links counted as {counted:.0f} um2")
                self.assertAlmostEqual(counted / (links * link), 1, delta=0.01)
                self.assertAlmostEqual(network["fabric_area_um2"], of_routers + counted)

    @suite.campaign
    @suite.needs_synthesis
    def test_links_longer_than_those_that_are_synthesized_are_counted_by_their_registers(self):
        os.environ["FLITSCOPE_CACHE"] = self.path("cache")
        for delay, channels, bits in ((9, 1, 64), (12, 2, 64), (17, 1, 128)):
            with self.subTest(delay=delay, channels=channels, bits=bits):
                fabric = {**vcs(channels), "flit_bits": bits, "buffer_depth": 2,
                          "link_delay": {"model": "constant", "cycles": delay}}
                folder, _, _ = self.export(mesh(2), UNIFORM, fabric)
                router, = self.report("synth", "config.yaml")["results"]
                counted = self.report("topology", "config.yaml")["link_registers"]["area_um2"]
                link = self.area(folder, pathlib.Path(router["netlist"]).parent, "link",
                                 self.link_parameters(folder))
                print(f"\n{delay} cycles: counted as {counted / 2:.0f} um2, by yosys {link:.0f}")
                self.assertAlmostEqual(counted / (2 * link), 1, delta=0.01)

    def assert_as_fast_as_its_router(self, folder, router_ns):
        """By OpenSTA, with the constraints of the folder; the longest path is one of a router's."""
        (folder / "timing.tcl").write_text(
            "read_liberty cells.lib\nread_verilog fabric_netlist.v\nlink_design fabric_top\n"
            "source fabric.sdc\nreport_worst_slack -digits 4\n")
        done = subprocess.run(["sta", "-no_init", "-no_splash", "-exit", "timing.tcl"], cwd=folder,
                              text=True, capture_output=True, timeout=TIMEOUT_S)
        self.assertNotRegex(done.stdout + done.stderr, "Error|Warning")
        slack = float(re.search(r"^worst slack ([-\d.]+)$", done.stdout, re.MULTILINE).group(1))
        self.assertAlmostEqual((1 - slack) / router_ns, 1, delta=0.2)  # clock_ns is 1
        print(f"\n{1 - slack:.3f} ns, and {router_ns:.3f}")

    @staticmethod
    def link_parameters(folder):
        delay = re.search(r"\.Delay\((\d+)\)", (folder / "fabric.sv").read_text()).group(1)
        channels = re.search(r"int VirtualChannels = (\d+)",
                             (folder / "fabric_pkg.sv").read_text()).group(1)
        bits = re.search(r"int FlitBits = (\d+)",
                         (folder / "fabric_pkg.sv").read_text()).group(1)
        return (f"-chparam Delay {delay} -chparam VirtualChannels {channels} "
                f"-chparam FlitBits {bits}")

    @suite.needs_synthesis
    def test_a_clock_that_is_too_short_for_the_router_is_named_where_that_is_known(self):
        os.environ["FLITSCOPE_CACHE"] = self.path("cache")
        self.write("config.yaml", machine(mesh(2), UNIFORM, fabric={"buffer_depth": 1}))
        self.assertNotIn("too short", self.ok("export", "config.yaml", "--rtl", "unknown"))
        router, = self.report("synth", "config.yaml")["results"]
        told = self.ok("export", "config.yaml", "--rtl", "known")
        self.assertIn("! clock: 1 ns is too short for the router, which needs "
                      f"{router['min_period_ns']:.2f} ns", told)
        self.assertNotIn("too short", self.ok("export", "config.yaml", "--rtl", "slow", "--set",
                                              "clock_ns=100"))
        # The output depends only on the configuration.
        same = subprocess.run(["diff", "-r", "unknown", "known"], cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual((same.returncode, same.stdout), (0, ""))

    def test_what_has_no_rtl_is_refused(self):
        config = self.write("config.yaml", machine(mesh(2, 4), PEX, fabric={"buffer_depth": 16}))
        for changes, words in (
                (["fabric={topology: {kind: mesh, dims: [2, 4]}, switching: circuit}"], "set up no paths"),
                (["fabric.switching=store_and_forward"], "only wormhole switching"),
                (["fabric.switching=virtual_cut_through"], "only wormhole switching"),
                (["fabric.routing=valiant", "fabric.virtual_channels=2"], "fabric.routing"),
                (["node.port_model=independent", "traffic={schedule: naive}"], "port_model"),
                (["fabric.router={top: theirs}"], "'theirs' is not ours"),
                (["fabric.flit_bits=32"], "at least 64 bits"),
                (["traffic={pattern: uniform}", "steady={}"], "ends with packets under way"),
                (["node.retransmit={}"], "retransmitted packets"),
                (["traffic={}"], "traffic")):
            sets = [word for change in changes for word in ("--set", change)]
            with self.subTest(changes=changes):
                self.refused("export", config, "--rtl", "rtl", *sets, says=[words])
        self.refused("export", config, says=["--rtl"])

    def test_a_folder_is_written_whole_where_nothing_is(self):
        config = self.write("config.yaml", machine(mesh(2, 2), PEX))
        self.write("full/mine", "x")
        self.write("file", "x")
        self.refused("export", config, "--rtl", "full", says=["not empty"])
        self.refused("export", config, "--rtl", "file", says=["a file is in the way"])
        self.refused("export", config, "--rtl", "", says=["needs a name"])
        os.mkdir(self.path("empty"))
        self.ok("export", config, "--rtl", "empty/")
        self.ok("export", config, "--rtl", "new/below/it")
        self.assertTrue(os.path.isfile(self.path("empty", "fabric.sv")))
        self.refused("export", config, "--rtl", "empty", says=["not empty"])
        self.assertEqual({name for name in os.listdir(self.folder) if "." in name}, {"config.yaml"})
        # The same configuration, the same folder.
        same = subprocess.run(["diff", "-r", "empty", "new/below/it"], cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual((same.returncode, same.stdout), (0, ""))

    def test_a_run_that_does_not_complete_leaves_nothing(self):
        before = self.everything()
        done = self.call("export", CONFIGS / "ring_4_deadlock.yaml", "--rtl", "new/rtl")
        self.assertEqual(done.returncode, EXIT_STANDSTILL, done.stderr)
        self.assertEqual(self.everything(), before)

    def test_routers_of_any_kind_are_written_as_rtl(self):
        """The simulator's are the SystemC ones, so nothing has to be verilated."""
        sets = ("--set", "fabric.router=rtl", "--set", "fabric.buffer_depth=13")
        self.write("config.yaml", machine(mesh(2, 2), PEX))
        self.ok("export", "config.yaml", "--rtl", "rtl", *sets)


if __name__ == "__main__":
    main()
