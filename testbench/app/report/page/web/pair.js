// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Two runs or two studies side by side. Runs have their figures with differences and ratios in one
// table, the same time, and the same scales.

class Pair {
    constructor(data) {
        this.data = data;
    }

    async open(root) {
        const columns = this.data.parts.map(() => element("div", {class: "part"}));
        const figures = element("div", {class: "wide"});
        const verdict = element("p", {class: "verdict"});
        root.replaceChildren(element("h1", {}, "Side by side"), verdict, figures,
            element("div", {class: "pair"}, ...columns));
        this.pages = [];
        for (const [i, part] of this.data.parts.entries()) {
            this.pages.push(await openPage(part, columns[i]));
        }
        const [one, other] = this.pages;
        if (one.follow) {
            figures.append(this.figures());
            verdict.textContent = this.verdict();
            this.shareScales();
            one.onGoTo = bin => other.follow(one, bin);
            other.onGoTo = bin => one.follow(other, bin);
        }
    }

    /// Rows that both runs have come first, as the first has them.
    figures() {
        const summaries = this.pages.map(page => page.data.summary);
        const inTime = summaries.some(summary => summary.clock_ns !== 1);
        const lists = this.pages.map((page, i) => new Map(
            page.keyFigures(summaries[i], inTime).map(([name, ...figure]) => [name, figure])));
        const names = [...new Set(lists.flatMap(list => [...list.keys()]))];
        return table([[""], ...this.data.parts.map((part, i) => [`${i + 1}: ${part.title}`, true]),
            ["2 - 1", true], ["2 / 1", true]],
        names.map(name => [name, ...lists.map(list => list.get(name)?.[0] ?? "-"),
            ...compared(...lists.map(list => list.get(name)?.[1]))]));
    }

    /// Of two runs that have completed.
    verdict() {
        const times = this.pages.map(({data: {summary}}) => summary.status === "complete" &&
            !("configured_flits_per_node_cycle" in summary) ? summary.cycles * summary.clock_ns : 0);
        if (times.includes(0)) return "";
        const [one, other] = this.data.parts.map((part, i) => `${i + 1} (${part.title})`);
        const [quick, slow] = times[0] <= times[1] ? [one, other] : [other, one];
        const [least, most] = minmax(times);
        if (least === most) return `Both take ${timeText(least)}.`;
        return `${quick} takes ${timeText(least)}, ${slow} ${timeText(most)}: ${numberText(most / least, 2)} times as long.`;
    }

    shareScales() {
        const most = of => Math.max(...this.pages.map(of));
        const sameClock = new Set(this.pages.map(page => page.data.summary.clock_ns)).size === 1;
        const common = {ns: most(page => page.network.time.cycles * page.data.summary.clock_ns),
            top: most(page => page.timeLine.top), busiest: most(page => page.network.busiest),
            busiestInBin: most(page => page.network.busiestInBin),
            histograms: sameClock ? this.pages.flatMap(page => page.histograms.map(([one]) => one)) : []};
        this.pages.forEach(page => page.adopt(common));
    }

    redraw() {
        this.pages.forEach(page => page.redraw());
    }
}

/// Difference and ratio of two figures, as far as both have numbers.
function compared(one, other) {
    if (one === undefined || other === undefined) return ["", ""];
    const difference = other.number - one.number;
    return [`${difference < 0 ? "-" : "+"}${one.text(Math.abs(difference))}`,
        one.number === 0 ? "" : numberText(other.number / one.number, 3)];
}

