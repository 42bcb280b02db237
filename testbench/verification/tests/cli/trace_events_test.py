# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""--trace run.json: a file in Chrome's Trace Event Format that says what the run's tables say."""
import json
from fractions import Fraction

from flitscope_cli import CliTest, hypercube, machine, main, mesh
from trace_events import Checked
from waveform import Values

PEX = machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 64}, node={"packet_bytes": 40})
UNIFORM = machine(mesh(4, 4), {"pattern": "uniform", "injection_rate": 0.3, "message_bytes": 64,
                               "warmup_cycles": 0, "measure_cycles": 400})
CHANNELS = machine(mesh(4, 4), {"pattern": "uniform", "injection_rate": 0.4, "message_bytes": 64,
                                "warmup_cycles": 0, "measure_cycles": 400},
                   fabric={"virtual_channels": 3})
CIRCUITS = machine(hypercube(4), {"schedule": "pex", "message_bytes": 64},
                   fabric={"switching": "circuit"})
# Links die under way: packets are lost, and sent again.
LOSSES = machine(mesh(4, 4), {"schedule": "gen", "message_bytes": 400},
                 fabric={"virtual_channels": 2, "link_delay": {"model": "constant", "cycles": 5}},
                 faults={"links": ["5-6", "9-10"], "at": 300}, waveform={"details": True},
                 node={"retransmit": {"timeout": 2000, "tries": 2}})
# Messages have numbers in their file, and of one that is left out there is no trace.
NUMBERED = machine(mesh(4, 4), {"program": "numbered.csv", "self_messages": "drop"})
NUMBERED_CSV = """id,source,destination,bytes,step
70,0,0,8,0
5000000000,0,5,64,0
9,3,12,64,0
4,12,3,128,1
"""
MICROSECOND = 1000  # cycles of 1 ns

# The limits that waveforms/README.md states, in bytes.
FIXED = 1000
PER_TRACK = 260
PER_PLACE = 290  # a channel that a packet is given
PER_CYCLE = 180


class TraceEvents(CliTest):
    def trace(self, config, *arguments):
        """The checked trace, and the report of the run that wrote it."""
        self.write("config.yaml", config)
        report = self.report("run", "config.yaml", "--trace", "run.json", "--out", "out",
                             "--messages", *arguments)
        return Checked(self, self.read("run.json")), report

    def test_every_message_is_a_flow_from_send_to_delivery(self):
        self.write("numbered.csv", NUMBERED_CSV)
        for config in (PEX, UNIFORM, CHANNELS, CIRCUITS, NUMBERED):
            events, report = self.trace(config)
            messages = {int(r["message"]): r for r in self.read_csv("out", "messages.csv")}
            self.assertEqual(len(messages), report["messages_delivered"])
            self.assertEqual(set(events.flows), set(messages))
            for number, flow in events.flows.items():
                row = messages[number]
                first, last = (events.names[e["pid"], e["tid"]].split()[0]
                               for e in (flow[0], flow[-1]))
                self.assertEqual(first, f"inject_{int(row['source']):03}")
                self.assertEqual(last, f"eject_{int(row['destination']):03}")
                self.assertLessEqual(flow[0]["ts"], Fraction(int(row["injected"]), MICROSECOND))
                self.assertLessEqual(flow[-1]["ts"], Fraction(int(row["delivered"]), MICROSECOND))

    def test_slices_are_the_cycles_that_packets_hold_channels(self):
        for config in (PEX, UNIFORM, CHANNELS, CIRCUITS):
            events, report = self.trace(config)
            held = {r["link"]: int(r["busy_cycles"]) + int(r["blocked_cycles"])
                    for r in self.read_csv("out", "links.csv") if int(r["flits"])}
            found = {}
            blocked = 0
            for name, slices in events.tracks("links").items():
                link = name.split()[0]
                found.setdefault(link, set())
                for s in slices:
                    begin, end = s["ts"] * MICROSECOND, (s["ts"] + s["dur"]) * MICROSECOND
                    found[link].update(range(int(begin), int(end)))
                    blocked += s["args"]["blocked"]
            self.assertEqual({link: len(cycles) for link, cycles in found.items()}, held)
            self.assertGreater(report["flit_hops"], 0)
            self.assertGreaterEqual(blocked, 0)

    def test_counters_are_those_of_the_waveform(self):
        for config in (PEX, CHANNELS, CIRCUITS, LOSSES):
            events, report = self.trace(config)
            self.ok("run", "config.yaml", "--trace", "run.vcd")
            vcd = Values(self.read("run.vcd").decode())
            names = {name.split("[")[0]: name for name in vcd.names()}
            for counter, signal in (("flits in flight", "flits_in_flight"),
                                    ("blocked links", "blocked_links")):
                shown = dict(events.counters[counter])
                self.assertGreater(max(shown.values()), 0)
                value = 0
                for cycle in range(report["simulated_cycles"]):
                    value = shown.get(Fraction(cycle, MICROSECOND), value)
                    digits = vcd.at(names["fabric.overview." + signal], cycle * 1000)
                    self.assertEqual(int(digits, 2), value, f"{signal} in cycle {cycle}")

    def test_flits_that_are_lost_are_no_longer_there(self):
        flights = []
        for at in (299, 300, 301, 302):
            events, report = self.trace(LOSSES, "--set", f"faults.at={at}")
            flights.append(report["losses"]["flits_lost"])
            self.assertEqual(events.counters["flits in flight"][-1][1], 0)
            self.ok("run", "config.yaml", "--set", f"faults.at={at}", "--trace", "run.vcd")
            vcd = Values(self.read("run.vcd").decode())
            buffers = [name for name in vcd.names() if name.endswith(".buffered[3:0]")]
            self.assertGreater(len(buffers), 48)  # links and nodes, two virtual channels each
            for name in buffers:
                self.assertEqual(int(vcd.at(name, vcd.times[-1]), 2), 0, name)
                # A FIFO has eight places; one flit too few would be 15.
                self.assertLessEqual(max(int(d, 2) for d in vcd.all(name)), 8, name)
        self.assertGreater(min(flights), 20)

    def test_messages_that_were_lost_or_sent_again_are_no_flows(self):
        whole, report = self.trace(LOSSES)
        self.assertEqual(report["messages_delivered"], 240)
        # Nothing is sent again: who arrived is in the table.
        once = json.loads(LOSSES)
        del once["node"]
        self.write("config.yaml", json.dumps(once))
        self.call("run", "config.yaml", "--trace", "run.json", "--out", "out", "--messages")
        arrived = {int(row["message"]) for row in self.read_csv("out", "messages.csv")
                   if row["delivered"]}
        self.assertLess(len(arrived), 240)
        lost = Checked(self, self.read("run.json"))
        self.assertEqual(set(lost.flows), arrived)
        self.assertLess(len(whole.flows), 240)
        # Too soon: of most there are copies that arrive later.
        copied, report = self.trace(LOSSES, "--set", "faults.links=[]", "--set",
                                    "node.retransmit.timeout=1")
        self.assertGreater(report["losses"]["duplicates_suppressed"], 0)
        self.assertLess(len(copied.flows), 240)

    def test_both_engines_write_the_same(self):
        for config in (PEX, UNIFORM):
            self.trace(config, "--engine", "cycle")
            cycle = self.read("run.json")
            self.trace(config, "--engine", "tlm")
            self.assertEqual(self.read("run.json") == cycle, True)

    def test_times_are_microseconds_whatever_the_clock(self):
        whole, _ = self.trace(PEX)
        for clock in (2.5, 0.7, 4000, 0.0125):
            other, _ = self.trace(PEX, "--set", f"clock_ns={clock}")
            for track, slices in whole.slices.items():
                factor = Fraction(str(clock))
                self.assertEqual([s["ts"] * factor for s in slices],
                                 [s["ts"] for s in other.slices[track]])

    def test_window_and_selection_cut_the_file(self):
        whole, _ = self.trace(UNIFORM)
        part, _ = self.trace(UNIFORM, "--set", "waveform.from=100", "--set", "waveform.until=200")
        self.assertTrue(part.flows)
        self.assertLess(len(part.flows), len(whole.flows))
        begin, end = Fraction(100, MICROSECOND), Fraction(200, MICROSECOND)
        for track, slices in part.slices.items():
            expected = [(max(s["ts"], begin), min(s["ts"] + s["dur"], end))
                        for s in whole.slices[track]
                        if s["ts"] < end and s["ts"] + s["dur"] > begin]
            self.assertEqual([(s["ts"], s["ts"] + s["dur"]) for s in slices], expected)
            for s in slices:
                self.assertLessEqual(s["args"]["blocked"], s["dur"] * MICROSECOND)
        # Packets that are cut were blocked in cycles that are not shown, too.
        blocked = {part: sum(s["args"]["blocked"] for slices in events.slices.values()
                             for s in slices if s["ts"] + s["dur"] > begin and s["ts"] < end)
                   for part, events in ((False, whole), (True, part))}
        self.assertLess(blocked[True], blocked[False])
        some, _ = self.trace(UNIFORM, "--set", "waveform.links=[0-1]")
        self.assertEqual(set(some.tracks("links")), {"link_000_001"})
        self.assertLessEqual(set(some.tracks("nodes")),
                             {"inject_000", "inject_001", "eject_000", "eject_001"})

    def test_a_run_that_is_cut_off_leaves_a_whole_file(self):
        self.write("config.yaml", PEX)
        self.call("run", "config.yaml", "--trace", "run.json", "--set", "limits.max_cycles=300")
        events = Checked(self, self.read("run.json"))
        last = max(s["ts"] + s["dur"] for slices in events.slices.values() for s in slices)
        self.assertEqual(last, Fraction(300, MICROSECOND))

    def test_the_file_is_not_larger_than_stated(self):
        for config in (PEX, UNIFORM, CHANNELS, CIRCUITS):
            events, report = self.trace(config)
            places = sum(len(slices) for slices in events.slices.values())
            limit = (FIXED + PER_TRACK * len(events.names) + PER_PLACE * places +
                     PER_CYCLE * report["simulated_cycles"])
            self.assertLessEqual(events.size, limit)
            self.assertGreater(places, report["messages_delivered"])


if __name__ == "__main__":
    main()
