# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""testbench/app/study/add_links.py: links by their prices, each with the bound and the simulated schedule, and
a file of the network with them."""
import json
import pathlib
import re
import subprocess
import sys

from flitscope_cli import CliTest, binary, main, mesh

TOOL = pathlib.Path(__file__).parents[3] / "app" / "study" / "add_links.py"
ROW = re.compile(r"(\d+)-(\d+) \((\d+)\) +([\d,]+) +([\d,]+) +[\d.]+ %")


class AddLinksTest(CliTest):
    def config(self, topology, ports, **sections):
        text = json.dumps({"fabric": {"topology": topology}, "node": {"port_model": ports}, **sections})
        return self.path(self.write("config.yaml", text))

    def tool(self, *arguments):
        return subprocess.run([sys.executable, "-B", str(TOOL), binary(), *arguments], text=True,
                              capture_output=True, cwd=self.folder)

    def test_every_link_makes_the_bound_smaller_and_the_file_has_them(self):
        for ports, links in (("independent", 2), ("single", 1)):
            with self.subTest(ports=ports):
                config = self.config(mesh(1, 6), ports)
                done = self.tool(config, "--links", str(links), "--message-bytes", "1024", "--longest", "4",
                                 "-o", "wider.yaml")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                rows = [tuple(int(n.replace(",", "")) for n in row) for row in ROW.findall(done.stdout)]
                self.assertEqual(len(rows), links)
                before = re.search(r"none +([\d,]+) +([\d,]+)", done.stdout)
                bounds = [int(before[1].replace(",", ""))] + [bound for _, _, _, bound, _ in rows]
                self.assertEqual(bounds, sorted(set(bounds), reverse=True))
                for a, b, wire, bound, cycles in rows:
                    self.assertLessEqual(wire, 4)
                    self.assertEqual(wire, abs(a - b))
                    self.assertLessEqual(bound, cycles)
                # The middle of the line, which carries most, is crossed.
                self.assertTrue(rows[0][0] < 3 <= rows[0][1])
                last = self.report("find-schedule", config, "--collective", "all_to_all", "--message-bytes",
                                   "1024", "--set", "fabric.topology={kind: custom, file: "
                                   f"{self.path('wider.yaml')}}}", "-o", "exchange.csv")
                self.assertEqual(last["cycles"], rows[-1][4])

    def test_windows_grow_as_long_as_the_wires_suffice(self):
        config = self.config(mesh(4, 6), "independent")
        done = self.tool(config, "--windows", "--wires", "120", "--message-bytes", "512")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = [tuple(int(n.replace(",", "")) for n in row) for row in
                re.findall(r"^(\d+) x (\d+) +([\d,]+) +([\d,]+) +([\d,]+) +[\d.]+ %", done.stdout, re.M)]
        self.assertEqual(rows[0][:3], (1, 1, 4 * 5 + 3 * 6))
        self.assertGreaterEqual(len(rows), 3)
        for before, after in zip(rows, rows[1:]):
            self.assertEqual(sum(after[:2]), sum(before[:2]) + 1)
            self.assertLess(before[2], after[2])
            self.assertLessEqual(after[2], 120)
            self.assertLessEqual(after[3], before[3])  # the bound
        self.assertLess(rows[-1][4], rows[0][4])
        last = rows[-1]
        found = self.report("find-schedule", config, "--collective", "all_to_all", "--message-bytes", "512",
                            "--set", "fabric.topology={kind: how, dims: [4, 6], window: [%d, %d]}" % last[:2],
                            "-o", "exchange.csv")
        self.assertEqual(found["cycles"], last[4])

    def test_no_link_where_none_helps(self):
        done = self.tool(self.config(mesh(2), "single"), "--links", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no other link would make the bound smaller", done.stdout)

    def test_what_it_cannot_do_is_refused_with_a_remedy(self):
        dead = self.tool(self.config(mesh(3, 3), "independent", faults={"nodes": [4]}), "--links", "1")
        self.assertEqual(dead.returncode, 2)
        self.assertIn("without section faults", dead.stderr)
        self.assertEqual(self.tool(self.config(mesh(3, 3), "one_output"), "--links", "1").returncode, 2)
        few = self.tool(self.config(mesh(3, 3), "independent"), "--windows", "--wires", "11")
        self.assertEqual(few.returncode, 2)
        self.assertIn("--wires 11 are not enough", few.stderr)
        both = self.tool(self.config(mesh(3, 3), "independent"), "--windows", "--wires", "20", "--links", "1")
        self.assertEqual(both.returncode, 2)
        large = self.tool(self.config(mesh(16, 17), "independent"), "--links", "1")
        self.assertIn("256 at most", large.stderr)


if __name__ == "__main__":
    main()
