#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""testbench/examples/floonoc with the sources of FlooNoC, where somebody has fetched them."""
import csv
import io
import os
import pathlib
import re
import shutil
import subprocess
import unittest
import unittest.mock

from flitscope_cli import CliTest, main, suite

EXAMPLE = pathlib.Path(__file__).resolve().parents[3] / "examples/floonoc"
FETCHED = os.environ.get("FLITSCOPE_FLOONOC", "")


@suite.campaign
@unittest.skipUnless(FETCHED, "needs FLITSCOPE_FLOONOC, the folder that testbench/examples/floonoc/fetch.sh fills")
class FlooNoC(CliTest):
    def setUp(self):
        super().setUp()
        for patch in (unittest.mock.patch.dict(os.environ, FLITSCOPE_CACHE=self.path("the cache")),
                      unittest.mock.patch("flitscope_cli.TIMEOUT_S", 900)):
            patch.start()
            self.addCleanup(patch.stop)
        shutil.copytree(EXAMPLE, self.path("example"), ignore=shutil.ignore_patterns("fetched"))
        os.symlink(pathlib.Path(FETCHED).resolve(), self.path("example/fetched"))

    def stated(self, rate, who):
        """Mean latencies that the README states, by InFifoDepth."""
        table = (EXAMPLE / "README.md").read_text().split(f"| {rate} flits per node and cycle, flitscope |")[1]
        row = table.splitlines()[0 if who == "flitscope" else 1].replace("| `wired_mesh` |", "")
        return dict(zip(("two", "three", "four", "eight"), (float(cell) for cell in row.strip(" |").split("|"))))

    def messages(self, rate):
        """What becomes of the messages at that rate, in the order in which they are sent."""
        self.ok("run", "example/mesh_4x4.yaml", "--set", f"traffic.injection_rate={rate}", "--out", str(rate),
                "--messages")
        rows = [{name: int(value) for name, value in row.items()}
                for row in csv.DictReader(io.StringIO(self.read(f"{rate}/messages.csv").decode()))]
        return sorted(rows, key=lambda row: (row["sent"], row["message"]))

    def wired(self, messages):
        """The cycles in which these arrive in the mesh without flitscope."""
        self.write("packets.txt", "".join(f"{row['sent']} {row['source']} {row['destination']}\n"
                                          for row in messages))
        done = subprocess.run([self.path("wired/Vwired_mesh"), f"+packets={self.path('packets.txt')}"],
                              stdout=subprocess.PIPE, text=True, check=True)
        arrived = dict(map(int, line) for line in re.findall(r"^(\d+) (\d+)$", done.stdout, re.MULTILINE))
        self.assertEqual(set(arrived), set(range(len(messages))))
        return [arrived[number] for number in range(len(messages))]

    def test_its_routers_run_in_a_study_of_the_depth_of_their_fifos(self):
        report = self.report("run", "example/mesh_4x4.yaml")
        self.assertEqual((report["status"], report["rtl_routers"]), ("complete", 16))
        self.ok("explore", "example/fifo_depth.yaml", "--db", "f.db")
        rows = csv.DictReader(io.StringIO(self.ok("explore", "export", "--db", "f.db")))
        latency = {row["fabric.router_parameters"]: float(row["latency_ns"]) for row in rows}
        self.assertAlmostEqual(latency["two"], report["latency"]["mean"])
        self.assertEqual({name: round(cycles, 1) for name, cycles in latency.items()},
                         self.stated(0.45, "flitscope"))

    @suite.needs("verilator", of="run")
    def test_hops_are_those_of_the_routers_with_wires(self):
        subprocess.run(["verilator", "--binary", "--timing", "-Wno-fatal", "-Wno-lint", "-Wno-UNOPTFLAT",
                        "--top-module", "wired_mesh", "--Mdir", self.path("wired"), "-f", "floonoc.f",
                        "wired_mesh.sv"], cwd=self.path("example"), stdout=subprocess.PIPE, check=True)
        light = self.messages(0.05)
        same = sum(row["delivered"] == cycle for row, cycle in zip(light, self.wired(light)))
        self.assertIn(f"Of {len(light)} packets at 0.05 flits per node and cycle, {same} arrive",
                      (EXAMPLE / "README.md").read_text())
        self.assertGreater(same, 0.99 * len(light))
        for rate in (0.3, 0.45):
            messages = self.messages(rate)
            measured = [(row, cycle) for row, cycle in zip(messages, self.wired(messages))
                        if 500 <= row["sent"] < 2500]
            for who, of in (("flitscope", lambda row, cycle: row["delivered"]),
                            ("wired_mesh", lambda row, cycle: cycle)):
                total = sum(of(row, cycle) - row["sent"] for row, cycle in measured)
                self.assertEqual(round(total / len(measured), 1), self.stated(rate, who)["two"])


if __name__ == "__main__":
    main()
