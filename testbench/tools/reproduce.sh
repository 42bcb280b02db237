#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs the reproduction of all papers and compares it with testbench/papers/kept. Called by ./dev
# reproduce, from the root of the project.
#   reproduce.sh            compare; what an interrupted call has done is not done again
#   reproduce.sh --update   keep what comes out, with the pictures of the docs
set -euo pipefail
golden=testbench/papers/kept
out=out/reproduce
mkdir -p "$out"
build/release/testbench/papers/keep_routers "$out/routers.csv"
if [ "${1:-}" = --update ] && ! cmp -s "$out/routers.csv" "$golden/routers.csv"; then
    cp "$out/routers.csv" "$golden"
    ninja -C build/release flitscope-reproduce  # which has the clocks of the routers in it
fi
build/release/flitscope reproduce all --out "$out" >"$out.txt"
if [ "${1:-}" = --update ]; then
    for text in "$out"/*.txt; do
        cp "$text" "${text%.txt}.csv" "$golden"
    done
    cp "$out/conclusions.md" testbench/papers/CONCLUSIONS.md
    mkdir -p testbench/papers/pictures
    grep -o 'pictures/[^)]*' testbench/papers/CONCLUSIONS.md | while read -r picture; do
        cp "$out/$(basename "$picture")" "testbench/papers/$picture"
    done
    echo "kept in $golden and testbench/papers/CONCLUSIONS.md"
    exit
fi
different=0
for kept in "$golden"/*; do
    diff -u "$kept" "$out/$(basename "$kept")" || different=1
done
[ $different -eq 0 ] && echo "as kept in $golden; tables and plots: $out"
exit $different
