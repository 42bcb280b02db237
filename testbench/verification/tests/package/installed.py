# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""What tests of the installed package share: a prefix that was moved, and how others build with it.

Their usage: TEST.py ROOT BUILD CMAKE CXX
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import suite  # noqa: E402, F401

CXX = sys.argv.pop(4)
CMAKE = sys.argv.pop(3)
BUILD = pathlib.Path(sys.argv.pop(2)).resolve()
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
CCACHE = shutil.which("ccache")
LAUNCHER = [f"-DCMAKE_CXX_COMPILER_LAUNCHER={CCACHE}", f"-DCMAKE_C_COMPILER_LAUNCHER={CCACHE}"
            ] if CCACHE else []
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("FLITSCOPE_")}
ENVIRONMENT["SYSTEMC_DISABLE_COPYRIGHT_MESSAGE"] = "1"


def call(*command, **options):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=900,
                          env={**ENVIRONMENT, **options.pop("env", {})}, **options)


class InstalledTest(unittest.TestCase):
    part = ()  # options of `cmake --install`

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="flitscope-package-")
        cls.folder = pathlib.Path(cls.scratch.name)
        first = cls.folder / "first"
        done = call(CMAKE, "--install", BUILD, "--prefix", first, *cls.part)
        assert done.returncode == 0, done.stderr
        # Wherever it was installed to: it is used somewhere else.
        cls.prefix = cls.folder / "moved"
        first.rename(cls.prefix)
        cls.program = cls.prefix / "bin/flitscope"
        cls.include = cls.prefix / "include"

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def ok(self, *command, **options):
        done = call(*command, **options)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def build(self, project, *options, generator="Ninja"):
        """Builds a project as its user does."""
        self.ok(CMAKE, "-S", project, "-B", project / "build", "-G", generator,
                f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_CXX_COMPILER={CXX}", *LAUNCHER,
                *options)
        self.ok(CMAKE, "--build", project / "build")
