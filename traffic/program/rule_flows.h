// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The messages of a program by rule as sums, the input of lower_bounds() where they are too many to
// be looked at one by one.
#pragma once

#include <cstdint>
#include <functional>

#include "models/base/types.h"
#include "models/config/packet_format.h"
#include "models/performance/bounds.h"
#include "traffic/program/program.h"

namespace flitscope {

class RuleFlows final : public TotalFlows {
public:
    /// `program`, whose transfers follow a rule, must outlive this object.
    RuleFlows(const Program& program, const PacketFormat& format)
        : program_(program),
          rule_(*program.transfers.rule()),
          flits_(program.transfers.empty() ? 0 : format.message_flits(program.transfers.bytes(0))) {
    }

    std::uint64_t flits() const override { return flits_; }
    std::uint32_t each() const override { return rule_.each(); }
    std::uint32_t steps() const override { return program_.step_count(); }
    Cycle barrier() const override { return program_.barrier_cycles.value_or(0); }
    void visit_sources(
        NodeId destination,
        const std::function<void(NodeId source, std::uint32_t messages)>& visit) const override {
        for (std::uint32_t i = 0; i < rule_.each() / rule_.repeats(); ++i) {
            visit(rule_[rule_.received(destination, i)].source, rule_.repeats());
        }
    }

private:
    const Program& program_;
    const TransferRule& rule_;
    std::uint64_t flits_;
};

}  // namespace flitscope
