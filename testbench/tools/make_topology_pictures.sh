#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Draws the networks of models/topology/README.md with `flitscope topology --draw`. From the root of
# the project: make_topology_pictures.sh FLITSCOPE FOLDER [svg|png]
set -euo pipefail
flitscope=$1
folder=$2
format=${3:-svg}
config=$(mktemp --suffix=.yaml)
trap 'rm -f "$config"' EXIT

# draw NAME TOPOLOGY
draw() {
    echo "fabric: {topology: {$2}}" >"$config"
    "$flitscope" topology "$config" --draw "$folder/$1.$format" >/dev/null
}

draw mesh 'kind: mesh, dims: [4, 6]'
draw cmesh 'kind: mesh, dims: [4, 4], concentration: [2, 2], extra_nodes: [0, 3, 12, 15]'
draw torus 'kind: torus, dims: [5, 6]'
draw torus_folded 'kind: torus, dims: [5, 6], folded: true'
draw hypercube 'kind: hypercube, dimensions: 4'
draw ghc 'kind: ghc, dims: [4, 5]'
draw how_line 'kind: how, dims: [16], window: 3'
draw how 'kind: how, dims: [6, 8], window: 3'
draw sparse_hamming 'kind: sparse_hamming, dims: [6, 8], offsets: [[3], [2, 4]]'
draw express_line 'kind: express_mesh, dims: [17], segment: 4'
draw express_full 'kind: express_mesh, dims: [9, 9], segment: 4'
draw express_sparse 'kind: express_mesh, dims: [9, 9], segment: 4, layout: sparse'
draw express_shifted 'kind: express_mesh, dims: [9, 9], segment: 4, layout: shifted'
draw express_compound 'kind: express_mesh, dims: [9, 9], segment: 4, layout: compound'
draw express_hierarchy 'kind: express_mesh, dims: [9, 9], segment: 2, layout: hierarchy, levels: 3'
draw fat_tree 'kind: fat_tree, arity: 2, height: 3'
draw dragonfly 'kind: dragonfly, groups: 5, group_size: 4, global_links: 1'
draw custom "kind: custom, file: $PWD/testbench/configs/dragonfly_graph.yaml"
