# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Copies of the sources outside the tree, in which mutants are planted and tests built and run."""
import contextlib
import hashlib
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import threading

import results_table

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SOURCES = ["CMakeLists.txt", "hw", "models", "tlm", "traffic", "waveforms", "testbench"]
RTL_VARIANTS = HERE / "rtl_variants.txt"
# Enough for only one variant; the final check uses the test's own setting.
RTL_LOOK_CYCLES = 200_000
# A mutant that runs wild may record without end.
MEMORY_LIMIT_BYTES = 6 << 30
# A test that only waits takes no processor time: the limit on the clock, as a multiple of that.
WAITING_FACTOR = 20


class Unfit(Exception):
    """The list of mutants and the sources do not go together."""


class Interrupted(Exception):
    """Somebody wants the campaign to end."""


def mutated(source, mutant):
    count = source.count(mutant["find"])
    if count != 1:
        raise Unfit(f"{mutant['name']}: its text is found {count} times in {mutant['file']}, "
                    "not once")
    return source.replace(mutant["find"], mutant["replace"])


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
        self.mutant = None  # the planted mutant: its file, the good text and the bad
        self.source.mkdir(parents=True, exist_ok=True)
        mirror(self.source)
        # Objects compiled by one copy are cached for the others, wherever they are.
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
        tests. It takes all of its cases unless `environment` says something else."""
        what = [f"--gtest_filter={only}"] if only else []
        code, said, seconds = self.processes.run(
            [self.build / "testbench" / "verification" / "tests" / test, "--gtest_fail_fast", "--gtest_color=no",
             *what], limit_seconds, environment or {"FLITSCOPE_DEPTH": "all"}, MEMORY_LIMIT_BYTES)
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
            "FLITSCOPE_DEPTH": str(RTL_LOOK_CYCLES)})[0]
