# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Graphs whose files name their nodes: the names do wherever a node is asked for, switches among them
send nothing, and all comes out as with the numbers."""
import json

from flitscope_cli import CliTest, machine, main

# x-1 and x-2 are switches: numbers 4 and 5, after those of the nodes. "cpu-0" and "x-1" have a '-'.
DOT = """graph {
    node [endpoint=false]; "x-1" "x-2"
    node [endpoint=true]
    "x-1" -- "cpu-0"; "x-1" -- cpu1; "x-1" -- "x-2"
    "x-2" -- mem; "x-2" -- "cpu-0"; "x-2" -- io
}
"""
NAMES = ["cpu-0", "cpu1", "mem", "io", "x-1", "x-2"]
YAML = """nodes: 6
endpoints: 4
links:
""" + "".join(f"  - {{from: {a}, to: {b}, both: true}}\n"
              for a, b in ((4, 0), (4, 1), (4, 5), (5, 2), (5, 0), (5, 3)))
GRAPHML = """<graphml>
  <key id="e" for="node" attr.name="endpoint" attr.type="boolean"><default>true</default></key>
  <graph edgedefault="undirected">
""" + "".join(f'    <node id="{name}"><data key="e">false</data></node>\n' for name in NAMES[4:]) + \
    "".join(f'    <node id="{name}"/>\n' for name in NAMES[:4]) + \
    "".join(f'    <edge source="{NAMES[a]}" target="{NAMES[b]}"/>\n'
            for a, b in ((4, 0), (4, 1), (4, 5), (5, 2), (5, 0), (5, 3))) + "  </graph>\n</graphml>\n"
HEAD = "source,destination,bytes,step\n"
PROGRAM = ((0, 2, 256, 0), (1, 2, 64, 0), (3, 0, 640, 1), (2, 1, 8, 1))


class NamedNodes(CliTest):
    def setUp(self):
        super().setUp()
        self.write("soc.dot", DOT)
        self.write("soc.yaml", YAML)
        self.write("soc.graphml", GRAPHML)
        self.write("named.csv", HEAD + "".join(
            f"{NAMES[a]},{NAMES[b]},{size},{step}\n" for a, b, size, step in PROGRAM))
        self.write("numbered.csv", HEAD + "".join(
            ",".join(map(str, row)) + "\n" for row in PROGRAM))

    def config(self, name="config.yaml", graph="soc.dot", traffic=None, **sections):
        return self.write(name, machine({"kind": "custom", "file": graph},
                                        traffic or {"program": "named.csv"}, **sections))

    def test_a_run_by_names_is_the_run_by_numbers(self):
        self.config("n.yaml", "soc.yaml", {"program": "numbered.csv"})
        self.ok("run", "n.yaml", "--out", "numbers", "--messages")
        wanted = self.read("numbers", "messages.csv")
        self.assertEqual(len(wanted.splitlines()), 1 + len(PROGRAM))
        for graph in ("soc.dot", "soc.graphml"):
            for program in ("named.csv", "numbered.csv"):
                self.config(graph=graph, traffic={"program": program})
                self.ok("run", "config.yaml", "--out", "out", "--messages")
                self.assertEqual(self.read("out", "messages.csv"), wanted, (graph, program))
                rows = self.read_csv("out", "links.csv")
                for row, number in zip(rows, self.read_csv("numbers", "links.csv")):
                    self.assertEqual(NAMES[int(row["from"])], row.pop("from_name"))
                    self.assertEqual(NAMES[int(row["to"])], row.pop("to_name"))
                    self.assertEqual(row, number)

    def test_names_stand_beside_the_numbers(self):
        self.config()
        text = self.ok("topology", "config.yaml")
        self.assertIn("  nodes             4\n  switches          2, numbers 4 on\n"
                      "  names             0 cpu-0, 1 cpu1, 2 mem, 3 io, 4 x-1, 5 x-2\n", text)
        report = self.report("topology", "config.yaml")
        self.assertEqual((report["nodes"], report["switches"], report["names"]), (4, 2, NAMES))
        self.assertIn(" flits (io-x-2)\n", self.ok("run", "config.yaml"))
        text = self.ok("explain", "config.yaml")
        self.assertRegex(text, r" eject_000 .* \(cpu-0\)\n")
        self.assertRegex(text, r" link_005_000 .* \(x-2-cpu-0\)\n")

    def test_an_exported_picture_keeps_the_switches(self):
        self.config()
        self.ok("topology", "config.yaml", "--export", "again.dot")
        self.config("again.yaml", "again.dot", {"program": "numbered.csv"})
        again = self.report("topology", "again.yaml")
        self.assertEqual((again["nodes"], again["switches"]), (4, 2))
        self.ok("run", "again.yaml")

    def test_faults_and_traces_take_names(self):
        self.write("ring.dot", 'graph { a -- "a-b" -- b -- "b-b" -- a; b -- a }')
        self.config(graph="ring.dot", traffic={"schedule": "naive"})
        def dead(*links):
            return self.report("topology", "config.yaml", "--set",
                               f"faults.links={json.dumps(links)}")["faults"]["failed_links"]
        # "a-b" may be a link or a node, "a-b-b" from a to b-b or from a-b to b: both are links.
        self.assertEqual(dead("a-b"), ["0-2"])
        self.assertEqual(dead("a-a-b"), ["0-1"])
        self.assertEqual(dead("a-b-b"), ["0-3"])
        self.assertEqual(dead("a-b-2"), ["1-2"])
        self.assertEqual(dead("link_0_1"), ["0-1"])
        faults = self.report("topology", "config.yaml", "--set", "faults.nodes=[b]")["faults"]
        self.assertEqual(faults["failed_nodes"], [2])
        self.ok("run", "config.yaml", "--trace", "names.vcd", "--set", "waveform.links=[b-b-a, a-2]",
                "--set", "waveform.nodes=[a-b]")
        self.ok("run", "config.yaml", "--trace", "numbers.vcd", "--set", "waveform.links=[3-0, 0-2]",
                "--set", "waveform.nodes=[1]")
        self.assertEqual(self.read("names.vcd"), self.read("numbers.vcd"))
        self.refused("run", "config.yaml", "--trace", "no.vcd", "--set", "waveform.links=[a-bx]",
                     says=["there is no link", "did you mean a-b?"])
        self.refused("run", "config.yaml", "--set", "faults.links=[a-bx]",
                     says=["'a-bx' names no link", "did you mean 'a-b'?"])
        # A missing link is reported by names, too.
        for key, says in (("waveform", "there is no link from node 'b' to node 'a'"),
                          ("faults", "'b-a': no link joins nodes 'b' and 'a'")):
            self.write("line.dot", 'graph { a -- "a-b" -- b }')
            self.refused("run", "config.yaml", "--trace", "no.vcd", "--set", f"{key}.links=[b-a]",
                         "--set", "fabric.topology.file=line.dot",
                         says=[says, {"waveform": "links that leave node 'b': b-a-b",
                                      "faults": "links of node 'b' lead to 'a-b'"}[key]])
        for graph, says in (('{ x1; a -- b }', "node 'a' cannot be reached from node 'x1'"),
                            ('{ a -- b; a -- a }', "link from node 'a' to itself"),
                            ('{ a -- b; c }', "node 'c' cannot be reached from node 'a'")):
            self.write("bad.dot", "graph " + graph)
            self.refused("run", "config.yaml", "--set", "fabric.topology.file=bad.dot", says=[says])

    def test_placement_and_root_take_names(self):
        self.write("t.goal", "num_ranks 2\nrank 0 {\nsend 64b to 1\n}\nrank 1 {\nrecv 64b from 0\n}\n")
        self.write("place", "mem\ncpu-0\n")
        trace = {"trace": {"file": "t.goal", "placement": "file", "placement_file": "place"}}
        self.config(traffic=trace)
        self.ok("run", "config.yaml", "--out", "out", "--messages")
        self.assertEqual([(r["source"], r["destination"])
                          for r in self.read_csv("out", "messages.csv")], [("2", "0")])
        self.write("place", "meme\nx-1\n")
        self.refused("run", "config.yaml", says=[
            "place:1:1: error: 'meme' is no node", "did you mean 'mem'?",
            "place:2:1: error: 'x-1' is a switch"])
        for root in ("mem", 2):
            self.config(traffic={"schedule": "broadcast", "root": root, "message_bytes": 64})
            self.assertIn("2>", self.ok("schedule", "config.yaml"))
        self.config(traffic={"schedule": "broadcast", "root": "x-1"})
        self.refused("run", "config.yaml", says=["root 4 is a switch"])
        self.config(traffic={"schedule": "broadcast", "root": "cpu2"})
        self.refused("run", "config.yaml",
                     says=["'traffic.root' names node 'cpu2'", "did you mean 'cpu1'?"])

    def test_a_collective_is_synthesized_from_a_root_by_its_name(self):
        self.config(traffic={"schedule": "naive"})
        command = ("find-schedule", "config.yaml", "--collective", "broadcast", "--root")
        for root in ("mem", "2"):
            self.ok(*command, root, "-o", f"from_{root}.csv")
        self.assertIn(b"\n2,", self.read("from_mem.csv"))
        self.assertEqual(self.read("from_mem.csv"), self.read("from_2.csv"))
        self.refused(*command, "memo", "-o", "none.csv", says=["--root: error: 'memo' is not a node",
                                             "did you mean 'mem'?"])

    def test_programs_with_wrong_names_are_refused_and_topology_tells_the_right_ones(self):
        self.write("named.csv", HEAD + "cpu0,mem,8,0\nx-1,mem,8,0\n4,mem,8,0\n")
        self.config()
        self.refused("run", "config.yaml", says=[
            "named.csv:2:1: error: source 'cpu0' is no node", "did you mean 'cpu-0'?",
            "named.csv:3:1: error: source 'x-1' is a switch",
            "named.csv:4:1: error: source '4' does not exist (nodes are 0 .. 3)"])
        self.assertEqual(self.report("topology", "config.yaml")["names"], NAMES)

    def test_written_configurations_have_numbers_and_run_alike(self):
        self.config(traffic={"schedule": "broadcast", "root": "mem"}, waveform={"nodes": ["x-2", "io"]})
        self.ok("run", "config.yaml", "--out", "out", "--messages")
        self.assertIn(b"root: 2", self.read("out", "config.yaml"))
        self.ok("run", "out/config.yaml", "--out", "again", "--messages")
        for name in ("config.yaml", "messages.csv", "links.csv"):
            self.assertEqual(self.read("again", name), self.read("out", name))


if __name__ == "__main__":
    main()
