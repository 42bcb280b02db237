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
import resource
import signal
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True  # the tree stays as it is
import results_table  # noqa: E402
from mutant_tests import RTL, is_rtl, tests_of  # noqa: E402
from scratch import (ROOT, Interrupted, Processes, Scratch, Unfit, mutated,  # noqa: E402
                     rtl_variants, source_files)

# Mutants of one file that a copy of the sources takes in a row.
CHUNK = 6
# A test counts as hanging after this multiple of its processor time without a mutant, or this
# minimum.
HANG_FACTOR = 10
HANG_SECONDS = 20


class Failing(Exception):
    """A test fails without any mutant."""


def load_mutants():
    try:
        mutants = results_table.load_mutants()
    except ValueError as error:
        raise Unfit(error) from error
    for mutant in mutants:
        mutated((ROOT / mutant["file"]).read_text(), mutant)  # a list that does not fit, at once
    return mutants


def digest():
    """Of all that a verdict depends on. Results are those of these very sources."""
    total = hashlib.sha256()
    for path in source_files():
        if path == results_table.TABLE:
            continue
        total.update(f"{path.relative_to(ROOT)}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


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
