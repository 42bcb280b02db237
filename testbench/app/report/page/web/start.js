// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens the page that the data are of.

async function openPage(data, root) {
    if (data.page === "pair") {
        const pair = new Pair(data);
        await pair.open(root);
        return pair;
    }
    if (data.page === "loads") {
        const page = new LoadsPage(data);
        page.open(root);
        return page;
    }
    if (data.page === "study") {
        const page = new StudyPage(data, await unpackText(data.configurations));
        page.open(root);
        return page;
    }
    // Data for the first picture come first.
    const [network, time, nodes, energy] =
        await Promise.all([unpack(data.network), unpack(data.time), unpack(data.nodes), unpack(data.energy)]);
    const page = new RunPage({...data, nodes, energy}, new Network(network, time, energy));
    page.open(root);
    page.firstDrawing = performance.now();
    await new Promise(resolve => { setTimeout(resolve, 0); });
    const [messages, steps, path, stalls, ranks] = await Promise.all(
        [unpack(data.messages), unpack(data.steps), unpack(data.path), unpack(data.stalls), unpack(data.ranks)]);
    page.complete({...data, network, time, nodes, energy, messages, steps, path, stalls, ranks});
    return page;
}

async function start() {
    const root = document.getElementById("page");
    readColors();
    const page = await openPage(JSON.parse(document.getElementById("data").textContent), root);
    onNewColors(() => page.redraw());
    // For those who look into the page from outside: tests, and the console.
    window.flitscope = {page, data: page.data};
    root.removeAttribute("aria-busy");
    document.documentElement.dataset.ready = "true";
}

function onNewColors(redraw) {
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
        readColors();
        redraw();
    });
}

start().catch(error => {
    document.getElementById("page").replaceChildren(element("div", {class: "warning", role: "alert"},
        element("p", {}, "The page cannot show its data. It needs Chrome 80, Firefox 113, Safari 16.4 or later."),
        element("p", {}, String(error))));
    throw error;
});
