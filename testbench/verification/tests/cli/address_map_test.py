# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Configurations for the TLM-2.0 interconnect: they are checked, and run only if they have traffic."""
import json

from flitscope_cli import CliTest, EXIT_USAGE, main, mesh

TARGETS = [{"node": 2, "base": 4096, "size": 256}, {"node": 3, "base": 0, "size": 4096}]


class AddressMap(CliTest):
    def config(self, **sections):
        config = {"fabric": {"topology": mesh(2, 2)},
                  "interconnect": {"initiators": [0, 1], "targets": TARGETS}}
        self.write("config.yaml", json.dumps({**config, **sections}))

    def test_check_prints_the_map(self):
        self.config()
        text = self.ok("check", "config.yaml")
        self.assertIn("  initiators        at nodes 0, 1\n", text)
        self.assertIn("  address map       "
                      "0x0000000000000000 to 0x0000000000000fff  target 1 at node 3\n"
                      "                    "
                      "0x0000000000001000 to 0x00000000000010ff  target 0 at node 2\n", text)
        self.assertNotIn("traffic", text)

    def test_without_traffic_there_is_nothing_to_run(self):
        self.config()
        for command in ("run", "cosim", "schedule"):
            with self.subTest(command=command):
                done = self.call(command, "config.yaml")
                self.assertEqual(done.returncode, EXIT_USAGE)
                self.assertIn("config.yaml: error: no traffic: none of 'traffic.schedule', ",
                              done.stderr)
        self.ok("topology", "config.yaml")

    def test_with_traffic_it_runs_as_any_other(self):
        self.config(traffic={"schedule": "pex"})
        self.assertIn("pex: complete\n", self.ok("run", "config.yaml"))
        self.assertIn("address map", self.ok("check", "config.yaml"))

    def test_nodes_of_a_graph_are_checked_when_it_is_known(self):
        self.write("graph.yaml", "nodes: 3\nlinks: [{from: 0, to: 1, both: true}, "
                                 "{from: 1, to: 2, both: true}]\n")
        self.config(fabric={"topology": {"kind": "custom", "file": "graph.yaml"}})
        done = self.call("check", "config.yaml")
        self.assertEqual(done.returncode, EXIT_USAGE)
        self.assertIn("error: 'interconnect.targets' names node 3, but the nodes are 0 to 2",
                      done.stderr)


if __name__ == "__main__":
    main()
