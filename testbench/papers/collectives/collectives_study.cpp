// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/collectives/collectives_study.h"

#include <fmt/format.h>

#include <algorithm>

#include "traffic/schedules/schedule_catalogue.h"

namespace flitscope::reproduce::library_collectives {

/// Rings need two virtual channels; `hold` lets the TLM engine be exact with them.
const std::vector<Network>& networks() {
    static const std::vector<Network> kAll = {
        {"mesh 8x8", "topology: {kind: mesh, dims: [8, 8]}"},
        {"mesh 4x16", "topology: {kind: mesh, dims: [4, 16]}"},
        {"torus 8x8",
         "topology: {kind: torus, dims: [8, 8]}\n  virtual_channels: 2\n"
         "  switch_arbitration: hold"},
        {"hypercube 6", "topology: {kind: hypercube, dimensions: 6}"}};
    return kAll;
}

const std::vector<std::uint64_t>& sizes() {
    static const std::vector<std::uint64_t> kBytes = {
        8, 32, 128, 512, 2048, 8192, 32768, 131072, kLong, 1 << 20, 4 << 20, 16 << 20, kVeryLong};
    return kBytes;
}

std::vector<std::string> algorithms(const std::string& schedule) {
    std::vector<std::string> names = algorithms_of(schedule);
    names.erase(
        std::remove_if(names.begin(), names.end(),
                       [](const std::string& name) { return name.compare(0, 7, "windows") == 0; }),
        names.end());
    return names;
}

std::string key(const std::string& schedule, const std::string& algorithm, const Network& network,
                std::uint64_t bytes) {
    std::string place = network.name;
    std::replace(place.begin(), place.end(), ' ', '_');
    return fmt::format("collectives/{}/{}/{}/{}", schedule, algorithm, place, bytes);
}

std::vector<Experiment> experiments() {
    std::vector<Experiment> all;
    for (const char* schedule : {"broadcast", "allreduce"}) {
        for (const std::string& algorithm : algorithms(schedule)) {
            for (const Network& network : networks()) {
                for (const std::uint64_t bytes : sizes()) {
                    all.push_back(
                        {key(schedule, algorithm, network, bytes),
                         fmt::format(
                             "fabric:\n  {}\nnode: {{send_startup: {}, recv_overhead: {}}}\n"
                             "traffic:\n  schedule: {}\n  algorithm: {}\n"
                             "  message_bytes: {}\n",
                             network.yaml, kStartup, kReceive, schedule, algorithm, bytes),
                         "tlm", 0.05});
                }
            }
        }
    }
    const Network& mesh = networks().front();
    record_causes(all, {key("broadcast", "dimension_order", mesh, kLong),
                        key("broadcast", "binomial", mesh, kLong),
                        key("broadcast", "pipelined_chain", mesh, kLong),
                        key("broadcast", "pipelined_chain", mesh, kVeryLong),
                        key("allreduce", "ring", mesh, kVeryLong),
                        key("allreduce", "rabenseifner", mesh, kVeryLong)});
    return all;
}

std::string text_of(double bytes) {
    if (bytes < 1024) return fmt::format("{:.0f} B", bytes);
    if (bytes < 1024 * 1024) return fmt::format("{:.3g} KB", bytes / 1024);
    return fmt::format("{:.3g} MB", bytes / 1024 / 1024);
}

Breakdown Study::breakdown(const std::string& algorithm, std::uint64_t bytes) const {
    return outcomes_->breakdown(
        key(schedule_, algorithm, network_, bytes),
        fmt::format("{} on {}, {}", algorithm, network_.name, text_of(static_cast<double>(bytes))));
}

namespace {

/// Up to which size to choose which algorithm: the size at which it and the next one take the same
/// time, cycles between two sizes taken to be linear in the size.
struct Choice {
    std::string algorithm;
    double up_to = 0;  ///< bytes; of the last one without meaning
};

/// Of several that are as fast the one that stays so the longest.
std::vector<Choice> choices(const Study& study) {
    std::vector<Choice> found;
    for (std::size_t i = 0; i < sizes().size();) {
        std::size_t longest = i;
        std::string chosen;
        for (const std::string& name : study.names()) {
            std::size_t end = i;
            while (end < sizes().size() && study.is_best(name, sizes()[end])) ++end;
            if (end > longest) {
                longest = end;
                chosen = name;
            }
        }
        if (!found.empty()) {
            const std::uint64_t low = sizes()[i - 1];
            const std::uint64_t high = sizes()[i];
            const std::string& before = found.back().algorithm;
            const double lead = study.cycles(chosen, low) - study.cycles(before, low);
            const double loss = study.cycles(before, high) - study.cycles(chosen, high);
            found.back().up_to =
                static_cast<double>(low) + lead / (lead + loss) * static_cast<double>(high - low);
        }
        found.push_back({chosen});
        i = longest;
    }
    return found;
}

}  // namespace

std::string choice(const Study& study) {
    std::string text;
    std::string limit;
    for (const Choice& part : choices(study)) {
        if (!text.empty()) text += fmt::format(" to about {}, then ", limit);
        text += part.algorithm;
        limit = text_of(part.up_to);
    }
    return text;
}

std::uint64_t model(const Study& study, const std::string& algorithm, std::uint64_t bytes) {
    const Outcome& outcome = study.outcome(algorithm, bytes);
    const std::uint64_t flits = (bytes + kFlitBytes - 1) / kFlitBytes;
    const std::uint64_t message = kStartup + 1;
    const std::uint64_t latency = kHop + kReceive;
    const std::uint64_t steps = outcome.steps;
    if (algorithm.compare(0, 9, "pipelined") == 0) {
        const std::uint64_t pieces = outcome.messages / (kNodes - 1);
        const std::uint64_t busy = algorithm == "pipelined_chain" ? 1 : 2;
        const std::uint64_t depth = steps - busy * (pieces - 1);
        return steps * (message + flits / pieces) + depth * latency - kReceive;
    }
    const bool in_pieces = algorithm.compare(0, 7, "scatter") == 0 || algorithm == "ring" ||
                           algorithm == "rabenseifner";
    const std::uint64_t sent = in_pieces ? 2 * flits * (kNodes - 1) / kNodes : steps * flits;
    return steps * (message + latency) + sent - kReceive;
}

}  // namespace flitscope::reproduce::library_collectives
