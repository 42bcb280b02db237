#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Which links to add to a network so that a complete exchange takes least: one after the other, by the
prices of the dual. Each is a channel both ways between the two nodes whose blocks it saves most.

usage: add_links.py FLITSCOPE CONFIG --links N [--longest L] [--message-bytes B] [--set KEY=VALUE]...
                    [-o GRAPH.yaml]
       add_links.py FLITSCOPE CONFIG --windows --wires N [--message-bytes B] [--set KEY=VALUE]...

A bound on exchanges is lengths of channels (traffic/schedules/synthesis/README.md): what a block's way is long,
summed over all blocks, over what all channels offer. So a length is the price of a channel, and a link
between u and v saves, of every block from s to t, what the way over it is shorter. Where several save
as much, the shortest wire is taken. After each link the prices are found anew, and the schedule is
synthesized and simulated.

With --windows it is all links of a HOW: on the places of a grid, which the configuration has, the
windows of the dimensions grow from 1 on, one by one, as long as the wires are N node pitches at most
(`wire_length` of flitscope topology: links, both ways counted once). The dimension is taken whose next
links save most for each pitch; where prices say that none saves anything, that with the least wires.

Options that find-schedule does not have: --longest, of the wires, in node pitches; -o, the network with
its links, a file for fabric.topology kind custom.
"""
import argparse
import heapq
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

MOST_NODES = 256  # beyond them the bound has no certificate worth a search
MOST_PAIRS = 256  # that are looked at: those farthest apart by their prices


class Refused(Exception):
    """What flitscope says of a configuration."""


def umask():
    mask = os.umask(0)  # there is no other way to ask
    os.umask(mask)
    return mask


def run(program, *arguments):
    done = subprocess.run([program, *arguments], text=True, capture_output=True)
    if done.returncode != 0:
        raise Refused(done.stderr.rstrip())
    return json.loads(done.stdout) if "--json" in arguments else None


class Network:
    """Nodes with their places, and links, as flitscope exports them."""

    def __init__(self, graph):
        self.nodes = graph["nodes"]
        self.endpoints = graph.get("endpoints", self.nodes)
        self.positions = graph["positions"]
        self.links = [(l["from"], l["to"], l["length"], l["delay"]) for l in graph["links"]]
        self.added = []

    def wire(self, a, b):
        """In node pitches."""
        return max(1, sum(abs(x - y) for x, y in zip(self.positions[a], self.positions[b])))

    def add(self, a, b):
        self.added.append((a, b))

    def write(self, path):
        lines = [f"nodes: {self.nodes}"]
        if self.endpoints != self.nodes:
            lines.append(f"endpoints: {self.endpoints}")
        lines += ["positions: " + json.dumps(self.positions), "links:"]
        lines += [f"  - {{from: {a}, to: {b}, length: {length}, delay: {delay}}}"
                  for a, b, length, delay in self.links]
        lines += [f"  - {{from: {a}, to: {b}, both: true}}" for a, b in self.added]
        with tempfile.NamedTemporaryFile("w", prefix=path.name + ".", suffix=".partial", dir=path.parent,
                                         delete=False) as file:
            try:
                file.write("\n".join(lines) + "\n")
                file.close()
                os.chmod(file.name, 0o666 & ~umask())
                os.replace(file.name, path)
            except BaseException:
                os.unlink(file.name)
                raise


class Prices:
    """Lengths of channels, by which ways are measured; a node with one channel each way is behind its
    router."""

    def __init__(self, network, lengths):
        self.network = network
        width = max(3, len(str(network.nodes - 1)))
        self.inject = [lengths.get(f"inject_{n:0{width}d}", 0) for n in range(network.endpoints)]
        self.eject = [lengths.get(f"eject_{n:0{width}d}", 0) for n in range(network.endpoints)]
        self.out = [[] for _ in range(network.nodes)]
        pairs = [(a, b) for a, b, _, _ in network.links]
        pairs += network.added + [(b, a) for a, b in network.added]
        for a, b in pairs:
            self.out[a].append((b, lengths.get(f"link_{a:0{width}d}_{b:0{width}d}", 0)))
        self.joined = set(pairs)
        self.distance = [self.distances(node) for node in range(network.nodes)]

    def distances(self, source):
        distance = {source: 0}
        queue = [(0, source)]
        while queue:
            so_far, at = heapq.heappop(queue)
            if so_far > distance[at]:
                continue
            for to, length in self.out[at]:
                if so_far + length < distance.get(to, 1 << 62):
                    distance[to] = so_far + length
                    heapq.heappush(queue, (distance[to], to))
        return [distance.get(node, 1 << 62) for node in range(self.network.nodes)]

    def saved(self, a, b):
        """By a link from a to b, of the ways of all blocks."""
        to_a = [row[a] for row in self.distance]
        from_b = self.distance[b]
        sum_saved = 0
        for s in range(self.network.endpoints):
            row = self.distance[s]
            behind = to_a[s]
            for t in range(self.network.endpoints):
                more = row[t] - behind - from_b[t]
                if more > 0:
                    sum_saved += more
        return sum_saved

    def best_pair(self, longest):
        """Of two nodes without a link in either direction; nothing where no link would help."""
        network = self.network
        pairs = []
        for a in range(network.nodes):
            for b in range(a + 1, network.nodes):
                if (a, b) in self.joined or (b, a) in self.joined:
                    continue
                if longest is not None and network.wire(a, b) > longest:
                    continue
                apart = self.distance[a][b] + self.distance[b][a]
                pairs.append((-apart, network.wire(a, b), a, b))
        ranked = [(-self.saved(a, b) - self.saved(b, a), wire, a, b)
                  for _, wire, a, b in sorted(pairs)[:MOST_PAIRS]]
        if not ranked or min(ranked)[0] == 0:
            return None
        _, _, a, b = min(ranked)
        return a, b


def synthesize(options, folder, *settings):
    return run(options.flitscope, "find-schedule", options.config, "--collective", "all_to_all",
               *options.bytes, *options.settings, *settings, "-o", str(folder / "exchange.csv"), "--json")


def tell(added, found):
    print(f"{added:<22}{found['bound_cycles']:>12,}{found['cycles']:>12,}{100 * found['optimality_gap']:>9.2f} %")


def require_place(options, output):
    """Before a search that may take long: that the file can be written, and is none that flitscope reads,
    which it says of an export under another name of the same file."""
    with tempfile.TemporaryDirectory(prefix=output.name + ".", dir=output.parent) as beside:
        if output.is_dir():
            raise Refused(f"error: -o {options.output}: a folder is in the way\n  hint: choose another name")
        if not output.is_file():
            return
        other = pathlib.Path(beside) / "network.yaml"
        os.link(output, other)
        try:
            run(options.flitscope, "topology", options.config, *options.settings, "--export", str(other))
        except Refused as refused:
            text = str(refused).replace(f"--export {other}", f"-o {options.output}")
            raise Refused(text.replace(str(other), options.output)) from refused


def search(options, folder):
    exported = folder / "network.json"
    output = pathlib.Path(options.output).resolve() if options.output else None
    if output:
        require_place(options, output)
    run(options.flitscope, "topology", options.config, *options.settings, "--export", str(exported))
    graph = json.loads(exported.read_text())
    if graph.get("failed_nodes"):
        raise Refused("error: the network has dead nodes, which graph files do not know\n"
                      "  hint: add links to the network without section faults")
    if graph["nodes"] > MOST_NODES:
        raise Refused(f"error: the network has {graph['nodes']} nodes, and links are added to {MOST_NODES}"
                      " at most\n  hint: search on a smaller network of the same kind")
    network = Network(graph)
    found = synthesize(options, folder)
    print(f"{'link (wire)':<22}{'bound':>12}{'cycles':>12}{'gap':>11}")
    tell("none", found)
    for _ in range(options.links):
        pair = Prices(network, found["certificate"].get("lengths", {})).best_pair(options.longest)
        if pair is None:
            print("no other link would make the bound smaller")
            break
        network.add(*pair)
        path = folder / "graph.yaml"
        network.write(path)
        found = synthesize(options, folder, "--set", f"fabric.topology={{kind: custom, file: {path}}}",
                           "--set", "fabric.routing=auto")
        tell(f"{pair[0]}-{pair[1]} ({network.wire(*pair)})", found)
    if output:
        network.write(output)


def window_pairs(dims, dimension, window):
    """The ends of links with so many places between their ends, and whether there are any."""
    pitch = 1
    for side in dims[dimension + 1:]:
        pitch *= side
    nodes = 1
    for side in dims:
        nodes *= side
    return [(a, a + window * pitch) for a in range(nodes)
            if a // pitch % dims[dimension] + window < dims[dimension]]


def how(dims, windows):
    return f"fabric.topology={{kind: how, dims: {list(dims)}, window: {list(windows)}}}"


def wires_of(options, topology):
    """Of the network, in node pitches; nothing where the windows are too large."""
    try:
        return run(options.flitscope, "topology", options.config, *options.settings, "--set", topology, "--set",
                   "fabric.routing=auto", "--json")["wire_length"]
    except Refused:
        return None


def search_windows(options, folder):
    exported = folder / "network.json"

    def network_of(topology):
        settings = () if topology is None else ("--set", topology, "--set", "fabric.routing=auto")
        run(options.flitscope, "topology", options.config, *options.settings, *settings, "--export",
            str(exported))
        graph = json.loads(exported.read_text())
        if graph["nodes"] > MOST_NODES:
            raise Refused(f"error: the network has {graph['nodes']} nodes, and windows are chosen for "
                          f"{MOST_NODES} at most\n  hint: search on a smaller network of the same kind")
        return graph
    dims = network_of(None).get("dims", [])
    if not dims:
        raise Refused("error: the network has no dimensions, which windows are of\n"
                      "  hint: take a mesh of as many nodes")
    windows = [1] * len(dims)
    print(f"{'windows':<22}{'wires':>10}{'bound':>12}{'cycles':>12}{'gap':>11}")
    while True:
        topology = how(dims, windows)
        wires = wires_of(options, topology)
        if wires is None or wires > options.wires:
            raise Refused(f"error: --wires {options.wires} are not enough for a window of 1: {wires}\n"
                          "  hint: allow more wires")
        found = synthesize(options, folder, "--set", topology, "--set", "fabric.routing=auto")
        print(f"{' x '.join(map(str, windows)):<22}{wires:>10,}{found['bound_cycles']:>12,}"
              f"{found['cycles']:>12,}{100 * found['optimality_gap']:>9.2f} %", flush=True)
        prices = Prices(Network(network_of(topology)), found["certificate"].get("lengths", {}))
        choices = []
        for dimension, window in enumerate(windows):
            if window + 1 >= dims[dimension]:
                continue
            wider = [w + (d == dimension) for d, w in enumerate(windows)]
            more = wires_of(options, how(dims, wider))
            if more is None or more > options.wires:
                continue
            saved = sum(prices.saved(a, b) + prices.saved(b, a)
                        for a, b in window_pairs(dims, dimension, window + 1))
            choices.append((-saved / (more - wires), more, wider))
        if not choices:
            return
        windows = min(choices)[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("flitscope")
    parser.add_argument("config")
    parser.add_argument("--links", type=int)
    parser.add_argument("--windows", action="store_true")
    parser.add_argument("--wires", type=int)
    parser.add_argument("--longest", type=int)
    parser.add_argument("--message-bytes", type=int)
    parser.add_argument("--set", dest="sets", action="append", default=[])
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    if options.windows:
        if options.wires is None or options.links is not None or options.output or options.longest:
            parser.error("--windows takes --wires, and neither --links nor --longest nor -o")
    elif options.links is None or options.links < 1 or options.wires is not None:
        parser.error("--links is a number from 1 on; or --windows and --wires")
    options.settings = [part for setting in options.sets for part in ("--set", setting)]
    options.bytes = [] if options.message_bytes is None else ["--message-bytes", str(options.message_bytes)]
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with tempfile.TemporaryDirectory() as name:
            (search_windows if options.windows else search)(options, pathlib.Path(name))
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"error: cannot write {options.output or 'the result'}: {error.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
