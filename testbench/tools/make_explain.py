#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Makes testbench/app/explain/EXAMPLES.md: five programs that take longer than they need, a pattern, and two runs
side by side, what flitscope explain says of each, and what its advice gains. Called by ./dev docs, from the root.

usage: make_explain.py FLITSCOPE [--check]

--check: makes it elsewhere, and fails where the page that is kept says something else.
"""
import json
import pathlib
import re
import sys

import markdown_pages
from flitscope_program import call

FOLDER = pathlib.Path("testbench/app/explain")

HEAD = """\
# Five reasons why

*Made by `testbench/tools/make_explain.py` (`./dev docs`) from what the program prints; do not edit.*

Each of these programs takes longer than it needs to. `flitscope explain` names the cause, gives an
upper bound on the gain of each change, and simulates the most promising ones. [Two
runs](#one-run-against-another) are explained by their difference.
"""

# Name of the configuration, title, expected cause, expected remedy, and explanation.
EXAMPLES = [
    ("hot_link", "A hot link", "link_003_004", "fabric.flit_bits=128",
     "The channel with most cycles is the link in the middle: all four messages cross it, one after the "
     "other, so most of the path is flits of messages on this link. Buffers and virtual channels gain "
     "almost nothing, as the bounds show before anything is simulated; width does."),
    ("head_of_line", "Head-of-line blocking", "head_of_line", "fabric.virtual_channels=2",
     "Message 3 is at its destination's router after nine cycles and leaves it half a thousand later: "
     "message 2 is ahead in the same buffer, and waits for a link that message 3 does not need. A "
     "second virtual channel lets it pass; deeper buffers would not."),
    ("shallow_buffers", "Shallow buffers", "credit_stall", "fabric.buffer_depth=1024",
     "Two flits are sent, then none until a credit has returned over wires of three cycles. `c + d` "
     "flits of buffer (hw/TIMING.md) cover that; deeper buffers gain nothing."),
    ("slow_nodes", "Slow nodes", "assembly", "node.injection_bandwidth=1",
     "The network is idle most of the time: nodes feed it a flit in four cycles. Waiting for "
     "others is a few per cent, so a better network gains little."),
    ("bad_order", "A badly ordered schedule", "vc_busy", "traffic.algorithm=from_next",
     "All nodes send to node 0 first, so they wait for each other at its ejection channel, then at node "
     "1's. Each beginning with its own neighbour is the same work in another order."),
]


def main():
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    text = HEAD + "".join(section(arguments[0], *example) for example in EXAMPLES)
    text += pattern_section(arguments[0]) + difference_section(arguments[0])
    page = FOLDER / "EXAMPLES.md"
    if "--check" not in sys.argv:
        page.write_text(text)
        return
    markdown_pages.require_unchanged(
        page, text, "the examples say something else now: read them, then ./dev docs")


def section(program, name, title, cause, change, words):
    config = FOLDER / "examples" / f"{name}.yaml"
    command = ["explain", str(config), "--try", "9"]
    explained = json.loads(call(program, *command, "--json"))
    # The sentences of the page are about these.
    channel = explained["channels"][0]["channel"] if explained["channels"] else ""
    most = max(explained["causes"], key=explained["causes"].get)
    second = sorted(explained["causes"], key=explained["causes"].get)[-2]
    if cause not in (channel, most, second):
        sys.exit(f"{name}: the cause is another one, so the page has to be written anew: {most}")
    gains = {one["change"]: one["measured_cycles"] for one in explained["what_if"]}
    if not gains.get(change):
        sys.exit(f"{name}: {change} gains nothing, so the page has to be written anew")
    cycles = explained["cycles"]
    return f"""
## {title}

```yaml
{config.read_text()}```

```console
$ flitscope {" ".join(command)}
{shortened(call(program, *command))}```

{words}

**The change**: `--set {change}`, {cycles:,} cycles before and {cycles - gains[change]:,} after.
"""


def pattern_section(program):
    config = FOLDER / "examples" / "transpose.yaml"
    command = ["explain", str(config)]
    change = "fabric.routing=odd_even"
    before, after = (json.loads(call(program, *command, "--json", *more))
                     for more in ([], ["--set", change]))
    # The sentences of the page are about these.
    causes = before["causes"]
    if max(causes, key=causes.get) != "source_queue" or causes["head_of_line"] > causes["vc_busy"]:
        sys.exit("transpose: the causes are others, so the page has to be written anew")
    mean = [explained["latency"]["mean"] for explained in (before, after)]
    if mean[1] > 0.6 * mean[0]:
        sys.exit(f"transpose: {change} gains little, so the page has to be written anew")
    return f"""
## Traffic without an end

```yaml
{config.read_text()}```

```console
$ flitscope {" ".join(command)}
{call(program, *command)}```

Half of the latency is spent before the packets leave their nodes: two nodes in a corner cannot inject
their load. The links show the reason: packets wait for others on the bottom row and the top row, onto
which XY routing leads all of them. Buffers would gain little, as hardly any packet waits for credits;
other paths do.

**The change**: `--set {change}`, a mean latency of {mean[0]:.1f} cycles before and {mean[1]:.1f} after.
"""


def difference_section(program):
    folder = FOLDER / "examples" / "pex_or_gen"
    command = ["explain", str(folder / "pex.yaml"), str(folder / "gen.yaml")]
    said = call(program, *command)

    def numbers(pattern):
        found = re.search(pattern, said, re.M)
        if not found:
            sys.exit(f"pex_or_gen: nothing like {pattern}, so the page has to be written anew")
        return [int(number.replace(",", "")) for number in found.groups()]
    # The sentences of the page are about these.
    number = r" +([+-]?[\d,]+)"
    longer, = numbers(r"^B takes ([\d,]+) cycles longer")
    skews = numbers(r"within ([\d,]+) cycles of each other in A, and ([\d,]+) in B")
    waiting = sum(numbers(rf"^    {cause}{number}{number}{number}")[2]
                  for cause in ("vc_busy", "credit_stall", "head_of_line"))
    startups = numbers(rf"^    startup{number}{number}")
    if abs(waiting) > 0.05 * longer or skews[1] < 2 * skews[0] or startups[1] < 1.2 * startups[0]:
        sys.exit("pex_or_gen: the reasons are others, so the page has to be written anew")
    startup = 550  # node.send_overhead of the Delta
    return f"""
## One run against another

Why is GEN slower than PEX on 16 x 32 nodes of the Delta? Both have 511 steps, in which every node sends to
every other one.

```yaml
{(folder / "gen.yaml").read_text()}```

```console
$ flitscope {" ".join(command)}
{said}```

The path of GEN waits for other packets and for buffers hardly longer than that of PEX: it is longer because
it leads through {startups[1] // startup} sends in place of {startups[0] // startup}, with the startup, the assembly and the flits of each. Steps
show why: its nodes begin a step {skews[1] / skews[0]:.1f} times as far apart, so who waits for a message waits for a sender that
is late itself. Most of that comes about in the first half of the steps. Nodes run apart where packets that
wait hold the links behind them, for buffers are shorter than a packet.

**The change**: `--set fabric.buffer_depth=1024` on both: 3,519,155 cycles with PEX and 3,517,627 with GEN.
"""


def shortened(text):
    """Without the shares of steps and nodes, and the slack of steps."""
    kept, drops = [], False
    for line in text.splitlines(True):
        if line.startswith("  ") and not line.startswith("   "):
            drops = line.strip() in ("the steps", "the nodes") or line.startswith("  slack: ")
        if not drops:
            kept.append(line)
    return "".join(kept)


if __name__ == "__main__":
    main()
