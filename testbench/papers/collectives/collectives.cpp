// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The fastest broadcast and all-reduce by message size, on four networks of 64 nodes: a study of
// the algorithms that message-passing libraries choose from today.
#include "testbench/papers/collectives/collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "testbench/app/report/report_lines.h"
#include "testbench/papers/framework/script.h"
#include "traffic/schedules/schedule_catalogue.h"

namespace flitscope::reproduce {

extern const char* const kCollectivesScript;  // made by CMake

namespace {

// As in the script.
constexpr std::uint64_t kNodes = 64;
constexpr std::uint64_t kStartup = 1000;  // cycles
constexpr std::uint64_t kReceive = 100;
constexpr std::uint64_t kHop = 3;  // cycles on a network of one link
constexpr std::uint64_t kFlitBytes = 8;
constexpr std::uint64_t kBytes[] = {8,      32,     128,     512,     2048,     8192,    32768,
                                    131072, 524288, 1 << 20, 4 << 20, 16 << 20, 64 << 20};

/// Those that run on every network.
std::vector<std::string> algorithms(const std::string& schedule) {
    std::vector<std::string> names = algorithms_of(schedule);
    names.erase(
        std::remove_if(names.begin(), names.end(),
                       [](const std::string& name) { return name.compare(0, 7, "windows") == 0; }),
        names.end());
    return names;
}

std::string size_text(double bytes) {
    if (bytes < 1024) return fmt::format("{:.0f} B", bytes);
    if (bytes < 1024 * 1024) return fmt::format("{:.3g} KB", bytes / 1024);
    return fmt::format("{:.3g} MB", bytes / 1024 / 1024);
}

/// The measurements of one operation on one network.
class Study {
public:
    Study(const Outcomes& outcomes, std::string schedule, std::string place)
        : outcomes_(outcomes),
          schedule_(std::move(schedule)),
          place_(std::move(place)),
          names_(algorithms(schedule_)) {}

    const std::vector<std::string>& names() const { return names_; }

    const Outcome& outcome(const std::string& algorithm, std::uint64_t bytes) const {
        return outcomes_.at(
            fmt::format("collectives/{}/{}/{}/{}", schedule_, algorithm, place_, bytes));
    }
    double cycles(const std::string& algorithm, std::uint64_t bytes) const {
        return static_cast<double>(outcome(algorithm, bytes).cycles);
    }
    std::vector<double> all_cycles(std::uint64_t bytes) const {
        std::vector<double> all;
        for (const std::string& name : names_) all.push_back(cycles(name, bytes));
        return all;
    }
    /// The fastest; among equals the first listed.
    const std::string& best(std::uint64_t bytes) const {
        return *std::min_element(names_.begin(), names_.end(),
                                 [&](const std::string& a, const std::string& b) {
                                     return cycles(a, bytes) < cycles(b, bytes);
                                 });
    }
    /// As fast as the best.
    bool is_best(const std::string& algorithm, std::uint64_t bytes) const {
        return cycles(algorithm, bytes) == cycles(best(bytes), bytes);
    }

private:
    const Outcomes& outcomes_;
    std::string schedule_;
    std::string place_;
    std::vector<std::string> names_;
};

/// An algorithm and its upper size: the size at which it and the next one take the same time,
/// cycles between two sizes taken to be linear in the size.
struct Choice {
    std::string algorithm;
    double up_to = 0;  ///< bytes; meaningless for the last one
};

/// Among equally fast ones the one that stays so the longest.
std::vector<Choice> choices(const Study& study) {
    std::vector<Choice> found;
    for (std::size_t i = 0; i < std::size(kBytes);) {
        std::size_t longest = i;
        std::string chosen;
        for (const std::string& name : study.names()) {
            std::size_t end = i;
            while (end < std::size(kBytes) && study.is_best(name, kBytes[end])) ++end;
            if (end > longest) {
                longest = end;
                chosen = name;
            }
        }
        if (!found.empty()) {
            const std::uint64_t low = kBytes[i - 1];
            const std::uint64_t high = kBytes[i];
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

/// The choice up to each size: "dimension_order to about 20.9 KB, then scatter_doubling".
std::string choice(const Study& study) {
    std::string text;
    std::string limit;
    for (const Choice& part : choices(study)) {
        if (!text.empty()) text += fmt::format(" to about {}, then ", limit);
        text += part.algorithm;
        limit = size_text(part.up_to);
    }
    return text;
}

/// The time without contention: steps of a startup, a header, a hop and a receipt, and the flits
/// that the busiest node sends or receives one after the other. Pieces of a pipeline follow each
/// other without a hop and a receipt between them.
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

std::string compared(const Study& study, const std::string& a, const std::string& b,
                     std::uint64_t bytes) {
    return fmt::format("{} {}, {} {} cycles at {}", a, grouped(study.outcome(a, bytes).cycles), b,
                       grouped(study.outcome(b, bytes).cycles),
                       size_text(static_cast<double>(bytes)));
}

Names names() {
    Names names;
    names.define("algorithms", algorithms);
    names.define("size_text", size_text);
    return names;
}

std::vector<Experiment> experiments() { return scripted_experiments(kCollectivesScript, names()); }

Report report(const Outcomes& outcomes, const Wanted& wanted) {
    using Text = const std::string&;
    const auto of = [&](Text schedule, Text place) { return Study(outcomes, schedule, place); };
    Names all = names();
    all.define("cycles", [of](Text schedule, Text algorithm, Text place, std::uint64_t bytes) {
        return of(schedule, place).cycles(algorithm, bytes);
    });
    all.define("all_cycles", [of](Text schedule, Text place, std::uint64_t bytes) {
        return of(schedule, place).all_cycles(bytes);
    });
    all.define("best", [of](Text schedule, Text place, std::uint64_t bytes) {
        return of(schedule, place).best(bytes);
    });
    all.define("is_best", [of](Text schedule, Text algorithm, Text place, std::uint64_t bytes) {
        return of(schedule, place).is_best(algorithm, bytes);
    });
    all.define("choice", [of](Text schedule, Text place) { return choice(of(schedule, place)); });
    all.define("model", [of](Text schedule, Text algorithm, Text place, std::uint64_t bytes) {
        return model(of(schedule, place), algorithm, bytes);
    });
    all.define("over_model", [of](Text schedule, Text algorithm, Text place, std::uint64_t bytes) {
        const Study study = of(schedule, place);
        return study.cycles(algorithm, bytes) / static_cast<double>(model(study, algorithm, bytes));
    });
    all.define("compared", [of](Text schedule, Text a, Text b, Text place, std::uint64_t bytes) {
        return compared(of(schedule, place), a, b, bytes);
    });
    return scripted_report(kCollectivesScript, all, outcomes, wanted);
}

}  // namespace

Paper collectives() {
    return {"collectives",
            fmt::format("Broadcast and all-reduce by message size, {} nodes, startup {} cycles, "
                        "receipt {}, links of 8 bytes per cycle",
                        kNodes, kStartup, kReceive),
            experiments, report};
}

}  // namespace flitscope::reproduce
