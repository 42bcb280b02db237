#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The unit tests that are nearest to sources: those that include their headers, else headers of their
folders. Prints one name per line. Called by ./dev try, from the root.

usage: nearest_tests.py [FILE...]     what differs from the last commit unless named
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ROOT / "testbench/verification/tests"
MOST = 6  # more is not a first look


def changed():
    listed = subprocess.run(["git", "diff", "--name-only", "HEAD"], cwd=ROOT, capture_output=True,
                            text=True, check=True).stdout.split()
    return [name for name in listed if name.endswith((".h", ".cpp"))]


def nearest_tests(files):
    """Names of tests, the nearest first: those of the same name, then those that include the header;
    where there is neither, those that include most headers of the folder."""
    distances = {}
    for test in sorted(TESTS.rglob("*_test.cpp")):
        includes = re.findall(r'^#include "([^"]+)"', test.read_text(), re.MULTILINE)
        for name in files:
            source = pathlib.PurePosixPath(name)
            beside = sum(pathlib.PurePosixPath(other).parent == source.parent for other in includes)
            if test.stem in (source.stem, f"{source.stem}_test"):
                distance = (0, 0)
            elif source.with_suffix(".h").as_posix() in includes:
                distance = (1, 0)
            elif beside:
                distance = (2, -beside)
            else:
                continue
            distances[test.stem] = min(distance, distances.get(test.stem, distance))
    near = sorted(distances, key=distances.get)
    exact = [name for name in near if distances[name][0] < 2]
    return (exact or near)[:MOST]


if __name__ == "__main__":
    print("\n".join(nearest_tests(sys.argv[1:] or changed())))
