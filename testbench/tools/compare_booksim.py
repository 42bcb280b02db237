#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The mean hops of networks with several nodes on a router, here and in BookSim2.

usage: compare_booksim.py FLITSCOPE BOOKSIM
       compare_booksim.py --runs BOOKSIM
       compare_booksim.py --routers BOOKSIM

BOOKSIM is the program that BookSim2's own makefile builds from its sources
(https://github.com/booksim/booksim2, with bison and flex). Both play packets of one flit at a load
so low that nothing is in the way. BookSim2 counts routers, which are one more than links, and what
nodes send to themselves, which is nothing here. Exit code 1 if some mean differs by more than 1 %.

With --runs BOOKSIM plays the configurations of testbench/verification/tests/cli/booksim_runs.json again
(ten minutes), and what it prints is compared with what was recorded; exit code 1 if that differs. To
record a configuration anew, put it there, and the figures that this prints.

With --routers BOOKSIM prints the table "Other routers" of testbench/app/cli/BOOKSIM.md: what BookSim2
accepts beyond saturation with other routers, over what it accepts with the plain one (ten minutes).
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCKS = "k = 4; n = 2; c = 4; x = 4; y = 4; xr = 2; yr = 2;"
CMESH = ("{kind: mesh, dims: [4, 4], concentration: [2, 2]}",
         f"topology = cmesh; {BLOCKS} routing_function = dor_no_express; num_vcs = 1;")
# Name, network here, network there, pattern here, pattern there.
CASES = [
    ("cmesh", *CMESH, "uniform", "uniform"),
    ("cmesh", *CMESH, "tornado", "tornado"),
    ("cmesh", *CMESH, "transpose", "transpose"),
    ("cmesh", *CMESH, "neighbour", "neighbor"),
    ("cmesh", *CMESH, "bit_complement", "bitcomp"),
    ("flatfly", "{kind: ghc, dims: [4, 4], concentration: [2, 2]}",
     f"topology = flatfly; {BLOCKS} routing_function = ran_min; num_vcs = 8;", "uniform", "uniform"),
    ("dragonfly",
     "{kind: dragonfly, groups: 9, group_size: 4, global_links: 2, concentration: 2}",
     "topology = dragonflynew; k = 2; n = 1; routing_function = min; num_vcs = 2;",
     "uniform", "uniform"),
    ("mesh 8x8", "{kind: mesh, dims: [8, 8]}",
     "topology = mesh; k = 8; n = 2; routing_function = dor; num_vcs = 1;", "uniform", "uniform"),
]
TOLERANCE = 0.01
PIPELINE = "routing_delay = 0; speculative = 1; use_noc_latency = 0;"
NETWORKS = [
    ("8 x 8 mesh", "topology = mesh; k = 8; n = 2; routing_function = dor;", 2),
    ("8 x 8 torus", "topology = torus; k = 8; n = 2; routing_function = dim_order_bal;", 4),
    ("hypercube of 64", "topology = mesh; k = 2; n = 6; routing_function = dor;", 2),
    ("4 x 4 mesh of 4 nodes", f"topology = cmesh; {BLOCKS} routing_function = dor_no_express;", 2)]
TRAFFICS = ["uniform", "transpose", "bitcomp"]
# Name, keys, those of the plain router.
ROUTERS = [
    ("input speedup 2", "input_speedup = 2;", ""),
    ("output speedup 2", "output_speedup = 2;", ""),
    ("both", "input_speedup = 2; output_speedup = 2;", ""),
    ("internal speedup 2", "internal_speedup = 2.0;", ""),
    ("shared FIFOs", "buffer_policy = shared; private_buf_size = 1; buf_size = {all};", ""),
    ("FIFOs of 16", "vc_buf_size = 16;", ""),
    ("2 passes", "sw_allocator = islip(2);", "sw_allocator = islip(1);"),
    ("3 passes", "sw_allocator = islip(3);", "sw_allocator = islip(1);")]
RUNS = pathlib.Path(__file__).parents[1] / "verification/tests/cli/booksim_runs.json"


def here(flitscope, folder, topology, pattern):
    """Links per packet between different nodes, and the number of nodes."""
    config = folder / "config.yaml"
    config.write_text(f"fabric: {{topology: {topology}, virtual_channels: 2}}\n"
                      f"traffic: {{pattern: {pattern}, injection_rate: 0.01, message_bytes: 0,\n"
                      "          measure_cycles: 200000}\n")
    done = subprocess.run([flitscope, "run", config, "--json"], check=True, capture_output=True)
    report = json.loads(done.stdout)
    return report["flit_hops"] / report["flits_delivered"], report["nodes"]


def there(booksim, folder, network, pattern):
    config = folder / "config"
    config.write_text(f"{network} traffic = {pattern}; vc_buf_size = 8; packet_size = 1;\n"
                      "injection_rate = 0.01; sample_period = 30000; sim_type = latency;\n")
    done = subprocess.run([booksim, config], cwd=folder, check=False, capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("Hops average")]
    if not lines:
        sys.exit(f"{booksim} printed no mean of hops:\n{done.stdout[-1000:]}{done.stderr[-1000:]}")
    return float(lines[-1].split()[3])


def figures(booksim, folder, configuration):
    """What BookSim2 prints of a run: latency of packets, its extremes, accepted flits per cycle and node."""
    config = folder / "config"
    config.write_text(configuration)
    done = subprocess.run([booksim, config], cwd=folder, check=False, capture_output=True, text=True)
    end = done.stdout.partition("Overall Traffic Statistics")[2]
    found = [re.search(name + r" = (\S+).*\n\s*minimum = (\S+).*\n\s*maximum = (\S+)", end)
             for name in ("Packet latency average", "Accepted flit rate average")]
    if None in found:
        sys.exit(f"{booksim} printed no figures of {configuration}:\n{done.stdout[-1000:]}")
    latency, accepted = found
    return float(latency[1]), [float(latency[2]), float(latency[3])], float(accepted[1])


def compare_runs(booksim):
    recorded = json.loads(RUNS.read_text())
    differ = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for run in recorded["zero_load"]:
            extremes = figures(booksim, folder, recorded["common"] + run["configuration"])[1]
            differ += extremes != run["latency"]
            print(f"{run['configuration']}\n  {extremes}, recorded {run['latency']}", flush=True)
        for run in recorded["runs"]:
            for point in run["loads"]:
                rate = point["injection_rate"]
                latency, _, accepted = figures(
                    booksim, folder, f"{recorded['common']} {run['configuration']} "
                    f"traffic = {run['traffic']}; injection_rate = {rate}; {point['sampling']}")
                known = (point["latency"], point["accepted"])
                differ += (latency, accepted) != known
                print(f"{run['name']} at {rate}: {latency} {accepted}, recorded {known}", flush=True)
    return 1 if differ else 0


def compare_routers(booksim):
    common = json.loads(RUNS.read_text())["common"]
    sampling = "sample_period = 3000; warmup_periods = 2; max_samples = 6; sim_type = throughput;"

    def accepted(folder, network, vcs, traffic, keys):
        return figures(booksim, folder, f"{common} {network} num_vcs = {vcs}; {PIPELINE} {sampling} "
                       f"traffic = {traffic}; injection_rate = 1.0; {keys.format(all=8 * vcs)}")[2]

    print(f"| network | traffic | {' | '.join(name for name, _, _ in ROUTERS)} |")
    print("|---|---" + "|---" * len(ROUTERS) + "|")
    with tempfile.TemporaryDirectory() as name:
        for title, network, vcs in NETWORKS:
            for traffic in TRAFFICS:
                of = {keys: accepted(pathlib.Path(name), network, vcs, traffic, keys)
                      for keys in {keys for _, *both in ROUTERS for keys in both}}
                ratios = [f"{of[keys] / of[plain]:.2f}" for _, keys, plain in ROUTERS]
                print(f"| {title} | {traffic} | {' | '.join(ratios)} |", flush=True)
    return 0


def main():
    if sys.argv[1] == "--routers":
        return compare_routers(pathlib.Path(sys.argv[2]).resolve())
    if sys.argv[1] == "--runs":
        return compare_runs(pathlib.Path(sys.argv[2]).resolve())
    flitscope, booksim = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    wrong = 0
    print(f"{'network':10} {'pattern':15} {'routers here':>12} {'BookSim2':>9}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for network, topology, configuration, pattern, other in CASES:
            links, nodes = here(flitscope, folder, topology, pattern)
            to_itself = {"uniform": 1 / nodes, "transpose": nodes ** -0.5}.get(pattern, 0)
            routers = 1 + (1 - to_itself) * links
            counted = there(booksim, folder, configuration, other)
            differs = abs(routers / counted - 1) > TOLERANCE
            wrong += differs
            print(f"{network:10} {pattern:15} {routers:12.3f} {counted:9.3f}"
                  f"{'  differs' if differs else ''}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main())
