// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The settings that are one of a few words, as enumerations. Words are read and written at the
// boundary (key_kinds.h, reports); everywhere else a switch without a default covers every value,
// and the compiler refuses one that does not.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace flitscope {

/// fabric.switching: when a router passes a packet on (hw/TIMING.md, "Switching").
enum class Switching : std::uint8_t {
    kWormhole,           ///< flit by flit, as credits come
    kVirtualCutThrough,  ///< where there is room for all of it
    kStoreAndForward,    ///< and once all of it has arrived
    kCircuit,            ///< not at all: every message has a path of its own
};

/// fabric.switch_arbitration: which input sends where virtual channels compete (hw/TIMING.md, step
/// 3).
enum class SwitchArbitration : std::uint8_t {
    kRoundRobin,  ///< they take turns flit by flit
    kHold,        ///< one goes on while it has flits and credits, up to its tail
};

/// fabric.allocation: when a head is given the virtual channel that it goes out on
/// (hw/TIMING.md, "One cycle of a router" and "Combined allocation").
enum class Allocation : std::uint8_t {
    kSequential,  ///< first the virtual channel, then the switch, in one cycle
    kCombined,    ///< with the switch, in the cycle in which it leaves
};

/// node.port_model: what a node may send at a time (hw/TIMING.md, "Port models"; the communication
/// models of Ziavras et al., Section 4).
enum class PortModel : std::uint8_t {
    kSingle = 0,       ///< one channel to the router, one from it
    kOneOutput = 1,    ///< over one channel (model 1 of the paper)
    kSameValue = 2,    ///< over several channels, the same value (model 2)
    kIndependent = 3,  ///< over all channels, different values (model 3)
};

/// traffic.arrivals: when the sources of a pattern begin messages.
enum class ArrivalKind : std::uint8_t {
    kBernoulli,  ///< in every cycle with the same probability
    kPeriodic,   ///< as evenly as whole cycles allow
    kBursty,     ///< in bursts: a Markov source with two states
};

/// fabric.router: which description of the router stands at a node.
enum class RouterKind : std::uint8_t { kSystemC, kRtl };

/// fabric.router.protocol: how a router in RTL that is not ours takes and passes on flits
/// (hw/rtl/README.md).
enum class RtlProtocol : std::uint8_t {
    kFlit,        ///< as ours does: virtual channels, credits
    kValidReady,  ///< with valid and ready, behind valid_ready_adapter.sv
};

/// fabric.topology.layout: where an express mesh has express links.
enum class ExpressLayout : std::uint8_t {
    kFull,       ///< in every line
    kSparse,     ///< in one line out of every `segment`
    kShifted,    ///< there, but shifted to keep the degree at 5
    kCompound,   ///< there, with terminals of two nodes of degree 5
    kHierarchy,  ///< in levels
};

/// fabric.link_delay.model: what decides the delay of a wire (hw/TIMING.md, "Channels").
enum class LinkDelayModel : std::uint8_t {
    kConstant,  ///< nothing: every wire has the same
    kLinear,    ///< its length in node pitches
    kPhysical,  ///< its length in millimetres, and the clock
};

/// traffic.trace.format: what wrote the trace of an application.
enum class TraceFormat : std::uint8_t {
    kGoal,    ///< LogGOPSim, ATLAHS: text, or what txt2bin makes of it
    kCsv,     ///< messages with times
    kChakra,  ///< MLCommons execution traces, a file for each rank
};

/// traffic.trace.placement: which node is which rank.
enum class RankPlacement : std::uint8_t {
    kLinear,  ///< rank n is node n
    kRandom,  ///< drawn from the seed
    kFile,    ///< a list
    kVolume,  ///< ranks that send each other much are near each other
};

/// The values of each, in the order of the enumeration; the default comes first.
inline constexpr std::array kSwitchings{Switching::kWormhole, Switching::kVirtualCutThrough,
                                        Switching::kStoreAndForward, Switching::kCircuit};
inline constexpr std::array kSwitchArbitrations{SwitchArbitration::kRoundRobin,
                                                SwitchArbitration::kHold};
inline constexpr std::array kAllocations{Allocation::kSequential, Allocation::kCombined};
inline constexpr std::array kPortModels{PortModel::kSingle, PortModel::kOneOutput,
                                        PortModel::kSameValue, PortModel::kIndependent};
inline constexpr std::array kArrivalKinds{ArrivalKind::kBernoulli, ArrivalKind::kPeriodic,
                                          ArrivalKind::kBursty};
inline constexpr std::array kTraceFormats{TraceFormat::kGoal, TraceFormat::kCsv,
                                          TraceFormat::kChakra};
inline constexpr std::array kRankPlacements{RankPlacement::kLinear, RankPlacement::kRandom,
                                            RankPlacement::kFile, RankPlacement::kVolume};
inline constexpr std::array kRouterKinds{RouterKind::kSystemC, RouterKind::kRtl};
inline constexpr std::array kRtlProtocols{RtlProtocol::kFlit, RtlProtocol::kValidReady};
inline constexpr std::array kExpressLayouts{ExpressLayout::kFull, ExpressLayout::kSparse,
                                            ExpressLayout::kShifted, ExpressLayout::kCompound,
                                            ExpressLayout::kHierarchy};
inline constexpr std::array kLinkDelayModels{LinkDelayModel::kConstant, LinkDelayModel::kLinear,
                                             LinkDelayModel::kPhysical};

/// The word that configurations and reports have for a value.
std::string name_of(Switching switching);
std::string name_of(SwitchArbitration arbitration);
std::string name_of(Allocation allocation);
std::string name_of(PortModel model);
std::string name_of(ArrivalKind arrivals);
std::string name_of(TraceFormat format);
std::string name_of(RankPlacement placement);
std::string name_of(RouterKind router);
std::string name_of(RtlProtocol protocol);
std::string name_of(ExpressLayout layout);
std::string name_of(LinkDelayModel model);

/// The one of `values` whose name_of() is `name`; nothing when none has it.
template <class Values>
std::optional<typename Values::value_type> value_named(const Values& values,
                                                       const std::string& name) {
    for (const auto value : values) {
        if (name_of(value) == name) return value;
    }
    return std::nullopt;
}

}  // namespace flitscope
