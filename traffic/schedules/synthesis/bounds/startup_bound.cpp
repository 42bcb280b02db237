// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/bounds/startup_bound.h"

#include <algorithm>
#include <cmath>

#include "models/config/hardware_config.h"
#include "models/performance/zero_load_paths.h"
#include "traffic/schedules/synthesis/bounds/fraction.h"

namespace flitscope::synthesis {
namespace {

class Slots {
public:
    Slots(const Task& task, const HardwareConfig& config, const CapacityGraph& capacities)
        : members_(task.members.size()), is_exchange_(task.collective == Collective::kAllToAll) {
        const PacketFormat format = config.packet_format();
        const Rate rate = config.node.injection_bandwidth;
        const Cycle startup = config.node.send_overhead;
        const std::uint64_t shortest = format.message_flits(std::min<std::uint64_t>(task.bytes, 1));
        bound_.slot = startup + assembly_cycles(shortest, rate);
        bound_.way = capacities.idle_cycles - startup;
        // A packet leaves when all of it was assembled.
        if (rate.is_slow()) bound_.way += shortest;
        // Packets have a header each, and messages one at least: one of the two is counted.
        bound_.of_message = startup;
        Wide bits = Wide{8} * task.bytes;
        Wide per = format.flit_bits;
        if (format.packet_bytes == 0) {
            bound_.of_message +=
                std::uint64_t{format.header_flits} * rate.denominator / rate.numerator;
        } else {
            bits = bits * format.packet_bytes +
                   Wide{task.bytes} * format.header_flits * format.flit_bits;
            per *= format.packet_bytes;
        }
        bound_.of_block = static_cast<Cycle>(bits * rate.denominator / (per * rate.numerator));
    }

    StartupBound least() {
        Cycle impossible = bound_.way;
        Cycle possible = impossible + 1;
        while (!suffices(possible)) possible = impossible + 2 * (possible - impossible);
        while (possible - impossible > 1) {
            const Cycle middle = impossible + (possible - impossible) / 2;
            (suffices(middle) ? possible : impossible) = middle;
        }
        suffices(impossible);
        bound_.cycles = possible;
        return bound_;
    }

private:
    /// Whether the bound permits `cycles` cycles. Records the minima for them.
    bool suffices(Cycle cycles) {
        const Cycle time = cycles - bound_.way;
        bound_.slots = time / bound_.slot;
        bound_.messages = 0;
        bound_.blocks = 0;
        if (!is_exchange_) {
            constexpr std::uint64_t kMany = 63;
            return bound_.slots >= kMany || std::uint64_t{1} << bound_.slots >= members_;
        }
        // The cost is convex in the number of messages.
        std::uint64_t first = 0;
        std::uint64_t last = std::min(members_ * bound_.slots, members_ * (members_ - 1));
        if (blocks_of(last) == kTooFew) return false;
        while (first < last) {
            const std::uint64_t middle = first + (last - first) / 2;
            const std::uint64_t blocks = blocks_of(middle);
            const bool falls =
                blocks == kTooFew || cost(middle + 1, blocks_of(middle + 1)) < cost(middle, blocks);
            (falls ? first : last) = falls ? middle + 1 : middle;
        }
        bound_.messages = first;
        bound_.blocks = blocks_of(first);
        return cost(first, bound_.blocks) <=
               static_cast<double>(members_) * static_cast<double>(time);
    }

    double cost(std::uint64_t messages, std::uint64_t blocks) const {
        return static_cast<double>(messages) * static_cast<double>(bound_.of_message) +
               static_cast<double>(blocks) * static_cast<double>(bound_.of_block);
    }

    static constexpr std::uint64_t kTooFew = UINT64_MAX;

    /// Minimum number of blocks that `messages` messages of all nodes carry.
    std::uint64_t blocks_of(std::uint64_t messages) const {
        std::uint64_t left = members_ * (members_ - 1);
        std::uint64_t blocks = 0;
        const std::uint64_t full = messages / members_;
        const std::uint64_t rest = messages % members_;
        for (std::uint64_t sends = 1; left != 0 && sends <= bound_.slots; ++sends) {
            const double ways =
                static_cast<double>(members_) *
                    (choices(bound_.slots, sends) - choices(bound_.slots - full, sends)) +
                (rest == 0
                     ? 0
                     : static_cast<double>(rest) * choices(bound_.slots - 1 - full, sends - 1));
            const std::uint64_t of_these =
                ways >= static_cast<double>(left) ? left : static_cast<std::uint64_t>(ways);
            blocks += sends * of_these;
            left -= of_these;
        }
        return left == 0 ? blocks : kTooFew;
    }

    /// C(n, k), exact in the relevant range: below the number of blocks.
    static double choices(std::uint64_t n, std::uint64_t k) {
        if (k > n) return 0;
        double product = 1;
        for (std::uint64_t i = 0; i < k; ++i) {
            product = product * static_cast<double>(n - i) / static_cast<double>(i + 1);
        }
        return std::round(product);
    }

    const std::uint64_t members_;
    const bool is_exchange_;
    StartupBound bound_;
};

}  // namespace

std::optional<StartupBound> startup_bound(const Task& task, const HardwareConfig& config,
                                          const CapacityGraph& capacities) {
    if (!config.node.serialize_overhead || config.node.port_model != PortModel::kSingle ||
        config.fabric.switches_circuits() || config.fabric.planes > 1 || task.members.size() < 2) {
        return std::nullopt;
    }
    return Slots(task, config, capacities).least();
}

}  // namespace flitscope::synthesis
