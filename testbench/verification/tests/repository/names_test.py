#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Comments and documents name files that exist, and nobody but its owner asks what a setting is
called.

usage: names_test.py ROOT
"""

import collections
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import suite  # noqa: E402
import tree  # noqa: E402

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
SOURCES = {".h", ".cpp", ".sv", ".v"}
SCRIPTS = {".py", ".sh", ".cmake", ".txt"}

ENDINGS = "h|cpp|sv|v|py|sh|yaml|md|txt|csv|json|svg|png|vlt|cmake"
FILE = re.compile(r"(?<![\w/.<{}$*-])((?:\.\./)*(?:[\w.-]+/)*[\w-]+\.(?:" + ENDINGS +
                  r"))(?![\w*(/-])(?!\.\w)")
# Placeholders for names, and files that programs write or a reader makes.
PLACEHOLDER = re.compile(r"[A-Z]+(/[A-Z]+)*\.\w+")
MADE = {"summary.json", "links.csv", "nodes.csv", "messages.csv", "energy.csv", "run.json", "steps.csv", "ranks.csv", "config.yaml", "conclusions.md", "run.png", "thakur_synthesized.csv",
        "graph.yaml", "mine.yaml", "routes.csv", "mine.svg", "curve.svg", "MyRouter.sv", "fabric.sv", "fabric_pkg.sv",
        "stream_fabric.sv", "axi_fabric.sv", "stream_top.sv", "axi_top.sv"}

# Settings whose values only their owners compare: readers of configurations, and the families of
# topologies, which define each kind and layout.
SETTING = (r"\b(?:kind(?:\(\))?|layout|switching|switch_arbitration|port_model|router|"
           r"router_of\([^)]*\)|engine(?:\(\))?|schedule|pattern)")
COMPARED = re.compile(SETTING + r' [=!]= (?:"|std::string)|graph\.kind\(\) [=!]=|'
                      r'"[\w-]+" [=!]= ' + SETTING + r'|\b(?:kind|layout|switching|port_model)'
                      r'\.compare\(')
OWNERS = ("models/config/", "models/topology/families/", "testbench/verification/tests/")
# The remaining exceptions, by file. An entry that is no longer needed has to be removed.
LEFT = {}


FILES = [path.relative_to(ROOT).as_posix() for path in tree.files(ROOT)]


def comments(path, text):
    """(line number, what is said) of the comments of a source, or of the prose of a document."""
    block = False
    for number, line in enumerate(text.splitlines(), start=1):
        if path.suffix == ".md":
            if line.startswith("```"):
                block = not block
            elif not block:
                yield number, line
        elif path.suffix in SOURCES:
            if (at := line.find("//")) >= 0 and '"' not in line[:at]:
                yield number, line[at + 2:]
        elif said := re.match(r"\s*#(.*)", line):
            yield number, said.group(1)


def exists(path, name):
    """Beside the file that names it, from the root, or the only one below that file or at all."""
    if (path.parent / name).exists() or (ROOT / name).exists():
        return True
    alike = [other for other in FILES if other.endswith(f"/{name}")]
    below = [other for other in alike
             if other.startswith(path.relative_to(ROOT).parent.as_posix() + "/")]
    return len(alike) == 1 or len(below) == 1


class Names(unittest.TestCase):
    def test_files_that_are_named_exist(self):
        wrong, seen = [], 0
        for file in FILES:
            path = ROOT / file
            if path.suffix not in SOURCES | SCRIPTS | {".md"}:
                continue
            for number, said in comments(path, path.read_text()):
                for name in FILE.findall(said):
                    seen += 1
                    made = name in MADE or PLACEHOLDER.fullmatch(name)
                    if not made and not exists(path, name):
                        wrong.append(f"{file}:{number}: {name}")
        if wrong:
            self.fail("no such file, or several of that name:\n" + "\n".join(wrong))
        self.assertGreater(seen, 300)

    def test_settings_are_compared_by_their_owners_alone(self):
        found = collections.defaultdict(list)
        for file in FILES:
            if pathlib.PurePath(file).suffix in {".h", ".cpp"} and not file.startswith(OWNERS):
                for number, line in enumerate((ROOT / file).read_text().splitlines(), start=1):
                    if COMPARED.search(line.split("//")[0]):
                        found[file].append(f"{file}:{number}: {line.strip()}")
        wrong = [line for file, lines in found.items() if len(lines) > LEFT.get(file, 0)
                 for line in lines]
        if wrong:
            self.fail("ask what it can do (a capability, an enumerator), not what it is called:\n" +
                      "\n".join(wrong))
        done = {file: len(found[file]) for file in LEFT if len(found[file]) < LEFT[file]}
        self.assertEqual(done, {}, "fewer than LEFT says: shorten the list")


if __name__ == "__main__":
    suite.main()
