# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The files that --out and --trace leave: complete, and in agreement with each other."""
import json
import os
import re
import subprocess

from flitscope_cli import CliTest, EXIT_OK, distance, hypercube, machine, main, mesh, without
from waveform import check_vcd, fst_to_vcd, link_busy_cycles

SCHEDULES = {
    "pex": machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 64}),
    "gen": machine(mesh(4, 5), {"schedule": "gen", "message_bytes": 64},
                   fabric={"buffer_depth": 2}),
    "broadcast": machine(hypercube(4), {"schedule": "broadcast", "message_bytes": 128}),
}
PATTERN = machine(mesh(4, 4), {"pattern": "uniform", "injection_rate": 0.1, "message_bytes": 64,
                               "warmup_cycles": 100, "measure_cycles": 1000},
                  fabric={"link_delay": {"model": "linear", "reach": 2}}, seed=7)


class OutputFiles(CliTest):
    def run_out(self, config, *arguments):
        self.write("config.yaml", config)
        return self.report("run", "config.yaml", "--out", "out", *arguments)

    def test_summary_equals_the_printed_json(self):
        for config in (*SCHEDULES.values(), PATTERN):
            printed = self.run_out(config)
            summary = json.loads(self.read("out", "summary.json"))
            self.assertEqual(list(summary), list(printed))
            self.assertEqual(without(summary), without(printed))

    def test_the_summary_tells_causes_where_they_were_asked_for(self):
        printed = self.run_out(SCHEDULES["pex"], "--explain")
        kept = json.loads(self.read("out", "summary.json"))
        self.assertEqual(sum(kept["causes"].values()), kept["cycles"])
        self.assertEqual(without(kept), without(printed))
        self.ok("report", "out", "-o", "page.html")
        kept["causes"]["serialization"] += 1
        self.write("out/summary.json", json.dumps(kept))
        done = self.call("report", "out", "-o", "other.html")
        self.assertEqual(done.returncode, 1)
        self.assertIn("causes", done.stderr)

    def test_the_folder_holds_these_files_and_no_others(self):
        self.run_out(SCHEDULES["pex"])
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         ["config.yaml", "links.csv", "nodes.csv", "steps.csv", "summary.json"])
        self.write("pattern.yaml", PATTERN)
        self.report("run", "pattern.yaml", "--out", "deep/er/pattern")
        self.assertEqual(sorted(os.listdir(self.path("deep/er/pattern"))),
                         ["config.yaml", "links.csv", "nodes.csv", "summary.json"])

    def test_nodes_put_in_and_take_out_what_is_sent(self):
        for config in (*SCHEDULES.values(), PATTERN):
            printed = self.run_out(config)
            rows = self.read_csv("out", "nodes.csv")
            self.assertEqual([row["node"] for row in rows], [str(n) for n in range(printed["nodes"])])
            for side in ("injected_flits", "ejected_flits"):
                self.assertEqual(sum(int(row[side]) for row in rows), printed["flits_delivered"])
        injected = [int(row["measured_injected_flits"]) / int(row["measured_cycles"]) for row in rows]
        by_node = printed["injected_by_sending_node"]
        self.assertEqual((by_node["min"], by_node["max"]), (min(injected), max(injected)))
        self.assertEqual(injected.index(min(injected)), by_node["min_node"])
        self.assertEqual(injected.index(max(injected)), by_node["max_node"])

    def test_a_waveform_opens_with_the_links_that_are_blocked_longest(self):
        for config in (SCHEDULES["pex"], PATTERN):
            printed = self.run_out(config, "--trace", "t.vcd")
            blocked = {row["link"]: int(row["blocked_cycles"]) for row in self.read_csv("out", "links.csv")}
            most = sorted(blocked.values(), reverse=True)[:8]
            group = self.read("t.vcd.gtkw").decode().split("-most blocked links\n")[1]
            rows = re.findall(r"\+\{(\w+) (\d+)%\} fabric\.links\.\1\.owner", group)
            self.assertEqual([blocked[link] for link, _ in rows], most)
            for link, share in rows:
                self.assertAlmostEqual(int(share), 100 * blocked[link] / printed["simulated_cycles"], delta=1)

    def test_an_fst_has_the_words_of_the_filters_as_tables(self):
        bound = 65_536 + 4_096  # bytes of a table, by GTKWave's fstapi
        for dims, all_fit in (([4, 4], True), ([8, 8], False)):
            self.write("config.yaml", machine(mesh(*dims), {"schedule": "pex", "message_bytes": 8}))
            self.ok("run", "config.yaml", "--explain", "--trace", "t.fst")
            text = subprocess.run(["fst2vcd", "-e", self.path("t.fst")], check=True,
                                  capture_output=True, text=True).stdout
            tables = re.findall(r"\$attrbegin misc 07 (\w+) (\d+) (.*) (\d) \$end\n", text)
            self.assertEqual([(name, number) for name, *_, number in tables],
                             [("owner", "1"), ("cause", "2"), ("channel", "3")])
            for name, count, entries, _ in tables:
                self.assertLess(len(f"{name} {count} {entries}"), bound)
                entries, count = entries.split(" "), int(count)
                self.assertEqual(len(entries), 2 * count)
                filtered = [re.fullmatch(r"(\d+) \?\w+\?(.*)", line).groups() for line in
                            self.read(f"t.fst.{name}s").decode().splitlines()]
                self.assertEqual([(str(int(value, 2)), word) for word, value
                                  in zip(entries[:count], entries[count:])],
                                 [(value, word.replace(" ", "_")) for value, word in filtered][:count])
                if name != "owner":
                    self.assertEqual(count, len(filtered))
                elif all_fit:
                    self.assertEqual(count, 2 + 2 * 240)
                else:  # the next pair would not have had room
                    self.assertGreater(len(" ".join(entries)), bound - 200)
            # Each is another name of the variable with the numbers, and refers to its table.
            words = re.findall(r'\$attrbegin misc 07 "" (\d) \$end\n'
                               r"\$var \w+ \d+ (\S+) (\w+)_word ", text)
            numbers = re.findall(r"\$var \w+ \d+ (\S+) (owner|cause|channel|critical) ", text)
            self.assertEqual([(code, name) for _, code, name in words], numbers)
            self.assertEqual({(table, name) for table, _, name in words},
                             {("1", "owner"), ("2", "cause"), ("2", "critical"), ("3", "channel")})

    def test_links_add_up_to_the_flit_hops(self):
        for config in (*SCHEDULES.values(), PATTERN):
            printed = self.run_out(config)
            rows = self.read_csv("out", "links.csv")
            self.assertEqual(len(rows), printed["links"])
            self.assertEqual(sum(int(r["flits"]) for r in rows), printed["flit_hops"])
            utilization = {r["link"]: float(r["utilization"]) for r in rows}
            self.assertEqual(len(utilization), len(rows))
            busiest = printed["link_utilization"]["busiest"]
            self.assertEqual(max(utilization.values()), utilization[busiest])
            for r in rows:
                self.assertEqual(r["link"], f"link_{int(r['from']):03}_{int(r['to']):03}")
                self.assertEqual(r["busy_cycles"], r["flits"])
                window = printed["link_utilization"]
                self.assertEqual(int(r["measured_cycles"]), window["until"] - window["from"])
                self.assertAlmostEqual(utilization[r["link"]],
                                       int(r["measured_flits"]) / int(r["measured_cycles"]),
                                       places=5)
                if "steps" in printed:
                    self.assertEqual(r["measured_flits"], r["flits"])
                    self.assertEqual(int(r["measured_cycles"]), printed["cycles"])

    def test_steps_are_those_of_the_schedule_and_take_time(self):
        for name, config in SCHEDULES.items():
            with self.subTest(schedule=name):
                printed = self.run_out(config)
                rows = self.read_csv("out", "steps.csv")
                steps = self.report("schedule", "config.yaml")["steps"]
                self.assertEqual(len(rows), printed["steps"])
                self.assertEqual(len(rows), len(steps))
                for row, step in zip(rows, steps):
                    self.assertEqual(int(row["step"]), step["step"])
                    self.assertEqual(int(row["transfers"]), len(step["transfers"]))
                    self.assertEqual(int(row["max_link_contention"]), step["max_link_contention"])
                    self.assertEqual(row["busiest_link"], step["busiest_link"])
                    self.assertLess(int(row["start"]), int(row["end"]))
                self.assertEqual(int(rows[0]["start"]), 0)
                self.assertEqual(max(int(r["end"]) for r in rows), printed["cycles"])
                starts = [int(r["start"]) for r in rows]
                self.assertEqual(starts, sorted(starts))

    def test_the_resolved_configuration_gives_the_same_run(self):
        for config in (*SCHEDULES.values(), PATTERN):
            printed = self.run_out(config, "--set", "fabric.buffer_depth=3", "--set",
                                   "node.send_overhead=5")
            again = self.report("run", "out/config.yaml", "--out", "again")
            self.assertEqual(without(again), without(printed))
            self.assertEqual(self.read("again", "config.yaml"), self.read("out", "config.yaml"))

    def test_files_of_the_configuration_are_found_from_the_output_folder(self):
        self.write("sub/ring.yaml", "nodes: 3\nlinks:\n" + "".join(
            f"  - {{from: {a}, to: {b}, both: true}}\n" for a, b in ((0, 1), (1, 2))))
        self.write("sub/program.csv", "source,destination,bytes,step\n0,2,64,0\n2,0,64,1\n")
        self.write("sub/config.yaml", machine({"kind": "custom", "file": "ring.yaml"},
                                              {"program": "program.csv"}))
        printed = self.report("run", "sub/config.yaml", "--out", "elsewhere/out")
        self.assertEqual(printed["messages_delivered"], 2)
        again = self.report("run", "elsewhere/out/config.yaml")
        # "schedule" is the path of the program, relative to the user's folder.
        self.assertEqual(without(again, "schedule"), without(printed, "schedule", "files"))

    def test_folders_need_not_be_named_in_utf_8(self):
        folder = os.fsencode(self.folder) + b"/a\xffb"
        name = os.fsdecode(os.path.basename(folder))
        self.write(f"{name}/config.yaml", SCHEDULES["gen"])
        self.write(f"{name}/two.csv", "step,source,destination,bytes\n1,0,1,8\n")
        config = os.fsdecode(folder + b"/config.yaml")
        run = json.loads(self.ok("run", config, "--out", "out", "--json"))
        self.assertEqual(self.report("run", "out/config.yaml")["cycles"], run["cycles"])
        self.write(f"{name}/config.yaml", machine(mesh(2, 2), {"program": "two.csv"}))
        self.ok("run", config)
        error = self.refused("run", config, "--out", "other", says=["UTF-8", "\\xff"])
        self.assertIn("rename", error)
        self.assertFalse(os.path.exists(self.path("other")))

    def test_a_second_run_removes_the_tables_that_it_has_not(self):
        """Of the first one alone, and only where that says so."""
        tables = ["config.yaml", "links.csv", "messages.csv", "nodes.csv", "steps.csv", "summary.json"]
        printed = self.run_out(SCHEDULES["gen"], "--messages")
        self.assertEqual(sorted(printed["files"]), tables)
        for name in ("notes.csv", "energy.csv", "ranks.csv"):
            self.write("out/" + name, "mine")
        printed = self.run_out(PATTERN)
        self.assertEqual(sorted(printed["files"]), ["config.yaml", "links.csv", "nodes.csv", "summary.json"])
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         sorted([*printed["files"], "notes.csv", "energy.csv", "ranks.csv"]))
        for name in ("notes.csv", "energy.csv", "ranks.csv"):
            self.assertEqual(self.read("out", name), b"mine")
        done = self.call("report", "out", "-o", "page.html")
        self.assertEqual(done.returncode, EXIT_OK, done.stderr)
        for name in ("energy.csv", "ranks.csv"):
            self.assertIn(f"note: out/{name} does not belong to the run in out, and is left out\n", done.stderr)
        self.assertNotIn("notes", done.stderr)
        # A summary without a list of its files may have written none of them.
        for summary in ("{}", "no summary", json.dumps({**printed, "files": None})):
            self.run_out(SCHEDULES["gen"], "--messages")
            self.write("out/summary.json", summary)
            self.run_out(PATTERN)
            self.assertLessEqual({"messages.csv", "steps.csv"}, set(os.listdir(self.path("out"))))
            done = self.call("report", "out", "-o", "page.html")
            self.assertEqual(done.returncode, EXIT_OK, done.stderr)
            self.assertIn("note: out/messages.csv does not belong to the run in out", done.stderr)
        # A list names tables of runs, and nothing else.
        self.write("mine", "mine")
        self.write("out/summary.json", json.dumps({**printed, "files": ["../mine", "notes.csv", 7]}))
        self.run_out(PATTERN)
        self.assertEqual((self.read("mine"), self.read("out", "notes.csv")), (b"mine", b"mine"))

    def test_a_second_run_replaces_the_files(self):
        self.run_out(SCHEDULES["gen"])
        printed = self.run_out(SCHEDULES["pex"])
        self.assertEqual(without(json.loads(self.read("out", "summary.json"))), without(printed))
        self.assertEqual(len(self.read_csv("out", "links.csv")), printed["links"])

    def test_busy_cycles_of_the_waveform_are_the_flits_of_the_links(self):
        for name, config in SCHEDULES.items():
            with self.subTest(schedule=name):
                self.run_out(config, "--trace", "run.vcd")
                self.write("fst.yaml", config)
                self.report("run", "fst.yaml", "--trace", "run.fst")
                flits = {r["link"]: int(r["flits"]) for r in self.read_csv("out", "links.csv")}
                for vcd in (self.read("run.vcd").decode(), fst_to_vcd(self.path("run.fst"))):
                    check_vcd(self, vcd)
                    self.assertEqual(link_busy_cycles(vcd), flits)
                self.assertIn(b"link_000_001", self.read("run.vcd.gtkw"))

    def test_blocked_cycles_of_the_waveform_are_those_of_the_links(self):
        crowded = machine(mesh(4, 4), {"pattern": "uniform", "injection_rate": 0.6,
                                       "message_bytes": 64, "warmup_cycles": 0,
                                       "measure_cycles": 500}, fabric={"virtual_channels": 2})
        circuits = machine(hypercube(4), {"schedule": "pex", "message_bytes": 64},
                           fabric={"switching": "circuit"})
        cut = ("--set", "limits.max_cycles=150")
        for config, *limit in ((SCHEDULES["pex"],), (crowded,), (circuits,),
                               (SCHEDULES["pex"], *cut), (crowded, *cut)):
            self.write("config.yaml", config)
            self.call("run", "config.yaml", "--out", "out", "--trace", "run.vcd", *limit)
            rows = self.read_csv("out", "links.csv")
            blocked = {r["link"]: int(r["blocked_cycles"]) for r in rows}
            self.assertGreater(sum(blocked.values()), 0)
            self.assertEqual(link_busy_cycles(self.read("run.vcd").decode(), "blocked"), blocked)

    def test_messages_are_written_on_request(self):
        config = machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 100},
                         node={"packet_bytes": 40, "send_overhead": 5})
        printed = self.run_out(config, "--messages")
        rows = self.read_csv("out", "messages.csv")
        self.assertEqual(len(rows), printed["messages_delivered"])
        self.assertEqual([int(r["message"]) for r in rows], list(range(len(rows))))
        topology = mesh(4, 4)
        for r in rows:
            self.assertEqual(int(r["bytes"]), 100)
            self.assertEqual(int(r["hops"]), distance(topology, int(r["source"]),
                                                      int(r["destination"])))
            self.assertGreaterEqual(int(r["injected"]), int(r["sent"]) + 5)
            self.assertGreater(int(r["delivered"]), int(r["injected"]))
        latencies = [int(r["delivered"]) - int(r["sent"]) for r in rows]
        self.assertEqual(max(latencies), printed["latency"]["max"])
        in_network = [int(r["delivered"]) - int(r["injected"]) for r in rows]
        self.assertEqual(max(in_network), printed["network_latency"]["max"])
        self.assertAlmostEqual(sum(in_network) / len(rows), printed["network_latency"]["mean"])
        self.assertEqual(max(int(r["delivered"]) for r in rows) + 1, printed["cycles"])
        self.refused("run", "config.yaml", "--messages", says=["--out"])

    def test_messages_that_do_not_arrive_have_no_delivery(self):
        self.write("config.yaml", SCHEDULES["pex"])
        files = []
        for engine in ("cycle", "tlm"):
            self.call("run", "config.yaml", "--out", engine, "--messages", "--engine", engine,
                      "--set", "limits.max_cycles=100")
            summary = json.loads(self.read(engine, "summary.json"))
            rows = self.read_csv(engine, "messages.csv")
            self.assertEqual(sum(r["delivered"] != "" for r in rows),
                             summary["messages_delivered"])
            self.assertTrue(any(r["delivered"] == "" for r in rows))
            self.assertTrue(all(int(r["injected"]) < 100 for r in rows))
            files.append(self.read(engine, "messages.csv"))
        self.assertEqual(*files)

    def test_traces_of_several_formats_have_a_save_file_each(self):
        for trace in ("run.vcd", "run.fst"):
            self.run_out(SCHEDULES["pex"], "--trace", trace)
        for trace in ("run.vcd", "run.fst"):
            saved = self.read(trace + ".gtkw").decode()
            self.assertIn(f'[dumpfile] "{trace}"\n[savefile] "{trace}.gtkw"\n', saved)

    def test_programs_are_called_as_no_target_of_cmake_is(self):
        names = ("mesh", "clean", "help", "edit_cache", "rebuild_cache", "preinstall", "install",
                 "ALL_BUILD", "INSTALL", "ZERO_CHECK", "all", "test", "package",
                 "router_p5_v1_d8_w64_r1_mesh")
        targets = []
        for name in names:
            self.write(f"{name}.yaml", SCHEDULES["pex"])
            self.ok("export", f"{name}.yaml", "--systemc", f"of_{name}")
            target, = re.findall(r"add_executable\((\w+) main.cpp\)",
                                 self.read(f"of_{name}", "CMakeLists.txt").decode())
            self.assertEqual(target, name if name == "mesh" else "fabric_" + name)
            targets.append(f"add_custom_target({target})\n")
        self.write("all/CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\n"
                   "project(targets NONE)\n" + "".join(targets))
        subprocess.run(["cmake", "-S", self.path("all"), "-B", self.path("build")], check=True,
                       capture_output=True)

    def test_selection_and_window_leave_out_the_rest(self):
        config = SCHEDULES["pex"]
        cycles = self.run_out(config, "--trace", "run.vcd", "--set", "waveform.links=[0-1]")["cycles"]
        vcd = self.read("run.vcd").decode()
        self.assertEqual(list(link_busy_cycles(vcd)), ["link_000_001"])
        done = self.call("run", "config.yaml", "--trace", "none.vcd", "--set",
                         f"waveform.from={cycles + 1000}")
        self.assertEqual(done.returncode, EXIT_OK, done.stderr)
        self.assertIn(f"note: the waveform shows nothing: it begins at waveform.from = {cycles + 1000}, "
                      "and the run ended in cycle ", done.stderr)
        self.assertEqual(set(link_busy_cycles(self.read("none.vcd").decode()).values()), {0})
        whole = sum(link_busy_cycles(vcd).values())
        parts = 0
        for number, (begin, end) in enumerate(((0, 50), (50, cycles + 10))):
            self.report("run", "config.yaml", "--trace", f"part{number}.vcd", "--set",
                        "waveform.links=[0-1]", "--set", f"waveform.from={begin}", "--set",
                        f"waveform.until={end}")
            part = link_busy_cycles(self.read(f"part{number}.vcd").decode())
            self.assertGreater(part["link_000_001"], 0)
            parts += part["link_000_001"]
        self.assertEqual(parts, whole)


if __name__ == "__main__":
    main()
