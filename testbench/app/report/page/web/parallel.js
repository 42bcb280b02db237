// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Designs by many columns at once: parallel coordinates, and a plot of two columns. Both choose
// ranges by dragging; the fields of the page say the same for a keyboard.

/// A column of a study: an axis (labels), a derived figure or an objective (numbers). place() is 0 to 1.
class Column {
    constructor(name, unit, values) {
        Object.assign(this, {name, unit, values});
        const known = values.filter(value => value !== null);
        this.isNumber = known.every(value => typeof value === "number");
        if (this.isNumber) {
            [this.least, this.greatest] = minmax(known);
        } else {
            this.labels = [...new Set(known.map(String))].sort((a, b) =>
                a.localeCompare(b, "en", {numeric: true}));
        }
    }
    get title() { return this.unit ? `${this.name} [${this.unit}]` : this.name; }
    place(row) {
        const value = this.values[row];
        if (value === null) return undefined;
        if (this.isNumber) {
            return this.greatest === this.least ? 0.5
                : (value - this.least) / (this.greatest - this.least);
        }
        return this.labels.length === 1 ? 0.5 : this.labels.indexOf(String(value)) / (this.labels.length - 1);
    }
    at(place) {
        return this.least + place * (this.greatest - this.least);
    }
    text(row) {
        const value = this.values[row];
        return value === null ? "" : this.isNumber ? shortNumber(value) : String(value);
    }
}

function shortNumber(value) {
    return Math.abs(value) >= 1e5 || value === 0 || Number.isInteger(value) ? numberText(value)
        : String(Number(value.toPrecision(5)));
}

/// The common part of both plots: a canvas that draws rows, those outside the filter faint.
class Plot {
    constructor(study, label) {
        this.study = study;
        this.canvas = element("canvas", {role: "img", "aria-label": label});
        this.tip = element("div", {class: "tip", hidden: true});
        this.frame = element("div", {class: "frame"}, this.canvas, this.tip);
        let press = null;
        this.canvas.addEventListener("pointerdown", event => {
            press = [event.offsetX, event.offsetY];
            this.canvas.setPointerCapture(event.pointerId);
        });
        this.canvas.addEventListener("pointermove", event => {
            if (press !== null) {
                this.box = [...press, event.offsetX, event.offsetY];
                this.draw();
            } else {
                this.showTip(event);
            }
        });
        this.canvas.addEventListener("pointerup", event => {
            if (press === null) return;
            const [x, y] = press;
            press = null;
            this.box = undefined;
            if (Math.hypot(event.offsetX - x, event.offsetY - y) < 4) {
                const row = this.rowAt(x, y);
                if (row !== undefined) this.study.choose(row); else this.brush(x, y, x, y);
            } else {
                this.brush(Math.min(x, event.offsetX), Math.min(y, event.offsetY),
                    Math.max(x, event.offsetX), Math.max(y, event.offsetY));
            }
        });
        this.canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    }

    get width() { return this.canvas.clientWidth || 600; }

    showTip(event) {
        const row = this.rowAt(event.offsetX, event.offsetY);
        this.tip.hidden = row === undefined;
        if (row === undefined) return;
        this.tip.textContent = this.study.rowText(row);
        this.tip.style.left = `${Math.max(Math.min(event.offsetX + 12, this.width - this.tip.offsetWidth - 4), 0)}px`;
        this.tip.style.top = `${event.offsetY + 12}px`;
    }

    drawBox(context) {
        if (!this.box) return;
        const [x0, y0, x1, y1] = this.box;
        context.strokeStyle = colors.ink;
        context.setLineDash([4, 3]);
        context.strokeRect(x0, y0, x1 - x0, y1 - y0);
        context.setLineDash([]);
    }
}

class ScatterPlot extends Plot {
    draw() {
        const {x: columnX, y: columnY} = this.study;
        this.height = Math.min(Math.max(this.width * 0.6, 14 * rem()), 32 * rem());
        const context = prepareCanvas(this.canvas, this.width, this.height);
        const unit = rem();
        this.area = {left: 5.5 * unit, right: this.width - unit, top: 1.8 * unit, bottom: this.height - 3 * unit};
        const {left, right, top, bottom} = this.area;
        context.strokeStyle = colors.line;
        context.strokeRect(left, top, right - left, bottom - top);
        context.fillStyle = colors.ink;
        context.font = `${0.8 * unit}px sans-serif`;
        context.textBaseline = "alphabetic";
        for (let i = 0; i <= 4; ++i) {
            const share = 0.04 + 0.92 * i / 4;
            context.textAlign = "center";
            context.fillText(shortNumber(columnX.at(i / 4)), left + share * (right - left), bottom + 1.1 * unit);
            context.textAlign = "right";
            context.fillText(shortNumber(columnY.at(i / 4)), left - 5, bottom - share * (bottom - top) + 4);
        }
        context.textAlign = "center";
        context.fillText(columnX.title, (left + right) / 2, bottom + 2.4 * unit);
        context.textAlign = "left";
        context.fillText(columnY.title, 4, 1.1 * unit);
        for (const pass of [false, true]) {  // the front on top
            for (const row of this.study.measured) {
                const isFront = this.study.designs[row].front;
                const at = this.placeOf(row);
                if (isFront !== pass || at === undefined) continue;
                context.globalAlpha = this.study.passes[row] ? 1 : 0.15;
                context.fillStyle = isFront ? colors.blocked : colors["busy-2"];
                context.beginPath();
                if (isFront) {  // distinguished by shape, too
                    const r = 0.5 * unit;
                    context.moveTo(at[0], at[1] - r);
                    context.lineTo(at[0] + r, at[1]);
                    context.lineTo(at[0], at[1] + r);
                    context.lineTo(at[0] - r, at[1]);
                } else {
                    context.arc(at[0], at[1], 0.25 * unit, 0, 2 * Math.PI);
                }
                context.fill();
                if (row === this.study.chosen) {
                    context.globalAlpha = 1;
                    context.strokeStyle = colors.ink;
                    context.lineWidth = 2;
                    context.beginPath();
                    context.arc(at[0], at[1], 0.7 * unit, 0, 2 * Math.PI);
                    context.stroke();
                    context.lineWidth = 1;
                }
            }
        }
        context.globalAlpha = 1;
        this.drawBox(context);
    }

    placeOf(row) {
        const [x, y] = [this.study.x.place(row), this.study.y.place(row)];
        if (x === undefined || y === undefined) return undefined;
        const {left, right, top, bottom} = this.area;
        return [left + (0.04 + 0.92 * x) * (right - left), bottom - (0.04 + 0.92 * y) * (bottom - top)];
    }

    rowAt(x, y) {
        let [nearest, found] = [0.7 * rem(), undefined];
        for (const row of this.study.measured) {
            const at = this.placeOf(row);
            if (at === undefined) continue;
            const distance = Math.hypot(at[0] - x, at[1] - y);
            if (distance < nearest) [nearest, found] = [distance, row];
        }
        return found;
    }

    /// A box without extent takes both ranges away.
    brush(x0, y0, x1, y1) {
        const {left, right, top, bottom} = this.area;
        const alongX = x => ((x - left) / (right - left) - 0.04) / 0.92;
        const alongY = y => ((bottom - y) / (bottom - top) - 0.04) / 0.92;
        const none = x0 === x1 && y0 === y1;
        this.study.limit(this.study.x, none ? null : [this.study.x.at(alongX(x0)), this.study.x.at(alongX(x1))]);
        this.study.limit(this.study.y, none ? null : [this.study.y.at(alongY(y1)), this.study.y.at(alongY(y0))]);
    }
}

class ParallelPlot extends Plot {
    draw() {
        const {columns} = this.study;
        const unit = rem();
        this.height = 22 * unit;
        const context = prepareCanvas(this.canvas, this.width, this.height);
        this.area = {left: 4 * unit, right: this.width - 5 * unit, top: 3 * unit, bottom: this.height - 1.5 * unit};
        const {top, bottom} = this.area;
        // First those that are filtered out, then others, then the front.
        const rank = row => !this.study.passes[row] ? 0 : this.study.designs[row].front ? 2 : 1;
        const looks = [[colors.line, 0.25, 1], [colors["busy-2"], 0.5, 1], [colors.blocked, 0.95, 2]];
        looks.forEach(([color, alpha, width], pass) => {
            context.strokeStyle = color;
            context.globalAlpha = alpha;
            context.lineWidth = width;
            for (const row of this.study.measured) if (rank(row) === pass) this.strokeRow(context, row);
        });
        context.globalAlpha = 1;
        if (this.study.chosen !== undefined) {
            context.strokeStyle = colors.ink;
            context.lineWidth = 3;
            this.strokeRow(context, this.study.chosen);
        }
        context.lineWidth = 1;
        context.font = `${0.8 * unit}px sans-serif`;
        columns.forEach((column, i) => this.drawAxis(context, column, i, top, bottom));
        this.drawBox(context);
    }

    drawAxis(context, column, i, top, bottom) {
        const unit = rem();
        const x = this.xOf(i);
        context.strokeStyle = colors.faint;
        context.beginPath();
        context.moveTo(x, top);
        context.lineTo(x, bottom);
        context.stroke();
        context.fillStyle = colors.ink;
        context.textAlign = i === 0 ? "left" : "center";
        context.fillText(column.title, i === 0 ? 4 : x, (i % 2 === 0 ? 1.1 : 2.2) * unit);
        const marks = column.isNumber ? [[0, shortNumber(column.least)], [1, shortNumber(column.greatest)]]
            : column.labels.slice(0, 24).map((label, j) =>
                [column.labels.length === 1 ? 0.5 : j / (column.labels.length - 1), label]);
        context.textAlign = "left";
        for (const [place, text] of marks) {
            const y = bottom - place * (bottom - top) + 4;
            context.lineWidth = 3;
            context.strokeStyle = colors.paper;  // text over lines
            context.strokeText(text, x + 5, y);
            context.fillText(text, x + 5, y);
            context.lineWidth = 1;
        }
        const range = this.study.limits.get(column);
        if (!range) return;
        const places = column.isNumber
            ? range.map(v => (v - column.least) / (column.greatest - column.least || 1))
            : minmax(range.map(label => column.labels.indexOf(label) / Math.max(column.labels.length - 1, 1)));
        const [low, high] = places.map(p => bottom - Math.min(Math.max(p, 0), 1) * (bottom - top));
        context.strokeStyle = colors.ink;
        context.strokeRect(x - 5, high - 3, 10, low - high + 6);
    }

    xOf(i) {
        const {left, right} = this.area;
        return left + i * (right - left) / Math.max(this.study.columns.length - 1, 1);
    }
    yOf(column, row) {
        const place = column.place(row);
        return place === undefined ? undefined : this.area.bottom - place * (this.area.bottom - this.area.top);
    }

    strokeRow(context, row) {
        context.beginPath();
        let open = false;
        this.study.columns.forEach((column, i) => {
            const y = this.yOf(column, row);
            if (y === undefined) { open = false; return; }
            if (open) context.lineTo(this.xOf(i), y); else context.moveTo(this.xOf(i), y);
            open = true;
        });
        context.stroke();
    }

    rowAt(x, y) {
        let [nearest, found] = [6, undefined];
        for (const row of this.study.measured) {
            if (!this.study.passes[row]) continue;
            for (let i = 0; i + 1 < this.study.columns.length; ++i) {
                if (x < this.xOf(i) || x > this.xOf(i + 1)) continue;
                const a = this.yOf(this.study.columns[i], row);
                const b = this.yOf(this.study.columns[i + 1], row);
                if (a === undefined || b === undefined) continue;
                const distance = distanceToSegment(x, y, [this.xOf(i), a], [this.xOf(i + 1), b]);
                if (distance < nearest) [nearest, found] = [distance, row];
            }
        }
        return found;
    }

    /// The axis nearest to the start of the box is limited; a box without extent frees it.
    brush(x0, y0, x1, y1) {
        const {columns} = this.study;
        const middle = (x0 + x1) / 2;
        const i = columns.map((_, at) => Math.abs(this.xOf(at) - middle))
            .reduce((best, distance, at, all) => distance < all[best] ? at : best, 0);
        const column = columns[i];
        const {top, bottom} = this.area;
        const [low, high] = [y1, y0].map(y => (bottom - y) / (bottom - top));
        if (y0 === y1) {
            this.study.limit(column, null);
        } else if (column.isNumber) {
            this.study.limit(column, [column.at(low), column.at(high)]);
        } else {
            const last = Math.max(column.labels.length - 1, 1);
            this.study.limit(column, column.labels.filter((_, j) => j / last >= low - 0.01 && j / last <= high + 0.01));
        }
    }
}

