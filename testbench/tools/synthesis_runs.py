# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Schedules of one network for make_synthesis.py: the one that is found, the best of the papers, and what
the routes allow. Every figure is simulated by the program."""
import collections
import json

from flitscope_program import call

LONG = 2048  # bytes: 256 flits and a header
BASE = "fabric: {virtual_channels: 2, switch_arbitration: per_packet}\n"
RANDOM_BYTES = 16384  # in chunks, each with its own header
PAPER_BYTES = 1024
FLIT_BYTES = 8
REDUCED_BYTES = 1 << 20
DRAGONFLY = "{kind: dragonfly, groups: 9, group_size: 4, global_links: 2}"
# Schedules of the papers; their requirements are found by trying.
PAPERS = ("pex", "pex-gen", "pex-gen-shift", "gen", "naive", "bounded-contention", "aap")


def run(program, *arguments):
    return call(program, *arguments, quiet=True)


def grid(kind, dims):
    return f"{{kind: {kind}, dims: [{', '.join(map(str, dims))}]}}"


def synthesize(program, folder, name, topology, ports, collective, size, *options):
    """On the machine of most sections; rounds without contention."""
    config = folder / "base.yaml"
    found = synthesize_for(program, folder, name, config, collective, size, "--set",
                           f"fabric.topology={topology}", "--set", f"node.port_model={ports}", *options)
    assert found["contention"]["link"] == 1, found
    return found


def synthesize_for(program, folder, name, config, collective, size, *options):
    file = folder / f"{name}.csv"
    found = json.loads(run(program, "find-schedule", str(config), "--collective", collective,
                           "--message-bytes", str(size), "-o", str(file), "--json", *options))
    with open(file) as rows:
        sends = collections.Counter(row.split(",", 1)[0] for row in rows if row[0].isdigit())
    found["most_sends"] = max(sends.values())
    file.unlink()
    assert found["status"] == "complete", found
    # The page is about what is found, also where the file has a quicker schedule of the catalogue.
    found["cycles"] = found["found_cycles"]
    found["optimality_gap"] = found["cycles"] / found["bound_cycles"] - 1
    assert found["cycles"] >= found["bound_cycles"], found
    return found


def best_of_papers(program, folder, settings, size):
    """Schedule and cycles."""
    config = folder / "base.yaml"
    best = None
    for schedule in PAPERS:
        for barrier in (None, "{fixed: 0}"):
            words = ["--set", f"traffic.schedule={schedule}", "--set", f"traffic.message_bytes={size}"]
            for setting in settings:
                words += ["--set", setting]
            if barrier:
                words += ["--set", f"traffic.barrier={barrier}"]
            try:
                cycles = json.loads(run(program, "run", config, "--json", *words))["cycles"]
            except RuntimeError:
                continue  # nothing for this network
            if best is None or cycles < best[1]:
                best = (schedule + (", barrier" if barrier else ""), cycles)
    return best


def least_on_routes(program, folder, settings, size):
    """Cycles of any direct messages on the routes of the fabric: those of the fullest channel."""
    config = folder / "base.yaml"
    text = run(program, "schedule", config, "--json", "--set", "traffic.schedule=naive", "--set",
               f"traffic.message_bytes={size}", *(part for s in settings for part in ("--set", s)))
    bounds = json.loads(text)["lower_bounds"]
    return max(bounds[channel] for channel in ("injection", "ejection", "link"))


def per_cent(share):
    return f"{100 * share:.2f} %"


def hypercube(dimensions):
    return f"{{kind: hypercube, dimensions: {dimensions}}}"
