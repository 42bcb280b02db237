// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network as it is drawn: paths and names of links, and their activity in a bin.

const kRouterRadius = 12;  // points; neighbours are 64 apart or more
const kNodeReach = 20;     // from a router to its nodes, where these are drawn apart, at least
const kNodeRadius = 5;     // half of their side
const kLaneOffset = 6;    // a link keeps to the right of its wire, its opposite to the other side

class Network {
    /// `network`, `time` and, if there is any, `energy` of the data, unpacked.
    constructor(network, time, energy) {
        Object.assign(this, {...network, x: network.x.map(x => x / 10), y: network.y.map(y => y / 10)});
        this.time = time;
        this.energy = energy;
        /// Node n is attached to router n: one shape stands for both.
        this.isOneEach = this.at.every((router, node) => router === node);
        this.nodesAt = Array.from({length: this.routers}, () => []);
        this.at.forEach((router, node) => this.nodesAt[router].push(node));
        this.hasSwitches = this.nodesAt.some(nodes => nodes.length === 0);
        if (this.group_size > 0) this.roundGroups(); else this.stretch();
        this.gauge = this.gaugeOf();
        this.totals = {busy: this.sums(time.busy), blocked: this.sums(time.blocked)};
        this.curves = Array.from(this.from, (_, link) => this.curve(link, kLaneOffset * this.gauge));
        this.box = {
            left: Math.min(...minmax(this.x)), right: Math.max(...minmax(this.x)),
            top: Math.min(...minmax(this.y)), bottom: Math.max(...minmax(this.y))
        };
        const reach = this.isOneEach ? 0
            : minmax(this.nodesAt.map((_, router) => this.nodeReach(router)))[1] + 2 * kNodeRadius;
        const bends = minmax(this.bend.map(b => Math.abs(b) / 10))[1] || 0;
        for (const [side, sign] of [["left", -1], ["top", -1], ["right", 1], ["bottom", 1]]) {
            this.box[side] += sign * (Math.max(this.pitch / 10 * 0.4, reach) + bends);
        }
        // Shares that have the full colour, if it is not 100 %.
        this.busiest = Math.max(minmax(this.totals.busy)[1] / Math.max(time.cycles, 1), 1e-9);
        this.busiestInBin = Math.max(minmax(time.busy)[1] / time.bin_cycles, 1e-9);
    }

    /// How thick links are: thinner if a router has many, or if many cross each other as they bend
    /// around routers.
    gaugeOf() {
        const bent = this.bend.filter(bend => bend !== 0).length;
        const perRouter = this.links / Math.max(this.routers, 1);
        return Math.min(1, 4 / Math.max(perRouter, 1)) * (bent > this.links / 4 || this.group_size > 0 ? 0.6 : 1);
    }

    /// Groups of routers that are all joined to each other, as those of a dragonfly: each on a small
    /// circle, all of them on a large one.
    roundGroups() {
        const size = this.group_size;
        const groups = this.routers / size;
        const pitch = this.pitch / 10;
        const small = size === 1 ? 0 : 0.55 * pitch / Math.sin(Math.PI / Math.max(size, 3));
        const large = groups === 1 ? 0 : (small + 0.6 * pitch) / Math.sin(Math.PI / Math.max(groups, 3));
        this.bend = this.bend.map(() => 0);
        for (let router = 0; router < this.routers; ++router) {
            const around = 2 * Math.PI * Math.floor(router / size) / groups - Math.PI / 2;
            const within = around + 2 * Math.PI * (router % size + 0.5) / size;
            this.x[router] = large * Math.cos(around) + small * Math.cos(within);
            this.y[router] = large * Math.sin(around) + small * Math.sin(within);
        }
    }

    /// Routers of a row as close as they can be, and rows far apart if there are few of them: switches
    /// above many nodes.
    stretch() {
        const [[left, right], [top, bottom]] = [minmax(this.x), minmax(this.y)];
        if (bottom === top) return;  // arcs over a line have their own height
        const rows = new Map();
        this.y.forEach((y, router) => rows.set(y, [...rows.get(y) ?? [], router]));
        let closest = Infinity;
        for (const row of rows.values()) {
            const places = row.map(router => this.x[router]).sort((a, b) => a - b);
            for (let i = 1; i < places.length; ++i) closest = Math.min(closest, places[i] - places[i - 1] || Infinity);
        }
        const room = Math.max(this.pitch / 10, 2 * minmax(this.nodesAt.map((_, router) => this.nodeReach(router)))[1] + kNodeRadius);
        const narrower = this.hasSwitches ? Math.min(room / closest, 1) : 1;
        this.x = this.x.map(x => x * narrower);
        const factor = Math.min(Math.max(0.45 * narrower * (right - left) / (bottom - top), 1), 8);
        this.y = this.y.map(y => y * factor);
    }

    isSwitch(router) {
        return this.nodesAt[router].length === 0;
    }
    /// Points from a router to its nodes: far enough for all of them.
    nodeReach(router) {
        return Math.max(kNodeReach, 0.75 * kNodeRadius * this.nodesAt[router].length);
    }
    /// The middle of a node. If it is drawn apart, the first half of a router's nodes are above it,
    /// the others below, from left to right, as those of a 2 x 2 block lie.
    nodePlace(node) {
        const router = this.at[node];
        if (this.isOneEach) return [this.x[router], this.y[router]];
        const nodes = this.nodesAt[router];
        const above = Math.ceil(nodes.length / 2);
        const rank = nodes.indexOf(node);
        const [place, count] = rank < above ? [rank, above] : [rank - above, nodes.length - above];
        const angle = Math.PI * (0.75 - 0.5 * place / Math.max(count - 1, 1));
        const reach = this.nodeReach(router);
        return [this.x[router] + reach * Math.cos(angle),
            this.y[router] + (rank < above ? -reach : reach) * Math.sin(angle)];
    }

    sums(values) {
        const {bins} = this.time;
        return Float64Array.from(this.from, (_, link) => {
            let sum = 0;
            for (let bin = 0; bin < bins; ++bin) sum += values[link * bins + bin];
            return sum;
        });
    }

    /// A cubic Bezier curve, [x0, y0, ..., x3, y3], `offset` points to the right of the wire.
    curve(link, offset) {
        const [a, b] = [this.from[link], this.to[link]];
        const [dx, dy] = [this.x[b] - this.x[a], this.y[b] - this.y[a]];
        const length = Math.hypot(dx, dy) || 1;
        const [rightX, rightY] = [-dy / length, dx / length];
        const bend = this.bend[link] / 10;
        const lift = offset - bend / 0.75;  // a Bezier curve reaches 3/4 of it
        const along = bend === 0 ? 1 / 3 : 0.12;
        return [this.x[a] + offset * rightX, this.y[a] + offset * rightY,
            this.x[a] + along * dx + lift * rightX, this.y[a] + along * dy + lift * rightY,
            this.x[b] - along * dx + lift * rightX, this.y[b] - along * dy + lift * rightY,
            this.x[b] + offset * rightX, this.y[b] + offset * rightY];
    }

    isBent(link) {
        return this.bend[link] !== 0;
    }

    pointOn(link, t) {
        const c = this.curves[link];
        const s = 1 - t;
        const w = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
        return [0, 1].map(i => w[0] * c[i] + w[1] * c[2 + i] + w[2] * c[4 + i] + w[3] * c[6 + i]);
    }

    // ---- Time: bins from 0, or -1 for the whole run ----

    binCycles(bin) {
        const {cycles, bin_cycles: width} = this.time;
        return bin < 0 ? [0, cycles] : [bin * width, Math.min((bin + 1) * width, cycles)];
    }
    binOf(cycle) {
        return Math.min(Math.max(Math.floor(cycle / this.time.bin_cycles), 0), this.time.bins - 1);
    }
    cyclesOf(what, link, bin) {
        return bin < 0 ? this.totals[what][link] : this.time[what][link * this.time.bins + bin];
    }
    /// Share of the cycles in which the link is "busy" or "blocked".
    share(what, link, bin) {
        const [from, to] = this.binCycles(bin);
        return this.cyclesOf(what, link, bin) / Math.max(to - from, 1);
    }

    // ---- Names, as in tables and waveforms ----

    nodeName(prefix, node) {
        return `${prefix}_${String(node).padStart(this.name_digits, "0")}`;
    }
    linkName(link) {
        return this.endsName("link", link);
    }
    /// With the names that the file of a graph gives its ends.
    linkLabel(link) {
        const {names, from, to} = this;
        return this.linkName(link) + (names.length === 0 ? "" : ` (${names[from[link]]}-${names[to[link]]})`);
    }
    /// The ends of a link, and its number among parallel links from the second on.
    endsName(prefix, link) {
        const ends = this.nodeName(this.nodeName(prefix, this.from[link]), this.to[link]);
        return this.rank[link] === 0 ? ends : `${ends}_${this.rank[link]}`;
    }
    /// Links first, then injection, then ejection channels.
    channelName(channel) {
        if (channel < this.links) return this.linkName(channel);
        const ends = this.endpoints_per_link ? this.links : this.nodes;
        const isInjection = channel < this.links + ends;
        const end = (channel - this.links) % ends;
        const prefix = isInjection ? "inject" : "eject";
        if (!this.endpoints_per_link) return this.nodeName(prefix, end);
        return this.endsName(prefix, end);
    }
    /// "link_005_007", "5-7", "5 7" lead to a link, "link_005_007_1", "5-7_1" to a parallel one,
    /// "5" to a node, "r5" to a router; undefined if there is none.
    find(text) {
        const numbers = (text.match(/\d+/g) || []).map(Number);
        if (numbers.length === 1) {
            const isRouter = this.isOneEach || /^\s*r/i.test(text);
            if (numbers[0] >= (isRouter ? this.routers : this.nodes)) return undefined;
            return {kind: isRouter ? "router" : "node", index: numbers[0]};
        }
        if (numbers.length !== 2 && numbers.length !== 3) return undefined;
        const [wanted, to, rank = 0] = numbers;
        const link = this.from.findIndex((from, i) =>
            from === wanted && this.to[i] === to && this.rank[i] === rank);
        return link < 0 ? undefined : {kind: "link", index: link};
    }
}

