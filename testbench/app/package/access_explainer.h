// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Joins the accesses of an interconnect with the delays of their messages.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/config/packet_format.h"
#include "testbench/app/explain/delay_recorder.h"
#include "tlm/interconnect/access.h"
#include "tlm/interconnect/explained_access.h"

namespace flitscope {

struct Machine;

/// Observes an interconnect, and its fabric by way of recorder(). Memory follows the accesses under
/// way.
class AccessExplainer final : public AccessObserver, public SendObserver {
public:
    using Listener = std::function<void(const ExplainedAccess&)>;

    /// `machine` must outlive it. Throws ConfigError for one whose messages cannot be explained:
    /// circuits, several planes or channels of a node, annotated timing.
    AccessExplainer(const Machine& machine, Listener listener);

    /// The names of the sockets, in their order; before the first access.
    void name_sockets(std::vector<std::string> initiators, std::vector<std::string> targets);
    /// Sees channels and packets of the fabric.
    DelayRecorder& recorder() { return recorder_; }

    void on_send(const Message& message, Cycle begin) override;
    void on_access(const Access& access) override;
    void on_abandoned(const Access& access) override;

private:
    /// What is known of a message.
    struct Way {
        PacketDelay last;                           // of the packet that was delivered last
        std::optional<std::uint32_t> packets_left;  // to be delivered, once it is sent
        bool is_abandoned = false;                  // its access is
    };

    void on_delay(const PacketDelay& delay);
    bool is_known(MessageId message) const;
    void drop(MessageId message);
    void report(const Access& access);
    void add_way(ExplainedAccess& explained, AccessPart::Stage stage, const Way& way,
                 const sc_core::sc_time& sent, const sc_core::sc_time& there) const;

    const Machine& machine_;
    Listener listener_;
    PacketFormat format_;
    sc_core::sc_time period_;
    std::shared_ptr<const AccessNames> names_;
    std::unordered_map<MessageId, Way> ways_;
    std::unordered_map<MessageId, Access> ended_;  // by their response, whose way is not known
    DelayRecorder recorder_;                       // last: reports to this object
};

}  // namespace flitscope
