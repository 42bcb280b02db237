// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/engine/turn_router.h"

#include <algorithm>
#include <utility>

#include "tlm/engine/packet.h"
#include "tlm/engine/round_robin.h"

namespace flitscope::burst {

TurnRouter::TurnRouter(sc_core::sc_module_name name, const RouterParameters& parameters,
                       const Routing& routing, const FabricContext& context, Arena& memory)
    : sc_module(name),
      TurnSender::Owner(context, &allocation_),
      routing_(routing),
      node_(parameters.node),
      path_choice_(routing.path_choice()),
      vcs_(parameters.virtual_channels),
      input_count_(static_cast<std::uint32_t>(parameters.inputs.size()) * vcs_),
      inputs_(input_count_),
      outputs_(parameters.outputs.size() * vcs_),
      requests_(parameters.outputs.size()),
      switch_(static_cast<PortId>(parameters.inputs.size()), vcs_),
      allocation_(*this),
      input_groups_(parameters.inputs.size()),
      output_groups_(parameters.outputs.size()) {
    for (PortId port = 0; port < parameters.inputs.size(); ++port) {
        if (!parameters.inputs[port]) continue;
        ChannelParameters channel = *parameters.inputs[port];
        for (channel.vc = 0; channel.vc < vcs_; ++channel.vc) {
            const std::uint32_t index = port * vcs_ + channel.vc;
            inputs_[index] = memory.make<TurnReceiver>(index, port, channel, *this);
        }
    }
    for (PortId port = 0; port < parameters.outputs.size(); ++port) {
        if (!parameters.outputs[port]) continue;
        ChannelParameters channel = *parameters.outputs[port];
        for (channel.vc = 0; channel.vc < vcs_; ++channel.vc) {
            const std::string socket =
                port == kLocalPort ? port_end_name("out_", port, channel.vc, vcs_) : "";
            senders_.push_back(memory.make<TurnSender>(socket, port, channel, *this));
            outputs_[port * vcs_ + channel.vc].sender = senders_.back().get();
        }
    }
}

TurnRouter::~TurnRouter() = default;

std::string TurnRouter::name_of(const TurnReceiver& receiver) const {
    return name() + ("." + port_end_name("in_", receiver.port(), receiver.vc(), vcs_));
}

RouteQuery TurnRouter::query(const TurnReceiver& receiver) const {
    const PacketRecord& packet = receiver.front().record;
    return {node_,
            receiver.port(),
            receiver.vc(),
            packet.message.source,
            packet.message.destination,
            static_cast<std::uint32_t>(packet.sequence)};
}

void TurnRouter::route(const TurnReceiver& receiver, RouteChoices& choices) const {
    routing_.route(query(receiver), choices);
}

void TurnRouter::on_head(TurnReceiver& receiver, Tick from) {
    const RouteChoice choice =
        path_choice_ == PathChoice::kFixed
            ? routing_.route(node_, receiver.front().record.message.destination)
            : routing_.route(query(receiver));
    receiver.requested_from = from;
    receiver.allowed_vcs = choice.virtual_channels;
    receiver.next_request = std::exchange(requests_[choice.port], &receiver);
    if (receiver.next_request == nullptr) asked_.push_back(choice.port);
    context_.scheduler.schedule_by(allocation_, from);
}

void TurnRouter::on_released(TurnSender& sender, Tick now) {
    streams_.erase(std::find(streams_.begin(), streams_.end(), &sender));
    switch_.take_up(sender, now);
    bool concerns_somebody = requests_[sender.port()] != nullptr;
    const PortId input = sender.source()->port();
    for (TurnSender* const other : streams_) {
        if (other->port() != sender.port() && other->source()->port() != input) continue;
        other->look_now(now);
        concerns_somebody = true;
    }
    if (concerns_somebody) context_.scheduler.schedule_by(allocation_, now);
}

void TurnRouter::allocate(Tick now) {
    for (const PortId port : asked_) allocate_virtual_channels(port, now);
    asked_.erase(std::remove_if(asked_.begin(), asked_.end(),
                                [this](PortId port) { return requests_[port] == nullptr; }),
                 asked_.end());
    plan_streams(now);
}

void TurnRouter::allocate_virtual_channels(PortId port, Tick now) {
    for (std::uint32_t vc = 0; vc < vcs_ && requests_[port] != nullptr; ++vc) {
        Output& output = outputs_[port * vcs_ + vc];
        if (output.sender->is_free()) grant(output, now);
    }
    for (const TurnReceiver* r = requests_[port]; r != nullptr; r = r->next_request) {
        if (r->requested_from > now) context_.scheduler.schedule_by(allocation_, r->requested_from);
    }
}

/// Grants the output to the head that is next in turn, if any requests it.
void TurnRouter::grant(Output& output, Tick now) {
    std::uint32_t nearest = input_count_;
    TurnReceiver** chosen = nullptr;
    for (TurnReceiver** link = &requests_[output.sender->port()]; *link != nullptr;
         link = &(*link)->next_request) {
        const TurnReceiver& r = **link;
        if (r.requested_from > now || (r.allowed_vcs >> output.sender->vc() & 1) == 0) continue;
        const std::uint32_t steps = steps_to(output.pointer, r.index(), input_count_);
        if (steps >= nearest) continue;
        nearest = steps;
        chosen = link;
    }
    if (chosen == nullptr) return;
    TurnReceiver& winner = **chosen;
    *chosen = winner.next_request;
    output.pointer = one_past(winner.index(), input_count_);
    output.sender->grant(winner.front(), winner.front_flits(), &winner, now);
    streams_.push_back(output.sender);
}

void TurnRouter::plan_streams(Tick now) {
    for (std::size_t i = 0; i < streams_.size(); ++i) {
        if (streams_[i]->look_at() > now) continue;
        collect_group(i, now);
        switch_.plan(group_, now);
    }
    Tick next = kUnknown;
    for (TurnSender* const stream : streams_) {
        stream->report(now);
        next = std::min(next, stream->due());
    }
    context_.scheduler.schedule_by(allocation_, next);
}

/// Collects the streams that share a port with this one, with those, and so on. A stream that can
/// send nothing within the window makes no difference to others.
void TurnRouter::collect_group(std::size_t first, Tick now) {
    ++group_number_;
    group_.clear();
    const auto add = [this](TurnSender& stream) {
        group_.push_back(&stream);
        stream.group = group_number_;
        input_groups_[stream.source()->port()] = group_number_;
        output_groups_[stream.port()] = group_number_;
    };
    add(*streams_[first]);
    std::size_t before = 0;
    while (before != group_.size()) {
        before = group_.size();
        for (TurnSender* const stream : streams_) {
            if (stream->group == group_number_ ||
                (input_groups_[stream->source()->port()] != group_number_ &&
                 output_groups_[stream->port()] != group_number_)) {
                continue;
            }
            if (stream->is_idle(now, now + kWindow)) {
                switch_.take_up(*stream, now);
            } else {
                add(*stream);
            }
        }
    }
}

}  // namespace flitscope::burst
