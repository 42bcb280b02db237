#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Makes testbench/verification/bench/COSTS.md: what a flit-hop, a packet-hop and a node cost, from 64 to 65,536
nodes, and beside BookSim where that is given. Called by ./dev cost-table, from the root, on a machine
that does nothing else. It takes minutes, so nothing checks the page.

usage: make_costs.py FLITSCOPE [--booksim PROGRAM] [--turns N] [--peer | --only SECTION]

BookSim (github.com/booksim/booksim2, `make` in src) is measured where --booksim names its program; else
its section stays as it is. With
--peer that is all, and it is printed, as ./dev bench does. --only makes one section anew, threads,
waveforms or peer, and leaves the others as they are.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import markdown_pages

PLACE = pathlib.Path("testbench/verification/bench/COSTS.md")
SIDES = (8, 16, 32, 64, 128, 256)
SHORT, LONG = 20, 64  # flits of a packet, header included
FLIT_BYTES = 8
LINK_LOAD = 0.1  # flits per link and cycle, about; the same for all sizes
PEER_ROUTING = {"mesh": "dor", "torus": "dim_order"}  # BookSim's names for the same routes
HOPS = {SHORT: 8e6, LONG: 256e6}  # of flits, at least this many per run
COUNTED = (8, 64)  # sides of networks whose instructions are counted, if valgrind is installed
CHANNELS = (1, 2, 4)
# Beside BookSim: topology, side, flits per node and cycle, flits of a packet, virtual channels. Long packets,
# single flits, and a torus near saturation.
BESIDE = (("mesh", 16, 0.1, SHORT, 1), ("mesh", 16, 0.1, SHORT, 2), ("mesh", 16, 0.1, SHORT, 4),
          ("mesh", 8, 0.3, 1, 1), ("mesh", 8, 0.3, 1, 2), ("mesh", 16, 0.18, 1, 1), ("mesh", 16, 0.18, 1, 2),
          ("torus", 8, 0.4, 5, 2))
THREADED = ((16, 1), (16, 2), (32, 1), (32, 2), (64, 1), (64, 2), (128, 1))  # sides, channels
NODES_PER_PART = 128  # at least: kWorthNodes of hw/packet/fabric_parts.cpp
MORE = (4, 16, 64)    # threads that this machine has no processors for
LINE_US = 0.1         # assumed: a cache line that every thread changes in a round goes to the next

PAGE = """\
# Cost of a hop

*Made by `testbench/tools/make_costs.py` (`./dev cost-table`) from what the program prints; do not edit.
Times are from one machine ({machine}), medians of {turns} runs, and those of a section from one session:
compare them only with each other.*

## From 64 to 65,536 nodes

Meshes under uniform traffic with a link load of one tenth, for all sizes. *Cycle*: packets of {short}
flits, nanoseconds per flit and link. *TLM*: packets of {long} flits, nanoseconds per packet and channel,
including those of the nodes. *Build*: from the configuration to the first cycle. *Memory*: memory per node
in addition to a network of 64, when all nodes take part in a broadcast.

{sizes}

**The slope.** {slope}

{threads}{waveforms}{peer}"""

THREADS = """\
## Threads

The cycle engine with `--threads`, same traffic, alternating runs; millions of flit-hops per second. *Serial*:
share of the instructions of a cycle that only one thread executes, notifying nodes and observers (callgrind).
*Round*: time of a cycle with two threads in excess of half of the rest, in microseconds: waiting for each other,
and for cache lines that move from one processor to the other.

{table}

**More processors** are modelled: the serial share stays, the rest is divided by the number of threads, with
partitions of at least {least} nodes, and a round takes {line} us more for every further thread, an assumption
for a cache line that all of them change. Partitions are assumed to be equally busy, and memory to be as fast
for all of them.

"""

WAVEFORMS = """\
## Waveforms

Cost of a waveform of every channel: 16 x 16 mesh, uniform, 0.1 flits per node and cycle, packets of {short}
flits, without a waveform, with VCD and with FST, in alternating runs. A second processor writes the file in
parallel. If packets on several virtual channels alternate on a link, there is a change for every flit.

{table}

"""

PEER = """\
## Comparison with BookSim

The same traffic on the same machine in alternating runs: uniform, in dimension order, buffers of 8 flits,
millions of flit-hops per second; BookSim as its own Makefile builds it (`-O3`). The routers differ, those of
BookSim have their own pipelines, and with one virtual channel accept 0.14 of the 0.3 single flits; what counts is
the work of moving a flit over a link, cycle by cycle. A packet of one flit is work at both of its ends besides, for
some five hops on 8 x 8.

{table}

    testbench/tools/make_costs.py build/release/flitscope --booksim PROGRAM
"""


class Measurements:
    def __init__(self, program, booksim, turns):
        self.program, self.booksim, self.turns = program, booksim, turns
        self.folder = tempfile.TemporaryDirectory()

    def run(self, config, *arguments):
        """Standard output and peak memory in bytes."""
        path = pathlib.Path(self.folder.name, "c.yaml")
        path.write_text(json.dumps(config))
        process = subprocess.Popen([self.program, "run", str(path), *arguments],
                                   stdout=subprocess.PIPE, text=True)
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        if os.waitstatus_to_exitcode(status) != 0:
            sys.exit(f"{self.program} failed on {path.read_text()}")
        return output, usage.ru_maxrss * 1024

    def median(self, measure):
        return statistics.median(measure() for _ in range(self.turns))

    def uniform(self, side, flits, engine):
        """Report of a run that makes HOPS flit-hops or more."""
        per_cycle = side * side * rate_of(side) * 2 / 3 * side
        cycles = max(int(HOPS[flits] / per_cycle), 20 * side)
        config = mesh(side, traffic=uniform(rate_of(side), flits, cycles))
        return json.loads(self.run(config, "--engine", engine, "--json")[0])

    def instructions(self, side):
        """Of a flit-hop of the cycle engine: what a longer run takes more than a shorter one."""
        path = pathlib.Path(self.folder.name, "c.yaml")
        runs = []
        for cycles in (1500, 3000):
            path.write_text(json.dumps(mesh(side, uniform(rate_of(side), SHORT, cycles))))
            done = subprocess.run(
                ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", self.program,
                 "run", str(path), "--engine", "cycle", "--json"],
                check=True, capture_output=True, text=True)
            runs.append((int(re.search(r"Collected : (\d+)", done.stderr)[1]),
                         json.loads(done.stdout)["flit_hops"]))
        return (runs[1][0] - runs[0][0]) / (runs[1][1] - runs[0][1])

    def serial_share(self, side, channels):
        """Of the instructions of a cycle in several parts."""
        path = pathlib.Path(self.folder.name, "c.yaml")
        config = mesh(side, uniform(rate_of(side), SHORT, 300))
        config["fabric"]["virtual_channels"] = channels
        path.write_text(json.dumps(config))
        out = pathlib.Path(self.folder.name, "callgrind.out")
        subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
                        self.program, "run", str(path), "--engine", "cycle", "--threads", "2"],
                       check=True, capture_output=True)
        text = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", str(out)],
                              check=True, capture_output=True, text=True).stdout

        def of(function):
            found = re.search(r"^ *([\d,]+) \([^)]*\) .*" + function + r"\(", text, re.MULTILINE)
            return int(found[1].replace(",", ""))
        serial = of("CycleFabric::settle")
        return serial / (serial + of("ClockDomain::turn_part"))

    def threads_row(self, side, channels):
        """Seconds with one thread and with two, cycles and flit-hops."""
        per_cycle = side * side * rate_of(side) * 2 / 3 * side
        cycles = max(int(HOPS[SHORT] / per_cycle), 20 * side)
        config = mesh(side, uniform(rate_of(side), SHORT, cycles))
        config["fabric"]["virtual_channels"] = channels
        seconds = {1: [], 2: []}
        for _ in range(2 * self.turns - 1):
            for threads in seconds:
                report = json.loads(self.run(config, "--engine", "cycle", "--json", "--threads",
                                             str(threads))[0])
                seconds[threads].append(report["wall_seconds"])
        return (statistics.median(seconds[1]), statistics.median(seconds[2]),
                report["simulated_cycles"], report["flit_hops"])

    def waveform_row(self, channels):
        """Seconds without a waveform, with VCD and with FST, flit-hops, and bytes of the files."""
        config = mesh(16, uniform(0.1, SHORT, 60_000))
        config["fabric"]["virtual_channels"] = channels
        seconds = {None: [], "vcd": [], "fst": []}
        sizes = {}
        for _ in range(2 * self.turns - 1):
            for kind in seconds:
                path = pathlib.Path(self.folder.name, f"links.{kind}")
                trace = ["--trace", str(path)] if kind else []
                report = json.loads(self.run(config, "--engine", "cycle", "--json", *trace)[0])
                seconds[kind].append(report["wall_seconds"])
                if kind:
                    sizes[kind] = path.stat().st_size
        return ({kind: statistics.median(some) for kind, some in seconds.items()},
                report["flit_hops"], sizes)

    def flit_hop_ns(self, side):
        report = self.uniform(side, SHORT, "cycle")
        return report["wall_seconds"] / report["flit_hops"] * 1e9

    def packet_hop_ns(self, side):
        report = self.uniform(side, LONG, "tlm")
        hops = report["flit_hops"] / LONG + 2 * report["messages_delivered"]
        return report["wall_seconds"] / hops * 1e9

    def elaboration(self, side):
        """Seconds, and peak memory in bytes."""
        config = mesh(side, traffic={"schedule": "broadcast", "algorithm": "dimension_order",
                                     "message_bytes": FLIT_BYTES})
        output, memory = self.run(config, "--engine", "cycle")
        return float(re.search(r"elaboration ([\d.]+) s", output)[1]), memory

    def peer_rates(self, topology, side, rate, flits, channels):
        """Flit-hops per second of flitscope and of BookSim, in one turn."""
        config = mesh(side, traffic=uniform(rate, flits, 20_000))
        config["fabric"]["topology"]["kind"] = topology
        config["fabric"]["virtual_channels"] = channels
        ours = json.loads(self.run(config, "--engine", "cycle", "--json")[0])
        path = pathlib.Path(self.folder.name, "peer.cfg")
        path.write_text(
            f"topology = {topology}; k = {side}; n = 2; routing_function = {PEER_ROUTING[topology]};\n"
            f"num_vcs = {channels}; vc_buf_size = 8; traffic = uniform; packet_size = {flits};\n"
            f"injection_rate = {rate}; injection_rate_uses_flits = 1; sim_type = throughput;\n"
            "sample_period = 2000; warmup_periods = 1; max_samples = 3;\n")
        # It ends with 255 when all is well.
        text = subprocess.run([self.booksim, str(path)], check=False, capture_output=True,
                              text=True).stdout
        if "Total run time" not in text:
            sys.exit(f"{self.booksim} failed on {path.read_text()}{text}")

        def last(pattern):
            return float(re.findall(pattern, text)[-1])
        # Its hops are routers, one more than links.
        hops = (last(r"Accepted flit rate average *= ([\d.]+)") * side * side *
                last(r"Time taken is (\d+) cycles") * (last(r"Hops average = ([\d.]+)") - 1))
        return ours["flit_hops_per_second"], hops / last(r"Total run time ([\d.]+)")


def mesh(side, traffic):
    return {"fabric": {"topology": {"kind": "mesh", "dims": [side, side]}}, "traffic": traffic}


def rate_of(side):
    """Flits per node and cycle that load the links by LINK_LOAD."""
    return 4 * LINK_LOAD / side


def uniform(rate, flits, cycles):
    return {"pattern": "uniform", "injection_rate": rate, "message_bytes": (flits - 1) * FLIT_BYTES,
            "warmup_cycles": 0, "measure_cycles": cycles}


def table(head, rows):
    """Of numbers."""
    return markdown_pages.table(head, rows, ["---:"] * len(head))


def caches():
    """Sizes of the last two levels in bytes, as the kernel has them."""
    sizes = {}
    for index in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        if (index / "type").read_text().strip() != "Instruction":
            size = (index / "size").read_text().strip()
            sizes[int((index / "level").read_text())] = int(size[:-1]) * 1024
    return sizes


def model_name():
    found = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return found[1].strip() if found else os.uname().machine


def slope_text(cost, memory, instructions):
    levels = caches()
    least, most = SIDES[0], SIDES[-1]

    def growth(column):
        return cost[most][column] / cost[least][column]
    sentences = [
        f"A flit-hop of the cycle engine costs {growth(0):.1f} times as much on {most * most:,} nodes "
        f"as on {least * least}, a packet-hop of TLM {growth(1):.1f} times."]
    if instructions:
        sentences.append("It is not the work that grows: " + " and ".join(
            f"{count:.0f} instructions per flit-hop on {side * side:,} nodes"
            for side, count in instructions.items()) + " (callgrind, cycle engine; on a larger mesh a flit makes more hops for "
                         "what its ends cost).")
    sentences.append(f"What grows is the distance to the data: with {memory / 1024:.0f} KiB a node,")
    reached = [f"the level-{level} cache ({size >> 10:,} KiB) holds {int(size / memory):,} nodes"
               for level, size in sorted(levels.items()) if level >= 2]
    sentences.append(", ".join(reached) + ". A flit of a larger network finds the FIFO that it goes to "
                     "in the next level, or in memory, and so does a packet of TLM the channel that it "
                     "asks for.")
    return " ".join(sentences)


def threads_section(measure):
    rows = []
    for side, channels in THREADED:
        print(f"threads on mesh {side} x {side}, {channels} virtual channels", file=sys.stderr)
        one, two, cycles, hops = measure.threads_row(side, channels)
        serial = measure.serial_share(side, channels)
        round_s = max(0.0, (two - one * (serial + (1 - serial) / 2)) / cycles)

        def model(threads):
            parts = min(threads, side * side // NODES_PER_PART)
            waits = round_s + max(0, parts - 2) * LINE_US * 1e-6
            return one / (one * (serial + (1 - serial) / parts) + cycles * waits)
        rows.append([f"{side} x {side}", str(channels), f"{hops / one / 1e6:.0f}",
                     f"{hops / two / 1e6:.0f}", f"{one / two:.2f}", f"{100 * serial:.1f} %",
                     f"{round_s * 1e6:.2f}", *(f"{model(threads):.1f}" for threads in MORE)])
    head = ["mesh", "virtual channels", "1 thread", "2 threads", "ratio", "serial", "round, us",
            *(f"model: {threads}" for threads in MORE)]
    return THREADS.format(table=table(head, rows), least=NODES_PER_PART, line=LINE_US)


def waveforms_section(measure):
    rows = []
    for channels in CHANNELS:
        print(f"waveforms, {channels} virtual channels", file=sys.stderr)
        seconds, hops, sizes = measure.waveform_row(channels)
        rows.append([str(channels), f"{hops / seconds[None] / 1e6:.0f}",
                     *(f"{seconds[kind] / seconds[None]:.2f}" for kind in sizes),
                     *(f"{size / hops:.1f}" for size in sizes.values())])
    head = ["virtual channels", "without, M flit-hops/s", "VCD: times as long", "FST: times as long",
            "VCD: bytes per flit-hop", "FST: bytes per flit-hop"]
    return WAVEFORMS.format(short=SHORT, table=table(head, rows))


def peer_section(measure):
    rows = []
    for topology, side, rate, flits, channels in BESIDE:
        print(f"beside BookSim: {topology} {side} x {side}, {flits} flits, {channels} virtual channels",
              file=sys.stderr)
        turns = [measure.peer_rates(topology, side, rate, flits, channels)
                 for _ in range(measure.turns)]
        ratios = sorted(ours / theirs for ours, theirs in turns)
        ours, theirs = (statistics.median(column) for column in zip(*turns))
        rows.append([f"{topology} {side} x {side}", f"{rate:g}", str(flits), str(channels),
                     f"{ours / 1e6:.1f}", f"{theirs / 1e6:.2f}", f"{statistics.median(ratios):.0f}",
                     f"{ratios[0]:.0f} to {ratios[-1]:.0f}"])
    head = ["network", "flits/node/cycle", "flits of a packet", "virtual channels", "flitscope", "BookSim",
            "ratio", "of the turns"]
    return PEER.format(table=table(head, rows))


SECTIONS = {"threads": ("Threads", threads_section), "waveforms": ("Waveforms", waveforms_section),
            "peer": ("Comparison with BookSim", peer_section)}


def find_section(page, heading):
    """Where it begins and ends."""
    begin = page.index(f"## {heading}\n")
    end = page.find("\n## ", begin)
    return begin, len(page) if end < 0 else end + 1


def renew(name, measure):
    page = PLACE.read_text()
    heading, make = SECTIONS[name]
    begin, end = find_section(page, heading)
    PLACE.write_text(page[:begin] + make(measure) + page[end:])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("flitscope")
    parser.add_argument("--booksim", help="program to compare with")
    parser.add_argument("--turns", type=int, default=3)
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--peer", action="store_true", help="only print how it compares with BookSim")
    only.add_argument("--only", choices=SECTIONS, help="the one section to make")
    asked = parser.parse_args()
    measure = Measurements(asked.flitscope, asked.booksim, asked.turns)
    if (asked.peer or asked.only == "peer") and not asked.booksim:
        parser.error("what to compare with is missing: --booksim PROGRAM")
    if asked.peer:
        print(peer_section(measure))
        return
    if asked.only:
        renew(asked.only, measure)
        return
    cost, rows = {}, []
    base = memory = 0
    for side in SIDES:
        print(f"mesh {side} x {side}", file=sys.stderr)
        cost[side] = (measure.median(lambda: measure.flit_hop_ns(side)),
                      measure.median(lambda: measure.packet_hop_ns(side)))
        builds, peaks = zip(*(measure.elaboration(side) for _ in range(asked.turns)))
        peak = statistics.median(peaks)
        base = base or peak  # that of the smallest
        memory = (peak - base) / max(1, side * side - 64)
        rows.append([f"{side * side:,}", f"{cost[side][0]:.0f}", f"{cost[side][1]:.0f}",
                     f"{statistics.median(builds):.3f}", f"{peak / 2 ** 20:,.0f}",
                     f"{memory:,.0f}" if side != SIDES[0] else ""])
    sizes = table(["nodes", "cycle, ns per flit-hop", "TLM, ns per packet-hop", "build, s",
                   "memory, MiB", "bytes per node"], rows)
    page = PLACE.read_text()
    peer = (peer_section(measure) if asked.booksim
            else page[slice(*find_section(page, SECTIONS["peer"][0]))])
    instructions = {}
    if shutil.which("valgrind"):
        instructions = {side: measure.instructions(side) for side in COUNTED}
    PLACE.write_text(PAGE.format(machine=model_name(), turns=asked.turns, short=SHORT, long=LONG,
                                 sizes=sizes, slope=slope_text(cost, memory, instructions),
                                 threads=threads_section(measure),
                                 waveforms=waveforms_section(measure), peer=peer))


if __name__ == "__main__":
    main()
