#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Makes what the documentation shows: the table of configuration keys and the picture of a waveform.
# Called by ./dev docs, from the root of the project.
set -euo pipefail
flitscope=build/release/flitscope
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

{
    echo "# Configuration keys"
    echo
    echo "Made by \`flitscope keys\` from the table that reads configurations; do not edit."
    echo
    "$flitscope" keys
} >models/config/KEYS.md

"$flitscope" run testbench/configs/mesh_8x8_pex.yaml --trace "$work/links.vcd" \
    --set 'trace.links=[1-2,2-3,3-4,4-5]' --set trace.from=120 --set trace.until=420 >/dev/null
testbench/tools/screenshot_waveform.sh "$work/links.vcd" "$work/links.gtkw" "$work/shot.png" 1400x760
convert "$work/shot.png" -colors 32 -strip PNG8:waveforms/occupancy.png
echo "made models/config/KEYS.md and waveforms/occupancy.png"
