// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The page of a study: which designs are on the front and why others are not; its designs as a plot
// of two objectives, on parallel axes and as a table, all of which show what the filters leave.

const kMostRows = 500;  // in the table

class StudyPage {
    constructor(data, configurations) {
        this.data = data;
        this.designs = data.designs;
        this.configurations = configurations.split("\0");
        const column = (list, i, name, unit) => new Column(name, unit,
            this.designs.map(design => design[list][i] ?? null),
            list === "objectives" ? this.designs.map(design => design.half_widths[i]) : []);
        this.axes = data.axes.map((name, i) => column("axes", i, name, ""));
        this.objectives = data.objectives.map((objective, i) =>
            column("objectives", i, objective.name, objective.unit));
        this.derived = data.derived.map((figure, i) =>
            column("derived", i, figure.name, figure.name.includes(figure.unit) ? "" : figure.unit));
        const isVaried = axis => this.designs.length < 2 || (axis.labels?.length ?? 2) > 1;
        this.constants = this.axes.filter(axis => !isVaried(axis));
        this.varied = this.axes.filter(isVaried);
        this.columns = [...this.varied, ...this.derived, ...this.objectives];
        // What a study is about comes first, where no table is cut off.
        this.tableColumns = [...this.objectives, ...this.varied, ...this.derived];
        this.designs.forEach(design => { design.counts = design.state === "simulated" && design.reason === ""; });
        this.front = [...this.designs.keys()].filter(row => this.designs[row].front);
        this.naming = this.varied.filter(axis => new Set(this.front.map(row => axis.values[row])).size > 1);
        this.coloring = this.varied.find(axis => axis.labels?.length <= kSeries.length) ?? null;
        this.measured = [...this.designs.keys()].filter(row =>
            this.designs[row].objectives.some(value => value !== null));
        this.x = this.objectives[0];
        this.y = this.objectives[1] ?? this.objectives[0];
        this.limits = new Map();  // column to [least, greatest], or to labels
        this.order = {column: this.objectives[0], falling: this.isMaximised(this.objectives[0])};
        this.onlyFront = false;
        this.filter();
    }

    isMaximised(column) {
        return this.data.objectives[this.objectives.indexOf(column)].goal === "max";
    }

    colorOf(row) {
        if (this.coloring) return this.coloring.color(row);
        return this.designs[row].front ? colors.blocked : colors["busy-2"];
    }

    /// Of a design among those of the front: its labels where they differ. A number says of what.
    nameOf(row) {
        const labels = this.naming.map(axis => {
            const label = String(axis.values[row]);
            return isNaN(label) ? label : `${axis.name.split(".").pop()} ${label}`;
        });
        return labels.join(", ") || this.designs[row].digest.slice(0, 8);
    }

    /// The answer of the study in a few sentences.
    verdict() {
        const {designs, front} = this;
        if (front.length === 0) return `No design is on the front. ${this.data.why_empty}`;
        const of = (objective, row) => `${objective.name} ${objective.text(row)}${objective.unit ? ` ${objective.unit}` : ""}`;
        if (front.length === 1) {
            return `Of ${numberText(designs.length)} designs one is best in all objectives: ${this.labelsOf(front[0])}, with ` +
                `${this.objectives.map(objective => of(objective, front[0])).join(", ")}.`;
        }
        const winners = new Map();  // row to the objectives that it is best in
        for (const objective of this.objectives) {
            const sign = this.isMaximised(objective) ? -1 : 1;
            const row = front.reduce((a, b) => sign * objective.values[b] < sign * objective.values[a] ? b : a);
            winners.set(row, [...winners.get(row) ?? [], of(objective, row)]);
        }
        const best = [...winners].map(([row, figures]) => `${this.nameOf(row)} has the best ${figures.join(" and ")}`);
        const alike = this.varied.filter(axis => !this.naming.includes(axis))
            .map(axis => `${axis.name} ${axis.values[front[0]]}`);
        return `${numberText(front.length)} of ${numberText(designs.length)} designs are on the front: ${best.join("; ")}.` +
            (alike.length === 0 ? "" : ` All of these have ${alike.join(", ")}.`);
    }

    labelsOf(row) {
        return this.varied.map(axis => `${axis.name} ${axis.values[row]}`).join(", ");
    }

    open(root) {
        this.scatter = new ScatterPlot(this, "Designs by two objectives; the table shows the same data.");
        this.parallel = new ParallelPlot(this, "Designs on parallel axes; the table shows the same data.");
        this.parallel.frame.style.minWidth = `${6 * this.columns.length}rem`;
        this.tablePlace = element("div", {class: "wide scroll", tabindex: 0, "aria-label": "Designs"});
        this.counts = element("p", {role: "status"});
        this.shown = element("aside", {"aria-live": "polite"},
            element("p", {class: "faint"}, "Choose a design in a table or a plot to see why it is where it is, and its configuration."));
        this.legendPlace = element("div");
        const axisBox = (name, label) => {
            const box = selectBox(label, this.objectives.map((objective, i) => [i, objective.title]), value => {
                this[name] = this.objectives[value];
                this.scatter.draw();
            });
            box.querySelector("select").value = this.objectives.indexOf(this[name]);
            return box;
        };
        const state = name => this.designs.filter(design => design.state === name).length;
        root.replaceChildren(
            element("header", {}, element("h1", {}, this.data.title), element("p", {class: "verdict"}, this.verdict()),
                figures([["designs", numberText(this.designs.length)],
                    ["simulated", numberText(state("simulated"))], ["pruned", numberText(state("pruned"))],
                    ["refused", numberText(state("refused"))], ["on the front", numberText(this.front.length)],
                    ["objectives", this.data.objectives.map(o => `${o.goal} ${o.name}`).join(", ")]])),
            ...this.data.incomplete === "" ? [] : [element("div", {class: "warning", role: "alert"},
                element("p", {}, this.data.incomplete))],
            element("section", {class: "side-by-side"},
                element("div", {}, element("h2", {}, "Objectives"),
                    element("div", {class: "controls"}, axisBox("x", "Across"), axisBox("y", "Up"), this.colorBox()),
                    this.scatter.frame, this.legendPlace), this.shown),
            this.lossSection(),
            element("section", {}, element("h2", {}, "Which designs"), this.filters(), this.counts),
            element("section", {}, element("h2", {}, "All axes and objectives"),
                element("div", {class: "wide"}, this.parallel.frame),
                element("p", {class: "faint"}, "Drag along an axis to select a range, click outside the lines to clear it.")),
            element("section", {}, element("h2", {}, "Designs"),
                ...this.constants.length === 0 ? [] : [element("p", {}, "All designs: " +
                    this.constants.map(axis => `${axis.name} ${axis.labels[0]}`).join(", "))], this.tablePlace,
                element("p", {class: "faint"}, "Cycles became times by the clock period of the synthesized router, " +
                    "or by clock_ns of the configuration if it says so. ±: half width of the interval.")),
            this.provenance());
        this.legendPlace.replaceChildren(this.legend());
        this.update();
        new ResizeObserver(() => this.redraw()).observe(this.scatter.frame);
    }

    provenance() {
        const {version, command, study, settings} = this.data.provenance;
        return element("section", {}, element("h2", {}, "Provenance"),
            table([[""], [""]], [["version", `flitscope ${version}`], ["command", command],
                ...settings === "" ? [] : [["explored with", settings]]]),
            element("details", {}, element("summary", {}, "the study"), element("pre", {tabindex: 0}, study)));
    }

    colorBox() {
        const choices = [null, ...this.columns];
        const box = selectBox("Colour", choices.map((column, i) => [i, column?.title ?? "front or not"]), value => {
            this.coloring = choices[value];
            this.legendPlace.replaceChildren(this.legend());
            this.redraw();
        });
        box.querySelector("select").value = choices.indexOf(this.coloring);
        return box;
    }

    legend() {
        const mark = (path, style, text) => element("span", {},
            element("svg:svg", {width: 16, height: 16, "aria-hidden": "true"}, element("svg:path", {d: path, style})), text);
        const dot = "M4 8a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z";
        const diamond = "M8 1L15 8L8 15L1 8Z";
        const {coloring} = this;
        const shapes = coloring ? [mark(diamond, "fill: none; stroke: var(--ink)", "on the front"), mark(dot, "fill: var(--faint)", "measured")]
            : [mark(diamond, "fill: var(--blocked); stroke: var(--ink)", "on the front"), mark(dot, "fill: var(--busy-2)", "measured")];
        const named = !coloring ? [] : coloring.isNumber
            ? [`dark, or in the dark light: more ${coloring.title}`].map(text => element("span", {}, text))
            : coloring.labels.map((label, i) => i + 1 < kSeries.length || coloring.labels.length <= kSeries.length
                ? mark(dot, `fill: var(--${seriesColor(i)})`, label) : null).filter(Boolean);
        const others = coloring?.labels?.length > kSeries.length ? [mark(dot, `fill: var(--${seriesColor(kSeries.length)})`, "others")] : [];
        return element("div", {class: "legend"}, ...shapes, ...named, ...others,
            element("span", {class: "faint"}, "Line: what no design beats in these two. Drag over points to select ranges, click outside them to clear these."));
    }

    /// The nearest loser of each kind.
    lossSection() {
        const {nearest} = this.data;
        if (nearest.length === 0) return null;
        const others = this.designs.length - this.front.length - nearest.length;
        return element("section", {"aria-label": "Losers"}, element("h2", {}, "Why others are not on the front"),
            element("div", {class: "wide"}, table([["design"], ["why"]], nearest.map(row => [
                element("button", {type: "button", class: "link", click: () => this.choose(row)},
                    this.varied.map(axis => axis.values[row]).join(" ") || this.designs[row].digest.slice(0, 8)),
                this.designs[row].why]))),
            others === 0 ? null : element("p", {class: "faint"},
                `The nearest of each kind; ${numberText(others)} more say why when they are chosen.`));
    }

    // ---- Filters ---------------------------------------------------------------------------------

    filters() {
        this.fields = new Map();
        const front = element("input", {type: "checkbox", change: () => {
            this.onlyFront = front.checked;
            this.update();
        }});
        const parts = this.columns.map(column => {
            const inputs = column.isNumber ? this.rangeFields(column) : this.labelFields(column);
            this.fields.set(column, inputs);
            return element("fieldset", {}, element("legend", {}, column.title),
                ...inputs.map(input => input.type === "checkbox"
                    ? element("label", {}, input, ` ${input.value}`) : input));
        });
        const clear = element("button", {type: "button", click: () => {
            this.limits.clear();
            this.onlyFront = front.checked = false;
            this.columns.forEach(column => this.showLimit(column));
            this.update();
        }}, "All designs");
        return element("div", {}, element("div", {class: "controls"},
            element("label", {}, front, " only the front"), clear),
        element("details", {}, element("summary", {}, "ranges and labels"),
            element("div", {class: "controls"}, ...parts)));
    }

    rangeFields(column) {
        const whole = [column.least, column.greatest];
        return ["least", "greatest"].map((which, end) => element("input", {type: "number", step: "any",
            placeholder: shortNumber(column[which]), "aria-label": `${which} ${column.title}`, change: event => {
                // The other field shows a rounded number, which is not a bound.
                const range = [...this.limits.get(column) ?? whole];
                const {value} = event.target;
                range[end] = value === "" ? whole[end] : Number(value);
                const isWhole = range.every((bound, i) => bound === whole[i]);
                this.limit(column, value === "" && isWhole ? null : range);
            }}));
    }

    labelFields(column) {
        const boxes = column.labels.map(label => element("input", {type: "checkbox", value: label, checked: true,
            change: () => {
                const chosen = boxes.filter(box => box.checked).map(box => box.value);
                this.limit(column, chosen.length === boxes.length ? null : chosen);
            }}));
        return boxes;
    }

    /// Sets or, with null, takes away what a column may be.
    limit(column, range) {
        if (range === null) this.limits.delete(column); else this.limits.set(column, range);
        this.showLimit(column);
        this.update();
    }

    showLimit(column) {
        const range = this.limits.get(column);
        for (const [i, field] of (this.fields.get(column) ?? []).entries()) {
            if (column.isNumber) {
                field.value = range ? Number(range[i].toPrecision(6)) : "";
            } else {
                field.checked = !range || range.includes(field.value);
            }
        }
    }

    filter() {
        this.passes = this.designs.map((design, row) =>
            (!this.onlyFront || design.front) && [...this.limits].every(([column, range]) => {
                const value = column.values[row];
                if (value === null) return false;
                return column.isNumber ? value >= range[0] && value <= range[1] : range.includes(String(value));
            }));
    }

    // ---- What is shown ---------------------------------------------------------------------------

    update() {
        this.filter();
        this.showTable();
        this.redraw();
    }

    redraw() {
        this.scatter.draw();
        this.parallel.draw();
    }

    rowText(row) {
        const {why} = this.designs[row];
        return [...this.tableColumns.map(column => `${column.name}: ${column.text(row)}`),
            ...why ? [`not on the front: ${why}`] : []].join("\n");
    }

    choose(row) {
        this.chosen = row;
        this.redraw();
        for (const line of this.tablePlace.querySelectorAll("tbody tr")) {
            line.setAttribute("aria-selected", String(Number(line.dataset.row) === row));
        }
        const design = this.designs[row];
        const text = this.configurations[row];
        this.shown.replaceChildren(element("h2", {}, `Design ${design.digest.slice(0, 12)}`),
            element("p", {}, design.front ? "On the front. " : "", design.state,
                design.why ? `, not on the front: ${design.why}` : ""),
            text === "" ? element("p", {}, "It could not be built, so there is no configuration.")
                : element("pre", {tabindex: 0}, text));
    }

    sortBy(column) {
        this.order = {column, falling: this.order.column === column && !this.order.falling};
        this.showTable();
        this.tablePlace.querySelector(`[data-column="${this.tableColumns.indexOf(column)}"]`)?.focus();
    }

    showTable() {
        const {column, falling} = this.order;
        const rows = [...this.designs.keys()].filter(row => this.passes[row]);
        const compare = (a, b) => {
            const [x, y] = [column.values[a], column.values[b]];
            if (x === null || y === null) return (x === null) - (y === null) || a - b;  // last
            const order = column.isNumber ? x - y : String(x).localeCompare(String(y), "en", {numeric: true});
            return (falling ? -order : order) || a - b;
        };
        rows.sort(compare);
        const columns = this.tableColumns;
        const made = table([["design"], ...columns.map(c => [c.title, c.isNumber]), ["state"], ["clock period [ns]", true]],
            rows.slice(0, kMostRows).map(row => {
                const design = this.designs[row];
                return [element("button", {type: "button", class: "link", click: () => this.choose(row)},
                    `${design.front ? "◆ " : ""}${design.digest.slice(0, 8)}`),
                ...columns.map(c => c.text(row)),
                element("span", {title: design.why},
                    design.reason && design.state === "simulated" ? "outside constraints" : design.state),
                design.state === "simulated" ? `${shortNumber(design.period_ns)}` +
                    `${design.period_of === "router" ? "" : " (clock_ns)"}` : ""];
            }));
        [...made.querySelectorAll("th")].slice(1, 1 + columns.length).forEach((heading, i) => {
            const isOrder = columns[i] === column;
            heading.setAttribute("aria-sort", isOrder ? (falling ? "descending" : "ascending") : "none");
            // Long names of keys break at their dots.
            const [first, ...parts] = columns[i].title.split(".");
            heading.replaceChildren(element("button", {type: "button", class: "link", "data-column": i,
                click: () => this.sortBy(columns[i])},
            first, ...parts.flatMap(part => [".", element("wbr"), part]), isOrder ? (falling ? " ▼" : " ▲") : ""));
        });
        [...made.querySelectorAll("tbody tr")].forEach((line, i) => {
            line.dataset.row = rows[i];
            line.setAttribute("aria-selected", String(rows[i] === this.chosen));
        });
        this.tablePlace.replaceChildren(made);
        this.counts.textContent = `${numberText(rows.length)} of ${numberText(this.designs.length)} designs` +
            (rows.length > kMostRows ? `; the table shows the first ${kMostRows}.` : ".") + " ◆: on the front.";
    }
}

