#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The energy of a run is that of its gates: a whole fabric is synthesized, its netlist replays the
run in Icarus Verilog flit by flit, OpenSTA gives the power of all of it from the transitions of every pin, and
`flitscope run --energy` is compared with that.

usage: fabric_energy_test.py FLITSCOPE [--loads] [--markdown]

The first of the small cases, with FLITSCOPE_DEPTH=all all of them; --loads: those of a mesh
of 4 x 4 nodes, whose inner routers use every port, which take some ten minutes.
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import suite  # noqa: E402

FLITSCOPE = sys.argv.pop(1)
LOADS, MARKDOWN = ((option in sys.argv and not sys.argv.remove(option))
                   for option in ("--loads", "--markdown"))
CELLS = "/usr/share/qflow/tech/osu018/osu018_stdcells.v"
PERIOD_NS = 10
LARGEST_ERROR = 0.10

CONFIG = """
fabric:
  topology: {{kind: mesh, dims: [{side}, {side}]}}
  buffer_depth: {depth}
  virtual_channels: {vcs}
  allocation: {allocation}
traffic: {traffic}
clock_ns: 10
"""
# All nodes begin with the same destination: most of the time somebody waits.
CONTENTION = "{schedule: naive, algorithm: from_zero, message_bytes: 128}"
CASES = {
    "contention": {"side": 2, "depth": 2, "vcs": 1, "allocation": "sequential", "traffic": CONTENTION},
    "contention, 2 VCs": {"side": 2, "depth": 2, "vcs": 2, "allocation": "sequential", "traffic": CONTENTION},
    "exchange in steps": {"side": 2, "depth": 4, "vcs": 1, "allocation": "sequential",
                          "traffic": "{schedule: pex, message_bytes: 256}"},
    "little to do": {"side": 2, "depth": 4, "vcs": 1, "allocation": "combined",
                     "traffic": "{pattern: uniform, injection_rate: 0.05, message_bytes: 32, "
                                "warmup_cycles: 0, measure_cycles: 500}"},
    "contention, 2 VCs, combined": {"side": 2, "depth": 4, "vcs": 2, "allocation": "combined",
                                    "traffic": CONTENTION},
}
LOAD_CASES = {
    f"4 x 4, uniform {load}": {"side": 4, "depth": 2, "vcs": 1, "allocation": "sequential",
                               "traffic": f"{{pattern: uniform, injection_rate: {load}, message_bytes: 64, "
                                          "warmup_cycles: 0, measure_cycles: 300}"}
    for load in (0.05, 0.2)
}
ROWS = []

# All activity is observed from outside: the compared values are computed here again, from the VCD
# of another simulator, and from another script for OpenSTA.
POWER = """
read_liberty cells.lib
read_verilog netlist.v
read_verilog top.v
link_design top
create_clock -name clk -period {period} [get_ports clk_i]
set_load 0.02 [all_outputs]
report_worst_slack
proc energies {{file corner}} {{
    set channel [open $file]
    set instances {{}}
    while {{[gets $channel line] >= 0}} {{ lappend instances [get_cells $line] }}
    set dynamic 0
    set switching 0
    set leakage 0
    foreach instance $instances {{
        set power [sta::instance_power $instance $corner]
        set dynamic [expr {{$dynamic + [lindex $power 0] + [lindex $power 1]}}]
        set switching [expr {{$switching + [lindex $power 1]}}]
        set leakage [expr {{$leakage + [lindex $power 2]}}]
    }}
    return "$dynamic $switching $leakage"
}}
set channel [open activities.txt]
while {{[gets $channel line] >= 0}} {{
    sta::set_power_pin_activity [get_pins [lindex $line 0]] [lindex $line 1] [lindex $line 2]
}}
set corner [sta::cmd_corner]
puts "fabric [energies cells.txt $corner]"
puts "drivers [energies drivers.txt $corner]"
"""


def run(*command, **options):
    done = subprocess.run([str(c) for c in command], text=True, capture_output=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


class Waveform:
    """Transitions and time high of every signal, counted once per cycle, before the clock rises, in
    the cycles 0 to `cycles` - 1 of the replay."""

    def __init__(self, path, cycles):
        self.codes = {}                            # full name: (code, bit)
        self.toggles = collections.Counter()       # (code, bit)
        self.high = collections.Counter()
        self.cycles = cycles
        with open(path, encoding="utf-8") as lines:
            self.read_names(lines)
            self.read_changes(lines)

    def read_names(self, lines):
        scope = []
        for line in lines:
            word = line.split()
            if word[:1] == ["$scope"]:
                scope.append(word[2])
            elif word[:1] == ["$upscope"]:
                scope.pop()
            elif word[:1] == ["$var"]:
                width, code, name = int(word[2]), word[3], word[4]
                for bit in range(width):
                    self.codes[".".join((*scope, name)) + (f"[{bit}]" if width > 1 else "")] = (code, bit)
            elif word[:1] == ["$enddefinitions"]:
                return

    def read_changes(self, lines):
        clock, now = self.codes["replay.clk"][0], self.codes["replay.now[0]"][0]
        values, sampled, changed = {}, {}, set()
        cycle, clock_was = 0, "0"
        for line in lines:
            first = line[0]
            if first in "01xz":
                code, value = line[1:].strip(), line[0]
            elif first == "b":
                value, code = line[1:].split()
            else:
                continue
            if code == clock:
                # The clock rises: the nets have the values of this cycle.
                if value == "1" and clock_was == "0":
                    for net in changed:
                        self.count(net, sampled.get(net), values[net], cycle)
                        sampled[net] = values[net]
                    changed.clear()
                clock_was = value
            elif code == now:
                cycle = int(value, 2)
            values[code] = value
            changed.add(code)
        for net, value in sampled.items():
            self.count(net, value, None, self.cycles)

    def count(self, net, before, after, cycle):
        """A vector's bits that change in `cycle`; when it is over, those that were high until then."""
        begun = self.begun if hasattr(self, "begun") else {}
        self.begun = begun
        until = min(cycle, self.cycles)
        if before is not None:
            for bit, value in enumerate(reversed(before.rjust(1, "0"))):
                if value == "1":
                    self.high[net, bit] += max(0, until - begun.get(net, 0))
        begun[net] = until
        if after is None or before is None or not 0 < cycle < self.cycles:
            return
        width = max(len(before), len(after))
        extended = [text.rjust(width, "x" if text[0] == "x" else "0") for text in (before, after)]
        for bit, (old, new) in enumerate(zip(*(reversed(text) for text in extended))):
            if old != new and "x" not in old + new:
                self.toggles[net, bit] += 1

    def of(self, name):
        """Transitions per cycle, and part of the time high."""
        net = self.codes[name]
        return self.toggles[net] / self.cycles, self.high[net] / self.cycles


def instances(netlist):
    """Per module: (cell, instance, pins) of what stands in it, and its ports with their widths."""
    modules = {}
    for name, body in re.findall(r"^module (\S+) ?\(.*?;\n(.*?)^endmodule", netlist, re.S | re.M):
        found = [(cell, instance, re.findall(r"\.(\w+)\(", pins))
                 for cell, instance, pins in re.findall(r"^  (\S+) +(\S+) \((.*?)\);\n", body, re.S | re.M)]
        ports = [(kind, int(high or 0) + 1, port) for kind, high, port in
                 re.findall(r"^  (input|output) (?:\[(\d+):0\] )?(\S+);", body, re.M)]
        modules[name] = (found, ports)
    return modules


@suite.needs_synthesis
class FabricEnergy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.netlists = {}  # for fabrics without their traffic: netlist.v

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()
        if MARKDOWN:
            print("\n| run | cycles | flit-hops | said nJ | gates nJ | error % | of what is not idle % |\n"
                  "|---|---:|---:|---:|---:|---:|---:|\n" + "\n".join(ROWS))

    def energies(self, name, **config):
        """Of a run in nJ: what flitscope says, and what the gates of the whole fabric take."""
        # yosys hands paths to abc through a shell: no blanks.
        folder = pathlib.Path(self.scratch.name) / re.sub(r"\W+", "_", name)
        folder.mkdir()
        (folder / "config.yaml").write_text(CONFIG.format(**config))
        environment = {**os.environ, "FLITSCOPE_CACHE": self.scratch.name + "/cache"}
        synthesis = json.loads(run(FLITSCOPE, "synth", folder / "config.yaml", "--energy", "--json",
                                   env=environment))["results"][0]
        result = json.loads(run(FLITSCOPE, "run", folder / "config.yaml", "--energy", "--json",
                                env=environment))
        run(FLITSCOPE, "export", folder / "config.yaml", "--rtl", folder / "rtl", env=environment)
        work = folder / "rtl"
        fabric = tuple(config[key] for key in ("side", "depth", "vcs", "allocation"))
        self.synthesize(work, pathlib.Path(synthesis["netlist"]).parent, self.netlists.get(fabric))
        self.netlists[fabric] = work / "netlist.v"
        self.replay(work)
        return result, self.power(work, result["cycles"])

    @staticmethod
    def synthesize(work, synthesis, known):
        """The netlist of the fabric; `known`: where it was made before, for other traffic."""
        for name in ("cells.lib", "abc", "abc.constr"):
            (work / name).symlink_to(synthesis / name)
        if known is not None:
            (work / "netlist.v").symlink_to(known)
            return
        mapping = re.findall(r"^(?:dfflibmap|abc|splitnets|opt_clean).*$",
                             (synthesis / "synthesis.ys").read_text(), re.MULTILINE)
        sources = " ".join((work / "filelist.f").read_text().split())
        script = [f"read_verilog -sv -defer {sources}", "hierarchy -check -top fabric",
                  "synth -noabc -nofsm -flatten -top fabric", *mapping,
                  "write_verilog -noattr -noexpr -nohex netlist.v"]
        (work / "fabric.ys").write_text("\n".join(script) + "\n")
        run("yosys", "-q", "fabric.ys", cwd=work)

    def replay(self, work):
        (work / "dump.v").write_text('module dump; initial begin $dumpfile("replay.vcd"); '
                                     "$dumpvars(0, replay); end endmodule\n")
        run("iverilog", "-g2012", "-gno-specify", "-DSYNTHESIS", "-s", "replay", "-s", "dump", "-o",
            "replay.vvp", "fabric_pkg.sv", "replay/replay_pkg.sv", "replay/replay.sv", "dump.v",
            "netlist.v", CELLS, cwd=work)
        said = run("vvp", "-n", "replay.vvp", cwd=work)
        self.assertIn("PASS", said)

    def power(self, work, cycles):
        modules = instances((work / "netlist.v").read_text())
        wave = Waveform(work / "replay.vcd", cycles)
        cells, drivers, activities = [], [], []

        def visit(module, path):
            for cell, instance, pins in modules[module][0]:
                inner = [*path, instance]
                if cell in modules:
                    visit(cell, inner)
                    continue
                cells.append("/".join(("dut", *inner)))
                for pin in pins:
                    activity, duty = wave.of(".".join(("replay.i_fabric", *inner, pin)))
                    activities.append(f"{cells[-1]}/{pin} {activity:.6g} {duty:.6g}")

        visit("fabric", [])
        self.assertGreater(len(cells), 4 * 1000)
        top, connected, outputs = [], [], []
        for kind, width, port in modules["fabric"][1]:
            connected.append(f".{port}({port})")
            if port == "clk_i":
                continue
            top.append(f"{'output' if kind == 'output' else 'wire'} [{width - 1}:0] {port};")
            if kind == "output":
                outputs.append(port)
                continue
            for bit in range(width):
                drivers.append(f"driver_{port}_{bit}")
                top.append(f"DFFPOSX1 {drivers[-1]} (.CLK(clk_i), .D({port}[{bit}]), .Q({port}[{bit}]));")
                name = f"replay.i_fabric.{port}" + (f"[{bit}]" if width > 1 else "")
                activity, duty = wave.of(name)
                activities += [f"{drivers[-1]}/{pin} {activity:.6g} {duty:.6g}" for pin in "DQ"]
        (work / "top.v").write_text("\n".join([
            f"module top(clk_i, {', '.join(outputs)});", "input clk_i;", *top,
            f"fabric dut ({', '.join(connected)});", "endmodule", ""]))
        for name, lines in (("cells.txt", cells), ("drivers.txt", drivers), ("activities.txt", activities)):
            (work / name).write_text("\n".join(lines) + "\n")
        (work / "fabric_power.tcl").write_text(POWER.format(period=PERIOD_NS))
        said = run("sta", "-no_init", "-no_splash", "-exit", "fabric_power.tcl", cwd=work)
        self.assertNotIn("Error", said)
        fabric = [float(word) for word in re.search(r"^fabric (.*)$", said, re.M).group(1).split()]
        driven = [float(word) for word in re.search(r"^drivers (.*)$", said, re.M).group(1).split()]
        watts = fabric[0] + fabric[2] + driven[1]  # of drivers, only the nets that they drive
        return watts * PERIOD_NS * cycles

    def compare(self, name):
        result, gates_nj = self.energies(name, **{**CASES, **LOAD_CASES}[name])
        energy = result["energy"]
        said_nj = energy["total_j"] * 1e9
        idle_nj = (energy["routers"]["idle_j"] + energy["links"]["idle_j"]) * 1e9
        errors = [100 * (said_nj / gates_nj - 1),
                  100 * ((said_nj - idle_nj) / (gates_nj - idle_nj) - 1)]
        print(f"{name}: {result['cycles']} cycles, {result['flit_hops']} flit-hops, {said_nj:.1f} nJ "
              f"said, {gates_nj:.1f} nJ of gates: {errors[0]:+.1f} %, {errors[1]:+.1f} % of what is not "
              "idle", flush=True)
        ROWS.append(f"| {name} | {result['cycles']} | {result['flit_hops']} | {said_nj:.1f} | "
                    f"{gates_nj:.1f} | {errors[0]:+.1f} | {errors[1]:+.1f} |")
        self.assertGreater(result["flit_hops"], 100)
        self.assertLess(abs(errors[0]), 100 * LARGEST_ERROR)

    def test_of_a_run_is_that_of_its_gates(self):
        for name in LOAD_CASES if LOADS else suite.sample_of(CASES, 1):
            with self.subTest(case=name):
                self.compare(name)


if __name__ == "__main__":
    suite.main()
