// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Two runs or two studies side by side: their figures in one table, and of runs the same time.

class Pair {
    constructor(data) {
        this.data = data;
    }

    async open(root) {
        const columns = this.data.parts.map(() => element("div", {class: "part"}));
        const figures = element("div", {class: "wide"});
        root.replaceChildren(element("h1", {}, "Side by side"), figures,
            element("div", {class: "pair"}, ...columns));
        this.pages = [];
        for (const [i, part] of this.data.parts.entries()) {
            this.pages.push(await openPage(part, columns[i]));
        }
        const [one, other] = this.pages;
        if (one.follow) {
            figures.append(this.figures());
            one.onGoTo = bin => other.follow(one, bin);
            other.onGoTo = bin => one.follow(other, bin);
        }
    }

    /// Rows that both runs have come first, as the first has them.
    figures() {
        const summaries = this.pages.map(page => page.data.summary);
        const inTime = summaries.some(summary => summary.clock_ns !== 1);
        const lists = this.pages.map((page, i) => new Map(page.keyFigures(summaries[i], inTime)));
        const names = [...new Set(lists.flatMap(list => [...list.keys()]))];
        return table([[""], ...this.data.parts.map((part, i) => [`${i + 1}: ${part.title}`, true])],
            names.map(name => [name, ...lists.map(list => list.get(name) ?? "-")]));
    }

    redraw() {
        this.pages.forEach(page => page.redraw());
    }
}

