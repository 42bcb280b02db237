# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The TLM engine gives the files and reports of the cycle engine, or refuses with the key named;
auto says what it took and why."""
import json
import pathlib

from flitscope_cli import (CliTest, EXIT_OK, EXIT_STANDSTILL, machine, main, mesh, smaller, suite, without,
                           without_wall_clock)
from waveform import check_vcd, fst_to_vcd

CONFIGS = pathlib.Path(__file__).resolve().parents[3] / "configs"
RTL = ("mesh_4x4_foreign.yaml", "mesh_8x8_mixed.yaml")  # not for the TLM engine
# Their virtual channels do.
TAKE_TURNS = ("hypercube", "tornado", "semigroup_compound", "semigroup_torus")
HOLD = ["fabric.switch_arbitration=per_packet"]
QUICK = ["traffic.warmup_cycles=50", "traffic.measure_cycles=500"]
UNIFORM = {"pattern": "uniform", "injection_rate": 0.2, "message_bytes": 64,
           "warmup_cycles": 50, "measure_cycles": 300}


def sets(overrides):
    return [word for override in overrides for word in ("--set", override)]


def shipped():
    """The configurations that the TLM engine can run, with what each needs for that."""
    for config in sorted(CONFIGS.glob("*.yaml")):
        text = config.read_text()
        if "traffic:" not in text or "port_model:" in text or config.name in RTL:
            continue
        if any(key in text for key in ("switching: circuit", "machine: ipsc860", "classes:",
                                       "routing: ugal", "planes:")):
            continue
        if any(name in config.name for name in TAKE_TURNS):
            yield config, HOLD
        elif "uniform" in config.name:
            yield config, QUICK
        else:
            yield config, smaller(config)[1:]


class Engines(CliTest):
    def run_engine(self, engine, config, overrides, trace):
        """Exit code, report, standard error; the files are in the folder named as the engine."""
        done = self.call("run", config, *sets(overrides), "--engine", engine, "--json", "--out",
                         engine, "--trace", f"{engine}/run.{trace}")
        lines = [line for line in without_wall_clock(done.stdout)
                 if not line.strip().startswith(('"engine"', '"engine_reason"'))]
        return done.returncode, lines, done.stderr

    def assert_equal(self, config, *overrides, code=EXIT_OK, trace="vcd"):
        """Runs both engines; returns the report of the TLM engine."""
        cycle = self.run_engine("cycle", config, overrides, trace)
        tlm = self.run_engine("tlm", config, overrides, trace)
        self.assertEqual(cycle[0], code, cycle[2])
        self.assertEqual(tlm, cycle)
        names = sorted(p.name for p in pathlib.Path(self.path("cycle")).iterdir())
        self.assertEqual(names, sorted(p.name for p in pathlib.Path(self.path("tlm")).iterdir()))
        self.assertLessEqual({"links.csv", f"run.{trace}", f"run.{trace}.gtkw"}, set(names))
        for name in names:
            if name != "summary.json":
                same = self.read("cycle", name) == self.read("tlm", name)
                self.assertTrue(same, f"{name} differs")
        report = json.loads(self.read("tlm", "summary.json"))
        self.assertEqual(report["engine"], "tlm")
        self.assertEqual(json.loads(self.read("cycle", "summary.json"))["engine"], "cycle")
        return report

    def test_shipped_configurations_leave_the_same_files(self):
        compared = 0
        for config, overrides in suite.sample_of(shipped(), 20):
            with self.subTest(config=config.name):
                code = EXIT_STANDSTILL if "deadlock" in config.name else EXIT_OK
                report = self.assert_equal(config, *overrides, code=code)
                self.assertGreater(report["messages_delivered"], 0)
                if report["flit_hops"] > 0:  # else there is nothing but one router
                    check_vcd(self, self.read("tlm", "run.vcd").decode())
                compared += 1
        self.assertGreaterEqual(compared, 20)

    def test_variants_leave_the_same_files(self):
        pex = CONFIGS / "mesh_8x8_pex.yaml"
        uniform = CONFIGS / "mesh_16x16_uniform.yaml"
        smaller = ["fabric.topology.dims=[6, 6]", *QUICK]
        for config, *overrides in (
                (pex, *HOLD, "fabric.virtual_channels=2"),
                (pex, *HOLD, "fabric.virtual_channels=4", "fabric.buffer_depth=3"),
                (pex, "traffic.barrier=true", "node.send_overhead=20", "node.recv_overhead=7"),
                (pex, "node.packet_bytes=48", "node.injection_bandwidth=2/5"),
                (pex, "fabric.buffer_depth=1"),
                (CONFIGS / "mesh_8x8_broadcast.yaml", "node.injection_bandwidth=1", "waveform.nodes=[27]"),
                (CONFIGS / "hypercube_6_gen.yaml", *HOLD, "fabric.virtual_channels=2",
                 "waveform.endpoints=true"),
                (uniform, *smaller, "fabric.link_delay={model: linear, reach: 1}",
                 "fabric.router_delay=3", "waveform.endpoints=true"),
                (uniform, *smaller, *HOLD, "fabric.virtual_channels=4",
                 "traffic.injection_rate=0.9"),
                (uniform, *smaller, "traffic.pattern=hotspot", "traffic.injection_rate=0.5"),
                (uniform, *smaller, "fabric.switching=virtual_cut_through",
                 "fabric.buffer_depth=30", "traffic.injection_rate=0.5"),
                (uniform, *smaller, "fabric.switching=store_and_forward",
                 "fabric.buffer_depth=20", "fabric.combining_delay=5"),
                (uniform, *smaller, "fabric.routing=odd_even", "traffic.injection_rate=0.5"),
                (uniform, *smaller, *HOLD, "fabric.virtual_channels=2",
                 "fabric.routing=minimal_adaptive", "fabric.allocation=combined"),
                (uniform, *smaller, "waveform.from=200", "waveform.until=300")):
            with self.subTest(config=config.name, overrides=overrides):
                report = self.assert_equal(config, *overrides)
                self.assertEqual(report["status"], "complete")

    def test_the_compressed_waveform_is_the_same(self):
        self.assert_equal(CONFIGS / "mesh_8x8_broadcast.yaml", trace="fst")
        check_vcd(self, fst_to_vcd(self.path("tlm", "run.fst")))

    def test_runs_in_which_nothing_is_sent_leave_the_same_files(self):
        self.write("empty.csv", "source,destination,bytes,step\n")
        for config in (machine(mesh(1), {"schedule": "pex", "message_bytes": 64}),
                       machine(mesh(3, 3), {"program": "empty.csv"}),
                       machine(mesh(3, 3), {**UNIFORM, "injection_rate": 1e-9})):
            for trace in ("vcd", "fst"):
                report = self.assert_equal(self.write("config.yaml", config), trace=trace)
                self.assertEqual(report["simulated_cycles"], 0)

    def test_a_limit_in_the_middle_cuts_both_alike(self):
        # In the middle of bursts, while all assemble packets, before the first flit.
        for name, limits in (("mesh_8x8_pex.yaml", (1, 93, 94, 2000)),
                             ("mesh_8x8_broadcast.yaml", (1, 40, 230, 231, 1000)),
                             ("mesh_4x4_program.yaml", (1, 100, 155)),
                             ("ring_4_deadlock.yaml", (2, 300, 500))):
            for limit in limits:
                with self.subTest(config=name, limit=limit):
                    report = self.assert_equal(CONFIGS / name, f"limits.max_cycles={limit}",
                                               code=EXIT_STANDSTILL)
                    self.assertEqual(report["status"], "timeout")
                    self.assertEqual(report["simulated_cycles"], limit)

    def test_a_deadlock_is_told_alike(self):
        # Also if the last flits are still on their way when nothing is left to happen.
        for overrides in ([], ["fabric.buffer_depth=2"], ["fabric.router_delay=9"],
                          ["fabric.router_delay=12", "node.packet_bytes=32"],
                          ["fabric.virtual_channels=2", "fabric.routing=shortest_path", *HOLD]):
            with self.subTest(overrides=overrides):
                report = self.assert_equal(CONFIGS / "ring_4_deadlock.yaml", *overrides,
                                           code=EXIT_STANDSTILL)
                self.assertEqual(report["status"], "deadlock")
                self.assertRegex(report["problems"][0], "waits for link_|holds link_")

    def test_a_limit_at_the_end_does_not_matter(self):
        config = CONFIGS / "mesh_8x8_broadcast.yaml"
        cycles = self.report("run", config)["cycles"]
        for more in (0, 1, 5):
            report = self.assert_equal(config, f"limits.max_cycles={cycles + more}")
            self.assertEqual(report["cycles"], cycles)

    def test_what_tlm_cannot_do_exactly_is_refused_with_the_key(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM))
        for overrides, words in (
                (["fabric.virtual_channels=2"],
                 ["--set fabric.virtual_channels=2", "fabric.switch_arbitration: per_packet"]),
                (["fabric.virtual_channels=2", "fabric.switch_arbitration=round_robin"],
                 ["fabric.virtual_channels", "fabric.switch_arbitration: per_packet"]),
                (["fabric.virtual_channels=2", "fabric.switch_arbitration=per_packet",
                  "fabric.input_speedup=2"],
                 ["one input of the switch per port", "fabric.input_speedup: 1"]),
                (["fabric.virtual_channels=2", "fabric.output_speedup=2"],
                 ["one output of the switch per port", "fabric.output_speedup: 1"]),
                (["fabric.router=rtl"], ["--set fabric.router=rtl", "--engine cycle"]),
                (["fabric.router_overrides=[{nodes: [5], router: rtl}]"],
                 ["--set fabric.router_overrides", "--engine cycle"]),
                (["fabric.router_overrides=[{nodes: [5], router: rtl}]", "waveform.rtl_nodes=[5]"],
                 ["--set fabric.router_overrides", "--engine cycle"]),
                (["fabric.switching=circuit"],
                 ["--set fabric.switching=circuit", "--engine cycle",
                  "fabric.switching: wormhole"]),
                (["fabric.switching=store_and_forward", "fabric.buffer_depth=1"],
                 ["--set fabric.buffer_depth=1", "set fabric.buffer_depth: "]),
                (["waveform.rtl_nodes=[3]"], ["waveform.rtl_nodes", "the router of node 3 is not RTL"])):
            with self.subTest(overrides=overrides):
                self.refused("run", "config.yaml", *sets(overrides), "--engine", "tlm", "--out",
                             "out", "--trace", "run.vcd", says=words)

    def test_every_engine_is_listed_with_what_it_refuses(self):
        engines = {e["name"]: e for e in json.loads(self.ok("list", "--json"))["engines"]}
        self.assertEqual(list(engines), ["cycle", "tlm", "auto"])
        self.assertNotIn("refuses", engines["cycle"])
        self.assertIn("circuits", engines["tlm"]["refuses"])
        self.assertIn("refuses circuits, ", self.ok("list"))
        for engine in engines.values():
            self.assertIn(engine["name"], self.ok("run", "--help"))
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM))
        self.refused("run", "config.yaml", "--engine", "quick", says=["--engine", "quick", "tlm"])

    def test_a_switching_method_other_than_wormhole_is_named(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM))
        self.assertEqual(self.report("run", "config.yaml")["switching"], "wormhole")
        store = sets(["fabric.switching=store_and_forward", "fabric.combining_delay=5",
                      "fabric.buffer_depth=64"])
        self.assertEqual(self.report("run", "config.yaml", *store)["switching"],
                         "store_and_forward")
        for command in ("run", "check"):
            self.assertNotIn("wormhole", self.ok(command, "config.yaml"))
            self.assertIn(", store and forward, combining delay 5\n",
                          self.ok(command, "config.yaml", *store))

    def test_auto_takes_the_quick_engine_where_it_is_exact(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM))
        asked = self.report("run", "config.yaml", "--engine", "tlm")
        self.assertEqual(asked["engine_reason"], "")
        for overrides, engine, words in (
                ([], "tlm", "fabric.buffer_depth 8 >= c + d = 3"),
                (["fabric.buffer_depth=3"], "tlm", "fabric.buffer_depth 3 >= c + d = 3"),
                (["fabric.buffer_depth=2"], "cycle", "fabric.buffer_depth 2 < c + d = 3"),
                (["fabric.link_delay=4"], "cycle", "fabric.buffer_depth 8 < c + d = 9"),
                (["traffic.message_bytes=8"], "cycle", "packets have 2 flits"),
                (["traffic={schedule: pex, message_bytes: 0}"], "cycle", "packets have 1 flit:"),
                (["traffic.message_bytes=16"], "tlm", "worms stream"),
                (["traffic.message_bytes=64", "node.packet_bytes=8"], "cycle",
                 "packets have 2 flits"),
                (["traffic.message_bytes=8", "traffic.reply_bytes=64"], "tlm", "worms stream"),
                (["fabric.virtual_channels=2"], "cycle", "take turns on a link flit by flit"),
                (["fabric.virtual_channels=2", "traffic={schedule: pex, message_bytes: 4088}"],
                 "cycle", "take turns on a link flit by flit"),
                (["fabric.virtual_channels=2", "traffic.message_bytes=32", *HOLD], "tlm", "exact"),
                (["fabric.virtual_channels=2", "traffic.message_bytes=24", *HOLD], "cycle",
                 "packets have 4 flits"),
                (["fabric.switching=store_and_forward", "fabric.buffer_depth=64"], "tlm",
                 "packets do not stop on a link"),
                (["fabric.routing=odd_even", "traffic.message_bytes=72"], "tlm", "worms stream"),
                (["fabric.routing=odd_even"], "cycle", "packets have 9 flits"),
                (["fabric.virtual_channels=2", *HOLD], "tlm", "exact")):
            with self.subTest(overrides=overrides):
                report = self.report("run", "config.yaml", *sets(overrides))
                self.assertEqual(report["engine"], engine)
                self.assertIn(words, report["engine_reason"])
                checked = json.loads(self.ok("check", "config.yaml", "--json", *sets(overrides)))
                self.assertEqual(checked["engine"], engine)
                self.assertEqual(checked["engine_reason"], report["engine_reason"])
                for command in ("run", "check"):
                    text = self.ok(command, "config.yaml", *sets(overrides))
                    line = [l for l in text.splitlines() if l.startswith("  engine  ")]
                    self.assertEqual(len(line), 1, text)
                    self.assertEqual(line[0].split()[1], engine)
                    self.assertIn(report["engine_reason"], line[0])
        load = json.loads(self.ok("check", "config.yaml", "--json"))["load"]
        self.assertEqual(load["from_node"], 0.2)
        self.assertLess(load["over_links_taken"], load["over_link"])
        # If paths are chosen on the way, no link's load is known.
        load = json.loads(self.ok("check", "config.yaml", "--json", "--set",
                                  "fabric.routing=odd_even"))["load"]
        self.assertEqual((load["over_link"], load["over_links_taken"]), (None, None))
        report = self.report("run", "config.yaml", "--engine", "auto")
        self.assertEqual(without(report, "engine_reason"), without(asked, "engine_reason"))


if __name__ == "__main__":
    main()
