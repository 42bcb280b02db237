// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A clocked module that does as a test says.
#pragma once

#include <functional>
#include <systemc>
#include <vector>

#include "hw/common/clock_domain.h"

namespace flitscope {

inline const sc_core::sc_time kPeriod(1, sc_core::SC_NS);

/// Notes its ticks and answers as told.
class Scripted final : public hw::Clocked {
public:
    Cycle tick(Cycle now) override {
        ticks.push_back(now);
        return answer ? answer(now) : kNever;
    }
    std::vector<Cycle> ticks;
    std::function<Cycle(Cycle)> answer;
};

}  // namespace flitscope
