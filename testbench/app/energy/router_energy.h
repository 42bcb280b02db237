// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Gate-level energy of the events in a router and its links: the netlist of the synthesis is
// simulated under traffic, OpenSTA gives the power of each stimulus from the transitions that were
// counted, and the energy of each kind of event is fitted to that.
#pragma once

#include <optional>
#include <string>

#include "models/base/diagnostics.h"
#include "testbench/app/gate_synthesis/synthesis.h"

namespace flitscope {

/// The registers of a link.
struct LinkEnergy {
    double flit_pj = 0;  ///< for a flit that passes, and the credit that comes back
    double idle_pj = 0;  ///< per cycle, whatever happens: the clock
    double leakage_mw = 0;
};

/// Energies of events in pJ. Glitches are not in them: gates were simulated without delays. Nor are
/// the tree that brings the clock to the flip-flops, and wires.
struct RouterEnergy {
    double write_pj = 0;  ///< a flit into a FIFO
    double read_pj = 0;   ///< a flit out of a FIFO, including the router control that this takes
    double cross_pj = 0;  ///< a flit through the crossbar
    double arbitrate_pj = 0;  ///< a header on top of that: route, virtual channel, switch
    double start_pj = 0;  ///< a flit that leaves after a pause of the output, on top of that: the
                          ///< outputs of the crossbar are 0 if nothing is sent
    double idle_pj = 0;   ///< per cycle, whatever happens: the clock
    double leakage_mw = 0;
    LinkEnergy link;     ///< of a link with a delay of one cycle
    LinkEnergy further;  ///< what each further cycle of delay adds to that
    /// Transitions of the wires of a link per flit that it sends, credits included, and those that
    /// a pause adds to that.
    double wire_toggles = 0;
    double start_toggles = 0;
    double voltage = 0;  ///< of the library
    /// The largest error, as a part of the energy that OpenSTA finds: of stimuli that were not
    /// fitted to, all of their energy, and that above idle.
    double error = 0;
    double active_error = 0;
    double seconds = 0;       ///< what it took, synthesis not included
    bool from_cache = false;  ///< nothing was simulated now
    std::string library;      ///< as SynthesisResult has it
    WireLoad wires = WireLoad::kNone;
    bool clock_gates = false;  ///< likewise

    /// Energy of one flit of a long packet in a router.
    double flit_pj() const { return write_pj + read_pj + cross_pj; }
};

/// Says that energies do not cover links of a rate below 1: neither what waits for them in a router
/// nor their own registers.
ConfigError no_energies_of_slow_links(const Location& where);
/// The same for routers with several outputs of the switch per port.
ConfigError no_energies_of_output_queues(const Location& where);
/// Throws them, at `--energy`.
void require_energies_of(const hw::RtlVariant& variant);

/// The energies of a router, from the cache or from gates; missing syntheses are run.
/// Stages of `on_progress` are those of synthesize(), and "link registers", "gates under traffic",
/// "energy".
///
/// Throws as synthesize() and require_energies_of() do, and std::runtime_error if the netlist
/// cannot be simulated.
RouterEnergy router_energy(const hw::RtlVariant& variant, const SynthesisConditions& conditions,
                           const SynthesisCallback& on_progress = {});

/// The energies of `variant` if they are in the cache; runs nothing and needs no tools. Throws as
/// cached_synthesis() does.
std::optional<RouterEnergy> cached_router_energy(const hw::RtlVariant& variant,
                                                 const SynthesisConditions& conditions);

}  // namespace flitscope
