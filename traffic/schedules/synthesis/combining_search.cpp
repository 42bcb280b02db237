// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/combining_search.h"

#include <algorithm>
#include <set>
#include <utility>

#include "models/config/hardware_config.h"
#include "models/performance/bounds.h"
#include "models/topology/graph.h"

namespace flitscope::synthesis {
namespace {

using Shape = CombiningShape;

/// Maximum schedules of a shape kept during composition, and those rehearsed as a whole.
constexpr std::size_t kKept = 8;
constexpr std::size_t kWhole = 8;

/// Radices to try if any number is allowed: small ones, and the last one.
bool is_tried(std::uint64_t radix, std::uint64_t rest) {
    constexpr std::uint64_t kAll = 5;
    constexpr std::uint64_t kMost = 32;
    return radix == rest || radix <= kAll || (radix <= kMost && (radix & (radix - 1)) == 0);
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

/// A reduce-scatter, then an all-gather.
bool has_halves(Collective collective, Shape shape) {
    return collective == Collective::kAllReduce && shape != Shape::kReduce;
}

/// 0 on a router without links.
std::uint64_t most_of(const std::vector<std::uint64_t>& loads) {
    return loads.empty() ? 0 : *std::max_element(loads.begin(), loads.end());
}

}  // namespace

CombiningSearch::CombiningSearch(const Task& task, std::uint64_t first,
                                 const HardwareConfig& config, const Graph& graph,
                                 const Routing& routing, Rehearsal& rehearsal)
    : task_(task),
      first_(first),
      config_(config),
      format_(config.packet_format()),
      paths_(config, graph, routing),
      rehearsal_(rehearsal),
      loads_(graph.link_count()) {}

std::uint64_t CombiningSearch::block_bytes(Shape shape) const {
    return shape == Shape::kReduce ? task_.bytes : task_.chunk_bytes(0);
}

/// For every message of a node the time of its node, or of the fullest link if all nodes send
/// theirs at the same time; or that of the busiest in the whole phase. kNever if routers have no
/// room for its packets.
Cycle CombiningSearch::estimate(const CombiningPlaces& places, const CombiningPhase& phase,
                                std::uint64_t block) {
    const std::uint64_t members = task_.members.size();
    // With serial startups every message has one after the other, else all have theirs at once.
    const Cycle startup = config_.node.send_overhead;
    const Cycle of_each = config_.node.serialize_overhead ? startup : 0;
    // A node that is slower than links continues while its packets wait for them.
    const Rate rate = config_.node.injection_bandwidth;
    const bool is_slow = rate.is_slow();
    std::vector<std::uint64_t> sums(loads_.size());  // cycles per link
    Cycle sum = startup - of_each;
    Cycle flits = 0;  // to a node
    Cycle way = 0;
    for (std::uint64_t c = 1; c < phase.radix; ++c) {
        const std::uint64_t blocks = places.blocks(phase, c);
        if (blocks == 0) continue;
        const std::uint64_t bytes = blocks * block;
        if (blocks != 1 && config_.fabric.has_packet_flow_control() &&
            format_.longest_packet(bytes) > config_.fabric.buffer_depth) {
            return kNever;
        }
        const std::uint64_t of_message = format_.message_flits(bytes);
        flits += of_message;
        std::fill(loads_.begin(), loads_.end(), 0);
        for (std::uint64_t place = 0; place < members; ++place) {
            const NodeId from = member(place);
            const NodeId to = member(places.partner(place, phase, c));
            if (from == to) continue;
            const Graph& graph = paths_.graph();
            for (RouterId at = graph.router_of(from); at != graph.router_of(to);) {
                const LinkId link = paths_.next(at, to);
                const std::uint64_t cycles = of_message * graph.link(link).rate_cycles;
                loads_[link] += cycles;
                sums[link] += cycles;
                at = graph.link(link).to;
            }
            way = std::max(way, paths_.path(from, to).cycles);
        }
        const Cycle fullest = most_of(loads_);
        const Cycle source = source_cycles(config_, of_message);
        sum += is_slow ? source : std::max(source, of_each + fullest);
    }
    const Cycle busiest = most_of(sums);
    return std::max(sum, startup + std::max(flits, busiest)) + way + config_.node.recv_overhead;
}

CombiningSearch::Cost& CombiningSearch::cost(Shape shape, const CombiningPhase& phase) {
    const auto [known, is_new] = costs_.try_emplace({shape, phase.weight, phase.radix});
    if (is_new) {
        known->second.cycles = estimate({task_.members.size(), shape}, phase, block_bytes(shape));
    }
    return known->second;
}

void CombiningSearch::add_messages(Shape shape, const CombiningPhase& phase, bool is_backwards,
                                   StepId step, Program& program) const {
    const CombiningPlaces places(task_.members.size(), shape);
    for (std::uint64_t c = 1; c < phase.radix; ++c) {
        const std::uint64_t bytes = places.blocks(phase, c) * block_bytes(shape);
        if (places.blocks(phase, c) == 0) continue;
        for (std::uint64_t place = 0; place < task_.members.size(); ++place) {
            NodeId from = member(place);
            NodeId to = member(places.partner(place, phase, c));
            if (from == to) continue;
            if (is_backwards) std::swap(from, to);
            program.send(from, to, bytes, step);
        }
    }
}

Program CombiningSearch::program_of(const CombiningPhases& found) const {
    Program program = empty_program("combining", task_.nodes, 0);
    StepId step = 0;
    const std::vector<CombiningPhase>& phases = found.phases;
    const bool has_both = has_halves(task_.collective, found.shape);
    const bool is_tree = CombiningPlaces(task_.members.size(), found.shape).is_tree();
    if (has_both || is_tree || task_.collective == Collective::kReduceScatter) {
        for (auto phase = phases.rbegin(); phase != phases.rend(); ++phase) {
            add_messages(found.shape, *phase, !is_tree, step++, program);
        }
        if (!has_both) return program;
    }
    for (const CombiningPhase& phase : phases) {
        add_messages(found.shape, phase, false, step++, program);
    }
    return program;
}

/// The shortest ways from weight 1 to one of n or more, over phases.
std::vector<CombiningPhases> CombiningSearch::shortest(Shape shape) {
    const std::uint64_t members = task_.members.size();
    const CombiningPlaces places(members, shape);
    const bool takes_any = places.by_distance() || places.is_tree();
    // By the weight that is reached, the last: or more; the shortest first.
    std::vector<std::vector<CombiningPhases>> best(members + 1);
    best[1].push_back({shape, {}, 0, false});
    for (std::uint64_t weight = 1; weight < members; ++weight) {
        if (best[weight].empty()) continue;
        const std::uint64_t rest = (members + weight - 1) / weight;
        for (std::uint64_t radix = 2; radix <= rest; ++radix) {
            const bool is_factor = members % (weight * radix) == 0;
            if (takes_any ? !is_tried(radix, rest) : !is_factor) continue;
            const CombiningPhase phase{weight, radix};
            const Cost& of = cost(shape, phase);
            const Cycle of_phase = of.cycles;
            if (of_phase == kNever || (only_known_ && !of.is_known)) continue;
            std::vector<CombiningPhases>& reached = best[std::min(weight * radix, members)];
            for (const CombiningPhases& before : best[weight]) {
                CombiningPhases longer = before;
                longer.phases.push_back(phase);
                longer.cycles += of_phase;
                const auto place = std::upper_bound(
                    reached.begin(), reached.end(), longer,
                    [](const auto& a, const auto& b) { return a.cycles < b.cycles; });
                reached.insert(place, std::move(longer));
                if (reached.size() > kKept) reached.pop_back();
            }
        }
    }
    if (has_halves(task_.collective, shape)) {
        for (CombiningPhases& found : best[members]) found.cycles *= 2;
    }
    return best[members];
}

/// Those not known yet, up to `latest`. True if one takes longer than estimated.
bool CombiningSearch::rehearse_phases(const CombiningPhases& found, Cycle latest) {
    bool is_new = false;
    for (const CombiningPhase& phase : found.phases) {
        Cost& of = cost(found.shape, phase);
        if (of.is_known) continue;
        Program program = empty_program("phase", task_.nodes, 0);
        add_messages(found.shape, phase, task_.collective == Collective::kReduceScatter, 0,
                     program);
        const std::optional<Cycle> cycles = rehearsal_.cycles_of(program, latest);
        of.is_known = true;
        if (!cycles && !rehearsal_.has_work()) return true;
        // A phase longer than `latest` rules out every schedule with it.
        const Cycle known = cycles ? *cycles : kNever;
        is_new = is_new || known != of.cycles;
        of.cycles = known;
    }
    return is_new;
}

CombiningPhases CombiningSearch::best(const std::function<bool()>& goes_on, Cycle latest) {
    // Phases that overlap take less than one after the other, but not by more.
    constexpr double kOverlap = 1.2;
    CombiningPhases best;
    std::vector<CombiningPhases> whole;  // that were rehearsed
    // With many promising phases the rest of the work goes to those known by then.
    const std::uint64_t for_whole = rehearsal_.work_left() / 3;
    while (true) {
        only_known_ = best.cycles != kNever && rehearsal_.work_left() < for_whole;
        std::vector<CombiningPhases> all;
        for (const Shape shape : shapes_of(task_.collective)) {
            for (CombiningPhases& found : shortest(shape)) all.push_back(std::move(found));
        }
        std::stable_sort(all.begin(), all.end(),
                         [](const auto& a, const auto& b) { return a.cycles < b.cycles; });
        if (!best.is_rehearsed && !all.empty()) best = all.front();
        const auto next = std::find_if(all.begin(), all.end(), [&](const CombiningPhases& found) {
            return std::none_of(whole.begin(), whole.end(), [&](const CombiningPhases& done) {
                return done.shape == found.shape && done.phases == found.phases;
            });
        });
        if (next == all.end() || whole.size() == kWhole || !rehearsal_.has_work() ||
            (goes_on && !goes_on()) ||
            static_cast<double>(next->cycles) > kOverlap * static_cast<double>(latest)) {
            return best;
        }
        if (rehearse_phases(*next, latest)) continue;
        whole.push_back(*next);
        const auto cycles = rehearsal_.cycles_of(program_of(*next), latest);
        if (!cycles) continue;
        best = *next;
        best.cycles = *cycles;
        best.is_rehearsed = true;
        latest = *cycles - 1;
    }
}

}  // namespace flitscope::synthesis
