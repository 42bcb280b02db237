#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""What the documentation says is true: its commands run, its links lead somewhere, the reference of
keys is the program's own, the shipped configurations work.

usage: docs_test.py ROOT FLITSCOPE
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import suite  # noqa: E402
import tree  # noqa: E402

FLITSCOPE = pathlib.Path(sys.argv.pop(2)).resolve()
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
DOCS_TEST = pathlib.Path(__file__).resolve()
DOCS = [path for path in tree.files(ROOT) if path.suffix == ".md"]
# Commands that take longer than all others together: searches, yosys, verilator, clusters. Run only with
# FLITSCOPE_DEPTH=all.
LONG = re.compile(r"flitscope +(saturate|synth|reproduce) |--energy|slurm|verilator")
# Configurations that do not end well on purpose.
EXIT_CODES = {"ring_4_deadlock.yaml": 3}


def shell_blocks(text):
    return re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def commands(block):
    """Those of a block of the documentation, each with the lines that it goes on in. What installs, builds,
    tests or opens a window is run elsewhere."""
    lines = re.findall(r"(?:[^\n]*\\\n)*[^\n]*\n", block)
    return [line for line in lines if not line.startswith(("./dev", "gtkwave", "git", "cd "))]


def quick(commands):
    return [command for command in commands if suite.TAKES_ALL or not LONG.search(command)]


def call(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


class Documentation(unittest.TestCase):
    def test_commands_run_as_written(self):
        ran = 0
        for doc in DOCS:
            for block in shell_blocks(doc.read_text()):
                with tempfile.TemporaryDirectory() as folder:
                    lines = quick(commands(block))
                    script = "".join(lines).replace("build/release/flitscope", str(FLITSCOPE))
                    (pathlib.Path(folder) / "testbench").symlink_to(ROOT / "testbench")
                    with self.subTest(doc=doc.name, block=block):
                        done = call("bash", "-euo", "pipefail", "-c", script, cwd=folder)
                        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    ran += len(lines)
        self.assertGreater(ran, 5)

    def test_what_the_front_page_answers_with_works(self):
        text = (ROOT / "README.md").read_text()
        configuration, = re.findall(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        rows = text[text.index("| How do I ... |"):].split("\n\n")[0].splitlines()[2:]
        ran = 0
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "testbench").symlink_to(ROOT / "testbench")
            (pathlib.Path(folder) / "mine.yaml").write_text(configuration)
            (pathlib.Path(folder) / "soc.dot").write_text("graph { cpu -- xbar; xbar -- memory }")
            for row in rows:
                command = ""
                for words in re.findall(r"`([^`]+)`", row.split(" | ")[1]):
                    if words.startswith("--set "):  # to the same command
                        words = " ".join(command.split()[:2]) + " " + words
                    elif " " not in words and words != "list":
                        continue
                    command = words
                    if not quick([f"flitscope {words} "]):
                        continue
                    smaller = " --set fabric.buffer_depth=2" if words.startswith("synth") else ""
                    if words.startswith("verify") and not suite.TAKES_ALL:
                        smaller = " --set 'fabric.topology.dims=[4, 4]'"
                    with self.subTest(command=words):
                        done = call("bash", "-c", f"{FLITSCOPE} {words}{smaller}", cwd=folder)
                        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    ran += 1
        self.assertGreater(ran, 12)

    def test_dev_knows_every_command_that_is_named(self):
        known = set(re.findall(r"^\./dev (\w+)", call("bash", str(ROOT / "dev"), "help").stdout,
                               re.MULTILINE))
        for doc in DOCS:
            for name in re.findall(r"\./dev (\w+)", doc.read_text()):
                self.assertIn(name, known, doc)

    def test_links_lead_to_files(self):
        for doc in DOCS:
            for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", doc.read_text()):
                if "://" not in target:
                    self.assertTrue((doc.parent / target).exists(), f"{doc}: {target}")

    def test_sections_of_the_timing_contract_that_are_cited_exist(self):
        """A heading, or the words in bold or italics that a paragraph begins with."""
        contract = (ROOT / "hw" / "TIMING.md").read_text()
        sections = set(re.findall(r"^#+ (.*)$", contract, re.MULTILINE))
        sections |= set(re.findall(r"^\*{1,2}([^*\n]+?)\.?\*{1,2}", contract, re.MULTILINE))
        cited = 0
        for path in tree.files(ROOT):
            if path.suffix not in (".h", ".cpp", ".md", ".py", ".sv") or path == DOCS_TEST:
                continue
            text = re.sub(r'"\s*\n\s*"', "", path.read_text()).replace('\\"', '"')
            text = re.sub(r"\s*\n\s*(//+|#)?\s*", " ", text)
            for section in re.findall(r'TIMING\.md, "([^"]+)"', text):
                self.assertIn(section, sections, path)
                cited += 1
        self.assertGreater(cited, 40)

    def test_every_promise_names_a_test_that_exists(self):
        """As `FILE: NAME`, a method of Python or SUITE.NAME of GoogleTest: each row of the table, and what
        stands below it."""
        text = (ROOT / "testbench" / "app" / "cli" / "PROMISES.md").read_text()
        for row in re.findall(r"^\| \*\*.*$", text, re.MULTILINE):
            self.assertRegex(row, r"`[\w/]+\.(py|cpp): ")
        tests = re.findall(r"`([\w/]+\.(?:py|cpp)): ([\w.]+)`", text)
        self.assertGreater(len(tests), 30)
        for name, test in tests:
            found = (ROOT / "testbench" / "verification" / "tests" / name).read_text()
            suite, _, case = test.rpartition(".")
            declared = rf"^TEST(_F|_P)?\({suite}, {case}\)" if suite else rf"^    def {case}\("
            self.assertRegex(found, re.compile(declared, re.MULTILINE), test)

    def test_variables_of_environment_and_cmake_are_documented(self):
        documented = set(re.findall(r"^\| `([A-Z_]+)` \|",
                                    (ROOT / "testbench/README.md").read_text(), re.MULTILINE))
        read = set(re.findall(r"\$\{([A-Z_]+):[-+]", (ROOT / "dev").read_text()))
        for path in tree.files(ROOT):
            if path.suffix in (".h", ".cpp"):
                read |= set(re.findall(r'(?:getenv|environment)\("([A-Z_]+)"\)', path.read_text()))
            elif path.suffix == ".py":
                read |= set(re.findall(r'environ\.get\("(FLITSCOPE\w*)"', path.read_text()))
            elif path.suffix == ".sh":
                read |= set(re.findall(r"\$\{(FLITSCOPE_\w+):-", path.read_text()))
            elif path.name == "CMakeLists.txt" or path.suffix == ".cmake":
                read |= set(re.findall(r"option\((FLITSCOPE_\w+)", path.read_text()))
                read |= set(re.findall(r"set\((FLITSCOPE_\w+) [^)]*\bCACHE [A-Z]", path.read_text()))
        self.assertGreater(len(read), 10)
        of_all_programs = {"PATH", "HOME", "XDG_CACHE_HOME"}
        self.assertEqual(documented, read - of_all_programs)

    def test_reference_of_keys_is_up_to_date(self):
        reference = (ROOT / "models/config/KEYS.md").read_text()
        self.assertTrue(reference.endswith(call(str(FLITSCOPE), "keys", "--markdown").stdout),
                        "run ./dev docs")

    def test_tables_of_the_machines_are_up_to_date(self):
        tables = (ROOT / "models/config/MACHINES.md").read_text()
        self.assertTrue(tables.endswith(call(str(FLITSCOPE), "machines").stdout), "run ./dev docs")

    def test_tables_are_put_between_marks_that_are_there(self):
        with tempfile.TemporaryDirectory() as work:
            page = pathlib.Path(work) / "page.md"
            table = pathlib.Path(work) / "table"
            table.write_text("new\n")

            def put(name):
                return subprocess.run(
                    ["bash", "-ec", f". testbench/tools/put_table.sh; put {name} {table}"], cwd=ROOT,
                    env={**os.environ, "page": str(page), "work": work}, capture_output=True,
                    text=True, check=False)
            text = "a\n<!-- x -->\nold\n<!-- end of x -->\nb\n<!-- y -->\nold\n"
            page.write_text(text)
            for name in ("y", "z"):
                done = put(name)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn("has no line <!-- ", done.stderr)
                self.assertEqual(page.read_text(), text)
            self.assertEqual(put("x").returncode, 0)
            self.assertEqual(page.read_text(), text.replace("old", "new", 1))

    def assert_made_by(self, maker):
        done = subprocess.run([str(ROOT / "testbench/tools" / maker), str(FLITSCOPE), "--check"],
                              cwd=ROOT, capture_output=True, text=True, timeout=900)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @suite.campaign
    def test_the_story_is_up_to_date(self):
        """It explores networks, with routers that yosys synthesizes."""
        self.assert_made_by("make_story.py")

    def test_what_explain_says_is_up_to_date(self):
        self.assert_made_by("make_explain.py")

    def test_shipped_configurations_are_named(self):
        """Schedules stand for themselves: there is one file for each of `flitscope list`."""
        configs = ROOT / "testbench/configs"
        shipped = [p for p in sorted(configs.iterdir()) if p.is_file()]
        self.assertGreater(len(shipped), 40)
        for page, files in (("testbench/README.md", shipped),
                            ("testbench/app/study/README.md", sorted((configs / "studies").iterdir()))):
            text = (ROOT / page).read_text()
            for path in files:
                self.assertIn(f"`{path.name}`", text, page)

    def test_shipped_configurations_run(self):
        configs = [c for c in sorted((ROOT / "testbench/configs").glob("*.yaml"))
                   if "traffic:" in c.read_text()]
        self.assertGreater(len(configs), 4)
        checked = suite.sample_of(configs, 12)  # a run begins with what check does
        for config in configs:
            with self.subTest(config=config.name):
                if config in checked:
                    self.assertEqual(call(str(FLITSCOPE), "check", str(config)).returncode, 0)
                done = call(str(FLITSCOPE), "run", str(config))
                self.assertEqual(done.returncode, EXIT_CODES.get(config.name, 0), done.stderr)


if __name__ == "__main__":
    suite.main()
