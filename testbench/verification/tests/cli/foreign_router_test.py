# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Somebody else's router behind the pins of ours: it works, costs the cycles that hw/rtl/README.md
states, and is not taken for ours."""
import json
import pathlib
import re

from flitscope_cli import CliTest, EXIT_FAILED, EXIT_OK, EXIT_STANDSTILL, machine, main, mesh, suite

ROOT = pathlib.Path(__file__).resolve().parents[4]
CONFIG = ROOT / "testbench/configs/mesh_4x4_foreign.yaml"
README = ROOT / "hw/rtl/README.md"
LINE_NODES = 8
FOREIGN = {"top": "valid_ready_router", "protocol": "valid_ready"}
LONG_FLITS = 1001  # header and 8,000 bytes


LINKS = {"credits": (), "valid_ready": ("--set", "fabric.link_protocol=valid_ready",
                                        "--set", "fabric.buffer_depth=2")}


def stated(what, protocol):
    """The number in the row `what` of a table of the README, for links with that protocol."""
    numbers = re.search(rf"^\| {what} \| (\d+) \| (\d+) \|$", README.read_text(), re.MULTILINE)
    return int(numbers[1 + list(LINKS).index(protocol)])


class ForeignRouter(CliTest):
    def latency(self, foreign, size, source=0, destination=LINE_NODES - 1, links=()):
        """Cycles of one message on an empty line where the nodes of `foreign` are foreign."""
        self.write("one.csv", "source,destination,bytes,step\n"
                   f"{source},{destination},{size},0\n")
        routers = [{"nodes": foreign, "router": FOREIGN}] if foreign else []
        config = self.write("config.yaml", machine(mesh(1, LINE_NODES), {"program": "one.csv"}))
        report = self.report("run", config, "--set",
                             f"fabric.router_overrides={json.dumps(routers)}", *links)
        self.assertEqual(report["status"], "complete")
        self.assertEqual(report["rtl_routers"], len(foreign))
        self.assertEqual(report["messages_delivered"], 1)
        return report["latency"]["max"]

    def test_the_shipped_configuration_runs_under_contention(self):
        report = self.report("run", CONFIG)
        self.assertEqual(report["status"], "complete")
        self.assertEqual(report["rtl_routers"], 4)
        self.assertEqual(report["messages_delivered"], report["messages_expected"])
        ours = self.report("run", CONFIG, "--set", "fabric.router_overrides=[]")
        self.assertEqual(report["flit_hops"], ours["flit_hops"])
        # It is contended: packets wait for longer than an empty network takes.
        self.assertGreater(report["latency"]["mean"], 1.2 * self.empty_mesh_latency())

    def test_flits_inside_a_foreign_router_are_not_lost_when_a_run_is_cut(self):
        for cycles in (100, 1000, 2000):
            with self.subTest(cycles=cycles):
                done = self.call("run", CONFIG, "--set", f"limits.max_cycles={cycles}")
                self.assertEqual(done.returncode, EXIT_STANDSTILL, done.stdout)
                self.assertNotIn("took", done.stdout)
        steady = json.loads(self.ok("run", self.steady(), "--json"))
        self.assertEqual(steady["steady"]["status"], "stable")

    def steady(self):
        text = CONFIG.read_text().replace("  warmup_cycles: 200\n  measure_cycles: 2000\n", "")
        self.write("steady.yaml", text.replace("0.4", "0.2") + "steady: {half_width: 0.1}\n")
        return "steady.yaml"

    def empty_mesh_latency(self):
        return self.report("run", CONFIG, "--set", "traffic.injection_rate=0.01")["latency"]["mean"]

    def test_a_fifo_that_seems_to_hold_more_than_fit_is_marked_in_the_waveform(self):
        trace = ("--set", "waveform.details=true", "--set", "waveform.nodes=[5]", "--trace")
        self.ok("run", CONFIG, *trace, "run.vcd")
        vcd = self.read("run.vcd").decode()
        codes = re.findall(r"\$var wire 5 (\S+) buffered \[4:0\]", vcd)
        self.assertEqual(len(codes), 8)  # the links of node 5
        most = max(int(digits, 2) for digits, code in re.findall(r"(?m)^b([01]+) (\S+)$", vcd)
                   if code in codes)
        self.assertEqual(most, 9)  # the FIFO's 8, and the register of an output
        self.assertRegex(self.read("run.vcd.buffered").decode(), r"\A9 \?\w+\?9 of 8\n\Z")
        self.assertIn("@2024\n^1 run.vcd.buffered\n+{link_004_005 buffered} ",
                      self.read("run.vcd.gtkw").decode())
        self.ok("run", CONFIG, "--set", "fabric.router_overrides=[]", *trace, "ours.vcd")
        self.assertIn(" buffered [3:0] ", self.read("ours.vcd").decode())
        self.assertNotIn("ours.vcd.buffered", self.everything())

    def test_more_load_than_the_network_takes_is_delivered(self):
        for router in ("systemc", FOREIGN):  # for the twelve nodes around
            with self.subTest(router=router):
                report = self.report("run", CONFIG, "--set", "traffic.injection_rate=1",
                                     "--set", f"fabric.router={json.dumps(router)}")
                self.assertEqual(report["status"], "complete")
                self.assertEqual(report["messages_delivered"], report["messages_expected"])

    def test_every_foreign_router_adds_the_cycles_that_are_stated(self):
        everywhere = list(range(LINE_NODES))
        for protocol, links in LINKS.items():
            added = stated("additional cycles per such router", protocol)
            for size in (0, 64):
                ours = self.latency([], size, links=links)
                for count in range(1, LINE_NODES + 1):
                    self.assertEqual(self.latency(everywhere[:count], size, links=links),
                                     ours + added * count)
                self.assertEqual(self.latency([0, 3, 4, 7], size, links=links), ours + added * 4)
                self.assertEqual(self.latency([2], size, LINE_NODES - 1, 0, links), ours + added)
                self.assertEqual(self.latency([0], size, 2, links=links),
                                 self.latency([], size, 2, links=links), "a router off the path")

    def test_a_message_takes_the_cycles_that_are_stated(self):
        text = " ".join(README.read_text().split())
        ours, theirs, wired = (int(number) for number in re.search(
            r"takes (\d+) cycles through eight built-in routers with `credits`, and (\d+) through eight "
            r"of these; with `valid_ready` (\d+) through either", text).groups())
        everywhere = list(range(LINE_NODES))
        self.assertEqual((self.latency([], 64), self.latency(everywhere, 64)), (ours, theirs))
        for foreign in ([], everywhere):
            self.assertEqual(self.latency(foreign, 64, links=LINKS["valid_ready"]), wired)

    def test_a_long_message_streams_at_the_rate_that_is_stated(self):
        everywhere = list(range(LINE_NODES))
        for protocol, links in LINKS.items():
            head = self.latency(everywhere, 0, links=links)
            tail = self.latency(everywhere, 8000, links=links)
            self.assertEqual((LONG_FLITS - 1) / (tail - head),
                             stated("flits per cycle of a long message", protocol))

    def test_links_with_valid_and_ready_deliver_under_contention(self):
        for depth in suite.sample_of((2, 1, 5), 1):  # routers of the first one are built
            for routers in ((), ("--set", f"fabric.router={json.dumps(FOREIGN)}")):
                with self.subTest(depth=depth, routers=routers):
                    report = self.report("cosim", CONFIG, "--delivery", *LINKS["valid_ready"],
                                         "--set", f"fabric.buffer_depth={depth}",
                                         "--set", "traffic.injection_rate=1", *routers)
                    self.assertEqual(report["outcome"], "equal")
                    self.assertRegex(report["rtl_variant"], "_valid_ready_direct$")

    @suite.campaign
    def test_longer_links_have_register_slices(self):
        everywhere = list(range(LINE_NODES))
        links = (*LINKS["valid_ready"], "--set", "fabric.link_delay=3")
        self.assertEqual(self.latency(everywhere, 8000, links=links),
                         self.latency([], 8000, links=links))

    def test_a_router_with_virtual_channels_and_a_table_is_for_any_network(self):
        theirs = {"top": "valid_ready_table_router", "protocol": "valid_ready", "routes": "table"}
        traffic = {"pattern": "uniform", "injection_rate": 0.6, "message_bytes": 40,
                   "warmup_cycles": 100, "measure_cycles": 1000}
        for topology in ({"kind": "torus", "dims": [3, 4]}, mesh(3, 3),
                         {"kind": "hypercube", "dimensions": 4}):
            for protocol in LINKS:
                with self.subTest(topology=topology, protocol=protocol):
                    self.write("config.yaml", machine(topology, traffic, fabric={
                        "virtual_channels": 2, "buffer_depth": 3, "router": theirs,
                        "link_protocol": protocol}))
                    report = self.report("cosim", "config.yaml", "--delivery", "--no-verilate")
                    self.assertEqual(report["outcome"], "equal")
                    self.assertGreater(report["flits"], 1000)

    def test_cosim_names_the_first_cycle_and_link_that_differ(self):
        done = self.call("cosim", CONFIG, "--json")
        self.assertEqual(done.returncode, EXIT_FAILED, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report["outcome"], "different")
        difference = report["difference"]
        # A link out of a foreign router: there our head leaves a cycle earlier.
        self.assertRegex(difference["channel"], r"^link_0(05|06|09|10)_\d{3}$")
        self.assertIn("sends head", difference["systemc"])
        self.assertIn("idle", difference["rtl"])
        text = self.call("cosim", CONFIG).stdout
        self.assertIn(f"cycle {difference['cycle']}, {difference['channel']}", text)

    def test_cosim_compares_what_is_delivered_whatever_the_timing(self):
        report = self.report("cosim", CONFIG, "--delivery")
        self.assertEqual((report["outcome"], report["differences"]), ("equal", []))
        self.assertTrue(report["order_compared"])
        for side, overrides in (("rtl", ()), ("systemc", ("--set", "fabric.router_overrides=[]"))):
            run = self.report("run", CONFIG, *overrides)
            self.assertEqual(report["packets"], run["messages_delivered"])
            self.assertEqual(report["flits"], run["flits_delivered"])
            self.assertEqual(report[side]["cycles"], run["cycles"])
            self.assertEqual(report[side]["latency"], run["latency"])
        self.assertIn(f"RTL routers       makespan {report['rtl']['cycles']:,} cycles",
                      self.ok("cosim", CONFIG, "--delivery"))
        self.refused("cosim", CONFIG, "--delivery", "--trace", "a.vcd", says=["--delivery excludes --trace"])
        self.refused("cosim", self.steady(), "--delivery", says=["steady", "other messages", "steady=none"])
        done = self.call("cosim", CONFIG, "--delivery", "--set", "limits.max_cycles=100")
        self.assertEqual(done.returncode, EXIT_STANDSTILL, done.stdout)

    def test_a_template_is_a_router_at_once(self):
        """Of a ring with tables, two virtual channels, hold and combined allocation; ours is in it."""
        config = self.write("ring.yaml", machine(
            {"kind": "torus", "dims": [4]}, {"pattern": "uniform", "injection_rate": 0.4, "message_bytes": 40,
                                             "warmup_cycles": 10, "measure_cycles": 300},
            fabric={"virtual_channels": 2, "buffer_depth": 3, "switch_arbitration": "per_packet",
                    "allocation": "combined"}))
        self.write("mine.sv", self.ok("export", config, "--router-template", "mine"))
        mine = ("--set", "fabric.router={top: mine, sources: [mine.sv]}")
        report = self.report("cosim", config, *mine, "--delivery")
        self.assertEqual((report["outcome"], report["rtl_routers"]), ("equal", 4))
        self.assertEqual(report["rtl_variant"], "mine_p3_v2_d3_w64_r1_table4_hold_combined")
        self.assertEqual(report["rtl"]["cycles"], report["systemc"]["cycles"])
        self.refused("export", config, "--router-template", "2much", says=["no digit"])
        self.refused("export", config, "--router-template", "mine", "--set", "fabric.input_speedup=2",
                     says=["'mine' is not ours", "fabric.input_speedup: 1"])

    def test_a_template_has_the_pins_of_its_protocol(self):
        """Of each, with headers beside the flits and a parameter of its own; routers of flitscope are in them."""
        ring = {"kind": "torus", "dims": [4]}
        cases = [(mesh(2, 2), 2, {"header_bits": 64}, "mesh_valid_ready_direct"),
                 (ring, 2, {"routes": "table", "header_bits": 16}, "table4_valid_ready_direct"),
                 (mesh(2, 2), 1, {}, "mesh_valid_ready_direct"),
                 (mesh(3), 1, {"routes": "table"}, "table4_valid_ready_direct")]
        for topology, channels, more, way in suite.sample_of(cases, 2):
            with self.subTest(topology=topology, channels=channels, more=more):
                bits = more.pop("header_bits", 0)
                config = self.write("config.yaml", machine(
                    topology, {"pattern": "uniform", "injection_rate": 0.5, "message_bytes": 40,
                               "warmup_cycles": 10, "measure_cycles": 300},
                    fabric={"virtual_channels": channels, "buffer_depth": 2, "link_protocol": "valid_ready",
                            "header_bits": bits, "router_parameters": {"OwnDepth": 3},
                            "router": {"top": "mine", "sources": ["mine.sv"], "protocol": "valid_ready", **more}},
                    node={"header_flits": 0 if bits else 1}))
                text = self.ok("export", config, "--router-template", "mine")
                self.write("mine.sv", text)
                self.assertIn("parameter int OwnDepth = 3,", text)
                self.assertEqual(f"bits {bits - 1}:0 of all data the header" in text, bits != 0)
                self.assertIn("sources: [mine.sv], protocol: valid_ready"
                              + (", routes: table}" if more else "}"), text)
                report = self.report("cosim", config, "--delivery")
                self.assertEqual(report["outcome"], "equal")
                ports = 5 if topology == mesh(2, 2) else 3
                self.assertEqual(report["rtl_variant"], f"mine_p{ports}_v{channels}_d2_w{64 + bits}_r1_{way}")
                self.assertGreater(report["flits"], 500)

    def test_the_same_traffic_without_foreign_routers_is_equal(self):
        self.assertEqual(self.call("cosim", CONFIG, "--set",
                                   "fabric.router_overrides=[{nodes: [5, 6, 9, 10], router: rtl}]"
                                   ).returncode, EXIT_OK)

    def test_a_library_that_is_not_built_is_named(self):
        self.refused("run", CONFIG, "--set", "fabric.buffer_depth=3", "--no-verilate",
                     says=("valid_ready_router_p5_v1_d3_w64_r1_mesh_valid_ready is not built",
                           "--no-verilate"))

    def test_what_coordinates_do_not_say_is_refused(self):
        for topology in ("{kind: mesh, dims: [3, 3]}", "{kind: hypercube, dimensions: 4}"):
            self.refused("run", CONFIG, "--set", f"fabric.topology={topology}",
                         "--set", "fabric.router_overrides=[{nodes: [5], router: {top: "
                         "valid_ready_router, protocol: valid_ready}}]",
                         says=("fabric.router_overrides", "sides are powers of two", "routes: table"))
        self.refused("run", CONFIG, "--set", "fabric.router={top: mine, routes: table}",
                     says=("told by parameters", "protocol: valid_ready"))
        self.refused("run", CONFIG, "--set", "fabric.router={top: router, protocol: valid_ready}",
                     says=("'router' is the router of flitscope", "write fabric.router: rtl"))
        self.refused("run", CONFIG, "--set", "fabric.router=rtl",
                     says=(":8:5", "RTL routers of one kind", "rtl and {top: valid_ready_router"))


if __name__ == "__main__":
    main()
