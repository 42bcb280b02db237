#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The structure of the repository is what ARCHITECTURE says: layers, file lists, headers.

usage: layers_test.py ROOT
"""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))

# Which folders the sources of a folder may include.
MAY_INCLUDE = {
    "models": {"models"},
    "traffic": {"models", "traffic"},
    "hw": {"models", "hw"},
    "waveforms": {"models", "waveforms"},
    "testbench": {"models", "traffic", "hw", "waveforms", "testbench"},
}
# The parts of models/ that know the SystemC kernel.
KERNEL_IN_MODELS = ("models/fabric/message_port.h", "models/fabric/fabric.h", "models/tlm/")


def sources():
    for folder in MAY_INCLUDE:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".h", ".cpp"}:
                yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


def includes(text):
    return re.findall(r'^#include "([^"]+)"', text, re.MULTILINE)


class Layers(unittest.TestCase):
    def test_folders_include_only_what_they_may(self):
        seen = 0
        for path, text in sources():
            for name in includes(text):
                first = name.split("/")[0]
                if first not in MAY_INCLUDE:
                    continue
                seen += 1
                with self.subTest(file=str(path), include=name):
                    self.assertIn(first, MAY_INCLUDE[path.parts[0]])
                    self.assertTrue((ROOT / name).is_file(), "no such file")
        self.assertGreater(seen, 100)

    def test_models_know_no_kernel_but_in_the_message_seam_and_tlm(self):
        for path, text in sources():
            if path.parts[0] == "models" and re.search("<(systemc|tlm)>", text):
                self.assertTrue(path.as_posix().startswith(KERNEL_IN_MODELS), path)

    def test_every_source_is_built(self):
        for path, _ in sources():
            if path.suffix != ".cpp":
                continue
            lists = [ROOT / parent / "CMakeLists.txt" for parent in path.parents]
            name = path.stem if path.name.endswith("_test.cpp") else path.name
            listed = any(re.search(rf"\b{re.escape(name)}\b", l.read_text())
                         for l in lists if l.is_file())
            probed = path.name == "systemc_probe.cpp"  # Dependencies.cmake links it
            self.assertTrue(listed or probed, f"{path} is in no CMakeLists.txt")

    def test_every_source_says_licence_and_purpose(self):
        for path, text in sources():
            with self.subTest(file=str(path)):
                lines = text.splitlines()
                self.assertTrue(lines[0].startswith("// SPDX-FileCopyrightText:"))
                self.assertEqual(lines[1], "// SPDX-License-Identifier: Apache-2.0")
                if path.suffix == ".h":
                    self.assertRegex(lines[3], r"^// \w", "say what the file is for")
                    self.assertIn("#pragma once", text)

    def test_rtl_is_listed_by_level(self):
        folder = ROOT / "hw/rtl"
        listed = re.findall(r"^[a-z]\S*", (folder / "sources.txt").read_text(), re.MULTILINE)
        self.assertEqual(sorted(listed), sorted(path.name for path in folder.glob("*.sv")))
        modules = [pathlib.Path(name).stem for name in listed]
        for number, name in enumerate(listed):
            text = re.sub(r"//.*", "", (folder / name).read_text())
            for later in modules[number + 1:]:
                self.assertNotRegex(text, rf"\b{later} #\(|\b{later}::", f"{name} is above it")

    def test_rtl_has_a_module_per_file_that_fits_on_a_few_pages(self):
        for path in sorted((ROOT / "hw/rtl").rglob("*.sv")):
            with self.subTest(file=path.name):
                text = path.read_text()
                self.assertEqual(re.findall(r"^(?:module|package) (\w+)", text, re.MULTILINE),
                                 [path.stem])
                self.assertLessEqual(len(text.splitlines()), 200)

    def test_no_file_names_a_machine(self):
        for path, text in sources():
            self.assertIsNone(re.search(r'["\s(](/work|/home|/root)/', text), path)


if __name__ == "__main__":
    unittest.main()
