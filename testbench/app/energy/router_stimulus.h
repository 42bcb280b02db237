// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Legal traffic at the pins of one router, in 64 simulations at once: packets of several lengths
// with random payload, credits respected on both sides.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "hw/verilated/rtl_variant.h"
#include "testbench/app/energy/gate_simulation.h"

namespace flitscope {

/// Chooses the output ports of the packets that arrive at a port.
enum class StimulusRoutes : std::uint8_t {
    kSpread,  ///< to any other port
    kApart,   ///< all of one port to one other, without contention
    kOnePort  ///< all to the same port, which as many as possible have a turn to
};

/// Some cycles under one load.
struct StimulusPhase {
    std::uint32_t cycles = 0;
    /// Probability per port and cycle that a packet begins if none is under way; below 0 those
    /// under way stop, too.
    double load = 0;
    double credits = 1;  ///< probability per cycle that the other end of an output frees a place
    bool is_counted = true;
};

struct RouterStimulus {
    std::string name;
    StimulusRoutes routes = StimulusRoutes::kSpread;
    std::uint32_t shortest = 1;  ///< flits of a packet, drawn from here
    std::uint32_t longest = 1;   ///< to here
    std::vector<StimulusPhase> phases;
    bool is_held_out = false;  ///< not for the fit, but to see how good it is
};

/// Events in the counted cycles, per simulation.
struct RouterEvents {
    double cycles = 0;
    double writes = 0;  ///< flits that arrived
    double sends = 0;   ///< flits that left
    double heads = 0;   ///< of these
    double starts = 0;  ///< of these, those in front of which the output sent nothing for a cycle
};

/// The stimuli from which energies are fitted; in the first one nothing moves. Deterministic.
std::vector<RouterStimulus> router_stimuli(const hw::RtlVariant& variant);

/// A router under a stimulus.
class RouterDriver {
public:
    /// `simulation` is of the netlist of `variant`; all of them must outlive it.
    RouterDriver(const hw::RtlVariant& variant, const GateNetlist& netlist,
                 GateSimulation& simulation, std::uint64_t seed);

    /// Resets the router, plays the stimulus, and leaves what the nets did in the simulation.
    RouterEvents play(const RouterStimulus& stimulus);

private:
    static constexpr std::uint32_t kRuns = GateSimulation::kRuns;

    /// An input virtual channel of one run.
    struct Source {
        std::uint32_t credits = 0;
        std::uint32_t left = 0;  // flits of the packet that are to come
    };
    struct Arrivals;

    void reset();
    void load_table();
    void step(const StimulusPhase& phase, const RouterStimulus& stimulus);
    void take_outputs(bool is_counted);
    void give_credits(double chance);
    void feed(PortId port, const StimulusPhase& phase, const RouterStimulus& stimulus,
              bool is_counted);
    void set_pins(PortId port, const Arrivals& arrivals);
    void set_route(PortId port, const Arrivals& arrivals);
    /// Whether the stimulus has packets for an input port.
    bool has_output(PortId port, StimulusRoutes routes) const;
    /// The output of the next packet of such an input port.
    PortId draw_output(PortId port, StimulusRoutes routes);
    std::uint16_t destination_by(PortId output);
    std::uint32_t below(std::uint32_t limit) {
        return static_cast<std::uint32_t>(random_() % limit);
    }
    bool chance(double probability) {
        return static_cast<double>(random_() >> 11) * 0x1p-53 < probability;
    }
    Source& source(std::uint32_t run, PortId port, std::uint32_t vc) {
        return sources_[(std::size_t{run} * variant_.ports + port) * variant_.virtual_channels +
                        vc];
    }

    const hw::RtlVariant& variant_;
    std::vector<std::vector<PortId>> outputs_;  // per input port, those it can turn to
    std::vector<std::optional<PortId>> apart_;  // one of these that no other input port has
    PortId one_output_;
    GateSimulation& simulation_;
    std::mt19937_64 random_;
    // pins
    const std::vector<NetId>&reset_, &node_, &fields_, &table_write_, &table_address_, &table_port_,
        &table_vcs_, &valid_in_, &vc_in_, &head_in_, &tail_in_, &data_in_, &credit_out_,
        &valid_out_, &vc_out_, &head_out_, &credit_in_;
    std::uint32_t vc_bits_;
    std::uint32_t coordinate_bits_;  // RtlRouting::kMesh: per dimension
    std::vector<Source> sources_;
    std::vector<std::uint32_t> behind_;   // flits at the other end, per run, output port and vc
    std::vector<std::uint64_t> sent_;     // per output port, its value in the cycle before
    std::vector<std::uint32_t> current_;  // vc of the packet under way, per run and input port
    RouterEvents events_;
};

}  // namespace flitscope
