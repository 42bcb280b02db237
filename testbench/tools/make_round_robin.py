#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Makes models/tlm/ROUND_ROBIN.md: of how many regular pieces packets on channels consist where
several virtual channels take turns, what the TLM engine could gain there, and what it does. Called
by ./dev round-robin-table, from the root. The times on the page are those of a machine, so nothing
checks it; pieces_test.py holds what it is made with.

usage: make_round_robin.py FLITSCOPE_PIECES FLITSCOPE [--turns]

With --turns it makes only the last section anew.
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

PLACE = pathlib.Path("models/tlm/ROUND_ROBIN.md")
RUNS = 5
PERIODS = (0, 1, 4, 12)

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
512 flits strides could gain much there, for 64 flits a factor of about three.

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
cycle engine where packets are long and meet in pairs. `auto` takes it with two virtual channels, and from 64 flits on;
with more, patterns of three and more streams are mostly longer than what its routers look ahead, and each flit is an
event. `hold` is still the way to bursts at the price of one virtual channel. Seconds of whole runs, medians of {runs} in
turns:

{table}
"""

def measure(program, configuration, vcs, depth, flits, runs):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(configuration)
        file.flush()
        done = subprocess.run(
            [program, file.name, "--times", str(runs), "--set", f"fabric.virtual_channels={vcs}",
             "--set", f"fabric.buffer_depth={depth}", "--set",
             f"traffic.message_bytes={8 * (flits - 1)}"],
            check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def most(found, period):
    return found["cycle_ns"] / (found[f"pieces_{period}"] * found["burst_ns"])


def seconds(flitscope, configuration, settings, engine):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(configuration)
        file.flush()
        done = subprocess.run([flitscope, "run", file.name, "--engine", engine, "--json", *settings],
                              check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["wall_seconds"]


def turns_section(flitscope):
    lines = ["| machine | virtual channels | depth | flits | cycle, s | TLM, s | times as quick |",
             "| --- " + "| ---: " * 6 + "|"]
    for words, configuration, vcs, depth, flits in MACHINES:
        settings = ["--set", f"fabric.virtual_channels={vcs}", "--set", f"fabric.buffer_depth={depth}",
                    "--set", f"traffic.message_bytes={8 * (flits - 1)}"]
        turns = [[seconds(flitscope, configuration, settings, engine) for engine in ("cycle", "tlm")]
                 for _ in range(RUNS)]
        cycle, tlm = (statistics.median(column) for column in zip(*turns))
        lines.append(f"| {words} | {vcs} | {depth} | {flits} | {cycle:.3f} | {tlm:.3f} "
                     f"| {cycle / tlm:.1f} |")
        print(lines[-1], file=sys.stderr)
    return TURNS.format(runs=RUNS, table="\n".join(lines))


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--turns"]):
        sys.exit(__doc__)
    pieces, flitscope = sys.argv[1:3]
    if sys.argv[3:]:
        page = PLACE.read_text()
        PLACE.write_text(page[:page.index(TURNS.splitlines()[0])] + turns_section(flitscope))
        return
    lines = ["| machine | virtual channels | depth | flits | bursts | stride | period 4 | period 12 "
             "| cycle, ns | burst, ns | most, bursts | stride | period 4 | period 12 |",
             "| --- " + "| ---: " * 13 + "|"]
    for words, configuration, vcs, depth, flits in MACHINES:
        found = measure(pieces, configuration, vcs, depth, flits, RUNS)
        lines.append("| " + " | ".join(
            [words, str(vcs), str(depth), str(flits)]
            + [f"{found[f'pieces_{period}']:.2f}" for period in PERIODS]
            + [f"{found['cycle_ns']:.0f}", f"{found['burst_ns']:.0f}"]
            + [f"{most(found, period):.1f}" for period in PERIODS]) + " |")
        print(lines[-1], file=sys.stderr)
    PLACE.write_text(PAGE.format(runs=RUNS, table="\n".join(lines)) + turns_section(flitscope))


if __name__ == "__main__":
    main()
