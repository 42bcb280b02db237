// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/engine/router.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tlm/engine/packet.h"

namespace flitscope::burst {
namespace {

/// The name of a router's port, and of its socket.
std::string port_end_name(const char* prefix, PortId port, std::uint32_t vc, std::uint32_t vcs) {
    std::string name = prefix + std::to_string(port);
    if (vcs > 1) name += "_vc" + std::to_string(vc);
    return name;
}

/// Steps from `pointer` to `index` around a circle of `count`: the arbiter takes the request with
/// the fewest.
std::uint32_t steps_to(std::uint32_t pointer, std::uint32_t index, std::uint32_t count) {
    return index >= pointer ? index - pointer : index + count - pointer;
}

/// The pointer after `index` was taken.
std::uint32_t one_past(std::uint32_t index, std::uint32_t count) {
    return index + 1 == count ? 0 : index + 1;
}

}  // namespace

Router::Router(sc_core::sc_module_name name, const RouterParameters& parameters,
               const Routing& routing, const FabricContext& context, Arena& memory)
    : sc_module(name),
      SenderOwner(context,
                  parameters.virtual_channels == 1 && routing.path_choice() != PathChoice::kAdaptive
                      ? nullptr
                      : &allocation_),
      routing_(routing),
      outputs_(memory.make_array<Output>(parameters.outputs.size() * parameters.virtual_channels)),
      id_(parameters.id),
      local_ports_(parameters.local_ports),
      path_choice_(routing.path_choice()),
      combined_(parameters.combined),
      whole_packets_(parameters.whole_packets),
      stores_(parameters.combining_delay.has_value()),
      heads_need_credits_(combined_ || whole_packets_ || path_choice_ == PathChoice::kAdaptive),
      vcs_(parameters.virtual_channels),
      input_count_(static_cast<std::uint32_t>(parameters.inputs.size()) * vcs_),
      inputs_(input_count_),
      switch_(parameters.outputs.size()),
      combining_delay_(parameters.combining_delay.value_or(0)),
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
                context_.joins_directly ? "" : port_end_name("in_", port, channel.vc, vcs_);
            inputs_[index] = memory.make<Receiver>(socket, index, channel, *this, context_);
        }
    }
    for (PortId port = 0; port < parameters.outputs.size(); ++port) {
        if (!parameters.outputs[port]) continue;
        ChannelParameters channel = *parameters.outputs[port];
        for (channel.vc = 0; channel.vc < vcs_; ++channel.vc) {
            // Nodes are notified of the end of packets, which requires a socket.
            const bool has_socket = !context_.joins_directly || is_local(port);
            const std::string socket =
                has_socket ? port_end_name("out_", port, channel.vc, vcs_) : "";
            senders_.push_back(memory.make<Sender>(socket, port, channel, *this));
            outputs_[port * vcs_ + channel.vc].sender = senders_.back().get();
        }
    }
}

void Router::end_of_elaboration() {
    for (const auto& sender : senders_) sender->attach();
}

std::string Router::name_of(const Receiver& receiver) const {
    return name() + ("." + port_end_name("in_", port_of(receiver), receiver.vc(), vcs_));
}

RouteQuery Router::query(const Receiver& receiver) const {
    const PacketRecord& packet = receiver.front().record;
    const PortId port = port_of(receiver);
    return {id_,
            port,
            receiver.vc(),
            packet.message.source,
            packet.message.destination,
            static_cast<std::uint32_t>(packet.sequence),
            is_local(port)};
}

void Router::route(const Receiver& receiver, RouteChoices& choices) const {
    routing_.route(query(receiver), choices);
}

/// Whether the packet at the front must be here completely before it requests an output: it goes
/// from link to link.
bool Router::stores(const Receiver& receiver) const {
    return stores_ && !is_local(port_of(receiver)) &&
           routing_.places()->router_of(receiver.front().record.message.destination) != id_;
}

void Router::on_head(Receiver& receiver, Tick from) {
    receiver.requested_from = from;
    if (stores(receiver)) {
        // It came without a stop, since there was room for all of it.
        receiver.requested_from = std::max(from, receiver.front_complete_from() + combining_delay_);
    }
    if (path_choice_ == PathChoice::kAdaptive) {
        receiver.next_request = std::exchange(undecided_, &receiver);
    } else if (path_choice_ == PathChoice::kFixed) {
        request(receiver, routing_.route(id_, receiver.front().record.message.destination));
    } else {
        request(receiver, routing_.route(query(receiver)));
    }
    if (starter() != nullptr) {
        context_.scheduler.schedule_by(allocation_, receiver.requested_from);
    }
}

/// The head at the front requests virtual channels of an output.
void Router::request(Receiver& receiver, RouteChoice choice) {
    receiver.allowed_vcs = choice.virtual_channels;
    receiver.next_request = std::exchange(requests(choice.port), &receiver);
    if (starter() != nullptr) {
        if (receiver.next_request == nullptr) asked_.push_back(choice.port);
        return;
    }
    Sender& sender = *outputs_[choice.port].sender;
    if (sender.state() == Sender::State::kFree) {
        context_.scheduler.schedule_by(sender, receiver.requested_from);
    }
}

void Router::on_stalled(Sender& sender, Tick now) {
    if (starter() == nullptr) return;
    stop_streaming(sender);
    if (is_somebody_waiting()) context_.scheduler.schedule_by(allocation_, now);
    waiting_.push_back(sender.source());
}

void Router::on_released(Sender& sender, Tick now) {
    if (starter() != nullptr) {
        stop_streaming(sender);
        if (!waiting_.empty() || !asked_.empty() || undecided_ != nullptr) {
            context_.scheduler.schedule_by(allocation_, now);
        }
        return;
    }
    if (requests(sender.port()) == nullptr) return;
    context_.scheduler.schedule(sender, std::max(now, earliest_request(sender.port())));
}

void Router::on_free_credit(Sender& sender, Tick from) {
    if (!heads_need_credits_) return;
    if (undecided_ == nullptr && requests(sender.port()) == nullptr) return;
    if (starter() != nullptr) {
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

/// Waits for requests whose heads are not visible yet.
void Router::await_requests(PortId port, Tick now) {
    Event& next = starter() != nullptr ? *starter() : *outputs_[port].sender;
    for (const Receiver* r = requests(port); r != nullptr; r = r->next_request) {
        if (r->requested_from > now) context_.scheduler.schedule_by(next, r->requested_from);
    }
}

/// For one virtual channel: the output can be granted, or its packet can continue.
void Router::begin(Sender& sender, Tick now) {
    if (sender.state() == Sender::State::kFree) {
        if (!grant(outputs_[sender.port()], now)) {
            await_requests(sender.port(), now);
            return;
        }
        if (sender.ready_from() > now) {
            sender.await();
            return;
        }
    }
    sender.send(now);
}

/// The request that round robin chooses for a virtual channel, as the place in its list; null
/// without a request.
Receiver** Router::next_request(const Output& output, Tick now) {
    const std::uint32_t vc = output.sender->vc();
    std::uint32_t nearest = input_count_;
    Receiver** chosen = nullptr;
    for (Receiver** link = &requests(output.sender->port()); *link != nullptr;
         link = &(*link)->next_request) {
        const Receiver& r = **link;
        if (r.requested_from > now || (r.allowed_vcs >> vc & 1) == 0) continue;
        const std::uint32_t steps = steps_to(output.pointer, r.index(), input_count_);
        if (steps >= nearest) continue;
        nearest = steps;
        chosen = link;
    }
    return chosen;
}

/// Credits that a virtual channel of an output needs for the head at the front, which is next.
FlitIndex Router::credits_to_grant(const Receiver& receiver) const {
    if (whole_packets_) return receiver.front_flits();
    return combined_ ? 1 : 0;
}

/// Whether a free virtual channel has `credits`. If not, the router looks again when it has.
bool Router::has_credits(Sender& sender, FlitIndex credits, Tick now) {
    const Tick from = sender.credit_from(credits);
    if (from <= now) return true;
    if (is_known(from)) {
        context_.scheduler.schedule_by(starter() != nullptr ? *starter() : sender, from);
    }
    return false;
}

/// Whether the link is free for a flit. If not, the router looks again when it is.
bool Router::is_link_free(Sender& sender, Tick now) {
    const Tick from = sender.link_free_from();
    if (from <= now) return true;
    context_.scheduler.schedule_by(starter() != nullptr ? *starter() : sender, from);
    return false;
}

/// False if no head requests the virtual channel, or the next one has to wait for credits, or
/// under combined allocation for the link.
bool Router::grant(Output& output, Tick now) {
    Receiver** const place = next_request(output, now);
    if (place == nullptr) return false;
    Receiver& winner = **place;
    const FlitIndex credits = credits_to_grant(winner);
    if (credits != 0 && !has_credits(*output.sender, credits, now)) return false;
    if (combined_ && !is_link_free(*output.sender, now)) return false;
    *place = winner.next_request;
    output.pointer = one_past(winner.index(), input_count_);
    output.sender->grant(winner.front(), winner.front_flits(), &winner, now);
    if (starter() != nullptr) waiting_.push_back(&winner);
    return true;
}

void Router::allocate(Tick now) {
    const bool adaptive = path_choice_ == PathChoice::kAdaptive;
    if (adaptive) choose_outputs(now);
    bool some = false;
    if (combined_) {
        offer_virtual_channels(now);
    } else {
        some = allocate_virtual_channels(now);
    }
    allocate_switch(now);
    if (adaptive) {
        take_back_requests();
        // A head that lost may choose another output in the next cycle.
        if (some && undecided_ != nullptr) context_.scheduler.schedule_by(allocation_, now + 1);
    }
    asked_.erase(std::remove_if(asked_.begin(), asked_.end(),
                                [this](PortId port) { return requests(port) == nullptr; }),
                 asked_.end());
}

/// Adaptive routing: each head requests the best output of this cycle, if any.
void Router::choose_outputs(Tick now) {
    RouteChoices choices;
    Receiver* left = std::exchange(undecided_, nullptr);
    while (left != nullptr) {
        Receiver& head = *left;
        left = head.next_request;
        RouteChoice choice{kLocalPort, 0};
        if (head.requested_from > now) {
            context_.scheduler.schedule_by(allocation_, head.requested_from);
        } else {
            route(head, choices);
            choice = open_choice(choices, now);
        }
        if (choice.virtual_channels != 0) {
            request(head, choice);
        } else {
            head.next_request = std::exchange(undecided_, &head);
        }
    }
}

/// The open virtual channels of the first choice of which one has a credit, or else of the first
/// with an open one. With an escape, open channels have all their credits, so the escape is for
/// heads without an open one.
RouteChoice Router::open_choice(const RouteChoices& choices, Tick now) {
    RouteChoice without_credit{kLocalPort, 0};
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const bool empty_only = choices.has_escape() && i < choices.escape();
        RouteChoice choice = choices[i];
        const bool has_credit = keep_open(choice, empty_only, now);
        if (choice.virtual_channels == 0) continue;
        if (has_credit) return choice;
        if (without_credit.virtual_channels == 0) without_credit = choice;
    }
    return without_credit;
}

/// Leaves the open virtual channels. Returns whether one has a credit.
bool Router::keep_open(RouteChoice& choice, bool empty_only, Tick now) {
    unsigned open = 0;
    bool has_credit = false;
    for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
        if ((choice.virtual_channels >> vc & 1) == 0) continue;
        Sender& sender = *outputs_[choice.port * vcs_ + vc].sender;
        if (sender.state() != Sender::State::kFree) continue;
        const bool has_some = has_credits(sender, empty_only ? sender.all_credits() : 1, now);
        if (empty_only && !has_some) continue;
        open |= 1U << vc;
        has_credit = has_credit || has_some;
    }
    choice.virtual_channels = static_cast<VcMask>(open);
    return has_credit;
}

/// Adaptive routing: heads that were not granted an output choose anew when something changes.
void Router::take_back_requests() {
    for (const PortId port : asked_) {
        while (Receiver* const head = requests(port)) {
            requests(port) = head->next_request;
            head->offer = nullptr;
            head->next_request = std::exchange(undecided_, head);
        }
    }
}

/// Combined allocation, step 2.
void Router::offer_virtual_channels(Tick now) {
    for (const PortId port : asked_) {
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
    for (std::uint32_t k = 0; k < vcs_; ++k) {
        const std::uint32_t vc = (switch_[port].vc_pointer + k) % vcs_;
        Sender& sender = *outputs_[port * vcs_ + vc].sender;
        if ((head.allowed_vcs >> vc & 1) == 0 || sender.state() != Sender::State::kFree) continue;
        if (has_credits(sender, 1, now) && is_link_free(sender, now)) return &sender;
    }
    return nullptr;
}

/// The output that the packet at the front has, or is offered; null if it has to wait for one.
Sender* Router::target(const Receiver& receiver) {
    return receiver.popper() != nullptr ? receiver.popper() : receiver.offer;
}

void Router::withdraw_request(Receiver& receiver, PortId port) {
    Receiver** link = &requests(port);
    while (*link != &receiver) link = &(*link)->next_request;
    *link = receiver.next_request;
}

/// Returns whether some head was given one.
bool Router::allocate_virtual_channels(Tick now) {
    bool some = false;
    for (const PortId port : asked_) {
        bool here = false;
        for (std::uint32_t vc = 0; vc < vcs_ && requests(port) != nullptr; ++vc) {
            Output& output = outputs_[port * vcs_ + vc];
            if (output.sender->state() != Sender::State::kFree) continue;
            here = grant(output, now) || here;
        }
        await_requests(port, now);  // the others wait for a release, or for credits
        // The next head on a virtual channel without room may have been granted another one.
        if (here && whole_packets_ && requests(port) != nullptr) {
            context_.scheduler.schedule_by(allocation_, now + 1);
        }
        some = some || here;
    }
    return some;
}

/// Streams keep their input port and their output port. Among the others each free input port
/// proposes one that is ready and whose output port is free, and each output port accepts one.
/// Under combined allocation they also propose to outputs that are not free, and are refused.
void Router::allocate_switch(Tick now) {
    for (Receiver* const receiver : waiting_) {
        Sender& held = *receiver->popper();
        if (held.ready_from() > now) {
            held.await();
        } else {
            compete(*receiver);
        }
    }
    if (combined_) {
        for (const PortId port : asked_) {
            for (Receiver* r = requests(port); r != nullptr; r = r->next_request) {
                if (r->offer != nullptr) compete(*r);
            }
        }
    }
    for (const PortId input : inputs_with_candidate_) {
        propose(*std::exchange(switch_[input].candidate, nullptr));
    }
    inputs_with_candidate_.clear();
    if (outputs_with_proposal_.empty()) return;
    for (const PortId output : outputs_with_proposal_) {
        send(*std::exchange(switch_[output].proposal, nullptr), now);
    }
    outputs_with_proposal_.clear();
    waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(),
                                  [](const Receiver* r) {
                                      return r->popper()->state() == Sender::State::kSending;
                                  }),
                   waiting_.end());
    // A head that lost may have another choice in the next cycle, when the winners keep their
    // ports.
    if (is_somebody_waiting()) context_.scheduler.schedule_by(allocation_, now + 1);
}

/// An input virtual channel that could send, among those of its port.
void Router::compete(Receiver& receiver) {
    const PortId input = port_of(receiver);
    SwitchPort& port = switch_[input];
    if (port.input_streams) return;
    if (!combined_ && switch_[target(receiver)->port()].output_streams) return;
    if (port.candidate == nullptr) {
        inputs_with_candidate_.push_back(input);
    } else if (steps_to(port.input_pointer, port.candidate->vc(), vcs_) <
               steps_to(port.input_pointer, receiver.vc(), vcs_)) {
        return;
    }
    port.candidate = &receiver;
}

/// The candidate of an input port, among those that request the same output port.
void Router::propose(Receiver& candidate) {
    const PortId output = target(candidate)->port();
    SwitchPort& wanted = switch_[output];
    if (wanted.output_streams) return;
    if (wanted.proposal == nullptr) {
        outputs_with_proposal_.push_back(output);
    } else if (steps_to(wanted.output_pointer, port_of(*wanted.proposal), port_count()) <
               steps_to(wanted.output_pointer, port_of(candidate), port_count())) {
        return;
    }
    wanted.proposal = &candidate;
}

void Router::send(Receiver& winner, Tick now) {
    const PortId input = port_of(winner);
    SwitchPort& output = switch_[target(winner)->port()];
    output.output_pointer = one_past(input, port_count());
    output.output_streams = true;
    switch_[input].input_pointer = one_past(winner.vc(), vcs_);
    switch_[input].input_streams = true;
    if (Sender* const offered = std::exchange(winner.offer, nullptr)) {
        output.vc_pointer = one_past(offered->vc(), vcs_);
        withdraw_request(winner, offered->port());
        offered->grant(winner.front(), winner.front_flits(), &winner, now);
    }
    winner.popper()->send(now);
}

/// Whether a flit may go through the switch as soon as ports are free.
bool Router::is_somebody_waiting() const {
    return !waiting_.empty() || (combined_ && (!asked_.empty() || undecided_ != nullptr));
}

void Router::stop_streaming(const Sender& sender) {
    switch_[sender.port()].output_streams = false;
    switch_[port_of(*sender.source())].input_streams = false;
}

}  // namespace flitscope::burst
