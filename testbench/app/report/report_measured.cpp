// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The load of a pattern while it was measured, and whether that was too much.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "models/base/rounded.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/report/node_flits.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/report/report_parts.h"
#include "traffic/program/program_report.h"

namespace flitscope {
namespace {

/// steady.max_cycles with which enough is measured for two evaluations, the second one of a series
/// half as long again; without a given warm-up half of it is left out.
Cycle cycles_to_measure(const SteadyConfig& goal, const SteadyOutcome& steady) {
    return goal.warmup ? *goal.warmup + 2 * steady.least : 4 * steady.least;
}

std::string steady_cycles_text(const SteadyOutcome& steady) {
    return fmt::format("{} cycles measured after {} of warm-up", grouped(steady.cycles),
                       grouped(steady.warmup));
}

/// Why a run ended whose steady state is not known.
std::string end_text(const SteadyConfig& goal, const SimulationResult& run) {
    const std::string max_cycles = fmt::format("steady.max_cycles = {}", grouped(goal.max_cycles));
    const Cycle last_look = goal.max_cycles / kSteadyWindow * kSteadyWindow;
    if (run.simulated_cycles > last_look) return max_cycles + " reached";
    const std::string cycle = grouped(run.simulated_cycles);
    return run.verdict == Verdict::kComplete
               ? fmt::format("no message begins from cycle {} up to {}", cycle, max_cycles)
               : fmt::format("the run ended in cycle {}, before {}", cycle, max_cycles);
}

/// "+-0.84 %", as far as the batches can say.
std::string reached_text(const statistics::Estimate& mean) {
    const double half_width = mean.relative_half_width();
    if (!mean.is_sound || !std::isfinite(half_width)) return "no interval yet";
    return fmt::format("+-{:.2g} %", 100 * half_width);
}

}  // namespace

StepTime step_time(const SimulationResult& run, const StepReport& step) {
    StepTime time = step.step < run.step_times.size() ? run.step_times[step.step] : StepTime{};
    if (time.flits < step.flits) time.end = kNever;
    return time;
}

std::optional<bool> is_overloaded(const SimulationResult& run) {
    if (run.steady) {
        if (run.steady->status == SteadyStatus::kNotConverged) return std::nullopt;
        return run.steady->status == SteadyStatus::kUnstable;
    }
    if (!run.measured || !run.measured->is_whole) return std::nullopt;
    return run.measured->is_overloaded();
}

bool is_short_measurement(const SimulationResult& run) {
    constexpr std::uint64_t kFewest = 100;   // the mean of so many is known to about 10 %
    constexpr double kFewestLatencies = 10;  // what begins or ends outside is then a tenth
    if (run.steady || !run.measured || !run.measured->is_whole) return false;
    const auto cycles = static_cast<double>(run.window.length());
    return run.latency.count() < kFewest || cycles < kFewestLatencies * run.latency.mean();
}

std::string outcome_text(const SimulationResult& run) {
    if (run.verdict != Verdict::kComplete) return name_of(run.verdict);
    if (is_overloaded(run).value_or(false)) return run.steady ? kUnstable : kOverloaded;
    if (run.steady && run.steady->status == SteadyStatus::kNotConverged) return kNotSteady;
    return name_of(run.verdict);
}

void print_measured(std::ostream& out, const Machine& machine, const MeasuredTraffic& measured) {
    std::string offered =
        rate_text(measured.offered()) + " flits/node/cycle generated while measuring";
    std::string accepted =
        rate_text(measured.accepted()) + " flits/node/cycle delivered while measuring";
    if (measured.senders != measured.nodes) {
        offered += fmt::format(", {} by each of the {} nodes that send",
                               rate_text(measured.offered_by_senders()), measured.senders);
        accepted += fmt::format(", {} of each", rate_text(measured.accepted_of_senders()));
    }
    offered += fmt::format(" (configured: {})", rounded(machine.config.traffic.injection_rate));
    print_line(out, "offered", offered);
    print_line(out, "accepted", accepted);
    if (measured.generated.dropped != 0) {
        print_line(out, "dropped",
                   fmt::format("{} messages to failed nodes while measuring",
                               grouped(measured.generated.dropped)));
    }
}

void print_steady(std::ostream& out, const Machine& machine, const SteadyOutcome& steady) {
    if (steady.status != SteadyStatus::kStable) return;
    print_line(out, "steady state",
               fmt::format("mean latency {:.2f} +- {:.2f} cycles ({} confidence), {}",
                           steady.latency.mean, steady.latency.half_width,
                           percent(machine.config.steady->confidence), steady_cycles_text(steady)));
}

void print_load_warnings(std::ostream& out, const Machine& machine, const SimulationResult& run) {
    if (run.measured && run.measured->is_overloaded()) {
        const MeasuredTraffic& measured = *run.measured;
        print_line(out, kOverloaded,
                   fmt::format("{} of {} flits that were generated while measuring piled up: more "
                               "is offered",
                               grouped(static_cast<std::uint64_t>(measured.backlog_growth())),
                               grouped(measured.flits_generated())));
        print_line(out, "",
                   "than accepted, and latencies grow with the measurement (traffic/README.md)");
        if (const auto range = injected_range(machine, run)) {
            print_line(out, "injected by node",
                       fmt::format("from {} (node {}) to {} (node {}) flits/cycle while measuring",
                                   rate_text(range->least.rate), range->least.node,
                                   rate_text(range->most.rate), range->most.node));
        }
    }
    if (is_short_measurement(run) && !run.measured->is_overloaded()) {
        print_line(
            out, kShort,
            fmt::format(
                "{} message{} measured in {} cycles, {:.1f} times their mean latency: "
                "the mean depends on the seed",
                grouped(run.latency.count()), run.latency.count() == 1 ? "" : "s",
                grouped(run.window.length()),
                static_cast<double>(run.window.length()) / std::max(run.latency.mean(), 1.0)));
        print_line(out, "",
                   "(raise traffic.measure_cycles, or measure until it is known: --set steady={})");
    }
    if (!run.steady) return;
    const SteadyOutcome& steady = *run.steady;
    const SteadyConfig& goal = *machine.config.steady;
    if (steady.status == SteadyStatus::kUnstable) {
        print_line(out, kUnstable,
                   fmt::format("the backlog grows without bound: there is no steady state, and "
                               "latencies are meaningless ({})",
                               steady_cycles_text(steady)));
    } else if (steady.status == SteadyStatus::kNotConverged) {
        std::string reason = end_text(goal, run);
        if (run.measured) {
            reason += run.latency.count() == 0 ? ": nothing was delivered while measuring"
                      : steady.cycles < steady.least
                          ? fmt::format(
                                ": mean latency {:.2f}, of too few cycles to show bursts or "
                                "rare messages",
                                steady.latency.mean)
                          : fmt::format(": mean latency {:.2f}, known within {}, not +-{}",
                                        steady.latency.mean, reached_text(steady.latency),
                                        percent(goal.half_width));
            reason += fmt::format(" ({})", steady_cycles_text(steady));
        }
        print_line(out, kNotSteady, reason);
        if (run.measured && steady.cycles < steady.least) {
            print_line(out, "",
                       fmt::format("(at least {} cycles have to be measured: --set "
                                   "steady.max_cycles={})",
                                   grouped(steady.least), cycles_to_measure(goal, steady)));
        }
    }
}

}  // namespace flitscope
