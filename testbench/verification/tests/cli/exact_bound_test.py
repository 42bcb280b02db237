# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Bounds on exchanges by lengths of channels against the optimum of the maximum concurrent flow, which
GLPK finds in exact arithmetic on small networks: never above it, and hardly below."""
import fractions
import json
import os
import random
import subprocess

from flitscope_cli import CliTest, hypercube, main, mesh

LEAST_PART = fractions.Fraction(995, 1000)  # of the optimum


def regular(nodes, degree, seed):
    """A random graph without double channels; connected, or flitscope refuses it."""
    draw = random.Random(seed)
    while True:
        ends = [node for node in range(nodes) for _ in range(degree)]
        draw.shuffle(ends)
        pairs = {(min(p), max(p)) for p in zip(ends[::2], ends[1::2])}
        if len(pairs) == len(ends) // 2 and all(a != b for a, b in pairs):
            break
    lines = [f"  - {{from: {a}, to: {b}, both: true}}" for a, b in sorted(pairs)]
    return f"nodes: {nodes}\nlinks:\n" + "\n".join(lines) + "\n"


def flow_problem(graph, has_one_channel):
    """CPLEX LP format: of every source's blocks what each arc carries, and the fullest arc of all."""
    nodes = graph["nodes"]
    ends = graph.get("endpoints", nodes)
    first_router = ends if has_one_channel else 0
    arcs = [(first_router + link["from"], first_router + link["to"]) for link in graph["links"]]
    if has_one_channel:
        arcs += [(n, ends + n) for n in range(ends)] + [(ends + n, n) for n in range(ends)]
    lines = ["Minimize", " fullest", "Subject To"]
    for source in range(ends):
        for vertex in range(first_router + nodes):
            if vertex == source:
                continue
            balance = [f"+ f{source}_{a}" for a, (_, to) in enumerate(arcs) if to == vertex]
            balance += [f"- f{source}_{a}" for a, (of, _) in enumerate(arcs) if of == vertex]
            lines.append(f" {' '.join(balance)} = {1 if vertex < ends else 0}")
    for a in range(len(arcs)):
        lines.append(" " + " ".join(f"+ f{source}_{a}" for source in range(ends)) + " - fullest <= 0")
    return "\n".join(lines + ["End"]) + "\n"


class ExactBoundTest(CliTest):
    def optimum(self, graph, has_one_channel):
        self.write("flow.lp", flow_problem(graph, has_one_channel))
        subprocess.run(["glpsol", "--exact", "--lp", self.path("flow.lp"), "-w", self.path("flow.sol")],
                       check=True, stdout=subprocess.DEVNULL)
        with open(self.path("flow.sol")) as file:
            summary = next(line.split() for line in file if line.startswith("s bas"))
        self.assertEqual(summary[4:6], ["f", "f"])  # primal and dual feasible
        return fractions.Fraction(summary[6]).limit_denominator(100_000)

    def hold(self, topology, ports):
        config = self.write("config.yaml", json.dumps({"fabric": {"topology": topology},
                                                       "node": {"port_model": ports}}))
        self.ok("topology", config, "--export", "graph.json")
        with open(os.path.join(self.folder, "graph.json")) as file:
            graph = json.load(file)
        found = self.report("find-schedule", config, "--collective", "all_to_all", "--message-bytes", "4096",
                            "-o", "found.csv", "--time", "0.001")
        self.assertEqual(found["bound_kind"], "lengths")
        share = found["certificate"]["share"]
        bound = fractions.Fraction(share["numerator"], share["denominator"])
        exact = self.optimum(graph, ports == "single")
        self.assertLessEqual(bound, exact)
        self.assertGreaterEqual(bound, LEAST_PART * exact)

    def test_grids_and_trees(self):
        for topology, ports in ((mesh(3, 3), "independent"), (mesh(3, 4), "single"), (mesh(7), "independent"),
                                (hypercube(3), "single"), ({"kind": "torus", "dims": [3, 4]}, "independent"),
                                ({"kind": "fat_tree", "arity": 2, "height": 2}, "single")):
            with self.subTest(topology=topology, ports=ports):
                self.hold(topology, ports)

    def test_random_graphs(self):
        for seed in range(6):
            ports = ("independent", "single")[seed % 2]
            with self.subTest(seed=seed):
                file = self.write("random.yaml", regular(8 + seed % 3 * 2, 3 + seed // 3, seed))
                self.hold({"kind": "custom", "file": self.path(file)}, ports)


if __name__ == "__main__":
    main()
