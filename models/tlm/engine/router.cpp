// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/engine/router.h"

#include <algorithm>
#include <string>
#include <utility>

#include "models/tlm/engine/packet.h"

namespace flitscope::burst {
namespace {

std::string end_name(const char* prefix, PortId port, std::uint32_t vc, std::uint32_t vcs) {
    std::string name = prefix + std::to_string(port);
    if (vcs > 1) name += "_vc" + std::to_string(vc);
    return name;
}

/// Steps from `pointer` to `index` around a circle of `count`.
std::uint32_t distance(std::uint32_t pointer, std::uint32_t index, std::uint32_t count) {
    return index >= pointer ? index - pointer : index + count - pointer;
}

std::uint32_t one_past(std::uint32_t index, std::uint32_t count) {
    return index + 1 == count ? 0 : index + 1;
}

}  // namespace

Router::Router(sc_core::sc_module_name name, const RouterParameters& parameters,
               const Routing& routing, const FabricContext& context, Arena& memory)
    : sc_module(name),
      SenderOwner(context, parameters.virtual_channels == 1 ? nullptr : &allocation_),
      routing_(routing),
      outputs_(memory.make_array<Output>(parameters.outputs.size() * parameters.virtual_channels)),
      node_(parameters.node),
      fixed_paths_(routing.path_choice() == PathChoice::kFixed),
      combined_(parameters.combined),
      vcs_(parameters.virtual_channels),
      input_count_(static_cast<std::uint32_t>(parameters.inputs.size()) * vcs_),
      inputs_(input_count_),
      switch_(parameters.outputs.size()),
      allocation_(*this) {
    create_ends(parameters, memory);
}

Router::~Router() = default;

void Router::create_ends(const RouterParameters& parameters, Arena& memory) {
    for (PortId port = 0; port < parameters.inputs.size(); ++port) {
        if (!parameters.inputs[port]) continue;
        ChannelParameters channel = *parameters.inputs[port];
        for (channel.vc = 0; channel.vc < vcs_; ++channel.vc) {
            const std::uint32_t index = port * vcs_ + channel.vc;
            const std::string socket =
                context_.joins_directly ? "" : end_name("in_", port, channel.vc, vcs_);
            inputs_[index] = memory.make<Receiver>(socket, index, channel, *this, context_);
        }
    }
    for (PortId port = 0; port < parameters.outputs.size(); ++port) {
        if (!parameters.outputs[port]) continue;
        ChannelParameters channel = *parameters.outputs[port];
        for (channel.vc = 0; channel.vc < vcs_; ++channel.vc) {
            // Nodes are told of the end of packets, which a socket does.
            const bool has_socket = !context_.joins_directly || port == kLocalPort;
            const std::string socket = has_socket ? end_name("out_", port, channel.vc, vcs_) : "";
            senders_.push_back(memory.make<Sender>(socket, port, channel, *this));
            outputs_[port * vcs_ + channel.vc].sender = senders_.back().get();
        }
    }
}

void Router::end_of_elaboration() {
    for (const auto& sender : senders_) sender->attach();
}

std::string Router::name_of(const Receiver& receiver) const {
    return name() + ("." + end_name("in_", port_of(receiver), receiver.vc(), vcs_));
}

RouteChoice Router::route(const Receiver& receiver) const {
    const PacketRecord& packet = receiver.front().record;
    const NodeId destination = packet.message.destination;
    if (fixed_paths_) return routing_.route(node_, destination);
    return routing_.route({node_, port_of(receiver), receiver.vc(), packet.message.source,
                           destination, static_cast<std::uint32_t>(packet.sequence)});
}

void Router::on_head(Receiver& receiver, Tick from) {
    const RouteChoice choice = route(receiver);
    Output& output = outputs_[choice.port * vcs_];
    receiver.requested_from = from;
    receiver.allowed_vcs = choice.virtual_channels;
    receiver.next_request = output.requests;
    output.requests = &receiver;
    if (vcs_ > 1) {
        context_.scheduler.schedule_by(allocation_, from);
    } else if (Sender& sender = *output.sender; sender.state() == Sender::State::kFree) {
        context_.scheduler.schedule_by(sender, from);
    }
}

void Router::on_released(Sender& sender, Tick now) {
    if (vcs_ > 1) {
        context_.scheduler.schedule_by(allocation_, now);
        return;
    }
    if (requests(sender.port()) == nullptr) return;
    context_.scheduler.schedule(sender, std::max(now, earliest_request(sender.port())));
}

/// Only heads of combined allocation wait for the credits of a channel that is free.
void Router::on_free_credit(Sender& sender, Tick from) {
    if (!combined_ || requests(sender.port()) == nullptr) return;
    if (vcs_ > 1) {
        context_.scheduler.schedule_by(allocation_, from);
    } else {
        context_.scheduler.schedule_by(sender, std::max(from, earliest_request(sender.port())));
    }
}

Tick Router::earliest_request(PortId port) const {
    Tick earliest = kUnknown;
    for (const Receiver* r = outputs_[port * vcs_].requests; r != nullptr; r = r->next_request) {
        earliest = std::min(earliest, r->requested_from);
    }
    return earliest;
}

/// One virtual channel: the output can be granted, or its packet can go on.
void Router::begin(Sender& sender, Tick now) {
    if (sender.state() == Sender::State::kFree) {
        if (const Tick credit = sender.credit_from(); combined_ && credit > now) {
            if (is_known(credit)) context_.scheduler.schedule(sender, credit);
            return;
        }
        grant(outputs_[sender.port()], now);
        if (sender.ready_from() > now) {
            sender.await();
            return;
        }
    }
    sender.send(now);
}

/// Takes the request that round robin chooses for a virtual channel out of the list.
Receiver* Router::take_request(const Output& output, Tick now) {
    const std::uint32_t vc = output.sender->vc();
    std::uint32_t nearest = input_count_;
    Receiver** chosen = nullptr;
    for (Receiver** link = &requests(output.sender->port()); *link != nullptr;
         link = &(*link)->next_request) {
        const Receiver& r = **link;
        if (r.requested_from > now || (r.allowed_vcs >> vc & 1) == 0) continue;
        const std::uint32_t steps = distance(output.pointer, r.index(), input_count_);
        if (steps >= nearest) continue;
        nearest = steps;
        chosen = link;
    }
    if (chosen == nullptr) return nullptr;
    return std::exchange(*chosen, (*chosen)->next_request);
}

/// Does nothing when nobody asks for the virtual channel.
void Router::grant(Output& output, Tick now) {
    Receiver* const winner = take_request(output, now);
    if (winner == nullptr) return;
    output.pointer = one_past(winner->index(), input_count_);
    output.sender->grant(winner->front(), winner->front_flits(), winner, now);
}

void Router::allocate(Tick now) {
    if (combined_) {
        offer_virtual_channels(now);
    } else {
        allocate_virtual_channels(now);
    }
    allocate_switch(now);
}

/// Combined allocation, step 2.
void Router::offer_virtual_channels(Tick now) {
    for (PortId port = 0; port < port_count(); ++port) {
        for (Receiver* r = requests(port); r != nullptr; r = r->next_request) {
            r->offer = offer(port, *r, now);
        }
    }
}

Sender* Router::offer(PortId port, const Receiver& head, Tick now) {
    if (head.requested_from > now) {
        context_.scheduler.schedule_by(allocation_, head.requested_from);
        return nullptr;
    }
    Sender* chosen = nullptr;
    for (std::uint32_t k = 0; k < vcs_; ++k) {
        const std::uint32_t vc = (switch_[port].vc_pointer + k) % vcs_;
        Sender& sender = *outputs_[port * vcs_ + vc].sender;
        if ((head.allowed_vcs >> vc & 1) == 0 || sender.state() != Sender::State::kFree) continue;
        const Tick credit = sender.credit_from();
        if (credit <= now) {
            if (chosen == nullptr) chosen = &sender;
        } else if (is_known(credit)) {
            context_.scheduler.schedule_by(allocation_, credit);
        }
    }
    return chosen;
}

/// The output that the packet at the front has, or is offered; null where it has to wait for one.
Sender* Router::target(const Receiver& receiver) {
    return receiver.popper() != nullptr ? receiver.popper() : receiver.offer;
}

void Router::withdraw_request(Receiver& receiver, PortId port) {
    Receiver** link = &requests(port);
    while (*link != &receiver) link = &(*link)->next_request;
    *link = receiver.next_request;
}

void Router::allocate_virtual_channels(Tick now) {
    for (PortId port = 0; port < port_count(); ++port) {
        for (std::uint32_t vc = 0; vc < vcs_ && requests(port) != nullptr; ++vc) {
            Output& output = outputs_[port * vcs_ + vc];
            if (output.sender->state() == Sender::State::kFree) grant(output, now);
        }
        // Those that are left wait for a release, unless they are not visible yet.
        for (const Receiver* r = requests(port); r != nullptr; r = r->next_request) {
            if (r->requested_from > now) {
                context_.scheduler.schedule_by(allocation_, r->requested_from);
            }
        }
    }
}

/// Streams keep their input port and their output port. Of the others each free input port proposes
/// one that is ready and whose output port is free, each output port accepts one. Under combined
/// allocation they also propose to outputs that are not free, and are refused.
void Router::allocate_switch(Tick now) {
    for (PortId input = 0; input < port_count(); ++input) propose(input, now);
    bool some = false;
    for (SwitchPort& output : switch_) {
        Receiver* const winner = std::exchange(output.proposal, nullptr);
        if (winner == nullptr) continue;
        const PortId input = port_of(*winner);
        output.output_pointer = one_past(input, port_count());
        switch_[input].input_pointer = one_past(winner->index() % vcs_, vcs_);
        if (Sender* const offered = std::exchange(winner->offer, nullptr)) {
            output.vc_pointer = one_past(offered->vc(), vcs_);
            withdraw_request(*winner, offered->port());
            offered->grant(winner->front(), winner->front_flits(), winner, now);
        }
        winner->popper()->send(now);
        some = true;
    }
    // Who was beaten may have another choice in the next cycle, when the winners' ports are kept.
    if (some) context_.scheduler.schedule_by(allocation_, now + 1);
}

bool Router::is_kept(PortId output) const {
    for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
        if (outputs_[output * vcs_ + vc].sender->state() == Sender::State::kSending) return true;
    }
    return false;
}

/// Has the input port propose to an output port, where it may displace another's proposal.
void Router::propose(PortId input, Tick now) {
    const std::uint32_t pointer = switch_[input].input_pointer;
    Receiver* chosen = nullptr;
    for (std::uint32_t k = 0; k < vcs_; ++k) {
        Receiver* const receiver = inputs_[input * vcs_ + (pointer + k) % vcs_].get();
        if (receiver == nullptr || target(*receiver) == nullptr) continue;
        if (Sender* const held = receiver->popper()) {
            if (held->state() == Sender::State::kSending) return;  // keeps this port
            if (held->ready_from() > now) {
                held->await();
                continue;
            }
        }
        if (chosen != nullptr) continue;
        if (!combined_ && is_kept(target(*receiver)->port())) continue;
        chosen = receiver;
    }
    if (chosen == nullptr) return;
    const PortId output = target(*chosen)->port();
    if (combined_ && is_kept(output)) return;
    SwitchPort& wanted = switch_[output];
    if (wanted.proposal != nullptr) {
        const PortId rival = port_of(*wanted.proposal);
        if (distance(wanted.output_pointer, rival, port_count()) <
            distance(wanted.output_pointer, input, port_count())) {
            return;
        }
    }
    wanted.proposal = chosen;
}

}  // namespace flitscope::burst
