# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Networks side by side: flitscope compare; what topology says of their cost; and the wire budgets
that make them comparable."""
import csv
import io
import json
import os
import pathlib
import re
from unittest import mock

from flitscope_cli import (CliTest, EXIT_STANDSTILL, WALL_CLOCK_KEYS, hypercube, machine, main,
                           mesh, suite)

ROOT = pathlib.Path(__file__).resolve().parents[4]


def config(topology, **fabric):
    return json.dumps({"fabric": {"topology": topology, **fabric}})


class Figures(CliTest):
    def topology(self, shape, **fabric):
        self.write("config.yaml", config(shape, **fabric))
        return self.report("topology", "config.yaml")

    def test_figures_of_a_how(self):
        report = self.topology({"kind": "how", "dims": [16, 16], "window": 4})
        expected = {"nodes": 256, "channels": 1728, "links": 3456, "degree": {"min": 8, "max": 16},
                    "diameter": 8, "bisection": 160, "bisection_method": "cut", "mcw": 6,
                    "layers": 2, "contacts": 3456, "longest_wire": 4, "flit_bits": 64,
                    "pin_out": 1024, "bisection_wires": 10240, "distance_sources": 256,
                    "route_destinations": 256, "virtual_channels": 1,
                    "route_loss": {"mean_extra_hops": 0, "max_extra_hops": 0, "detour_share": 0}}
        self.assertEqual({key: report[key] for key in expected}, expected)
        self.assertEqual(report["route_hops"]["max"], 8)
        self.assertAlmostEqual(report["route_hops"]["mean"], report["average_distance"])

    def test_the_loss_of_routing_on_an_express_mesh_is_stated(self):
        shape = {"kind": "express_mesh", "dims": [16, 16], "segment": 4}
        report = self.topology(shape)
        loss = report["route_loss"]
        self.assertAlmostEqual(report["route_hops"]["mean"] - loss["mean_extra_hops"],
                               report["average_distance"])
        self.assertGreater(loss["detour_share"], 0)
        text = self.ok("topology", "config.yaml")
        self.assertIn(f"{100 * loss['detour_share']:.1f} % of the paths are longer", text)
        self.assertIn("every path is a shortest one", self.ok(
            "topology", "config.yaml", "--set", "fabric.routing=shortest_path"))

    def test_how_the_bisection_is_known(self):
        for shape, bisection, method in ((mesh(8, 8), 8, "exact"), (mesh(3, 3), 4, "exact"),
                                         (hypercube(6), 32, "exact"),
                                         ({"kind": "torus", "dims": [8, 8]}, 16, "exact"),
                                         ({"kind": "ghc", "dims": [8, 8]}, 128, "exact"),
                                         ({"kind": "ghc", "dims": [3, 4]}, 12, "cut"),
                                         ({"kind": "how", "dims": [14], "window": 9}, 39, "exact"),
                                         ({"kind": "how", "dims": [8, 8], "window": 3}, 48, "cut")):
            with self.subTest(shape=shape):
                report = self.topology(shape)
                self.assertEqual(report["bisection"], bisection)
                self.assertEqual(report["bisection_method"], method)
                self.assertEqual(report["bisection_proof"] != "", method == "exact")
                text = self.ok("topology", "config.yaml")
                self.assertIn(f"{bisection} channels (exact: " if method == "exact"
                              else f"at most {bisection} channels (cut", text)


class Budgets(CliTest):
    def test_a_budget_sets_the_width_of_every_command(self):
        self.write("config.yaml", json.dumps({
            "fabric": {"topology": hypercube(4), "pin_budget": 520},
            "traffic": {"schedule": "pex", "message_bytes": 160}}))
        self.assertEqual(self.report("topology", "config.yaml")["flit_bits"], 128)
        for command in ("topology", "check", "run"):
            text = self.ok(command, "config.yaml")
            self.assertIn("pin budget of 520 wires / 4 links of a node = 128 bits", text)
        report = self.report("run", "config.yaml", "--out", "out")
        self.assertEqual(report["flit_bits"], 128)
        self.assertEqual(report["flits_delivered"], 240 * 11)  # 10 flits of 16 bytes, a header
        plain = self.report("run", "config.yaml", "--set", "fabric.pin_budget=0",
                            "--set", "fabric.flit_bits=128")
        self.assertEqual(plain["cycles"], report["cycles"])
        self.ok("verify", "config.yaml")

    def test_the_resolved_configuration_gives_the_same_run(self):
        self.write("config.yaml", machine(mesh(4, 4), {"schedule": "gen", "message_bytes": 64},
                                          fabric={"bisection_budget": 130}))
        first = self.report("run", "config.yaml", "--out", "out")
        self.assertEqual(first["flit_bits"], 32)
        again = self.report("run", "out/config.yaml")
        for key in ("flit_bits", "cycles", "flits_delivered"):
            self.assertEqual(again[key], first[key])

    def test_links_one_way_count_in_their_direction(self):
        self.write("ring.dot", "digraph { a -> b; b -> c; c -> d; d -> a }")
        self.write("config.yaml", config({"kind": "custom", "file": "ring.dot"}, pin_budget=128))
        self.assertEqual(self.report("topology", "config.yaml")["pin_out"], 128)
        self.assertIn("128 wires per direction (1 link of 128 bits)",
                      self.ok("topology", "config.yaml"))

    def test_usual_networks_beyond_a_budget_are_left_out(self):
        done = self.call("compare", "--nodes", "64", "--set", "fabric.bisection_budget=100", "--json")
        told = json.loads(done.stdout)
        self.assertEqual([row["name"] for row in told["networks"]],
                         ["mesh 4x4 of 2x2 nodes", "mesh 2x2x2 of 2x2x2 nodes",
                          "express_mesh 4x4 sparse segment 2 of 2x2 nodes"])
        self.assertIn("a bisection budget of 100 wires leaves 12 to each of the 8 links over the bisection of "
                      "mesh 8x8, and a flit has at least 16 bits", told["left_out"])
        table = self.call("compare", "--nodes", "64", "--set", "fabric.bisection_budget=100")
        self.assertEqual(table.stderr.count("note: left out: a bisection budget"), len(told["left_out"]))
        self.refused("compare", "--nodes", "64", "--set", "fabric.bisection_budget=10",
                     says=("a bisection budget of 10 wires",))

    def test_too_small_a_budget_is_refused_with_the_least_that_works(self):
        self.write("config.yaml", config({"kind": "ghc", "dims": [8, 8]}, pin_budget=100))
        self.refused("topology", "config.yaml", says=["config.yaml:1:", "7 to each of the 14 links",
                                                      "at least 224"])
        self.ok("topology", "config.yaml", "--set", "fabric.pin_budget=224")
        self.refused("topology", "config.yaml", "--set", "fabric.bisection_budget=512",
                     says=["contradicts"])
        self.refused("topology", "config.yaml", "--set", "fabric.flit_bits=32",
                     says=["fabric.pin_budget"])


class Comparison(CliTest):
    def rows(self, *arguments):
        return self.report("compare", *arguments)["networks"]

    def test_usual_networks_are_not_all_replaced_by_one(self):
        for override in ("fabric.topology={kind: fat_tree, arity: 2, height: 2}",
                         "fabric.topology.dims=[4]", "fabric={topology: {kind: mesh, dims: [4]}}"):
            self.refused("compare", "--nodes", "16", "--set", override,
                         says=["sets the network", "configuration files instead of --nodes"])

    @suite.campaign
    def test_usual_networks_with_too_many_ports_are_left_out(self):
        """comparison_test.cpp has the list, without the figures, which take long."""
        names = [line.split(",")[0]
                 for line in self.ok("compare", "--nodes", "4099", "--csv").splitlines()[1:]]
        self.assertEqual(names[:2], ["mesh 4099", "torus 4099"])
        self.assertIn("how 4099 window 1024", names)  # one of 2048 would have 2^24 ports and more
        self.assertFalse([name for name in names if name.startswith("ghc")])

    def test_usual_networks_have_the_number_of_nodes_that_was_asked_for(self):
        for nodes in (2, 3, 4, 7, 12, 27, 64, 100, 256):
            with self.subTest(nodes=nodes):
                rows = self.rows("--nodes", nodes)
                self.assertEqual({row["nodes"] for row in rows}, {nodes})
                names = [row["name"] for row in rows]
                self.assertEqual(len(set(names)), len(names))
                self.assertTrue(all(row["deadlock_free"] for row in rows), names)
                kinds = {name.split()[0] for name in names}
                self.assertEqual("hypercube" in kinds, nodes in (2, 4, 64, 256))
                self.assertIn("mesh", kinds)
        kinds = [row["topology"].split()[0] for row in self.rows("--nodes", 256)]
        self.assertEqual(sorted(set(kinds)),
                         ["express_mesh", "ghc", "how", "hypercube", "mesh", "torus"])
        self.assertIn("torus 4x4x4", [row["name"] for row in self.rows("--nodes", 64)])

    def test_rows_are_what_topology_says(self):
        self.write("a.yaml", config(mesh(4, 4)))
        self.write("b.yaml", machine({"kind": "how", "dims": [4, 4], "window": 2},
                                     {"schedule": "gen"}))
        rows = self.rows("a.yaml", "b.yaml")
        self.assertEqual([row.pop("name") for row in rows], ["a", "b"])
        for row, name in zip(rows, ("a.yaml", "b.yaml")):
            said = self.report("topology", name)
            said.pop("version")
            row.pop("version", None)
            self.assertEqual(row, said)

    def test_csv_and_table_say_the_same_as_json(self):
        rows = self.rows("--nodes", 64)
        table = list(csv.DictReader(io.StringIO(self.ok("compare", "--nodes", 64, "--csv"))))
        self.assertEqual([line["name"] for line in table], [row["name"] for row in rows])
        flat = {"nodes": "nodes", "channels": "channels", "diameter": "diameter",
                "bisection": "bisection", "pin_out": "pin_out", "wire_length": "wire_length",
                "longest_wire": "longest_wire", "mcw": "mcw", "layers": "layers",
                "contacts": "contacts", "flit_bits": "flit_bits",
                "bisection_method": "bisection_method", "distance_sources": "distance_sources"}
        for line, row in zip(table, rows):
            for column, key in flat.items():
                self.assertEqual(line[column], str(row[key]), column)
            self.assertEqual(line["degree_max"], str(row["degree"]["max"]))
            self.assertAlmostEqual(float(line["average_distance"]), row["average_distance"],
                                   places=8)
            self.assertEqual(line["router_area_um2"], "")
        text = self.ok("compare", "--nodes", 64)

        def cells(name):  # of all parts of the table
            return " ".join(re.findall(f"^{name}  +(.*)$", text, re.MULTILINE)).split()

        self.assertEqual(cells("channels"), [str(row["channels"]) for row in rows])
        bisection = cells("bisection")
        self.assertEqual(bisection, [("<=" if row["bisection_method"] == "cut" else "")
                                     + str(row["bisection"]) for row in rows])
        self.assertNotIn("!", text)

    def test_the_table_fits_a_terminal(self):
        lines = self.ok("compare", "--nodes", 1024).splitlines()
        self.assertLessEqual(max(map(len, lines)), 120)
        self.assertEqual([line for line in lines if line != line.rstrip()], [])
        self.assertGreater(sum(line.startswith("diameter ") for line in lines), 1)

    def test_different_sizes_deadlocks_and_estimates_are_pointed_out(self):
        self.write("a.yaml", config(mesh(4, 4)))
        self.write("b.yaml", config({"kind": "torus", "dims": [8, 8]}))
        text = self.ok("compare", "a.yaml", "b.yaml")
        self.assertIn("! numbers of nodes differ: 16, 64\n", text)
        self.assertIn("! can deadlock: b\n", text)
        self.assertNotIn("~", text)
        self.write("c.yaml", config({"kind": "ghc", "dims": [64, 32]}))
        text = self.ok("compare", "c.yaml")
        self.assertRegex(text, "route, mean hops +~1.95")
        self.assertRegex(text, "average distance +1.95")
        self.assertIn("~ estimated from a sample", text)

    def test_at_equal_pins(self):
        rows = self.rows("--nodes", 64, "--set", "fabric.pin_budget=512")
        for row in rows:
            self.assertEqual(row["flit_bits"], 512 // row["degree"]["max"] // 8 * 8)
            self.assertEqual(row["pin_out"], row["degree"]["max"] * row["flit_bits"])

    def test_all_that_is_refused_is_said_at_once(self):
        done = self.refused("compare", "--nodes", 256, "--set", "fabric.pin_budget=20")
        self.assertIn("ghc 16x16", done)
        self.assertIn("how 16x16 window 8x8", done)
        self.write("a.yaml", "fabric: 1\n")
        self.refused("compare", "a.yaml", "b.yaml", says=["a.yaml:1:", "b.yaml"])

    def test_runs_are_those_of_run(self):
        exchange = {"schedule": "gen", "message_bytes": 64}
        self.write("a.yaml", machine(mesh(4, 4), exchange))
        self.write("b.yaml", machine(hypercube(4), exchange, clock_ns=2.5))
        command = ("compare", "a.yaml", "b.yaml", "--run")
        runs = [row["run"] for row in self.rows(*command[1:])]
        for run, name in zip(runs, ("a.yaml", "b.yaml")):
            said = self.report("run", name)
            for key in WALL_CLOCK_KEYS:
                run.pop(key)
                said.pop(key)
            self.assertEqual(run, said)
        for line, run in zip(csv.DictReader(io.StringIO(self.ok(*command, "--csv"))), runs):
            self.assertEqual(line["run_cycles"], str(run["cycles"]))
            self.assertAlmostEqual(float(line["run_us"]), run["time_us"], places=6)
            self.assertAlmostEqual(float(line["latency_mean"]), run["latency"]["mean"], places=6)
            self.assertEqual(line["energy_uj"], "")
        text = self.ok(*command)
        for label, values in (("run, cycles", [f"{run['cycles']:,}" for run in runs]),
                              ("run, us", [f"{run['time_us']:.3f}" for run in runs])):
            self.assertEqual(re.search(f"^{label} +(.*)$", text, re.MULTILINE).group(1).split(), values)
        self.assertNotIn("energy", text)
        cycle = self.rows(*command[1:], "--engine", "cycle")
        self.assertEqual([row["run"]["engine"] for row in cycle], ["cycle", "cycle"])
        self.assertEqual([row["run"]["cycles"] for row in cycle], [run["cycles"] for run in runs])

    def test_runs_with_ranks_tell_when_these_end(self):
        for name, calc in (("short", 10), ("long", 5000)):
            self.write(f"{name}.goal", "num_ranks 2\nrank 0 {\na: send 8b to 1\n}\nrank 1 {\nb: recv 8b from 0\n"
                                       f"c: calc {calc}\nc requires b\n}}\n")
            self.write(f"{name}.yaml", machine(mesh(2), {"trace": {"file": f"{name}.goal"}}))
        self.write("program.yaml", machine(mesh(2), {"schedule": "gen", "message_bytes": 8}))
        command = ("compare", "short.yaml", "long.yaml", "program.yaml", "--run")
        ends = [self.report("run", f"{name}.yaml")["trace"]["end_cycles"] for name in ("short", "long")]
        self.assertGreater(ends[1], ends[0] + 4000)
        rows = list(csv.DictReader(io.StringIO(self.ok(*command, "--csv"))))
        self.assertEqual([row["run_ranks_end"] for row in rows], [str(ends[0]), str(ends[1]), ""])
        self.assertRegex(self.ok(*command), f"(?m)^ranks end, cycles +{ends[0]} +{ends[1]:,} +-$")

    def test_times_of_short_runs_have_three_digits(self):
        self.write("config.yaml", machine(mesh(2), {"schedule": "gen", "message_bytes": 8}, clock_ns=0.001))
        time_us = self.report("run", "config.yaml")["time_us"]
        self.assertLess(time_us, 1e-4)
        text = self.ok("compare", "config.yaml", "--run")
        shown = re.search("(?m)^run, us +([0-9.]+)$", text).group(1)
        self.assertAlmostEqual(float(shown) / time_us, 1, delta=0.005)

    def test_runs_of_patterns_tell_what_is_accepted_and_no_makespan(self):
        pattern = {"pattern": "uniform", "message_bytes": 64, "injection_rate": 0.1}
        self.write("low.yaml", machine(mesh(4, 4), pattern))
        self.write("high.yaml", machine(mesh(4, 4), {**pattern, "injection_rate": 0.9}))
        self.write("steady.yaml", machine(mesh(4, 4), pattern, steady={}))
        self.write("never.yaml", machine(mesh(4, 4), {**pattern, "injection_rate": 0.9}, steady={}))
        self.write("program.yaml", machine(mesh(4, 4), {"schedule": "gen", "message_bytes": 64}))
        names = ("low", "high", "steady", "never", "program")
        command = ("compare", *(name + ".yaml" for name in names), "--run")
        status = ["complete", "OVERLOADED", "stable", "UNSTABLE", "complete"]
        rows = list(csv.DictReader(io.StringIO(self.ok(*command, "--csv"))))
        self.assertEqual([row["run_status"] for row in rows], status)
        self.assertEqual([row["run_cycles"] != "" for row in rows], [False] * 4 + [True])
        self.assertEqual([row["run_us"] != "" for row in rows], [False] * 4 + [True])
        for row, name in zip(rows[:4], names):
            accepted = self.report("run", name + ".yaml")["accepted_flits_per_sending_node_cycle"]
            self.assertAlmostEqual(float(row["accepted_flits_per_sending_node_cycle"]), accepted, places=6)
        self.assertEqual(rows[4]["accepted_flits_per_sending_node_cycle"], "")
        self.assertEqual([row["run_status"] for row in self.rows(*command[1:])], status)
        text = self.ok(*command)
        line = {label: re.search(f"^{label} +(.*)$", text, re.MULTILINE).group(1).split()
                for label in ("run", "run, cycles", "accepted by sender")}
        self.assertEqual(line["run"], status)
        self.assertEqual(line["run, cycles"][:4], ["-"] * 4)
        self.assertEqual(line["accepted by sender"][4], "-")
        self.assertRegex(text, "! more is offered than accepted, .*: high; never\n")

    def test_the_load_that_is_accepted_is_that_of_the_nodes_that_send(self):
        # As curve has it: the nodes of the diagonal are silent.
        self.write("config.yaml", machine(mesh(4, 4), {"pattern": "transpose", "message_bytes": 64,
                                                       "injection_rate": 0.1}))
        run = self.report("run", "config.yaml")
        accepted = run["accepted_flits_per_sending_node_cycle"]
        self.assertGreater(accepted, 1.3 * run["accepted_flits_per_node_cycle"])
        text = self.ok("compare", "config.yaml", "--run")
        self.assertRegex(text, rf"(?m)^accepted by sender +{accepted:.4f}$")
        self.assertIn("accepted by sender: flits per cycle and node that sends", text)

    def test_runs_are_refused_before_the_first(self):
        self.write("a.yaml", machine(mesh(4, 4), {"schedule": "gen"}))
        self.write("b.yaml", config(mesh(4, 4)))
        self.write("c.yaml", machine({"kind": "torus", "dims": [8, 8]}, {"schedule": "gen"}))
        said = self.refused("compare", "a.yaml", "b.yaml", "c.yaml", "--run",
                            says=["b.yaml", "no traffic", "c.yaml", "deadlock"])
        self.assertNotIn("a.yaml", said)
        for of_runs in (["--energy"], ["--engine", "tlm"], ["--no-verilate"], ["--progress"]):
            self.refused("compare", "a.yaml", *of_runs, says=[of_runs[0], "--run"])
        self.refused("compare", "a.yaml", "--run", "--energy", says=["synth --energy"])

    @suite.needs_synthesis
    def test_what_is_missing_is_said_at_once_whatever_it_is(self):
        gen = {"schedule": "gen"}
        with mock.patch.dict(os.environ, FLITSCOPE_CACHE=self.path("cache")):
            self.write("a.yaml", "seed: -1\nfabric: {topology: {kind: mesh, dims: [4, 4]}}\n")
            self.write("b.yaml", machine(mesh(4), gen, clock_ns="synth"))
            self.write("c.yaml", config({"kind": "torus", "dims": [8, 8]}))
            self.write("d.yaml", machine(mesh(4, 4), gen))
            self.write("e.yaml", machine(mesh(4), gen, clock_ns="synth", fabric={
                "link_delay": {"model": "physical", "pitch_mm": 2, "ns_per_mm": 0.3}}))
            said = self.refused("compare", *(name + ".yaml" for name in "abcde"), "--run", "--energy")
            lines = said.splitlines()
            for name, words in (("a", "error: "), ("b", "has not been synthesized"),
                                ("b", "the energies of router_p3"), ("c", "no traffic"),
                                ("c", "deadlock"), ("c", "the energies of router_p5"),
                                ("d", "the energies of router_p5"), ("e", "has not been synthesized")):
                self.assertEqual(sum(line.startswith(name + ".yaml") and words in line
                                     for line in lines), 1, (name, words, said))
            self.assertEqual(len(lines), 8, said)

    @suite.needs_synthesis
    def test_routers_have_an_area_one_by_one_and_all_together(self):
        with mock.patch.dict(os.environ, FLITSCOPE_CACHE=self.path("cache")):
            narrow = {"flit_bits": 16, "buffer_depth": 1}
            self.write("a.yaml", config(mesh(4), **narrow))
            self.write("b.yaml", config(mesh(8), **narrow))
            self.assertNotIn("router", self.ok("compare", "a.yaml"))
            report = self.report("synth", "a.yaml")  # the routers of both
            inner, end = (router["area_um2"] for router in report["results"])
            areas = [2 * inner + 2 * end, 6 * inner + 2 * end]
            rows = csv.DictReader(io.StringIO(self.ok("compare", "a.yaml", "b.yaml", "--csv")))
            for row, area in zip(rows, areas):
                self.assertAlmostEqual(float(row["router_area_um2"]), inner, places=3)
                self.assertAlmostEqual(float(row["routers_area_um2"]), area, places=2)
            text = self.ok("compare", "a.yaml", "b.yaml")
            found = re.search("^all routers, um2 +(.*)$", text, re.MULTILINE).group(1).split()
            self.assertEqual(found, [f"{area:,.0f}" for area in areas])
            fabrics = [self.report("topology", name)["fabric_area_um2"] for name in ("a.yaml", "b.yaml")]
            self.assertGreater(fabrics[0], areas[0])
            found = re.search("^with links, um2 +(.*)$", text, re.MULTILINE).group(1).split()
            self.assertEqual(found, [f"{fabric:,.0f}" for fabric in fabrics])
            # A run in cycles that no such router can have is not listed without a warning.
            ask = ("compare", "a.yaml", "--run", "--set", "traffic={schedule: gen, message_bytes: 8}", "--set")
            run = self.ok(*ask, "clock_ns=0.1")
            cycles = int(re.search("^run, cycles +(.*)$", run, re.MULTILINE).group(1))
            period = report["fabrics"][0]["min_period_ns"]
            self.assertIn(f"! the clock is too short for the router: a needs {period:.2f} ns, with which "
                          f"the run takes {cycles * period / 1000:.3f} us\n", run)
            self.assertRegex(run, "clock, ns +0.10")
            self.assertNotIn("! the clock", self.ok(*ask, "clock_ns=synth"))
            pattern = "traffic={pattern: uniform, injection_rate: 0.1, message_bytes: 8}"
            self.assertIn(f"! the clock is too short for the router: a needs {period:.2f} ns\n", self.ok(
                "compare", "a.yaml", "--run", "--set", pattern, "--set", "clock_ns=0.1"))
            # A configuration that no RTL router supports has no router figures.
            for no_rtl in ({"routing": "minimal_adaptive", "virtual_channels": 2, "buffer_depth": 1},
                           {"switching": "virtual_cut_through", "buffer_depth": 16},
                           {"switching": "circuit"}):
                self.write("b.yaml", config(mesh(2), **{"flit_bits": 16, **no_rtl}))
                if "virtual_channels" in no_rtl:  # for the router with another routing all is known
                    self.ok("synth", "a.yaml", "--set", "fabric.virtual_channels=2", "--set",
                            "fabric.topology.dims=[2]")
                self.assertNotIn("area_um2", self.report("topology", "b.yaml")["router"])
                text = self.ok("topology", "b.yaml")
                self.assertRegex(text, "router +no figures: ")
                self.assertNotIn("not synthesized yet", text)

    def test_the_exit_code_is_that_of_the_run_that_ended_worst(self):
        self.write("a.yaml", machine(mesh(4, 4), {"schedule": "gen"}, limits={"max_cycles": 50}))
        self.write("b.yaml", machine(mesh(4, 4), {"schedule": "gen"}))
        done = self.call("compare", "a.yaml", "b.yaml", "--run")
        self.assertEqual(done.returncode, EXIT_STANDSTILL)
        self.assertIn("error: a: timeout\n", done.stderr)
        self.assertIn("! the run did not complete: a\n", done.stdout)

    def test_the_table_of_the_documentation_is_up_to_date(self):
        text = (ROOT / "models/performance/README.md").read_text()
        blocks = re.findall(r"```sh\nbuild/release/flitscope (compare .*?)\n```\n+```text\n(.*?)```",
                            text, re.DOTALL)
        self.assertGreater(len(blocks), 0)
        for command, printed in blocks:
            self.assertEqual(self.ok(*command.split()), printed)


    def test_networks_in_different_technologies_are_refused(self):
        self.write("a.yaml", machine(mesh(2, 2), {"schedule": "gen"}))
        self.write("b.yaml", machine(mesh(4), {"schedule": "gen"}, technology={"wires": "fanout"}))
        self.refused("compare", "a.yaml", "b.yaml",
                     says=["b.yaml:1:", "different technologies: osu018, and osu018", "--wires"])
        self.ok("compare", "a.yaml", "b.yaml", "--wires", "none")


if __name__ == "__main__":
    main()
