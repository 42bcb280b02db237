# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The version is that of the program, which the top CMakeLists.txt holds."""
import pathlib
import re

from setuptools import setup

lists = pathlib.Path(__file__).resolve().parents[2] / "CMakeLists.txt"
setup(version=re.search(r"^project\(flitscope VERSION ([\d.]+)", lists.read_text(), re.MULTILINE)[1])
