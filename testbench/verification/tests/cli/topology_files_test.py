# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope topology --export and --draw: the files, and what is refused."""
import json
import os
import re
import subprocess

from flitscope_cli import CliTest, EXIT_OK, EXIT_USAGE, binary, machine, main

TRAFFIC = {"schedule": "naive", "message_bytes": 64}
TORUS = {"kind": "torus", "dims": [4, 4]}


class TopologyFiles(CliTest):
    def setUp(self):
        super().setUp()
        self.write("config.yaml", machine(TORUS, TRAFFIC))

    def test_an_exported_graph_is_a_custom_graph_with_the_same_figures(self):
        figures = self.report("topology", "config.yaml", "--export", "graph.yaml")
        for name in ("graph.yaml", "graph.dot"):
            self.ok("topology", "config.yaml", "--export", name)
            self.write("again.yaml", machine({"kind": "custom", "file": name}, TRAFFIC))
            again = self.report("topology", "again.yaml")
            for key in ("nodes", "channels", "links", "degree", "diameter", "average_distance",
                        "wire_length", "longest_wire"):
                self.assertEqual(again[key], figures[key], f"{name}: {key}")

    def test_wires_of_any_delay_that_a_network_has_are_read_again(self):
        self.write("config.yaml", machine({"kind": "torus", "dims": [1500]}, TRAFFIC,
                                          fabric={"link_delay": {"model": "linear", "reach": 1},
                                                  "virtual_channels": 2}))
        for name in ("graph.yaml", "graph.dot"):
            self.ok("topology", "config.yaml", "--export", name)
            self.write("again.yaml", machine({"kind": "custom", "file": name}, TRAFFIC))
            self.assertEqual(self.report("topology", "again.yaml")["longest_wire"], 1499)

    def test_the_two_links_of_a_channel_are_drawn_as_one_as_long_as_the_longer(self):
        self.write("graph.csv", "from,to,length\n0,1,1\n1,0,5\n")
        self.write("config.yaml", machine({"kind": "custom", "file": "graph.csv"}, TRAFFIC))
        self.assertRegex(self.exported("graph.dot").decode(), r"length 1: .*0.*length 5: .*1")

    def test_a_custom_graph_of_every_format_runs(self):
        self.ok("topology", "config.yaml", "--export", "graph.dot")
        graph = json.loads(self.exported("graph.json"))
        self.write("graph.csv", "from,to\n" + "".join(
            f"{link['from']},{link['to']}\n" for link in graph["links"]))
        self.write("graph.graphml", "<graphml><graph edgedefault='directed'>" + "".join(
            f"<node id='{node}'/>" for node in range(16)) + "".join(
            f"<edge source='{link['from']}' target='{link['to']}'/>"
            for link in graph["links"]) + "</graph></graphml>")
        for name in ("graph.dot", "graph.csv", "graph.graphml"):
            report = self.run_report(machine({"kind": "custom", "file": name}, TRAFFIC))
            self.assertEqual((report["nodes"], report["links"]), (16, 64), name)
            self.assertEqual(report["messages_delivered"], 240, name)

    def test_the_names_of_a_file_are_told_beside_the_numbers(self):
        self.write("soc.dot", 'graph { cpu -- "<l2> & io"; "<l2> & io" -- gpu; gpu -- cpu }')
        self.write("config.yaml", machine({"kind": "custom", "file": "soc.dot"}, TRAFFIC))
        names = ["cpu", "<l2> & io", "gpu"]
        self.assertEqual(self.report("topology", "config.yaml")["names"], names)
        self.assertIn("  names             0 cpu, 1 <l2> & io, 2 gpu\n", self.ok("topology", "config.yaml"))
        self.assertEqual(json.loads(self.exported("graph.json"))["names"], names)
        self.ok("topology", "config.yaml", "--draw", "soc.svg")
        self.assertIn("&lt;l2&gt; &amp; io", self.read("soc.svg").decode())
        # A picture that is read again is a graph of numbers.
        self.exported("again.dot")
        self.write("again.yaml", machine({"kind": "custom", "file": "again.dot"}, TRAFFIC))
        again = self.report("topology", "again.yaml")
        self.assertNotIn("names", again)
        self.assertEqual(again["links"], 6)

    def exported(self, name):
        self.ok("topology", "config.yaml", "--export", name)
        return self.read(name)

    def test_json_lists_nodes_and_links(self):
        graph = json.loads(self.exported("graph.json"))
        self.assertEqual((graph["topology"], graph["kind"], graph["dims"], graph["nodes"]),
                         ("torus 4x4", "torus", [4, 4], 16))
        self.assertEqual(graph["positions"][7], [1, 3])
        self.assertEqual(len(graph["links"]), 64)
        self.assertEqual(graph["links"][1], {"from": 0, "from_port": 2, "to": 3, "to_port": 1,
                                             "dimension": 1, "length": 3, "delay": 1})

    def test_a_picture_shows_every_node_and_channel(self):
        self.ok("topology", "config.yaml", "--draw", "torus.svg")
        picture = self.read("torus.svg").decode()
        self.assertEqual(len(re.findall('class="node"', picture)), 16)
        self.assertEqual(len(re.findall('class="edge"', picture)), 32)
        self.assertIn("torus 4x4", picture)
        self.assertEqual(picture.count('stroke="#999999"'), 24)  # ordinary links
        self.assertEqual(picture.count('stroke="#1f77b4"'), 8)   # wrap-around links
        self.ok("topology", "config.yaml", "--draw", "torus.png")
        self.assertEqual(self.read("torus.png")[:8], b"\x89PNG\r\n\x1a\n")

    def test_names_of_files_are_not_commands(self):
        name = "a b;$(touch x)'\".svg"
        self.ok("topology", "config.yaml", "--draw", name)
        self.assertEqual(self.everything(), {"config.yaml", name})

    def test_what_cannot_be_written_is_refused(self):
        os.mkdir(self.path("folder.dot"))
        os.mkdir(self.path("folder.svg"))
        for option, name, *says in (
                ("--export", "graph.txt", ".dot, .json or .yaml"),
                ("--export", "graph", ".dot, .json or .yaml"),
                ("--export", "nowhere/graph.dot", "cannot write nowhere/graph.dot"),
                ("--export", "folder.dot", "folder.dot"),
                ("--draw", "graph.dot", ".svg or .png"),
                ("--draw", "nowhere/graph.svg", "cannot write nowhere/graph.svg"),
                ("--draw", "folder.svg", "folder.svg")):
            with self.subTest(option=option, name=name):
                self.refused("topology", "config.yaml", option, name,
                             says=[f"{option} {name}", *says])

    def test_a_missing_graphviz_is_named(self):
        done = subprocess.run([binary(), "topology", "config.yaml", "--draw", "torus.svg"],
                              cwd=self.folder, env={"PATH": self.folder}, capture_output=True,
                              text=True, timeout=60)
        self.assertEqual(done.returncode, EXIT_USAGE)
        self.assertIn("cannot start neato", done.stderr)
        self.assertIn("Debian package graphviz", done.stderr)
        self.assertEqual(self.everything(), {"config.yaml"})

    def test_large_networks_are_drawn_and_exported(self):
        self.write("config.yaml", machine({"kind": "how", "dims": [64, 64], "window": 3},
                                          {"pattern": "uniform"}))
        for option, name in (("--export", "graph.yaml"), ("--draw", "how.svg")):
            done = self.call("topology", "config.yaml", option, name)
            self.assertEqual(done.returncode, EXIT_OK, done.stderr)
            self.assertGreater(len(self.read(name)), 100000)


if __name__ == "__main__":
    main()
