#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Makes testbench/synthesis/RESULTS.md: schedules that are found, those of the papers, and the bounds
that neither can beat. Called by ./dev synthesis-study, from the root. It takes an hour, so nothing
checks the page. Every figure is simulated by the program.

usage: make_synthesis.py FLITSCOPE [--graphs N] [--jobs N] [--only SECTION]... [--keep-papers]

--only measures some sections anew (tacos, exchanges, reductions, papers, speed) and leaves the others as
they are in the page; --keep-papers takes from it what the schedules of the papers take, which searches
do not change.
"""
import argparse
import concurrent.futures
import json
import pathlib
import random
import re
import statistics
import subprocess
import tempfile

PAGE_FILE = pathlib.Path("testbench/synthesis/RESULTS.md")
LONG = 2048  # bytes: 256 flits and a header
BASE = "fabric: {virtual_channels: 2, switch_arbitration: hold}\n"
RANDOM_BYTES = 16384  # in chunks, each with a header of its own
PAPER_BYTES = 1024
FLIT_BYTES = 8
REDUCED_BYTES = 1 << 20
DRAGONFLY = "{kind: dragonfly, groups: 9, group_size: 4, global_links: 2}"
# Schedules of the papers, and what they ask for is found out by trying.
PAPERS = ("pex", "pex-gen", "pex-gen-shift", "gen", "naive", "bounded-contention", "aap")
TACOS = [("mesh", (5, 5), 1, 12), ("mesh", (10, 10), 2, 99), ("mesh", (7, 12), 3, 125),
         ("mesh", (3, 3, 3), 1, 9), ("mesh", (3, 4, 5), 2, 40), ("mesh", (4, 2, 3), 3, 23),
         ("torus", (3, 3, 3), 1, 5), ("torus", (3, 4, 5), 2, 20), ("torus", (4, 2, 3), 3, 14)]

# The headings of the page.
SECTIONS = {"tacos": "## TACOS's homogeneous values",
            "exchanges": "## Complete exchanges over all links at a time",
            "reductions": "## All-reduces and broadcasts over all links at a time",
            "papers": "## Against the papers: one channel each way",
            "speed": "## Time to search"}

PAGE = """\
# Schedules that are found, those of the papers, and their bounds

*Made by `testbench/tools/make_synthesis.py` (`./dev synthesis-study`) from what the program simulates; do not
edit.*

What the columns say: *bound*, cycles that no schedule of the same collective on the same machine can beat, with
a certificate ([how](../../traffic/synthesis/README.md)); *found*, the schedule of `flitscope synthesize`, simulated; *gap*, how
much that is above the bound. Every schedule was proved complete, and without contention in each of its rounds, or
at any time, before it was simulated, and none was below its bound. The machine is the default one with two virtual channels
that hold (flits of 64 bits, a header, router and link delay of one cycle) unless it is said otherwise.

## TACOS's homogeneous values

All-gathers over all links at a time (`node.port_model: independent`), rounds of one chunk per link. TACOS's own
tests expect ceil(chunks (n - 1) / least degree) rounds, which is the bound by a cut, too.

{tacos}

## Complete exchanges over all links at a time

Blocks of {long} bytes, `node.port_model: independent`: nodes pass blocks on to their neighbours.

{exchanges}

On {graphs} random connected regular graphs of 16 to 64 nodes and 3 to 6 channels per node, blocks of
{random_bytes} bytes in {chunks} chunks: gaps {random}. The bound itself is found by an approximation of the dual, so part of a gap may be the
bound's; it is never an overestimate.

## All-reduces and broadcasts over all links at a time

Vectors, or blocks, of {reduced} bytes, `node.port_model: independent`. *found* is what `--method auto` takes;
*matching* the same by `--method matching` alone, of which an all-reduce is a reduce-scatter and then an
all-gather.

{reductions}

{reductions_text}

## Against the papers: one channel each way

Blocks of {paper} bytes, `node.port_model: single`. Of the papers' schedules ({papers}) the quickest that the
network can have, as it is or with a barrier that costs nothing. The found ones are direct messages on the
fabric's own routes, each of which begins in its cycle, so that no two are in a channel at a time; what they take
was known before they were simulated, to the cycle. *Least on the routes* is what the fullest channel has to carry
when every block goes as a message of its own on the fabric's routes, of which the bound knows nothing; where both are
the same load, the headers are {header_share} between them.

{papers_table}

{papers_text}

## Time to search

{speed}
"""


def run(program, *arguments):
    done = subprocess.run([program, *arguments], text=True, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(f"{arguments}: {done.stderr}")
    return done.stdout


def grid(kind, dims):
    return f"{{kind: {kind}, dims: [{', '.join(map(str, dims))}]}}"


def synthesize(program, folder, name, topology, ports, collective, size, *options):
    config = folder / "base.yaml"
    config.write_text(BASE)
    file = folder / f"{name}.csv"
    found = json.loads(run(program, "synthesize", str(config), "--set", f"fabric.topology={topology}",
                           "--set", f"node.port_model={ports}", "--collective", collective,
                           "--message-bytes", str(size), "-o", str(file), "--json", *options))
    file.unlink()
    assert found["verdict"] == "complete" and found["contention"]["link"] == 1, found
    assert found["cycles"] >= found["bound_cycles"], found
    return found


def best_of_papers(program, folder, settings, size):
    """Schedule and cycles."""
    config = folder / "base.yaml"
    config.write_text(BASE)
    best = None
    for schedule in PAPERS:
        for barrier in (None, "{fixed: 0}"):
            call = [program, "run", str(config), "--json", "--set", f"traffic.schedule={schedule}",
                    "--set", f"traffic.message_bytes={size}"]
            for setting in settings:
                call += ["--set", setting]
            if barrier:
                call += ["--set", f"traffic.barrier={barrier}"]
            done = subprocess.run(call, text=True, capture_output=True)
            if done.returncode != 0:
                continue
            cycles = json.loads(done.stdout)["cycles"]
            if best is None or cycles < best[1]:
                best = (schedule + (", barrier" if barrier else ""), cycles)
    return best


def least_on_routes(program, folder, settings, size):
    """Cycles of any direct messages on the routes of the fabric: those of the fullest channel."""
    config = folder / "base.yaml"
    text = run(program, "check", str(config), "--set", "traffic.schedule=naive", "--set",
               f"traffic.message_bytes={size}", *(part for s in settings for part in ("--set", s)))
    line = re.search(r"lower bound .*\((.*)\)", text)[1]
    return max(int(cycles.replace(",", ""))
               for cycles in re.findall(r"(?:injection|ejection|busiest link) ([\d,]+)", line))


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


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def per_cent(share):
    return f"{100 * share:.2f} %"


def tacos_rows(program, folder):
    rows = []
    for kind, dims, chunks, expected in TACOS:
        name = f"{kind} {'x'.join(map(str, dims))}"
        found = synthesize(program, folder, name.replace(" ", "_"), grid(kind, dims), "independent",
                           "all_gather", LONG * chunks, "--chunks", str(chunks))
        rows.append((name, chunks, expected, found["bound_rounds"], found["rounds"],
                     f"{found['bound_cycles']:,}", f"{found['cycles']:,}", per_cent(found["gap"])))
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
    return (name, found["chunks"], found["bound_rounds"], found["rounds"], f"{found['bound_cycles']:,}",
            f"{found['cycles']:,}", per_cent(found["gap"])), found["search_seconds"]


EXCHANGE_HEAD = ("network", "chunks", "bound, rounds", "found, rounds", "bound, cycles", "found, cycles", "gap")


def exchange_rows(program, folder, pool):
    rows = []
    seconds = {}
    for row, took in pool.map(lambda network: exchange_row(program, folder, network), exchange_networks()):
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
        gains.setdefault(collective, []).append((matched["cycles"] / found["cycles"], name, found["gap"],
                                                 matched["gap"]))
        rows.append((collective, name, found["method"], found["chunks"], found["bound_rounds"], found["rounds"],
                     f"{found['bound_cycles']:,}", f"{found['cycles']:,}", per_cent(found["gap"]),
                     per_cent(matched["gap"])))
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
                          "independent", "all_to_all", RANDOM_BYTES, "--chunks", str(chunks))["gap"]
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
                for a, b in ((4, 4), (4, 8), (8, 8), (8, 12), (12, 12), (16, 16))]
    networks += [(f"torus {a}x{a}", (f"fabric.topology={grid('torus', (a, a))}",)) for a in (4, 8, 12)]
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
                     f"{found['cycles']:,}", per_cent(found["gap"]), f"{least:,}",
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


def speed_rows(program, folder, seconds):
    rows = [(f"all_to_all, {name}", f"{seconds[name]:.1f}")
            for name in ("mesh 16x16", "torus 16x16", "mesh 32x32", "torus 32x32")]
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
        if section not in wanted:
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
        program = options.flitscope
        made = {key: "" for key in ("tacos", "exchanges", "random", "reductions", "reductions_text",
                                    "papers_table", "papers_text", "speed")}
        wanted = set(options.only or SECTIONS)
        if "exchanges" in wanted or "speed" in wanted:
            made["exchanges"], seconds = exchange_rows(program, folder, pool)
        if "exchanges" in wanted:
            made["random"] = random_text(program, folder, pool, options.graphs, chunks)
        if "reductions" in wanted:
            made["reductions"], made["reductions_text"] = reduction_rows(program, folder, pool)
        if "papers" in wanted:
            made["papers_table"], made["papers_text"] = paper_rows(
                program, folder, pool, kept_papers(page) if options.keep_papers else {})
        if "tacos" in wanted:
            made["tacos"] = tacos_rows(program, folder)
        if "speed" in wanted:
            made["speed"] = speed_rows(program, folder, seconds)
    new = PAGE.format(long=f"{LONG:,}", chunks=chunks, graphs=options.graphs,
                      random_bytes=f"{RANDOM_BYTES:,}", paper=f"{PAPER_BYTES:,}",
                      papers=", ".join(f"`{name}`" for name in PAPERS),
                      header_share=per_cent(FLIT_BYTES / PAPER_BYTES), reduced=f"{REDUCED_BYTES:,}", **made)
    PAGE_FILE.write_text(merged(new, page, wanted))


if __name__ == "__main__":
    main()
