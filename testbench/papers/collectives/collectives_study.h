// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the study of broadcasts and all-reduces measures: networks, sizes and algorithms, and the
// outcomes by these.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "testbench/papers/frame/paper.h"

namespace flitscope::reproduce::library_collectives {

inline constexpr std::uint32_t kNodes = 64;
inline constexpr std::uint64_t kStartup = 1000;  // cycles
inline constexpr std::uint64_t kReceive = 100;
inline constexpr std::uint64_t kHop = 3;  // cycles on a network of one link
inline constexpr std::uint64_t kFlitBytes = 8;

struct Network {
    std::string name;
    std::string yaml;
};

const std::vector<Network>& networks();

// Of messages that a claim calls short, long or very long, in bytes: sizes to this one, from this
// one on, and this one.
inline constexpr std::uint64_t kShort = 2048;
inline constexpr std::uint64_t kLong = 512 << 10;
inline constexpr std::uint64_t kVeryLong = 64 << 20;

/// Of messages, in bytes.
const std::vector<std::uint64_t>& sizes();

/// Those that run on every network.
std::vector<std::string> algorithms(const std::string& schedule);

/// The experiment's key.
std::string key(const std::string& schedule, const std::string& algorithm, const Network& network,
                std::uint64_t bytes);
std::vector<Experiment> experiments();

std::string text_of(double bytes);

/// What was measured of one operation on one network.
class Study {
public:
    Study(const Outcomes& outcomes, std::string schedule, const Network& network)
        : outcomes_(&outcomes),
          schedule_(std::move(schedule)),
          network_(network),
          names_(algorithms(schedule_)) {}

    const std::string& schedule() const { return schedule_; }
    const Network& network() const { return network_; }
    const std::vector<std::string>& names() const { return names_; }

    const Outcome& outcome(const std::string& algorithm, std::uint64_t bytes) const {
        return outcomes_->at(key(schedule_, algorithm, network_, bytes));
    }
    /// Of one of the runs whose causes are recorded.
    Breakdown breakdown(const std::string& algorithm, std::uint64_t bytes) const;
    double cycles(const std::string& algorithm, std::uint64_t bytes) const {
        return static_cast<double>(outcome(algorithm, bytes).cycles);
    }
    /// The fastest; of equals the one that is listed first.
    const std::string& best(std::uint64_t bytes) const {
        return *std::min_element(names_.begin(), names_.end(),
                                 [&](const std::string& a, const std::string& b) {
                                     return cycles(a, bytes) < cycles(b, bytes);
                                 });
    }
    /// As fast as the best.
    bool is_best(const std::string& algorithm, std::uint64_t bytes) const {
        return cycles(algorithm, bytes) == cycles(best(bytes), bytes);
    }

private:
    const Outcomes* outcomes_;
    std::string schedule_;
    Network network_;
    std::vector<std::string> names_;
};

/// What to choose up to which size: "dimension_order to about 20.9 KB, then scatter_doubling".
std::string choice(const Study& study);

/// The time without contention: steps of a startup, a header, a hop and a receipt, and the flits
/// that the busiest node sends or receives one after the other. Pieces of a pipeline follow each
/// other without a hop and a receipt between them.
std::uint64_t model(const Study& study, const std::string& algorithm, std::uint64_t bytes);

std::vector<Conclusion> conclusions(const std::vector<Study>& broadcasts,
                                    const std::vector<Study>& allreduces);

}  // namespace flitscope::reproduce::library_collectives
