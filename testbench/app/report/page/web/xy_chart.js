// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A chart of lines with intervals over a number.

/// The axes and the empty chart: {chart, x, y} with functions from values to places. `x`, `y`:
/// {title, scale}.
function xyFrame(x, y, label, height = 380) {
    const [width, left, right, top, bottom] = [720, 76, 16, 34, 44];
    const chart = element("svg:svg", {viewBox: `0 0 ${width} ${height}`, role: "img", width: "100%",
        style: "max-width: 60rem", "aria-label": label});
    const xOf = value => left + x.scale.place(value) * (width - left - right);
    const yOf = value => height - bottom - y.scale.place(value) * (height - bottom - top);
    const text = (at, to, anchor, words) => element("svg:text",
        {x: at, y: to, "text-anchor": anchor, "font-size": 12}, words);
    for (const tick of y.scale.ticks) {
        chart.append(element("svg:path", {d: `M${left} ${yOf(tick)}H${width - right}`, style: "stroke: var(--line)"}),
            text(left - 6, yOf(tick) + 4, "end", y.scale.text(tick)));
    }
    for (const tick of x.scale.ticks) {
        chart.append(element("svg:path", {d: `M${xOf(tick)} ${height - bottom}v5`, style: "stroke: var(--faint)"}),
            text(xOf(tick), height - bottom + 18, "middle", x.scale.text(tick)));
    }
    chart.append(element("svg:path", {d: `M${left} ${top}V${height - bottom}H${width - right}`,
        style: "stroke: var(--faint); fill: none"}),
    text(4, 13, "start", y.title), text((left + width - right) / 2, height - 6, "middle", x.title));
    return {chart, x: xOf, y: yOf, top, bottom: height - bottom, left, right: width - right};
}

/// `series`: [{name, color, points: [{x, y, halfWidth, isSure, text}]}], points in the order of x;
/// `bands`: [{name, color, from, to}] along x; `levels`: [{name, color, y}].
function lineChart(x, y, {series, bands = [], levels = []}, label) {
    const frame = xyFrame(x, y, label);
    const {chart} = frame;
    for (const {name, color, from, to} of bands) {
        chart.append(element("svg:rect", {class: "band", x: frame.x(from), y: frame.top,
            width: Math.max(frame.x(to) - frame.x(from), 2), height: frame.bottom - frame.top,
            style: `fill: var(--${color}); opacity: 0.3`}, element("svg:title", {}, name)));
    }
    for (const {name, color, y: level} of levels) {
        chart.append(element("svg:path", {class: "level", d: `M${frame.left} ${frame.y(level)}H${frame.right}`,
            style: `stroke: var(--${color}); stroke-dasharray: 4 4`}, element("svg:title", {}, name)));
    }
    for (const {color, points} of series) {
        const course = points.map(point => `${frame.x(point.x)} ${frame.y(point.y)}`).join("L");
        if (points.length > 1) {
            chart.append(element("svg:path", {class: "series", d: `M${course}`,
                style: `stroke: var(--${color}); stroke-width: 2; fill: none`}));
        }
        for (const point of points) {
            if (point.halfWidth) {
                const [low, high] = [-1, 1].map(sign => frame.y(Math.min(Math.max(point.y + sign * point.halfWidth,
                    y.scale.least), y.scale.greatest)));
                chart.append(element("svg:path", {class: "interval",
                    d: `M${frame.x(point.x) - 4} ${low}h8m-4 0V${high}m-4 0h8`, style: `stroke: var(--${color})`}));
            }
            chart.append(element("svg:circle", {class: "point", cx: frame.x(point.x), cy: frame.y(point.y), r: 4,
                style: `fill: var(--${point.isSure ? color : "paper"}); stroke: var(--${color}); stroke-width: 1.5`},
            element("svg:title", {}, point.text)));
        }
    }
    return chart;
}

