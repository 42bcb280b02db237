# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Bounds on collectives from what find-schedule gives as their proof, computed without its code."""
import fractions
import math


class Certificates:
    """Bounds from certificates, by the links of a graph and one channel of each node, or none."""

    def __init__(self, nodes, links, has_one_channel):
        self.nodes = nodes
        self.arcs = {}  # channel: from, to
        self.rates = {}  # of channels that take less than a flit per cycle
        width = len(str(nodes - 1)) if nodes > 1000 else 3
        name = "{:0%dd}" % width
        router = "router_" if has_one_channel else "node_"
        for link in links:
            a, b = name.format(link["from"]), name.format(link["to"])
            self.arcs[f"link_{a}_{b}"] = (router + a, router + b)
            self.rates[f"link_{a}_{b}"] = fractions.Fraction(1, link.get("rate_cycles", 1))
        self.members = ["node_" + name.format(n) for n in range(nodes)]
        if has_one_channel:
            for n in range(nodes):
                number = name.format(n)
                self.arcs["inject_" + number] = ("node_" + number, "router_" + number)
                self.arcs["eject_" + number] = ("router_" + number, "node_" + number)

    def rate(self, channel):
        return self.rates.get(channel, 1)

    def cut(self, collective, inside, root):
        """Blocks (vectors) that must leave the set, over the flits per cycle of channels that do."""
        inside = set(inside)
        within = sum(member in inside for member in self.members)
        without = len(self.members) - within
        demand = {"all_gather": within, "reduce_scatter": without, "all_reduce": 1, "broadcast": 1,
                  "scatter": without, "all_to_all": within * without}[collective]
        if collective in ("broadcast", "scatter"):
            assert self.members[root] in inside
        assert within and without
        leaving = sum(self.rate(channel) for channel, (a, b) in self.arcs.items()
                      if a in inside and b not in inside)
        return fractions.Fraction(demand) / leaving

    def transfers(self, certificate):
        """2 (p - 1) copies of every value between p parts of the nodes, over the channels there."""
        part = {node: number for number, nodes in enumerate(certificate["parts"]) for node in nodes}
        assert sorted(part) == sorted(self.members)
        assert sum(map(len, certificate["parts"])) == len(self.members)
        between = sum(self.rate(channel) for channel, (a, b) in self.arcs.items() if part[a] != part[b])
        return fractions.Fraction(2 * (len(certificate["parts"]) - 1)) / between

    def lengths(self, lengths):
        """Distances of all pairs over the sum of all lengths (Bellman and Ford's algorithm)."""
        edges = [(a, b, lengths.get(channel, 0)) for channel, (a, b) in self.arcs.items()]
        assert set(lengths) <= set(self.arcs)
        total = 0
        for source in self.members:
            distance = {source: 0}
            changed = True
            while changed:
                changed = False
                for a, b, length in edges:
                    if a in distance and distance[a] + length < distance.get(b, 1 << 60):
                        distance[b] = distance[a] + length
                        changed = True
            total += sum(distance[member] for member in self.members)
        return fractions.Fraction(total) / sum(length * self.rate(channel)
                                               for channel, length in lengths.items())


def least_cost(nodes, startups, slots):
    """Of all nodes together, for a complete exchange by so many slots: every number of messages is
    tried. Nothing where blocks have no ways."""
    best = None
    for messages in range(min(nodes * slots, nodes * (nodes - 1)) + 1):
        first = [min(nodes, max(0, messages - nodes * slot)) for slot in range(slots)]
        left, blocks = nodes * (nodes - 1), 0
        for sends in range(1, slots + 1):
            ways = sum(count * math.comb(slots - 1 - slot, sends - 1) for slot, count in enumerate(first))
            blocks += sends * min(ways, left)
            left -= min(ways, left)
        if left == 0:
            cost = messages * startups["message_cycles"] + blocks * startups["block_cycles"]
            if best is None or cost < best[0]:
                best = (cost, messages, blocks)
    return best
