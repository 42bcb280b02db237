# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""RTL routers as a user meets them: cosim, mixed fabrics, inner signals, and what is refused."""
import json
import pathlib
import re

from flitscope_cli import CliTest, EXIT_OK, EXIT_STANDSTILL, machine, main, mesh, smaller, suite, without
from waveform import Values

# Networks whose routers no test needs as RTL: their variants are not among hw/verilated/variants.txt.
NOT_BUILT = ("ghc_8x4_pex.yaml", "how_16_line.yaml", "express_8x8_compound.yaml",
             "express_9x9_shifted.yaml", "express_16x16_hierarchy.yaml", "torus_8x8_folded.yaml",
             "dragonfly.yaml", "how_16_ring_exchange.yaml", "mesh_4x4x8_bounded.yaml",
             "mesh_8x12_bounded.yaml", "torus_8x8_bounded.yaml", "paragon_8x8_bounded.yaml",
             "paragon_8x8_naive.yaml", "semigroup_line.yaml", "semigroup_shifted.yaml",
             "semigroup_compound.yaml", "semigroup_hierarchy.yaml", "semigroup_how.yaml",
             "semigroup_torus.yaml", "fat_tree_64_uniform.yaml", "dragonfly_36_exchange.yaml")
CONFIGS = pathlib.Path(__file__).resolve().parents[3] / "configs"
UNIFORM = {"pattern": "uniform", "injection_rate": 0.2, "message_bytes": 64,
           "warmup_cycles": 50, "measure_cycles": 300}


class Cosim(CliTest):
    def test_shipped_configurations_are_equal(self):
        shipped = [c for c in sorted(CONFIGS.glob("*.yaml")) if "traffic:" in c.read_text()]
        compared = 0
        for config in shipped:
            if "foreign" in config.name:
                continue  # somebody else's router: foreign_router_test.py
            if "faults" in config.name and not suite.TAKES_ALL:
                continue  # verilator takes half a minute: fault_engines_test.cpp has some that are built
            if config.name in ("delta_8x8_pex.yaml", "fat_tree_8_goal.yaml"):
                self.refused("cosim", config, says=["at least 64 bits"])
                continue
            if "switching: circuit" in config.read_text() or "ipsc860" in config.name:
                self.refused("cosim", config, says=["RTL routers set up no paths"])
                continue
            if "port_model:" in config.read_text():
                self.refused("cosim", config, says=["which RTL routers do not have"])
                continue
            if "planes:" in config.read_text():
                self.refused("cosim", config, says=["cosim supports one plane"])
                continue
            if "reply_queue:" in config.read_text():
                self.refused("cosim", config, says=["hand a node all that arrives"])
                continue
            if any(f"routing: {name}" in config.read_text() for name in ("valiant", "ugal")):
                self.refused("cosim", config, says=["route by the destination of a packet only"])
                continue
            if config.name in NOT_BUILT:
                self.refused("cosim", config, "--no-verilate", says=["is not built", "--no-verilate"])
                continue
            quick = smaller(config)
            if "uniform" in config.name:
                quick = ["--set", "traffic.measure_cycles=1000"]
            if "chiplets" in config.name:  # the router that is built, unless all are wanted
                quick = ["--set", "fabric.virtual_channels=2", "--set", "fabric.buffer_depth=4",
                         "--set", "steady.half_width=0.1"][6 * suite.TAKES_ALL:]
            expected = EXIT_STANDSTILL if "deadlock" in config.name else EXIT_OK
            with self.subTest(config=config.name):
                done = self.call("cosim", config, *quick, "--json")
                self.assertEqual(done.returncode, expected, done.stderr)
                self.assertEqual("error: deadlock\n  message " in done.stderr, expected != EXIT_OK)
                report = json.loads(done.stdout)
                self.assertEqual(report["outcome"], "equal")
                self.assertGreater(report["rtl_routers"], 0)
                self.assertGreater(report["flits"], 0)
                self.assertEqual(report["router_cycles"],
                                 report["cycles"] * report["rtl_routers"])
                compared += 1
        self.assertGreater(compared, 5)

    def test_contended_traffic_is_equal(self):
        for traffic in ({"pattern": "hotspot", "hotspot_fraction": 0.5},
                        {"pattern": "transpose"}, {"pattern": "uniform", "injection_rate": 1}):
            self.write("config.yaml", machine(mesh(4, 4), {**UNIFORM, **traffic}))
            with self.subTest(traffic=traffic):
                self.assertEqual(self.report("cosim", "config.yaml")["outcome"], "equal")

    def test_classes_and_speedups_are_equal(self):
        # Of variants that are built: requests and replies in classes of their own, two flits a cycle
        # out of an input port, three of these into the queue of an output port.
        requests = {**UNIFORM, "reply_bytes": 64, "reply_class": "reply", "injection_rate": 0.5}
        for name, fabric, traffic in (
                ("classes", {"virtual_channels": 2, "buffer_depth": 3,
                             "classes": ["request", "reply"]}, requests),
                ("priorities and weights", {
                    "virtual_channels": 4, "buffer_depth": 3, "input_speedup": 2,
                    "classes": ["control", "gold", "silver", "reply"],
                    "class_priorities": [7, 0, 0, 3], "class_weights": [1, 3, 1, 1]},
                 {**without(requests, "message_bytes"), "message_lengths": {8: 2, 64: 1, 72: 1},
                  "length_classes": {8: "control", 64: "gold", 72: "silver"}}),
                ("input", {"virtual_channels": 4, "buffer_depth": 4, "input_speedup": 2},
                 {**UNIFORM, "injection_rate": 1}),
                ("both", {"virtual_channels": 4, "buffer_depth": 3, "input_speedup": 2,
                          "output_speedup": 3}, {**UNIFORM, "injection_rate": 1}),
                ("output", {"virtual_channels": 2, "buffer_depth": 4, "output_speedup": 2,
                            "output_queue": 3}, {**UNIFORM, "pattern": "transpose"})):
            self.write("config.yaml", machine(mesh(4, 4), traffic, fabric=fabric))
            with self.subTest(name):
                report = self.report("cosim", "config.yaml", "--no-verilate")
                self.assertEqual(report["outcome"], "equal")
                self.assertGreater(report["flits"], 1000)

    def test_packets_in_two_orders_are_equal(self):
        requests = {**UNIFORM, "reply_bytes": 64, "reply_class": "reply", "injection_rate": 0.4}
        for topology in (mesh(4, 4), mesh(3, 5)):
            for fabric, traffic in (
                    ({"virtual_channels": 2, "buffer_depth": 4}, {**UNIFORM, "injection_rate": 0.6}),
                    ({"virtual_channels": 4, "buffer_depth": 3, "router_delay": 2, "allocation": "combined",
                      "classes": ["request", "reply"]}, requests)):
                self.write("config.yaml", machine(topology, traffic, fabric={"routing": "o1turn", **fabric}))
                with self.subTest(topology=topology, fabric=fabric):
                    report = self.report("cosim", "config.yaml", "--no-verilate")
                    self.assertEqual(report["outcome"], "equal")
                    self.assertGreater(report["flits"], 1000)
        # The lookup of routes is at pins that others do not have.
        self.refused("cosim", "config.yaml", "--set", "fabric.router={top: theirs}",
                     says=["'theirs' is not ours, and routes by the destination of a packet only"])

    def test_a_run_with_rtl_routers_reports_the_same(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM))
        for override in ("fabric.router=rtl",
                         "fabric.router_overrides=[{nodes: [5], routers: [9], router: rtl}]"):
            plain = self.report("run", "config.yaml")
            rtl = self.report("run", "config.yaml", "--set", override)
            self.assertEqual(plain.pop("rtl_routers"), 0)
            self.assertGreater(rtl.pop("rtl_routers"), 0)
            choice = ("engine", "engine_reason")
            self.assertEqual(without(plain, *choice), without(rtl, *choice))

    def test_inner_signals_are_in_the_waveform(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM))
        overrides = ("--set", "fabric.router_overrides=[{nodes: [5], router: rtl}]",
                     "--set", "waveform.rtl_nodes=[5]", "--set", "waveform.nodes=[5]")
        for name in ("run.vcd", "run.fst"):
            self.ok("run", "config.yaml", *overrides, "--trace", name)
        text = self.read("run.vcd").decode()
        for words in ("$scope module router_005", "$scope module link_005_006", "flit_valid_i"):
            self.assertTrue(words in text, words)
        self.assertTrue("router_005" in self.read("run.vcd.gtkw").decode())

    def test_the_save_file_shows_flits_port_by_port_with_their_headers(self):
        # One message, which passes node 5 from node 4 to node 6.
        self.write("p.csv", "source,destination,bytes,step\n4,7,64,0\n")
        self.write("config.yaml", machine(mesh(4, 4), {"program": "p.csv"}))
        self.ok("run", "config.yaml", "--set", "fabric.router_overrides=[{nodes: [5], router: rtl}]",
                "--set", "waveform.rtl_nodes=[5]", "--trace", "run.vcd")
        saved = self.read("run.vcd.gtkw").decode()
        vcd = Values(self.read("run.vcd").decode())
        self.assertLess(saved.index("-router_005\n"), saved.index("-dimension 0, +\n"))
        for link, side in (("link_004_005", "in"), ("link_005_006", "out")):
            group = saved[saved.index(f": {link}\n"):]
            rows = dict(re.findall(rf"^[#+]\{{{side} \d (\w+)\}} (.*)$",
                                   group[:group.index("@1401200")], re.MULTILINE))
            self.assertEqual(list(rows), ["valid", "head", "tail", "destination", "source",
                                          "sequence", "more", "word", "credit"])
            heads = [t for t in vcd.times if vcd.row_at(rows["head"], t) == 1 and
                     vcd.row_at(rows["valid"], t) == 1]
            self.assertEqual(len(heads), 1)
            self.assertEqual([vcd.row_at(rows[name], heads[0])
                              for name in ("destination", "source", "sequence", "more")], [7, 4, 0, 0])

    def test_memories_are_in_the_waveform_whole(self):
        # A route for each of 64 destinations, and FIFOs of 8 flits.
        self.write("config.yaml", machine(
            {"kind": "torus", "dims": [8, 8]},
            {**UNIFORM, "measure_cycles": 20}, fabric={"virtual_channels": 2}))
        self.ok("run", "config.yaml", "--set", "fabric.router_overrides=[{nodes: [5], router: rtl}]",
                "--set", "waveform.rtl_nodes=[5]", "--set", "waveform.nodes=[5]", "--trace", "run.vcd")
        names = set(re.findall(r"^\$var wire \d+ \S+ (\w+\[\d+\]) ", self.read("run.vcd").decode(),
                               re.MULTILINE))
        for memory, entries in (("entries_q", 64), ("slots_q", 8)):
            self.assertEqual({name for name in names if name.startswith(memory)},
                             {f"{memory}[{i}]" for i in range(entries)})

    def test_what_cannot_be_is_refused(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM))
        for overrides, words in (
                (["fabric.router=rtl", "fabric.buffer_depth=77"],
                 ["router_p5_v1_d77_w64_r1_mesh is not built", "--no-verilate"]),
                (["fabric.router=rtl", "fabric.buffer_depth=1025"], ["at most 1024 flits"]),
                (["fabric.router=rtl", "fabric.flit_bits=32"], ["at least 64 bits"]),
                (["fabric.router_overrides=[{nodes: [16], router: rtl}]"],
                 ["there is no node 16", "0 to 15"]),
                (["fabric.router_overrides=[{routers: [16], router: rtl}]"],
                 ["there is no router '16'", "0 to 15"]),
                (["fabric.virtual_channels=4", "fabric.input_speedup=3"],
                 ["4 virtual channels cannot share 3 inputs of the switch evenly",
                  "fabric.input_speedup: 1, or fabric.virtual_channels: 6"]),
                (["fabric.router={top: theirs}", "fabric.virtual_channels=2",
                  "fabric.input_speedup=2"], ["'theirs' is not ours", "fabric.input_speedup: 1"]),
                (["fabric.virtual_channels=2", "fabric.output_speedup=3"],
                 ["2 virtual channels cannot use 3 outputs of the switch",
                  "fabric.output_speedup: 2, or fabric.virtual_channels: 3"]),
                (["fabric.virtual_channels=4", "fabric.output_speedup=4", "fabric.output_queue=3"],
                 ["fabric.output_queue", "never has room for the 4 that can enter",
                  "set fabric.output_queue: 4 or more"]),
                (["fabric.output_queue=3"],
                 ["output_queue", "only for 'fabric.output_speedup' above 1", "an output speedup of 1"]),
                (["fabric.virtual_channels=2", "fabric.output_speedup=2",
                  "fabric.switch_arbitration=per_packet"],
                 ["per_packet is not defined for several", "switch_arbitration: round_robin"]),
                (["fabric.virtual_channels=2", "fabric.output_speedup=2",
                  "fabric.allocation=combined"],
                 ["offered the same virtual channel", "fabric.allocation: sequential"]),
                (["fabric.virtual_channels=2", "fabric.output_speedup=2", "faults.links=[0-1]",
                  "faults.at=100"], ["what is lost of a queue behind the switch", "faults.at: 0"]),
                (["fabric.router={top: theirs}", "fabric.virtual_channels=2",
                  "fabric.output_speedup=2"], ["'theirs' is not ours", "fabric.output_speedup: 1"]),
                (["fabric.router={top: theirs}", "fabric.virtual_channels=2",
                  "fabric.classes=[a, b]", "traffic.reply_bytes=8", "traffic.reply_class=b"],
                 ["only the RTL router of flitscope keeps message classes apart"]),
                (["waveform.rtl_nodes=[3]"], ["the router of node 3 is not RTL"]),
                (["fabric.router={top: nobodys}"],
                 ["nobodys_p5_v1_d8", "{top: nobodys, sources: [nobodys.sv]}"])):
            sets = [word for override in overrides for word in ("--set", override)]
            for command in ("run", "check", "cosim"):
                if command == "cosim" and "waveform" in overrides[0]:
                    continue  # makes them all RTL
                with self.subTest(command=command, overrides=overrides):
                    self.refused(command, "config.yaml", "--no-verilate", *sets, says=words)

    def test_ways_out_are_those_of_the_command(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM))
        narrow = ("--set", "fabric.flit_bits=32")
        self.refused("run", "config.yaml", "--set", "fabric.router=rtl", *narrow,
                     says=["use the SystemC router, or set fabric.flit_bits: 64 or more"])
        # Which routers are compared is not for the configuration to say.
        says = self.refused("cosim", "config.yaml", *narrow, says=["set fabric.flit_bits: 64 or more"])
        self.assertNotIn("use the SystemC router", says)

    def test_routers_of_a_single_port_are_refused_by_all(self):
        one = {"kind": "hypercube", "dimensions": 0}
        self.write("config.yaml", machine(one, UNIFORM))
        for command in (["run", "--set", "fabric.router=rtl"], ["cosim"], ["synth"],
                        ["export", "--rtl", "rtl"]):
            self.refused(command[0], "config.yaml", *command[1:],
                         says=["RTL routers have at least 2 ports"])

    def test_a_variant_that_is_missing_leaves_nothing_behind(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM))
        self.refused("run", "config.yaml", "--no-verilate", "--set", "fabric.router=rtl",
                     "--set", "fabric.buffer_depth=77", "--trace", "run.vcd", "--out", "out")


if __name__ == "__main__":
    main()
