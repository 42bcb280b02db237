// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a module that has a description of its own, such as a verilated router, tells of its inner
// signals. Watching changes no cycle.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/base/types.h"

namespace flitscope {

/// Sees the signals inside modules, beside what a ChannelObserver sees between them.
class InnerSignalObserver {
public:
    virtual ~InnerSignalObserver() = default;

    /// Before the first cycle; returns the signal's number. `path` is the scope, with dots between
    /// its parts ("fabric.router_005.input_1"), in any order; `name` has no range.
    virtual std::uint32_t declare_inner(const std::string& path, const std::string& name,
                                        std::uint32_t width) = 0;

    /// `signal` has this value from `cycle` on. Reported while the simulation is in the next cycle,
    /// when every event of `cycle` has been and none of `cycle` + 2: a module that slept reports
    /// what changed as it woke. Calls for different signals come in any order, also among the
    /// channel events of `cycle` + 1. `digits` are '0', '1', 'x' and 'z', most significant first;
    /// where they are fewer than the signal is wide, the first one is repeated, or '0' if it is
    /// '1'.
    virtual void on_inner_change(std::uint32_t signal, Cycle cycle, std::string_view digits) = 0;
};

}  // namespace flitscope
