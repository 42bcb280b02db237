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
      traits_(routers.entry()),
      ejections_(setup.ejections),
      router_(setup.config.router),
      ports_(setup.config.ports()),
      vcs_(setup.config.virtual_channels),
      combined_(setup.config.combines_allocation),
      rate_cycles_(setup.config.rate_cycles),
      module_(setup.clock.add(*this)),
      watched_((2 * std::size_t{ports_} * vcs_ + 63) / 64),
      inputs_(std::size_t{ports_} * vcs_),
      outputs_(inputs_.size()),
      probe_(std::move(setup.probe)) {
    if (!traits_.tells_grants) inside_.resize(inputs_.size());
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
    } catch (const std::runtime_error& failed) {  // an assertion, which lacks its location
        broken(now, failed.what());
    }
    if (probe_.observer != nullptr) {
        report_releases(now);
        report_grants(now);
    }
    const bool departures = traverse(now);
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
    return next;
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
    if (probe_.observer != nullptr) report_sends(now);  // while packets and flits are still there
    out.flit_valid.for_each([this, now](PortId port) { send(port, now); });
    out.credits.for_each([this, now](std::uint32_t input) { pop(input, now); });
    return out.flit_valid.any() || out.credits.any();
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
    from.from.pop(now, clock_);
    --inside_flits_;
}

void RtlRouterCore::send(PortId port, Cycle now) {
    if (!rate_cycles_.empty()) {
        links_free_from_ = std::max<Cycle>(links_free_from_, now + rate_cycles_[port]);
    }
    const RtlPins::FlitPin& pin = pins_.out.flits[port];
    // Ours is compared with the SystemC router in every cycle (flitscope cosim).
    if (pin.flit.head && !traits_.tells_grants) {
        const std::string wrong = routers_.wrong_turn(router_, pin.flit.word, port, pin.vc);
        if (!wrong.empty()) broken(now, wrong);
    }
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
    pins_.out.credits.for_each([&](std::uint32_t input) {
        if (inputs_[input].from.inside() == 0) return;
        const bool ours = model_->held_output(input) == port * vcs_ + pin.vc;
        if (ours && inputs_[input].from.front() == pin.flit) source = input;
    });
    return source;
}

/// A router of which we know only the pins may send a flit later than it pops it. The header of a
/// packet shows which input it came from; a flit counts as in that input's FIFO until it is sent.
void RtlRouterCore::note_heads_popped() {
    pins_.out.credits.for_each([this](std::uint32_t i) {
        const Input& input = inputs_[i];
        if (!input.bound || input.from.inside() == 0) return;
        const Flit front = input.from.front();
        if (front.head) inside_[i].push_back(front.word);
    });
}

std::uint32_t RtlRouterCore::packet_source(PortId port) {
    const RtlPins::FlitPin& pin = pins_.out.flits[port];
    Output& output = outputs_[std::size_t{port} * vcs_ + pin.vc];
    if (!pin.flit.head) return output.source;
    output.source = RtlModel::kNone;
    for (std::uint32_t i = 0; i < inputs_.size(); ++i) {
        auto& inside = inside_[i];
        const auto found = std::find(inside.begin(), inside.end(), pin.flit.word);
        if (found == inside.end()) continue;
        inside.erase(found);
        output.source = i;
        break;
    }
    return output.source;
}

void RtlRouterCore::report_releases(Cycle now) {
    for (std::uint32_t o = 0; o < outputs_.size(); ++o) {
        Output& output = outputs_[o];
        if (!output.released) continue;
        output.released = false;
        output.sending = false;
        probe_.observer->on_send_end(probe_.out[o / vcs_], o % vcs_, now);
        probe_.observer->on_release(probe_.out[o / vcs_], o % vcs_, now);
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
        probe_.observer->on_grant(probe_.out[o / vcs_], o % vcs_,
                                  probe_.packets->message_of(inputs_[i].from.front().word), now);
    }
}

void RtlRouterCore::report_sends(Cycle now) {
    if (!traits_.tells_grants) note_heads_popped();
    pins_.out.flit_valid.for_each([this, now](PortId port) {
        const RtlPins::FlitPin& pin = pins_.out.flits[port];
        Output& output = outputs_[std::size_t{port} * vcs_ + pin.vc];
        output.sent = true;
        output.released = pin.flit.tail;
        const std::uint32_t source = traits_.tells_grants ? source_of(port) : packet_source(port);
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

void RtlRouterCore::report_waits(std::vector<WaitReport>& reports) const {
    for (std::uint32_t i = 0; i < inputs_.size(); ++i) {
        const Input& input = inputs_[i];
        if (!input.bound || input.from.visible_from() == kNever) continue;  // nothing at the front
        WaitReport report;
        report.at = {false, i / vcs_, i % vcs_};
        const bool at_head = input.from.visible(clock_.now()) && input.from.front().head;
        report.header = at_head ? input.from.front().word : input.header;
        if (const std::uint32_t held = model_->held_output(i); held != RtlModel::kNone) {
            const WireWriter& to = outputs_[held].to;
            if (!to.attached() || to.credit_from() != kNever) continue;
            report.granted = true;
            report.wants = held / vcs_;
            report.obstacles.push_back({true, held / vcs_, held % vcs_});
        } else if (!at_head || !waits_for_output(i, report)) {
            continue;
        }
        reports.push_back(std::move(report));
    }
}

/// Whether the head at the front of `input` has to wait for all that it may be given: others hold
/// it, or under combined allocation it lacks a credit.
bool RtlRouterCore::waits_for_output(std::uint32_t input, WaitReport& report) const {
    const RouteChoice choice = routing_.route(router_, Header::destination_of(report.header));
    std::uint32_t open = choice.virtual_channels & ((1U << vcs_) - 1);
    for (std::uint32_t i = 0; i < inputs_.size(); ++i) {
        if (i == input || !inputs_[i].bound) continue;
        const std::uint32_t held = model_->held_output(i);
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
