#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope explain: every cycle of every shipped program has one cause, and so has every cycle of
the packets of a pattern, the same on all engines."""
import csv
import io
import json
import os
import pathlib
import re
from unittest import mock

from flitscope_cli import EXIT_STANDSTILL, CliTest, machine, main, mesh, smaller, suite
from trace_events import Checked
from waveform import PS_PER_CYCLE, Values, check_vcd, fst_to_vcd

TESTBENCH = pathlib.Path(__file__).resolve().parents[3]
CONFIGS = TESTBENCH / "configs"
EXAMPLES = TESTBENCH / "app" / "explain" / "examples"
PEX = CONFIGS / "mesh_8x8_pex.yaml"


class ExplainTest(CliTest):
    def explain(self, config, *options, code=0):
        done = self.call("explain", config, *options, "--json")
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout)

    def check(self, explained):
        """That the path leads from cycle 0 to the makespan, and the sums are those of the path."""
        self.assertEqual(sum(explained["causes"].values()), explained["cycles"])
        at = 0
        sums = dict.fromkeys(explained["causes"], 0)
        channels = {}
        for segment in explained["path"]:
            self.assertEqual(segment["from"], at)
            at = segment["to"]
            length = segment["to"] - segment["from"]
            self.assertEqual(length == 0, segment["cause"] == "dependency")
            sums[segment["cause"]] += length
            if segment["channel"] is not None:
                channels[segment["channel"]] = channels.get(segment["channel"], 0) + length
        self.assertEqual(at, explained["cycles"])
        self.assertEqual(sums, explained["causes"])
        self.assertEqual(channels, {c["channel"]: c["cycles"] for c in explained["channels"]})
        places = explained["nodes"] if "nodes" in explained else explained["routers"]
        for share in explained["channels"] + explained["steps"] + places:
            self.assertEqual(sum(share["causes"].values()), share["cycles"])
        for rank in explained["ranks"]:
            parts = [rank[name] for name in ("computing", "sending", "receiving", "waiting")]
            self.assertEqual(sum(parts), rank["end"])
            self.assertEqual(sum(rank["causes"].values()), rank["waiting"])

    def test_every_cycle_of_shipped_programs_has_a_cause_on_every_engine(self):
        explained, compared, operations = 0, 0, 0
        programs = [config for folder in (CONFIGS, CONFIGS / "schedules", EXAMPLES)
                    for config in sorted(folder.glob("*.yaml"))
                    if "pattern:" not in config.read_text() and "traffic:" in config.read_text()]
        for config in suite.sample_of(programs, len(programs) // 2):
            text = config.read_text()
            with self.subTest(config=config.name):
                if "planes:" in text:
                    self.refused("explain", config, says=("explain supports one plane",))
                    continue
                code = EXIT_STANDSTILL if "deadlock" in config.name else 0
                first = self.explain(config, *smaller(config), code=code)
                self.check(first)
                operations += 1 if first["ranks"] else 0
                if "adaptive" not in text:
                    self.assertEqual(first["causes"]["route_choice"], 0)
                explained += 1
                if first["engine"] != "cycle":
                    second = self.explain(config, *smaller(config), "--engine", "cycle", code=code)
                    for field in ("cycles", "causes", "channels", "steps", "nodes", "routers", "ranks", "path"):
                        self.assertEqual(first.get(field), second.get(field), field)
                    compared += 1
        self.assertGreater(explained, 40)
        self.assertGreater(compared, 20)
        self.assertGreater(operations, 3)

    def test_a_change_gains_no_more_than_its_bound(self):
        tried = 0
        for config in [PEX, *sorted(EXAMPLES.glob("*.yaml"))]:
            if "pattern:" in config.read_text():
                continue
            with self.subTest(config=config.name):
                explained = self.explain(config, "--try", "9")
                for change in explained["what_if"]:
                    self.assertIsNotNone(change["measured_cycles"], change)
                    self.assertLessEqual(change["measured_cycles"], change["bound_cycles"], change)
                    run = self.report("run", config, "--set", change["change"])
                    self.assertEqual(explained["cycles"] - run["cycles"], change["measured_cycles"])
                    tried += 1
                measured = [change["measured_cycles"] for change in explained["what_if"]]
                self.assertEqual(measured, sorted(measured, reverse=True))
                promised = self.explain(config)["what_if"]
                order = [(change["bound_cycles"], change["path_cycles"]) for change in promised]
                self.assertEqual(order, sorted(order, reverse=True))
                self.assertIsNone(promised[0]["measured_cycles"])
                first = self.explain(config, "--try", "1")["what_if"]
                self.assertEqual([c["change"] for c in first if c["measured_cycles"] is not None],
                                 [promised[0]["change"]])
        self.assertGreater(tried, 12)

    def test_no_buffers_are_advised_that_no_router_has(self):
        for depth, advised in ((2, "fabric.buffer_depth=1024"), (1024, None)):
            changes = [one["change"] for one in self.explain(
                EXAMPLES / "shallow_buffers.yaml", "--set", f"fabric.buffer_depth={depth}")["what_if"]]
            self.assertEqual([c for c in changes if "buffer_depth" in c], [advised] * bool(advised))

    def test_segments_are_told_by_their_first_and_last_cycle(self):
        path = [s for s in self.explain(PEX)["path"] if s["to"] > s["from"]]
        longest = sorted(path, key=lambda s: s["from"] - s["to"])[:5]  # as they come, of equals
        told = re.findall(r"(?m)^ +([\d,]+) to ([\d,]+) +message ", self.ok("explain", PEX))
        self.assertEqual(told, [(f"{s['from']:,}", f"{s['to'] - 1:,}") for s in longest])

    def test_barriers_and_wires_of_a_file_are_changed_as_is_said(self):
        barrier = "traffic.barrier={per_doubling: 0, fixed: 0}"
        for name in ("delta", "paragon", "ipsc860"):
            shape = mesh(4, 4) if name != "ipsc860" else {"kind": "hypercube", "dimensions": 4}
            self.write("config.yaml", json.dumps({
                "machine": name, "fabric": {"topology": shape},
                "traffic": {"schedule": "pex", "message_bytes": 256, "barrier": True}}))
            change, = (one for one in self.explain("config.yaml", "--try", "9")["what_if"]
                       if one["change"].startswith("traffic.barrier"))
            self.assertEqual(change["change"], barrier)
            self.assertGreater(change["measured_cycles"], 0)
            self.assertLessEqual(change["measured_cycles"], change["bound_cycles"])
            gained = [self.report("run", "config.yaml", *words)["cycles"]
                      for words in ((), ("--set", "traffic.barrier=none"))]
            self.assertGreater(gained[0], gained[1])
        # The file says how long they are, whatever fabric.link_delay says.
        self.write("far.yaml", "nodes: 2\nlinks: [{from: 0, to: 1, delay: 50, both: true}]\n")
        self.write("config.yaml", machine({"kind": "custom", "file": "far.yaml"},
                                          {"schedule": "naive", "message_bytes": 8}))
        explained = self.explain("config.yaml")
        self.assertGreater(explained["causes"]["traversal"], 50)
        self.assertNotIn("fabric.link_delay=1", [one["change"] for one in explained["what_if"]])

    @suite.needs_synthesis
    def test_changes_whose_routers_are_not_synthesized_are_named(self):
        with mock.patch.dict(os.environ, FLITSCOPE_CACHE=self.path("cache")):
            self.write("config.yaml", machine(mesh(2), {"schedule": "gen", "message_bytes": 64},
                                              fabric={"flit_bits": 16, "buffer_depth": 1},
                                              clock_ns="synth"))
            fixed = ("config.yaml", "--set", "clock_ns=9", "--try", "9")
            wide = "fabric.flit_bits=32"
            for change in self.explain(*fixed)["what_if"]:  # ns is not requested
                self.assertIsNone(change["unsynthesized"])
            self.ok("synth", "config.yaml")

            def changes(*arguments):
                return {one["change"]: one for one in self.explain(*arguments)["what_if"]}
            tried = changes(*fixed)
            self.assertRegex(tried[wide]["unsynthesized"], "^router_p3_v1_d1_w32_r1_mesh_t[0-9a-f]+$")
            self.assertIsNotNone(tried[wide]["measured_cycles"])
            for change, one in tried.items():
                if change.startswith("traffic."):  # the same router
                    self.assertIsNone(one["unsynthesized"], change)
            of_router = ("config.yaml", "--try", "9")
            left = changes(*of_router)[wide]
            self.assertRegex(left["unsynthesized"], "^router_p3_v1_d1_w32_r1_mesh_t[0-9a-f]+$")
            self.assertEqual((left["bound_cycles"], left["measured_cycles"]), (None, None))
            text = self.ok("explain", *of_router)
            self.assertIn("not known in ns, for the router is not synthesized", text)
            self.assertRegex(text, wide + " +router_p3_v1_d1_w32_r1_mesh_t[0-9a-f]+, which decides the clock")
            self.ok("synth", "config.yaml", "--set", wide)
            known = changes(*of_router)[wide]
            self.assertIsNone(known["unsynthesized"])
            self.assertIsNotNone(known["measured_cycles"])

    def test_no_change_is_what_runs_already(self):
        express = {"kind": "express_mesh", "dims": [9, 9], "segment": 4, "layout": "sparse"}
        self.write("express.yaml", machine(express, {"schedule": "semigroup", "message_bytes": 64},
                                           fabric={"buffer_depth": 1}))
        changes = {c["change"] for c in self.explain("express.yaml", "--try", "9")["what_if"]}
        self.assertIn("traffic.algorithm=row_major", changes)
        self.assertNotIn("traffic.algorithm=submeshes", changes)
        for algorithm in ("submeshes", "row_major"):
            self.assertEqual("submeshes" in str(self.explain(
                "express.yaml", "--set", f"traffic.algorithm={algorithm}")["what_if"]),
                algorithm == "row_major")

    def test_the_path_is_a_table(self):
        rows = list(csv.DictReader(io.StringIO(self.ok("explain", PEX, "--csv"))))
        path = self.explain(PEX)["path"]
        self.assertEqual([(int(r["from"]), int(r["to"]), r["cause"], r["channel"]) for r in rows],
                         [(s["from"], s["to"], s["cause"], s["channel"] or "") for s in path])

    def test_a_run_says_why_in_a_line(self):
        last = self.ok("run", PEX, "--explain").rstrip().splitlines()[-1]
        self.assertRegex(last, r"why so long +\d+\.\d % .*; most at link_\d+_\d+, [\d,]+ cycles")
        told = self.report("run", PEX, "--explain")
        self.assertEqual(sum(told["causes"].values()), told["cycles"])
        self.assertNotIn("causes", self.report("run", PEX))

    def test_the_slack_of_every_part_is_a_table(self):
        explained = self.explain(PEX)
        rows = list(csv.DictReader(io.StringIO(self.ok("explain", PEX, "--slack"))))
        steps = explained["slack"]["steps"]
        self.assertEqual(len(rows), sum(step["parts"] for step in steps))
        for step in steps:
            parts = [row for row in rows if int(row["step"]) == step["step"]]
            slack = [int(row["slack"]) for row in parts]
            self.assertEqual((min(slack), max(slack)), (step["slack"], step["most"]))
            self.assertEqual(sum(s != 0 for s in slack), step["parts_with_slack"])
            self.assertEqual(max(int(row["end"]) for row in parts), step["end"])
        links = {link["link"]: link for link in explained["slack"]["links"]}
        for channel in explained["channels"]:
            if channel["channel"].startswith("link_"):
                link = links[channel["channel"]]
                self.assertEqual(link["path_cycles"], channel["cycles"])
                self.assertEqual(link["slack"], 0)  # the path goes over it
        for step in explained["steps"]:
            self.assertEqual(steps[step["step"] - 1]["slack"], 0)

    def check_packets(self, explained):
        """That causes sum up to latencies, in all, by distance and by channel."""
        self.assertEqual(sum(explained["causes"].values()), explained["cycles"])
        for field in ("packets", "cycles"):
            self.assertEqual(sum(d[field] for d in explained["distances"]), explained[field])
        for cause, cycles in explained["causes"].items():
            for field in ("distances", "channels"):
                self.assertEqual(sum(part["causes"][cause] for part in explained[field]), cycles)
        for distance in explained["distances"]:
            self.assertEqual(sum(distance["causes"].values()), distance["cycles"])
        self.assertAlmostEqual(explained["latency"]["mean"],
                               explained["cycles"] / explained["packets"])
        occupancy = explained["occupancy"]
        self.assertAlmostEqual(
            occupancy["mean_packets"],
            occupancy["packet_cycles"] / (occupancy["until"] - occupancy["from"]))
        # Packets in flight at the start and the end of the measurement make little difference.
        self.assertAlmostEqual(occupancy["mean_packets"],
                               occupancy["throughput"] * occupancy["mean_residence"],
                               delta=0.1 * occupancy["mean_packets"])

    def test_the_packets_of_a_pattern_are_explained_on_every_engine(self):
        compared = 0
        for name in ("mesh_8x8_bursts", "mesh_8x8_hot_region", "mesh_8x8_replies",
                     "mesh_8x8_steady", "cmesh_64_cores", "how_8x8_transpose", "torus_8x8_tornado",
                     "fat_tree_64_uniform", "dragonfly_36_valiant"):
            config = CONFIGS / f"{name}.yaml"
            with self.subTest(config=name):
                first = self.explain(config, *smaller(config))
                self.check_packets(first)
                # Messages of one packet: their latency is that of the run.
                run = self.report("run", config, *smaller(config))
                self.assertEqual(first["latency"], run["latency"])
                if first["engine"] != "cycle":
                    second = self.explain(config, *smaller(config), "--engine", "cycle")
                    for field in ("packets", "latency", "causes", "distances", "channels",
                                  "routers", "occupancy"):
                        self.assertEqual(first[field], second[field], field)
                    compared += 1
        self.assertGreater(compared, 3)

    def test_classes_of_a_pattern_are_explained_one_by_one(self):
        config = CONFIGS / "cmesh_64_cores.yaml"
        explained = self.explain(config, *smaller(config))
        request, reply = explained["classes"]
        self.assertEqual((request["class"], reply["class"]), ("request", "reply"))
        for key in ("packets", "cycles"):
            self.assertGreater(reply[key], 0)
        self.assertEqual(request["packets"] + reply["packets"], explained["packets"])
        for cause, cycles in explained["causes"].items():
            self.assertEqual(request["causes"].get(cause, 0) + reply["causes"].get(cause, 0), cycles)
        self.assertRegex(self.ok("explain", config, *smaller(config)),
                         r"by class of messages, mean cycles\n\n +class +packets +latency")

    def test_a_pattern_that_is_too_much_is_told_with_the_links_that_throttle_it(self):
        load = ("--set", "traffic.injection_rate=0.9")
        self.write("config.yaml", machine(mesh(4, 4), {"pattern": "transpose", "message_bytes": 64},
                                          steady={}))
        for config, warning in (("config.yaml", "UNSTABLE"),
                                (EXAMPLES / "transpose.yaml", "OVERLOADED")):
            with self.subTest(warning=warning):
                text = self.ok("explain", config, *load)
                self.assertTrue(text.startswith(f"transpose: {warning}, "), text)
                self.assertIn(f"\n  {warning}  ", text)
                self.assertNotIn(warning, self.ok("explain", config))
                # Links apart from the source queues, each with how busy it is.
                channels = self.explain(config, *load)["channels"]
                for kind, most, title in (("link", 5, "links"), ("inject", 3, "injection channels")):
                    part, = re.findall(rf"(?m)^  the {title} with most waiting.*\n\n((?:    .*\n)+)",
                                       text)
                    self.assertEqual(
                        re.findall(r"(?m)^    (\w+) +([\d,]+) +\d+\.\d % +\d+\.\d % busy, ", part),
                        [(c["channel"], f"{c['stall_cycles']:,}") for c in channels
                         if c["channel"].startswith(kind) and c["stall_cycles"]][:most])
                self.assertRegex(text, r"link_\w+ .* (9\d|100)\.\d % busy")

    def test_a_router_stalls_for_what_leads_out_of_it(self):
        config = CONFIGS / "torus_8x8_tornado.yaml"
        sums = {}
        explained = self.explain(config, *smaller(config))
        for channel in explained["channels"]:
            kind, at = channel["channel"].split("_")[:2]
            if kind == "inject":
                continue
            for cause, cycles in channel["causes"].items():
                if cause not in ("traversal", "serialization"):
                    of = sums.setdefault(int(at), {})
                    of[cause] = of.get(cause, 0) + cycles
        routers = explained["routers"]
        self.assertEqual({r["router"]: {c: n for c, n in r["causes"].items() if n} for r in routers},
                         {at: {c: n for c, n in of.items() if n} for at, of in sums.items()
                          if sum(of.values())})
        self.assertEqual([r["stall_cycles"] for r in routers],
                         sorted((sum(r["causes"].values()) for r in routers), reverse=True))
        text = self.ok("explain", config, *smaller(config))
        part, = re.findall(r"(?m)^  the routers with most waiting.*\n\n((?:    .*\n)+)", text)
        self.assertEqual(re.findall(r"(?m)^    router_(\d+) +([\d,]+) ", part),
                         [(f"{r['router']:03}", f"{r['stall_cycles']:,}") for r in routers[:5]])

    def test_more_load_is_more_waiting(self):
        waited = []
        for rate in ("0.1", "0.4"):
            explained = self.explain(EXAMPLES / "transpose.yaml", "--set",
                                     f"traffic.injection_rate={rate}")
            self.check_packets(explained)
            waited.append([explained["causes"][cause] / explained["packets"]
                           for cause in ("source_queue", "vc_busy", "traversal", "serialization")])
        self.assertGreater(waited[1][0], 10 * waited[0][0])
        self.assertGreater(waited[1][1], 2 * waited[0][1])
        self.assertAlmostEqual(waited[1][2], waited[0][2], delta=0.2)
        self.assertEqual(waited[1][3], waited[0][3])

    def test_the_delays_of_channels_are_a_table(self):
        config = EXAMPLES / "transpose.yaml"
        rows = list(csv.DictReader(io.StringIO(self.ok("explain", config, "--csv"))))
        explained = self.explain(config)
        self.assertEqual(
            sorted((r["channel"], r["cause"], int(r["cycles"])) for r in rows),
            sorted((c["channel"], cause, cycles) for c in explained["channels"]
                   for cause, cycles in c["causes"].items() if cycles))

    def words(self, filter_file):
        """Number -> text of a translate filter, without its colour."""
        lines = self.read(filter_file).decode().splitlines()
        return {int(line.split(" ", 1)[0]): line.split("?", 2)[2] for line in lines}

    def check_waveform(self, values, path, name, cycles):
        """That the signals of a trace say, in every cycle, what `path` says."""
        causes, channels = (self.words(f"{name}.{which}") for which in ("causes", "channels"))
        signals = {signal.split("[")[0]: signal for signal in values.names()}
        rows = {signal.split(".")[2]: full for signal, full in signals.items()
                if signal.endswith(".critical")}
        at = {cycle: segment for segment in path for cycle in range(segment["from"], segment["to"])}
        met = set()
        for cycle in range(cycles):
            said = {what: values.row_at(signals[f"fabric.critical.{what}"], cycle * PS_PER_CYCLE)
                    for what in ("cause", "channel", "message")}
            here = at.get(cycle)
            self.assertEqual(causes.get(said["cause"]), here and here["cause"], cycle)
            self.assertEqual(channels.get(said["channel"]), here and here["channel"], cycle)
            number = said["message"] if isinstance(said["message"], int) else None  # none: z
            self.assertEqual(number, here and here["message"], cycle)
            for channel in met | {here and here["channel"]} - {None}:
                is_here = here is not None and channel == here["channel"]
                value = values.row_at(rows[channel], cycle * PS_PER_CYCLE)
                self.assertEqual(causes.get(value), here["cause"] if is_here else None, cycle)
                met.add(channel)
        self.assertGreater(len(met), 1)

    def test_a_waveform_shows_the_path_in_every_cycle(self):
        endpoints = ("--set", "waveform.endpoints=true")
        for config in (EXAMPLES / "head_of_line.yaml", EXAMPLES / "slow_nodes.yaml",
                       CONFIGS / "hypercube_5_aap_circuit.yaml"):
            explained = self.explain(config)
            first = None
            for engine, name in (("cycle", "run.vcd"), ("auto", "run.vcd"), ("auto", "run.fst")):
                with self.subTest(config=config.name, engine=engine, name=name):
                    told = self.report("run", config, "--engine", engine, "--explain", "--trace",
                                       name, *endpoints)
                    self.assertEqual(told["causes"], explained["causes"])
                    dump = self.read(name).decode() if name.endswith("vcd") else \
                        fst_to_vcd(self.path(name))
                    check_vcd(self, dump)
                    if engine != "cycle" and name.endswith("vcd"):
                        self.assertTrue(dump == first, "the engines differ")
                        continue  # so it says the same
                    first = first or dump
                    self.check_waveform(Values(dump), explained["path"], name, told["cycles"])

    def test_a_waveform_of_a_run_that_stops_shows_the_path_so_far(self):
        stop = ("--set", "limits.max_cycles=300", "--set", "waveform.endpoints=true")
        config = EXAMPLES / "bad_order.yaml"
        explained = self.explain(config, *stop, code=EXIT_STANDSTILL)
        done = self.call("run", config, "--explain", "--trace", "run.vcd", *stop)
        self.assertEqual(done.returncode, EXIT_STANDSTILL, done.stderr)
        self.check_waveform(Values(self.read("run.vcd").decode()), explained["path"], "run.vcd", 300)
        self.assertEqual([f for f in self.everything() if "partial" in f], [])

    def test_traces_have_the_numbers_of_the_file_for_messages(self):
        """Where a message before them was left out, and where the file gives numbers."""
        for bits, program in ((32, "source,destination,bytes,step\n"
                                   "0,0,8,0\n1,2,64,0\n2,3,64,1\n0,3,64,2\n"),
                              (64, "id,source,destination,bytes,time,after\n"
                                   "5000000000,0,2,64,0,\n9,2,0,64,0,5000000000\n7,0,1,64,0,9\n")):
            self.write("program.csv", program)
            self.write("config.yaml", machine(
                mesh(4), {"program": "program.csv", "self_messages": "drop"},
                waveform={"details": True, "endpoints": True}))
            path = self.explain("config.yaml")["path"]
            for name in ("run.vcd", "run.fst", "run.json"):
                told = self.report("run", "config.yaml", "--explain", "--trace", name, "--messages",
                                   "--out", "out")
                numbers = {int(row["message"]) for row in self.read_csv("out", "messages.csv")}
                self.assertEqual(len(numbers), 3)
                self.assertNotIn(0, numbers)
                if name == "run.json":
                    events = Checked(self, self.read(name))
                    slices = events.tracks("critical path")["cause"]
                    self.assertEqual([s["args"].get("message") for s in slices],
                                     [s["message"] for s in path if s["to"] > s["from"]])
                    self.assertEqual(set(events.flows), numbers)
                    self.assertEqual({s["args"]["message"] for process in ("nodes", "links")
                                      for track in events.tracks(process).values()
                                      for s in track}, numbers)
                    continue
                values = Values(self.read(name).decode() if name == "run.vcd" else
                                fst_to_vcd(self.path(name)))
                self.check_waveform(values, path, name, told["cycles"])
                signals = [s for s in values.names() if f".message[{bits - 1}:0]" in s]
                self.assertGreater(len(signals), 8)
                shown = {values.row_at(signal, cycle * PS_PER_CYCLE) for signal in signals
                         for cycle in range(told["cycles"])}
                self.assertEqual(shown, numbers | {"z" * bits})

    def test_a_trace_for_perfetto_has_the_path_as_slices(self):
        program = CONFIGS / "mesh_4x4_program.yaml"
        path = [s for s in self.explain(program)["path"] if s["to"] > s["from"]]
        self.ok("run", program, "--explain", "--trace", "run.json")
        slices = Checked(self, self.read("run.json")).tracks("critical path")["cause"]
        self.assertEqual([(s["ts"] * 1000, s["dur"] * 1000, s["name"], s["args"].get("channel"))
                          for s in slices],
                         [(s["from"], s["to"] - s["from"], s["cause"], s["channel"]) for s in path])
        self.ok("run", program, "--trace", "run.json")
        self.assertNotIn("critical path", Checked(self, self.read("run.json")).names.values())

    def test_what_cannot_be_explained_is_refused(self):
        pattern = CONFIGS / "mesh_16x16_uniform.yaml"
        self.refused("run", pattern, "--explain",
                     says=("mesh_16x16_uniform.yaml:",
                           "a pattern has no makespan to explain ("))
        for option in (("--try", "2"), ("--slack",)):
            self.refused("explain", pattern, *option,
                         says=("mesh_16x16_uniform.yaml:", "leave out --try and --slack"))
        self.refused("explain", pattern, "--set", "fabric.switching=circuit",
                     says=("messages on circuits have no packets",))
        self.refused("explain", pattern, "--set", "traffic.reply_bytes=8", "--set",
                     "traffic.reply_queue=1", "--set", "fabric.allow_deadlock=true",
                     says=("traffic.reply_queue=1", "waiting for a node with a full queue"))
        for option in ("--csv", "--slack"):
            self.refused("explain", PEX, "--try", "2", option, says=("excludes",))

    def test_patterns_are_explained_however_their_measurement_ends(self):
        load = {"pattern": "uniform", "injection_rate": 0.01, "message_bytes": 64}
        # Idle when the longest measurement ends; and cut short.
        for steady, limits in (({"half_width": 0.01, "max_cycles": 40000}, {}),
                               ({"half_width": 0.05}, {"max_cycles": 20000})):
            with self.subTest(steady=steady):
                self.write("config.yaml", machine(mesh(4, 4), load, steady=steady, limits=limits,
                                                  seed=4))
                code = EXIT_STANDSTILL if limits else 0
                explained = self.explain("config.yaml", code=code)
                run = json.loads(self.call("run", "config.yaml", "--json").stdout)
                self.assertEqual(explained["packets"], run["measured_messages"])
                self.assertAlmostEqual(explained["cycles"] / explained["packets"],
                                       run["latency"]["mean"], 6)
                window = explained["occupancy"]
                self.assertEqual(window["until"] - window["from"],
                                 run["steady"]["measured_cycles"])
                said = self.call("explain", "config.yaml").stdout
                self.assertNotIn("nothing that counts", said)

    def test_the_window_of_a_pattern_goes_on_behind_its_last_delivery(self):
        load = {"pattern": "uniform", "message_bytes": 16, "injection_rate": 0.002,
                "warmup_cycles": 0, "measure_cycles": 3000}
        self.write("config.yaml", machine(mesh(2, 2), load, seed=4))
        run = self.report("run", "config.yaml")
        self.assertLess(run["cycles"], 3000)
        for engine in ("cycle", "tlm"):
            window = self.explain("config.yaml", "--engine", engine)["occupancy"]
            self.assertEqual((window["from"], window["until"]), (0, 3000))
            self.assertAlmostEqual(window["throughput"], run["measured_messages"] / 3000)

    def test_no_other_collective_is_another_order_of_the_messages(self):
        self.write("config.yaml", machine(mesh(4, 4), {"schedule": "synthesized", "message_bytes": 16,
                                                       "algorithm": "all_to_all"},
                                          fabric={"virtual_channels": 2},
                                          node={"port_model": "independent"}))
        explained = self.explain("config.yaml")
        self.assertGreater(len(explained["what_if"]), 0)
        self.assertNotIn("traffic.algorithm", str(explained["what_if"]))

    def test_a_run_that_stops_is_explained_as_far_as_it_came(self):
        explained = self.explain(PEX, "--set", "limits.max_cycles=2000",
                                 code=EXIT_STANDSTILL)
        self.check(explained)
        self.assertEqual(explained["status"], "timeout")
        run = json.loads(self.call("run", PEX, "--set", "limits.max_cycles=2000", "--json").stdout)
        self.assertEqual(explained["cycles"], run["cycles"])
        self.assertLessEqual(explained["cycles"], 2000)
        self.assertEqual(explained["what_if"], [])


if __name__ == "__main__":
    main()
