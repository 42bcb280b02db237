# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Sources of patterns: bursts, periods, lengths by weight, mixes, hot regions and matrices, from the
configuration to the report."""
import json

from flitscope_cli import EXIT_STANDSTILL, CliTest, machine, main, mesh, without

LENGTHS = {"0": 3, "64": 5, "1024": 2}  # 1, 9 and 129 flits
MATRIX = "0,6,2,0\n3,0,0,1\n0,0,0,0\n1,0,0.5,0\n"

# Differences from a pattern `uniform` of equal messages by Bernoulli arrivals.
SOURCES = {
    "periodic": {"arrivals": "periodic"},
    "bursty": {"arrivals": "bursty", "burst_cycles": 60, "burst_rate": 0.9},
    "lengths": {"message_lengths": LENGTHS},
    "hot region": {"pattern": "hotspot", "hot_nodes": [1, 2, 7], "hotspot_fraction": 0.4},
    "mixed": {"pattern": "mixed", "mix": {"uniform": 3, "transpose": 1, "neighbour": 2}},
    "all": {"pattern": "mixed", "mix": {"uniform": 1, "hotspot": 1}, "root": 5,
            "hotspot_fraction": 0.3, "arrivals": "bursty", "burst_cycles": 25,
            "message_lengths": LENGTHS},
    "replies": {"reply_bytes": 200},
    "late replies": {"message_lengths": LENGTHS, "reply_bytes": 0, "reply_delay": 70,
                     "arrivals": "bursty", "burst_cycles": 60, "burst_rate": 0.9},
}


def traffic(**more):
    keys = {"pattern": "uniform", "injection_rate": 0.25, "warmup_cycles": 500,
            "measure_cycles": 8000, **more}
    if "message_lengths" not in keys:
        keys.setdefault("message_bytes", 64)
    return keys


class TrafficSources(CliTest):
    def test_all_that_is_generated_is_counted_and_delivered(self):
        for name, keys in SOURCES.items():
            with self.subTest(source=name):
                config = machine(mesh(4, 4), traffic(**keys, warmup_cycles=0))
                report = self.run_report(config)
                self.assertEqual(report["status"], "complete")
                self.assertEqual(report["messages_delivered"], report["messages_expected"])
                late = 0  # replies that begin after the measurement
                if "reply_bytes" in keys:
                    late = report["messages_delivered"] - report["measured_messages"]
                    self.assertLess(late, 60)
                    late *= 1 + keys["reply_bytes"] // 8  # flits each
                self.assertAlmostEqual(report["offered_flits_per_node_cycle"] * 16 * 8000 + late,
                                       report["flits_delivered"], delta=1e-6)
                # Bursts are the noisiest: three standard deviations are 15 %.
                self.assertAlmostEqual(report["offered_flits_per_node_cycle"], 0.25, delta=0.04)
                self.assertIs(report["overloaded"], False)

    def test_the_resolved_configuration_is_the_same_run(self):
        self.write("m.csv", MATRIX)
        for name, keys in {**SOURCES, "matrix": {"pattern": "matrix", "matrix": "m.csv"}}.items():
            with self.subTest(source=name):
                dims = (2, 2) if name == "matrix" else (4, 4)
                report = self.run_report(machine(mesh(*dims), traffic(**keys)), "--out", "out")
                again = self.report("run", "out/config.yaml")
                self.assertEqual(without(again, "engine_reason"),
                                 without(report, "engine_reason", "files"))

    def test_two_nodes_take_as_long_as_they_must(self):
        # A message of F flits over one link arrives F + 2 cycles after its start, 3 of them after a
        # startup. No message of a node meets another one: requests begin hundreds of cycles apart.
        keys = {"pattern": "neighbour", "arrivals": "periodic", "injection_rate": 0.02,
                "message_bytes": 16, "reply_bytes": 40, "reply_delay": 11}  # 3 and 6 flits
        for switching, trip in (("wormhole", (3 + 2 + 3) + (1 + 4 + 11) + (6 + 2 + 3)),
                                # a header over one link, then elements; there is no header flit
                                ("circuit", (3 + 1 + 2 - 1) + (1 + 4 + 11) + (3 + 1 + 5 - 1))):
            with self.subTest(switching=switching):
                report = self.run_report(machine(
                    mesh(2, 1), traffic(**keys, measure_cycles=9000, warmup_cycles=0),
                    fabric={"switching": switching}, node={"send_overhead": 3, "recv_overhead": 4}))
                self.assertEqual(report["round_trip"]["mean"], trip)
                self.assertEqual(report["round_trip"]["max"], trip)
                self.assertEqual(report["requests_delivered"], report["replies_delivered"])
                self.assertEqual(report["measured_round_trips"], report["requests_delivered"])
                self.assertEqual(report["messages_delivered"], 2 * report["replies_delivered"])

    def test_replies_of_an_unfinished_run_are_those_to_requests_that_arrived(self):
        self.write("config.yaml", machine(
            mesh(4, 4), traffic(reply_bytes=64, injection_rate=0.6, reply_delay=150),
            limits={"max_cycles": 4000}))
        runs = {}
        for engine in ("cycle", "tlm"):
            done = self.call("run", "config.yaml", "--json", "--engine", engine)
            self.assertEqual(done.returncode, EXIT_STANDSTILL)
            report = json.loads(done.stdout)
            under_way = report["requests_delivered"] - report["replies_delivered"]
            self.assertGreater(report["replies_delivered"], 200)
            self.assertGreater(under_way, 16 * 150 * 0.6 / 18 / 2)  # those still in processing
            self.assertEqual(report["requests_delivered"] + report["replies_delivered"],
                             report["messages_delivered"])
            runs[engine] = without(report, "engine", "engine_reason")
        self.assertEqual(runs["cycle"], runs["tlm"])

    def test_a_closed_loop_goes_on_when_a_reply_arrives(self):
        # Node 0 sends to node 1 as fast as it may. A request of 2 flits takes 1 + 2 + 1 cycles, a
        # reply of 9 flits 1 + 2 + 8; before the reply 3 + 1 + 10, and 3 + 2 after it.
        self.write("m.csv", "0,1\n0,0\n")
        self.write("config.yaml", machine(
            mesh(1, 2), traffic(pattern="matrix", matrix="m.csv", message_bytes=8, reply_bytes=64,
                                reply_delay=10, outstanding=1, injection_rate=1,
                                arrivals="periodic", warmup_cycles=0, measure_cycles=1000),
            node={"recv_overhead": 3}))
        for engine in ("cycle", "tlm"):
            report = self.report("run", "config.yaml", "--out", "out", "--messages", "--engine",
                                 engine)
            rows = self.read_csv("out", "messages.csv")
            sent = [int(row["sent"]) for row in rows if row["source"] == "0"]
            self.assertEqual({b - a for a, b in zip(sent, sent[1:])}, {4 + 14 + 11 + 5})
            self.assertLess(sent[-1], 1000)
            self.assertEqual(report["round_trip"]["max"], 29)
            self.assertEqual(len(sent), report["requests_delivered"])
            self.assertIs(report["overloaded"], False)

    def test_the_throughput_of_a_closed_loop_is_its_places_by_its_round_trip(self):
        # Little's law, for sources that hardly ever wait for themselves.
        for places in (1, 4):
            reports = [self.run_report(machine(
                mesh(8, 8), traffic(message_bytes=8, reply_bytes=64, reply_delay=100,
                                    outstanding=places, injection_rate=1, warmup_cycles=2000,
                                    measure_cycles=20000)), "--engine", engine)
                for engine in ("cycle", "tlm")]
            self.assertEqual(*(without(report, "engine", "engine_reason") for report in reports))
            exchanges = reports[0]["accepted_flits_per_node_cycle"] / 11
            under_way = exchanges * (reports[0]["round_trip"]["mean"] + 2)
            self.assertLess(under_way, 1.01 * places)
            self.assertGreater(under_way, 0.85 * places)
        self.write("config.yaml", machine(mesh(4, 4), traffic(reply_bytes=64, outstanding=2)))
        for point in json.loads(self.ok("curve", "config.yaml", "--rates", "0.1,1",
                                        "--json"))["points"]:
            self.assertEqual(point["status"], "stable")
            self.assertEqual(point["offered"], point["accepted"])
        self.refused("saturate", "config.yaml", says=["config.yaml:", "traffic.outstanding",
                                                      "has no saturation", "curve"])

    def test_a_closed_loop_that_has_not_filled_its_places_is_an_open_one(self):
        reports = [self.run_report(machine(
            mesh(4, 4), traffic(message_bytes=8, reply_bytes=64, injection_rate=1, outstanding=places,
                                warmup_cycles=0, measure_cycles=2000)))
            for places in (0, 3000)]
        self.assertIs(reports[0]["overloaded"], True)
        for figure in ("overloaded", "backlog_growth_flits", "latency"):
            self.assertEqual(reports[1][figure], reports[0][figure])

    def test_a_closed_loop_has_one_queue_that_loses_nothing(self):
        base = machine(mesh(4, 4), traffic(reply_bytes=64, outstanding=2))
        self.write("config.yaml", base)
        for settings, says in (
                (["fabric.planes=2"], "one queue of requests"),
                (["faults={nodes: [3], traffic: drop}"], "faults.traffic"),
                (["faults={links: [1-2], at: 500}"], "faults.at"),
                (["fabric={topology: {kind: mesh, dims: [4, 4]}, virtual_channels: 2, "
                  "classes: [a, b]}", "traffic.classes={a: 1, b: 1}"], "traffic.classes")):
            options = [word for setting in settings for word in ("--set", setting)]
            self.refused("check", "config.yaml", *options, says=["traffic.outstanding", says])
        self.refused("check", "config.yaml", "--set", "traffic={pattern: uniform, outstanding: 2}",
                     says=["outstanding", "only for a pattern with 'reply_bytes'"])

    def test_checks_and_loads_count_replies(self):
        # All but node 5 send requests only to it: 4 flits for each reply of 10; it sends some, too.
        keys = {"pattern": "hotspot", "root": 5, "hotspot_fraction": 1, "message_bytes": 24,
                "reply_bytes": 72, "injection_rate": 0.15}
        self.write("config.yaml", machine(mesh(4, 4), traffic(**keys)))
        check = self.ok("check", "config.yaml")
        self.assertIn("messages of 24 bytes, replies of 72 bytes,", check)
        # 15 x 0.15 x 10 / 14 and its own 0.15 x 4 / 14
        self.assertIn("nodes are asked to send 1.65 flits/cycle and can send 1", check)
        self.assertIs(self.report("run", "config.yaml")["overloaded"], True)
        self.write("config.yaml", machine(
            mesh(3, 3), {"pattern": "uniform", "message_bytes": 24, "reply_bytes": 72},
            steady={"half_width": 0.05}))
        curve = json.loads(self.ok("curve", "config.yaml", "--rates", "0.1,0.2", "--json"))
        self.assertEqual((curve["reply_bytes"], curve["reply_delay"]), (72, 0))
        for point in curve["points"]:
            self.assertEqual(point["status"], "stable")
            self.assertAlmostEqual(point["offered"], point["rate"], delta=0.1 * point["rate"])
            self.assertAlmostEqual(point["accepted"], point["rate"], delta=0.1 * point["rate"])
        cycle, tlm = (self.report("run", "config.yaml", "--engine", engine)
                      for engine in ("cycle", "tlm"))
        for figure in ("steady", "latency", "round_trip", "measured_round_trips"):
            self.assertEqual(cycle[figure], tlm[figure])
        self.assertGreater(cycle["round_trip"]["mean"], 2 * 9)

    def test_a_matrix_says_who_sends_how_much_to_whom(self):
        self.write("data/m.csv", MATRIX)
        self.write("data/config.yaml", machine(mesh(2, 2), traffic(
            pattern="matrix", matrix="m.csv", injection_rate=0.8, measure_cycles=50000)))
        check = self.ok("check", "data/config.yaml")
        self.assertIn("at most 0.8 flits/cycle from a node, 0.6 to a node", check)
        report = self.report("run", "data/config.yaml", "--out", "out")
        self.assertEqual(report["sending_nodes"], 3)
        total = 0.8 * (1 + 4 / 8 + 1.5 / 8)
        self.assertAlmostEqual(report["offered_flits_per_node_cycle"], total / 4, delta=0.02)
        use = {r["link"]: float(r["utilization"]) for r in self.read_csv("out", "links.csv")}
        self.assertAlmostEqual(use["link_000_001"], 0.6, delta=0.03)
        self.assertAlmostEqual(use["link_000_002"], 0.2, delta=0.02)
        self.assertLess(use["link_002_000"], 0.12)  # only what passes by

    def test_curves_and_saturation_take_them(self):
        self.write("config.yaml", machine(
            mesh(3, 3), traffic(message_lengths=LENGTHS, arrivals="bursty", burst_cycles=20,
                                burst_rate=0.3, warmup_cycles=0),
            steady={"half_width": 0.1}).replace('"warmup_cycles": 0, "measure_cycles": 8000, ', ""))
        curve = json.loads(self.ok("curve", "config.yaml", "--rates", "0.1,0.2", "--json"))
        self.assertEqual(curve["message_bytes"], LENGTHS)
        self.assertEqual(curve["arrivals"], "bursty")
        for point in curve["points"]:
            self.assertEqual(point["status"], "stable")
            self.assertAlmostEqual(point["offered"], point["rate"], delta=0.1 * point["rate"])
        # More than the bursts offer is offered at no load.
        found = json.loads(self.ok("saturate", "config.yaml", "--json"))
        self.assertLessEqual(max(p["rate"] for p in found["runs"]), 0.3)
        self.assertEqual(found["saturation"]["upper"], 0.3)
        self.refused("curve", "config.yaml", "--rates", "0.1,0.4",
                     says=("burst_rate 0.3", "raise burst_rate"))

    def test_what_cannot_be_is_refused_with_its_place(self):
        lines = ["fabric: {topology: {kind: mesh, dims: [2, 2]}}", "traffic:", "  pattern: uniform"]
        for more, says in (
                (["  arrivals: poisson"], ("config.yaml:4:13", "choices: bernoulli, periodic")),
                (["  burst_cycles: 3"], ("config.yaml:4:3", "arrivals 'bursty'")),
                (["  arrivals: bursty", "  injection_rate: 0.5", "  burst_rate: 0.4"],
                 ("config.yaml:5:19", "injection_rate 0.5", "raise burst_rate")),
                (["  message_lengths: {64: 0}"], ("config.yaml:4:25", "from 1 to 1000000")),
                (["  message_lengths: {4KB: 1}"], ("config.yaml:4:21", "write 4096")),
                (["  message_lengths: {8: 1}", "  message_bytes: 8"],
                 ("config.yaml:4:3", "remove one of them")),
                (["  reply_delay: 3"], ("config.yaml:4:3", "without 'reply_bytes'")),
                (["  reply_bytes: 4KB"], ("config.yaml:4:16", "write 4096")),
                (["  mix: {uniform: 1}"], ("config.yaml:4:3", "pattern 'mixed'")),
                (["  matrix: m.csv"], ("config.yaml:4:3", "pattern 'matrix'"))):
            with self.subTest(more):
                self.write("config.yaml", "\n".join(lines + more))
                self.refused("run", "config.yaml", says=says)
        for traffic_keys, says in (
                ({"pattern": "mixed"}, ("config.yaml:1:", "'traffic.mix' is not set", "mix: {")),
                ({"pattern": "hotspot", "hot_nodes": [1], "root": 0}, ("remove one of them",)),
                ({"pattern": "matrix"}, ("'traffic.matrix' is not set",)),
                ({"pattern": "matrix", "matrix": "none.csv"}, ("none.csv",))):
            with self.subTest(traffic_keys):
                self.write("config.yaml", machine(mesh(2, 2), traffic_keys))
                self.refused("run", "config.yaml", says=says)

    def test_overrides_take_the_place_of_what_they_contradict(self):
        self.write("config.yaml", machine(mesh(2, 2), traffic(message_lengths=LENGTHS)))
        text = self.ok("check", "config.yaml", "--set", "traffic.message_bytes=40")
        self.assertIn("in messages of 40 bytes", text)
        self.write("config.yaml", machine(mesh(2, 2), traffic(pattern="hotspot", root=1)))
        text = self.ok("check", "config.yaml", "--set", "traffic.message_lengths={8: 1, 16: 2}",
                       "--set", "traffic.hot_nodes=[2, 3]")
        self.assertIn("8 bytes (1 of 3) or 16 bytes (2 of 3)", text)


if __name__ == "__main__":
    main()
