// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/chunk_trees.h"

#include <algorithm>
#include <queue>
#include <random>
#include <utility>

#include "traffic/schedules/synthesis/under_way.h"

namespace flitscope::synthesis {
namespace {

/// A chunk over a link.
struct TreeTask {
    std::uint32_t link = 0;
    std::uint32_t chunk = 0;
    bool combines = false;
};

/// All transfers of all trees, and which of them wait for which.
class TreeTasks {
public:
    TreeTasks(const std::vector<ChunkTrees>& trees, const Neighbours& network) {
        constexpr std::uint32_t kNone = UINT32_MAX;
        // Per node, of one chunk: the task by which it hands on the combined chunk, and the one by
        // which it gets the result.
        std::vector<std::uint32_t> hands_on(network.nodes, kNone);
        std::vector<std::uint32_t> gets(network.nodes, kNone);
        for (std::uint32_t chunk = 0; chunk < trees.size(); ++chunk) {
            const ChunkTrees& tree = trees[chunk];
            const auto first = static_cast<std::uint32_t>(tasks.size());
            for (const std::uint32_t l : tree.combining) {
                hands_on[network.links[l].from] = static_cast<std::uint32_t>(tasks.size());
                tasks.push_back({l, chunk, true});
            }
            const auto middle = static_cast<std::uint32_t>(tasks.size());
            for (const std::uint32_t l : tree.spreading) {
                gets[network.links[l].to] = static_cast<std::uint32_t>(tasks.size());
                tasks.push_back({l, chunk, false});
            }
            std::vector<std::uint32_t> last;  // last of those that combine, into the root
            for (std::uint32_t t = first; t < middle; ++t) {
                const NodeId to = network.links[tasks[t].link].to;
                if (to == tree.root) {
                    last.push_back(t);
                } else {
                    orders.emplace_back(t, hands_on[to]);
                }
            }
            for (std::uint32_t t = middle; t < tasks.size(); ++t) {
                const NodeId from = network.links[tasks[t].link].from;
                if (from == tree.root) {
                    for (const std::uint32_t before : last) orders.emplace_back(before, t);
                } else {
                    orders.emplace_back(gets[from], t);
                }
            }
        }
    }

    std::vector<TreeTask> tasks;  ///< those of a chunk in an order in which they can be done
    std::vector<std::pair<std::uint32_t, std::uint32_t>> orders;  ///< the first before the second
};

class ListScheduler {
public:
    ListScheduler(const std::vector<ChunkTrees>& trees, const Neighbours& network, double stagger,
                  bool is_backwards, std::uint64_t seed)
        : network_(network), is_backwards_(is_backwards), all_(trees, network) {
        const std::size_t count = all_.tasks.size();
        if (is_backwards) {
            for (auto& [before, after] : all_.orders) std::swap(before, after);
        }
        waits_for_.resize(count);
        first_.resize(count + 2);
        for (const auto& [before, after] : all_.orders) {
            ++waits_for_[after];
            ++first_[before + 2];
        }
        for (std::size_t t = 2; t < first_.size(); ++t) first_[t] += first_[t - 1];
        behind_.resize(all_.orders.size());
        for (const auto& [before, after] : all_.orders) behind_[first_[before + 1]++] = after;
        all_.orders = {};
        set_due_times(trees, stagger, seed);
    }

    std::vector<std::vector<ChunkMove>> rounds() {
        ready_.resize(network_.links.size());
        for (std::uint32_t t = 0; t < all_.tasks.size(); ++t) {
            if (waits_for_[t] == 0) make_ready(t);
        }
        std::vector<std::vector<ChunkMove>> rounds;
        UnderWay<std::uint32_t> tasks(network_);
        std::size_t left = all_.tasks.size();
        while (left != 0) {
            std::vector<ChunkMove> round;
            for (std::uint32_t l = 0; l < ready_.size(); ++l) {
                if (ready_[l].empty() || !tasks.is_free(l)) continue;
                const std::uint32_t t = ready_[l].top().second;
                ready_[l].pop();
                tasks.carry(l, t);
                const TreeTask& task = all_.tasks[t];
                round.push_back(move_over(network_.links[l], task.chunk, task.combines));
            }
            for (const std::uint32_t t : tasks.end_round()) {
                --left;
                for (std::uint32_t i = first_[t]; i < first_[t + 1]; ++i) {
                    if (--waits_for_[behind_[i]] == 0) make_ready(behind_[i]);
                }
            }
            rounds.push_back(std::move(round));
        }
        return is_backwards_ ? reversed_in_time(std::move(rounds)) : rounds;
    }

private:
    /// The chunk due first is at the top.
    using Queue =
        std::priority_queue<std::pair<double, std::uint32_t>,
                            std::vector<std::pair<double, std::uint32_t>>, std::greater<>>;

    std::uint32_t rounds_of(std::uint32_t t) const {
        return network_.links[all_.tasks[t].link].rounds;
    }
    void make_ready(std::uint32_t t) { ready_[all_.tasks[t].link].emplace(due_[t], t); }

    void set_due_times(const std::vector<ChunkTrees>& trees, double stagger, std::uint64_t seed) {
        std::mt19937_64 random(seed);
        const std::size_t count = all_.tasks.size();
        std::vector<std::uint32_t> way(count);  // rounds from this task to the end, without waiting
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t t = is_backwards_ ? i : count - 1 - i;
            for (std::uint32_t b = first_[t]; b < first_[t + 1]; ++b) {
                way[t] = std::max(way[t], way[behind_[b]] + rounds_of(behind_[b]));
            }
        }
        due_.resize(count);
        for (std::size_t t = 0; t < count; ++t) {
            const double begin = stagger * trees[all_.tasks[t].chunk].begin;
            const double noise = static_cast<double>(random() >> 11) / 9007199254740992.0;
            due_[t] = (is_backwards_ ? -begin : begin) - way[t] + noise;
        }
    }

    const Neighbours& network_;
    bool is_backwards_;
    TreeTasks all_;
    std::vector<std::uint32_t> waits_for_;  // how many, of each task
    std::vector<std::uint32_t> first_;      // range of a task in behind_
    std::vector<std::uint32_t> behind_;     // tasks that wait for it
    std::vector<double> due_;
    std::vector<Queue> ready_;  // per link
};

}  // namespace

std::vector<std::vector<ChunkMove>> tree_rounds(const std::vector<ChunkTrees>& trees,
                                                const Neighbours& network, double stagger,
                                                bool is_backwards, std::uint64_t seed) {
    return ListScheduler(trees, network, stagger, is_backwards, seed).rounds();
}

std::uint64_t largest_load(const std::vector<ChunkTrees>& trees, const Neighbours& network) {
    std::vector<std::uint64_t> load(network.links.size());
    std::uint64_t most = 0;
    for (const ChunkTrees& tree : trees) {
        for (const auto* const links : {&tree.combining, &tree.spreading}) {
            for (const std::uint32_t l : *links) {
                most = std::max(most, load[l] += network.links[l].rounds);
            }
        }
    }
    return most;
}

}  // namespace flitscope::synthesis
