// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the time of an access went.
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/types.h"
#include "tlm/interconnect/access.h"

namespace flitscope {

/// Part of the time of an access.
struct AccessPart {
    enum class Stage : std::uint8_t { kRequest, kTarget, kResponse };
    Stage stage = Stage::kRequest;
    /// In the network, from the begin of the send to the delivery of the tail, a cause of
    /// `flitscope explain`: startup, source_queue, assembly, traversal, serialization,
    /// head_of_line, vc_busy, credit_stall, switch_stall, store, route_choice. Around it:
    /// outstanding (as many are under way as may be), clock (until the cycle begins), receive (the
    /// cycle of the delivery, and node.recv_overhead), target_queue (the target has not accepted
    /// those before), target, initiator_queue (the initiator has not ended the response before).
    const char* cause = "";
    std::optional<ChannelId> channel;  ///< in the network; none around it
    sc_core::sc_time time;
};

/// The names that an interconnect and its network have for numbers.
struct AccessNames {
    std::vector<std::string> initiators;  ///< of sockets, in the hierarchy
    std::vector<std::string> targets;
    std::vector<std::string> channels;  ///< as ChannelMap calls them
};

/// An access that has ended, and where its time went.
struct ExplainedAccess : Access {
    std::shared_ptr<const AccessNames> names;
    NodeId from = 0;  ///< node of the initiator
    NodeId to = 0;    ///< node of the target
    sc_core::sc_time period;
    /// In order of time, but for bodies of packets; they add up to latency(). Parts of a message of
    /// several packets are those of the one that is delivered last.
    std::vector<AccessPart> parts;

    double cycles() const { return latency() / period; }
    const std::string& initiator_name() const { return names->initiators[initiator]; }
    const std::string& target_name() const { return names->targets[target]; }
    /// "link_005_009"; empty around the network.
    std::string channel_name(const AccessPart& part) const {
        return part.channel ? names->channels[*part.channel] : std::string();
    }
};

/// A line for the access, and one for each stage (INTERCONNECT.md has an example). Of the causes
/// that have cycles at several channels, the channel with most of them is named.
std::ostream& operator<<(std::ostream& out, const ExplainedAccess& access);

}  // namespace flitscope
