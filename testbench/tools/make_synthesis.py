#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Makes testbench/app/schedule_synthesis/RESULTS.md: schedules that are found, those of the papers, and the bounds
that neither can beat. Called by ./dev synthesis-study, from the root. It takes an hour, so nothing
checks the page. Every figure is simulated by the program.

usage: make_synthesis.py FLITSCOPE [--graphs N] [--jobs N] [--only SECTION]... [--keep-papers]

--only measures some sections anew (tacos, exchanges, reductions, papers, dead, paragon, speed) and leaves
the others as they are in the page; --keep-papers takes from it what the schedules of the papers take, which searches
do not change.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import random
import re
import statistics
import tempfile

from flitscope_program import call
from markdown_pages import table

PAGE_FILE = pathlib.Path("testbench/app/schedule_synthesis/RESULTS.md")
LONG = 2048  # bytes: 256 flits and a header
BASE = "fabric: {virtual_channels: 2, switch_arbitration: per_packet}\n"
RANDOM_BYTES = 16384  # in chunks, each with its own header
PAPER_BYTES = 1024
FLIT_BYTES = 8
REDUCED_BYTES = 1 << 20
DRAGONFLY = "{kind: dragonfly, groups: 9, group_size: 4, global_links: 2}"
# Schedules of the papers; their requirements are found by trying.
PAPERS = ("pex", "pex-gen", "pex-gen-shift", "gen", "naive", "bounded-contention", "aap")
TACOS = [("mesh", (5, 5), 1, 12), ("mesh", (10, 10), 2, 99), ("mesh", (7, 12), 3, 125),
         ("mesh", (3, 3, 3), 1, 9), ("mesh", (3, 4, 5), 2, 40), ("mesh", (4, 2, 3), 3, 23),
         ("torus", (3, 3, 3), 1, 5), ("torus", (3, 4, 5), 2, 20), ("torus", (4, 2, 3), 3, 14)]

# The headings of the page.
SECTIONS = {"tacos": "## TACOS's homogeneous values",
            "exchanges": "## Complete exchanges over all links at a time",
            "reductions": "## All-reduces and broadcasts over all links at a time",
            "papers": "## Against the papers: one channel each way",
            "dead": "## The same with one dead link",
            "paragon": "## On Bokhari and Nicol's machine",
            "speed": "## Time to search"}

PAGE = """\
# Synthesized schedules, those of the papers, and their bounds

*Made by `testbench/tools/make_synthesis.py` (`./dev synthesis-study`) from what the program simulates; do not
edit.*

Columns: *bound*, lower bound in cycles on all schedules of the same collective on the same machine, with
a certificate ([how](../../../traffic/schedules/synthesis/README.md)); *found*, the schedule of `flitscope find-schedule`, simulated; *gap*, by
how much that exceeds the bound. Every schedule was proved complete, and without contention in each of its rounds, or
at any time, before it was simulated, and none was below its bound. The machine is the default one with two virtual channels
that hold (flits of 64 bits, a header, router and link delay of one cycle) unless stated otherwise.

## TACOS's homogeneous values

All-gathers over all links at a time (`node.port_model: independent`), rounds of one chunk per link. TACOS's own
tests expect ceil(chunks (n - 1) / least degree) rounds, which is the bound by a cut, too.

{tacos}

## Complete exchanges over all links at a time

Blocks of {long} bytes, `node.port_model: independent`: nodes forward blocks to their neighbours.

{exchanges}

On {graphs} random connected regular graphs of 16 to 64 nodes and 3 to 6 channels per node, blocks of
{random_bytes} bytes in {chunks} chunks: gaps {random}. The bound itself comes from an approximation of the dual, so part of a gap may be due
to the bound; it is never an overestimate.

## All-reduces and broadcasts over all links at a time

Vectors, or blocks, of {reduced} bytes, `node.port_model: independent`. *found* is the result of `--method auto`;
*matching* that of `--method matching` only, in which an all-reduce is a reduce-scatter followed by an
all-gather.

{reductions}

{reductions_text}

## Against the papers: one channel each way

Blocks of {paper} bytes, `node.port_model: single`. Compared with the fastest of the papers' schedules ({papers})
that the network supports, unmodified or with a barrier without cost. The synthesized ones are direct messages on
the fabric's own routes, each with its start cycle, so that no two are in a channel at the same time; their time
was known exactly before they were simulated. *Least on the routes* is the load of the most loaded channel when
every block is a separate message on the fabric's routes, which the bound does not take into account; if both are
the same load, they differ by the headers, {header_share}.

{papers_table}

{papers_text}

## The same with one failed link

The two tables above with one link failed in both directions: a middle one, in express meshes an express link, in
fat trees one between switches, in dragonflies one between groups. Routes have to avoid it: among the routings `auto`
and `lash`, with two virtual channels or as many more as `lash` needs, the one with the *least on the routes*.

Over all links at a time, `node.port_model: independent`, blocks of {long} bytes:

{dead_exchanges}

One channel each way, `node.port_model: single`, blocks of {paper} bytes:

{dead_table}

{dead_text}

## On Bokhari and Nicol's machine

Complete exchanges on square meshes of the Paragon (`machine: paragon`; with 1,024 nodes, which none had, all values except
its size): a node sends {paragon_packet} bytes in a packet, assembles them at a quarter of the rate of a link, and processes
one startup of {paragon_startup} cycles at a time. So each message costs a startup, and links carry packets of several
messages alternately. Compared with the fastest of the papers' schedules ({paragon_schedules}; those with steps unmodified and
with the barrier of the machine, bounded contention with 1 and n / 4 messages per link). *Messages* are
those that the busiest node sends; *link*, messages of a round, or packets at a time, over a link.

{paragon_table}

{paragon_text}

## Time to search

The times depend on the other load of the machine; it had two processors, shared with other processes.

{speed}
"""


def run(program, *arguments):
    return call(program, *arguments, quiet=True)


def grid(kind, dims):
    return f"{{kind: {kind}, dims: [{', '.join(map(str, dims))}]}}"


def synthesize(program, folder, name, topology, ports, collective, size, *options):
    """On the machine of most sections; rounds without contention."""
    config = folder / "base.yaml"
    found = synthesize_for(program, folder, name, config, collective, size, "--set",
                           f"fabric.topology={topology}", "--set", f"node.port_model={ports}", *options)
    assert found["contention"]["link"] == 1, found
    return found


def synthesize_for(program, folder, name, config, collective, size, *options):
    file = folder / f"{name}.csv"
    found = json.loads(run(program, "find-schedule", str(config), "--collective", collective,
                           "--message-bytes", str(size), "-o", str(file), "--json", *options))
    with open(file) as rows:
        sends = collections.Counter(row.split(",", 1)[0] for row in rows if row[0].isdigit())
    found["most_sends"] = max(sends.values())
    file.unlink()
    assert found["status"] == "complete", found
    assert found["cycles"] >= found["bound_cycles"], found
    return found


def best_of_papers(program, folder, settings, size):
    """Schedule and cycles."""
    config = folder / "base.yaml"
    best = None
    for schedule in PAPERS:
        for barrier in (None, "{fixed: 0}"):
            words = ["--set", f"traffic.schedule={schedule}", "--set", f"traffic.message_bytes={size}"]
            for setting in settings:
                words += ["--set", setting]
            if barrier:
                words += ["--set", f"traffic.barrier={barrier}"]
            try:
                cycles = json.loads(run(program, "run", config, "--json", *words))["cycles"]
            except RuntimeError:
                continue  # nothing for this network
            if best is None or cycles < best[1]:
                best = (schedule + (", barrier" if barrier else ""), cycles)
    return best


def least_on_routes(program, folder, settings, size):
    """Cycles of any direct messages on the routes of the fabric: those of the fullest channel."""
    config = folder / "base.yaml"
    text = run(program, "schedule", config, "--json", "--set", "traffic.schedule=naive", "--set",
               f"traffic.message_bytes={size}", *(part for s in settings for part in ("--set", s)))
    bounds = json.loads(text)["lower_bounds"]
    return max(bounds[channel] for channel in ("injection", "ejection", "link"))


def random_graph(nodes, degree, seed):
    """A connected graph without double channels, as a file for topology kind custom."""
    draw = random.Random(seed)
    while True:
        ends = [node for node in range(nodes) for _ in range(degree)]
        draw.shuffle(ends)
        # Pairs that will not do are drawn again among themselves.
        pairs = set()
        rest = ends
        for _ in range(1000):
            left = []
            for a, b in zip(rest[::2], rest[1::2]):
                if a == b or (min(a, b), max(a, b)) in pairs:
                    left += [a, b]
                else:
                    pairs.add((min(a, b), max(a, b)))
            rest = left
            if not rest:
                break
            draw.shuffle(rest)
        if rest:
            continue
        reached, open_nodes = {0}, [0]
        while open_nodes:
            at = open_nodes.pop()
            for a, b in pairs:
                if at in (a, b):
                    other = a + b - at
                    if other not in reached:
                        reached.add(other)
                        open_nodes.append(other)
        if len(reached) == nodes:
            break
    lines = [f"nodes: {nodes}", "links:"]
    for a, b in sorted(pairs):
        lines += [f"  - {{from: {a}, to: {b}}}", f"  - {{from: {b}, to: {a}}}"]
    return "\n".join(lines) + "\n"


def per_cent(share):
    return f"{100 * share:.2f} %"


def tacos_rows(program, folder):
    rows = []
    for kind, dims, chunks, expected in TACOS:
        name = f"{kind} {'x'.join(map(str, dims))}"
        found = synthesize(program, folder, name.replace(" ", "_"), grid(kind, dims), "independent",
                           "all_gather", LONG * chunks, "--chunks", str(chunks))
        rows.append((name, chunks, expected, found["bound_rounds"], found["rounds"],
                     f"{found['bound_cycles']:,}", f"{found['cycles']:,}", per_cent(found["optimality_gap"])))
    return table(("network", "chunks", "TACOS's value", "bound, rounds", "found, rounds", "bound, cycles",
                  "found, cycles", "gap"), rows)


def hypercube(dimensions):
    return f"{{kind: hypercube, dimensions: {dimensions}}}"


def exchange_networks():
    networks = [(f"{kind} {side}x{side}", grid(kind, (side, side)))
                for side in (4, 6, 8, 10, 12, 14, 16, 32) for kind in ("mesh", "torus")]
    networks += [(f"hypercube {d}", hypercube(d)) for d in range(3, 9)]
    return networks + [("dragonfly of 36", DRAGONFLY)]


def exchange_row(program, folder, network):
    """The row, and how long the search took."""
    name, topology = network
    found = synthesize(program, folder, name.replace(" ", "_"), topology, "independent", "all_to_all", LONG)
    return (name, *exchange_figures(found)), found["search_seconds"]


def exchange_figures(found):
    return (found["chunks"], found["bound_rounds"], found["rounds"], f"{found['bound_cycles']:,}",
            f"{found['cycles']:,}", per_cent(found["optimality_gap"]))


EXCHANGE_HEAD = ("network", "chunks", "bound, rounds", "found, rounds", "bound, cycles", "found, cycles", "gap")


def exchange_rows(program, folder, pool, networks):
    rows = []
    seconds = {}
    for row, took in pool.map(lambda network: exchange_row(program, folder, network), networks):
        rows.append(row)
        seconds[row[0]] = took
    return table(EXCHANGE_HEAD, rows), seconds


def reduction_rows(program, folder, pool):
    networks = [(f"mesh {'x'.join(map(str, dims))}", grid("mesh", dims))
                for dims in ((4, 4), (8, 8), (16, 16), (4, 4, 4))]
    networks += [(f"torus {a}x{a}", grid("torus", (a, a))) for a in (8, 16)]
    networks += [(f"hypercube {d}", hypercube(d)) for d in (6, 8)]
    networks += [("express mesh 8x8", "{kind: express_mesh, dims: [8, 8], segment: 3}"),
                 ("dragonfly of 36", DRAGONFLY)]
    cases = [(collective, *network) for collective in ("all_reduce", "broadcast") for network in networks]

    def one(case):
        collective, name, topology = case
        return [synthesize(program, folder, f"{collective}_{name}_{method}".replace(" ", "_"), topology,
                           "independent", collective, REDUCED_BYTES, "--method", method)
                for method in ("auto", "matching")]
    rows = []
    gains = {}
    for (collective, name, _), (found, matched) in zip(cases, pool.map(one, cases)):
        gains.setdefault(collective, []).append((matched["cycles"] / found["cycles"], name, found["optimality_gap"],
                                                 matched["optimality_gap"]))
        rows.append((collective, name, found["method"], found["chunks"], found["bound_rounds"], found["rounds"],
                     f"{found['bound_cycles']:,}", f"{found['cycles']:,}", per_cent(found["optimality_gap"]),
                     per_cent(matched["optimality_gap"])))
    text = []
    for collective, entries in gains.items():
        gain, network, _, _ = max(entries)
        text.append(f"{collective}: {per_cent(min(e[2] for e in entries))} to "
                    f"{per_cent(max(e[2] for e in entries))} above the bound, by matching alone up to "
                    f"{per_cent(max(e[3] for e in entries))}; " +
                    (f"at most {gain:.2f} times as quick as that ({network})." if gain > 1
                     else "nowhere quicker than that."))
    return table(("collective", "network", "found by", "chunks", "bound, rounds", "found, rounds",
                  "bound, cycles", "found, cycles", "gap", "gap, matching"), rows), "\n".join(text)


def random_text(program, folder, pool, graphs, chunks):
    def one(number):
        nodes = 16 + 4 * (number % 13)
        degree = 3 + number % 4
        file = folder / f"graph_{number}.yaml"
        file.write_text(random_graph(nodes, degree, number))
        return synthesize(program, folder, f"random_{number}", f"{{kind: custom, file: {file}}}",
                          "independent", "all_to_all", RANDOM_BYTES, "--chunks", str(chunks))["optimality_gap"]
    gaps = list(pool.map(one, range(graphs)))
    return (f"{per_cent(min(gaps))} to {per_cent(max(gaps))}, {per_cent(statistics.mean(gaps))} in the "
            f"mean; {sum(gap <= 0.1 for gap in gaps)} of {graphs} within 10 %")


def kept_papers(page):
    """Of each network in the table the quickest schedule of the papers, and its cycles."""
    rows = re.findall(r"^\| ([^|]+) \| [\d,]+ \| ([a-z, -]+) \| ([\d,]+) \|", page, re.MULTILINE)
    return {name: (schedule, int(cycles.replace(",", ""))) for name, schedule, cycles in rows}


def paper_rows(program, folder, pool, kept):
    """`kept`: schedules of the papers that are not measured again."""
    networks = [(f"mesh {a}x{b}", (f"fabric.topology={grid('mesh', (a, b))}",))
                for a, b in ((4, 4), (4, 8), (6, 6), (8, 8), (8, 12), (10, 10), (12, 12), (14, 14), (16, 16))]
    networks += [(f"torus {a}x{a}", (f"fabric.topology={grid('torus', (a, a))}",)) for a in range(4, 18, 2)]
    networks += [(f"hypercube {d}", (f"fabric.topology={hypercube(d)}",)) for d in range(3, 9)]
    networks += [("HOW 8x8, window 3", ("fabric.topology={kind: how, dims: [8, 8], window: 3}",)),
                 ("express mesh 8x8", ("fabric.topology={kind: express_mesh, dims: [8, 8], segment: 3}",)),
                 ("mesh 8x8 without 27-28", (f"fabric.topology={grid('mesh', (8, 8))}",
                                             "faults.links=[27-28]"))]
    networks += [(f"fat tree, {arity}-ary, {arity ** height} nodes",
                  (f"fabric.topology={{kind: fat_tree, arity: {arity}, height: {height}}}",))
                 for arity, height in ((4, 2), (2, 5), (4, 3))]
    networks += [("dragonfly of 36", (f"fabric.topology={DRAGONFLY}",))]

    def one(case):
        name, settings = case
        options = [part for setting in settings[1:] for part in ("--set", setting)]
        found = synthesize(program, folder, name.replace(" ", "_"), settings[0].split("=", 1)[1], "single",
                           "all_to_all", PAPER_BYTES, *options)
        return (found, kept.get(name) or best_of_papers(program, folder, settings, PAPER_BYTES),
                least_on_routes(program, folder, settings, PAPER_BYTES))
    rows = []
    gains, optimal, close = [], [], []
    for (name, _), (found, best, least) in zip(networks, pool.map(one, networks)):
        assert found["planned_cycles"] == found["cycles"] >= least, found
        bound = found["bound_cycles"]
        gains.append((best[1] / found["cycles"] - 1, name))
        if best[1] <= 1.05 * bound:
            optimal.append(name)
        if found["cycles"] <= 1.03 * least:
            close.append(name)
        rows.append((name, f"{bound:,}", best[0], f"{best[1]:,}", per_cent(best[1] / bound - 1),
                     f"{found['cycles']:,}", per_cent(found["optimality_gap"]), f"{least:,}",
                     per_cent(found["cycles"] / least - 1)))
    quicker = [name for gain, name in gains if gain > 0]
    equal = [name for gain, name in gains if gain == 0]
    slower = [f"{name} ({per_cent(-gain)})" for gain, name in gains if gain < 0]
    most = max(gains)

    def listed(names):
        return ", ".join(names) if names else "none of them"
    text = [f"The found schedule is quicker on {len(quicker)} of {len(rows)} networks, at most by "
            f"{per_cent(most[0])} ({most[1]}), as quick on {listed(equal)}, and slower on {listed(slower)}.",
            f"A paper's schedule is within 5 % of the bound on {listed(optimal)}.",
            f"The found one is within 3 % of what the routes allow on {listed(close)}."]
    return table(("network", "bound", "best of the papers", "its cycles", "above the bound", "found", "gap",
                  "least on the routes", "above that"), rows), "\n".join(text)


DEAD = [("mesh 8x8", grid("mesh", (8, 8)), "27-28"), ("torus 8x8", grid("torus", (8, 8)), "27-28"),
        ("hypercube 5", "{kind: hypercube, dimensions: 5}", "0-1"),
        ("HOW 8x8, window 3", "{kind: how, dims: [8, 8], window: 3}", "27-28"),
        ("express mesh 8x8", "{kind: express_mesh, dims: [8, 8], segment: 3}", "27-30"),
        ("fat tree, 4-ary, 16 nodes", "{kind: fat_tree, arity: 4, height: 2}", "0-4"),
        ("dragonfly of 36", DRAGONFLY, "0-35")]


def best_routing(program, folder, topology, dead):
    """What a network is told beside its topology, by the least that direct messages take on its routes."""
    choices = []
    for routing, channels in (("auto", 2), ("lash", 2), ("lash", 3), ("lash", 4)):
        settings = (f"fabric.topology={topology}", f"faults.links=[{dead}]", f"fabric.routing={routing}",
                    f"fabric.virtual_channels={channels}")
        try:
            choices.append((least_on_routes(program, folder, settings, PAPER_BYTES), len(choices), settings))
        except RuntimeError:
            continue  # it can deadlock
    return min(choices)[2]


def dead_rows(program, folder, pool):
    def one(case):
        name, topology, dead = case
        settings = best_routing(program, folder, topology, dead)
        options = [part for setting in settings[1:] for part in ("--set", setting)]
        found = synthesize(program, folder, "dead_" + name.replace(" ", "_"), topology, "single", "all_to_all",
                           PAPER_BYTES, *options)
        relayed = None
        if "fat_tree" not in topology:  # switches store nothing
            relayed = synthesize(program, folder, "dead_over_links_" + name.replace(" ", "_"), topology,
                                 "independent", "all_to_all", LONG, "--set", f"faults.links=[{dead}]")
        return (found, best_of_papers(program, folder, settings, PAPER_BYTES),
                least_on_routes(program, folder, settings, PAPER_BYTES), settings, relayed)
    rows, relayed_rows, gains = [], [], []
    for (name, _, dead), (found, best, least, settings, relayed) in zip(DEAD, pool.map(one, DEAD)):
        assert found["planned_cycles"] == found["cycles"] >= least, found
        routing, channels = (setting.split("=")[1] for setting in settings[2:])
        gains.append((best[1] / found["cycles"] - 1, name))
        rows.append((f"{name} without {dead}", f"{routing}, {channels}", f"{found['bound_cycles']:,}", best[0],
                     f"{best[1]:,}", f"{found['cycles']:,}", per_cent(found["optimality_gap"]), f"{least:,}",
                     per_cent(found["cycles"] / least - 1)))
        if relayed is not None:
            relayed_rows.append((f"{name} without {dead}", *exchange_figures(relayed)))
    slower = [name for gain, name in gains if gain < 0]
    text = (f"The found schedule is quicker than those of the papers on {sum(g > 0 for g, _ in gains)} of "
            f"{len(gains)}, by {per_cent(min(gains)[0])} ({min(gains)[1]}) to {per_cent(max(gains)[0])} "
            f"({max(gains)[1]})" + (f", and slower on {', '.join(slower)}." if slower else "."))
    return (table(EXCHANGE_HEAD, relayed_rows),
            table(("network", "routing, virtual channels", "bound", "best of the papers", "its cycles", "found",
                   "gap", "least on the routes", "above that"), rows), text)


PARAGON = "testbench/configs/paragon_8x8_bounded.yaml"
PARAGON_CASES = [(side, size) for side in (4, 8, 16) for size in (16, 256, 1024, 4096, 15232)]
# Of 1,024 nodes direct messages take a quarter of an hour.
PARAGON_CASES += [(32, 16), (32, 256)]


def paragon_config(program, folder):
    """The machine for meshes of any size."""
    resolved = folder / "paragon"
    run(program, "run", PARAGON, "--set", "traffic={schedule: naive, message_bytes: 16}", "--out", str(resolved))
    text = (resolved / "config.yaml").read_text()
    config = folder / "paragon.yaml"
    config.write_text(text.replace("machine: paragon\n", "machine: ideal\n"))
    return config


def paragon_schedules(side):
    """Name and traffic of every schedule; barrier of the preset: 271 lg n - 134 us, in cycles of 88 ns."""
    barrier = "barrier: {per_doubling: 1539.7727, fixed: -1522.7273}"
    names = [("naive", "schedule: naive"), ("recursive-exchange", "schedule: recursive-exchange"),
             (f"bounded contention {side // 4}", f"schedule: bounded-contention, contention: {side // 4}"),
             (f"bounded contention {side // 4}, barrier",
              f"schedule: bounded-contention, contention: {side // 4}, {barrier}")]
    if side <= 16:
        names += [("pex", "schedule: pex"), ("gen", "schedule: gen"),
                  ("Scott, barrier", f"schedule: bounded-contention, contention: 1, {barrier}"),
                  ("bounded contention 1", "schedule: bounded-contention, contention: 1")]
    return names


def paragon_rows(program, folder, pool):
    config = paragon_config(program, folder)

    def one(case):
        side, size = case
        mesh = ("--set", f"fabric.topology={grid('mesh', (side, side))}")
        times = []
        for name, traffic in paragon_schedules(side):
            done = json.loads(run(program, "run", str(config), *mesh, "--json", "--set",
                                  f"traffic={{{traffic}, message_bytes: {size}}}"))
            times.append((done["cycles"], name))
        found = synthesize_for(program, folder, f"paragon_{side}_{size}", config, "all_to_all", size, *mesh)
        return min(times), found
    rows = []
    quicker, slower, proved, searches = [], [], [], []
    for (side, size), ((cycles, name), found) in zip(PARAGON_CASES, pool.map(one, PARAGON_CASES)):
        bound = found["bound_cycles"]
        case = f"{side}x{side}, {size:,} bytes"
        gain = cycles / found["cycles"] - 1
        (quicker if gain > 0 else slower if gain < 0 else []).append((abs(gain), case))
        searches.append((found["search_seconds"], case))
        if cycles <= 1.03 * bound:
            proved.append(f"{case} ({name})")
        rows.append((f"mesh {side}x{side}", f"{size:,}", f"{bound:,}", found["bound_kind"], name, f"{cycles:,}",
                     per_cent(cycles / bound - 1), found["method"], found["most_sends"],
                     found["contention"]["link"], f"{found['cycles']:,}", per_cent(found["optimality_gap"]),
                     per_cent(gain)))

    def listed(cases):
        return ", ".join(f"{case} by {per_cent(gain)}" for gain, case in cases) if cases else "nowhere"
    text = [f"The found schedule is quicker on {listed(quicker)}.",
            f"A paper's is quicker {'on ' if slower else ''}{listed(slower)}. "
            f"The longest search took {max(searches)[0]:.0f} s ({max(searches)[1]}).",
            f"A paper's schedule is within 3 % of the bound, so none can be more than that quicker: "
            f"{', '.join(proved) if proved else 'nowhere'}."]
    return table(("network", "bytes", "bound", "of", "best of the papers", "its cycles", "above the bound",
                  "found by", "messages", "link", "found", "gap", "sooner than the papers"), rows), "\n".join(text)


TIMED = ("mesh 16x16", "torus 16x16", "mesh 32x32", "torus 32x32")


def speed_rows(program, folder, seconds):
    rows = [(f"all_to_all, {name}", f"{seconds[name]:.1f}") for name in TIMED]
    for kind, side in (("mesh", 16), ("torus", 16), ("mesh", 32)):
        found = synthesize(program, folder, "speed", grid(kind, (side, side)), "single", "all_to_all",
                           PAPER_BYTES)
        rows.append((f"all_to_all, {kind} {side}x{side}, one channel each way", f"{found['search_seconds']:.1f}"))
    for collective, dims in (("all_gather", (16, 16)), ("all_reduce", (16, 16)), ("all_gather", (32, 32)),
                             ("reduce_scatter", (32, 32)), ("broadcast", (32, 32)), ("scatter", (32, 32))):
        found = synthesize(program, folder, "speed", grid("mesh", dims), "independent", collective, 64,
                           "--chunks", "1")
        rows.append((f"{collective}, mesh {dims[0]}x{dims[1]}", f"{found['search_seconds']:.1f}"))
    return table(("collective and network", "seconds"), rows)


def merged(new, old, wanted):
    """The new page, with the sections of the old one that are not wanted."""
    def by_heading(page):
        return dict(re.findall(r"(?ms)^(## [^\n]*)\n(.*?)(?=^## |\Z)", page))
    kept = by_heading(old)
    for section, heading in SECTIONS.items():
        if section not in wanted and heading in kept:
            new = new.replace(heading + "\n" + by_heading(new)[heading], heading + "\n" + kept[heading])
    return new


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("flitscope")
    parser.add_argument("--graphs", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", action="append", choices=list(SECTIONS))
    parser.add_argument("--keep-papers", action="store_true")
    options = parser.parse_args()
    chunks = 4
    page = PAGE_FILE.read_text()
    with tempfile.TemporaryDirectory() as name, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder = pathlib.Path(name)
        (folder / "base.yaml").write_text(BASE)
        program = options.flitscope
        made = {key: "" for key in ("tacos", "exchanges", "random", "reductions", "reductions_text",
                                    "papers_table", "papers_text", "dead_exchanges", "dead_table",
                                    "dead_text", "paragon_table", "paragon_text", "speed")}
        wanted = set(options.only or SECTIONS)
        if "exchanges" in wanted or "speed" in wanted:
            networks = [network for network in exchange_networks()
                        if "exchanges" in wanted or network[0] in TIMED]
            made["exchanges"], seconds = exchange_rows(program, folder, pool, networks)
        if "exchanges" in wanted:
            made["random"] = random_text(program, folder, pool, options.graphs, chunks)
        if "reductions" in wanted:
            made["reductions"], made["reductions_text"] = reduction_rows(program, folder, pool)
        if "papers" in wanted:
            made["papers_table"], made["papers_text"] = paper_rows(
                program, folder, pool, kept_papers(page) if options.keep_papers else {})
        if "dead" in wanted:
            made["dead_exchanges"], made["dead_table"], made["dead_text"] = dead_rows(program, folder, pool)
        if "paragon" in wanted:
            made["paragon_table"], made["paragon_text"] = paragon_rows(program, folder, pool)
        if "tacos" in wanted:
            made["tacos"] = tacos_rows(program, folder)
        if "speed" in wanted:
            made["speed"] = speed_rows(program, folder, seconds)
    new = PAGE.format(long=f"{LONG:,}", chunks=chunks, graphs=options.graphs,
                      random_bytes=f"{RANDOM_BYTES:,}", paper=f"{PAPER_BYTES:,}",
                      papers=", ".join(f"`{name}`" for name in PAPERS),
                      header_share=per_cent(FLIT_BYTES / PAPER_BYTES), paragon_packet="1,792",
                      paragon_startup="2,560", paragon_schedules=", ".join(
                          f"`{name}`" for name in ("naive", "pex", "gen", "bounded-contention",
                                                   "recursive-exchange")), reduced=f"{REDUCED_BYTES:,}", **made)
    PAGE_FILE.write_text(merged(new, page, wanted))


if __name__ == "__main__":
    main()
