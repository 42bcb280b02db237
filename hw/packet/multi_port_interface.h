// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network interface of a node with a channel to and from every link (hw/TIMING.md, "Port
// models"): one queue or one per channel, copies of a value over several channels at once, and
// messages that are forwarded while they arrive.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "hw/common/port_array.h"
#include "hw/packet/packet_interface.h"
#include "models/base/types.h"
#include "models/config/node_config.h"
#include "models/fabric/packetizer.h"
#include "models/fabric/port_model.h"
#include "models/routing/routing.h"

namespace flitscope {
class Graph;
}  // namespace flitscope

namespace flitscope::hw {

class MultiPortInterface final : public PacketInterface {
public:
    /// The injection channels: those of the node's links, by port.
    PortArray<sc_core::sc_port<FlitSink>> injections;

    /// `graph`, with per-link endpoint ports, and `routing` must outlive the interface; `model` is
    /// not kSingle. The interface is at every local port of its router.
    MultiPortInterface(sc_core::sc_module_name name, const NetworkInterfaceConfig& config,
                       PortModel model, const Graph& graph, const Routing& routing,
                       WakeupWheel& clock, PacketPool& packets,
                       const InterfaceObservers& observers);
    ~MultiPortInterface() override;

    /// Throws std::invalid_argument for a port without a link, for a packet that does not fit into
    /// a FIFO (NetworkInterfaceConfig::whole_packets), and for a copy of nothing, or of a message
    /// of which a flit has been sent.
    void send(const Message& message, Cycle begin, const SendOptions& options) override;
    using PacketInterface::send;
    /// Only patterns do, whose nodes have one channel: throws std::logic_error.
    void withdraw(MessageClass of, std::uint8_t plane) override;
    void eject(const Flit& flit, std::uint32_t vc, Cycle now) override;
    Cycle tick(Cycle now) override;

    std::size_t pending() const override;
    std::uint64_t flits_ejected(PortId port) const override {
        return endpoints_[port].flits_ejected;
    }

private:
    /// The channels between us and one link.
    struct Endpoint {
        InjectionChannel injection;
        std::uint64_t flits_ejected = 0;
    };
    /// A message of a group, and its progress.
    struct Member {
        Message message;
        PortId port = 0;
        std::uint32_t message_state = 0;  // in packets_.arrivals()
        Departure departure;              // the packet being sent
    };
    /// Copies of one value, which leave together; or a single message.
    struct Group {
        std::vector<Member> members;
        std::vector<MessageId> follows;
    };
    /// Messages that leave one after the other.
    struct Queue {
        Packetizer messages;  // the first of each group
        std::deque<Group> groups;
        std::uint64_t position = 0;  // flits of the packet already sent
        std::uint64_t length = 0;    // flits of the packet
    };
    /// A message of which flits are awaited.
    struct Followed {
        std::uint64_t flits = 0;  // that have arrived,
        Cycle last = 0;           // the last of them in this cycle
        std::uint32_t groups = 0;
    };

    static std::vector<bool> out_ports(const Graph& graph, RouterId router);
    void end_of_elaboration() override;
    PortId port_of(const Message& message, const SendOptions& options) const;
    static void add_copy(Queue& queue, Member copy);
    void follow(MessageId id);
    void unfollow(MessageId id);
    bool has_arrived(const Group& group, std::uint64_t position, Cycle now) const;
    void advance(Queue& queue, Cycle now, Cycle& next);
    bool has_channels(Queue& queue, Cycle now, Cycle& next);
    void start_packets(Queue& queue, Cycle now);
    void send_flits(Queue& queue, Cycle now);
    void finish_packets(Queue& queue, Cycle now);

    PortModel model_;
    const Graph& graph_;
    const Routing& routing_;
    RouterId router_;

    std::vector<Endpoint> endpoints_;  // per port; those of ports without a link are idle
    std::vector<Queue> queues_;        // one, or per port
    unsigned stride_log2_ = 0;
    std::vector<Arrival> arrivals_;  // per ejection virtual channel
    std::unordered_map<MessageId, Followed> followed_;
    std::vector<Followed*> followers_;  // by arrival: follower of its packet, or null
};

}  // namespace flitscope::hw
