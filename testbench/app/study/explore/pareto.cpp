// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/pareto.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace flitscope::study {

bool dominates(const Objectives& a, const Objectives& b) { return dominates(a, b.data()); }

bool dominates(const Objectives& a, const double* b) {
    bool is_better = false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] > b[i]) return false;
        is_better = is_better || a[i] < b[i];
    }
    return is_better;
}

std::vector<std::size_t> pareto_front(const std::vector<Objectives>& designs) {
    // In this order no design is dominated by a later one.
    std::vector<std::size_t> order(designs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return designs[a] < designs[b]; });
    Front front;
    std::vector<std::size_t> result;
    for (const std::size_t id : order) {
        if (front.dominator(designs[id])) continue;
        front.add(id, designs[id]);
        result.push_back(id);
    }
    std::sort(result.begin(), result.end());
    return result;
}

void Front::add(std::size_t id, const Objectives& objectives) {
    if (dominator(objectives)) return;
    members_.erase(std::remove_if(members_.begin(), members_.end(),
                                  [&](const Member& member) {
                                      return dominates(objectives, member.objectives);
                                  }),
                   members_.end());
    members_.push_back({id, objectives});
}

std::optional<std::size_t> Front::dominator(const Objectives& objectives) const {
    const auto it = std::find_if(members_.begin(), members_.end(), [&](const Member& member) {
        return dominates(member.objectives, objectives);
    });
    return it == members_.end() ? std::nullopt : std::optional(it->id);
}

}  // namespace flitscope::study
