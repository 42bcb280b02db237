// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/explain/cause.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace flitscope {
namespace {

struct Words {
    const char* name;
    const char* meaning;
};

constexpr std::array<Words, kCauses> kWords{{
    {"compute", "computation of a rank"},
    {"startup", "startup of a send"},
    {"receive", "receiving a message"},
    {"assembly", "the node feeds its interface slowly"},
    {"source_queue", "the node sends another message first"},
    {"traversal", "flits in transit through routers and wires"},
    {"serialization", "flits of a message, one per cycle"},
    {"head_of_line", "another packet ahead in the same buffer"},
    {"vc_busy", "another packet holds the channel"},
    {"credit_stall", "the downstream buffer is full"},
    {"switch_stall", "other packets use the router's input or output"},
    {"store", "stored before it is forwarded"},
    {"set_up", "header of a circuit in transit"},
    {"route_choice", "adaptive routing chose an output that was not available"},
    {"dependency", "the program waits for a message"},
    {"barrier", "cost of the barrier"},
    {"program_time", "not before this time by the program"},
}};

}  // namespace

const char* cause_name(Cause cause) { return kWords[static_cast<std::size_t>(cause)].name; }
bool waits_for_others(Cause cause) {
    switch (cause) {
        case Cause::kSourceQueue:
        case Cause::kHeadOfLine:
        case Cause::kVcBusy:
        case Cause::kCreditStall:
        case Cause::kSwitchStall:
        case Cause::kRouteChoice:
            return true;
        default:
            return false;
    }
}

const char* cause_meaning(Cause cause) { return kWords[static_cast<std::size_t>(cause)].meaning; }

std::optional<Cause> find_cause(const std::string& name) {
    for (std::size_t i = 0; i < kCauses; ++i) {
        if (name == kWords[i].name) return static_cast<Cause>(i);
    }
    return std::nullopt;
}

std::vector<Cause> ranked_causes(const CauseCycles& cycles) {
    std::vector<std::size_t> order(kCauses);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return cycles[a] > cycles[b]; });
    std::vector<Cause> causes;
    for (const std::size_t i : order) {
        if (cycles[i] != 0) causes.push_back(static_cast<Cause>(i));
    }
    return causes;
}

}  // namespace flitscope
