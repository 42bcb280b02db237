// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables below the time line of a run: steps, the critical path, why ranks wait and routers stall.

function stepTable(page) {
    const {steps} = page.data;
    const begin = i => steps.start[i] < 0 ? "not begun"
        : element("button", {type: "button", class: "link",
            click: () => page.goTo(page.network.binOf(steps.start[i]))}, numberText(steps.start[i]));
    const last = i => steps.end[i] >= 0 ? numberText(steps.end[i] - 1)
        : steps.start[i] < 0 ? "" : "not over";
    return element("details", {}, element("summary", {}, "steps, as a table"),
        element("div", {class: "scroll"}, table([["step"], ["first cycle", true], ["last", true],
            ["messages", true], ["contention", true]], [...steps.first.keys()].map(i =>
            [stepName(steps, i), begin(i), last(i),
                numberText(steps.transfers[i]), numberText(steps.contention[i])]))));
}

function pathSection(page) {
    const {path} = page.data;
    const causes = path.causes.filter(cause => cause.cycles > 0)
        .sort((a, b) => b.cycles - a.cycles);
    const longest = [...path.from.keys()].filter(i => path.length[i] > 0).sort((a, b) => path.length[b] - path.length[a] || a - b)
        .slice(0, 25);
    const leftOut = path.left_out_cycles === 0 ? ""
        : ` The page shows the longest segments; ${numberText(path.left_out_cycles)} cycles are in others.`;
    const bar = cause => element("svg:svg", {width: 160, height: 12, "aria-hidden": "true"},
        element("svg:rect", {width: 160 * cause.cycles / Math.max(path.cycles, 1), height: 12,
            style: `fill: var(--family-${familyOf(cause.name).name})`}));
    const segmentButton = i => element("button", {type: "button", class: "link", click: () => {
        page.goTo(page.network.binOf(path.from[i]));
        page.chooseOnTimeLine({kind: "segment", index: i});
    }}, `${numberText(path.from[i])} to ${numberText(path.from[i] + path.length[i] - 1)}`);
    return element("section", {}, element("h2", {}, "Critical path"),
        element("p", {class: "faint"}, `Why it takes ${numberText(path.cycles)} cycles: ` +
            `${numberText(path.segments)} segments from the beginning to the ${
                page.data.ranks ? "end of the last rank" : "last delivery"}.${leftOut}`),
        element("div", {class: "side-by-side"},
            element("div", {class: "wide"}, table([["cause"], ["cycles", true], ["share", true], [""]],
                causes.map(cause => [cause.meaning, numberText(cause.cycles),
                    percentText(cause.cycles / Math.max(path.cycles, 1)), bar(cause)]))),
            element("div", {class: "scroll"}, table([["longest segments"], ["cycles", true], ["cause"], ["where"]],
                longest.map(i => [segmentButton(i), numberText(path.length[i]),
                    path.causes[path.cause[i]].name.replaceAll("_", " "),
                    path.channel[i] >= 0 ? page.network.channelName(path.channel[i])
                        : path.node[i] >= 0 ? `node ${path.node[i]}` : ""])))));
}

/// What ranks wait for.
function rankSection(page) {
    const {ranks} = page.data;
    const rows = [...ranks.rank.keys()].sort((a, b) => ranks.waiting[b] - ranks.waiting[a] || a - b).slice(0, 25);
    const rank = i => element("button", {type: "button", class: "link",
        click: () => page.choose({kind: "router", index: page.network.at[ranks.node[i]]})}, `rank ${ranks.rank[i]}`);
    const numbers = ["computing", "sending", "receiving", "waiting", "path_cycles"];
    return element("section", {}, element("h2", {}, "Why ranks wait"),
        element("p", {class: "faint"}, "Cycles of each rank until its end, those of the critical path in its node, " +
            "and shares of the causes of its waits." +
            (rows.length < ranks.rank.length ? ` The ${rows.length} ranks that wait longest, of ${numberText(ranks.rank.length)}.` : "")),
        element("div", {class: "scroll"},
            table([["rank"], ["computing", true], ["sending", true], ["receiving", true], ["waiting", true], ["path", true],
                ...ranks.causes.map(cause => [cause.name.replaceAll("_", " "), true])],
            rows.map(i => [rank(i), ...numbers.map(name => numberText(ranks[name][i])),
                ...ranks.causes.map(({name}) => percentText(ranks.by_cause[name][i] / Math.max(ranks.waiting[i], 1)))]))),
        element("p", {class: "faint"}, ranks.causes.map(cause =>
            `${cause.name.replaceAll("_", " ")}: ${cause.meaning}`).join("; ")));
}

/// Where packets wait, and why.
function stallSection(page) {
    const {stalls} = page.data;
    const rows = [...stalls.router.keys()].slice(0, 25);
    const router = i => element("button", {type: "button", class: "link",
        click: () => page.choose({kind: "router", index: stalls.router[i]})},
        routerLabel(page.network, stalls.router[i]));
    return element("section", {}, element("h2", {}, "Why routers stall"),
        element("p", {class: "faint"}, "Cycles that packets waited at a router for its links and nodes, by cause" +
            ` (${numberText(stalls.packets)} packets of the measurement).` +
            (rows.length < stalls.router.length ? ` The ${rows.length} routers with most, of ${numberText(stalls.router.length)}.` : "")),
        rows.length === 0 ? element("p", {}, "No packet waited.") : element("div", {class: "scroll"},
            table([[page.network.isOneEach ? "node" : "router"], ["cycles", true], ["per packet", true],
                ...stalls.causes.map(cause => [cause.name.replaceAll("_", " "), true])],
            rows.map(i => [router(i), numberText(stalls.cycles[i]),
                numberText(stalls.cycles[i] / Math.max(stalls.packets, 1), 2),
                ...stalls.causes.map(({name}) => percentText(stalls.by_cause[name][i] / stalls.cycles[i]))]))),
        element("p", {class: "faint"}, stalls.causes.map(cause =>
            `${cause.name.replaceAll("_", " ")}: ${cause.meaning}`).join("; ")));
}

