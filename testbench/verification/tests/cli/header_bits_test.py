# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Headers beside the flits (fabric.header_bits, node.header_flits: 0): packets are as long as their payload,
and channels are wider."""
from flitscope_cli import CliTest, machine, main, mesh

UNIFORM = {"pattern": "uniform", "injection_rate": 0.5, "message_bytes": 64, "warmup_cycles": 100,
           "measure_cycles": 1000}
BITS = 16  # of a header: with 64 of a flit those of variants that are built


class HeaderBits(CliTest):
    def configure(self, traffic, node=None, **fabric):
        self.write("config.yaml", machine(mesh(4, 4), traffic, fabric={"header_bits": BITS, **fabric},
                                          node={"header_flits": 0, **(node or {})}))

    def test_a_packet_has_the_flits_of_its_payload_but_one_at_least(self):
        self.write("p.csv", "source,destination,bytes,step\n0,3,0,0\n0,3,1,1\n0,3,64,2\n0,3,65,3\n")
        self.configure({"program": "p.csv"})
        self.assertEqual(self.report("run", "config.yaml")["flits_delivered"], 1 + 1 + 8 + 9)
        within = self.report("run", "config.yaml", "--set", "fabric.header_bits=0",
                             "--set", "node.header_flits=1")
        self.assertEqual(within["flits_delivered"], 1 + 2 + 9 + 10)

    def test_engines_and_rtl_routers_agree(self):
        self.configure(UNIFORM, {"packet_bytes": 24})
        self.assertIn("equal", self.ok("verify", "config.yaml"))
        self.configure({**UNIFORM, "message_bytes": 60}, buffer_depth=6)
        report = self.report("cosim", "config.yaml", "--set", "fabric.topology={kind: torus, dims: [3, 4]}",
                             "--set", "fabric.virtual_channels=2", "--set", "fabric.buffer_depth=3")
        self.assertEqual(report["outcome"], "equal")
        self.assertIn(f"_w{64 + BITS}_", report["rtl_variant"])

    def test_wires_are_of_the_flit_and_its_header(self):
        self.configure(UNIFORM)
        topology = self.report("topology", "config.yaml")
        self.assertEqual((topology["flit_bits"], topology["pin_out"]), (64 + BITS, 4 * (64 + BITS)))
        self.assertIn(f"{BITS} bits of headers beside them", self.ok("check", "config.yaml"))
        budget = self.report("run", "config.yaml", "--set", "fabric.pin_budget=256")
        self.assertEqual(budget["flit_bits"], 256 // 4 - BITS)
        self.assertIn(f"- {BITS} of headers = 48 bits",
                      self.ok("topology", "config.yaml", "--set", "fabric.pin_budget=256"))

    def test_headers_in_two_places_or_none_are_refused(self):
        self.configure(UNIFORM)
        for overrides, words in (
                (["node.header_flits=2"], ["config.yaml:", "or in 2 of them", "node.header_flits: 0"]),
                (["fabric.header_bits=0"], ["has to be beside the flits", "set fabric.header_bits"]),
                (["fabric.router=rtl", "fabric.header_bits=8"], ["has no room", "fabric.header_bits: 16"]),
                (["fabric.router=rtl", "fabric.flit_bits=32"], ["at least 64 bits"]),
                (["fabric.pin_budget=100"], ["beside its header of 16", "at least 128"]),
                (["fabric.switching=circuit"], ["header_bits", "circuit"])):
            sets = [word for override in overrides for word in ("--set", override)]
            with self.subTest(overrides=overrides):
                self.refused("run", "config.yaml", *sets, says=words)
        self.refused("export", "config.yaml", "--rtl", "out", "--nodes", "stream",
                     says=["headers of one flit"])


if __name__ == "__main__":
    main()
