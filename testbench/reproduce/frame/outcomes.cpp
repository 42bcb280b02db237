// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <array>
#include <istream>
#include <ostream>
#include <sstream>
#include <stdexcept>

#include "testbench/reproduce/frame/paper.h"
#include "testbench/run/engines.h"

namespace flitscope::reproduce {
namespace {

constexpr const char* kHeading =
    "key,engine,cycles,steps,messages,flit_hops,lower_bound,mean_latency,results";
constexpr std::size_t kColumns = 9;

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
    return outcome;
}

}  // namespace

const Outcome& Outcomes::at(const std::string& key) const {
    const auto found = outcomes_.find(key);
    if (found == outcomes_.end()) throw std::out_of_range("no experiment has the key " + key);
    return found->second;
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
        fmt::print(out, "{},{},{},{},{},{},{},{},{}\n", experiment.key, o.engine, o.cycles, o.steps,
                   o.messages, o.flit_hops, o.lower_bound, o.mean_latency, o.results);
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
        } catch (const std::logic_error&) {  // what std::stoull and its like throw
            throw std::runtime_error(fmt::format("outcomes: line {} is damaged", number));
        }
    }
    return outcomes;
}

}  // namespace flitscope::reproduce
