// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/page/run_recorder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/topology/export/placement.h"
#include "models/topology/families/dragonfly_shape.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/explain/explained_fabric.h"
#include "testbench/app/report/node_flits.h"
#include "testbench/app/report/page/energy_map.h"
#include "testbench/app/report/page/packed_numbers.h"
#include "testbench/app/report/report_parts.h"
#include "traffic/program/program_report.h"

namespace flitscope {
namespace {

constexpr std::size_t kMostSteps = 4096;  // rows of a time line; more of them are put together
constexpr std::size_t kMostSegments = 1U << 16;  // segments of a critical path
constexpr std::size_t kLatencyRanges = 100;

/// Messages and stays that a page has room for: it stays below a megabyte for 64 nodes, and below
/// ten for 4096.
std::size_t most_records(LinkId links) {
    return std::clamp<std::size_t>(std::size_t{links} * 256, 1U << 16, 1U << 18);
}

std::int64_t or_minus_one(Cycle cycle) {
    return cycle == kNever ? -1 : static_cast<std::int64_t>(cycle);
}

/// Columns of equal length.
class Columns {
public:
    explicit Columns(std::size_t count) : columns_(count) {}
    void add(std::initializer_list<std::int64_t> row) {
        auto column = columns_.begin();
        for (const std::int64_t number : row) (column++)->push_back(number);
    }
    Json json(std::size_t column, PackedOrder order = PackedOrder::kAny) const {
        return packed(columns_[column], order);
    }

private:
    std::vector<std::vector<std::int64_t>> columns_;
};

/// Tenths of a point.
std::int64_t tenths(double points) { return std::llround(10 * points); }

Json network_json(const Graph& graph) {
    const Placement placement(graph);
    Columns routers(2);
    for (RouterId router; router < graph.router_count(); ++router) {
        const Point place = placement.place(router);
        routers.add({tenths(place.x), tenths(-place.y)});
    }
    Columns nodes(1);
    for (NodeId node = 0; node < graph.node_count(); ++node) nodes.add({graph.router_of(node)});
    Columns links(6);
    for (const Link& link : graph.links()) {
        const std::uint32_t dimension = graph.dimension_number(link.dimension);
        links.add({link.from, link.to,
                   dimension == kNoDimension ? -1 : static_cast<std::int64_t>(dimension),
                   link.length, tenths(placement.bend(link)), link.rank});
    }
    const auto* const dragonfly = graph.shape<DragonflyShape>();
    return {{"topology", graph.description()},
            {"names", graph.given_names()},
            {"node_names", graph.given_node_names()},
            {"group_size", dragonfly == nullptr ? 0 : dragonfly->group_size},
            {"nodes", graph.node_count()},
            {"routers", graph.router_count()},
            {"links", graph.link_count()},
            {"name_digits", graph.node_name("", 0).size() - 1},
            {"endpoints_per_link", graph.has_per_link_endpoints()},
            {"pitch", tenths(kNodePitch)},
            {"at", nodes.json(0, PackedOrder::kRising)},
            {"x", routers.json(0, PackedOrder::kRising)},
            {"y", routers.json(1, PackedOrder::kRising)},
            {"from", links.json(0, PackedOrder::kRising)},
            {"to", links.json(1, PackedOrder::kRising)},
            {"dimension", links.json(2)},
            {"length", links.json(3)},
            {"bend", links.json(4)},
            {"rank", links.json(5)}};
}

Json bins_json(const LinkBins& bins, LinkId links, Cycle cycles) {
    std::vector<std::int64_t> busy;
    std::vector<std::int64_t> blocked;
    for (LinkId link = 0; link < links; ++link) {
        for (std::size_t bin = 0; bin < bins.count(); ++bin) {
            busy.push_back(static_cast<std::int64_t>(bins.busy(link, bin)));
            blocked.push_back(static_cast<std::int64_t>(bins.blocked(link, bin)));
        }
    }
    return {{"cycles", cycles},
            {"bin_cycles", bins.width()},
            {"bins", bins.count()},
            {"busy", packed(busy)},
            {"blocked", packed(blocked)}};
}

Json messages_json(const Machine& machine, const MessageSample& log) {
    const auto number = [&](MessageId id) {
        return static_cast<std::int64_t>(machine.program ? machine.program->number(id) : id);
    };
    const std::vector<MessageTimes> messages = log.messages();
    std::unordered_map<MessageId, std::int64_t> row_of;
    Columns columns(8);
    for (const MessageTimes& m : messages) {
        row_of.emplace(m.id, static_cast<std::int64_t>(row_of.size()));
        const auto begin = static_cast<std::int64_t>(m.begin);
        const auto after_begin = [begin](Cycle cycle) {
            return cycle == kNever ? -1 : static_cast<std::int64_t>(cycle) - begin;
        };
        const StepId step = machine.program ? machine.program->schedule_step(m.step) : m.step;
        columns.add({number(m.id), m.source, m.destination, step,
                     static_cast<std::int64_t>(m.bytes), begin, after_begin(m.injected),
                     after_begin(m.delivered)});
    }
    Columns stays(6);
    for (const LinkStay& s : log.stays()) {
        stays.add({s.link, s.vc, row_of.at(s.message), static_cast<std::int64_t>(s.begin),
                   static_cast<std::int64_t>(s.end - s.begin),
                   static_cast<std::int64_t>(s.end - s.begin - s.busy)});
    }
    return {{"one_of", log.one_of()},
            {"number", columns.json(0, PackedOrder::kRising)},
            {"source", columns.json(1)},
            {"destination", columns.json(2)},
            {"step", columns.json(3, PackedOrder::kRising)},
            {"bytes", columns.json(4, PackedOrder::kRising)},
            {"begin", columns.json(5, PackedOrder::kRising)},
            {"injected", columns.json(6)},
            {"delivered", columns.json(7)},
            {"stays",
             {{"link", stays.json(0, PackedOrder::kRising)},
              {"vc", stays.json(1)},
              {"message", stays.json(2, PackedOrder::kRising)},
              {"begin", stays.json(3, PackedOrder::kRising)},
              {"held", stays.json(4)},
              {"blocked", stays.json(5)}}}};
}

/// A row of the time line: a step as its schedule counts, or several consecutive ones.
struct StepRow {
    std::int64_t first = 0;
    std::int64_t last = 0;
    Cycle start = kNever;
    Cycle end = 0;
    std::int64_t transfers = 0;
    std::uint64_t contention = 0;

    void add(const StepRow& other) {
        last = other.last;
        start = std::min(start, other.start);
        end = std::max(end, other.end);
        transfers += other.transfers;
        contention = std::max(contention, other.contention);
    }
};

/// The steps of a program; a step includes its handshakes.
std::vector<StepRow> step_rows(const Machine& machine, const SimulationResult& run) {
    std::vector<StepRow> rows;
    for (const StepReport& step : step_reports(machine)) {
        const StepTime time = step_time(run, step);
        const std::int64_t number = machine.program->schedule_step(step.step) + std::int64_t{1};
        const StepRow row{number,   number,         time.start,
                          time.end, step.transfers, step.max_link_contention};
        if (!rows.empty() && rows.back().last == number) {
            rows.back().add(row);
        } else {
            rows.push_back(row);
        }
    }
    return rows;
}

/// If there are very many steps, groups of consecutive ones.
Json steps_json(const Machine& machine, const SimulationResult& run) {
    const std::vector<StepRow> steps = step_rows(machine, run);
    const std::size_t count = steps.size();
    const std::size_t group = std::max<std::size_t>((count + kMostSteps - 1) / kMostSteps, 1);
    Columns rows(6);
    for (std::size_t first = 0; first < count; first += group) {
        StepRow row = steps[first];
        for (std::size_t i = first + 1; i < std::min(first + group, count); ++i) row.add(steps[i]);
        rows.add({row.first, row.last, or_minus_one(row.start), or_minus_one(row.end),
                  row.transfers, static_cast<std::int64_t>(row.contention)});
    }
    return {{"steps", count},
            {"first", rows.json(0)},
            {"last", rows.json(1)},
            {"start", rows.json(2, PackedOrder::kRising)},
            {"end", rows.json(3, PackedOrder::kRising)},
            {"transfers", rows.json(4)},
            {"contention", rows.json(5)}};
}

/// A readable name of the message, with its destination.
std::array<std::int64_t, 3> message_row(const Program& program, MessageId id) {
    if (id == kNoMessage) return {-1, -1, -1};
    const Transfer& transfer = program.transfers[id];
    return {static_cast<std::int64_t>(program.number(id)), transfer.source, transfer.destination};
}

Json path_json(const Machine& machine, const Explanation& explanation) {
    std::vector<const PathSegment*> segments;
    for (const PathSegment& segment : explanation.path.segments) segments.push_back(&segment);
    Cycle left_out = 0;
    if (segments.size() > kMostSegments) {  // the longest ones are kept
        std::stable_sort(segments.begin(), segments.end(),
                         [](const auto* a, const auto* b) { return a->length() > b->length(); });
        for (std::size_t i = kMostSegments; i < segments.size(); ++i) {
            left_out += segments[i]->length();
        }
        segments.resize(kMostSegments);
        std::sort(segments.begin(), segments.end());  // all of one vector
    }
    Columns columns(10);
    for (const PathSegment* s : segments) {
        const std::optional<NodeId> node = node_of(*machine.program, *s);
        const auto message = message_row(*machine.program, s->message);
        const auto holder = message_row(*machine.program, s->holder);
        columns.add({static_cast<std::int64_t>(s->from), static_cast<std::int64_t>(s->length()),
                     static_cast<std::int64_t>(s->cause),
                     s->channel == kNoChannel ? -1 : static_cast<std::int64_t>(s->channel),
                     is_everywhere(*s) ? -1 : std::int64_t{router_of(machine, *s)}, message[0],
                     message[1], message[2], holder[0], node ? std::int64_t{*node} : -1});
    }
    Json causes = Json::array();
    for (std::size_t i = 0; i < kCauses; ++i) {
        const auto cause = static_cast<Cause>(i);
        causes.push_back({{"name", cause_name(cause)},
                          {"meaning", cause_meaning(cause)},
                          {"cycles", explanation.by_cause[i]}});
    }
    return {{"cycles", explanation.path.cycles},
            {"segments", explanation.path.segments.size()},
            {"left_out_cycles", left_out},
            {"causes", std::move(causes)},
            {"from", columns.json(0, PackedOrder::kRising)},
            {"length", columns.json(1)},
            {"cause", columns.json(2)},
            {"channel", columns.json(3)},
            {"router", columns.json(4)},
            {"message", columns.json(5)},
            {"source", columns.json(6)},
            {"destination", columns.json(7)},
            {"holder", columns.json(8)},
            {"node", columns.json(9)}};
}

/// What each node put into the network and took out, in the cycles of SimulationResult::window.
Json nodes_json(const Machine& machine, const SimulationResult& run) {
    Columns columns(2);
    for (const NodeFlits& flits : node_flits(machine, run)) {
        columns.add({static_cast<std::int64_t>(flits.measured_injected),
                     static_cast<std::int64_t>(flits.measured_ejected)});
    }
    return {{"cycles", run.window.length()},
            {"injected", columns.json(0)},
            {"ejected", columns.json(1)}};
}

/// Where packets waited and why, most first.
Json stalls_json(const Machine& machine, const PacketDelays& delays) {
    const std::vector<RouterStalls> routers = delays.routers(machine.graph);
    CauseCycles all{};
    for (const RouterStalls& router : routers) {
        for (std::size_t i = 0; i < kCauses; ++i) all[i] += router.by_cause[i];
    }
    Columns columns(2);
    for (const RouterStalls& router : routers) {
        columns.add({router.router.number(), static_cast<std::int64_t>(router.waited)});
    }
    Json causes = Json::array();
    Json by_cause = Json::object();
    for (const Cause cause : ranked_causes(all)) {
        causes.push_back({{"name", cause_name(cause)}, {"meaning", cause_meaning(cause)}});
        Columns cycles(1);
        for (const RouterStalls& router : routers) {
            cycles.add({static_cast<std::int64_t>(cycles_of(router.by_cause, cause))});
        }
        by_cause[cause_name(cause)] = cycles.json(0);
    }
    return {{"packets", delays.all.packets},
            {"causes", std::move(causes)},
            {"router", columns.json(0)},
            {"cycles", columns.json(1)},
            {"by_cause", std::move(by_cause)}};
}

/// What ranks did, in total and over time, and what they waited for.
Json ranks_json(const Explanation& explanation, const RankBins& bins) {
    const std::size_t count = bins.count(explanation.run.ranks_end());
    CauseCycles all{};
    Columns columns(8);
    std::vector<std::int64_t> busy;
    for (const RankShare& rank : explanation.ranks) {
        const NodeOperations& of = rank.run;
        columns.add({of.rank, of.node, static_cast<std::int64_t>(of.end),
                     static_cast<std::int64_t>(of.computing), static_cast<std::int64_t>(of.sending),
                     static_cast<std::int64_t>(of.receiving), static_cast<std::int64_t>(of.waiting),
                     static_cast<std::int64_t>(rank.on_path)});
        for (std::size_t i = 0; i < kCauses; ++i) all[i] += rank.waits[i];
        for (std::size_t bin = 0; bin < count; ++bin) {
            for (const std::uint64_t cycles : bins.bin(of.node, bin)) {
                busy.push_back(static_cast<std::int64_t>(cycles));
            }
        }
    }
    Json causes = Json::array();
    Json by_cause = Json::object();
    for (const Cause cause : ranked_causes(all)) {
        causes.push_back({{"name", cause_name(cause)}, {"meaning", cause_meaning(cause)}});
        Columns cycles(1);
        for (const RankShare& rank : explanation.ranks) {
            cycles.add({static_cast<std::int64_t>(cycles_of(rank.waits, cause))});
        }
        by_cause[cause_name(cause)] = cycles.json(0);
    }
    return {{"rank", columns.json(0, PackedOrder::kRising)},
            {"node", columns.json(1)},
            {"end", columns.json(2)},
            {"computing", columns.json(3)},
            {"sending", columns.json(4)},
            {"receiving", columns.json(5)},
            {"waiting", columns.json(6)},
            {"path_cycles", columns.json(7)},
            {"causes", std::move(causes)},
            {"by_cause", std::move(by_cause)},
            {"bin_cycles", bins.width()},
            {"bins", count},
            {"busy", packed(busy)}};
}

Json histogram_json(const LatencyStatistics& latency) {
    const LatencyHistogram histogram = latency.histogram(kLatencyRanges);
    return {{"messages", latency.count()},
            {"first", histogram.first},
            {"width", histogram.width},
            {"counts", histogram.counts}};
}

/// Histograms of the message classes, and of round trips.
Json further_histograms_json(const Machine& machine, const SimulationResult& run) {
    Json list = Json::array();
    const auto add = [&list](const std::string& name, const LatencyStatistics& latency) {
        Json histogram = histogram_json(latency);
        histogram["name"] = name;
        list.push_back(std::move(histogram));
    };
    for (std::size_t k = 0; k < run.classes.size(); ++k) {
        add("class " + machine.config.fabric.classes[k], run.classes[k].latency);
    }
    if (run.replies) add("round trips", run.replies->round_trip);
    return list;
}

}  // namespace

RunRecorder::RunRecorder(const Machine& machine)
    : machine_(machine),
      bins_(machine.graph.link_count(), LinkBins::most_bins(machine.graph.link_count())),
      messages_(machine.graph, machine.config.fabric.virtual_channels,
                machine.config.packet_format(), most_records(machine.graph.link_count())) {
    require_explained_fabric(machine.config, "a page");
    if (machine.program && machine.program->operations != nullptr) {
        const Operations& operations = *machine.program->operations;
        ranks_.emplace(operations, LinkBins::most_bins(operations.nodes()));
    }
    channels_.add(&bins_);
    channels_.add(&messages_);
}

Json RunRecorder::take(const Explanation& explanation, const PacketDelays* delays,
                       const std::string& command) {
    const SimulationResult& run = explanation.run;
    const Cycle end = std::max(run.simulated_cycles, run.ranks_end());
    bins_.finish(end);
    messages_.finish(run.simulated_cycles);
    Json summary = run_json(machine_, run);
    for (const char* varies : {"wall_seconds", "flit_hops_per_second"}) summary.erase(varies);
    Json json = {{"page", "run"},
                 {"title", summary.at("schedule").get<std::string>() + " on " +
                               machine_.graph.description()},
                 {"provenance",
                  {{"version", version()},
                   {"command", command},
                   {"engine", run.engine},
                   {"engine_reason", run.engine_reason},
                   {"seed", std::to_string(machine_.config.seed)},  // of 64 bits
                   {"configuration", to_yaml(machine_.config)}}},
                 {"summary", std::move(summary)},
                 {"network", network_json(machine_.graph)},
                 {"time", bins_json(bins_, machine_.graph.link_count(), end)},
                 {"messages", messages_json(machine_, messages_)},
                 {"nodes", nodes_json(machine_, run)},
                 {"latency", histogram_json(run.latency)},
                 {"histograms", further_histograms_json(machine_, run)}};
    if (machine_.program && machine_.program->operations == nullptr) {  // those are in no steps
        json["steps"] = steps_json(machine_, run);
    }
    if (delays != nullptr && delays->all.packets != 0)
        json["stalls"] = stalls_json(machine_, *delays);
    if (!run.sendings.empty()) json["energy"] = energy_map_json(machine_, run);
    if (explanation.is_explained) json["path"] = path_json(machine_, explanation);
    if (!explanation.ranks.empty()) json["ranks"] = ranks_json(explanation, *ranks_);
    return json;
}

}  // namespace flitscope
