// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/switching.h"

#include <fmt/format.h>

#include <algorithm>

namespace flitscope {
namespace {

/// The largest node.packet_bytes whose packets fit; 0 when not even a header and a flit do.
std::uint64_t packet_bytes_that_fit(const Config& config) {
    const std::uint64_t depth = config.fabric.buffer_depth;
    if (depth <= config.node.header_flits) return 0;
    return (depth - config.node.header_flits) * config.fabric.flit_bits / 8;
}

}  // namespace

const std::vector<SwitchingKind>& switching_kinds() {
    static const std::vector<SwitchingKind> kKinds = {
        {"wormhole", "wormhole", "a packet goes on flit by flit, and stops where credits end"},
        {"virtual_cut_through", "virtual cut-through",
         "a packet goes on where there is room for all of it"},
        {"store_and_forward", "store and forward",
         "a packet goes on once all of it has arrived, where there is room for all of it"}};
    return kKinds;
}

std::string switching_text(const FabricConfig& fabric) {
    const auto& kinds = switching_kinds();
    const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                   [&fabric](const auto& k) { return k.name == fabric.switching; });
    std::string text = kind == kinds.end() ? fabric.switching : kind->title;
    if (fabric.combining_delay != 0) {
        text += fmt::format(", combining delay {}", fabric.combining_delay);
    }
    return text;
}

void require_room_for_packets(const Config& config, std::uint64_t bytes) {
    const FabricConfig& fabric = config.fabric;
    const std::uint64_t longest = config.packet_format().flits(bytes, 0);
    if (!fabric.sends_whole_packets() || longest <= fabric.buffer_depth) return;
    const std::uint64_t limit = config.node.packet_bytes;
    const std::uint64_t payload = limit == 0 ? bytes : std::min(bytes, limit);
    std::string remedy = fmt::format("set fabric.buffer_depth: {}", longest);
    if (const std::uint64_t fitting = packet_bytes_that_fit(config); fitting != 0) {
        remedy += fmt::format(", or node.packet_bytes: {} or less", fitting);
    }
    throw ConfigError(config.where("fabric.buffer_depth"),
                      fmt::format("{} needs a FIFO for all of the longest packet: {} flits ({} "
                                  "bytes and the header), not {}",
                                  switching_text(fabric), longest, payload, fabric.buffer_depth),
                      remedy);
}

}  // namespace flitscope
