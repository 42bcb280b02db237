// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Inner signals that a module with its own description, such as a verilated router, reports.
// Watching changes no cycle.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

/// Bits of an inner signal with a separate meaning, such as a field of one of its flits.
struct SignalPart {
    std::uint32_t signal = 0;
    std::uint32_t lsb = 0;  ///< position in the signal: the part is lsb + width - 1 down to lsb
    std::uint32_t width = 1;
    std::string name;        ///< "destination"
    bool is_number = false;  ///< for people in decimal
};

/// Parts of a module's signals side by side, as a person reads them.
struct SignalView {
    std::string scope;  ///< of the module: "fabric.router_005"
    std::string title;  ///< "in 3: link_027_028"
    std::string label;  ///< the same in short, beside each part: "in 3"
    std::vector<SignalPart> parts;
};

/// Sees the signals inside modules, in addition to what a ChannelObserver sees between them.
class InnerSignalObserver {
public:
    virtual ~InnerSignalObserver() = default;

    /// Declares a signal, before the first cycle, and returns its number. `path` is the scope, with
    /// dots between its parts ("fabric.router_005.input_1"); scopes may come in any order. `name`
    /// has no range.
    virtual std::uint32_t declare_inner(const std::string& path, const std::string& name,
                                        std::uint32_t width) = 0;

    /// Suggests how to display declared signals; changes no value.
    virtual void on_inner_view(SignalView) {}

    /// `signal` has this value from `cycle` on. Reported while the simulation is in the next cycle,
    /// when every event of `cycle` has been and none of `cycle` + 2: a module that slept reports
    /// what changed as it woke. Calls for different signals come in any order, also among the
    /// channel events of `cycle` + 1. `digits` are '0', '1', 'x' and 'z', most significant first;
    /// if they are fewer than the signal is wide, the first one is repeated, or '0' if it is '1'.
    virtual void on_inner_change(std::uint32_t signal, Cycle cycle, std::string_view digits) = 0;
};

}  // namespace flitscope
