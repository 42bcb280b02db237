# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The energy of routers and runs: flitscope synth --energy, run --energy, studies."""
import csv
import json
import operator
import os
import pathlib
import re
import shutil
import signal
import subprocess
from unittest import mock

from flitscope_cli import CliTest, EXIT_USAGE, TIMEOUT_S, machine, main, mesh, suite, without
from report_pages import data_of, numbers
from waveform import signals

SMALL = {"flit_bits": 16, "buffer_depth": 4}
VARIANT = "router_p3_v1_d4_w16_r1_mesh"
PARTS = {"routers": ("write_j", "read_j", "cross_j", "arbitrate_j", "idle_j", "leakage_j"),
         "links": ("flits_j", "idle_j", "leakage_j")}


def transitions_at_links(vcd):
    """Of all wires of all links, flits and credits, in the VCD of an exported test bench."""
    known, changes = signals(vcd)
    wires = {code for code, (scopes, name, _) in known.items()
             if scopes[-1].startswith("link_") and re.fullmatch(r"(flit_\w+|credit)_i", name)}
    values, transitions = {}, 0
    for line in changes.splitlines():
        value, code = line[1:].split() if line.startswith("b") else (line[:1], line[1:])
        if code not in wires:
            continue
        before, after = (text.rjust(64, "0") for text in (values.get(code, "x"), value))
        if "x" not in before + after:
            transitions += sum(old != new for old, new in zip(before, after))
        values[code] = value
    return transitions


@suite.needs_synthesis
class Energy(CliTest):
    # Found once for all tests: a copy of this cache is what each of them begins with, and what was said.
    found = None
    said = None

    def setUp(self):
        super().setUp()
        os.environ["FLITSCOPE_CACHE"] = self.path("cache")
        self.write("config.yaml", machine(mesh(4), {"schedule": "naive", "message_bytes": 32},
                                          fabric=SMALL, clock_ns=5))

    def find(self):
        """Has the energies of the router found."""
        if Energy.found is None:
            Energy.said = self.report("synth", "config.yaml", "--energy")
            Energy.found = {str(path.relative_to(self.path("cache"))): path.read_bytes()
                            for path in pathlib.Path(self.path("cache")).rglob("*")
                            if path.is_file() and not path.is_symlink()}
            return
        for name, content in Energy.found.items():
            path = pathlib.Path(self.path("cache")) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def energy(self, *arguments):
        return self.report("run", "config.yaml", "--energy", *arguments)["energy"]

    def test_a_library_that_tells_no_power_is_refused(self):
        with open("/usr/share/qflow/tech/osu018/osu018_stdcells.lib", encoding="utf-8") as file:
            cells = file.read()
        cells = re.sub(r"internal_power\s*\(\)\s*\{(?:[^{}]|\{[^{}]*\})*\}", "", cells)
        cells = re.sub(r"\b(rise_|fall_)?capacitance\s*:[^;]*;", "", cells)
        self.assertNotIn("internal_power", cells)
        self.write("silent.lib", cells)
        done = self.call("synth", "config.yaml", "--energy", "--liberty", "silent.lib", "--set",
                         "fabric.topology.dims=[2]", "--set", "fabric.buffer_depth=1")
        self.assertEqual(done.returncode, EXIT_USAGE, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertIn("silent.lib: error: this library has no power data", done.stderr)

    def test_energies_of_a_router_are_found_and_kept(self):
        self.find()
        first, second = Energy.said["results"]
        self.assertRegex(first["variant"], VARIANT + "_t")
        self.assertLess(second["energy"]["idle_pj_per_cycle"], first["energy"]["idle_pj_per_cycle"])
        energy = first["energy"]
        self.assertFalse(energy["from_cache"])
        for key in ("write_pj", "read_pj", "cross_pj", "idle_pj_per_cycle", "leakage_mw", "wire_toggles_per_flit"):
            self.assertGreater(energy[key], 0, key)
        for key in ("arbitrate_pj", "start_pj"):
            self.assertGreaterEqual(energy[key], 0, key)
        for key in ("flit_pj", "idle_pj_per_cycle", "leakage_mw"):
            self.assertGreater(energy["link"][key], 0, key)
            self.assertGreater(energy["link_further_cycle"][key], 0, key)
        self.assertEqual(energy["voltage"], 1.8)
        # The clock of all flip-flops, and the activity of some flits: the orders of magnitude.
        self.assertLess(energy["write_pj"], energy["idle_pj_per_cycle"])
        self.assertGreater(energy["idle_pj_per_cycle"], 0.1 * first["flip_flops"])
        self.assertLess(energy["idle_pj_per_cycle"], 0.5 * first["flip_flops"])
        # Half of the data bits of a flit change, and some of its marks.
        self.assertGreater(energy["wire_toggles_per_flit"], 16 * 0.3)
        self.assertLess(energy["wire_toggles_per_flit"], 16 * 0.5 + 6)
        self.assertLess(energy["error"], 0.05)
        self.assertLess(energy["active_error"], 0.2)
        again = self.report("synth", "config.yaml", "--energy")["results"][0]["energy"]
        self.assertTrue(again.pop("from_cache"))
        self.assertEqual(again, without(energy, "from_cache"))
        self.assertNotIn("energy", self.report("synth", "config.yaml")["results"][0])
        self.assertRegex(self.ok("synth", "config.yaml", "--energy"), r"(?m)^ +write +read .*\n.* pJ +pJ ")
        table = self.ok("synth", "config.yaml", "--energy", "--markdown")
        self.assertIn("| write pJ |", table)
        self.assertNotIn("power mW", table)

    def test_networks_are_compared_by_time_and_energy(self):
        self.find()
        clock = ("--energy", "--set", "clock_ns=synth")
        row, = self.report("compare", "config.yaml", "--run", *clock)["networks"]
        run = self.report("run", "config.yaml", *clock)
        self.assertEqual(row["run"]["energy"], run["energy"])
        self.assertEqual(row["run"]["time_us"], run["time_us"])
        self.assertAlmostEqual(row["run"]["time_us"] * 1e3,
                               run["cycles"] * row["router"]["min_period_ns"], delta=run["cycles"] * 1e-3)
        text = self.ok("compare", "config.yaml", "--run", *clock)
        self.assertRegex(text, f"run, us +{run['time_us']:.3f}\\n")
        self.assertRegex(text, f"energy, uJ +{run['energy']['total_j'] * 1e6:.4f}\\n")

    def test_a_mean_flit_takes_what_flits_of_a_long_message_do(self):
        """Also where a FIFO is shorter than its credit loop, so that they come in bursts of four."""
        self.find()
        for delay in (1, 3):
            override = ("--set", "fabric.topology.dims=[2]", "--set", f"fabric.link_delay.cycles={delay}")
            row, = self.report("compare", "config.yaml", *override)["networks"]
            spent = []
            for size in (1600, 3200):  # bytes: of 2 of a flit
                self.write("program.csv", f"source,destination,bytes,step\n0,1,{size},0\n")
                energy = self.energy(*override, "--set", "traffic={program: program.csv}")
                routers, links = energy["routers"], energy["links"]
                spent.append(sum(routers[part] for part in ("write_j", "read_j", "cross_j")) +
                             links["flits_j"])
            self.assertAlmostEqual((spent[1] - spent[0]) / 800 * 1e12,
                                   row["router"]["energy"]["flit_mean_pj"], places=6)

    def test_a_file_of_energies_that_cannot_be_read_is_found_anew(self):
        self.find()
        before = self.energy()
        kept = list(pathlib.Path(self.path("cache")).rglob("energy.json"))
        self.assertEqual(len(kept), 2)  # of inner routers, and of those at the ends
        for file in kept:
            file.write_text(file.read_text()[:100])
        done = self.call("run", "config.yaml", "--energy")
        self.assertEqual(done.returncode, EXIT_USAGE)
        self.assertIn("are not known", done.stderr)
        self.find_again()
        self.assertEqual(self.energy(), before)

    def find_again(self, *options):
        for result in self.report("synth", "config.yaml", "--energy", *options)["results"]:
            self.assertFalse(result["energy"]["from_cache"])

    def average(self):
        """The energies of the routers, as runs count them: the clock and leakage by router, events by
        the ports at which they happen."""
        report = self.report("synth", "config.yaml", "--energy")
        fabric, = report["fabrics"]
        counts = {router["variant"]: router["count"] for router in fabric["routers"]}
        average = {}
        for key in report["results"][0]["energy"]:
            per_router = key in ("idle_pj_per_cycle", "leakage_mw")
            weights = [counts[result["variant"]] * (1 if per_router else result["ports"])
                       for result in report["results"]]
            values = [result["energy"][key] for result in report["results"]]
            average[key] = values[0]  # of links, which are alike
            if isinstance(values[0], float):
                average[key] = sum(map(operator.mul, weights, values)) / sum(weights)
        return average

    def test_a_run_without_energies_says_how_to_find_them(self):
        words = ["config.yaml", VARIANT, "are not known", "flitscope synth --energy"]
        self.refused("run", "config.yaml", "--energy", says=words)
        self.find()
        for file in pathlib.Path(self.path("cache")).rglob("energy*"):
            file.unlink()  # its routers are synthesized
        self.refused("run", "config.yaml", "--energy", says=words)
        self.assertNotIn("energy", self.report("run", "config.yaml"))

    def test_what_no_rtl_router_does_has_no_energy(self):
        self.write("config.yaml", machine(mesh(4), {"schedule": "gen"}, fabric={
            "switching": "store_and_forward", "buffer_depth": 64}))
        self.refused("run", "config.yaml", "--energy", says=["config.yaml", "wormhole"])

    def test_the_energy_of_a_run_is_the_sum_of_its_parts_on_either_engine(self):
        self.find()
        energy = self.energy("--engine", "cycle")
        self.assertEqual(energy, self.energy("--engine", "tlm"))
        parts = [energy[group][name] for group, names in PARTS.items() for name in names]
        self.assertEqual(len(parts), sum(len(energy[group]) for group in PARTS))
        self.assertAlmostEqual(energy["total_j"], sum(parts), delta=1e-15)
        self.assertIsNone(energy["wires_j"])
        result = self.report("run", "config.yaml", "--energy")
        self.assertAlmostEqual(energy["seconds"], result["cycles"] * 5e-9)
        self.assertAlmostEqual(energy["per_message_j"], energy["total_j"] / result["messages_delivered"])
        self.assertAlmostEqual(energy["per_flit_hop_j"], energy["total_j"] / result["flit_hops"])
        # 12 messages of 32 bytes.
        self.assertEqual(result["bytes_delivered"], 12 * 32)
        self.assertAlmostEqual(energy["per_bit_j"], energy["total_j"] / 3072, delta=1e-18)
        router = self.average()
        flits = result["flits_delivered"] + result["flit_hops"]
        self.assertAlmostEqual(energy["routers"]["write_j"], flits * router["write_pj"] * 1e-12, delta=1e-18)
        self.assertAlmostEqual(energy["routers"]["read_j"], flits * router["read_pj"] * 1e-12, delta=1e-18)
        self.assertAlmostEqual(energy["routers"]["idle_j"],
                               4 * result["cycles"] * router["idle_pj_per_cycle"] * 1e-12, delta=1e-18)
        # Each message is a packet, and has a header in every router on its way.
        messages = result["messages_delivered"]
        hops = result["flit_hops"] * messages // result["flits_delivered"]
        self.assertAlmostEqual(energy["routers"]["arbitrate_j"],
                               (messages + hops) * router["arbitrate_pj"] * 1e-12, delta=1e-18)
        text = self.ok("run", "config.yaml", "--energy")
        self.assertIn("clock of routers", text)
        self.assertIn("wires are not in it", text)
        self.assertIn(f"{energy['per_bit_j'] * 1e12:.3f} pJ per bit of payload", text)
        self.assertNotIn("clock of routers", self.ok("run", "config.yaml"))

    def test_routers_spend_energy_until_the_last_rank_has_ended(self):
        self.find()
        self.write("config.yaml", machine(mesh(4), {
            "schedule": "fft-transpose", "message_bytes": 8, "compute_cycles": 5000},
            fabric=SMALL, clock_ns=5))
        result = self.report("run", "config.yaml", "--energy")
        end = result["trace"]["end_cycles"]
        self.assertGreater(end, result["cycles"] + 4000)
        self.assertAlmostEqual(result["energy"]["seconds"], end * 5e-9)
        router = self.average()
        self.assertAlmostEqual(result["energy"]["routers"]["idle_j"],
                               4 * end * router["idle_pj_per_cycle"] * 1e-12, delta=1e-15)

    def test_the_text_has_the_cycles_that_the_energy_is_of(self):
        self.find()
        self.write("pair.goal", "num_ranks 2\nrank 0 {\nsend 64b to 1\n}\n"
                                "rank 1 {\na: recv 64b from 0\nb: calc 50000\nb requires a\n}\n")
        self.write("config.yaml", machine(mesh(4), {"trace": {"file": "pair.goal"}}, fabric=SMALL,
                                          clock_ns=5))
        result = self.report("run", "config.yaml", "--energy")
        self.assertGreater(result["trace"]["end_cycles"], result["cycles"] + 9000)
        text = self.ok("run", "config.yaml", "--energy")
        (cycles, clock), = re.findall(r"J in ([0-9,]+) cycles of (\S+) ns", text)
        self.assertAlmostEqual(int(cycles.replace(",", "")) * float(clock) * 1e-9,
                               result["energy"]["seconds"], delta=1e-12)

    @suite.campaign
    def test_engines_agree_on_the_energy_of_virtual_channels_that_share_links(self):
        lanes = ("--set", "fabric.virtual_channels=2", "--set", "fabric.switch_arbitration=per_packet",
                 "--set", "traffic={schedule: naive, algorithm: from_zero, message_bytes: 40}")
        self.ok("synth", "config.yaml", "--energy", *lanes)
        energy = self.energy("--engine", "cycle", *lanes)
        self.assertEqual(energy, self.energy("--engine", "tlm", *lanes))
        self.assertGreater(energy["routers"]["cross_j"], 0)

    @suite.campaign
    def test_wires_take_what_their_transitions_take(self):
        """In the exported fabric, replayed: in FIFOs of one flit every flit has a pause before it, in others
        few have."""
        self.find()
        for depth in (1, 4):
            arguments = ("--set", f"fabric.buffer_depth={depth}", "--set", "fabric.flit_bits=64", "--set",
                         "fabric.link_delay="
                         "{model: physical, pitch_mm: 1, ns_per_mm: 0.05}")
            self.ok("synth", "config.yaml", "--energy", *arguments)
            told = self.energy(*arguments)["wires_j"] / (0.5 * 0.35e-12 * 1.8 ** 2)
            self.ok("export", "config.yaml", "--rtl", f"rtl{depth}", *arguments)
            self.write(f"rtl{depth}/dump.v", 'module dump; initial begin $dumpfile("replay.vcd"); '
                       "$dumpvars(0, replay); end endmodule\n")
            said = subprocess.run(
                ["bash", "-euc", "iverilog -g2012 -DSYNTHESIS -s replay -s dump -o replay.vvp -c replay.f dump.v\n"
                 "sed -i '/^Ewait_/s/, E_0x0;/;/' replay.vvp\nvvp -n replay.vvp"],
                cwd=self.path(f"rtl{depth}"), text=True, check=True, capture_output=True, timeout=TIMEOUT_S)
            self.assertIn("PASS", said.stdout)
            counted = transitions_at_links(self.read(f"rtl{depth}/replay.vcd").decode())
            self.assertGreater(counted, 1000)
            print(f"depth {depth}: {counted} transitions counted, {told:.0f} told", flush=True)
            self.assertLess(abs(told / counted - 1), 0.15)

    def test_wires_with_a_length_take_energy(self):
        self.find()
        wires = "fabric.link_delay={model: physical, pitch_mm: 2, ns_per_mm: 0.0585}"
        energy = self.energy("--set", wires)
        result = self.report("run", "config.yaml", "--set", wires)
        router = self.average()
        toggle = 0.5 * 2 * 0.35e-12 * 1.8 ** 2
        least = result["flit_hops"] * router["wire_toggles_per_flit"] * toggle
        self.assertGreaterEqual(energy["wires_j"], least * 0.999999)
        self.assertLess(energy["wires_j"], 2 * least)
        twice = self.energy("--set", wires, "--set", "fabric.link_delay.pf_per_mm=0.7")
        self.assertAlmostEqual(twice["wires_j"], 2 * energy["wires_j"])
        self.assertAlmostEqual(twice["total_j"] - energy["total_j"], energy["wires_j"])
        self.assertIn("% wires", self.ok("run", "config.yaml", "--energy", "--set", wires))
        self.refused("run", "config.yaml", "--set", "fabric.link_delay={pf_per_mm: 1}",
                     says=["pf_per_mm", "physical"])

    def test_a_longer_link_has_more_registers(self):
        self.find()
        one = self.energy("--set", "fabric.link_delay.cycles=1")
        three = self.energy("--set", "fabric.link_delay.cycles=3")
        router = self.average()
        flits = self.report("run", "config.yaml")["flit_hops"]
        self.assertAlmostEqual(three["links"]["flits_j"] - one["links"]["flits_j"],
                               2 * flits * router["link_further_cycle"]["flit_pj"] * 1e-12, delta=1e-18)

    def test_links_have_a_table_and_the_folder_can_be_reported_again(self):
        self.find()
        result = self.report("run", "config.yaml", "--energy", "--out", "out")
        with open(self.path("out/energy.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), result["links"])
        self.assertEqual(sum(int(row["flits"]) for row in rows), result["flit_hops"])
        self.assertAlmostEqual(sum(float(row["registers_j"]) for row in rows),
                               sum(result["energy"]["links"].values()), delta=1e-13)
        self.assertEqual({row["wires_j"] for row in rows}, {""})
        summary = json.loads(self.read("out/summary.json"))
        self.assertEqual(summary["energy"], result["energy"])
        # On the page routers and links share the energy of the run among them.
        self.ok("report", "out", "-o", "page.html")
        spent = data_of(self.read("page.html"))["energy"]
        self.assertEqual(numbers(spent["links"]), [round(float(row["registers_j"]) * 1e15) for row in rows])
        self.assertEqual(len(numbers(spent["routers"])), 4)
        self.assertAlmostEqual(sum(numbers(spent["routers"])) * 1e-15, sum(result["energy"]["routers"].values()),
                               delta=1e-14)
        self.ok("report", "config.yaml", "--energy", "-o", "page.html")
        self.assertEqual(data_of(self.read("page.html"))["energy"], spent)
        self.refused("report", "out", "--energy", "-o", "page.html", says=["a run is shown as it ran"])
        self.ok("run", "config.yaml", "--out", "without")
        self.assertFalse(os.path.exists(self.path("without/energy.csv")))

    def test_routers_spend_what_happens_in_them(self):
        self.find()
        self.write("program.csv", "source,destination,bytes,step\n0,1,64,0\n")
        program = ("--set", "traffic={program: program.csv}")
        energy = self.energy(*program)["routers"]
        self.ok("report", "config.yaml", "--energy", *program, "-o", "page.html")
        spent = [femto * 1e-15 for femto in numbers(data_of(self.read("page.html"))["energy"]["routers"])]
        idle = (energy["idle_j"] + energy["leakage_j"]) / 4
        for router in (2, 3):
            self.assertAlmostEqual(spent[router], idle, delta=2e-15)
        # Both have the same flits come and go, but for pauses on the way.
        events = [spent[router] - idle for router in (0, 1)]
        self.assertAlmostEqual(sum(events), sum(energy.values()) - 4 * idle, delta=4e-15)
        self.assertAlmostEqual(events[0] / events[1], 1, delta=0.1)

    def test_an_interrupt_leaves_nothing_unfinished(self):
        # The same file all the time: with another one the router would be synthesized anew.
        real = shutil.which("yosys")
        self.endless_program("yosys", before=f'[ -e {self.path("endless")} ] || exec {real} "$@"')
        os.mkdir(self.path("tmp"))
        path = self.path("bin") + ":" + os.environ["PATH"]
        with mock.patch.dict(os.environ, PATH=path, TMPDIR=self.path("tmp")):
            self.ok("synth", "config.yaml", "--full-routers")
            self.write("endless", "")
            process = self.start("synth", "config.yaml", "--full-routers", "--energy", stderr=subprocess.PIPE, text=True)
            self.wait_until(lambda: self.programs("yosys"), "no tool was started", process)
            process.send_signal(signal.SIGINT)
            error = process.communicate(timeout=TIMEOUT_S)[1]
            self.assertEqual(process.returncode, -signal.SIGINT, error)
            self.assertIn("link registers", error)
            self.assertEqual(os.listdir(self.path("tmp")), [])
            self.assertEqual(list(pathlib.Path(self.path("cache")).rglob("energy*")), [])
            os.remove(self.path("endless"))
            self.find_again("--full-routers")

    @suite.campaign
    def test_studies_know_energies(self):
        def explore(method):
            self.write("study.yaml", json.dumps({
                "base": "config.yaml",
                "vary": {"fabric.buffer_depth": [1, 2, 8], "traffic.schedule": ["gen", "naive"]},
                "objectives": {"min": ["energy_uj", "area_mm2"]},
                "search": {"method": method, **({"evaluations": 1000} if method == "random" else {})}}))
            return self.report("explore", "study.yaml", "--db", method + ".db")

        def front(report):
            return sorted((design["axes"]["fabric.buffer_depth"], design["axes"]["traffic.schedule"],
                           design["objectives"]["energy_uj"]) for design in report["front"])

        exact = explore("exact")
        everything = explore("random")
        self.assertEqual((everything["simulated"], everything["refused"]), (6, 0))
        self.assertEqual(exact["simulated"] + exact["pruned"], 6)
        self.assertGreater(exact["pruned"], 0)
        self.assertEqual(front(exact), front(everything))
        for depth, schedule, energy in front(exact):
            said = self.energy("--set", f"fabric.buffer_depth={depth}", "--set", f"traffic.schedule={schedule}")
            self.assertAlmostEqual(energy, said["total_j"] * 1e6)

    @suite.campaign
    def test_a_study_minimises_the_energy_of_a_bit(self):
        """Of two workloads it is the mean, by their weights; long messages share one header."""
        def front(method):
            self.write("study.yaml", json.dumps({
                "base": "config.yaml",
                "vary": {"fabric.buffer_depth": [2, 8], "traffic.schedule": ["gen", "naive"]},
                "measure": {"short": {"set": {"traffic.message_bytes": 8}},
                            "long": {"set": {"traffic.message_bytes": 128}, "weight": 3}},
                "objectives": {"min": ["energy_per_bit_pj"]},
                "search": {"method": method, **({"evaluations": 1000} if method == "random" else {})}}))
            found = self.report("explore", "study.yaml", "--db", method + ".db")
            return [(design["axes"], design["objectives"]["energy_per_bit_pj"])
                    for design in found["front"]]

        (axes, best), = front("exact")
        self.assertEqual(front("random"), [(axes, best)])
        each = [self.energy(*(word for key, value in axes.items() for word in ("--set", f"{key}={value}")),
                            "--set", f"traffic.message_bytes={count}")["per_bit_j"] * 1e12
                for count in (8, 128)]
        self.assertGreater(each[0], each[1])
        self.assertAlmostEqual(best, (each[0] + 3 * each[1]) / 4, places=6)
        exported = self.ok("explore", "export", "--db", "exact.db")
        self.assertIn("energy_per_bit_pj", exported.splitlines()[0])


if __name__ == "__main__":
    main()
