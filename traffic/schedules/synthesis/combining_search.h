// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// For collectives of short blocks: the partners of a phase, the time of phases, and the phases of
// the fastest schedule.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "models/base/types.h"
#include "models/config/packet_format.h"
#include "models/performance/zero_load_paths.h"
#include "models/routing/routing.h"
#include "traffic/program/program.h"
#include "traffic/schedules/synthesis/rehearsal/rehearsal.h"
#include "traffic/schedules/synthesis/task/collective.h"

namespace flitscope {
class Graph;
struct HardwareConfig;
}  // namespace flitscope

namespace flitscope::synthesis {

/// In a phase of `radix` r and `weight` w a node sends at most r - 1 messages, to the members c w
/// places after it, c = 1 .. r - 1, or to those whose number differs in this digit.
struct CombiningPhase {
    std::uint64_t weight = 1;
    std::uint64_t radix = 2;

    friend bool operator==(const CombiningPhase& a, const CombiningPhase& b) {
        return a.weight == b.weight && a.radix == b.radix;
    }
};

/// The shape of a phase: the partners of a node, and how much it sends.
enum class CombiningShape : std::uint8_t {
    kExchange,
    kExchangeByDistance,
    kGather,
    kGatherByDistance,
    kReduce,  ///< whole vectors
    kTree,    ///< one block for all members
    kTreeOfBlocks,
};

/// Members by their place, and the messages of phases.
class CombiningPlaces {
public:
    CombiningPlaces(std::uint64_t count, CombiningShape shape) : count_(count), shape_(shape) {}

    bool by_distance() const {
        return shape_ == CombiningShape::kExchangeByDistance ||
               shape_ == CombiningShape::kGatherByDistance;
    }
    bool is_tree() const {
        return shape_ == CombiningShape::kTree || shape_ == CombiningShape::kTreeOfBlocks;
    }

    std::uint64_t digit(std::uint64_t number, const CombiningPhase& phase) const {
        return number / phase.weight % phase.radix;
    }
    /// The number whose digits give a block's path: its destination's place, or the distance there.
    std::uint64_t number(std::uint64_t source, std::uint64_t destination) const {
        return by_distance() ? (destination + count_ - source) % count_ : destination;
    }
    /// The place that is `c` further in the digit of `phase`; `place` itself if there is no member
    /// to send to.
    std::uint64_t partner(std::uint64_t place, const CombiningPhase& phase, std::uint64_t c) const {
        if (by_distance()) return (place + c * phase.weight) % count_;
        if (is_tree()) {
            const std::uint64_t below = place + c * phase.weight;
            return place % (phase.weight * phase.radix) == 0 && below < count_ ? below : place;
        }
        const std::uint64_t old = digit(place, phase);
        return place - old * phase.weight + (old + c) % phase.radix * phase.weight;
    }
    /// Maximum blocks in the message to the partner `c` places on; 1 for kReduce and kTree.
    std::uint64_t blocks(const CombiningPhase& phase, std::uint64_t c) const {
        const std::uint64_t first = c * phase.weight;
        switch (shape_) {
            case CombiningShape::kExchange:
                return count_ / phase.radix;
            case CombiningShape::kExchangeByDistance: {
                const std::uint64_t period = phase.weight * phase.radix;
                const std::uint64_t rest = count_ % period;
                return count_ / period * phase.weight +
                       (rest > first ? std::min(rest - first, phase.weight) : 0);
            }
            case CombiningShape::kGather:
                return phase.weight;
            case CombiningShape::kGatherByDistance:
            case CombiningShape::kTreeOfBlocks:
                return count_ > first ? std::min(count_ - first, phase.weight) : 0;
            case CombiningShape::kReduce:
            case CombiningShape::kTree:
                return 1;
        }
        return 0;
    }

private:
    std::uint64_t count_;
    CombiningShape shape_;
};

/// The phases of a schedule, in this order; for trees backwards.
struct CombiningPhases {
    CombiningShape shape = CombiningShape::kExchange;
    std::vector<CombiningPhase> phases;
    Cycle cycles = kNever;      ///< kNever: no schedule exists for the machine
    bool is_rehearsed = false;  ///< the cycles are not an estimate
};

/// Searches for the fastest phases. The time of a phase is first estimated from the minimum work of
/// its nodes and its busiest link; then the phases of the best schedule so far are rehearsed, one
/// after the other, until all of that schedule's are known (shortest paths with lazy lengths,
/// Dellin and Srinivasa 2016). The few best ones are then rehearsed as a whole, in which nodes
/// continue as soon as they can.
class CombiningSearch {
public:
    /// All references must outlive this object. `first` is the member that has place 0.
    CombiningSearch(const Task& task, std::uint64_t first, const HardwareConfig& config,
                    const Graph& graph, const Routing& routing, Rehearsal& rehearsal);

    /// As long as `rehearsal` has work left and `goes_on`, unless it is empty, returns true. If
    /// that does not suffice for one that ends by `latest` it is the best by the estimate.
    CombiningPhases best(const std::function<bool()>& goes_on, Cycle latest = kNever);
    /// The phases as a program of steps, like that of Combining::schedule().
    Program program_of(const CombiningPhases& found) const;

private:
    struct Cost {
        Cycle cycles = kNever;
        bool is_known = false;
    };

    NodeId member(std::uint64_t place) const {
        return task_.members[(place + first_) % task_.members.size()];
    }
    std::uint64_t block_bytes(CombiningShape shape) const;
    Cycle estimate(const CombiningPlaces& places, const CombiningPhase& phase, std::uint64_t block);
    Cost& cost(CombiningShape shape, const CombiningPhase& phase);
    void add_messages(CombiningShape shape, const CombiningPhase& phase, bool is_backwards,
                      StepId step, Program& program) const;
    std::vector<CombiningPhases> shortest(CombiningShape shape);
    bool rehearse_phases(const CombiningPhases& found, Cycle latest);

    const Task& task_;
    const std::uint64_t first_;
    const HardwareConfig& config_;
    const PacketFormat format_;
    ZeroLoadPaths paths_;
    Rehearsal& rehearsal_;
    std::vector<std::uint64_t> loads_;  // flits per link, for messages sent together
    bool only_known_ = false;           // phases that have been rehearsed
    std::map<std::tuple<CombiningShape, std::uint64_t, std::uint64_t>, Cost> costs_;
};

}  // namespace flitscope::synthesis
