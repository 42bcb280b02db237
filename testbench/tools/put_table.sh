#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# For the scripts that make tables: they set `page`, the document, and `work`, a folder of theirs.
: "${page:?}" "${work:?}"

# put NAME FILE: the file between the marks of that name, which must be there.
put() {
    local mark
    for mark in "<!-- $1 -->" "<!-- end of $1 -->"; do
        grep -qxF -- "$mark" "$page" && continue
        echo "error: $page has no line $mark" >&2
        return 1
    done
    {
        sed "/^<!-- $1 -->\$/q" "$page"
        cat "$2"
        echo "<!-- end of $1 -->"
        sed "1,/^<!-- end of $1 -->\$/d" "$page"
    } >"$work/page"
    cp "$work/page" "$page"
}
