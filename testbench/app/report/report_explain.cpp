// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Why a run took as long as it did.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <ostream>
#include <string_view>
#include <utility>

#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/explain/event_graph.h"
#include "testbench/app/explain/explanation.h"
#include "testbench/app/explain/slack.h"
#include "testbench/app/explain/what_if.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/report/report_parts.h"
#include "testbench/app/report/report_ranks.h"

namespace flitscope {
namespace {

constexpr std::size_t kShownShares = 5;

/// Writes the rows of an explanation.
class ExplainWriter {
public:
    explicit ExplainWriter(const Machine& machine)
        : machine_(machine), channels_(machine.graph), names_(channels_.count()) {}

    JsonWriter& json() { return json_; }
    void message(const char* key, MessageId id) {
        json_.key(key);
        if (id == kNoMessage) {
            json_.value(nullptr);
        } else {
            json_.value(machine_.program->number(id));
        }
    }
    void operation(const char* key, OperationId id) {
        json_.key(key);
        if (id == kNoOperation) {
            json_.value(nullptr);
        } else {
            json_.value(machine_.program->operations->describe(id));
        }
    }
    void channel(const char* key, ChannelId id) {
        json_.key(key);
        if (id == kNoChannel) {
            json_.value(nullptr);
            return;
        }
        // Most channels come more than once.
        std::string& name = names_[id];
        if (name.empty()) name = channels_.name(id);
        json_.value(name);
    }
    /// `name` writes the field that says what a share is of.
    template <class Name>
    void shares(std::string_view key, const std::vector<PathShare>& shares, Name name) {
        json_.key(key);
        json_.open_array();
        for (const PathShare& share : shares) {
            json_.open_object();
            name(share.id);
            json_.field("cycles", share.cycles);
            write_causes(json_, share.by_cause);
            json_.close_object();
        }
        json_.close_array();
    }
    void slack(const Explanation& explanation);
    void path(const std::vector<PathSegment>& segments);

private:
    const Machine& machine_;
    ChannelMap channels_;
    std::vector<std::string> names_;  // per channel, those that were asked for
    JsonWriter json_;
};

/// Cycles of the critical path at a channel.
Cycle path_cycles(const Explanation& explanation, ChannelId channel) {
    for (const PathShare& share : explanation.channels) {
        if (share.id == channel) return share.cycles;
    }
    return 0;
}

void ExplainWriter::slack(const Explanation& explanation) {
    json_.key("slack");
    if (!explanation.slack) {
        json_.value(nullptr);
        return;
    }
    json_.open_object();
    json_.key("steps");
    json_.open_array();
    for (const StepSlack& step : explanation.slack->steps) {
        json_.open_object();
        json_.field("step", step.step + 1);
        json_.field("begin", step.begin);
        json_.field("end", step.end);
        json_.field("slack", step.slack);
        json_.field("most", step.most);
        json_.field("parts", step.parts);
        json_.field("parts_with_slack", step.parts_with_slack);
        json_.close_object();
    }
    json_.close_array();
    json_.key("ranks");
    json_.open_array();
    for (const RankSlack& rank : explanation.slack->ranks) {
        json_.open_object();
        json_.field("rank", rank.rank);
        json_.field("node", rank.node);
        json_.field("slack", rank.slack);
        json_.field("most", rank.most);
        json_.field("operations", rank.operations);
        json_.field("operations_with_slack", rank.operations_with_slack);
        json_.close_object();
    }
    json_.close_array();
    std::vector<Cycle> on_path(channels_.count(), 0);
    for (const PathShare& share : explanation.channels) on_path[share.id] = share.cycles;
    json_.key("links");
    json_.open_array();
    for (const LinkSlack& link : explanation.slack->links) {
        json_.open_object();
        channel("link", link.link);
        json_.field("busy_cycles", link.flits * machine_.graph.link(link.link).rate_cycles);
        json_.field("path_cycles", on_path[link.link]);
        json_.field("messages", link.messages);
        json_.field("slack", link.slack);
        json_.close_object();
    }
    json_.close_array();
    json_.close_object();
}

void ExplainWriter::path(const std::vector<PathSegment>& segments) {
    json_.key("path");
    json_.open_array();
    for (const PathSegment& segment : segments) {
        json_.open_object();
        json_.field("from", segment.from);
        json_.field("to", segment.to);
        json_.field("cause", cause_name(segment.cause));
        channel("channel", segment.channel);
        message("message", segment.message);
        message("holder", segment.holder);
        operation("operation", segment.operation);
        json_.close_object();
    }
    json_.close_array();
}

/// What has slack, of one name: steps, or ranks.
struct SlackRow {
    std::string name;
    Cycle least = 0;
    Cycle most = 0;
    std::uint64_t parts = 0;
    std::uint64_t parts_with_slack = 0;
};

std::vector<SlackRow> slack_rows(const Slack& slack) {
    std::vector<SlackRow> rows;
    for (const StepSlack& step : slack.steps) {
        rows.push_back({fmt::format("step {}", step.step + 1), step.slack, step.most, step.parts,
                        step.parts_with_slack});
    }
    for (const RankSlack& rank : slack.ranks) {
        rows.push_back({fmt::format("rank {}", rank.rank), rank.slack, rank.most, rank.operations,
                        rank.operations_with_slack});
    }
    return rows;
}

/// The steps, or ranks, that have most slack, and the links that send most.
void print_slack(std::ostream& out, const Machine& machine, const Explanation& explanation) {
    std::vector<SlackRow> rows = slack_rows(*explanation.slack);
    std::uint64_t parts = 0;
    std::uint64_t with_slack = 0;
    for (const SlackRow& row : rows) {
        parts += row.parts;
        with_slack += row.parts_with_slack;
    }
    const char* of = "steps of nodes can be delayed without changing the makespan";
    if (machine.program->ordering == Ordering::kTimed) {
        of = "sends can be delayed without changing the makespan";
    } else if (machine.program->ordering == Ordering::kOperations) {
        of = "operations can take longer without changing the end";
    }
    out << fmt::format("\n  slack: {} of {} {} (--slack lists them)\n", grouped(with_slack),
                       grouped(parts), of);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const SlackRow& a, const SlackRow& b) { return a.most > b.most; });
    if (with_slack != 0) out << '\n';
    for (std::size_t i = 0; i < std::min(kShownShares, rows.size()); ++i) {
        if (rows[i].most == 0) break;
        out << fmt::format("    {:<14}{:>12} to {} cycles, {} of {} have some\n", rows[i].name,
                           grouped(rows[i].least), grouped(rows[i].most),
                           grouped(rows[i].parts_with_slack), grouped(rows[i].parts));
    }
    const std::vector<LinkSlack>& links = explanation.slack->links;
    if (links.empty()) return;
    out << "\n  the busiest links: busy cycles, those on the path, slack of all messages over "
           "them\n\n";
    const ChannelMap names(machine.graph);
    for (std::size_t i = 0; i < std::min(kShownShares, links.size()); ++i) {
        out << fmt::format("    {:<14}{:>12}{:>12}{:>12}{}\n", names.name(links[i].link),
                           grouped(links[i].flits),
                           grouped(path_cycles(explanation, links[i].link)),
                           grouped(links[i].slack), given_name_text(machine.graph, links[i].link));
    }
}

/// "message 17 (3>5)"
std::string message_text(const Machine& machine, MessageId id) {
    const Transfer& t = machine.program->transfers[id];
    return fmt::format("message {} ({}>{})", machine.program->number(id), t.source, t.destination);
}

std::string segment_text(const Machine& machine, const PathSegment& segment) {
    std::string text = cause_meaning(segment.cause);
    if (segment.cause == Cause::kCompute) {
        return machine.program->operations->describe(segment.operation);
    }
    if (segment.message != kNoMessage) text = message_text(machine, segment.message) + ": " + text;
    if (segment.channel != kNoChannel) {
        text += ", " + ChannelMap(machine.graph).name(segment.channel);
    }
    if (segment.holder != kNoMessage) text += ", " + message_text(machine, segment.holder);
    return text;
}

std::string signed_text(std::int64_t value) {
    return value < 0 ? "-" + grouped(static_cast<std::uint64_t>(-value))
                     : grouped(static_cast<std::uint64_t>(value));
}

/// The subject of an explanation: the run, complete or not.
std::string subject(const Machine& machine, const Explanation& explanation) {
    return explanation.run.verdict == Verdict::kComplete
               ? fmt::format("{}: {} cycles", machine.traffic_name(),
                             grouped(explanation.path.cycles))
               : fmt::format("{}: {}, {} cycles until the last delivery", machine.traffic_name(),
                             name_of(explanation.run.verdict), grouped(explanation.path.cycles));
}

/// Names in a line the causes with most cycles, and the channel.
std::string why_text(const Machine& machine, const Explanation& explanation) {
    const Cycle all = explanation.path.cycles;
    if (all == 0) return "nothing was delivered";
    std::vector<std::string> parts;
    constexpr std::size_t kParts = 3;
    for (const Cause cause : ranked_causes(explanation.by_cause)) {
        if (parts.size() == kParts) break;
        parts.push_back(fmt::format("{} {}",
                                    share_text(cycles_of(explanation.by_cause, cause), all),
                                    cause_meaning(cause)));
    }
    std::string text = fmt::format("{}", fmt::join(parts, "; "));
    if (!explanation.channels.empty()) {
        const PathShare& channel = explanation.channels.front();
        text += fmt::format("; most at {}{}, {} cycles", ChannelMap(machine.graph).name(channel.id),
                            given_name_text(machine.graph, channel.id), grouped(channel.cycles));
    }
    return text;
}

}  // namespace

std::string share_text(Cycle part, Cycle all) {
    return fmt::format(
        "{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(std::max<Cycle>(all, 1)));
}

Json causes_json(const CauseCycles& cycles) {
    Json json = Json::object();
    for (std::size_t i = 0; i < kCauses; ++i) json[cause_name(static_cast<Cause>(i))] = cycles[i];
    return json;
}

Json explained_run_json(const Machine& machine, const Explanation& explanation) {
    Json json = run_json(machine, explanation.run);
    if (explanation.is_explained) json["causes"] = causes_json(explanation.by_cause);
    if (!explanation.files.empty()) json["files"] = explanation.files;
    return json;
}

void print_explained_run(std::ostream& out, const Machine& machine,
                         const Explanation& explanation) {
    print_run(out, machine, explanation.run);
    print_line(out, "why so long", why_text(machine, explanation));
}

void write_causes(JsonWriter& json, const CauseCycles& cycles) {
    json.key("causes");
    json.open_object();
    for (std::size_t i = 0; i < kCauses; ++i) {
        json.field(cause_name(static_cast<Cause>(i)), cycles[i]);
    }
    json.close_object();
}

JsonText explain_json(const Machine& machine, const Explanation& explanation,
                      const std::vector<WhatIf>& changes) {
    ExplainWriter writer(machine);
    JsonWriter& json = writer.json();
    json.open_object();
    json.field("version", version());
    json.field("engine", explanation.run.engine);
    json.field("status", name_of(explanation.run.verdict));
    json.field("cycles", explanation.path.cycles);
    write_causes(json, explanation.by_cause);
    writer.shares("channels", explanation.channels,
                  [&](std::uint32_t id) { writer.channel("channel", id); });
    writer.shares("steps", explanation.steps,
                  [&](std::uint32_t id) { json.field("step", id + 1); });
    const std::string place = machine.graph.places().router_word();
    writer.shares(place + 's', explanation.routers,
                  [&](std::uint32_t id) { json.field(place, id); });
    write_ranks(json, explanation);
    writer.slack(explanation);
    writer.path(explanation.path.segments);
    json.key("what_if");
    json.open_array();
    for (const WhatIf& one : changes) {
        json.open_object();
        json.field("change", one.change);
        json.field("meaning", one.meaning);
        json.field("path_cycles", one.on_path);
        json.field("bound_cycles", one.most);
        json.field("measured_cycles", one.measured);
        json.field("unsynthesized", one.unsynthesized.empty()
                                        ? std::nullopt
                                        : std::optional<std::string>(one.unsynthesized));
        json.close_object();
    }
    json.close_array();
    json.field("memory_bytes", explanation.path.memory_bytes);
    json.close_object();
    return json.take();
}

namespace {

/// A change may lose its gain in cycles in the period of its router.
void print_unsynthesized(std::ostream& out, const std::vector<WhatIf>& changes) {
    const char* heading =
        "\n  not known in ns, for the router is not synthesized (flitscope synth with the "
        "change)\n\n";
    for (const WhatIf& one : changes) {
        if (one.unsynthesized.empty()) continue;
        out << fmt::format("{}    {:<30} {}{}\n", std::exchange(heading, ""), one.change,
                           one.unsynthesized,
                           one.most ? "" : ", which decides the clock or the delays: not tried");
    }
}

}  // namespace

void print_explain(std::ostream& out, const Machine& machine, const Explanation& explanation,
                   const std::vector<WhatIf>& changes) {
    const Cycle all = explanation.path.cycles;
    out << fmt::format("{}\n", subject(machine, explanation));
    if (all == 0) {
        out << "  nothing was delivered\n";
        return;
    }
    out << fmt::format(
        "\n  the critical path, back from {}: every cycle has one cause\n\n",
        explanation.ranks.empty() ? "the last delivery" : "the end of the last rank");
    for (const Cause cause : ranked_causes(explanation.by_cause)) {
        const Cycle cycles = cycles_of(explanation.by_cause, cause);
        out << fmt::format("    {:<14}{:>12}{:>9}   {}\n", cause_name(cause), grouped(cycles),
                           share_text(cycles, all), cause_meaning(cause));
    }
    const auto print_shares = [&](const std::string& title, const std::vector<PathShare>& shares,
                                  const std::function<std::string(std::uint32_t)>& name,
                                  const std::function<std::string(std::uint32_t)>& note = {}) {
        if (shares.empty()) return;
        out << fmt::format("\n  {}\n\n", title);
        for (std::size_t i = 0; i < std::min(kShownShares, shares.size()); ++i) {
            const PathShare& share = shares[i];
            const Cause main = share.main_cause();
            out << fmt::format("    {:<14}{:>12}{:>9}   {} of them {}{}\n", name(share.id),
                               grouped(share.cycles), share_text(share.cycles, all),
                               grouped(cycles_of(share.by_cause, main)), cause_meaning(main),
                               note ? note(share.id) : "");
        }
    };
    print_shares(
        "the channels with most of them", explanation.channels,
        [&](std::uint32_t id) { return ChannelMap(machine.graph).name(id); },
        [&](std::uint32_t id) { return given_name_text(machine.graph, id); });
    print_shares("the steps", explanation.steps,
                 [](std::uint32_t id) { return fmt::format("step {}", id + 1); });
    const std::string place = machine.graph.places().router_word();
    print_shares(fmt::format("the {}s", place), explanation.routers,
                 [&](std::uint32_t id) { return fmt::format("{} {}", place, id); });
    print_ranks(out, explanation);
    std::vector<PathSegment> longest = explanation.path.segments;
    std::stable_sort(
        longest.begin(), longest.end(),
        [](const PathSegment& a, const PathSegment& b) { return a.length() > b.length(); });
    while (!longest.empty() && longest.back().length() == 0) longest.pop_back();
    longest.resize(std::min(kShownShares, longest.size()));
    out << fmt::format(
        "\n  the longest of its {} segments: first and last cycle (--csv lists them "
        "all)\n\n",
        grouped(explanation.path.segments.size()));
    for (const PathSegment& segment : longest) {
        out << fmt::format("    {:>10} to {:<10} {}\n", grouped(segment.from),
                           grouped(segment.to - 1), segment_text(machine, segment));
    }
    if (explanation.slack) {
        print_slack(out, machine, explanation);
    } else if (!has_slack_unasked(*machine.program)) {
        out << fmt::format("\n  slack: not found, as there are more than {} operations{}\n",
                           grouped(kMostOperationsWithSlackUnasked),
                           can_have_slack(*machine.program) ? " (--slack finds it)" : "");
    }
    if (changes.empty()) return;
    out << fmt::format("\n  potential gains, in cycles\n\n");
    out << fmt::format("    {:>12}{:>12}{:>12}   change\n", "on the path", "at most", "measured");
    for (const WhatIf& one : changes) {
        out << fmt::format("    {:>12}{:>12}{:>12}   {} (--set {})\n", grouped(one.on_path),
                           one.most ? grouped(*one.most) : "-",
                           one.measured ? signed_text(*one.measured) : "-", one.meaning,
                           one.change);
    }
    print_unsynthesized(out, changes);
    if (std::none_of(changes.begin(), changes.end(),
                     [](const WhatIf& one) { return one.measured.has_value(); })) {
        out << "\n  at most: by the lower bound of the changed machine; --try N tries the first "
               "N\n";
    }
}

}  // namespace flitscope
