#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The states that the router's `cover` statements name are reached by the traffic on which it is compared with
the SystemC router: a comparison that never fills a FIFO says nothing of full FIFOs.

usage: rtl_covers_test.py ROOT CMAKE RTL_ROUTER_TEST
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import suite  # noqa: E402

ROUTER_TEST = pathlib.Path(sys.argv.pop(3)).resolve()
CMAKE = sys.argv.pop(2)
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
RTL = ROOT / "hw/rtl"
# Few and small, but every module of the router is in one of them.
VARIANTS = ("router_p5_v2_d3_w64_r1_mesh",
            "router_p3_v2_d2_w64_r1_mesh_combined",
            "router_p5_v2_d2_w64_r2_pins",
            "router_p3_v4_d3_w64_r1_mesh_x2_c4_k1001000100032001",
            "router_p3_v2_d3_w64_r1_mesh_slow_o2q3")
CYCLES = 20_000  # simulated, of each
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(covers CXX)
add_library(flitscope::headers INTERFACE IMPORTED)
target_include_directories(flitscope::headers INTERFACE "{root}" "{root}/testbench/app/package/include")
set(FLITSCOPE_RTL_COVERAGE covers)
set(FLITSCOPE_RTL_OPTIMIZE -O0)
include("{root}/hw/verilated/Routers.cmake")
"""


def stated():
    """All states of the router: file and name of each, and the line of its `cover`."""
    states = {}
    for name in re.findall(r"^\w+\.sv$", (RTL / "sources.txt").read_text(), re.MULTILINE):
        text = (RTL / name).read_text()
        for match in re.finditer(r"(\w+) :\s+(cover) \(", text):
            states[name, match[1]] = text.count("\n", 0, match.start(2)) + 1
    return states


def counted(data):
    """How often each cover statement is met, by file and line."""
    counts = collections.Counter()
    for row in data.splitlines():
        if match := re.fullmatch(r"C '(.*)' (\d+)", row):
            point = dict(pair.split("\x02", 1) for pair in match[1].split("\x01") if pair)
            if point["page"].startswith("v_user"):
                counts[pathlib.PurePath(point["f"]).name, int(point["l"])] += int(match[2])
    return counts


class Covers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="flitscope_covers_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "counts").mkdir()

    def succeed(self, *command, **environment):
        done = subprocess.run(command, env={**os.environ, "CCACHE_BASEDIR": str(self.folder), "CCACHE_NOHASHDIR": "1",
                                            **environment},
                              capture_output=True, text=True, timeout=1000, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def build(self):
        """The libraries of VARIANTS, which count."""
        (self.folder / "CMakeLists.txt").write_text(PROJECT.format(root=ROOT) + "".join(
            f'flitscope_add_router({variant} OUTPUT_DIRECTORY "{self.folder}/rtl")\n' for variant in VARIANTS))
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        self.succeed(CMAKE, "-S", self.folder, "-B", self.folder / "build", "-G", "Ninja", *launcher)
        self.succeed("ninja", "-C", self.folder / "build", "-j2", *VARIANTS)

    def test_every_state_is_reached(self):
        self.build()
        self.succeed(ROUTER_TEST, "--gtest_brief=1", FLITSCOPE_RTL_LIBRARIES=str(self.folder / "rtl"),
                     FLITSCOPE_DEPTH=str(CYCLES), FLITSCOPE_RTL_COVERAGE=str(self.folder / "counts"))
        counts = collections.Counter()
        for file in (self.folder / "counts").iterdir():
            counts.update(counted(file.read_text()))
        states = stated()
        self.assertEqual(set(counts), {(file, line) for (file, _), line in states.items()})
        for (file, state), line in sorted(states.items()):
            print(f"{counts[file, line]:12,}  {file} {state}")
        self.assertEqual([key for key, line in states.items() if counts[key[0], line] == 0], [])


if __name__ == "__main__":
    suite.main()
