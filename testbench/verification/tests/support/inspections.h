// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs that a test inspects in progress.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "models/fabric/run_control.h"

namespace flitscope {

/// Inspected every `interval` cycles, from that cycle on, until `goes_on` returns false.
inline RunControl inspected_every(Cycle interval, std::function<bool(Cycle)> goes_on) {
    RunControl control;
    control.first_inspection = interval;
    control.inspect = [interval, goes_on = std::move(goes_on)](Cycle now) {
        return goes_on(now) ? now + interval : RunControl::kStop;
    };
    return control;
}

/// Adds up in how many cycles the engine is awake.
inline RunControl counting_wakes(std::uint64_t& wakes) {
    RunControl control;
    control.poll_interval = 1;
    control.keep_going = [&wakes](Cycle) {
        ++wakes;
        return true;
    };
    return control;
}

}  // namespace flitscope
