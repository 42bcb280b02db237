# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Random connected regular graphs, as files for topology kind custom."""
import random


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
