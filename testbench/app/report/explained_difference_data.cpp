// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The difference of two runs for scripts: JSON and CSV, which have the same figures.
#include <fmt/format.h>

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/report/json_writer.h"
#include "testbench/app/report/report_explained_difference.h"
#include "testbench/app/report/report_lines.h"

namespace flitscope {
namespace {

/// A quantity in both runs: nothing in a run that does not have it.
struct FigureOfBoth {
    const char* name;
    std::optional<double> first;
    std::optional<double> second;
    std::optional<double> difference;
    std::optional<double> difference_ns;  ///< nothing if it is no time
};

/// Reads figures off a comparison.
class FiguresOfBoth {
public:
    explicit FiguresOfBoth(const ExplainedDifference& all) : all_(all) {}

    /// Cycles spent: a run that lacks something spends none on it.
    FigureOfBoth cycles(const char* name, std::optional<Cycle> first,
                        std::optional<Cycle> second) const {
        return {name, counted(all_.first, first), counted(all_.second, second),
                all_.change(first, second), all_.change_ns(first, second)};
    }
    /// A cycle of the run, or a distance of two: without one in both there is no difference.
    FigureOfBoth moment(const char* name, std::optional<Cycle> first,
                        std::optional<Cycle> second) const {
        FigureOfBoth figure = cycles(name, first, second);
        if (!first || !second) figure.difference = figure.difference_ns = std::nullopt;
        return figure;
    }
    static FigureOfBoth number(const char* name, std::optional<double> first,
                               std::optional<double> second) {
        FigureOfBoth figure{name, first, second, std::nullopt, std::nullopt};
        if (first && second) figure.difference = *second - *first;
        return figure;
    }

    FigureOfBoth of_cause(const CauseSums& first, const CauseSums& second, Cause cause) const {
        return cycles(cause_name(cause), cycles_of(first.by_cause, cause),
                      cycles_of(second.by_cause, cause));
    }
    /// The causes that either has.
    std::vector<FigureOfBoth> of_causes(const CauseSums& first, const CauseSums& second) const {
        std::vector<FigureOfBoth> figures;
        for (std::size_t i = 0; i < kCauses; ++i) {
            if (first.by_cause[i] == 0 && second.by_cause[i] == 0) continue;
            figures.push_back(of_cause(first, second, static_cast<Cause>(i)));
        }
        return figures;
    }
    FigureOfBoth of_place(const ExplainedDifference::Place& place) const {
        return cycles("cycles", part(place.runs.first, &CauseSums::cycles),
                      part(place.runs.second, &CauseSums::cycles));
    }
    std::vector<FigureOfBoth> of_step(const ExplainedDifference::Step& step) const {
        const auto& [first, second] = step.runs;
        const auto at = [&](const char* name, Cycle StepUse::*of) {
            return moment(name, part(first, of), part(second, of));
        };
        const auto skew = [](const std::optional<StepUse>& use) {
            return use ? std::optional(use->skew()) : std::nullopt;
        };
        return {cycles("path_cycles", part(first, &StepUse::path), part(second, &StepUse::path)),
                at("first_begin", &StepUse::first_begin),
                at("last_begin", &StepUse::last_begin),
                at("first_end", &StepUse::first_end),
                at("last_end", &StepUse::last_end),
                moment("skew", skew(first), skew(second))};
    }
    std::vector<FigureOfBoth> of_distance(const ExplainedDifference::Distance& distance) const {
        const auto& [first, second] = distance.runs;
        const auto packets = [](const std::optional<DelaySums>& use) {
            return use ? std::optional(static_cast<double>(use->packets)) : std::nullopt;
        };
        const auto mean = [](const std::optional<DelaySums>& use) {
            return use ? std::optional(use->mean()) : std::nullopt;
        };
        FigureOfBoth latency = number("latency", mean(first), mean(second));
        if (first && second) {
            latency.difference_ns =
                *mean(second) * all_.second.clock_ns - *mean(first) * all_.first.clock_ns;
        }
        return {number("packets", packets(first), packets(second)), latency};
    }
    std::vector<FigureOfBoth> of_channel(const ExplainedDifference::Channel& channel) const {
        const auto& [first, second] = channel.runs;
        const auto spent = [&](const char* name, Cycle ChannelUse::*of) {
            return cycles(name, part(first, of), part(second, of));
        };
        const FigureOfBoth waiting = spent("waiting_cycles", &ChannelUse::waited);
        if (all_.is_of_patterns) {
            return {waiting, number("busy", busy(all_.first, first), busy(all_.second, second))};
        }
        return {waiting, spent("busy_cycles", &ChannelUse::busy),
                spent("path_cycles", &ChannelUse::path)};
    }

private:
    static std::optional<double> counted(const ExplainedDifference::Run& run,
                                         std::optional<Cycle> in) {
        return in ? std::optional(run.counted(*in)) : std::nullopt;
    }
    template <class Use>
    static std::optional<Cycle> part(const std::optional<Use>& use, Cycle Use::*of) {
        return use ? std::optional((*use).*of) : std::nullopt;
    }
    /// As a share of the measurement.
    static std::optional<double> busy(const ExplainedDifference::Run& run,
                                      const std::optional<ChannelUse>& use) {
        return use ? std::optional(run.busy_share(*use)) : std::nullopt;
    }

    const ExplainedDifference& all_;
};

class DifferenceJson {
public:
    explicit DifferenceJson(const ExplainedDifference& all) : all_(all), figures_(all) {}

    JsonText text(const ComparedRun& first, const ComparedRun& second) {
        json_.open_object();
        json_.field("version", version());
        run("first", first, all_.first);
        run("second", second, all_.second);
        figure(figures_.cycles("cycles", all_.first.all.cycles, all_.second.all.cycles));
        causes(all_.first.all, all_.second.all);
        list("places", all_.places, [&](const ExplainedDifference::Place& place) {
            json_.field("place", place.name);
            figure(figures_.of_place(place));
            causes(place.runs.first.value_or(CauseSums()), place.runs.second.value_or(CauseSums()));
        });
        if (all_.is_of_patterns) {
            list("distances", all_.distances, [&](const ExplainedDifference::Distance& distance) {
                json_.field("hops", distance.hops);
                for (const FigureOfBoth& one : figures_.of_distance(distance)) figure(one);
            });
        } else {
            list("steps", all_.steps, [&](const ExplainedDifference::Step& step) {
                json_.field("step", step.step + 1);
                for (const FigureOfBoth& one : figures_.of_step(step)) figure(one);
            });
        }
        list("channels", all_.channels, [&](const ExplainedDifference::Channel& channel) {
            json_.field("channel", channel.name);
            for (const FigureOfBoth& one : figures_.of_channel(channel)) figure(one);
        });
        json_.close_object();
        return json_.take();
    }

private:
    template <class Part, class Write>
    void list(const char* key, const std::vector<Part>& parts, Write write) {
        json_.key(key);
        json_.open_array();
        for (const Part& part : parts) {
            json_.open_object();
            write(part);
            json_.close_object();
        }
        json_.close_array();
    }
    void run(const char* key, const ComparedRun& one, const ExplainedDifference::Run& run) {
        json_.key(key);
        json_.open_object();
        json_.field("configuration", one.config);
        json_.field("traffic", one.machine.traffic_name());
        json_.field("network", one.machine.graph.description());
        json_.field("engine", one.run.engine);
        json_.field("clock_ns", run.clock_ns);
        if (all_.is_of_patterns) json_.field("packets", run.packets);
        json_.close_object();
    }
    void causes(const CauseSums& first, const CauseSums& second) {
        json_.key("causes");
        json_.open_object();
        for (const FigureOfBoth& one : figures_.of_causes(first, second)) figure(one);
        json_.close_object();
    }
    void figure(const FigureOfBoth& one) {
        json_.key(one.name);
        json_.open_object();
        json_.key("first");
        number(one.first);
        json_.key("second");
        number(one.second);
        json_.key("difference");
        number(one.difference);
        json_.field("difference_ns", one.difference_ns);
        json_.close_object();
    }
    /// Cycles of a program are whole.
    void number(const std::optional<double>& value) {
        if (all_.is_of_patterns || !value) {
            json_.value(value);
        } else {
            json_.value(static_cast<std::int64_t>(*value));
        }
    }

    const ExplainedDifference& all_;
    FiguresOfBoth figures_;
    JsonWriter json_;
};

std::string csv_number(const std::optional<double>& value) {
    return value ? fmt::format("{:.12g}", *value) : "";
}

}  // namespace

JsonText explained_difference_json(const ComparedRun& first, const ComparedRun& second,
                                   const ExplainedDifference& difference) {
    return DifferenceJson(difference).text(first, second);
}

void write_explained_difference_csv(std::ostream& out, const ExplainedDifference& all) {
    const FiguresOfBoth figures(all);
    out << "part,name,quantity,first,second,difference,difference_ns\n";
    const auto row = [&](const char* part, const std::string& name, const FigureOfBoth& one) {
        out << fmt::format("{},{},{},{},{},{},{}\n", part, csv_text(name), one.name,
                           csv_number(one.first), csv_number(one.second),
                           csv_number(one.difference), csv_number(one.difference_ns));
    };
    const auto rows = [&](const char* part, const std::string& name,
                          const std::vector<FigureOfBoth>& list) {
        for (const FigureOfBoth& one : list) row(part, name, one);
    };
    row("run", "", figures.cycles("cycles", all.first.all.cycles, all.second.all.cycles));
    rows("run", "", figures.of_causes(all.first.all, all.second.all));
    for (const ExplainedDifference::Place& place : all.places) {
        row("place", place.name, figures.of_place(place));
        rows("place", place.name,
             figures.of_causes(place.runs.first.value_or(CauseSums()),
                               place.runs.second.value_or(CauseSums())));
    }
    for (const ExplainedDifference::Step& step : all.steps) {
        rows("step", std::to_string(step.step + 1), figures.of_step(step));
    }
    for (const ExplainedDifference::Distance& distance : all.distances) {
        rows("distance", std::to_string(distance.hops), figures.of_distance(distance));
    }
    for (const ExplainedDifference::Channel& channel : all.channels) {
        rows("channel", channel.name, figures.of_channel(channel));
    }
}

}  // namespace flitscope
