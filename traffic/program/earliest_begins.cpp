// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plays a program by the rules of "Node programs" (hw/TIMING.md) on a network in which messages
// meet only at the nodes. All times are lower bounds: each is a maximum of such times plus the
// minimum that the contract adds.
#include "traffic/program/earliest_begins.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "models/base/flat_map.h"
#include "models/config/hardware_config.h"
#include "models/performance/link_load.h"
#include "models/performance/saturating.h"
#include "models/performance/zero_load_paths.h"
#include "traffic/program/envelope.h"
#include "traffic/program/operations.h"

namespace flitscope {
namespace {

/// In longer programs all operations are taken to begin in cycle 0: the state of each for this
/// would take more memory than their run does.
constexpr std::size_t kMostPlayed = std::size_t{1} << 20;

/// Earliest times of one message.
struct Times {
    Cycle path = 0;       ///< from the injection of a flit to its ejection
    Cycle injected = 0;   ///< its tail
    Cycle delivered = 0;  ///< its tail
};

class Player {
public:
    Player(const Program& program, ProgramFlows& messages, const HardwareConfig& config,
           ZeroLoadPaths& paths)
        : program_(program),
          messages_(messages),
          config_(config),
          message_(config),
          paths_(paths),
          pace_(config.fabric),
          load_(paths, &pace_),
          shares_channel_(!config.node.has_channels_per_link() && config.fabric.planes == 1 &&
                          !config.fabric.switches_circuits()),
          in_order_(shares_channel_ && !config.fabric.has_classes()),
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
        const Flow message = messages_[id];
        messages_.set_begin(id, begin);
        Times times;
        const ZeroLoadPath path =
            paths_.shortest(message.source, message.destination, message.first);
        times.path = path.cycles;
        Cycle head = in_order_ ? channel_free_[message.source] : 0;
        head -= std::min(head, begin);  // counted from the start of the send
        times.injected =
            std::max(last_flit, saturating_add(begin, message_.injected(message.flits, head)));
        times.delivered =
            std::max(saturating_add(last_flit, path.cycles),
                     saturating_add(begin, message_.delivered(message.flits, path, head)));
        if (in_order_ && message.flits != 0) {
            Cycle& free = channel_free_[message.source];
            free = std::max(free, saturating_add(times.injected, 1));
        }
        return times;
    }

    /// The cycle in which a node that waits for the message continues.
    Cycle received(const Times& times) const {
        return saturating_add(times.delivered, Cycle{config_.node.recv_overhead} + 1);
    }

    void play_steps() {
        const MessageOrder order = step_order(program_);
        std::vector<Cycle> next(program_.nodes, 0);  // the start of each node's next step
        std::vector<Inflow> inflow(program_.nodes);
        for (std::size_t first = 0; first < order.size();) {
            std::size_t last = first;
            const StepId step = program_.transfers.step(order[first]);
            while (last < order.size() && program_.transfers.step(order[last]) == step) ++last;
            play_step(order, first, last, next, inflow);
            first = last;
        }
    }

    /// The arrivals at a node in a step.
    struct Inflow {
        Cycle first = kNever;     ///< the first flit of all
        std::uint64_t flits = 0;  ///< flits of all messages
    };

    void play_step(const MessageOrder& order, std::size_t first, std::size_t last,
                   std::vector<Cycle>& next, std::vector<Inflow>& inflow) {
        const Cycle wait = config_.node.recv_overhead;
        sent_.clear();
        for (std::size_t i = first; i < last; ++i) {
            const Flow message = messages_[order[i]];
            sent_.push_back(send(order[i], next[message.source]));
            Inflow& in = inflow[message.destination];
            const Cycle head =
                saturating_add(saturating_add(next[message.source], config_.node.send_overhead),
                               sent_.back().path);
            in.first = std::min(in.first, head);
            in.flits = saturating_add(in.flits, message.flits);
        }
        Cycle end = 0;  // end of the step
        const auto goes_on = [&](NodeId node, Cycle cycle) {
            next[node] = std::max(next[node], cycle);
            end = std::max(end, cycle);
        };
        for (std::size_t i = first; i < last; ++i) {
            const Flow message = messages_[order[i]];
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

    /// The cycle in which all nodes may continue after a step with a barrier before it, by the
    /// flits of the busiest link: all of them are sent after the barrier and a startup.
    Cycle link_time(const MessageOrder& order, std::size_t first, std::size_t last) {
        if (!paths_.are_fixed()) return 0;
        Cycle busy = 0;
        for (std::uint32_t plane = 0; plane < config_.fabric.planes; ++plane) {
            load_.clear();
            for (std::size_t i = first; i < last; ++i) {
                const Flow message = messages_[order[i]];
                if (message.plane != plane) continue;
                load_.add(message.source, message.destination, message.flits, message.first);
            }
            busy = std::max(busy, load_.busy_until());
        }
        const Cycle begin = messages_.begin(order[first]);
        const Cycle before = saturating_add(begin, config_.node.send_overhead);
        return saturating_add(saturating_add(before, busy), config_.node.recv_overhead);
    }

    /// A message is delayed only by its predecessors, and a receive takes the first of all messages
    /// that it could: which one it will be depends on the network.
    void play_operations() {
        const Operations& operations = *program_.operations;
        if (operations.size() > kMostPlayed) return;
        EarliestOperations earliest(operations);
        earliest.play(*this);
        if (earliest.has_sent_all()) return;
        // Something waits for what never comes: it begins no earlier than its own node lets it.
        const std::vector<Cycle> at_least = earliest_begins(operations, config_.node.send_overhead);
        for (OperationId id = 0; id < operations.size(); ++id) {
            const Operation& operation = operations[id];
            if (operation.kind != Operation::Kind::kSend) continue;
            const Cycle begin = messages_.begin(operation.message);
            messages_.set_begin(operation.message, std::max(begin, at_least[id]));
        }
    }

    /// An early time of everything that the operations do. Messages arrive in the order of these
    /// times, since a receive takes the first; everything else follows as soon as it is known when
    /// it happens.
    class EarliestOperations {
    public:
        explicit EarliestOperations(const Operations& operations)
            : operations_(operations),
              ready_(operations.size(), 0),
              awaited_(operations.size(), 0),
              next_(operations.size(), kNoOperation) {
            for (OperationId id = 0; id < awaited_.size(); ++id) {
                awaited_[id] = operations.waits(id);
                const Operation& operation = operations[id];
                if (operation.kind == Operation::Kind::kSend) ++unsent_;
                if (operation.kind != Operation::Kind::kReceive) continue;
                has_any_source_ = has_any_source_ || operation.source == kAnySource;
                has_any_tag_ = has_any_tag_ || operation.tag == kAnyTag;
            }
        }

        void play(Player& player) {
            for (NodeId node = 0; node < operations_.nodes(); ++node) {
                for (OperationId id = operations_.first(node); id < operations_.last(node); ++id) {
                    // Those that become ready meanwhile are begun by those that they waited for.
                    if (operations_.waits(id) == 0) begin_all(node, id, player);
                }
            }
            while (!arrivals_.empty()) {
                const Arrival arrival = arrivals_.top();
                arrivals_.pop();
                arrive(arrival, player);
            }
        }
        bool has_sent_all() const { return unsent_ == 0; }

    private:
        struct Arrival {
            Cycle cycle = 0;
            OperationId send = 0;
            friend bool operator>(const Arrival& a, const Arrival& b) { return a.cycle > b.cycle; }
        };
        struct Matching {
            Cycle first = kNever;               // from then on a message is there
            OperationId posted = kNoOperation;  // without one, the last; next_ has those before
        };

        void happened(OperationId id, Cycle cycle, bool is_begin) {
            operations_.visit_successors(id, [&](const Successor& successor) {
                if (successor.on_begin != is_begin) return;
                const OperationId next = successor.operation;
                ready_[next] = std::max(ready_[next], cycle);
                if (--awaited_[next] == 0) open_.push_back(next);
            });
        }
        void complete(OperationId id, Cycle cycle) { happened(id, cycle, false); }

        /// An operation begins, and all of its node that do with it.
        void begin_all(NodeId node, OperationId first, Player& player) {
            open_.push_back(first);
            begin_open(node, player);
        }
        void begin_open(NodeId node, Player& player) {
            while (!open_.empty()) {
                const OperationId id = open_.back();
                open_.pop_back();
                begin(node, id, ready_[id], player);
            }
        }

        void begin(NodeId node, OperationId id, Cycle cycle, Player& player) {
            const Operation& operation = operations_[id];
            happened(id, cycle, true);
            switch (operation.kind) {
                case Operation::Kind::kCompute:
                    complete(id, saturating_add(cycle, operation.cycles));
                    break;
                case Operation::Kind::kSend: {
                    --unsent_;
                    const Times times = player.send_alone(operation.message, cycle);
                    complete(id, operations_.completion == SendCompletion::kInjected
                                     ? saturating_add(times.injected, 1)
                                     : saturating_add(cycle, player.config_.node.send_overhead));
                    arrivals_.push({saturating_add(times.delivered, 1), id});
                    break;
                }
                case Operation::Kind::kReceive: {
                    Matching& matching = keys_[{node, operation.source, operation.tag}];
                    if (matching.first == kNever) {
                        next_[id] = std::exchange(matching.posted, id);
                    } else {
                        receive(id, matching.first, player);
                    }
                    break;
                }
            }
        }

        void receive(OperationId id, Cycle arrival, Player& player) {
            const Cycle both = std::max(ready_[id], arrival);
            complete(id, saturating_add(both, player.config_.node.recv_overhead));
        }

        void arrive(const Arrival& arrival, Player& player) {
            const Operation& operation = operations_[arrival.send];
            const NodeId from = player.program_.transfers.source(operation.message);
            const NodeId node = player.program_.transfers.destination(operation.message);
            for (const NodeId source : {from, kAnySource}) {
                if (source == kAnySource && !has_any_source_) continue;
                for (const std::uint32_t tag : {operation.tag, kAnyTag}) {
                    if (tag == kAnyTag && !has_any_tag_) continue;
                    Matching& matching = keys_[{node, source, tag}];
                    if (matching.first != kNever) continue;
                    matching.first = arrival.cycle;
                    for (OperationId id = matching.posted; id != kNoOperation; id = next_[id]) {
                        receive(id, arrival.cycle, player);
                    }
                }
            }
            begin_open(node, player);
        }

        const Operations& operations_;
        std::vector<Cycle> ready_;            // as far as known
        std::vector<std::uint32_t> awaited_;  // dependencies that have not happened
        std::size_t unsent_ = 0;
        bool has_any_source_ = false;  // some receive
        bool has_any_tag_ = false;
        std::vector<OperationId> open_;  // they begin in cycles that are known
        std::vector<OperationId> next_;  // of receives with one key
        FlatMap<Envelope, Matching, EnvelopeHash> keys_;
        std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals_;
    };

    /// The send of `id` begins; whatever its node sends else is not in its way.
    Times send_alone(MessageId id, Cycle begin) {
        const Flow message = messages_[id];
        messages_.set_begin(id, std::max(message.begin, begin));
        const ZeroLoadPath path =
            paths_.shortest(message.source, message.destination, message.first);
        Times times;
        times.injected = saturating_add(begin, message_.injected(message.flits, 0));
        times.delivered = saturating_add(begin, message_.delivered(message.flits, path, 0));
        return times;
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
            MessageId before = kNobody;
            for (NodeStep entry = nodes.first(node); !entry.is_end();
                 entry = nodes.next(node, entry)) {
                const MessageId id = nodes.sends[entry.first_send];
                if (before != kNobody) {
                    next_at_node[before] = id;
                    ++awaited[id];
                }
                before = id;
            }
        }
        for (MessageId id = 0; id < messages_.size(); ++id) {
            awaited[id] += static_cast<std::uint32_t>(program_.transfers.after(id).size());
            for (const MessageId other : program_.transfers.after(id)) ++followers[other + 1];
            if (awaited[id] == 0) ready.push_back(id);
        }
        for (std::size_t i = 1; i < followers.size(); ++i) followers[i] += followers[i - 1];
        std::vector<MessageId> follower(followers.back());
        std::vector<std::uint32_t> at(followers.begin(), followers.end() - 1);
        for (MessageId id = 0; id < messages_.size(); ++id) {
            for (const MessageId other : program_.transfers.after(id)) follower[at[other]++] = id;
        }
        struct AtLeast {
            Cycle begin = 0;
            Cycle last_flit = 0;  // injected
        };
        std::vector<AtLeast> at_least(messages_.size());
        while (!ready.empty()) {
            const MessageId id = ready.back();
            ready.pop_back();
            const Times times = send(id, std::max(at_least[id].begin, program_.transfers.time(id)),
                                     at_least[id].last_flit);
            const auto lets_go = [&](MessageId waiting) {
                if (--awaited[waiting] == 0) ready.push_back(waiting);
            };
            if (const MessageId next = next_at_node[id]; next != kNobody) {
                at_least[next].begin = std::max(at_least[next].begin, messages_.begin(id));
                lets_go(next);
            }
            for (std::uint32_t i = followers[id]; i < followers[id + 1]; ++i) {
                const MessageId waiting = follower[i];
                AtLeast& later = at_least[waiting];
                if (program_.transfers.streams(waiting)) {
                    // Its last flit follows the last one of this.
                    later.last_flit = std::max(later.last_flit, saturating_add(times.delivered, 1));
                } else {
                    later.begin = std::max(later.begin, received(times));
                }
                lets_go(waiting);
            }
        }
    }

    const Program& program_;
    ProgramFlows& messages_;
    const HardwareConfig& config_;
    ZeroLoadMessage message_;
    ZeroLoadPaths& paths_;
    ChannelPace pace_;
    LinkLoad load_;  // load of a step
    /// Whether all that a node sends goes over one channel, flit by flit.
    const bool shares_channel_;
    const bool in_order_;              ///< message after message
    std::vector<Times> sent_;          // times of the messages of a step
    std::vector<Cycle> channel_free_;  // per node, with in_order_: the first cycle for a flit
};

}  // namespace

void set_earliest_begins(const Program& program, ProgramFlows& messages,
                         const HardwareConfig& config, ZeroLoadPaths& paths) {
    Player(program, messages, config, paths).play();
}

}  // namespace flitscope
