# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Tables of pages in Markdown, and whether a page is still what it says, for the scripts that make
such pages."""
import difflib
import sys


def row(cells):
    return "| " + " | ".join(map(str, cells)) + " |"


def table(head, rows, rules=None):
    """Without a line feed at its end. `rules`: of each column, "---" or, with numbers to the right,
    "---:"; without them all are to the left."""
    rule = "|" + "---|" * len(head) if rules is None else row(rules)
    return "\n".join([row(head), rule, *map(row, rows)])


def require_unchanged(page, text, complaint):
    """Ends the program, with what differs and the complaint, where the page is not this text."""
    kept = page.read_text()
    if kept == text:
        return
    sys.stdout.writelines(difflib.unified_diff(kept.splitlines(True), text.splitlines(True),
                                               "kept", "now"))
    sys.exit(complaint)
