// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plays a program by the rules of "Node programs" (hw/TIMING.md) on a network in which messages
// meet at the nodes alone. All times are early: each is a maximum of such times plus what the
// contract adds at least.
#include "traffic/program/earliest_begins.h"

#include <algorithm>
#include <cstddef>

#include "models/performance/idle_latency.h"
#include "models/performance/link_load.h"
#include "models/performance/saturating.h"
#include "traffic/program/operations.h"

namespace flitscope {
namespace {

/// Earliest times of one message.
struct Times {
    Cycle path = 0;       ///< from the injection of a flit to its ejection
    Cycle injected = 0;   ///< its tail
    Cycle delivered = 0;  ///< its tail
};

class Player {
public:
    Player(const Program& program, std::vector<Flow>& messages, const Config& config,
           IdlePaths& paths)
        : program_(program),
          messages_(messages),
          config_(config),
          message_(config),
          paths_(paths),
          pace_(config.fabric),
          load_(paths, &pace_),
          shares_channel_(!config.node.has_channels_per_link() &&
                          !config.fabric.switches_circuits()),
          channel_free_(program.nodes, 0) {}

    void play() {
        switch (program_.ordering) {
            case Ordering::kSteps:
                play_steps();
                return;
            case Ordering::kTimed:
                play_timed();
                return;
            case Ordering::kOperations:
                play_operations();
                return;
        }
    }

private:
    /// The send of `id` begins; those before it in the queue of its node are known. Its tail is not
    /// injected before `last_flit`.
    Times send(MessageId id, Cycle begin, Cycle last_flit = 0) {
        Flow& message = messages_[id];
        message.begin = begin;
        Times times;
        const IdlePath path = paths_.shortest(message.source, message.destination, message.first);
        times.path = path.cycles;
        Cycle head = shares_channel_ ? channel_free_[message.source] : 0;
        head -= std::min(head, begin);  // counted from the begin of the send
        times.injected =
            std::max(last_flit, saturating_add(begin, message_.injected(message.flits, head)));
        times.delivered =
            std::max(saturating_add(last_flit, path.cycles),
                     saturating_add(begin, message_.delivered(message.flits, path, head)));
        if (shares_channel_ && message.flits != 0) {
            Cycle& free = channel_free_[message.source];
            free = std::max(free, saturating_add(times.injected, 1));
        }
        return times;
    }

    /// When a node that waits for the message to arrive goes on.
    Cycle received(const Times& times) const {
        return saturating_add(times.delivered, Cycle{config_.node.recv_overhead} + 1);
    }

    void play_steps() {
        const std::vector<MessageId> order = step_order(program_);
        std::vector<Cycle> next(program_.nodes, 0);  // the begin of each node's next step
        std::vector<Inflow> inflow(program_.nodes);
        for (std::size_t first = 0; first < order.size();) {
            std::size_t last = first;
            const StepId step = program_.transfers[order[first]].step;
            while (last < order.size() && program_.transfers[order[last]].step == step) ++last;
            play_step(order, first, last, next, inflow);
            first = last;
        }
    }

    /// What arrives at a node in a step.
    struct Inflow {
        Cycle first = kNever;     ///< the first flit of all
        std::uint64_t flits = 0;  ///< of all messages
    };

    void play_step(const std::vector<MessageId>& order, std::size_t first, std::size_t last,
                   std::vector<Cycle>& next, std::vector<Inflow>& inflow) {
        const Cycle wait = config_.node.recv_overhead;
        sent_.clear();
        for (std::size_t i = first; i < last; ++i) {
            const Flow& message = messages_[order[i]];
            sent_.push_back(send(order[i], next[message.source]));
            Inflow& in = inflow[message.destination];
            const Cycle head = saturating_add(
                saturating_add(next[message.source], config_.node.send_startup), sent_.back().path);
            in.first = std::min(in.first, head);
            in.flits = saturating_add(in.flits, message.flits);
        }
        Cycle end = 0;  // of the step
        const auto goes_on = [&](NodeId node, Cycle cycle) {
            next[node] = std::max(next[node], cycle);
            end = std::max(end, cycle);
        };
        for (std::size_t i = first; i < last; ++i) {
            const Flow& message = messages_[order[i]];
            goes_on(message.source, saturating_add(sent_[i - first].injected, 1));
            goes_on(message.destination, received(sent_[i - first]));
            // One flit per cycle leaves the network at a node.
            Inflow& in = inflow[message.destination];
            if (shares_channel_ && in.flits != 0) {
                goes_on(message.destination,
                        saturating_add(saturating_add(in.first, in.flits), wait));
            }
            in = {};
        }
        if (program_.barrier_cycles) {
            end = std::max(end, link_time(order, first, last));
            const Cycle all = saturating_add(end, *program_.barrier_cycles);
            std::fill(next.begin(), next.end(), all);
        }
    }

    /// When all nodes may go on that a step with a barrier before it keeps waiting for the flits of
    /// the busiest link: all of them are sent behind the barrier and a startup.
    Cycle link_time(const std::vector<MessageId>& order, std::size_t first, std::size_t last) {
        if (!paths_.are_fixed()) return 0;
        load_.clear();
        for (std::size_t i = first; i < last; ++i) {
            const Flow& message = messages_[order[i]];
            load_.add(message.source, message.destination, message.flits, message.first);
        }
        const Cycle begin = messages_[order[first]].begin;
        const Cycle before = saturating_add(begin, config_.node.send_startup);
        return saturating_add(saturating_add(before, load_.busy_until()),
                              config_.node.recv_overhead);
    }

    /// By what comes before at the same node alone: which message a receive takes is not known.
    void play_operations() {
        const Operations& operations = *program_.operations;
        const std::vector<Cycle> begins = earliest_begins(operations, config_.node.send_startup);
        for (OperationId id = 0; id < operations.all.size(); ++id) {
            const Operation& operation = operations.all[id];
            if (operation.kind == Operation::Kind::kSend) {
                messages_[operation.message].begin = begins[id];
            }
        }
    }

    void play_timed() {
        const NodePrograms nodes(program_);
        // A message waits for the one before it at its node and for those in `after`.
        std::vector<std::uint32_t> awaited(messages_.size(), 0);
        std::vector<std::uint32_t> followers(messages_.size() + 1, 0);
        constexpr MessageId kNobody = UINT32_MAX;
        std::vector<MessageId> next_at_node(messages_.size(), kNobody);
        std::vector<MessageId> ready;
        for (NodeId node = 0; node < program_.nodes; ++node) {
            for (std::uint32_t i = nodes.first_step[node]; i < nodes.first_step[node + 1]; ++i) {
                const MessageId id = nodes.sends[nodes.steps[i].first_send];
                if (i != nodes.first_step[node]) {
                    const MessageId before = nodes.sends[nodes.steps[i - 1].first_send];
                    next_at_node[before] = id;
                    ++awaited[id];
                }
            }
        }
        for (MessageId id = 0; id < messages_.size(); ++id) {
            awaited[id] += static_cast<std::uint32_t>(program_.transfers[id].after.size());
            for (const MessageId other : program_.transfers[id].after) ++followers[other + 1];
            if (awaited[id] == 0) ready.push_back(id);
        }
        for (std::size_t i = 1; i < followers.size(); ++i) followers[i] += followers[i - 1];
        std::vector<MessageId> follower(followers.back());
        std::vector<std::uint32_t> at(followers.begin(), followers.end() - 1);
        for (MessageId id = 0; id < messages_.size(); ++id) {
            for (const MessageId other : program_.transfers[id].after) follower[at[other]++] = id;
        }
        std::vector<Cycle> begin(messages_.size());
        std::vector<Cycle> last_flit(messages_.size(), 0);
        while (!ready.empty()) {
            const MessageId id = ready.back();
            ready.pop_back();
            const Times times =
                send(id, std::max(begin[id], program_.transfers[id].time), last_flit[id]);
            const auto lets_go = [&](MessageId waiting) {
                if (--awaited[waiting] == 0) ready.push_back(waiting);
            };
            if (const MessageId next = next_at_node[id]; next != kNobody) {
                begin[next] = std::max(begin[next], messages_[id].begin);
                lets_go(next);
            }
            for (std::uint32_t i = followers[id]; i < followers[id + 1]; ++i) {
                const MessageId waiting = follower[i];
                if (program_.transfers[waiting].streams) {
                    // Its last flit follows the last one of this.
                    last_flit[waiting] =
                        std::max(last_flit[waiting], saturating_add(times.delivered, 1));
                } else {
                    begin[waiting] = std::max(begin[waiting], received(times));
                }
                lets_go(waiting);
            }
        }
    }

    const Program& program_;
    std::vector<Flow>& messages_;
    const Config& config_;
    IdleMessage message_;
    IdlePaths& paths_;
    ChannelPace pace_;
    LinkLoad load_;  // of a step
    /// All that a node sends goes over one channel, flit by flit.
    const bool shares_channel_;
    std::vector<Times> sent_;          // of the messages of a step
    std::vector<Cycle> channel_free_;  // per node, with shares_channel_: the first cycle for a flit
};

}  // namespace

void set_earliest_begins(const Program& program, std::vector<Flow>& messages, const Config& config,
                         IdlePaths& paths) {
    Player(program, messages, config, paths).play();
}

}  // namespace flitscope
