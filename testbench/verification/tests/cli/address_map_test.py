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

    def test_check_proves_that_requests_and_responses_do_not_wait_for_each_other(self):
        def config(**keys):
            targets = [{"node": 0, "base": 0, "size": 256}, {"node": 1, "base": 4096, "size": 256}]
            self.config(fabric={"topology": mesh(2, 2), "virtual_channels": 2,
                                "classes": ["request", "response"]},
                        interconnect={"initiators": [0, 1], "targets": targets, **keys})
            done = self.call("check", "config.yaml", "--json")
            again = self.call("check", "config.yaml")
            self.assertEqual(again.returncode, done.returncode)
            if done.returncode != 0:
                self.assertEqual(done.returncode, EXIT_USAGE)
                self.assertIn("error: requests and responses may deadlock", done.stderr)
            return again.stdout, json.loads(done.stdout)

        text, found = config()
        self.assertNotIn("requests and responses", text)
        text, found = config(request_queue=2)
        self.assertRegex(text, "CYCLE of requests and responses: .*link_000_001")
        self.assertFalse(found["deadlock_free"])
        self.assertIn("link_000_001", found["dependency_cycle"])
        text, found = config(request_queue=2, response_class="response")
        self.assertIn("none including requests and responses\n", text)
        self.assertTrue(found["deadlock_free"])

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
