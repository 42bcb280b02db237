// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Details of the selected link, router, node or message; if none is selected, the busiest links.

const kRows = 200;  // in a table next to the network

class Details {
    /// `choose({kind, index})` and `goTo(bin)` are what buttons do.
    constructor(data, network, choose, goTo) {
        Object.assign(this, {data, network, choose, goTo});
        this.root = element("aside", {"aria-label": "Details"});
        this.shown = null;
        this.stayOf = linkOffsets(data.messages.stays.link, network.links);
    }

    show(selected, bin) {
        const makers = {link: () => this.link(selected.index, bin), router: () => this.router(selected.index, bin),
            node: () => this.node(selected.index),
            message: () => this.message(selected.index), none: () => this.overview(bin)};
        this.root.replaceChildren(...makers[selected.kind]());
    }

    button(text, selected) {
        return element("button", {type: "button", class: "link", click: () => this.choose(selected)}, text);
    }
    linkButton(link) {
        return this.button(this.network.linkLabel(link), {kind: "link", index: link});
    }
    closeButton() {
        return element("button", {type: "button", click: () => this.choose({kind: "none"})},
            "All links");
    }
    messageButton(message) {
        return this.button(`${this.data.messages.number[message]}`, {kind: "message", index: message});
    }

    linkRows(links, bin) {
        const {network} = this;
        return table([["link"], ["flits", true], ["busy", true], ["blocked", true]],
            links.map(link => [this.linkButton(link), numberText(network.cyclesOf("busy", link, bin)),
                percentText(network.share("busy", link, bin)),
                percentText(network.share("blocked", link, bin))]));
    }

    overview(bin) {
        const {network} = this;
        const ranked = what => topLinks(network, what, bin, 10);
        const blocked = ranked("blocked").filter(link => network.cyclesOf("blocked", link, bin) > 0);
        return [element("h2", {}, "Busiest links"),
            element("p", {class: "faint"}, `${binText(network, bin)}. Choose a link here, in the picture, or by its name.`),
            this.linkRows(ranked("busy"), bin),
            element("h3", {}, "Blocked for longest"),
            blocked.length > 0 ? this.linkRows(blocked, bin) : element("p", {}, "No link is blocked.")];
    }

    link(link, bin) {
        const {network} = this;
        const {time} = network;
        const shares = Array.from({length: time.bins}, (_, i) =>
            ["busy", "blocked"].map(what => network.share(what, link, i)));
        const chart = stackedBars(shares, 1, ["busy-2", "blocked"],
            `Busy and blocked share of ${network.linkName(link)} over time`, this.goTo);
        markBar(chart, time.bins, bin);
        const dimension = network.dimension[link] < 0 ? "" : `, dimension ${network.dimension[link]}`;
        return [element("h2", {}, network.linkLabel(link)),
            element("p", {}, `From ${routerLabel(network, network.from[link])} to ` +
                `${routerLabel(network, network.to[link])}${dimension}, wire of length ${network.length[link]}. `,
                this.closeButton()),
            figures([["flits", numberText(network.totals.busy[link])],
                ["busy", percentText(network.share("busy", link, -1))],
                ["blocked", percentText(network.share("blocked", link, -1))], ...this.energyFigure("links", link)]),
            element("h3", {}, "Busy (blue) and blocked (orange) over the run"), chart,
            ...this.history(link, bin)];
    }

    /// Who was on the link: in the bin, or from the start.
    history(link, bin) {
        const {stays, one_of: oneOf} = this.data.messages;
        const m = this.data.messages;
        const [from, to] = this.network.binCycles(bin);
        const rows = [];
        for (let i = this.stayOf[link]; i < this.stayOf[link + 1]; ++i) {
            if (stays.begin[i] < to && stays.begin[i] + stays.held[i] > from) rows.push(i);
        }
        const some = oneOf > 1 ? `One message of ${numberText(oneOf)} is kept. ` : "";
        const cut = rows.length > kRows ? `The first ${kRows} of ${numberText(rows.length)}. ` : "";
        return [element("h3", {}, "Messages on this link"),
            element("p", {class: "faint"}, `${binText(this.network, bin)}. ${some}${cut}`),
            rows.length === 0 ? element("p", {}, "Nobody.") : element("div", {class: "scroll"},
                table([["cycles"], ["message", true], ["from, to"], ["step", true], ["blocked", true]],
                    rows.slice(0, kRows).map(i => {
                        const message = stays.message[i];
                        return [`${numberText(stays.begin[i])} to ${numberText(stays.begin[i] + stays.held[i] - 1)}`,
                            this.messageButton(message), `${m.source[message]}, ${m.destination[message]}`,
                            this.data.steps ? `${m.step[message] + 1}` : "", numberText(stays.blocked[i])];
                    })))];
    }

    /// Flits per cycle of a node in the cycles measured.
    nodeFigures(node) {
        const {injected, ejected, cycles} = this.data.nodes;
        const rate = flits => `${numberText(flits / Math.max(cycles, 1), 4)} flits per cycle`;
        return figures([["put in", rate(injected[node])], ["took out", rate(ejected[node])]]);
    }

    energyFigure(kind, index) {
        return this.network.energy ? [["energy", energyText(this.network.energy[kind][index])]] : [];
    }

    /// Why packets wait at a router.
    stallRows(router) {
        const {stalls} = this.data;
        const row = stalls?.router.indexOf(router) ?? -1;
        if (row < 0) return [];
        const causes = stalls.causes.filter(({name}) => stalls.by_cause[name][row] > 0)
            .sort((a, b) => stalls.by_cause[b.name][row] - stalls.by_cause[a.name][row]);
        return [element("h3", {}, "Packets wait here"), table([["cause"], ["cycles", true], ["share", true]],
            causes.map(({name, meaning}) => [meaning, numberText(stalls.by_cause[name][row]),
                percentText(stalls.by_cause[name][row] / stalls.cycles[row])]))];
    }

    /// Where nodes are drawn apart: the messages that it sends and receives are in the time line.
    node(node) {
        const {network} = this;
        const router = network.at[node];
        return [element("h2", {}, nodeLabel(network, node)),
            element("p", {}, "On ", this.button(routerLabel(network, router), {kind: "router", index: router}),
                ` by its local port ${network.nodesAt[router].indexOf(node)}. `, this.closeButton()),
            this.nodeFigures(node)];
    }

    router(router, bin) {
        const {network} = this;
        const links = ends => [...Array(network.links).keys()].filter(link => ends[link] === router);
        const nodes = network.isOneEach ? [] : network.nodesAt[router].slice(0, kRows).flatMap(node =>
            [this.button(`node ${node}`, {kind: "node", index: node}), " "]);
        return [element("h2", {}, routerLabel(network, router)),
            element("p", {}, `${binText(network, bin)}. `, ...nodes, this.closeButton()),
            ...(network.isOneEach ? [this.nodeFigures(router)] : []),
            figures(this.energyFigure("routers", router)), ...this.stallRows(router),
            element("h3", {}, "Sends on"), this.linkRows(links(network.from), bin),
            element("h3", {}, "Receives from"), this.linkRows(links(network.to), bin)];
    }

    message(i) {
        const m = this.data.messages;
        const {stays} = m;
        const arrived = m.delivered[i] >= 0;
        const rows = this.route(i);
        const cycle = (offset, otherwise) => offset < 0 ? otherwise : numberText(m.begin[i] + offset);
        return [element("h2", {}, `Message ${m.number[i]}`),
            element("p", {}, `From node ${m.source[i]} to node ${m.destination[i]}, ` +
                `${numberText(m.bytes[i])} bytes${this.data.steps ? `, step ${m.step[i] + 1}` : ""}. `,
                this.closeButton()),
            figures([["begins", numberText(m.begin[i])], ["head injected", cycle(m.injected[i], "not yet")],
                ["delivered", cycle(m.delivered[i], "not delivered")],
                ["latency", arrived ? numberText(m.delivered[i]) : "-"]]),
            element("h3", {}, "Its way"),
            rows.length === 0 ? element("p", {}, "No links.") : element("div", {class: "scroll"},
                table([["link"], ["from cycle", true], ["held", true], ["blocked", true]],
                    rows.map(row => [this.linkButton(stays.link[row]), numberText(stays.begin[row]),
                        numberText(stays.held[row]), numberText(stays.blocked[row])])))];
    }

    /// Stays of a message on links, in the order of time.
    route(message) {
        const {stays} = this.data.messages;
        const rows = [];
        stays.message.forEach((of, row) => { if (of === message) rows.push(row); });
        return rows.sort((a, b) => stays.begin[a] - stays.begin[b]);
    }
}

function binText(network, bin) {
    if (bin < 0) return `The whole run, ${numberText(network.time.cycles)} cycles`;
    const [from, to] = network.binCycles(bin);
    return `Cycles ${numberText(from)} to ${numberText(to - 1)}`;
}

/// The links with the most cycles, in falling order.
function topLinks(network, what, bin, most) {
    const cycles = link => network.cyclesOf(what, link, bin);
    return [...Array(network.links).keys()].sort((a, b) => cycles(b) - cycles(a) || a - b).slice(0, most);
}

/// Where the stays of each link begin; they are sorted by it.
function linkOffsets(links, count) {
    const offsets = new Uint32Array(count + 1);
    for (const link of links) ++offsets[link + 1];
    for (let i = 0; i < count; ++i) offsets[i + 1] += offsets[i];
    return offsets;
}

