# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""What the system tests share: calling the flitscope program in a folder of its own.

Each test file is called as `python3 NAME_test.py PATH_OF_FLITSCOPE [unittest arguments]`.
"""
import csv
import functools
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import suite  # noqa: E402

EXIT_OK = 0
EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_STANDSTILL = 3
EXIT_INTERRUPTED = 130
TIMEOUT_S = 120  # for one call: generous, since a sanitizer build is slow; a hang still ends
POLL_S = 0.02
WALL_CLOCK_KEYS = ("wall_seconds", "flit_hops_per_second")
FLIT_BYTES = 8  # flit_bits defaults to 64
GIB = 1 << 30
# Shipped configurations that take as long as all others together, and what makes them quick.
SMALLER = {
    "delta_8x8_pex.yaml": "fabric.topology.dims=[4, 4]",
    "paragon_8x8_naive.yaml": "fabric.topology.dims=[4, 4]",
    "paragon_8x8_bounded.yaml": "fabric.topology.dims=[4, 4]",
    "ipsc860_7_aap.yaml": "fabric.topology.dimensions=5",
    "mesh_8x8_steady.yaml": "steady.half_width=0.1",
    "mesh_8x8_bursts.yaml": "traffic.measure_cycles=8000",
}

_binary = ""


def main():
    """Takes the program's path off the command line and runs the tests of the calling file."""
    global _binary
    if len(sys.argv) < 2 or not os.path.isfile(sys.argv[1]):
        sys.exit(f"usage: {sys.argv[0]} PATH_OF_FLITSCOPE [unittest arguments]")
    _binary = os.path.abspath(sys.argv.pop(1))
    suite.main()


def binary():
    return _binary


@functools.cache
def is_sanitized():
    """Whether a sanitizer is in the program, which needs an address space of its own."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (4 * GIB, 4 * GIB))
    done = subprocess.run([binary(), "--version"], capture_output=True, text=True, preexec_fn=limit,
                          check=False)
    return "Sanitizer" in done.stderr


def machine(topology, traffic, **sections):
    """A configuration as text. JSON is YAML, so dictionaries do; sections: node, trace, ..."""
    config = {"fabric": {"topology": topology}, "traffic": traffic}
    for name, keys in sections.items():
        if isinstance(keys, dict):
            config.setdefault(name, {}).update(keys)
        else:
            config[name] = keys
    return json.dumps(config)


def smaller(config):
    """The words that make a shipped configuration quick, unless everything is asked for."""
    if suite.TAKES_ALL or config.name not in SMALLER:
        return []
    return ["--set", SMALLER[config.name]]


def mesh(*dims):
    return {"kind": "mesh", "dims": list(dims)}


def hypercube(dimensions):
    return {"kind": "hypercube", "dimensions": dimensions}


def coordinates(node, dims):
    """Row-major: the last dimension varies fastest."""
    at = []
    for side in reversed(dims):
        at.insert(0, node % side)
        node //= side
    return at


def sides(topology):
    return topology["dims"] if topology["kind"] == "mesh" else [2] * topology["dimensions"]


def node_count(topology):
    count = 1
    for side in sides(topology):
        count *= side
    return count


def distance(topology, a, b):
    """Hops on a mesh or a hypercube; a hypercube is the mesh of sides 2."""
    dims = sides(topology)
    return sum(abs(x - y) for x, y in zip(coordinates(a, dims), coordinates(b, dims)))


def without(report, *keys):
    """A JSON report less the fields that may differ between equal runs."""
    return {k: v for k, v in report.items() if k not in WALL_CLOCK_KEYS + keys}


def without_wall_clock(text):
    """The lines of a JSON report in their order, less the wall-clock fields."""
    keys = tuple(f'"{key}"' for key in WALL_CLOCK_KEYS)
    return [line for line in text.splitlines() if not line.strip().startswith(keys)]


def children(process):
    """The numbers of the processes that it has at the moment; none when it has ended."""
    try:
        with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
            return [int(child) for child in file.read().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


class CliTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="flitscope_cli_")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, content):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return name

    def read(self, *names):
        with open(self.path(*names), "rb") as file:
            return file.read()

    def read_csv(self, *names):
        with open(self.path(*names), newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def everything(self):
        """All paths below the test's folder."""
        found = set()
        for base, folders, files in os.walk(self.folder):
            found.update(os.path.relpath(os.path.join(base, n), self.folder)
                         for n in folders + files)
        return found

    def call(self, *arguments):
        """Runs flitscope in the test's folder. A crash or a sanitizer's report fails the test."""
        done = subprocess.run([binary(), *map(str, arguments)], cwd=self.folder,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S)
        done.stdout = done.stdout.decode()
        done.stderr = done.stderr.decode(errors="replace")
        self.assert_no_crash(done.returncode, done.stderr)
        return done

    def start(self, *arguments, **popen):
        """Begins a call of flitscope in the test's folder; nobody reads what it says unless `popen` says
        so. It ends with the test at the latest."""
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen([binary(), *map(str, arguments)],
                                   **{"cwd": self.folder, **quiet, **popen})
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                self.addCleanup(pipe.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_until(self, condition, says, process=None, poll_s=POLL_S):
        """Returns what condition() does as soon as that is true. Where it never is, or `process` ends
        before it is, the test fails with the words of `says`, or with what says() returns."""
        def reason():
            return says() if callable(says) else says
        deadline = time.monotonic() + TIMEOUT_S
        while not (found := condition()):
            if process is not None and process.poll() is not None:
                self.fail(f"ended with {process.returncode} too early: {reason()}")
            if time.monotonic() > deadline:
                self.fail(f"after {TIMEOUT_S} s: {reason()}")
            time.sleep(poll_s)
        return found

    def endless_program(self, name, before="true"):
        """A program of that name, found before any other, that tells in NAME.PID that it runs. The shell
        does first what `before` says."""
        self.write(f"bin/{name}", f"#!/bin/sh\n{before}\n: > {self.path(name)}.$$\nexec sleep 600\n")
        os.chmod(self.path("bin", name), 0o755)

    def programs(self, name):
        """The processes of those that were started."""
        return [int(file.split(".")[1]) for file in os.listdir(self.folder)
                if file.startswith(name + ".")]

    def call_with(self, memory, *arguments, of=resource.RLIMIT_AS):
        """call() of a process that may have so many bytes, and the seconds of a processor that it took:
        a machine that does other things besides makes them no more."""
        def limit():
            resource.setrlimit(of, (memory, memory))

        def seconds_of_processes():
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            return usage.ru_utime + usage.ru_stime
        # Not in the huge pages of CMakeLists.txt, of which it would take more than it uses.
        environment = {name: value for name, value in os.environ.items() if name != "GLIBC_TUNABLES"}
        begin = seconds_of_processes()
        done = subprocess.run([binary(), *map(str, arguments)], cwd=self.folder, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, errors="replace",
                              timeout=TIMEOUT_S, preexec_fn=limit, env=environment)
        seconds = seconds_of_processes() - begin
        self.assert_no_crash(done.returncode, done.stderr)
        return done, seconds

    def assert_no_crash(self, code, stderr):
        self.assertIn(code, (0, 1, 2, 3, EXIT_INTERRUPTED), f"crash:\n{stderr}")
        for trace in ("Sanitizer", "runtime error:", "terminate called", "Traceback"):
            self.assertNotIn(trace, stderr)

    def mount_small_disk(self, name, size):
        os.mkdir(self.path(name))
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none",
                                  self.path(name)], capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("only root can mount a small disk")
        self.addCleanup(subprocess.run, ["umount", self.path(name)], check=True)

    def ok(self, *arguments):
        done = self.call(*arguments)
        self.assertEqual(done.returncode, EXIT_OK, f"{arguments}\n{done.stderr}")
        return done.stdout

    def report(self, *arguments):
        """The JSON object of a command that goes well; json.loads refuses anything beside it."""
        return json.loads(self.ok(*arguments, "--json"))

    def run_report(self, config, *arguments):
        return self.report("run", self.write("config.yaml", config), *arguments)

    def refused(self, *arguments, says=()):
        """Exit code 2, messages on standard error that hold all of `says`, nothing else done."""
        before = self.everything()
        done = self.call(*arguments)
        self.assertEqual(done.returncode, EXIT_USAGE, f"{arguments}\n{done.stdout}{done.stderr}")
        self.assertEqual(done.stdout, "")
        self.assertNotEqual(done.stderr.strip(), "")
        for words in says:
            self.assertIn(words, done.stderr)
        self.assertEqual(self.everything() - before, set(), "left behind")
        return done.stderr
