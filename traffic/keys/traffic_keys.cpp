// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/keys/traffic_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/base/limits.h"
#include "models/base/printable.h"
#include "models/config/key_kinds.h"
#include "models/config/node_keys.h"
#include "models/config/unit_keys.h"
#include "traffic/keys/pattern_keys.h"
#include "traffic/keys/trace_keys.h"
#include "traffic/patterns/pattern.h"
#include "traffic/schedules/collective_algorithms.h"
#include "traffic/schedules/schedule_catalogue.h"

namespace flitscope {
namespace {

using namespace kinds;

/// The condition that the schedule or algorithm reads `traffic.` + `key`.
Condition schedules_that_read(const std::string& key) {
    return traffic(readers_of(key), [key](const TrafficConfig& t) {
        return reads_key(t.schedule, t.algorithm, key);
    });
}

Condition several_planes() {
    return {"a fabric of several `planes`", [](const Config& config) -> std::string {
                return config.fabric.planes > 1 ? "" : "a fabric of one plane";
            }};
}

Condition step_programs() {
    return traffic("a schedule or a program", [](const TrafficConfig& t) {
        return !t.schedule.empty() || !t.program.empty();
    });
}

Condition rooted() {
    return traffic(
        readers_of("root") + ", " + patterns_reading("root"), [](const TrafficConfig& t) {
            return reads_key(t.schedule, t.algorithm, "root") || pattern_reads(t, "root");
        });
}

/// What `of_one` says, which a list in its place makes meaningless.
template <class List>
ConfigKey unless_listed(ConfigKey of_one, List list) {
    of_one.write = [write = of_one.write, list](const Config& config) {
        return (config.traffic.*list).empty() ? write(config) : std::string();
    };
    return of_one;
}

Condition variants() {
    std::vector<std::string> schedules;
    for (const ScheduleKind& kind : schedule_kinds()) {
        if (kind.has_variants()) schedules.push_back(kind.name);
    }
    return traffic("schedule " + alternatives(schedules),
                   [](const TrafficConfig& t) { return !algorithms_of(t.schedule).empty(); });
}

/// Words of other tools for a complete exchange, with our names for the several kinds.
std::vector<std::pair<std::string, std::string>> names_of_exchanges() {
    std::vector<std::pair<std::string, std::string>> words;
    for (const char* word : {"all-to-all", "all_to_all", "alltoall", "all2all", "complete-exchange",
                             "complete_exchange", "total-exchange"}) {
        words.emplace_back(word,
                           "complete exchanges are 'pex' if the number of nodes is a power of two, "
                           "'gen' for any number, and others: see flitscope list");
    }
    return words;
}

/// Words of other tools for patterns.
std::vector<std::pair<std::string, std::string>> names_of_patterns() {
    std::vector<std::pair<std::string, std::string>> words;
    add_other_names(words, "uniform", {"random", "rand", "uniform_random", "uniform-random"});
    add_other_names(words, "bit_reverse", {"bitrev", "bit_reversal", "bit-reversal", "reverse"});
    add_other_names(words, "bit_complement", {"bitcomp", "complement"});
    add_other_names(words, "shuffle", {"perfect_shuffle", "perfect-shuffle"});
    add_other_names(words, "neighbour", {"neighbor", "nearest_neighbor", "nearest_neighbour"});
    add_other_names(words, "random_permutation", {"randperm", "permutation", "random-permutation"});
    return words;
}

/// The barrier of a configuration; without an explicit cost it has that of the machine.
BarrierConfig& barrier(WorkloadConfig& config) {
    if (!config.traffic.barrier) config.traffic.barrier = config.traffic.machine_barrier;
    return *config.traffic.barrier;
}

const BarrierConfig& barrier(const WorkloadConfig& config) {
    static const BarrierConfig kFree;
    return config.traffic.barrier ? *config.traffic.barrier : kFree;
}

}  // namespace

ConfigKeys traffic_keys() {
    ConfigKeys keys;
    const auto in = [](auto member) {
        return [=](auto& config) -> auto& { return config.traffic.*member; };
    };
    const std::string one = "a run needs exactly one of schedule, pattern, program and trace";
    keys.push_back(choice("traffic.schedule", "schedule", schedule_names(),
                          "schedule of a collective operation; " + one,
                          in(&TrafficConfig::schedule))
                       .knows(names_of_exchanges())
                       .replaces(other_traffic_than("traffic.schedule")));
    Names patterns_known;
    for (const PatternKind& kind : pattern_kinds()) patterns_known.push_back(kind.name);
    keys.push_back(choice("traffic.pattern", "pattern", patterns_known, "synthetic pattern; " + one,
                          in(&TrafficConfig::pattern))
                       .knows(names_of_patterns())
                       .replaces(other_traffic_than("traffic.pattern")));
    keys.push_back(
        path_key("traffic.program",
                 "program file, relative to the folder of the configuration file; " + one,
                 in(&TrafficConfig::program))
            .replaces(other_traffic_than("traffic.program")));
    keys.push_back(choice("traffic.self_messages", "rule", {"refuse", "drop"},
                          "handling of messages of a program file from a node to itself: an error, "
                          "or `drop`: they are left out and counted",
                          in(&TrafficConfig::drops_self))
                       .only_for(traffic("a program", [](const TrafficConfig& t) {
                           return !t.program.empty();
                       })));
    ConfigKey algorithm = choice(
        "traffic.algorithm", "algorithm", algorithm_names(),
        "variant of the schedule; `none`: its first one, for semigroup the one for the layout",
        in(&TrafficConfig::algorithm));
    // Which ones there are depends on the schedule: check_traffic().
    algorithm.read = [](const ConfigTree& value, Config& config, const ReadContext& context) {
        if (const auto name = read_text(value, context, "the name of an algorithm")) {
            config.traffic.algorithm = *name;
        }
    };
    algorithm.range.clear();
    for (const ScheduleKind& kind : schedule_kinds()) {
        if (!kind.has_variants()) continue;
        algorithm.range += fmt::format("{}{}: {}", algorithm.range.empty() ? "" : "; ", kind.name,
                                       fmt::join(algorithms_of(kind.name), ", "));
    }
    keys.push_back(std::move(algorithm).only_for(variants()));
    keys.push_back(unless_listed(
        integer("traffic.message_bytes", {0, kLargestBytes}, "bytes",
                "payload of each message; for a broadcast, reduction or all-reduce the whole "
                "vector, for allgather, scatter and reduce-scatter the block of one node, which a "
                "schedule may split or combine",
                in(&TrafficConfig::message_bytes))
            .replaces({"traffic.message_lengths"})
            .only_for(traffic(
                "traffic that is not read from a file",
                [](const TrafficConfig& t) { return t.program.empty() && t.trace.file.empty(); })),
        &TrafficConfig::message_lengths));
    keys.push_back(message_lengths_key());
    keys.push_back(unless_listed(
        node_key(
            "traffic.root",
            "source of a broadcast or scatter, destination of a reduction, target of a hotspot",
            in(&TrafficConfig::root))
            .replaces({"traffic.hot_nodes"})
            .only_for(rooted()),
        &TrafficConfig::hot_nodes));
    keys.push_back(integer("traffic.contention", {1, kMaxNodes}, "messages",
                           "maximum number of messages over a link in one step",
                           in(&TrafficConfig::contention))
                       .only_for(schedules_that_read("contention")));
    keys.push_back(integer("traffic.chunks", {0, 65536}, "chunks",
                           "number of chunks that the message is split into; 0: the fastest number "
                           "by the model of traffic/README.md",
                           in(&TrafficConfig::chunks))
                       .only_for(schedules_that_read("chunks")));
    keys.push_back(
        integer("traffic.iterations", {1, 10000}, "",
                "number of iterations of a kernel; for `random-access`, messages of each node",
                in(&TrafficConfig::iterations))
            .only_for(schedules_that_read("iterations")));
    keys.push_back(cycles("traffic.compute_cycles", {0, kLongTime / 1'000'000'000},
                          "duration of each computation of a kernel",
                          in(&TrafficConfig::compute_cycles))
                       .only_for(schedules_that_read("compute_cycles")));
    keys.push_back(integer("traffic.blocks", {1, 4096}, "blocks",
                           "number of blocks that pass through the nodes one after the other: "
                           "blocks of a sweep, microbatches of a pipeline",
                           in(&TrafficConfig::blocks))
                       .only_for(schedules_that_read("blocks")));
    keys.push_back(integer("traffic.tensor_ranks", {1, kMaxNodes}, "nodes",
                           "number of adjacent nodes that share the layers of a stage",
                           in(&TrafficConfig::tensor_ranks))
                       .only_for(schedules_that_read("tensor_ranks")));
    keys.push_back(integer("traffic.pipeline_stages", {1, kMaxNodes}, "stages",
                           "number of pipeline stages of a replica, which has tensor_ranks x "
                           "pipeline_stages nodes",
                           in(&TrafficConfig::pipeline_stages))
                       .only_for(schedules_that_read("pipeline_stages")));
    keys.push_back(integer("traffic.gradient_bytes", {0, kLargestBytes}, "bytes",
                           "gradients of a node, summed over all replicas",
                           in(&TrafficConfig::gradient_bytes))
                       .only_for(schedules_that_read("gradient_bytes")));
    keys.push_back(
        flag("traffic.periodic",
             "the grid of the nodes wraps around: nodes at opposite edges are neighbours",
             in(&TrafficConfig::periodic))
            .only_for(schedules_that_read("periodic")));
    keys.push_back(
        choice("traffic.operation", "operation", {"sum", "max", "min", "xor", "concat", "affine"},
               "operation that combines values; `concat` (of intervals, which must be adjacent) "
               "and `affine` (composition of x -> a x + b) do not commute",
               in(&TrafficConfig::operation))
            .only_for(schedules_that_read("operation")));
    keys.push_back(integer("traffic.values_per_node", {1, 4096}, "",
                           "number of values of each node, which it combines before its first step",
                           in(&TrafficConfig::values_per_node))
                       .only_for(schedules_that_read("values_per_node")));
    keys.push_back(
        enumeration("traffic.planes", "use of planes", kPlaneUses,
                    "which of several planes a message crosses: the messages of a node, "
                    "or the steps of a schedule, take turns; `auto`: steps if no message "
                    "depends on another one, as in complete exchanges",
                    in(&TrafficConfig::planes))
            .only_for(several_planes()));
    keys.push_back(flag("traffic.handshake",
                        "partners that send to each other in a step first exchange empty messages; "
                        "not needed after a barrier",
                        in(&TrafficConfig::handshake))
                       .only_for(step_programs()));
    keys.push_back(real_cycles(
        "traffic.barrier.per_doubling", {-1e9, 1e9}, "cost per doubling of the node count",
        [](auto& config) -> auto& { return barrier(config).per_doubling; }));
    keys.push_back(real_cycles(
        "traffic.barrier.fixed", {-1e9, 1e9}, "fixed cost",
        [](auto& config) -> auto& { return barrier(config).fixed; }));
    for (ConfigKey& key : source_keys()) keys.push_back(std::move(key));
    for (ConfigKey& key : application_trace_keys()) keys.push_back(std::move(key));
    return keys;
}

namespace {

template <class Member>
auto steady(Member member) {
    return in_section(at(&Config::steady), member);
}

ConfigKey steady_warmup() {
    constexpr const char* kFound = "mser5";
    constexpr const char* kUnit = "cycles";
    const IntegerRange range{0, kLongTime};
    const auto warmup = steady(&SteadyConfig::warmup);
    ConfigKey key;
    key.path = "steady.warmup";
    key.type = "integer or enum";
    key.range = fmt::format("{}, {}", range.str(), kFound);
    key.unit = kUnit;
    key.meaning =
        "time before the measurement; `mser5`: determined from the series of backlog, delivered "
        "flits and "
        "latency";
    key.read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        if (value.is_scalar() && value.text == kFound) {
            warmup(config).reset();
        } else if (value.is_scalar() && value.text.find_first_of("0123456789") != 0) {
            mistyped(value, context, fmt::format("{} or the word {}", range.expected(), kFound),
                     suggest_choice(value.text, {kFound}));
        } else if (const auto number = read_integer(value, context, range, kUnit)) {
            warmup(config) = *number;
        }
    };
    key.write = [=](const Config& config) {
        const std::optional<Cycle>& cycles = warmup(config);
        return cycles ? std::to_string(*cycles) : kFound;
    };
    return key;
}

}  // namespace

ConfigKeys steady_keys() {
    ConfigKeys keys;
    keys.push_back(real("steady.confidence", {0.5, 0.999}, "",
                        "confidence level of the interval of the mean latency",
                        steady(&SteadyConfig::confidence))
                       .only_for(patterns()));
    keys.push_back(real("steady.half_width", {0.001, 0.5}, "",
                        "half width of that interval, as a fraction of the mean; the run ends when "
                        "it is reached",
                        steady(&SteadyConfig::half_width))
                       .only_for(patterns()));
    keys.push_back(integer("steady.max_cycles", {SteadyConfig::kShortest, kLongTime}, "cycles",
                           "maximum length of the run, warm-up included",
                           steady(&SteadyConfig::max_cycles))
                       .only_for(patterns()));
    keys.push_back(steady_warmup().only_for(patterns()));
    return keys;
}

ConfigSection steady_section() {
    ConfigSection section;
    section.path = "steady";
    section.meaning =
        "measure a pattern until its mean latency has converged, instead of traffic.warmup_cycles "
        "and traffic.measure_cycles (testbench/app/study/LOADS.md)";
    section.applies = patterns();
    section.open = [](Config& config) { config.steady.emplace(); };
    section.is_set = [](const Config& config) { return config.steady.has_value(); };
    return section;
}

ConfigSection barrier_section() {
    ConfigSection section;
    section.path = "traffic.barrier";
    section.instead = "true (or {}): a barrier at the machine's cost (ideal: nothing); false: none";
    section.meaning = "barrier between steps, ceil(per_doubling * lg(nodes) + fixed) cycles";
    section.applies = step_programs();
    section.open = [](Config& config) { barrier(config); };
    section.is_set = [](const Config& config) { return config.traffic.barrier.has_value(); };
    section.read_scalar = [](const ConfigTree& value, Config& config, const ReadContext& context) {
        const auto on = read_switch(value, context, "true, false or a map");
        if (on && *on) barrier(config);
    };
    return section;
}

void check_steady(RuleContext& context) {
    const std::optional<SteadyConfig>& steady = context.config.steady;
    constexpr Cycle kLeast = SteadyConfig::kLeastMeasured;
    if (!steady || !steady->warmup || *steady->warmup + kLeast <= steady->max_cycles) return;
    context.report(
        {context.config.where("steady.warmup"),
         fmt::format("after a warm-up of {} cycles there are fewer than {} of steady.max_cycles "
                     "left to measure",
                     *steady->warmup, kLeast),
         fmt::format("at most {}, or a larger steady.max_cycles", steady->max_cycles - kLeast)});
}

void check_traffic(RuleContext& context) {
    const Config& config = context.config;
    const TrafficConfig& traffic = config.traffic;
    context.require_node("traffic.root", traffic.root);
    const auto contradict = [&](const char* key, const char* other, const char* what) {
        if (!context.is_set(key) || !context.is_set(other)) return;
        context.report({context.key_where(other),
                        fmt::format("'{}' and '{}' both set {}", key, other, what),
                        "remove one of them"});
    };
    if (!traffic.pattern.empty() && traffic.injection_rate > config.fabric.planes) {
        context.report(
            {context.key_where("traffic.injection_rate"),
             fmt::format("'traffic.injection_rate' must be a number above 0, at most {}, "
                         "found '{}'",
                         config.fabric.planes, traffic.injection_rate),
             config.fabric.planes == 1 ? "" : "one flit per cycle on each plane"});
    }
    contradict("traffic.message_bytes", "traffic.message_lengths", "the length of messages");
    contradict("traffic.root", "traffic.hot_nodes", "the hot nodes");
    for (const NodeId node : traffic.hot_nodes) context.require_node("traffic.hot_nodes", node);
    for (Diagnostic& finding : check_collective_algorithms(config)) {
        context.report(std::move(finding));
    }
    const std::vector<std::string> choices = algorithms_of(traffic.schedule);
    if (traffic.algorithm.empty() || choices.empty()) return;
    if (std::find(choices.begin(), choices.end(), traffic.algorithm) != choices.end()) return;
    context.report({config.where("traffic.algorithm"),
                    fmt::format("schedule '{}' has no algorithm '{}'", traffic.schedule,
                                excerpt(traffic.algorithm)),
                    suggest_choice(traffic.algorithm, choices)});
}

}  // namespace flitscope
