// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/page/rank_bins.h"

#include <algorithm>

namespace flitscope {

RankBins::RankBins(const Operations& operations, std::size_t most_bins)
    : operations_(operations),
      most_(most_bins),
      times_(operations.nodes()),
      bins_(operations.nodes() * most_bins) {}

void RankBins::on_event(NodeId node, const OperationEvent& event) {
    const bool begins = event.kind == OperationEvent::Kind::kBegun;
    if (!begins && event.kind != OperationEvent::Kind::kCompleted) return;
    times_[node].advance(event.cycle, [&](Operation::Kind kind, Cycle from, Cycle to) {
        add(node, kind, from, to);
    });
    if (begins) times_[node].begin(operations_[event.operation].kind, event.until);
}

std::size_t RankBins::count(Cycle end) const {
    return std::clamp<std::size_t>((end + width_ - 1) / width_, 1, most_);
}

void RankBins::add(NodeId node, Operation::Kind kind, Cycle from, Cycle to) {
    while (width_ * most_ < to) widen();
    while (from < to) {
        const std::size_t bin = from / width_;
        const Cycle next = std::min<Cycle>((bin + 1) * width_, to);
        bins_[node * most_ + bin][static_cast<std::size_t>(kind)] += next - from;
        from = next;
    }
}

void RankBins::widen() {
    width_ *= 2;
    for (std::size_t first = 0; first < bins_.size(); first += most_) {
        Bin* const bins = &bins_[first];
        for (std::size_t i = 0; i < most_; ++i) {
            Bin both{};
            for (std::size_t old = 2 * i; old < std::min(2 * i + 2, most_); ++old) {
                for (std::size_t kind = 0; kind < kKinds; ++kind) both[kind] += bins[old][kind];
            }
            bins[i] = both;
        }
    }
}

}  // namespace flitscope
