# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope verify: what it compares, what it leaves out, what it refuses. That it notices
differences is shown in verify_test.cpp, since the engines have none."""
import json
import pathlib
import signal

from flitscope_cli import (CliTest, EXIT_INTERRUPTED, EXIT_OK, EXIT_STANDSTILL, TIMEOUT_S, machine,
                           main, mesh)

CONFIGS = pathlib.Path(__file__).resolve().parents[3] / "configs"
UNIFORM = {"pattern": "uniform", "injection_rate": 0.2, "message_bytes": 64,
           "warmup_cycles": 50, "measure_cycles": 300}
HOLD = ("--set", "fabric.switch_arbitration=per_packet")
RTL = ("--set", "fabric.router_overrides=[{nodes: [5, 9], router: rtl}]")


class Verify(CliTest):
    def verified(self, *arguments, code=EXIT_OK):
        done = self.call("verify", *arguments, "--json")
        self.assertEqual(done.returncode, code, done.stderr)
        report = json.loads(done.stdout)
        self.assertIs(report["equal"], True)
        self.assertIsNone(report["difference"])
        return report

    def test_engines_are_equal_and_what_was_compared_is_counted(self):
        for arguments in ((CONFIGS / "mesh_8x8_pex.yaml",),
                          (CONFIGS / "mesh_8x8_broadcast.yaml",),
                          (CONFIGS / "hypercube_6_gen.yaml", *HOLD)):
            with self.subTest(arguments=arguments):
                report = self.verified(*arguments)
                run = self.report("run", *arguments, "--engine", "cycle")
                self.assertEqual(report["outcome"], "equal")
                self.assertEqual(report["status"], "complete")
                self.assertEqual([e["engine"] for e in report["engines"]], ["cycle", "tlm"])
                for engine in report["engines"]:
                    self.assertIs(engine["available"], True)
                    self.assertEqual(engine["reason"], "")
                    self.assertEqual(engine["cycles"], run["cycles"])
                    self.assertGreater(engine["wall_seconds"], 0)
                compared = report["compared"]
                self.assertEqual(compared["flit_hops"], run["flit_hops"])
                self.assertEqual(compared["channels"], run["links"] + 2 * run["nodes"])
                self.assertGreaterEqual(compared["packets"], run["messages_delivered"])
                self.assertGreater(compared["busy_intervals"], compared["packets"])

    def test_counts_of_one_message_are_exact(self):
        self.write("p.csv", "source,destination,bytes,step\n0,2,64,0\n")
        self.write("config.yaml", machine(mesh(3), {"program": "p.csv"}))
        # Injection, two links, ejection, one interval of nine flits each.
        self.assertEqual(self.verified("config.yaml")["compared"],
                         {"packets": 1, "channels": 10, "busy_intervals": 4, "flit_hops": 18})

    def test_runs_in_which_nothing_is_sent_take_no_cycle_on_any_engine(self):
        self.write("empty.csv", "source,destination,bytes,step\n")
        for name, config in (
                ("one node", machine(mesh(1), {"schedule": "pex", "message_bytes": 64})),
                ("an empty program", machine(mesh(4, 4), {"program": "empty.csv"})),
                ("nothing drawn", machine(mesh(3, 3), {**UNIFORM, "injection_rate": 1e-9}))):
            with self.subTest(traffic=name):
                self.write("config.yaml", config)
                report = self.verified("config.yaml")
                self.assertEqual(report["status"], "complete")
                self.assertEqual(report["compared"]["packets"], 0)
                self.assertEqual([e["simulated_cycles"] for e in report["engines"]], [0, 0])

    def test_unfinished_runs_are_compared_too(self):
        ring = CONFIGS / "ring_4_deadlock.yaml"
        report = self.verified(ring, code=EXIT_STANDSTILL)
        self.assertEqual(report["status"], "deadlock")
        self.assertIn("error: deadlock\n  message ", self.call("verify", ring).stderr)
        report = self.verified(ring, "--set", "limits.max_cycles=300", code=EXIT_STANDSTILL)
        self.assertEqual([e["simulated_cycles"] for e in report["engines"]], [300, 300])
        self.assertEqual(report["status"], "timeout")

    def test_a_deadlock_beside_traffic_that_goes_on_is_the_same(self):
        # The search that ends such a run early finds it in a cycle that depends on the engine.
        self.write("graph.yaml", "nodes: 6\nlinks:\n" + "".join(
            f"  - {{from: {a}, to: {b}}}\n" for a, b in ((0, 1), (1, 2), (2, 3), (3, 0))) +
            "  - {from: 0, to: 4, both: true}\n  - {from: 4, to: 5, both: true}\n")
        self.write("p.csv", "source,destination,bytes,time\n4,5,1000000,0\n" + "".join(
            f"{n},{(n + 2) % 4},4096,0\n" for n in range(4)))
        self.write("config.yaml", machine({"kind": "custom", "file": "graph.yaml"},
                                          {"program": "p.csv"}, fabric={"allow_deadlock": True}))
        report = self.verified("config.yaml", code=EXIT_STANDSTILL)
        self.assertEqual(report["status"], "deadlock")
        self.assertEqual(report["compared"]["packets"], 1)

    def test_rtl_routers_leave_tlm_out_and_are_compared_with_systemc(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM))
        cycle, systemc, tlm = self.verified("config.yaml", *RTL)["engines"]
        self.assertEqual((cycle["engine"], cycle["rtl_routers"]), ("cycle", 2))
        self.assertEqual((systemc["engine"], systemc["rtl_routers"]), ("systemc", 0))
        self.assertEqual(systemc["cycles"], cycle["cycles"])
        self.assertEqual((tlm["engine"], tlm["available"], tlm["cycles"]), ("tlm", False, None))
        self.assertIn("fabric.router_overrides", tlm["reason"])
        self.assertIn("no RTL routers", tlm["reason"])
        text = self.ok("verify", "config.yaml", *RTL)
        self.assertRegex(text, r"engine tlm +left out: .*no RTL routers")
        self.assertRegex(text, r"engine systemc +[\d,]+ cycles in")

    def test_credits_under_way_at_the_limit_are_no_cycles_of_a_complete_run(self):
        self.write("config.yaml", machine(mesh(4, 4), {"schedule": "broadcast", "message_bytes": 40}))
        cycles = self.report("run", "config.yaml")["cycles"]
        for limit in range(cycles, cycles + 4):
            report = self.verified("config.yaml", *RTL, "--set", f"limits.max_cycles={limit}")
            self.assertEqual({engine["cycles"] for engine in report["engines"][:2]}, {cycles})

    def test_a_foreign_router_is_different_and_the_place_is_named(self):
        done = self.call("verify", CONFIGS / "mesh_4x4_foreign.yaml", "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("the engines differ", done.stderr)
        report = json.loads(done.stdout)
        self.assertIs(report["equal"], False)
        found = report["difference"]
        self.assertEqual(found["engine"], "systemc")
        self.assertGreater(found["cycle"], 0)
        self.assertRegex(found["subject"], r"^link_\d+_\d+$|^eject_\d+$")
        self.assertNotEqual(found["reference"], found["found"])
        text = self.call("verify", CONFIGS / "mesh_4x4_foreign.yaml").stdout
        self.assertIn(f"cycle {found['cycle']}, {found['subject']}", text)
        self.assertIn(found["reference"], text)
        self.assertIn(found["found"], text)

    def test_where_nothing_can_be_compared_the_configuration_is_refused(self):
        self.refused("verify", CONFIGS / "hypercube_6_gen.yaml",
                     says=["hypercube_6_gen.yaml:5:", "nothing to compare",
                           "fabric.switch_arbitration: per_packet"])
        says = self.refused("verify", CONFIGS / "hypercube_5_aap_circuit.yaml",
                            says=["nothing to compare the cycle engine with",
                                  "fabric.switching: wormhole"])
        self.assertNotIn("--engine", says)  # which verify has not

    def test_bad_configurations_are_refused(self):
        self.write("config.yaml", machine(mesh(4, 4), UNIFORM))
        self.refused("verify", "nowhere.yaml", says=["nowhere.yaml"])
        self.refused("verify", "config.yaml", "--set", "fabric.bufer_depth=4",
                     says=["did you mean 'fabric.buffer_depth'?"])
        self.refused("verify", "config.yaml", "--trace", "run.vcd", says=["--trace"])
        self.refused("verify", CONFIGS / "ring_4_deadlock.yaml", "--set",
                     "fabric.allow_deadlock=false", says=["can deadlock"])
        self.refused("verify", "config.yaml", "--no-verilate", "--set", "fabric.router=rtl", "--set",
                     "fabric.buffer_depth=77", says=["router_p5_v1_d77_w64_r1_mesh is not built"])

    def test_the_text_says_engines_counts_and_result(self):
        text = self.ok("verify", CONFIGS / "mesh_8x8_pex.yaml")
        self.assertTrue(text.startswith("pex: equal\n"))
        self.assertRegex(text, r"engine cycle +9,103 cycles in [\d.]+ s, the reference")
        self.assertRegex(text, r"engine tlm +9,103 cycles in [\d.]+ s, [\d.]+ times as fast")
        self.assertIn("4,032 packets", text)
        self.assertIn("352 channels, 709,632 flit-hops", text)
        self.assertIn("complete, makespan 9,103 cycles, on all engines", text)

    def test_it_can_be_interrupted(self):
        self.write("config.yaml", machine(mesh(4, 4), {**UNIFORM, "measure_cycles": 10**9},
                                          limits={"max_cycles": 10**12}))
        with open(self.path("stderr"), "wb") as err, open(self.path("stdout"), "wb") as out:
            process = self.start("verify", "config.yaml", "--json", "--progress", stdout=out, stderr=err)
            self.wait_until(lambda: b"%" in self.read("stderr"), lambda: self.read("stderr"), process)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=TIMEOUT_S), EXIT_INTERRUPTED)
        report = json.loads(self.read("stdout"))
        self.assertEqual(report["outcome"], "interrupted")
        self.assertIs(report["equal"], False)
        self.assertIsNone(report["difference"])


if __name__ == "__main__":
    main()
