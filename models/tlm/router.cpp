// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/router.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "models/tlm/packet.h"

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
               const Routing& routing, const FabricContext& context, HotMemory& memory)
    : sc_module(name),
      routing_(routing),
      context_(context),
      node_(parameters.node),
      vcs_(parameters.virtual_channels),
      outputs_(parameters.outputs.size()),
      inputs_(parameters.inputs.size() * vcs_),
      senders_(inputs_.size()),
      pointers_(inputs_.size(), 0),
      input_pointers_(parameters.inputs.size(), 0),
      allocation_(*this) {
    create_ends(parameters, memory);
}

Router::~Router() {
    // As ~CycleFabric, and why.
    while (!senders_.empty()) senders_.pop_back();
    while (!inputs_.empty()) inputs_.pop_back();
}

void Router::create_ends(const RouterParameters& parameters, HotMemory& memory) {
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
            senders_[port * vcs_ + channel.vc] =
                memory.make<Sender>(end_name("out_", port, channel, vcs_).c_str(), port, channel,
                                    *this, context_, starter);
        }
    }
}

void Router::end_of_elaboration() {
    for (const auto& sender : senders_) {
        if (sender != nullptr) sender->attach();
    }
    for (const auto& receiver : inputs_) {
        if (receiver != nullptr) receiver->attach();
    }
}

RouteChoice Router::route(const Payload& packet) const {
    return routing_.route(node_, static_cast<NodeId>(packet.get_address()));
}

void Router::on_head(Receiver& receiver, Tick from) {
    const RouteChoice choice = route(receiver.front());
    Output& output = outputs_[choice.port];
    receiver.requested_from = from;
    receiver.allowed_vcs = choice.virtual_channels;
    receiver.next_request = output.requests;
    output.requests = &receiver;
    if (vcs_ > 1) {
        context_.scheduler.schedule_by(allocation_, from);
    } else if (Sender& sender = *senders_[choice.port]; sender.state() == Sender::State::kFree) {
        context_.scheduler.schedule_by(sender, from);
    }
}

void Router::on_released(Sender& sender, Tick now) {
    if (vcs_ > 1) {
        context_.scheduler.schedule_by(allocation_, now);
        return;
    }
    const Output& output = outputs_[sender.port()];
    if (output.requests == nullptr) return;
    context_.scheduler.schedule(sender, std::max(now, earliest_request(output)));
}

Tick Router::earliest_request(const Output& output) const {
    Tick earliest = kUnknown;
    for (const Receiver* r = output.requests; r != nullptr; r = r->next_request) {
        earliest = std::min(earliest, r->requested_from);
    }
    return earliest;
}

/// One virtual channel: the output can be granted, or its packet can go on.
void Router::begin(Sender& sender, Tick now) {
    if (sender.state() == Sender::State::kFree) {
        grant(sender, now);
        if (sender.ready_from() > now) {
            sender.await();
            return;
        }
    }
    sender.send(now);
}

/// Takes the request that round robin chooses for a virtual channel out of the list.
Receiver* Router::take_request(Output& output, std::uint32_t vc, std::uint32_t pointer, Tick now) {
    const auto count = static_cast<std::uint32_t>(inputs_.size());
    std::uint32_t nearest = count;
    Receiver** chosen = nullptr;
    for (Receiver** link = &output.requests; *link != nullptr; link = &(*link)->next_request) {
        const Receiver& r = **link;
        if (r.requested_from > now || (r.allowed_vcs >> vc & 1) == 0) continue;
        const std::uint32_t steps = distance(pointer, r.index(), count);
        if (steps >= nearest) continue;
        nearest = steps;
        chosen = link;
    }
    if (chosen == nullptr) return nullptr;
    return std::exchange(*chosen, (*chosen)->next_request);
}

/// False when nobody asks for the virtual channel.
bool Router::grant(Sender& sender, Tick now) {
    std::uint32_t& pointer = pointers_[sender.port() * vcs_ + sender.vc()];
    Receiver* const winner = take_request(outputs_[sender.port()], sender.vc(), pointer, now);
    if (winner == nullptr) return false;
    pointer = one_past(winner->index(), static_cast<std::uint32_t>(inputs_.size()));
    sender.grant(winner->front(), winner->front_flits(), winner, now);
    return true;
}

void Router::allocate(Tick now) {
    allocate_virtual_channels(now);
    allocate_switch(now);
}

void Router::allocate_virtual_channels(Tick now) {
    for (PortId port = 0; port < outputs_.size(); ++port) {
        const Output& output = outputs_[port];
        for (std::uint32_t vc = 0; vc < vcs_ && output.requests != nullptr; ++vc) {
            Sender& sender = *senders_[port * vcs_ + vc];
            if (sender.state() == Sender::State::kFree) grant(sender, now);
        }
        // Those that are left wait for a release, unless they are not visible yet.
        for (const Receiver* r = output.requests; r != nullptr; r = r->next_request) {
            if (r->requested_from > now) {
                context_.scheduler.schedule_by(allocation_, r->requested_from);
            }
        }
    }
}

/// Streams keep their input port and their output port. Of the others each free input port proposes
/// one that is ready and whose output port is free, each output port accepts one.
void Router::allocate_switch(Tick now) {
    const auto ports = static_cast<PortId>(outputs_.size());
    for (PortId input = 0; input < ports; ++input) propose(input, now);
    bool some = false;
    for (Output& output : outputs_) {
        Sender* const winner = std::exchange(output.proposal, nullptr);
        if (winner == nullptr) continue;
        const Receiver& source = *winner->source();
        const PortId port = port_of(source);
        output.switch_pointer = one_past(port, ports);
        input_pointers_[port] = one_past(source.index() % vcs_, vcs_);
        winner->send(now);
        some = true;
    }
    // Who was beaten may have another choice in the next cycle, when the winners' ports are kept.
    if (some) context_.scheduler.schedule_by(allocation_, now + 1);
}

bool Router::is_kept(PortId output) const {
    for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
        if (senders_[output * vcs_ + vc]->state() == Sender::State::kSending) return true;
    }
    return false;
}

/// Has the input port propose to an output port, where it may displace another's proposal.
void Router::propose(PortId input, Tick now) {
    const auto ports = static_cast<PortId>(outputs_.size());
    const std::uint32_t pointer = input_pointers_[input];
    Sender* chosen = nullptr;
    Output* wanted = nullptr;
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
        wanted = &outputs_[sender.port()];
    }
    if (chosen == nullptr) return;
    if (wanted->proposal != nullptr) {
        const PortId rival = port_of(*wanted->proposal->source());
        if (distance(wanted->switch_pointer, rival, ports) <
            distance(wanted->switch_pointer, input, ports)) {
            return;
        }
    }
    wanted->proposal = chosen;
}

}  // namespace flitscope::burst
