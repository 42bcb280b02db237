#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Sources of others around a network: testbench/examples/neighbours, built against the installed package
and what Debian has of them.

usage: neighbours_test.py ROOT BUILD CMAKE CXX
"""

import pathlib
import re
import unittest

from installed import CMAKE, CXX, LAUNCHER, ROOT, InstalledTest, call, suite

NEIGHBOURS = ROOT / "testbench/examples/neighbours"
PAGE = NEIGHBOURS / "README.md"
ACCELLERA = pathlib.Path("/usr/share/doc/libsystemc/examples/tlm")
# Each of their two initiators writes 16 words and reads them, in one memory and in another.
TRANSACTIONS = 2 * (16 + 16)
EXAMPLES = ("lt", "lt_temporal_decouple", "lt_dmi", "at_1_phase", "at_2_phase", "at_4_phase", "at_mixed_targets",
            "at_ooo", "at_extension_optional")


class Neighbours(InstalledTest):
    part = ("--component", "dev")

    def neighbour(self, name):
        """Builds a neighbour where it is, and returns the folder of its programs."""
        made = self.folder / name
        self.ok(CMAKE, "-S", NEIGHBOURS / name, "-B", made, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                f"-DCMAKE_CXX_COMPILER={CXX}", "-DCMAKE_BUILD_TYPE=Debug", *LAUNCHER)
        self.ok(CMAKE, "--build", made)
        return made

    @unittest.skipUnless(ACCELLERA.is_dir(), "needs libsystemc-doc: ./dev setup test")
    def test_accelleras_examples_run_by_the_rules_around_a_mesh(self):
        made = self.neighbour("accellera")
        rows = []
        for example in EXAMPLES:
            with self.subTest(example=example):
                text = self.ok(made / example)
                # They check what they read themselves.
                self.assertEqual(text.count("Traffic Generator Complete"), 2)
                self.assertNotRegex(text, r"(?i)\b(error|fatal)\b")
                sockets = re.findall(r"^(initiator|target) at node \d+: (\d+) transactions, (\d+) unfinished, mean "
                                     r"latency ([\d.]+) cycles, (\d+) violations$", text, re.MULTILINE)
                self.assertEqual(len(sockets), text.count(" violations\n"))
                self.assertEqual({(unfinished, violations) for _, _, unfinished, _, violations in sockets},
                                 {("0", "0")}, text)
                done = {side: [int(count) for which, count, *_ in sockets if which == side]
                        for side in ("initiator", "target")}
                self.assertEqual(sum(done["initiator"]), sum(done["target"]))
                if example == "lt_dmi":  # direct accesses take the place of others
                    self.assertTrue(all(0 < count < TRANSACTIONS for count in done["initiator"]), text)
                else:
                    self.assertEqual(done["initiator"], [TRANSACTIONS, TRANSACTIONS])
                means = ", ".join(mean for side, _, _, mean, _ in sockets if side == "initiator")
                rows.append(f"| `{example}` | {sum(done['initiator'])} | {means} |")
        self.assertIn("\n".join(rows), PAGE.read_text())

    def test_accelleras_examples_are_asked_for_where_they_are_missing(self):
        done = call(CMAKE, "-S", NEIGHBOURS / "accellera", "-B", self.folder / "without", "-G", "Ninja",
                    f"-DCMAKE_CXX_COMPILER={CXX}", f"-DEXAMPLES={self.folder}/nowhere")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("nowhere: install libsystemc-doc, or name them with -DEXAMPLES=", " ".join(done.stderr.split()))

    @suite.needs("riscv64-unknown-elf-as", of="test")
    @unittest.skipUnless(pathlib.Path("/usr/include/unicorn").is_dir(), "needs libunicorn-dev: ./dev setup test")
    def test_four_riscv_cores_take_longer_on_a_slower_network(self):
        made = self.neighbour("riscv")
        configuration = NEIGHBOURS / "riscv/cores.yaml"
        page = PAGE.read_text()
        cycles = []
        for network in ("fabric.flit_bits=128", "fabric.flit_bits=64", "fabric.flit_bits=32",
                        "fabric.topology={kind: mesh, dims: [16]}"):
            text = self.ok(made / "riscv", made / "sum.bin", configuration, network)
            self.assertEqual(text, self.ok(made / "riscv", made / "sum.bin", configuration, network), "the same each time")
            said = re.search(r"^sum 32896 after (\d+) cycles$", text, re.MULTILINE)
            self.assertTrue(said, text)
            cycles.append(int(said[1]))
            self.assertIn(f"| `{network}` | {cycles[-1]} |", page)
        self.assertEqual(cycles, sorted(set(cycles)), "each network is slower than the one before")
        # An access beyond the banks ends the core, and the program says that it was not finished.
        done = call(made / "riscv", made / "sum.bin", configuration, "interconnect.targets=["
                    "{node: 5, base: 0x80000000, size: 0x100}, {node: 6, base: 0x80001000, size: 0x1000},"
                    "{node: 9, base: 0x80002000, size: 0x1000}, {node: 10, base: 0x80003000, size: 0x1000}]")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)


if __name__ == "__main__":
    suite.main()
