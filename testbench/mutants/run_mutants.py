#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Plants one hardware bug at a time (mutants.json) and checks that a test sees it.

Works on a copy of the sources outside the tree. Exit code 0 when every mutant is caught, 1 when one
survives, 2 when the list does not fit the sources or the tests fail without any mutant.
"""
import argparse
import contextlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCES = ["CMakeLists.txt", "hw", "models", "traffic", "waveforms", "testbench"]
TESTS = ["golden_test", "hw_leaf_test", "clock_domain_test", "network_interface_test",
         "scoreboard_test", "generator_test", "fabric_test", "deadlock_test",
         "switching_test", "circuit_test",
         "port_model_test"]
# Mutants of the RTL router, and of what connects it, are for these tests alone.
RTL_FILES = ("hw/rtl/", "hw/verilated/rtl_router_core.cpp", "hw/verilated/wire_ends.h")
RTL_TESTS = ["rtl_router_test", "cosim_test"]
# Mutants of the TLM engine are for these.
TLM_FILES = ("models/tlm/",)
TLM_TESTS = ["burst_test", "tlm_channel_test", "tlm_test", "deadlock_test"]
# Mutants of circuits are for these, and for nobody else.
CIRCUIT_FILES = ("hw/circuit/",)
CIRCUIT_TESTS = ["circuit_test", "golden_test"]
# Mutants of the routing functions, which the fabrics and the golden model share, are for these first.
ROUTING_FILES = ("models/routing/",)
ROUTING_TESTS = ["routing_test", "table_routing_test", "adaptive_routing_test"]
# Mutants of what networks are said to cost, which no fabric shows, are for this one.
COST_FILES = ("models/performance/",)
COST_TESTS = ["topology_cost_test"]
# Mutants of wirings and of schedules, which every fabric would carry all the same, are for these.
TOPOLOGY_FILES = ("models/topology/", "models/config/config.h")
TOPOLOGY_TESTS = ["topology_test", "topology_cost_test", "config_test", "every_topology_test"]
SCHEDULE_FILES = ("traffic/schedules/", "traffic/program/handshake.cpp")
SCHEDULE_TESTS = ["bounded_contention_test", "aap_test", "how_collectives_test",
                  "vector_collectives_test", "schedule_test", "handshake_test"]
CONFIG_FILES = ("models/config/config.cpp",)
CONFIG_TESTS = ["machines_test", "config_test"]
# Mutants of what the papers' machines and predictions are, for the tests of their reproduction.
PAPER_FILES = ("testbench/reproduce/bokhari/", "models/config/machine_presets.cpp")
COMPUTATION_FILES = ("traffic/computations/", "testbench/run/assembly.cpp")
COMPUTATION_TESTS = ["computation_test", "computation_run_test"]
PAPER_TESTS = ["machines_test", "bokhari_test", "exchange_simulation_test"]
RTL_VARIANTS = HERE / "rtl_variants.txt"
RTL_FIRST_LOOK = 2  # variants
README_MARKS = ("<!-- results: begin -->", "<!-- results: end -->")
# A mutant that runs wild may record without end.
MEMORY_LIMIT_BYTES = 6 << 30


class Unfit(Exception):
    """The list of mutants and the sources do not go together."""


def load_mutants():
    def text(value):
        return "\n".join(value) if isinstance(value, list) else value

    mutants = json.loads((HERE / "mutants.json").read_text())["mutants"]
    for mutant in mutants:
        mutant["find"] = text(mutant["find"])
        mutant["replace"] = text(mutant["replace"])
    names = [mutant["name"] for mutant in mutants]
    if len(names) != len(set(names)):
        raise Unfit("two mutants have the same name")
    return mutants


def mutated(source, mutant):
    count = source.count(mutant["find"])
    if count != 1:
        raise Unfit(f"{mutant['name']}: its text is found {count} times in {mutant['file']}, "
                    "not once")
    return source.replace(mutant["find"], mutant["replace"])


def is_rtl(mutant):
    return mutant["file"].startswith(RTL_FILES)


def tests_of(mutant):
    if is_rtl(mutant):
        return RTL_TESTS
    if mutant["file"].startswith(CIRCUIT_FILES):
        return CIRCUIT_TESTS
    if mutant["file"].startswith(ROUTING_FILES):
        return ROUTING_TESTS + TESTS
    if mutant["file"].startswith(TOPOLOGY_FILES):
        return TOPOLOGY_TESTS
    if mutant["file"].startswith(CONFIG_FILES):
        return CONFIG_TESTS
    if mutant["file"].startswith(SCHEDULE_FILES):
        return SCHEDULE_TESTS
    if mutant["file"].startswith(PAPER_FILES):
        return PAPER_TESTS
    if mutant["file"].startswith(COMPUTATION_FILES):
        return COMPUTATION_TESTS
    if mutant["file"].startswith(COST_FILES):
        return COST_TESTS
    return TLM_TESTS if mutant["file"].startswith(TLM_FILES) else TESTS


def mirror(destination):
    """Copies the sources; what has not changed keeps its time stamp, so little is rebuilt."""
    wanted = set()
    for name in SOURCES:
        top = ROOT / name
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            if not path.is_file() or "__pycache__" in path.parts:
                continue
            target = destination / path.relative_to(ROOT)
            wanted.add(target)
            if target.exists() and target.read_bytes() == path.read_bytes():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    for path in [p for p in destination.rglob("*") if p.is_file()]:
        if path not in wanted:
            path.unlink()


class Scratch:
    def __init__(self, folder, jobs):
        self.source = folder / "source"
        self.build = folder / "build"
        self.jobs = jobs
        self.source.mkdir(parents=True, exist_ok=True)
        mirror(self.source)
        # -O1: each binary runs for seconds, but is built dozens of times.
        subprocess.run(["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja",
                        "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1",
                        f"-DFLITSCOPE_RTL_LIST={RTL_VARIANTS}"],
                       check=True, stdout=subprocess.DEVNULL)

    @contextlib.contextmanager
    def planted(self, mutant):
        path = self.source / mutant["file"]
        good = path.read_text()
        path.write_text(mutated(good, mutant))
        try:
            yield
        finally:
            path.write_text(good)

    def make(self, *targets):
        done = subprocess.run(["ninja", "-C", self.build, f"-j{self.jobs}", *targets],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise Unfit("does not build:\n" + done.stdout)

    def first_look(self, limit_seconds):
        """What the first RTL test says of the first variants alone. Verilating all takes far longer
        than the tests, which take what they find."""
        names = re.findall(r"^[a-z]\w*", RTL_VARIANTS.read_text(), re.MULTILINE)[:RTL_FIRST_LOOK]
        for library in (self.build / "rtl").glob("*.so"):
            if library.stem not in names:
                library.unlink()
        self.make(*[f"rtl/{name}.so" for name in names])
        return self.execute(RTL_TESTS[0], limit_seconds)

    def verdicts(self, mutant, limit_seconds, to_the_end):
        """What the tests say, up to the first that fails."""
        if mutant["file"].startswith("hw/rtl/") and not to_the_end:
            if said := self.first_look(limit_seconds):
                return {RTL_TESTS[0]: said}
        verdicts = {}
        for test in tests_of(mutant):
            verdicts[test] = self.run(test, limit_seconds)
            if verdicts[test] and not to_the_end:
                break
        return verdicts

    def run(self, test, limit_seconds):
        """Builds and runs one test binary. What it says: None when it passes."""
        self.make(test)  # and for RTL tests all libraries
        return self.execute(test, limit_seconds)

    def execute(self, test, limit_seconds):
        with tempfile.TemporaryFile(mode="w+", errors="replace") as output:
            process = subprocess.Popen(
                [self.build / "testbench" / "tests" / test, "--gtest_fail_fast",
                 "--gtest_brief=1", "--gtest_color=no"],
                stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                preexec_fn=lambda: resource.setrlimit(
                    resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES)))
            try:
                process.wait(limit_seconds)
                hangs = False
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                hangs = True
            output.seek(0)
            return verdict(process.returncode, hangs, output.read())


def verdict(returncode, hangs, output):
    if hangs:
        return "hangs"
    if returncode == 0:
        return None
    failed = re.search(r"^\[  FAILED  \] ([^\s,]+)", output, re.MULTILINE)
    if returncode < 0:
        return f"crashes ({signal.Signals(-returncode).name})"
    return failed.group(1) if failed else f"exit code {returncode}"


def caught_by(verdicts):
    return ", ".join(f"{test}: {what}" for test, what in verdicts.items() if what)


def write_readme(all_mutants, results):
    """Renews the rows of the mutants that were run; the others keep what the table says."""
    path = HERE / "README.md"
    before, rest = path.read_text().split(README_MARKS[0])
    old, after = rest.split(README_MARKS[1])
    caught = {}
    for row in re.findall(r"^\| (\w+) \|.*\| ([^|]*) \|$", old, re.MULTILINE):
        caught[row[0]] = row[1]
    for mutant, verdicts in results:
        caught[mutant["name"]] = caught_by(verdicts) or "**SURVIVED**"
    missing = [mutant["name"] for mutant in all_mutants if mutant["name"] not in caught]
    if missing:
        raise Unfit(f"the table has no results yet for {', '.join(missing)}")
    lines = ["| mutant | file | the bug | caught by |", "|---|---|---|---|"]
    for mutant in all_mutants:
        lines.append(f"| {mutant['name']} | {pathlib.PurePath(mutant['file']).name} "
                     f"| {mutant['bug']} | {caught[mutant['name']]} |")
    survived = sum("SURVIVED" in caught[mutant["name"]] for mutant in all_mutants)
    summary = f"{len(all_mutants)} mutants, {survived} survived."
    path.write_text("\n".join([before + README_MARKS[0], summary, "", *lines,
                               README_MARKS[1] + after]))


def campaign(options):
    all_mutants = mutants = load_mutants()
    for mutant in mutants:
        mutated((ROOT / mutant["file"]).read_text(), mutant)  # a list that does not fit, at once
    if options.only:
        unknown = set(options.only) - {mutant["name"] for mutant in mutants}
        if unknown:
            raise Unfit(f"no such mutant: {', '.join(sorted(unknown))}")
        mutants = [mutant for mutant in mutants if mutant["name"] in options.only]
    if options.rtl is not None:
        mutants = [mutant for mutant in mutants if is_rtl(mutant) == options.rtl]
    if options.list:
        for mutant in mutants:
            print(f"{mutant['name']:36} {mutant['file']:36} {mutant['bug']}")
        return 0

    scratch = Scratch(pathlib.Path(options.scratch), options.jobs)
    for test in sorted({test for mutant in mutants for test in tests_of(mutant)}):
        if failure := scratch.run(test, options.time_limit):
            raise Unfit(f"without any mutant, {test} fails: {failure}")
    if any(is_rtl(mutant) for mutant in mutants):
        if failure := scratch.first_look(options.time_limit):
            raise Unfit(f"without any mutant, {RTL_TESTS[0]} fails on few variants: {failure}")

    results = []
    for number, mutant in enumerate(mutants, start=1):
        with scratch.planted(mutant):
            try:
                verdicts = scratch.verdicts(mutant, options.time_limit, options.all)
            except Unfit as error:
                raise Unfit(f"{mutant['name']} {error}") from error
        results.append((mutant, verdicts))
        print(f"[{number}/{len(mutants)}] {mutant['name']}: "
              f"{caught_by(verdicts) or 'SURVIVED'}", flush=True)
    survivors = [mutant["name"] for mutant, verdicts in results if not caught_by(verdicts)]
    print(f"\n{len(results)} mutants, {len(survivors)} survived"
          + (f": {', '.join(survivors)}" if survivors else ""))
    if options.markdown:
        write_readme(all_mutants, results)
    return 1 if survivors else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these mutants instead of all")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--rtl", action="store_true", default=None,
                       help="only mutants of the RTL router")
    which.add_argument("--no-rtl", dest="rtl", action="store_false",
                       help="only mutants of everything else")
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    parser.add_argument("--all", action="store_true",
                        help="run every test even where one has caught the mutant")
    parser.add_argument("--markdown", action="store_true",
                        help="write the results into the README")
    parser.add_argument("--time-limit", type=float, default=180, metavar="SECONDS",
                        help="for one test binary; longer is a hang (default: 180)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time")
    parser.add_argument("--scratch", default=os.path.join(tempfile.gettempdir(),
                                                          "flitscope_mutants"),
                        help="folder for the copy and its build, kept for the next run")
    options = parser.parse_args()
    try:
        return campaign(options)
    except Unfit as error:
        print(f"run_mutants: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
