// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Designs by many columns at once: parallel coordinates, and a plot of two columns. Both choose
// ranges by dragging; the fields of the page say the same for a keyboard.

/// A column of a study: an axis (labels), a derived figure or an objective (numbers). place() is 0 to 1.
class Column {
    /// `widths`: half widths of the intervals of the values, as far as they are known.
    constructor(name, unit, values, widths = []) {
        Object.assign(this, {name, unit, values, widths});
        const known = values.filter(value => value !== null);
        this.isNumber = known.every(value => typeof value === "number");
        if (this.isNumber) {
            [this.least, this.greatest] = minmax(known);
            this.scale = new Scale(known);
        } else {
            this.labels = [...new Set(known.map(String))].sort((a, b) =>
                a.localeCompare(b, "en", {numeric: true}));
        }
    }
    get title() { return this.unit ? `${this.name} [${this.unit}]` : this.name; }
    place(row) {
        const value = this.values[row];
        if (value === null) return undefined;
        if (this.isNumber) return this.scale.place(value);
        return this.labelPlace(this.labels.indexOf(String(value)));
    }
    labelPlace(i) {
        return this.labels.length === 1 ? 0.5 : i / (this.labels.length - 1);
    }
    /// [place, text] of ticks.
    get ticks() {
        return this.isNumber ? this.scale.ticks.map(tick => [this.scale.place(tick), this.scale.text(tick)])
            : this.labels.slice(0, 24).map((label, i) => [this.labelPlace(i), label]);
    }
    text(row) {
        const value = this.values[row];
        if (value === null || !this.isNumber) return value === null ? "" : String(value);
        const width = this.widths[row];
        return shortNumber(value) + (width ? ` ± ${Number(width.toPrecision(2))}` : "");
    }
    color(row) {
        if (this.values[row] === null) return colors.faint;
        if (this.isNumber) return colors.ramp[rampLevel(0.25 + 0.75 * this.scale.place(this.values[row]))];
        return colors[seriesColor(this.labels.indexOf(String(this.values[row])))];
    }
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

const kInset = 0.04;  // of the plot, on each side of its points

class ScatterPlot extends Plot {
    draw() {
        this.height = Math.min(Math.max(this.width * 0.6, 14 * rem()), 32 * rem());
        const context = prepareCanvas(this.canvas, this.width, this.height);
        const unit = rem();
        this.area = {left: 5.5 * unit, right: this.width - unit, top: 1.8 * unit, bottom: this.height - 3 * unit};
        context.font = `${0.8 * unit}px sans-serif`;
        context.textBaseline = "alphabetic";
        this.drawAxes(context);
        this.drawFrontLine(context);
        for (const pass of [false, true]) {  // the front on top
            for (const row of this.study.measured) {
                if (this.study.designs[row].front === pass) this.drawDesign(context, row, pass);
            }
        }
        context.globalAlpha = 1;
        this.writeNames(context);
        this.drawBox(context);
    }

    alongX(place) {
        return this.area.left + (kInset + (1 - 2 * kInset) * place) * (this.area.right - this.area.left);
    }
    alongY(place) {
        return this.area.bottom - (kInset + (1 - 2 * kInset) * place) * (this.area.bottom - this.area.top);
    }

    drawAxes(context) {
        const {x: columnX, y: columnY} = this.study;
        const {left, right, top, bottom} = this.area;
        const unit = rem();
        context.strokeStyle = colors.line;
        context.fillStyle = colors.ink;
        context.lineWidth = 1;
        context.textAlign = "center";
        context.beginPath();
        let free = 0;
        for (const [place, text] of columnX.ticks) {
            const x = this.alongX(place);
            context.moveTo(x, bottom);
            context.lineTo(x, bottom + 4);
            const half = context.measureText(text).width / 2;
            if (x - half < free || x + half > this.width) continue;  // where they would overlap
            context.fillText(text, x, bottom + 1.2 * unit);
            free = x + half + 6;
        }
        context.fillText(columnX.title, (left + right) / 2, bottom + 2.4 * unit);
        context.textAlign = "right";
        for (const [place, text] of columnY.ticks) {
            const y = this.alongY(place);
            context.moveTo(left, y);
            context.lineTo(right, y);
            context.fillText(text, left - 5, y + 4);
        }
        context.stroke();
        context.textAlign = "left";
        context.fillText(columnY.title, 4, 1.1 * unit);
    }

    /// Designs that no other one beats in the two objectives shown, best across first.
    frontInView() {
        const {x, y, measured, designs} = this.study;
        const [signX, signY] = [x, y].map(column => this.study.isMaximised(column) ? -1 : 1);
        const rows = measured.filter(row => designs[row].counts && this.placeOf(row) !== undefined)
            .sort((a, b) => signX * (x.values[a] - x.values[b]) || signY * (y.values[a] - y.values[b]));
        let best = Infinity;
        return rows.filter(row => {
            const value = signY * y.values[row];
            if (value >= best) return false;
            best = value;
            return true;
        });
    }

    /// Where a design would have to be to be dominated: a step from each to the next.
    drawFrontLine(context) {
        const {left, right, top, bottom} = this.area;
        const rows = this.frontInView();
        if (rows.length === 0) return;
        const places = rows.map(row => this.placeOf(row));
        const [worstX, worstY] = [this.study.isMaximised(this.study.x) ? left : right,
            this.study.isMaximised(this.study.y) ? bottom : top];
        this.frontLine = [[places[0][0], worstY]];  // steps are vertical, then horizontal
        places.forEach(([x, y], i) => this.frontLine.push([x, y], [places[i + 1]?.[0] ?? worstX, y]));
        context.strokeStyle = colors.faint;
        context.lineWidth = 1.5;
        context.beginPath();
        this.frontLine.forEach(([x, y], i) => { if (i === 0) context.moveTo(x, y); else context.lineTo(x, y); });
        context.stroke();
        context.lineWidth = 1;
    }

    drawDesign(context, row, isFront) {
        const at = this.placeOf(row);
        if (at === undefined) return;
        const unit = rem();
        context.globalAlpha = this.study.passes[row] ? 1 : 0.15;
        context.strokeStyle = context.fillStyle = this.study.colorOf(row);
        this.drawIntervals(context, row, at);
        context.beginPath();
        if (isFront) {  // distinguished by shape, too
            const r = 0.5 * unit;
            [[0, -r], [r, 0], [0, r], [-r, 0]].forEach(([dx, dy], i) =>
                i === 0 ? context.moveTo(at[0] + dx, at[1] + dy) : context.lineTo(at[0] + dx, at[1] + dy));
            context.closePath();
        } else {
            context.arc(at[0], at[1], 0.25 * unit, 0, 2 * Math.PI);
        }
        context.fill();
        context.strokeStyle = colors.ink;
        if (isFront) context.stroke();
        if (row !== this.study.chosen) return;
        context.globalAlpha = 1;
        context.lineWidth = 2;
        context.beginPath();
        context.arc(at[0], at[1], 0.8 * unit, 0, 2 * Math.PI);
        context.stroke();
        context.lineWidth = 1;
    }

    /// Whiskers, as far as intervals are known.
    drawIntervals(context, row, [x, y]) {
        const ends = column => {
            const width = column.widths[row];
            if (!width) return null;
            return [-1, 1].map(sign => column.scale.place(Math.max(column.values[row] + sign * width,
                column.scale.isLog ? column.scale.least : -Infinity)));
        };
        const [across, up] = [ends(this.study.x), ends(this.study.y)];
        context.beginPath();
        if (across) {
            context.moveTo(this.alongX(across[0]), y);
            context.lineTo(this.alongX(across[1]), y);
        }
        if (up) {
            context.moveTo(x, this.alongY(up[0]));
            context.lineTo(x, this.alongY(up[1]));
        }
        context.stroke();
    }

    /// Names of the front, each at the first of eight places where it covers neither another name nor a
    /// design of the front; left out if there is none.
    writeNames(context) {
        const unit = rem();
        const {left, right, top, bottom} = this.area;
        const rows = this.study.measured.filter(row => this.study.designs[row].front &&
            this.study.passes[row] && this.placeOf(row) !== undefined);
        const covered = rows.map(row => this.placeOf(row)).map(([x, y]) =>
            [x - 0.5 * unit, y - 0.5 * unit, x + 0.5 * unit, y + 0.5 * unit]);
        this.names = [];
        context.textAlign = "left";
        for (const row of rows) {
            const text = this.study.nameOf(row);
            const width = context.measureText(text).width;
            const [x, y] = this.placeOf(row);
            const places = [-0.9, 1.5, 0.3, -2, 2.6].flatMap(down =>
                [0.8 * unit, -0.8 * unit - width, -width / 2].map(across => [x + across, y + down * unit]));
            const place = places.find(([px, py]) => {
                const box = [px, py - 0.8 * unit, px + width, py + 0.2 * unit];
                return box[0] > left && box[2] < right && box[1] > top && box[3] < bottom &&
                    !covered.some(other => overlap(box, other));
            });
            if (place === undefined) continue;
            covered.push([place[0], place[1] - 0.8 * unit, place[0] + width, place[1] + 0.2 * unit]);
            this.names.push({row, text, x: place[0], y: place[1]});
            writeOver(context, text, ...place);
        }
    }

    placeOf(row) {
        const [x, y] = [this.study.x.place(row), this.study.y.place(row)];
        return x === undefined || y === undefined ? undefined : [this.alongX(x), this.alongY(y)];
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
        const alongX = x => ((x - left) / (right - left) - kInset) / (1 - 2 * kInset);
        const alongY = y => ((bottom - y) / (bottom - top) - kInset) / (1 - 2 * kInset);
        const none = x0 === x1 && y0 === y1;
        this.study.limit(this.study.x, none ? null : [x0, x1].map(x => this.study.x.scale.at(alongX(x))));
        this.study.limit(this.study.y, none ? null : [y1, y0].map(y => this.study.y.scale.at(alongY(y))));
    }
}

function overlap(a, b) {
    return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

class ParallelPlot extends Plot {
    draw() {
        const {columns} = this.study;
        const unit = rem();
        this.height = 22 * unit;
        const context = prepareCanvas(this.canvas, this.width, this.height);
        this.area = {left: unit, right: this.width - 6 * unit, top: 3 * unit, bottom: this.height - 1.5 * unit};
        const {top, bottom} = this.area;
        // First those that are filtered out, then others, then the front.
        const rank = row => !this.study.passes[row] ? 0 : this.study.designs[row].front ? 2 : 1;
        [[0.25, 1], [0.4, 1], [0.95, 2.5]].forEach(([alpha, width], pass) => {
            context.globalAlpha = alpha;
            context.lineWidth = width;
            for (const row of this.study.measured) {
                if (rank(row) !== pass) continue;
                context.strokeStyle = pass === 0 ? colors.line : this.study.colorOf(row);
                this.strokeRow(context, row);
            }
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
        context.textAlign = "left";
        for (const [place, text] of column.ticks) {
            writeOver(context, text, x + 5, bottom - place * (bottom - top) + 4);
        }
        const range = this.study.limits.get(column);
        if (!range) return;
        const places = column.isNumber
            ? range.map(value => column.scale.place(value))
            : minmax(range.map(label => column.labelPlace(column.labels.indexOf(label))));
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
            this.study.limit(column, [column.scale.at(low), column.scale.at(high)]);
        } else {
            const last = Math.max(column.labels.length - 1, 1);
            this.study.limit(column, column.labels.filter((_, j) => j / last >= low - 0.01 && j / last <= high + 0.01));
        }
    }
}

