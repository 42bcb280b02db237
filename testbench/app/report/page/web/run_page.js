// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The page of a run: the selection, and its views.

const kPlaySeconds = 20;  // for the whole run
const kTableMilliseconds = 250;  // from table to table while it plays

class RunPage {
    constructor(data, network) {
        Object.assign(this, {data, network});
        this.state = {bin: -1, view: "both", scale: "full", showPath: true, selected: {kind: "none"}};
        this.drawing = new Drawing(network, () => this.look());
        this.drawing.onSelect = selected => this.choose(selected);
    }

    /// The data available before messages, steps and path are unpacked.
    open(root) {
        const {summary} = this.data;
        const section = (name, ...children) => element("section", {"aria-label": name}, ...children);
        this.side = element("aside", {}, element("p", {}, "…"));
        this.below = element("div");
        root.replaceChildren(
            element("header", {}, element("h1", {}, this.data.title), this.verdict(),
                figures(this.keyFigures(summary))),
            section("Network", this.controls(), this.timeControls(),
                element("div", {class: "side-by-side"},
                    element("div", {}, this.drawing.frame, this.legend()), this.side)),
            this.below);
        this.drawing.canvas.setAttribute("aria-label", `Drawing of ${this.network.topology}. ` +
            "Arrow keys move it, plus and minus zoom, 0 fits it. The tables show the same data.");
        this.drawing.fit();
        this.drawing.draw();
    }

    /// Everything else: `data` is unpacked by now.
    complete(data) {
        this.data = data;
        this.details = new Details(data, this.network, selected => this.choose(selected),
            bin => this.goTo(bin));
        this.side.replaceWith(this.details.root);
        this.timeLine = new TimeLine(data, this.network, () => this.look());
        this.timeLine.onTime = cycle => this.goTo(this.network.binOf(cycle));
        this.timeLine.onSelect = found => this.chooseOnTimeLine(found);
        this.below.replaceChildren(...[
            element("section", {}, element("h2", {}, "Time line"), this.timeLine.frame, this.timeLegend(),
                data.steps ? stepTable(this) : null),
            data.path ? pathSection(this) : null,
            data.ranks ? rankSection(this) : null,
            data.stalls ? stallSection(this) : null,
            this.latencySection = element("section", {}, element("h2", {}, "Latencies"), this.latencies()),
            this.provenance()].filter(part => part !== null));
        new ResizeObserver(() => this.redraw()).observe(this.drawing.frame);
        this.update();
        this.redraw();
    }

    /// Scales that it shares with a run beside it.
    adopt(common) {
        this.common = this.timeLine.common = common;
        [this.network.busiest, this.network.busiestInBin] = [common.busiest, common.busiestInBin];
        this.latencySection.lastChild.replaceWith(this.latencies());
        this.redraw();
    }

    redraw() {
        const width = this.drawing.canvas.clientWidth;
        if (width !== this.width) {
            this.drawing.fit();
            this.width = width;
        }
        this.drawing.draw();
        this.timeLine?.redraw();
    }

    // ---- Head ------------------------------------------------------------------------------------

    verdict() {
        const {summary} = this.data;
        const warning = (...texts) => element("div", {class: "warning", role: "alert"},
            ...texts.map(text => element("p", {}, text)));
        if (summary.status !== "complete") {
            return warning(`The run did not complete: ${summary.status}.`, ...summary.problems.slice(0, 20));
        }
        if (summary.steady?.status === "unstable") {
            return warning("Unstable: the backlog grows without bound; there is no steady state, so latencies are meaningless.");
        }
        if (summary.steady?.status === "not_converged") {
            return warning("Not converged: steady.max_cycles came before the latency interval was narrow enough.");
        }
        if (summary.overloaded) {
            return warning("Overloaded: more is offered than accepted, and latencies grow with the measurement.");
        }
        return element("p", {class: "faint"}, `Complete on the ${summary.engine} engine.`);
    }

    /// [name, value] of each, and what can be compared as {number, text of one}. `inTime`: latencies in
    /// nanoseconds as well, as needed next to a run with another clock, and if a cycle is not one
    /// nanosecond.
    keyFigures(summary, inTime = summary.clock_ns !== 1) {
        const latency = (value, digits = 0) => value === null ? "-"
            : `${numberText(value, digits)} cycles` +
              (inTime ? ` = ${timeText(value * summary.clock_ns)}` : "");
        const inCycles = number => ({number, text: value => `${numberText(value, 1)} cycles`});
        const inNs = number => ({number, text: timeText});
        const ofLatency = value => value === null ? undefined : inTime ? inNs(value * summary.clock_ns) : inCycles(value);
        const complete = summary.status === "complete";
        const isPattern = "configured_flits_per_node_cycle" in summary;
        const hasMakespan = complete && !isPattern;
        const cycles = hasMakespan ? summary.cycles : summary.simulated_cycles;
        const use = summary.link_utilization;
        // The page draws the whole run.
        const counted = use.from === 0 && use.until === summary.simulated_cycles ? ""
            : ` in cycles ${numberText(use.from)} to ${numberText(use.until - 1)}`;
        const list = [["network", summary.topology],
            ...(summary.faults ? [["dead", this.faultsText(summary.faults)]] : []),
            [hasMakespan ? "makespan" : "cycles simulated",
                `${numberText(cycles)} cycles`, inCycles(cycles)],
            ["clock period", `${numberText(summary.clock_ns, 3)} ns`, inNs(summary.clock_ns)]];
        if (complete) list.push(["time", timeText(cycles * summary.clock_ns), inNs(cycles * summary.clock_ns)]);
        if (summary.trace && summary.trace.end_cycles !== null) {
            const {end_cycles: end, end_ns: endNs, last_rank: last} = summary.trace;
            list.push(["ranks end", `${numberText(end)} cycles = ${timeText(endNs)}, rank ${last} the last`]);
        }
        if (summary.synthesized) {
            const period = summary.synthesized.period_ns;
            list.push(["period that the router needs", `${numberText(period, 3)} ns`]);
            if (complete) list.push(["time with that", timeText(cycles * period)]);
        }
        if (summary.energy) {
            list.push(["energy", `${numberText(1e6 * summary.energy.total_j, 3)} µJ`,
                {number: 1e6 * summary.energy.total_j, text: value => `${numberText(value, 3)} µJ`}]);
        }
        if (summary.lower_bounds) {
            list.push(["lower bound", `${numberText(summary.lower_bound_cycles)} cycles`, inCycles(summary.lower_bound_cycles)]);
        }
        if (isPattern) list.push(...this.loads(summary));
        list.push(["messages delivered", `${numberText(summary.messages_delivered)} of ${numberText(summary.messages_expected)}`],
            ["flit-hops", numberText(summary.flit_hops), {number: summary.flit_hops, text: numberText}],
            ["link utilisation, mean", percentText(use.mean) + counted, {number: use.mean, text: share => `${numberText(100 * share, 2)} points`}],
            ...this.busiestLinks(use, counted),
            ["latency, mean", latency(summary.latency.mean, 1), ofLatency(summary.latency.mean)],
            ...(summary.steady ? [["latency, mean, ±", latency(summary.steady.half_width, 2)]] : []),
            ["latency, 95 %", latency(summary.latency.p95), ofLatency(summary.latency.p95)], ["latency, max", latency(summary.latency.max), ofLatency(summary.latency.max)]);
        for (const one of summary.classes ?? []) {
            list.push([`latency, mean, class ${one.name}`, latency(one.latency.mean, 1), ofLatency(one.latency.mean)]);
        }
        if (summary.round_trip) {
            list.push(["round trip, mean", latency(summary.round_trip.mean, 1), ofLatency(summary.round_trip.mean)],
                ["round trip, max", latency(summary.round_trip.max), ofLatency(summary.round_trip.max)]);
        }
        if (summary.losses) {
            const {packets_lost: lost, packets_discarded: discarded, packets_sent_again: again} = summary.losses;
            list.push(["packets lost", numberText(lost)], ["packets discarded for failed nodes", numberText(discarded)],
                ["packets retransmitted", numberText(again)]);
        }
        return list;
    }

    /// The link at the head of the table, which counts the whole run; that of the measurement if this is not all of it.
    busiestLinks(use, counted) {
        const [link] = topLinks(this.network, "busy", -1, 1);
        if (link === undefined) return [["busiest link", "-"]];
        const all = ["busiest link", `${this.network.linkLabel(link)}: ${percentText(this.network.share("busy", link, -1))}`];
        return counted === "" || use.busiest === null ? [all]
            : [all, ["busiest link measured", `${use.busiest}: ${percentText(use.max)}${counted}`]];
    }

    faultsText({failed_links: links, failed_nodes: nodes, failed_routers: routers = [], at}) {
        const few = 6;
        const named = (kind, all) => all.length === 0 ? []
            : [`${kind}${all.length === 1 ? "" : "s"} ${all.slice(0, few).join(", ")}` +
               (all.length > few ? `, … (${numberText(all.length)})` : "")];
        const all = [...named("node", nodes), ...named("router", routers), ...named("channel", links)].join("; ");
        return at === undefined ? all : `${all}; from cycle ${numberText(at)} on`;
    }

    /// The load that a pattern asks of the nodes that send, and the result.
    loads(summary) {
        const load = value => value === undefined || value === null ? "-"
            : `${numberText(value, 4)} flits per cycle and sending node`;
        const list = [["load, offered", load(summary.offered_flits_per_sending_node_cycle)],
            ["load, accepted", load(summary.accepted_flits_per_sending_node_cycle),
                {number: summary.accepted_flits_per_sending_node_cycle ?? 0, text: value => numberText(value, 4)}]];
        const range = summary.injected_by_sending_node;
        if (range) {
            list.push(["load, accepted, by node", `from ${numberText(range.min, 4)} (node ${range.min_node}) to ` +
                `${numberText(range.max, 4)} (node ${range.max_node}) flits per cycle`]);
        }
        if (summary.steady) list.push(["steady state", summary.steady.status.replace("_", " ")]);
        return list;
    }

    // ---- Controls --------------------------------------------------------------------------------

    controls() {
        const set = name => value => { this.state[name] = value; this.update(); };
        const find = element("input", {type: "text", size: 14, placeholder: "5-7, 5 or m12",
            "aria-label": this.network.isOneEach
                ? "Find a link by its two nodes, a node, or a message by m and its number"
                : "Find a link by its two routers, a node, a router by r or a message by m and its number",
            keydown: event => {
                if (event.key !== "Enter") return;
                const found = this.find(find.value);
                find.setCustomValidity(found ? ""
                    : `There is no such link, node${this.network.isOneEach ? "" : ", router"} or message.`);
                find.reportValidity();
                if (found) this.choose(found);
            }, input: () => find.setCustomValidity("")});
        const path = element("input", {type: "checkbox", checked: true,
            change: () => { this.state.showPath = path.checked; this.update(); }});
        const zoom = (text, name, action) => element("button", {type: "button", "aria-label": name,
            title: name, click: action}, text);
        return element("div", {class: "controls"},
            selectBox("Show", [["both", "busy and blocked"], ["busy", "busy"], ["blocked", "blocked"],
                ...this.data.energy ? [["energy", "energy of the whole run"]] : []], set("view")),
            selectBox("Full colour at", [["full", "100 %"], ["busiest", "the busiest link"]], set("scale")),
            this.data.path ? element("label", {}, path, " critical path") : null,
            element("label", {}, "Find ", find),
            element("span", {}, zoom("+", "zoom in", () => this.drawing.zoom(1.25)), " ",
                zoom("−", "zoom out", () => this.drawing.zoom(0.8)), " ",
                zoom("fit", "fit the network", () => { this.drawing.fit(); this.drawing.draw(); })));
    }

    timeControls() {
        const {bins} = this.network.time;
        this.slider = element("input", {type: "range", min: 0, max: bins - 1, step: 1, value: 0,
            "aria-label": "Time", input: () => this.goTo(Number(this.slider.value))});
        this.playButton = element("button", {type: "button", click: () => this.play(!this.timer)}, "Play");
        this.wholeButton = element("button", {type: "button", "aria-pressed": "true",
            click: () => this.goTo(-1)}, "Whole run");
        this.reading = element("output", {class: "reading"});
        return element("div", {class: "slider controls"}, this.playButton, this.wholeButton,
            this.slider, this.reading);
    }

    play(on) {
        clearInterval(this.timer);
        this.timer = undefined;
        this.playButton.textContent = on ? "Pause" : "Play";
        if (!on) return this.update();
        const {bins} = this.network.time;
        let bin = this.state.bin >= bins - 1 ? -1 : this.state.bin;
        this.timer = setInterval(() => {
            if (++bin >= bins) this.play(false); else this.goTo(bin, true);
        }, Math.max(1000 * kPlaySeconds / bins, 40));
        return undefined;
    }

    goTo(bin, isPlaying = false) {
        if (!isPlaying && this.timer) this.play(false);
        if (bin === this.state.bin) return;
        this.state.bin = bin;
        this.update();
        this.onGoTo?.(bin);
    }

    /// To the time at which another run is, which is the same cycle if the clocks are the same; the
    /// end, if this one is over by then.
    follow(other, bin) {
        if (this.timer) this.play(false);
        const clocks = other.data.summary.clock_ns / this.data.summary.clock_ns;
        this.state.bin = bin < 0 ? -1 : this.network.binOf(other.network.binCycles(bin)[0] * clocks);
        this.update();
    }

    find(text) {
        if (!/^\s*m/i.test(text)) return this.network.find(text);
        const number = Number(text.match(/\d+/)?.[0] ?? -1);
        const index = this.data.messages.number.indexOf(number);
        return index < 0 ? undefined : {kind: "message", index};
    }

    choose(selected) {
        this.state.selected = selected;
        this.route = undefined;
        this.update();
    }

    /// A segment leads to its link or router; a step has no place.
    chooseOnTimeLine(found) {
        const {path} = this.data;
        if (found.kind === "message") {
            this.choose({kind: "message", index: found.index});
        } else if (found.kind === "segment" && path.channel[found.index] >= 0 &&
                   path.channel[found.index] < this.network.links) {
            this.choose({kind: "link", index: path.channel[found.index]});
        } else if (found.kind === "segment" && path.router[found.index] >= 0) {
            this.choose({kind: "router", index: path.router[found.index]});
        }
    }

    // ---- What is drawn ---------------------------------------------------------------------------

    /// Failed by the end of a bin: nodes, routers where they are not numbered alike, and the links of
    /// channels that existed before.
    deadIn(bin) {
        const {faults} = this.data.summary;
        if (!faults || (faults.at ?? 0) >= this.network.binCycles(bin)[1]) return {nodes: [], links: []};
        this.deadLinks ??= faults.failed_links
            .flatMap(name => [name, name.split("-").reverse().join("-")])
            .map(name => this.network.find(name)?.index).filter(link => link !== undefined);
        const routers = faults.failed_routers ? {routers: faults.failed_routers} : {};
        return {nodes: faults.failed_nodes, ...routers, links: this.deadLinks};
    }

    look() {
        const {bin, view, scale, showPath, selected} = this.state;
        this.route ??= selected.kind === "message"
            ? this.details.route(selected.index).map(row => this.data.messages.stays.link[row]) : [];
        return {bin, view, scale, selected, route: this.route, dead: this.deadIn(bin),
            loads: this.nodeLoads(),
            path: showPath && this.data.path?.from instanceof Float64Array ? this.pathIn(bin) : null};
    }

    /// Of each node of a pattern, the share of the load that the network took from the node from
    /// which it took most; else null.
    nodeLoads() {
        if (!this.data.summary.injected_by_sending_node) return null;
        const {injected} = this.data.nodes;
        const most = Math.max(minmax(injected)[1], 1);
        return this.shownLoads ??= Array.from(injected, flits => flits / most);
    }

    /// Cycles of the critical path in a bin, by link and by router.
    pathIn(bin) {
        if (this.pathBin === bin) return this.pathFound;
        const {path} = this.data;
        const [from, to] = this.network.binCycles(bin);
        const found = {links: new Map(), routers: new Map()};
        for (let i = Math.max(lowerBound(path.from, from + 1e-9) - 1, 0); i < path.from.length && path.from[i] < to; ++i) {
            const cycles = Math.min(path.from[i] + path.length[i], to) - Math.max(path.from[i], from);
            if (cycles <= 0) continue;
            const [place, index] = path.channel[i] >= 0 && path.channel[i] < this.network.links
                ? [found.links, path.channel[i]] : [found.routers, path.router[i]];
            if (index >= 0) place.set(index, (place.get(index) ?? 0) + cycles);
        }
        [this.pathBin, this.pathFound] = [bin, found];
        return found;
    }

    update() {
        const {bin, selected} = this.state;
        const {bins} = this.network.time;
        this.slider.value = Math.max(bin, 0);
        this.slider.setAttribute("aria-valuetext", binText(this.network, bin));
        this.wholeButton.setAttribute("aria-pressed", String(bin < 0));
        this.reading.textContent = bin < 0 ? binText(this.network, bin)
            : `${binText(this.network, bin)} (${bin + 1} of ${bins})`;
        if (this.pending) return;
        this.pending = requestAnimationFrame(() => {
            this.pending = undefined;
            this.drawing.draw();
            this.timeLine?.draw();
            this.showDetails();
        });
        if (selected.kind === "none") this.route = [];
    }

    /// While time runs a few times per second, as fast as tables can be read.
    showDetails() {
        const now = performance.now();
        if (this.timer && now - (this.shownAt ?? -Infinity) < kTableMilliseconds) return;
        this.shownAt = now;
        this.details?.show(this.state.selected, this.state.bin);
    }

    legend() {
        const ramp = element("svg:svg", {width: 128, height: 14, "aria-hidden": "true"},
            element("svg:defs", {}, element("svg:linearGradient", {id: "ramp"},
                ...["idle", "busy-1", "busy-2", "busy-3"].map((name, i) => element("svg:stop",
                    {offset: i / 3, style: `stop-color: var(--${name})`})))),
            element("svg:rect", {width: 128, height: 14, fill: "url(#ramp)"}));
        const swatch = style => element("svg:svg", {width: 30, height: 14, "aria-hidden": "true"},
            element("svg:rect", {x: 0, y: 3, width: 30, height: 8, style}));
        const spans = [
            element("span", {}, "busy: 0 %", ramp, "100 % or the busiest link; its middle is a quarter of that"),
            element("span", {}, swatch("fill: var(--blocked)"), `blocked, next to the link: as wide as it is long, from ${percentText(1 / kWidths / 2)} on`)];
        if (this.data.energy) {
            const [router, link] = ["routers", "links"].map(kind => energyText(minmax(this.data.energy[kind])[1]));
            spans.push(element("span", {}, `energy: full colour at ${router} of a router, ${link} of a link`));
        }
        if (this.network.hasSwitches) spans.push(element("span", {}, swatch("fill: var(--faint)"), "a dark square: a switch, without nodes"));
        if (this.nodeLoads()) {
            const {max, max_node: node} = this.data.summary.injected_by_sending_node;
            spans.push(element("span", {}, swatch("fill: var(--busy-1)"),
                `in a node: load accepted from it while measuring; full: ${numberText(max, 4)} flits per cycle, as node ${node}`));
        }
        if (this.data.summary.faults) spans.push(element("span", {}, "× dead"));
        if (this.data.path) {
            spans.push(element("span", {}, swatch("fill: var(--path)"), `critical path, round links and ${
                this.network.isOneEach ? "nodes" : "routers"}: the wider, the longer`));
        }
        spans.push(element("span", {class: "faint"},
            "A link keeps to the right of its wire. Drag to move; with Ctrl the wheel zooms."));
        return element("div", {class: "legend"}, ...spans);
    }

    timeLegend() {
        const swatch = (color, text) => element("span", {},
            element("svg:svg", {width: 16, height: 12, "aria-hidden": "true"},
                element("svg:rect", {width: 16, height: 12, style: `fill: var(--${color})`})), text);
        const spans = [swatch("busy-2", "busy; for a message, from its injection to its delivery"),
            swatch("blocked", "blocked; for a message, not delivered"),
            swatch("busy-1", "a message before its injection")];
        const oneOf = this.data.messages.one_of;
        if (oneOf > 1) spans.push(element("span", {}, `One message of ${numberText(oneOf)} is shown.`));
        const families = this.data.path ? element("div", {class: "legend"},
            element("span", {}, "Critical path:"),
            ...kFamilies.map(family => swatch(`family-${family.name}`, family.text))) : null;
        const activities = this.data.ranks ? element("div", {class: "legend"},
            element("span", {}, "A rank:"),
            ...kRankActivities.map(({color, text}) => swatch(color, text)), swatch("blocked", "waits (pale)")) : null;
        return element("div", {}, element("div", {class: "legend"}, ...spans), families, activities);
    }

    // ---- Below -----------------------------------------------------------------------------------

    /// [histogram, what it is of, its figures] of all messages, of each class, and of round trips.
    get histograms() {
        const {latency, histograms, summary} = this.data;
        const ofName = name => name === "round trips" ? summary.round_trip
            : summary.classes.find(one => `class ${one.name}` === name).latency;
        return [[latency, "latency", summary.latency], ...histograms.map(one => [one,
            one.name === "round trips" ? "round trip" : `latency, ${one.name},`, ofName(one.name)])]
            .filter(([one]) => one.messages > 0);
    }

    latencies() {
        const all = this.histograms;
        if (all.length === 0) return element("p", {}, "No message was delivered, or measured.");
        const scale = latencyScale([...all.map(([one]) => one), ...this.common?.histograms ?? []]);
        return element("div", {class: all.length > 1 ? "pair" : ""}, ...all.map(([one, what, {mean, p95, p99, max}]) =>
            histogram(one, [["mean", mean], ["95 %", p95], ["99 %", p99], ["max", max]], scale, what)));
    }

    provenance() {
        const {version, command, engine, engine_reason: reason, seed, configuration} = this.data.provenance;
        return element("section", {}, element("h2", {}, "Provenance"),
            table([["", false], ["", false]], [["version", `flitscope ${version}`], ["command", command],
                ["engine", reason ? `${engine} (${reason})` : engine], ["seed", seed]]),
            element("details", {}, element("summary", {}, "configuration, with every value that was used"),
                element("pre", {tabindex: 0}, configuration)));
    }
}

