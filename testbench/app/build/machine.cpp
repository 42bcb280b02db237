// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/build/machine.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "models/config/unit_values.h"
#include "models/fabric/faulted_network.h"
#include "models/fabric/link_protocol.h"
#include "models/fabric/planes.h"
#include "models/fabric/port_model.h"
#include "models/fabric/switching.h"
#include "models/performance/wire_budget.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/routing_factory.h"
#include "models/topology/faults/faults.h"
#include "tlm/addresses/address_map.h"
#include "tlm/addresses/response_cycle.h"
#include "traffic/patterns/load_units.h"
#include "traffic/patterns/reply_cycle.h"
#include "traffic/program/channel_rules.h"
#include "traffic/program/earliest_begins.h"
#include "traffic/program/rule_flows.h"
#include "traffic/schedules/schedule_factory.h"

namespace flitscope {

std::string Machine::traffic_name() const {
    if (!config.traffic.schedule.empty()) return config.traffic.schedule;
    if (!config.traffic.pattern.empty()) return config.traffic.pattern;
    // Without its folder, so that reports do not depend on where a file is.
    return std::filesystem::path(program->name).filename().string();
}

namespace {

/// The network that `faults.at` leaves; null if nothing dies during the run.
std::shared_ptr<const FaultedNetwork> build_faulted_network(Config config) {
    if (!config.faults || !config.faults->come_later()) return nullptr;
    const Cycle at = std::exchange(config.faults->at, 0);
    Graph graph = build_budgeted_topology(config);
    if (!graph.has_faults()) return nullptr;
    std::unique_ptr<const Routing> routing = make_routing(config, graph);
    std::vector<VirtualLink> cycle = find_dependency_cycle(graph, *routing);
    return std::make_shared<const FaultedNetwork>(
        FaultedNetwork{at, std::move(graph), std::move(routing), std::move(cycle)});
}

void set_bounds(Machine& machine, bool has_detours) {
    const Program& program = *machine.program;
    const PacketFormat format = machine.config.packet_format();
    ZeroLoadPaths paths(machine.config, machine.graph, *machine.routing);
    if (program.transfers.rule() != nullptr && program.transfers.size() > kMostFollowed) {
        machine.bounds = lower_bounds(machine.config, paths, RuleFlows(program, format));
        return;
    }
    ProgramFlows messages(program, format);
    for (std::size_t id = 0; has_detours && id < messages.size(); ++id) {
        messages.set_first(id, detour(program.transfers[id], machine.graph, *machine.routing));
    }
    set_earliest_begins(program, messages, machine.config, paths);
    machine.bounds = lower_bounds(machine.config, paths, messages);
}

}  // namespace

Machine build_machine(Config config, std::shared_ptr<const Program> program) {
    Graph graph = build_budgeted_topology(config);  // which gives flit_bits
    resolve_times(config);
    resolve_load(config);
    std::unique_ptr<Routing> routing = make_routing(config, graph);
    require_circuits(config, *routing);
    require_link_protocol(config, graph, *routing);
    if (config.interconnect) require_interconnect(config, graph);
    if (auto obstacle = planes_obstacle(config)) throw ConfigError({std::move(*obstacle)});
    if (auto obstacle = port_model_obstacle(config, *routing)) {
        throw ConfigError({std::move(*obstacle)});
    }
    std::vector<VirtualLink> cycle = find_dependency_cycle(graph, *routing);
    Machine machine{
        std::move(config), std::move(graph), std::move(routing), std::move(cycle), {}, {}, {}};
    machine.later = build_faulted_network(machine.config);
    // A routing that can deadlock itself would also give such a cycle.
    if (machine.config.interconnect && machine.dependency_cycle.empty()) {
        machine.response_cycle =
            find_response_cycle(machine.config, machine.graph, *machine.routing);
    }
    if (!machine.config.has_traffic()) return machine;
    if (machine.config.traffic.pattern.empty()) {
        machine.program =
            program != nullptr
                ? std::move(program)
                : std::make_shared<const Program>(build_program(machine.config, machine.graph));
        const DetouredRouting detoured(*machine.program, machine.graph, *machine.routing,
                                       machine.config.fabric.virtual_channels);
        if (detoured.has_detours()) {
            machine.dependency_cycle = find_dependency_cycle(machine.graph, detoured);
        }
        std::uint64_t longest = 0;
        const Transfers& transfers = machine.program->transfers;
        for (MessageId id = 0; id < transfers.representatives(); ++id) {
            longest = std::max(longest, transfers.bytes(id));
        }
        require_room_for_packets(machine.config, longest);
        // Later routes load other links, and not all messages need arrive.
        if (machine.later == nullptr) set_bounds(machine, detoured.has_detours());
    } else {
        require_room_for_packets(machine.config, machine.config.traffic.longest_message());
        machine.pattern =
            std::make_shared<const PatternTraffic>(machine.config, machine.graph, machine.later);
        if (machine.dependency_cycle.empty()) {
            machine.reply_cycle = find_reply_cycle(machine.config, machine.pattern->pattern,
                                                   machine.graph, *machine.routing);
        }
    }
    return machine;
}

std::vector<StepReport> step_reports(const Machine& machine) {
    if (machine.program == nullptr) return {};
    return analyse(*machine.program, machine.graph, *machine.routing,
                   machine.config.packet_format());
}

void require_traffic(const Machine& machine) {
    if (!machine.config.has_traffic()) throw ConfigError({no_traffic(machine.config)});
}

std::string cycle_of_links(const Machine& machine) {
    if (!machine.dependency_cycle.empty()) {
        return describe_cycle(machine.graph, machine.dependency_cycle);
    }
    const FaultedNetwork* const later = machine.later.get();
    if (later == nullptr || later->dependency_cycle.empty()) return "";
    return describe_cycle(later->graph, later->dependency_cycle);
}

void require_deadlock_freedom(const Machine& machine) {
    const Config& config = machine.config;
    require_deadlock_freedom(config, machine.graph, machine.dependency_cycle);
    if (machine.later != nullptr) {
        require_deadlock_freedom(config, machine.later->graph, machine.later->dependency_cycle,
                                 machine.later->at);
    }
    if (machine.reply_cycle.empty() || config.fabric.allow_deadlock) return;
    throw ConfigError(
        config.where("traffic.reply_queue"),
        "requests and replies can deadlock: if a node accepts no more requests, packets may wait "
        "in the cycle " +
            describe_cycle(machine.graph, machine.reply_cycle),
        "name a class for replies only (fabric.classes, traffic.classes, traffic.reply_class), "
        "leave traffic.reply_queue out, or set fabric.allow_deadlock: true");
}

}  // namespace flitscope
