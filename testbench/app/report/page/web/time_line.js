// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything over time on one axis: the activity of all links, the critical path, steps, ranks,
// messages.
// The static part is kept as a picture, over which the bin and the selection are drawn.

/// Groups of causes of the critical path.
const kFamilies = [
    {name: "node", text: "in a node", causes: ["compute", "startup", "receive", "assembly", "source_queue"]},
    {name: "moving", text: "moving", causes: ["traversal", "serialization", "store", "set_up"]},
    {name: "waiting", text: "waiting for other packets",
        causes: ["head_of_line", "vc_busy", "credit_stall", "switch_stall", "route_choice"]},
    {name: "program", text: "the program", causes: ["dependency", "barrier", "program_time"]}];

/// What ranks do, in the order of their data. A rank that does nothing of it before its end waits.
const kRankActivities = [
    {color: "busy-2", text: "computes"}, {color: "family-node", text: "starts a send"},
    {color: "family-moving", text: "receives"}];

function familyOf(cause) {
    return kFamilies.find(family => family.causes.includes(cause)) ?? kFamilies[3];
}

class TimeLine {
    constructor(data, network, look) {
        Object.assign(this, {data, network, look});
        this.canvas = element("canvas", {role: "img",
            "aria-label": "Time line: utilisation, critical path, steps, ranks and messages. " +
                "The slider above moves through it; the tables below show the same data."});
        this.tip = element("div", {class: "tip", hidden: true});
        this.frame = element("div", {class: "frame"}, this.canvas, this.tip);
        this.still = document.createElement("canvas");
        this.lanes = data.steps ? stepLanes(data.steps, data.time.cycles, 10) : [];
        this.onTime = () => {};
        this.onSelect = () => {};
        this.listen();
    }

    /// Left of the axis; the slider keeps the same distance.
    get gutter() { return 7.5 * rem(); }
    get width() { return this.canvas.clientWidth || 800; }

    /// Cycles of the axis: those of the run, or of the longer one beside it.
    get span() { return Math.max(this.common?.ns / this.data.summary.clock_ns || this.network.time.cycles, 1); }

    xOf(cycle) {
        return this.gutter + (this.width - this.gutter - 1) * cycle / this.span;
    }
    cycleAt(x) {
        return (x - this.gutter) / (this.width - this.gutter - 1) * this.span;
    }

    /// Each track with its place: [{name, label, top, height}].
    layOut() {
        const unit = rem();
        const tracks = [{name: "axis", label: "cycle", height: 1.5 * unit},
            {name: "links", label: "all links", height: 4.5 * unit}];
        if (this.data.path) tracks.push({name: "path", label: "critical path", height: 1.4 * unit});
        if (this.lanes.length > 0) {
            tracks.push({name: "steps", label: "steps",
                height: Math.max(this.lanes.length * 0.8 * unit, 1.2 * unit)});
        }
        if (this.data.ranks) {
            const count = this.data.ranks.rank.length;
            this.rankRow = Math.min(Math.max(16 * unit / count, 0.25), 0.8 * unit);
            tracks.push({name: "ranks", label: "ranks\n0 …", height: Math.max(this.rankRow * count, 3 * unit)});
        }
        if (this.data.messages.number.length > 0) {
            const row = Math.min(Math.max(16 * unit / this.network.nodes, 0.25), 0.6 * unit);
            this.row = row;
            tracks.push({name: "messages", label: "messages of\nnode 0 …",
                height: Math.max(row * this.network.nodes, 3 * unit)});
        }
        let top = 0;
        for (const track of tracks) {
            track.top = top;
            top += track.height + 0.5 * unit;
        }
        this.height = top;
        this.tracks = Object.fromEntries(tracks.map(track => [track.name, track]));
    }

    /// After a change of size or colours.
    redraw() {
        this.layOut();
        const ratio = window.devicePixelRatio || 1;
        this.still.width = Math.round(this.width * ratio);
        this.still.height = Math.round(this.height * ratio);
        const context = this.still.getContext("2d");
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        for (const [name, track] of Object.entries(this.tracks)) {
            context.fillStyle = colors.faint;
            context.font = `${0.8 * rem()}px sans-serif`;
            context.textBaseline = "top";
            track.label.split("\n").forEach((line, i) =>
                context.fillText(line, 0.4 * rem(), track.top + 2 + i * rem()));
            this[`draw_${name}`](context, track);
        }
        this.draw();
    }

    draw() {
        const {bin, selected} = this.look();
        const context = prepareCanvas(this.canvas, this.width, this.height);
        if (bin >= 0) {
            const [from, to] = this.network.binCycles(bin);
            context.fillStyle = colors.raised;
            const width = Math.max(this.xOf(to) - this.xOf(from), 2);
            context.fillRect(this.xOf(from), 0, width, this.height);
            context.strokeStyle = colors.focus;
            context.strokeRect(this.xOf(from), 0.5, width, this.height - 1);
        }
        context.drawImage(this.still, 0, 0, this.width, this.height);
        if (selected.kind === "message" && this.tracks.messages) {
            const m = this.data.messages;
            const i = selected.index;
            const {top} = this.tracks.messages;
            const from = this.xOf(m.begin[i]);
            context.strokeStyle = colors.ink;
            context.lineWidth = 2;
            context.strokeRect(from - 1, top + m.source[i] * this.row - 1,
                Math.max(this.xOf(this.endOf(i)) - from, 2) + 2, Math.max(this.row, 2) + 2);
        }
    }

    endOf(message) {
        const {begin, delivered} = this.data.messages;
        return delivered[message] < 0 ? this.network.time.cycles : begin[message] + delivered[message] + 1;
    }

    draw_axis(context, track) {
        const step = Math.max(niceStep(this.span, Math.floor((this.width - this.gutter) / (7 * rem()))), 1);
        context.strokeStyle = colors.line;
        context.textAlign = "left";
        for (let cycle = 0; cycle <= this.span; cycle += step) {
            const x = this.xOf(cycle);
            context.beginPath();
            context.moveTo(x, track.top + 2);
            context.lineTo(x, track.top + track.height);
            context.stroke();
            const text = numberText(cycle);
            if (x + context.measureText(text).width + 8 < this.width) context.fillText(text, x + 4, track.top + 2);
        }
    }

    /// Shares of busy and of blocked of all links, by bin.
    get shares() {
        const {network} = this;
        return this.knownShares ??= ["busy", "blocked"].map(what => Array.from({length: network.time.bins}, (_, bin) => {
            let sum = 0;
            for (let link = 0; link < network.links; ++link) sum += network.cyclesOf(what, link, bin);
            const [from, to] = network.binCycles(bin);
            return sum / Math.max(to - from, 1) / Math.max(network.links, 1);
        }));
    }
    /// The highest of their sums.
    get top() {
        const [busy, blocked] = this.shares;
        return Math.max(minmax(busy.map((share, bin) => share + blocked[bin]))[1], 1e-9);
    }

    /// Busy from below, blocked above it.
    draw_links(context, track) {
        const {network, shares} = this;
        const top = this.common?.top ?? this.top;
        shares[0].forEach((busy, bin) => {
            const [from, to] = network.binCycles(bin);
            const x = this.xOf(from);
            const width = Math.max(this.xOf(to) - x - 0.3, 0.7);
            let floor = track.top + track.height;
            for (const [share, color] of [[busy, colors["busy-2"]], [shares[1][bin], colors.blocked]]) {
                const height = share / top * track.height;
                context.fillStyle = color;
                context.fillRect(x, floor - height, width, height);
                floor -= height;
            }
        });
        context.fillStyle = colors.faint;
        context.fillText(`top: ${percentText(top)}`, 0.4 * rem(), track.top + 2 + 1.1 * rem());
    }

    draw_path(context, track) {
        const {path} = this.data;
        for (let i = 0; i < path.from.length; ++i) {
            const x = this.xOf(path.from[i]);
            const family = familyOf(path.causes[path.cause[i]].name);
            context.fillStyle = colors[`family-${family.name}`];
            context.fillRect(x, track.top, Math.max(this.xOf(path.from[i] + path.length[i]) - x, 0.4),
                track.height);
        }
        context.strokeStyle = colors.path;
        context.lineWidth = 2;
        context.strokeRect(this.gutter, track.top, this.width - this.gutter - 1, track.height);
        context.lineWidth = 1;
    }

    /// A row per rank; in each bin the shares of what it does, from left to right, then its wait.
    draw_ranks(context, track) {
        const {ranks} = this.data;
        const height = Math.max(this.rankRow * 0.85, 0.25);
        for (let i = 0; i < ranks.rank.length; ++i) {
            const y = track.top + i * this.rankRow;
            context.fillStyle = colors.blocked;
            context.globalAlpha = 0.35;
            context.fillRect(this.xOf(0), y, this.xOf(ranks.end[i]) - this.xOf(0), height);
            context.globalAlpha = 1;
            for (let bin = 0; bin < ranks.bins; ++bin) {
                let from = bin * ranks.bin_cycles;
                kRankActivities.forEach(({color}, kind) => {
                    const cycles = ranks.busy[(i * ranks.bins + bin) * kRankActivities.length + kind];
                    if (cycles === 0) return;
                    context.fillStyle = colors[color];
                    context.fillRect(this.xOf(from), y, this.xOf(from + cycles) - this.xOf(from), height);
                    from += cycles;
                });
            }
        }
    }

    draw_steps(context, track) {
        const {steps} = this.data;
        const height = track.height / this.lanes.length;
        context.textBaseline = "middle";
        context.font = `${0.7 * rem()}px sans-serif`;
        this.lanes.forEach((lane, row) => lane.forEach((step, i) => {
            const x = this.xOf(steps.start[step]);
            const width = Math.max(this.xOf(stepEnd(steps, step, this.data.time.cycles)) - x - 0.5, 1);
            const y = track.top + row * height;
            context.fillStyle = i % 2 === 0 ? colors.idle : colors.line;
            context.fillRect(x, y, width, Math.max(height - 1, 1));
            const text = stepName(steps, step);
            if (context.measureText(text).width + 4 < width) {
                context.fillStyle = colors.ink;
                context.fillText(text, x + 3, y + height / 2);
            }
        }));
    }

    /// Light: until the head is injected; dark: under way.
    draw_messages(context, track) {
        const m = this.data.messages;
        const height = Math.max(this.row * 0.8, 0.5);
        for (let i = 0; i < m.number.length; ++i) {
            const y = track.top + m.source[i] * this.row;
            const begin = this.xOf(m.begin[i]);
            const arrived = m.delivered[i] >= 0;
            const injected = m.injected[i] < 0 ? this.xOf(this.endOf(i)) : this.xOf(m.begin[i] + m.injected[i]);
            context.fillStyle = colors["busy-1"];
            context.globalAlpha = 0.55;
            context.fillRect(begin, y, Math.max(injected - begin, 0), height);
            context.globalAlpha = 1;
            context.fillStyle = arrived ? colors["busy-2"] : colors.blocked;
            context.fillRect(injected, y, Math.max(this.xOf(this.endOf(i)) - injected, 0.7), height);
        }
    }

    // ---- Under the pointer -----------------------------------------------------------------------

    /// {kind, index, text} of what is at a place: a segment of the path, a step, the router of
    /// a rank, a message.
    at(x, y) {
        const cycle = this.cycleAt(x);
        const within = track => track && y >= track.top && y < track.top + track.height;
        const {path, steps, messages: m} = this.data;
        const {tracks} = this;
        if (within(tracks.path)) {
            const i = lowerBound(path.from, cycle + 1e-9) - 1;
            const isIn = i >= 0 && cycle < path.from[i] + path.length[i];
            if (isIn) return {kind: "segment", index: i, text: segmentText(this.network, path, i)};
        } else if (within(tracks.steps)) {
            const row = Math.floor((y - tracks.steps.top) / tracks.steps.height * this.lanes.length);
            const step = this.lanes[row]?.find(s =>
                steps.start[s] <= cycle && cycle < stepEnd(steps, s, this.data.time.cycles));
            if (step !== undefined) return {kind: "step", index: step, text: stepText(steps, step)};
        } else if (within(tracks.ranks)) {
            const i = Math.floor((y - tracks.ranks.top) / this.rankRow);
            const {ranks} = this.data;
            if (i < ranks.rank.length) {
                return {kind: "router", index: this.network.at[ranks.node[i]], text: rankText(ranks, i)};
            }
        } else if (within(tracks.messages)) {
            const source = Math.floor((y - tracks.messages.top) / this.row);
            const slack = this.cycleAt(this.gutter + 2);
            for (let i = 0; i < m.number.length; ++i) {
                if (m.source[i] === source && m.begin[i] <= cycle + slack && cycle - slack < this.endOf(i)) {
                    return {kind: "message", index: i, text: messageText(m, i)};
                }
            }
        }
        return {kind: "none"};
    }

    listen() {
        const {canvas} = this;
        let pressed = false;
        const time = event => this.onTime(Math.min(Math.max(this.cycleAt(event.offsetX), 0),
            this.network.time.cycles - 1));
        canvas.addEventListener("pointerdown", event => {
            pressed = true;
            canvas.setPointerCapture(event.pointerId);
            time(event);
            this.onSelect(this.at(event.offsetX, event.offsetY));
        });
        canvas.addEventListener("pointermove", event => {
            if (pressed) time(event);
            const {text} = this.at(event.offsetX, event.offsetY);
            this.tip.hidden = text === undefined;
            this.tip.textContent = text ?? "";
            const left = event.offsetX + 14;
            const room = this.width - this.tip.offsetWidth - 4;
            this.tip.style.left = `${Math.max(Math.min(left, room), 0)}px`;
            this.tip.style.top = `${Math.max(event.offsetY - 2.2 * rem(), 0)}px`;
        });
        canvas.addEventListener("pointerup", () => { pressed = false; });
        canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    }
}

/// A step that is not over lasts to the end of the run, which has `cycles` cycles.
function stepEnd(steps, i, cycles) {
    return steps.end[i] < 0 ? cycles : steps.end[i];
}
/// Overlapping steps are in separate lanes, as few as needed, but no more than `most`.
function stepLanes(steps, cycles, most) {
    const lanes = [];
    for (let step = 0; step < steps.start.length; ++step) {
        if (steps.start[step] < 0) continue;  // it never began
        let lane = lanes.find(l => stepEnd(steps, l[l.length - 1], cycles) <= steps.start[step]);
        if (lane === undefined) {
            if (lanes.length < most) {
                lane = [];
                lanes.push(lane);
            } else {
                lane = lanes[step % most];
            }
        }
        lane.push(step);
    }
    return lanes;
}

function stepName(steps, i) {
    return steps.first[i] === steps.last[i] ? `${steps.first[i]}` : `${steps.first[i]} to ${steps.last[i]}`;
}
function stepText(steps, i) {
    const last = steps.end[i] < 0 ? "the end, not over" : numberText(steps.end[i] - 1);
    return `step ${stepName(steps, i)}: cycles ${numberText(steps.start[i])} to ${last}, ` +
        `${numberText(steps.transfers[i])} messages, ` +
        `contention ${numberText(steps.contention[i])}`;
}
function rankText(ranks, i) {
    const [computing, sending, receiving, waiting] =
        ["computing", "sending", "receiving", "waiting"].map(name => numberText(ranks[name][i]));
    return `rank ${ranks.rank[i]}, node ${ranks.node[i]}: ${computing} cycles computing, ${sending} sending, ` +
        `${receiving} receiving, ${waiting} waiting`;
}
function messageText(m, i) {
    const end = m.delivered[i] < 0 ? "not delivered" : `delivered ${numberText(m.begin[i] + m.delivered[i])}`;
    return `message ${m.number[i]}: ${m.source[i]} to ${m.destination[i]}, begins ${numberText(m.begin[i])}, ${end}`;
}
function segmentText(network, path, i) {
    const cause = path.causes[path.cause[i]];
    const place = path.channel[i] >= 0 ? `, ${network.channelName(path.channel[i])}`
        : path.node[i] >= 0 ? `, node ${path.node[i]}` : "";
    const message = path.message[i] < 0 ? ""
        : `, message ${path.message[i]} (${path.source[i]} to ${path.destination[i]})`;
    const holder = path.holder[i] < 0 ? "" : `, waits for message ${path.holder[i]}`;
    return `cycles ${numberText(path.from[i])} to ${numberText(path.from[i] + path.length[i] - 1)}: ` +
        `${cause.meaning}${place}${message}${holder}`;
}

