#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope explore: figures that follow from a design are shown where designs differ in them, and axes in
which all agree once."""
import csv
import io
import json
import re

from explore_studies import EVERYTHING, ExploreTest
from flitscope_cli import main, mesh
from report_pages import data_of

NETWORKS = {"mesh": mesh(4, 4), "cube": {"kind": "hypercube", "dimensions": 4},
            "how": {"kind": "how", "dims": [4, 4], "window": 2}}
# Links over the middle, in one direction: 4 rows of 1, of 2, of 3; 256 wires.
FLIT_BITS = {"mesh": 64, "cube": 32, "how": 16}
# Links of the router with the most, and its node.
PORTS = {"mesh": 5, "cube": 5, "how": 7}


class ExploreDerived(ExploreTest):
    def setUp(self):
        super().setUp()
        self.study(vary={"fabric.topology": NETWORKS, "fabric.buffer_depth": [4]},
                   equal_cost={"fabric.bisection_budget": [256]},
                   objectives={"min": ["time_ns", "buffer_bits"]})
        self.ok("explore", "study.yaml", "--db", "s.db")

    def designs(self):
        front = json.loads(self.ok("explore", "front", "--db", "s.db", "--json"))
        return {design["axes"]["fabric.topology"]: design for design in front["front"]}

    def test_they_are_those_of_the_machine(self):
        found = self.designs()
        self.assertGreater(len(found), 1)
        for name, design in found.items():
            self.write("design.yaml", self.ok("explore", "show", design["digest"], "--db", "s.db"))
            machine = self.report("topology", "design.yaml")
            self.assertEqual(design["derived"], {
                "flit_bits": FLIT_BITS[name], "ports": PORTS[name],
                "bisection_wires": machine["bisection_wires"]})
            shown = self.read("design.yaml").decode()
            for line in (f"flit_bits: {FLIT_BITS[name]}", f"ports: {PORTS[name]}", "bisection_wires: "):
                self.assertIn(f"\n# {line}", shown)

    def test_tables_have_those_that_differ_and_not_the_axes_that_do_not(self):
        for words in (("study.yaml",), ("front",), ("best", "--budget", "buffer_bits=1e6,1e7")):
            with self.subTest(words=words):
                text = self.ok("explore", *words, "--db", "s.db")
                same = re.search(r"^  all designs: (.*)$", text, re.M)
                self.assertEqual(same.group(1), "fabric.bisection_budget 256, fabric.buffer_depth 4")
                table = text[same.end():]
                self.assertNotIn("bisection_budget", table)
                self.assertNotIn("buffer_depth", table.split("not on the front")[0])
                self.assertEqual("flit bits" in table, words[0] != "best")  # of one design there
                self.assertLessEqual(max(map(len, text.splitlines())), 100)
        front = self.ok("explore", "front", "--db", "s.db")
        table = front[:front.index("times are cycles")]
        for name in self.designs():
            self.assertRegex(table, rf"(?m) {name} +{FLIT_BITS[name]} +{PORTS[name]}\b")

    def test_a_table_without_room_for_them_names_those_that_it_leaves_out(self):
        self.study("wide.yaml", vary={"fabric.topology": NETWORKS, "fabric.buffer_depth": [2, 4],
                                      "fabric.virtual_channels": [1, 2]},
                   equal_cost={"fabric.bisection_budget": [256]},
                   objectives={"min": ["time_ns", "buffer_bits", "wire_length"]})
        self.ok("explore", "wide.yaml", "--db", "wide.db")
        text = self.ok("explore", "front", "--db", "wide.db")
        self.assertRegex(text, r"(?m)^  no room for .*bisection_wires \(flitscope explore show DIGEST, or --json\)$")
        table = text[:text.index("no room for")]
        self.assertLessEqual(max(map(len, table.splitlines())), 100)

    def test_an_axis_or_an_objective_is_not_repeated(self):
        self.study("bits.yaml", vary={"fabric.topology": NETWORKS, "fabric.flit_bits": [16, 32]},
                   objectives={"min": ["time_ns", "bisection_wires"]})
        text = self.ok("explore", "bits.yaml", "--db", "bits.db")
        front = self.ok("explore", "front", "--db", "bits.db")
        for said in (text, front):
            table = said.split("not on the front")[0]
            self.assertNotIn("flit bits", table)
            self.assertNotIn("bisection wires", table)
            self.assertIn("bisection_wires", table)

    def test_exports_have_columns_of_them(self):
        for row in csv.DictReader(io.StringIO(self.ok("explore", "export", "--db", "s.db"))):
            name = row["fabric.topology"]
            self.assertEqual((row["flit_bits"], row["ports"]), (str(FLIT_BITS[name]), str(PORTS[name])))
            self.assertEqual(list(row)[-3:], ["flit_bits", "ports", "bisection_wires"])
        self.study("bits.yaml", vary={"fabric.flit_bits": [16, 32]},
                   objectives={"min": ["time_ns", "bisection_wires"]})
        self.ok("explore", "bits.yaml", "--db", "bits.db")
        heading = self.ok("explore", "export", "--db", "bits.db").splitlines()[0].split(",")
        self.assertEqual([name for name in ("fabric.flit_bits", "flit_bits", "ports", "bisection_wires")
                          for _ in range(heading.count(name))],
                         ["fabric.flit_bits", "ports", "bisection_wires"])

    def test_differences_of_two_designs_have_them(self):
        found = self.designs()
        first, second = (found[name]["digest"] for name in list(found)[:2])
        names = list(found)[:2]
        told = json.loads(self.ok("explore", "diff", first, second, "--db", "s.db", "--json"))
        values = {one["figure"]: (one["first"], one["second"]) for one in told["derived"]}
        self.assertEqual(values["flit_bits"], tuple(FLIT_BITS[name] for name in names))
        self.assertEqual(values.get("ports", (5, 5)), tuple(PORTS[name] for name in names))
        text = self.ok("explore", "diff", first, second, "--db", "s.db")
        self.assertRegex(text, rf"(?m)^flit_bits +{values['flit_bits'][0]:g} +{values['flit_bits'][1]:g} +[-+]")

    def test_the_page_has_them_as_columns(self):
        self.ok("report", "s.db", "-o", "page.html")
        data = data_of(self.read("page.html"))
        names = [figure["name"] for figure in data["derived"]]
        self.assertEqual(names[:2], ["flit_bits", "ports"])
        topology = data["axes"].index("fabric.topology")
        for design in data["designs"]:
            network = design["axes"][topology]
            self.assertEqual(design["derived"][:2], [FLIT_BITS[network], PORTS[network]])

    def test_a_search_that_appraises_nothing_has_none(self):
        self.study("drawn.yaml", vary={"fabric.topology": NETWORKS}, search=EVERYTHING,
                   objectives={"min": ["time_ns"]})
        self.ok("explore", "drawn.yaml", "--db", "drawn.db")
        front = json.loads(self.ok("explore", "front", "--db", "drawn.db", "--json"))
        self.assertEqual(front["front"][0]["derived"], {})


if __name__ == "__main__":
    main()
