// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>

#include "flitscope/traffic.h"
#include "models/base/module_list.h"
#include "models/config/config.h"
#include "models/fabric/switching.h"
#include "testbench/app/measure/steady/steady_measurement.h"
#include "testbench/app/run/endpoints.h"
#include "traffic/program/dead_nodes.h"
#include "traffic/program/program_limits.h"

namespace flitscope {
namespace {

std::optional<Program> program_of(const Network& network) {
    const Config& config = network.config();
    if (!config.has_traffic()) throw ConfigError({no_traffic(config)});
    if (!config.traffic.pattern.empty()) return std::nullopt;
    return build_program(config, network.graph());
}

/// Throws ConfigError when it cannot be played on the network.
Program playable(const Network& network, Program program) {
    if (program.nodes != network.graph().node_count()) {
        throw ConfigError({program.name, 0, 0}, "the program is for another number of nodes",
                          "set Program::nodes to Graph::node_count()");
    }
    const auto place = [&](MessageId) { return Location{program.name, 0, 0}; };
    std::vector<Diagnostic> findings = validate(program);
    if (findings.empty()) {
        findings = check_playable(program, network.config(), network.graph(), place);
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
    std::uint64_t longest = 0;
    for (const Transfer& transfer : program.transfers) longest = std::max(longest, transfer.bytes);
    require_room_for_packets(network.config(), longest);
    return on_working_nodes(std::move(program), network.config(), network.graph(),
                            {program.name, 0, 0});
}

}  // namespace

struct TrafficPlayer::Parts {
    Parts(Network& its_network, std::optional<Program> its_program)
        : network(its_network),
          program(std::move(its_program)),
          pattern(program
                      ? nullptr
                      : std::make_shared<const PatternTraffic>(network.config(), network.graph())),
          scoreboard(scoreboard_config(network.config(), network.graph(), network.routing(),
                                       pattern.get()),
                     program ? &*program : nullptr) {
        if (program) run = make_program_run(*program, network.config());
        network.observe(scoreboard);
        if (network.config().steady && pattern != nullptr) end_in_steady_state();
        for (NodeId at = 0; at < network.graph().node_count(); ++at) {
            if (!network.graph().is_alive(at)) continue;
            const std::string name = network.graph().node_name("generator", at);
            if (program) {
                generators.push_back(make_program_generator(name, at, *run));
            } else {
                auto generator = std::make_unique<PatternGenerator>(name.c_str(), pattern, at);
                if (steady) steady->add_source(generator->source());
                pattern_generators.push_back(generator.get());
                generators.push_back(std::move(generator));
            }
            generators.back()->fabric.bind(network.port(at));
            network.attach(at, *generators.back());
        }
    }

    void end_in_steady_state() {
        steady.emplace(network.config(), network.graph(), pattern, false);
        network.observe(*steady);
        network.inspect(steady->next(), [this](Cycle now) {
            return steady->inspect(now) ? RunControl::kStop : steady->next();
        });
    }

    std::uint64_t messages_handed_over() const {
        if (program) return program->transfers.size();
        std::uint64_t begun = 0;
        for (const auto& generator : generators) begun += generator->messages_begun();
        return begun;
    }

    Network& network;
    std::optional<Program> program;
    std::shared_ptr<const PatternTraffic> pattern;
    Scoreboard scoreboard;
    std::optional<SteadyMeasurement> steady;
    std::unique_ptr<ProgramRun> run;
    ModuleList<std::unique_ptr<Generator>> generators;
    std::vector<PatternGenerator*> pattern_generators;  // those of them that play a pattern
};

TrafficPlayer::TrafficPlayer(sc_core::sc_module_name name, Network& network)
    : sc_module(name), parts_(std::make_unique<Parts>(network, program_of(network))) {}

TrafficPlayer::TrafficPlayer(sc_core::sc_module_name name, Network& network, Program program)
    : sc_module(name),
      parts_(std::make_unique<Parts>(network, playable(network, std::move(program)))) {}

TrafficPlayer::~TrafficPlayer() = default;

std::uint64_t TrafficPlayer::messages_expected() const {
    const std::uint64_t all = parts_->messages_handed_over();
    if (parts_->program || parts_->scoreboard.messages_delivered() == all) return all;
    return messages_begun(parts_->pattern_generators, parts_->network.fabric().end_cycle());
}

const Scoreboard& TrafficPlayer::scoreboard() const { return parts_->scoreboard; }

LatencyStatistics TrafficPlayer::latency() const {
    return parts_->steady ? parts_->steady->latency() : parts_->scoreboard.latency();
}

std::vector<std::string> TrafficPlayer::problems() const {
    std::vector<std::string> all = parts_->scoreboard.violations();
    const auto add = [&all](const std::vector<std::string>& more) {
        all.insert(all.end(), more.begin(), more.end());
    };
    const bool all_delivered =
        parts_->scoreboard.messages_delivered() == parts_->messages_handed_over();
    add(parts_->network.fabric().broken_invariants(all_delivered));
    if (parts_->program) add(parts_->scoreboard.missing());
    if (all_delivered) add(wrong_ends(parts_->run.get(), parts_->scoreboard));
    if (!all_delivered && parts_->steady && parts_->steady->is_done()) return all;
    const Cycle end = parts_->network.fabric().end_cycle();
    for (const auto& generator : parts_->generators) {
        if (generator->finish() && all_delivered) continue;
        if (std::string waiting = generator->waiting_for(end); !waiting.empty()) {
            all.push_back(std::move(waiting));
        }
    }
    return all;
}

}  // namespace flitscope
