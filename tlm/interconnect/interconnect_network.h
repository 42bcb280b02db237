// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The fabric as the ports of an interconnect see it: messages that begin in the next cycle and are
// there at a time. It makes simulated time out of cycles, and hides in which process an engine
// reports a delivery, and whether there is a message at all (annotated timing).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <systemc>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/fabric.h"
#include "tlm/interconnect/access.h"
#include "tlm/interconnect/unloaded_times.h"

namespace flitscope {

struct InterconnectNetworkConfig {
    double clock_ns = 1;
    Cycle recv_overhead = 0;            ///< cycles from a delivery to the reaction to it
    std::vector<NodeId> nodes;          ///< that send or receive; may hold one several times
    UnloadedTimes* unloaded = nullptr;  ///< of annotated timing; else messages are simulated
};

/// A message of an interconnect.
struct AccessMessage {
    NodeId from = 0;
    NodeId to = 0;
    std::uint64_t bytes = 0;  ///< of its payload, the header of the access included
    MessageClass message_class = 0;
    CarriedAccess access;
};

/// A message on its way.
struct SentMessage {
    MessageId id = kNoMessage;  ///< kNoMessage: of annotated timing
    sc_core::sc_time begin;     ///< start of the cycle in which the send begins
};

/// Order of the sends of a node that begin in one cycle; the lower goes first.
struct SendRank {
    std::size_t socket = 0;     ///< socket of the interconnect, initiators before targets
    std::size_t initiator = 0;  ///< that is to get a response
    std::uint64_t request = 0;  ///< number among the requests of the initiator

    bool operator<(const SendRank& other) const {
        return std::tie(socket, initiator, request) <
               std::tie(other.socket, other.initiator, other.request);
    }
};

class InterconnectNetwork final : public sc_core::sc_module {
public:
    using Action = std::function<void()>;

    SC_HAS_PROCESS(InterconnectNetwork);
    /// `fabric` must outlive it; its listeners are attached here.
    InterconnectNetwork(sc_core::sc_module_name name, const InterconnectNetworkConfig& config,
                        Fabric& fabric);

    /// Sends a message. The send begins in the first cycle that starts after the present time.
    /// `rank` decides among those that begin in the same cycle, regardless of call order. `arrived`
    /// is called at the earliest time for a reaction to the message: the cycle after the delivery
    /// of its tail, plus the receive overhead.
    SentMessage send(const AccessMessage& message, const SendRank& rank, Action arrived);

    bool is_annotated() const { return unloaded_ != nullptr; }
    // Of annotated timing, for a message that is ready at `time`, be it in the future:
    /// The start of the cycle in which its send begins,
    sc_core::sc_time send_begin(const sc_core::sc_time& time) const {
        return start_of(time.value() / period_.value() + 1);
    }
    /// and the earliest time for a reaction, if the send begins then.
    sc_core::sc_time arrival(const AccessMessage& message, const sc_core::sc_time& begin) const;

    /// The access of a message; null if it is not under way. A message is until the time for a
    /// reaction to it.
    const CarriedAccess* find(MessageId message) const;

    /// Calls `action` after `delay`, in a separate process. Actions of one time are called in the
    /// order of the calls.
    void after(const sc_core::sc_time& delay, Action action);

    /// Cycles from one time to a later one, rounded up.
    Cycle cycles(const sc_core::sc_time& from, const sc_core::sc_time& to) const;
    Cycle cycles_since(const sc_core::sc_time& time) const {
        return cycles(time, sc_core::sc_time_stamp());
    }

private:
    /// Hears of the messages of all nodes.
    class Listener final : public MessageListener {
    public:
        explicit Listener(InterconnectNetwork& network) : network_(network) {}
        void on_injected(const Message&, Cycle) override {}
        void on_delivered(const Message& message, Cycle cycle) override {
            network_.deliver(message, cycle);
        }

    private:
        InterconnectNetwork& network_;
    };
    struct Send {
        Message message;
        Cycle begin = 0;
        SendRank rank;
    };
    struct UnderWay {
        CarriedAccess access;
        Action arrived;
    };

    sc_core::sc_time start_of(Cycle cycle) const {
        return sc_core::sc_time::from_value(cycle * period_.value());
    }
    void run_events();
    void at(const sc_core::sc_time& time, Action action);
    void hand_over();
    void deliver(const Message& message, Cycle cycle);
    void react(MessageId message);
    MessageId next_id();

    sc_core::sc_time period_;
    Cycle recv_overhead_;
    UnloadedTimes* unloaded_;
    Fabric& fabric_;
    Listener listener_{*this};
    std::vector<Send> outbox_;                                          // sends of the next cycle
    std::unordered_map<std::uint64_t, sc_core::sc_time> last_arrival_;  // of annotated timing
    std::unordered_map<MessageId, UnderWay> under_way_;
    MessageId last_id_ = 0;
    std::multimap<sc_core::sc_time, Action> events_;
    sc_core::sc_event due_;
};

}  // namespace flitscope
