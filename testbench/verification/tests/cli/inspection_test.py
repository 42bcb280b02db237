# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Commands that simulate nothing: list, keys, check, topology, schedule, help; and usage errors."""
import json
import re

from flitscope_cli import CliTest, EXIT_OK, EXIT_USAGE, hypercube, machine, main, mesh

PORTS = ["--set", "node.port_model=one_output"]


class Inspection(CliTest):
    def topology(self, shape):
        self.write("config.yaml", machine(shape, {"schedule": "gen"}))
        return self.report("topology", "config.yaml")

    def test_topology_of_a_mesh(self):
        report = self.topology(mesh(8, 8))
        expected = {"nodes": 64, "channels": 112, "links": 224, "degree": {"min": 2, "max": 4},
                    "diameter": 14, "bisection": 8, "wire_length": 112, "longest_wire": 1,
                    "deadlock_free": True}
        self.assertEqual({key: report[key] for key in expected}, expected)

    def test_a_side_of_1_in_a_generalized_hypercube_reserves_no_ports(self):
        """Four nodes in a line, fully joined: three links and the node are all ports that there are."""
        for dims in ([4], [1, 4], [4, 1]):
            self.write("config.yaml", machine({"kind": "ghc", "dims": dims},
                                              {"schedule": "gen", "message_bytes": 8}))
            self.assertIn("router_p4_", self.ok("topology", "config.yaml"), dims)

    def test_topology_does_not_need_traffic_that_fits(self):
        self.write("config.yaml", machine(hypercube(14), {"pattern": "uniform"}))
        self.assertEqual(self.report("topology", "config.yaml")["channels"], 14 * 2**13)

    def test_the_text_forms_say_the_same(self):
        self.write("config.yaml", machine(mesh(8, 8), {"schedule": "pex"}))
        text = self.ok("topology", "config.yaml")
        for words in ("mesh 8x8", "64", "112", "224", "14", "8 channels"):
            self.assertIn(words, text)
        text = self.ok("schedule", "config.yaml")
        self.assertIn("4,032 messages in 63 steps", text)
        self.assertGreaterEqual(len(text.splitlines()), 63)

    def test_a_network_needs_no_traffic_unless_it_is_run(self):
        for shape in (mesh(4, 4), {"kind": "how", "dims": [4, 4], "window": 2}):
            self.write("config.yaml", json.dumps({"fabric": {"topology": shape}}))
            self.assertEqual(self.report("topology", "config.yaml")["nodes"], 16)
            self.assertIn("no cycle", self.ok("check", "config.yaml"))
            self.ok("compare", "config.yaml")
            for command in ("run", "cosim", "verify", "schedule"):
                self.refused(command, "config.yaml", says=["config.yaml: error: no traffic"])

    def test_check_accepts_and_says_what_it_checked(self):
        for shape in (mesh(4, 4), hypercube(4)):
            self.write("config.yaml", machine(shape, {"schedule": "pex"}))
            text = self.ok("check", "config.yaml")
            self.assertIn("no cycle in the channel dependency graph", text)
            self.assertIn("every ordered pair exactly once", text)
        self.write("config.yaml", machine(mesh(4, 4), {"schedule": "broadcast"}))
        self.assertNotIn("exactly once", self.ok("check", "config.yaml"))
        self.write("config.yaml", machine(mesh(4, 4), {"pattern": "uniform"}))
        self.ok("check", "config.yaml")

    def test_check_says_why_a_machine_has_no_rtl_routers(self):
        self.write("config.yaml", machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 8}))
        for override, reason in (("seed=1", None),
                                 ("fabric.flit_bits=32", "flits of at least 64 bits"),
                                 ("fabric.switching=store_and_forward", "only wormhole switching"),
                                 ("fabric.buffer_depth=2000", "FIFOs of at most 1024 flits")):
            with self.subTest(override=override):
                text = self.ok("check", "config.yaml", "--set", override)
                told = self.report("check", "config.yaml", "--set", override)["rtl_unsupported_reason"]
                router = ("--set", override, "--set", "fabric.router=rtl")
                if reason is None:
                    self.assertIsNone(told)
                    self.assertNotIn("RTL routers", text)
                    continue
                self.assertIn(reason, told)
                self.assertIn("RTL routers       none for this machine: " + told + "\n", text)
                self.refused("check", "config.yaml", *router, says=[reason])

    def test_list_names_everything_with_one_line_each(self):
        lines = self.ok("list").splitlines()
        first = [line.split()[0] for line in lines if re.match(r"  \S", line)]
        self.assertEqual(len(first), len(set(first)))
        listed = json.loads(self.ok("list", "--json"))
        names = {entry["name"] for table in listed.values() if isinstance(table, list) for entry in table}
        self.assertGreater(len(names), 60)
        self.assertLessEqual(names, set(first))
        for line in lines:
            if line.startswith("  "):
                self.assertGreater(len(line.split()), 2, line)

    def test_list_says_where_every_schedule_and_algorithm_comes_from(self):
        lines = [" ".join(line.split()) for line in self.ok("list").splitlines()]
        seen = 0
        for schedule in json.loads(self.ok("list", "--json"))["schedules"]:
            self.assertTrue(schedule["summary"])
            for algorithm in schedule["algorithms"]:
                with self.subTest(schedule=schedule["name"], algorithm=algorithm["name"]):
                    named = len(schedule["algorithms"]) > 1 or algorithm["name"]
                    self.assertEqual(bool(algorithm["name"]), bool(algorithm["summary"]))
                    # Authors, and a year or a section.
                    self.assertRegex(algorithm["source"], r"^[A-Z][a-z].*[0-9]")
                    what = algorithm if named else schedule
                    self.assertIn(f"{what['name']} {what['summary']} ({algorithm['source']})",
                                  lines)
                    seen += 1
        self.assertGreaterEqual(seen, 19)

    def test_what_is_listed_is_accepted(self):
        # Networks for those that a mesh of 4 x 4 nodes does not suit.
        how = {"kind": "how", "dims": [4, 4], "window": 2}
        own = {"aap": hypercube(4), "synthesized": mesh(2), "relayed-exchange": how, "windows": how,
               "windows_wormhole": how}
        sparse = {"kind": "express_mesh", "dims": [4, 4], "segment": 2, "layout": "sparse"}
        own.update({name: sparse for name in ("submeshes", "row_major", "row_major_printed")})
        listed = json.loads(self.ok("list", "--json"))
        # The keys that these patterns require.
        self.write("ring.csv", "\n".join(",".join("1" if b == (a + 1) % 16 else "0"
                                                 for b in range(16)) for a in range(16)))
        more = {"mixed": {"mix": {"uniform": 1, "tornado": 1}}, "matrix": {"matrix": "ring.csv"}}
        runs = [{"pattern": pattern["name"], **more.get(pattern["name"], {})}
                for pattern in listed["patterns"]]
        for schedule in listed["schedules"]:
            runs.append({"schedule": schedule["name"]})
            runs += [{"schedule": schedule["name"], "algorithm": algorithm["name"]}
                     for algorithm in schedule["algorithms"] if algorithm["name"]]
        for traffic in runs:
            shape = own.get(traffic.get("algorithm"), own.get(traffic.get("schedule"), mesh(4, 4)))
            streams = traffic.get("algorithm") == "windows_wormhole"
            self.write("config.yaml", machine(shape, traffic))
            self.ok("check", "config.yaml", *PORTS * streams)
        self.assertGreaterEqual(len(runs), 30)

    def test_keys_has_all_keys_as_text_and_as_markdown(self):
        text = self.ok("keys")
        table = self.ok("keys", "--markdown")
        self.assertLess(max(map(len, text.splitlines())), 101)
        listed = re.findall(r"^\| `([^`]*)` \|", table, re.MULTILINE)
        self.assertGreater(len(listed), 100)
        self.assertEqual(re.findall(r"^[a-z]\S*$", text, re.MULTILINE), listed)
        for key in ("fabric.topology.kind", "fabric.buffer_depth", "traffic.schedule", "seed",
                    "limits.max_cycles", "node.injection_bandwidth"):
            self.assertIn(key, listed)
        self.assertIn(self.ok("keys", "fabric.topology"), text)
        self.refused("keys", "seed", "--markdown", says=["key excludes --markdown"])

    def test_keys_says_what_those_mean_that_are_named(self):
        text = self.ok("keys", "traffic.arrivals", "node.injection_bandwidth")
        self.assertRegex(text, r"(?s)^traffic\.arrivals\n    .*periodic.*; default \w+\n"
                               r"node\.injection_bandwidth\n    ")
        self.assertLess(max(map(len, text.splitlines())), 101)
        self.assertEqual(self.ok("keys", "arrivals"), self.ok("keys", "traffic.arrivals"))
        topology = self.ok("keys", "fabric.topology")
        for key in ("fabric.topology.kind", "fabric.topology.dims"):
            self.assertIn(key + "\n    ", topology)
        self.assertNotIn("fabric.buffer_depth\n", topology)
        self.refused("keys", "traffic.arivals", says=("keys traffic.arivals", "traffic.arrivals"))
        self.refused("keys", "seeed", says=("did you mean 'seed'",))
        self.assertEqual(self.ok("keys", "vcs"), "vcs: that is 'fabric.virtual_channels' here\n" +
                         self.ok("keys", "fabric.virtual_channels"))
        self.refused("keys", "sim_type", says=("no such key", "curve (latency by load)"))

    def test_a_pattern_has_no_schedule(self):
        self.write("config.yaml", machine(mesh(4, 4), {"pattern": "uniform"}))
        self.refused("schedule", "config.yaml", "--json", says=["config.yaml:1:", "schedule"])

    def test_lines_of_the_manual_page_begin_where_lists_have_entries(self):
        page = self.ok("manual")
        lines = re.findall(r"^\.br\n(.*)$", page, re.MULTILINE)
        self.assertGreater(len(lines), 30)
        for line in lines:
            self.assertRegex(line, r"^(One of |Default: |\S+( \S+){0,2}: )")
        self.assertIn("\n.br\n\\&.vcd: text, read by every viewer\n", page)
        self.assertIn("rerunning the command resumes an interrupted reproduction\n", page)

    def test_help_fits_a_terminal(self):
        self.assertIn("report [OPTIONS] what...\n", self.ok("report", "--help"))
        text = self.ok("--help")
        self.assertIn("Exit codes", text)
        for command in ("", *re.findall(r"(?m)^  ([a-z]+) ", text[text.index("Subcommands:"):])):
            for line in self.ok(*filter(None, [command]), "--help").splitlines():
                # The choices of an option are in its name, which is not broken.
                self.assertTrue(len(line) <= 95 or line.startswith("  --"), line)
        text = self.ok("explore", "--help")
        for entry in ("list: its studies", "show DIGEST: one design as a configuration"):
            self.assertRegex(text, f"(?m)^ {{30}}{entry}$")
        self.assertRegex(self.ok("--version"), r"^flitscope \d+\.\d+\.\d+, model \d+\n$")

    def test_usage_errors(self):
        self.write("config.yaml", machine(mesh(2, 2), {"schedule": "gen"}))
        for arguments, *says in (
                ([], "--help"),
                (["simulate"], "--help"),
                (["run"], "run needs CONFIG.yaml", "--help"),
                (["completion"], "completion needs SHELL:{bash,zsh}", "--help"),
                (["report"], "report needs CONFIG.yaml, DIR, FILE.db or FILE.json", "--help"),
                (["report", "config.yaml"], "--output is required", "--help"),
                (["explore"], "explore needs STUDY.yaml, list, front, axes, best, table, show, "
                 "diff or export", "--help"),
                (["run", "config.yaml", "--jsn"], "--jsn", "--help"),
                (["run", "config.yaml", "extra"], "extra"),
                (["run", "config.yaml", "--engine", "warp"], "warp", "cycle"),
                (["run", "config.yaml", "--engine", "tlm", "--set", "fabric.virtual_channels=2"],
                 "virtual channels", "--engine cycle"),
                (["verify", "config.yaml", "--engine", "tlm"], "--engine", "--help"),
                (["run", "config.yaml", "--trace"], "--trace"),
                (["schedule", "config.yaml", "--json", "--csv"], "--json", "--csv"),
                (["compare"], "nothing to compare", "--nodes"),
                (["compare", "config.yaml", "--nodes", "64"], "--nodes", "--help"),
                (["compare", "--nodes", "1"], "--nodes", "--help"),
                (["compare", "--nodes", "64", "--json", "--csv"], "--json", "--csv"),
                (["list", "config.yaml"], "config.yaml"),
                (["--json"], "--help")):
            with self.subTest(arguments=arguments):
                self.refused(*arguments, says=says)

    def test_commands_that_inspect_leave_no_files(self):
        self.write("config.yaml", machine(mesh(2, 2), {"schedule": "gen"}))
        before = self.everything()
        for command in ("check", "topology", "schedule", "run"):
            self.assertEqual(self.call(command, "config.yaml").returncode, EXIT_OK)
        self.assertEqual(self.call("run", "--help").stderr, "")
        self.assertEqual(self.call("nonsense").returncode, EXIT_USAGE)
        self.assertEqual(self.everything(), before)


    def test_check_needs_no_clock_for_what_has_none(self):
        # Nobody has synthesized these routers.
        config = self.write("config.yaml", machine(mesh(4), {"pattern": "uniform"}, clock_ns="synth",
                                                   fabric={"buffer_depth": 37, "flit_bits": 208}))
        told = self.ok("check", config)
        self.assertIn("clock             that of the routers, of which one has not been synthesized", told)
        self.assertIn("no cycle in the channel dependency graph", told)
        self.assertNotIn("of payload", told)
        self.assertIs(self.report("check", config)["deadlock_free"], True)
        self.refused("check", config, "--set", "node.send_overhead=5ns", says=["so it has no period"])
        self.refused("run", config, says=["so it has no period"])


if __name__ == "__main__":
    main()
