#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Makes tlm/ROUND_ROBIN.md: of how many regular pieces packets on channels consist where
several virtual channels take turns, what the TLM engine could gain there, and what it does. Called
by ./dev round-robin-table, from the root. The times on the page are those of a machine, so nothing
checks it; pieces_test.py holds what it is made with.

usage: make_round_robin.py FLITSCOPE_PIECES FLITSCOPE [pieces|turns|random]...

It makes these sections anew, or all of them.
"""
import bisect
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

import markdown_pages

PLACE = pathlib.Path("tlm/ROUND_ROBIN.md")
RUNS = 5
PERIODS = (0, 1, 4, 12)
EXIT_REFUSED = 2

PEX = "traffic: {schedule: pex}"
UNIFORM = "traffic: {pattern: uniform, injection_rate: 0.3, warmup_cycles: 1000, measure_cycles: 10000}"
TORUS = "fabric: {topology: {kind: torus, dims: [8, 8]}}"
MACHINES = (  # words, configuration, virtual channels, depth, flits
    *(("torus 8 x 8, exchange", f"{TORUS}\n{PEX}", vcs, depth, flits)
      for vcs in (2, 4) for depth in (8, 4) for flits in (64, 512)),
    ("torus 8 x 8, exchange without contention",
     f"{TORUS}\ntraffic: {{schedule: bounded-contention, contention: 1, barrier: true}}", 2, 8, 512),
    ("torus 4 x 4 x 4, exchange",
     f"fabric: {{topology: {{kind: torus, dims: [4, 4, 4]}}}}\n{PEX}", 2, 8, 512),
    *(("hypercube of 64, exchange",
       "fabric: {topology: {kind: hypercube, dimensions: 6}}\ntraffic: {schedule: gen}", 4, 4, flits)
      for flits in (64, 512)),
    *(("mesh 8 x 8, uniform 0.3", "fabric: {topology: {kind: mesh, dims: [8, 8]}}\n" + UNIFORM,
       vcs, 8, flits) for vcs in (2, 4) for flits in (20, 64, 512)))

PAGE = """\
# Round robin between virtual channels, in bursts?

*Made by `testbench/tools/make_round_robin.py` (`./dev round-robin-table`) from what `flitscope_pieces` counts
and times; do not edit. Times are processor time on one machine in one session, the fastest of {runs} runs:
compare them with each other, not with yours.*

With `switch_arbitration: round_robin` two packets that share a link send every other cycle: a burst with a
stride. An engine of such pieces is quick where there are few of them. `flitscope_pieces` takes
the cycles in which the cycle engine sends the flits of a packet over a channel, and cuts them into as few
pieces as can be. *Bursts*: flits in consecutive cycles. *Stride*: any one
distance. *Period n*: distances that repeat after at most n flits; what the first n are is free, so the longer
the period, the more a count flatters.

The last columns bound what could be gained. *Cycle*: what the cycle engine takes for a packet on a channel.
*Burst*: what the TLM engine takes for a burst on the same machine with `hold`. *Most*: how often the pieces,
at the price of bursts, fit into the former. A piece would cost more than a burst does: where it begins or
ends, all streams of two ports change, and those that they feed.

{table}

**Strides are few where packets meet in pairs.** On exchanges over tori with two virtual channels, and over the
hypercube, there are hardly more pieces than packets: the same link slows both, and for long. For messages of
512 flits strides could gain much there, for 64 flits a factor of about four.

**On tori with four virtual channels they are not.** Rates are shares of shares: a stream that has a third of
one link leaves two thirds to the others of the next one, in a pattern of its own. Only patterns of up to 12
flits come near the number of packets, and for these the arithmetic of bursts (one offset,
`BurstSequence::breaks()`) does no longer.

**Under random traffic neither is enough.** Pieces grow with the packets: whoever shares a link comes and goes
while a long packet passes, and when credits come back depends on all that it meets further on.

**To fall back to single flits gains nothing.** The column *most, bursts* is an engine that is exact for all and
quick only where nobody shares a link. Where somebody does it takes as long as the cycle engine, or ten times
as long.

"""

TURNS = """\
## What turns take

So the TLM engine has strides ([README.md](README.md), "Turns"): exact for all of these machines, and quicker than the
cycle engine where packets are long and meet in pairs. Patterns of three and more streams are mostly longer than what
its routers look ahead, and each flit is an event. `hold` is still the way to bursts at the price of one virtual
channel. Seconds of whole runs, medians of {runs} in turns:

{table}

"""

RANDOM = """\
## When `auto` takes it

How often a link is shared follows from how busy it is: `flitscope check` says it of a pattern (*load*, "over the links
that a flit takes": the mean load of links, each as often as flits take it). {machines} random machines: meshes, tori,
hypercubes and generalized hypercubes of 16 to 1024 nodes, 2 to 8 virtual channels, FIFOs of 4 to 16 flits, five
patterns, any load. How many times as quick as the cycle engine TLM is: the median, the least and the most, and of how
many machines.

{table}

`auto` takes TLM from 12 flits on with two virtual channels and links that are busy for up to a tenth of the time, from
16 up to a fifth, from 32 up to two fifths, and from 64 in any case; with more virtual channels from 16 flits on up to a
tenth, from 32 up to a fifth (`kTurnsGain` in `testbench/app/run/engines.cpp`). Of a program no load is known, nor of
patterns that draw their destinations among more than 4096 nodes: with two virtual channels it takes TLM from 64 flits
on, with more never, although exchanges on tori and hypercubes, whose messages meet in pairs, are up to ten times as
quick there.
"""

NETWORKS = ("{kind: mesh, dims: [4, 4]}", "{kind: mesh, dims: [8, 8]}", "{kind: mesh, dims: [16, 16]}",
            "{kind: mesh, dims: [32, 32]}", "{kind: torus, dims: [8, 8]}", "{kind: torus, dims: [16, 16]}",
            "{kind: torus, dims: [4, 4, 4]}", "{kind: hypercube, dimensions: 6}", "{kind: ghc, dims: [8, 8]}")
PATTERNS = ("uniform", "uniform", "uniform", "uniform", "transpose", "tornado", "bit_reverse", "hotspot")
CHANNELS = (2, 2, 3, 4, 4, 6, 8)
DEPTHS = (4, 8, 8, 16)
RANDOM_MACHINES = 800
LEAST_S = 0.004  # runs that are shorter are over before anything can be said of them
FLIT_HOPS = 4e6  # of a run, about
BUSY = (0.1, 0.2, 0.4)              # borders of rows
FLITS = (8, 12, 16, 32, 64, 128)    # and where columns begin
MOST_FLITS = 255


def table(head, rows, words):
    """Of so many columns of words, then of numbers."""
    return markdown_pages.table(head, rows, ["---"] * words + ["---:"] * (len(head) - words))


def told(command, configuration, *options):
    """What a command prints of a configuration as JSON; None where that is refused."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(configuration)
        file.flush()
        done = subprocess.run([*command, file.name, *options], check=False, capture_output=True,
                              text=True)
    if done.returncode == EXIT_REFUSED:
        return None
    done.check_returncode()
    return json.loads(done.stdout)


def seconds(flitscope, configuration, engine, *options):
    return told([flitscope, "run"], configuration, "--engine", engine, "--json", *options)["wall_seconds"]


def random_machine(rng):
    """Its configuration, and flits and virtual channels."""
    rate = 10 ** rng.uniform(-2, -0.2)
    flits = int(2 ** rng.uniform(3, 8))  # to MOST_FLITS
    channels = rng.choice(CHANNELS)
    network = rng.choice(NETWORKS)
    nodes = {"32": 1024, "16": 256}.get(network.split("[")[-1].split(",")[0], 64)
    cycles = int(min(60000, FLIT_HOPS / (nodes * rate * 6)))
    return (f"fabric: {{topology: {network}, virtual_channels: {channels},"
            f" buffer_depth: {rng.choice(DEPTHS)}}}\n"
            f"traffic: {{pattern: {rng.choice(PATTERNS)}, injection_rate: {rate:.5f}, warmup_cycles: 0,"
            f" measure_cycles: {cycles}, message_bytes: {8 * (flits - 1)}}}\n", flits, channels)


def random_section(flitscope):
    rng = random.Random(1)
    cells = {}
    machines = 0
    while machines < RANDOM_MACHINES:
        configuration, flits, channels = random_machine(rng)
        checked = told([flitscope, "check"], configuration, "--json")
        if checked is None:
            continue
        cycle, tlm = (seconds(flitscope, configuration, engine) for engine in ("cycle", "tlm"))
        if cycle < LEAST_S:
            continue
        machines += 1
        busy = bisect.bisect_left(BUSY, checked["load"]["over_links_taken"])
        column = bisect.bisect_right(FLITS, flits) - 1
        cells.setdefault((channels > 2, busy, column), []).append(cycle / tlm)
        print(f"{machines} of {RANDOM_MACHINES}", end="\r", file=sys.stderr)
    last = [first - 1 for first in FLITS[1:]] + [MOST_FLITS]
    head = ["virtual channels", "links busy",
            *(f"{first} to {end} flits" for first, end in zip(FLITS, last))]
    lines = []
    words = ([f"up to {BUSY[0]}"] + [f"{low} to {high}" for low, high in zip(BUSY, BUSY[1:])] +
             [f"above {BUSY[-1]}"])
    for several in (False, True):
        for busy, text in enumerate(words):
            row = [cells.get((several, busy, column), []) for column in range(len(FLITS))]
            lines.append(["3 to 8" if several else "2", text, *(
                f"{statistics.median(c):.2g} ({min(c):.2g} to {max(c):.2g}; {len(c)})" if c else ""
                for c in row)])
    return RANDOM.format(machines=RANDOM_MACHINES, table=table(head, lines, 2))


def measure(program, configuration, vcs, depth, flits, runs):
    return told([program], configuration, "--times", str(runs), "--set", f"fabric.virtual_channels={vcs}",
                "--set", f"fabric.buffer_depth={depth}", "--set",
                f"traffic.message_bytes={8 * (flits - 1)}")


def most(found, period):
    return found["cycle_ns"] / (found[f"pieces_{period}"] * found["burst_ns"])


def turns_section(flitscope):
    lines = []
    for words, configuration, vcs, depth, flits in MACHINES:
        settings = ["--set", f"fabric.virtual_channels={vcs}", "--set", f"fabric.buffer_depth={depth}",
                    "--set", f"traffic.message_bytes={8 * (flits - 1)}"]
        turns = [[seconds(flitscope, configuration, engine, *settings) for engine in ("cycle", "tlm")]
                 for _ in range(RUNS)]
        cycle, tlm = (statistics.median(column) for column in zip(*turns))
        lines.append([words, vcs, depth, flits, f"{cycle:.3f}", f"{tlm:.3f}", f"{cycle / tlm:.1f}"])
        print(markdown_pages.row(lines[-1]), file=sys.stderr)
    return TURNS.format(runs=RUNS, table=table(
        ["machine", "virtual channels", "depth", "flits", "cycle, s", "TLM, s", "times as quick"],
        lines, 1))


def pieces_section(pieces):
    lines = []
    for words, configuration, vcs, depth, flits in MACHINES:
        found = measure(pieces, configuration, vcs, depth, flits, RUNS)
        lines.append([words, vcs, depth, flits]
                     + [f"{found[f'pieces_{period}']:.2f}" for period in PERIODS]
                     + [f"{found['cycle_ns']:.0f}", f"{found['burst_ns']:.0f}"]
                     + [f"{most(found, period):.1f}" for period in PERIODS])
        print(markdown_pages.row(lines[-1]), file=sys.stderr)
    head = ["machine", "virtual channels", "depth", "flits", "bursts", "stride", "period 4",
            "period 12", "cycle, ns", "burst, ns", "most, bursts", "stride", "period 4", "period 12"]
    return PAGE.format(runs=RUNS, table=table(head, lines, 1))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    pieces, flitscope, *chosen = sys.argv[1:]
    sections = {"pieces": lambda: pieces_section(pieces), "turns": lambda: turns_section(flitscope),
                "random": lambda: random_section(flitscope)}
    if not set(chosen) <= set(sections):
        sys.exit(__doc__)
    # The old ones, as far as there are any: each begins with a line of its own.
    begins = [text.splitlines()[0] for text in (PAGE, TURNS, RANDOM)]
    page = PLACE.read_text() if PLACE.exists() else ""
    cuts = [page.find(begin) for begin in begins] + [len(page)]
    for i in reversed(range(len(begins))):
        cuts[i] = cuts[i + 1] if cuts[i] < 0 else cuts[i]
    old = [page[begin:end] for begin, end in zip(cuts, cuts[1:])]
    PLACE.write_text("".join(make() if not chosen or name in chosen else text
                             for (name, make), text in zip(sections.items(), old)))


if __name__ == "__main__":
    main()
