# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Routes of graphs without a family: what `auto` compares, and what check says of it."""
from flitscope_cli import CliTest, machine, main

LEAVES = 4
UNIFORM = {"pattern": "uniform", "message_bytes": 0, "injection_rate": 0.3, "warmup_cycles": 500,
           "measure_cycles": 4000}


def leaf_spine():
    """Leaf switches with four nodes each, below four spines."""
    lines = []
    for leaf in range(LEAVES):
        lines.append(f"leaf{leaf} [endpoint=false]; spine{leaf} [endpoint=false]")
        lines += [f"h{leaf}{node} -- leaf{leaf}" for node in range(4)]
    lines += [f"leaf{leaf} -- spine{spine}" for leaf in range(LEAVES) for spine in range(4)]
    return "graph {" + "; ".join(lines) + "}"


class Routes(CliTest):
    def setUp(self):
        super().setUp()
        self.write("leaf_spine.dot", leaf_spine())
        self.write("config.yaml", machine({"kind": "custom", "file": "leaf_spine.dot"}, UNIFORM))

    def test_auto_uses_all_spines(self):
        self.assertGreater(self.report("run", "config.yaml")["accepted_flits_per_sending_node_cycle"], 0.29)
        one = self.report("run", "config.yaml", "--set", "fabric.routing=shortest_path")
        self.assertLess(one["accepted_flits_per_sending_node_cycle"], 0.25)
        even = self.report("run", "config.yaml", "--set", "fabric.routing=shortest_path",
                           "--set", "fabric.spread=flow")
        self.assertGreater(even["accepted_flits_per_sending_node_cycle"], 0.29)

    def test_check_says_what_was_compared(self):
        said = self.ok("check", "config.yaml")
        self.assertRegex(said, r"auto compared +shortest_path +up to 0\.3125 flits/cycle and node, 3\.600 hops\n")
        self.assertRegex(said, r"\n +shortest_path/ports +up to 1 flits/cycle and node, 3\.600 hops: taken\n")
        compared = self.report("check", "config.yaml")["compared_routings"]
        self.assertEqual([row["routing"] for row in compared if row["uniform_bound"] == 1][0],
                         self.report("check", "config.yaml")["routing"])

    def test_check_warns_of_links_on_no_path(self):
        one = ("config.yaml", "--set", "fabric.routing=shortest_path")
        self.assertIn("! 24 of 64 links are on no path, link_016_019 among them", self.ok("check", *one))
        self.assertEqual(self.report("check", *one)["links_on_no_path"], 24)
        self.assertEqual(self.report("check", "config.yaml")["links_on_no_path"], 0)
        self.assertNotIn("on no path", self.ok("check", "config.yaml"))

    def test_ways_out_are_ways(self):
        fabric = {"switching": "circuit"}
        self.write("ring.yaml", machine({"kind": "torus", "dims": [6]}, {"schedule": "gen"}, fabric=fabric))
        for routing in ("auto", "dimension_order_balanced", "valiant", "minimal_adaptive", "lash"):
            done = self.call("run", "ring.yaml", "--set", f"fabric.routing={routing}")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("up_down", done.stderr)
            self.assertNotIn("set fabric.virtual_channels", done.stderr)
        self.ok("check", "ring.yaml", "--set", "fabric.routing=up_down")
        self.write("tree.yaml", machine({"kind": "fat_tree", "arity": 2, "height": 2}, {"schedule": "gen"}))
        for routing in ("odd_even", "west_first", "negative_first", "o1turn", "dimension_order_balanced"):
            said = self.refused("check", "tree.yaml", "--set", f"fabric.routing={routing}", says=["auto"])
            self.assertNotIn("dimension_order or", said)


if __name__ == "__main__":
    main()
