# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Calls of flitscope, for the scripts that make pages of what it prints."""
import subprocess


def call(program, *words, quiet=False):
    """What the program prints. What it says on standard error is shown at once, or, where it is to be
    quiet, only in the RuntimeError of a call that fails."""
    done = subprocess.run([program, *map(str, words)], check=False, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE if quiet else None)
    if done.returncode != 0:
        raise RuntimeError(f"{words} ended with {done.returncode}: {done.stderr or ''}")
    return done.stdout
