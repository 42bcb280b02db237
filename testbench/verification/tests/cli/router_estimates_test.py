# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Routers estimated from others: synth --estimate, explore --estimate. The tools are scripts with a
formula for what a router costs, so that hundreds of routers are synthesized in no time."""
import json
import os
import stat
import tempfile

from flitscope_cli import CliTest, hypercube, machine, main, mesh, suite

TOOL = r'''#!/usr/bin/python3
import hashlib, math, re, sys
text = open(sys.argv[-1]).read()

def report(name, cells, area):
    open("cells.txt", "w").write("   Number of cells: %d\n     DFFPOSX1 %d\n\n   Chip area for module '%s': %f\n"
                                 % (cells, cells, name, area))
    open("netlist.v", "w").write("a netlist\n")

link = re.search(r"link_v(\d+)_w(\d+)_d(\d+)\b", text)
if link:
    v, w, d = (int(part) for part in link.groups())
    flip_flops = d * (w + max(1, (v - 1).bit_length()) + 3) + (d - 1) * v
    report(link[0], flip_flops, 100 * flip_flops)
    sys.exit()
name = re.search(r"router_p(\d+)_v(\d+)_d(\d+)_w(\d+)_r1_\w+?(_combined)?(?:_t([0-9a-f]+))?\b", text)
p, v, d, w = (int(part) for part in name.groups()[:4])
several = v > 1
bits = int(name[6], 16) if name[6] else 2 ** (p * p) - 1
turns = [[i for i in range(p) if bits >> (o * p + i) & 1] for o in range(p)]
inputs = len({i for sources in turns for i in sources})
pairs = sum(len(sources) for sources in turns)

def noise(of):
    part = hashlib.md5((of + name[0]).encode()).digest()
    return 1 + NOISE * (part[0] / 127.5 - 1)

area = (1200 * inputs * v * d * (w + 3) / 8 + 900 * pairs * w + 500 * pairs * v * v) * noise("area")
if name[0].startswith("BARGAIN"):
    area *= 0.6
period = (0.9 + 0.5 * math.log2(max(len(sources) for sources in turns)) + 0.3 * math.log2(v) + 0.2 * several +
          0.8 * (several and not name[5])) * noise("period")
if "read_liberty" not in text:
    report(name[0], inputs * v * d * w, area)
else:
    target = float(re.search(r"-period (\S+)", text)[1])
    print("worst slack %.4f" % (target - period))
    print("Total 1 1 1 %e 100.0%%" % (area / 1e6 / target))
'''


class RouterEstimates(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.caches = tempfile.TemporaryDirectory()  # with all routers of all studies
        cls.addClassCleanup(cls.caches.cleanup)

    def setUp(self):
        super().setUp()
        self.write("config.yaml", machine(mesh(4, 4), {"pattern": "uniform"}))
        self.write("base.yaml", machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 64},
                                        clock_ns="synth"))
        self.tools(noise=0.02)

    def tools(self, noise, bargain="none"):
        folder = self.path("bin")
        os.makedirs(folder, exist_ok=True)
        script = TOOL.replace("NOISE", str(noise)).replace("BARGAIN", bargain)
        for name in ("yosys", "sta", "yosys-abc"):
            self.write(f"bin/{name}", script)
            os.chmod(os.path.join(folder, name), stat.S_IRWXU)
        os.environ["PATH"] = folder + ":/usr/bin:/bin"
        self.of_tools = f"{noise}_{bargain}"
        self.use_cache("own_" + self.of_tools)

    def use_cache(self, name):
        os.environ["FLITSCOPE_CACHE"] = self.path(name)

    def study(self, **keys):
        self.write("study.yaml", json.dumps({
            "base": "base.yaml",
            "vary": {"fabric.topology": {"cube": hypercube(4), "ghc": {"kind": "ghc", "dims": [4, 4]}},
                     "fabric.virtual_channels": [1, 2, 4],
                     "fabric.buffer_depth": [2, 4, 8],
                     "fabric.flit_bits": [16, 64],
                     "fabric.allocation": ["sequential", "combined"]},
            "objectives": {"min": ["time_ns", "area_mm2"]}, **keys}))
        return "study.yaml"

    def explore(self, *arguments):
        return json.loads(self.ok("explore", *arguments, "--json"))

    def fronts(self, **keys):
        """That of a study with estimates, then of all routers synthesized."""
        estimated = self.explore(self.study(**keys), "--estimate")
        os.environ["FLITSCOPE_CACHE"] = os.path.join(self.caches.name, self.of_tools)
        certain = self.explore(self.study(**keys))
        self.assertEqual(estimated["front"], certain["front"])
        self.assertGreater(len(certain["front"]), 2)
        self.assertEqual(certain["routers"]["estimated"], 0)
        self.assertEqual(certain["routers"]["synthesized"],
                         sum(estimated["routers"][k] for k in ("synthesized", "estimated")))
        return estimated, certain

    def test_a_front_takes_a_part_of_the_routers(self):
        estimated, certain = self.fronts()
        routers = estimated["routers"]
        self.assertLess(routers["synthesized"], certain["routers"]["synthesized"] / 2)
        for error in ("area_error", "period_error", "power_error"):
            self.assertGreater(routers[error], 0)
            self.assertLess(routers[error], 0.2)

    @suite.campaign
    def test_estimates_that_are_far_off_cost_syntheses_not_designs(self):
        self.tools(noise=0.3)
        estimated, _ = self.fronts()
        self.assertGreater(estimated["routers"]["synthesized"], estimated["points"] / 2)

    @suite.campaign
    def test_a_router_that_beats_its_estimate_widens_all_others(self):
        self.tools(noise=0.01, bargain="router_p5_v1_d4_w64_r1_hypercube")
        estimated, _ = self.fronts()
        self.assertGreater(estimated["routers"]["margin"], 1.5)

    @suite.campaign
    def test_constraints_are_those_of_routers_that_were_synthesized(self):
        estimated, _ = self.fronts(constraints={"area_mm2": {"max": 12}, "period_ns": {"max": 2.6}})
        for design in estimated["front"]:
            self.assertLessEqual(design["objectives"]["area_mm2"], 12)

    def test_it_is_said_what_was_estimated(self):
        study = self.study(vary={"fabric.topology": [hypercube(4)], "fabric.virtual_channels": [1, 2, 4],
                                 "fabric.buffer_depth": [2, 4, 8], "fabric.flit_bits": [16, 64]})
        text = self.ok("explore", study, "--estimate", "--db", "a.db")
        self.assertRegex(text, r"routers +\d+ synthesized, \d+ estimated")
        self.assertIn("as far as estimates hold", text)
        rows = self.ok("explore", "export", "--db", "a.db")
        self.assertIn("with its router estimated", rows)

    def test_only_the_exact_search_estimates(self):
        self.refused("explore", self.study(search={"method": "random", "evaluations": 5}),
                     "--estimate", says=["--estimate", "exact"])

    def synth(self, *arguments):
        return self.report("synth", "config.yaml", "--full-routers", *arguments)["results"]

    def test_synth_estimates_from_what_is_known(self):
        width = ("--set", "fabric.flit_bits=32")
        self.refused("synth", "config.yaml", "--full-routers", *width, "--estimate",
                     says=["no routers", "--sweep"])
        known = self.synth("--sweep", "fabric.flit_bits=16,64", "--sweep",
                           "fabric.buffer_depth=2,8", "--sweep", "fabric.virtual_channels=1,2,4",
                           "--jobs", "2")
        self.assertEqual(len(known), 12)
        self.assertFalse(any(one["from_cache"] or one["estimated"] for one in known))
        guess, = self.synth(*width, "--estimate")
        self.assertTrue(guess["estimated"])
        self.assertEqual(guess["estimated_from"], 12)
        self.assertNotIn("netlist", guess)
        table = self.ok("synth", "config.yaml", "--full-routers", *width, "--estimate")
        self.assertRegex(table, r"~\d+\.\d+ \(\d+ %\)")
        self.assertIn("estimated from 12 routers", table)
        true, = self.synth(*width)
        self.assertFalse(true["estimated"])
        for figure in ("area", "period", "power"):
            key = {"area": "area_um2", "period": "min_period_ns", "power": "power_mw"}[figure]
            self.assertLess(abs(guess[key] / true[key] - 1), 2 * guess[f"{figure}_error"] + 0.05)
        again, = self.synth(*width, "--estimate")
        self.assertFalse(again["estimated"])  # known figures are not estimated
        self.refused("synth", "config.yaml", "--full-routers", "--set", "fabric.flit_bits=128", "--estimate",
                     says=["smaller and larger"])
        self.refused("synth", "config.yaml", "--full-routers", *width, "--estimate", "--period", "9",
                     says=["no routers"])

    def test_many_are_synthesized_at_a_time(self):
        sweep = ("--sweep", "fabric.flit_bits=16,32,64")
        one = self.synth(*sweep, "--jobs", "1")
        self.use_cache("other")
        many = self.synth(*sweep, "--jobs", "3")
        for result in one + many:
            for differs in ("seconds", "netlist"):
                result.pop(differs)
        self.assertEqual(one, many)


if __name__ == "__main__":
    main()
