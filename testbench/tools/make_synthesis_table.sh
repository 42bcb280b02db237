#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Makes the table of hw/rtl/SYNTHESIS.md: routers of a 2-D mesh, every depth, number of virtual
# channels and allocation, and deep ones of a 4-D mesh. Called by ./dev synth-table; what has been
# synthesized before is not done again.
set -euo pipefail
flitscope=build/release/flitscope
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for routers in '[4, 4] 2,4,8' '[2, 2, 2, 2] 8'; do
    cat >"$work/mesh.yaml" <<YAML
fabric:
  topology: {kind: mesh, dims: ${routers% *}}
traffic: {pattern: uniform}
YAML
    "$flitscope" synth "$work/mesh.yaml" --markdown --sweep "fabric.buffer_depth=${routers##* }" \
        --sweep fabric.virtual_channels=1,2,4 \
        --sweep fabric.allocation=sequential,combined >>"$work/table"
done
# Two tables of the same shape become one; what is said under them is said once.
{
    sed '/^<!-- table -->$/q' hw/rtl/SYNTHESIS.md
    grep -m 2 '^|' "$work/table"
    grep '^| *[0-9]' "$work/table"
    echo
    grep -v -e '^|' -e '^$' "$work/table" | sort -u
    echo '<!-- end of table -->'
    sed '1,/^<!-- end of table -->$/d' hw/rtl/SYNTHESIS.md
} >"$work/page"
cp "$work/page" hw/rtl/SYNTHESIS.md
echo "made the table of hw/rtl/SYNTHESIS.md"
