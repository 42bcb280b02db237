// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/synthesis/combining.h"

#include <algorithm>
#include <utility>

#include "models/performance/bounds.h"
#include "models/performance/idle_latency.h"

namespace flitscope::synthesis {
namespace {

using Shape = Combining::Shape;

/// Members by their place, and what the messages of phases are.
class Places {
public:
    Places(std::uint64_t count, Shape shape) : count_(count), shape_(shape) {}

    bool by_distance() const {
        return shape_ == Shape::kExchangeByDistance || shape_ == Shape::kGatherByDistance;
    }
    bool is_tree() const { return shape_ == Shape::kTree || shape_ == Shape::kTreeOfBlocks; }

    std::uint64_t digit(std::uint64_t number, const CombiningPhase& phase) const {
        return number / phase.weight % phase.radix;
    }
    /// What tells the digits of a block's way: its destination's place, or the distance there.
    std::uint64_t number(std::uint64_t source, std::uint64_t destination) const {
        return by_distance() ? (destination + count_ - source) % count_ : destination;
    }
    /// Where `c` places in the digit of `phase` lead; the place itself where there is nobody to
    /// send to.
    std::uint64_t partner(std::uint64_t place, const CombiningPhase& phase, std::uint64_t c) const {
        if (by_distance()) return (place + c * phase.weight) % count_;
        if (is_tree()) {
            const std::uint64_t below = place + c * phase.weight;
            return place % (phase.weight * phase.radix) == 0 && below < count_ ? below : place;
        }
        const std::uint64_t old = digit(place, phase);
        return place - old * phase.weight + (old + c) % phase.radix * phase.weight;
    }
    /// Blocks in the message to the partner `c` places on, at most; of kReduce and kTree 1.
    std::uint64_t blocks(const CombiningPhase& phase, std::uint64_t c) const {
        const std::uint64_t first = c * phase.weight;
        switch (shape_) {
            case Shape::kExchange:
                return count_ / phase.radix;
            case Shape::kExchangeByDistance: {
                const std::uint64_t period = phase.weight * phase.radix;
                const std::uint64_t rest = count_ % period;
                return count_ / period * phase.weight +
                       (rest > first ? std::min(rest - first, phase.weight) : 0);
            }
            case Shape::kGather:
                return phase.weight;
            case Shape::kGatherByDistance:
            case Shape::kTreeOfBlocks:
                return count_ > first ? std::min(count_ - first, phase.weight) : 0;
            case Shape::kReduce:
            case Shape::kTree:
                return 1;
        }
        return 0;
    }

private:
    std::uint64_t count_;
    Shape shape_;
};

/// What phases take: of every message of a node the time of its node, or of the fullest link if all
/// nodes send theirs at the same time; or that of what carries most in the whole phase.
class PhaseCosts {
public:
    /// `first` is the member that has place 0.
    PhaseCosts(const Task& task, std::uint64_t first, const Config& config, const Graph& graph,
               const Routing& routing)
        : task_(task),
          first_(first),
          config_(config),
          format_(config.packet_format()),
          paths_(config, graph, routing),
          loads_(graph.link_count()) {}

    /// With blocks of so many bytes; kNever where routers have no room for its packets.
    Cycle of(const Places& places, const CombiningPhase& phase, std::uint64_t block) {
        const std::uint64_t members = task_.members.size();
        // With serial startups every message has one after the other, else all have theirs at once.
        const Cycle startup = config_.node.send_startup;
        const Cycle of_each = config_.node.serial_startup ? startup : 0;
        // A node that is slower than links goes on while its packets wait for them, as long as
        // links are not crowded: what comes in no order gets over one at some 40 % of its rate.
        constexpr Cycle kCrowding = 24;  // tenths
        const Rate rate = config_.node.injection_rate;
        const bool is_slow = rate.numerator < rate.denominator;
        std::vector<std::uint64_t> sums(loads_.size());  // flits per link
        Cycle sum = startup - of_each;
        Cycle flits = 0;  // to a node
        Cycle way = 0;
        for (std::uint64_t c = 1; c < phase.radix; ++c) {
            const std::uint64_t blocks = places.blocks(phase, c);
            if (blocks == 0) continue;
            const std::uint64_t bytes = blocks * block;
            if (blocks != 1 && config_.fabric.has_packet_flow_control() &&
                format_.flits(bytes, 0) > config_.fabric.buffer_depth) {
                return kNever;
            }
            const std::uint64_t of_message = format_.message_flits(bytes);
            flits += of_message;
            std::fill(loads_.begin(), loads_.end(), 0);
            for (std::uint64_t place = 0; place < members; ++place) {
                const NodeId from = member(place);
                const NodeId to = member(places.partner(place, phase, c));
                if (from == to) continue;
                for (NodeId at = from; at != to;) {
                    const LinkId link = paths_.next(at, to);
                    loads_[link] += of_message;
                    sums[link] += of_message;
                    at = paths_.graph().link(link).to;
                }
                way = std::max(way, paths_.path(from, to).cycles);
            }
            const Cycle fullest = *std::max_element(loads_.begin(), loads_.end());
            const Cycle source = source_cycles(config_, of_message);
            sum += is_slow ? source : std::max(source, of_each + fullest);
        }
        const Cycle busiest = *std::max_element(sums.begin(), sums.end());
        const Cycle of_links =
            startup + std::max(flits, is_slow ? kCrowding * busiest / 10 : busiest);
        return std::max(sum, of_links) + way + config_.node.recv_overhead;
    }

private:
    NodeId member(std::uint64_t place) const {
        return task_.members[(place + first_) % task_.members.size()];
    }

    const Task& task_;
    const std::uint64_t first_;
    const Config& config_;
    const PacketFormat format_;
    IdlePaths paths_;
    std::vector<std::uint64_t> loads_;  // flits per link, of messages that are sent together
};

struct Phases {
    std::vector<CombiningPhase> phases;
    Cycle cycles = kNever;
};

/// Radices that are tried where any number may be one: small ones, and the last one.
bool is_tried(std::uint64_t radix, std::uint64_t rest) {
    constexpr std::uint64_t kAll = 5;
    constexpr std::uint64_t kMost = 32;
    return radix == rest || radix <= kAll || (radix <= kMost && (radix & (radix - 1)) == 0);
}

/// The shortest way from weight 1 to one of n or more, over phases.
Phases best_phases(PhaseCosts& costs, std::uint64_t members, Shape shape, std::uint64_t block) {
    const Places places(members, shape);
    const bool takes_any = places.by_distance() || places.is_tree();
    std::vector<Phases> best(members + 1);  // by the weight that is reached; the last: or more
    best[1].cycles = 0;
    for (std::uint64_t weight = 1; weight < members; ++weight) {
        if (best[weight].cycles == kNever) continue;
        const std::uint64_t rest = (members + weight - 1) / weight;
        for (std::uint64_t radix = 2; radix <= rest; ++radix) {
            const bool is_factor = members % (weight * radix) == 0;
            if (takes_any ? !is_tried(radix, rest) : !is_factor) continue;
            const CombiningPhase phase{weight, radix};
            const Cycle of_phase = costs.of(places, phase, block);
            if (of_phase == kNever) continue;
            const Cycle cycles = best[weight].cycles + of_phase;
            Phases& reached = best[std::min(weight * radix, members)];
            if (cycles >= reached.cycles) continue;
            reached = best[weight];
            reached.phases.push_back(phase);
            reached.cycles = cycles;
        }
    }
    return best[members];
}

std::vector<Shape> shapes_of(Collective collective) {
    switch (collective) {
        case Collective::kAllToAll:
            return {Shape::kExchange, Shape::kExchangeByDistance};
        case Collective::kAllGather:
        case Collective::kReduceScatter:
            return {Shape::kGather, Shape::kGatherByDistance};
        case Collective::kAllReduce:
            return {Shape::kReduce, Shape::kGather, Shape::kGatherByDistance};
        case Collective::kBroadcast:
            return {Shape::kTree};
        case Collective::kScatter:
            return {Shape::kTreeOfBlocks};
    }
    return {};
}

}  // namespace

Combining::Combining(const Task& task, const Config& config, const Graph& graph,
                     const Routing& routing)
    : task_(task) {
    if (task.members.size() < 2) return;
    if (has_root(task.collective)) {
        const auto root = std::lower_bound(task.members.begin(), task.members.end(), task.root);
        first_ = static_cast<std::uint64_t>(root - task.members.begin());
    }
    PhaseCosts costs(task, first_, config, graph, routing);
    Phases best;
    for (const Shape shape : shapes_of(task.collective)) {
        const bool is_whole = shape == Shape::kReduce;
        Phases found = best_phases(costs, task.members.size(), shape,
                                   is_whole ? task.bytes : task.chunk_bytes(0));
        const bool has_halves = task.collective == Collective::kAllReduce && !is_whole;
        if (has_halves && found.cycles != kNever) found.cycles *= 2;
        if (found.cycles >= best.cycles) continue;
        best = std::move(found);
        shape_ = shape;
    }
    phases_ = std::move(best.phases);
    cycles_ = best.cycles;
}

ChunkSchedule Combining::schedule() const {
    ChunkSchedule schedule;
    schedule.task = task_;
    schedule.method = "combining";
    schedule.merges = true;
    schedule.expected = cycles_;
    switch (task_.collective) {
        case Collective::kAllToAll:
            schedule.rounds = exchange();
            break;
        case Collective::kAllGather:
            schedule.rounds = gather();
            break;
        case Collective::kReduceScatter:
            schedule.rounds = played_backwards(gather());
            break;
        case Collective::kAllReduce:
            if (shape_ == Shape::kReduce) {
                schedule.rounds = reduce();
                break;
            }
            schedule.rounds = played_backwards(gather());
            for (std::vector<ChunkMove>& round : gather()) {
                schedule.rounds.push_back(std::move(round));
            }
            break;
        case Collective::kBroadcast:
        case Collective::kScatter:
            schedule.rounds = tree();
            break;
    }
    return schedule;
}

NodeId Combining::member(std::uint64_t place) const {
    return task_.members[(place + first_) % task_.members.size()];
}

void Combining::add_message(std::uint64_t from, std::uint64_t to,
                            const std::vector<std::uint64_t>& blocks,
                            std::vector<ChunkMove>& round) const {
    for (const std::uint64_t block : blocks) {
        ChunkMove move;
        move.from = member(from);
        move.to = member(to);
        move.chunk = block;
        round.push_back(move);
    }
}

Combining::Rounds Combining::exchange() const {
    const std::uint64_t members = task_.members.size();
    const Places places(members, shape_);
    std::vector<std::vector<std::uint64_t>> held(members);  // blocks, by place
    for (std::uint64_t block = 0; block < task_.blocks(); ++block) {
        held[block / (members - 1)].push_back(block);
    }
    const auto number_of = [&](std::uint64_t block) {
        const std::uint64_t source = block / (members - 1);
        const std::uint64_t place = block % (members - 1);
        return places.number(source, place < source ? place : place + 1);
    };
    Rounds rounds;
    for (const CombiningPhase& phase : phases_) {
        rounds.emplace_back();
        std::vector<std::vector<std::uint64_t>> next(members);
        for (std::uint64_t place = 0; place < members; ++place) {
            std::vector<std::vector<std::uint64_t>> messages(phase.radix);
            for (const std::uint64_t block : held[place]) {
                const std::uint64_t digit = places.digit(number_of(block), phase);
                const std::uint64_t old = places.by_distance() ? 0 : places.digit(place, phase);
                messages[(digit + phase.radix - old) % phase.radix].push_back(block);
            }
            for (std::uint64_t c = 0; c < phase.radix; ++c) {
                const std::uint64_t to = c == 0 ? place : places.partner(place, phase, c);
                next[to].insert(next[to].end(), messages[c].begin(), messages[c].end());
                if (c != 0) add_message(place, to, messages[c], rounds.back());
            }
        }
        held = std::move(next);
    }
    return rounds;
}

Combining::Rounds Combining::gather() const {
    const std::uint64_t members = task_.members.size();
    const Places places(members, shape_);
    std::vector<std::vector<std::uint64_t>> held(members);  // by distance the nearest behind first
    for (std::uint64_t place = 0; place < members; ++place) held[place].push_back(place);
    Rounds rounds;
    for (const CombiningPhase& phase : phases_) {
        rounds.emplace_back();
        std::vector<std::vector<std::uint64_t>> next = held;
        for (std::uint64_t c = 1; c < phase.radix; ++c) {
            const std::uint64_t most = places.blocks(phase, c);
            for (std::uint64_t place = 0; place < members && most != 0; ++place) {
                std::vector<std::uint64_t> message = held[place];
                message.resize(most);
                const std::uint64_t to = places.partner(place, phase, c);
                next[to].insert(next[to].end(), message.begin(), message.end());
                add_message(place, to, message, rounds.back());
            }
        }
        held = std::move(next);
    }
    return rounds;
}

Combining::Rounds Combining::reduce() const {
    const std::uint64_t members = task_.members.size();
    const Places places(members, shape_);
    std::vector<std::uint64_t> vector(task_.blocks());
    for (std::uint64_t block = 0; block < vector.size(); ++block) vector[block] = block;
    Rounds rounds;
    for (const CombiningPhase& phase : phases_) {
        rounds.emplace_back();
        for (std::uint64_t place = 0; place < members; ++place) {
            for (std::uint64_t c = 1; c < phase.radix; ++c) {
                add_message(place, places.partner(place, phase, c), vector, rounds.back());
            }
        }
        for (ChunkMove& move : rounds.back()) move.combines = true;
    }
    return rounds;
}

Combining::Rounds Combining::tree() const {
    const std::uint64_t members = task_.members.size();
    const Places places(members, shape_);
    // Of a scatter block b is for the b-th member but the root.
    const auto block_of = [&](std::uint64_t place) {
        const std::uint64_t number = (place + first_) % members;
        return number < first_ ? number : number - 1;
    };
    Rounds rounds;
    for (auto phase = phases_.rbegin(); phase != phases_.rend(); ++phase) {
        rounds.emplace_back();
        for (std::uint64_t place = 0; place < members; place += phase->weight * phase->radix) {
            for (std::uint64_t c = 1; c < phase->radix; ++c) {
                const std::uint64_t to = places.partner(place, *phase, c);
                if (to == place) continue;
                std::vector<std::uint64_t> message{0};
                if (shape_ == Shape::kTreeOfBlocks) {
                    message.clear();
                    const std::uint64_t end = std::min(to + phase->weight, members);
                    for (std::uint64_t below = to; below < end; ++below) {
                        message.push_back(block_of(below));
                    }
                }
                add_message(place, to, message, rounds.back());
            }
        }
    }
    return rounds;
}

}  // namespace flitscope::synthesis
