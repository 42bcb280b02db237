#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Synthesizes the routers whose clocks `flitscope reproduce` counts in, those of
testbench/papers/kept/routers.csv and any that are named, and writes that file. Called by
testbench/tools/reproduce.sh, from the root. What was synthesized before takes no time; all of it anew
some twenty minutes.

usage: keep_routers.py FLITSCOPE OUTPUT [VARIANT...]

VARIANT: router_pPORTS_vCHANNELS_dDEPTH_wBITS_r1_mesh or ..._mesh_hold, of an odd number of ports.
"""
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

KEPT = pathlib.Path("testbench/papers/kept/routers.csv")
COLUMNS = ["variant", "period_ns", "area_um2"]


def configuration(variant):
    """A machine with this router: a mesh of two nodes per dimension has as many ports."""
    parts = re.fullmatch(r"router_p(\d+)_v(\d+)_d(\d+)_w(\d+)_r1_mesh(_hold)?", variant)
    if parts is None or int(parts[1]) % 2 == 0:
        sys.exit(f"keep_routers: {variant} is no router of a mesh\n{__doc__}")
    ports, channels, depth, bits = (int(number) for number in parts.groups()[:4])
    fabric = {"topology": {"kind": "mesh", "dims": [2] * ((ports - 1) // 2)},
              "virtual_channels": channels, "buffer_depth": depth, "flit_bits": bits}
    if parts[5]:
        fabric["switch_arbitration"] = "per_packet"
    return json.dumps({"fabric": fabric})


def figures(flitscope, variant):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as config:
        config.write(configuration(variant))
        config.flush()
        done = subprocess.run([flitscope, "synth", config.name, "--json", "--full-routers"], text=True,
                              stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"keep_routers: {variant} was not synthesized")
    result, = json.loads(done.stdout)["results"]
    if result["variant"] != variant:
        sys.exit(f"keep_routers: {result['variant']} came out in place of {variant}")
    return {"variant": variant, "period_ns": round(result["min_period_ns"], 6),
            "area_um2": round(result["area_um2"], 3)}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    flitscope, output, *named = sys.argv[1:]
    kept = []
    if KEPT.exists():
        with KEPT.open(newline="", encoding="utf-8") as file:
            kept = [row["variant"] for row in csv.DictReader(file)]
    variants = list(dict.fromkeys(kept + named))
    rows = [figures(flitscope, variant) for variant in variants]
    with open(output, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
