// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// flitscope_pieces: of how many regular pieces the flits of a packet on a channel consist under the
// cycle engine, for tlm/ROUND_ROBIN.md. Not part of the program.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <limits>
#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/run/engines.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"

int sc_main(int, char**) { return 0; }  // libsystemc refers to it

namespace flitscope {
namespace {

/// A piece is a run of flits whose distances in time repeat after so many flits; what they are is
/// free. 0: flits in consecutive cycles, a burst.
constexpr std::array<std::size_t, 6> kPeriods = {0, 1, 2, 4, 8, 12};

/// One past the last distance of the longest piece that begins with distance `first`.
std::size_t piece_end(const std::vector<Cycle>& distances, std::size_t first, std::size_t longest) {
    std::size_t end = first;
    if (longest == 0) {
        while (end < distances.size() && distances[end] == 1) ++end;
        return end;
    }
    for (std::size_t period = 1; period <= longest; ++period) {
        std::size_t k = first + period;
        while (k < distances.size() && distances[k] == distances[k - period]) ++k;
        end = std::max(end, std::min(k, distances.size()));
    }
    return end;
}

/// The least number of pieces: a piece that is cut off at either end is one still, so the longest
/// possible one is never a mistake.
std::uint64_t pieces(const std::vector<Cycle>& distances, std::size_t longest) {
    std::uint64_t count = 0;
    // From flit to flit; the distance between two pieces is free.
    for (std::size_t flit = 0; flit <= distances.size();
         flit = piece_end(distances, flit, longest) + 1) {
        ++count;
    }
    return count;
}

/// Takes the flits of every packet on every channel apart.
class PieceCounter final : public ChannelObserver {
public:
    PieceCounter(std::size_t channels, std::uint32_t vcs) : vcs_(vcs), streams_(channels * vcs) {}

    void on_grant(ChannelId, std::uint32_t, const Message&, Cycle) override {}
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId, std::uint32_t,
                       Cycle cycle) override {
        Stream& stream = stream_of(channel, vc);
        if (stream.flits != 0) stream.distances.push_back(cycle - stream.last);
        stream.last = cycle;
        ++stream.flits;
    }
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        Stream& stream = stream_of(channel, vc);
        for (; stream.last + 1 < cycle; ++stream.last, ++stream.flits) {
            stream.distances.push_back(1);
        }
    }
    void on_release(ChannelId channel, std::uint32_t vc, Cycle) override {
        Stream& stream = stream_of(channel, vc);
        ++packet_hops;
        flit_hops += stream.flits;
        for (std::size_t i = 0; i < kPeriods.size(); ++i) {
            counts[i] += pieces(stream.distances, kPeriods[i]);
        }
        stream = {};
    }

    std::uint64_t packet_hops = 0;
    std::uint64_t flit_hops = 0;
    std::array<std::uint64_t, kPeriods.size()> counts{};  ///< of pieces, per kPeriods

private:
    struct Stream {
        std::vector<Cycle> distances;
        Cycle last = 0;
        std::uint64_t flits = 0;
    };
    Stream& stream_of(ChannelId channel, std::uint32_t vc) { return streams_[channel * vcs_ + vc]; }

    std::uint32_t vcs_;
    std::vector<Stream> streams_;
};

PieceCounter count_pieces(const Machine& machine) {
    const FreshKernel kernel;
    PieceCounter counter(ChannelMap(machine.graph).count(), machine.config.fabric.virtual_channels);
    SimulationOptions options;
    options.channels = &counter;
    const SimulationResult result = simulate(machine, reference_engine().name, options);
    if (result.verdict != Verdict::kComplete) throw std::runtime_error("the run did not complete");
    return counter;
}

/// Processor time of a run from start to end, of the fastest of some.
double run_nanoseconds(const Machine& machine, const std::string& engine, int runs) {
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < runs; ++i) {
        const FreshKernel kernel;
        const std::clock_t begin = std::clock();
        simulate(machine, engine, {});
        best = std::min(best, 1e9 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return best;
}

/// That of all cycles but the first, so without what it takes to build the fabric.
double nanoseconds(const Machine& machine, const std::string& engine, int runs) {
    Machine first_cycle = machine;
    first_cycle.config.limits.max_cycles = 1;
    return run_nanoseconds(machine, engine, runs) - run_nanoseconds(first_cycle, engine, runs);
}

/// One JSON object, all but `packet_hops` per packet-hop.
void report(const Config& config, int runs) {
    const Machine machine = build_machine(config);
    const PieceCounter counter = count_pieces(machine);
    const auto packet_hops = static_cast<double>(counter.packet_hops);
    fmt::print("{{\"packet_hops\": {}, \"flits\": {:.3f}", counter.packet_hops,
               static_cast<double>(counter.flit_hops) / packet_hops);
    for (std::size_t i = 0; i < kPeriods.size(); ++i) {
        fmt::print(", \"pieces_{}\": {:.3f}", kPeriods[i],
                   static_cast<double>(counter.counts[i]) / packet_hops);
    }
    if (runs != 0) {
        // What the TLM engine takes for a burst, on the same machine with a switch that is held.
        Config held = config;
        held.fabric.switch_arbitration = SwitchArbitration::kHold;
        const Machine held_machine = build_machine(held);
        const auto bursts = static_cast<double>(count_pieces(held_machine).counts[0]);
        fmt::print(", \"cycle_ns\": {:.1f}, \"tlm_ns\": {:.1f}, \"burst_ns\": {:.1f}",
                   nanoseconds(machine, reference_engine().name, runs) / packet_hops,
                   nanoseconds(machine, "tlm", runs) / packet_hops,
                   nanoseconds(held_machine, "tlm", runs) / bursts);
    }
    fmt::print("}}\n");
}

}  // namespace
}  // namespace flitscope

int main(int argc, char** argv) {
    std::string path;
    std::vector<std::string> overrides;
    int runs = 0;
    CLI::App app("Counts the regular pieces that packets on channels consist of.");
    app.add_option("config", path, "YAML file")->required();
    app.add_option("--set", overrides, "override a key; may be repeated");
    app.add_option("--times", runs, "also time both engines, N times each");
    CLI11_PARSE(app, argc, argv);
    try {
        flitscope::report(flitscope::load_config(path, overrides), runs);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    }
    return 0;
}
