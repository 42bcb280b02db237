// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What each operation of a program waits for: the successors that Operations lists, the other way
// round.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "traffic/program/operations.h"

namespace flitscope {

class OperationDependencies {
public:
    /// `operations`, fewer than 2^31, must outlive this object.
    explicit OperationDependencies(const Operations& operations)
        : operations_(operations), first_(operations.size() + 1, 0) {
        for (OperationId id = 0; id < operations.size(); ++id) {
            first_[id + 1] = first_[id] + operations.waits(id);
        }
        all_.resize(first_.back());
        std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
        operations.visit_nodes([&](NodeId node) {
            for (OperationId on = operations.first(node); on < operations.last(node); ++on) {
                operations.visit_successors(on, [&](const Successor& successor) {
                    all_[next[successor.operation]++] = on << 1U | (successor.on_begin ? 1U : 0U);
                });
            }
        });
        for (OperationId id = 0; id < operations.size(); ++id) {
            std::sort(all_.begin() + static_cast<std::ptrdiff_t>(first_[id]),
                      all_.begin() + static_cast<std::ptrdiff_t>(first_[id + 1]));
        }
    }

    /// Whether one waits for another to begin, or to complete.
    bool depends(OperationId id, OperationId on) const {
        return has(id, on << 1U) || has(id, on << 1U | 1U);
    }
    /// Whether one waits for another to complete.
    bool is_for_end(OperationId id, OperationId on) const { return has(id, on << 1U); }
    /// Whether one is not ready before another keeps its stream. A receive begins when it is
    /// posted.
    bool is_ready_after(OperationId id, OperationId on) const {
        return operations_[on].kind == Operation::Kind::kReceive ? is_for_end(id, on)
                                                                 : depends(id, on);
    }
    /// Whether one waits for nothing that another does not wait for, too.
    bool are_among_those_of(OperationId id, OperationId other) const {
        const auto [first, end] = of(id);
        const auto [other_first, other_end] = of(other);
        // Otherwise it would take long to look through many for each of many others.
        if (end - first > other_end - other_first) return false;
        return std::includes(other_first, other_end, first, end);
    }

private:
    using Place = std::vector<std::uint32_t>::const_iterator;

    std::pair<Place, Place> of(OperationId id) const {
        return {all_.begin() + static_cast<std::ptrdiff_t>(first_[id]),
                all_.begin() + static_cast<std::ptrdiff_t>(first_[id + 1])};
    }
    bool has(OperationId id, std::uint32_t one) const {
        const auto [first, end] = of(id);
        return std::binary_search(first, end, one);
    }

    const Operations& operations_;
    std::vector<std::uint64_t> first_;
    std::vector<std::uint32_t> all_;  // per operation: number of another, and whether to begin
};

}  // namespace flitscope
