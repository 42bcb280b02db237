// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws the network on a canvas, as 16,000 links are too many for page elements, and finds what is
// under the pointer.

const kLinkWidth = 5;         // points
const kPathWidth = 12;        // round the link, short of its opposite
const kBlockedEdge = 10.5;    // from the wire to the start of blocked, away from the opposite link
const kBlockedWidth = 5;      // for a link that is blocked all the time
const kWidths = 20;           // distinct widths for blocked

class Drawing {
    /// `look()` says what to draw: {bin, view, scale, path, route, selected, dead}.
    constructor(network, look) {
        this.network = network;
        this.look = look;
        this.canvas = element("canvas", {tabindex: 0, role: "img"});
        this.tip = element("div", {class: "tip", hidden: true});
        this.frame = element("div", {class: "frame"}, this.canvas, this.tip);
        this.blockedCurves = Array.from({length: kWidths + 1}, () => []);  // by width, by link
        this.view = null;  // scale, x, y: of the network in CSS pixels
        this.onSelect = () => {};
        this.listen();
    }

    // ---- Place -----------------------------------------------------------------------------------

    fit() {
        const {left, right, top, bottom} = this.network.box;
        const width = this.canvas.clientWidth || 800;
        const most = Math.max(Math.min(0.8 * window.innerHeight, 56 * rem()), 10 * rem());
        const scale = Math.min(width / (right - left), most / (bottom - top), 2);
        this.height = Math.max(scale * (bottom - top), 10 * rem());
        this.view = {scale,
            x: (width - scale * (left + right)) / 2, y: (this.height - scale * (top + bottom)) / 2};
    }

    zoom(factor, x = this.canvas.clientWidth / 2, y = this.height / 2) {
        const scale = Math.min(Math.max(this.view.scale * factor, 0.02), 12);
        const by = scale / this.view.scale;
        this.view = {scale, x: x - by * (x - this.view.x), y: y - by * (y - this.view.y)};
        this.draw();
    }

    pan(x, y) {
        this.view.x += x;
        this.view.y += y;
        this.draw();
    }

    /// For a place on the canvas.
    toNetwork(x, y) {
        return [(x - this.view.x) / this.view.scale, (y - this.view.y) / this.view.scale];
    }
    toCanvas([x, y]) {
        return [x * this.view.scale + this.view.x, y * this.view.scale + this.view.y];
    }

    // ---- Drawing ---------------------------------------------------------------------------------

    /// Of energies, shares of the most: of links and of routers, whose energies are apart.
    energyLevel(kind, index) {
        const {energy} = this.network;
        energy.most ??= {links: minmax(energy.links)[1], routers: minmax(energy.routers)[1]};
        return rampLevel(energy[kind][index] / Math.max(energy.most[kind], 1));
    }

    linkLevel(link, look) {
        if (look.view === "energy") return this.energyLevel("links", link);
        return look.view === "blocked" ? 0 : this.busyLevel(link, look);
    }

    busyLevel(link, {bin, scale}) {
        const full = scale === "full" ? 1
            : bin < 0 ? this.network.busiest : this.network.busiestInBin;
        // Light loads are many: the root tells them apart.
        return rampLevel(Math.sqrt(this.network.share("busy", link, bin) / full));
    }

    draw() {
        if (this.view === null) this.fit();
        const look = this.look();
        const context = prepareCanvas(this.canvas, this.canvas.clientWidth, this.height);
        context.translate(this.view.x, this.view.y);
        context.scale(this.view.scale, this.view.scale);
        context.lineCap = "butt";
        if (look.path && look.view !== "energy") this.drawPath(context, look.path);
        this.drawSelected(context, look);
        this.drawBusy(context, look);
        if (look.view === "both" || look.view === "blocked") this.drawBlocked(context, look);
        this.drawRoute(context, look.route);
        this.drawRings(context, look);
        this.drawRouters(context, look);
        if (!this.network.isOneEach) this.drawNodes(context, look);
        this.drawDead(context, look.dead);
    }

    trace(context, curve, isBent) {
        context.moveTo(curve[0], curve[1]);
        if (isBent) {
            context.bezierCurveTo(...curve.slice(2));
        } else {
            context.lineTo(curve[6], curve[7]);
        }
    }

    strokeLinks(context, links, curves = this.network.curves) {
        context.beginPath();
        for (const link of links) this.trace(context, curves[link], this.network.isBent(link));
        context.stroke();
    }

    drawBusy(context, look) {
        const byLevel = Array.from({length: kLevels}, () => []);
        for (let link = 0; link < this.network.links; ++link) {
            byLevel[this.linkLevel(link, look)].push(link);
        }
        context.lineWidth = Math.max(kLinkWidth * this.network.gauge, 1.5 / this.view.scale);
        byLevel.forEach((links, level) => {
            if (links.length === 0) return;
            context.strokeStyle = colors.ramp[level];
            this.strokeLinks(context, links);
        });
    }

    drawBlocked(context, look) {
        const byWidth = Array.from({length: kWidths + 1}, () => []);
        for (let link = 0; link < this.network.links; ++link) {
            byWidth[Math.round(this.network.share("blocked", link, look.bin) * kWidths)].push(link);
        }
        byWidth[0] = [];  // too little to be drawn
        context.strokeStyle = colors.blocked;
        byWidth.forEach((links, width) => {
            if (links.length === 0) return;
            const points = kBlockedWidth * width / kWidths;
            const curves = this.blockedCurves[width];
            for (const link of links) {
                curves[link] ??= this.network.curve(link,
                    (kBlockedEdge + points / 2) * this.network.gauge);
            }
            context.lineWidth = points * this.network.gauge;
            this.strokeLinks(context, links, curves);
        });
    }

    /// `path`: cycles of the critical path by link and by router, in the bin. Links and routers with
    /// more of them have a wider seam, so that the path of a whole run does not cover everything.
    drawPath(context, path) {
        const share = pathShares(path);
        context.strokeStyle = colors.path;
        const byShare = new Map();
        for (const [link, cycles] of path.links) {
            const of = share(cycles);
            byShare.set(of, [...byShare.get(of) ?? [], link]);
        }
        for (const [of, links] of byShare) {
            const seam = (kPathWidth - kLinkWidth) * this.network.gauge * (0.25 + 0.75 * of);
            context.lineWidth = Math.max(kLinkWidth * this.network.gauge + seam, (1 + 2 * of) / this.view.scale);
            this.strokeLinks(context, links);
        }
    }

    drawSelected(context, {selected}) {
        if (selected.kind !== "link") return;
        context.strokeStyle = colors.ink;
        context.lineWidth = Math.max(kLinkWidth * this.network.gauge + 5, 4 / this.view.scale);
        this.strokeLinks(context, [selected.index]);
    }

    /// Rings around routers, over the ends of their links: the selection, and the critical path.
    drawRings(context, {selected, path, view}) {
        const disc = (router, radius, color) => {
            context.fillStyle = color;
            context.beginPath();
            this.circle(context, router, radius);
            context.fill();
        };
        if (selected.kind === "router") disc(selected.index, kRouterRadius + 7, colors.ink);
        if (!path || view === "energy") return;
        const share = pathShares(path);
        for (const [router, cycles] of path.routers) {
            disc(router, kRouterRadius + 1 + 4 * share(cycles), colors.path);
        }
    }

    /// The links that a message took.
    drawRoute(context, route) {
        if (route.length === 0) return;
        context.strokeStyle = colors.ink;
        context.lineWidth = Math.max(2, 2 / this.view.scale);
        context.setLineDash([7, 5]);
        this.strokeLinks(context, route);
        context.setLineDash([]);
    }

    circle(context, router, radius) {
        const {x, y} = this.network;
        context.moveTo(x[router] + radius, y[router]);
        context.arc(x[router], y[router], radius, 0, 2 * Math.PI);
    }

    square(context, [x, y], radius) {
        context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
    }

    drawRouters(context, {loads, view}) {
        const {routers, x, y} = this.network;
        // Thousands of small ones would only hide the links.
        if (routers > 1000 && this.view.scale * kRouterRadius < 2.5) return;
        const all = [...Array(routers).keys()];
        this.fillShapes(context, () => all.filter(router => this.network.isSwitch(router))
            .forEach(router => this.square(context, [x[router], y[router]], kRouterRadius)), colors.faint);
        this.fillShapes(context, () => all.filter(router => !this.network.isSwitch(router))
            .forEach(router => this.circle(context, router, kRouterRadius)));
        if (view === "energy") {
            all.forEach(router => this.fillShapes(context, () => this.circle(context, router, kRouterRadius),
                colors.ramp[this.energyLevel("routers", router)]));
        } else if (loads && this.network.isOneEach) {
            this.fillLoads(context, loads, (node, level) => {
                const angle = Math.asin(1 - 2 * level);
                const radius = kRouterRadius - 1;
                context.moveTo(x[node] + radius * Math.cos(angle), y[node] + radius * Math.sin(angle));
                context.arc(x[node], y[node], radius, angle, Math.PI - angle);
                context.closePath();
            });
        }
        this.writeNumbers(context, 11, routers, router => [x[router], y[router]],
            router => (view === "energy" ? this.energyLevel("routers", router) > kLevels / 2
                : this.network.isSwitch(router)) ? colors.paper : colors.ink);
        this.writeNames(context);
    }

    /// Where routers have several nodes, or others than those of their numbers: small squares.
    drawNodes(context, {selected, loads}) {
        const {nodes} = this.network;
        if (nodes > 1000 && this.view.scale * kNodeRadius < 1.5) return;
        const place = node => this.network.nodePlace(node);
        if (selected.kind === "node") {
            context.fillStyle = colors.ink;
            context.beginPath();
            this.square(context, place(selected.index), kNodeRadius + 3);
            context.fill();
        }
        this.fillShapes(context, () => {
            for (let node = 0; node < nodes; ++node) this.square(context, place(node), kNodeRadius);
        });
        if (loads) {
            this.fillLoads(context, loads, (node, level) => {
                const [x, y] = place(node);
                const side = 2 * (kNodeRadius - 0.6);
                context.rect(x - side / 2, y + side / 2 - side * level, side, side * level);
            });
        }
        this.writeNumbers(context, 6, nodes, place);
    }

    /// Fills each node from below to its level, 0 to 1.
    fillLoads(context, loads, trace) {
        context.fillStyle = colors["busy-1"];
        context.beginPath();
        loads.forEach((level, node) => { if (level > 0) trace(node, level); });
        context.fill();
    }

    fillShapes(context, trace, color = colors.paper) {
        context.lineWidth = 1.2;
        context.strokeStyle = colors.faint;
        context.fillStyle = color;
        context.beginPath();
        trace();
        context.fill();
        context.stroke();
    }

    /// 0 .. count - 1, each in the middle of its shape.
    writeNumbers(context, points, count, place, color = () => colors.ink) {
        if (this.view.scale * points < 5.5) return;  // unreadable
        context.font = `${points}px sans-serif`;
        context.textAlign = "center";
        context.textBaseline = "middle";
        for (let i = 0; i < count; ++i) {
            const [x, y] = place(i);
            context.fillStyle = color(i);
            context.fillText(i, x, y + 0.5);
        }
    }

    /// Names that the file of a graph gives, below the routers.
    writeNames(context) {
        const {names, x, y} = this.network;
        if (this.view.scale * 11 < 5.5) return;
        context.font = "11px sans-serif";
        names.forEach((name, router) => writeOver(context, name.slice(0, 14), x[router], y[router] + kRouterRadius + 8));
    }

    /// Crosses over dead nodes, routers and links.
    drawDead(context, {nodes, routers = [], links}) {
        const {x, y, isOneEach} = this.network;
        const cross = (atX, atY, radius) => {
            context.moveTo(atX - radius, atY - radius);
            context.lineTo(atX + radius, atY + radius);
            context.moveTo(atX - radius, atY + radius);
            context.lineTo(atX + radius, atY - radius);
        };
        context.strokeStyle = colors.ink;
        context.lineWidth = Math.max(2, 1.5 / this.view.scale);
        context.beginPath();
        for (const router of isOneEach ? nodes : routers) cross(x[router], y[router], kRouterRadius);
        if (!isOneEach) for (const node of nodes) cross(...this.network.nodePlace(node), kNodeRadius);
        for (const link of links) cross(...this.network.pointOn(link, 0.5), kRouterRadius / 2);
        context.stroke();
    }

    // ---- Under the pointer -----------------------------------------------------------------------

    /// The router, node or link at a place of the network.
    at(x, y) {
        const {network} = this;
        for (let router = 0; router < network.routers; ++router) {
            const distance = Math.hypot(network.x[router] - x, network.y[router] - y);
            if (distance <= kRouterRadius) return {kind: "router", index: router};
            if (network.isOneEach || distance > network.nodeReach(router) + 2 * kNodeRadius) continue;
            for (const node of network.nodesAt[router]) {
                const [nodeX, nodeY] = network.nodePlace(node);
                if (Math.max(Math.abs(nodeX - x), Math.abs(nodeY - y)) <= kNodeRadius) {
                    return {kind: "node", index: node};
                }
            }
        }
        let best = {kind: "none"};
        let nearest = Math.max(7, 6 / this.view.scale);
        for (let link = 0; link < network.links; ++link) {
            const distance = this.distanceTo(link, x, y);
            if (distance < nearest) [nearest, best] = [distance, {kind: "link", index: link}];
        }
        return best;
    }

    distanceTo(link, x, y) {
        const pieces = this.network.isBent(link) ? 16 : 1;
        let nearest = Infinity;
        let before = this.network.pointOn(link, 0);
        for (let i = 1; i <= pieces; ++i) {
            const next = this.network.pointOn(link, i / pieces);
            nearest = Math.min(nearest, distanceToSegment(x, y, before, next));
            before = next;
        }
        return nearest;
    }

    listen() {
        const {canvas} = this;
        let press = null;
        const place = event => [event.offsetX, event.offsetY];
        canvas.addEventListener("pointerdown", event => {
            press = {x: event.offsetX, y: event.offsetY, moved: false};
            canvas.setPointerCapture(event.pointerId);
        });
        canvas.addEventListener("pointermove", event => {
            if (press === null) return this.showTip(...place(event));
            const [dx, dy] = [event.offsetX - press.x, event.offsetY - press.y];
            if (!press.moved && Math.hypot(dx, dy) < 4) return undefined;
            press = {x: event.offsetX, y: event.offsetY, moved: true};
            return this.pan(dx, dy);
        });
        canvas.addEventListener("pointerup", event => {
            if (press !== null && !press.moved) this.onSelect(this.at(...this.toNetwork(...place(event))));
            press = null;
        });
        canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
        canvas.addEventListener("wheel", event => {
            if (!event.ctrlKey && !event.shiftKey && document.activeElement !== canvas) return;
            event.preventDefault();
            this.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, ...place(event));
        }, {passive: false});
        canvas.addEventListener("keydown", event => {
            const step = 3 * rem();
            const actions = {
                "+": () => this.zoom(1.25), "=": () => this.zoom(1.25), "-": () => this.zoom(0.8),
                "0": () => { this.fit(); this.draw(); },
                ArrowLeft: () => this.pan(step, 0), ArrowRight: () => this.pan(-step, 0),
                ArrowUp: () => this.pan(0, step), ArrowDown: () => this.pan(0, -step)
            };
            if (!(event.key in actions) || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            actions[event.key]();
        });
    }

    showTip(x, y) {
        const found = this.at(...this.toNetwork(x, y));
        this.tip.hidden = found.kind === "none";
        if (this.tip.hidden) return;
        const {network} = this;
        const {bin} = this.look();
        this.tip.textContent = found.kind === "node" ? nodeLabel(network, found.index)
            : found.kind === "router" ? routerTip(network, found.index) + energyOf(network, "routers", found.index)
            : energyOf(network, "links", found.index).slice(2) + (network.energy ? "\n" : "") + `${network.linkLabel(found.index)}: busy ${percentText(network.share("busy", found.index, bin))}, ` +
              `blocked ${percentText(network.share("blocked", found.index, bin))}`;
        const width = this.canvas.clientWidth;
        this.tip.style.left = `${x < width / 2 ? x + 14 : Math.max(x - 14 - this.tip.offsetWidth, 0)}px`;
        this.tip.style.top = `${Math.min(y + 12, this.height - 2 * rem())}px`;
    }
}

/// Cycles of a path to their share of the most that a link or router has, in steps.
function pathShares(path) {
    const most = Math.max(minmax([...path.links.values(), ...path.routers.values()])[1], 1);
    return cycles => Math.ceil(kWidths * cycles / most) / kWidths;
}

/// ": 1.2 nJ", if energies are known.
function energyOf(network, kind, index) {
    return network.energy ? `: ${energyText(network.energy[kind][index])}` : "";
}

/// Where node n hangs on router n, that is what a node is called, too.
function routerLabel(network, router) {
    const name = network.names.length === 0 ? "" : ` (${network.names[router]})`;
    if (network.isSwitch(router)) return `switch ${router}${name}`;
    return `${network.isOneEach ? "node" : "router"} ${router}${name}`;
}

function nodeLabel(network, node) {
    const name = network.node_names.length === 0 ? "" : ` (${network.node_names[node]})`;
    return `node ${node}${name}${network.isOneEach ? "" : ` on router ${network.at[node]}`}`;
}

/// "router 5: nodes 18, 19, 26, 27"
function routerTip(network, router) {
    const label = routerLabel(network, router);
    const nodes = network.nodesAt[router];
    if (network.isOneEach || nodes.length === 0) return label;
    const few = 16;
    return `${label}: node${nodes.length === 1 ? "" : "s"} ${nodes.slice(0, few).join(", ")}` +
        (nodes.length > few ? `, … (${numberText(nodes.length)})` : "");
}

function distanceToSegment(x, y, [x0, y0], [x1, y1]) {
    const [dx, dy] = [x1 - x0, y1 - y0];
    const along = ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1);
    const t = Math.min(Math.max(along, 0), 1);
    return Math.hypot(x - x0 - t * dx, y - y0 - t * dy);
}

/// Text that can be read on lines.
function writeOver(context, text, x, y) {
    context.lineWidth = 3;
    context.strokeStyle = colors.paper;
    context.strokeText(text, x, y);
    context.fillStyle = colors.ink;
    context.fillText(text, x, y);
    context.lineWidth = 1;
}

