#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Makes the tables of hw/rtl/ENERGY.md: energies of routers of a 2-D mesh, and runs next to the
# gates of whole fabrics. Called by ./dev energy-tables; earlier syntheses are reused.
set -euo pipefail
flitscope=build/release/flitscope
page=hw/rtl/ENERGY.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

. testbench/tools/put_table.sh

cat >"$work/mesh.yaml" <<YAML
fabric:
  topology: {kind: mesh, dims: [4, 4]}
traffic: {pattern: uniform}
YAML
"$flitscope" synth "$work/mesh.yaml" --full-routers --energy --markdown --set fabric.buffer_depth=4 \
    --sweep fabric.virtual_channels=1,2,4 --sweep fabric.allocation=sequential,combined >"$work/routers"
put energies "$work/routers"
# rows_of OPTION...: the table of runs that the test prints.
rows_of() {
    FLITSCOPE_DEPTH=all python3 testbench/verification/tests/gates/fabric_energy_test.py "$flitscope" "$@" \
        --markdown | grep '^|'
}
rows_of >"$work/check"
rows_of --loads >"$work/loads"
put check "$work/check"
put loads "$work/loads"
echo "made the tables of $page"
