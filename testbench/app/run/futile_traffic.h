// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Futile traffic of a pattern if nodes or links fail during the run: flits that are neither
// delivered nor pile up.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "models/fabric/faulted_network.h"
#include "models/fabric/loss_counts.h"
#include "models/fabric/observers.h"
#include "traffic/patterns/measured_traffic.h"
#include "traffic/patterns/pattern_source.h"

namespace flitscope {

class FutileTraffic final : public PacketObserver {
public:
    /// `traffic` has a later network.
    explicit FutileTraffic(std::shared_ptr<const PatternTraffic> traffic)
        : traffic_(std::move(traffic)) {}

    void on_packet(const PacketRecord& packet) override {
        const Cycle at = packet.tail_delivered;
        if (at < traffic_->measured_from || at >= traffic_->end) return;
        if (!traffic_->is_futile(packet.message.source, packet.message.destination)) return;
        delivered_[half(at)] += static_cast<std::int64_t>(packet.flits);
    }

    /// MeasuredTraffic::forgone of a measurement that ends before `end`. Nothing waits from or to
    /// failed nodes; between others, only lost flits are gone.
    std::array<std::int64_t, 2> forgone(Cycle end, const Halves& futile,
                                        const LossCounts& losses) const {
        std::array<std::int64_t, 2> flits{};
        const Cycle died = traffic_->later->at;
        if (died >= end) return flits;
        for (const std::size_t h : {0, 1}) {
            flits[h] = static_cast<std::int64_t>(futile[h]) - delivered_[h];
        }
        if (died >= traffic_->measured_from) {
            flits[half(died)] += static_cast<std::int64_t>(losses.flits_forgone);
        }
        return flits;
    }

private:
    std::size_t half(Cycle at) const { return at >= traffic_->middle() ? 1 : 0; }

    std::shared_ptr<const PatternTraffic> traffic_;
    std::array<std::int64_t, 2> delivered_{};  // flits of those that die, in each half
};

}  // namespace flitscope
