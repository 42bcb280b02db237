// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/engine/router.h"

#include <algorithm>
#include <string>
#include <utility>

#include "models/tlm/engine/packet.h"

namespace flitscope::burst {
namespace {

std::string end_name(const char* prefix, PortId port, const ChannelParameters& channel,
                     std::uint32_t vcs) {
    std::string name = prefix + std::to_string(port);
    if (vcs > 1) name += "_vc" + std::to_string(channel.vc);
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
      routing_(routing),
      context_(context),
      outputs_(memory.make_array<Output>(parameters.outputs.size() * parameters.virtual_channels)),
      node_(parameters.node),
      fixed_paths_(routing.path_choice() == PathChoice::kFixed),
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
            inputs_[index] = memory.make<Receiver>(end_name("in_", port, channel, vcs_).c_str(),
                                                   index, channel, *this, context_);
        }
    }
    Event* const starter = vcs_ == 1 ? nullptr : &allocation_;
    for (PortId port = 0; port < parameters.outputs.size(); ++port) {
        if (!parameters.outputs[port]) continue;
        ChannelParameters channel = *parameters.outputs[port];
        for (channel.vc = 0; channel.vc < vcs_; ++channel.vc) {
            senders_.push_back(memory.make<Sender>(end_name("out_", port, channel, vcs_).c_str(),
                                                   port, channel, *this, context_, starter));
            outputs_[port * vcs_ + channel.vc].sender = senders_.back().get();
        }
    }
}

void Router::end_of_elaboration() {
    for (const auto& sender : senders_) sender->attach();
    for (const auto& receiver : inputs_) {
        if (receiver != nullptr) receiver->attach();
    }
}

RouteChoice Router::route(const Receiver& receiver) const {
    Payload& payload = receiver.front();
    const auto destination = static_cast<NodeId>(payload.get_address());
    if (fixed_paths_) return routing_.route(node_, destination);
    const PacketRecord& packet = Packet::of(payload).record;
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
    allocate_virtual_channels(now);
    allocate_switch(now);
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
/// one that is ready and whose output port is free, each output port accepts one.
void Router::allocate_switch(Tick now) {
    for (PortId input = 0; input < port_count(); ++input) propose(input, now);
    bool some = false;
    for (SwitchPort& output : switch_) {
        Sender* const winner = std::exchange(output.proposal, nullptr);
        if (winner == nullptr) continue;
        const Receiver& source = *winner->source();
        const PortId input = port_of(source);
        output.output_pointer = one_past(input, port_count());
        switch_[input].input_pointer = one_past(source.index() % vcs_, vcs_);
        winner->send(now);
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
    Sender* chosen = nullptr;
    for (std::uint32_t k = 0; k < vcs_; ++k) {
        const Receiver* const receiver = inputs_[input * vcs_ + (pointer + k) % vcs_].get();
        if (receiver == nullptr || receiver->popper() == nullptr) continue;
        Sender& sender = *receiver->popper();
        if (sender.state() == Sender::State::kSending) return;  // keeps this port
        if (sender.ready_from() > now) {
            sender.await();
            continue;
        }
        if (chosen != nullptr) continue;
        if (is_kept(sender.port())) continue;
        chosen = &sender;
    }
    if (chosen == nullptr) return;
    SwitchPort& wanted = switch_[chosen->port()];
    if (wanted.proposal != nullptr) {
        const PortId rival = port_of(*wanted.proposal->source());
        if (distance(wanted.output_pointer, rival, port_count()) <
            distance(wanted.output_pointer, input, port_count())) {
            return;
        }
    }
    wanted.proposal = chosen;
}

}  // namespace flitscope::burst
