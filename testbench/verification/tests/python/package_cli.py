# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python package share: the package of the sources, with the program under test.

Each test file is called as `python3 NAME_test.py PATH_OF_FLITSCOPE [unittest arguments]`.
"""
import os
import pathlib
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "cli"))
from flitscope_cli import POLL_S, TIMEOUT_S, CliTest, binary, main, mesh, suite  # noqa: E402,F401

ROOT = TESTS.parents[2]
PACKAGE = ROOT / "testbench/python"
CONFIGS = ROOT / "testbench/configs"
sys.path.insert(0, str(PACKAGE))

needs_package = suite.needs_modules("pandas", of="test")
needs_figures = suite.needs_modules("pandas", "matplotlib", of="test")


class PackageTest(CliTest):
    """In a folder of its own, which is the working directory."""

    def setUp(self):
        super().setUp()
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        os.environ["FLITSCOPE"] = binary()
        os.environ["MPLBACKEND"] = "Agg"

    def python(self, *words, **environment):
        """A process of Python that finds the package, without byte code in the sources."""
        return subprocess.run([sys.executable, "-B", *words], capture_output=True, text=True, timeout=TIMEOUT_S,
                              env={**os.environ, "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1",
                                   **environment})
