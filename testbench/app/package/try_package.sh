#!/bin/sh
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs the Debian packages into a clean Debian that has nothing else, and uses them there: first
# only the program, then the library with a compiler, then the Python package. The root is made for this and thrown away.
#
# usage: try_package.sh FOLDER_WITH_PACKAGES        (as root, or if user namespaces are allowed)
# Exit code 77 if no root can be made.
set -eu
folder=$(cd "$1" && pwd)
. /etc/os-release

program=$(ls "$folder"/flitscope_*.deb)
library=$(ls "$folder"/libflitscope-dev_*.deb)
python=$(ls "$folder"/python3-flitscope_*.deb)
inside=$(mktemp -d)
trap 'rm -rf "$inside"' EXIT
cat >"$inside/inside.sh" <<'INSIDE'
set -eu
export DEBIAN_FRONTEND=noninteractive SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
install() { apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }
step() { echo "---- $*"; }

step "the program alone: $(ls /try/flitscope_*.deb)"
install /try/flitscope_*.deb
dpkg -s flitscope | grep '^Depends'
[ -z "$(ldd /usr/bin/flitscope | grep 'not found' || true)" ]
flitscope --version
flitscope run /usr/share/flitscope/configs/mesh_4x4_foreign.yaml | head -3
flitscope export /usr/share/flitscope/configs/mesh_8x8_pex.yaml --rtl /tmp/rtl >/dev/null
flitscope check /usr/share/flitscope/configs/mesh_8x8_pex.yaml >/dev/null
test -s /usr/share/man/man1/flitscope.1.gz || test -s /usr/share/man/man1/flitscope.1

step "the library, with what it asks for, a compiler and cmake: $(ls /try/libflitscope-dev_*.deb)"
install /try/libflitscope-dev_*.deb g++ cmake make
dpkg -s libflitscope-dev | grep '^Depends'
for example in platform own_nodes; do
    step "examples/$example"
    cmake -S /usr/share/doc/flitscope/examples/$example -B /tmp/$example >/dev/null
    cmake --build /tmp/$example >/dev/null
done
/tmp/platform/platform /usr/share/doc/flitscope/examples/platform/mesh.yaml
/tmp/own_nodes/own_nodes /tmp/run.fst
g++ /usr/share/doc/flitscope/examples/own_nodes/main.cpp -o /tmp/by_hand \
    $(pkg-config --cflags --libs flitscope)
/tmp/by_hand >/dev/null

step "examples/own_router, which needs verilator"
install verilator
cmake -S /usr/share/doc/flitscope/examples/own_router -B /tmp/own_router >/dev/null
cmake --build /tmp/own_router >/dev/null
/tmp/own_router/own_router

step "the Python package: $(ls /try/python3-flitscope_*.deb)"
install /try/python3-flitscope_*.deb
dpkg -s python3-flitscope | grep '^Depends'
python3 -c '
import flitscope
run = flitscope.run("/usr/share/flitscope/configs/mesh_4x4_program.yaml")
print(flitscope.__version__, flitscope.find_program(), len(run.links), "links")'

step "and nothing stays behind"
apt-get purge -y -qq flitscope libflitscope-dev python3-flitscope >/dev/null
[ -z "$(find /usr -name '*flitscope*')" ]
INSIDE
cp "$program" "$library" "$python" "$inside"
# A failure before the first step means a missing mirror, or missing rights to make a root.
if ! mmdebstrap --quiet --variant=minbase --components=main \
    --customize-hook="touch $inside/begun" \
    --customize-hook='mkdir "$1/try"' \
    --customize-hook="cp $inside/inside.sh $inside/*.deb \"\$1/try\"" \
    --customize-hook='chroot "$1" sh /try/inside.sh' \
    "$VERSION_CODENAME" /dev/null; then
    [ ! -e "$inside/begun" ] || exit 1
    echo "THE PACKAGES WERE NOT TRIED: a clean Debian cannot be made here (no mirror in reach?)" >&2
    exit 77
fi
echo "the packages work in a clean $PRETTY_NAME"
