// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The golden model of circuit switching (hw/TIMING.md, "Circuits"): paths, and the elements on each
// of their channels in every cycle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "models/base/types.h"
#include "models/routing/routing.h"
#include "models/topology/channel_map.h"
#include "testbench/verification/reference/golden_model.h"
#include "testbench/verification/reference/golden_places.h"
#include "testbench/verification/reference/golden_program.h"
#include "testbench/verification/reference/golden_witness.h"

namespace flitscope {

class Graph;
struct Config;

class GoldenCircuits {
public:
    /// `packets`, one per message, gets the times written; references must outlive the object.
    GoldenCircuits(const Config& config, const Graph& graph, const GoldenPlaces& places,
                   const Routing& routing, GoldenPackets& packets);

    /// Queues `message`, whose send begins in cycle `now`.
    void begin_send(MessageId message, Cycle now);
    /// Plays cycle `now`, all of whose sends have begun. Returns the messages delivered in it. If
    /// there is a witness, notes the events, and what the nodes' next messages lack.
    std::size_t play(Cycle now, GoldenWitness* witness = nullptr);

    const std::vector<BusyInterval>& busy(ChannelId channel) const {
        return channels_[channel].busy;
    }
    std::uint64_t flits_sent(ChannelId channel) const { return channels_[channel].flits_sent; }

private:
    struct Hop {
        ChannelId channel = 0;
        Cycle offset = 0;  ///< from the first channel's sending of an element to this one's
    };
    struct Path {
        std::size_t packet = 0;
        RouterId at;  ///< where the header is from cycle `there_from` on
        PortId in_port = kLocalPort;
        Cycle there_from = 0;
        bool complete = false;
        std::vector<Hop> hops;  ///< injection channel, links, ejection channel
        Cycle length = 0;       ///< cycles over the links
        Cycle start = 0;        ///< cycle of the first element
    };
    struct Node {
        std::deque<std::size_t> queue;   ///< packets whose set-up has not begun
        std::optional<Path> setting_up;  ///< or complete, and waiting for the sender
        std::optional<Path> sending;
        std::optional<Cycle> last_start;
    };
    struct Channel {
        std::optional<MessageId> taken;  ///< by which message
        PortId pointer = 0;              ///< pointer of the arbiter before it, over input ports
        std::vector<BusyInterval> busy;
        std::uint64_t flits_sent = 0;
    };
    struct Grant {
        NodeId source = 0;  ///< whose path it goes to
        PortId output = 0;
    };

    void begin_set_up(Node& node);
    PortId output_of(const Path& path) const;
    std::optional<NodeId> winner(RouterId router, PortId output, Cycle now) const;
    void extend(const Grant& grant, Cycle now);
    bool send_elements(Path& path, Cycle now, GoldenCycle* cycle);
    GoldenWait wait_of(const Path& path) const;
    MessageId message_of(const Path& path) const {
        return packets_.all[path.packet].record.message;
    }
    void note_headers(const std::vector<Grant>& grants, Cycle now, GoldenWitness& witness) const;
    void note_senders(GoldenCycle& cycle) const;
    std::optional<ChannelId> channel_out(RouterId router, PortId output) const;

    const Graph& graph_;
    const GoldenPlaces& places_;
    const Routing& routing_;
    GoldenPackets& packets_;
    ChannelMap map_;
    Cycle startup_;
    Cycle setup_delay_;
    std::vector<Node> nodes_;
    std::vector<Channel> channels_;
};

}  // namespace flitscope
