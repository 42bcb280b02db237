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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import suite  # noqa: E402
import tree  # noqa: E402

ROOT = pathlib.Path(sys.argv.pop(1))

# Which top folders the sources of a top folder may include.
MAY_INCLUDE = {
    "models": {"models"},
    "tlm": {"models", "tlm"},
    "traffic": {"models", "traffic"},
    "hw": {"models", "hw"},
    "waveforms": {"models", "waveforms"},
    "testbench": {"models", "tlm", "traffic", "hw", "waveforms", "testbench"},
}
# The files of models/ that use the SystemC kernel.
KERNEL_IN_MODELS = ("models/fabric/message_port.h", "models/fabric/fabric.h")


def sources():
    for folder in MAY_INCLUDE:
        for path in tree.files(ROOT, folder):
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

    def test_folders_include_only_what_is_on_their_link_line(self):
        libraries = {}  # folder: names of libraries
        links = {}      # library: libraries that it names itself
        for lists in tree.files(ROOT):
            folder = lists.parent.relative_to(ROOT)
            if lists.name != "CMakeLists.txt" or "tests" in folder.parts:
                continue
            text = lists.read_text()
            for name, body in re.findall(r"^flitscope_library\((\w+)([^)]*)\)", text, re.MULTILINE):
                libraries.setdefault(folder.as_posix(), []).append(name)
                links[name] = set(re.findall(r"flitscope::(\w+)", body))
            # Several libraries under one name.
            for name, body in re.findall(r"^target_link_libraries\(flitscope_(\w+) INTERFACE([^)]*)\)",
                                         text, re.MULTILINE):
                links.setdefault(name, set()).update(re.findall(r"flitscope::(\w+)", body))

        def reached(name, seen):
            for other in links.get(name, ()):
                if other not in seen:
                    seen.add(other)
                    reached(other, seen)
            return seen

        for name in links:
            with self.subTest(library=name):
                self.assertNotIn(name, reached(name, set()), "uses itself")
        def folder_of(path):
            """The nearest folder that is a library."""
            return next((p.as_posix() for p in path.parents if p.as_posix() in libraries), None)

        checked = 0
        for path, text in sources():
            folder = folder_of(path)
            own = libraries.get(folder)
            for name in includes(text) if own else ():
                other = folder_of(pathlib.PurePosixPath(name))
                if other in (None, folder):
                    continue
                checked += 1
                with self.subTest(file=str(path), include=name):
                    self.assertTrue(set(libraries[other]) & set().union(*(
                        reached(library, set()) for library in own)),
                        f"{folder} does not link flitscope::{libraries[other][0]}")
        self.assertGreater(checked, 100)

    def test_no_folder_includes_itself_through_others(self):
        edges = {}
        for path, text in sources():
            for name in includes(text):
                folder = pathlib.PurePosixPath(name).parent
                if folder != path.parent and (ROOT / name).is_file():
                    edges.setdefault(path.parent.as_posix(), {})[folder.as_posix()] = str(path)

        def reached(folder, seen):
            for other in edges.get(folder, ()):
                if other not in seen:
                    seen.add(other)
                    reached(other, seen)
            return seen

        for folder in edges:
            with self.subTest(folder=folder):
                back = [f"{edges[folder][other]} includes {other}" for other in edges[folder]
                        if folder in reached(other, {other})]
                self.assertEqual(back, [])

    def test_models_know_no_kernel_but_in_the_message_seam(self):
        for path, text in sources():
            if path.parts[0] == "models" and re.search("<(systemc|tlm)>", text):
                self.assertTrue(path.as_posix().startswith(KERNEL_IN_MODELS), path)

    def test_one_file_names_all_engines(self):
        names_all = []
        for path, text in sources():
            if "tests" in path.parts:
                continue
            if "tlm/engine/fabric.h" in includes(text) and "testbench" in path.parts:
                names_all.append(path.as_posix())
        self.assertEqual(names_all, ["testbench/app/run/engines.cpp"])

    def test_every_source_is_built(self):
        for path, _ in sources():
            if path.suffix != ".cpp":
                continue
            lists = [ROOT / parent / "CMakeLists.txt" for parent in path.parents]
            name = path.stem if path.name.endswith("_test.cpp") else path.name
            listed = any(re.search(rf"\b{re.escape(name)}\b", l.read_text())
                         for l in lists if l.is_file())
            # Those of testbench/setup are built by the modules there.
            modules = [m.read_text() for m in (ROOT / path.parent).glob("*.cmake")]
            probed = any(re.search(rf"/{re.escape(name)}\b", m) for m in modules)
            self.assertTrue(listed or probed, f"{path} is in no CMakeLists.txt")

    def test_every_test_in_python_is_run(self):
        """Named in the list by its path, or by what a loop over names puts into one; those of the command line are
        found there."""
        tests = ROOT / "testbench/verification/tests"
        text = (tests / "CMakeLists.txt").read_text()
        self.assertIn("cli/*_test.py", text)
        for path in sorted(tests.rglob("*_test.py")):
            folder, name = path.parent.name, path.stem.removesuffix("_test")
            by_loop = f"{folder}/${{test}}_test" in text and re.search(rf"IN ITEMS [^)]*\b{name}\b", text)
            self.assertTrue(folder == "cli" or f"{folder}/{path.stem}" in text or by_loop,
                            f"{path} is in no CMakeLists.txt")

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
        for folder in sorted(listing.parent for listing in (ROOT / "hw/rtl").rglob("sources.txt")):
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
                                 [] if path.stem.endswith("_bind") else [path.stem])
                self.assertLessEqual(len(text.splitlines()), 200)

    def test_no_file_names_a_machine(self):
        for path, text in sources():
            self.assertIsNone(re.search(r'["\s(](/work|/home|/root)/', text), path)


if __name__ == "__main__":
    suite.main()
