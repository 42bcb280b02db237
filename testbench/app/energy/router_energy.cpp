// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/energy/router_energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/digest.h"
#include "models/base/file_text.h"
#include "models/base/stopwatch.h"
#include "testbench/app/energy/energy_cache.h"
#include "testbench/app/energy/least_squares.h"
#include "testbench/app/energy/link_stimulus.h"
#include "testbench/app/energy/power_analysis.h"
#include "testbench/app/energy/router_stimulus.h"
#include "testbench/app/gate_synthesis/link_synthesis.h"
#include "testbench/app/gate_synthesis/tool_folder.h"
#include "testbench/app/gate_synthesis/tool_process.h"
#include "testbench/app/gate_synthesis/tool_reports.h"
#include "testbench/app/gate_synthesis/tool_scripts.h"
#include "testbench/app/gate_synthesis/toolchain.h"
#include "testbench/app/gate_synthesis/wire_load.h"

namespace flitscope {
namespace {

/// Version of the method. Change it with all that changes energies of the same netlist: stimuli,
/// fit, attribution.
constexpr const char* kMethod = "energies, 3";

constexpr double kPicojoulesPerWattNs = 1000;

LinkVariant link_of(const hw::RtlVariant& variant, std::uint32_t delay) {
    return {variant.virtual_channels, variant.flit_bits, delay};
}

const CellLibrary& library_of(const SynthesisConditions& conditions) {
    const CellLibraryFile file = cell_library_file(conditions.library, conditions.corner);
    return read_cell_library(file, file.corner);
}

/// A digest of what energies depend on and the entry of the netlist does not.
std::string inputs_digest(const hw::RtlVariant& variant, const std::vector<RtlSource>& sources,
                          const MappedCells& cells) {
    Digest digest;
    digest.add(kMethod);
    for (const RtlSource& source : sources) digest.add(source.text);
    digest.add(link_script(link_of(variant, 1), sources, cells));
    return digest.text();
}

/// The effect of a stimulus on a netlist: events per cycle, energy per cycle.
struct Sample {
    std::vector<double> events;
    double dynamic_pj = 0;
    double crossing_pj = 0;
    double leakage_mw = 0;
    double toggles = 0;
    bool is_held_out = false;

    /// Whether as much leaves the router as arrives, and something does.
    bool is_balanced() const {
        constexpr double kDrift = 0.02;
        return events[0] > 0 && std::abs(events[0] - events[1]) <= kDrift * events[0];
    }
};

/// Energy per cycle above that of the first sample, in which nothing moves.
double active_pj(const Sample& sample, double idle_pj) {
    constexpr double kRounding = 1e-4;  // precision of OpenSTA's figures
    const double active = sample.dynamic_pj - idle_pj;
    return active > kRounding * idle_pj ? active : 0;
}

/// One measurement in its own folder.
class Measurement {
public:
    Measurement(const hw::RtlVariant& variant, const SynthesisConditions& conditions,
                const SynthesisCallback& on_progress)
        : variant_(variant),
          on_progress_(on_progress),
          wires_(conditions.wires),
          file_(cell_library_file(conditions.library, conditions.corner)),
          library_(read_cell_library(file_, file_.corner)),
          cells_(library_, conditions),
          tools_(find_toolchain(file_)),
          models_(read_cell_models(library_.text, file_.liberty)) {}

    RouterEnergy run(const SynthesisResult& synthesis, const std::vector<RtlSource>& sources) {
        RouterEnergy energy;
        energy.voltage = library_.voltage;
        um_per_sink_ = um_per_sink(wires_, synthesis.area_um2, synthesis.cells);
        const LinkEnergy one = link_energy(1, sources);
        const LinkEnergy two = link_energy(2, sources);
        energy.link = one;
        energy.further = {std::max(0.0, two.flit_pj - one.flit_pj),
                          std::max(0.0, two.idle_pj - one.idle_pj),
                          std::max(0.0, two.leakage_mw - one.leakage_mw)};
        measure_router(read_file(synthesis.netlist), energy);
        energy.seconds = watch_.seconds();
        return energy;
    }

private:
    void measure_router(const std::string& text, RouterEnergy& energy) {
        begin("gates under traffic");
        const GateNetlist netlist = parse_netlist(text, models_);
        GateSimulation simulation(netlist);
        std::vector<Sample> samples;
        std::vector<NetActivity> activities;
        for (const RouterStimulus& stimulus : router_stimuli(variant_)) {
            require_to_proceed();
            RouterDriver driver(variant_, netlist, simulation, samples.size() + 1);
            const RouterEvents events = driver.play(stimulus);
            Sample sample;
            sample.events = {events.writes / events.cycles, events.sends / events.cycles,
                             events.heads / events.cycles, events.starts / events.cycles};
            sample.is_held_out = stimulus.is_held_out;
            for (const char* const port : {"flit_valid_o", "flit_vc_o", "flit_head_o",
                                           "flit_tail_o", "flit_data_o", "credit_o"}) {
                for (const NetId net : netlist.port(port)) {
                    sample.toggles += simulation.activity(net);
                }
            }
            samples.push_back(std::move(sample));
            activities.push_back(NetActivity::of(simulation, netlist));
        }
        // The output pins drive the first register of a link.
        measure(text, netlist, crossing_cells(netlist, variant_.ports), activities,
                output_load_pf(), samples);
        fit_router(samples, energy);
    }

    /// Fits what `value` gives of the samples that are not held out to their events. Errors count
    /// as parts of the value, so that light traffic counts as much as heavy; samples without any
    /// value do not count.
    template <class Value>
    std::vector<double> fitted(const std::vector<Sample>& samples, Value value) const {
        std::vector<Equation> equations;
        for (const Sample& sample : samples) {
            if (!sample.is_held_out && value(sample) > 0) {
                equations.push_back({sample.events, value(sample), 1 / value(sample)});
            }
        }
        if (equations.empty()) refuse_library();
        return least_squares(equations);
    }
    [[noreturn]] void refuse_library() const {
        throw ConfigError({file_.liberty, 0, 0},
                          "this library has no power data: traffic takes no energy in its cells",
                          "energies need the internal_power of its cells, or the capacitance of "
                          "their pins");
    }

    void fit_router(const std::vector<Sample>& samples, RouterEnergy& energy) const {
        enum : std::size_t { kWrite, kSend, kHead, kStart };
        energy.idle_pj = samples.front().dynamic_pj;
        energy.leakage_mw = samples.front().leakage_mw;
        const auto active = [&](const Sample& sample) { return active_pj(sample, energy.idle_pj); };
        // Over a run as many flits leave a router as arrive: the energy of both together is fitted
        // to traffic in which they do, and split by stimuli in which they do not.
        std::vector<Sample> steady;
        std::vector<Sample> apart = samples;
        for (const Sample& sample : samples) {
            if (!sample.is_balanced() && !sample.is_held_out) continue;
            steady.push_back(sample);
            steady.back().events = {sample.events[kSend], sample.events[kHead],
                                    sample.events[kStart]};
        }
        for (Sample& sample : apart) sample.events.resize(kSend + 1);
        const std::vector<double> fit = fitted(steady, active);
        const std::vector<double> ends = fitted(apart, active);
        const double of_both = ends[kWrite] + ends[kSend];
        if (!(of_both > 0)) refuse_library();
        const double of_write = ends[kWrite] / of_both;
        energy.write_pj = fit[0] * of_write;
        const double send_pj = fit[0] - energy.write_pj;
        energy.arbitrate_pj = fit[1];
        energy.start_pj = fit[2];
        // Each flit that is sent is read and crosses: the share of the crossbar's cells in this
        // energy is given by the samples' sums.
        double crossing = 0;
        double flits = 0;
        for (const Sample& sample : samples) {
            if (sample.is_held_out) continue;
            crossing += sample.crossing_pj;
            flits += sample.events[kSend];
        }
        energy.cross_pj = std::min(send_pj, crossing / flits);
        energy.read_pj = send_pj - energy.cross_pj;
        // In the few cycles that fill or drain FIFOs wires rise that fall later.
        std::vector<Sample> wires = steady;
        for (Sample& sample : wires) sample.events.erase(sample.events.begin() + 1);  // no heads
        const std::vector<double> toggles =
            fitted(wires, [](const Sample& sample) { return sample.toggles; });
        energy.wire_toggles = toggles[0];
        energy.start_toggles = toggles[1];
        for (const Sample& sample : steady) {
            if (!sample.is_held_out || !(active(sample) > 0)) continue;
            double expected = 0;
            for (std::size_t i = 0; i < fit.size(); ++i) expected += sample.events[i] * fit[i];
            const double error = std::abs(expected - active(sample));
            energy.error = std::max(energy.error, error / sample.dynamic_pj);
            energy.active_error = std::max(energy.active_error, error / active(sample));
        }
    }

    LinkEnergy link_energy(std::uint32_t delay, const std::vector<RtlSource>& sources) {
        begin("link registers");
        const WorkFolder folder;
        prepare_mapping(folder, cells_, tools_, sources,
                        link_script(link_of(variant_, delay), sources, cells_));
        run(folder, {tools_.yosys, kYosysScript}, kYosysLog);
        const std::string text = read_file(folder.file(kNetlist));
        const GateNetlist netlist = parse_netlist(text, models_);
        GateSimulation simulation(netlist);
        std::vector<Sample> samples;
        std::vector<NetActivity> activities;
        for (const double load : {0.0, 0.02, 0.1, 0.3, 1.0}) {
            const LinkEvents events = play_link(netlist, simulation, load, samples.size() + 1);
            Sample sample;
            sample.events = {events.flits / events.cycles};
            samples.push_back(std::move(sample));
            activities.push_back(NetActivity::of(simulation, netlist));
        }
        // Nets at its ends are counted where they are driven, and where they enter.
        const std::vector<char> no_crossing(netlist.cells.size(), 0);
        measure(text, netlist, no_crossing, activities, 0, samples);
        const double idle = samples.front().dynamic_pj;
        const std::vector<double> fit =
            fitted(samples, [idle](const Sample& sample) { return active_pj(sample, idle); });
        return {fit.front(), idle, samples.front().leakage_mw};
    }

    /// Gives the samples their energies.
    void measure(const std::string& text, const GateNetlist& netlist,
                 const std::vector<char>& crossing, const std::vector<NetActivity>& activities,
                 double load_pf, std::vector<Sample>& samples) {
        begin("energy");
        constexpr double kPeriodNs = 10;  // energies per cycle do not depend on it
        constexpr const char* kLog = "power.log";
        const WorkFolder folder;
        const PowerSession session = power_session(netlist, models_, {library_, wires_}, crossing,
                                                   activities, kPeriodNs, load_pf);
        link_tools(folder, library_, tools_);
        if (needs_wire_library(library_, wires_)) {
            folder.write(kWireLibrary, wire_library(um_per_sink_));
        }
        folder.write(kNetlist, text);
        folder.write(kPowerTop, session.top);
        folder.write(kPinNames, session.names);
        folder.write(kRecorded, session.recorded);
        folder.write(kPowerScript, session.script);
        run(folder, {tools_.sta, "-no_init", "-no_splash", "-exit", kPowerScript}, kLog);
        const auto powers = parse_power_log(read_file(folder.file(kLog)), samples.size());
        for (std::size_t i = 0; i < samples.size(); ++i) {
            samples[i].dynamic_pj = powers[i].dynamic * kPeriodNs * kPicojoulesPerWattNs;
            samples[i].crossing_pj = powers[i].crossing * kPeriodNs * kPicojoulesPerWattNs;
            samples[i].leakage_mw = powers[i].leakage * kMilliwattsPerWatt;
        }
    }

    void begin(const char* stage) {
        stage_ = stage;
        require_to_proceed();
    }
    bool may_proceed() const {
        return SignalWatch::caught() == 0 &&
               (!on_progress_ || on_progress_({variant_.name(), stage_, watch_.seconds()}));
    }
    void require_to_proceed() const {
        if (may_proceed()) return;
        throw SynthesisInterrupted("the energies of " + variant_.name() + " were interrupted");
    }
    void run(const WorkFolder& folder, std::vector<std::string> arguments, const std::string& log) {
        const auto proceed = [this] { return may_proceed(); };
        if (!run_in(folder, std::move(arguments), log, proceed)) require_to_proceed();
    }

    const hw::RtlVariant& variant_;
    const SynthesisCallback& on_progress_;
    WireLoad wires_;
    CellLibraryFile file_;
    const CellLibrary& library_;
    MappedCells cells_;
    Toolchain tools_;
    std::map<std::string, CellModel> models_;
    const char* stage_ = "";
    double um_per_sink_ = 0;  // of the router, also for the registers of its links
    const Stopwatch watch_;
};

}  // namespace

ConfigError no_energies_of_slow_links(const Location& where) {
    return {
        where,
        "energies of routers and links of a rate below 1 are not measured (fabric.link_rate, or "
        "rates in the graph file)",
        "leave out --energy, or set the rates of links to 1"};
}

ConfigError no_energies_of_output_queues(const Location& where) {
    return {where,
            "energies of routers with queues between switch and links are not measured "
            "(fabric.output_speedup)",
            "leave out --energy, or set fabric.output_speedup: 1"};
}

void require_energies_of(const hw::RtlVariant& variant) {
    if (variant.slow_links) throw no_energies_of_slow_links({"--energy", 0, 0});
    if (variant.output_speedup > 1) throw no_energies_of_output_queues({"--energy", 0, 0});
}

RouterEnergy router_energy(const hw::RtlVariant& variant, const SynthesisConditions& conditions,
                           const SynthesisCallback& on_progress) {
    require_energies_of(variant);
    const SynthesisResult synthesis = synthesize(variant, conditions, on_progress);
    const std::vector<RtlSource> sources = link_sources();
    const std::string inputs =
        inputs_digest(variant, sources, {library_of(conditions), conditions});
    RouterEnergy energy;
    if (auto found = find_energy(synthesis.folder, inputs)) {
        energy = *std::move(found);
    } else {
        const SignalWatch watch;  // outlives the folders, which are gone when the signal is met
        try {
            energy = Measurement(variant, conditions, on_progress).run(synthesis, sources);
        } catch (const SynthesisInterrupted&) {
            throw;
        } catch (const ConfigError&) {
            throw;
        } catch (const std::runtime_error& e) {
            throw std::runtime_error(
                fmt::format("the energies of {} cannot be found: {}", variant.name(), e.what()));
        }
        keep_energy(synthesis.folder, inputs, energy);
    }
    energy.library = synthesis.library;
    energy.wires = conditions.wires;
    energy.clock_gates = conditions.clock_gates;
    return energy;
}

std::optional<RouterEnergy> cached_router_energy(const hw::RtlVariant& variant,
                                                 const SynthesisConditions& conditions) {
    const auto synthesis = cached_synthesis(variant, conditions);
    if (!synthesis) return std::nullopt;
    auto energy =
        find_energy(synthesis->folder,
                    inputs_digest(variant, link_sources(), {library_of(conditions), conditions}));
    if (!energy) return std::nullopt;
    energy->library = synthesis->library;
    energy->wires = conditions.wires;
    energy->clock_gates = conditions.clock_gates;
    return energy;
}

}  // namespace flitscope
