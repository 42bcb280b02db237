// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Small charts, few enough elements for SVG.

/// Bars of several shares each, stacked: values[i] = [first, second], up to `top`.
function stackedBars(values, top, colorNames, label, onBar) {
    const [width, height] = [400, 90];
    const bar = width / Math.max(values.length, 1);
    const chart = element("svg:svg", {viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img",
        "aria-label": label, preserveAspectRatio: "none", style: "height: 5.5rem"});
    chart.append(element("svg:rect", {x: 0, y: 0, width, height, style: "fill: var(--raised)"}));
    values.forEach((shares, i) => {
        let floor = height;
        shares.forEach((share, kind) => {
            const rise = share / top * height;
            floor -= rise;
            if (rise > 0) {
                chart.append(element("svg:rect", {x: i * bar, y: floor, height: rise,
                    width: Math.max(bar - 0.15, 0.4), style: `fill: var(--${colorNames[kind]})`}));
            }
        });
    });
    chart.append(element("svg:rect", {class: "mark", x: 0, y: 0, width: 0, height,
        style: "fill: none; stroke: var(--ink); stroke-width: 1.5", "vector-effect": "non-scaling-stroke"}));
    chart.addEventListener("click", event => {
        const box = chart.getBoundingClientRect();
        onBar(Math.min(Math.floor((event.clientX - box.left) / box.width * values.length),
            values.length - 1));
    });
    return chart;
}

/// Marks bar number `bar` of a chart; -1: none.
function markBar(chart, bars, bar) {
    const mark = chart.querySelector(".mark");
    mark.setAttribute("x", Math.max(bar, 0) * 400 / bars);
    mark.setAttribute("width", bar < 0 ? 0 : 400 / bars);
}

/// The range of cycles that several histograms share.
function latencyScale(histograms) {
    const ends = histograms.filter(({counts}) => counts.length > 0)
        .flatMap(({first, width, counts}) => [first, first + width * counts.length]);
    return new Scale(ends, {most: 8, isLog: false});
}

/// `latency` of the data, of `what`; `lines` are [name, cycles] to mark.
function histogram(latency, lines, scale, what = "latency") {
    const {first, width, counts} = latency;
    const rise = new Scale(counts, {fromZero: true, most: 4});
    const frame = xyFrame({title: `${what} in cycles`, scale}, {title: "messages", scale: rise},
        `Histogram of the ${what} of ${numberText(latency.messages)} messages, in cycles`, 240);
    const {chart, x: xOf} = frame;
    counts.forEach((count, i) => {
        if (count === 0) return;
        const [from, to] = [first + i * width, first + (i + 1) * width - 1];
        chart.append(element("svg:rect", {x: xOf(from) + 0.5, y: frame.y(count),
            width: Math.max(xOf(to + 1) - xOf(from) - 1, 0.8), height: frame.bottom - frame.y(count),
            style: "fill: var(--busy-2)"},
        element("svg:title", {}, `${from === to ? numberText(from)
            : `${numberText(from)} to ${numberText(to)}`} cycles: ${numberText(count)} messages`)));
    });
    // Lines at one place share their label, and labels do not overlap.
    const names = new Map();
    for (const [name, cycles] of lines) names.set(cycles, [...names.get(cycles) ?? [], name]);
    let free = -Infinity;
    for (const [cycles, all] of names) {
        const [x, name] = [xOf(cycles), all.join(", ")];
        chart.append(element("svg:path", {d: `M${x} ${frame.top - 4}V${frame.bottom}`,
            style: "stroke: var(--ink); stroke-dasharray: 3 3"}));
        if (x < free) continue;
        chart.append(element("svg:text", {class: "mark", x: Math.min(x + 3, frame.right - 6.5 * name.length), y: frame.top - 6, "font-size": 12}, name));
        free = x + 12 * name.length * 0.6 + 8;
    }
    return chart;
}

