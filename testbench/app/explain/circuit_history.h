// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Why circuits were set up and used when they were (hw/TIMING.md, "Circuits").
#pragma once

#include <unordered_map>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/observers.h"
#include "models/topology/channel_map.h"
#include "testbench/app/explain/event_graph.h"
#include "testbench/app/explain/message_times.h"
#include "testbench/app/explain/node_history.h"

namespace flitscope {

class Graph;
struct HardwareConfig;

/// If several reasons hold in one cycle, the first one counts: a header's own way, then the
/// circuits that it waits for.
class CircuitHistory final : public ChannelObserver,
                             public PacketObserver,
                             public EventGraph::Holder {
public:
    /// All arguments must outlive the history. `times` is null if slack is not asked for.
    CircuitHistory(const HardwareConfig& config, const Graph& graph, EventGraph& events,
                   NodeHistory& nodes, MessageTimes* times);

    void on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                  Cycle cycle) override;
    void on_send_begin(ChannelId, std::uint32_t, ChannelId, std::uint32_t, Cycle) override {}
    void on_send_end(ChannelId, std::uint32_t, Cycle) override {}
    void on_release(ChannelId, std::uint32_t, Cycle) override {}
    void on_packet(const PacketRecord& packet) override;

    void mark_events(EventGraph& graph) const override;

private:
    /// A message whose path is being set up, or in use.
    struct Circuit {
        EventGraph::Handle at;  // its header was in the last router so far; later, its start
        Cycle arrived = 0;      // cycle of that
        std::vector<ChannelId> path;
        Cycle begin = 0;  // begin of its send
    };
    /// The end of the last path over a channel, or from a node.
    struct Ended {
        Cycle free_from = kNever;
        MessageId message = kNoMessage;
        NodeId source = 0;
        EventGraph::Handle because;
    };
    struct Sender {
        Ended last;
        EventGraph::Handle started;  // the last one's first element,
        Cycle started_in = kNever;
        MessageId message = kNoMessage;
    };

    Circuit& circuit_of(const Message& message);
    void reserve(ChannelId channel, const Message& message, Circuit& circuit, Cycle now);
    void start(ChannelId channel, const Message& message, Circuit& circuit, Cycle now);

    EventGraph& events_;
    NodeHistory& nodes_;
    MessageTimes* times_;  // null: slack is not asked for
    ChannelMap channels_;
    Cycle send_overhead_;
    Cycle setup_delay_;
    std::vector<Ended> ended_;     // per channel
    std::vector<Sender> senders_;  // per node
    std::unordered_map<MessageId, Circuit> circuits_;
};

}  // namespace flitscope
