// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The golden model's network interfaces: how they turn sends into flits (hw/TIMING.md, "Network
// interface").
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/config/node_config.h"
#include "models/fabric/faulted_network.h"
#include "models/routing/routing.h"
#include "models/topology/channel_map.h"
#include "models/topology/graph.h"
#include "testbench/verification/reference/golden_network.h"
#include "testbench/verification/reference/golden_program.h"
#include "testbench/verification/reference/golden_witness.h"
#include "traffic/program/program.h"

namespace flitscope {

struct Config;
struct LossCounts;

/// The network interfaces of all nodes.
class GoldenInterfaces {
public:
    /// References must outlive the object.
    GoldenInterfaces(const Config& config, const Graph& graph, const Routing& routing,
                     const Program& program, GoldenPackets& packets, LossCounts& losses);

    // The network changes, before a cycle is decided; between the two calls the network says what
    // is lost.
    /// Notes which nodes are dead from now on, and that what these send, or is sent to them, is
    /// lost.
    void find_dead(const FaultedNetwork& later);
    /// Gives up what has been lost before its tail was injected.
    void cut_off();

    /// Queues the packets of `message`, whose send begins in cycle `now`.
    void begin_send(MessageId message, Cycle now);
    /// Decides cycle `now` of every interface, and changes nothing else.
    void decide(const GoldenNetwork& network, Cycle now);
    /// Between decide(now) and apply(now): notes what apply will send, and what the first and
    /// second packets in their queues lack.
    void note(const GoldenNetwork& network, Cycle now, GoldenWitness& witness) const;
    /// Carries out what decide(now) decided.
    void apply(GoldenNetwork& network, Cycle now);

private:
    /// Packets that are sent flit by flit together: copies of one value, or a single packet.
    using Together = std::vector<std::size_t>;
    struct Queue {
        std::deque<Together> packets;  ///< not wholly injected, the current ones first
        std::uint64_t flits_sent = 0;  ///< flits sent of each current packet
        Cycle assembly_end = 0;        ///< for the previous message; only with a rate below 1
        Cycle message_end = 0;         ///< one past the tail of the message injected last
        /// Decided in this cycle: the virtual channel of each current packet; none: nothing is
        /// sent.
        std::vector<std::uint32_t> sends_on;
        // Decided in this cycle, for faults and repeats:
        std::optional<std::size_t> repeats;  ///< a packet goes once more, before all others
        bool discards = false;               ///< the next packet is not sent at all
        bool is_cut = false;                 ///< the current packet ends here
    };
    struct Injection {
        std::uint32_t vc = 0;        ///< vc of the current packet, or of the one before
        std::uint32_t first_vc = 0;  ///< start of the search for the next packet's vc
    };
    struct Interface {
        std::map<std::uint32_t, Queue> queues;  ///< one, or one for each port or class
        std::uint32_t departed = 0;             ///< heads injected so far
        GoldenBudgets budgets;                  ///< per class
        std::uint32_t pointer = 0;              ///< round robin over classes
        std::vector<std::size_t> sent;          ///< packets whose tails have been injected
    };

    bool is_dead(NodeId node) const { return later_ != nullptr && !later_->graph.is_alive(node); }
    std::optional<std::size_t> overdue(const Interface& interface, Cycle now) const;
    void decide_next(const Interface& interface, Queue& queue, const GoldenNetwork& network,
                     Cycle now) const;
    void end_packet(Interface& interface, Queue& queue, Cycle now);
    bool assembles() const;
    Cycle earliest_injection(const Queue& queue, const GoldenPacketState& packet) const;
    ChannelId channel_of(std::size_t packet) const;
    bool has_arrived(std::size_t packet, std::uint64_t flit, const GoldenNetwork& network,
                     Cycle now) const;
    GoldenStart start_of(const Queue& queue, const GoldenPacketState& packet) const;
    void note_start(const Queue& queue, std::size_t packet, bool is_next, Cycle now,
                    GoldenWitness& witness, GoldenWait& wait) const;
    void note_stream(std::size_t packet, const GoldenNetwork& network, Cycle now,
                     GoldenWait& wait) const;
    void note_credits(std::size_t packet, bool is_head, const GoldenNetwork& network, Cycle now,
                      GoldenWait& wait) const;
    void choose_class(Interface& interface) const;
    std::optional<std::uint32_t> choose(std::size_t packet, bool is_head,
                                        const GoldenNetwork& network, Cycle now) const;

    NodeConfig config_;
    GoldenClasses classes_;
    const Graph& graph_;
    const Routing& routing_;
    const Program& program_;
    ChannelMap map_;
    GoldenPackets& packets_;
    LossCounts& losses_;
    const FaultedNetwork* later_ = nullptr;  ///< the network is this one; null: it is whole
    std::vector<Interface> interfaces_;
    std::map<std::pair<ChannelId, std::uint32_t>, Injection> injections_;  ///< and per class
    std::vector<Cycle> assembly_from_;  ///< per message, once it has begun
};

}  // namespace flitscope
