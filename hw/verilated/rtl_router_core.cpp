// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/verilated/rtl_router_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace flitscope::hw {

RtlRouterCore::RtlRouterCore(const RtlRouters& routers, RouterCoreSetup setup)
    : clock_(setup.clock),
      name_(std::move(setup.name)),
      routing_(setup.routing),
      routers_(routers),
      traits_(routers.entry(setup.config.router)),
      ejections_(setup.ejections),
      router_(setup.config.router),
      ports_(setup.config.ports()),
      vcs_(setup.config.virtual_channels),
      classes_(setup.config.classes),
      combined_(setup.config.combines_allocation),
      rate_cycles_(setup.config.rate_cycles),
      switch_outputs_(setup.config.output_speedup),
      module_(setup.clock.add(*this)),
      watched_((2 * std::size_t{ports_} * vcs_ + 63) / 64),
      inputs_(std::size_t{ports_} * vcs_),
      outputs_(inputs_.size()),
      probe_(std::move(setup.probe)) {
    if (!traits_.tells_grants) {
        ledger_.emplace(routing_, router_, ports_, vcs_, traits_.depth,
                        [this](std::uint32_t output) { return has_credit(output); });
    }
    if (switch_outputs_ > 1) queues_.emplace(ports_, inputs_.size());
    model_ = routers.create(router_, probe_.inner_signals != nullptr, rate_cycles_);
    const auto inputs = static_cast<std::uint32_t>(inputs_.size());
    const auto watch = [this](std::uint32_t wire, std::uint32_t lead) {
        word_of(wire) |= std::uint64_t{1} << wire % 64;
        return Sleeper{&word_of(wire), module_, lead, 0, static_cast<std::uint8_t>(wire % 64)};
    };
    for (std::uint32_t index = 0; index < inputs; ++index) {
        if (FlitBuffer* const fifo = setup.outputs[index]) {
            outputs_[index].to.attach(*fifo);
            outputs_[index].to.set_sleeper(watch(inputs + index, 0));
        }
        if (FlitBuffer* const fifo = setup.inputs[index]) {
            inputs_[index].bound = true;
            inputs_[index].from.attach(*fifo);
            // At the pins a flit is early by the router delay; the edge after that takes it in.
            inputs_[index].from.set_sleeper(watch(index, traits_.router_delay - 1));
        }
    }
    if (probe_.inner_signals != nullptr) {
        relay_ = std::make_unique<SignalRelay>(*probe_.inner_signals, name_);
        model_->trace(*relay_);
        relay_->show(vcs_, pinned_ports(setup));
        clock_.wake(module_, 0);  // the state after reset belongs into the trace
    }
    await_wires();
}

/// Names in the waveform of what the ports are bound to.
std::vector<PinnedPort> RtlRouterCore::pinned_ports(const RouterCoreSetup& setup) {
    std::vector<PinnedPort> pinned(setup.config.ports());
    for (PortId port = 0; port < pinned.size(); ++port) {
        pinned[port] = {setup.input_names[port], setup.output_names[port]};
    }
    for (PortId port = 0; port < setup.ejections.size(); ++port) {
        if (setup.ejections[port] != nullptr) pinned[port].out = "ejection";
    }
    return pinned;
}

Cycle RtlRouterCore::tick(Cycle now) {
    // Everything decided up to the last cycle is known by now; decisions of other modules in this
    // one reach our pins at the next edge at the earliest. So the order of ticks has no effect.
    const bool arrivals = gather(now);
    if (relay_ != nullptr && now > 0) {
        relay_->cycle = now - 1;
        model_->dump(pins_);
    }
    try {
        model_->edge(pins_);
    } catch (const std::runtime_error& failed) {  // an assertion, of the cycle that ends here
        broken(now - std::min<Cycle>(now, 1), failed.what());
    }
    if (probe_.observer != nullptr) {
        report_releases(now);
        report_grants(now);
    }
    const bool departures = traverse(now);
    if (ledger_ && now >= next_look_) require_progress(now);
    const Cycle next = await_wires();
    // Until its links are free, flits may wait for them, and its counters count.
    if (arrivals || departures || now < links_free_from_) {
        quiet_ = 0;
        return now + 1;
    }
    // With no flit inside, ours changes nothing any more that its pins or its next edge depend on;
    // but registers that mean nothing then may still move, and a trace shows them.
    const bool at_rest = traits_.tells_grants && relay_ == nullptr && inside_flits_ == 0;
    if (!at_rest && ++quiet_ < traits_.quiet_cycles) return now + 1;
    quiet_ = 0;
    if (ledger_) require_rest(now);
    return next;
}

/// Whether a router has a credit for an output; ejection needs none.
bool RtlRouterCore::has_credit(std::uint32_t output) const {
    const WireWriter& to = outputs_[output].to;
    return !to.attached() || !to.all_credits_out();
}

/// A router of which only the pins are known has sent what it could.
void RtlRouterCore::require_rest(Cycle now) const {
    if (const std::string wrong = ledger_->at_rest(); !wrong.empty()) broken(now, wrong);
}

/// It passes over no packet while it serves others.
void RtlRouterCore::require_progress(Cycle now) {
    next_look_ = now + RouterLedger::kPatience;
    if (const std::string wrong = ledger_->idle(); !wrong.empty()) broken(now, wrong);
}

/// Puts what arrived in the cycle before `now` on the input pins.
bool RtlRouterCore::gather(Cycle now) {
    RtlPins::Side& in = pins_.in;
    in.flit_valid = {};
    in.credits = ejected_;
    bool any = ejected_.any();
    ejected_ = {};
    const auto inputs = static_cast<std::uint32_t>(inputs_.size());
    for (std::uint32_t w = 0; w < watched_.size(); ++w) {
        for (std::uint64_t bits = watched_[w]; bits != 0; bits &= bits - 1) {
            const std::uint32_t wire = w * 64 + static_cast<std::uint32_t>(__builtin_ctzll(bits));
            any |= wire < inputs ? take_flit(wire, now) : take_credit(wire - inputs, now);
        }
    }
    return any;
}

/// A flit at the pins in cycle now - 1 is visible router_delay later.
bool RtlRouterCore::take_flit(std::uint32_t input, Cycle now) {
    WireReader& from = inputs_[input].from;
    if (!from.next_visible(now - 1 + traits_.router_delay)) return false;
    const PortId port = input / vcs_;
    pins_.in.flits[port] = {from.receive(), input % vcs_};
    if (ledger_) ledger_->take(input, pins_.in.flits[port].flit, now - 1);
    pins_.in.flit_valid.set(port);
    ++inside_flits_;
    return true;
}

/// A credit at the pins in cycle now - 1 can be spent in cycle now.
bool RtlRouterCore::take_credit(std::uint32_t output, Cycle now) {
    WireWriter& to = outputs_[output].to;
    if (!to.next_credit(now)) return false;
    to.return_credit();
    pins_.in.credits.set(output);
    return true;
}

/// Stops watching the wires on which nothing is known to come, until something is put there.
/// Returns the next cycle in which something is known to come.
Cycle RtlRouterCore::await_wires() {
    Cycle next = kNever;
    for (std::uint32_t w = 0; w < watched_.size(); ++w) {
        for (std::uint64_t bits = watched_[w]; bits != 0; bits &= bits - 1) {
            const std::uint32_t wire = w * 64 + static_cast<std::uint32_t>(__builtin_ctzll(bits));
            next = std::min(next, await_wire(wire));
        }
    }
    return next;
}

Cycle RtlRouterCore::await_wire(std::uint32_t wire) {
    const auto inputs = static_cast<std::uint32_t>(inputs_.size());
    if (wire < inputs) {
        WireReader& from = inputs_[wire].from;
        const Cycle visible = from.next_visible_from();
        if (visible != kNever) return visible - (traits_.router_delay - 1);
        if (!from.await_next()) return kNever;
    } else {
        WireWriter& to = outputs_[wire - inputs].to;
        const Cycle credit = to.next_credit_from();
        if (credit != kNever) return credit;
        to.await_next();
    }
    word_of(wire) &= ~(std::uint64_t{1} << wire % 64);
    return kNever;
}

/// Passes on what the output pins show.
bool RtlRouterCore::traverse(Cycle now) {
    const RtlPins::Side& out = pins_.out;
    out.flit_valid.for_each([this, now](PortId port) {
        const std::uint32_t vc = pins_.out.flits[port].vc;
        if (vc >= vcs_) broken(now, fmt::format("sent on virtual channel {}", vc));
    });
    if (ledger_) enter_sends(now);
    if (queues_) enter_queues();
    if (probe_.observer != nullptr) report_sends(now);  // while packets and flits are still there
    out.flit_valid.for_each([this, now](PortId port) { send(port, now); });
    out.credits.for_each([this, now](std::uint32_t input) { pop(input, now); });
    if (queues_) leave_queues(now);
    return out.flit_valid.any() || out.credits.any();
}

/// What its switch passes in this cycle, in the order of the switch outputs.
void RtlRouterCore::enter_queues() {
    for (std::uint32_t number = 0; number < switch_outputs_; ++number) {
        pins_.out.credits.for_each([this, number](std::uint32_t input) {
            const std::uint32_t output = model_->held_output(input);
            if (input / vcs_ % switch_outputs_ != number || output == RtlModel::kNone) return;
            if (inputs_[input].from.inside() == 0) return;
            queues_->enter(output / vcs_, {inputs_[input].from.front(), input, output});
        });
    }
}

/// After observers have seen it.
void RtlRouterCore::leave_queues(Cycle now) {
    pins_.out.flit_valid.for_each([this, now](PortId port) { queues_->leave(port, now); });
}

/// Ours is compared with the SystemC router in every cycle (flitscope cosim).
void RtlRouterCore::enter_sends(Cycle now) {
    pins_.out.flit_valid.for_each([this, now](PortId port) {
        const RtlPins::FlitPin& pin = pins_.out.flits[port];
        std::string wrong = ledger_->send(port * vcs_ + pin.vc, pin.flit);
        if (wrong.empty() && pin.flit.head) {
            wrong = routers_.wrong_turn(router_, pin.flit.word, port, pin.vc);
        }
        if (!wrong.empty()) broken(now, wrong);
    });
}

void RtlRouterCore::pop(std::uint32_t input, Cycle now) {
    Input& from = inputs_[input];
    if (!from.bound || from.from.inside() == 0) {
        broken(now,
               fmt::format("returned a credit for a flit that it did not receive, on input port "
                           "{} virtual channel {}",
                           input / vcs_, input % vcs_));
    }
    const Flit flit = from.from.front();
    if (flit.head) from.header = flit.word;
    if (ledger_) ledger_->pop(input);
    from.from.pop(now, clock_);
    --inside_flits_;
}

void RtlRouterCore::send(PortId port, Cycle now) {
    if (!rate_cycles_.empty()) {
        links_free_from_ = std::max<Cycle>(links_free_from_, now + rate_cycles_[port]);
    }
    const RtlPins::FlitPin& pin = pins_.out.flits[port];
    Output& output = outputs_[std::size_t{port} * vcs_ + pin.vc];
    if (output.to.attached()) {
        if (output.to.all_credits_out()) {
            broken(now, fmt::format("sent without a credit, on output port {} virtual channel {}",
                                    port, pin.vc));
        }
        output.to.push(pin.flit, now, clock_);
        const auto wire = static_cast<std::uint32_t>(inputs_.size()) + port * vcs_ + pin.vc;
        word_of(wire) |= std::uint64_t{1} << wire % 64;
    } else if (port < ejections_.size() && ejections_[port] != nullptr) {
        ejections_[port]->eject(pin.flit, pin.vc, now);
        ejected_.set(port * vcs_ + pin.vc);
    } else {
        broken(now, fmt::format("sent to output port {}, which has no link", port));
    }
}

/// The input virtual channel whose front flit output `port` sends in this cycle, for a router that
/// reports which input holds which output.
std::uint32_t RtlRouterCore::source_of(PortId port) const {
    const RtlPins::FlitPin& pin = pins_.out.flits[port];
    std::uint32_t source = RtlModel::kNone;
    if (queues_) {
        const bool ours = !queues_->empty(port) && queues_->front(port).flit == pin.flit;
        return ours ? queues_->front(port).input : source;
    }
    pins_.out.credits.for_each([&](std::uint32_t input) {
        if (inputs_[input].from.inside() == 0) return;
        const bool ours = model_->held_output(input) == port * vcs_ + pin.vc;
        if (ours && inputs_[input].from.front() == pin.flit) source = input;
    });
    return source;
}

void RtlRouterCore::report_releases(Cycle now) {
    for (std::uint32_t o = 0; o < outputs_.size(); ++o) {
        Output& output = outputs_[o];
        if (!output.released) continue;
        output.released = false;
        output.sending = false;
        probe_.observer->on_send_end(probe_.out[o / vcs_], o % vcs_, now);
        probe_.observer->on_release(probe_.out[o / vcs_], o % vcs_, now);
        if (!queues_) continue;
        if (const std::optional<Message> next = queues_->deferred_grant(o)) {
            probe_.observer->on_grant(probe_.out[o / vcs_], o % vcs_, *next, now);
        }
    }
}

void RtlRouterCore::report_grants(Cycle now) {
    if (!traits_.tells_grants) return;
    for (std::uint32_t i = 0; i < inputs_.size(); ++i) {
        if (!model_->granted(i)) continue;
        const std::uint32_t o = model_->held_output(i);
        if (o == RtlModel::kNone) {
            broken(now, fmt::format("granted input virtual channel {} nothing", i));
        }
        const Message message = probe_.packets->message_of(inputs_[i].from.front().word);
        if (queues_ && queues_->defer_grant(o, message)) continue;
        probe_.observer->on_grant(probe_.out[o / vcs_], o % vcs_, message, now);
    }
}

void RtlRouterCore::report_sends(Cycle now) {
    pins_.out.flit_valid.for_each([this, now](PortId port) {
        const RtlPins::FlitPin& pin = pins_.out.flits[port];
        Output& output = outputs_[std::size_t{port} * vcs_ + pin.vc];
        output.sent = true;
        output.released = pin.flit.tail;
        const std::uint32_t source =
            ledger_ ? ledger_->source(port * vcs_ + pin.vc) : source_of(port);
        if (source == RtlModel::kNone) {
            broken(now, fmt::format("sent a flit on output port {} that it did not pop", port));
        }
        if (pin.flit.head && !traits_.tells_grants) {
            probe_.observer->on_grant(probe_.out[port], pin.vc,
                                      probe_.packets->message_of(pin.flit.word), now);
        }
        if (!output.sending) {
            probe_.observer->on_send_begin(probe_.out[port], pin.vc, probe_.in[source / vcs_],
                                           source % vcs_, now);
        }
    });
    for (std::uint32_t o = 0; o < outputs_.size(); ++o) {
        Output& output = outputs_[o];
        if (output.sending && !output.sent) {
            probe_.observer->on_send_end(probe_.out[o / vcs_], o % vcs_, now);
        }
        output.sending = output.sent;
        output.sent = false;
    }
}

void RtlRouterCore::finish() {
    if (relay_ != nullptr) {
        pins_.in.flit_valid = {};
        pins_.in.credits = {};
        relay_->cycle = clock_.now();
        model_->dump(pins_);
    }
    try {
        model_->finish();
    } catch (const std::runtime_error& failed) {
        broken(clock_.now(), failed.what());
    }
}

/// The packet at the front of an input; nothing if there is none, or nothing of it is here.
std::optional<RtlRouterCore::Front> RtlRouterCore::front_of(std::uint32_t input) const {
    if (!inputs_[input].bound) return std::nullopt;
    if (ledger_) {
        const RouterLedger::Packet* const packet = ledger_->front(input);
        if (packet == nullptr || packet->words.empty()) return std::nullopt;
        return Front{packet->header, packet->output == RouterLedger::kNone, packet->output};
    }
    const WireReader& from = inputs_[input].from;
    if (from.visible_from() == kNever) return std::nullopt;
    const bool at_head = from.visible(clock_.now()) && from.front().head;
    return Front{at_head ? from.front().word : inputs_[input].header, at_head, held_output(input)};
}

std::uint32_t RtlRouterCore::held_output(std::uint32_t input) const {
    if (!ledger_) return model_->held_output(input);
    const RouterLedger::Packet* const packet = ledger_->front(input);
    return packet == nullptr ? RtlModel::kNone : packet->output;
}

void RtlRouterCore::report_waits(std::vector<WaitReport>& reports) const {
    for (std::uint32_t i = 0; i < inputs_.size(); ++i) {
        const std::optional<Front> front = front_of(i);
        if (!front) continue;
        WaitReport report;
        report.at = {false, i / vcs_, i % vcs_};
        report.header = front->header;
        if (front->held != RtlModel::kNone) {
            const WireWriter& to = outputs_[front->held].to;
            if (!to.attached() || to.credit_from() != kNever) continue;
            report.granted = true;
            report.wants = front->held / vcs_;
            report.obstacles.push_back({true, front->held / vcs_, front->held % vcs_});
        } else if (!front->at_head || !waits_for_output(i, report)) {
            continue;
        }
        reports.push_back(std::move(report));
    }
}

/// Whether the head at the front of `input` has to wait for all that it may be given: others hold
/// it, or under combined allocation it lacks a credit.
bool RtlRouterCore::waits_for_output(std::uint32_t input, WaitReport& report) const {
    RouteChoice choice =
        routing_.route(query_of_head(routing_, router_, input / vcs_, input % vcs_, report.header));
    choice.virtual_channels &= classes_.network_of(input % vcs_);
    std::uint32_t open = choice.virtual_channels & ((1U << vcs_) - 1);
    for (std::uint32_t i = 0; i < inputs_.size(); ++i) {
        if (i == input || !inputs_[i].bound) continue;
        const std::uint32_t held = held_output(i);
        if (held == RtlModel::kNone || held / vcs_ != choice.port) continue;
        if ((choice.virtual_channels >> held % vcs_ & 1) == 0) continue;
        open &= ~(1U << held % vcs_);
        report.obstacles.push_back({false, i / vcs_, i % vcs_});
    }
    for (std::uint32_t vc = 0; combined_ && vc < vcs_; ++vc) {
        const WireWriter& to = outputs_[choice.port * vcs_ + vc].to;
        if ((open >> vc & 1) == 0 || !to.attached() || to.credit_from() != kNever) continue;
        open &= ~(1U << vc);
        report.obstacles.push_back({true, choice.port, vc});
    }
    report.wants = choice.port;
    return open == 0;
}

void RtlRouterCore::broken(Cycle now, const std::string& what) const {
    throw std::runtime_error(fmt::format("{} (RTL), cycle {}: {}", name_, now, what));
}

ArenaPtr<RouterCore> make_rtl_router_core(const RtlRouters& routers, RouterCoreSetup setup) {
    std::pmr::memory_resource* const memory = setup.memory;
    return place_router_core<RtlRouterCore>(memory, routers, std::move(setup));
}

}  // namespace flitscope::hw
