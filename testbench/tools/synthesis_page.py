# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The text of testbench/app/schedule_synthesis/RESULTS.md, which make_synthesis.py fills."""
import re

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


def merged(new, old, wanted):
    """The new page, with the sections of the old one that are not wanted."""
    def by_heading(page):
        return dict(re.findall(r"(?ms)^(## [^\n]*)\n(.*?)(?=^## |\Z)", page))
    kept = by_heading(old)
    for section, heading in SECTIONS.items():
        if section not in wanted and heading in kept:
            new = new.replace(heading + "\n" + by_heading(new)[heading], heading + "\n" + kept[heading])
    return new
