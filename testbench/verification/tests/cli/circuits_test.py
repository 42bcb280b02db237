# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Circuit switching: random traffic, waveforms of reserved links, deadlock."""
import json
import pathlib
import re

from flitscope_cli import CliTest, EXIT_STANDSTILL, hypercube, machine, main, mesh
from waveform import check_vcd, link_busy_cycles

CONFIGS = pathlib.Path(__file__).resolve().parents[3] / "configs"
CIRCUITS = {"switching": "circuit", "setup_delay": 5}


class Circuits(CliTest):
    def test_random_traffic_is_delivered(self):
        traffic = {"pattern": "uniform", "injection_rate": 0.1, "message_bytes": 64,
                   "warmup_cycles": 50, "measure_cycles": 500}
        self.write("config.yaml", machine(hypercube(4), traffic, fabric=CIRCUITS))
        report = self.report("run", "config.yaml")
        self.assertEqual(report["messages_delivered"], report["messages_expected"])
        self.assertGreater(report["messages_delivered"], 50)
        text = self.ok("run", "config.yaml")
        self.assertIn("flits of 64 bits, link delay 1, circuit switching, set-up delay 5\n", text)

    def test_waveforms_show_links_reserved_before_they_are_used(self):
        self.write("program.csv", "id,source,destination,bytes,time,after\n1,0,2,32,0,\n")
        self.write("config.yaml", machine(mesh(3), {"program": "program.csv"}, fabric=CIRCUITS,
                                          node={"send_overhead": 3}))
        self.ok("run", "config.yaml", "--trace", "run.vcd")
        vcd = self.read("run.vcd").decode()
        check_vcd(self, vcd)
        used = link_busy_cycles(vcd)
        kept = link_busy_cycles(vcd, "blocked")
        path = ["link_000_001", "link_001_002"]
        self.assertEqual([used[link] for link in path], [4, 4])
        # Reserved in 3 and in 8; the tail is delivered in 17.
        self.assertEqual([kept[link] for link in path], [18 - 3 - 4, 18 - 8 - 4])
        self.assertEqual(used["link_001_000"] + kept["link_001_000"], 0)
        self.assertNotIn("buffered", vcd)

    def test_headers_that_wait_for_each_other_are_named(self):
        config = CONFIGS / "ring_4_deadlock.yaml"
        done = self.call("run", config, "--set", "fabric.switching=circuit", "--json")
        self.assertEqual(done.returncode, EXIT_STANDSTILL, done.stderr)
        self.assertEqual(json.loads(done.stdout)["status"], "deadlock")
        waits = re.findall(r"at the end of (link_\d+_\d+) waits for (link_\d+_\d+), which the next "
                           r"one holds", done.stdout)
        self.assertEqual(len(waits), 4, done.stdout)
        for (_, wanted), (held, _) in zip(waits, waits[1:] + waits[:1]):
            # The next one has come over what is wanted.
            self.assertEqual(wanted, held)
        self.refused("run", config, "--set", "fabric.switching=circuit", "--set",
                     "fabric.allow_deadlock=false", says=["can deadlock"])



if __name__ == "__main__":
    main()
