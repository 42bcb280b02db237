#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Renders a waveform as GTKWave shows it, without a screen: a picture for the documentation, and the
# proof that a trace and its save file load.
#
# usage: screenshot_waveform.sh TRACE.vcd|TRACE.fst SAVE.gtkw OUT.png [WIDTHxHEIGHT]
# An empty TRACE ("") lets the save file name it. Exit codes: 0 done, 1 no picture, 2 usage.
set -u

fail() { echo "screenshot_waveform.sh: $1" >&2; exit "${2:-1}"; }

if [ $# -lt 3 ] || [ $# -gt 4 ]; then
    fail "usage: screenshot_waveform.sh TRACE SAVE.gtkw OUT.png [WIDTHxHEIGHT]" 2
fi
trace=$1 save=$2 out=$3 size=${4:-1600x900}

for tool in gtkwave import convert compare; do
    command -v "$tool" >/dev/null || fail "needs $tool (packages gtkwave, imagemagick)"
done
[ -z "$trace" ] || [ -r "$trace" ] || fail "cannot read $trace"
[ -r "$save" ] || fail "cannot read $save"

if [ "${SCREENSHOT_INSIDE:-}" != 1 ]; then
    command -v xvfb-run >/dev/null || fail "needs xvfb-run (packages xvfb, xauth)"
    SCREENSHOT_INSIDE=1 exec xvfb-run -a -s "-screen 0 ${size}x24" "$0" "$@"
fi

work=$(mktemp -d) || fail "cannot make a temporary folder"
viewer=
cleanup() {
    if [ -n "$viewer" ]; then kill "$viewer" 2>/dev/null; wait "$viewer" 2>/dev/null; fi
    rm -rf "$work"
}
trap cleanup EXIT

# A separate home: no .gtkwaverc of the user changes the picture.
HOME=$work gtkwave --rcvar 'splash_disable on' --rcvar "initial_window_x ${size%x*}" \
    --rcvar "initial_window_y ${size#*x}" ${trace:+"$trace"} "$save" >"$work/log" 2>&1 &
viewer=$!

# The picture is ready when the window shows many colours and has stopped changing.
stable=0
for _ in $(seq 150); do
    sleep 0.2
    kill -0 "$viewer" 2>/dev/null || { cat "$work/log" >&2; viewer=; fail "gtkwave ended by itself"; }
    import -silent -window root "$work/new.png" 2>/dev/null || continue
    colors=$(convert "$work/new.png" -format %k info: 2>/dev/null) || continue
    if [ "${colors:-0}" -gt 32 ] && [ -f "$work/old.png" ] &&
        [ "$(compare -metric AE "$work/old.png" "$work/new.png" null: 2>&1)" = 0 ]; then
        stable=$((stable + 1))
    else
        stable=0
    fi
    mv "$work/new.png" "$work/old.png"
    if [ "$stable" -ge 3 ]; then
        grep -iE 'error|could not|cannot|unable' "$work/log" >&2 && fail "gtkwave complained"
        mv "$work/old.png" "$out" || fail "cannot write $out"
        exit 0
    fi
done
cat "$work/log" >&2
fail "gtkwave showed no stable picture within 30 s"
