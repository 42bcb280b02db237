# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Links that take one flit in k cycles: what the program says of them, and what it refuses."""
from flitscope_cli import CliTest, FLIT_BYTES, machine, main, mesh

DIES = {"die": [4, 4], "rate": "1/2", "delay": 4}


class LinkRates(CliTest):
    def two_nodes(self, rate, flits, **fabric):
        self.write("one.csv", "source,destination,bytes,step\n"
                   f"0,1,{(flits - 1) * FLIT_BYTES},0\n")
        self.write("graph.yaml", "nodes: 2\n"
                   f"links: [{{from: 0, to: 1, both: true, rate: {rate}}}]\n")
        return machine({"kind": "custom", "file": "graph.yaml"}, {"program": "one.csv"},
                       fabric=fabric)

    def test_a_message_takes_k_cycles_per_flit(self):
        for cycles in (1, 2, 7):
            report = self.run_report(self.two_nodes(f"1/{cycles}", 20))
            self.assertEqual(report["latency"]["max"], 1 + (1 + 1 + cycles - 1) + 19 * cycles)
            self.assertEqual(report["lower_bound_cycles"], report["cycles"])
            use = report["link_utilization"]
            self.assertAlmostEqual(use["max"], 20 * cycles / report["cycles"])

    def test_networks_say_how_many_links_are_slow(self):
        self.write("dies.yaml", machine(mesh(8, 8), {"pattern": "uniform", "message_bytes": 64},
                                        fabric={"link_rate": DIES}))
        for command in ("topology", "check"):
            self.assertIn("32 links of rate 1/2", self.call(command, "dies.yaml").stdout)
        exported = self.call("topology", "dies.yaml", "--export", "dies_graph.yaml")
        self.assertEqual(exported.returncode, 0, exported.stderr)
        text = self.read("dies_graph.yaml").decode()
        self.assertEqual(text.count("delay: 4, rate: 1/2}"), 32)
        self.assertEqual(text.count("rate:"), 32)

    def test_a_run_is_the_one_of_the_resolved_configuration(self):
        self.write("dies.yaml", machine(mesh(8, 8), {"pattern": "uniform", "message_bytes": 64,
                                                     "injection_rate": 0.1,
                                                     "measure_cycles": 500},
                                        fabric={"link_rate": DIES}))
        first = self.call("run", "dies.yaml", "--out", "first")
        self.assertEqual(first.returncode, 0, first.stderr)
        again = self.call("run", "first/config.yaml", "--out", "again")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(self.read("first/links.csv"), self.read("again/links.csv"))

    def test_what_has_no_slow_links_is_refused_with_a_reason(self):
        slow = self.two_nodes("1/2", 3)
        self.write("slow.yaml", slow)
        for arguments, reason in (
                (("run", "slow.yaml", "--engine", "tlm", "--set", "fabric.virtual_channels=2"),
                 "set fabric.virtual_channels: 1"),
                (("run", "slow.yaml", "--set", "fabric.router={top: theirs}"),
                 "'theirs' is not ours"),
                (("synth", "slow.yaml", "--energy"), "energies of routers and links of a rate"),
                (("run", "slow.yaml", "--energy"), "energies of routers and links of a rate"),
                (("run", "slow.yaml", "--set", "fabric.switching=circuit"),
                 "circuits do not support links of a rate below 1"),
                (("run", "slow.yaml", "--set", "fabric.virtual_channels=2",
                  "--set", "fabric.switch_arbitration=per_packet"), "cannot hold the switch")):
            done = self.call(*arguments)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(reason, " ".join(done.stderr.split()))

    def test_engines_agree_and_the_quicker_one_is_chosen(self):
        slow = self.two_nodes("1/2", 3)
        self.assertEqual(self.run_report(slow)["engine"], "cycle")
        self.write("slow.yaml", slow)
        done = self.call("verify", "slow.yaml")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("engine tlm", done.stdout)

    def test_values_that_are_none_are_refused(self):
        for given, reason in (({"die": [4, 4], "rate": "2/3"}, "1/k with k from 1 to 64"),
                              ({"die": [4, 4], "rate": "1/65"}, "1/k with k from 1 to 64"),
                              ({"die": [3, 4], "rate": "1/2"}, "no whole number of dies"),
                              ({"die": [4], "rate": "1/2"}, "a number for each of the 2"),
                              ({"rate": "1/2"}, "fabric.link_rate.die"),
                              ({"global": "1/2"}, "topology kind")):
            self.write("bad.yaml", machine(mesh(8, 8), {"schedule": "pex", "message_bytes": 8},
                                           fabric={"link_rate": given}))
            done = self.call("check", "bad.yaml")
            self.assertEqual(done.returncode, 2, given)
            self.assertIn(reason, done.stderr)


if __name__ == "__main__":
    main()
