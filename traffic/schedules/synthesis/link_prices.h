// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The load of links, in rounds, by chunks whose ways are laid one after the other, and the cost of
// one more chunk over them, exponential in the load. That is how ways avoid links that are full,
// and how the dual of a concurrent flow is approached (Garg and Könemann 1998).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "traffic/schedules/synthesis/neighbours.h"

namespace flitscope::synthesis {

class LinkPrices {
public:
    /// Measure of how even the loads are: the largest, and how many links have it.
    struct Rank {
        std::uint64_t most = 0;
        std::uint64_t links = 0;
        bool operator<(const Rank& other) const {
            return std::tie(most, links) < std::tie(other.most, other.links);
        }
    };

    /// Prices of links without load, each by its rounds per chunk. No price is below `least`.
    LinkPrices(const std::vector<NeighbourLink>& links, double least)
        : least_(least), load_(links.size()), price_(links.size()) {
        rounds_.reserve(links.size());
        for (const NeighbourLink& link : links) rounds_.push_back(link.rounds);
    }

    Rank rank() const {
        Rank result;
        for (const std::uint64_t load : load_) result.most = std::max(result.most, load);
        for (const std::uint64_t load : load_) result.links += load == result.most ? 1 : 0;
        return result;
    }
    std::uint64_t load(std::uint32_t link) const { return load_[link]; }
    const std::vector<std::uint64_t>& loads() const { return load_; }
    double price(std::uint32_t link) const { return price_[link]; }

    /// From now on the chunk that brings a link to a load of `scale` costs 1, and `least`.
    void set_scale(std::uint64_t scale) {
        scale_ = scale;
        steepness_ = std::max(16.0 / static_cast<double>(std::max<std::uint64_t>(scale_, 1)), 0.25);
        for (std::size_t l = 0; l < load_.size(); ++l) price_[l] = price_of(load_[l] + rounds_[l]);
    }
    std::uint64_t scale() const { return scale_; }

    void add(const std::vector<std::uint32_t>& links) { change(links, 1); }
    void remove(const std::vector<std::uint32_t>& links) { change(links, -1); }

private:
    double price_of(std::uint64_t load) const {
        const double above = static_cast<double>(load) - static_cast<double>(scale_);
        return least_ + std::exp2(above * steepness_);
    }
    void change(const std::vector<std::uint32_t>& links, int by) {
        for (const std::uint32_t l : links) {
            load_[l] += static_cast<std::uint64_t>(by) * rounds_[l];
            price_[l] = price_of(load_[l] + rounds_[l]);
        }
    }

    double least_;
    std::vector<std::uint32_t> rounds_;
    std::vector<std::uint64_t> load_;
    std::vector<double> price_;
    std::uint64_t scale_ = 0;
    double steepness_ = 1;
};

}  // namespace flitscope::synthesis
