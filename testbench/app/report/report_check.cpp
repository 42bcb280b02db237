// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/report_check.h"

#include <algorithm>

#include "hw/verilated/rtl_limitations.h"
#include "models/performance/link_load.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/route_flow.h"
#include "models/routing/routing_factory.h"
#include "testbench/app/report/report.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/report/report_parts.h"
#include "testbench/app/run/engines.h"
#include "testbench/app/schedule_synthesis/synthesis_run.h"
#include "traffic/patterns/pattern_load.h"

namespace flitscope {

bool is_timetable(const Program& program) {
    return program.operations == nullptr && program.ordering == Ordering::kTimed &&
           program.step_count() == 1;
}

Cycle last_begin(const Program& program) {
    Cycle last = 0;
    for (std::size_t id = 0; id < program.transfers.size(); ++id) {
        last = std::max(last, program.transfers.time(id));
    }
    return last;
}

std::optional<std::uint64_t> contention_of_a_step(const Machine& machine) {
    const Transfers& transfers = machine.program->transfers;
    if (const TransferRule* const rule = transfers.rule()) {
        if (transfers.size() / rule->repeats() > kMostFollowed) return std::nullopt;
    }
    std::uint64_t most = 0;
    for (const StepReport& step : step_reports(machine)) {
        most = std::max(most, step.max_link_contention);
    }
    return most;
}

std::optional<synthesis::RoundContention> contention_at_a_time(const Machine& machine) {
    const Transfers& transfers = machine.program->transfers;
    if (machine.graph.has_per_link_endpoints() || machine.graph.has_slow_links() ||
        machine.later != nullptr || machine.routing->path_choice() != PathChoice::kFixed ||
        machine.config.fabric.switches_circuits()) {
        return std::nullopt;
    }
    for (std::size_t id = 0; id < transfers.size(); ++id) {
        if (!transfers.after(id).empty()) return std::nullopt;
    }
    synthesis::TimeContention counted(machine.config, machine.graph, *machine.routing);
    for (const Transfer& t : transfers) {
        const auto route = route_links(machine.graph, *machine.routing, t.source, t.destination);
        counted.add(t.source, t.destination, route, t.bytes, t.time);
    }
    return counted.most();
}

std::optional<AnySchedule> any_schedule(const Machine& machine) {
    constexpr std::size_t kMostNodes = 256;
    const std::optional<synthesis::Task> task = collective_of(machine);
    if (!task || task->members.size() > kMostNodes) return std::nullopt;
    // The program's own routes say how good a bound can be, at best.
    LinkLoad load(machine.graph, *machine.routing);
    std::uint64_t enough = 0;
    if (task->collective == synthesis::Collective::kAllToAll &&
        machine.routing->path_choice() == PathChoice::kFixed &&
        !machine.graph.has_per_link_endpoints()) {
        for (const Transfer& t : machine.program->transfers) load.add(t.source, t.destination, 1);
        enough = std::max<std::uint64_t>(load.max(), task->members.size() - 1);
    }
    return AnySchedule{*task, synthesis::bound_of(*task, machine.config, machine.graph, enough)};
}

namespace {

/// The load in flits per cycle of the busiest channel of each kind; null if the links are not
/// known.
Json load_json(const Machine& machine) {
    const PatternLoad load =
        pattern_load(machine.config, machine.graph, *machine.routing, machine.pattern->pattern);
    const auto of_links = [&load](double flits) { return load.has_links ? Json(flits) : Json(); };
    return {{"from_node", load.injection},
            {"to_node", load.ejection},
            {"over_link", of_links(load.link)},
            {"over_links_taken", of_links(load.taken)}};
}

/// What `auto` compared, and the links that no path takes.
void add_routes(Json& json, const Machine& machine) {
    for (const RoutingCandidate& candidate : compared_routings(machine.config, machine.graph)) {
        const bool is_proved = candidate.obstacle.empty();
        json["compared_routings"].push_back(
            {{"routing", candidate.name},
             {"obstacle", is_proved ? Json() : Json(candidate.obstacle)},
             {"uniform_bound", is_proved ? Json(candidate.flow.bound) : Json()},
             {"mean_hops", is_proved ? Json(candidate.flow.mean_hops) : Json()}});
    }
    const std::optional<UniformFlow> flow = routes_of_all(machine);
    json["links_on_no_path"] = flow ? Json(flow->unused) : Json();
}

}  // namespace

std::optional<UniformFlow> routes_of_all(const Machine& machine) {
    constexpr NodeId kMostNodes = 4096;  // whose paths are followed at once
    if (machine.routing->path_choice() != PathChoice::kFixed) return std::nullopt;
    if (machine.graph.node_count() > kMostNodes) return std::nullopt;
    return uniform_flow(machine.graph, *machine.routing);
}

Json check_json(const Machine& machine) {
    Json json;
    json["topology"] = machine.graph.description();
    add_size(json, machine.graph);
    json["routing"] = machine.routing->name();
    std::string cycle = cycle_of_links(machine);
    for (const auto* exchange : {&machine.reply_cycle, &machine.response_cycle}) {
        if (cycle.empty() && !exchange->empty()) cycle = describe_cycle(machine.graph, *exchange);
    }
    json["deadlock_free"] = cycle.empty();
    json["dependency_cycle"] = cycle.empty() ? Json() : Json(cycle);
    add_routes(json, machine);
    if (machine.config.has_traffic()) {
        const EngineChoice choice = choose_engine(machine, kAutoEngine);
        json["engine"] = choice.engine->name;
        json["engine_reason"] = choice.reason;
    }
    const auto refusal = hw::verilated_refusal(machine.config, machine.graph, *machine.routing);
    json["rtl_unsupported_reason"] = refusal ? Json(refusal->reason) : Json();
    if (machine.pattern != nullptr) json["load"] = load_json(machine);
    if (machine.program == nullptr) return json;
    const Program& program = *machine.program;
    json["program"] = machine.traffic_name();
    json["messages"] = program.transfers.size();
    if (machine.later == nullptr) json["lower_bound_cycles"] = machine.bounds.max();
    if (program.operations != nullptr) return json;
    json["complete_exchange"] = check_complete_exchange(program).complete();
    if (is_timetable(program)) {
        json["last_begin_cycle"] = last_begin(program);
        const auto most = contention_at_a_time(machine);
        json["contention_at_a_time"] = most ? Json(most->link) : Json();
    } else {
        json["steps"] = scheduled_steps(program);
        const std::optional<std::uint64_t> most = contention_of_a_step(machine);
        json["max_link_contention"] = most ? Json(*most) : Json();
    }
    const std::optional<AnySchedule> any = any_schedule(machine);
    if (!any) return json;
    json["collective"] = synthesis::name_of(any->task.collective);
    json["message_bytes"] = any->task.bytes;
    json["bound_cycles"] = any->bound.cycles;
    json["bound_kind"] = synthesis::name_of(any->bound.kind);
    json["certificate"] = certificate_json(any->bound, machine.config, machine.graph);
    return json;
}

}  // namespace flitscope
