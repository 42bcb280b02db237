// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Why a run took as long as it did.
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <ostream>
#include <utility>

#include "testbench/report/report_lines.h"
#include "testbench/report/report_parts.h"

namespace flitscope {
namespace {

constexpr std::size_t kShownShares = 5;

Json message_json(const Machine& machine, MessageId id) {
    return id == kNoMessage ? Json() : Json(machine.program->number(id));
}

Json channel_json(const Machine& machine, ChannelId id) {
    return id == kNoChannel ? Json() : Json(ChannelMap(machine.graph).name(id));
}

Json shares_json(const std::vector<PathShare>& shares, const char* key,
                 const std::function<Json(std::uint32_t)>& name) {
    Json list = Json::array();
    for (const PathShare& share : shares) {
        list.push_back({{key, name(share.id)},
                        {"cycles", share.cycles},
                        {"causes", causes_json(share.by_cause)}});
    }
    return list;
}

/// Cycles of the critical path at a channel.
Cycle path_cycles(const Explanation& explanation, ChannelId channel) {
    for (const PathShare& share : explanation.channels) {
        if (share.id == channel) return share.cycles;
    }
    return 0;
}

Json slack_json(const Machine& machine, const Explanation& explanation) {
    if (!explanation.slack) return {};
    Json steps = Json::array();
    for (const StepSlack& step : explanation.slack->steps) {
        steps.push_back({{"step", step.step + 1},
                         {"begin", step.begin},
                         {"end", step.end},
                         {"slack", step.slack},
                         {"most", step.most},
                         {"parts", step.parts},
                         {"parts_with_slack", step.parts_with_slack}});
    }
    Json links = Json::array();
    for (const LinkSlack& link : explanation.slack->links) {
        links.push_back({{"link", channel_json(machine, link.link)},
                         {"busy_cycles", link.flits},
                         {"path_cycles", path_cycles(explanation, link.link)},
                         {"messages", link.messages},
                         {"slack", link.slack}});
    }
    return {{"steps", std::move(steps)}, {"links", std::move(links)}};
}

/// The steps that have most slack, and the links that send most.
void print_slack(std::ostream& out, const Machine& machine, const Explanation& explanation) {
    std::vector<StepSlack> steps = explanation.slack->steps;
    std::uint64_t parts = 0;
    std::uint64_t with_slack = 0;
    for (const StepSlack& step : steps) {
        parts += step.parts;
        with_slack += step.parts_with_slack;
    }
    const bool is_timed = machine.program->ordering == Ordering::kTimed;
    fmt::print(out,
               "\n  slack: {} of {} {} can be later, the makespan as it is (--slack lists them)\n",
               grouped(with_slack), grouped(parts), is_timed ? "sends" : "steps of nodes");
    std::stable_sort(steps.begin(), steps.end(),
                     [](const StepSlack& a, const StepSlack& b) { return a.most > b.most; });
    if (with_slack != 0) out << '\n';
    for (std::size_t i = 0; i < std::min(kShownShares, steps.size()); ++i) {
        if (steps[i].most == 0) break;
        fmt::print(out, "    {:<14}{:>12} to {} cycles, {} of {} have some\n",
                   fmt::format("step {}", steps[i].step + 1), grouped(steps[i].slack),
                   grouped(steps[i].most), grouped(steps[i].parts_with_slack),
                   grouped(steps[i].parts));
    }
    const std::vector<LinkSlack>& links = explanation.slack->links;
    if (links.empty()) return;
    out << "\n  the busiest links: busy cycles, those on the path, slack of all messages over "
           "them\n\n";
    const ChannelMap names(machine.graph);
    for (std::size_t i = 0; i < std::min(kShownShares, links.size()); ++i) {
        fmt::print(out, "    {:<14}{:>12}{:>12}{:>12}\n", names.name(links[i].link),
                   grouped(links[i].flits), grouped(path_cycles(explanation, links[i].link)),
                   grouped(links[i].slack));
    }
}

/// "message 17 (3>5)"
std::string message_text(const Machine& machine, MessageId id) {
    const Transfer& t = machine.program->transfers[id];
    return fmt::format("message {} ({}>{})", machine.program->number(id), t.source, t.destination);
}

std::string segment_text(const Machine& machine, const PathSegment& segment) {
    std::string text = cause_meaning(segment.cause);
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

/// What an explanation is of: the run, complete or not.
std::string subject(const Machine& machine, const Explanation& explanation) {
    return explanation.run.verdict == Verdict::kComplete
               ? fmt::format("{}: {} cycles", machine.traffic_name(),
                             grouped(explanation.path.cycles))
               : fmt::format("{}: {}, {} cycles until the last delivery", machine.traffic_name(),
                             verdict_name(explanation.run.verdict),
                             grouped(explanation.path.cycles));
}

/// In a line: the causes with most cycles, and the channel.
std::string why_text(const Machine& machine, const Explanation& explanation) {
    const Cycle all = explanation.path.cycles;
    if (all == 0) return "nothing was delivered";
    std::vector<std::string> parts;
    constexpr std::size_t kParts = 3;
    for (const Cause cause : ranked_causes(explanation.by_cause)) {
        if (parts.size() == kParts) break;
        parts.push_back(fmt::format("{} {}", percent(cycles_of(explanation.by_cause, cause), all),
                                    cause_meaning(cause)));
    }
    std::string text = fmt::format("{}", fmt::join(parts, "; "));
    if (!explanation.channels.empty()) {
        const PathShare& channel = explanation.channels.front();
        text += fmt::format("; most at {}, {} cycles", ChannelMap(machine.graph).name(channel.id),
                            grouped(channel.cycles));
    }
    return text;
}

}  // namespace

std::string percent(Cycle part, Cycle all) {
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
    return json;
}

void print_explained_run(std::ostream& out, const Machine& machine,
                         const Explanation& explanation) {
    print_run(out, machine, explanation.run);
    print_line(out, "why so long", why_text(machine, explanation));
}

Json explain_json(const Machine& machine, const Explanation& explanation,
                  const std::vector<WhatIf>& changes) {
    Json path = Json::array();
    for (const PathSegment& segment : explanation.path.segments) {
        path.push_back({{"from", segment.from},
                        {"to", segment.to},
                        {"cause", cause_name(segment.cause)},
                        {"channel", channel_json(machine, segment.channel)},
                        {"message", message_json(machine, segment.message)},
                        {"holder", message_json(machine, segment.holder)}});
    }
    Json what_ifs = Json::array();
    for (const WhatIf& one : changes) {
        what_ifs.push_back({{"change", one.change},
                            {"meaning", one.meaning},
                            {"path_cycles", one.on_path},
                            {"bound_cycles", one.most},
                            {"measured_cycles", one.measured ? Json(*one.measured) : Json()}});
    }
    const auto number = [](std::uint32_t id) { return Json(id); };
    return {{"version", version()},
            {"engine", explanation.run.engine},
            {"verdict", verdict_name(explanation.run.verdict)},
            {"cycles", explanation.path.cycles},
            {"causes", causes_json(explanation.by_cause)},
            {"channels", shares_json(explanation.channels, "channel",
                                     [&](std::uint32_t id) { return channel_json(machine, id); })},
            {"steps",
             shares_json(explanation.steps, "step", [](std::uint32_t id) { return Json(id + 1); })},
            {"nodes", shares_json(explanation.nodes, "node", number)},
            {"slack", slack_json(machine, explanation)},
            {"path", std::move(path)},
            {"what_if", std::move(what_ifs)},
            {"memory_bytes", explanation.path.memory_bytes}};
}

void print_explain(std::ostream& out, const Machine& machine, const Explanation& explanation,
                   const std::vector<WhatIf>& changes) {
    const Cycle all = explanation.path.cycles;
    fmt::print(out, "{}\n", subject(machine, explanation));
    if (all == 0) {
        out << "  nothing was delivered\n";
        return;
    }
    fmt::print(out,
               "\n  the critical path, back from the last delivery: every cycle has one cause\n\n");
    for (const Cause cause : ranked_causes(explanation.by_cause)) {
        const Cycle cycles = cycles_of(explanation.by_cause, cause);
        fmt::print(out, "    {:<14}{:>12}{:>9}   {}\n", cause_name(cause), grouped(cycles),
                   percent(cycles, all), cause_meaning(cause));
    }
    const auto print_shares = [&](const char* title, const std::vector<PathShare>& shares,
                                  const std::function<std::string(std::uint32_t)>& name) {
        if (shares.empty()) return;
        fmt::print(out, "\n  {}\n\n", title);
        for (std::size_t i = 0; i < std::min(kShownShares, shares.size()); ++i) {
            const PathShare& share = shares[i];
            const Cause main = share.main_cause();
            fmt::print(out, "    {:<14}{:>12}{:>9}   {} of them {}\n", name(share.id),
                       grouped(share.cycles), percent(share.cycles, all),
                       grouped(cycles_of(share.by_cause, main)), cause_meaning(main));
        }
    };
    print_shares("the channels with most of them", explanation.channels,
                 [&](std::uint32_t id) { return ChannelMap(machine.graph).name(id); });
    print_shares("the steps", explanation.steps,
                 [](std::uint32_t id) { return fmt::format("step {}", id + 1); });
    print_shares("the nodes", explanation.nodes,
                 [](std::uint32_t id) { return fmt::format("node {}", id); });
    std::vector<PathSegment> longest = explanation.path.segments;
    std::stable_sort(
        longest.begin(), longest.end(),
        [](const PathSegment& a, const PathSegment& b) { return a.length() > b.length(); });
    longest.resize(std::min(kShownShares, longest.size()));
    fmt::print(out, "\n  the longest of its {} segments (--csv lists them all)\n\n",
               grouped(explanation.path.segments.size()));
    for (const PathSegment& segment : longest) {
        fmt::print(out, "    {:>10} to {:<10} {}\n", grouped(segment.from), grouped(segment.to),
                   segment_text(machine, segment));
    }
    if (explanation.slack) print_slack(out, machine, explanation);
    if (changes.empty()) return;
    fmt::print(out, "\n  what there is to gain, in cycles\n\n");
    fmt::print(out, "    {:>12}{:>12}{:>12}   change\n", "on the path", "at most", "measured");
    for (const WhatIf& one : changes) {
        fmt::print(out, "    {:>12}{:>12}{:>12}   {} (--set {})\n", grouped(one.on_path),
                   grouped(one.most), one.measured ? signed_text(*one.measured) : "-", one.meaning,
                   one.change);
    }
    if (std::none_of(changes.begin(), changes.end(),
                     [](const WhatIf& one) { return one.measured.has_value(); })) {
        out << "\n  at most: by the lower bound of the changed machine; --verify N tries the first "
               "N\n";
    }
}

void write_slack_csv(std::ostream& out, const Machine& machine, const Explanation& explanation) {
    out << "node,step,message,begin,end,slack\n";
    if (!explanation.slack) return;
    for (const NodeSlack& part : explanation.slack->nodes) {
        const std::string message =
            part.message == kNoMessage ? "" : std::to_string(machine.program->number(part.message));
        fmt::print(out, "{},{},{},{},{},{}\n", part.node, part.step + 1, message, part.begin,
                   part.end, part.slack);
    }
}

void write_path_csv(std::ostream& out, const Machine& machine, const Explanation& explanation) {
    out << "from,to,cause,channel,node,step,message,source,destination,holder\n";
    for (const PathSegment& s : explanation.path.segments) {
        const auto number = [&](MessageId id) {
            return id == kNoMessage ? "" : std::to_string(machine.program->number(id));
        };
        fmt::print(out, "{},{},{},{},", s.from, s.to, cause_name(s.cause),
                   s.channel == kNoChannel ? "" : ChannelMap(machine.graph).name(s.channel));
        if (s.message == kNoMessage) {
            out << ",,,,,\n";
            continue;
        }
        const Transfer& t = machine.program->transfers[s.message];
        fmt::print(out, "{},{},{},{},{},{}\n", node_of(machine, s), t.step + 1, number(s.message),
                   t.source, t.destination, number(s.holder));
    }
}

}  // namespace flitscope
