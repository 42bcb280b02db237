# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Checks files in Chrome's Trace Event Format, by what Google's description of it demands."""
import collections
import json
from fractions import Fraction

# Phase -> members that it must have, in addition to ph and name.
REQUIRED = {"M": {"pid", "args"}, "X": {"pid", "tid", "ts", "dur"},
            "s": {"pid", "tid", "ts", "id", "cat"}, "t": {"pid", "tid", "ts", "id", "cat"},
            "f": {"pid", "tid", "ts", "id", "cat"}, "C": {"pid", "ts", "args"}}
METADATA = {"process_name": ("name", str), "process_sort_index": ("sort_index", int),
            "thread_name": ("name", str), "thread_sort_index": ("sort_index", int)}


def refuse_constants(text):
    raise ValueError(f"{text} is no JSON")


def load(content):
    """The object of a file. Numbers with a point are exact fractions."""
    return json.loads(content, parse_float=Fraction, parse_constant=refuse_constants)


class Checked:
    """The events of a file, sorted by what they are; a violation fails `test`."""

    def __init__(self, test, content):
        self.test = test
        self.size = len(content)
        self.object = load(content)
        test.assertIn(self.object["displayTimeUnit"], ("ms", "ns"))
        self.names = {}  # (pid, tid), or pid -> name
        self.slices = collections.defaultdict(list)  # (pid, tid) -> events
        self.flows = collections.defaultdict(list)  # id -> events
        self.counters = collections.defaultdict(list)  # name -> [(ts, value)]
        for event in self.object["traceEvents"]:
            self.take(event)
        for track in self.slices:
            self.check_track(track)
        for flow in self.flows.values():
            self.check_flow(flow)
        for values in self.counters.values():
            times = [ts for ts, _ in values]
            test.assertEqual(times, sorted(set(times)), "a counter goes back in time")

    def take(self, event):
        test = self.test
        phase = event["ph"]
        test.assertIn(phase, REQUIRED)
        test.assertLessEqual(REQUIRED[phase], set(event), event)
        test.assertIsInstance(event["name"], str)
        test.assertIsInstance(event["pid"], int)
        for key in ("ts", "dur"):
            if key in event:
                test.assertIsInstance(event[key], (int, Fraction))
                test.assertGreaterEqual(event[key], 0)
        if phase == "M":
            key, kind = METADATA[event["name"]]
            test.assertIsInstance(event["args"][key], kind)
            if key == "name":
                place = (event["pid"], event["tid"]) if "tid" in event else event["pid"]
                test.assertNotIn(place, self.names, "named twice")
                self.names[place] = event["args"][key]
        elif phase == "X":
            test.assertGreater(event["dur"], 0)
            self.slices[event["pid"], event["tid"]].append(event)
        elif phase == "C":
            (value,) = event["args"].values()
            test.assertIsInstance(value, int)
            self.counters[event["name"]].append((event["ts"], value))
        else:
            self.flows[event["id"]].append(event)

    def check_track(self, track):
        """Named, as is its process; slices in order, none into the next."""
        self.test.assertIn(track, self.names)
        self.test.assertIn(track[0], self.names)
        end = 0
        for event in self.slices[track]:
            self.test.assertGreaterEqual(event["ts"], end, f"slices of {track} overlap")
            end = event["ts"] + event["dur"]

    def check_flow(self, flow):
        """One start, steps, one end, in order of time; each on a slice that has begun."""
        phases = [event["ph"] for event in flow]
        self.test.assertEqual(phases, ["s"] + ["t"] * (len(flow) - 2) + ["f"])
        self.test.assertEqual(len({(event["name"], event["cat"]) for event in flow}), 1)
        self.test.assertEqual(flow[-1].get("bp"), "e")
        times = [event["ts"] for event in flow]
        self.test.assertEqual(times, sorted(times))
        for event in flow:
            on = [s for s in self.slices[event["pid"], event["tid"]]
                  if s["ts"] <= event["ts"] < s["ts"] + s["dur"]]
            self.test.assertEqual(len(on), 1, event)
            self.test.assertEqual(on[0]["args"]["message"], event["id"])

    def tracks(self, process):
        """Names of the process's tracks that have slices -> slices."""
        (pid,) = [place for place, name in self.names.items()
                  if name == process and isinstance(place, int)]
        return {self.names[track]: slices for track, slices in self.slices.items()
                if track[0] == pid}
