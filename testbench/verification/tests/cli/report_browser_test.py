# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope report in a browser: it shows what the data say and asks no network for anything."""
import base64
import json
import os
import zlib

from flitscope_cli import hypercube, machine, main, mesh
from report_pages import (CONFIGS, PATTERN, PEX, RUNS, Browser, BrowserTest, ReportTest, data_of, numbers,
                          rows)


class InBrowser(BrowserTest):
    def pixel(self, link):
        """The colour in the middle of a link on the canvas, as the page's own palette writes it."""
        return self.page(f"""(() => {{
            const {{drawing}} = page;
            const [x, y] = drawing.toCanvas(page.network.pointOn({link}, 0.5));
            const [r, g, b] = drawing.canvas.getContext("2d").getImageData(Math.floor(x),
                Math.floor(y), 1, 1).data;
            return `rgb(${{r}}, ${{g}}, ${{b}})`; }})()""")

    def test_values_and_colours_are_those_of_the_data(self):
        expected = self.report_page(PEX)
        self.open()
        bins = expected["time"]["bins"]
        busy = rows(numbers(expected["time"]["busy"]), bins)
        self.assertEqual(self.page("[...data.time.busy]"), sum(busy, []))
        self.assertEqual(self.page("[...data.messages.stays.begin]"),
                         numbers(expected["messages"]["stays"]["begin"]))
        self.assertEqual(self.page("page.network.linkName(0)"), "link_000_001")
        ramp = self.browser.evaluate("colors.ramp")
        self.assertEqual(len(set(ramp)), len(ramp))
        self.browser.evaluate("document.querySelector('input[type=checkbox]').click()")  # no path
        width = expected["time"]["bin_cycles"]
        cycles = expected["time"]["cycles"]
        seen = set()
        for bin_ in (0, bins // 3, bins - 1):
            self.browser.evaluate(f"(() => {{ const s = document.querySelector('input[type=range]');"
                                  f"s.value = {bin_}; s.dispatchEvent(new Event('input')); }})()")
            self.browser.settle()
            length = min(width, cycles - bin_ * width)
            for link in (0, 5, 27, 100, 223):
                share = busy[link][bin_] / length
                level = 0 if share == 0 else min(max(int(share ** 0.5 * 63 + 0.5), 1), 63)
                self.assertEqual(self.pixel(link), ramp[level], f"link {link} bin {bin_}")
                seen.add(level)
            reading = self.page("document.querySelector('output').textContent")
            self.assertIn(f"{bin_ * width:,} to {bin_ * width + length - 1:,}", reading)
        self.assertGreater(len(seen), 3)

    def test_a_click_on_a_link_tells_who_was_on_it(self):
        expected = self.report_page(PEX)
        self.open()
        link = 27
        x, y = self.page(f"(() => {{ const box = page.drawing.canvas.getBoundingClientRect(); "
                         f"const [x, y] = page.drawing.toCanvas(page.network.pointOn({link}, 0.5)); "
                         "return [box.left + x, box.top + y]; })()")
        self.browser.click(x, y)
        links = self.page("page.details.root.innerText")
        name = self.page(f"page.network.linkName({link})")
        bins = expected["time"]["bins"]
        flits = sum(rows(numbers(expected["time"]["busy"]), bins)[link])
        self.assertTrue(links.startswith(name), links[:80])
        self.assertIn(f"flits\n{flits:,}", links)
        stays = expected["messages"]["stays"]
        begins = [b for l, b in zip(numbers(stays["link"]), numbers(stays["begin"])) if l == link]
        shown = self.page("[...page.details.root.querySelectorAll('tbody td:first-child')]"
                          ".map(td => Number(td.textContent.split(' ')[0].replaceAll(',', '')))")
        self.assertEqual(shown, begins[:200])
        # On to a message, and its way.
        self.browser.evaluate("flitscope.page.details.root.querySelector('tbody button').click()")
        self.browser.settle()
        self.assertIn("Its way", self.page("page.details.root.innerText"))
        self.assertIn(link, self.page("page.look().route"))

    def test_a_keyboard_does(self):
        self.write("config.yaml", RUNS["schedule"])
        self.report_page("config.yaml")
        self.open()
        self.browser.evaluate("document.querySelector('input[type=range]').focus()")
        self.browser.press("ArrowRight")
        self.assertEqual(self.page("page.state.bin"), 1)
        self.browser.evaluate("document.querySelector('input[type=text]').focus()")
        self.browser.evaluate("document.querySelector('input[type=text]').value = '5-6'")
        self.browser.press("Enter")
        self.assertEqual(self.page("page.network.linkName(page.state.selected.index)"),
                         "link_005_006")
        self.browser.evaluate("document.querySelector('input[type=text]').value = 'm7'")
        self.browser.press("Enter")
        self.assertIn("Message 7", self.page("page.details.root.innerText"))
        for control in ("button", "select", "input", "canvas[tabindex]"):
            self.assertGreaterEqual(self.page(
                f"Math.min(...[...document.querySelectorAll('{control}')].map(c => c.tabIndex))"), 0)
        unnamed = self.page("[...document.querySelectorAll('button, select, input, canvas')].filter("
                            "c => !(c.textContent.trim() || c.getAttribute('aria-label') || "
                            "c.closest('label'))).length")
        self.assertEqual(unnamed, 0)

    def test_a_seed_of_64_bits_is_shown_whole(self):
        seed = 12345678901234567890
        self.write("config.yaml", RUNS["schedule"])
        self.report_page("config.yaml", "--set", f"seed={seed}")
        self.open()
        self.assertIn(["seed", str(seed)], self.page(
            "[...document.querySelectorAll('tr')].map(row => [...row.cells].map(c => c.textContent))"))

    def figures(self):
        return dict(self.page("[...document.querySelectorAll('header .figures div')].map("
                              "figure => [...figure.children].map(part => part.textContent))"))

    def test_the_head_says_of_which_cycles_links_are_counted(self):
        self.write("config.yaml", PATTERN)
        use = self.report_page("config.yaml")["summary"]["link_utilization"]
        self.open()
        self.assertEqual((use["from"], use["until"]), (100, 1100))
        self.assertRegex(self.figures()["busiest link measured"],
                         f"^{use['busiest']}: [0-9.]+ % in cycles 100 to 1,099$")
        # The head and the table are of the whole run.
        first = self.page("[...page.details.root.querySelector('tbody tr').cells].map(c => c.textContent)")
        self.assertEqual(self.figures()["busiest link"], f"{first[0]}: {first[2]}")
        self.assertRegex(self.figures()["link utilisation, mean"], " in cycles 100 to 1,099$")
        self.write("config.yaml", RUNS["schedule"])
        use = self.report_page("config.yaml")["summary"]["link_utilization"]
        self.open()
        self.assertRegex(self.figures()["busiest link"], f"^{use['busiest']}: [0-9.]+ %$")
        self.assertNotIn("busiest link measured", self.figures())
        self.assertNotIn("ranks end", self.figures())

    def test_the_head_says_when_ranks_end(self):
        self.write("t.goal", "num_ranks 2\nrank 0 {\na: send 8b to 1\n}\nrank 1 {\n"
                             "b: recv 8b from 0\nc: calc 5000\nc requires b\n}\n")
        self.write("config.yaml", machine(mesh(2), {"trace": {"file": "t.goal"}}, clock_ns=2))
        trace = self.report_page("config.yaml")["summary"]["trace"]
        self.assertGreater(trace["end_ns"], 5000)
        self.open()
        self.assertRegex(self.figures()["ranks end"],
                         f"^{trace['end_cycles']:,} cycles = 5\\.[0-9]+ µs, rank 1 the last$")

    def test_what_dies_and_what_is_lost_with_it_is_shown(self):
        self.write("config.yaml", PATTERN)
        up_down = ("--set", "fabric.routing=up_down", "--set")
        told = self.report_page("config.yaml", *up_down, "faults={at: 500, links: [0-1]}", "--set",
                                "node.retransmit={timeout: 200}", "--set",
                                "traffic.injection_rate=0.6")["summary"]["losses"]
        self.assertGreater(told["packets_sent_again"], 0)
        self.open()
        head = self.figures()
        self.assertEqual(head["dead"], "channel 0-1; from cycle 500 on")
        for name, key in (("packets lost", "packets_lost"), ("packets retransmitted", "packets_sent_again"),
                          ("packets discarded for failed nodes", "packets_discarded")):
            self.assertEqual(head[name], f"{told[key]:,}")
        self.assertEqual(self.page("page.deadIn(0)"), {"nodes": [], "links": []})
        self.assertEqual(self.page("page.look().dead.links.map(l => page.network.linkName(l))"),
                         ["link_000_001", "link_001_000"])
        self.assertIn("× dead", self.page("document.querySelector('.legend').innerText"))
        # Dead from the beginning: no links are left, the node is crossed out.
        self.report_page("config.yaml", *up_down, "faults={nodes: [5], links: [0-1], traffic: drop}")
        self.open()
        self.assertEqual(self.figures()["dead"], "node 5; channel 0-1")
        self.assertNotIn("packets lost", self.figures())
        self.assertEqual(self.page("page.look().dead"), {"nodes": [5], "links": []})

    def test_replies_have_their_round_trips_in_the_head(self):
        told = self.report_page(CONFIGS / "mesh_8x8_replies.yaml")["summary"]["round_trip"]
        self.open()
        self.assertTrue(self.figures()["round trip, max"].startswith(f"{told['max']:,} cycles"))

    def test_labels_of_latencies_that_are_all_alike_do_not_lie_over_each_other(self):
        self.write("config.yaml", machine(mesh(2), {"schedule": "gen", "message_bytes": 64}))
        latency = self.report_page("config.yaml")["summary"]["latency"]
        self.assertEqual(latency["mean"], latency["max"])
        self.open()
        labels = self.page("[...document.querySelectorAll('svg[aria-label^=Histogram] text')]"
                           ".map(text => text.textContent)")
        self.assertEqual(len(labels), len(set(labels)), labels)
        self.assertIn("mean, 95 %, 99 %, max", labels)

    def test_it_plays_and_changes_its_colours(self):
        self.write("config.yaml", RUNS["schedule"])
        self.report_page("config.yaml")
        self.open()
        light = self.browser.evaluate("colors.ramp[0]")
        self.browser.prefer("dark")
        self.assertNotEqual(self.browser.evaluate("colors.ramp[0]"), light)
        self.browser.prefer("light")
        self.page("page.playButton.click()")
        self.browser.evaluate("new Promise(done => setTimeout(done, 600))")
        self.assertGreater(self.page("page.state.bin"), 0)
        self.page("page.playButton.click()")

    def test_at_200_percent_nothing_lies_beside_the_page(self):
        self.write("config.yaml", RUNS["schedule"])
        self.ok("report", "config.yaml", "-o", "page.html")
        self.addCleanup(self.browser.resize, 1400, 1000)
        self.browser.resize(640, 480)  # from a screen of 1280 x 960
        self.open()
        self.assertLessEqual(self.page("document.documentElement.scrollWidth"), 640)
        left, right = (self.page(f"page.{part}.frame.getBoundingClientRect().{side}")
                       for part, side in (("drawing", "left"), ("timeLine", "right")))
        self.assertGreaterEqual(left, 0)
        self.assertLessEqual(right, 640)

    def test_the_time_line_names_a_segment_where_there_is_one(self):
        self.write("config.yaml", RUNS["schedule"])
        path = self.report_page("config.yaml")["path"]
        self.open()
        last = len(numbers(path["from"])) - 1
        ends = [f + n for f, n in zip(numbers(path["from"]), numbers(path["length"]))]

        def at(cycle):
            return self.page("(() => { const line = page.timeLine; const {top, height} = line.tracks.path; "
                             f"const {{kind, index}} = line.at(line.xOf({cycle}), top + height / 2); "
                             "return [kind, index ?? null]; })()")
        self.assertEqual(at(ends[last] - 0.5), ["segment", last])
        self.assertEqual(at(ends[last] + 0.5), ["none", None])
        # As if segments were left out, since there are too many of them.
        middle = last // 2
        while ends[middle] - numbers(path["from"])[middle] < 2:
            middle += 1
        begin = numbers(path["from"])[middle]
        self.assertEqual(at(begin + 1.5), ["segment", middle])
        self.page(f"data.path.length.fill(1, {middle}, {middle} + 1)")
        self.assertEqual(at(begin + 0.5), ["segment", middle])
        self.assertEqual(at(begin + 1.5), ["none", None])

    def test_ranks_have_rows_in_the_time_line_and_in_a_table(self):
        self.write("t.goal", "num_ranks 2\nrank 0 {\na: calc 5000\nb: send 8b to 1\nb requires a\n}\nrank 1 {\n"
                             "b: recv 8b from 0\nc: calc 4000\nc requires b\n}\n")
        self.write("config.yaml", machine(mesh(2), {"trace": {"file": "t.goal"}}))
        waiting = self.report("explain", "config.yaml")["ranks"][1]["waiting"]
        self.report_page("config.yaml")
        self.open()
        self.assertRegex(self.page("document.body.innerText"),
                         rf"rank 1\s+4,000\s+0\s+0\s+{waiting:,}\s+[\d,]+\s+[\d.]+ %")

        def colour(rank, cycle):
            return self.page(f"""(() => {{
                const line = page.timeLine;
                const ratio = window.devicePixelRatio || 1;
                const y = line.tracks.ranks.top + ({rank} + 0.4) * line.rankRow;
                const [r, g, b] = line.canvas.getContext("2d").getImageData(
                    Math.floor(line.xOf({cycle}) * ratio), Math.floor(y * ratio), 1, 1).data;
                return `${{r}}, ${{g}}, ${{b}}`; }})()""")
        computes, waits, nothing = colour(0, 2500), colour(1, 2500), colour(0, 7500)
        self.assertEqual(colour(1, 7500), computes)
        self.assertEqual(len({computes, waits, nothing}), 3)
        self.assertEqual(self.page("""(() => { const line = page.timeLine;
            const y = line.tracks.ranks.top + 1.5 * line.rankRow;
            return line.at(line.xOf(2500), y).text; })()"""),
            f"rank 1, node 1: 4,000 cycles computing, 0 sending, 0 receiving, {waiting:,} waiting")

    def test_two_runs_side_by_side_share_their_cycle(self):
        self.write("one.yaml", RUNS["schedule"])
        self.write("other.yaml", RUNS["packets"])
        self.ok("report", "one.yaml", "other.yaml", "-o", "page.html")
        parts = data_of(self.read("page.html"))["parts"]
        for part, name in zip(parts, ("one.yaml", "other.yaml")):
            alone = self.report_page(name, name="alone.html")
            self.assertEqual({k: v for k, v in part.items() if k != "provenance"},
                             {k: v for k, v in alone.items() if k != "provenance"})
        self.open()
        self.page("page.pages[0].goTo(50)")
        self.browser.settle()
        cycle = 50 * parts[0]["time"]["bin_cycles"]
        begin, end = self.page("page.pages[1].network.binCycles(page.pages[1].state.bin)")
        self.assertTrue(begin <= cycle < end, (begin, cycle, end))
        first_table = self.page("document.querySelector('table').innerText")
        for part in parts:
            self.assertIn(f"{part['summary']['cycles']:,} cycles", first_table)

    def test_runs_of_different_clocks_share_their_time(self):
        self.write("config.yaml", RUNS["schedule"])
        self.ok("run", "config.yaml", "--out", "slow", "--set", "clock_ns=2.5")
        self.ok("report", "config.yaml", "slow", "-o", "page.html")
        quick, slow = (part["summary"] for part in data_of(self.read("page.html"))["parts"])
        self.assertEqual((quick["clock_ns"], slow["clock_ns"]), (1, 2.5))
        self.assertEqual(slow["cycles"], quick["cycles"])
        self.open()
        self.page("page.pages[0].goTo(50)")
        self.browser.settle()
        here = self.page("page.pages[0].network.binCycles(page.pages[0].state.bin)")[0]
        begin, end = self.page("page.pages[1].network.binCycles(page.pages[1].state.bin)")
        self.assertTrue(begin <= here / 2.5 < end, (begin, here, end))
        table = self.page("document.querySelector('table').innerText")
        self.assertRegex(table, "clock period\\s+1 ns\\s+2.5 ns")
        self.assertIn(f"{slow['latency']['max']} cycles = "
                      f"{slow['latency']['max'] * 2.5:.10g} ns", table)
        self.assertIn(f"{quick['latency']['max']} cycles = {quick['latency']['max']} ns", table)
        for summary in (quick, slow):
            self.assertIn(f"{summary['time_us'] * 1000:,.10g} ns" if summary["time_us"] < 1
                          else f"{summary['time_us']:.10g} µs", table)

    def test_every_kind_of_run_opens(self):
        for name, config in RUNS.items():
            with self.subTest(run=name):
                self.write("config.yaml", config)
                self.report_page("config.yaml")
                self.open()
                self.assertEqual("Critical path" in self.page("document.body.innerText"),
                                 name != "pattern")
                self.assertEqual(self.browser.errors, [])

    def test_a_pattern_that_is_too_much_is_shown_as_that(self):
        load = {"pattern": "uniform", "injection_rate": 0.9, "message_bytes": 64,
                "warmup_cycles": 100, "measure_cycles": 1000}
        steady = {key: load[key] for key in ("pattern", "injection_rate", "message_bytes")}
        for config, words, state in (
                (PATTERN, "Complete on the", None),
                (machine(mesh(4, 4), load), "Overloaded: more is offered", None),
                (machine(mesh(4, 4), steady, steady={}), "Unstable: ", "unstable"),
                (machine(mesh(4, 4), {**steady, "injection_rate": 0.1}, steady={}),
                 "Complete on the", "stable")):
            with self.subTest(words=words, state=state):
                self.write("config.yaml", config)
                summary = self.report_page("config.yaml")["summary"]
                self.open()
                head = self.page("document.querySelector('header').innerText")
                self.assertIn(words, head)
                self.assertEqual(self.page("document.querySelectorAll('.warning').length"),
                                 int(words != "Complete on the"))
                shown = dict(self.page("page.keyFigures(data.summary).map(figure => figure.slice(0, 2))"))
                self.assertNotIn("makespan", shown)
                self.assertEqual(shown["cycles simulated"],
                                 f"{summary['simulated_cycles']:,} cycles")
                for name in ("offered", "accepted"):
                    value = summary[f"{name}_flits_per_sending_node_cycle"]
                    self.assertAlmostEqual(float(shown[f"load, {name}"].split()[0]), value, places=3)
                range_ = summary["injected_by_sending_node"]
                self.assertRegex(shown["load, accepted, by node"],
                                 rf"from [\d.]+ \(node {range_['min_node']}\) to [\d.]+ "
                                 rf"\(node {range_['max_node']}\) flits per cycle")
                loads = self.page("Array.from(page.nodeLoads())")
                self.assertEqual(loads[range_["max_node"]], 1)
                self.assertAlmostEqual(loads[range_["min_node"]], range_["min"] / range_["max"])
                stalls = self.page("[...document.querySelectorAll('section')].find(s => "
                                   "s.innerText.startsWith('Why routers stall')).innerText")
                self.assertRegex(stalls, r"node \d+\s+[\d,]+\s+[\d.]+\s+[\d.]+ %")
                self.assertEqual(shown.get("steady state"), state)
                self.assertEqual("latency, mean, ±" in shown, state is not None)
                if state == "stable":
                    self.assertRegex(shown["latency, mean, ±"], r"^\d[\d.]* cycles$")

    def test_four_thousand_nodes_are_drawn(self):
        config = machine(mesh(64, 64), {"pattern": "uniform", "injection_rate": 0.02,
                                        "message_bytes": 64, "measure_cycles": 400,
                                        "warmup_cycles": 100})
        self.write("config.yaml", config)
        self.report_page("config.yaml")
        self.assertLess(os.path.getsize(self.path("page.html")), 10 << 20)
        self.open()
        self.assertGreater(self.browser.evaluate("flitscope.page.firstDrawing"), 0)  # the README: ms
        self.assertEqual(self.page("page.network.links"), 4 * 64 * 63)


class Study(ReportTest):
    def study(self):
        self.write("base.yaml", machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 64}))
        self.write("study.yaml", json.dumps({
            "base": "base.yaml",
            "vary": {"fabric.topology": {"mesh": mesh(4, 4), "cube": hypercube(4)},
                     "fabric.buffer_depth": [1, 2, 4], "traffic.schedule": ["pex", "gen"]},
            "objectives": {"min": ["time_ns", "pins"]}}))
        self.ok("explore", "study.yaml", "--db", "kept.db", "--jobs", "2")

    def test_a_study_is_shown_as_it_is_kept(self):
        self.study()
        page = self.report_page("kept.db")
        front = json.loads(self.ok("explore", "front", "--db", "kept.db", "--json"))["front"]
        self.assertEqual({d["digest"] for d in page["designs"] if d["front"]},
                         {d["digest"] for d in front})
        texts = zlib.decompress(base64.b64decode(page["configurations"]["data"])).decode().split("\0")
        for design, text in list(zip(page["designs"], texts))[:3]:
            self.assertEqual(text, self.ok("explore", "show", design["digest"], "--db", "kept.db"))
        self.refused("report", "kept.db", "--study", "other", "-o", "page.html",
                     says=["no study of that name", "there are: study"])
        with Browser(1400, 2200) as browser:
            browser.open(self.path("page.html"))
            self.assertEqual(browser.errors, [])
            count = "document.querySelectorAll('tbody tr[data-row]').length"
            self.assertEqual(browser.evaluate(count), len(page["designs"]))
            browser.evaluate("document.querySelector('input[type=checkbox]').click()")
            self.assertEqual(browser.evaluate(count), len(front))
            browser.evaluate("document.querySelector('tbody button').click()")
            self.assertIn("# Design", browser.evaluate("flitscope.page.shown.innerText"))
            least = min(d["objectives"][0] for d in page["designs"] if d["objectives"][0] is not None)
            browser.evaluate("document.querySelector('[data-column]').click()")
            browser.evaluate(f"flitscope.page.limit(flitscope.page.objectives[0], [{least}, {least}])")
            self.assertGreaterEqual(browser.evaluate(count), 1)
            self.assertLess(browser.evaluate(count), len(page["designs"]))
            # A field changes its own bound; the other field shows a rounded one.
            browser.evaluate("flitscope.page.limit(flitscope.page.objectives[0], [1, 1234564])")
            change = ("(() => {{ const {{page}} = flitscope; const column = page.objectives[0]; "
                      "const field = page.fields.get(column)[{}]; field.value = '{}'; "
                      "field.dispatchEvent(new Event('change')); "
                      "return page.limits.get(column) ?? null; }})()")
            self.assertEqual(browser.evaluate(change.format(0, 2)), [2, 1234564])
            self.assertEqual(browser.evaluate(change.format(0, "")), [least, 1234564])
            self.assertEqual(browser.evaluate(change.format(1, 1234567)), [least, 1234567])
            self.assertIsNone(browser.evaluate(change.format(1, "")))
            # A box over all points leaves those that were measured, a click next to them all.
            browser.evaluate("document.querySelector('input[type=checkbox]').click()")
            browser.evaluate("flitscope.page.limit(flitscope.page.objectives[0], null)")
            left, top, area = browser.evaluate(
                "(() => { const {canvas, area} = flitscope.page.scatter; "
                "const box = canvas.getBoundingClientRect(); return [box.left, box.top, area]; })()")
            browser.drag(left + area["left"] + 1, top + area["top"] + 1,
                         left + area["right"] - 1, top + area["bottom"] - 1)
            measured = sum(d["objectives"][0] is not None for d in page["designs"])
            self.assertEqual(browser.evaluate(count), measured)
            self.assertEqual(browser.evaluate("flitscope.page.limits.size"), 2)
            browser.click(left + area["left"] + 2, top + area["top"] + 2)
            self.assertEqual(browser.evaluate(count), len(page["designs"]))


if __name__ == "__main__":
    main()
