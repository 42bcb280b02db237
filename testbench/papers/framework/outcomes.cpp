// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <istream>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/app/run/engines.h"
#include "testbench/papers/framework/paper.h"

namespace flitscope::reproduce {
namespace {

constexpr const char* kHeading =
    "key,engine,cycles,steps,messages,flit_hops,lower_bound,mean_latency,results,causes";
constexpr std::size_t kColumns = 10;

/// "startup=20 body=31", or "-" if they were not requested.
std::string text_of(const std::optional<CauseCycles>& by_cause) {
    if (!by_cause) return "-";
    std::vector<std::string> parts;
    for (const Cause cause : ranked_causes(*by_cause)) {
        parts.push_back(fmt::format("{}={}", cause_name(cause), cycles_of(*by_cause, cause)));
    }
    return fmt::format("{}", fmt::join(parts, " "));
}

/// Throws std::logic_error if it is not a text_of().
std::optional<CauseCycles> causes_of(const std::string& text) {
    if (text == "-") return std::nullopt;
    CauseCycles by_cause{};
    std::istringstream parts(text);
    for (std::string part; parts >> part;) {
        const std::size_t end = part.find('=');
        const std::optional<Cause> cause = find_cause(part.substr(0, end));
        if (end == std::string::npos || !cause) throw std::invalid_argument("causes");
        by_cause[static_cast<std::size_t>(*cause)] = std::stoull(part.substr(end + 1));
    }
    return by_cause;
}

Outcome parse(const std::array<std::string, kColumns>& cells) {
    Outcome outcome;
    outcome.engine = cells[1];
    outcome.cycles = std::stoull(cells[2]);
    outcome.steps = static_cast<std::uint32_t>(std::stoul(cells[3]));
    outcome.messages = std::stoull(cells[4]);
    outcome.flit_hops = std::stoull(cells[5]);
    outcome.lower_bound = std::stoull(cells[6]);
    outcome.mean_latency = std::stod(cells[7]);
    outcome.results = std::stoull(cells[8]);
    outcome.by_cause = causes_of(cells[9]);
    return outcome;
}

}  // namespace

const Outcome& Outcomes::at(const std::string& key) const {
    const auto found = outcomes_.find(key);
    if (found != outcomes_.end()) return found->second;
    if (!notes_missing_) throw std::out_of_range("no experiment has the key " + key);
    static const Outcome kOfOneCycle = [] {
        Outcome outcome;
        outcome.cycles = outcome.lower_bound = outcome.messages = outcome.flit_hops = 1;
        outcome.steps = 1;
        outcome.results = 1;
        outcome.mean_latency = 1;
        outcome.by_cause.emplace().front() = 1;
        return outcome;
    }();
    missing_.insert(key);
    return kOfOneCycle;
}

Effort Outcomes::effort(const std::vector<Experiment>& experiments) const {
    Effort effort;
    for (const Experiment& experiment : experiments) {
        const Outcome& outcome = at(experiment.key);
        ++effort.runs;
        if (find_engine(outcome.engine) != &reference_engine()) ++effort.tlm_runs;
        effort.messages += outcome.messages;
        effort.flit_hops += outcome.flit_hops;
    }
    return effort;
}

void Outcomes::write(std::ostream& out, const std::vector<Experiment>& experiments) const {
    out << kHeading << '\n';
    for (const Experiment& experiment : experiments) {
        const Outcome& o = at(experiment.key);
        out << fmt::format("{},{},{},{},{},{},{},{},{},{}\n", experiment.key, o.engine, o.cycles,
                           o.steps, o.messages, o.flit_hops, o.lower_bound, o.mean_latency,
                           o.results, text_of(experiment.by_cause ? o.by_cause : std::nullopt));
    }
}

Outcomes Outcomes::read(std::istream& in) {
    Outcomes outcomes;
    std::string line;
    std::size_t number = 1;
    if (!std::getline(in, line) || line != kHeading) {
        throw std::runtime_error("outcomes: line 1 is not the heading");
    }
    while (std::getline(in, line)) {
        ++number;
        std::array<std::string, kColumns> cells;
        std::istringstream row(line);
        for (std::string& cell : cells) std::getline(row, cell, ',');
        try {
            if (!row || !row.eof()) throw std::invalid_argument("columns");
            outcomes.add(cells[0], parse(cells));
        } catch (const std::logic_error&) {  // thrown by std::stoull and similar functions
            throw std::runtime_error(fmt::format("outcomes: line {} is damaged", number));
        }
    }
    return outcomes;
}

}  // namespace flitscope::reproduce
