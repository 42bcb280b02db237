# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Readings of a trace that LogGOPSim has: receives by transfer, and long messages that go at once.

LogGOPSim played these traces with -L 2500 -o 1500 -G 6 -g 1000, the rendezvous with -S 8.
"""
import os

from flitscope_cli import main, mesh
from trace_events import Checked
from trace_files import TraceTest

CONFIGS = os.path.join(os.path.dirname(__file__), "..", "..", "..", "configs")


def all_to_all(in_order):
    """Of 8 ranks, as schedgen makes it; or each send begins when the one before has completed."""
    rows = ["num_ranks 8"]
    for rank in range(8):
        rows.append(f"rank {rank} {{")
        for step in range(1, 8):
            rows += [f"s{step}: send 1024b to {(rank + step) % 8}", f"recv 1024b from {(rank - step) % 8}"]
            if in_order and step > 1:
                rows.append(f"s{step} requires s{step - 1}")
        rows.append("}")
    return "\n".join(rows) + "\n"


PING_PONG = """num_ranks 2
rank 0 {
a: send 1024b to 1
b: recv 1024b from 1
b requires a
}
rank 1 {
a: recv 1024b from 0
b: calc 10000
b requires a
c: send 1024b to 0
c requires b
}
"""


class LogGops(TraceTest):
    def ends_ns(self, **keys):
        """When each rank of t.goal ends on the machine that LogGOPSim's parameters describe."""
        settings = [f"traffic.trace.{key}={value}" for key, value in keys.items()]
        changes = [part for setting in settings for part in ("--set", setting)]
        self.ok("run", os.path.join(CONFIGS, "fat_tree_8_goal.yaml"), "--set",
                f"traffic.trace.file={self.path('t.goal')}", *changes, "--out", "out")
        return [int(row["end_ns"]) for row in self.read_csv("out", "ranks.csv")]

    def test_all_to_all_pays_for_its_bytes_one_message_after_the_other(self):
        """81,466 ns there: 7 times o + L + 1023 G + o, as no send begins before the one before is out."""
        self.write("t.goal", all_to_all(in_order=False))
        self.assertEqual(self.ends_ns(), 8 * [48576])
        self.assertEqual(self.ends_ns(receive_time="transfer"), 8 * [64008])
        self.write("t.goal", all_to_all(in_order=True))
        self.assertEqual(self.ends_ns(send_completes="injected"), 8 * [57576])
        ends = self.ends_ns(receive_time="transfer", send_completes="injected")
        self.assertEqual(ends, 8 * [81480])
        self.assertLess(abs(ends[0] / 81466 - 1), 0.001)

    def test_ping_pong_with_rendezvous_asks_before_or_after(self):
        """33,276 ns there, with rendezvous and without."""
        self.write("t.goal", PING_PONG)
        self.assertEqual(self.ends_ns(), [33276, 23136])
        self.assertEqual(self.ends_ns(receive_time="transfer"), [33276, 23136])
        self.assertEqual(self.ends_ns(eager_bytes=8), [55260, 45120])
        # A startup of each answer (1,500 ns) on either rank, and the way of the last one.
        self.assertEqual(self.ends_ns(eager_bytes=8, rendezvous="acknowledge"), [36276, 40272])

    def test_time_line_has_the_whole_of_a_receive(self):
        self.write("t.goal", "num_ranks 2\nrank 0 {\nsend 64b to 1\n}\nrank 1 {\nrecv 64b from 0\n}\n")
        spans = {}
        for receive_time in ("overhead", "transfer"):
            self.write("config.yaml", self.config({"file": "t.goal", "receive_time": receive_time}, mesh(2),
                                                  node={"send_overhead": 20, "recv_overhead": 10}))
            self.ok("run", "config.yaml", "--trace", "run.json", "--out", "out")
            seen = Checked(self, self.read("run.json"))
            # In us, of cycles of 1 ns.
            spans[receive_time] = [(event["name"], 1000 * event["ts"], 1000 * (event["ts"] + event["dur"]))
                                   for track, events in seen.slices.items() for event in events
                                   if seen.names[track] == "rank 1"]
            row = self.read_csv("out", "ranks.csv")[1]
            self.assertEqual([int(row[name]) for name in ("receiving", "waiting")],
                             [sum(to - begin for name, begin, to in spans[receive_time] if name == kind)
                              for kind in ("receive", "wait")])
        end = spans["overhead"][-1][-1]
        self.assertEqual(spans["overhead"], [("wait", 0, end - 10), ("receive", end - 10, end)])
        self.assertEqual(spans["transfer"], [("wait", 0, end - 18), ("receive", end - 18, end)])

    def test_what_they_do_not_go_with_is_refused(self):
        self.write("t.goal", PING_PONG)
        self.write("config.yaml", "fabric: {topology: {kind: mesh, dims: [2, 2]}}\ntraffic:\n  trace:\n"
                                  "    file: t.goal\n    receive_time: transfer\n")
        at = "config.yaml:5:"
        for command, what in ((("explain", "config.yaml"), "explain takes"),
                              (("run", "config.yaml", "--explain", "--out", "out"), "explain takes"),
                              (("report", "config.yaml", "-o", "page.html"), "a page takes")):
            with self.subTest(command):
                self.refused(*command, says=[at, f"{what} receives to begin once their whole message is there",
                                             "set traffic.trace.receive_time: overhead"])
        for key in ("faults={links: [0-1], at: 50}", "node.retransmit={tries: 2}"):
            self.refused("run", "config.yaml", "--set", key, says=[
                "error: receives that begin with the first flit of their message",
                "set traffic.trace.receive_time: overhead, or leave "])
        self.ok("check", "config.yaml", "--set", "faults={links: [0-1]}")
        self.refused("run", "config.yaml", "--set", "traffic.trace.rendezvous=acknowledge",
                     says=["traffic.trace.rendezvous", "eager_bytes"])
        self.write("prog.csv", "source,destination,bytes,time\n0,1,64,0\n")
        self.refused("run", "config.yaml", "--set",
                     "traffic.trace={file: prog.csv, format: csv, receive_time: transfer}",
                     says=["not who waits for them", "leave receive_time out"])
        self.refused("check", "config.yaml", "--set", "traffic.trace.receive_time=transfers",
                     says=["did you mean 'transfer'?"])


main()
