#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The list of packages is what ./dev can read, what CMake asks for is on it, and progress is told as it is.

usage: setup_test.py ROOT
"""

import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import suite  # noqa: E402

ROOT = pathlib.Path(sys.argv.pop(1))
SETUP = ROOT / "testbench/setup"
GROUPS = ("run", "test", "synth", "slurm", "docs", "fuzz", "package")


def listed():
    """(package, release or nothing, group) of each line."""
    for line in (SETUP / "packages.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, release, group = re.fullmatch(r"(\S+)(?: \[(\d+)\])? +(\w+) +\S.*", line).groups()
            yield name, release, group


def status(function, text, *words):
    call = f'. {SETUP}/status_line.sh; {function} "$@"'
    return subprocess.run(["bash", "-euc", call, "-", *words], input=text, capture_output=True,
                          text=True, check=True)


class Setup(unittest.TestCase):
    def test_every_package_has_one_group(self):
        packages = list(listed())
        self.assertGreater(len(packages), 30)
        names = [name for name, _, _ in packages]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual({group for _, _, group in packages}, set(GROUPS))

    def test_a_first_run_installs_neither_browsers_nor_tools_of_synthesis(self):
        run = {name for name, _, group in listed() if group == "run"}
        self.assertFalse(run & {"chromium", "slurm-wlm", "yosys", "clang", "gtkwave", "libgtest-dev"})

    def test_what_cmake_asks_for_is_on_the_list_in_its_group(self):
        groups = {name: group for name, _, group in listed()}
        text = (SETUP / "Dependencies.cmake").read_text()
        asked = re.findall(r"^\s*flitscope_(?:require|missing)\((?:\"[^\"]*\"|\S+)\s+([\w.+-]+)(?: (\w+))?\)",
                           text, re.MULTILINE)
        self.assertGreater(len(asked), 12)
        for package, group in asked:
            self.assertEqual(groups.get(package), group or "run", package)

    def test_dev_takes_what_this_release_has(self):
        functions = re.search(r"^packages\(\) \{.*?^\}", (ROOT / "dev").read_text(),
                              re.MULTILINE | re.DOTALL).group(0)
        for release in ("12", "13"):
            call = functions.replace(". /etc/os-release", f"VERSION_ID={release}") + '\npackages "$@"'
            for groups in (["run"], ["synth", "docs"], ["all"]):
                done = subprocess.run(["bash", "-euc", call, "-", *groups], cwd=ROOT,
                                      capture_output=True, text=True, check=True)
                self.assertEqual(done.stdout.split(),
                                 [name for name, only, group in listed() if only in (None, release)
                                  and (group in groups or groups == ["all"])])

    def test_progress_of_the_build_has_counts_and_time_left(self):
        said = status("ninja_status", "@25 100 30.2|Building a\nerror: no such thing\n@100 100 99.0|x\n")
        self.assertEqual(said.stdout.splitlines(), ["building: [25/100], 0:30, about 1:30 left",
                                                    "building: [100/100], 1:39, about 0:00 left"])
        self.assertEqual(said.stderr, "error: no such thing\n")

    def test_progress_of_packages_names_them(self):
        said = status("apt_status", "dlstatus:1:20.5:Retrieving\nSetting up x\npmstatus:libfoo:43.2:Doing\n",
                      "2 packages")
        self.assertEqual(said.stdout.splitlines(),
                         ["downloading 2 packages: 20 %", "installing 2 packages: 43 %, libfoo"])


if __name__ == "__main__":
    suite.main()
