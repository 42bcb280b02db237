// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/circuit/circuit_router.h"

#include <deque>
#include <utility>

namespace flitscope::hw {
namespace {

constexpr std::uint32_t kNobody = UINT32_MAX;

/// Which of the inputs exist, by CircuitRouter::input_number().
std::vector<bool> existing_inputs(const CircuitRouterConfig& config) {
    std::vector<bool> exist;
    for (PortId port = 0; port < config.inputs.size(); ++port) {
        exist.insert(exist.end(), port < config.local_ports ? kInjectionWires : 1,
                     config.inputs[port]);
    }
    return exist;
}

}  // namespace

/// The end of an injection wire or a link: a header that waits, and the elements that are still on
/// the wire.
class CircuitRouter::Input final : public CircuitSink {
public:
    Input(CircuitRouter& router, PortId at, std::uint32_t number)
        : port(at), index(number), router_(router) {}

    void set_up(std::uint64_t with, Cycle at) override { router_.request(*this, with, at); }
    void pass(const Flit& element, Cycle at) override { router_.receive(*this, element, at); }

    const PortId port;
    const std::uint32_t index;
    bool asks = false;  // for output `wants`, from cycle `ready` on
    PortId wants = 0;   // once granted, the output that it is connected to
    Cycle ready = 0;
    std::uint64_t header = 0;
    struct Passing {
        Flit element;
        Cycle due = 0;
    };
    std::deque<Passing> wire;

private:
    CircuitRouter& router_;
};

class CircuitRouter::Output final : public CircuitSource {
public:
    Output(CircuitRouter& router, PortId number) : port(number), router_(router) {}

    void connect(Cycle now) override { router_.connected(*this, now); }
    void release(Cycle now) override { router_.released(*this, now); }

    const PortId port;
    std::uint32_t holder = kNobody;  // index of the input
    Cycle free_from = 0;             // once no path holds it
    PortId pointer = 0;              // arbiter pointer, over input ports
    std::uint32_t asking = 0;        // headers that ask for it
    std::uint64_t passed = 0;
    // Observation only.
    bool sending = false;
    Cycle send_end = kNever;  // once the tail has gone
    bool unreported_release = false;

private:
    CircuitRouter& router_;
};

CircuitRouter::CircuitRouter(sc_core::sc_module_name name, const CircuitRouterConfig& config,
                             const Routing& routing, WakeupWheel& clock, ChannelProbe probe)
    : sc_module(name),
      in("in", existing_inputs(config)),
      out("out", config.outputs),
      router_(config.router),
      local_ports_(config.local_ports),
      routing_(routing),
      clock_(clock),
      probe_(std::move(probe)),
      module_(clock.add(*this)),
      inputs_(input_number(static_cast<PortId>(config.inputs.size()))),
      outputs_(config.outputs.size()) {
    for (PortId port = 0; port < config.inputs.size(); ++port) {
        for (std::uint32_t wire = 0; config.inputs[port] && wire < wires_into(port); ++wire) {
            const std::uint32_t index = input_number(port, wire);
            inputs_[index] = std::make_unique<Input>(*this, port, index);
        }
    }
    for (PortId port = 0; port < outputs_.size(); ++port) {
        if (config.outputs[port]) outputs_[port] = std::make_unique<Output>(*this, port);
    }
}

CircuitRouter::~CircuitRouter() = default;

CircuitSink& CircuitRouter::input(std::uint32_t number) { return *inputs_[number]; }
CircuitSource& CircuitRouter::output(PortId port) { return *outputs_[port]; }

Cycle CircuitRouter::tick(Cycle now) {
    if (probe_.observer != nullptr) report_ends(now);
    for (const auto& input : inputs_) {
        if (input == nullptr || input->wire.empty() || input->wire.front().due > now) continue;
        const Flit element = input->wire.front().element;
        input->wire.pop_front();
        transmit(*input, element, now);
    }
    for (const auto& output : outputs_) {
        if (output != nullptr && output->asking != 0) arbitrate(*output, now);
    }
    return kNever;
}

/// Reports what ended in the cycle before.
void CircuitRouter::report_ends(Cycle now) {
    for (const auto& output : outputs_) {
        if (output == nullptr) continue;
        if (output->sending && output->send_end <= now) {
            output->sending = false;
            output->send_end = kNever;
            probe_.observer->on_send_end(probe_.out[output->port], 0, now);
        }
        if (output->unreported_release && output->free_from <= now) {
            output->unreported_release = false;
            probe_.observer->on_release(probe_.out[output->port], 0, now);
        }
    }
}

void CircuitRouter::request(Input& input, std::uint64_t header, Cycle at) {
    const Header packet = Header::unpack(header);
    input.header = header;
    input.asks = true;
    input.ready = at;
    input.wants = routing_
                      .route({router_, input.port, 0, packet.source, packet.destination,
                              packet.sequence, is_local(input.port)})
                      .port;
    ++outputs_[input.wants]->asking;
    clock_.wake(module_, at);
}

void CircuitRouter::arbitrate(Output& output, Cycle now) {
    if (output.holder != kNobody || output.free_from > now) return;
    const auto ports = static_cast<PortId>(outputs_.size());
    const auto asks = [&](const std::unique_ptr<Input>& input) {
        return input != nullptr && input->asks && input->wants == output.port &&
               input->ready <= now;
    };
    for (PortId k = 0; k < ports; ++k) {
        const PortId port = (output.pointer + k) % ports;
        for (std::uint32_t wire = 0; wire < wires_into(port); ++wire) {
            const auto& input = inputs_[input_number(port, wire)];
            if (asks(input)) return grant(*input, output, now);
        }
    }
}

/// The path may be complete with it, and may even have been used and torn down on return.
void CircuitRouter::grant(Input& input, Output& output, Cycle now) {
    input.asks = false;
    --output.asking;
    output.holder = input.index;
    output.pointer = (input.port + 1) % static_cast<PortId>(outputs_.size());
    if (probe_.observer != nullptr) {
        probe_.observer->on_grant(probe_.out[output.port], 0,
                                  probe_.packets->message_of(input.header), now);
    }
    out[output.port]->set_up(input.header, now);
}

void CircuitRouter::receive(Input& input, const Flit& element, Cycle at) {
    ++taken_;
    // At the end of a link the receiver has no separate register: it takes the element off the
    // wire.
    const bool from_wire = is_local(input.wants) && !is_local(input.port);
    const Cycle due = from_wire ? at - 1 : at;
    if (due <= clock_.now()) {
        transmit(input, element, due);
        return;
    }
    input.wire.push_back({element, due});
    clock_.wake(module_, due);
}

void CircuitRouter::transmit(Input& input, const Flit& element, Cycle now) {
    Output& output = *outputs_[input.wants];
    ++output.passed;
    last_move_ = now;
    if (probe_.observer != nullptr) {
        if (!output.sending) {
            output.sending = true;
            const ChannelId channel = probe_.out[output.port];
            probe_.observer->on_send_begin(channel, 0, channel, 0, now);
        }
        if (element.tail) {
            output.send_end = now + 1;
            clock_.wake(module_, now + 1);
        }
    }
    out[output.port]->pass(element, now);
}

void CircuitRouter::connected(Output& output, Cycle now) { in[output.holder]->connect(now); }

void CircuitRouter::released(Output& output, Cycle now) {
    const std::uint32_t input = std::exchange(output.holder, kNobody);
    output.free_from = now + 1;
    output.unreported_release = probe_.observer != nullptr;
    if (output.asking != 0 || output.unreported_release) clock_.wake(module_, now + 1);
    in[input]->release(now);
}

std::uint64_t CircuitRouter::passed(PortId port) const { return outputs_[port]->passed; }

std::uint64_t CircuitRouter::held() const {
    std::uint64_t elements = 0;
    for (const auto& input : inputs_) {
        if (input != nullptr) elements += input->wire.size();
    }
    return elements;
}

std::uint32_t CircuitRouter::occupied() const {
    std::uint32_t count = 0;
    for (const auto& output : outputs_) {
        if (output == nullptr) continue;
        count += output->asking + (output->holder != kNobody ? 1 : 0);
    }
    return count;
}

std::vector<CircuitRouter::Waiting> CircuitRouter::waiting(Cycle now) const {
    std::vector<Waiting> all;
    for (const auto& input : inputs_) {
        if (input == nullptr || !input->asks || input->ready > now) continue;
        const std::uint32_t holder = outputs_[input->wants]->holder;
        if (holder == kNobody) continue;
        all.push_back({input->header, input->port, input->wants, inputs_[holder]->header});
    }
    return all;
}

}  // namespace flitscope::hw
