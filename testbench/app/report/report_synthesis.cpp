// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Schedules that were found, and bounds on collectives with what proves them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <ostream>

#include "models/config/config.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/report/report.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/schedule_synthesis/synthesis_run.h"
#include "traffic/schedules/synthesis/bounds/capacities.h"
#include "traffic/schedules/synthesis/bounds/collective_bound.h"
#include "traffic/schedules/synthesis/bounds/fraction.h"
#include "traffic/schedules/synthesis/bounds/startup_bound.h"
#include "traffic/schedules/synthesis/synthesizer.h"

namespace flitscope {
namespace {

using namespace synthesis;

std::string vertex_name(const CapacityGraph& capacities, const Graph& graph, std::uint32_t v) {
    return capacities.is_router(v) ? graph.router_name(capacities.router_of(v))
                                   : graph.node_name("node", v);
}

Json share_json(const Fraction& share) {
    return {{"numerator", share.numerator}, {"denominator", share.denominator}};
}

Json catalogue_json(const SynthesisRun& synthesis) {
    if (!synthesis.catalogue) return nullptr;
    return {{"schedule", synthesis.catalogue->schedule},
            {"algorithm", synthesis.catalogue->algorithm},
            {"cycles", synthesis.catalogue->cycles}};
}

Json other_json(const SynthesisRun& synthesis) {
    if (!synthesis.other) return nullptr;
    return {{"method", synthesis.other->method}, {"cycles", synthesis.other->cycles}};
}

/// The remark on a schedule of this many cycles, compared with the one that was written.
const char* judged(Cycle cycles, const SynthesisRun& synthesis) {
    const bool is_complete = synthesis.run.verdict == Verdict::kComplete;
    return is_complete && cycles < synthesis.run.cycles ? ": quicker than this" : "";
}

std::string entry_name(const CatalogueRun& known) {
    return known.schedule + (known.algorithm.empty() ? "" : ", algorithm " + known.algorithm);
}

}  // namespace

Json certificate_json(const CollectiveBound& bound, const Config& config, const Graph& graph) {
    const CapacityGraph capacities(config, graph);
    Json json;
    json["share"] = share_json(bound.share);
    json["period_cycles"] = bound.period;
    json["idle_cycles"] = capacities.idle_cycles;
    if (bound.kind == BoundKind::kLatency) {
        json["from"] = bound.from;
        json["to"] = bound.to;
    }
    if (bound.startups) {
        const StartupBound& startups = *bound.startups;
        json["startups"] = {
            {"slot_cycles", startups.slot},     {"way_cycles", startups.way},
            {"slots", startups.slots},          {"messages", startups.messages},
            {"blocks", startups.blocks},        {"message_cycles", startups.of_message},
            {"block_cycles", startups.of_block}};
    }
    if (bound.cut) {
        Json inside = Json::array();
        for (std::uint32_t v = 0; v < capacities.vertices; ++v) {
            if (bound.cut->inside[v]) inside.push_back(vertex_name(capacities, graph, v));
        }
        json["demand"] = bound.cut->demand;
        json["capacity"] = bound.cut->capacity;
        json["inside"] = std::move(inside);
    }
    if (bound.partition) {
        Json parts = Json::array();
        for (std::uint32_t part = 0; part < bound.partition->parts; ++part) {
            parts.push_back(Json::array());
        }
        for (std::uint32_t v = 0; v < capacities.vertices; ++v) {
            parts[bound.partition->part_of[v]].push_back(vertex_name(capacities, graph, v));
        }
        json["capacity"] = bound.partition->capacity;
        json["parts"] = std::move(parts);
    }
    if (bound.lengths) {
        const ChannelMap channels(graph);
        Json lengths = Json::object();
        for (std::size_t a = 0; a < capacities.arcs.size(); ++a) {
            const std::uint64_t length = bound.lengths->lengths[a];
            if (length != 0) lengths[channels.name(capacities.arcs[a].channel)] = length;
        }
        json["lengths"] = std::move(lengths);
    }
    return json;
}

std::string bound_text(const CollectiveBound& bound, const Graph& graph) {
    // In flits of a block over a channel with a flit per cycle; slower ones take as long for fewer.
    const auto share = [&] {
        const Fraction flits =
            Fraction{bound.share.numerator * bound.period, bound.share.denominator}.reduced();
        return flits.denominator == 1 ? fmt::format("{}", flits.numerator)
                                      : fmt::format("{}/{}", flits.numerator, flits.denominator);
    };
    const char* const counted = bound.period == 1 ? "" : ", counted at a flit per cycle";
    switch (bound.kind) {
        case BoundKind::kNone:
            return "nothing to send";
        case BoundKind::kCut: {
            std::uint64_t vertices = 0;
            for (const bool is_inside : bound.cut->inside) vertices += is_inside ? 1 : 0;
            return fmt::format("{} of a block per channel leave a cut of {} of {} vertices{}",
                               share(), vertices, bound.cut->inside.size(), counted);
        }
        case BoundKind::kLengths:
            return fmt::format(
                "{} blocks over the fullest channel, by channel lengths (the dual "
                "of the concurrent flow){}",
                share(), counted);
        case BoundKind::kTransfers:
            if (bound.partition && bound.partition->parts < bound.partition->part_of.size()) {
                return fmt::format(
                    "{} of a vector per channel: every value is sent 2 (p - 1) times between p = "
                    "{} "
                    "parts of the network{}",
                    share(), bound.partition->parts, counted);
            }
            return fmt::format("{} of a vector per channel: every value is sent 2 (n - 1) times{}",
                               share(), counted);
        case BoundKind::kLatency:
            return fmt::format("the path from {} to {}", graph.node_name("node", bound.from),
                               graph.node_name("node", bound.to));
        case BoundKind::kStartups:
            if (bound.startups->messages == 0) {
                return fmt::format(
                    "startups: with {} one after the other not every node can be reached",
                    bound.startups->slots);
            }
            return fmt::format("startups: all nodes send {} messages or more, and blocks {} times",
                               grouped(bound.startups->messages), grouped(bound.startups->blocks));
    }
    return "";
}

Json found_schedule_json(const SynthesisRun& synthesis) {
    const Task& task = synthesis.schedule.task;
    const Machine& machine = *synthesis.machine;
    Json json;
    json["topology"] = machine.graph.description();
    json["nodes"] = task.members.size();
    json["collective"] = name_of(task.collective);
    json["message_bytes"] = task.bytes;
    json["chunks"] = task.chunks;
    json["method"] = synthesis.schedule.method;
    json["bound_cycles"] = synthesis.bound.cycles;
    json["bound_kind"] = name_of(synthesis.bound.kind);
    json["bound_rounds"] = synthesis.bound.rounds;
    json["certificate"] = certificate_json(synthesis.bound, machine.config, machine.graph);
    json["rounds"] = synthesis.schedule.rounds.size();
    json["round_period_cycles"] =
        synthesis.schedule.period == 0 ? Json() : Json(synthesis.schedule.period);
    json["planned_cycles"] =
        synthesis.schedule.cycles == 0 ? Json() : Json(synthesis.schedule.cycles);
    json["messages"] = machine.program->transfers.size();
    json["contention"] = {{"link", synthesis.contention.link},
                          {"send", synthesis.contention.send},
                          {"receive", synthesis.contention.receive}};
    json["engine"] = synthesis.run.engine;
    json["status"] = name_of(synthesis.run.verdict);
    json["cycles"] = synthesis.run.cycles;
    const std::optional<double> gap = synthesis.gap();
    json["optimality_gap"] = gap ? Json(*gap) : Json();
    json["written"] = synthesis.is_of_catalogue ? "catalogue" : "found";
    json["found_cycles"] = synthesis.found_cycles ? Json(*synthesis.found_cycles) : Json();
    json["other"] = other_json(synthesis);
    json["catalogue"] = catalogue_json(synthesis);
    json["search_seconds"] = synthesis.search_seconds;
    json["program"] = machine.config.traffic.program;
    return json;
}

void print_found_schedule(std::ostream& out, const SynthesisRun& synthesis) {
    const Task& task = synthesis.schedule.task;
    const Machine& machine = *synthesis.machine;
    const bool is_vector = task.collective == Collective::kAllReduce;
    const std::uint64_t chunks = task.chunks * (is_vector ? task.members.size() : 1);
    out << fmt::format("{}: {} on {}\n", machine.config.traffic.program, name_of(task.collective),
                       machine.graph.description());
    print_line(out, "found by",
               fmt::format("{}, in {:.2f} s", synthesis.schedule.method, synthesis.search_seconds));
    // A file of the catalogue has messages of its own.
    const std::uint64_t messages =
        synthesis.is_of_catalogue ? synthesis.schedule.moves() : machine.program->transfers.size();
    print_line(
        out, "schedule",
        fmt::format("{} messages in {} rounds, {} of {} bytes in {} chunk{}", grouped(messages),
                    grouped(synthesis.schedule.rounds.size()), is_vector ? "vectors" : "blocks",
                    grouped(task.bytes), chunks, chunks == 1 ? "" : "s"));
    print_line(out, "proved",
               fmt::format("complete; {} at most {} message{} a link",
                           synthesis.schedule.has_own_begins() ? "at any time" : "in a round",
                           synthesis.contention.link,
                           synthesis.contention.link == 1 ? " uses" : "s share"));
    // Rounds of one chunk a message: those of combining take more of them along.
    const std::string rounds = synthesis.schedule.method == name_of(Method::kCombining)
                                   ? ""
                                   : fmt::format(", {} rounds", grouped(synthesis.bound.rounds));
    print_line(out, "bound",
               fmt::format("{} cycles{}: {}", grouped(synthesis.bound.cycles), rounds,
                           bound_text(synthesis.bound, machine.graph)));
    if (synthesis.is_of_catalogue) {
        print_line(out, "found takes", fmt::format("{} cycles", grouped(*synthesis.found_cycles)));
        print_line(
            out, "written",
            fmt::format(
                "{} of the catalogue, which is quicker: {} messages, proved by the tests of that",
                entry_name(*synthesis.catalogue), grouped(machine.program->transfers.size())));
    }
    const std::optional<double> gap = synthesis.gap();
    print_line(out, "simulated",
               fmt::format("{} cycles ({}){}", grouped(synthesis.run.cycles),
                           name_of(synthesis.run.verdict),
                           gap ? fmt::format(", {:.2f} % above the bound", 100 * *gap) : ""));
    if (synthesis.other) {
        const OtherRun& other = *synthesis.other;
        print_line(out, "also found",
                   fmt::format("{} cycles by {}{}", grouped(other.cycles), other.method,
                               judged(other.cycles, synthesis)));
    }
    if (!synthesis.catalogue) return;
    const CatalogueRun& known = *synthesis.catalogue;
    print_line(out, "catalogue",
               fmt::format("{} cycles by {}{}", grouped(known.cycles), entry_name(known),
                           judged(known.cycles, synthesis)));
}

}  // namespace flitscope
