// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What each rank does over time, in bins: cycles in which it computes, starts sends, or receives,
// each counted once as RankTimes does. As of LinkBins, memory is bounded whatever the length of the
// run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "traffic/program/operation_observer.h"
#include "traffic/program/operations.h"
#include "traffic/program/rank_times.h"

namespace flitscope {

/// Bins of equal width from cycle 0 on, for each node.
class RankBins final : public OperationObserver {
public:
    static constexpr std::size_t kKinds = 3;  ///< of operations
    /// Per Operation::Kind.
    using Bin = std::array<std::uint64_t, kKinds>;

    /// `operations` must outlive this.
    RankBins(const Operations& operations, std::size_t most_bins);

    void on_hand_over(MessageId, Cycle) override {}
    void on_event(NodeId node, const OperationEvent& event) override;

    Cycle width() const { return width_; }  ///< cycles per bin, a power of two
    /// Bins up to cycle `end`, at least 1.
    std::size_t count(Cycle end) const;
    const Bin& bin(NodeId node, std::size_t bin) const { return bins_[node * most_ + bin]; }

private:
    void add(NodeId node, Operation::Kind kind, Cycle from, Cycle to);
    void widen();

    const Operations& operations_;
    std::size_t most_;
    Cycle width_ = 1;
    std::vector<RankTimes> times_;  // per node
    std::vector<Bin> bins_;         // per node
};

}  // namespace flitscope
