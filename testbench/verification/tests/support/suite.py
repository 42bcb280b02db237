# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests in Python share: how deep they go, what they need, how they end.

FLITSCOPE_DEPTH says how deep (testbench/README.md); depth.h reads the same for tests in C++.
"""
import importlib.util
import os
import resource
import shutil
import sys
import unittest

_ASKED = os.environ.get("FLITSCOPE_DEPTH", "")
TAKES_ALL = _ASKED != ""
EXIT_SKIPPED = 77  # CMakeLists.txt says so to CTest


def cases_of(sample, everything):
    """How many random cases a test takes: of two numbers one, or as many as were asked for."""
    if not TAKES_ALL:
        return sample
    return everything if _ASKED == "all" else int(_ASKED)


def sample_of(items, few):
    """Of a list what a test takes: all of it, or `few` that lie evenly in it, the first one among them."""
    items = list(items)
    if TAKES_ALL or few >= len(items):
        return items
    return [items[i * len(items) // few] for i in range(few)]


# For a test or a class of tests that takes long, or tries all cases of which the other tests take a
# sample. CMakeLists.txt reads it, too.
campaign = unittest.skipUnless(TAKES_ALL, "a campaign: ./dev test all")


def needs(*programs, of):
    """Of a test or a class of tests: these programs, which `./dev setup OF` installs."""
    path = os.environ["PATH"] + ":/usr/sbin"
    missing = [program for program in programs if not shutil.which(program, path=path)]
    return unittest.skipIf(missing, f"needs {', '.join(missing)}: ./dev setup {of}")


def needs_modules(*modules, of):
    """Of a test or a class of tests: these modules of Python, for the interpreter that runs it."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    return unittest.skipIf(missing, f"{sys.executable} needs the modules {', '.join(missing)}: ./dev setup {of}, "
                           "and Debian's own python3")


needs_synthesis = needs("yosys", "sta", of="synth")


def processor_seconds():
    """Of this process and those that it has waited for."""
    usages = [resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def main():
    """Runs the tests of the calling file. Ends with EXIT_SKIPPED where there was none that could run."""
    result = unittest.main(module="__main__", verbosity=2, exit=False).result
    print(f"processor: {processor_seconds():.2f} s", flush=True)
    if not result.wasSuccessful():
        sys.exit(1)
    skipped = {test.id() for test, _ in result.skipped}
    sys.exit(EXIT_SKIPPED if skipped and len(skipped) >= result.testsRun else 0)
