# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The Python package as users have it: installed by pip, with types, as its page says, in notebooks."""
import json
import os
import pathlib
import re
import shutil

from package_cli import PACKAGE, ROOT, PackageTest, main, needs_figures, needs_package, suite

# What a user's program asks of the types.
TYPED = """import flitscope
run = flitscope.run({"fabric": {}}, {"fabric.buffer_depth": 4}, out="out")
cycles: int = run.cycles
try:
    flitscope.curve("mesh.yaml", rates=[0.1], jobs=2)
except flitscope.ConfigError as error:
    line: str = error.line
flitscope.run("mesh.yaml", engin="tlm")
"""


@needs_package
class Installed(PackageTest):
    @suite.needs_modules("pip", "setuptools", "wheel", of="test")
    def test_pip_installs_it_from_the_sources(self):
        # A copy: pip builds in the folder of the package.
        copy = pathlib.Path(self.folder, "sources/testbench/python")
        shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
        shutil.copy(ROOT / "CMakeLists.txt", copy.parents[1])
        done = self.python("-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index", "--quiet",
                           "--target", self.path("site"), str(copy), PIP_ROOT_USER_ACTION="ignore")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(pathlib.Path(self.folder, "site/flitscope/py.typed").exists())
        shutil.rmtree(copy.parents[1])
        script = ("import flitscope, importlib.metadata\n"
                  "print(flitscope.__file__, flitscope.__version__, importlib.metadata.version('flitscope'))\n"
                  "print(flitscope.keys('seed').splitlines()[0])\n")
        done = self.python("-c", script, PYTHONPATH=self.path("site"))
        version = self.ok("--version").split()[1].rstrip(",")
        self.assertEqual(done.stdout.split(), [self.path("site", "flitscope", "__init__.py"), version, version, "seed"],
                         done.stderr)

    @suite.needs_modules("mypy", of="test")
    def test_it_is_typed(self):
        self.write("user.py", TYPED)
        done = self.python("-m", "mypy", "--config-file", str(PACKAGE / "pyproject.toml"), "--cache-dir", "cache",
                           str(PACKAGE / "flitscope"), "user.py", MYPYPATH=str(PACKAGE))
        errors = [line for line in done.stdout.splitlines() if ": error:" in line]
        self.assertEqual(len(errors), 2, done.stdout + done.stderr)
        self.assertIn("user.py:7: error: Incompatible types in assignment", errors[0])
        self.assertIn('user.py:8: error: Unexpected keyword argument "engin"', errors[1])


@needs_figures
class Shown(PackageTest):
    def test_the_page_runs_as_it_is_written(self):
        blocks = re.findall(r"^```python\n(.*?)^```", (PACKAGE / "README.md").read_text(), re.MULTILINE | re.DOTALL)
        self.assertGreater(len(blocks), 4)
        os.symlink(ROOT / "testbench", self.path("testbench"))
        self.write("page.py", "\n".join(blocks))
        done = self.python("page.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("fabric.bufer_depth - unknown key", done.stdout)
        self.assertLessEqual({"latency.svg", "hot.svg"}, self.everything())

    def notebook(self, name):
        """Runs a notebook as Jupyter would; its outputs, as one text, and how many figures are among them."""
        shutil.copy(PACKAGE / "notebooks" / f"{name}.ipynb", self.folder)
        done = self.python("-m", "nbconvert", "--to", "notebook", "--execute", "--output", "done.ipynb",
                           f"{name}.ipynb", PYDEVD_DISABLE_FILE_VALIDATION="1", MPLBACKEND="")
        self.assertEqual(done.returncode, 0, done.stderr)
        cells = json.loads(self.read("done.ipynb"))["cells"]
        outputs = [output for cell in cells for output in cell.get("outputs", ())]
        self.assertFalse([output for output in outputs if output["output_type"] == "error"])
        data = [output.get("data", {}) for output in outputs]
        return json.dumps(outputs), sum("image/png" in shown for shown in data)

    def test_every_notebook_is_stored_without_outputs(self):
        notebooks = sorted((PACKAGE / "notebooks").glob("*.ipynb"))
        self.assertEqual(len(notebooks), 3)
        for path in notebooks:
            cells = json.loads(path.read_text())["cells"]
            self.assertFalse([cell for cell in cells if cell.get("outputs")], path.name)
            self.assertIn(f"`{path.name}`", (PACKAGE / "README.md").read_text())

    @suite.needs_modules("nbconvert", "ipykernel", of="test")
    def test_the_notebook_of_who_runs_a_test_bench(self):
        shown, figures = self.notebook("testbench_user")
        self.assertEqual(figures, 3)
        self.assertIn("9,103 cycles, lower bound 5,550", shown)
        self.assertIn("exchange.vcd.gtkw", self.everything())

    @suite.needs_modules("nbconvert", "ipykernel", of="test")
    def test_the_notebook_of_who_compares_networks(self):
        shown, figures = self.notebook("network_designer")
        self.assertEqual(figures, 2)
        self.assertIn("pruned", shown)

    @suite.needs_modules("nbconvert", "ipykernel", of="test")
    def test_the_notebook_of_who_has_a_trace(self):
        shown, figures = self.notebook("application_owner")
        self.assertEqual(figures, 1)
        self.assertIn("links twice as wide", shown)


if __name__ == "__main__":
    main()
