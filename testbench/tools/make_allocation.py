#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Makes testbench/app/study/allocation/README.md: what combined allocation is worth, in cycles, nanoseconds,
picojoules and square millimetres. Called by ./dev allocation, from the root. It takes more than an
hour on two processors, so nothing checks the page.

usage: make_allocation.py FLITSCOPE [--keep FOLDER] [--decision]

--keep: databases are kept there, and what is in them is not simulated again.
--decision: only the part on one mesh is made anew; the four networks stay as the page has them.
"""
import argparse
import csv
import io
import json
import pathlib
import sys
import tempfile

import markdown_pages
from flitscope_program import call

PLACE = pathlib.Path("testbench/app/study/allocation")
SYNTHESIZED = (1, 2, 4)  # virtual channels; routers with 8 take half an hour each
DEEP_WITH_8 = pathlib.Path("hw/rtl/SYNTHESIS.md")  # but the deep ones of a mesh are known
NODES, FLIT_BITS = 64, 64

PAGE = """\
# Sequential or combined allocation?

*Made by `testbench/tools/make_allocation.py` (`./dev allocation`) from what the program prints; do
not edit.*

**The question.** With [combined allocation](../../../../hw/TIMING.md#combined-allocation) a head is offered a
virtual channel and requests the switch in the same pass; it owns the channel only once it has left. The router
is [faster](../../../../hw/rtl/SYNTHESIS.md); but a head that loses the switch has nothing, and one that has no
credit is not even offered a channel. What is the effect in a network?

## Four networks

64 nodes, buffers of 4 flits, 64-bit flits ([networks.yaml](networks.yaml)). *Saturation*: the load of
uniform random traffic with messages of 64 bytes that the network still accepts, in flits per node and cycle,
and per node and nanosecond. *Exchange*: every node sends 256 bytes to every other one (pex), in cycles and
in microseconds. Times use the period of the slowest router of the network, each synthesized [as it is
built](../../../../hw/rtl/README.md#routers-as-they-are-built) (OSU 0.18 um, with a noise of abc of 0.3 ns);
with 8 virtual channels it was not synthesized at this depth. In each pair the first value is for sequential,
the second for combined allocation.

{networks}

In cycles, combined allocation takes {saturation_low} to {saturation_high} times the load of sequential
allocation, and {exchange_low} to {exchange_high} times the cycles for the exchange. With one virtual channel
the two differ only by the credit that a head needs. With more the clock dominates: in nanoseconds
combined allocation takes {ns_low} to {ns_high} times the load, and the exchange {ns_exchange_low} to
{ns_exchange_high} times the time.

{eight}
"""

EIGHT = """\
With 8 virtual channels a router with all turns and 5 ports that is 8 flits deep takes {periods} ns
([SYNTHESIS.md](../../../../hw/rtl/SYNTHESIS.md); the critical path does not depend on the depth). At that clock
the mesh takes {loads} flits per node and nanosecond, the exchange {times} us: 8 virtual
channels take {more_cycles} times the load of 4 per cycle, and {more_ns} times per nanosecond."""

DECISION = """
## Channels, depth and allocation of a mesh

Cost and benefit on an 8 x 8 mesh, with the clock of each design from its slowest router, and the energy from
[gates](../../../../hw/rtl/ENERGY.md) per bit of payload of the exchange ([decision.yaml](decision.yaml)):

```console
$ flitscope explore testbench/app/study/allocation/decision.yaml --db decision.db
$ flitscope explore front --db decision.db
{front}```

{sentences}

## The default

`fabric.allocation` is `sequential` unless a configuration says otherwise. By the clock it would be the other
one wherever there are several virtual channels. It stays for what the page does not measure: all conclusions
of the papers and the examples of this project were made with it. Who builds a router sets
`allocation: combined`.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("flitscope")
    parser.add_argument("--keep")
    parser.add_argument("--decision", action="store_true")
    options = parser.parse_args()
    program = str(pathlib.Path(options.flitscope).resolve())
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(options.keep or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        page = PLACE / "README.md"
        if options.decision:
            networks = page.read_text().split(DECISION.splitlines()[1])[0].rstrip("\n") + "\n"
        else:
            networks = four_networks(program, folder)
        page.write_text(networks + decided(program, folder))


def explored(program, folder, study):
    db = folder / f"{study}.db"
    call(program, "explore", PLACE / f"{study}.yaml", "--db", db)
    return list(csv.DictReader(io.StringIO(call(program, "explore", "export", "--db", db))))


def four_networks(program, folder):
    rows = {}
    for row in explored(program, folder, "networks"):
        if row["state"] != "simulated":
            sys.exit(f"a design was not simulated: {row}")
        rows[row["fabric.topology"], int(row["fabric.virtual_channels"]),
             row["fabric.allocation"]] = (
                float(row["saturation_gbps"]) / (NODES * FLIT_BITS), int(float(row["time_ns"])),
                row["digest"])
    periods = {}
    for key, (_, _, digest) in rows.items():
        if key[1] not in SYNTHESIZED:
            continue
        path = folder / "design.yaml"
        path.write_text(call(program, "explore", "show", digest, "--db", folder / "networks.db"))
        periods[key] = json.loads(
            call(program, "synth", path, "--json"))["fabrics"][0]["min_period_ns"]
    several = [key for key in rows if key[1] > 1]
    clocked = [key for key in periods if key[1] > 1]
    load = ratios(several, lambda key: rows[key][0])
    time = ratios(several, lambda key: rows[key][1])
    load_ns = ratios(clocked, lambda key: rows[key][0] / periods[key])
    time_ns = ratios(clocked, lambda key: rows[key][1] * periods[key])
    return PAGE.format(
        networks=table(rows, periods),
        saturation_low=f"{min(load):.2f}", saturation_high=f"{max(load):.2f}",
        exchange_low=f"{min(time):.2f}", exchange_high=f"{max(time):.2f}",
        ns_low=f"{min(load_ns):.2f}", ns_high=f"{max(load_ns):.2f}",
        ns_exchange_low=f"{min(time_ns):.2f}", ns_exchange_high=f"{max(time_ns):.2f}",
        eight=with_eight(rows, periods))


def with_eight(rows, periods):
    """What 8 virtual channels are worth on the mesh, by the period of the deep routers."""
    table_of_8 = DEEP_WITH_8.read_text().split("<!-- eight channels -->")[1].split("<!--")[0]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table_of_8.splitlines() if line]
    titles = cells[0]
    ns = {row[titles.index("combined")]: float(row[titles.index("min period ns")]) for row in cells[2:]}
    kinds = {"sequential": ns["no"], "combined": ns["yes"]}

    def both(text):
        return " / ".join(text(allocation) for allocation in kinds)

    def load(vcs, allocation, period=1):
        return rows["mesh", vcs, allocation][0] / period

    return EIGHT.format(
        periods=both(lambda a: f"{kinds[a]:.2f}"),
        loads=both(lambda a: f"{load(8, a, kinds[a]):.3f}"),
        times=both(lambda a: f"{rows['mesh', 8, a][1] * kinds[a] / 1000:.1f}"),
        more_cycles=both(lambda a: f"{load(8, a) / load(4, a):.2f}"),
        more_ns=both(lambda a: f"{load(8, a, kinds[a]) / load(4, a, periods['mesh', 4, a]):.2f}"))


def decided(program, folder):
    decision = explored(program, folder, "decision")
    front = call(program, "explore", "front", "--db", folder / "decision.db")
    for number, line in enumerate([row for row in front.splitlines() if " router  " in row], 1):
        front = front.replace(line.split()[-1], f"digest-{number:03}")
    return DECISION.format(front=front, sentences=sentences(decision))


def ratios(keys, figure):
    """Combined over sequential, wherever there are both."""
    return [figure((network, vcs, "combined")) / figure((network, vcs, "sequential"))
            for network, vcs in sorted({key[:2] for key in keys})]


def table(rows, periods):
    lines = []
    networks = list(dict.fromkeys(key[0] for key in sorted(rows, key=lambda k: k[0] != "mesh")))
    for network in networks:
        for vcs in sorted({key[1] for key in rows if key[0] == network}):
            pair = [(network, vcs, allocation) for allocation in ("sequential", "combined")]

            def both(figure, known=True):
                return " / ".join(map(figure, pair)) if known else ""

            has = pair[0] in periods
            lines.append([
                network, str(vcs), both(lambda k: f"{periods[k]:.2f}", has),
                both(lambda k: f"{rows[k][0]:.3f}"),
                both(lambda k: f"{rows[k][0] / periods[k]:.3f}", has),
                both(lambda k: f"{rows[k][1]:,}"),
                both(lambda k: f"{rows[k][1] * periods[k] / 1000:.1f}", has)])
    return markdown_pages.table(
        ["network", "VCs", "period ns", "saturation, per cycle", "per ns", "exchange, cycles", "us"],
        lines)


def sentences(decision):
    """What the designs of the mesh say: of each number of channels the best of either allocation."""
    lines = []
    for vcs in sorted({int(row["fabric.virtual_channels"]) for row in decision}):
        best = {}
        for allocation in ("sequential", "combined"):
            of = [row for row in decision if row["fabric.allocation"] == allocation and
                  int(row["fabric.virtual_channels"]) == vcs]
            best[allocation] = (max(of, key=lambda row: float(row["saturation_gbps"])),
                                min(of, key=lambda row: float(row["time_ns"])),
                                min(of, key=lambda row: float(row["energy_per_bit_pj"])))
        seq, comb = best["sequential"], best["combined"]
        lines.append(
            f"- {vcs} virtual channel{'s' if vcs > 1 else ''}: at most "
            f"{float(seq[0]['saturation_gbps']):.0f} Gbit/s sequential and "
            f"{float(comb[0]['saturation_gbps']):.0f} combined (depth "
            f"{seq[0]['fabric.buffer_depth']} and {comb[0]['fabric.buffer_depth']}); the exchange in "
            f"{float(seq[1]['time_ns']) / 1000:.1f} and {float(comb[1]['time_ns']) / 1000:.1f} us "
            f"(depth {seq[1]['fabric.buffer_depth']} and {comb[1]['fabric.buffer_depth']}); a bit for "
            f"{float(seq[2]['energy_per_bit_pj']):.0f} and {float(comb[2]['energy_per_bit_pj']):.0f} pJ "
            f"(depth {seq[2]['fabric.buffer_depth']} and {comb[2]['fabric.buffer_depth']}).")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
