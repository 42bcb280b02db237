// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/engine/turn_planner.h"

#include <algorithm>
#include <numeric>

#include "tlm/engine/round_robin.h"
#include "tlm/engine/turn_receiver.h"

namespace flitscope::burst {
namespace {

/// The plan by the first two flits that a stream sends in the window.
StreamPlan plan_of(const Runner& runner) {
    switch (runner.count) {
        case 0:
            return {};
        case 1:
            return {runner.sent[0], 1, runner.next};
        default:
            return {runner.sent[0], runner.sent[1] - runner.sent[0], runner.end};
    }
}

/// The first cycle in which a runner does otherwise; kUnknown where it does not in the window.
Tick disagreement(const Runner& runner, const StreamPlan& plan, Tick window_end) {
    Tick expected = plan.start;
    for (std::uint32_t i = 0; i < runner.count; ++i, expected += plan.stride) {
        if (runner.sent[i] != expected) return std::min(runner.sent[i], expected);
    }
    const bool is_over = runner.count < 2 || runner.next == runner.end;
    return is_over || expected >= window_end ? kUnknown : expected;
}

/// The outlook that the window gives.
struct Outlook {
    bool is_settled;    ///< it goes on like that until a stream's surprise
    Tick settled_from;  ///< from then on flits are as ready as ever after
    Tick look_at;       ///< where it does not: up to then all go by their plans
};

/// Whether a runner is as ready in every period from `from` on; up to when.
bool settle(Runner& runner, Tick from, Tick period) {
    runner.slack = 0;
    runner.surprise = kUnknown;
    if (runner.next == runner.end) return true;
    if (runner.count < 2) {
        // It waits: can go all of the time, or not before it has been seen to wait.
        if (runner.ready <= from) {
            runner.slack = 1;
        } else {
            runner.surprise = runner.ready;
        }
        return runner.slack == 1 || runner.ready >= from + period;
    }
    const Tick stride = runner.plan.stride;
    const Tick skipped = std::max<Tick>(0, (from - runner.plan.start + stride - 1) / stride);
    const FlitIndex n = runner.next - runner.count + skipped;
    const Tick at = runner.plan.start + skipped * stride;
    runner.slack = std::min(stride - 1, at - runner.sender->ready_from(n));
    runner.surprise = runner.sender->surprise(n + 1, at + stride, stride, runner.slack);
    return runner.surprise >= from + period;
}

Outlook outlook(std::vector<Runner>& runners, Tick now, Tick window_end) {
    Tick look_at = window_end;
    Tick regular_from = now;  // every stream goes by its plan, and no flit is a last one
    Tick period = 1;
    for (Runner& runner : runners) {
        runner.plan = plan_of(runner);
        if (runner.count == 0) continue;
        look_at = std::min(look_at, disagreement(runner, runner.plan, window_end));
        if (runner.plan.start > now && !runner.sender->has_begun()) {
            look_at = std::min(look_at, runner.plan.start);
        }
        if (runner.count == 1 || runner.next == runner.end) {
            regular_from = std::max(regular_from, runner.sent[runner.count - 1] + 1);
        } else {
            regular_from = std::max(regular_from, runner.plan.start - runner.plan.stride + 1);
            period = std::lcm(period, runner.plan.stride);
        }
    }
    // The pointers are the same after two periods in which the same flits go.
    const Tick settled_from = regular_from + period;
    bool is_settled = look_at == window_end && settled_from + period <= window_end;
    for (Runner& runner : runners) {
        is_settled = is_settled && settle(runner, settled_from, period);
    }
    return {is_settled, settled_from, look_at};
}

void follow(std::vector<Runner>& runners, const Outlook& outlook, Tick now) {
    for (Runner& runner : runners) runner.sender->follow(runner.plan, now);
    for (Runner& runner : runners) {
        if (outlook.is_settled) {
            runner.sender->settle(outlook.settled_from, runner.slack, runner.surprise);
        } else {
            runner.sender->look_at(outlook.look_at);
        }
    }
}

/// Takes runners through the window in `step`s, and has them go on as they do there.
template <class Step>
void run_window(std::vector<Runner>& runners, Tick now, Step step) {
    Tick window_end = now + kShortWindow;
    for (Tick t = now; t < window_end; ++t) step(t);
    Outlook seen = outlook(runners, now, window_end);
    if (!seen.is_settled && seen.look_at == window_end) {
        for (window_end = now + kWindow; seen.look_at < window_end; ++seen.look_at) {
            step(seen.look_at);
        }
        seen = outlook(runners, now, window_end);
    }
    follow(runners, seen, now);
}

}  // namespace

void plan_alone(TurnSender& sender, Tick now) {
    // Mostly it goes on in every cycle, or waits.
    const FlitIndex next = sender.next(now);
    const Tick ready = sender.ready_from(next);
    if (ready >= now + kWindow) {
        sender.follow({}, now);
        sender.settle(now, 0, ready);
        return;
    }
    const Tick surprise = ready <= now ? sender.surprise(next, now, 1, 0) : now;
    if (surprise >= now + kWindow) {
        sender.follow({now, 1, sender.end()}, now);
        sender.settle(now, 0, surprise);
        return;
    }
    static thread_local std::vector<Runner> runners;
    runners.clear();
    runners.emplace_back(sender, now);
    run_window(runners, now, [](Tick t) {
        if (runners.back().ready <= t) runners.back().advance(t);
    });
}

void Switch::take_up(const TurnSender& sender, Tick now) {
    const Tick last = sender.last_sent(now);
    const TurnReceiver& source = *sender.source();
    TurnPort& input = inputs_[source.port()];
    if (last > input.moved) {
        input.moved = last;
        input.pointer = one_past(source.vc(), vcs_);
    }
    TurnPort& output = outputs_[sender.port()];
    if (last > output.moved) {
        output.moved = last;
        output.pointer = one_past(source.port(), static_cast<std::uint32_t>(inputs_.size()));
    }
}

void Switch::plan(const std::vector<TurnSender*>& group, Tick now) {
    if (group.size() == 1) {
        plan_alone(*group.front(), now);
        return;
    }
    runners_.clear();
    for (TurnSender* const sender : group) {
        take_up(*sender, now);
        runners_.emplace_back(*sender, now);
    }
    for (Runner& runner : runners_) {
        const TurnReceiver& source = *runner.sender->source();
        runner.port = source.port();
        runner.vc = source.vc();
        runner.input = &inputs_[runner.port];
        runner.output = &outputs_[runner.sender->port()];
        runner.input->turn = runner.input->pointer;
        runner.output->turn = runner.output->pointer;
    }
    run_window(runners_, now, [this](Tick t) { step(t); });
}

/// Requests a port of the switch: the runner is chosen if it is next in turn.
void Switch::ask(TurnPort& port, std::uint32_t distance, const Runner& runner) const {
    if (port.asked == steps_ && port.nearest < distance) return;
    port.asked = steps_;
    port.nearest = distance;
    port.chosen = &runner;
}

void Switch::step(Tick t) {
    const auto ports = static_cast<std::uint32_t>(inputs_.size());
    ++steps_;
    for (const Runner& runner : runners_) {
        if (runner.ready > t) continue;
        ask(*runner.input, steps_to(runner.input->turn, runner.vc, vcs_), runner);
    }
    for (const Runner& runner : runners_) {
        if (runner.input->asked != steps_ || runner.input->chosen != &runner) continue;
        ask(*runner.output, steps_to(runner.output->turn, runner.port, ports), runner);
    }
    for (Runner& runner : runners_) {
        if (runner.output->asked != steps_ || runner.output->chosen != &runner) continue;
        runner.output->turn = one_past(runner.port, ports);
        runner.input->turn = one_past(runner.vc, vcs_);
        runner.advance(t);
    }
}

}  // namespace flitscope::burst
