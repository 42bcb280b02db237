# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Fabrics that are exported as SystemVerilog, and how their test benches are run."""
import os
import pathlib
import re
import shutil
import subprocess

from flitscope_cli import CliTest, hypercube, machine, mesh

UNIFORM = {"pattern": "uniform", "injection_rate": 0.4, "message_bytes": 40, "warmup_cycles": 50,
           "measure_cycles": 300}
GEN = {"schedule": "gen", "message_bytes": 64}
PEX = {"schedule": "pex", "message_bytes": 64}
LINEAR = {"model": "linear", "reach": 2}
PHYSICAL = {"model": "physical", "pitch_mm": 2, "ns_per_mm": 0.3}  # 0.6 cycles a node pitch
COMBINED = {"allocation": "combined"}
HOLD = {"switch_arbitration": "per_packet"}


def vcs(number):
    return {"virtual_channels": number}


# Name: topology, traffic, further keys of the fabric. Between them: all three routings, both
# allocations, hold, one to sixteen virtual channels, delays, FIFOs of a flit, wide flits, switches,
# classes of messages, speedups of the switch.
QUICK = {
    "mesh": (mesh(4, 2), UNIFORM, {**COMBINED, "router_delay": 2,
                                   "link_delay": {"model": "constant", "cycles": 3}}),
    "wide_mesh": (mesh(3, 2), UNIFORM, {**vcs(2), "flit_bits": 160, "buffer_depth": 1}),
    "torus": ({"kind": "torus", "dims": [4, 2]}, UNIFORM, {**vcs(2), **HOLD, **COMBINED, "router_delay": 3}),
    "hypercube": (hypercube(3), GEN, {**vcs(2), "buffer_depth": 3, "input_speedup": 2}),
    "how": ({"kind": "how", "dims": [6], "window": 3}, GEN, {"link_delay": LINEAR}),
    "dragonfly": ({"kind": "dragonfly", "groups": 3, "group_size": 2, "global_links": 1}, UNIFORM,
                  {**vcs(2), **COMBINED, "link_delay": LINEAR}),
    "fat_tree": ({"kind": "fat_tree", "arity": 2, "height": 2}, UNIFORM, HOLD),
    "express": ({"kind": "express_mesh", "dims": [9], "segment": 4}, UNIFORM,
                {"link_delay": PHYSICAL}),
    "dies": (mesh(4, 2), UNIFORM, {"link_rate": {"die": [2, 2], "rate": "1/2", "delay": 3}}),
    "slow_dragonfly": ({"kind": "dragonfly", "groups": 3, "group_size": 2, "global_links": 1},
                       UNIFORM, {**vcs(2), **COMBINED, "flit_bits": 72,
                                 "link_rate": {"global": "1/7"}}),
    "cmesh": ({"kind": "mesh", "dims": [2, 2], "concentration": [2, 2]},
              {**UNIFORM, "reply_bytes": 16, "reply_class": "reply"},
              {**vcs(2), "classes": ["request", "reply"]}),
    "priorities": (mesh(3, 2), {**UNIFORM, "reply_bytes": 40, "reply_class": "reply"},
                   {**vcs(4), "buffer_depth": 2, "input_speedup": 2, "classes": ["request", "reply"],
                    "class_priorities": [0, 1]}),
    "weights": (mesh(3, 2), {**UNIFORM, "reply_bytes": 40, "reply_class": "reply"},
                {**vcs(2), **COMBINED, "classes": ["request", "reply"], "class_weights": [3, 1]}),
    "two_orders": (mesh(3, 3), {**UNIFORM, "reply_bytes": 40, "reply_class": "reply"},
                   {**vcs(4), "routing": "o1turn", "buffer_depth": 2, "classes": ["request", "reply"]}),
    "full_dragonfly": ({"kind": "dragonfly", "groups": 3, "group_size": 2, "global_links": 1,
                        "concentration": 2}, UNIFORM,
                       {**vcs(2), "output_speedup": 2, "output_queue": 3}),
    "controllers": ({"kind": "mesh", "dims": [3, 3],
                     "extra_nodes": {"mem0": 0, "mem1": 2, "mem2": 6, "mem3": 8}}, UNIFORM, COMBINED),
}


def commands(folder):
    """The lines that the README of a folder has: lint, verilator, Icarus Verilog, yosys to generic gates, and
    to cells; with --structs lint and verilator again."""
    blocks = re.findall(r"^```sh\n(.*?)^```", (folder / "README.md").read_text(),
                        re.MULTILINE | re.DOTALL)
    parts = [part.splitlines() for block in blocks for part in block.strip().split("\n\n")]
    return dict(zip(("lint", "verilator", "icarus", "yosys", "cells", "struct_lint", "structs"), parts))


TIMEOUT_S = 1800  # in case a simulator hangs; the largest fabric takes minutes on a busy machine


# A bench that verilator makes is compiled for longer than it runs, and most of that is verilator's runtime,
# which is the same for all.
QUICK_COMPILES = {"MAKEFLAGS": "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0",
                  "OBJCACHE": shutil.which("ccache") or ""}


def run(folder, lines):
    return subprocess.run(["bash", "-euc", "\n".join(lines)], cwd=folder, text=True,
                          env={**os.environ, **QUICK_COMPILES}, capture_output=True, timeout=TIMEOUT_S)


class ExportedFabric(CliTest):
    nodes = ()  # options of export

    def export(self, topology, traffic, fabric, **sections):
        """The folder, the JSON of the same run, and what was said."""
        config = self.write("config.yaml", machine(topology, traffic, fabric=fabric, **sections))
        shutil.rmtree(self.path("rtl"), ignore_errors=True)
        said = self.ok("export", config, "--rtl", "rtl", *self.nodes)
        return pathlib.Path(self.path("rtl")), self.report("run", config, "--engine", "cycle"), said

    def replay(self, name, case, **sections):
        folder, report, said = self.export(*case, **sections)
        self.assertGreater(report["flits_delivered"], 100)
        self.assertIn(f" packets, {report['flits_delivered']} flits in total, in "
                      f"{report['cycles']} cycles\n", said)
        lint = run(folder, commands(folder)["lint"])
        self.assertEqual((lint.returncode, lint.stdout + lint.stderr), (0, ""), name)
        self.assert_passes(folder, report, "icarus")
        return folder, report

    def assert_passes(self, folder, report, simulator):
        done = run(folder, commands(folder)[simulator])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        passed, = re.findall(r"^PASS: \d+ packets, (\d+) flits, .* \(0 to (\d+)\)$", done.stdout,
                             re.MULTILINE)
        self.assertEqual([int(n) for n in passed],
                         [report["flits_delivered"], report["cycles"] - 1])

    def assert_fails(self, folder, words):
        done = run(folder, commands(folder)["icarus"])
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("PASS", done.stdout)
        self.assertRegex(done.stdout, words)

    def assert_noticed(self, folder, name, old, new):
        """That the test bench fails with `new` in place of `old`, which is once in the file."""
        text = (folder / name).read_text()
        self.assertEqual(text.count(old), 1, (name, old))
        (folder / name).write_text(text.replace(old, new))
        try:
            self.assert_fails(folder, "FAIL: ")
        finally:
            (folder / name).write_text(text)

    def area(self, folder, synthesis, top, parameters):
        """Of a module of the folder by yosys, with the commands of `synthesis` that map to cells."""
        for name in ("cells.lib", "abc", "abc.constr"):
            if not (folder / name).exists():
                (folder / name).symlink_to(synthesis / name)
        mapping = re.findall(r"^(?:dfflibmap|abc|splitnets|opt_clean).*$",
                             (synthesis / "synthesis.ys").read_text(), re.MULTILINE)
        self.assertEqual(len(mapping), 4)
        sources = " ".join((folder / "filelist.f").read_text().split())
        script = [f"read_verilog -sv -defer {sources}", f"hierarchy -check -top {top} {parameters}",
                  f"rename -top {top}_top", f"synth -noabc -nofsm -flatten -top {top}_top", *mapping,
                  f"tee -o area.txt stat -liberty cells.lib -top {top}_top",
                  f"write_verilog -noattr -noexpr -nohex {top}_netlist.v"]
        (folder / "area.ys").write_text("\n".join(script) + "\n")
        done = subprocess.run(["yosys", "-q", "area.ys"], cwd=folder, text=True, capture_output=True,
                              timeout=500)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return float(re.findall(r"Chip area for .*: ([\d.]+)", (folder / "area.txt").read_text())[-1])

    def period(self, folder, top):
        """Of what area() has mapped, in ns: from register to register and to and from its pins."""
        (folder / "period.tcl").write_text(
            f"read_liberty cells.lib\nread_verilog {top}_netlist.v\nlink_design {top}_top\n"
            "create_clock -name clk -period 10 [get_ports clk_i]\n"
            "set_input_delay 0 -clock clk [all_inputs]\nset_output_delay 0 -clock clk [all_outputs]\n"
            "report_worst_slack -digits 4\n")
        done = subprocess.run(["sta", "-no_init", "-no_splash", "-exit", "period.tcl"], cwd=folder,
                              text=True, capture_output=True, timeout=TIMEOUT_S)
        return 10 - float(re.search(r"^worst slack ([-\d.]+)$", done.stdout, re.MULTILINE).group(1))
