// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/verilated/pin_views.h"

#include <algorithm>
#include <utility>

#include "hw/common/flit.h"
#include "models/base/powers_of_two.h"

namespace flitscope::hw {
namespace {

/// A field of the header (hw/common/flit.h).
struct HeaderField {
    const char* name;
    std::uint32_t lsb;
    std::uint32_t width;
};
constexpr HeaderField kHeader[] = {
    {"destination", 0, 16}, {"source", 16, 16}, {"sequence", 32, 31}, {"more", 63, 1}};

}  // namespace

std::vector<SignalView> PinSignals::views(const std::string& scope, std::uint32_t virtual_channels,
                                          const std::vector<PinnedPort>& ports) const {
    std::vector<SignalView> views;
    const auto count = static_cast<PortId>(ports.size());
    for (PortId port = 0; port < count; ++port) {
        const auto add = [&](const char* name, const std::string& channel, const char* side,
                             const char* other) {
            if (channel.empty()) return;
            const std::string label = std::string(name) + ' ' + std::to_string(port);
            views.push_back({scope, label + ": " + channel, label,
                             parts(side, other, port, count, virtual_channels)});
        };
        add("in", ports[port].in, "_i", "_o");
        add("out", ports[port].out, "_o", "_i");
    }
    return views;
}

std::vector<SignalPart> PinSignals::parts(const char* side, const char* other, PortId port,
                                          PortId ports, std::uint32_t virtual_channels) const {
    std::vector<SignalPart> parts;
    for (const char* const flag : {"valid", "head", "tail"}) {
        add_part(parts, std::string("flit_") + flag + side, port, 1, flag, false);
    }
    if (virtual_channels > 1) {
        const std::uint32_t bits = index_bits(virtual_channels);
        add_part(parts, std::string("flit_vc") + side, port * bits, bits, "vc", true);
    }
    const std::string data = std::string("flit_data") + side;
    if (const auto pin = pins_.find(data); pin != pins_.end()) {
        const std::uint32_t flit_bits = pin->second.width / ports;
        for (const HeaderField& field : kHeader) {
            if (flit_bits < kHeaderBits) break;
            add_part(parts, data, port * flit_bits + field.lsb, field.width, field.name, true);
        }
        add_part(parts, data, port * flit_bits, flit_bits, "word", false);
    }
    add_part(parts, std::string("credit") + other, port * virtual_channels, virtual_channels,
             "credit", false);
    return parts;
}

/// Nothing if the module has no such pin.
void PinSignals::add_part(std::vector<SignalPart>& parts, const std::string& pin, std::uint32_t lsb,
                          std::uint32_t width, const char* name, bool is_number) const {
    const auto found = pins_.find(pin);
    if (found == pins_.end() || lsb + width > found->second.width) return;
    parts.push_back({found->second.signal, lsb, width, name, is_number});
}

}  // namespace flitscope::hw
