#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Plants one bug at a time (mutants.json) and checks that a test sees it.

Works on copies of the sources outside the tree, one for each processor. Exit code 0 when every
mutant is caught, 1 when one survives, 2 when the list does not fit the sources or the tests fail
without any mutant, 130 when interrupted (--resume goes on).
"""
import argparse
import collections
import concurrent.futures
import contextlib
import hashlib
import json
import os
import pathlib
import queue
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True  # the tree stays as it is
import results_table  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCES = ["CMakeLists.txt", "hw", "models", "traffic", "waveforms", "testbench"]

# Which tests a mutant is for, by its file: the first entry that fits. What the table says of a
# mutant, then of others in the same file, decides which of them comes first.
GOLDEN = ["golden_test", "hw_leaf_test", "clock_domain_test", "network_interface_test",
          "scoreboard_test", "generator_test", "fabric_test", "deadlock_test", "switching_test",
          "circuit_test", "port_model_test"]
RTL = ["rtl_router_test", "cosim_test"]
TESTS_OF = [
    (("hw/verilated/rtl_routers.cpp",), ["foreign_router_test"]),
    # The RTL router, and what connects it: compared with the SystemC router.
    (("hw/rtl/", "hw/verilated/"), RTL),
    # Schedules that are found, and their bounds.
    (("traffic/synthesis/combining.cpp", "traffic/synthesis/combining_search.cpp",
      "traffic/synthesis/bounds/startup_bound.cpp", "traffic/synthesis/chunk_schedule.cpp"),
     ["combining_test", "synthesis_test"]),
    (("traffic/synthesis/rehearsal/",), ["rehearsal_test", "combining_test"]),
    (("traffic/synthesis/direct/",), ["timetable_test", "synthesis_test"]),
    (("traffic/synthesis/",), ["synthesis_test", "timetable_test", "combining_test"]),
    # Circuits.
    (("hw/circuit/",), ["circuit_test", "golden_test"]),
    # Nodes with a channel for every link.
    (("hw/packet/multi_port_interface.cpp", "hw/packet/endpoint_routing.h",
      "traffic/program/channel_rules.cpp"), ["port_model_test", *GOLDEN[:-1]]),
    # Routing functions, which the fabrics and the golden model share.
    (("models/routing/",),
     ["routing_test", "table_routing_test", "adaptive_routing_test", "topology_families_test",
      *GOLDEN]),
    # Bounds and loads; what is measured of a pattern, and what programs may ask for.
    (("models/performance/bounds.cpp", "models/performance/steady_load.cpp"),
     ["bounds_test", "pattern_test", "golden_model_test"]),
    (("traffic/patterns/", "traffic/program/program_limits.cpp",
      "testbench/run/channel_window.h"),
     ["pattern_test", "arrivals_test", "destinations_test", "program_test", "tlm_test"]),
    # Why a run took as long as it did.
    (("testbench/explain/",), ["critical_path_witness_test", "critical_path_test"]),
    # What networks are said to cost, which no fabric shows.
    (("models/performance/",), ["topology_cost_test", "topology_families_test"]),
    # Wirings and schedules, which every fabric would carry all the same.
    (("models/topology/", "models/config/config.h"),
     ["topology_test", "topology_families_test", "topology_cost_test", "config_test",
      "every_topology_test"]),
    (("traffic/schedules/", "traffic/program/handshake.cpp"),
     ["bounded_contention_test", "aap_test", "how_collectives_test", "vector_collectives_test",
      "schedule_test", "handshake_test"]),
    (("models/config/config_loader.cpp",), ["machines_test", "config_test"]),
    # The papers' machines and predictions.
    (("testbench/reproduce/bokhari/", "testbench/configuration/machine_presets.cpp"),
     ["machines_test", "bokhari_test", "exchange_simulation_test"]),
    (("traffic/computations/", "testbench/run/assembly.cpp"),
     ["computation_test", "computation_run_test"]),
    # The TLM engine: its parts, then compared with the golden model and the cycle engine.
    (("models/tlm/engine/turn_", "models/tlm/engine/stride_sequence.h"),
     ["stride_test", "turns_test", "deadlock_test"]),
    (("models/tlm/",),
     ["burst_test", "tlm_channel_test", "tlm_monitor_test", "tlm_test", "deadlock_test"]),
    (("",), GOLDEN),
]

RTL_VARIANTS = HERE / "rtl_variants.txt"
# Enough for one variant alone; the last look has what the test asks for itself.
RTL_LOOK_CYCLES = 200_000
# A mutant that runs wild may record without end.
MEMORY_LIMIT_BYTES = 6 << 30
# Mutants of one file that a copy of the sources takes in a row.
CHUNK = 6
# A test is taken to hang after so many times the processor time that it needs without a mutant, at
# least so long.
HANG_FACTOR = 10
HANG_SECONDS = 20
WAITING_FACTOR = 20  # of the time on the clock


class Unfit(Exception):
    """The list of mutants and the sources do not go together."""


class Failing(Exception):
    """A test fails without any mutant."""


class Interrupted(Exception):
    """Somebody wants the campaign to end."""


def load_mutants():
    try:
        mutants = results_table.load_mutants()
    except ValueError as error:
        raise Unfit(error) from error
    for mutant in mutants:
        mutated((ROOT / mutant["file"]).read_text(), mutant)  # a list that does not fit, at once
    return mutants


def mutated(source, mutant):
    count = source.count(mutant["find"])
    if count != 1:
        raise Unfit(f"{mutant['name']}: its text is found {count} times in {mutant['file']}, "
                    "not once")
    return source.replace(mutant["find"], mutant["replace"])


def is_rtl(mutant):
    return mutant["file"].startswith("hw/rtl/")


def tests_of(mutant):
    if "tests" in mutant:  # those of its file have no eye for it
        return mutant["tests"]
    return next(tests for files, tests in TESTS_OF if mutant["file"].startswith(files))


def rtl_variants():
    """Smallest first: they are verilated soonest."""
    names = re.findall(r"^[a-z]\w*", RTL_VARIANTS.read_text(), re.MULTILINE)
    return sorted(names, key=lambda name: [int(n) for n in
                                           re.match(r"\w+?_p(\d+)_v(\d+)_d(\d+)", name).groups()])


def source_files():
    for name in SOURCES:
        top = ROOT / name
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def digest():
    """Of all that a verdict depends on. Results are those of these very sources."""
    total = hashlib.sha256()
    for path in source_files():
        if path == results_table.TABLE:
            continue
        total.update(f"{path.relative_to(ROOT)}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def mirror(destination):
    """Copies the sources; what has not changed keeps its time stamp, so little is rebuilt."""
    wanted = set()
    for path in source_files():
        target = destination / path.relative_to(ROOT)
        wanted.add(target)
        if target.exists() and target.read_bytes() == path.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    for name in SOURCES:
        for path in [p for p in (destination / name).rglob("*") if p.is_file()]:
            if path not in wanted:
                path.unlink()


class Processes:
    """The programs that run; all of them end with us."""

    def __init__(self):
        self.lock = threading.RLock()  # a signal may come while we have it
        self.running = set()
        self.stopped = False

    def run(self, command, limit_seconds=None, environment=None, memory_limit=None):
        """Exit code (SIGXCPU: out of time), what the program printed, and seconds of processor time,
        which `limit_seconds` counts as well: how busy the machine is makes no difference."""
        def limit():
            if limit_seconds:
                resource.setrlimit(resource.RLIMIT_CPU, (int(limit_seconds), int(limit_seconds)))
            if memory_limit:
                resource.setrlimit(resource.RLIMIT_AS, (memory_limit, memory_limit))

        with tempfile.TemporaryFile(mode="w+", errors="replace") as output:
            with self.lock:
                if self.stopped:
                    raise Interrupted
                process = subprocess.Popen(
                    [str(c) for c in command], stdout=output, stderr=subprocess.STDOUT,
                    stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=limit,
                    env={**os.environ, **(environment or {})})
                self.running.add(process)
            # One that only waits takes no processor time.
            watch = threading.Timer((limit_seconds or 0) * WAITING_FACTOR, self.kill, [process])
            if limit_seconds:
                watch.start()
            _, status, used = os.wait4(process.pid, 0)
            watch.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            with self.lock:
                self.running.discard(process)
            if self.stopped:
                raise Interrupted
            output.seek(0)
            return process.returncode, output.read(), used.ru_utime + used.ru_stime

    def stop(self):
        with self.lock:
            self.stopped = True
            for process in self.running:
                self.kill(process)

    @staticmethod
    def kill(process):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


class Scratch:
    """A copy of the sources and its build."""

    def __init__(self, folder, processes):
        self.source = folder
        # As deep as the builds of the project itself: their cache serves here, too.
        self.build = folder / "build" / "mutants"
        self.processes = processes
        self.mutant = None  # what is planted: its file, the good text and the bad
        self.source.mkdir(parents=True, exist_ok=True)
        mirror(self.source)
        # What one copy has compiled the others find in the cache, wherever they lie.
        self.environment = {"CCACHE_BASEDIR": str(folder), "CCACHE_NOHASHDIR": "1"}
        # -O1: each binary runs for seconds, but is built dozens of times.
        code, said, _ = processes.run(
            ["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja",
             "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1",
             f"-DFLITSCOPE_RTL_LIST={RTL_VARIANTS}",
             # Nobody asks which tests there are, least of all those with a mutant.
             "-DCMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE=PRE_TEST"])
        if code != 0:
            raise Unfit("does not configure:\n" + said)

    @contextlib.contextmanager
    def planted(self, mutant):
        path = self.source / mutant["file"]
        good = path.read_text()
        bad = mutated(good, mutant)
        self.mutant = (path, good, bad)
        path.write_text(bad)
        try:
            yield
        finally:
            path.write_text(good)
            self.mutant = None

    @contextlib.contextmanager
    def without_mutant(self):
        if self.mutant:
            self.mutant[0].write_text(self.mutant[1])
        try:
            yield
        finally:
            if self.mutant:
                self.mutant[0].write_text(self.mutant[2])

    def make(self, targets, jobs=1):
        code, said, _ = self.processes.run(["ninja", "-C", self.build, f"-j{jobs}", *targets],
                                           environment=self.environment)
        if code != 0:
            raise Unfit("does not build:\n" + said[-4000:])

    def library(self, variant):
        """What a verilated router looks like."""
        return hashlib.sha256((self.build / "rtl" / f"{variant}.so").read_bytes()).digest()

    def execute(self, test, limit_seconds, only=None, environment=None):
        """What a test binary says (None when it passes), and how long it took. `only`: one of its
        tests."""
        what = [f"--gtest_filter={only}"] if only else []
        code, said, seconds = self.processes.run(
            [self.build / "testbench" / "tests" / test, "--gtest_fail_fast", "--gtest_color=no",
             *what], limit_seconds, environment, MEMORY_LIMIT_BYTES)
        return results_table.verdict(code, said), seconds

    def execute_with(self, variant, test, limit_seconds):
        """The same, with one library of RTL alone."""
        folder = self.build / "one" / variant
        folder.mkdir(parents=True, exist_ok=True)
        library = folder / f"{variant}.so"
        if not library.is_symlink():
            library.symlink_to(self.build / "rtl" / f"{variant}.so")
        return self.execute(test, limit_seconds, environment={
            "FLITSCOPE_RTL_LIBRARIES": str(folder),
            "FLITSCOPE_ROUTER_CYCLES": str(RTL_LOOK_CYCLES)})[0]


class Campaign:
    def __init__(self, options):
        self.options = options
        self.all_mutants = load_mutants()
        self.mutants = self.chosen(self.all_mutants)
        self.hints = {name: results_table.hint(caught)
                      for name, caught in results_table.rows().items()}
        self.processes = Processes()
        self.folder = pathlib.Path(options.scratch)
        self.kept = self.folder / "results.json"
        self.digest = digest()
        self.results = {}
        self.limits = {}
        self.clean_libraries = {}
        self.lock = threading.Lock()

    def chosen(self, mutants):
        if self.options.only:
            unknown = set(self.options.only) - {mutant["name"] for mutant in mutants}
            if unknown:
                raise Unfit(f"no such mutant: {', '.join(sorted(unknown))}")
            mutants = [mutant for mutant in mutants if mutant["name"] in self.options.only]
        if self.options.missing:
            known = results_table.rows()
            mutants = [mutant for mutant in mutants if mutant["name"] not in known]
        if self.options.rtl is not None:
            mutants = [mutant for mutant in mutants
                       if (tests_of(mutant) is RTL) == self.options.rtl]
        return mutants

    # ---- Which test first ------------------------------------------------------------------------

    def order(self, mutant):
        """All tests of a mutant, those that see most in its file first."""
        seen = collections.Counter()
        for other in self.all_mutants:
            if other["file"] == mutant["file"] and (known := self.hints.get(other["name"])):
                seen[known[0]] += 1
        tests = tests_of(mutant)
        return sorted(tests, key=lambda test: (-seen[test], tests.index(test)))

    def first_tests(self, mutants):
        """Those that most likely see these mutants; others are built when one is not seen."""
        tests = set()
        for mutant in mutants:
            known = self.hints.get(mutant["name"])
            tests.add(RTL[0] if is_rtl(mutant) else known[0] if known else self.order(mutant)[0])
        return sorted(tests)

    # ---- One mutant ------------------------------------------------------------------------------

    def run(self, scratch, mutant):
        """What sees it: `test: what` (with --all several), or nothing."""
        if self.options.all:
            verdicts = [(test, self.built_and_run(scratch, test)) for test in tests_of(mutant)]
            return ", ".join(f"{test}: {what}" for test, what in verdicts if what)
        if is_rtl(mutant):
            if said := self.first_looks(scratch):
                return f"{RTL[0]}: {said}"
        elif known := self.hints.get(mutant["name"]):
            test, only = known
            if only and (said := self.built_and_run(scratch, test, only)):
                return f"{test}: {said}"
        for test in self.order(mutant):
            if said := self.built_and_run(scratch, test):
                return f"{test}: {said}"
        return ""

    def built_and_run(self, scratch, test, only=None):
        if test not in self.limits:
            with scratch.without_mutant():
                self.prove(scratch, test)
        scratch.make([test])  # and for RTL tests all libraries
        return scratch.execute(test, self.limits[test], only)[0]

    def prove(self, scratch, test):
        """Without any mutant the test passes; how long that takes tells what hangs."""
        scratch.make([test])
        said, seconds = scratch.execute(test, self.options.time_limit)
        if said:
            raise Failing(f"without any mutant, {test} fails: {said}")
        self.limits[test] = min(self.options.time_limit, max(HANG_SECONDS, HANG_FACTOR * seconds))

    def first_looks(self, scratch):
        """What the first RTL test says of one variant after the other. Verilating all takes far
        longer than the tests, which take what they find."""
        for variant in rtl_variants():
            scratch.make([f"rtl/{variant}.so"])
            if scratch.library(variant) == self.clean_libraries[scratch, variant]:
                continue  # nothing of the mutant is in it
            if said := scratch.execute_with(variant, RTL[0], self.limits[RTL[0]]):
                return said
        return None

    # ---- All of them -----------------------------------------------------------------------------

    def prepare(self, mutants):
        """Copies, and what the tests say without any mutant."""
        jobs = self.options.jobs
        scratches = [Scratch(self.folder / str(number), self.processes) for number in range(jobs)]
        tests = self.first_tests(mutants)
        print(f"building {len(tests)} tests", flush=True)
        scratches[0].make(tests, jobs)
        print("running them without any mutant", flush=True)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(lambda test: self.prove(scratches[0], test), tests))
        if any(is_rtl(mutant) for mutant in mutants):
            for variant in rtl_variants():
                if said := scratches[0].execute_with(variant, RTL[0], self.limits[RTL[0]]):
                    raise Failing(f"without any mutant, {RTL[0]} fails on {variant}: {said}")
        for scratch in scratches[1:]:
            scratch.make(tests, jobs)
        if any(is_rtl(mutant) for mutant in mutants):
            self.clean_libraries = {(scratch, variant): scratch.library(variant)
                                    for scratch in scratches for variant in rtl_variants()}
        return scratches

    def chunks(self, mutants):
        """Mutants of a file together, for they rebuild the same; those of the RTL, which take
        longest, first."""
        files = collections.defaultdict(list)
        for mutant in mutants:
            files[mutant["file"]].append(mutant)
        for file in sorted(files, key=lambda f: (not f.startswith("hw/rtl/"), -len(files[f]), f)):
            for begin in range(0, len(files[file]), CHUNK):
                yield files[file][begin:begin + CHUNK]

    def go(self):
        if self.options.resume:
            self.read_kept()
        todo = [mutant for mutant in self.mutants if mutant["name"] not in self.results]
        self.folder.mkdir(parents=True, exist_ok=True)
        if todo:
            scratches = self.prepare(todo)
            self.begin = time.monotonic()
            self.left = len(todo)
            self.done = 0
            work = queue.SimpleQueue()
            for chunk in self.chunks(todo):
                work.put(chunk)
            with concurrent.futures.ThreadPoolExecutor(len(scratches)) as pool:
                workers = [pool.submit(self.take, scratch, work) for scratch in scratches]
                try:
                    concurrent.futures.wait(workers,
                                            return_when=concurrent.futures.FIRST_EXCEPTION)
                finally:  # one that fails ends the others
                    if any(not worker.done() or worker.exception() for worker in workers):
                        self.processes.stop()
                errors = [worker.exception() for worker in workers if worker.exception()]
            for error in errors:
                if not isinstance(error, Interrupted):
                    raise error
            if errors:
                raise errors[0]
        return self.finish()

    def take(self, scratch, work):
        with contextlib.suppress(queue.Empty):
            while True:
                for mutant in work.get_nowait():
                    begin = time.monotonic()
                    with scratch.planted(mutant):
                        try:
                            caught = self.run(scratch, mutant)
                        except Unfit as error:
                            print(f"{mutant['name']} {error}", flush=True)
                            caught = results_table.NOT_BUILT
                    self.note(mutant, caught, time.monotonic() - begin)

    def note(self, mutant, caught, seconds):
        with self.lock:
            self.results[mutant["name"]] = caught
            self.done += 1
            self.write_kept()
            each = (time.monotonic() - self.begin) / self.done
            left = each * (self.left - self.done) / 60
            print(f"[{self.done}/{self.left}] {mutant['name']}: {caught or 'SURVIVED'} "
                  f"({seconds:.1f} s, {left:.0f} min left)", flush=True)

    # ---- What is kept ----------------------------------------------------------------------------

    def read_kept(self):
        if not self.kept.exists():
            raise Unfit(f"nothing to resume in {self.folder}")
        kept = json.loads(self.kept.read_text())
        if kept["digest"] != self.digest:
            raise Unfit("the sources have changed since: the results that are kept are no longer "
                        "theirs, begin anew without --resume")
        self.results = kept["results"]

    def write_kept(self):
        part = self.kept.with_suffix(".part")
        part.write_text(json.dumps({"digest": self.digest, "results": self.results}, indent=1))
        part.replace(self.kept)

    def finish(self):
        mine = {m["name"]: self.results[m["name"]] for m in self.mutants}
        survivors = [name for name, caught in mine.items()
                     if not caught or caught == results_table.NOT_BUILT]
        print(f"\n{len(mine)} mutants, {len(survivors)} survived"
              + (f": {', '.join(survivors)}" if survivors else ""))
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"{(used.ru_utime + used.ru_stime) / 60:.0f} min of processor time, builds included")
        if self.options.markdown:
            if digest() != self.digest:
                raise Unfit("the sources have changed since: the table stays as it was")
            results_table.write(self.all_mutants, mine)
        return 1 if survivors else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these mutants instead of all")
    parser.add_argument("--missing", action="store_true",
                        help="only those of which the table says nothing")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--rtl", action="store_true", default=None,
                       help="only mutants of the RTL router and of what connects it")
    which.add_argument("--no-rtl", dest="rtl", action="store_false",
                       help="only mutants of everything else")
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    parser.add_argument("--all", action="store_true",
                        help="run every test even where one has caught the mutant")
    parser.add_argument("--markdown", action="store_true",
                        help="write the results into the README")
    parser.add_argument("--resume", action="store_true",
                        help="go on where a run of the same sources was interrupted")
    parser.add_argument("--time-limit", type=float, default=180, metavar="SECONDS",
                        help="processor time of one test binary; longer is a hang (default: 180)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutants at a time")
    parser.add_argument("--scratch", default=os.path.join(tempfile.gettempdir(),
                                                          "flitscope_mutants"),
                        help="folder for the copies and their builds, kept for the next run")
    options = parser.parse_args()
    try:
        campaign = Campaign(options)

        def interrupt(*_):
            campaign.processes.stop()
            raise KeyboardInterrupt

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, interrupt)
        if options.list:
            for mutant in campaign.mutants:
                print(f"{mutant['name']:36} {mutant['file']:36} {mutant['bug']}")
            return 0
        return campaign.go()
    except (Failing, Unfit) as error:
        print(f"run_mutants: {error}", file=sys.stderr)
        return 2
    except (Interrupted, KeyboardInterrupt):
        print("run_mutants: interrupted; --resume goes on", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
