# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope export --rtl --prefix, --reset, --io-budget: two fabrics fit into one design, registers are
reset at once, manifests name what is there, and every flit still has its cycle."""
import gzip
import pathlib
import re
import subprocess

import yaml
from exported_fabric import COMBINED, UNIFORM, ExportedFabric, commands, run, vcs
from flitscope_cli import main, mesh, suite

RTL = pathlib.Path(__file__).resolve().parents[4] / "hw/rtl"
TORUS = {"kind": "torus", "dims": [3]}


class ExportPackaging(ExportedFabric):
    nodes = ("--nodes", "stream", "--prefix", "acme_", "--reset", "async", "--io-budget", "0.25")

    def test_a_fabric_with_names_of_its_own_and_another_reset_has_the_same_cycles(self):
        for case in ((mesh(4, 2), UNIFORM, {**COMBINED, "link_rate": {"die": [2, 2], "rate": "1/2"}}),
                     (TORUS, UNIFORM, {**vcs(2), "buffer_depth": 2})):
            self.replay("acme", case)

    def test_two_fabrics_fit_into_one_design(self):
        folder, _, _ = self.export(mesh(3), UNIFORM, {})
        self.nodes = ("--prefix", "other_")
        folder.rename(folder.with_name("acme"))
        folder, _, _ = self.export(TORUS, UNIFORM, vcs(2))
        folder.rename(folder.with_name("other"))
        (folder.parent / "top.sv").write_text(
            "module top (input logic clk_i, input logic rst_ni, output logic a_o, output logic b_o);\n"
            "    acme_stream_fabric a (.clk_i(clk_i), .rst_ni(rst_ni), .ready_o(a_o));\n"
            "    other_fabric b (.clk_i(clk_i), .rst_ni(rst_ni), .ready_o(b_o));\nendmodule\n")
        sources = [f"{name}/{line}" for name in ("acme", "other")
                   for line in (folder.parent / name / "filelist.f").read_text().split()]
        # Its pins are open, and the waivers are one of its files; nothing else is to be said.
        done = subprocess.run(["verilator", "--lint-only", "-Wall", "-Wno-PINMISSING", "--top-module", "top",
                               "acme/lint.vlt", *sources, "top.sv"], cwd=folder.parent, text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))
        modules = re.findall(r"^(?:module|package) (\w+)", "".join(
            (folder.parent / name).read_text() for name in sources), re.MULTILINE)
        self.assertEqual(len(modules), len(set(modules)))

    def test_manifests_list_the_sources_and_the_data_of_the_bench(self):
        folder, _, _ = self.export(mesh(3), UNIFORM, {})
        design = (folder / "filelist.f").read_text().split()
        every = (folder / "replay.f").read_text().split()
        self.assertTrue(all((folder / name).is_file() for name in every))
        self.assertEqual({path.name for path in folder.rglob("*.sv")}, {pathlib.Path(n).name for n in every})
        bender = yaml.safe_load((folder / "Bender.yml").read_text())
        self.assertEqual(bender["package"]["name"], "acme_stream_fabric")
        self.assertEqual(bender["sources"][0]["files"], design)
        self.assertEqual(design + bender["sources"][1]["files"], every)
        core = yaml.safe_load((folder / "acme_stream_fabric.core").read_text())
        self.assertEqual(core["filesets"]["rtl"]["files"], design)
        bench = core["filesets"]["bench"]["files"]
        self.assertEqual(design + [name for name in bench if isinstance(name, str)], every)
        data = {name for each in bench if isinstance(each, dict) for name in each}
        self.assertEqual(data, {f"replay/{path.name}" for path in folder.rglob("*.hex")})
        # As OpenROAD-flow-scripts reads it, from elsewhere.
        said = subprocess.run(["make", "-s", "-f", "-"], cwd="/", text=True, capture_output=True, input=(
            f"include {folder}/config.mk\nall:\n\t@echo $(DESIGN_NAME) $(SDC_FILE) $(VERILOG_FILES)\n")).stdout
        self.assertEqual(said.split(), ["acme_stream_fabric", f"{folder}/fabric.sdc",
                                        *(f"{folder}/{name}" for name in design)])
        self.assertEqual({target["toplevel"] for target in core["targets"].values()},
                         {"acme_stream_fabric", "acme_stream_replay"})

    @suite.needs_synthesis
    def test_the_flow_of_the_folder_ends_with_cells_and_their_timing(self):
        """In a process whose flip-flops all have a reset; with FLITSCOPE_DEPTH=all a 4 x 4 mesh."""
        library = RTL.parents[2] / "shared/data/liberty/sg13g2_typ_1p20V_25C.lib.gz"
        if not library.exists():
            self.skipTest("no ../shared/data/liberty beside the project")
        sides = (4, 4) if suite.TAKES_ALL else (2,)
        folder, _, _ = self.export(mesh(*sides), UNIFORM, {"buffer_depth": 2}, clock_ns=10)
        (folder / "cells.lib").write_bytes(gzip.decompress(library.read_bytes()))
        done = run(folder, commands(folder)["cells"])
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
        netlist = (folder / "netlist.v").read_text()
        self.assertIn("sg13g2_dfrbp", netlist)
        self.assertNotIn("$_", netlist)  # no generic gate is left
        area = float(re.findall(r"Chip area for top module .*: ([\d.]+)", done.stdout)[-1])
        slack = float(re.findall(r"^worst slack ([-\d.]+)$", done.stdout, re.MULTILINE)[-1])
        print(f"\n{sides}: {area / 1e6:.3f} mm2, worst slack of 10 ns: {slack} ns")
        self.assertGreater(slack, 0)
        self.assertNotRegex(done.stdout + done.stderr, "Error")

    def test_a_top_with_structs_has_the_same_cycles(self):
        """Of streams, with names of its own and an asynchronous reset."""
        self.nodes = (*self.nodes, "--structs")
        folder, report, _ = self.export(mesh(2), UNIFORM, vcs(2))
        top = (folder / "acme_stream_top.sv").read_text()
        self.assertEqual(re.findall(r"acme_stream_top_pkg::(\w+) (\w+)", top), [
            pin for node in (0, 1) for pin in (("stream_req_t", f"node_{node:03}_req_i"),
                                               ("stream_rsp_t", f"node_{node:03}_rsp_o"))])
        self.assertNotIn("top", (folder / "filelist.f").read_text())
        bender = yaml.safe_load((folder / "Bender.yml").read_text())
        self.assertEqual(bender["package"]["name"], "acme_stream_top")
        self.assertEqual(bender["sources"][0]["files"], (folder / "structs.f").read_text().split())
        lint = run(folder, commands(folder)["struct_lint"])
        self.assertEqual((lint.returncode, lint.stdout + lint.stderr), (0, ""))
        self.assert_passes(folder, report, "icarus")
        self.assert_passes(folder, report, "structs")
        # The bench goes through the structs: it sees two members that change places.
        swapped = {"m_last": "m_null", "m_null": "m_last"}
        broken = re.sub(r"(node_001_rsp_o\.)(m_last|m_null)", lambda m: m[1] + swapped[m[2]], top)
        self.assertNotEqual(broken, top)
        (folder / "acme_stream_top.sv").write_text(broken)
        done = run(folder, commands(folder)["structs"])
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("FAIL: ", done.stdout)

    def test_structs_need_ports_with_requests(self):
        config = self.write("config.yaml", "fabric: {topology: {kind: mesh, dims: [2]}}\ntraffic: {schedule: pex}\n")
        self.refused("export", config, "--rtl", "rtl", "--structs", says=["--structs", "--nodes stream"])

    def test_only_what_lint_waives_is_left_to_say(self):
        """With assertions the rule of lint.vlt is broken, and no other."""
        folder, _, _ = self.export(mesh(2), UNIFORM, {})
        lint, = commands(folder)["lint"]
        lint = lint.replace("--lint-only", "--lint-only --assert")
        done = run(folder, [lint])
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))
        done = run(folder, [lint.replace("lint.vlt ", "-Wno-fatal ")])
        self.assertEqual(set(re.findall(r"%Warning-(\w+)", done.stderr)), {"SYNCASYNCNET"})

    def test_verilator_reads_deep_fifos(self):
        """It takes loops of more than 64 iterations apart only where it is told to."""
        folder, _, _ = self.export(mesh(2), UNIFORM, {"buffer_depth": 65})
        lint = run(folder, commands(folder)["lint"])
        self.assertEqual((lint.returncode, lint.stdout + lint.stderr), (0, ""))

    def test_constraints_have_the_budget_and_the_reset(self):
        folder, _, _ = self.export(mesh(3), UNIFORM, {}, clock_ns=2)
        text = (folder / "fabric.sdc").read_text()
        self.assertIn("set_input_delay 0.5 -clock clk [get_ports {node_*_i*}]", text)
        self.assertIn("set_output_delay 0.5", text)
        self.assertIn("set_false_path -from [get_ports rst_ni]", text)
        self.assertIn("The reset is asynchronous", (folder / "README.md").read_text())

    def test_every_register_with_a_reset_is_in_a_block_without_others(self):
        """Else a register without one would change at the edge of an asynchronous reset."""
        blocks = 0
        for path in sorted(RTL.rglob("*.sv")):
            text = re.sub(r"`ifndef SYNTHESIS.*?`endif", "", path.read_text(), flags=re.DOTALL)
            for indent, body in re.findall(r"^( *)always_ff @\(posedge clk_i\) begin\n(.*?)^\1end$", text,
                                           re.MULTILINE | re.DOTALL):
                if "if (!rst_ni)" not in body:
                    continue
                blocks += 1
                with self.subTest(file=path.name, block=body):
                    self.assertRegex(body, r"^\s*if \(!rst_ni\)")
                    reset, others = re.split(r"^\s{%d}(?:end )?else\b" % (len(indent) + 4), body, maxsplit=1,
                                             flags=re.MULTILINE)
                    registers = {name: set(re.findall(r"\b(\w+_q)\b(?=[^=;]*<=)", part))
                                 for name, part in (("reset", reset), ("others", others))}
                    self.assertLessEqual(registers["others"], registers["reset"])
                    # Nothing after the `if`.
                    self.assertNotRegex(others, r"(?m)^\s{%d}(?!end|else)\S" % (len(indent) + 4))
        self.assertGreater(blocks, 15)

    def test_prefixes_that_are_no_names_are_refused(self):
        config = self.write("config.yaml", "fabric: {topology: {kind: mesh, dims: [2]}}\ntraffic: {schedule: pex}\n")
        for prefix in ("1a", "a-", "", "é", "a" * 65):
            self.refused("export", config, "--rtl", "rtl", "--prefix", prefix, says=["--prefix"])
        for share in ("1.5", "nan", "-0.1", "half"):
            self.refused("export", config, "--rtl", "rtl", "--io-budget", share, says=["--io-budget"])
        self.refused("export", config, "--rtl", "rtl", "--reset", "maybe", says=["sync"])


if __name__ == "__main__":
    main()
