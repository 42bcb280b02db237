#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Looks for texts that break readers, one reader after the other, with libFuzzer. What has been found to
reach new places in the code is kept, the least number of texts for all of them, so that the next
campaign goes on where this one was. Called by ./dev fuzz.

FOLDER holds a folder of texts for each reader, what broke it as READER.crash-*, READER.timeout-* and
so on, and campaign.csv, to which every campaign adds a line per reader. Exit code 1 where any broke.
"""
import argparse
import csv
import datetime
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time

SECONDS = 60  # per reader
TIMEOUT_S = 60  # for one text, by the clock of a machine that may do other things, too
MEMORY_MB = 4096
LONGEST = 20000  # bytes of a text
LINES = 60  # shown of the error that ended a run; libFuzzer prints the text after it
# Stacks of allocations cost more than most readers do; whoever looks into a finding runs it without.
SANITIZER = "malloc_context_size=1:quarantine_size_mb=16:detect_stack_use_after_return=0"
COLUMNS = ("date", "reader", "seconds", "processor_seconds", "executions", "coverage", "texts",
           "findings")


def environment(reader):
    return dict(os.environ, FLITSCOPE_FUZZED_READER=reader, ASAN_OPTIONS=SANITIZER)


def fuzz(fuzzer, folder, reader, asked):
    """Executions and coverage, and whether anything ended a run. Who ends at a finding begins again
    where there is time left."""
    texts = folder / reader
    texts.mkdir(parents=True, exist_ok=True)
    subprocess.run([fuzzer, f"-seeds={texts}"], env=environment(reader), check=True)
    executions = coverage = 0
    is_broken = False
    end = time.monotonic() + asked.seconds
    left = asked.seconds
    while left > 0:
        limits = ([f"-runs={asked.texts}", "-seed=1"] if asked.texts else [f"-max_total_time={left}"])
        done = subprocess.run(
            [fuzzer, *limits, f"-timeout={TIMEOUT_S}", f"-max_len={LONGEST}",
             f"-rss_limit_mb={MEMORY_MB}", "-print_final_stats=1", f"-dict={texts}.dict",
             f"-artifact_prefix={texts}.", texts],
            env=environment(reader), stderr=subprocess.PIPE, text=True, errors="replace", check=False)
        log = folder / f"{reader}.log"
        log.write_text(done.stderr, encoding="utf-8")
        executions += sum(map(int, re.findall(r"number_of_executed_units: (\d+)", done.stderr)))
        coverage = max([coverage, *map(int, re.findall(r"cov: (\d+)", done.stderr))])
        if done.returncode == 0:
            break
        is_broken = True
        left = 0 if asked.texts else round(end - time.monotonic())
        print(*done.stderr.splitlines()[-LINES:],  # if there is nobody to look into the file
              f"{reader} is broken: {log}" + (f", {left} seconds to go" if left > 0 else ""),
              sep="\n", flush=True)
    return executions, coverage, is_broken


def processor_seconds():
    """What the programs that have ended took so far: less than the clock says where the machine has
    other work."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def minimise(fuzzer, texts):
    """The least number of texts that reach what all of them do."""
    fewer = texts.with_name(texts.name + ".fewer")
    shutil.rmtree(fewer, ignore_errors=True)
    fewer.mkdir()
    subprocess.run([fuzzer, "-merge=1", f"-timeout={TIMEOUT_S}", f"-rss_limit_mb={MEMORY_MB}",
                    f"-max_len={LONGEST}", f"-artifact_prefix={texts}.", fewer, texts],
                   env=environment(texts.name), stderr=subprocess.DEVNULL, check=True)
    shutil.rmtree(texts)
    fewer.rename(texts)


def findings(folder, reader, since):
    """What broke it since then. A text that did so before has the same name again."""
    return sorted(path.name for kind in ("crash", "leak", "timeout", "oom")
                  for path in folder.glob(f"{reader}.{kind}-*") if path.stat().st_mtime_ns >= since)


def whole(text):
    """A number of at least one."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1 on")
    return int(text)


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("fuzzer", metavar="FUZZ_READERS", help="the program with all readers")
    parser.add_argument("folder", metavar="FOLDER", type=pathlib.Path, help="what is kept")
    parser.add_argument("reader", metavar="READER", nargs="?", default="all",
                        help="one of them, or all, which is the default")
    parser.add_argument("seconds", metavar="SECONDS", nargs="?", type=whole, default=SECONDS,
                        help=f"of each reader, by the clock (default: {SECONDS})")
    parser.add_argument("--texts", metavar="N", type=whole,
                        help="so many texts for each reader, however long that takes: from the same "
                             "beginning and with the same program the same ones")
    return parser, parser.parse_args()


def main():
    parser, asked = parsed()
    fuzzer, folder = asked.fuzzer, asked.folder
    known = subprocess.run([fuzzer, "-readers"], capture_output=True, text=True,
                           check=True).stdout.split()
    if asked.reader not in ("all", *known):
        parser.error(f"there is no reader {asked.reader}; there are {', '.join(known)}")
    folder.mkdir(parents=True, exist_ok=True)
    is_broken = False
    for reader in known if asked.reader == "all" else [asked.reader]:
        mark = folder / f"{reader}.log"  # by the clock of that disk
        mark.touch()
        since = mark.stat().st_mtime_ns
        begin, before = time.monotonic(), processor_seconds()
        executions, coverage, has_ended = fuzz(fuzzer, folder, reader, asked)
        seconds = round(time.monotonic() - begin)
        worked = round(processor_seconds() - before)
        minimise(fuzzer, folder / reader)
        found = findings(folder, reader, since)
        is_broken = is_broken or has_ended or bool(found)
        row = (datetime.date.today().isoformat(), reader, seconds, worked, executions, coverage,
               len(list((folder / reader).iterdir())), len(found))
        print("  ".join(f"{name} {value}" for name, value in zip(COLUMNS, row)), *found, flush=True)
        table = folder / "campaign.csv"
        is_new = not table.exists()
        with open(table, "a", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            if is_new:
                rows.writerow(COLUMNS)
            rows.writerow(row)
    sys.exit(1 if is_broken else 0)


if __name__ == "__main__":
    main()
