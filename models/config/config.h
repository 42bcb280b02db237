// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The resolved configuration of one run: every setting with its value, checked for type and range.
// Keys, ranges, defaults and meanings are listed once, by the owner of each setting
// (config_table.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/types.h"
#include "models/config/choices.h"
#include "models/config/packet_format.h"

namespace flitscope {

struct Config;

struct TopologyConfig {
    std::string kind;                    ///< a name of topology_families()
    std::vector<std::uint32_t> dims;     ///< grids: nodes per dimension, the last varies fastest
    bool folded = false;                 ///< torus: rings laid out flat
    std::uint32_t dimensions = 0;        ///< hypercube: 2^dimensions nodes
    std::vector<std::uint32_t> windows;  ///< how: one for all dimensions, or one for each
    std::uint32_t segment = 0;           ///< express_mesh: length of express links
    ExpressLayout layout = ExpressLayout::kFull;  ///< express_mesh
    std::uint32_t levels = 1;                     ///< express_mesh, hierarchy: of express links
    std::string file;  ///< custom: graph file, resolved against the config's folder
    /// The keys that one family alone has, by name (TopologyFamily::parameters).
    std::map<std::string, std::uint32_t> parameters;

    /// The one of that name; 0 where it is not set.
    std::uint32_t parameter(const std::string& name) const {
        const auto it = parameters.find(name);
        return it == parameters.end() ? 0 : it->second;
    }
};

struct LinkDelayConfig {
    LinkDelayModel model = LinkDelayModel::kConstant;
    std::uint32_t cycles = 1;  ///< constant: delay of every wire
    std::uint32_t reach = 1;   ///< linear: node pitches per cycle
    /// Physical: millimetres from a node to the next, the side of its tile. Not known while it
    /// is to be derived.
    double pitch_mm = 0;
    /// Physical: the tile is a square of the area of the synthesized router and `node_mm2`, in
    /// place of `pitch_mm` (resolve_synthesized() gives it).
    bool pitch_is_derived = false;
    double node_mm2 = 0;        ///< physical, derived: of a tile, what is no router
    double ns_per_mm = 0.0585;  ///< physical: of a wire with repeaters, linear in its length
    double pf_per_mm = 0.35;    ///< physical: what a transition of a wire charges

    bool is_physical() const { return model == LinkDelayModel::kPhysical; }
    /// Physical: nanoseconds on a wire of `length` node pitches.
    double ns(std::uint32_t length) const { return length * pitch_mm * ns_per_mm; }
    /// Cycles of `clock_ns` on a wire of `length` node pitches, at least 1; the largest number
    /// where that does not hold them.
    std::uint32_t delay(std::uint32_t length, double clock_ns) const;
};

/// A router in SystemVerilog, flitscope's or the user's own (hw/rtl/README.md).
struct RtlModule {
    static constexpr const char* kOwn = "router";

    std::string top = kOwn;  ///< name of the top module
    /// Its files in the order in which they are compiled, resolved against the config's folder;
    /// empty if flitscope has the module, or its library is already there.
    std::vector<std::string> sources;
    RtlProtocol protocol = RtlProtocol::kFlit;

    bool is_own() const { return top == kOwn; }
};
inline bool operator==(const RtlModule& a, const RtlModule& b) {
    return a.top == b.top && a.sources == b.sources && a.protocol == b.protocol;
}

/// The router at a node: one of flitscope's descriptions, or another module.
struct RouterChoice {
    RouterKind kind = RouterKind::kSystemC;
    RtlModule module;  ///< kRtl

    RouterChoice() = default;
    // Either one is a choice: `router = RouterKind::kRtl`, `router = RtlModule{"mine"}`.
    RouterChoice(RouterKind chosen) : kind(chosen) {}
    RouterChoice(RtlModule chosen) : kind(RouterKind::kRtl), module(std::move(chosen)) {}

    bool is_rtl() const { return kind == RouterKind::kRtl; }
};

/// Nodes whose router is another one than the rest of the fabric has.
struct RouterOverride {
    std::vector<NodeId> nodes;
    RouterChoice router;
};

struct FabricConfig {
    TopologyConfig topology;
    std::string routing = "auto";  ///< auto, or a name of routing_kinds()
    RouterChoice router;
    std::vector<RouterOverride> router_overrides;
    std::uint32_t virtual_channels = 1;
    std::vector<std::string> classes;             ///< of messages, by name; empty: there is one
    std::vector<std::uint32_t> class_priorities;  ///< per class, higher first; empty: all alike
    std::vector<std::uint32_t> class_weights;     ///< per class; empty: no weighted turns
    SwitchArbitration switch_arbitration = SwitchArbitration::kRoundRobin;
    Allocation allocation = Allocation::kSequential;
    Switching switching = Switching::kWormhole;
    std::uint32_t combining_delay = 0;  ///< store_and_forward: cycles
    std::uint32_t setup_delay = 1;      ///< circuit: cycles per link of a path
    std::uint32_t buffer_depth = 8;
    std::uint32_t flit_bits = 64;        ///< with a budget: what it leaves (apply_wire_budget)
    std::uint32_t pin_budget = 0;        ///< wires per node and direction; 0 = no budget
    std::uint32_t bisection_budget = 0;  ///< wires over the bisection, per direction; 0 = none
    std::uint32_t router_delay = 1;
    LinkDelayConfig link_delay;
    bool allow_deadlock = false;  ///< run although the deadlock check found a cycle

    bool has_classes() const { return !classes.empty(); }
    std::uint32_t class_count() const {
        return std::max<std::uint32_t>(1, static_cast<std::uint32_t>(classes.size()));
    }
    /// Virtual channels of each class, which has a network of them to itself.
    std::uint32_t channels_per_class() const { return virtual_channels / class_count(); }
    /// The number of the class of that name; none where there is none.
    std::optional<MessageClass> class_named(const std::string& name) const;

    /// Whether input virtual channels that stream keep the switch. With one virtual channel no
    /// packet has to compete, and both settings give the same router.
    bool holds_switch() const {
        return virtual_channels > 1 && switch_arbitration == SwitchArbitration::kHold;
    }
    /// A head owns an output virtual channel only from its departure on.
    bool combines_allocation() const { return allocation == Allocation::kCombined; }
    /// Packet-level flow control: a packet is passed on only where there is room for all of it.
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
    /// A message has a path of its own from end to end.
    bool switches_circuits() const { return switching == Switching::kCircuit; }
    bool has_rtl_overrides() const {
        return std::any_of(router_overrides.begin(), router_overrides.end(),
                           [](const RouterOverride& entry) { return entry.router.is_rtl(); });
    }
    /// Whether the configuration asks for any.
    bool has_rtl_routers() const { return router.is_rtl() || has_rtl_overrides(); }
    /// The key that asks for them first.
    const char* rtl_key() const {
        return router.is_rtl() || !has_rtl_overrides() ? "fabric.router"
                                                       : "fabric.router_overrides";
    }
    /// The module of the RTL routers, of which a fabric has one; flitscope's where there are none.
    const RtlModule& rtl_module() const;
    /// The router of `node`: of several overrides that name it the last one counts.
    RouterKind router_of(NodeId node) const {
        RouterKind found = router.kind;
        for (const RouterOverride& entry : router_overrides) {
            const bool is_named =
                std::find(entry.nodes.begin(), entry.nodes.end(), node) != entry.nodes.end();
            if (is_named) found = entry.router.kind;
        }
        return found;
    }
};

/// Links or nodes that are dead at random: so many, or a share of those that there are.
struct FaultAmount {
    std::uint32_t count = 0;
    std::optional<double> share;  ///< 0 .. 1, in place of `count`

    /// How many of `all`: `count`, or the share to the nearest whole number.
    std::uint64_t of(std::uint64_t all) const;
    bool is_zero() const { return count == 0 && share.value_or(0) == 0; }
};

/// The links and nodes that are dead, from the start or from some cycle on.
struct FaultsConfig {
    static constexpr Cycle kLatest = 1'000'000'000'000;  ///< value of `at`

    std::vector<std::string> links;  ///< "3-4" or link_003_004: both directions
    std::vector<NodeId> nodes;       ///< with all of their links; switches count
    FaultAmount random_links;        ///< of the channels that are left then
    FaultAmount random_nodes;        ///< of the nodes and switches that are left
    std::uint64_t seed = 1;          ///< of the random faults
    bool keep_connected = false;     ///< random faults cut no node off
    bool drops_messages = false;     ///< messages of dead nodes are left out, not refused
    Cycle at = 0;                    ///< 0: from the start on; else it dies while the run goes on

    bool is_empty() const {
        return links.empty() && nodes.empty() && random_links.is_zero() && random_nodes.is_zero();
    }
    bool come_later() const { return at != 0 && !is_empty(); }
};

/// Flits per cycle as an exact fraction, 0 < numerator <= denominator.
struct Rate {
    std::uint32_t numerator = 1;
    std::uint32_t denominator = 1;

    /// Less than a flit in every cycle.
    bool is_slow() const { return numerator < denominator; }
};

/// Interfaces send packets again that are not acknowledged (hw/TIMING.md, "Faults while running").
struct RetransmitConfig {
    std::uint32_t timeout = 10'000;  ///< cycles from the injection of the tail
    std::uint32_t tries = 3;         ///< so often a packet is sent again at most
};

struct NodeConfig {
    std::uint32_t send_startup = 0;   ///< cycles
    std::uint32_t recv_overhead = 0;  ///< cycles
    Rate injection_rate;
    std::uint64_t packet_bytes = 0;  ///< 0 = one packet per message
    std::uint32_t header_flits = 1;
    /// Whether the startup of a message begins only when the one before it has been assembled.
    bool serial_startup = false;
    PortModel port_model = PortModel::kSingle;
    std::optional<RetransmitConfig> retransmit;

    /// Packets are put together more slowly than channels take their flits.
    bool assembles() const { return injection_rate.numerator != injection_rate.denominator; }
    /// Every link has an injection and an ejection channel of its own.
    bool has_channels_per_link() const { return port_model != PortModel::kSingle; }
};

struct BarrierConfig {
    double per_doubling = 0;  ///< cycles per doubling of the node count
    double fixed = 0;         ///< cycles; may be negative (fitted costs)
};

/// Lengths of messages in bytes, or parts of a mix, each with its share of all weights.
using LengthWeights = std::map<std::uint64_t, std::uint32_t>;
using PatternWeights = std::map<std::string, std::uint32_t>;
/// Classes of messages, by name.
using ClassWeights = std::map<std::string, std::uint32_t>;
using LengthClasses = std::map<std::uint64_t, std::string>;

/// A trace of an application, as a tool recorded it (traffic/traces/README.md).
struct ApplicationTraceConfig {
    /// Resolved against the config's folder; with format chakra the beginning of several names.
    std::string file;
    TraceFormat format = TraceFormat::kGoal;
    RankPlacement placement = RankPlacement::kLinear;
    std::string placement_file;  ///< resolved against the config's folder
    bool sends_block = false;    ///< a send completes when its tail has been injected
    /// Algorithms of the schedules that replace collectives, such as "allreduce/ring"; default: the
    /// first of each.
    std::vector<std::string> algorithms;
    /// Messages of more bytes wait for their receive (rendezvous); none: none does.
    std::optional<std::uint64_t> eager_bytes;
};

struct TrafficConfig {
    std::string schedule;  ///< exactly one of schedule, pattern, program, trace.file is set
    std::string pattern;
    std::string program;  ///< program file, resolved against the config's folder
    ApplicationTraceConfig trace;
    bool drops_self = false;  ///< programs: messages to the sender are left out, not refused
    std::string algorithm;    ///< variant of a schedule; empty = the default one
    std::uint64_t message_bytes = 256;
    LengthWeights message_lengths;      ///< patterns, in place of `message_bytes`; may be empty
    NodeId root = 0;                    ///< broadcast, scatter, hotspot
    std::uint32_t contention = 1;       ///< bounded-contention: most messages per link and step
    std::uint32_t pieces = 0;           ///< pipelined schedules; 0 = chosen by size
    bool handshake = false;             ///< partners of an exchange agree before they send
    std::string operation = "sum";      ///< computations: how values are combined
    std::uint32_t values_per_node = 1;  ///< computations
    // Kernels of applications:
    Cycle compute_cycles = 1000;  ///< of each computation
    std::uint32_t iterations = 1;
    std::uint32_t blocks = 4;        ///< that go through nodes one after the other
    std::uint32_t tensor_ranks = 1;  ///< that share a layer
    std::uint32_t pipeline_stages = 1;
    std::uint64_t gradient_bytes = 65536;  ///< of a node, summed over the data-parallel ones
    std::optional<BarrierConfig> barrier;
    BarrierConfig machine_barrier;  ///< the cost of a barrier for which the user gives none
    /// Share of the messages that each class has; of schedules and traces one class alone. Empty:
    /// all are of the first class.
    ClassWeights classes;
    LengthClasses length_classes;  ///< patterns: classes by payload, in place of `classes`
    std::string reply_class;       ///< of replies; empty: that of their request
    double injection_rate = 0.1;   ///< patterns: offered flits/node/cycle, header included
    ArrivalKind arrivals = ArrivalKind::kBernoulli;
    double burst_cycles = 100;  ///< bursty: mean length of the on state
    double burst_rate = 1;      ///< bursty: flits/node/cycle in the on state
    /// Patterns: payload of the reply to every message; none: no replies.
    std::optional<std::uint64_t> reply_bytes;
    Cycle reply_delay = 0;  ///< cycles that a node needs for a reply
    /// Most requests that a node has taken and not replied to; 0: any number.
    std::uint32_t reply_queue = 0;
    double hotspot_fraction = 0.1;  ///< hotspot: share of the messages that go there
    std::vector<NodeId> hot_nodes;  ///< hotspot: where, in place of `root`; may be empty
    PatternWeights mix;             ///< mixed: its parts
    std::string matrix;             ///< matrix: file, resolved against the config's folder
    Cycle warmup_cycles = 1000;
    Cycle measure_cycles = 10000;

    /// Payload of the longest message of a pattern, replies included.
    std::uint64_t longest_message() const {
        const std::uint64_t longest =
            message_lengths.empty() ? message_bytes : message_lengths.rbegin()->first;
        return std::max(longest, reply_bytes.value_or(0));
    }
};

/// Measures a pattern until its mean latency is known well enough.
struct SteadyConfig {
    /// Least value of `max_cycles`: enough for two looks at batches of a hundred cycles and more.
    static constexpr Cycle kShortest = 40'000;

    double confidence = 0.95;      ///< of the interval, 0.5 .. 0.999
    double half_width = 0.05;      ///< of the interval, as a share of the mean
    Cycle max_cycles = 1'000'000;  ///< the warm-up included
    std::optional<Cycle> warmup;   ///< none: found by MSER-5
};

struct TraceConfig {
    std::vector<std::string> links;  ///< "5-7" or link_005_007; empty = by node/dimension/all
    std::vector<NodeId> nodes;       ///< links that start or end at these nodes
    std::vector<std::uint32_t> dimensions;
    std::vector<NodeId> rtl_nodes;  ///< RTL routers whose inner signals are traced as well
    Cycle from = 0;
    Cycle until = kNever;
    bool details = false;    ///< trace each field of a channel's packet, too
    bool endpoints = false;  ///< also injection and ejection channels
};

/// Addresses that a target of the interconnect answers to: `size` bytes from `base` on.
struct InterconnectTarget {
    NodeId node = 0;
    std::uint64_t base = 0;
    std::uint64_t size = 1;  ///< >= 1
    Location where;          ///< of the entry in the configuration
};

/// The TLM-2.0 component tlm/interconnect/interconnect.h.
struct InterconnectConfig {
    std::vector<NodeId> initiators;  ///< node of each; several may share one
    std::vector<InterconnectTarget> targets;
    std::uint32_t header_bytes = 8;  ///< of a request or response, beside the data
    std::uint32_t outstanding = 4;   ///< requests of an initiator under way at a time
    bool dmi = false;                ///< pass on requests for direct memory access
};

/// A node that the value of a key calls by its name, which the loader replaces by its number.
struct NamedNode {
    std::string key;  ///< "traffic.root", "trace.nodes[1]"
    std::string name;
    Diagnostic otherwise;  ///< the finding where nodes have no names
    std::function<void(Config&, NodeId)> set;
};

struct LimitsConfig {
    Cycle max_cycles =
        1'000'000'000'000;  ///< a run that is not done by then stops with exit code 3
};

struct Config {
    std::string machine = "ideal";  ///< the preset that the other keys start from
    FabricConfig fabric;
    std::optional<FaultsConfig> faults;
    NodeConfig node;
    TrafficConfig traffic;
    std::optional<SteadyConfig> steady;  ///< in place of a measurement of fixed length
    TraceConfig trace;
    std::optional<InterconnectConfig> interconnect;
    LimitsConfig limits;
    double clock_ns = 1;
    /// The period of the synthesized router is the clock's, in place of clock_ns
    /// (resolve_synthesized() gives it).
    bool clock_is_synthesized = false;
    std::uint64_t seed = 1;

    /// The delays of wires follow from the figures of the synthesized router, which
    /// resolve_synthesized() gives. Until then there is no graph.
    bool wires_need_synthesis() const {
        const LinkDelayConfig& wires = fabric.link_delay;
        return wires.is_physical() && (clock_is_synthesized || wires.pitch_is_derived);
    }
    /// False for a configuration that only describes a network.
    bool has_traffic() const {
        return !traffic.schedule.empty() || !traffic.pattern.empty() || !traffic.program.empty() ||
               !traffic.trace.file.empty();
    }
    PacketFormat packet_format() const {
        // The header of a circuit goes ahead and sets it up.
        const std::uint32_t header = fabric.switches_circuits() ? 0 : node.header_flits;
        return {fabric.flit_bits, header, node.packet_bytes};
    }
    /// Where the user set `key` ("fabric.topology.dims"), or the nearest enclosing key that was
    /// set, or the file as a whole: the place to name in later findings about its value.
    Location where(const std::string& key) const;

    std::string source;                         ///< name of the configuration file
    std::map<std::string, Location> locations;  ///< of every key that was set
    std::vector<NamedNode> named_nodes;         ///< none once the configuration has been loaded
};

/// The finding for a configuration without traffic where traffic is needed.
Diagnostic no_traffic(const Config& config);

/// The keys of which exactly one is set where there is something to run: what the traffic is.
const std::vector<std::string>& traffic_sources();

}  // namespace flitscope
