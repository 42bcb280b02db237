// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The messages of a program as flows, the input of lower_bounds().
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/base/types.h"
#include "models/config/packet_format.h"
#include "models/performance/bounds.h"
#include "traffic/program/program.h"

namespace flitscope {

/// One flow per message, in the order of the transfers, beginning at their times. The program must
/// outlive this object.
class ProgramFlows final : public Flows {
public:
    ProgramFlows(const Program& program, const PacketFormat& format)
        : transfers_(program.transfers), format_(format) {}

    std::size_t size() const override { return transfers_.size(); }
    Flow operator[](std::size_t id) const override;
    Cycle begin(std::size_t id) const override;

    void set_begin(std::size_t id, Cycle begin);
    /// The link by which a message leaves its source, if it names one.
    void set_first(std::size_t id, LinkId first);

private:
    static constexpr std::uint32_t kLong = UINT32_MAX;

    const Transfers& transfers_;
    PacketFormat format_;
    std::vector<std::uint32_t> begins_;  // empty: the times; kLong: in long_begins_
    std::unordered_map<std::size_t, Cycle> long_begins_;
    std::unordered_map<std::size_t, LinkId> first_;
};

}  // namespace flitscope
