// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Packed numbers and texts (README.md, "Packed numbers").

async function inflate(base64) {
    const binary = atob(base64);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function unpackNumbers(packed) {
    const bytes = await inflate(packed.data);
    const numbers = new Float64Array(packed.count);
    let at = 0;
    let before = 0;
    for (let i = 0; i < numbers.length; ++i) {
        let value = bytes[at++];
        if (value >= 128) {
            value -= 128;
            let scale = 128;  // not a shift: numbers go beyond 32 bits
            let byte;
            do {
                byte = bytes[at++];
                value += (byte & 127) * scale;
                scale *= 128;
            } while (byte >= 128);
        }
        let number = value % 2 === 1 ? -(value + 1) / 2 : value / 2;
        if (packed.delta) number = before += number;
        numbers[i] = number;
    }
    return numbers;
}

async function unpackText(packed) {
    return new TextDecoder().decode(await inflate(packed.data));
}

/// A copy of `value` in which packed numbers, however deep, are arrays.
async function unpack(value) {
    if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
    if (typeof value.data === "string" && "count" in value) return unpackNumbers(value);
    const entries = await Promise.all(
        Object.entries(value).map(async ([name, inner]) => [name, await unpack(inner)]));
    return Object.fromEntries(entries);
}

