// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/package/access_explainer.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "models/topology/channel_map.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/explain/explained_fabric.h"

namespace flitscope {
namespace {

const Machine& explainable(const Machine& machine) {
    const Config& config = machine.config;
    const auto refuse = [&](const char* path, const char* what, const char* remedy) {
        throw ConfigError(config.where(path), what, remedy);
    };
    require_explained_fabric(config, "an explanation of accesses");
    if (config.fabric.switches_circuits()) {
        refuse("fabric.switching",
               "messages on circuits have no packets whose delays are explained",
               "choose another switching, or do not ask for explanations");
    }
    if (config.node.has_channels_per_link()) {
        refuse("node.port_model", "delays are explained for nodes with one channel",
               "set node.port_model: single, or do not ask for explanations");
    }
    if (config.interconnect && config.interconnect->timing == AccessTiming::kAnnotated) {
        refuse("interconnect.timing", "annotated timing has no messages that could meet others",
               "set interconnect.timing: exact, or do not ask for explanations");
    }
    return machine;
}

}  // namespace

AccessExplainer::AccessExplainer(const Machine& machine, Listener listener)
    : machine_(explainable(machine)),
      listener_(std::move(listener)),
      format_(machine.config.packet_format()),
      period_(machine.config.clock_ns, sc_core::SC_NS),
      recorder_(machine, [this](const PacketDelay& delay) { on_delay(delay); }) {}

void AccessExplainer::name_sockets(std::vector<std::string> initiators,
                                   std::vector<std::string> targets) {
    names_ = std::make_shared<AccessNames>(
        AccessNames{std::move(initiators), std::move(targets), ChannelMap(machine_.graph).names()});
}

void AccessExplainer::on_send(const Message& message, Cycle begin) {
    ways_[message.id].packets_left = format_.packets(message.bytes);
    recorder_.on_send(message, begin);
}

/// Packets of a message may overtake each other.
void AccessExplainer::on_delay(const PacketDelay& delay) {
    const auto found = ways_.find(delay.message);
    Way& way = found->second;
    if (delay.tail_delivered >= way.last.tail_delivered) way.last = delay;
    if (--*way.packets_left != 0) return;
    if (way.is_abandoned) {
        ways_.erase(found);
        return;
    }
    const auto ended = ended_.find(delay.message);
    if (ended == ended_.end()) return;
    report(ended->second);
    ended_.erase(delay.message);
}

bool AccessExplainer::is_known(MessageId message) const {
    const auto found = ways_.find(message);
    return found != ways_.end() && found->second.packets_left == 0;
}

/// Nobody asks for the way of this message, which may not have begun.
void AccessExplainer::drop(MessageId message) {
    if (message == kNoMessage) return;
    if (is_known(message)) {
        ways_.erase(message);
    } else {
        ways_[message].is_abandoned = true;
    }
}

void AccessExplainer::on_access(const Access& access) {
    if (is_known(access.response)) {
        report(access);
    } else {
        ended_.emplace(access.response, access);
    }
}

void AccessExplainer::on_abandoned(const Access& access) {
    drop(access.request);
    drop(access.response);
}

/// An access that has ended, and the ways of whose messages are known: the events of a fabric come
/// in order of their cycles, those of the request before those of the response.
void AccessExplainer::report(const Access& access) {
    using Stage = AccessPart::Stage;
    ExplainedAccess explained;
    static_cast<Access&>(explained) = access;
    explained.names = names_;
    const InterconnectConfig& config = *machine_.config.interconnect;
    explained.from = config.initiators[access.initiator];
    explained.to = config.targets[access.target].node;
    explained.period = period_;
    const auto add = [&](Stage stage, const char* cause, const sc_core::sc_time& time) {
        if (time != sc_core::SC_ZERO_TIME) explained.parts.push_back({stage, cause, {}, time});
    };
    add(Stage::kRequest, "outstanding", access.admitted - access.issued);
    add(Stage::kRequest, "clock", access.request_sent - access.admitted);
    add_way(explained, Stage::kRequest, ways_.at(access.request), access.request_sent,
            access.arrived);
    add(Stage::kTarget, "target_queue", access.served - access.arrived);
    add(Stage::kTarget, "target", access.answered - access.served);
    add(Stage::kResponse, "clock", access.response_sent - access.answered);
    add_way(explained, Stage::kResponse, ways_.at(access.response), access.response_sent,
            access.returned);
    add(Stage::kResponse, "initiator_queue", access.ended - access.returned);
    ways_.erase(access.request);
    ways_.erase(access.response);
    listener_(explained);
}

/// What a message did between the start of its send and the time at which it is there.
void AccessExplainer::add_way(ExplainedAccess& explained, AccessPart::Stage stage, const Way& way,
                              const sc_core::sc_time& sent, const sc_core::sc_time& there) const {
    const auto time_of = [this](Cycle cycles) {
        return sc_core::sc_time::from_value(cycles * period_.value());
    };
    for (const PacketPart& part : way.last.parts) {
        if (part.cycles == 0) continue;
        explained.parts.push_back(
            {stage, cause_name(part.cause), part.channel, time_of(part.cycles)});
    }
    const Cycle received = 1 + machine_.config.node.recv_overhead;
    const Cycle in_network = way.last.tail_delivered - way.last.begin;
    if (there - sent != time_of(in_network + received)) {
        throw std::logic_error(fmt::format("message {} took {} cycles, and was there after {}",
                                           way.last.message, in_network,
                                           (there - sent).to_string()));
    }
    explained.parts.push_back({stage, cause_name(Cause::kReceive), {}, time_of(received)});
}

}  // namespace flitscope
