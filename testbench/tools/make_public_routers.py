#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Puts public routers beside ours: synthesizes them with the very scripts, cells and programs that
`flitscope synth` used for ours, and writes the table of hw/rtl/SYNTHESIS.md. Their sources stay where
they are. Called by ./dev public-routers, from the root; takes some ten minutes.

usage: make_public_routers.py FLITSCOPE [--stanford DIR] [--pronoc DIR] [--print]

--stanford  a clone of github.com/anan-cn/Open-Source-Network-on-Chip-Router-RTL, a copy of Stanford's
            router (Becker 2012)
--pronoc    a clone of github.com/amonemi/ProNoC at 37ed21d (version 1.8.2): yosys 0.23 cannot read later ones
--print     only print the table
"""
import argparse
import concurrent.futures
import dataclasses
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import markdown_pages

PAGE = pathlib.Path("hw/rtl/SYNTHESIS.md")
PORTS, DEPTH, BITS = 5, 8, 64
# Files that others include, and files that are not part of a router.
NO_MODULES = ("_constants.v", "_functions.v", "noc.v", "traffic_gen.v")
CHANNELS = (1, 2, 4)
OURS = """
fabric:
  topology: {kind: mesh, dims: [4, 4]}
  buffer_depth: 8
traffic: {pattern: uniform}
"""


def fail(message):
    print(f"make_public_routers: {message}", file=sys.stderr)
    sys.exit(2)


@dataclasses.dataclass
class Public:
    """A router of others with so many virtual channels, behind the names of our pins."""
    name: str
    root: pathlib.Path      # the clone
    sources: list           # patterns in it
    includes: list          # folders of it
    channels: int
    wrapper: str            # Verilog: module `public_router`

    def files(self):
        found = []
        for pattern in self.sources:
            matches = sorted(self.root.glob(pattern))
            if not matches:
                fail(f"{self.root} has no {pattern}: is it the clone that --help names?")
            found += matches
        return [str(path.resolve()) for path in found if not path.name.endswith(NO_MODULES)]


# Pins as ours: payload apart from the rest, so that power and paths refer to the same.
PINS = """\
module public_router(input clk_i, input rst_ni, input [{node}:0] node_i,
    input [{payload}:0] flit_data_i, input [{control}:0] flit_control_i, input [{credits}:0] credit_i,
    output [{payload}:0] flit_data_o, output [{control}:0] flit_control_o, output [{credits}:0] credit_o);
"""


def pins(control, credits):
    return PINS.format(node=3, payload=PORTS * BITS - 1, control=PORTS * control - 1,
                       credits=PORTS * credits - 1)


def ports_joined(control):
    """The flits of all ports, as a router of others takes them: {control, payload}, side by side."""
    width = control + BITS
    return (f"    wire [{PORTS * width - 1}:0] flits_in, flits_out;\n"
            "    genvar p;\n"
            f"    generate for (p = 0; p < {PORTS}; p = p + 1) begin : port\n"
            f"        assign flits_in[p*{width} +: {width}] = "
            f"{{flit_control_i[p*{control} +: {control}], flit_data_i[p*{BITS} +: {BITS}]}};\n"
            f"        assign {{flit_control_o[p*{control} +: {control}], flit_data_o[p*{BITS} +: {BITS}]}} = "
            f"flits_out[p*{width} +: {width}];\n"
            "    end endgenerate\n")


def stanford(root, module, channels, name, settings=""):
    index = math.ceil(math.log2(channels))
    control = 1 + index + 2  # valid, virtual channel, head, tail
    wrapper = pins(control, 1 + index) + ports_joined(control) + f"""
    {module} #(.buffer_size({DEPTH * channels}), .num_message_classes(1), .num_resource_classes(1),
        .num_vcs_per_class({channels}), .num_routers_per_dim(4), .num_dimensions(2),
        .num_nodes_per_router(1), .flit_data_width({BITS}), .packet_format(0), .enable_link_pm(0),
        .error_capture_mode(0), .reset_type(1){settings}) router(.clk(clk_i), .reset(!rst_ni),
        .router_address(node_i), .channel_in_ip(flits_in), .flow_ctrl_out_ip(credit_o),
        .channel_out_op(flits_out), .flow_ctrl_in_op(credit_i), .error());
endmodule
"""
    return Public(name, root, ["src/clib/c_*.v", "src/rtr_*.v", "src/vcr_*.v"], ["src", "src/clib"],
                  channels, wrapper)


def pronoc(root, channels, name, allocation):
    control = 2 + channels  # head, tail, virtual channel one-hot
    # The valid signal of a flit is next to it.
    wrapper = pins(control + 1, channels) + f"""
    wire [{PORTS * (control + BITS) - 1}:0] flits_in, flits_out;
    wire [{PORTS - 1}:0] valid_in, valid_out;
    genvar p;
    generate for (p = 0; p < {PORTS}; p = p + 1) begin : port
        assign {{valid_in[p], flits_in[p*{control + BITS} +: {control + BITS}]}} =
            {{flit_control_i[p*{control + 1} +: {control + 1}], flit_data_i[p*{BITS} +: {BITS}]}};
        assign {{flit_control_o[p*{control + 1} +: {control + 1}], flit_data_o[p*{BITS} +: {BITS}]}} =
            {{valid_out[p], flits_out[p*{control + BITS} +: {control + BITS}]}};
    end endgenerate
    router #(.V({channels}), .P({PORTS}), .B({DEPTH}), .NX(4), .NY(4), .C(0), .Fpay({BITS}),
        .TOPOLOGY("MESH"), .COMBINATION_TYPE("{allocation}"), .ROUTE_TYPE("DETERMINISTIC"),
        .ROUTE_NAME("XY"), .CONGESTION_INDEX(0), .ESCAP_VC_MASK({channels}'b1), .SSA_EN("NO"))
        router(.clk(clk_i), .reset(!rst_ni), .current_x(node_i[1:0]), .current_y(node_i[3:2]),
        .flit_in_all(flits_in), .flit_in_we_all(valid_in), .credit_out_all(credit_o),
        .congestion_in_all({{{PORTS * 3}{{1'b0}}}}), .flit_out_all(flits_out),
        .flit_out_we_all(valid_out), .credit_in_all(credit_i), .congestion_out_all());
endmodule
"""
    return Public(name, root, ["mpsoc/src_noc/*.v"], [], channels, wrapper)


def public_routers(options):
    routers = []
    if options.stanford:
        root = options.stanford
        routers += [stanford(root, "vcr_top", vcs, "Stanford `vcr_top`") for vcs in CHANNELS]
        routers.append(stanford(root, "vcr_top", 4, "the same, matrix arbiters",
                                ", .vc_alloc_arbiter_type(4), .sw_alloc_arbiter_type(4)"))
        routers += [stanford(root, "rtr_top", vcs, "Stanford `rtr_top`") for vcs in CHANNELS]
    if options.pronoc:
        routers += [pronoc(options.pronoc, vcs, "ProNoC 1.8.2", "COMB_NONSPEC") for vcs in (2, 4)]
        routers.append(pronoc(options.pronoc, 4, "the same, speculative", "COMB_SPEC1"))
    return routers


class Cells:
    """Of a liberty file: which cells are flip-flops, which only drive, which pins are outputs."""

    def __init__(self, liberty):
        text = re.sub(r"/\*.*?\*/", "", liberty.read_text(), flags=re.S)
        parts = re.split(r"\bcell\s*\(\s*\"?(\w+)\"?\s*\)", text)
        self.flip_flops, self.drivers, self.outputs = set(), set(), {}
        for name, body in zip(parts[1::2], parts[2::2]):
            pins_of = re.split(r"\bpin\s*\(\s*\"?(\w+)\"?\s*\)", body)
            outputs = {pin for pin, rest in zip(pins_of[1::2], pins_of[2::2])
                       if re.search(r"direction\s*:\s*\"?output", rest)}
            self.outputs[name] = outputs
            if re.search(r"\bff\s*\(", body):
                self.flip_flops.add(name)
            elif len(pins_of) // 2 - len(outputs) == 1:
                self.drivers.add(name)


class Netlist:
    """A flat netlist as yosys writes it."""

    def __init__(self, path, cells):
        self.cells = cells
        self.readers = {}   # of a net: (cell, its output nets)
        self.driver = {}    # of a net: (cell, its input nets)
        text = path.read_text()
        for cell, body in re.findall(r"^\s+([A-Z]\w*) \S+ \(\n(.*?)\n\s+\);", text, re.M | re.S):
            nets = [(pin, net.strip()) for pin, net in re.findall(r"\.(\w+)\((.*?)\)(?:,|$)", body, re.M)]
            if cell not in cells.outputs:
                fail(f"{path} has a cell {cell} that the library has not")
            drives = [net for pin, net in nets if pin in cells.outputs[cell]]
            reads = [net for pin, net in nets if pin not in cells.outputs[cell]]
            for net in reads:
                self.readers.setdefault(net, []).append((cell, drives))
            for net in drives:
                self.driver[net] = (cell, reads)
        for left, right in re.findall(r"^\s+assign (\S.*?) = (\S.*?);", text, re.M):
            self.readers.setdefault(right, []).append(("", [left]))
            self.driver[left] = ("", [right])

    def registers(self, source, target):
        """The fewest flip-flops from a bit of one port to a bit of another."""
        frontier = {f"{source}[{bit}]" for bit in range(PORTS * BITS)}
        goal = {f"{target}[{bit}]" for bit in range(PORTS * BITS)}
        if not frontier & self.readers.keys() or not goal <= self.driver.keys():
            fail(f"the netlist has no {source} or {target}")
        seen = set()
        for count in range(100):
            behind = set()
            while frontier:
                net = frontier.pop()
                if net in seen:
                    continue
                seen.add(net)
                if net in goal:
                    return count
                for cell, drives in self.readers.get(net, ()):
                    (behind if cell in self.cells.flip_flops else frontier).update(drives)
            frontier = behind
        return fail(f"no way from {source} to {target}")

    def is_registered(self, target):
        """Whether nothing but buffers stands between flip-flops and these pins."""
        for bit in range(PORTS * BITS):
            cell, reads = self.driver[f"{target}[{bit}]"]
            while not cell or cell in self.cells.drivers:
                cell, reads = self.driver[reads[0]]
            if cell not in self.cells.flip_flops:
                return False
        return True


def hop(folder):
    """Cycles that a flit takes to the next router at least, by the registers that its payload passes; a
    link has one, and it is that of the output where the output ends in one."""
    netlist = Netlist(folder / "netlist.v", Cells(folder / "cells.lib"))
    return netlist.registers("flit_data_i", "flit_data_o") + (not netlist.is_registered("flit_data_o"))


def figures(folder, name):
    cells = (folder / "cells.txt").read_text()
    flip_flops = Cells(folder / "cells.lib").flip_flops
    counts = {cell: int(count) for cell, count in re.findall(r"^ +([A-Z]\w*) +(\d+)$", cells, re.M)}
    slack = re.search(r"^worst slack (-?[\d.]+)", (folder / "timing.log").read_text(), re.M)
    period = re.search(r"-period ([\d.]+)", (folder / "timing.tcl").read_text())
    area = re.search(r"Chip area for (?:top )?module .*: ([\d.]+)", cells)
    if not (slack and period and area):
        fail(f"{name}: area or slack are missing in {folder}")
    return {"flip_flops": sum(counts.get(cell, 0) for cell in flip_flops),
            "area_mm2": float(area[1]) / 1e6, "period_ns": float(period[1]) - float(slack[1]),
            "hop": hop(folder)}


def ours(flitscope):
    """What `flitscope synth` says of our routers, with each allocation and number of virtual channels."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as config:
        config.write(OURS)
        config.flush()
        done = subprocess.run(
            [flitscope, "synth", config.name, "--json", "--full-routers",
             "--sweep", "fabric.allocation=sequential,combined", "--sweep", "fabric.virtual_channels=" + ",".join(map(str, CHANNELS))],
            text=True, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        fail("flitscope synth failed")
    return sorted(json.loads(done.stdout)["results"], key=lambda result: result["combined"])


def tool(name):
    return shutil.which(name) or fail(f"{name} is missing: ./dev setup installs it")


def synthesize(router, model):
    """In a folder like `model`, that of a router of ours, by its own scripts: other sources are read."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        for link in ("cells.lib", "abc"):
            (folder / link).symlink_to((model / link).resolve())
        (folder / "abc.constr").write_text((model / "abc.constr").read_text())
        (folder / "timing.tcl").write_text((model / "timing.tcl").read_text())
        (folder / "public_router.v").write_text(router.wrapper)
        read, top, *rest = (model / "synthesis.ys").read_text().splitlines(keepends=True)
        if not (read.startswith("read_verilog ") and top.startswith("hierarchy ")
                and rest[0].startswith("rename -top ")):
            fail(f"{model}/synthesis.ys does not begin as expected")
        include = "".join(f" -I{(router.root / path).resolve()}" for path in router.includes)
        script = "".join([f"read_verilog -sv -defer{include} public_router.v {' '.join(router.files())}\n",
                          "hierarchy -check -top public_router\n", *rest])
        (folder / "synthesis.ys").write_text(script)
        environment = {**os.environ, "TMPDIR": place, "LC_ALL": "C"}
        for command, log in (([tool("yosys"), "synthesis.ys"], "synthesis.log"),
                             ([tool("sta"), "-no_init", "-no_splash", "-exit", "timing.tcl"],
                              "timing.log")):
            with open(folder / log, "w", encoding="utf-8") as out:
                done = subprocess.run(command, cwd=folder, stdout=out, stderr=subprocess.STDOUT,
                                      env=environment, check=False)
            if done.returncode != 0:
                tail = "".join((folder / log).read_text().splitlines(keepends=True)[-5:])
                fail(f"{router.name}, {router.channels} virtual channels: {command[0]} failed:\n{tail}")
        print(f"{router.name}, {router.channels} virtual channels: done", file=sys.stderr)
        return figures(folder, router.name)


def commit(root):
    """The commit of a clone, in short, and whether Verilog files differ from it."""
    def git(*words):
        return subprocess.run(["git", "-C", str(root), *words], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False)
    head = git("rev-parse", "--short=12", "HEAD")
    if head.returncode != 0:
        return "no commit"
    changed = git("status", "--porcelain", "--untracked-files=no", "--", "*.v").stdout
    return head.stdout.strip() + (", changed" if changed else "")


HEAD = ("router", "VCs", "min period ns", "area mm2", "flip-flops", "cycles/hop", "ns/hop")


def row(name, channels, found):
    return [name, channels, f"{found['period_ns']:.2f}", f"{found['area_mm2']:.3f}",
            found["flip_flops"], found["hop"], f"{found['hop'] * found['period_ns']:.2f}"]


def table(own, public, found, options):
    rows = []
    for result in own:
        name = f"ours, {'combined' if result['combined'] else 'sequential'}"
        rows.append(row(name, result["virtual_channels"],
                        {"period_ns": result["min_period_ns"], "area_mm2": result["area_um2"] / 1e6,
                         "flip_flops": result["flip_flops"],
                         "hop": hop(pathlib.Path(result["netlist"]).parent)}))
    rows += [row(router.name, router.channels, figures_) for router, figures_ in zip(public, found)]
    said = [f"{name}: commit {commit(root)}." for name, root in
            (("Stanford", options.stanford), ("ProNoC", options.pronoc)) if root]
    made = markdown_pages.table(HEAD, rows, ["---"] + ["---:"] * (len(HEAD) - 1))
    return "\n".join([made, "", " ".join(said)]) + "\n"


def main():
    parser = argparse.ArgumentParser(usage=__doc__[__doc__.index("usage: ") + 7:])
    parser.add_argument("flitscope")
    parser.add_argument("--stanford", type=pathlib.Path)
    parser.add_argument("--pronoc", type=pathlib.Path)
    parser.add_argument("--print", action="store_true", dest="only_print")
    options = parser.parse_args()
    for root in (options.stanford, options.pronoc):
        if root and not root.is_dir():
            fail(f"{root} is no folder: clone the repository that --help names")
    public = public_routers(options)
    if not public:
        fail("no clone is named: --stanford DIR, --pronoc DIR")
    for router in public:
        router.files()
    for name in ("yosys", "sta", "git"):
        tool(name)
    own = ours(options.flitscope)
    model = pathlib.Path(own[0]["netlist"]).parent
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda router: synthesize(router, model), public))
    made = table(own, public, found, options)
    if options.only_print:
        print(made, end="")
        return
    page = PAGE.read_text(encoding="utf-8")
    begin, end = "<!-- public routers -->\n", "<!-- end of public routers -->\n"
    head, rest = page.split(begin)
    PAGE.write_text(head + begin + made + end + rest.split(end)[1], encoding="utf-8")
    print(f"made the table of {PAGE}")


if __name__ == "__main__":
    main()
