// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The section `fabric`: the network, its routers and its wires.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/config/link_delay_config.h"
#include "models/config/link_rate_config.h"
#include "models/config/router_choice.h"
#include "models/config/topology_config.h"

namespace flitscope {

/// fabric.switching: when a router passes a packet on (hw/TIMING.md, "Switching").
enum class Switching : std::uint8_t {
    kWormhole,           ///< flit by flit, as credits come
    kVirtualCutThrough,  ///< if there is room for all of it
    kStoreAndForward,    ///< and once all of it has arrived
    kCircuit,            ///< not at all: every message has a dedicated path
};

/// fabric.switch_arbitration: which input sends when virtual channels compete (hw/TIMING.md, step
/// 3).
enum class SwitchArbitration : std::uint8_t {
    kRoundRobin,  ///< they take turns flit by flit
    kPerPacket,   ///< one continues while it has flits and credits, up to its tail
};

/// fabric.allocation: when a head is granted its output virtual channel (hw/TIMING.md, "One cycle
/// of a router" and "Combined allocation").
enum class Allocation : std::uint8_t {
    kSequential,  ///< first the virtual channel, then the switch, in one cycle
    kCombined,    ///< with the switch, in the cycle in which it leaves
};

/// fabric.link_protocol: how the sender of a channel learns of room at its end (hw/TIMING.md,
/// "Channels").
enum class LinkProtocol : std::uint8_t {
    kCredits,     ///< by a credit for every flit that has left the FIFO there
    kValidReady,  ///< by ready, a register of what it is connected to: there is a place
};

/// fabric.spread: which of several equally good next links a routing by table takes
/// (models/routing/README.md, "Spreading").
enum class Spread : std::uint8_t {
    kNone,   ///< that at the lowest port
    kPorts,  ///< that which the fewest destinations share so far
    kFlow,   ///< that over which the fewest nodes send so far
    kPaths,  ///< that of the path over whose busiest link the fewest nodes send so far
};

/// The values of each, in the order of the enumeration; the default comes first.
inline constexpr std::array kSwitchings{Switching::kWormhole, Switching::kVirtualCutThrough,
                                        Switching::kStoreAndForward, Switching::kCircuit};
inline constexpr std::array kSwitchArbitrations{SwitchArbitration::kRoundRobin,
                                                SwitchArbitration::kPerPacket};
inline constexpr std::array kAllocations{Allocation::kSequential, Allocation::kCombined};
inline constexpr std::array kLinkProtocols{LinkProtocol::kCredits, LinkProtocol::kValidReady};
inline constexpr std::array kSpreads{Spread::kNone, Spread::kPorts, Spread::kFlow, Spread::kPaths};

/// The word that configurations and reports have for a value.
std::string name_of(Switching switching);
std::string name_of(SwitchArbitration arbitration);
std::string name_of(Allocation allocation);
std::string name_of(LinkProtocol protocol);
std::string name_of(Spread spread);

struct FabricConfig {
    TopologyConfig topology;
    std::uint32_t planes = 1;       ///< networks side by side, all alike, that share the nodes
    std::string routing = "auto";   ///< auto, a name of routing_kinds(), or "file"
    std::string routes_file;        ///< routing "file": resolved against the config's folder
    Spread spread = Spread::kNone;  ///< of a routing by table; `auto` chooses
    RouterChoice router;
    std::vector<RouterOverride> router_overrides;
    /// Parameters of the user's own RTL router, by name, in alphabetical order.
    std::map<std::string, std::int64_t> router_parameters;
    /// Those of its parameters that every router has other values of.
    std::map<std::string, RouterPlace> router_places;
    std::uint32_t virtual_channels = 1;
    std::vector<std::string> classes;             ///< classes of messages, by name; empty: one
    std::vector<std::uint32_t> class_priorities;  ///< per class, higher first; empty: all alike
    std::vector<std::uint32_t> class_weights;     ///< per class; empty: no weighted turns
    SwitchArbitration switch_arbitration = SwitchArbitration::kRoundRobin;
    std::uint32_t input_speedup = 1;   ///< inputs of a router's switch per port
    std::uint32_t output_speedup = 1;  ///< outputs of a router's switch per port
    std::uint32_t output_queue = 8;    ///< output_speedup > 1: flits of the queue of a port
    Allocation allocation = Allocation::kSequential;
    Switching switching = Switching::kWormhole;
    std::uint32_t combining_delay = 0;  ///< store_and_forward: cycles
    std::uint32_t setup_delay = 1;      ///< circuit: cycles per link of a path
    LinkProtocol link_protocol = LinkProtocol::kCredits;
    std::uint32_t buffer_depth = 8;
    std::uint32_t flit_bits = 64;        ///< with a budget: the width it leaves (apply_wire_budget)
    std::uint32_t header_bits = 0;       ///< beside each flit, for headers that are no flits
    std::uint32_t pin_budget = 0;        ///< wires per node and direction; 0 = no budget
    std::uint32_t bisection_budget = 0;  ///< wires over the bisection, per direction; 0 = none
    std::uint32_t router_delay = 1;
    LinkDelayConfig link_delay;
    LinkRateConfig link_rate;
    bool allow_deadlock = false;  ///< run although the deadlock check found a cycle

    /// Wires of a channel for a flit and the header beside it.
    std::uint32_t channel_bits() const { return flit_bits + header_bits; }
    /// Whether output ports have a queue between the switch and their channel.
    bool has_output_queues() const { return output_speedup > 1; }
    bool has_classes() const { return !classes.empty(); }
    std::uint32_t class_count() const {
        return std::max<std::uint32_t>(1, static_cast<std::uint32_t>(classes.size()));
    }
    /// Virtual channels of each class, which has a network of them to itself.
    std::uint32_t channels_per_class() const { return virtual_channels / class_count(); }
    /// As many as there can be with this switching.
    std::uint32_t most_virtual_channels() const;
    /// The number of the class of that name; none without such a class.
    std::optional<MessageClass> class_named(const std::string& name) const;

    /// Whether input virtual channels that stream keep the switch. With one virtual channel no
    /// packet has to compete, and both settings give the same router.
    bool holds_switch() const {
        return virtual_channels > 1 && switch_arbitration == SwitchArbitration::kPerPacket;
    }
    /// A head owns an output virtual channel only from its departure on.
    bool combines_allocation() const { return allocation == Allocation::kCombined; }
    /// Packet-level flow control: a packet is passed on only if there is room for all of it.
    bool has_packet_flow_control() const {
        switch (switching) {
            case Switching::kVirtualCutThrough:
            case Switching::kStoreAndForward:
                return true;
            case Switching::kWormhole:
            case Switching::kCircuit:
                return false;
        }
        return false;
    }
    /// Whether a packet is passed on only once all of it has arrived.
    bool stores_packets() const { return switching == Switching::kStoreAndForward; }
    /// Whether senders see no more of a FIFO than that it has a place.
    bool has_valid_ready_links() const { return link_protocol == LinkProtocol::kValidReady; }
    /// A message has a dedicated path from end to end.
    bool switches_circuits() const { return switching == Switching::kCircuit; }
    bool has_rtl_overrides() const {
        return std::any_of(router_overrides.begin(), router_overrides.end(),
                           [](const RouterOverride& entry) { return entry.router.is_rtl(); });
    }
    /// Whether the configuration has any.
    bool has_rtl_routers() const { return router.is_rtl() || has_rtl_overrides(); }
    /// The key that sets them first.
    const char* rtl_key() const {
        return router.is_rtl() || !has_rtl_overrides() ? "fabric.router"
                                                       : "fabric.router_overrides";
    }
    /// The one module of a fabric's RTL routers; flitscope's if there are no RTL routers.
    const RtlModule& rtl_module() const;
};

}  // namespace flitscope
