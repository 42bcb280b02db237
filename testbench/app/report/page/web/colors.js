// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Colours of canvases, from those of the style, light or dark.

const kLevels = 64;  // of the ramp: links of one level are drawn at once

/// Of things that only have names, in this order; more of them share the last, which is grey.
const kSeries = Array.from({length: 8}, (_, i) => `series-${i + 1}`);

const colors = {};

function seriesColor(i) {
    return kSeries[Math.min(i, kSeries.length - 1)];
}

function readColors() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["paper", "raised", "ink", "faint", "line", "idle", "busy-1", "busy-2",
        "busy-3", "blocked", "path", "focus", "family-node", "family-moving", "family-waiting",
        "family-program", ...kSeries]) {
        colors[name] = style.getPropertyValue(`--${name}`).trim();
    }
    const stops = ["idle", "busy-1", "busy-2", "busy-3"].map(name => channelsOf(colors[name]));
    colors.ramp = Array.from({length: kLevels}, (_, level) => {
        const place = level / (kLevels - 1) * (stops.length - 1);
        const stop = Math.min(Math.floor(place), stops.length - 2);
        const mixed = stops[stop].map((from, i) =>
            Math.round(from + (place - stop) * (stops[stop + 1][i] - from)));
        return `rgb(${mixed.join(", ")})`;
    });
}

/// #rrggbb
function channelsOf(color) {
    return [1, 3, 5].map(at => parseInt(color.slice(at, at + 2), 16));
}

/// The level of a share, 0 to 1: only nothing at all looks idle.
function rampLevel(share) {
    if (share <= 0) return 0;
    return Math.min(Math.max(Math.round(share * (kLevels - 1)), 1), kLevels - 1);
}

