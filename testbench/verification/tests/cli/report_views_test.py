# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""What pages of studies, of loads and of two runs conclude, and how networks lie on them: values out of
the page against those that are computed here."""
import json
import math
import re

from flitscope_cli import hypercube, machine, main, mesh
from report_pages import CONFIGS, RUNS, BrowserTest, data_of, numbers


class Studies(BrowserTest):
    def study(self, measured, objectives, vary, base=None):
        self.write("base.yaml", base or machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 64}))
        self.write("study.yaml", json.dumps({"base": "base.yaml", "vary": vary, **measured,
                                             "objectives": objectives}))
        self.ok("explore", "study.yaml", "--db", "kept.db", "--jobs", "2")
        page = self.report_page("kept.db")
        self.open()
        return page

    def exchange(self):
        return self.study({}, {"min": ["time_ns", "buffer_bits", "pins"]},
                          {"fabric.topology": {"mesh": mesh(4, 4), "cube": hypercube(4)},
                           "fabric.buffer_depth": [1, 2, 4], "traffic.schedule": ["pex", "gen"]})

    def test_the_verdict_names_the_best_in_each_objective(self):
        page = self.exchange()
        front = [d for d in page["designs"] if d["front"]]
        verdict = self.page("document.querySelector('.verdict').textContent")
        self.assertTrue(verdict.startswith(f"{len(front)} of 12 designs are on the front: "), verdict)
        for i, objective in enumerate(("time_ns", "buffer_bits", "pins")):
            best = min(d["objectives"][i] for d in front)
            self.assertIn(f"{objective} {best:,.0f}", verdict)
            winner = next(d for d in front if d["objectives"][i] == best)
            self.assertIn(winner["axes"][0], verdict)

    def test_the_line_is_what_no_design_beats_in_two_objectives(self):
        page = self.exchange()
        rows = [(d["objectives"][0], d["objectives"][1]) for d in page["designs"]
                if d["state"] == "simulated" and not d["reason"]]
        best = {p for p in rows if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in rows)}
        shown = self.page("page.scatter.frontInView().map(row => [page.x.values[row], page.y.values[row]])")
        self.assertEqual([tuple(p) for p in shown], sorted(best))
        # Each step is level or upright, and all designs measured are on its worse side.
        line = self.page("page.scatter.frontLine")
        for (x0, y0), (x1, y1) in zip(line, line[1:]):
            self.assertTrue(math.isclose(x0, x1) or math.isclose(y0, y1), (x0, y0, x1, y1))
        names = self.page("page.scatter.names.map(({row, text}) => [data.designs[row].front, text])")
        self.assertTrue(names)
        self.assertTrue(all(front for front, _ in names), names)
        self.assertEqual(len({text for _, text in names}), len(names), names)

    def test_ticks_are_round_and_objectives_are_in_view(self):
        self.exchange()
        for column in self.page("page.columns.filter(c => c.isNumber).map(c => c.scale.ticks)"):
            steps = {f"{b - a:.6g}" for a, b in zip(column, column[1:])}
            digits = {f"{tick:e}"[0] + f"{tick:e}"[2:8].rstrip("0") for tick in column if tick}
            round_ = all(float(step) / 10 ** math.floor(math.log10(float(step)) + 1e-9) in (1, 2, 5)
                         for step in steps)
            self.assertTrue(len(steps) == 1 and round_ or digits <= {"1", "2", "5"}, column)
        right = self.page("[...page.tablePlace.querySelectorAll('th')].slice(0, 4)"
                          ".map(th => [th.textContent, th.getBoundingClientRect().right])")
        self.assertEqual([name.split(" ")[0] for name, _ in right],
                         ["design", "time_ns", "buffer_bits", "pins"])
        self.assertLess(right[-1][1], 1400)
        self.assertLessEqual(self.page("document.documentElement.scrollWidth"), 1400)

    def test_losers_have_reasons_and_colours_follow_an_axis(self):
        page = self.exchange()
        front = json.loads(self.ok("explore", "front", "--db", "kept.db", "--json"))
        reasons = {loss["digest"]: loss["reason"] for loss in front["losses"]}
        shown = self.page("[...document.querySelectorAll('[aria-label=Losers] tbody tr')]"
                          ".map(row => row.cells[1].textContent)")
        nearest = [page["designs"][row] for row in page["nearest"]]
        self.assertEqual(shown, [reasons[d["digest"]] for d in nearest])
        self.assertFalse(any(d["front"] for d in nearest))
        self.page("[...document.querySelectorAll('select')].find(s => s.parentNode.textContent"
                  ".startsWith('Colour')).value = 3")
        self.browser.evaluate("[...document.querySelectorAll('select')][2].dispatchEvent(new Event('change'))")
        self.assertEqual(self.page("page.coloring.name"), "traffic.schedule")
        colours = self.page("data.designs.map((_, row) => page.colorOf(row))")
        schedules = [d["axes"][2] for d in page["designs"]]
        self.assertEqual(len(set(zip(schedules, colours))), 2)
        self.assertEqual(len(set(colours)), 2)

    def test_intervals_are_those_of_the_runs(self):
        load = {"pattern": "uniform", "injection_rate": 0.2, "message_bytes": 64}
        page = self.study({"measure": {"load": {"kind": "run"}}}, {"min": ["latency_ns", "buffer_bits"]},
                          {"fabric.buffer_depth": [2, 8]},
                          machine(mesh(4, 4), load, steady={"half_width": 0.1}, clock_ns=2))
        for design in page["designs"]:
            self.write("one.yaml", self.ok("explore", "show", design["digest"], "--db", "kept.db"))
            steady = self.report("run", "one.yaml")["steady"]
            self.assertAlmostEqual(design["half_widths"][0], 2 * steady["half_width"])
            self.assertIsNone(design["half_widths"][1])
        self.assertRegex(self.page("page.objectives[0].text(0)"), r"^[\d.,]+ ± [\d.]+$")


class Loads(BrowserTest):
    LOAD = {"pattern": "uniform", "injection_rate": 0.2, "message_bytes": 64}

    def measure(self):
        self.write("mesh.yaml", machine(mesh(2, 2), self.LOAD, steady={"half_width": 0.2}))
        self.write("cube.yaml", machine(hypercube(3), self.LOAD, steady={"half_width": 0.2}, clock_ns=2))
        curve = self.ok("curve", "mesh.yaml", "cube.yaml", "--rates", "0.1,0.3", "--json")
        found = self.ok("saturate", "mesh.yaml", "--quick", "--json")
        self.write("curve.json", curve)
        self.write("found.json", found)
        return json.loads(curve), json.loads(found)

    def test_a_curve_and_a_saturation_of_a_network_are_one_line(self):
        curve, found = self.measure()
        self.ok("report", "curve.json", "found.json", "-o", "page.html")
        self.open()
        self.assertEqual(self.page("page.networks.map(n => n.name)"), ["mesh", "cube"])
        points = sorted(curve["curves"][0]["points"] + found["runs"], key=lambda p: p["rate"])
        self.assertEqual(self.page("page.networks[0].points.map(p => p.rate)"), [p["rate"] for p in points])
        # Clocks differ, so loads are in Gbit/s and latencies in ns.
        self.assertEqual(self.page("[page.state.unit, page.state.time]"), ["gbps", "ns"])
        shown = self.page("page.latencySeries().map(s => s.points.map(p => [p.x, p.y, p.halfWidth]))")
        for series, network, clock in ((shown[0], points, 1), (shown[1], curve["curves"][1]["points"], 2)):
            drawn = [p for p in network if p["status"] != "unstable" and p["latency"]["mean"] is not None]
            self.assertEqual(series, [[p["rate_gbps"], clock * p["latency"]["mean"],
                                       clock * (p["latency"]["half_width"] or 0)] for p in drawn])
        circles = self.page("document.querySelectorAll('svg')[2].querySelectorAll('.point').length")
        self.assertEqual(circles, sum(map(len, shown)))
        # The bracket, from its place on the axis.
        low, high = (found["saturation_gbps"][end] for end in ("lower", "upper"))
        self.assertIn(f"mesh: saturation between {float(f'{low:.5g}'):,g} and ", self.page(
            "document.querySelector('.band title').textContent"))
        at, width, ticks = self.page(
            "(() => { const band = document.querySelector('.band'); const s = page.loadScale(); return "
            "[Number(band.getAttribute('x')), Number(band.getAttribute('width')), [s.least, s.greatest]]; })()")
        scale = (720 - 76 - 16) / (ticks[1] - ticks[0])
        self.assertAlmostEqual(at, 76 + scale * (low - ticks[0]), places=3)
        self.assertAlmostEqual(width, max(scale * (high - low), 2), places=3)
        verdict = self.page("document.querySelector('.verdict').textContent")
        self.assertIn("mesh saturates between ", verdict)
        self.page("document.querySelector('select').value = 'flits'")
        self.browser.evaluate("document.querySelector('select').dispatchEvent(new Event('change'))")
        self.assertIn("load offered [flits per node and cycle]", self.page("page.charts.textContent"))

    def test_what_is_no_load_is_refused(self):
        self.measure()
        self.write("other.json", '{"points": 3}')
        self.write("text.json", "points")
        self.write("run.yaml", RUNS["schedule"])
        for name in ("other.json", "text.json"):
            self.refused("report", name, "-o", "page.html",
                         says=[name, "is not the output of curve or saturate --json"])
        self.refused("report", "curve.json", "run.yaml", "-o", "page.html",
                     says=["runs, studies and loads are different pages"])
        self.refused("report", "found.json", "found.json", "-o", "page.html", says=["a second saturation of"])
        self.refused("report", "found.json", "--set", "seed=2", "-o", "page.html",
                     says=["give --set to curve or saturate"])
        self.refused("report", *["run.yaml"] * 3, "-o", "page.html", says=["two runs or studies at most"])
        # Another network of the same name is another line.
        self.write("deep.json", self.ok("saturate", "mesh.yaml", "--quick", "--json", "--set",
                                        "fabric.buffer_depth=16"))
        self.ok("report", "found.json", "deep.json", "-o", "page.html")
        self.assertEqual(len(data_of(self.read("page.html"))["networks"]), 2)
        self.open()


class Runs(BrowserTest):
    def test_two_runs_have_differences_ratios_and_equal_scales(self):
        self.write("one.yaml", RUNS["schedule"])
        self.write("other.yaml", RUNS["packets"])
        self.ok("report", "one.yaml", "other.yaml", "-o", "page.html")
        one, other = (part["summary"]["cycles"] for part in data_of(self.read("page.html"))["parts"])
        self.open()
        rows = self.page("[...document.querySelectorAll('table')[0].rows].map(r => [...r.cells]"
                         ".map(c => c.textContent))")
        makespan = next(row for row in rows if row[0] == "makespan")
        sign = "+" if other > one else "-"
        self.assertEqual(makespan[3:], [f"{sign}{abs(other - one):,} cycles", f"{round(other / one, 3):g}"])
        self.assertIn(f"{round(max(one, other) / min(one, other), 2):g} times as long",
                      self.page("document.querySelector('.verdict').textContent"))
        shared = self.page("page.pages.map(p => [p.timeLine.span, p.common.top, p.network.busiest, "
                           "JSON.stringify(latencyScale([...p.histograms.map(([h]) => h), "
                           "...p.common.histograms]).ticks)])")
        self.assertEqual(shared[0], shared[1])
        self.assertGreaterEqual(shared[0][0], max(one, other))

    def test_fat_trees_and_dragonflies_can_be_read(self):
        for name in ("fat_tree_64_uniform", "dragonfly_36_exchange"):
            with self.subTest(name=name):
                self.report_page(CONFIGS / f"{name}.yaml")
                self.open()
                places, scale = self.page("[Array.from(page.network.x, (x, i) => [x, page.network.y[i]]), "
                                          "page.drawing.view.scale]")
                apart = min(math.dist(a, b) for i, a in enumerate(places) for b in places[:i])
                self.assertGreater(apart, 40)       # of a radius of 12
                self.assertGreater(12 * scale, 8)   # pixels
                nodes = self.page("Array.from(page.network.at, (_, n) => page.network.nodePlace(n))")
                self.assertGreater(min(math.dist(a, b) for i, a in enumerate(nodes) for b in nodes[:i]), 10)

    def test_little_blocking_is_not_drawn_and_tables_follow_playback(self):
        page = self.report_page(CONFIGS / "mesh_8x8_pex.yaml")
        self.open()
        bins, cycles = page["time"]["bins"], page["time"]["cycles"]
        blocked = numbers(page["time"]["blocked"])
        shares = [sum(blocked[i * bins:(i + 1) * bins]) / cycles for i in range(page["network"]["links"])]
        drawn = self.page("[...Array(page.network.links).keys()].map(link => "
                          "page.drawing.blockedCurves.findIndex(curves => curves[link] !== undefined))")
        for link, share in enumerate(shares):
            width = math.floor(20 * share + 0.5)
            self.assertEqual(drawn[link], width if width > 0 else -1, (link, share))
        self.assertIn(-1, drawn)
        self.page("page.playButton.click()")
        self.browser.evaluate("new Promise(done => setTimeout(done, 700))")
        self.assertIn("Cycles ", self.page("page.timer && page.details.root.innerText"))
        self.page("page.playButton.click()")

    def test_names_of_a_graph_are_shown(self):
        self.write("soc.dot", 'graph { node [endpoint=false]; hub; node [endpoint=true]; '
                              'hub -- cpu; hub -- mem; hub -- dsp }')
        self.write("config.yaml", machine({"kind": "custom", "file": "soc.dot"},
                                          {"schedule": "naive", "message_bytes": 64}))
        self.report_page("config.yaml")
        self.open()
        self.assertRegex(self.page("page.details.root.innerText"), r"link_\d+_\d+ \((hub-\w+|\w+-hub)\)")
        self.assertEqual(self.page("routerLabel(page.network, 3)"), "switch 3 (hub)")
        self.assertEqual(self.page("nodeLabel(page.network, 0)"), "node 0 (cpu)")

    def test_classes_and_round_trips_have_histograms(self):
        for name, what in (("mesh_8x8_replies", "round trips"), ("mesh_8x8_classes", "class ")):
            with self.subTest(name=name):
                page = self.report_page(CONFIGS / f"{name}.yaml")
                self.open()
                further = [h for h in page["histograms"] if h["name"].startswith(what)]
                self.assertTrue(further)
                for histogram in page["histograms"]:
                    self.assertEqual(sum(histogram["counts"]), histogram["messages"])
                if what == "class ":
                    self.assertEqual(sum(h["messages"] for h in further), page["latency"]["messages"])
                charts = self.page("[...document.querySelectorAll('svg[aria-label^=Histogram]')].map("
                                   "svg => [...svg.querySelectorAll('rect')].length)")
                self.assertEqual(charts, [sum(c > 0 for c in h["counts"])
                                          for h in [page["latency"], *page["histograms"]] if h["messages"]])

    def test_handshakes_belong_to_the_step_that_they_prepare(self):
        self.write("config.yaml", machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 64,
                                                       "handshake": True}))
        page = self.report_page("config.yaml")
        self.assertEqual(page["steps"]["steps"], 15)  # of an exchange among 16
        self.assertEqual(numbers(page["steps"]["last"])[-1], 15)
        self.assertEqual(max(numbers(page["messages"]["step"])), 14)
        self.assertEqual(sum(numbers(page["steps"]["transfers"])), page["summary"]["messages_expected"])
        self.open()
        # As in the text, the summary, explain and the waveforms.
        self.assertIn(" in 15 steps, handshakes among them", self.ok("run", "config.yaml"))
        self.assertEqual(page["summary"]["steps"], 15)
        self.assertLessEqual(max(s["step"] for s in self.report("explain", "config.yaml")["steps"]), 15)
        self.ok("run", "config.yaml", "--trace", "t.vcd")
        vcd = self.read("t.vcd").decode()
        code = re.search(r"\$var \w+ 32 (\S+) newest_step", vcd).group(1)
        steps = [int(bits, 2) for bits in re.findall(rf"^b([01]+) {re.escape(code)}$", vcd, re.MULTILINE)]
        self.assertEqual(max(steps), 15)


if __name__ == "__main__":
    main()
