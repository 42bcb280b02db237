#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# The steps of a new user, in roots of Debian that have nothing else: the first command of the
# README, and a few runs of every kind. Each root is made for this and thrown away.
#
# usage: try_bare.sh [RELEASE...]     bookworm and trixie unless named; as root
# FLITSCOPE_BARE_TEST=1 also runs ./dev test there.
# Exit code 77 if no root can be made.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- bookworm trixie
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

git archive --format=tar --prefix=flitscope/ HEAD >"$work/sources.tar"
cat >"$work/inside.sh" <<'INSIDE'
set -euo pipefail
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 HOME=/root
cd /try && tar xf sources.tar && cd flitscope
step() { echo "---- $*"; }
. /etc/os-release
step "$PRETTY_NAME: ./dev demo"
begin=$SECONDS
./dev demo | tee /try/demo.txt
grep -q 'makespan          9,103 cycles' /try/demo.txt
step "./dev demo took $((SECONDS - begin)) s, packages included"
flitscope=build/release/flitscope
step "a smoke set"
$flitscope doctor
$flitscope run testbench/configs/mesh_8x8_pex.yaml --engine tlm --trace /try/run.fst | grep makespan
$flitscope cosim testbench/configs/mesh_8x8_mixed.yaml | tail -2
$flitscope curve testbench/configs/mesh_16x16_uniform.yaml --rates 0.05,0.1 | tail -3
$flitscope explain testbench/configs/mesh_8x8_pex.yaml | head -3
$flitscope compare --nodes 16 | head -4
# If the cell library is missing, synth says how to get one.
if ! $flitscope synth testbench/configs/mesh_8x8_pex.yaml 2>/try/synth.txt; then
    cat /try/synth.txt
    grep -q -- '--liberty' /try/synth.txt
fi
if [ -n "${FLITSCOPE_BARE_TEST:-}" ]; then
    step "./dev test"
    begin=$SECONDS
    ./dev test
    step "./dev test took $((SECONDS - begin)) s, packages and building included"
fi
INSIDE

for release; do
    rm -f "$work/begun"
    if ! mmdebstrap --quiet --variant=minbase --components=main \
        --customize-hook="touch $work/begun" \
        --customize-hook='mkdir "$1/try"' \
        --customize-hook="cp $work/inside.sh $work/sources.tar \"\$1/try\"" \
        --customize-hook="FLITSCOPE_BARE_TEST=${FLITSCOPE_BARE_TEST:-} chroot \"\$1\" bash /try/inside.sh" \
        "$release" /dev/null; then
        [ ! -e "$work/begun" ] || exit 1
        echo "$release WAS NOT TRIED: a bare root cannot be made here (no mirror in reach?)" >&2
        exit 77
    fi
    echo "the first run works in a bare $release"
done
