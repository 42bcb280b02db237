# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The files that are flitscope's own: neither built nor fetched."""

import os

BUILT = {"build", "out", ".git"}  # at the top
FETCHED = "fetched"               # of an example (its fetch.sh)


def files(root, folder="."):
    """The paths of all files below a folder of `root`, in order."""
    found = []
    for base, folders, names in os.walk(root / folder):
        is_top = os.path.samefile(base, root)
        folders[:] = [f for f in folders if f != FETCHED and not (is_top and f in BUILT)]
        found += [os.path.join(base, name) for name in names]
    return [root / os.path.relpath(path, root) for path in sorted(found)]
