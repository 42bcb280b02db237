#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""How long a newcomer and a developer wait: the first build, a second checkout, a change, the tests.
Copies the sources into a folder of its own and builds there; wants a quiet machine. Called by
./dev measure-loop, from the root.

usage: measure_loop.py [first|second|change|headers|tests ...]     all of them unless named
"""

import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from nearest_tests import nearest_tests

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A source of a leaf library, and the headers that were the most expensive ones to change.
LEAF = "models/routing/table_routing.cpp"
HEADERS = ["models/config/config.h", "models/topology/graph.h", "models/base/types.h"]
PROGRAM_PARTS = re.compile(r"(?!testbench/(verification|examples)/)")


def run(*command, folder=ROOT, **environment):
    """Seconds by the clock and of the processors."""
    before = os.times()
    begin = time.monotonic()
    subprocess.run([str(c) for c in command], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, **environment})
    after = os.times()
    return (time.monotonic() - begin, after.children_user - before.children_user +
            after.children_system - before.children_system)


def say(what, clock, processors, goal):
    print(f"{what:<58} {clock:6.0f} s by the clock, {processors:5.0f} of the processors"
          f"   (goal: {goal})", flush=True)


def sources():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return [name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


def checkout(folder):
    for name in sources():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)
    return folder


def configure(folder, tests):
    run("cmake", "--preset", "release", f"-DFLITSCOPE_TESTS={tests}", folder=folder)


def first(work):
    """What ./dev demo builds, and what ./dev test does, with nothing in the cache."""
    folder = checkout(work / "first")
    configure(folder, "OFF")
    clock, used = run("ninja", "-C", "build/release", "flitscope", folder=folder, CCACHE_DISABLE="1")
    say("./dev demo builds the program", clock, used, "180 s")
    configure(folder, "ON")
    more, more_used = run("ninja", "-C", "build/release", folder=folder, CCACHE_DISABLE="1")
    say("./dev test builds all", clock + more, used + more_used, "300 s")


def second(work):
    """Another checkout of what has been built here."""
    cache = {"CCACHE_DIR": str(work / "cache")}
    for name in ("one", "another"):
        folder = checkout(work / name)
        configure(folder, "OFF")
        subprocess.run(["ccache", "-z"], env={**os.environ, **cache}, check=True,
                       stdout=subprocess.DEVNULL)
        clock, used = run("ninja", "-C", "build/release", "flitscope", folder=folder, **cache)
    counts = dict(line.split("\t") for line in subprocess.run(
        ["ccache", "--print-stats"], env={**os.environ, **cache}, capture_output=True, text=True,
        check=True).stdout.splitlines())
    hits = int(counts["direct_cache_hit"]) + int(counts["preprocessed_cache_hit"])
    share = 100 * hits / (hits + int(counts["cache_miss"]))
    say(f"a second checkout, {share:.0f} % of its compilations in ccache", clock, used, "90 %")


def change(_):
    """A line of a leaf library, in the tree that is built here."""
    nearest = nearest_tests([LEAF])
    targets = ["flitscope", *nearest]
    run("ninja", "-C", "build/release", *targets)
    os.utime(ROOT / LEAF)
    clock, used = run("ninja", "-C", "build/release", *targets, CCACHE_DISABLE="1")
    for test in nearest:
        more, more_used = run(ROOT / "build/release/testbench/verification/tests" / test)
        clock, used = clock + more, used + more_used
    say(f"{LEAF} changed: compiled, linked, tested", clock, used, "30 s")


def headers(_):
    """Of how many sources of the program a header is part, however far up."""
    includes = {}
    for name in sources():
        if name.endswith((".h", ".cpp")) and PROGRAM_PARTS.match(name):
            includes[name] = re.findall(r'^#include "([^"]+)"', (ROOT / name).read_text(),
                                        re.MULTILINE)
    reached = collections.Counter()
    programs = [name for name in includes if name.endswith(".cpp")]
    for name in programs:
        seen, waiting = set(), [name]
        while waiting:
            for other in includes.get(waiting.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        reached.update(seen)
    for header in HEADERS:
        print(f"{header:<58} {reached[header]:6d} of {len(programs)} sources"
              f"                        (goal: {len(programs) // 4})")
    print("the headers of most sources: " +
          ", ".join(f"{name} {count}" for name, count in reached.most_common(5)))


def tests(_):
    """The tests of the README, once all is built."""
    run("ninja", "-C", "build/release")
    clock, used = run("./dev", "test")
    say("./dev test runs the tests", clock, used, "360 s")


MEASURES = {function.__name__: function for function in (first, second, change, headers, tests)}


def main():
    chosen = sys.argv[1:] or list(MEASURES)
    if unknown := [name for name in chosen if name not in MEASURES]:
        sys.exit(f"measure_loop.py: no such figure: {', '.join(unknown)} (there are "
                 f"{', '.join(MEASURES)})")
    load = os.getloadavg()[0]
    cores = os.cpu_count()
    print(f"{cores} processors, load {load:.1f}" +
          (": not quiet, so believe the seconds of the processors alone" if load > 0.5 else ""))
    with tempfile.TemporaryDirectory() as work:
        for name in chosen:
            MEASURES[name](pathlib.Path(work))


if __name__ == "__main__":
    main()
