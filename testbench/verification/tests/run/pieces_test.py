# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope_pieces, which tlm/ROUND_ROBIN.md is made with, on traffic whose pieces are known.

usage: pieces_test.py FLITSCOPE_PIECES
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import suite  # noqa: E402

PROGRAM = None
LINE = "fabric: {topology: {kind: mesh, dims: [1, 4]}, virtual_channels: 2}\n"
PERIODS = (0, 1, 2, 4, 8, 12)


class Pieces(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def pieces(self, messages, *options):
        """Of messages of 64 flits (source, destination)."""
        program = self.folder / "program.csv"
        program.write_text("source,destination,bytes,step\n"
                           + "".join(f"{a},{b},504,1\n" for a, b in messages))
        config = self.folder / "config.yaml"
        config.write_text(LINE + "traffic: {program: program.csv}\n")
        done = subprocess.run([PROGRAM, config, *options], check=True, capture_output=True,
                              text=True)
        return json.loads(done.stdout)

    def counts(self, found):
        return [round(found[f"pieces_{period}"] * found["packet_hops"]) for period in PERIODS]

    def test_a_packet_alone_is_a_burst_on_every_channel(self):
        found = self.pieces([(0, 3)])
        self.assertEqual(found["packet_hops"], 5)
        self.assertEqual(found["flits"], 64)
        self.assertEqual(self.counts(found), [5] * len(PERIODS))

    def test_two_packets_that_share_a_link_take_turns(self):
        found = self.pieces([(0, 3), (1, 3)])
        self.assertEqual(found["packet_hops"], 5 + 4)
        bursts, stride, *others = self.counts(found)
        # On the three channels that they share nearly every flit is a burst of its own.
        self.assertGreater(bursts, 2 * 3 * 40)
        self.assertLess(stride, 40)
        self.assertEqual(others, sorted(others, reverse=True))
        self.assertGreaterEqual(others[-1], found["packet_hops"])

    def test_held_they_do_not(self):
        found = self.pieces([(0, 3), (1, 3)], "--set", "fabric.switch_arbitration=hold")
        self.assertLess(self.counts(found)[0], 20)

    def test_times_change_no_count(self):
        messages = [(0, 3), (1, 3)] * 5
        timed = self.pieces(messages, "--times", "1")
        for engine in ("cycle_ns", "burst_ns", "tlm_ns"):
            self.assertIsInstance(timed.pop(engine), float)
        self.assertEqual(timed, self.pieces(messages))

    def test_what_is_wrong_is_named(self):
        done = subprocess.run([PROGRAM, "none.yaml"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("none.yaml", done.stderr)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    suite.main()
