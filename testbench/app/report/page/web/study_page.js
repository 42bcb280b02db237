// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The page of a study: its designs as a table, as a plot of two objectives, and on parallel axes,
// all of which show what the filters leave.

const kMostRows = 500;  // in the table

class StudyPage {
    constructor(data, configurations) {
        this.data = data;
        this.designs = data.designs;
        this.configurations = configurations.split("\0");
        const column = (list, i, name, unit) =>
            new Column(name, unit, this.designs.map(design => design[list][i] ?? null));
        this.axes = data.axes.map((name, i) => column("axes", i, name, ""));
        this.objectives = data.objectives.map((objective, i) =>
            column("objectives", i, objective.name, objective.unit));
        this.derived = data.derived.map((figure, i) =>
            column("derived", i, figure.name, figure.name.includes(figure.unit) ? "" : figure.unit));
        const isVaried = axis => this.designs.length < 2 || (axis.labels?.length ?? 2) > 1;
        this.constants = this.axes.filter(axis => !isVaried(axis));
        this.columns = [...this.axes.filter(isVaried), ...this.derived, ...this.objectives];
        this.measured = [...this.designs.keys()].filter(row =>
            this.designs[row].objectives.some(value => value !== null));
        this.x = this.objectives[0];
        this.y = this.objectives[1] ?? this.objectives[0];
        this.limits = new Map();  // column to [least, greatest], or to labels
        this.order = {column: this.objectives[0], falling: false};
        this.onlyFront = false;
        this.filter();
    }

    open(root) {
        this.scatter = new ScatterPlot(this, "Designs by two objectives; the table shows the same data.");
        this.parallel = new ParallelPlot(this, "Designs on parallel axes; the table shows the same data.");
        this.tablePlace = element("div", {class: "wide scroll", tabindex: 0, "aria-label": "Designs"});
        this.counts = element("p", {role: "status"});
        this.shown = element("aside", {"aria-live": "polite"},
            element("p", {class: "faint"}, "Choose a design in the table or a plot to see its configuration."));
        const choices = this.objectives.map((objective, i) => [i, objective.title]);
        const axisBox = (name, label) => {
            const box = selectBox(label, choices, value => {
                this[name] = this.objectives[value];
                this.scatter.draw();
            });
            box.querySelector("select").value = this.objectives.indexOf(this[name]);
            return box;
        };
        const state = name => this.designs.filter(design => design.state === name).length;
        const {version, command, study, settings} = this.data.provenance;
        root.replaceChildren(
            element("header", {}, element("h1", {}, this.data.title),
                figures([["designs", numberText(this.designs.length)],
                    ["simulated", numberText(state("simulated"))], ["pruned", numberText(state("pruned"))],
                    ["refused", numberText(state("refused"))],
                    ["on the front", numberText(this.designs.filter(design => design.front).length)],
                    ["objectives", this.data.objectives.map(o => `${o.goal} ${o.name}`).join(", ")]])),
            ...this.data.incomplete === "" ? [] : [element("div", {class: "warning", role: "alert"},
                element("p", {}, this.data.incomplete))],
            element("section", {}, element("h2", {}, "Which designs"), this.filters(), this.counts),
            element("section", {class: "side-by-side"},
                element("div", {}, element("h2", {}, "Objectives"),
                    element("div", {class: "controls"}, axisBox("x", "Across"), axisBox("y", "Up")),
                    this.scatter.frame, this.legend()), this.shown),
            element("section", {}, element("h2", {}, "All axes and objectives"), this.parallel.frame,
                element("p", {class: "faint"}, "Drag along an axis to select a range, click outside the lines to clear it.")),
            element("section", {}, element("h2", {}, "Designs"),
                ...this.constants.length === 0 ? [] : [element("p", {}, "All designs: " +
                    this.constants.map(axis => `${axis.name} ${axis.labels[0]}`).join(", "))], this.tablePlace,
                element("p", {class: "faint"}, "Cycles became times by the clock period of the synthesized router, " +
                    "or by clock_ns of the configuration if it says so.")),
            element("section", {}, element("h2", {}, "Provenance"),
                table([[""], [""]], [["version", `flitscope ${version}`], ["command", command],
                    ...settings === "" ? [] : [["explored with", settings]]]),
                element("details", {}, element("summary", {}, "the study"), element("pre", {tabindex: 0}, study))));
        this.update();
        new ResizeObserver(() => this.redraw()).observe(this.scatter.frame);
    }

    legend() {
        return element("div", {class: "legend"},
            element("span", {}, element("svg:svg", {width: 16, height: 16, "aria-hidden": "true"},
                element("svg:path", {d: "M8 0L16 8L8 16L0 8Z", style: "fill: var(--blocked)"})), "on the front"),
            element("span", {}, element("svg:svg", {width: 16, height: 16, "aria-hidden": "true"},
                element("svg:circle", {cx: 8, cy: 8, r: 4, style: "fill: var(--busy-2)"})), "measured"),
            element("span", {class: "faint"}, "Drag over points to select ranges, click outside them to clear these."));
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
        return element("div", {class: "controls"}, element("label", {}, front, " only the front"),
            ...parts, clear);
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
        return this.columns.map(column => `${column.name}: ${column.text(row)}`).join("\n");
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
        this.tablePlace.querySelector(`[data-column="${this.columns.indexOf(column)}"]`)?.focus();
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
        const columns = this.columns;
        const made = table([["design"], ["state"], ["clock period [ns]", true],
            ...columns.map(c => [c.title, c.isNumber])],
            rows.slice(0, kMostRows).map(row => {
                const design = this.designs[row];
                return [element("button", {type: "button", class: "link", click: () => this.choose(row)},
                    `${design.front ? "◆ " : ""}${design.digest.slice(0, 8)}`),
                element("span", {title: design.why},
                    design.reason && design.state === "simulated" ? "outside constraints" : design.state),
                design.state === "simulated" ? `${shortNumber(design.period_ns)}` +
                    `${design.period_of === "router" ? "" : " (clock_ns)"}` : "",
                ...columns.map(c => c.text(row))];
            }));
        [...made.querySelectorAll("th")].slice(3).forEach((heading, i) => {
            const isOrder = columns[i] === column;
            heading.setAttribute("aria-sort", isOrder ? (falling ? "descending" : "ascending") : "none");
            heading.replaceChildren(element("button", {type: "button", class: "link", "data-column": i,
                click: () => this.sortBy(columns[i])},
            `${columns[i].title}${isOrder ? (falling ? " ▼" : " ▲") : ""}`));
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

