// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/matching.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "traffic/schedules/synthesis/under_way.h"

namespace flitscope::synthesis {
namespace {

constexpr std::uint64_t kNothing = UINT64_MAX;
constexpr std::uint32_t kNoIndex = UINT32_MAX;

class Matcher {
public:
    Matcher(const Task& task, const Neighbours& network, std::uint64_t seed)
        : task_(task),
          network_(network),
          random_(seed),
          chunks_(task.chunk_count()),
          words_((chunks_ + 63) / 64),
          have_(task.nodes * words_),
          promised_(task.nodes * words_),
          holders_(chunks_),
          noise_(chunks_),
          missing_(task.nodes),
          sends_from_(task.nodes),
          receives_from_(task.nodes),
          carried_(network) {
        for (const NodeId node : task.members) missing_[node] = chunks_;
        for (std::uint64_t chunk = 0; chunk < chunks_; ++chunk) {
            give(have_, task.origin(chunk), chunk);
            give(promised_, task.origin(chunk), chunk);
            --missing_[task.origin(chunk)];
            holders_[chunk] = 1;
        }
        for (const NodeId node : task.members) all_missing_ += missing_[node];
    }

    bool is_done() const { return all_missing_ == 0 && carried_.is_empty(); }
    /// Whether no round will bring anything new to anybody.
    bool is_stuck() const { return carried_.is_empty() && !has_news_; }

    std::vector<ChunkMove> round() {
        for (std::uint32_t& noise : noise_) noise = static_cast<std::uint32_t>(random_());
        taken_.clear();
        if (network_.has_channels_per_link) {
            fill_all_links();
        } else {
            match_nodes();
        }
        std::vector<ChunkMove> moves;
        for (const Taken& taken : taken_) {
            moves.push_back(move_over(network_.links[taken.link], taken.chunk));
            carried_.carry(taken.link, taken);
        }
        // Arrivals of this round cannot be passed on in it.
        const std::vector<Taken> arrived = carried_.end_round();
        for (const Taken& taken : arrived) {
            give(have_, network_.links[taken.link].to, taken.chunk);
        }
        has_news_ = !arrived.empty();
        all_missing_ -= moves.size();
        return moves;
    }

private:
    struct Taken {
        std::uint32_t link = 0;
        std::uint64_t chunk = 0;
    };

    void give(std::vector<std::uint64_t>& sets, NodeId node, std::uint64_t chunk) const {
        sets[node * words_ + chunk / 64] |= std::uint64_t{1} << chunk % 64;
    }
    std::uint64_t useful(const NeighbourLink& link, std::size_t word) const {
        return have_[link.from * words_ + word] & ~promised_[link.to * words_ + word];
    }
    /// Chunks that the link could carry from this round on.
    std::uint64_t count_useful(std::uint32_t number) const {
        const NeighbourLink& link = network_.links[number];
        const std::size_t now = carried_.now();
        if (!carried_.is_free(number) || sends_from_[link.from] > now ||
            receives_from_[link.to] > now) {
            return 0;
        }
        std::uint64_t sum = 0;
        for (std::size_t w = 0; w < words_; ++w) sum += __builtin_popcountll(useful(link, w));
        return sum;
    }

    /// The rarest chunk that is useful over the link; among equally rare ones a random one.
    std::uint64_t rarest(const NeighbourLink& link) const {
        std::uint64_t best = kNothing;
        std::uint64_t least = UINT64_MAX;
        for (std::size_t w = 0; w < words_; ++w) {
            for (std::uint64_t set = useful(link, w); set != 0; set &= set - 1) {
                const std::uint64_t chunk = 64 * w + __builtin_ctzll(set);
                const std::uint64_t rank = holders_[chunk] << 32 | noise_[chunk];
                if (rank < least) {
                    least = rank;
                    best = chunk;
                }
            }
        }
        return best;
    }

    void take(std::uint32_t number, std::uint64_t chunk) {
        const NeighbourLink& link = network_.links[number];
        taken_.push_back({number, chunk});
        if (!network_.has_channels_per_link) {
            sends_from_[link.from] = carried_.now() + link.rounds;
            receives_from_[link.to] = carried_.now() + link.rounds;
        }
        give(promised_, link.to, chunk);
        ++holders_[chunk];
        --missing_[link.to];
    }

    /// Every node gets a chunk over as many of its links as can be: those with the least choice
    /// first, and if nothing is left for a link another one takes a different chunk.
    void fill_all_links() {
        std::vector<NodeId> order = task_.members;
        std::shuffle(order.begin(), order.end(), random_);
        std::vector<std::pair<std::uint64_t, std::uint32_t>> links;
        for (const NodeId node : order) {
            if (missing_[node] == 0) continue;
            links.clear();
            for (const std::uint32_t l : network_.in[node]) {
                const std::uint64_t choice = count_useful(l);
                if (choice != 0) links.emplace_back(choice, l);
            }
            std::sort(links.begin(), links.end());
            const std::size_t first = taken_.size();
            for (const auto& [choice, l] : links) {
                const NeighbourLink& link = network_.links[l];
                std::uint64_t chunk = rarest(link);
                if (chunk == kNothing) chunk = make_room(link, first);
                if (chunk != kNothing) take(l, chunk);
            }
        }
    }

    /// Has another link of the receiver, whose moves begin at `first`, take another chunk, so that
    /// this one can take its. kNothing if none can.
    std::uint64_t make_room(const NeighbourLink& link, std::size_t first) {
        for (std::size_t t = first; t < taken_.size(); ++t) {
            const std::uint64_t wanted = taken_[t].chunk;
            const bool has_it = (have_[link.from * words_ + wanted / 64] >> wanted % 64 & 1) != 0;
            if (!has_it) continue;
            const NeighbourLink& other = network_.links[taken_[t].link];
            const std::uint64_t instead = rarest(other);
            if (instead == kNothing) continue;
            taken_[t].chunk = instead;
            give(promised_, other.to, instead);
            ++holders_[instead];
            --holders_[wanted];
            return wanted;
        }
        return kNothing;
    }

    /// Nodes send at most one chunk and receive at most one: a maximum matching of senders and
    /// receivers, those that lack most first.
    void match_nodes() {
        std::vector<std::vector<std::uint32_t>> useful_links(task_.nodes);
        for (const NodeId node : task_.members) {
            for (const std::uint32_t l : network_.in[node]) {
                if (count_useful(l) != 0) useful_links[node].push_back(l);
            }
            std::shuffle(useful_links[node].begin(), useful_links[node].end(), random_);
        }
        std::vector<NodeId> order = task_.members;
        std::shuffle(order.begin(), order.end(), random_);
        std::stable_sort(order.begin(), order.end(),
                         [&](NodeId a, NodeId b) { return missing_[a] > missing_[b]; });
        link_of_sender_.assign(task_.nodes, kNoIndex);
        visited_.assign(task_.nodes, kNoIndex);
        for (const NodeId node : order) augment(node, node, useful_links);
        for (const NodeId node : task_.members) {
            if (link_of_sender_[node] == kNoIndex) continue;
            const std::uint32_t l = link_of_sender_[node];
            take(l, rarest(network_.links[l]));
        }
    }

    /// An augmenting path from a receiver; `search` numbers the search.
    bool augment(NodeId receiver, NodeId search,
                 const std::vector<std::vector<std::uint32_t>>& useful_links) {
        for (const std::uint32_t l : useful_links[receiver]) {
            const NodeId sender = network_.links[l].from;
            if (visited_[sender] == search) continue;
            visited_[sender] = search;
            const std::uint32_t taken = link_of_sender_[sender];
            if (taken == kNoIndex || augment(network_.links[taken].to, search, useful_links)) {
                link_of_sender_[sender] = l;
                return true;
            }
        }
        return false;
    }

    const Task& task_;
    const Neighbours& network_;
    std::mt19937_64 random_;
    std::uint64_t chunks_;
    std::size_t words_;
    std::vector<std::uint64_t> have_;      // a set of chunks for every node
    std::vector<std::uint64_t> promised_;  // with what is under way to it
    std::vector<std::uint64_t> holders_;
    std::vector<std::uint32_t> noise_;
    std::vector<std::uint64_t> missing_;
    std::uint64_t all_missing_ = 0;
    // The rounds from which nodes with one channel send and receive chunks.
    std::vector<std::size_t> sends_from_;
    std::vector<std::size_t> receives_from_;
    std::vector<Taken> taken_;  // in this round
    UnderWay<Taken> carried_;
    bool has_news_ = false;  // something arrived in the last round
    std::vector<std::uint32_t> link_of_sender_;
    std::vector<NodeId> visited_;
};

}  // namespace

std::optional<std::vector<std::vector<ChunkMove>>> spread_by_matching(const Task& task,
                                                                      const Neighbours& network,
                                                                      std::uint64_t seed,
                                                                      std::size_t most_rounds) {
    Matcher matcher(task, network, seed);
    std::vector<std::vector<ChunkMove>> rounds;
    while (!matcher.is_done()) {
        if (rounds.size() == most_rounds) return std::nullopt;
        rounds.push_back(matcher.round());
        if (matcher.is_stuck()) return std::nullopt;
    }
    return rounds;
}

}  // namespace flitscope::synthesis
