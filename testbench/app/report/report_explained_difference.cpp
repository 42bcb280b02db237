// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/report_explained_difference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "models/base/printable.h"
#include "models/base/text_table.h"
#include "models/base/wrapped_text.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/report/report_parts.h"

namespace flitscope {
namespace {

constexpr std::size_t kShownChannels = 5;
constexpr std::size_t kShownGroups = 8;  // of consecutive steps
constexpr std::size_t kShownSteps = 3;

using Counts = InBoth<Cycle>;

/// Cycles in each run of something that either may lack.
template <class Use, class Part>
Counts counts(const InBoth<Use>& runs, Part part) {
    const auto of = [&](const std::optional<Use>& use) {
        return use ? std::optional<Cycle>(part(*use)) : std::nullopt;
    };
    return {of(runs.first), of(runs.second)};
}

/// Writes the figures of one comparison.
class DifferenceWriter {
public:
    DifferenceWriter(std::ostream& out, const ExplainedDifference& difference)
        : out_(out), all_(difference), total_ns_(change_ns(total())) {}

    Counts total() const { return {all_.first.all.cycles, all_.second.all.cycles}; }
    Counts by(Cause cause) const {
        return {cycles_of(all_.first.all.by_cause, cause),
                cycles_of(all_.second.all.by_cause, cause)};
    }
    double change_ns(const Counts& in) const { return all_.change_ns(in.first, in.second); }
    bool is_total_zero() const { return total_ns_ == 0; }
    /// The part of the whole difference.
    double share(const Counts& in) const { return change_ns(in) / total_ns_; }

    /// A table whose first column has names, flush left.
    void table(const std::string& title, const std::vector<std::string>& heading,
               std::vector<std::vector<std::string>> rows) const {
        if (rows.empty()) return;
        out_ << fmt::format("\n  {}\n\n", title);
        rows.insert(rows.begin(), heading);
        std::size_t width = 0;
        for (const auto& row : rows) width = std::max(width, row.front().size());
        for (auto& row : rows) row.front() = fmt::format("  {:<{}}", row.front(), width);
        TextTable text(rows.front());
        std::for_each(rows.begin() + 1, rows.end(), [&](auto& row) { text.add(std::move(row)); });
        text.print(out_);
    }

    std::string cycles(const ExplainedDifference::Run& run, std::optional<Cycle> in) const {
        if (!in) return "-";
        return all_.is_of_patterns ? fmt::format("{:.2f}", run.counted(*in)) : grouped(*in);
    }
    std::string signed_number(double number) const {
        if (all_.is_of_patterns) return fmt::format(number == 0 ? "{:.2f}" : "{:+.2f}", number);
        const auto whole = static_cast<std::uint64_t>(std::llround(std::abs(number)));
        return (number < 0 ? "-" : number > 0 ? "+" : "") + grouped(whole);
    }
    /// The headings of what pair() adds.
    std::vector<std::string> pair_heading(const std::string& what) const {
        return {what + " A", what + " B", all_.has_one_clock() ? "B - A" : "B - A, ns"};
    }
    /// Both values and their difference, which is one of time if cycles differ in length.
    /// `is_spent`: cycles that a run without it does not spend, as the cycle in which something
    /// ends is not.
    void pair(std::vector<std::string>& row, const Counts& in, bool is_spent = true) const {
        row.push_back(cycles(all_.first, in.first));
        row.push_back(cycles(all_.second, in.second));
        const bool has_change = is_spent || (in.first && in.second);
        row.push_back(!has_change            ? "-"
                      : all_.has_one_clock() ? signed_number(all_.change(in.first, in.second))
                                             : signed_number(change_ns(in)));
    }
    /// A row of a table of parts of the whole, whose cycles sum up, too.
    std::vector<std::string> part(const std::string& name, const Counts& in) const {
        std::vector<std::string> row{name};
        pair(row, in);
        if (!all_.has_one_clock()) {
            row.insert(row.end() - 1, signed_number(all_.change(in.first, in.second)));
        }
        if (is_total_zero()) return row;
        const double percents = 100 * share(in);
        row.push_back(fmt::format("{:.1f} %", std::abs(percents) < 0.05 ? 0 : percents));
        return row;
    }
    std::vector<std::string> part_heading() const {
        std::vector<std::string> heading{"", "A", "B", "B - A"};
        if (!all_.has_one_clock()) heading.emplace_back("B - A, ns");
        if (!is_total_zero()) heading.emplace_back("share");
        return heading;
    }

private:
    std::ostream& out_;
    const ExplainedDifference& all_;
    double total_ns_;
};

bool is_empty(const Counts& in) { return in.first.value_or(0) == 0 && in.second.value_or(0) == 0; }

/// The causes that either run has, those that differ most first.
std::vector<Cause> ranked_changes(const DifferenceWriter& writer) {
    std::vector<Cause> causes;
    for (std::size_t i = 0; i < kCauses; ++i) {
        const auto cause = static_cast<Cause>(i);
        if (!is_empty(writer.by(cause))) causes.push_back(cause);
    }
    const auto size = [&](Cause cause) { return std::abs(writer.change_ns(writer.by(cause))); };
    std::stable_sort(causes.begin(), causes.end(),
                     [&](Cause a, Cause b) { return size(a) > size(b); });
    return causes;
}

Counts cycles_at(const ExplainedDifference::Place& place) {
    return counts(place.runs, [](const CauseSums& sums) { return sums.cycles; });
}

/// The places at which either run spends cycles.
std::vector<const ExplainedDifference::Place*> used_places(const ExplainedDifference& all) {
    std::vector<const ExplainedDifference::Place*> places;
    for (const ExplainedDifference::Place& place : all.places) {
        if (!is_empty(cycles_at(place))) places.push_back(&place);
    }
    return places;
}

/// A place in a sentence.
std::string at_place(const std::string& name) {
    if (name == "injection" || name == "ejection") return "at the " + name + " channels";
    if (name == "nodes") return "in the nodes, outside of channels";
    if (name == "program") return "at barriers and times of the program";
    return "in " + name;
}

/// The whole difference: "B takes 12 cycles longer than A, 3.4 % of A".
std::string headline(const ExplainedDifference& all, const DifferenceWriter& writer) {
    const Counts total = writer.total();
    const double ns = writer.change_ns(total);
    const std::string subject = all.is_of_patterns ? "a packet of B takes" : "B takes";
    const std::string than = all.is_of_patterns ? "one of A, on average" : "A";
    if (ns == 0) return fmt::format("{} as long as {}", subject, than);
    const double first_ns = all.first.counted(*total.first) * all.first.clock_ns;
    const std::string amount =
        all.has_one_clock()
            ? writer.signed_number(all.change(total.first, total.second)).substr(1) + " cycles"
            : fmt::format(std::abs(ns) < 10 ? "{:.3g} us" : "{:.3f} us", std::abs(ns) / 1000);
    return fmt::format(
        "{} {} {} than {}{}", subject, amount, ns > 0 ? "longer" : "less", than,
        first_ns == 0 ? "" : fmt::format(": {:.1f} % of A", 100 * std::abs(ns) / first_ns));
}

/// Consecutive steps in one run.
struct StepGroup {
    Cycle path = 0;
    Cycle skews = 0;
    std::uint64_t steps = 0;
    Cycle end = 0;

    void add(const StepUse& step) {
        path += step.path;
        skews += step.skew();
        ++steps;
        end = std::max(end, step.last_end);
    }
    /// The mean.
    Cycle skew() const { return (skews + steps / 2) / steps; }
};

void add(std::optional<StepGroup>& group, const std::optional<StepUse>& step) {
    if (!step) return;
    if (!group) group.emplace();
    group->add(*step);
}

/// In a line what most of the difference is, and where.
void print_reasons(std::ostream& out, const ExplainedDifference& all,
                   const DifferenceWriter& writer) {
    constexpr std::size_t kParts = 3;
    constexpr double kLeast = 0.05;
    if (writer.is_total_zero()) return;
    std::vector<std::string> causes;
    for (const Cause cause : ranked_changes(writer)) {
        const double share = writer.share(writer.by(cause));
        if (share < kLeast || causes.size() == kParts) continue;
        causes.push_back(fmt::format("{:.0f} % {}", 100 * share, cause_meaning(cause)));
    }
    std::string text = fmt::format("most of it: {}", fmt::join(causes, "; "));
    const auto places = used_places(all);
    const auto most = std::max_element(places.begin(), places.end(), [&](auto* a, auto* b) {
        return writer.share(cycles_at(*a)) < writer.share(cycles_at(*b));
    });
    if (most != places.end()) {
        text += fmt::format("; {:.0f} % {}", 100 * writer.share(cycles_at(**most)),
                            at_place((*most)->name));
    }
    out << wrapped(text, 2);
}

/// How far apart the nodes begin a step, if steps follow each other.
void print_skews(std::ostream& out, const ExplainedDifference& all) {
    InBoth<StepGroup> groups;
    for (const ExplainedDifference::Step& step : all.steps) {
        add(groups.first, step.runs.first);
        add(groups.second, step.runs.second);
    }
    if (!groups.first || !groups.second || groups.first->steps + groups.second->steps <= 2) return;
    out << fmt::format(
        "  nodes begin a step within {} cycles of each other in A, and {} in B (mean)\n",
        grouped(groups.first->skew()), grouped(groups.second->skew()));
}

void print_runs(std::ostream& out, const ComparedRun& first, const ComparedRun& second,
                const ExplainedDifference& all) {
    constexpr std::size_t kIndent = 5;
    out << '\n';
    for (const bool is_first : {true, false}) {
        const ComparedRun& one = is_first ? first : second;
        const ExplainedDifference::Run& run = is_first ? all.first : all.second;
        std::string length;
        if (all.is_of_patterns) {
            length = fmt::format("{} packets, {:.2f} cycles", grouped(run.packets),
                                 run.counted(run.all.cycles));
        } else {
            length = fmt::format("{} cycles = {}", grouped(run.all.cycles),
                                 time_text(run.all.cycles, run.clock_ns));
        }
        const std::string text =
            fmt::format("{}: {} on {}, {}", printable(one.config), one.machine.traffic_name(),
                        one.machine.graph.description(), length);
        out << (is_first ? "  A  " : "  B  ") << wrapped(text, kIndent).substr(kIndent);
        print_load_warnings(out, one.machine, one.run);
    }
    const auto has_ranks = [](const ComparedRun& one) {
        return one.machine.program != nullptr && one.machine.program->operations != nullptr;
    };
    if (has_ranks(first) != has_ranks(second)) {
        out << fmt::format(
            "  {} ends with its last rank, {} with its last delivery: the last receive is part of "
            "the "
            "former\n",
            has_ranks(first) ? 'A' : 'B', has_ranks(first) ? 'B' : 'A');
    }
    if (!all.has_one_clock()) {
        out << fmt::format(
            "  a cycle takes {:.4g} ns in A and {:.4g} ns in B: shares are those of the time\n",
            all.first.clock_ns, all.second.clock_ns);
    }
    if (first.machine.graph.description() != second.machine.graph.description()) {
        out << "  the networks differ: dimensions and channels of the same name are put side by "
               "side\n";
    }
}

void print_causes(const ExplainedDifference& all, const DifferenceWriter& writer) {
    std::vector<std::vector<std::string>> rows;
    for (const Cause cause : ranked_changes(writer)) {
        rows.push_back(writer.part(cause_name(cause), writer.by(cause)));
    }
    rows.push_back(writer.part("sum", writer.total()));
    writer.table(all.is_of_patterns ? "by cause, mean cycles of a packet"
                                    : "by cause, cycles of the critical path",
                 writer.part_heading(), std::move(rows));
    rows.clear();
    for (const ExplainedDifference::Place* const place : used_places(all)) {
        rows.push_back(writer.part(place->name, cycles_at(*place)));
    }
    writer.table("by place", writer.part_heading(), std::move(rows));
}

class StepRows {
public:
    StepRows(const ExplainedDifference& all, const DifferenceWriter& writer)
        : all_(all), writer_(writer) {}

    std::vector<std::string> heading() const {
        std::vector<std::string> cells{"step"};
        for (std::string& cell : writer_.pair_heading("path")) cells.push_back(std::move(cell));
        cells.insert(cells.end(), {"skew A", "skew B"});
        for (std::string& cell : writer_.pair_heading("end")) cells.push_back(std::move(cell));
        return cells;
    }
    /// Steps `from` .. `to` - 1 of those that there are.
    std::vector<std::string> row(std::size_t from, std::size_t to) const {
        InBoth<StepGroup> groups;
        for (std::size_t i = from; i < to; ++i) {
            add(groups.first, all_.steps[i].runs.first);
            add(groups.second, all_.steps[i].runs.second);
        }
        const std::uint32_t first = all_.steps[from].step + 1;
        const std::uint32_t last = all_.steps[to - 1].step + 1;
        std::vector<std::string> cells{first == last ? grouped(first)
                                                     : grouped(first) + " to " + grouped(last)};
        writer_.pair(cells, counts(groups, [](const StepGroup& group) { return group.path; }));
        const Counts skews = counts(groups, [](const StepGroup& group) { return group.skew(); });
        cells.push_back(writer_.cycles(all_.first, skews.first));
        cells.push_back(writer_.cycles(all_.second, skews.second));
        const Counts ends = counts(groups, [](const StepGroup& group) { return group.end; });
        writer_.pair(cells, ends, false);
        return cells;
    }

private:
    const ExplainedDifference& all_;
    const DifferenceWriter& writer_;
};

void print_steps(const ExplainedDifference& all, const DifferenceWriter& writer) {
    const std::size_t count = all.steps.size();
    const StepRows steps(all, writer);
    const std::size_t group = std::max<std::size_t>((count + kShownGroups - 1) / kShownGroups, 1);
    std::vector<std::vector<std::string>> rows;
    for (std::size_t from = 0; from < count; from += group) {
        rows.push_back(steps.row(from, std::min(from + group, count)));
    }
    writer.table(
        "by step: cycles of the path there; skew, from the begin of its first node to that "
        "of its\n  last, the mean of several steps; end of its last node",
        steps.heading(), std::move(rows));
    if (group == 1) return;
    std::vector<std::size_t> order(count);
    for (std::size_t i = 0; i < count; ++i) order[i] = i;
    const auto weight = [&](std::size_t i) {
        return std::abs(writer.change_ns(
            counts(all.steps[i].runs, [](const StepUse& step) { return step.path; })));
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
    rows.clear();
    for (std::size_t i = 0; i < std::min(kShownSteps, count); ++i) {
        if (weight(order[i]) != 0) rows.push_back(steps.row(order[i], order[i] + 1));
    }
    writer.table("the steps whose cycles of the path differ most (--csv has all)", steps.heading(),
                 std::move(rows));
}

void print_distances(const ExplainedDifference& all, const DifferenceWriter& writer) {
    std::vector<std::vector<std::string>> rows;
    for (const ExplainedDifference::Distance& distance : all.distances) {
        const auto& [first, second] = distance.runs;
        const auto packets = [](const std::optional<DelaySums>& use) {
            return use ? grouped(use->packets) : "-";
        };
        std::vector<std::string> row{grouped(distance.hops), packets(first), packets(second),
                                     first ? fmt::format("{:.2f}", first->mean()) : "-",
                                     second ? fmt::format("{:.2f}", second->mean()) : "-"};
        const double first_clock = all.has_one_clock() ? 1 : all.first.clock_ns;
        const double second_clock = all.has_one_clock() ? 1 : all.second.clock_ns;
        row.push_back(first && second ? writer.signed_number(second->mean() * second_clock -
                                                             first->mean() * first_clock)
                                      : "-");
        rows.push_back(std::move(row));
    }
    std::vector<std::string> heading{"links", "packets A", "packets B"};
    for (std::string& cell : writer.pair_heading("latency")) heading.push_back(std::move(cell));
    writer.table("by distance, mean cycles", heading, std::move(rows));
}

/// Share of the measurement in which a channel is busy.
std::string busy_text(const ExplainedDifference::Run& run, const std::optional<ChannelUse>& use) {
    return use ? fmt::format("{:.1f} %", 100 * run.busy_share(*use)) : "-";
}

void print_channels(const ExplainedDifference& all, const DifferenceWriter& writer) {
    std::vector<std::vector<std::string>> rows;
    for (const ExplainedDifference::Channel& channel : all.channels) {
        if (rows.size() == kShownChannels) break;
        const Counts waiting =
            counts(channel.runs, [](const ChannelUse& use) { return use.waited; });
        const Counts load = counts(channel.runs, [](const ChannelUse& use) { return use.busy; });
        if (waiting.first == waiting.second && load.first == load.second) continue;
        std::vector<std::string> row{channel.name};
        writer.pair(row, waiting);
        if (all.is_of_patterns) {
            row.push_back(busy_text(all.first, channel.runs.first));
            row.push_back(busy_text(all.second, channel.runs.second));
        } else {
            writer.pair(row, load);
        }
        rows.push_back(std::move(row));
    }
    std::vector<std::string> heading{""};
    for (std::string& cell : writer.pair_heading("waiting")) heading.push_back(std::move(cell));
    std::vector<std::string> load = writer.pair_heading("busy");
    if (all.is_of_patterns) load.resize(2);
    heading.insert(heading.end(), load.begin(), load.end());
    writer.table(all.is_of_patterns
                     ? "the channels whose waiting differs most, mean cycles of all packets"
                     : "the channels that differ most: cycles in which a packet holds them and "
                       "waits, busy cycles",
                 heading, std::move(rows));
}

/// What runs have in common that take the same cycles everywhere.
std::string same_text(const ExplainedDifference& all) {
    return all.is_of_patterns
               ? fmt::format("{} packets of {:.2f} cycles (mean) in both, by cause and channel",
                             grouped(all.first.packets), all.first.counted(all.first.all.cycles))
               : fmt::format("{} cycles in both, by cause, step and channel",
                             grouped(all.first.all.cycles));
}

}  // namespace

void print_explained_difference(std::ostream& out, const ComparedRun& first,
                                const ComparedRun& second, const ExplainedDifference& difference) {
    const DifferenceWriter writer(out, difference);
    if (difference.is_none()) {
        out << fmt::format("A and B do not differ: {}\n", same_text(difference));
        return;
    }
    out << headline(difference, writer) << '\n';
    if (difference.is_same_in_cycles()) {
        print_runs(out, first, second, difference);
        out << fmt::format("  in cycles they do not differ: {}\n", same_text(difference));
        return;
    }
    print_reasons(out, difference, writer);
    print_skews(out, difference);
    print_runs(out, first, second, difference);
    print_causes(difference, writer);
    print_steps(difference, writer);
    print_distances(difference, writer);
    print_channels(difference, writer);
}

}  // namespace flitscope
