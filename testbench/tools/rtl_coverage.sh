#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Which lines and signals of the SystemVerilog router the tests reach. Exit code 1 below 95 % of the
# lines.
#
# usage: rtl_coverage.sh [JOBS]     compilers at a time (default: all processors)
set -euo pipefail
cd "$(dirname "$0")/../.."
build=build/coverage
jobs=${1:-$(nproc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Counting makes a library six times as large: the largest variants are left out, they would take
# longer than all others and have no line that these have not.
mkdir -p "$build"
grep -E '^router_p[1-6]_' hw/verilated/variants.txt >"$work/variants"
cmp -s "$work/variants" "$build/rtl_variants.txt" || cp "$work/variants" "$build/rtl_variants.txt"
# -O0: code that counts everything is long, and runs once.
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O0 \
    -DFLITSCOPE_RTL_COVERAGE=ON "-DFLITSCOPE_RTL_LIST=$PWD/$build/rtl_variants.txt" >/dev/null
ninja -C "$build" -j"$jobs" --quiet rtl rtl_router_test cosim_test

mkdir "$work/counts"
for test in rtl_router_test cosim_test; do
    FLITSCOPE_RTL_COVERAGE=$work/counts "$build/testbench/verification/tests/$test" --gtest_brief=1 >&2
done
verilator_coverage --write "$work/all.dat" "$work"/counts/*.dat >/dev/null

python3 -B - "$work/all.dat" <<'PYTHON'
import collections
import pathlib
import re
import sys

LEAST_PERCENT = 95
# Functions that only make constants: verilator works them out and never calls them.
CONSTANT_FUNCTIONS = {"router_checker.sv": ["legal_turn", "illegal_turns"]}

# An item counted several times, for instances and variants, is reached if one of them is.
lines, branches, bits = ({} for _ in range(3))  # file -> {what: reached}


def note(table, file, what, count):
    known = table.setdefault(file, {})
    known[what] = known.get(what, False) or count > 0


def lines_of(function, text):
    span = re.search(rf"^ *function [^\n(]*\b{function}\(.*?^ *endfunction", text, re.M | re.S)
    if not span:
        sys.exit(f"rtl_coverage.sh: there is no function {function}")
    return set(range(text.count("\n", 0, span.start()) + 1, text.count("\n", 0, span.end()) + 2))


RTL = pathlib.Path("hw/rtl")
excluded = {file: set().union(*(lines_of(name, (RTL / file).read_text()) for name in names))
            for file, names in CONSTANT_FUNCTIONS.items()}


def spread(ranges):
    for part in filter(None, ranges.split(",")):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


for row in pathlib.Path(sys.argv[1]).read_text().splitlines():
    match = re.fullmatch(r"C '(.*)' (\d+)", row)
    if not match:
        continue
    point = dict(pair.split("\x02", 1) for pair in match[1].split("\x01") if pair)
    count = int(match[2])
    file, line = pathlib.PurePath(point["f"]).name, int(point["l"])
    kind = point["page"].split("/")[0]
    if kind == "v_user":  # rtl_covers_test.py
        continue
    if kind == "v_toggle":
        note(bits, file, (line, point["o"]), count)
        continue
    if kind == "v_branch" and line not in excluded.get(file, ()):
        note(branches, file, (line, point["o"]), count)
    for n in set(spread(point.get("S", ""))) - excluded.get(file, set()):
        note(lines, file, n, count)

if not lines or not bits:
    sys.exit("rtl_coverage.sh: nothing was counted")


def reached(table, files):
    all_points = [hit for file in files for hit in table.get(file, {}).values()]
    return sum(all_points), len(all_points)


def cells(files):
    for table in (lines, branches, bits):
        some, all_ = reached(table, files)
        yield f"{some}/{all_}" + (f" {100 * some / all_:5.1f} %" if all_ else "      - ")


files = sorted({*lines, *branches, *bits})
print(f"{'file':26}{'lines':>18}{'branches':>18}{'signal bits':>20}")
for name, group in [*((file, [file]) for file in files), ("all", files)]:
    a, b, c = cells(group)
    print(f"{name:26}{a:>18}{b:>18}{c:>20}")

sources = {file: (RTL / file).read_text().splitlines() for file in files}
print("\nnot reached:")
for file in files:
    missed = {(n, "") for n, hit in lines.get(file, {}).items() if not hit}
    missed |= {(n, f"  ({way})") for (n, way), hit in branches.get(file, {}).items() if not hit}
    for n, way in sorted(missed):
        print(f"  {file}:{n}: {sources[file][n - 1].strip()}{way}")
still = collections.defaultdict(list)
for file in files:
    for (n, signal), hit in bits.get(file, {}).items():
        if not hit:
            name, _, bit = signal.partition("[")
            still[file, n, name].append(int(bit.rstrip("]").split("]")[0]) if bit else None)
print("never change:")
for (file, n, name), missing in sorted(still.items()):
    count = sum(signal.partition("[")[0] == name for line, signal in bits[file] if line == n)
    print(f"  {file}:{n}: {name}: "
          + ("all" if len(missing) == count else f"{len(missing)} of {count} bits"))
some, all_ = reached(lines, files)
if 100 * some < LEAST_PERCENT * all_:
    sys.exit(f"rtl_coverage.sh: fewer than {LEAST_PERCENT} % of the lines are reached")
PYTHON
