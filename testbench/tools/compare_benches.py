#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Compares two builds of flitscope_bench: runs both in turns, so that what else the machine does hits
both alike, and prints for each case what the second takes of the first one's time. Called by
./dev bench-against, from the root.

usage: compare_benches.py OLD NEW [--cases REGEX] [--turns N]

Time is that of the processor, set-up included: the clock counts what others compute. The least of
all turns is compared; how far the turns of one build lie apart says what the ratio is worth.
"""
import argparse
import json
import statistics
import subprocess
import sys

MILLISECONDS = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1e3}


def cases_of(program, pattern):
    listing = subprocess.run([program, "--benchmark_list_tests", f"--benchmark_filter={pattern}"],
                             capture_output=True, text=True, check=True).stdout
    return listing.split()


def milliseconds(program, case):
    """Processor time of one iteration."""
    answer = subprocess.run([program, f"--benchmark_filter=^{case}$", "--benchmark_format=json"],
                            capture_output=True, text=True, check=True).stdout
    run = json.loads(answer)["benchmarks"][0]
    if run.get("error_occurred"):
        sys.exit(f"{program}: {case}: {run['error_message']}")
    return run["cpu_time"] * MILLISECONDS[run["time_unit"]]


def main():
    parser = argparse.ArgumentParser(description="Compares two builds of flitscope_bench.")
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--cases", default=".", help="regular expression of names")
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    programs = [options.old, options.new]
    both = set(cases_of(options.old, options.cases))
    cases = [case for case in cases_of(options.new, options.cases) if case in both]
    if not cases:
        sys.exit(f"no case of that name in both: {options.cases}")
    print("| case | old, ms | new, ms | new / old | turns of one lie apart by |")
    print("|---|---|---|---|---|")
    for case in cases:
        times = {program: [] for program in programs}
        for _ in range(options.turns):
            for program in programs:
                times[program].append(milliseconds(program, case))
        least = [min(times[program]) for program in programs]
        spread = max(statistics.median(times[p]) / min(times[p]) - 1 for p in programs)
        name = case.removesuffix("/manual_time")
        print(f"| {name} | {least[0]:.3g} | {least[1]:.3g} | {least[1] / least[0]:.2f} "
              f"| {100 * spread:.0f} % |", flush=True)


if __name__ == "__main__":
    main()
