// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/handshake.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace flitscope {
namespace {

/// Finds the exchanges of one step after the other.
class Partners {
public:
    explicit Partners(const Program& program)
        : program_(program), only_send_(program.nodes, kNoMessage), sends_(program.nodes) {}

    /// Which of `step`, the messages of a step, have one that goes the other way.
    std::vector<MessageId> exchanged(const std::vector<MessageId>& step) {
        for (const MessageId id : step) {
            const NodeId source = program_.transfers[id].source;
            only_send_[source] = id;
            ++sends_[source];
        }
        std::vector<MessageId> found;
        for (const MessageId id : step) {
            const Transfer& transfer = program_.transfers[id];
            const MessageId back = only_send_[transfer.destination];
            if (sends_[transfer.source] != 1 || sends_[transfer.destination] != 1) continue;
            if (program_.transfers[back].destination == transfer.source) found.push_back(id);
        }
        for (const MessageId id : step) {
            only_send_[program_.transfers[id].source] = kNoMessage;
            sends_[program_.transfers[id].source] = 0;
        }
        return found;
    }

private:
    const Program& program_;
    std::vector<MessageId> only_send_;  // per node: its send of the step, the last of several
    std::vector<std::uint32_t> sends_;  // per node
};

/// The smallest numbers that no message of a program has, one after the other.
class FreeNumbers {
public:
    explicit FreeNumbers(std::vector<std::uint64_t> taken) : taken_(std::move(taken)) {
        std::sort(taken_.begin(), taken_.end());
    }

    std::uint64_t next() {
        while (at_ < taken_.size() && taken_[at_] == next_) {
            ++at_;
            ++next_;
        }
        return next_++;
    }

private:
    std::vector<std::uint64_t> taken_;
    std::size_t at_ = 0;  // the first one that is next_ or more
    std::uint64_t next_ = 0;
};

/// Whether partners have anything to agree on.
bool takes_handshakes(const Program& program) {
    // Nodes that compute send to neighbours that do not send back in the same step.
    return program.ordering == Ordering::kSteps && !program.barrier_cycles &&
           program.computation == nullptr;
}

}  // namespace

Program with_handshakes(const Program& program) {
    if (!takes_handshakes(program)) return program;
    Program result;
    result.name = program.name;
    result.nodes = program.nodes;
    result.ordering = program.ordering;
    result.dropped = program.dropped;
    result.dropped_dead = program.dropped_dead;
    const MessageOrder order = step_order(program);
    Partners partners(program);
    const bool has_numbers = !program.numbers.empty();
    FreeNumbers free(program.numbers);
    std::vector<MessageId> renumbered(program.transfers.size());
    StepId inserted = 0;
    for (std::size_t first = 0; first < order.size();) {
        const StepId step = program.transfers[order[first]].step;
        std::size_t end = first;
        while (end < order.size() && program.transfers[order[end]].step == step) ++end;
        std::vector<MessageId> ids;
        for (std::size_t i = first; i < end; ++i) ids.push_back(order[i]);
        const std::vector<MessageId> exchanged = partners.exchanged(ids);
        for (const MessageId id : exchanged) {
            Transfer greeting{program.transfers[id].source, program.transfers[id].destination, 0,
                              step + inserted};
            greeting.message_class = program.transfers[id].message_class;
            if (has_numbers) result.numbers.push_back(free.next());
            result.transfers.push_back(std::move(greeting));
            result.handshakes.push_back(true);
        }
        if (!exchanged.empty()) result.handshake_steps.push_back(step + inserted++);
        for (const MessageId id : ids) {
            renumbered[id] = static_cast<MessageId>(result.transfers.size());
            Transfer transfer = program.transfers[id];
            transfer.step = step + inserted;
            if (has_numbers) result.numbers.push_back(program.number(id));
            result.transfers.push_back(transfer);
            result.handshakes.push_back(false);
        }
        first = end;
    }
    result.transfers.change_all([&](Transfer& transfer) {
        for (MessageId& awaited : transfer.after) awaited = renumbered[awaited];
    });
    return result;
}

}  // namespace flitscope
