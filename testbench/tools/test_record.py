#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""What ctest has kept of the tests that it ran last: which took longest, and why some were skipped.

usage: test_record.py RECORD [--slowest N] [--skipped]

RECORD is what `ctest --output-junit` writes. Tests tell the time of the processors that they took
(suite.py, test_main.cpp), which other work on the machine changes little; where one tells none, as one that
was killed, the time on the clock stands alone.
"""
import argparse
import collections
import re
import sys
import xml.etree.ElementTree as ElementTree

# `processor: 1.2 s` by itself on a line.
PROCESSOR = re.compile(r"^processor: ([\d.e+-]+) s$", re.MULTILINE)
# unittest puts the reason after the test; GoogleTest on the lines below the place.
SKIPPED = re.compile(r"\.\.\. skipped ['\"](.*)['\"]$|: Skipped\n(.*)$", re.MULTILINE)


class Ran:
    """A test that ctest has run."""

    def __init__(self, case):
        self.name = case.get("name")
        self.seconds = float(case.get("time"))
        said = case.findtext("system-out") or ""
        told = PROCESSOR.findall(said)
        self.processor_seconds = float(told[-1]) if told else None
        self.skipped = [python or googletest for python, googletest in SKIPPED.findall(said)]
        if not self.skipped and case.find("skipped") is not None:
            self.skipped = ["it does not say why"]

    def cost(self):
        return self.seconds if self.processor_seconds is None else self.processor_seconds


def print_slowest(tests, count):
    told = sum(test.processor_seconds or 0 for test in tests)
    print(f"{len(tests)} tests took {told:.0f} s of processors")
    print("processor s   clock s  test")
    for test in sorted(tests, key=Ran.cost, reverse=True)[:count]:
        seconds = "" if test.processor_seconds is None else f"{test.processor_seconds:.1f}"
        print(f"{seconds:>11} {test.seconds:9.1f}  {test.name}")


def print_skipped(tests):
    reasons = collections.Counter(reason for test in tests for reason in test.skipped)
    for reason, count in reasons.most_common():
        print(f"{count} skipped: {reason}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].splitlines()[0])
    parser.add_argument("record")
    parser.add_argument("--slowest", type=int, default=0)
    parser.add_argument("--skipped", action="store_true")
    options = parser.parse_args()
    try:
        tests = [Ran(case) for case in ElementTree.parse(options.record).iter("testcase")]
    except FileNotFoundError:
        sys.exit(f"{options.record} is not there: run ./dev test first")
    if options.slowest:
        print_slowest(tests, options.slowest)
    if options.skipped:
        print_skipped(tests)


if __name__ == "__main__":
    main()
