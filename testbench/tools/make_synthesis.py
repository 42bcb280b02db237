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
import concurrent.futures
import json
import pathlib
import re
import statistics
import tempfile

from markdown_pages import table
from random_graphs import random_graph
from synthesis_page import PAGE, SECTIONS, merged
from synthesis_runs import (BASE, DRAGONFLY, FLIT_BYTES, LONG, PAPER_BYTES, PAPERS, RANDOM_BYTES, REDUCED_BYTES,
                            best_of_papers, grid, hypercube, least_on_routes, per_cent, run, synthesize,
                            synthesize_for)

PAGE_FILE = pathlib.Path("testbench/app/schedule_synthesis/RESULTS.md")
TACOS = [("mesh", (5, 5), 1, 12), ("mesh", (10, 10), 2, 99), ("mesh", (7, 12), 3, 125),
         ("mesh", (3, 3, 3), 1, 9), ("mesh", (3, 4, 5), 2, 40), ("mesh", (4, 2, 3), 3, 23),
         ("torus", (3, 3, 3), 1, 5), ("torus", (3, 4, 5), 2, 20), ("torus", (4, 2, 3), 3, 14)]

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
