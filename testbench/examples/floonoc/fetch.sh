#!/usr/bin/env bash
# Gets the sources that floonoc.f names into the folder `fetched` beside it. GITHUB names a mirror.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p fetched
get() {
    [ -d "fetched/$1" ] || git clone --quiet --depth 1 --branch "$2" \
        -c advice.detachedHead=false "${GITHUB:-https://github.com/pulp-platform}/$1" "fetched/$1"
}
get FlooNoC v0.5.0
get common_cells v1.37.0
