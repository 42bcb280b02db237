// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which broadcast and which all-reduce is the fastest for messages of which size, on four networks
// of 64 nodes: a study of the algorithms that message-passing libraries choose from today.
#include "testbench/reproduce/collectives/collectives.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "testbench/report/report_lines.h"
#include "testbench/reproduce/frame/paper.h"
#include "traffic/schedules/schedule_catalogue.h"

namespace flitscope::reproduce {
namespace {

constexpr std::uint32_t kNodes = 64;
constexpr std::uint64_t kStartup = 1000;  // cycles
constexpr std::uint64_t kReceive = 100;
constexpr std::uint64_t kHop = 3;  // cycles on a network of one link
constexpr std::uint64_t kFlitBytes = 8;

struct Network {
    std::string name;
    std::string yaml;
};

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

constexpr std::uint64_t kLong = 512 << 10;  // bytes
constexpr std::uint64_t kVeryLong = 64 << 20;

const std::vector<std::uint64_t>& sizes() {
    static const std::vector<std::uint64_t> kBytes = {
        8, 32, 128, 512, 2048, 8192, 32768, 131072, kLong, 1 << 20, 4 << 20, 16 << 20, kVeryLong};
    return kBytes;
}

/// Those that run on every network.
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

/// What was measured of one operation on one network.
class Study {
public:
    Study(const Outcomes& outcomes, std::string schedule, const Network& network)
        : outcomes_(&outcomes),
          schedule_(std::move(schedule)),
          network_(network),
          names_(algorithms(schedule_)) {}

    const std::string& schedule() const { return schedule_; }
    const Network& network() const { return network_; }
    const std::vector<std::string>& names() const { return names_; }

    const Outcome& outcome(const std::string& algorithm, std::uint64_t bytes) const {
        return outcomes_->at(key(schedule_, algorithm, network_, bytes));
    }
    /// Of one of the runs whose causes are recorded.
    Breakdown breakdown(const std::string& algorithm, std::uint64_t bytes) const {
        return outcomes_->breakdown(key(schedule_, algorithm, network_, bytes),
                                    fmt::format("{} on {}, {}", algorithm, network_.name,
                                                text_of(static_cast<double>(bytes))));
    }
    double cycles(const std::string& algorithm, std::uint64_t bytes) const {
        return static_cast<double>(outcome(algorithm, bytes).cycles);
    }
    /// The fastest; of equals the one that is listed first.
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
    const Outcomes* outcomes_;
    std::string schedule_;
    Network network_;
    std::vector<std::string> names_;
};

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

/// "dimension_order to about 20.9 KB, then scatter_doubling".
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

Table measured(const Study& study) {
    Table table;
    table.title =
        fmt::format("{} on {}: cycles by message size", study.schedule(), study.network().name);
    table.source = "* fastest";
    table.columns = {"size"};
    for (const std::string& name : study.names()) table.columns.push_back(name);
    table.columns.emplace_back("slowest / fastest");
    for (const std::uint64_t bytes : sizes()) {
        Cell size(text_of(bytes));
        size.value = bytes;
        std::vector<Cell> row{size};
        double slowest = 0;
        for (const std::string& name : study.names()) {
            Cell cell(study.outcome(name, bytes).cycles);
            cell.text += study.is_best(name, bytes) ? " *" : "  ";
            row.push_back(cell);
            slowest = std::max(slowest, study.cycles(name, bytes));
        }
        row.emplace_back(slowest / study.cycles(study.best(bytes), bytes), 2);
        table.rows.push_back(std::move(row));
    }
    table.notes.push_back(fmt::format("Choose {}.", choice(study)));
    return table;
}

Table against_model(const std::vector<Study>& studies, std::uint64_t bytes) {
    Table table;
    table.title =
        fmt::format("Contention at {}: measured over the time without contention", text_of(bytes));
    table.columns = {"algorithm", "model"};
    for (const Network& network : networks()) table.columns.push_back(network.name);
    for (std::size_t i = 0; i < studies.size(); i += networks().size()) {
        for (const std::string& name : studies[i].names()) {
            std::vector<Cell> row{studies[i].schedule() + ' ' + name,
                                  model(studies[i], name, bytes)};
            for (std::size_t n = 0; n < networks().size(); ++n) {
                const Study& study = studies[i + n];
                row.emplace_back(
                    study.cycles(name, bytes) / static_cast<double>(model(study, name, bytes)), 2);
            }
            table.rows.push_back(std::move(row));
        }
    }
    table.notes.push_back(
        "The model: for every step a startup, a header, the cycles of one link and a receipt; and "
        "the flits that the busiest node sends or receives one after the other.");
    return table;
}

Plot curves(const Study& study) {
    Plot plot;
    std::string place = study.network().name;
    std::replace(place.begin(), place.end(), ' ', '_');
    plot.name = fmt::format("collectives_{}_{}", study.schedule(), place);
    plot.title = fmt::format("{} on {}, startup {} cycles, receipt {}", study.schedule(),
                             study.network().name, kStartup, kReceive);
    plot.x_label = "message, bytes";
    plot.y_label = "cycles";
    plot.log_x = true;
    plot.log_y = true;
    plot.is_in_docs = study.network().name == "mesh 8x8";
    for (const std::string& name : study.names()) {
        Series series{name, {}};
        for (const std::uint64_t bytes : sizes()) {
            series.points.emplace_back(static_cast<double>(bytes), study.cycles(name, bytes));
        }
        plot.series.push_back(std::move(series));
    }
    return plot;
}

/// Confirmed where it holds on all networks, refuted where on none.
Finding finding(std::size_t holds, std::size_t asked) {
    if (holds == asked) return Finding::kConfirmed;
    return holds == 0 ? Finding::kRefuted : Finding::kPartly;
}

/// A claim that is asked of every network: `holds` says yes or no and adds to the evidence.
Conclusion on_every_network(
    std::string claim, std::string source, const std::vector<Study>& studies,
    const std::function<std::pair<bool, std::string>(const Study&)>& holds) {
    Conclusion conclusion;
    conclusion.claim = std::move(claim);
    conclusion.source = std::move(source);
    std::size_t count = 0;
    std::vector<std::string> evidence;
    for (const Study& study : studies) {
        const auto [yes, text] = holds(study);
        if (yes) ++count;
        evidence.push_back(fmt::format("{}: {}", study.network().name, text));
    }
    conclusion.finding = finding(count, studies.size());
    conclusion.evidence = fmt::format("{}.", fmt::join(evidence, "; "));
    return conclusion;
}

std::string compared(const Study& study, const std::string& a, const std::string& b,
                     std::uint64_t bytes) {
    return fmt::format("{} {}, {} {} cycles at {}", a, grouped(study.outcome(a, bytes).cycles), b,
                       grouped(study.outcome(b, bytes).cycles), text_of(bytes));
}

std::vector<Conclusion> conclusions(const std::vector<Study>& broadcasts,
                                    const std::vector<Study>& allreduces) {
    const std::uint64_t shortest = sizes().front();
    std::vector<Conclusion> all;
    all.push_back(on_every_network(
        "Short messages are broadcast fastest down a binomial tree, long ones by scatter and "
        "allgather",
        "Thakur, Rabenseifner and Gropp 2005, broadcast", broadcasts, [&](const Study& study) {
            const bool tree = study.is_best("binomial", shortest);
            const bool scatter = study.best(kLong).compare(0, 7, "scatter") == 0;
            return std::pair(tree && scatter, choice(study));
        }));
    all.push_back(on_every_network(
        "A tree that follows the dimensions, so that no step shares a link, broadcasts long "
        "messages faster than a binomial tree over node numbers on meshes and tori",
        "McKinley et al. 1994; Barnett et al. 1996", {broadcasts.begin(), broadcasts.begin() + 3},
        [&](const Study& study) {
            return std::pair(
                study.cycles("dimension_order", kLong) < study.cycles("binomial", kLong),
                compared(study, "dimension_order", "binomial", kLong));
        }));
    const auto held_up = [](const Breakdown& run) { return 100 * run.share(kHeldUp); };
    const Breakdown tree = broadcasts.front().breakdown("dimension_order", kLong);
    const Breakdown binomial = broadcasts.front().breakdown("binomial", kLong);
    all.back().breakdowns = {tree, binomial};
    all.back().meaning = fmt::format(
        "Held up by others: {:.1f} % of the tree by dimensions, {:.1f} % of the binomial tree; "
        "without these the latter would take {:.2f} times as long as the former.",
        held_up(tree), held_up(binomial),
        static_cast<double>(binomial.cycles() - binomial.cycles(kHeldUp)) /
            static_cast<double>(tree.cycles() - tree.cycles(kHeldUp)));
    all.push_back(on_every_network(
        "A pipeline along a chain of links broadcasts very long messages in little more (here: a "
        "quarter at most) than the time in which a node can receive them, whatever the network",
        "Watts and van de Geijn 1995; Patarasuk, Yuan and Faraj 2008", broadcasts,
        [&](const Study& study) {
            const auto ratio = [&](std::uint64_t bytes) {
                return study.cycles("pipelined_chain", bytes) * kFlitBytes /
                       static_cast<double>(bytes);
            };
            return std::pair(
                ratio(kVeryLong) <= 1.25,
                fmt::format("{:.2f} times the cycles of its flits at {}, {:.2f} at {}",
                            ratio(kLong), text_of(kLong), ratio(kVeryLong), text_of(kVeryLong)));
        }));
    const Breakdown chain = broadcasts.front().breakdown("pipelined_chain", kLong);
    const Breakdown long_chain = broadcasts.front().breakdown("pipelined_chain", kVeryLong);
    all.back().breakdowns = {chain, long_chain};
    all.back().meaning = fmt::format(
        "Startups, one after the other, take {:.1f} and {:.1f} % of the time; held up by others "
        "are {:.1f} and {:.1f} %.",
        100 * chain.share({Cause::kStartup}), 100 * long_chain.share({Cause::kStartup}),
        held_up(chain), held_up(long_chain));
    all.push_back(on_every_network(
        "Short vectors are all-reduced fastest by recursive doubling, long ones by recursive "
        "halving and doubling (Rabenseifner)",
        "Thakur, Rabenseifner and Gropp 2005, reduce and allreduce", allreduces,
        [&](const Study& study) {
            return std::pair(study.is_best("recursive_doubling", shortest) &&
                                 study.is_best("rabenseifner", kLong),
                             choice(study));
        }));
    all.push_back(on_every_network(
        "The ring all-reduce is free of contention on any network that has a ring, and takes the "
        "least time for very long vectors",
        "Patarasuk and Yuan 2009", allreduces, [&](const Study& study) {
            const double contention = study.cycles("ring", kVeryLong) /
                                      static_cast<double>(model(study, "ring", kVeryLong));
            return std::pair(contention < 1.01 && study.is_best("ring", kVeryLong),
                             fmt::format("{:.2f} of the time without contention; {}", contention,
                                         compared(study, "ring", "rabenseifner", kVeryLong)));
        }));
    const Breakdown ring = allreduces.front().breakdown("ring", kVeryLong);
    const Breakdown halving = allreduces.front().breakdown("rabenseifner", kVeryLong);
    all.back().breakdowns = {ring, halving};
    all.back().meaning =
        fmt::format("Held up by others: {:.1f} % of the ring, {:.1f} % of rabenseifner.",
                    held_up(ring), held_up(halving));
    return all;
}

Report report(const Outcomes& outcomes) {
    Report report;
    std::vector<Study> broadcasts;
    std::vector<Study> allreduces;
    for (const Network& network : networks()) {
        broadcasts.emplace_back(outcomes, "broadcast", network);
        allreduces.emplace_back(outcomes, "allreduce", network);
    }
    std::vector<Study> all = broadcasts;
    all.insert(all.end(), allreduces.begin(), allreduces.end());
    for (const Study& study : all) {
        report.tables.push_back(measured(study));
        report.plots.push_back(curves(study));
    }
    report.tables.push_back(against_model(all, 1 << 20));
    report.conclusions = conclusions(broadcasts, allreduces);
    return report;
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
