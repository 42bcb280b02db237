#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Makes generated parts of the documentation: the tables of configuration keys and machines, and the
# pictures of waveforms, of a page and of networks. Called by ./dev docs, from the root of the
# project.
set -euo pipefail
flitscope=build/release/flitscope
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

{
    echo "# Configuration keys"
    echo
    echo "Made by \`flitscope keys --markdown\` from the table that reads configurations; do not edit."
    echo
    "$flitscope" keys --markdown
} >models/config/KEYS.md
{
    echo "# Machines"
    echo
    echo "Made by \`flitscope machines\` from the machine presets; do not edit."
    echo "A configuration with \`machine: delta\` has these values unless it sets the key itself. Cycles are"
    echo "those of the machine's \`clock_ns\`. \`flitscope run --out\` writes out every value that was used."
    echo
    "$flitscope" machines
} >models/config/MACHINES.md

"$flitscope" run testbench/configs/mesh_8x8_pex.yaml --trace "$work/links.vcd" \
    --set 'waveform.dimensions=[1]' --set waveform.from=2000 --set waveform.until=2500 >/dev/null
testbench/tools/screenshot_waveform.sh "$work/links.vcd" "$work/links.vcd.gtkw" "$work/shot.png" 1600x900
# Without the title, which names this folder.
convert "$work/shot.png" -chop 0x42 -colors 32 -strip PNG8:waveforms/occupancy.png
# The critical path of the same run, and the links that have most of it.
"$flitscope" run testbench/configs/mesh_8x8_pex.yaml --explain --trace "$work/path.vcd" \
    --set waveform.from=3000 --set waveform.until=3600 >/dev/null
testbench/tools/screenshot_waveform.sh "$work/path.vcd" "$work/path.vcd.gtkw" "$work/shot.png" 1600x900
convert "$work/shot.png" -chop 0x42 -crop 1600x420+0+0 +repage -colors 32 -strip PNG8:waveforms/critical.png
# One router of a verilated kind, its registers below the links that it serves.
"$flitscope" run testbench/configs/mesh_8x8_mixed.yaml --trace "$work/inner.vcd" \
    --set waveform.nodes=[] --set 'waveform.links=[27-28,28-29]' --set waveform.details=true \
    --set waveform.from=300 --set waveform.until=420 >/dev/null
# The save file lists every signal of the router in closed groups: here some of them, below the links.
mv "$work/inner.vcd.gtkw" "$work/all.gtkw"
{
    sed '/^@/,$d' "$work/all.gtkw"
    awk '/^@800200$/ { held = $0; next }
         held != "" { if (/^-dimension [0-9]+, /) on = 1; if (on) print held; held = "" }
         on && !/^\[pattern_trace\]/' "$work/all.gtkw"
    echo @28
    grep -E '^\+\{in [0-9] (valid|head)\}' <(sed -n '/: link_027_028$/,/^@1401200$/p' "$work/all.gtkw")
    echo @24
    grep -E '^#\{in [0-9] (destination|source|sequence)\}' \
        <(sed -n '/: link_027_028$/,/^@1401200$/p' "$work/all.gtkw")
    echo @22
    for signal in flit_valid_i valid target granted holding_q available send flit_valid_o \
        flit_tail_o credit_o credit_i taken_q; do
        grep "^+{router_028 $signal}" "$work/all.gtkw"
    done
    echo '+{credits of port 1} fabric.router_028.router.gen_credits[1].i_counter.count_q[3:0]'
} >"$work/inner.vcd.gtkw"
testbench/tools/screenshot_waveform.sh "$work/inner.vcd" "$work/inner.vcd.gtkw" "$work/shot.png" 1400x950
convert "$work/shot.png" -chop 0x42 -colors 32 -strip PNG8:hw/rtl/inner_signals.png
# page_picture NAME OPTION...: few colours, as pages have, keep it small.
page_picture() {
    convert "$work/shot.png" "${@:2}" +dither -colors 64 -strip "PNG8:testbench/app/report/page/$1.png"
}
# A page in the middle of its run, with a link chosen.
"$flitscope" report testbench/configs/mesh_8x8_pex.yaml -o "$work/page.html"
python3 -B testbench/tools/screenshot_page.py "$work/page.html" "$work/shot.png" --width 1400 --height 1500 \
    --do 'page.goTo(68); page.choose(page.network.find("27-28"));'
page_picture page -resize 1100x
"$flitscope" report testbench/configs/mesh_8x8_pex.yaml testbench/configs/hypercube_6_gen.yaml \
    -o "$work/pair.html"
python3 -B testbench/tools/screenshot_page.py "$work/pair.html" "$work/shot.png" --width 1400 --height 1000
page_picture pair_page -resize 1000x
"$flitscope" report testbench/configs/fat_tree_64_uniform.yaml -o "$work/tree.html"
python3 -B testbench/tools/screenshot_page.py "$work/tree.html" "$work/shot.png" --width 1400 --height 880
page_picture fat_tree -crop 960x560+0+320 +repage -resize 800x
# A study with a design chosen, and two networks under load.
"$flitscope" explore testbench/configs/studies/exchange_64_nodes.yaml --db "$work/exchange.db" >/dev/null
"$flitscope" report "$work/exchange.db" -o "$work/study.html"
python3 -B testbench/tools/screenshot_page.py "$work/study.html" "$work/shot.png" --width 1400 --height 1420 \
    --do 'page.choose(page.front[1]);'
page_picture study_page -resize 1000x
cp testbench/configs/mesh_8x8_steady.yaml "$work/mesh.yaml"
sed 's/kind: mesh/kind: torus/' "$work/mesh.yaml" >"$work/torus.yaml"
files=()
for network in mesh torus; do
    "$flitscope" curve "$work/$network.yaml" --set fabric.virtual_channels=2 --rates 0.05:0.5:0.05 \
        --json >"$work/$network.json"
    "$flitscope" saturate "$work/$network.yaml" --set fabric.virtual_channels=2 --quick \
        --json >"$work/${network}_saturation.json"
    files+=("$work/$network.json" "$work/${network}_saturation.json")
done
"$flitscope" report "${files[@]}" -o "$work/loads.html"
python3 -B testbench/tools/screenshot_page.py "$work/loads.html" "$work/shot.png" --width 1400 --height 760
page_picture loads_page -resize 1000x
testbench/tools/make_story.py "$flitscope"
testbench/tools/make_explain.py "$flitscope"
testbench/tools/make_topology_pictures.sh "$flitscope" models/topology/pictures
echo "made models/config/KEYS.md, models/config/MACHINES.md, waveforms/occupancy.png, waveforms/critical.png,"
echo "hw/rtl/inner_signals.png,"
echo "the pictures of testbench/app/report/page,"
echo "models/topology/pictures, testbench/app/study/story, and testbench/app/explain/EXAMPLES.md"
