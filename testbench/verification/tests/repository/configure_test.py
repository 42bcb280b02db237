#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Configure and install say in one sentence what is missing.

usage: configure_test.py ROOT CMAKE
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import suite  # noqa: E402

CMAKE = sys.argv.pop(2)
ROOT = sys.argv.pop(1)


class Configure(unittest.TestCase):
    def refused(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([CMAKE, "-S", ROOT, "-B", folder, "-G", "Ninja", *options],
                                  capture_output=True, text=True, timeout=120)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        return " ".join(done.stderr.split())

    def test_a_missing_package_is_named_with_its_remedy(self):
        packages = (("CLI11", "libcli11-dev"), ("EXPAT", "libexpat1-dev"), ("fmt", "libfmt-dev"),
                    ("GTest", "libgtest-dev"), ("yaml-cpp", "libyaml-cpp-dev"))
        for name, package in suite.sample_of(packages, 2):
            with self.subTest(package=package):
                said = self.refused(f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON")
                self.assertIn(f"flitscope needs {name} (Debian package {package}), which was not "
                              "found: run ./dev setup", said)

    def test_an_installation_names_what_is_not_built(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([CMAKE, "-S", ROOT, "-B", folder, "-G", "Ninja",
                                   "-DFLITSCOPE_TESTS=OFF"],
                                  capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            for part, missing in (("dev", "libflitscope.a"),
                                  ("runtime", "router_[^ ]+.so, .*flitscope, .*flitscope.1")):
                with self.subTest(part=part):
                    done = subprocess.run([CMAKE, "--install", folder, "--prefix", f"{folder}/to",
                                           "--component", part],
                                          capture_output=True, text=True, timeout=60)
                    self.assertNotEqual(done.returncode, 0)
                    said = " ".join(done.stderr.split())
                    self.assertRegex(said, f"The part '{part}' of flitscope is not built: there is "
                                     f"no {missing}. Build everything first: cmake --build "
                                     f"{folder}")
                    self.assertFalse(pathlib.Path(folder, "to").exists(), "half of it")

    def test_systemc_of_another_standard_is_named(self):
        said = self.refused("-DCMAKE_CXX_STANDARD=20")
        self.assertIn("does not link as C++20, so it was built for another C++ standard", said)


if __name__ == "__main__":
    suite.main()
