// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How to read the pins of a verilated router in a waveform: the flits of all ports are side by side
// in one vector (rtl/README.md), and the word of a head flit is a header.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/inner_signals.h"

namespace flitscope::hw {

/// Names of what a port of the router is bound to; empty if nothing is.
struct PinnedPort {
    std::string in;   ///< "link_027_028"
    std::string out;  ///< "link_028_027"
};

/// The pins of the top module by name, as they were declared to an InnerSignalObserver.
class PinSignals {
public:
    void add(const std::string& name, std::uint32_t signal, std::uint32_t width) {
        pins_[name] = {signal, width};
    }
    /// A view for each side of each port that is bound: valid, head, tail and virtual channel, the
    /// fields of the header, the word, and the credits that go the other way.
    std::vector<SignalView> views(const std::string& scope, std::uint32_t virtual_channels,
                                  const std::vector<PinnedPort>& ports) const;

private:
    struct Pin {
        std::uint32_t signal = 0;
        std::uint32_t width = 0;
    };
    std::vector<SignalPart> parts(const char* side, const char* other, PortId port, PortId ports,
                                  std::uint32_t virtual_channels) const;
    void add_part(std::vector<SignalPart>& parts, const std::string& pin, std::uint32_t lsb,
                  std::uint32_t width, const char* name, bool is_number) const;

    std::map<std::string, Pin> pins_;
};

}  // namespace flitscope::hw
