// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/explain/slack.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "models/performance/saturating.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/explain/message_limits.h"
#include "testbench/app/explain/program_times.h"

namespace flitscope {
namespace {

/// Goes back over a program, from what comes last.
class BackwardPass {
public:
    BackwardPass(const Machine& machine, const ProgramTimes& times, Cycle makespan)
        : program_(*machine.program),
          nodes_(times.nodes()),
          times_(times),
          recv_overhead_(machine.config.node.recv_overhead),
          makespan_(makespan),
          limits_(machine, times, makespan),
          begins_(nodes_.steps.size(), 0),
          ends_(nodes_.steps.size(), 0),
          later_begin_(nodes_.steps.size(), kNever),
          later_end_(nodes_.steps.size(), kNever),
          next_(nodes_.steps.size(), kNone),
          next_send_(nodes_.steps.size(), kNone) {
        for (NodeId node = 0; node < program_.nodes; ++node) {
            std::uint32_t next = kNone;
            std::uint32_t next_send = kNone;
            for (std::uint32_t at = nodes_.first_step[node + 1]; at-- > nodes_.first_step[node];) {
                next_[at] = next;
                next_send_[at] = next_send;
                next = at;
                if (nodes_.steps[at].send_count != 0) next_send = at;
            }
        }
    }

    void run() {
        program_.ordering == Ordering::kTimed ? go_back_over_sends() : go_back_over_steps();
    }

    /// Slack of a node's step: how much later it may begin and end.
    Cycle slack(std::uint32_t at) const { return std::min(later_begin_[at], later_end_[at]); }
    Cycle begin(std::uint32_t at) const { return begins_[at]; }
    Cycle end(std::uint32_t at) const { return ends_[at]; }

private:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    Cycle until_makespan(Cycle cycle) const { return makespan_ - std::min(cycle, makespan_); }
    /// The cycle after the receive of a message.
    Cycle received(MessageId id) const { return times_.of(id).delivered + recv_overhead_ + 1; }
    static void lower(Cycle& limit, Cycle to) { limit = std::min(limit, to); }

    void go_back_over_sends() {
        std::vector<std::uint32_t> order(nodes_.steps.size());
        std::iota(order.begin(), order.end(), 0U);
        for (const std::uint32_t at : order) {
            const MessageId id = nodes_.sends[nodes_.steps[at].first_send];
            begins_[at] = times_.of(id).begin;
            ends_[at] = times_.of(id).delivered + 1;
        }
        // Sends of one node that begin in one cycle go from the last to the first.
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return begins_[a] != begins_[b] ? begins_[a] > begins_[b] : a > b;
        });
        for (const std::uint32_t at : order) {
            const NodeStep& step = nodes_.steps[at];
            const MessageId id = nodes_.sends[step.first_send];
            Cycle& later = later_begin_[at];
            if (next_[at] != kNone) {
                const Cycle later_next = later_begin_[next_[at]];
                later = saturating_add(later_next, begins_[next_[at]] - begins_[at]);
                limits_.lower_by_next(id, later_next);
            }
            lower(later, limits_[id]);
            for (std::uint32_t r = 0; r < step.receive_count; ++r) {
                const MessageId before = nodes_.receives[step.first_receive + r];
                limits_.lower(before, saturating_add(later, begins_[at] - received(before)));
            }
        }
    }

    void go_back_over_steps() {
        // Those of one number together, from the last to the first.
        std::map<StepId, std::vector<std::uint32_t>> steps;
        for (std::uint32_t at = 0; at < nodes_.steps.size(); ++at) {
            steps[nodes_.steps[at].step].push_back(at);
            ends_[at] = times_.end_of(at);
        }
        find_begins(steps);
        Cycle later_barrier = kNever;
        for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
            Cycle last = 0;
            for (const std::uint32_t at : step->second) last = std::max(last, ends_[at]);
            for (const std::uint32_t at : step->second) {
                if (program_.barrier_cycles) {
                    later_end_[at] = saturating_add(later_barrier, last - ends_[at]);
                } else if (next_[at] != kNone) {
                    later_end_[at] = later_begin_[next_[at]];
                }
                lower(later_end_[at], until_makespan(ends_[at]));
                const NodeStep& entry = nodes_.steps[at];
                for (std::uint32_t r = 0; r < entry.receive_count; ++r) {
                    const MessageId id = nodes_.receives[entry.first_receive + r];
                    limits_.lower(id, saturating_add(later_end_[at], ends_[at] - received(id)));
                }
            }
            for (const std::uint32_t at : step->second) begin_later(at);
            later_barrier = kNever;
            for (const std::uint32_t at : step->second) lower(later_barrier, later_begin_[at]);
        }
    }

    void find_begins(const std::map<StepId, std::vector<std::uint32_t>>& steps) {
        Cycle barrier = 0;
        for (const auto& [number, entries] : steps) {
            Cycle last = 0;
            for (const std::uint32_t at : entries) {
                if (program_.barrier_cycles) begins_[at] = barrier;
                if (next_[at] != kNone && !program_.barrier_cycles) begins_[next_[at]] = ends_[at];
                last = std::max(last, ends_[at]);
            }
            barrier = last + program_.barrier_cycles.value_or(0);
        }
    }

    /// Computes how much later a node's step may begin, once all that it leads to is known.
    void begin_later(std::uint32_t at) {
        const NodeStep& entry = nodes_.steps[at];
        Cycle& later = later_begin_[at];
        later = saturating_add(later_end_[at], ends_[at] - begins_[at]);
        for (std::uint32_t s = 0; s < entry.send_count; ++s) {
            const MessageId id = nodes_.sends[entry.first_send + s];
            if (next_send_[at] != kNone) limits_.lower_by_next(id, later_begin_[next_send_[at]]);
            lower(later, limits_[id]);
            const Cycle injected = times_.of(id).injected + 1;
            lower(later, saturating_add(later_end_[at], ends_[at] - injected));
        }
    }

    const Program& program_;
    const NodeSteps& nodes_;
    const ProgramTimes& times_;
    Cycle recv_overhead_;
    Cycle makespan_;
    MessageLimits limits_;
    // Per step of a node:
    std::vector<Cycle> begins_;
    std::vector<Cycle> ends_;
    std::vector<Cycle> later_begin_;
    std::vector<Cycle> later_end_;
    std::vector<std::uint32_t> next_;       // its node's next one,
    std::vector<std::uint32_t> next_send_;  // and the next one in which that sends
};

/// Adds what a node does next. Its handshakes and the exchange that follows them are one step.
void add(std::vector<NodeSlack>& nodes, const NodeSlack& one) {
    const bool is_same = one.message == kNoMessage && !nodes.empty() &&
                         nodes.back().node == one.node && nodes.back().step == one.step;
    if (!is_same) {
        nodes.push_back(one);
        return;
    }
    NodeSlack& step = nodes.back();
    step.end = one.end;
    step.slack = std::min(step.slack, one.slack);
}

}  // namespace

Slack find_slack(const Machine& machine, const ProgramTimes& times, Cycle makespan) {
    BackwardPass pass(machine, times, makespan);
    pass.run();
    const NodeSteps& nodes = times.nodes();
    const bool is_timed = machine.program->ordering == Ordering::kTimed;
    Slack slack;
    std::map<StepId, StepSlack> steps;
    std::vector<Cycle> of_message(machine.program->transfers.size(), 0);
    for (NodeId node = 0; node < machine.program->nodes; ++node) {
        for (std::uint32_t at = nodes.first_step[node]; at < nodes.first_step[node + 1]; ++at) {
            const NodeStep& entry = nodes.steps[at];
            NodeSlack one{node,         machine.program->schedule_step(entry.step),
                          kNoMessage,   pass.begin(at),
                          pass.end(at), pass.slack(at)};
            if (is_timed) one.message = nodes.sends[entry.first_send];
            add(slack.nodes, one);
            for (std::uint32_t s = 0; s < entry.send_count; ++s) {
                of_message[nodes.sends[entry.first_send + s]] = one.slack;
            }
        }
    }
    for (const NodeSlack& one : slack.nodes) {
        StepSlack& step = steps[one.step];
        step.step = one.step;
        step.begin = std::min(step.begin, one.begin);
        step.end = std::max(step.end, one.end);
        step.slack = std::min(step.slack, one.slack);
        step.most = std::max(step.most, one.slack);
        ++step.parts;
        if (one.slack != 0) ++step.parts_with_slack;
    }
    for (const auto& [number, step] : steps) slack.steps.push_back(step);
    if (machine.routing->path_choice() == PathChoice::kFixed) {
        slack.links = slack_of_links(machine, of_message);
    }
    return slack;
}

}  // namespace flitscope
