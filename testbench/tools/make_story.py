#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Makes testbench/app/study/story/README.md: one exploration from the question to the decision, with what
the program prints and the figures that follow from it. Called by ./dev docs, from the root.

usage: make_story.py FLITSCOPE [--check]

--check: makes it elsewhere, and fails where the page that is kept says something else.
"""
import csv
import io
import json
import pathlib
import re
import shutil
import sys
import tempfile

import flitscope_program
import markdown_pages

STORY = pathlib.Path("testbench/app/study/story")
STUDY = STORY / "which_network.yaml"

PAGE = """\
# Which network should I build?

*Made by `testbench/tools/make_story.py` (`./dev docs`) from what the program prints; do not edit.*

**The question.** 64 nodes exchange data: every node sends 256 bytes to every other one, again and again.
The package of a node has {pins} pins for data wires. A mesh, express links, a hypercube, a HOW network? Buffers
deep or shallow? And which schedule? "Fast" is in nanoseconds, and a router with many ports has a slow
clock; "cheap" is the area of the routers, in square millimetres.

**The study** is a page of YAML, [which_network.yaml](which_network.yaml):

```yaml
{study}```

`equal_cost` gives each network the flit width that the wires allow, `clock_ns: synth` in
[the base](base.yaml) the clock of its slowest router, and a network costs the sum over its routers, [each as it is
built](../../../../hw/rtl/README.md#routers-as-they-are-built). All of this matters:

{routers}

**The answer.** One command builds the {designs} designs, synthesizes the {kinds} kinds of router that they need,
bounds every design, and simulates what the bounds cannot exclude:

```console
$ flitscope explore {study_path} --db which.db --plot front.svg
$ flitscope explore front --db which.db
{front}```

![Time and area of the designs](front.svg)

{simulated} of {designs} simulations ran, {stopped} of them only until they were known to be too long. The
others are proved not to be on the front: their lower bound on time, or their cost, is worse than a
design that was measured. So this front is that of all {designs} designs.

**Findings.** A node with express links has as many wires as one of the hypercube, flits as narrow and about
the same clock, but its paths are 1.5 times as long (4.6 hops on average, against 3.0). The HOW network has even
narrower flits, and slower routers. Neither of these two is on the front. Between the others:

- The hypercube with buffers of {deep} flits is the fastest: {fast_time} ns, in {fast_area} mm2.
- With {shallow} flits it takes {slower} times as long, and saves {saved} % of the area: so few flits do not
  cover the credit round trip, so worms cannot stream.
- The mesh saves another {mesh_saved} % of the area, and takes {mesh_slower} times as long as that.

Within a budget:

```console
$ flitscope explore best --budget area_mm2={budgets} --db which.db
{best}```

**The decision.** With {fast_area} mm2, build the hypercube with deep buffers; with less, the one with shallow buffers.
The mesh is for budgets that lack another {missing} mm2. In cycles the fast one would be {by_cycles} times as fast as the mesh, {cycles_fast}
against {mesh_cycles}; with a clock of {fast_period} ns against {mesh_period} it is {by_time} times.

**Verification.** The design (identified by its digest in your table) is a configuration that can be run, and checked by another engine:

```console
$ flitscope explore show {digest} --db which.db > chosen.yaml
$ flitscope run chosen.yaml
{run}$ flitscope verify chosen.yaml
{verify}```
"""


def main():
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    program = str(pathlib.Path(arguments[0]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        text = page(program, pathlib.Path(folder))
        if "--check" not in sys.argv:
            (STORY / "README.md").write_text(text)
            shutil.copy(f"{folder}/front.svg", STORY / "front.svg")
            return
    markdown_pages.require_unchanged(STORY / "README.md", text,
                               "the story is another one now: read it, then ./dev docs")


def page(program, folder):
    db = str(folder / "which.db")

    def call(*words):
        return flitscope_program.call(program, *words, quiet=True)

    def shown(digest):
        path = folder / f"{digest}.yaml"
        path.write_text(call("explore", "show", digest, "--db", db))
        return path

    report = json.loads(call("explore", STUDY, "--db", db, "--jobs", 1, "--plot",
                             folder / "front.svg", "--json"))
    rows = list(csv.DictReader(io.StringIO(call("explore", "export", "--db", db))))
    front = report["front"]
    named = [" ".join(design["axes"].values()) for design in front]
    # The sentences of the page are about these.
    if named != ["hypercube 4 naive", "hypercube 2 pex", "mesh 2 gen"]:
        sys.exit(f"the front is another one, so the page has to be written anew: {named}")
    fast, slow, mesh = front
    area = [design["objectives"]["area_mm2"] for design in front]
    time = [design["objectives"]["time_ns"] for design in front]
    cycles = [round(t / design["period_ns"]) for t, design in zip(time, front)]
    budgets = ",".join(f"{a + 0.5:.0f}" for a in reversed(area))
    chosen = shown(fast["digest"])
    # Of every network one design, pruned or not: the other ones of it are wired alike.
    wirings = {name: json.loads(call("topology", shown(digest), "--json")) for name, digest in
               {row["fabric.topology"]: row["digest"] for row in rows}.items()}
    pins = re.search(r"pin_budget: (\d+)", chosen.read_text())[1]
    text = PAGE.format(
        pins=pins, study=STUDY.read_text(), study_path=STUDY, designs=report["points"],
        routers=routers(rows, wirings),
        kinds=len({kind["variant"] for digest in
                   {(row["fabric.topology"], row["fabric.buffer_depth"]): row["digest"] for row in rows}.values()
                   for kind in json.loads(call("topology", shown(digest), "--json"))["router"]["kinds"]}),
        front=call("explore", "front", "--db", db), simulated=report["simulated"],
        stopped=report["stopped"], deep=fast["axes"]["fabric.buffer_depth"],
        shallow=slow["axes"]["fabric.buffer_depth"], fast_time=f"{time[0]:,.0f}",
        fast_area=f"{area[0]:.1f}", slower=f"{time[1] / time[0]:.2f}",
        saved=f"{100 * (1 - area[1] / area[0]):.0f}",
        mesh_saved=f"{100 * (1 - area[2] / area[1]):.0f}", mesh_slower=f"{time[2] / time[1]:.2f}",
        budgets=budgets, best=call("explore", "best", "--budget", f"area_mm2={budgets}", "--db", db),
        missing=f"{area[1] - area[2]:.1f}", cycles_fast=f"{cycles[0]:,}",
        by_cycles=f"{cycles[2] / cycles[0]:.2f}", by_time=f"{time[2] / time[0]:.2f}",
        fast_period=f"{fast['period_ns']:.2f}", mesh_cycles=f"{cycles[2]:,}",
        mesh_period=f"{mesh['period_ns']:.2f}", digest=fast["digest"][:10],
        run=lines(call("run", chosen), ("naive:", "  topology", "  makespan", "  delivered")),
        verify=lines(without_times(call("verify", chosen)), ("naive:", "  engine", "  compared", "     ")))
    # A digest names the program, too, so every build has others.
    for number, design in enumerate(front, 1):
        text = text.replace(design["digest"][:10], f"digest-{number:03}")
    others = dict.fromkeys(re.findall(r"\(([0-9a-f]{10})\)", text))
    for number, digest in enumerate(others, len(front) + 1):
        text = text.replace(digest, f"digest-{number:03}")
    return text


def without_times(text):
    """The engines of a verification without the seconds that they took."""
    return re.sub(r" in \d+\.\d+ s(, \d+\.\d+ times as fast)?", "", text)


def lines(text, starts):
    return "".join(line + "\n" for line in text.splitlines() if line.startswith(starts))


def routers(rows, wirings):
    """A table of the routers: how wide their flits are, and how quick their clock."""
    clocks = {(row["fabric.topology"], row["fabric.buffer_depth"]): f"{float(row['cycle_ns']):.2f}"
              for row in rows}
    shallow, deep = sorted({depth for _, depth in clocks}, key=int)
    return markdown_pages.table(
        ["network", "links of a node", "flit bits", "clock, shallow [ns]", "clock, deep [ns]"],
        [[name, wiring["degree"]["max"], wiring["flit_bits"], clocks[name, shallow],
          clocks[name, deep]] for name, wiring in wirings.items()])


if __name__ == "__main__":
    main()
