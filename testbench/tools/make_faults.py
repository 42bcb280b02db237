#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Makes testbench/app/study/faults/README.md and its picture: what a network carries while its links die.
Called by ./dev faults-study, from the root. It takes minutes, so nothing checks the page.

usage: make_faults.py FLITSCOPE [--seeds N]
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import statistics
import subprocess

import markdown_pages
from flitscope_program import call

PLACE = pathlib.Path("testbench/app/study/faults")
NETWORKS = {
    "mesh 8x8": "{kind: mesh, dims: [8, 8]}",
    "torus 8x8": "{kind: torus, dims: [8, 8]}",
    "hypercube 6": "{kind: hypercube, dimensions: 6}",
    "HOW 8x8, window 3": "{kind: how, dims: [8, 8], window: 3}",
}
COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd")
SHARES = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2)
ROUTINGS = ("auto", "up_down")

PAGE = """\
# What does a network carry while its links fail?

*Made by `testbench/tools/make_faults.py` (`./dev faults-study`) from what the program prints; do not edit.*

**The question.** A share of the channels of a network of 64 nodes has failed, drawn at random such that no
node is disconnected. All nodes keep sending to each other at the highest possible load ([base.yaml](base.yaml):
messages of 64 bytes to random nodes, 4 virtual channels, buffers of 8 flits). How much is accepted, in flits
per node and cycle?

![Accepted load over the share of dead channels](throughput.svg)

Means of {seeds} sets of faults, with minimum and maximum. Solid: what `auto` takes around faults
([routing](../../../../models/routing/README.md)): of `shortest_path`, layers of shortest paths (`lash`, if four
virtual channels suffice) and `up_down`, each with every way to spread paths, the deadlock-free one with the
highest bound. Dashed: `up_down` always, without a spread. Without faults `auto` is dimension order.
*Bound*: the load that saturates the busiest link, as computed by `flitscope check`; more is accepted if nodes
whose messages avoid that link send more than others, and less if the virtual channels of a layer are full first.

{tables}

**Findings.**

{sentences}

Every point is one command; this is the third set of the mesh at one channel in ten:

```sh
{example}
```
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("flitscope")
    parser.add_argument("--seeds", type=int, default=10)
    options = parser.parse_args()
    seeds = range(1, options.seeds + 1)
    cases = [(network, share, seed, routing) for network in NETWORKS
             for share in (0, *SHARES) for seed in seeds for routing in ROUTINGS]
    cases += [(network, 0, seed, "lash") for network in NETWORKS for seed in seeds]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        reports = list(pool.map(lambda case: run(options.flitscope, *case), cases))
        bounds = list(pool.map(lambda case: bound(options.flitscope, *case), cases))
    for report, most in zip(reports, bounds):
        report["bound"] = most
    points = {}
    for (network, share, _, routing), report in zip(cases, reports):
        points.setdefault((network, routing), {}).setdefault(share, []).append(report)
    draw(points)
    example = " ".join(words("build/release/flitscope", "mesh 8x8", 0.1, 3, "auto", "run", True))
    (PLACE / "README.md").write_text(PAGE.format(
        seeds=options.seeds, tables=tables(points), sentences=sentences(points),
        example=example.replace(" --set", " \\\n    --set")))


def words(program, network, share, seed, routing, command="check", quoted=False):
    settings = [f"fabric.topology={NETWORKS[network]}", f"fabric.routing={routing}",
                f"faults.random_links={share:.2f}", f"faults.seed={seed}", f"seed={seed}"]
    command_line = [program, command, str(PLACE / "base.yaml")]
    for setting in settings:
        command_line += ["--set", f"'{setting}'" if quoted and " " in setting else setting]
    return command_line


def run(program, *case):
    return json.loads(call(*words(program, *case, "run"), "--json", quiet=True))


def bound(program, *case):
    """The rate at which the busiest link carries a flit in every cycle."""
    rate = 0.1
    told = call(*words(program, *case), "--set", f"traffic.injection_rate={rate}")
    return rate / float(re.search(r", ([\d.]+) over a link", told).group(1))


def accepted(reports):
    return [report["accepted_flits_per_node_cycle"] for report in reports]


def bounds_of(reports):
    return statistics.mean(report["bound"] for report in reports)


def longer(reports):
    return statistics.mean(report["faults"]["longer_share"] if "faults" in report else 0
                           for report in reports)


def routings(reports):
    names = [report["routing"] for report in reports]
    return ", ".join(f"{names.count(name)} {name}" for name in sorted(set(names)))


HEAD = ("dead", "channels", "accepted: mean (least to most)", "of the whole", "bound",
        "paths longer by", "routings", "`up_down`: accepted", "bound")


def tables(points):
    text = []
    for network in NETWORKS:
        auto, up_down = (points[network, routing] for routing in ROUTINGS)
        channels = auto[0][0]["links"] // 2
        text.append(f"**{network}**, {channels} channels:\n")
        rows = []
        for share in (0, *SHARES):
            loads, whole = accepted(auto[share]), statistics.mean(accepted(auto[0]))
            dead = len(auto[share][0]["faults"]["failed_links"]) if share else 0
            mean = statistics.mean(loads)
            rows.append([
                f"{share:.0%}", dead, f"{mean:.3f} ({min(loads):.3f} to {max(loads):.3f})",
                f"{mean / whole:.0%}", f"{bounds_of(auto[share]):.3f}", f"{longer(auto[share]):.1%}",
                routings(auto[share]), f"{statistics.mean(accepted(up_down[share])):.3f}",
                f"{bounds_of(up_down[share]):.3f}"])
        text += [markdown_pages.table(HEAD, rows), ""]
    return "\n".join(text).rstrip()


def kept(points, network, share, routing="auto"):
    """What is accepted of what the whole network takes with `auto`."""
    return (statistics.mean(accepted(points[network, routing][share])) /
            statistics.mean(accepted(points[network, "auto"][0])))


def mean(points, network, share, routing="auto"):
    return statistics.mean(accepted(points[network, routing][share]))


def sentences(points):
    lines = []
    few, many = SHARES[2], SHARES[-1]
    for network in NETWORKS:
        whole, auto = mean(points, network, 0), points[network, "auto"]
        lines.append(
            f"- {network}: with {few:.0%} of the channels failed {mean(points, network, few) / whole:.0%} of the "
            f"load remain, with {many:.0%} {mean(points, network, many) / whole:.0%}; the bound falls from "
            f"{bounds_of(auto[0]):.2f} to {bounds_of(auto[few]):.2f} and {bounds_of(auto[many]):.2f}, paths "
            f"are {longer(auto[few]):.1%} and {longer(auto[many]):.1%} longer.")
    first = SHARES[0]
    lines.append(
        "- The cause is not the length of the paths. All traffic of a failed link moves to few others, and with "
        "equal load from all nodes the busiest link limits all of them.")
    lines.append(
        "- Part of the cost of the first failed channels is the change from the routing without faults. "
        "Without any fault, `lash` accepts " +
        ", ".join(f"{mean(points, n, 0, 'lash'):.3f} ({n}; `auto` {mean(points, n, 0):.3f}, with {first:.0%} "
                  f"dead {mean(points, n, first):.3f})" for n in NETWORKS) +
        ". Datelines let a packet of a torus change its channels on the way, layers do not.")
    better = {network: [share for share in SHARES if mean(points, network, share, "up_down") >
                        mean(points, network, share)] for network in NETWORKS}
    for network, shares in better.items():
        if not shares:
            continue
        share = max(shares, key=lambda s: mean(points, network, s, "up_down") / mean(points, network, s))
        lines.append(
            f"- {network}: with " + ", ".join(f"{s:.0%}" for s in shares) + " dead, `up_down` accepts more "
            f"than `auto` ({mean(points, network, share, 'up_down'):.3f} against "
            f"{mean(points, network, share):.3f} with {share:.0%}), although its bound is "
            f"{bounds_of(points[network, 'up_down'][share]):.2f} and not "
            f"{bounds_of(points[network, 'auto'][share]):.2f}. No link is the limit there; packets of `up_down` "
            "may take any of the four virtual channels, those of a layer only its own. For such a network, "
            "measure both.")
    rest = [network for network in NETWORKS if not better[network]]
    lines.append(
        f"- {', '.join(rest)}: `auto` accepts more than `up_down` at every share, by a factor of up to " +
        f"{max(mean(points, n, s) / mean(points, n, s, 'up_down') for n in rest for s in SHARES):.1f}.")
    return "\n".join(lines)


def draw(points):
    script = ["set terminal svg size 760,460 font 'Helvetica,12' background 'white'",
              f"set output '{PLACE / 'throughput.svg'}'",
              "set xlabel 'dead channels, %'", "set ylabel 'accepted, flits per node and cycle'",
              "set xrange [-0.5:21]", "set yrange [0:*]", "set grid", "set key outside right"]
    curves = []
    for number, (network, colour) in enumerate(zip(NETWORKS, COLOURS)):
        for routing in ROUTINGS:
            name = f"$d{number}_{routing}"
            script.append(f"{name} << EOD")
            shift = 0.08 * (number - 1.5)  # so that spreads are side by side
            for share, reports in points[network, routing].items():
                loads = accepted(reports)
                script.append(f"{100 * share + shift:.2f} {statistics.mean(loads):.4f} "
                              f"{min(loads):.4f} {max(loads):.4f}")
            script.append("EOD")
            dashed = " dashtype 2" if routing == "up_down" else ""
            title = f"title '{network}'" if routing == "auto" else "notitle"
            curves.append(f"{name} using 1:2 with lines lc rgb '{colour}' lw 1.5{dashed} {title}")
            if routing == "auto":
                curves.append(f"{name} with yerrorbars lc rgb '{colour}' pt 7 ps 0.4 notitle")
    script.append("plot " + ", ".join(curves))
    subprocess.run(["gnuplot"], input="\n".join(script) + "\n", check=True, text=True)


if __name__ == "__main__":
    main()
