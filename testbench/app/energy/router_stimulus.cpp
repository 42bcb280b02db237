// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/energy/router_stimulus.h"

#include <algorithm>
#include <array>

#include "hw/verilated/rtl_model.h"
#include "models/base/powers_of_two.h"
#include "models/routing/turns.h"

namespace flitscope {
namespace {

using hw::kRtlNodeBits;

constexpr std::uint32_t kSourceBits = 16;
constexpr std::uint32_t kNumberBits = 8;  // changing bits of a packet's number
constexpr std::uint32_t kNamedBits = 8;   // changing bits of a destination that routes do not name
constexpr std::uint32_t kPortBits = index_bits(hw::RtlPins::kMaxPorts);

std::vector<std::vector<PortId>> outputs_of(const hw::RtlVariant& variant) {
    const Turns turns = turns_of_hex(variant.ports, variant.turns);
    std::vector<std::vector<PortId>> outputs(variant.ports);
    for (PortId port = 0; port < variant.ports; ++port) {
        for (PortId step = 1; step < variant.ports; ++step) {
            const PortId output = (port + step) % variant.ports;
            if (turns.has(port, output)) outputs[port].push_back(output);
        }
    }
    return outputs;
}

/// The output that most input ports have a turn to.
PortId most_wanted(const std::vector<std::vector<PortId>>& outputs) {
    std::vector<std::size_t> inputs(outputs.size());
    for (const std::vector<PortId>& of_one : outputs) {
        for (const PortId output : of_one) ++inputs[output];
    }
    return static_cast<PortId>(std::max_element(inputs.begin(), inputs.end()) - inputs.begin());
}

/// Gives as many input ports as possible a separate output (a bipartite matching by augmenting
/// paths), the first of its outputs if that does not keep another port from having one.
class OutputsApart {
public:
    explicit OutputsApart(const std::vector<std::vector<PortId>>& outputs)
        : outputs_(outputs), input_of_(outputs.size()) {
        for (PortId port = 0; port < outputs.size(); ++port) {
            std::vector<bool> tried(outputs.size());
            give(port, tried);
        }
    }
    std::vector<std::optional<PortId>> by_input() const {
        std::vector<std::optional<PortId>> given(outputs_.size());
        for (PortId output = 0; output < input_of_.size(); ++output) {
            if (input_of_[output]) given[*input_of_[output]] = output;
        }
        return given;
    }

private:
    bool give(PortId port, std::vector<bool>& tried) {
        for (const PortId output : outputs_[port]) {
            if (tried[output]) continue;
            tried[output] = true;
            if (input_of_[output] && !give(*input_of_[output], tried)) continue;
            input_of_[output] = port;
            return true;
        }
        return false;
    }

    const std::vector<std::vector<PortId>>& outputs_;
    std::vector<std::optional<PortId>> input_of_;
};

}  // namespace

std::vector<RouterStimulus> router_stimuli(const hw::RtlVariant& variant) {
    using Routes = StimulusRoutes;
    constexpr double kAlways = 1;
    constexpr double kStopped = -1;  // packets under way stop, too
    const std::uint32_t full = variant.depth * variant.virtual_channels;
    const std::uint32_t warm = 4 * full + 60;
    const StimulusPhase drain{full * variant.ports + 60, 0, kAlways, false};
    // Uncounted warm-up under the load that is counted afterwards.
    const auto steady = [warm](double load, double credits) {
        return std::vector<StimulusPhase>{{warm, load, credits, false}, {120, load, credits, true}};
    };
    // Five times as many writes as reads, until the FIFOs are full; then only reads.
    const StimulusPhase fill{std::max(2U, full - 1), kAlways, kAlways, true};
    const StimulusPhase unblock{full, kStopped, kAlways, true};
    std::vector<RouterStimulus> all = {
        {"idle",
         Routes::kSpread,
         1,
         8,
         {{warm, 0.3, kAlways, false}, drain, {60, 0, kAlways, true}},
         false},
        {"light", Routes::kSpread, 4, 12, steady(0.01, kAlways), false},
        {"half", Routes::kSpread, 4, 12, steady(0.06, kAlways), false},
        {"short packets", Routes::kSpread, 2, 3, steady(0.2, kAlways), false},
        {"slow short packets", Routes::kSpread, 2, 3, steady(0.2, 0.6), false},
        {"streams", Routes::kApart, 30, 40, steady(kAlways, kAlways), false},
        {"short packets apart", Routes::kApart, 2, 4, steady(0.1, kAlways), false},
        {"contention", Routes::kSpread, 4, 12, steady(kAlways, kAlways), false},
        {"one port", Routes::kOnePort, 3, 9, steady(0.2, kAlways), false},
        {"slow outputs", Routes::kSpread, 4, 12, steady(0.3, 0.4), false},
        {"blocked",
         Routes::kSpread,
         4,
         12,
         {{warm, 0.3, 0, false}, {warm, kAlways, 0, false}, {60, kAlways, 0, true}},
         false},
        {"filling", Routes::kOnePort, 4, 12, {{warm, 0.3, kAlways, false}, drain, fill}, false},
        {"emptying",
         Routes::kSpread,
         4,
         12,
         {{warm, 0.3, 0, false}, {warm, kAlways, 0, false}, unblock},
         false},
        {"light, mixed", Routes::kSpread, 2, 20, steady(0.02, kAlways), true},
        {"busy, mixed", Routes::kSpread, 2, 20, steady(0.2, 0.8), true},
        {"medium, short", Routes::kSpread, 2, 5, steady(0.08, kAlways), true},
    };
    return all;
}

/// Arrivals at a port in a cycle, a bit per run.
struct RouterDriver::Arrivals {
    std::uint64_t flits = 0;
    std::uint64_t heads = 0;
    std::uint64_t tails = 0;
    std::array<std::uint64_t, kRtlNodeBits> destination = {};  // per bit of it, of heads
    std::array<std::uint64_t, 8> vc = {};                      // per bit of its number
    std::array<std::uint64_t, kPortBits> output = {};          // per bit of it, of heads
};

RouterDriver::RouterDriver(const hw::RtlVariant& variant, const GateNetlist& netlist,
                           GateSimulation& simulation, std::uint64_t seed)
    : variant_(variant),
      outputs_(outputs_of(variant)),
      apart_(OutputsApart(outputs_).by_input()),
      one_output_(most_wanted(outputs_)),
      simulation_(simulation),
      random_(seed),
      reset_(netlist.port("rst_ni")),
      node_(netlist.port("node_i")),
      fields_(netlist.port("fields_i")),
      table_write_(netlist.port("table_write_i")),
      table_address_(netlist.port("table_address_i")),
      table_port_(netlist.port("table_port_i")),
      table_vcs_(netlist.port("table_vcs_i")),
      valid_in_(netlist.port("flit_valid_i")),
      vc_in_(netlist.port("flit_vc_i")),
      head_in_(netlist.port("flit_head_i")),
      tail_in_(netlist.port("flit_tail_i")),
      data_in_(netlist.port("flit_data_i")),
      credit_out_(netlist.port("credit_o")),
      valid_out_(netlist.port("flit_valid_o")),
      vc_out_(netlist.port("flit_vc_o")),
      head_out_(netlist.port("flit_head_o")),
      credit_in_(netlist.port("credit_i")),
      vc_bits_(std::max<std::uint32_t>(1, index_bits(variant.virtual_channels))),
      coordinate_bits_(std::clamp<std::uint32_t>(
          kRtlNodeBits / std::max<std::uint32_t>(1, (variant.ports - 1) / 2), 1, 3)) {}

namespace {

/// Sets a number at pins, the same in all runs.
void set_number(GateSimulation& simulation, const std::vector<NetId>& pins, std::uint32_t from,
                std::uint32_t width, std::uint64_t value) {
    for (std::uint32_t b = 0; b < width && from + b < pins.size(); ++b) {
        simulation[pins[from + b]] = (value >> b & 1) != 0 ? ~std::uint64_t{0} : 0;
    }
}

}  // namespace

void RouterDriver::reset() {
    const std::size_t inputs = std::size_t{variant_.ports} * variant_.virtual_channels;
    sources_.assign(kRuns * inputs, Source{variant_.depth, 0});
    behind_.assign(kRuns * inputs, 0);
    current_.assign(std::size_t{kRuns} * variant_.ports, 0);
    sent_.assign(variant_.ports, 0);
    for (const std::vector<NetId>* const pins : {&valid_in_, &credit_in_, &table_write_, &reset_}) {
        for (const NetId net : *pins) simulation_[net] = 0;
    }
    if (variant_.routing == hw::RtlRouting::kMesh) {
        // In the middle of every dimension.
        for (std::uint32_t k = 0; 2 * k + 1 < variant_.ports; ++k) {
            const std::uint64_t bits = (1U << coordinate_bits_) - 1U;
            set_number(simulation_, fields_, k * kRtlNodeBits, kRtlNodeBits,
                       bits << k * coordinate_bits_);
            set_number(simulation_, node_, k * coordinate_bits_, coordinate_bits_, bits / 2);
        }
    }
    constexpr int kResetCycles = 4;
    for (int i = 0; i < kResetCycles; ++i) {
        simulation_.settle();
        simulation_.edge();
    }
    if (variant_.routing == hw::RtlRouting::kTable) load_table();
    simulation_[reset_[0]] = ~std::uint64_t{0};
    simulation_.settle();
    simulation_.edge();
}

void RouterDriver::load_table() {
    simulation_[table_write_[0]] = ~std::uint64_t{0};
    for (std::uint32_t entry = 0; entry < variant_.table_entries; ++entry) {
        set_number(simulation_, table_address_, 0, kRtlNodeBits, entry);
        set_number(simulation_, table_port_, 0, 32, entry % variant_.ports);
        set_number(simulation_, table_vcs_, 0, 32, ~std::uint64_t{0});
        simulation_.settle();
        simulation_.edge();
    }
    simulation_[table_write_[0]] = 0;
}

RouterEvents RouterDriver::play(const RouterStimulus& stimulus) {
    reset();
    events_ = {};
    bool was_counted = false;
    for (const StimulusPhase& phase : stimulus.phases) {
        if (phase.is_counted && !was_counted) simulation_.restart_counts();
        was_counted = phase.is_counted;
        for (std::uint32_t i = 0; i < phase.cycles; ++i) step(phase, stimulus);
    }
    for (double* const number :
         {&events_.writes, &events_.sends, &events_.heads, &events_.starts}) {
        *number /= kRuns;
    }
    return events_;
}

void RouterDriver::step(const StimulusPhase& phase, const RouterStimulus& stimulus) {
    // Pins change after the edge; the outputs decide about the inputs of the next cycle.
    for (PortId port = 0; port < variant_.ports; ++port) {
        feed(port, phase, stimulus, phase.is_counted);
    }
    give_credits(phase.credits);
    simulation_.settle();
    if (phase.is_counted) {
        simulation_.count();
        ++events_.cycles;
    }
    take_outputs(phase.is_counted);
    simulation_.edge();
}

void RouterDriver::take_outputs(bool is_counted) {
    for (PortId port = 0; port < variant_.ports; ++port) {
        const std::uint64_t sent = simulation_[valid_out_[port]];
        if (is_counted) {
            events_.sends += static_cast<double>(ones(sent));
            events_.heads += static_cast<double>(ones(sent & simulation_[head_out_[port]]));
            events_.starts += static_cast<double>(ones(sent & ~sent_[port]));
        }
        sent_[port] = sent;
        for (std::uint64_t left = sent; left != 0; left &= left - 1) {
            const auto run = static_cast<std::uint32_t>(__builtin_ctzll(left));
            std::uint32_t vc = 0;
            for (std::uint32_t b = 0; b < vc_bits_ && variant_.virtual_channels > 1; ++b) {
                vc |=
                    static_cast<std::uint32_t>(simulation_[vc_out_[port * vc_bits_ + b]] >> run & 1)
                    << b;
            }
            ++behind_[(std::size_t{run} * variant_.ports + port) * variant_.virtual_channels + vc];
        }
        for (std::uint32_t vc = 0; vc < variant_.virtual_channels; ++vc) {
            std::uint64_t back = simulation_[credit_out_[port * variant_.virtual_channels + vc]];
            for (; back != 0; back &= back - 1) {
                ++source(static_cast<std::uint32_t>(__builtin_ctzll(back)), port, vc).credits;
            }
        }
    }
}

void RouterDriver::give_credits(double probability) {
    for (std::uint32_t output = 0; output < credit_in_.size(); ++output) {
        std::uint64_t credits = 0;
        for (std::uint32_t run = 0; run < kRuns; ++run) {
            std::uint32_t& flits = behind_[std::size_t{run} * credit_in_.size() + output];
            if (flits == 0 || !chance(probability)) continue;
            --flits;
            credits |= std::uint64_t{1} << run;
        }
        simulation_[credit_in_[output]] = credits;
    }
}

std::uint16_t RouterDriver::destination_by(PortId output) {
    switch (variant_.routing) {
        case hw::RtlRouting::kTable: {
            if (output >= variant_.table_entries) return 0;
            const std::uint32_t entries =
                (variant_.table_entries - 1 - output) / variant_.ports + 1;
            return static_cast<std::uint16_t>(output + variant_.ports * below(entries));
        }
        case hw::RtlRouting::kHypercube: {
            if (output == 0) return 0;
            // The lowest differing bit says where to.
            const std::uint32_t higher = (1U << (variant_.ports - 1)) - (1U << output);
            return static_cast<std::uint16_t>((1U << (output - 1)) |
                                              (static_cast<std::uint32_t>(random_()) & higher));
        }
        case hw::RtlRouting::kPins:
            return static_cast<std::uint16_t>(below(1U << kNamedBits));
        case hw::RtlRouting::kMesh:
            break;
    }
    const std::uint32_t bits = (1U << coordinate_bits_) - 1U;
    const std::uint32_t here = bits / 2;
    std::uint32_t destination = 0;
    for (std::uint32_t k = 0; 2 * k + 1 < variant_.ports; ++k) {
        std::uint32_t there = here;
        if (output == 2 * k + 1) there = here + 1 + below(bits - here);
        if (output == 2 * k + 2) there = below(std::max(1U, here));
        if (output < 2 * k + 1 && output != 0) there = below(bits + 1);
        destination |= there << k * coordinate_bits_;
    }
    return static_cast<std::uint16_t>(destination);
}

bool RouterDriver::has_output(PortId port, StimulusRoutes routes) const {
    const std::vector<PortId>& outputs = outputs_[port];
    if (routes == StimulusRoutes::kApart) return apart_[port].has_value();
    if (routes == StimulusRoutes::kSpread) return !outputs.empty();
    return std::find(outputs.begin(), outputs.end(), one_output_) != outputs.end();
}

PortId RouterDriver::draw_output(PortId port, StimulusRoutes routes) {
    if (routes == StimulusRoutes::kApart) return *apart_[port];
    if (routes == StimulusRoutes::kOnePort) return one_output_;
    return outputs_[port][below(static_cast<std::uint32_t>(outputs_[port].size()))];
}

void RouterDriver::feed(PortId port, const StimulusPhase& phase, const RouterStimulus& stimulus,
                        bool is_counted) {
    if (!has_output(port, stimulus.routes)) {
        simulation_[valid_in_[port]] = 0;
        return;
    }
    const PortId ports = variant_.ports;
    Arrivals arrivals;
    for (std::uint32_t run = 0; run < kRuns; ++run) {
        const auto can_go_on = [&](std::uint32_t vc) {
            const Source& from = source(run, port, vc);
            return from.credits != 0 && phase.load >= 0 && (from.left != 0 || chance(phase.load));
        };
        // A packet continues on its virtual channel; occasionally others come between.
        constexpr double kOther = 0.2;
        std::uint32_t& current = current_[std::size_t{run} * ports + port];
        std::uint32_t vc = current;
        if (source(run, port, vc).left == 0 || chance(kOther)) {
            vc = below(variant_.virtual_channels);
        }
        if (!can_go_on(vc)) {
            if (vc == current || !can_go_on(current)) continue;
            vc = current;
        }
        current = vc;
        Source& from = source(run, port, vc);
        const std::uint64_t bit = std::uint64_t{1} << run;
        arrivals.flits |= bit;
        for (std::uint32_t b = 0; b < vc_bits_; ++b) {
            if ((vc >> b & 1) != 0) arrivals.vc[b] |= bit;
        }
        if (from.left == 0) {
            arrivals.heads |= bit;
            from.left = stimulus.shortest + below(stimulus.longest - stimulus.shortest + 1);
            const PortId output = draw_output(port, stimulus.routes);
            for (std::uint32_t b = 0; b < kPortBits; ++b) {
                if ((output >> b & 1) != 0) arrivals.output[b] |= bit;
            }
            const std::uint16_t destination = destination_by(output);
            for (std::uint32_t b = 0; b < kRtlNodeBits; ++b) {
                if ((destination >> b & 1) != 0) arrivals.destination[b] |= bit;
            }
        }
        if (--from.left == 0) arrivals.tails |= bit;
        --from.credits;
    }
    if (is_counted) events_.writes += static_cast<double>(ones(arrivals.flits));
    set_pins(port, arrivals);
}

/// If no flit arrives the other pins stay as they are, as after the registers of a link.
void RouterDriver::set_pins(PortId port, const Arrivals& arrivals) {
    const auto put = [&](NetId net, std::uint64_t value) {
        simulation_[net] = (simulation_[net] & ~arrivals.flits) | (value & arrivals.flits);
    };
    simulation_[valid_in_[port]] = arrivals.flits;
    put(head_in_[port], arrivals.heads);
    put(tail_in_[port], arrivals.tails);
    for (std::uint32_t b = 0; b < vc_bits_; ++b) put(vc_in_[port * vc_bits_ + b], arrivals.vc[b]);
    for (std::uint32_t b = 0; b < variant_.flit_bits; ++b) {
        std::uint64_t value = random_();
        if (b < kRtlNodeBits) {
            value = (value & ~arrivals.heads) | arrivals.destination[b];
        } else if (b >= kRtlNodeBits + kSourceBits + kNumberBits) {
            value &= ~arrivals.heads;  // in a packet's number
        }
        put(data_in_[port * variant_.flit_bits + b], value);
    }
    if (variant_.routing == hw::RtlRouting::kPins) set_route(port, arrivals);
}

/// The lookup beside the router takes the words of a packet's other flits for destinations, too.
void RouterDriver::set_route(PortId port, const Arrivals& arrivals) {
    const std::uint32_t bits = index_bits(variant_.ports);
    for (std::uint32_t b = 0; b < bits; ++b) {
        const NetId net = table_port_[port * bits + b];
        const std::uint64_t route =
            (random_() & ~arrivals.heads) | (arrivals.output[b] & arrivals.heads);
        simulation_[net] = (simulation_[net] & ~arrivals.flits) | (route & arrivals.flits);
    }
    for (std::uint32_t v = 0; v < variant_.virtual_channels; ++v) {
        simulation_[table_vcs_[port * variant_.virtual_channels + v]] = ~std::uint64_t{0};
    }
}

}  // namespace flitscope
