# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The tables of testbench/app/cli/JSON.md against what the commands print: every field of either is in the
other, has the type that the page tells, and is absent or null only where the page says that it can be."""
import collections
import json
import os
import pathlib
import re

from flitscope_cli import CliTest, EXIT_OK, EXIT_STANDSTILL, EXIT_USAGE, machine, main, mesh, suite

CONFIGS = pathlib.Path(__file__).resolve().parents[3] / "configs"
PAGE = CONFIGS.parent / "app" / "cli" / "JSON.md"
HEADING = "| field | type | unit | meaning | absent or null |"

UNIFORM = {"pattern": "uniform", "injection_rate": 0.1, "message_bytes": 64, "warmup_cycles": 100,
           "measure_cycles": 400}
EXCHANGE = {"schedule": "gen", "message_bytes": 64}
STEADY = {"half_width": 0.2}
SMALL = {"flit_bits": 16, "buffer_depth": 2}

# The quickest paper takes longer than all that is run here.
NOT_RUN = {"reproduce"}
# Fields that no quick run shows: unexpected differences, estimates from many routers.
NOT_REACHED = {
    "verify": {"difference.engine", "difference.cycle", "difference.subject", "difference.reference",
               "difference.found"},
    "cosim": {"difference", "difference.cycle", "difference.channel", "difference.virtual_channel",
              "difference.systemc", "difference.rtl", "difference.window"},
    "synth": {"results[].area_error", "results[].period_error", "results[].power_error",
              "results[].estimated_from"},
}

Row = collections.namedtuple("Row", "type link exceptions")


class Page:
    """The rows of the tables by section and path: a[].b is the field b of the objects in the list a."""

    def __init__(self, text):
        self.sections = {}
        self.tables = {file: re.findall("`([^`]+)`", columns)
                       for file, columns in re.findall(r"^\| `(\w+\.csv)` \| ([^|]+)", text, re.M)}
        for part in text.split("\n## ")[1:]:
            title, _, body = part.partition("\n")
            if HEADING in body:
                self.sections[re.sub(r"[^\w -]", "", title).replace(" ", "-")] = self.rows(body)

    @staticmethod
    def rows(body):
        rows = {}
        for line in body[body.index(HEADING):].splitlines()[2:]:
            if not line.startswith("| `"):
                break
            names, kind, _, _, exceptions = (cell.strip() for cell in line.strip("|").split("|"))
            parent = ""
            for name in re.findall(r"`([^`]+)`", names):
                path = parent + name if name.startswith(".") else name
                parent = path.rpartition(".")[0]
                assert path not in rows, path
                link = re.search(r"\(#([\w-]+)\)", kind)
                rows[path] = Row(re.sub(r"\[(.+)\]\(.*\)", r"\1", kind), link and link.group(1), exceptions)
        return rows


def is_of_type(value, kind):
    if kind.startswith("list of"):
        return isinstance(value, list)
    if kind == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind == "integer or map":
        return isinstance(value, (int, dict)) and not isinstance(value, bool)
    types = {"string": str, "boolean": bool, "integer": int}
    return isinstance(value, types.get(kind, dict)) and (kind != "integer" or not isinstance(value, bool))


class Checker:
    """Compares printed objects with the page; `findings` says what is wrong, `reached` what was seen."""

    def __init__(self, page):
        self.page = page
        self.findings = set()
        self.reached = collections.defaultdict(set)

    def object(self, json_object, places):
        """`places` of the page tell of this object: each a section and the path of the object in it."""
        for key, value in json_object.items():
            found = [(section, path + key) for section, path in places
                     if path + key in self.page.sections[section]]
            if not found:
                self.findings.add(f"{places[0][0]}: {places[0][1]}{key} is not documented")
            for section, path in found:
                self.reached[section].add(path)
                self.field(value, section, path)
        for section, parent in places:
            for path, row in self.page.sections[section].items():
                key = path[len(parent):]
                if path.startswith(parent) and not set(key) & set(".[") and key not in json_object and \
                        "absent" not in row.exceptions:
                    self.findings.add(f"{section}: {path} is absent, and is not said to be")

    def field(self, value, section, path):
        row = self.page.sections[section][path]
        if value is None:
            if "null" not in row.exceptions:
                self.findings.add(f"{section}: {path} is null, and is not said to be")
            return
        if not is_of_type(value, row.type):
            self.findings.add(f"{section}: {path} is no {row.type}: {value}")
            return
        if "map" in row.type:
            return  # keys are names
        if isinstance(value, dict):
            self.object(value, self.inside(row, section, path + "."))
        elif isinstance(value, list):
            for element in value:
                if isinstance(element, dict):
                    self.object(element, self.inside(row, section, path + "[]."))

    @staticmethod
    def inside(row, section, path):
        return [(section, path)] + ([(row.link, "")] if row.link else [])


class JsonFields(CliTest):
    @classmethod
    def setUpClass(cls):
        cls.page = Page(PAGE.read_text(encoding="utf-8"))

    def setUp(self):
        super().setUp()
        os.environ["FLITSCOPE_CACHE"] = self.path("cache")
        self.checker = Checker(self.page)

    def look(self, section, *arguments, code=EXIT_OK):
        done = self.call(*arguments, "--json")
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stderr}")
        self.checker.object(json.loads(done.stdout), [(section, "")])

    def config(self, name, *sections, **keys):
        return self.write(name + ".yaml", machine(*sections, **keys))

    def runs(self):
        self.write("two.csv", "source,destination,bytes,step\n0,1,64,0\n1,1,64,0\n")
        programs = {
            "program": machine(mesh(2), {"program": "two.csv", "self_messages": "drop"}),
            "dead": machine(mesh(3, 3), {**EXCHANGE}, faults={"nodes": [4], "traffic": "drop"}),
            "dead_pattern": machine(mesh(3, 3), {**UNIFORM}, faults={"nodes": [4], "traffic": "drop"}),
            "late": machine(mesh(3, 3), {"schedule": "gen", "message_bytes": 400},
                            faults={"links": ["3-4"], "at": 100},
                            node={"retransmit": {"timeout": 2000, "tries": 2}}),
            "classes": machine(mesh(2, 2), {**UNIFORM, "reply_bytes": 8, "reply_class": "b"},
                               fabric={"virtual_channels": 2, "classes": ["a", "b"]}),
            "steady": machine(mesh(2, 2), {"pattern": "uniform", "injection_rate": 0.1,
                                           "message_bytes": 16}, steady=STEADY),
        }
        for name, config in programs.items():
            self.look("run", "run", self.write(name + ".yaml", config))
        planes = self.config("planes", mesh(2, 2), UNIFORM, fabric={"planes": 2})
        self.look("run", "run", planes)
        exchange = self.config("exchange", mesh(2, 2), EXCHANGE)
        self.look("run", "run", exchange, "--explain", "--out", "out", "--messages")
        self.look("run", "run", exchange, "--set", "limits.max_cycles=20", code=EXIT_STANDSTILL)
        self.look("run", "run", "classes.yaml", "--set", "limits.max_cycles=20", code=EXIT_STANDSTILL)
        trace = CONFIGS / "fat_tree_8_goal.yaml"
        self.look("run", "run", trace, "--out", "trace")
        self.look("run", "run", trace, "--set", "limits.max_cycles=20", code=EXIT_STANDSTILL)
        self.look("run", "run", CONFIGS / "semigroup_line.yaml")

    def descriptions(self):
        nothing = self.write("nothing.yaml", json.dumps({"fabric": {"topology": mesh(2, 2)}}))
        timetable = "source,destination,bytes,time\n0,1,64,0\n1,0,64,9\n"
        self.write("timetable.csv", timetable)
        times = self.config("times", mesh(2), {"program": "timetable.csv"})
        tree = self.config("tree", {"kind": "fat_tree", "arity": 2, "height": 2}, UNIFORM)
        self.write("hub.dot", "graph { hub; left -- hub; cpu [at=left]; gpu [at=left] }")
        hub = self.config("hub", {"kind": "custom", "file": "hub.dot"}, UNIFORM,
                          faults={"routers": [0], "traffic": "drop"})
        physical = self.config("physical", mesh(2, 2), EXCHANGE, fabric={
            "link_delay": {"model": "physical", "pitch_mm": 1, "ns_per_mm": 0.5}})
        slow = self.config("slow", mesh(4, 4), EXCHANGE, node={"send_overhead": 200, "serialize_overhead": True})
        far = self.config("far", mesh(2, 2), EXCHANGE, fabric={"link_delay": 500, "buffer_depth": 1500})
        tell = self.config("tell", mesh(2, 2), {"schedule": "broadcast"})
        sums = self.config("sums", mesh(2, 2), {"schedule": "allreduce"}, node={"port_model": "independent"})
        for config in (nothing, times, tree, slow, far, tell, sums, "exchange.yaml", "late.yaml",
                       "planes.yaml", "classes.yaml", CONFIGS / "fat_tree_8_goal.yaml"):
            self.look("check", "check", config)
        self.look("check", "check", "dead.yaml")
        self.look("check", "check", "exchange.yaml", "--set", "fabric.routing=west_first")
        for config in (nothing, tree, physical, hub, "planes.yaml", "dead.yaml", "late.yaml"):
            self.look("topology", "topology", config)
        for config in ("exchange.yaml", "program.yaml", "dead.yaml"):
            self.look("schedule", "schedule", config)
        self.look("schedule", "schedule", "exchange.yaml", "--set", "fabric.planes=2")
        self.look("compare", "compare", "exchange.yaml", physical, "--run")
        self.look("compare", "compare", "--nodes", 4)
        self.look("list", "list")
        self.look("doctor", "doctor")

    def comparisons(self):
        # One of the variants that are built.
        mixed = CONFIGS / "mesh_8x8_mixed.yaml"
        self.look("cosim", "cosim", mixed, "--set", "traffic.measure_cycles=100")
        self.look("cosim-of-deliveries", "cosim", mixed, "--delivery", "--set", "traffic.measure_cycles=100")
        self.look("verify", "verify", "exchange.yaml")
        self.look("verify", "verify", "planes.yaml")
        self.look("explain-of-a-program", "explain", "exchange.yaml", "--try", 1)
        self.look("explain-of-a-program", "explain", "exchange.yaml", "--set", "limits.max_cycles=20",
                  code=EXIT_STANDSTILL)
        self.look("explain-of-a-program", "explain", CONFIGS / "fat_tree_8_goal.yaml")
        self.look("explain-of-a-pattern", "explain", "dead_pattern.yaml")
        self.look("explain-of-a-pattern", "explain", "classes.yaml")
        line = self.config("line", mesh(8), EXCHANGE)
        self.look("explain-of-two-runs", "explain", "exchange.yaml", line)
        self.look("explain-of-two-runs", "explain", "dead_pattern.yaml", "dead_pattern.yaml")
        crowd = self.config("crowd", {"kind": "mesh", "dims": [2], "concentration": 2}, EXCHANGE)
        self.look("explain-of-a-program", "explain", crowd)

    def loads(self):
        traffic = {"pattern": "uniform", "message_bytes": 16}
        plain = self.config("plain", mesh(2, 2), traffic, steady=STEADY)
        replies = self.config("replies", mesh(2, 2), {"pattern": "uniform", "message_lengths": {8: 1, 16: 1},
                                                      "reply_bytes": 8, "outstanding": 4},
                              steady=STEADY)
        section = "curve-and-saturate"
        self.look(section, "curve", plain, "--rates", "0.1,0.2", "--by-hops", "--replications", 2)
        self.look(section, "curve", replies, "--rates", "0.1")
        torus = self.config("torus", {"kind": "torus", "dims": [8]}, {
            "pattern": "tornado", "message_bytes": 64}, fabric={"virtual_channels": 2})
        self.look(section, "curve", torus, "--rates", "0.15,0.9")
        self.look("curve-of-several-configurations", "curve", plain, replies, "--rates", "0.1")
        failing = self.call("curve", plain, "--rates", "0.1", "--set", "limits.max_cycles=50", "--json")
        self.assertNotEqual(failing.returncode, EXIT_OK)
        self.checker.object(json.loads(failing.stdout), [(section, "")])
        self.look(section, "saturate", plain)

    def study(self, file, **keys):
        study = {"base": "exchange.yaml", "objectives": {"min": ["time_ns", "pins"]},
                 "vary": {"fabric.flit_bits": [16, 32], "fabric.buffer_depth": [2, 4]}, **keys}
        return self.write(file, json.dumps(study))

    def explorations(self):
        database = ("--db", "designs.db")
        study = self.study("study.yaml")
        self.look("explore-dry-run", "explore", study, "--dry-run")
        self.look("explore", "explore", study, *database)
        self.look("explore-front", "explore", "front", *database)
        self.look("explore-axes", "explore", "axes", *database)
        self.look("explore-best", "explore", "best", *database, "--budget", "pins=1,1000")
        self.look("explore-table", "explore", "table", *database, "--rows", "fabric.flit_bits", "--columns",
                  "fabric.buffer_depth")
        self.look("explore-list", "explore", "list", *database)
        front = self.report("explore", "front", *database)["front"]
        self.look("explore-diff", "explore", "diff", *(design["digest"] for design in front[:2]), *database)
        self.look("explore", "explore", self.study(
            "unequal.yaml", base="planes.yaml", objectives={"min": ["latency_ns", "flit_bits"]}))
        nobody = self.study("nobody.yaml", constraints={"pins": {"max": 1}})
        self.look("explore", "explore", nobody, *database)
        self.look("explore-front", "explore", "front", *database)

    def errors(self):
        self.write("wrong.yaml", "fabric:\n  topology: {kind: mesh, dims: [2]}\n  bufer_depth: 4\n")
        self.look("errors", "run", "wrong.yaml", "--json-errors", code=EXIT_USAGE)
        self.look("errors", "explore", "nowhere.yaml", "--json-errors", code=EXIT_USAGE)
        self.look("errors", "run", "wrong.yaml", "--json-errors", "--wrong", code=EXIT_USAGE)

    def syntheses(self):
        for collective in ("all_to_all", "all_gather"):
            self.look("find-schedule", "find-schedule", "exchange.yaml", "--collective", collective, "-o",
                      collective + ".csv", "--time", "0.1")
        self.look("find-schedule", "find-schedule", "exchange.yaml", "--collective", "all_to_all", "-o", "cut.csv",
                  "--time", "0.1", "--set", "limits.max_cycles=5", code=EXIT_STANDSTILL)
        chip = self.config("chip", mesh(2), EXCHANGE, fabric={**SMALL, "link_delay": {
            "model": "physical", "pitch_mm": 1, "ns_per_mm": 0.5}})
        self.look("synth", "synth", chip, "--energy")
        self.look("topology", "topology", chip)
        self.write("named.dot", "graph { cpu -- gpu }")
        self.look("topology", "topology", self.config("named", {"kind": "custom", "file": "named.dot"}, EXCHANGE))
        self.look("run", "run", chip, "--energy", "--out", "energy")
        self.look("run", "run", chip, "--energy", "--set", "fabric.link_delay=1")
        classes = self.config("classes", mesh(2), {"pattern": "uniform", "message_bytes": 8, "measure_cycles": 1000,
                                                   "classes": {"a": 1, "b": 1}},
                              fabric={**SMALL, "virtual_channels": 2, "classes": ["a", "b"]})
        self.ok("synth", classes, "--energy")
        self.look("run", "run", classes, "--energy")

    @suite.needs_synthesis
    def test_the_page_and_the_commands_name_the_same_fields(self):
        for part in (self.runs, self.descriptions, self.comparisons, self.loads, self.explorations,
                     self.errors, self.syntheses):
            part()
        self.assertEqual(sorted(self.checker.findings), [])
        for section, rows in self.page.sections.items():
            with self.subTest(section=section):
                if section in NOT_RUN:
                    self.assertNotIn(section, self.checker.reached)
                    continue
                missing = set(rows) - self.checker.reached[section]
                self.assertEqual(missing, NOT_REACHED.get(section, set()))

        self.assertEqual(self.tables_of_runs(), self.page.tables)

    def tables_of_runs(self):
        """The columns of each, from the folders that runs have left."""
        folders = [self.path(folder) for folder in ("out", "trace", "energy")]
        return {path.name: path.read_text(encoding="utf-8").splitlines()[0].split(",")
                for folder in folders for path in pathlib.Path(folder).glob("*.csv")}

    def test_links_of_types_lead_to_tables(self):
        for section, rows in self.page.sections.items():
            for path, row in rows.items():
                if row.link is not None:
                    self.assertIn(row.link, self.page.sections, f"{section}: {path}")


if __name__ == "__main__":
    main()
