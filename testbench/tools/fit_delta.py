#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Fits the machine `delta` to Tables 2 and 5 of Thakur, Choudhary and Fox 1993.

A coarse search in three rounds: all combinations of the values below on the meshes up to 16 x 8, the
best of them on 16 x 16 as well, the best of these on all meshes. The clock, and with it the link
rate, needs no runs of its own: all times are proportional to it. Scored are cells of 4, 8 and
16 KB (erratum 000.6); the score is the root mean square of the logarithms of simulated over
printed time. Tables 3, 4 and 6 have no part in it. What comes out is written by hand into
testbench/app/configuration/machine_presets.cpp.

    testbench/tools/fit_delta.py                  # the search: ten minutes on one core
    testbench/tools/fit_delta.py --show           # the cells of the preset as it is
    testbench/tools/fit_delta.py --show --set rate=3/8 --meshes 4x4,8x8

Runs of `flitscope run --json` are kept in the file named by --cache.
"""
import argparse
import hashlib
import itertools
import json
import math
import os
import pathlib
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZES = [256, 1024, 4096, 8192, 16384]
SCORED = [4096, 8192, 16384]
PRINTED = {  # seconds
    "pex": {"4x4": [0.004, 0.008, 0.023, 0.034, 0.064], "8x8": [0.022, 0.064, 0.114, 0.228, 0.441],
            "16x8": [0.045, 0.120, 0.355, 0.692, 1.413],
            "16x16": [0.094, 0.290, 0.999, 2.068, 4.145],
            "16x32": [0.203, 0.860, 3.218, 6.794, 13.61]},
    "gen": {"4x4": [0.004, 0.008, 0.018, 0.037, 0.069], "8x8": [0.016, 0.042, 0.145, 0.290, 0.576],
            "16x8": [0.042, 0.123, 0.461, 0.933, 1.947],
            "16x16": [0.089, 0.346, 1.220, 2.511, 5.052],
            "16x32": [0.283, 1.217, 3.944, 8.007, 16.15]}}
# The searched parameters; everything else is as in the preset. The startup is in cycles.
GRID = {
    "rate": ["1/3", "3/8", "2/5", "1/2"],
    "depth": [8, 64, 512],
    "packet": [512, 1024],
    "startup": [550],
}
LINKS = [8, 8.5, 9, 9.5, 10, 10.5, 11, 11.5, 12]  # MB/s
KEPT = [6, 2]  # candidates that advance to the second and the third round
ROUNDS = [(["4x4", "8x8", "16x8"], [4096, 16384]), (["16x16"], [4096]), (["16x32"], [4096])]


class Simulator:
    def __init__(self, program, cache):
        self.program = program
        self.cache = cache
        self.kept = json.loads(cache.read_text()) if cache.exists() else {}

    def seconds(self, values, schedule, mesh, size):
        rows, columns = mesh.split("x")
        config = {"fabric.topology.dims": f"[{rows}, {columns}]", "traffic.schedule": schedule,
                  "traffic.message_bytes": size, **keys_of(values)}
        name = hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest()[:16]
        if name not in self.kept:
            self.kept[name] = self.run(config)
            self.cache.write_text(json.dumps(self.kept))
        return self.kept[name]

    def run(self, config):
        command = [self.program, "run", "/dev/stdin", "--engine", "tlm", "--json"]
        for key, value in config.items():
            command += ["--set", f"{key}={value}"]
        text = "machine: delta\nfabric: {topology: {kind: mesh, dims: [4, 4]}}\n" \
               "traffic: {schedule: pex}\n"
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        return json.loads(done.stdout)["time_us"] / 1e6


def keys_of(values):
    """The configuration keys that `values` stand for; flits are of 2 bytes."""
    keys = {}
    if "link" in values:
        keys["clock_ns"] = round(2000 / float(values["link"]), 3)
    for name, key in (("rate", "node.injection_bandwidth"), ("depth", "fabric.buffer_depth"),
                      ("packet", "node.packet_bytes"),
                      ("startup", "node.send_overhead"), ("receive", "node.recv_overhead"),
                      ("handshake", "traffic.handshake")):
        if name in values:
            keys[key] = values[name]
    return keys


def errors(simulator, values, meshes, sizes=SCORED):
    """(schedule, mesh, size, simulated, printed) of every cell."""
    cells = []
    for schedule, mesh, size in itertools.product(PRINTED, meshes, sizes):
        printed = PRINTED[schedule][mesh][SIZES.index(size)]
        cells.append((schedule, mesh, size, simulator.seconds(values, schedule, mesh, size),
                      printed))
    return cells


def score(cells, factor=1.0):
    return math.sqrt(statistics.mean(math.log(factor * cell[3] / cell[4]) ** 2 for cell in cells))


def show(cells):
    for schedule, mesh, size, simulated, printed in cells:
        scored = "" if size in SCORED else "  not scored"
        print(f"{schedule} {mesh:>6} {size:>6}  {printed:7.3f}  {simulated:8.4f}  "
              f"{100 * (simulated / printed - 1):+6.1f} %{scored}")
    sizes = [abs(cell[3] / cell[4] - 1) for cell in cells if cell[2] in SCORED]
    print(f"median {100 * statistics.median(sizes):.1f} %, largest {100 * max(sizes):.1f} %, "
          f"score {score([cell for cell in cells if cell[2] in SCORED]):.4f}", flush=True)


def search(simulator):
    candidates = [dict(zip(GRID, values), link=10) for values in itertools.product(*GRID.values())]
    cells = {number: [] for number in range(len(candidates))}
    for round_number, (meshes, sizes) in enumerate(ROUNDS):
        ranked = []
        for number, found in cells.items():
            found += errors(simulator, candidates[number], meshes, sizes)
            result, link = min((score(found, 10 / link), link) for link in LINKS)
            ranked.append((result, link, number))
        ranked.sort()
        print(f"up to {meshes[-1]}:")
        for result, link, number in ranked[:12]:
            print(f"  {result:.4f}  {dict(candidates[number], link=link)}", flush=True)
        if round_number < len(KEPT):
            cells = {number: cells[number] for _, _, number in ranked[:KEPT[round_number]]}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/release/flitscope"))
    parser.add_argument("--cache", type=pathlib.Path, default=pathlib.Path("fit_delta.json"))
    parser.add_argument("--show", action="store_true", help="no search: the cells of one machine")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                        help=f"another value than the preset's: {', '.join(GRID)}, receive, "
                             "handshake")
    parser.add_argument("--meshes", default="4x4,8x8,16x8,16x16,16x32")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    options = parser.parse_args()
    os.nice(10)
    simulator = Simulator(options.program, options.cache)
    if not options.show:
        search(simulator)
        return
    values = dict(entry.split("=") for entry in options.set)
    show(errors(simulator, values, options.meshes.split(","),
                [int(size) for size in options.sizes.split(",")]))


if __name__ == "__main__":
    main()
