// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The page of loads: latency and throughput of networks, and where they saturate.

const kLatencies = [["mean", "mean", "latency", "mean", "half_width"],
    ["p50", "median", "latency", "p50", "p50_half_width"], ["p95", "95 %", "latency", "p95", "p95_half_width"],
    ["p99", "99 %", "latency", "p99", "p99_half_width"],
    ["network", "mean in the network", "network_latency", "mean", "half_width"],
    ["round_trip", "mean round trip", "round_trip", "mean", "half_width"]];

class LoadsPage {
    constructor(data) {
        this.data = data;
        this.networks = data.networks.map((network, i) => ({...network, color: seriesColor(i),
            points: [...network.curve?.points ?? [], ...network.saturation?.runs ?? []]
                .sort((a, b) => a.rate - b.rate)}));
        // Loads of different networks are the same work only in a unit of payload.
        const isSame = ["clock_ns", "payload"].every(what => new Set(this.networks.map(network =>
            what === "payload" ? this.gbpsOf(network) : network.clock_ns)).size === 1);
        this.state = {unit: isSame ? "flits" : "gbps", time: isSame ? "cycles" : "ns", latency: "mean", scale: "linear"};
    }

    /// Gbit/s of payload of a flit per node and cycle.
    gbpsOf(network) {
        const point = network.points.find(one => one.rate > 0);
        return point ? cleaned(Number((point.rate_gbps / point.rate).toPrecision(6))) : 0;
    }

    open(root) {
        this.charts = element("div");
        const box = (name, label, choices) => {
            const made = selectBox(label, choices, value => { this.state[name] = value; this.show(); });
            made.querySelector("select").value = this.state[name];
            return made;
        };
        const kinds = kLatencies.filter(([, , part]) => this.networks.some(network => network.points.some(point => point[part])));
        root.replaceChildren(
            element("header", {}, element("h1", {}, this.data.title), element("p", {class: "verdict"}, this.verdict())),
            element("section", {}, element("div", {class: "controls"},
                box("unit", "Load in", [["flits", "flits per node and cycle"], ["gbps", "Gbit/s of payload per node"]]),
                box("time", "Latency in", [["cycles", "cycles"], ["ns", "ns"]]),
                box("latency", "Latency", kinds.map(([key, text]) => [key, text])),
                box("scale", "Scale", [["linear", "linear"], ["log", "logarithmic"]])), this.legend(), this.charts),
            element("section", {}, element("h2", {}, "Saturation"), this.saturationTable()),
            element("section", {}, element("h2", {}, "Loads"), element("div", {class: "wide scroll"}, this.pointTable())),
            element("section", {}, element("h2", {}, "Provenance"),
                table([[""], [""]], [["version", `flitscope ${this.data.provenance.version}`], ["command", this.data.provenance.command]])));
        this.show();
    }

    redraw() {}  // colours are those of the style

    /// Where each network saturates, the best first.
    verdict() {
        const found = this.networks.filter(network => network.saturation)
            .sort((a, b) => b.saturation.saturation_gbps.lower - a.saturation.saturation_gbps.lower);
        const texts = found.map(({name, saturation: {saturation: load, saturation_gbps: gbps}}) => load.lower === load.upper
            ? `${name} takes all that its sources offer, ${shortNumber(load.upper)} flits per node and cycle (${shortNumber(gbps.upper)} Gbit/s)`
            : `${name} saturates between ${shortNumber(load.lower)} and ${shortNumber(load.upper)} flits per node and cycle ` +
                `(${shortNumber(gbps.lower)} to ${shortNumber(gbps.upper)} Gbit/s)`);
        for (const network of this.networks) {
            const unstable = network.points.find(point => point.status === "unstable");
            if (network.saturation) continue;
            texts.push(unstable ? `${network.name} is unstable at ${shortNumber(unstable.rate)} flits per node and cycle`
                : `${network.name} is stable at all loads measured`);
        }
        return `${texts.join("; ")}.`;
    }

    legend() {
        return element("div", {class: "legend"}, ...this.networks.map(({name, topology, pattern, routing, color}) =>
            element("span", {}, element("svg:svg", {width: 26, height: 12, "aria-hidden": "true"},
                element("svg:path", {d: "M0 6H26", style: `stroke: var(--${color}); stroke-width: 3`})),
            `${name}: ${pattern} on ${topology}, ${routing}`)),
        element("span", {class: "faint"}, "Bars: intervals of the latencies. Hollow: not stable, or not converged. Band: saturation bracket. Dashed: without load."));
    }

    // ---- Charts ----------------------------------------------------------------------------------

    load(point, name = "rate") { return this.state.unit === "gbps" ? point[`${name}_gbps`] : point[name]; }
    latency(network, cycles) { return this.state.time === "ns" ? cycles * network.clock_ns : cycles; }
    loadTitle(word) {
        return this.state.unit === "gbps" ? `load ${word} [Gbit/s of payload per node]` : `load ${word} [flits per node and cycle]`;
    }

    show() {
        this.charts.replaceChildren(element("div", {class: "pair"},
            element("div", {}, element("h2", {}, "Latency"), this.latencyChart()),
            element("div", {}, element("h2", {}, "Throughput"), this.acceptedChart())));
    }

    /// Points that have the latency asked for, as those of unstable loads do not.
    latencySeries() {
        const [, , part, value, width] = kLatencies.find(([key]) => key === this.state.latency);
        return this.networks.map(network => ({name: network.name, color: network.color, points: network.points
            .filter(point => point.status !== "unstable" && typeof point[part]?.[value] === "number")
            .map(point => ({x: this.load(point), y: this.latency(network, point[part][value]),
                halfWidth: this.latency(network, point[part][width] ?? 0), isSure: point.status === "stable",
                text: `${network.name}, ${shortNumber(this.load(point))}: ${shortNumber(this.latency(network, point[part][value]))} ` +
                    `${this.state.time}${point[part][width] ? ` ± ${Number(this.latency(network, point[part][width]).toPrecision(2))}` : ""}, ${point.status}`}))}));
    }

    loadScale() {
        return new Scale(this.networks.flatMap(network => network.points.map(point => this.load(point))), {fromZero: true, most: 6});
    }

    bands() {
        return this.networks.filter(network => network.saturation).map(({name, color, saturation}) => {
            const {lower, upper} = this.state.unit === "gbps" ? saturation.saturation_gbps : saturation.saturation;
            return {name: `${name}: saturation between ${shortNumber(lower)} and ${shortNumber(upper)}`, color, from: lower, to: upper};
        });
    }

    latencyChart() {
        const series = this.latencySeries();
        const values = series.flatMap(one => one.points.map(point => point.y));
        if (values.length === 0) return element("p", {}, "No load has such a latency.");
        const levels = this.networks.filter(network => typeof network.saturation?.zero_load_latency === "number")
            .map(network => ({color: network.color, y: this.latency(network, network.saturation.zero_load_latency),
                name: `${network.name}: without load ${shortNumber(this.latency(network, network.saturation.zero_load_latency))} ${this.state.time}`}));
        const isLog = this.state.scale === "log";
        const scale = new Scale([...values, ...levels.map(level => level.y)], {fromZero: !isLog, isLog});
        return lineChart({title: this.loadTitle("offered"), scale: this.loadScale()},
            {title: `latency [${this.state.time}]`, scale}, {series, bands: this.bands(), levels}, "Latency by load; the table shows the same data.");
    }

    acceptedChart() {
        const series = this.networks.map(network => ({name: network.name, color: network.color, points: network.points
            .filter(point => typeof point.accepted === "number").map(point => ({x: this.load(point), y: this.load(point, "accepted"),
                isSure: point.status === "stable", text: `${network.name}: ${shortNumber(this.load(point, "accepted"))} of ${shortNumber(this.load(point))}, ${point.status}`}))}));
        const values = series.flatMap(one => one.points.map(point => point.y));
        return lineChart({title: this.loadTitle("offered"), scale: this.loadScale()},
            {title: this.loadTitle("accepted"), scale: new Scale(values, {fromZero: true})}, {series, bands: this.bands()},
            "Accepted by offered load; the table shows the same data.");
    }

    // ---- Tables ----------------------------------------------------------------------------------

    saturationTable() {
        const found = this.networks.filter(network => network.saturation);
        if (found.length === 0) return element("p", {}, "flitscope saturate --json finds it: add its output to the page.");
        const range = ({lower, upper}) => lower === upper ? shortNumber(upper) : `${shortNumber(lower)} to ${shortNumber(upper)}`;
        const orDash = value => value === null || value === undefined ? "-" : shortNumber(value);
        return element("div", {class: "wide"}, table([["network"], ["flits per node and cycle", true], ["Gbit/s per node", true],
            ["at 3x zero load", true], ["accepted beyond", true], ["zero load [cycles]", true]],
        found.map(({name, saturation: s}) => [name, range(s.saturation), range(s.saturation_gbps),
            orDash(s.rate_at_3x_zero_load), orDash(s.plateau_accepted), orDash(s.zero_load_latency)])));
    }

    pointTable() {
        return table([["network"], ["rate", true], ["Gbit/s", true], ["accepted", true], ["latency, mean [cycles]", true],
            ["±", true], ["99 %", true], ["status"]],
        this.networks.flatMap(network => network.points.map(point => [network.name, shortNumber(point.rate), shortNumber(point.rate_gbps),
            ...["accepted"].map(name => typeof point[name] === "number" ? shortNumber(point[name]) : "-"),
            ...["mean", "half_width", "p99"].map(name => typeof point.latency?.[name] === "number" ? shortNumber(point.latency[name]) : "-"),
            point.status.replaceAll("_", " ")])));
    }
}

