# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""`flitscope doctor`: what is there, in which version, and what is missing for which command; and what `synth`
says where it has no cell library."""
import json
import os
import pathlib
import unittest.mock

from flitscope_cli import CliTest, EXIT_OK, EXIT_USAGE, machine, main, mesh

IHP = "ihp-sg13g2"
# As open_pdks and ciel lay kits out, and as the platforms of OpenROAD-flow-scripts do.
LAYOUTS = (f"{IHP}/libs.ref/sg13g2_stdcell/lib/sg13g2_stdcell_typ_1p20V_25C.lib",
           f"{IHP}/lib/sg13g2_stdcell_typ_1p20V_25C.lib")


class Doctor(CliTest):
    def tool(self, name, content):
        path = pathlib.Path(self.path("bin", name))
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{content}\n")
        path.chmod(0o755)
        return str(path)

    def call_where(self, environment, *arguments):
        with unittest.mock.patch.dict(os.environ, environment):
            return self.call(*arguments)

    def rows(self, **environment):
        done = self.call_where(environment, "doctor", "--json")
        self.assertEqual(done.returncode, EXIT_OK, done.stderr)
        return {row["name"]: row for row in json.loads(done.stdout)["tools"]}

    def test_what_is_there_has_a_version_and_what_is_not_a_remedy(self):
        verilator = self.tool("verilator", "echo 'Verilator 9.876 2030-01-01'")
        rows = self.rows(PATH=self.path("bin"))
        self.assertEqual((rows["verilator"]["path"], rows["verilator"]["version"]),
                         (verilator, "9.876"))
        for name, package in (("yosys", "yosys"), ("sta", "opensta"), ("gnuplot", "gnuplot-nox")):
            self.assertIsNone(rows[name]["path"])
            self.assertIsNone(rows[name]["version"])
            self.assertIn(package, rows[name]["remedy"])
        text = self.call_where({"PATH": self.path("bin")}, "doctor").stdout
        self.assertRegex(text, r"verilator +9\.876 +RTL routers")
        self.assertRegex(text, r"yosys +missing +synth.*apt-get install yosys")

    def test_a_tool_that_cannot_say_its_version_is_there_all_the_same(self):
        self.tool("verilator", "echo oh no; exit 3")
        row = self.rows(PATH=self.path("bin"))["verilator"]
        self.assertIsNotNone(row["path"])
        self.assertIsNone(row["version"])

    def test_kits_are_found_in_either_layout(self):
        for layout in LAYOUTS:
            kits = pathlib.Path(self.path(layout.replace("/", "_")))
            library = kits / layout
            library.parent.mkdir(parents=True)
            library.write_text("library (x) {}")
            with self.subTest(layout=layout):
                self.assertEqual(self.rows(PDK_ROOT=str(kits))[IHP]["path"], str(library))
        self.assertIsNone(self.rows(PDK_ROOT="")[IHP]["path"])

    def test_synth_without_a_library_says_how_to_get_one(self):
        self.write("config.yaml", machine(mesh(4), {"schedule": "gen", "message_bytes": 64}))
        done = self.call_where({"PDK_ROOT": self.path("nowhere")}, "synth", "config.yaml",
                               "--liberty", "sky130A")
        self.assertEqual(done.returncode, EXIT_USAGE)
        for said in ("sky130_fd_sc_hd__tt_025C_1v80.lib", "PDK_ROOT", "--liberty", "./dev setup synth"):
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    main()
