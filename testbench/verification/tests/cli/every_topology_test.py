# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Topologies as a user meets them: what each is called, how large it is and how it routes; that the
engines agree on them; and that parameters which do not go together are refused with the reason."""
from flitscope_cli import CliTest, main

# Keys of fabric.topology, description, nodes, directed links, degree (least, most), diameter (None:
# has no simple form).
TOPOLOGIES = (
    ("kind: torus, dims: [4, 6]", "torus 4x6", 24, 96, (4, 4), 5),
    ("kind: torus, dims: [2, 5], folded: true", "folded torus 2x5", 10, 30, (3, 3), 3),
    ("kind: ghc, dims: [4, 3]", "ghc 4x3", 12, 60, (5, 5), 2),
    # p - w nodes begin a hop of w: w (2p - w - 1) directed links in a line.
    ("kind: how, dims: [8, 8], window: 3", "how 8x8 window 3x3", 64, 576, (6, 12), 6),
    ("kind: how, dims: [9], window: 4", "how 9 window 4", 9, 52, (4, 8), 2),
    ("kind: how, dims: [4, 6], window: [3, 1]", "how 4x6 window 3x1", 24, 112, (4, 5), 6),
    ("kind: sparse_hamming, dims: [8, 8], offsets: [[], [3, 7]]",
     "sparse_hamming 8x8 offsets {}x{3,7}", 64, 320, (4, 6), 10),
    ("kind: express_mesh, dims: [9], segment: 4", "express_mesh 9 full segment 4",
     9, 20, (2, 4), 4),
    ("kind: express_mesh, dims: [7, 7], segment: 3, layout: sparse",
     "express_mesh 7x7 sparse segment 3", 49, 192, (3, 8), 8),
    ("kind: express_mesh, dims: [9, 9], segment: 4, layout: shifted",
     "express_mesh 9x9 shifted segment 4", 81, 306, (2, 5), None),
    ("kind: express_mesh, dims: [7, 7], segment: 3, layout: compound",
     "express_mesh 7x7 compound segment 3", 58, 210, (3, 5), None),
    ("kind: express_mesh, dims: [9, 9], segment: 2, layout: hierarchy, levels: 3",
     "express_mesh 9x9 hierarchy segment 2 levels 3", 81, 400, (3, 12), None),
    # Only nodes count as nodes; switches have links and a degree.
    ("kind: fat_tree, arity: 4, height: 2", "fat_tree arity 4 height 2", 16, 32, (4, 4), 2),
    ("kind: dragonfly, groups: 9, group_size: 4, global_links: 2",
     "dragonfly 9 groups of 4 global 2", 36, 180, (5, 5), 3),
)
CASES = (
    ("kind: how, dims: [8, 8], window: 8",
     "2:47: error: window 8 does not fit dimension 0 of 8 nodes (at most 7"),
    ("kind: how, dims: [8, 4], window: [3, 4]",
     "2:47: error: window 4 does not fit dimension 1 of 4 nodes (at most 3"),
    ("kind: how, dims: [8, 4], window: [1, 1, 1]", "2:47: error: 3 windows for 2 dimensions"),
    ("kind: how, dims: [8, 8], window: 0", "2:47:", "from 1 to 65535, found '0'"),
    ("kind: how, dims: [8, 8]", "2:3:", "'fabric.topology.window' is missing"),
    ("kind: how, dims: [65536], window: 60000", "2:31:", "more than 16777216 ports"),
    ("kind: ghc, dims: [65536]", "2:31:", "more than 16777216 ports"),
    ("kind: ghc, dims: [512, 512]", "2:31:", "more than 65536 nodes"),
    ("kind: torus, dims: [512, 512]", "2:33:", "more than 65536 nodes"),
    ("kind: sparse_hamming, dims: [8, 8]", "2:3:", "'fabric.topology.offsets' is missing"),
    ("kind: sparse_hamming, dims: [8, 8], offsets: [[2], [3], [4]]",
     "2:59: error: 3 lists of offsets for 2 dimensions (write one list for all dimensions, or 2"),
    ("kind: sparse_hamming, dims: [8, 4], offsets: [2, 4]",
     "2:59: error: offset 4 does not fit dimension 1 of 4 nodes (a link joins nodes that are at most 3"),
    ("kind: sparse_hamming, dims: [8, 8], offsets: [3, 2]",
     "2:59: error: offset 2 follows 3 (list them in ascending order; links to neighbours"),
    ("kind: sparse_hamming, dims: [8, 8], offsets: [1]", "2:60:", "from 2 to 65535, found '1'"),
    ("kind: sparse_hamming, dims: [8, 8], offsets: 2", "2:59:", "must be a list"),
    ("kind: express_mesh, dims: [8, 4], segment: 4",
     "2:57: error: express links of 4 node pitches do not fit a side of 4 nodes"),
    ("kind: express_mesh, dims: [8, 8], segment: 2, layout: hierarchy, levels: 3",
     "2:87: error: express links of 8 node pitches do not fit a side of 8 nodes"),
    ("kind: express_mesh, dims: [8, 8], segment: 3, levels: 2",
     "2:60:", "does not apply to layout 'full'"),
    ("kind: express_mesh, dims: [8, 8], segment: 3, layout: shifted",
     "2:68:", "segments of 4 up"),
    ("kind: express_mesh, dims: [8], segment: 4, layout: compound", "2:65:", "two dimensions"),
    ("kind: express_mesh, dims: [8, 8], segment: 4, layout: sprase",
     "2:68:", "did you mean 'sparse'?"),
    ("kind: fat_tree, arity: 8, height: 6", "2:48:", "more than 65536"),
    ("kind: fat_tree, arity: 8", "2:3:", "'fabric.topology.height' is missing"),
    ("kind: dragonfly, groups: 10, group_size: 4, global_links: 2",
     "2:39: error: 10 groups, and the 8 global links of a group reach 8 others (at most 9 groups"),
    ("kind: mesh, dims: [8, 8], window: 3", "2:40:", "does not apply to topology kind 'mesh'"),
    ("kind: hyprcube, dimensions: 3", "2:20:", "did you mean 'hypercube'?"),
)
GRAPHS = (
    ("links:\n  - {from: 0, to: 1, both: true}\n  - {from: 1, to: 2}\n",
     "g.yaml:3", "node 0 cannot be reached from node 2"),
    ("links:\n  - {from: 0, to: 1, both: true}\n  - {from: 2, to: 1}\n",
     "g.yaml:3", "node 2 cannot be reached from node 0"),
    ("links:\n  - {from: 0, to: 1, both: true}\n  - {from: 1, to: 2, both: true}\n"
     "  - {from: 1, to: 0, rate: 2}\n", "g.yaml:5", "'rate'"),
    ("links:\n  - {from: 0, to: 1, both: true, from_port: 1, to_port: 1}\n"
     "  - {from: 0, to: 2, both: true, from_port: 1, to_port: 1}\n",
     "g.yaml:4", "port 1 of node 0 is used twice"),
    ("links:\n  - {from: 0, to: 3}\n", "g.yaml:3", "from 0 to 2, found '3'"),
    ("links:\n  - {from: 0, to: 0}\n", "g.yaml:3", "link from node 0 to itself"),
)
TRAFFIC = "traffic: {schedule: gen, message_bytes: 64}\n"


def fabric(topology, more=""):
    return f"fabric:\n  topology: {{{topology}}}\n{more}"


class EveryTopology(CliTest):
    def test_names_and_sizes(self):
        for keys, description, nodes, links, degree, diameter in TOPOLOGIES:
            self.write("config.yaml", fabric(keys, "  virtual_channels: 2\n") + TRAFFIC)
            with self.subTest(topology=keys):
                report = self.report("topology", "config.yaml")
                self.assertIn(description, self.ok("topology", "config.yaml"))
                self.assertEqual(report["nodes"], nodes)
                self.assertEqual(report["links"], links)
                self.assertEqual((report["degree"]["min"], report["degree"]["max"]), degree)
                if diameter is not None:
                    self.assertEqual(report["diameter"], diameter)

    def test_engines_agree(self):
        for keys, *_ in TOPOLOGIES:
            self.write("config.yaml", fabric(keys, "  virtual_channels: 2\n"
                                                   "  switch_arbitration: per_packet\n") + TRAFFIC)
            with self.subTest(topology=keys):
                report = self.report("verify", "config.yaml")
                self.assertIs(report["equal"], True)
                self.assertEqual(report["status"], "complete")
                self.assertEqual([e["engine"] for e in report["engines"]], ["cycle", "tlm"])

    def test_no_run_beats_its_lower_bound(self):
        for keys, _, nodes, *_ in TOPOLOGIES:
            for delay in ("1", "{model: linear, reach: 1}"):
                with self.subTest(topology=keys, link_delay=delay):
                    report = self.run_report(fabric(keys, "  virtual_channels: 2\n"
                                                          f"  link_delay: {delay}\n") +
                                             "traffic: {schedule: naive, message_bytes: 64}\n")
                    self.assertEqual(report["messages_delivered"], nodes * (nodes - 1))
                    # At least what a node injects: nine flits to each other one.
                    self.assertGreaterEqual(report["lower_bound_cycles"], 9 * (nodes - 1))
                    self.assertLessEqual(report["lower_bound_cycles"], report["cycles"])

    def test_bad_parameters_are_refused_with_place_and_reason(self):
        for keys, *says in CASES:
            self.write("config.yaml", fabric(keys) + TRAFFIC)
            for command in ("run", "check"):
                with self.subTest(command=command, topology=keys):
                    self.refused(command, "config.yaml", says=["config.yaml:", *says])

    def test_rings_without_datelines_are_refused(self):
        self.write("config.yaml", fabric("kind: torus, dims: [8, 8]") + TRAFFIC)
        self.refused("run", "config.yaml",
                     says=["config.yaml:1:1:", "can deadlock", "link_006_007 -> link_007_000",
                           "fabric.virtual_channels: 2"])
        self.ok("run", "config.yaml", "--set", "fabric.virtual_channels=2")

    def test_tables_beyond_128_megabytes_are_refused(self):
        for routing in ("shortest_path", "up_down"):
            self.write("config.yaml", fabric("kind: mesh, dims: [64, 129]",
                                             f"  routing: {routing}\n") + TRAFFIC)
            self.refused("topology", "config.yaml",
                         says=["config.yaml:3:12:", f"{routing} is a table of 8256^2",
                               "at most 8192 nodes"])

    def test_4096_nodes_are_elaborated_soon(self):
        """Within what a slow build on a busy machine takes; steps that grow with the square of the
        nodes or of the ports would take minutes."""
        self.write("p.csv", "source,destination,bytes,step\n0,4095,64,0\n")
        for keys, hops in (("kind: how, dims: [64, 64], window: 3", 21 + 21),
                           ("kind: ghc, dims: [16, 16, 16]", 3),
                           ("kind: express_mesh, dims: [64, 64], segment: 8", 2 * (7 + 7)),
                           ("kind: express_mesh, dims: [64, 64], segment: 4, layout: hierarchy, "
                            "levels: 2", 3 + 3 + 3 + 63)):  # column 63 has no express links
            with self.subTest(topology=keys):
                report = self.run_report(fabric(keys) + "traffic: {program: p.csv}\n")
                self.assertEqual(report["nodes"], 4096)
                self.assertEqual(report["flit_hops"], 9 * hops)

    def test_bad_custom_graphs_are_refused_with_place_and_reason(self):
        self.write("config.yaml", fabric("kind: custom, file: g.yaml") + TRAFFIC)
        for links, *says in GRAPHS:
            self.write("g.yaml", "nodes: 3\n" + links)
            with self.subTest(links=links):
                self.refused("run", "config.yaml", says=says)

    def test_a_window_of_one_is_the_mesh_and_a_full_one_the_ghc(self):
        traffic = "traffic: {pattern: uniform, injection_rate: 0.3, measure_cycles: 500}\n"

        def run(keys):
            report = self.run_report(fabric(keys) + traffic)
            return {k: report[k] for k in ("links", "cycles", "flit_hops", "messages_delivered")}

        self.assertEqual(run("kind: how, dims: [5, 4], window: 1"),
                         run("kind: mesh, dims: [5, 4]"))
        self.assertEqual(run("kind: how, dims: [5, 4], window: [4, 3]"),
                         run("kind: ghc, dims: [5, 4]"))

    def test_express_links_pay_off_where_their_wires_are_free(self):
        self.write("p.csv", "source,destination,bytes,step\n0,255,8,0\n")

        def cycles(keys, delay):
            return self.run_report(fabric(keys, f"  link_delay: {delay}\n") +
                                   "traffic: {program: p.csv}\n")["cycles"]

        mesh = "kind: mesh, dims: [16, 16]"
        express = "kind: express_mesh, dims: [16, 16], segment: 5"
        # One flit and a header. Injection 1, then a cycle per router and the wires, then the tail:
        # 30 hops on the mesh, 2 * 15 / 5 over express links, of 5 places each.
        self.assertEqual(cycles(mesh, 1), 1 + 30 * 2 + 2)
        self.assertEqual(cycles(express, 1), 1 + 6 * 2 + 2)
        self.assertEqual(cycles(mesh, "{model: linear, reach: 1}"), 1 + 30 * 2 + 2)
        self.assertEqual(cycles(express, "{model: linear, reach: 1}"), 1 + 6 + 30 + 2)


if __name__ == "__main__":
    main()
