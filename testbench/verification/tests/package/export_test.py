#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope export --systemc: every shipped configuration as a program against the installed library
has the same configuration and plays the same cycles; what is written builds.

usage: export_test.py ROOT BUILD CMAKE CXX
"""

import itertools
import json
import re
import unittest

from installed import CXX, ROOT, InstalledTest, call

CONFIGS = ROOT / "testbench/configs"

# Keys that the shipped configurations do not change: a configuration, and the settings.
FURTHER = {
    "channels": ("mesh_8x8_pex", {
        "fabric.virtual_channels": 2, "fabric.switch_arbitration": "per_packet",
        "fabric.allocation": "combined", "fabric.buffer_depth": 3, "fabric.router_delay": 2,
        "fabric.routing": "dimension_order", "fabric.flit_bits": 128,
        "fabric.link_delay": "{model: physical, pitch_mm: 2.5, ns_per_mm: 0.3, pf_per_mm: 0.2}",
        "node.header_flits": 2, "node.send_overhead": 7, "node.recv_overhead": 3,
        "node.serialize_overhead": "true", "node.packet_bytes": 32, "node.injection_bandwidth": "2/3",
        "clock_ns": 2.5, "seed": 18446744073709551615, "limits.max_cycles": 100000000}),
    "cut_through": ("mesh_16x16_uniform", {
        "fabric.topology.dims": "[4, 4]", "fabric.switching": "virtual_cut_through",
        "fabric.buffer_depth": 64, "traffic":
        "{pattern: hotspot, root: 5, hotspot_fraction: 0.25, arrivals: bursty, burst_cycles: 40.5, "
        "burst_rate: 0.75, injection_rate: 0.125, message_lengths: {8: 3, 64: 1}, "
        "warmup_cycles: 50, measure_cycles: 500}"}),
    "stored": ("mesh_16x16_uniform", {
        "fabric.topology.dims": "[4, 4]", "fabric.switching": "store_and_forward",
        "fabric.combining_delay": 4, "fabric.buffer_depth": 64, "traffic":
        "{pattern: uniform, reply_bytes: 16, reply_delay: 3, arrivals: periodic, message_bytes: 40, "
        "warmup_cycles: 50, measure_cycles: 500}"}),
    "circuit": ("hypercube_5_aap_circuit", {"fabric.setup_delay": 3}),
    "express": ("express_8x8_full", {
        "fabric.topology": "{kind: express_mesh, dims: [9, 9], segment: 2, layout: hierarchy, "
        "levels: 2}", "fabric.bisection_budget": 2048, "fabric.flit_bits": None}),
    "pins": ("torus_8x8_folded", {"fabric.pin_budget": 512, "fabric.flit_bits": None}),
    "torus": ("mesh_8x8_pex", {
        "fabric.topology": "{kind: torus, dims: [4, 4], folded: true}",
        "fabric.link_delay": "{model: linear, reach: 2}", "traffic.handshake": "true"}),
    "wires": ("mesh_8x8_pex", {
        "fabric.link_delay.cycles": 3, "fabric.allow_deadlock": "true",
        "traffic.barrier": "{per_doubling: 2.5, fixed: -1}"}),
    "steady": ("mesh_8x8_steady", {
        "steady": "{confidence: 0.9, half_width: 0.1, max_cycles: 50000, warmup: 500}"}),
    "traced": ("mesh_8x8_pex", {
        "waveform": '{links: ["5-6", "6-7"], nodes: [1, 2], dimensions: [0], from: 10, until: 500, '
        "details: true, endpoints: true}"}),
    "interconnect": ("mesh_8x8_pex", {
        "interconnect": "{initiators: [0, 1], targets: [{node: 3, base: 0x0, size: 0x1000}, {node: 4, "
        "base: 0x8000000000000000, size: 0x1000}], header_bytes: 4, outstanding: 2, dmi: true}"}),
    "routers": ("mesh_4x4_foreign", {"waveform.rtl_nodes": "[5, 9]"}),
    "all_rtl": ("mesh_8x8_pex", {"fabric.router": "rtl"}),
    "computed": ("semigroup_line", {"traffic.operation": "max", "traffic.values_per_node": 3}),
    "dropped": ("mesh_4x4_program", {"traffic.self_messages": "drop"}),
    "self": ("mesh_8x8_broadcast", {"traffic.root": 9}),
    "faults": ("mesh_8x8_pex", {
        "faults": '{links: ["3-4"], nodes: [9], random_links: 2, random_nodes: 1, seed: 7, '
        "keep_connected: true, traffic: drop}", "traffic":
        "{pattern: uniform, message_bytes: 16, warmup_cycles: 10, measure_cycles: 300}"}),
    "classes": ("mesh_8x8_classes", {
        "traffic": "{pattern: uniform, classes: {control: 1, gold: 3}, message_bytes: 16, "
        "warmup_cycles: 10, measure_cycles: 300}"}),
    "later": ("mesh_8x8_pex", {"faults": '{links: ["3-4"], at: 700}',
                               "node.retransmit": "{timeout: 4000, tries: 2}"}),
    "share": ("mesh_8x8_pex", {"faults": "{random_links: 0.05, keep_connected: true}"}),
    "kernel": ("schedules/training-step", {
        "traffic.compute_cycles": 77, "traffic.iterations": 2, "traffic.gradient_bytes": 512}),
    "blocks": ("schedules/wavefront", {"traffic.blocks": 3}),
    "pieces": ("schedules/broadcast_pipelined_chain", {"traffic.chunks": 3}),
}

# Rank 0 sends 500 bytes to rank 1, as execution traces of Chakra.
CHAKRA = {0: ("070a05302e302e3427080112036f75741805520e0a09636f6d6d5f73697a6548f403520c0a08"
             "636f6d6d5f6473744801"),
          1: ("070a05302e302e342608011202696e1806520e0a09636f6d6d5f73697a6548f403520c0a0863"
             "6f6d6d5f7372634800")}

FILES = {"fabric.topology.file": "graph", "traffic.program": "program", "traffic.matrix": "matrix",
         "traffic.trace.file": "trace", "traffic.trace.placement_file": "placement"}


def written_keys(text):
    """What `config.yaml` of a run says, a path and a value for each line that has one."""
    values, sections = {}, []
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, _, value = line.strip().partition(":")
        depth = (len(line) - len(line.lstrip())) // 2
        sections = sections[:depth] + [name]
        if value:
            values[".".join(sections)] = value.strip()
    return values


class ExportedPrograms(InstalledTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cases = {}
        for rank, trace in CHAKRA.items():
            (cls.folder / f"app.{rank}.et").write_bytes(bytes.fromhex(trace))
        (cls.folder / "p.txt").write_text("9\n11\n")  # a shorter name than that of the trace
        places = cls.folder / "places.txt"
        places.write_text("3\n2\n1\n0\n7\n6\n5\n4\n")
        further = {**FURTHER, "chakra": ("mesh_8x8_pex", {
            "traffic": f"{{trace: {{format: chakra, file: {cls.folder}/app, "
                       "algorithms: [allreduce/ring]}}"}), "chakra_placed": ("mesh_8x8_pex", {
            "traffic": f"{{trace: {{format: chakra, file: {cls.folder}/app, placement: file, "
                       f"placement_file: {cls.folder / 'p.txt'}}}}}"}), "placed": (
                "fat_tree_8_goal", {"traffic.trace.placement": "file",
                                    "traffic.trace.placement_file": places,
                                    "traffic.trace.send_completes": "injected",
                                    "traffic.trace.eager_bytes": 100})}
        for path in sorted(itertools.chain(CONFIGS.glob("*.yaml"),
                                           CONFIGS.glob("schedules/*.yaml"))):
            if re.search(r"^(fabric|machine|traffic):", path.read_text(), re.MULTILINE):
                cls.cases[path.stem] = (path, [])
        for name, (base, settings) in further.items():
            sets = [word for key, value in settings.items() if value is not None
                    for word in ("--set", f"{key}={value}")]
            cls.cases[f"further_{name}"] = (CONFIGS / f"{base}.yaml", sets)

    def test_every_configuration_is_the_same_program(self):
        self.assertGreater(len(self.cases), 90)
        programs = {}  # by their code
        for name, (config, sets) in self.cases.items():
            folder = self.folder / name
            self.ok(self.program, "export", config, "--systemc", folder, *sets)
            lines = (folder / "main.cpp").read_text().splitlines(keepends=True)
            code = "".join(line for line in lines if not line.startswith("//"))
            if code not in programs:
                programs[code] = self.compiled(folder / "main.cpp", f"program_{len(programs)}")
            with self.subTest(name):
                self.compare(name, programs[code])
        self.assertEqual(len(programs), 2)  # with routers in SystemVerilog, and without

    def compiled(self, source, name):
        """A program that loads the configuration which the environment names, in place of its own."""
        flags = self.ok("pkg-config", "--cflags", "--libs", "flitscope",
                        env={"PKG_CONFIG_PATH": str(self.prefix / "lib/pkgconfig")}).split()
        program = self.folder / name
        self.ok(CXX, "-Wall", "-Wextra", "-Werror", "-include", "cstdlib",
                '-DFLITSCOPE_CONFIG=std::getenv("CONFIG")',
                f'-DFLITSCOPE_ROUTERS="{self.prefix}/lib/flitscope/rtl"', source, "-o", program, *flags)
        return program

    def compare(self, name, program):
        config, sets = self.cases[name]
        out = self.folder / f"{name}_run"
        done = call(self.program, "run", config, *sets, "--json", "--out", out)
        expected = json.loads(done.stdout)
        loaded = self.folder / name / "config.yaml"
        made = call(program, env={"CONFIG": str(loaded)})
        self.assertEqual(made.returncode, 0 if done.returncode == 0 else 1,
                         f"{made.stdout}{made.stderr}{done.stderr}")
        found = re.match(r"engine (\w+), (\d+) of (\d+) messages in (\d+) cycles, latency ([\d.]+) ",
                         made.stdout)
        self.assertIsNotNone(found, made.stdout)
        self.assertEqual(found[1], expected["engine"])
        if "steady" not in expected:  # there the end does not wait for what is under way
            self.assertEqual((int(found[2]), int(found[3])),
                             (expected["messages_delivered"], expected["messages_expected"]))
        self.assertEqual(int(found[4]), expected["cycles"])
        self.assertEqual(found[5], f"{expected['latency']['mean']:.2f}")
        self.assertEqual(made.stdout.count("\n") > 1, done.returncode != 0, made.stdout)
        # And what nothing of that depends on.
        wanted = written_keys((out / "config.yaml").read_text())
        written = written_keys(loaded.read_text())
        for key in FILES.keys() & wanted.keys():
            self.assertRegex(written.pop(key), rf'^"\./{FILES[key]}(\.\w+)?"$')
            del wanted[key]
        self.assertGreater(len(wanted), 20)
        self.assertEqual(written, wanted)

    def test_what_is_written_builds_as_it_says(self):
        own = self.folder / "own sources"
        own.mkdir()
        router = (ROOT / "testbench/examples/own_router/registered_router.sv").read_text()
        (own / "registered_router.sv").write_text(router)
        (own / "a b.yaml").write_text(
            "fabric: {topology: {kind: mesh, dims: [4, 4]}, router: {top: "
            "registered_router, sources: [registered_router.sv]}}\ntraffic: {program: ../prog.csv}\n")
        (self.folder / "prog.csv").write_text("id,source,destination,bytes,time,after\n1,0,15,64,0,\n")
        project = self.folder / "project"
        said = self.ok(self.program, "export", own / "a b.yaml", "--systemc", project)
        self.assertIn("needs flitscope installed: cmake --install BUILD --prefix PREFIX", said)
        self.assertIn(f"cmake -S {project} -B {project}/build -DCMAKE_PREFIX_PATH=PREFIX && "
                      f"cmake --build {project}/build && {project}/build/a_b\n", said)
        self.assertEqual({p.relative_to(project).as_posix() for p in project.rglob("*") if p.is_file()},
                         {"main.cpp", "CMakeLists.txt", "config.yaml", "program.csv",
                          "routers/registered_router.sv"})
        (self.folder / "prog.csv").unlink()
        (own / "registered_router.sv").unlink()
        project = project.rename(self.folder / "elsewhere")
        self.build(project)
        waveform = self.folder / "project.vcd"
        text = self.ok(project / "build/a_b", waveform)
        # Seven routers, with a register each that ours do not have.
        self.assertRegex(text, r"^engine cycle, 1 of 1 messages in \d+ cycles")
        self.assertIn("link_000_001", waveform.read_text())
        # The configuration is its user's to change.
        config = project / "config.yaml"
        config.write_text(config.read_text().replace("buffer_depth: 8", "buffer_depth: none"))
        refused = call(project / "build/a_b")
        self.assertEqual(refused.returncode, 2)
        self.assertRegex(refused.stderr, rf"^{config}:\d+:\d+: error: 'fabric.buffer_depth' must be ")

    def test_routers_of_ours_are_verilated(self):
        # `router` is a variable of the project, and the name of our module.
        for name in ("routers.yaml", "verilated.yaml"):
            (self.folder / name).write_text(
                "fabric: {topology: {kind: mesh, dims: [2, 2]}, router: rtl, buffer_depth: 2}\n"
                "traffic: {schedule: pex, message_bytes: 64}\n")
            project = self.folder / f"of_{name}"
            self.ok(self.program, "export", self.folder / name, "--systemc", project)
            self.build(project)
            text = self.ok(project / f"build/fabric_{name.split('.')[0]}")
            self.assertRegex(text, r"^engine cycle, 12 of 12 messages in \d+ cycles")

    def test_what_cannot_be_written_is_refused(self):
        config = CONFIGS / "mesh_8x8_pex.yaml"
        def refused(*arguments, says):
            done = call(self.program, "export", *arguments, cwd=self.folder)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(says, done.stderr)
        refused(config, says="no output is selected (--systemc DIR for a C++ program")
        refused(config, "--systemc", "a", "--rtl", "b", says="excludes")
        refused(config, "--systemc", "", says="needs a name")
        (self.folder / "taken").mkdir()
        (self.folder / "taken/file").write_text("mine")
        refused(config, "--systemc", "taken", says="not empty")
        self.assertEqual((self.folder / "taken/file").read_text(), "mine")
        refused(config, "--set", "traffic={}", "--systemc", "new", says="traffic")
        refused(CONFIGS / "ring_4_deadlock.yaml", "--set", "fabric.allow_deadlock=false",
                "--systemc", "new", says="deadlock")
        self.assertFalse((self.folder / "new").exists())


if __name__ == "__main__":
    unittest.main()
