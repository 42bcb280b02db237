# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope report: the data of a page agree with those of a run, the page is small, bad input is
refused."""
import json
import os

from flitscope_cli import EXIT_FAILED, EXIT_STANDSTILL, machine, main, mesh, without
from report_pages import CONFIGS, PATTERN, PEX, RUNS, ReportTest, data_of, numbers, rows


class Data(ReportTest):
    def test_bins_add_up_to_the_flits_of_the_links(self):
        for name, config in RUNS.items():
            with self.subTest(run=name):
                self.write("config.yaml", config)
                page = self.report_page("config.yaml")
                summary = self.report("run", "config.yaml", "--out", "out")
                links = self.read_csv("out", "links.csv")
                time = page["time"]
                self.assertLessEqual(time["bins"], 256)
                self.assertEqual(-(-time["cycles"] // time["bin_cycles"]), time["bins"])
                busy = rows(numbers(time["busy"]), time["bins"])
                self.assertEqual([sum(row) for row in busy], [int(r["flits"]) for r in links])
                blocked = rows(numbers(time["blocked"]), time["bins"])
                for here in zip(busy, blocked):
                    self.assertLessEqual(max(map(sum, zip(*here))), time["bin_cycles"])
                self.assertEqual(page["summary"], without(summary, "files"))
                self.assertEqual(sum(page["latency"]["counts"]), page["latency"]["messages"])

    def test_stays_on_links_are_their_busy_and_blocked_cycles(self):
        self.write("config.yaml", RUNS["schedule"])
        page = self.report_page("config.yaml")
        messages, stays = page["messages"], page["messages"]["stays"]
        self.assertEqual(messages["one_of"], 1)
        self.assertEqual(len(numbers(messages["number"])), page["summary"]["messages_delivered"])
        bins = page["time"]["bins"]
        for what, column in (("busy", lambda held, blocked: held - blocked),
                             ("blocked", lambda held, blocked: blocked)):
            sums = [0] * page["network"]["links"]
            for link, held, blocked in zip(*(numbers(stays[c]) for c in ("link", "held", "blocked"))):
                sums[link] += column(held, blocked)
            self.assertEqual(sums, [sum(r) for r in rows(numbers(page["time"][what]), bins)])

    def test_the_critical_path_is_that_of_explain(self):
        self.write("config.yaml", RUNS["packets"])
        path = self.report_page("config.yaml")["path"]
        self.ok("explain", "config.yaml", "--csv")
        explained = self.report("explain", "config.yaml")
        self.assertEqual(sum(numbers(path["length"])), explained["cycles"])
        self.assertEqual({c["name"]: c["cycles"] for c in path["causes"] if c["cycles"]},
                         {name: cycles for name, cycles in explained["causes"].items() if cycles})

    def test_a_pattern_has_no_path_and_no_steps(self):
        self.write("config.yaml", PATTERN)
        page = self.report_page("config.yaml")
        self.assertNotIn("path", page)
        self.assertNotIn("steps", page)

    def test_stalls_are_those_of_explain_and_loads_those_of_the_nodes(self):
        steady = machine(mesh(4, 4), {"pattern": "uniform", "injection_rate": 0.3}, steady={})
        for config in (PATTERN, steady, RUNS["schedule"]):
            self.write("config.yaml", config)
            page = self.report_page("config.yaml")
            self.report("run", "config.yaml", "--out", "out")
            nodes = self.read_csv("out", "nodes.csv")
            for column in ("injected", "ejected"):
                self.assertEqual(numbers(page["nodes"][column]),
                                 [int(node[f"measured_{column}_flits"]) for node in nodes])
            self.assertEqual({page["nodes"]["cycles"]},
                             {int(node["measured_cycles"]) for node in nodes})
            self.assertEqual("stalls" in page, "path" not in page)
            if "path" in page:
                continue
            explained = self.report("explain", "config.yaml")
            stalls = page["stalls"]
            self.assertEqual(stalls["packets"], explained["packets"])
            self.assertEqual(numbers(stalls["router"]), [r["router"] for r in explained["routers"]])
            self.assertEqual(numbers(stalls["cycles"]),
                             [r["stall_cycles"] for r in explained["routers"]])
            for cause in (c["name"] for c in stalls["causes"]):
                self.assertEqual(numbers(stalls["by_cause"][cause]),
                                 [r["causes"][cause] for r in explained["routers"]])

    def test_computations_have_a_path_and_no_steps(self):
        page = self.report_page(CONFIGS / "fat_tree_8_goal.yaml")
        self.assertGreater(page["summary"]["messages_delivered"], 0)
        self.assertEqual(sum(numbers(page["path"]["length"])), page["summary"]["trace"]["end_cycles"])
        self.assertNotIn("steps", page)

    def test_ranks_are_those_of_explain_in_total_and_over_time(self):
        self.write("config.yaml", machine(mesh(3, 3), {"schedule": "halo-2d", "message_bytes": 256,
                                                       "iterations": 2}, node={"send_overhead": 20}))
        page = self.report_page("config.yaml")
        explained = self.report("explain", "config.yaml")
        ranks = page["ranks"]
        for name in ("rank", "node", "end", "computing", "sending", "receiving", "waiting", "path_cycles"):
            self.assertEqual(numbers(ranks[name]), [rank[name] for rank in explained["ranks"]], name)
        for cause, cycles in ranks["by_cause"].items():
            self.assertEqual(numbers(cycles), [rank["causes"][cause] for rank in explained["ranks"]], cause)
        self.assertGreaterEqual(ranks["bins"] * ranks["bin_cycles"], explained["cycles"])
        busy = numbers(ranks["busy"])
        each = 3 * ranks["bins"]
        self.assertEqual(len(busy), 9 * each)
        for place, rank in enumerate(explained["ranks"]):
            of = busy[place * each:(place + 1) * each]
            self.assertEqual([sum(of[kind::3]) for kind in range(3)],
                             [rank[name] for name in ("computing", "sending", "receiving")])
            self.assertLessEqual(max(of), ranks["bin_cycles"])
        self.assertEqual(page["time"]["cycles"], explained["cycles"])

    def test_what_explain_refuses_has_steps_and_no_path(self):
        self.write("classes.csv", "source,destination,bytes,step,class\n5,0,100,1,1\n5,1,100,1,0\n")
        naive = {"schedule": "naive", "message_bytes": 100}
        for name, traffic, sections in (
                ("classes", {"program": "classes.csv"},
                 {"fabric": {"virtual_channels": 2, "classes": ["a", "b"]}}),
                ("retransmit", naive, {"node": {"retransmit": {}}}),
                ("faults", naive, {"fabric": {"routing": "up_down"},
                                   "faults": {"links": ["5-6"], "at": 5000}})):
            with self.subTest(name):
                self.write("config.yaml", machine(mesh(4, 4), traffic, **sections))
                self.refused("explain", "config.yaml", says=["explain does not support"])
                page = self.report_page("config.yaml")
                self.assertEqual(page["summary"]["status"], "complete")
                self.assertIn("steps", page)
                self.assertNotIn("path", page)

    def test_engines_and_repetitions_give_the_same_page(self):
        self.write("config.yaml", RUNS["schedule"])
        pages = []
        for engine in ("cycle", "tlm"):
            self.ok("report", "config.yaml", "--engine", engine, "-o", "page.html")
            first = self.read("page.html")
            self.ok("report", "config.yaml", "--engine", engine, "-o", "page.html")
            self.assertEqual(first, self.read("page.html"))
            pages.append(data_of(first))
        for part in ("network", "time", "messages", "steps", "path", "latency"):
            self.assertEqual(pages[0][part], pages[1][part], part)

    def test_many_messages_are_thinned_alike_by_all_engines(self):
        config = machine(mesh(8, 8), {"pattern": "uniform", "injection_rate": 0.3,
                                      "message_bytes": 16, "measure_cycles": 3000,
                                      "warmup_cycles": 100})
        self.write("config.yaml", config)
        pages = [self.report_page("config.yaml", "--engine", e) for e in ("cycle", "tlm")]
        self.assertGreater(pages[0]["messages"]["one_of"], 1)
        self.assertEqual(pages[0]["messages"], pages[1]["messages"])
        self.assertLess(os.path.getsize(self.path("page.html")), 1 << 20)

    def test_provenance_runs_again(self):
        self.write("config.yaml", RUNS["schedule"])
        page = self.report_page("config.yaml", "--set", "traffic.message_bytes=32")
        said = page["provenance"]
        self.assertEqual(said["command"], "flitscope report config.yaml -o page.html "
                                          "--set traffic.message_bytes=32")
        self.write("again.yaml", said["configuration"])
        again = self.report_page("again.yaml")
        self.assertEqual(again["time"], page["time"])
        self.assertEqual(again["provenance"]["configuration"], said["configuration"])

    def test_the_folder_of_a_run_gives_the_page_of_its_configuration(self):
        for name, config in RUNS.items():
            with self.subTest(run=name):
                self.write("config.yaml", config)
                self.ok("run", "config.yaml", "--out", name, "--messages", "--engine", "cycle")
                expected = self.report_page("config.yaml", "--engine", "cycle")
                page = self.report_page(name)
                for part in set(expected) - {"provenance"}:
                    self.assertEqual(page[part], expected[part], part)
                self.assertEqual(page["provenance"]["engine"], "cycle")
                self.assertEqual(page["provenance"]["command"],
                                 f"flitscope report {name} -o page.html")
        pair = self.report_page("schedule", "pattern")
        self.assertEqual([part["summary"]["schedule"] for part in pair["parts"]],
                         ["pex", "uniform"])
        pair = self.report_page("schedule", "config.yaml")
        self.assertEqual(len(pair["parts"]), 2)

    def test_the_folder_of_a_run_that_stood_still_has_a_page(self):
        self.call("run", CONFIGS / "ring_4_deadlock.yaml", "--out", "out")
        done = self.call("report", "out", "-o", "page.html")
        self.assertEqual(done.returncode, EXIT_STANDSTILL, done.stderr)
        self.assertEqual(data_of(self.read("page.html"))["summary"]["status"], "deadlock")

    def test_a_page_is_small(self):
        self.ok("report", PEX, "-o", "small.html")
        self.assertLess(os.path.getsize(self.path("small.html")), 1 << 20)

    def test_no_text_ends_the_data(self):
        name = "a</script><script>alert(1).yaml"
        os.mkdir(self.path("a<"))
        self.write(name, RUNS["schedule"])
        page = self.report_page(name)
        self.assertIn("</script>", page["provenance"]["command"])
        self.assertEqual(self.read("page.html").count(b"<script"), 2)

    def test_a_message_is_delivered_with_the_last_of_its_packets(self):
        self.write("config.yaml", machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 512},
                                          node={"packet_bytes": 64}))
        for cycles in (40, 90, 100_000):
            self.call("report", "config.yaml", "-o", "page.html",
                      "--set", f"limits.max_cycles={cycles}")
            page = data_of(self.read("page.html"))
            summary, messages = page["summary"], page["messages"]
            self.assertEqual(messages["one_of"], 1)
            delivered = [d for d in numbers(messages["delivered"]) if d >= 0]
            self.assertEqual(len(delivered), summary["messages_delivered"])
            self.assertGreaterEqual(sum(i >= 0 for i in numbers(messages["injected"])), 16)
            self.assertEqual(max(delivered, default=None), summary["latency"]["max"])
        self.assertEqual(len(delivered), summary["messages_expected"])

    def test_messages_begin_when_they_were_sent_delivered_or_not(self):
        self.write("started.yaml", machine(mesh(2), {"schedule": "pex", "message_bytes": 800},
                                           node={"send_overhead": 50}, limits={"max_cycles": 100}))
        for name, config in RUNS.items():
            self.write(name + ".yaml", config)
        for config in ("started.yaml", CONFIGS / "ring_4_deadlock.yaml",
                       *(name + ".yaml" for name in RUNS)):
            with self.subTest(config=config):
                self.call("run", config, "--out", "out", "--messages")
                sent = {int(row["message"]): (int(row["sent"]), int(row["injected"]))
                        for row in self.read_csv("out", "messages.csv")}
                self.assertTrue(sent)
                self.call("report", config, "-o", "page.html")
                messages = data_of(self.read("page.html"))["messages"]
                self.assertEqual(messages["one_of"], 1)
                times = {number: (begin, begin + injected) for number, begin, injected in zip(
                    *(numbers(messages[what]) for what in ("number", "begin", "injected")))
                    if injected >= 0}
                self.assertEqual(times, sent)

    def test_a_run_that_stands_still_has_a_page(self):
        done = self.call("report", CONFIGS / "ring_4_deadlock.yaml", "-o", "page.html")
        self.assertEqual(done.returncode, EXIT_STANDSTILL)
        page = data_of(self.read("page.html"))
        self.assertEqual(page["summary"]["status"], "deadlock")
        self.assertTrue(page["summary"]["problems"])
        self.assertIn(-1, numbers(page["messages"]["delivered"]))


class BadInput(ReportTest):
    def test_what_cannot_be_shown(self):
        self.write("config.yaml", RUNS["schedule"])
        self.ok("run", "config.yaml", "--out", "out")
        os.mkdir(self.path("empty"))
        self.refused("report", "empty", "-o", "page.html", says=["empty: error:", "not the folder of a run"])
        self.refused("report", "out", "--set", "seed=2", "-o", "page.html",
                     says=["--set seed=2", "as it ran", "out/config.yaml"])
        self.refused("report", "absent.yaml", "-o", "page.html", says=["absent.yaml"])
        self.write("broken.yaml", "fabric: {topologie: {kind: mesh}}\n")
        self.refused("report", "broken.yaml", "-o", "page.html",
                     says=["broken.yaml:1", "topologie", "did you mean"])
        self.write("broken.db", "no database at all")
        self.refused("report", "broken.db", "-o", "page.html", says=["broken.db"])
        self.refused("report", "config.yaml", "--study", "x", "-o", "page.html",
                     says=["--study x", "needs a database"])
        self.refused("report", "config.yaml", "broken.db", "-o", "page.html",
                     says=["different pages", "databases"])
        self.refused("report", "out", "broken.db", "-o", "page.html", says=["different pages"])
        self.refused("report", "config.yaml", "config.yaml", "config.yaml", "-o", "page.html",
                     says=["two runs or studies at most"])
        self.write("silent.yaml", json.dumps({"fabric": {"topology": mesh(2, 2)}}))
        self.refused("report", "silent.yaml", "-o", "page.html", says=["traffic"])

    def folder_of_a_run(self):
        self.write("config.yaml", RUNS["schedule"])
        self.ok("run", "config.yaml", "--out", "out")
        return json.loads(self.read("out", "summary.json"))

    def test_a_folder_that_is_not_whole(self):
        summary = self.folder_of_a_run()
        remedy = "flitscope report out/config.yaml"
        for name in ("summary.json", "links.csv", "steps.csv"):
            content = self.read("out", name)
            os.remove(self.path("out", name))
            self.refused("report", "out", "-o", "page.html", says=["out: error:", name, remedy])
            self.write("out/" + name, content)
        for broken in ("", "{", "[]", "7", json.dumps({"engine": "cycle"}),
                       json.dumps({**summary, "engine": 7})):
            self.write("out/summary.json", broken)
            self.refused("report", "out", "-o", "page.html",
                         says=["out/summary.json: error:", "was not written by a run", remedy])
        self.write("out/summary.json", json.dumps({**summary, "engine": "quantum"}))
        self.refused("report", "out", "-o", "page.html", says=["quantum", "no such engine"])
        self.write("out/summary.json", json.dumps({**summary, "status": "interrupted"}))
        self.refused("report", "out", "-o", "page.html", says=["was interrupted", remedy])
        self.write("out/summary.json", json.dumps(summary))
        self.write("out/config.yaml", "fabric: {topologie: {kind: mesh}}\n")
        self.refused("report", "out", "-o", "page.html", says=["out/config.yaml:1", "topologie"])

    def test_a_run_that_is_another_one_now(self):
        """As of another version of the models: there is no page of it."""
        summary = self.folder_of_a_run()
        links = self.read("out", "links.csv").decode()
        number, row = list(enumerate(links.splitlines(), 1))[5]
        blocked = row.split(",")
        blocked[6] = str(int(blocked[6]) + 1)
        changes = {
            "out/summary.json": {
                "cycles is 7 here, and ": json.dumps({**summary, "cycles": 7, "version": "0.0.9"}),
                "flit_hops is nothing here, and ": json.dumps(
                    {k: v for k, v in summary.items() if k != "flit_hops"}),
                "colour is 1 here, and nothing": json.dumps({**summary, "colour": 1})},
            "out/links.csv": {
                f"line {number} is ": links.replace(row, ",".join(blocked)),
                "is '', but 'link_": "\n".join(links.splitlines()[:-1]) + "\n"},
        }
        for name, texts in changes.items():
            kept = self.read(name)
            for says, text in texts.items():
                self.write(name, text)
                done = self.call("report", "out", "-o", "page.html")
                self.assertEqual(done.returncode, EXIT_FAILED, done.stderr)
                for words in (name + ": error:", says, "when it is run again",
                              "flitscope report out/config.yaml"):
                    self.assertIn(words, done.stderr)
                self.assertNotIn("page.html", self.everything())
            self.write(name, kept)
        self.assertIn(summary["version"], done.stderr)
        self.ok("report", "out", "-o", "page.html")

    def test_a_run_whose_files_are_others_now(self):
        """The page would be of a run that nobody made, and the models be blamed."""
        self.write("program.csv", "step,source,destination,bytes\n1,0,1,64\n1,2,3,64\n")
        self.write("config.yaml", machine(mesh(2, 2), {"program": "program.csv"}))
        self.ok("run", "config.yaml", "--out", "out")
        inputs = json.loads(self.read("out", "summary.json"))["inputs"]
        self.assertEqual([each["file"] for each in inputs], ["program.csv"])
        self.ok("report", "out", "-o", "page.html")
        kept = self.read("program.csv")
        self.write("program.csv", kept + b"2,1,0,64\n")
        self.refused("report", "out", "-o", "other.html",
                     says=["program.csv: error: has changed since the run in out",
                           "flitscope report out/config.yaml"])
        self.ok("report", "out/config.yaml", "-o", "other.html")
        self.write("program.csv", kept)
        self.ok("report", "out", "-o", "page.html")
        # A digest in any folder, which is not text.
        summary = json.loads(self.read("out", "summary.json"))
        for inputs in ([], None, 5, [7, {}, {"file": 3}, {**inputs[0], "digest": [1]}]):
            self.write("out/summary.json", json.dumps({**summary, "inputs": inputs}))
            self.ok("report", "out", "-o", "page.html")

    def test_where_a_page_cannot_be_written(self):
        self.write("config.yaml", RUNS["schedule"])
        self.refused("report", "config.yaml", says=["-o"])
        self.refused("report", "config.yaml", "-o", "page.txt", says=["name it .html"])
        self.refused("report", "config.yaml", "-o", "absent/page.html", says=["does the folder exist"])
        os.mkdir(self.path("folder.html"))
        self.refused("report", "config.yaml", "-o", "folder.html", says=["a folder is in the way"])


if __name__ == "__main__":
    main()
