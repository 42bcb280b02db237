# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Networks with dead links and nodes: what is left carries all traffic, reports are of what is left,
messages of dead nodes are refused or dropped and counted, and what cannot be is refused in words."""
import json
import resource

from flitscope_cli import CliTest, TIMEOUT_S, machine, main, mesh

MESH = mesh(4, 4)
UNIFORM = {"pattern": "uniform", "injection_rate": 0.2, "message_bytes": 24, "warmup_cycles": 0,
           "measure_cycles": 2000}


class Faults(CliTest):
    def config(self, faults, traffic=None, **sections):
        return self.write("config.yaml",
                          machine(MESH, traffic or {"schedule": "pex"}, faults=faults, **sections))

    def test_reports_are_of_what_is_left(self):
        config = self.config({"links": ["1-2", "link_005_006"], "nodes": [15], "traffic": "drop"})
        whole = self.report("topology", config, "--set", "faults={random_links: 0}")
        left = self.report("topology", config)
        self.assertEqual((whole["nodes"], left["nodes"]), (16, 15))
        self.assertEqual((whole["channels"], left["channels"]), (24, 24 - 2 - 2))
        self.assertEqual(left["bisection_method"], "cut")
        self.assertGreater(left["average_distance"], 0)
        self.assertNotIn("faults", whole)
        faults = left["faults"]
        self.assertEqual(faults["failed_links"], ["1-2", "5-6"])
        self.assertEqual(faults["failed_nodes"], [15])
        self.assertAlmostEqual(faults["longer_share"],
                               faults["route_hops"]["mean"] / faults["fault_free_route_hops"]["mean"] - 1)
        for command in ("run", "check", "topology"):
            self.assertRegex(self.ok(command, config), r"faults +2 channels \(4 links\) dead, 1 node dead; "
                             r"paths of [a-z_/]+ are .* hops on average and .* at most, those of "
                             r"dimension_order without the faults ")
        self.assertIn("! what is left with faults: config",
                      self.ok("compare", config))

    def test_a_link_that_is_dead_carries_nothing(self):
        config = self.config({"links": ["5-6"]})
        self.ok("run", config, "--out", "out")
        links = {row["link"] for row in self.read_csv("out", "links.csv")}
        self.assertEqual(len(links), 48 - 2)
        self.assertNotIn("link_005_006", links)
        # The configuration that is written has the same faults.
        self.assertEqual(self.report("run", "out/config.yaml")["faults"]["failed_links"], ["5-6"])

    def test_messages_of_dead_nodes_are_refused_by_name(self):
        for traffic, key in ((UNIFORM, "uniform"), ({"schedule": "pex"}, "pex"),
                             ({"schedule": "broadcast"}, "broadcast")):
            error = self.refused("run", self.config({"nodes": [3]}, traffic))
            self.assertRegex(error, rf"node \d+ of .*{key} is dead")
            self.assertIn("faults.traffic: drop", error)
        self.write("program.csv", "source,destination,bytes,step\n0,3,8,0\n1,2,8,1\n")
        self.assertIn("node 3 of", self.refused("run", self.config({"nodes": [3]},
                                                                   {"program": "program.csv"})))

    def test_dropped_messages_of_a_pattern_are_counted(self):
        report = self.run_report(machine(MESH, UNIFORM, faults={"nodes": [3], "traffic": "drop"}))
        dropped = report["messages_to_failed_nodes_dropped"]
        # One in 15 messages of the 15 nodes, of 4 flits each, goes to the dead one.
        generated = report["measured_messages"] + dropped
        self.assertAlmostEqual(generated / (15 * 2000 * 0.2 / 4), 1, delta=0.1)
        self.assertAlmostEqual(dropped / generated, 1 / 15, delta=0.02)
        self.assertEqual(report["nodes"], 15)
        # Neither engine changes what is drawn, and a permutation is exact: 1 sends to 4 and 4 to 1.
        for engine in ("cycle", "tlm"):
            again = self.report("run", "config.yaml", "--engine", engine)
            self.assertEqual(again["messages_to_failed_nodes_dropped"], dropped)
        transpose = {**UNIFORM, "pattern": "transpose", "arrivals": "periodic"}
        report = self.run_report(machine(MESH, transpose, faults={"nodes": [4], "traffic": "drop"}))
        self.assertEqual(report["messages_to_failed_nodes_dropped"], 100)  # 2000 x 0.2 / 4
        self.assertEqual(report["sending_nodes"], 16 - 4 - 2)
        self.assertEqual(report["messages_delivered"], 100 * (16 - 4 - 2))

    def test_dropped_messages_of_a_steady_pattern_are_those_of_the_measurement(self):
        uniform = {"pattern": "uniform", "injection_rate": 0.1, "message_bytes": 16}
        self.write("config.yaml", machine(MESH, uniform, faults={"nodes": [5], "traffic": "drop"},
                                          steady={"half_width": 0.1, "max_cycles": 100000}))
        counted = []
        for warmup in (0, 20000):
            report = self.report("run", "config.yaml", "--set", f"steady.warmup={warmup}")
            steady = report["steady"]
            dropped = report["messages_to_failed_nodes_dropped"]
            kept = steady["offered_flits"] / 3
            self.assertAlmostEqual(dropped / (dropped + kept), 1 / 15, delta=0.01)
            counted.append((dropped, steady["measured_cycles"]))
        self.assertNotEqual(*counted)
        # If all is dropped, not a cycle is simulated; drawn messages are still counted.
        self.write("matrix.csv", "0,1,0,0\n" + "0,0,0,0\n" * 3)
        report = self.run_report(machine(
            mesh(2, 2), {"pattern": "matrix", "matrix": "matrix.csv", "injection_rate": 0.01,
                         "message_bytes": 8},
            faults={"nodes": [1], "traffic": "drop"}, steady={"max_cycles": 50000}))
        self.assertEqual(report["messages_delivered"], 0)
        self.assertGreater(report["messages_to_failed_nodes_dropped"], 0)

    def test_a_source_that_reaches_nobody_ends_with_the_run(self):
        # All that it would send is dropped, for longer than anybody waits: nothing runs ahead.
        matrix = [[0] * 4 for _ in range(4)]
        matrix[0][1] = matrix[2][3] = 1
        self.write("matrix.csv", "\n".join(",".join(map(str, row)) for row in matrix) + "\n")
        config = machine(mesh(2, 2), {"pattern": "matrix", "matrix": "matrix.csv",
                                      "injection_rate": 0.5, "message_bytes": 8,
                                      "warmup_cycles": 0, "measure_cycles": 2_000_000_000},
                         faults={"nodes": [1], "traffic": "drop"}, limits={"max_cycles": 3000})
        self.write("config.yaml", config)
        done, seconds = self.call_with(resource.RLIM_INFINITY, "run", "config.yaml", "--json")
        self.assertLess(seconds, TIMEOUT_S / 4)
        report = json.loads(done.stdout)
        self.assertAlmostEqual(report["messages_to_failed_nodes_dropped"] / (3000 * 0.5 / 2), 1,
                               delta=0.15)

    def test_programs_go_on_without_messages_of_dead_nodes(self):
        dead = {"nodes": [3], "traffic": "drop"}
        report = self.run_report(machine(MESH, {"schedule": "pex"}, faults=dead))
        self.assertEqual(report["messages_delivered"], 15 * 14)
        self.assertEqual(report["messages_of_failed_nodes_dropped"], 2 * 15)
        self.assertIn("30 of failed nodes dropped", self.ok("run", "config.yaml"))
        self.assertIn("30 of failed nodes dropped", self.ok("schedule", "config.yaml"))
        # 2 waits for 1, which comes from the dead node, and begins at once; numbers stay.
        self.write("program.csv", "id,source,destination,bytes,time,after\n"
                   "10,0,3,8,0,\n11,3,2,8,5,10\n12,2,1,8,20,11\n13,1,0,8,0,12\n")
        config = self.config(dead, {"program": "program.csv"})
        self.ok("run", config, "--out", "out", "--messages")
        rows = self.read_csv("out", "messages.csv")
        self.assertEqual([(row["message"], row["source"]) for row in rows],
                         [("12", "2"), ("13", "1")])
        self.assertEqual(int(rows[0]["sent"]), 20)
        self.assertGreater(int(rows[1]["sent"]), int(rows[0]["delivered"]))

    def test_programs_that_cannot_do_without_are_refused(self):
        for traffic in ({"schedule": "broadcast"}, {"schedule": "recursive-exchange"},
                        {"schedule": "scatter", "algorithm": "binomial"},
                        {"schedule": "allreduce"}):
            self.refused("run", self.config({"nodes": [3], "traffic": "drop"}, traffic),
                         says=["cannot be dropped", "pass on what they receive"])
        for schedule, why in (("halo-2d", "its ranks wait for what others send"),
                              ("semigroup", "nodes compute with what they receive")):
            self.refused("check", self.config({"nodes": [3], "traffic": "drop"}, {"schedule": schedule}),
                         says=["cannot be dropped", why])
        self.write("program.csv", "id,source,destination,bytes,time,after,streams\n"
                   "1,3,2,80,0,,0\n2,2,1,80,0,1,1\n")
        self.refused("run", self.config({"nodes": [3], "traffic": "drop"},
                                        {"program": "program.csv"},
                                        node={"port_model": "independent"}),
                     says=["message 2 streams the flits of message 1, which node 3 sends"])

    def test_what_cannot_be_is_refused(self):
        for faults, *says in (
                ({"links": ["0-1", "0-4"]}, "node 0 and the other 15", "links 0-1, 0-4"),
                ({"nodes": [1, 4]}, "node 0 and the other 13", "nodes 1, 4"),
                ({"links": ["0-5"]}, "no link joins nodes 0 and 5"),
                ({"links": ["one"]}, "names no link"),
                ({"nodes": [16]}, "node 16 does not exist"),
                ({"random_links": 10, "keep_connected": True}, "at most 9 can"),
                ({"random_nodes": 16, "keep_connected": True}, "at most 15 can"),
                ({"random_links": 25}, "25 channels are to fail", "at most 24"),
                ({"random_links": -1}, "a whole number, or a share"),
                ({"random_nodes": 1.5}, "a whole number, or a share"),
                ({"random_nodes": 1.0}, "all nodes have failed"),
                ({"traffic": "lose"}, "unknown word 'lose'", "refuse, drop"),
                ({"links": ["0-1"], "at": 100, "traffic": "drop"}, 
                 "nodes that fail later send messages until then"),
                ({"links": ["0-1", "0-4"], "at": 100}, "node 0 and the other 15"),
                ({"links": ["0-1"], "at": -1}, "'faults.at' must be an integer from 0"),
                ({"link": ["0-1"]}, "unknown key 'link'", "links"),
                ([], "faults")):
            with self.subTest(faults=faults):
                self.write("config.yaml", json.dumps(
                    {"fabric": {"topology": MESH}, "traffic": {"schedule": "pex"},
                     "faults": faults}))
                self.refused("run", "config.yaml", says=says)
        config = self.config({"links": ["0-1"]})
        for routing in ("dimension_order", "west_first", "valiant"):
            self.refused("run", config, "--set", f"fabric.routing={routing}", "--set",
                         "fabric.virtual_channels=2", says=["cannot route around them"])
        config = self.write("config.yaml", json.dumps(
            {"fabric": {"topology": MESH}, "faults": {"nodes": [6]},
             "interconnect": {"initiators": [0], "targets": [
                 {"node": 6, "base": 0, "size": 4096}]}}))
        self.refused("check", config, says=["a target is at node 6, which has failed"])
        self.ok("check", config, "--set", "faults.nodes=[7]")

    def test_what_dies_while_a_program_runs_is_lost_and_listed(self):
        config = self.config({"links": ["5-6"], "nodes": [9], "at": 300},
                             {"schedule": "gen", "message_bytes": 400})
        done = self.call("run", config, "--json", "--out", "out")
        self.assertEqual(done.returncode, 1, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report["status"], "failed")
        losses = report["losses"]
        self.assertTrue(losses["faults_active"])
        self.assertGreater(losses["packets_lost"], 0)
        self.assertGreaterEqual(losses["flits_lost"], losses["packets_lost"])
        missing = report["messages_expected"] - report["messages_delivered"]
        self.assertIn(f"{missing} of 240 messages were not delivered", report["problems"][0])
        self.assertTrue(any("never arrived" in text for text in report["problems"]))
        self.assertEqual(report["faults"]["at"], 300)
        self.assertEqual(report["routing"], "dimension_order")
        self.assertEqual(report["faults"]["failed_nodes"], [9])
        # The same again from what was written, and nothing of it by an engine that cannot.
        again = self.call("run", "out/config.yaml", "--json")
        self.assertEqual(json.loads(again.stdout)["losses"], losses)
        self.refused("run", config, "--engine", "tlm", says=["cannot drop flits"])
        self.refused("explain", config, says=["explain does not support lost or retransmitted packets"])
        self.refused("run", config, "--set", "fabric.router=rtl", says=["RTL routers can neither"])
        text = self.call("run", config).stdout
        self.assertRegex(text, r"faults +from cycle 300 on: 1 channel \(2 links\) dead, 1 node "
                         "dead; paths of")
        self.assertRegex(text, r"lost +\d+ packets under way in cycle 300, with \d+ flits")
        self.assertRegex(text, r"lower bound +none: the network changes")
        self.assertRegex(self.ok("check", config), r"none in that of [\w/]+ from cycle 300 on")

    def test_what_is_lost_is_sent_again(self):
        config = self.config({"links": ["5-6"], "at": 300},
                             {"schedule": "gen", "message_bytes": 400},
                             node={"retransmit": {"timeout": 2000, "tries": 2}})
        report = self.report("run", config)
        self.assertEqual(report["messages_delivered"], 240)
        self.assertGreater(report["losses"]["packets_lost"], 0)
        self.assertGreaterEqual(report["losses"]["packets_sent_again"],
                                report["losses"]["packets_lost"])
        self.assertIn("were suppressed", self.ok("run", config))
        # Too soon: much arrives twice, and is reported once.
        report = self.report("run", config, "--set", "node.retransmit.timeout=10", "--set",
                             "faults.links=[]")
        self.assertGreater(report["losses"]["duplicates_suppressed"], 0)
        self.assertEqual(report["messages_delivered"], 240)

    def test_a_limit_behind_the_last_delivery_changes_nothing(self):
        # Nodes would wait for acknowledgements that have come, up to the limit.
        config = self.write("config.yaml", machine(
            MESH, {"schedule": "naive", "message_bytes": 100},
            node={"retransmit": {"timeout": 1000, "tries": 1}}))
        figures = []
        for limit in (1_000_000, 700, 400):
            report = self.report("run", config, "--set", f"limits.max_cycles={limit}", "--trace",
                                 "run.vcd")
            stamps = [line for line in self.read("run.vcd").splitlines() if line.startswith(b"#")]
            figures.append([report[key] for key in ("cycles", "simulated_cycles",
                                                    "link_utilization")] + [stamps[-1]])
        self.assertEqual(figures[1:], figures[:1] * 2)
        self.assertLess(figures[0][1], 400)

    def test_links_are_never_busier_than_always(self):
        self.write("program.csv", "source,destination,bytes,step\n0,1,8000,0\n")
        config = self.write("config.yaml", machine(mesh(2), {"program": "program.csv"},
                                                   node={"retransmit": {"timeout": 1, "tries": 1}}))
        report = self.report("run", config, "--out", "out")
        self.assertEqual(report["losses"]["packets_sent_again"], 1)
        self.assertGreater(report["simulated_cycles"], 1.9 * report["cycles"])
        use = report["link_utilization"]
        self.assertEqual((use["from"], use["until"]), (0, report["simulated_cycles"]))
        (row, _) = self.read_csv("out", "links.csv")
        self.assertAlmostEqual(float(row["utilization"]), use["max"], 5)
        self.assertAlmostEqual(use["max"], int(row["flits"]) / report["simulated_cycles"], 6)
        self.assertGreater(use["max"], 0.9)
        self.assertLessEqual(use["max"], 1)

    def test_losses_need_packets_and_one_channel(self):
        config = self.config({"links": ["5-6"], "at": 300}, {"schedule": "gen"})
        for says, *settings in (
                ("circuits do not support links that fail", "fabric.switching=circuit"),
                ("only network interfaces with one channel", "node.port_model=independent",
                 "node.retransmit={}"),
                ("circuits have no packets to retransmit", "fabric.switching=circuit",
                 "node.retransmit={}"),
                ("one channel per link", "node.port_model=independent")):
            sets = [word for setting in settings for word in ("--set", setting)]
            self.refused("run", config, *sets, says=[says])
        steady = self.config({"links": ["5-6"], "at": 300},
                             {"pattern": "uniform", "message_bytes": 64}, steady={})
        self.refused("run", steady, says=["a network that changes during the run has no steady state"])
        # Without the section, too: these commands measure until the network is steady.
        later = self.config({"links": ["5-6"], "at": 300},
                            {"pattern": "uniform", "message_bytes": 64})
        for command in (("saturate",), ("curve", "--rates", "0.1")):
            self.refused(command[0], later, *command[1:],
                         says=["config.yaml:1:", "a network that changes during the run has no steady state"])

    def test_nodes_that_died_are_told_of_beside_what_was_lost(self):
        config = self.config({"nodes": [5], "at": 500}, {**UNIFORM, "injection_rate": 0.3})
        done = self.call("run", config, "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(json.loads(done.stdout)["problems"][0],
                         r"\d+ packets were lost under way, \d+ discarded at their source, "
                         r"and 1 node failed before it had finished$")
        done = self.call("run", config, "--json", "--set", "node.retransmit={}")
        self.assertRegex(json.loads(done.stdout)["problems"][0],
                         r"lost under way \(packets were retransmitted \d+ times\), ")

    def test_packets_on_a_new_path_may_overtake_those_on_the_old_one(self):
        self.write("program.csv", "id,source,destination,bytes,time\n"
                                  "0,2,8,2000,0\n1,0,5,8,5\n2,0,5,8,60\n")
        config = self.write("config.yaml", machine(mesh(3, 3), {"program": "program.csv"},
                                                   faults={"links": ["0-1"], "at": 50}))
        report = self.report("run", config, "--messages", "--out", "out")
        self.assertEqual((report["status"], report["messages_delivered"]), ("complete", 3))
        arrived = {row["message"]: int(row["delivered"])
                   for row in self.read_csv("out", "messages.csv")}
        self.assertLess(arrived["2"], arrived["1"])

    def test_a_network_that_can_deadlock_once_links_have_died_is_not_called_free(self):
        config = self.config({"links": ["5-6"], "at": 100},
                             {**UNIFORM, "injection_rate": 1, "message_bytes": 200,
                              "measure_cycles": 20000},
                             fabric={"routing": "shortest_path", "buffer_depth": 1})
        allowed = ("--set", "fabric.allow_deadlock=true")
        checked = self.report("check", config, *allowed)
        self.assertFalse(checked["deadlock_free"])
        self.assertIn("link_001_002 -> ", checked["dependency_cycle"])
        self.assertIn(f"CYCLE from cycle 100 on: {checked['dependency_cycle']}", self.ok("check", config, *allowed))
        self.assertFalse(self.report("topology", config)["deadlock_free"])
        self.assertIn("shortest_path (CAN DEADLOCK from cycle 100 on): ", self.ok("topology", config))
        table = self.ok("compare", config)
        self.assertIn("! can deadlock: config", table)
        self.assertIn("! the whole network, before its faults: config", table)
        self.assertNotIn("what is left", table)
        self.refused("run", config, says=["the routing can deadlock from cycle 100 on (faults.at): packets "
                                          f"may wait in the dependency cycle {checked['dependency_cycle']}"])
        done = self.call("run", config, *allowed, "--json")
        self.assertEqual(json.loads(done.stdout)["status"], "deadlock")
        whole = self.report("check", config, "--set", "faults.links=[0-1]", *allowed)
        self.assertTrue(whole["deadlock_free"])

    def test_graph_files_are_not_written_with_dead_nodes(self):
        config = self.config({"nodes": [3], "links": ["0-1"], "traffic": "drop"})
        self.refused("topology", config, "--export", "left.yaml", says=["node 3 has failed"])
        self.ok("topology", config, "--export", "left.json", "--draw", "left.svg")
        self.assertEqual(json.loads(self.read("left.json"))["failed_nodes"], [3])
        self.assertIn(b"15 nodes, 21 channels", self.read("left.svg"))
        # With only links it is a graph like any other.
        self.ok("topology", config, "--set", "faults.nodes=[]", "--export", "left.yaml")
        again = self.report("topology", config, "--set", "faults={random_links: 0}", "--set",
                            "fabric.topology={kind: custom, file: left.yaml}")
        self.assertEqual(again["channels"], 23)


if __name__ == "__main__":
    main()
