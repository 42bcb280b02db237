# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Why the ranks of a trace, or of a kernel, wait: the path, the table of ranks, and their time line."""
import csv
import io
import json
import pathlib

from flitscope_cli import EXIT_STANDSTILL, machine, main, mesh
from trace_events import Checked
from trace_files import TraceTest

# Rank 1 computes beside it all, so it never waits, and its send and receive are hidden.
CHAIN = """num_ranks 3
rank 0 {
a: calc 100
b: send 64b to 1 tag 1
b requires a
}
rank 1 {
r: recv 64b from 0 tag 1
c: calc 5000 cpu 1
d: calc 300
d requires r
e: send 64b to 2 tag 2
e requires d
}
rank 2 {
r: recv 64b from 1 tag 2
c: calc 7000
c requires r
}
"""
NODE = {"send_overhead": 20, "recv_overhead": 10}
BUSY = ("computing", "sending", "receiving", "waiting")

SCHEDULES = pathlib.Path(__file__).resolve().parents[3] / "configs/schedules"


class Ranks(TraceTest):
    def write_chain(self, **more):
        self.write("chain.goal", CHAIN)
        self.write("config.yaml", self.config({"file": "chain.goal"}, mesh(4), node=NODE, clock_ns=1, **more))

    def explained_on_both_engines(self, *options, code=0):
        told = []
        for engine in ("cycle", "tlm"):
            done = self.call("explain", "config.yaml", *options, "--engine", engine, "--json")
            self.assertEqual(done.returncode, code, done.stderr)
            told.append(json.loads(done.stdout))
        for field in ("cycles", "causes", "channels", "nodes", "ranks", "slack", "path"):
            self.assertEqual(told[0][field], told[1][field], field)
        explained = told[0]
        self.assertEqual(sum(explained["causes"].values()), explained["cycles"])
        for rank in explained["ranks"]:
            self.assertEqual(sum(rank[name] for name in BUSY), rank["end"])
            self.assertEqual(sum(rank["causes"].values()), rank["waiting"])
        return explained

    def test_the_slack_of_operations_is_a_table(self):
        self.write_chain()
        explained = self.explained_on_both_engines()
        end = explained["cycles"]
        rows = list(csv.DictReader(io.StringIO(self.ok("explain", "config.yaml", "--slack"))))
        self.assertEqual([(row["rank"], row["line"], row["operation"]) for row in rows],
                         [("0", "3", "compute"), ("0", "4", "send"), ("1", "8", "receive"),
                          ("1", "9", "compute"), ("1", "10", "compute"), ("1", "12", "send"),
                          ("2", "16", "receive"), ("2", "17", "compute")])
        # What nobody waits for may end with the last rank.
        self.assertEqual([int(row["slack"]) for row in rows], [0, 0, 0, end - 5000, 0, 0, 0, 0])
        self.assertEqual([int(rows[i]["end"]) - int(rows[i]["begin"]) for i in range(8)],
                         [100, 20, 10, 5000, 300, 20, 10, 7000])
        self.assertEqual(explained["slack"]["ranks"], [
            {"rank": rank, "node": rank, "slack": 0, "most": most, "operations": operations,
             "operations_with_slack": some}
            for rank, most, operations, some in ((0, 0, 2, 0), (1, end - 5000, 4, 1), (2, 0, 2, 0))])
        self.assertEqual(explained["slack"]["steps"], [])
        self.assertIn(f"rank 1                   0 to {end - 5000:,} cycles, 1 of 4 have some",
                      self.ok("explain", "config.yaml"))
        late = CHAIN.replace("calc 5000", f"calc {end}")
        self.write("chain.goal", late)
        self.assertEqual(self.explained_on_both_engines()["cycles"], end)
        self.write("chain.goal", late.replace(f"calc {end}", f"calc {end + 1}"))
        self.assertEqual(self.explained_on_both_engines()["cycles"], end + 1)

    def test_the_path_leads_through_computations_and_messages(self):
        self.write_chain()
        explained = self.explained_on_both_engines()
        self.ok("run", "config.yaml", "--out", "out", "--messages")
        first, second = [int(row["delivered"]) + 1 for row in self.read_csv("out", "messages.csv")]
        self.assertEqual(explained["cycles"], second + 10 + 7000)
        self.assertEqual([explained["causes"][name] for name in ("compute", "startup", "receive")],
                         [100 + 300 + 7000, 2 * 20, 2 * 10])
        operations = [(s["from"], s["to"], s["operation"]) for s in explained["path"] if s["operation"]]
        self.assertEqual(operations, [
            (0, 100, "rank 0, line 3: compute 100 cycles"),
            (first, first + 10, "rank 1, line 8: receive from rank 0, tag 1"),
            (first + 10, first + 310, "rank 1, line 10: compute 300 cycles"),
            (second, second + 10, "rank 2, line 16: receive from rank 1, tag 2"),
            (second + 10, second + 7010, "rank 2, line 17: compute 7000 cycles")])

    def test_the_path_as_a_table_names_ranks_and_lines(self):
        self.write_chain()
        rows = [line.split(",") for line in self.ok("explain", "config.yaml", "--csv").splitlines()]
        self.assertEqual(",".join(rows[0]),
                         "from,to,cause,channel,node,step,message,source,destination,holder,rank,line")
        self.assertEqual(rows[1], ["0", "100", "compute", "", "0", "", "", "", "", "", "0", "3"])
        self.assertEqual(rows[2], ["100", "120", "startup", "", "0", "", "0", "0", "1", "", "", ""])
        self.assertEqual(rows[-1][2:], ["compute", "", "2", "", "", "", "", "", "2", "17"])

    def test_every_cycle_of_a_rank_counts_once(self):
        self.write_chain()
        explained = self.explained_on_both_engines()
        arrival = explained["cycles"] - 7010
        self.assertEqual([[rank[name] for name in BUSY] for rank in explained["ranks"]],
                         [[100, 20, 0, 0], [5000, 0, 0, 0], [7000, 0, 10, arrival]])
        waits = explained["ranks"][2]["causes"]
        self.assertEqual((waits["compute"], waits["startup"], waits["receive"]), (400, 40, 10))
        self.ok("run", "config.yaml", "--explain", "--out", "out")
        for row, rank in zip(self.read_csv("out", "ranks.csv"), explained["ranks"]):
            self.assertEqual({name: int(row[name]) for name in (*BUSY, "end", "path_cycles")},
                             {name: rank[name] for name in (*BUSY, "end", "path_cycles")})
            self.assertEqual({name: int(row["waiting_" + name]) for name in rank["causes"]}, rank["causes"])
        text = self.ok("explain", "config.yaml")
        self.assertIn("the critical path, back from the end of the last rank", text)
        self.assertRegex(text, r"rank 2 +7,000 +0 +10 +\d+ +400 compute, 40 startup\n")

    def test_long_messages_and_blocking_sends_are_explained(self):
        self.write_chain()
        text = "config.yaml", "--set", "traffic.trace.eager_bytes=8"
        rendezvous = self.explained_on_both_engines(*text[1:])
        self.assertEqual({s["message"] for s in rendezvous["path"]} - {None}, set(range(6)))
        self.assertEqual(self.report("run", *text)["trace"]["end_cycles"], rendezvous["cycles"])
        injected = self.explained_on_both_engines("--set", "traffic.trace.send_completes=injected")
        self.assertEqual(injected["ranks"][0]["end"] - 120, injected["ranks"][0]["waiting"])

    def test_chakra_traces_are_explained(self):
        self.write_chakra(4, lambda rank: self.collective(1, 0, 4096, 2))
        self.write("config.yaml", self.config({"format": "chakra", "file": "app"}, node=NODE))
        explained = self.explained_on_both_engines()
        self.assertEqual([rank["rank"] for rank in explained["ranks"]], list(range(4)))

    def test_a_run_that_stops_is_explained_up_to_its_last_delivery(self):
        self.write_chain(limits={"max_cycles": 400})
        explained = self.explained_on_both_engines(code=EXIT_STANDSTILL)
        self.assertEqual((explained["status"], explained["ranks"]), ("timeout", []))
        self.assertLess(explained["cycles"], 400)
        self.assertEqual(explained["path"][-1]["message"], 0)
        # The same if only a computation is left.
        self.write_chain(limits={"max_cycles": 6000})
        explained = self.explained_on_both_engines(code=EXIT_STANDSTILL)
        self.assertEqual((explained["status"], explained["ranks"]), ("timeout", []))
        self.assertLess(explained["cycles"], 600)
        self.assertEqual(explained["path"][-1]["message"], 1)

    def test_half_the_computation_and_no_startup_gain_what_they_say(self):
        self.write("config.yaml", machine(mesh(2, 2), {"schedule": "fft-transpose", "message_bytes": 64,
                                                       "compute_cycles": 500}, node=NODE))
        explained = self.explained_on_both_engines("--try", "9")
        changes = {one["change"]: one for one in explained["what_if"]}
        for change in ("traffic.compute_cycles=250", "node.send_overhead=0"):
            one = changes[change]
            changed = self.report("run", "config.yaml", "--set", change)["trace"]["end_cycles"]
            self.assertEqual(one["measured_cycles"], explained["cycles"] - changed)
            self.assertLessEqual(one["measured_cycles"], one["bound_cycles"])
        self.assertEqual(changes["traffic.compute_cycles=250"]["path_cycles"], explained["causes"]["compute"])

    def test_two_replays_are_compared(self):
        self.write_chain()
        self.write("slow.yaml", self.config({"file": "chain.goal"}, mesh(4), node={**NODE, "send_overhead": 90},
                                            clock_ns=1))
        told = self.report("explain", "config.yaml", "slow.yaml")
        startup = told["causes"]["startup"]
        self.assertEqual(startup["second"] - startup["first"], 140)

    def test_a_trace_for_perfetto_has_the_ranks_as_tracks(self):
        self.write_chain()
        explained = self.explained_on_both_engines()
        arrival = explained["cycles"] - 7010
        files = []
        for engine in ("cycle", "tlm"):
            self.ok("run", "config.yaml", "--trace", engine + ".json", "--engine", engine)
            files.append(self.read(engine + ".json"))
        self.assertEqual(files[0], files[1])
        tracks = Checked(self, files[0]).tracks("ranks")
        slices = {name: [(s["name"], s["ts"] * 1000, s["dur"] * 1000, s["args"].get("message")) for s in track]
                  for name, track in tracks.items()}
        self.assertEqual(slices["rank 0"], [("compute", 0, 100, None), ("send", 100, 20, 0)])
        self.assertEqual(slices["rank 1 stream 1"], [("compute", 0, 5000, None)])
        self.assertEqual([name for name, *_ in slices["rank 1"]], ["receive", "compute", "send"])
        self.assertEqual(slices["rank 2"], [("wait", 0, arrival, None), ("receive", arrival, 10, 1),
                                            ("compute", arrival + 10, 7000, None)])
        self.ok("run", "config.yaml", "--trace", "part.json", "--set", "waveform.nodes=[2]",
                "--set", "waveform.until=300")
        self.assertEqual(list(Checked(self, self.read("part.json")).tracks("ranks")), ["rank 2"])

    def test_the_folder_of_a_replay_has_a_page_whether_it_was_explained_or_not(self):
        self.write_chain()
        for options in ((), ("--explain",)):
            self.ok("run", "config.yaml", "--out", "out", *options)
            self.ok("report", "out", "-o", "page.html")

    def test_several_planes_are_refused(self):
        self.write_chain(fabric={"planes": 2})
        self.refused("explain", "config.yaml", says=["explain supports one plane"])

    def test_a_kernel_and_a_schedule_end_differently(self):
        told = self.ok("explain", SCHEDULES / "wavefront.yaml", SCHEDULES / "naive_from_zero.yaml")
        self.assertIn("A ends with its last rank, B with its last delivery", told)


main()
