// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Axes of all plots: from values to places between 0 and 1, with round numbers at their ticks.

/// The least of 1, 2 and 5 times a power of ten that divides `span` into at most `most` parts.
function niceStep(span, most) {
    const least = span / Math.max(most, 1);
    if (!(least > 0)) return 1;
    const power = 10 ** Math.floor(Math.log10(least) + 1e-9);
    return power * [1, 2, 5, 10].find(factor => factor * power >= least * (1 - 1e-9));
}

/// A linear axis, or one of decades if values that are all positive are ten times apart. Its ends
/// are ticks.
class Scale {
    constructor(values, {most = 5, isLog = undefined, fromZero = false} = {}) {
        const [least, greatest] = minmax(values);
        this.isLog = least > 0 && !fromZero && (isLog ?? greatest >= 10 * least);
        if (this.isLog) this.setDecades(least, greatest, most); else this.setSteps(fromZero ? Math.min(least, 0) : least, greatest, most);
    }

    setSteps(least, greatest, most) {
        const span = greatest - least || Math.abs(greatest) || 1;
        this.step = niceStep(span, most);
        const first = Math.floor(least / this.step + 1e-9);
        const last = Math.max(Math.ceil(greatest / this.step - 1e-9), first + 1);
        this.ticks = Array.from({length: last - first + 1}, (_, i) => cleaned((first + i) * this.step));
        [this.least, this.greatest] = [this.ticks[0], this.ticks[this.ticks.length - 1]];
    }

    setDecades(least, greatest, most) {
        const marks = [];
        for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(greatest)); ++power) {
            for (const factor of [1, 2, 5]) marks.push(cleaned(factor * 10 ** power));
        }
        const first = Math.max(marks.findIndex(mark => mark > least * (1 + 1e-9)) - 1, 0);
        const last = marks.findIndex(mark => mark >= greatest * (1 - 1e-9));
        const within = marks.slice(first, last + 1);
        [this.least, this.greatest] = [within[0], within[within.length - 1]];
        const decades = within.filter(mark => Number.isInteger(cleaned(Math.log10(mark))));
        this.ticks = within.length <= 2 * most ? within : decades;
        this.step = 0;
    }

    place(value) {
        const of = this.isLog ? Math.log : Number;
        return (of(value) - of(this.least)) / (of(this.greatest) - of(this.least));
    }
    at(place) {
        if (this.isLog) return this.least * (this.greatest / this.least) ** place;
        return this.least + place * (this.greatest - this.least);
    }
    text(tick) {
        return Math.abs(tick) >= 1e-4 || tick === 0 ? numberText(tick, 9) : tick.toExponential();
    }
}

/// Without the last bits of a sum or a logarithm.
function cleaned(value) {
    return Number(value.toPrecision(12));
}

/// Five digits are enough to read; all of them if it is a whole number.
function shortNumber(value) {
    return Math.abs(value) >= 1e5 || value === 0 || Number.isInteger(value) ? numberText(value)
        : numberText(Number(value.toPrecision(5)), 12);
}

/// [least, greatest] of numbers that may be too many for arguments of Math.min().
function minmax(values) {
    let [least, greatest] = [Infinity, -Infinity];
    for (const value of values) {
        if (value < least) least = value;
        if (value > greatest) greatest = value;
    }
    return values.length === 0 ? [0, 0] : [least, greatest];
}

