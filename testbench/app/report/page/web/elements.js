// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements of the page, and how numbers are written.
"use strict";

/// An element with attributes; functions become listeners, children are elements or text.
function element(tag, attributes = {}, ...children) {
    const made = tag.startsWith("svg:")
        ? document.createElementNS("http://www.w3.org/2000/svg", tag.slice(4))
        : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") {
            made.addEventListener(name, value);
        } else if (value !== undefined && value !== false) {
            made.setAttribute(name, value === true ? "" : value);
        }
    }
    made.append(...children.filter(child => child !== null && child !== undefined));
    return made;
}

function numberText(value, digits = 0) {
    return value.toLocaleString("en-US", {maximumFractionDigits: digits});
}

function percentText(share) {
    return `${numberText(100 * share, share < 0.1 ? 2 : 1)} %`;
}

/// A value of the first of some units, each a thousand times the one before, in that in which it has
/// one to three digits before the point.
function unitText(value, units) {
    let unit = 0;
    for (; value >= 1000 && unit + 1 < units.length; ++unit) value /= 1000;
    return `${numberText(value, 3)} ${units[unit]}`;
}

function timeText(ns) {
    return unitText(ns, ["ns", "µs", "ms", "s"]);
}

function energyText(fj) {
    return unitText(fj, ["fJ", "pJ", "nJ", "µJ", "mJ"]);
}

/// A table; each column is [heading, whether numbers]. Cells are text or elements.
function table(columns, rows) {
    const kind = i => ({class: columns[i][1] ? "number" : ""});
    return element("table", {},
        element("thead", {}, element("tr", {}, ...columns.map(([heading], i) =>
            element("th", {scope: "col", ...kind(i)}, heading)))),
        element("tbody", {}, ...rows.map(cells => element("tr", {}, ...cells.map((cell, i) =>
            element("td", kind(i), cell))))));
}

function figures(list) {
    return element("dl", {class: "figures"}, ...list.map(([name, value]) =>
        element("div", {}, element("dt", {}, name), element("dd", {}, String(value)))));
}

function selectBox(label, choices, onChange) {
    const box = element("select", {change: () => onChange(box.value)},
        ...choices.map(([value, text]) => element("option", {value}, text)));
    return element("label", {}, `${label} `, box);
}

/// Fits a canvas to its place and the screen; returns its context, in CSS pixels.
function prepareCanvas(canvas, width, height) {
    const ratio = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
    }
    canvas.style.height = `${height}px`;
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    return context;
}

/// Sizes in canvases follow those of the text around them.
function rem() {
    return parseFloat(getComputedStyle(document.documentElement).fontSize);
}

/// The first index in [from, to) whose value is not below `bound`; values rise.
function lowerBound(values, bound, from = 0, to = values.length) {
    while (from < to) {
        const middle = (from + to) >> 1;
        if (values[middle] < bound) from = middle + 1; else to = middle;
    }
    return from;
}

