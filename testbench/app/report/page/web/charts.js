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

/// `latency` of the data; `lines` are [name, cycles] to mark.
function histogram(latency, lines) {
    const {first, width, counts} = latency;
    const [w, h, left, bottom, top] = [720, 240, 64, 36, 26];
    const most = Math.max(minmax(counts)[1], 1);
    const xOf = cycles => left + (cycles - first) / (width * counts.length) * (w - left - 8);
    const yOf = count => h - bottom - count / most * (h - bottom - top);
    const chart = element("svg:svg", {viewBox: `0 0 ${w} ${h}`, role: "img", width: "100%",
        style: "max-width: 60rem", "aria-label":
        `Histogram of the latencies of ${numberText(latency.messages)} messages, in cycles`});
    counts.forEach((count, i) => {
        if (count === 0) return;
        const [from, to] = [first + i * width, first + (i + 1) * width - 1];
        chart.append(element("svg:rect", {x: xOf(from) + 0.5, y: yOf(count),
            width: Math.max(xOf(to + 1) - xOf(from) - 1, 0.8), height: yOf(0) - yOf(count),
            style: "fill: var(--busy-2)"},
        element("svg:title", {}, `${from === to ? numberText(from)
            : `${numberText(from)} to ${numberText(to)}`} cycles: ${numberText(count)} messages`)));
    });
    chart.append(element("svg:path", {d: `M${left} ${yOf(0)}H${w - 8}M${left} ${top}V${yOf(0)}`,
        style: "stroke: var(--faint); fill: none"}));
    for (const [share, anchor] of [[0, 0], [1, most]]) {
        chart.append(element("svg:text", {x: left - 6, y: yOf(anchor) + 4, "text-anchor": "end",
            "font-size": 12}, numberText(share * most)));
    }
    const ticks = Math.min(6, width * counts.length);  // cycles are whole
    for (let i = 0; i <= ticks; ++i) {
        const cycles = first + Math.round(i / ticks * width * counts.length);
        chart.append(element("svg:text", {x: xOf(cycles), y: h - 18, "font-size": 12,
            "text-anchor": i === ticks ? "end" : "middle"}, numberText(cycles)));
    }
    chart.append(element("svg:text", {x: left, y: h - 3, "font-size": 12}, "latency in cycles"));
    // Lines at one place share their label, and labels do not overlap.
    const names = new Map();
    for (const [name, cycles] of lines) names.set(cycles, [...names.get(cycles) ?? [], name]);
    let free = -Infinity;
    for (const [cycles, all] of names) {
        const [x, name] = [xOf(cycles), all.join(", ")];
        chart.append(element("svg:path", {d: `M${x} ${top - 4}V${yOf(0)}`,
            style: "stroke: var(--ink); stroke-dasharray: 3 3"}));
        if (x < free) continue;
        chart.append(element("svg:text", {x: Math.min(x + 3, w - 8 - 6.5 * name.length), y: top - 8, "font-size": 12}, name));
        free = x + 12 * name.length * 0.6 + 8;
    }
    return chart;
}

