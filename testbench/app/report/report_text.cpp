// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <ostream>
#include <utility>

#include "hw/verilated/rtl_limitations.h"
#include "models/fabric/faulted_network.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/route_flow.h"
#include "models/routing/routing_factory.h"
#include "testbench/app/report/report.h"
#include "testbench/app/report/report_check.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/report/report_parts.h"
#include "testbench/app/run/engines.h"
#include "testbench/app/schedule_synthesis/synthesis_run.h"
#include "tlm/addresses/address_map.h"
#include "traffic/patterns/pattern_load.h"

namespace flitscope {
namespace {

std::string bounds_text(const LowerBounds& b) {
    return fmt::format(
        "{} cycles (injection {}, ejection {}, busiest link {}, bisection {}, "
        "one message {})",
        grouped(b.max()), grouped(b.injection), grouped(b.ejection), grouped(b.link),
        grouped(b.bisection), grouped(b.latency));
}

/// Describes the paths by which messages per link of a schedule are counted.
std::string paths_text(const Machine& machine) {
    if (machine.routing->path_choice() == PathChoice::kFixed) return {};
    return fmt::format("counted on one path per pair of nodes, where {} has several",
                       machine.routing->name());
}

std::string latency_text(const LatencyStatistics& l) {
    if (l.count() == 0) return "of no message";
    return fmt::format("mean {:.1f}, median {}, 95 % {}, 99 % {}, max {} cycles", l.mean(),
                       grouped(l.percentile(50)), grouped(l.percentile(95)),
                       grouped(l.percentile(99)), grouped(l.max()));
}

/// Cycles in which a link took the flits that it sent in the window.
std::uint64_t busy_cycles(const ChannelMap& map, const SimulationResult& result, ChannelId link) {
    return result.window_flits[link] * map.rate_cycles(link);
}

/// The links that were busy longest, busiest first.
std::vector<ChannelId> hot_links(const ChannelMap& map, const SimulationResult& result) {
    constexpr std::size_t kShown = 5;
    std::vector<ChannelId> links = map.links();
    const std::size_t shown = std::min(kShown, links.size());
    std::partial_sort(links.begin(), links.begin() + static_cast<std::ptrdiff_t>(shown),
                      links.end(), [&](ChannelId a, ChannelId b) {
                          const std::uint64_t busy_a = busy_cycles(map, result, a);
                          const std::uint64_t busy_b = busy_cycles(map, result, b);
                          return busy_a != busy_b ? busy_a > busy_b : a < b;
                      });
    links.resize(shown);
    return links;
}

std::string engine_text(const std::string& engine, const std::string& reason) {
    return engine + (reason.empty() ? "" : " (" + reason + ")");
}

void print_address_map(std::ostream& out, const InterconnectConfig& config) {
    print_line(out, "initiators", fmt::format("at nodes {}", fmt::join(config.initiators, ", ")));
    std::string name = "address map";
    for (const std::string& line : describe_address_map(config)) {
        print_line(out, std::exchange(name, ""), line);
    }
}

void print_utilization(std::ostream& out, const Machine& machine, const SimulationResult& result) {
    const Graph& graph = machine.graph;
    if (graph.link_count() == 0) return;
    const auto cycles = static_cast<double>(std::max<Cycle>(result.window.length(), 1));
    std::uint64_t busy = 0;
    const ChannelMap map(graph);
    const std::vector<ChannelId> links = map.links();
    for (const ChannelId id : links) busy += busy_cycles(map, result, id);
    const std::string window =
        result.measured || result.steady
            ? fmt::format(
                  " {}, cycles {} to {}", result.steady ? "of the whole run" : "while measuring",
                  grouped(result.window.from), grouped(std::max<Cycle>(result.window.until, 1) - 1))
            : "";
    print_line(
        out, "link utilization",
        fmt::format("mean {:.1f} %{}",
                    100 * static_cast<double>(busy) / cycles / static_cast<double>(links.size()),
                    window));
    for (const ChannelId id : hot_links(map, result)) {
        out << fmt::format("    {:<20}{:6.1f} %  {} flits{}\n", map.name(id),
                           100 * static_cast<double>(busy_cycles(map, result, id)) / cycles,
                           grouped(result.window_flits[id]),
                           given_name_text(graph, map.link_of(id)));
    }
}

void print_classes(std::ostream& out, const Machine& machine, const SimulationResult& result) {
    for (std::size_t k = 0; k < result.classes.size(); ++k) {
        const ClassTraffic& of = result.classes[k];
        const std::string name = "class " + machine.config.fabric.classes[k];
        print_line(out, name, "latency " + latency_text(of.latency));
        const std::string accepted = result.measured
                                         ? fmt::format(", {:.4f} flits/node/cycle accepted",
                                                       result.measured->accepted(of.flits))
                                         : "";
        print_line(out, "",
                   fmt::format("{} messages delivered{}", grouped(of.delivered), accepted));
    }
}

/// Prints how near a complete run came to its lower bound; nothing if nothing is sent.
void print_ratio(std::ostream& out, const Machine& machine, const SimulationResult& result) {
    if (result.verdict != Verdict::kComplete || machine.bounds.max() == 0) return;
    print_line(out, "",
               fmt::format(
                   "makespan / lower bound = {:.2f}",
                   static_cast<double>(result.cycles) / static_cast<double>(machine.bounds.max())));
}

void print_load(std::ostream& out, const Machine& machine) {
    const PatternLoad load =
        pattern_load(machine.config, machine.graph, *machine.routing, machine.pattern->pattern);
    std::string text = fmt::format("at most {:.4g} flits/cycle from a node, {:.4g} to a node",
                                   load.injection, load.ejection);
    if (load.has_links) {
        text += fmt::format(", {:.4g} over a link ({}), {:.4g} over the links that a flit takes",
                            load.link, machine.graph.link_name(load.busiest), load.taken);
    } else if (load.cut > 0) {
        text += fmt::format(", {:.4g} over each link of the middle cut", load.cut);
    }
    print_line(out, "load", text);
    for (const std::string& overload : load.overloads(machine.graph)) {
        out << fmt::format("  ! {}: {}\n", overload,
                           machine.config.traffic.outstanding == 0
                               ? "a run will be overloaded"
                               : "sources will stop for replies (traffic.outstanding)");
    }
}

/// Prints what `auto` compared, and how many links no path takes.
void print_compared_routings(std::ostream& out, const Machine& machine) {
    std::string name = "auto compared";
    for (const RoutingCandidate& candidate : compared_routings(machine.config, machine.graph)) {
        const std::string text =
            candidate.obstacle.empty()
                ? fmt::format("up to {:.4g} flits/cycle and node, {:.3f} hops{}",
                              candidate.flow.bound, candidate.flow.mean_hops,
                              candidate.is_taken ? ": taken" : "")
                : candidate.obstacle;
        print_line(out, std::exchange(name, ""), fmt::format("{:<20}{}", candidate.name, text));
    }
    const std::optional<UniformFlow> flow = routes_of_all(machine);
    if (!flow || flow->unused == 0) return;
    out << fmt::format("  ! {} of {} links {} on no path, {} among them\n", flow->unused,
                       machine.graph.link_count(), flow->unused == 1 ? "is" : "are",
                       machine.graph.link_name(flow->first_unused));
}

/// A schedule that is found is not always the quickest that is known.
void print_rival(std::ostream& out, const Machine& machine) {
    const std::string rival = rival_schedule(machine.config.traffic);
    if (rival.empty()) return;
    print_line(out, "hint",
               fmt::format("algorithms of traffic.schedule: {} may be quicker than what is found "
                           "here; flitscope",
                           rival));
    print_line(
        out, "",
        fmt::format("find-schedule --collective {} runs both", machine.config.traffic.algorithm));
}

void print_bounds(std::ostream& out, const Machine& machine) {
    print_line(out, "lower bound",
               machine.later == nullptr ? bounds_text(machine.bounds)
                                        : "none: the network changes during the run");
}

void print_losses(std::ostream& out, const Machine& machine, const LossCounts& losses) {
    if (machine.later != nullptr) {
        print_line(out, "lost",
                   losses.has_failed
                       ? fmt::format("{} packets under way in cycle {}, with {} flits in the "
                                     "network; {} discarded at their source",
                                     grouped(losses.packets_lost), machine.later->at,
                                     grouped(losses.flits_lost), grouped(losses.packets_discarded))
                       : "nothing: the run ended before anything failed");
    }
    if (!machine.config.node.retransmit) return;
    print_line(out, "sent again",
               fmt::format("{} packets; {} arrived after a copy of theirs and were suppressed",
                           grouped(losses.packets_repeated), grouped(losses.duplicates)));
}

/// Deliveries and their latencies.
void print_traffic(std::ostream& out, const Machine& machine, const SimulationResult& result) {
    print_line(
        out, "delivered",
        result.messages_expected == 0
            ? "nothing, for nothing is sent"
            : fmt::format("{} of {} messages, {} flits, {} flit-hops",
                          grouped(result.messages_delivered), grouped(result.messages_expected),
                          grouped(result.flits_delivered), grouped(result.flit_hops)));
    if (result.losses) print_losses(out, machine, *result.losses);
    if (!result.computed.empty()) print_line(out, "computed", result.computed);
    print_line(out, "latency", latency_text(result.latency));
    print_line(out, "head latency", latency_text(result.head_latency));
    print_line(out, "network latency", latency_text(result.network_latency));
    print_classes(out, machine, result);
    if (result.replies) {
        print_line(out, "round trip", latency_text(result.replies->round_trip));
        print_line(out, "",
                   fmt::format("{} requests and {} replies delivered",
                               grouped(result.replies->requests_delivered),
                               grouped(result.replies->replies_delivered)));
    }
}

/// The deadlock check with what requests to full nodes wait for, called so.
void print_exchanges(std::ostream& out, const char* answers, const Graph& graph,
                     const std::vector<VirtualLink>& cycle) {
    print_line(out, "",
               cycle.empty() ? fmt::format("none including requests and {}", answers)
                             : fmt::format("CYCLE of requests and {}: {}", answers,
                                           describe_cycle(graph, cycle)));
}

}  // namespace

void print_run(std::ostream& out, const Machine& machine, const SimulationResult& result) {
    out << fmt::format("{}: {}\n", machine.traffic_name(), outcome_text(result));
    print_machine(out, machine);
    print_rival(out, machine);
    print_line(out, "engine", engine_text(result.engine, result.engine_reason));
    const bool complete = result.verdict == Verdict::kComplete;
    const Cycle span = machine.pattern ? result.simulated_cycles : result.span();
    const char* const name = machine.pattern ? "simulated" : "makespan";
    print_line(
        out, complete ? name : "unfinished after",
        fmt::format("{} cycles = {}{}", grouped(span), time_text(span, machine.config.clock_ns),
                    complete && result.ranks_end() > result.span()
                        ? ", the last delivery: ranks compute on"
                        : ""));
    if (const NodeOperations* const last = result.last_to_end()) {
        print_line(out, "ranks end",
                   fmt::format("after {} cycles = {}, rank {} the last", grouped(last->end),
                               time_text(last->end, machine.config.clock_ns), last->rank));
    }
    if (const auto cost = slower_router(machine)) {
        print_line(out, "! clock",
                   fmt::format("{}: {}", short_clock_text(machine, *cost),
                               time_text(span, cost->min_period_ns)));
    }
    if (machine.program) {
        print_bounds(out, machine);
        if (machine.later == nullptr) print_ratio(out, machine, result);
    }
    if (result.measured) {
        print_measured(out, machine, *result.measured);
    } else if (result.steady) {
        print_line(out, "measured",
                   "nothing: the run ended before the first look at its latencies");
    } else if (machine.pattern) {
        print_line(out, "measured",
                   fmt::format("nothing: the run ended within the {} cycles of its warm-up",
                               grouped(machine.pattern->measured_from)));
    }
    if (result.steady) print_steady(out, machine, *result.steady);
    print_load_warnings(out, machine, result);
    print_traffic(out, machine, result);
    print_utilization(out, machine, result);
    if (!result.sendings.empty()) print_energy(out, machine, result);
    print_line(
        out, "simulated in",
        fmt::format(
            "{:.3f} s, {:.1f} M flit-hops/s (elaboration {:.3f} s)", result.wall_seconds,
            static_cast<double>(result.flit_hops) / 1e6 / std::max(result.wall_seconds, 1e-9),
            result.elaboration_seconds));
    for (const std::string& problem : result.problems) out << fmt::format("  ! {}\n", problem);
}

namespace {

void print_collective_bound(std::ostream& out, const Machine& machine) {
    const std::optional<AnySchedule> any = any_schedule(machine);
    if (!any) return;
    print_line(out, "any schedule",
               fmt::format("{} of {} bytes takes {} cycles or more: {}",
                           synthesis::name_of(any->task.collective), grouped(any->task.bytes),
                           grouped(any->bound.cycles), bound_text(any->bound, machine.graph)));
    print_line(out, "", "full certificate: --json");
}

std::string contention_text(const Machine& machine) {
    if (is_timetable(*machine.program)) {
        const auto most = contention_at_a_time(machine);
        return most ? fmt::format("at any time at most {} message{} on a link, if none waits",
                                  most->link, most->link == 1 ? "" : "s")
                    : "not counted: when messages are on their way follows from others";
    }
    const std::optional<std::uint64_t> contention = contention_of_a_step(machine);
    if (!contention) {
        return fmt::format("not counted for more than {} messages: flitscope schedule does",
                           grouped(kMostFollowed));
    }
    return fmt::format("at most {} message{} of a step on a link", *contention,
                       *contention == 1 ? "" : "s");
}

}  // namespace

void print_schedule(std::ostream& out, const Machine& machine) {
    const Program& program = *machine.program;
    out << fmt::format("{} on {}: {} messages {}{}\n", machine.traffic_name(),
                       machine.graph.description(), grouped(program.transfers.size()),
                       order_text(program), dropped_text(program));
    print_bounds(out, machine);
    if (program.barrier_cycles) {
        print_line(out, "barrier", fmt::format("{} cycles between steps", *program.barrier_cycles));
    }
    if (const std::string paths = paths_text(machine); !paths.empty()) {
        print_line(out, "contention", paths);
    }
    if (is_timetable(program)) {
        print_line(out, "contention", contention_text(machine));
        return;
    }
    out << fmt::format("\n  {:>5}  {:>9}  {:>10}  {:<16}  {}\n", "step", "transfers", "contention",
                       "busiest link", "first transfers");
    const MessageOrder order = step_order(program);
    constexpr std::uint32_t kShown = 4;
    for (const StepReport& step : step_reports(machine)) {
        std::string first;
        for (std::uint32_t i = 0; i < std::min(step.transfers, kShown); ++i) {
            const Transfer& t = program.transfers[order[step.first + i]];
            first += fmt::format("{}>{} ", t.source, t.destination);
        }
        if (step.transfers > kShown) first += "...";
        out << fmt::format("  {:>5}  {:>9}  {:>10}  {:<16}  {}\n", step.step + 1, step.transfers,
                           step.max_link_contention,
                           step.busiest_link == kNoLink
                               ? std::string("-")
                               : machine.graph.link_name(step.busiest_link),
                           first);
    }
}

void print_check(std::ostream& out, const Machine& machine) {
    out << fmt::format("{}\n", machine.config.source);
    print_machine(out, machine);
    print_rival(out, machine);
    if (machine.config.clock_is_synthesized) {
        print_line(out, "clock",
                   "that of the routers, of which one has not been synthesized: flitscope synth "
                   "finds it");
    }
    print_line(out, "deadlock check",
               machine.dependency_cycle.empty()
                   ? "no cycle in the channel dependency graph"
                   : "CYCLE: " + describe_cycle(machine.graph, machine.dependency_cycle));
    // If the routing has one, the search went no further.
    if (machine.config.traffic.reply_queue != 0 && machine.dependency_cycle.empty()) {
        print_exchanges(out, "replies", machine.graph, machine.reply_cycle);
    }
    const auto& interconnect = machine.config.interconnect;
    if (interconnect && interconnect->request_queue != 0 && machine.dependency_cycle.empty()) {
        print_exchanges(out, "responses", machine.graph, machine.response_cycle);
    }
    if (const FaultedNetwork* const later = machine.later.get()) {
        print_line(
            out, "",
            later->dependency_cycle.empty()
                ? fmt::format("none in that of {} from cycle {} on{}", later->routing->name(),
                              later->at, machine.dependency_cycle.empty() ? " either" : "")
                : fmt::format("CYCLE from cycle {} on: {}", later->at,
                              describe_cycle(later->graph, later->dependency_cycle)));
    }
    print_compared_routings(out, machine);
    if (machine.config.has_traffic()) {
        const EngineChoice choice = choose_engine(machine, kAutoEngine);
        print_line(out, "engine", engine_text(choice.engine->name, choice.reason));
    }
    if (const auto refusal =
            hw::verilated_refusal(machine.config, machine.graph, *machine.routing)) {
        print_line(out, "RTL routers", "none for this machine: " + refusal->reason);
    }
    if (machine.config.interconnect) print_address_map(out, *machine.config.interconnect);
    if (machine.pattern) print_load(out, machine);
    if (!machine.program) return;
    if (machine.program->transfers.empty()) print_line(out, "", "NOTHING IS SENT");
    if (machine.program->operations != nullptr) {
        print_bounds(out, machine);
        return;
    }
    const ExchangeReport exchange = check_complete_exchange(*machine.program);
    print_line(out, "schedule check",
               exchange.complete() ? "complete exchange: every ordered pair exactly once"
                                   : "well-formed; not a complete exchange");
    print_line(out, "contention", contention_text(machine));
    if (const std::string paths = paths_text(machine); !paths.empty()) {
        print_line(out, "", paths);
    }
    print_bounds(out, machine);
    print_collective_bound(out, machine);
}

}  // namespace flitscope
