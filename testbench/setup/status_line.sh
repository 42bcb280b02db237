# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Progress of what takes minutes, for ./dev, which sources this file: a line that lives on a terminal,
# a line every ten seconds elsewhere.

# Shows each line of standard input instead of the previous one.
show_status() {
    local line last=-10
    while IFS= read -r line; do
        if [ -t 2 ]; then
            printf '\r\033[K%.*s' "$((${COLUMNS:-80} - 1))" "$line" >&2
        elif ((SECONDS - last >= 10)); then
            echo "$line" >&2
            last=$SECONDS
        fi
    done
    if [ -t 2 ]; then printf '\r\033[K' >&2; fi
}

# SECONDS as minutes and seconds.
as_minutes() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# From what apt-get writes to APT::Status-Fd to lines for show_status: WHAT, per cent, and the package.
apt_status() {
    local kind package percent text
    while IFS=: read -r kind package percent text; do
        case $kind in
        dlstatus) echo "downloading $1: ${percent%%.*} %" ;;
        pmstatus) echo "installing $1: ${percent%%.*} %, $package" ;;
        esac
    done
}

# The progress format of ninja, for ninja_status: steps done, steps in all, seconds.
NINJA_STATUS_FORMAT='@%f %t %e|'

# From the output of ninja to lines for show_status; other lines, such as errors, go to standard
# error unchanged. The time left takes all steps for equally long.
ninja_status() {
    local line done total seconds
    while IFS= read -r line; do
        if [[ $line == @*'|'* ]]; then
            read -r done total seconds <<<"${line:1:${#line}}"
            seconds=${seconds%%.*}
            ((done > 0)) || continue
            echo "building: [$done/$total], $(as_minutes "$seconds"), about" \
                "$(as_minutes $((seconds * (total - done) / done))) left"
        elif [[ $line != 'ninja: Entering'* && $line != 'ninja: no work'* ]]; then
            printf '%s\n' "$line" >&2
        fi
    done
}
