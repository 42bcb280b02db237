// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/wait_graph.h"

namespace flitscope {
namespace {

constexpr std::uint32_t kNobody = UINT32_MAX;

/// Every stuck FIFO waits for stuck ones only, so walking from one must come round.
std::vector<WaitingPacket> walk(const std::vector<WaitGraph::Fifo>& fifos, std::uint32_t start) {
    std::vector<WaitingPacket> path;
    std::vector<std::uint32_t> seen_at(fifos.size(), kNobody);
    std::uint32_t f = start;
    while (seen_at[f] == kNobody) {
        seen_at[f] = static_cast<std::uint32_t>(path.size());
        path.push_back(fifos[f].packet);
        f = fifos[f].alternatives.front();
    }
    path.erase(path.begin(), path.begin() + seen_at[f]);
    return path;
}

}  // namespace

std::vector<WaitingPacket> WaitGraph::deadlocked_cycle() const {
    std::vector<bool> stuck(fifos.size());
    std::vector<std::vector<std::uint32_t>> waiters(fifos.size());
    std::vector<std::uint32_t> free;
    for (std::uint32_t f = 0; f < fifos.size(); ++f) {
        stuck[f] = fifos[f].waits;
        if (!stuck[f]) free.push_back(f);
        for (const std::uint32_t other : fifos[f].alternatives) waiters[other].push_back(f);
    }
    while (!free.empty()) {
        const std::uint32_t f = free.back();
        free.pop_back();
        for (const std::uint32_t waiter : waiters[f]) {
            if (!stuck[waiter]) continue;
            stuck[waiter] = false;
            free.push_back(waiter);
        }
    }
    for (std::uint32_t f = 0; f < fifos.size(); ++f) {
        if (stuck[f]) return walk(fifos, f);
    }
    return {};
}

}  // namespace flitscope
