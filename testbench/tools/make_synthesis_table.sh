#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Makes the tables of hw/rtl/SYNTHESIS.md: routers of a 2-D mesh, every depth, number of virtual
# channels and allocation, and deep ones of a 4-D mesh; then deep ones with 8 virtual channels.
# Called by ./dev synth-table; earlier syntheses are reused.
set -euo pipefail
flitscope=build/release/flitscope
page=hw/rtl/SYNTHESIS.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# routers DIMS DEPTHS CHANNELS: a table of them with either allocation.
routers() {
    cat >"$work/mesh.yaml" <<YAML
fabric:
  topology: {kind: mesh, dims: $1}
traffic: {pattern: uniform}
YAML
    "$flitscope" synth "$work/mesh.yaml" --full-routers --markdown --sweep "fabric.buffer_depth=$2" \
        --sweep "fabric.virtual_channels=$3" --sweep fabric.allocation=sequential,combined
}

. testbench/tools/put_table.sh

{
    routers '[4, 4]' 2,4,8 1,2,4
    routers '[2, 2, 2, 2]' 8 1,2,4
} >"$work/found"
# Two tables of the same shape become one; the text below them occurs once.
{
    grep -m 2 '^|' "$work/found"
    grep '^| *[0-9]' "$work/found"
    echo
    grep -v -e '^|' -e '^$' "$work/found" | sort -u
} >"$work/table"
put table "$work/table"
routers '[4, 4]' 8 8 | grep '^|' >"$work/eight"
put 'eight channels' "$work/eight"
echo "made the tables of $page"
