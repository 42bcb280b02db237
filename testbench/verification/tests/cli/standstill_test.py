# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Deadlock: refused when it is possible, told in full when it happens; and time-outs.

A one-way ring without virtual channels has one cycle of channels. In a naive exchange of messages
longer than a buffer every node sends first to its successor, then two links ahead: there all wait
for each other."""
import json
import re

from flitscope_cli import CliTest, EXIT_STANDSTILL, EXIT_USAGE, machine, main, mesh
from waveform import check_vcd


def ring(nodes):
    return "nodes: %d\nlinks:\n" % nodes + "".join(
        f"  - {{from: {n}, to: {(n + 1) % nodes}}}\n" for n in range(nodes))


def links_of_ring(nodes):
    return {f"link_{n:03}_{(n + 1) % nodes:03}" for n in range(nodes)}


NAIVE = {"schedule": "naive", "message_bytes": 4096}


class Standstill(CliTest):
    def ring_machine(self, nodes, traffic=None, **fabric):
        self.write("ring.yaml", ring(nodes))
        self.write("config.yaml", machine({"kind": "custom", "file": "ring.yaml"},
                                          traffic or NAIVE, fabric=fabric))
        return "config.yaml"

    def stopped(self, *arguments):
        """A run that comes to no end: exit code, report and standard error."""
        done = self.call("run", *arguments, "--json")
        self.assertEqual(done.returncode, EXIT_STANDSTILL, done.stderr)
        return json.loads(done.stdout), done.stderr

    def test_a_routing_that_can_deadlock_is_refused_with_the_cycle_named(self):
        for nodes in (4, 5):
            error = self.refused("run", self.ring_machine(nodes), "--json", "--out", "out",
                                 "--trace", "run.vcd",
                                 says=["config.yaml:1:", "allow_deadlock", "can deadlock"])
            named = re.findall(r"link_\d+_\d+", error)
            self.assertEqual(set(named), links_of_ring(nodes))
            self.assertEqual(named[0], named[-1])
            for a, b in zip(named, named[1:]):  # each channel ends where the next one begins
                self.assertEqual(a.split("_")[2], b.split("_")[1])

    def test_check_names_the_cycle_too(self):
        done = self.call("check", self.ring_machine(4))
        self.assertEqual(done.returncode, EXIT_USAGE)
        self.assertEqual(set(re.findall(r"link_\d+_\d+", done.stderr)), links_of_ring(4))
        config = self.ring_machine(4, allow_deadlock=True)
        report = self.report("check", config)
        self.assertIs(report["deadlock_free"], False)
        self.assertEqual(set(report["dependency_cycle"].split(" -> ")), links_of_ring(4))

    def test_topology_says_whether_deadlock_is_possible(self):
        self.assertIs(self.report("topology", self.ring_machine(4))["deadlock_free"], False)
        self.write("mesh.yaml", machine(mesh(4, 4), NAIVE))
        self.assertIs(self.report("topology", "mesh.yaml")["deadlock_free"], True)

    def test_messages_are_called_by_the_numbers_of_their_file(self):
        """Where one in front of them was left out, and where the file gives numbers."""
        far = [(n, (n + 2) % 4) for n in range(4)]  # which all wait for each other
        for column, first, rows in (("", 1, ["0,0,8,0"]), ("id,", 70, [])):
            rows = rows + [(f"{first + n}," if column else "") + f"{a},{b},4096,0"
                           for n, (a, b) in enumerate(far)]
            self.write("far.csv", "\n".join([column + "source,destination,bytes,step", *rows, ""]))
            config = self.ring_machine(4, {"program": "far.csv", "self": "drop"}, allow_deadlock=True)
            wanted = {(first + n, a, b) for n, (a, b) in enumerate(far)}
            report, _ = self.stopped(config)
            self.assertEqual(report["status"], "deadlock")
            told = re.findall(r"message (\d+) \(node (\d+) to node (\d+)", "\n".join(report["problems"]))
            self.assertEqual({tuple(map(int, words)) for words in told}, wanted)
            # Those that never arrived, in a run that is cut short.
            report, _ = self.stopped(config, "--set", "limits.max_cycles=3")
            self.assertEqual(report["status"], "timeout")
            told = re.findall(r"waits in step 1 for message (\d+) from", "\n".join(report["problems"]))
            self.assertEqual({int(number) for number in told}, {number for number, *_ in wanted})
            told = re.findall(r"message (\d+) from node (\d+) to node (\d+) \(step 1\) never",
                              "\n".join(report["problems"]))
            self.assertEqual({tuple(map(int, words)) for words in told}, wanted)

    def test_a_program_without_steps_is_told_without_them(self):
        rows = [f"{n},{(n + 2) % 4},4096,0" for n in range(4)]
        self.write("timed.csv", "\n".join(["source,destination,bytes,time", *rows, ""]))
        config = self.ring_machine(4, {"program": "timed.csv"}, allow_deadlock=True)
        for status, more in (("deadlock", ()), ("timeout", ("--set", "limits.max_cycles=3"))):
            report, _ = self.stopped(config, *more)
            self.assertEqual(report["status"], status)
            self.assertNotIn("step", "\n".join(report["problems"]))
        self.assertIn("node 0 is sending", report["problems"])
        self.assertIn("message 0 from node 0 to node 2 never arrived", report["problems"])

    def test_the_ring_deadlocks_and_the_wait_cycle_is_printed(self):
        for nodes in (4, 5):
            with self.subTest(nodes=nodes):
                config = self.ring_machine(nodes, allow_deadlock=True)
                report, error = self.stopped(config)
                self.assertEqual(report["status"], "deadlock")
                self.assertLess(report["messages_delivered"], report["messages_expected"])
                self.assertEqual(report["messages_expected"], nodes * (nodes - 1))
                told = "\n".join(report["problems"])
                held = set(re.findall(r"holds (link_\d+_\d+)", told))
                wanted = set(re.findall(r"waits for (link_\d+_\d+)", told))
                self.assertEqual(held, links_of_ring(nodes))  # channels, each with its holder ...
                self.assertEqual(wanted, links_of_ring(nodes))  # ... and with one who waits for it
                packets = re.findall(r"message (\d+) \(node (\d+) to node (\d+)", told)
                self.assertGreaterEqual(len(set(packets)), 2)
                for message, source, destination in packets:
                    self.assertEqual(int(message), int(source) * (nodes - 1) +
                                     (int(destination) - int(source)) % nodes - 1)
                for problem in report["problems"]:
                    self.assertIn(problem, error)

    def test_a_cycle_of_requests_and_replies_is_named_node_by_node(self):
        self.write("config.yaml", machine(
            mesh(4, 4), {"pattern": "uniform", "message_bytes": 64, "reply_bytes": 64,
                         "reply_queue": 1, "injection_rate": 0.9, "measure_cycles": 3000},
            fabric={"buffer_depth": 2, "allow_deadlock": True}))
        report, error = self.stopped("config.yaml")
        self.assertEqual(report["status"], "deadlock")
        told = report["problems"]
        full = [re.search(r"waits for eject_(\d+), whose request queue is full$", problem)
                for problem in told]
        self.assertGreater(sum(found is not None for found in full), 0, told)
        for found, after in zip(full, told[1:] + told[:1]):
            if found is None:
                continue
            node = int(found[1])  # ... which waits to send what is before its reply
            self.assertRegex(after, rf"message \d+ \(node {node} to node \d+\) first in the queue "
                                    rf"of replies of node {node} (holds|waits for) "
                                    rf"inject_{node:03}, which has no credit$")
        self.assertNotIn("is sending", error)
        for problem in told:
            self.assertIn(problem, error)
        self.refused("run", "config.yaml", "--engine", "tlm", says=["traffic.reply_queue"])

    def test_nothing_is_said_of_replies_where_the_routing_has_a_cycle_of_its_own(self):
        self.write("config.yaml", machine(
            {"kind": "torus", "dims": [6]},
            {"pattern": "uniform", "message_bytes": 8, "reply_bytes": 8, "reply_queue": 1},
            fabric={"allow_deadlock": True}))
        told = self.ok("check", "config.yaml")
        self.assertIn("CYCLE: link_", told)
        self.assertNotIn("replies have their own virtual channels", told)
        told = self.ok("check", "config.yaml", "--set", "fabric.virtual_channels=2")
        self.assertIn("CYCLE of requests and replies", told)

    def test_utilization_stays_a_fraction_in_a_deadlock(self):
        report, _ = self.stopped(self.ring_machine(4, allow_deadlock=True))
        self.assertGreater(report["flit_hops"], 0)
        self.assertLessEqual(report["link_utilization"]["max"], 1)

    def test_a_deadlock_leaves_its_files(self):
        config = self.ring_machine(4, allow_deadlock=True)
        report, _ = self.stopped(config, "--out", "out", "--trace", "run.vcd")
        check_vcd(self, self.read("run.vcd").decode())
        self.assertEqual(json.loads(self.read("out", "summary.json"))["status"], "deadlock")
        rows = self.read_csv("out", "links.csv")
        self.assertEqual(sum(int(r["flits"]) for r in rows), report["flit_hops"])
        self.assertLessEqual({"config.yaml", "out/steps.csv", "run.vcd.gtkw"}, self.everything())

    def test_the_summary_for_people_tells_it_too(self):
        done = self.call("run", self.ring_machine(4, allow_deadlock=True))
        self.assertEqual(done.returncode, EXIT_STANDSTILL)
        self.assertIn("deadlock", done.stdout)
        self.assertRegex(done.stdout, r"message \d+ .*waits for link_\d+_\d+")

    def test_too_few_cycles_are_a_time_out(self):
        config = machine(mesh(4, 4), {"schedule": "gen", "message_bytes": 64})
        needed = self.run_report(config)["cycles"]
        self.assertEqual(self.run_report(config, "--set", f"limits.max_cycles={needed}")["status"],
                         "complete")
        report, error = self.stopped("config.yaml", "--set", f"limits.max_cycles={needed // 2}",
                                     "--out", "out", "--trace", "run.vcd")
        self.assertEqual(report["status"], "timeout")
        self.assertIn(f"limits.max_cycles = {needed // 2}", error)
        self.assertGreater(report["messages_delivered"], 0)
        self.assertLess(report["messages_delivered"], report["messages_expected"])
        self.assertLessEqual(report["cycles"], needed // 2)
        check_vcd(self, self.read("run.vcd").decode())
        rows = self.read_csv("out", "steps.csv")
        self.assertEqual(len(rows), 15)
        self.assertEqual((rows[-1]["start"], rows[-1]["end"]), ("", ""))  # never begun
        self.assertEqual(sum(int(r["flits"]) for r in self.read_csv("out", "links.csv")),
                         report["flit_hops"])

    def test_steps_that_have_begun_are_not_over_before_all_of_their_messages_are(self):
        self.write("program.csv", "source,destination,bytes,step\n0,3,1600,0\n2,1,8,0\n1,0,8,1\n1,2,8,1\n")
        self.write("config.yaml", machine(mesh(4), {"program": "program.csv"},
                                          limits={"max_cycles": 60}))
        for engine in ("cycle", "tlm"):
            self.stopped("config.yaml", "--engine", engine, "--out", "out", "--messages")
            sent = {row["message"]: int(row["sent"]) for row in self.read_csv("out", "messages.csv")}
            rows = self.read_csv("out", "steps.csv")
            # In either step a message is stuck behind, or in, the long one.
            self.assertEqual([row["end"] for row in rows], ["", ""])
            self.assertEqual([int(row["start"]) for row in rows], [0, sent["2"]])
            self.assertGreater(sent["2"], 0)
        whole = self.report("run", "config.yaml", "--set", "limits.max_cycles=1000", "--out", "out")
        self.assertEqual(max(int(row["end"]) for row in self.read_csv("out", "steps.csv")),
                         whole["cycles"])

    def test_the_end_of_the_clock_is_a_time_out(self):
        # 2^64 ps are 18,446,744,073 cycles of 1 ms: every step waits 10^9 of them.
        config = machine(mesh(2, 2), {"schedule": "pex", "message_bytes": 8,
                                      "barrier": {"fixed": 1e9}}, clock_ns=1e6)
        self.assertGreater(self.run_report(config)["cycles"], 2 * 10**9)
        config = machine(mesh(6, 6), {"schedule": "gen", "message_bytes": 8,
                                      "barrier": {"fixed": 1e9}}, clock_ns=1e6)
        self.write("config.yaml", config)
        for engine in ("cycle", "tlm"):
            report, error = self.stopped("config.yaml", "--engine", engine)
            self.assertEqual(report["status"], "timeout")
            self.assertEqual(report["simulated_cycles"], 18446744073)
            self.assertIn("2^64 ps are 18446744073 cycles of 1000000 ns (clock_ns)", error)

    def test_times_that_no_clock_reaches_are_refused(self):
        for time, clock, says in ((9223372036854775808, 1, ["late.csv:2:", "too large"]),
                                  (10**15 + 1, 1, ["late.csv:2:", "too large"]),
                                  (19 * 10**9, 1e6, ["late.csv:2:1:", "clock_ns"])):
            self.write("late.csv", f"id,source,destination,bytes,time\n1,0,1,8,{time}\n")
            self.write("config.yaml", machine(mesh(2, 2), {"program": "late.csv"},
                                              clock_ns=clock))
            for engine in ("cycle", "tlm"):
                self.refused("run", "config.yaml", "--engine", engine, says=says)

    def test_the_largest_times_that_are_taken_wrap_on_no_engine(self):
        self.write("late.csv", f"id,source,destination,bytes,time\n1,0,1,8,{10**15 - 2 * 10**9}\n")
        self.write("config.yaml", machine(mesh(2, 2), {"program": "late.csv"},
                                          node={"send_overhead": 10**9}, limits={"max_cycles": 10**15}))
        for engine in ("cycle", "tlm"):
            cycles = self.report("run", "config.yaml", "--engine", engine)["cycles"]
            self.assertGreater(cycles, 10**15 - 10**9)

    def test_a_measurement_that_no_clock_reaches_is_refused(self):
        self.write("config.yaml", machine(mesh(2, 2), {"pattern": "uniform", "injection_rate": 0.1,
                                                       "message_bytes": 8, "measure_cycles": 19 * 10**9},
                                          clock_ns=1e6))
        self.refused("run", "config.yaml",
                     says=["a clock of 1000000 ns never reaches the end of the measurement",
                           "2^64 ps, 18446744073 cycles", "clock_ns"])

    def test_time_in_which_nothing_happens_costs_nothing(self):
        self.write("far.csv", "source,destination,bytes,time\n0,3,64,0\n3,0,64,10000000000\n")
        self.write("config.yaml", machine(mesh(2, 2), {"program": "far.csv"}))
        for engine in ("cycle", "tlm"):
            report = self.report("run", "config.yaml", "--engine", engine)
            self.assertEqual(report["cycles"], 10**10 + 14)
            self.assertLess(report["wall_seconds"], 1)  # it takes less than a millisecond

    def test_a_pattern_can_time_out_while_draining(self):
        config = machine(mesh(4, 4), {"pattern": "uniform", "injection_rate": 0.9,
                                      "message_bytes": 256, "warmup_cycles": 100,
                                      "measure_cycles": 1000})
        self.assertGreater(self.run_report(config)["cycles"], 1110)
        report, _ = self.stopped("config.yaml", "--set", "limits.max_cycles=1110")
        self.assertEqual(report["status"], "timeout")

    def test_programs_that_can_never_end_are_refused(self):
        head = "source,destination,bytes,time,after\n"
        programs = {
            "cycle": (head + "0,1,64,0,1\n1,0,64,0,0\n", ["cycle.csv:2", "after"]),
            "itself": (head + "0,1,64,0,0\n", ["itself.csv:2", "after"]),
            "nobody": (head + "0,1,64,0,7\n", ["nobody.csv:2", "7"]),
            "blind": (head + "0,1,64,0,\n2,3,64,0,0\n", ["blind.csv:3"]),
            "order": (head + "0,1,64,0,2\n1,0,64,0,\n0,1,8,5,0\n", ["order.csv"]),
        }
        for name, (text, says) in programs.items():
            with self.subTest(program=name):
                self.write(f"{name}.csv", text)
                self.write("config.yaml", machine(mesh(2, 2), {"program": f"{name}.csv"}))
                self.refused("run", "config.yaml", "--json", says=says)


if __name__ == "__main__":
    main()
