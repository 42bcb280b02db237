// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Synthetic open-loop traffic: each node draws messages at a given rate for destinations that a
// pattern names. Every draw is integer arithmetic on std::mt19937_64, so that a seed means the same
// traffic on every machine and in every order of evaluation.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/fabric/message.h"
#include "models/topology/graph.h"
#include "traffic/patterns/measured_traffic.h"
#include "traffic/program/program.h"

namespace flitscope {

/// The random numbers of one node. Each draw has exactly the distribution it names, up to 2^-64.
class Rng {
public:
    /// Streams of different (seed, stream) are independent: both are mixed by splitmix64 (Steele,
    /// Lea and Flood 2014).
    Rng(std::uint64_t seed, std::uint64_t stream);

    /// Uniform over all 64-bit values.
    std::uint64_t bits() { return engine_(); }
    /// Uniform over 0 .. bound-1, by rejection; bound >= 1.
    std::uint64_t below(std::uint64_t bound);

private:
    std::mt19937_64 engine_;
};

/// Number of failures before the first success of independent trials, drawn by inversion: the
/// largest k with u < (1-p)^k, the power taken in 64-bit fixed point.
class Geometric {
public:
    /// `probability` of success in (0, 1]; below 2^-64 no trial succeeds (see never()).
    explicit Geometric(double probability);

    bool never() const { return never_; }
    /// 0 .. 2^48-1.
    std::uint64_t draw(Rng& rng) const;

private:
    static constexpr std::size_t kLevels = 48;
    std::array<std::uint64_t, kLevels> powers_{};  ///< (1-p)^(2^i) * 2^64
    bool never_ = false;
};

/// Where messages go. Definitions after Dally and Towles (2004), section 3.2:
/// - uniform: every other node alike, never the node itself;
/// - transpose: the coordinates of the first half of the dimensions change places with those of the
///   second: (y, x) to (x, y) in a square mesh, halves of the address in a hypercube;
/// - bit_reverse: address bits in reverse order (power-of-two node counts);
/// - shuffle: address bits rotated left by one (power-of-two node counts);
/// - tornado: ceil(k/2) - 1 ahead in every dimension of side k, modulo k;
/// - neighbour: 1 ahead in every dimension of side k, modulo k;
/// - hotspot: to `root` with probability `hotspot_fraction`, otherwise uniform (the root itself
///   always sends uniformly).
class Pattern {
public:
    /// The pattern that `config.traffic` names. Throws ConfigError when the network does not have
    /// the shape the pattern needs, or when it would send nothing at all.
    Pattern(const Config& config, const Graph& graph);

    /// Whether `node` takes part; where the pattern maps a node to itself it sends nothing.
    bool sends(NodeId node) const;
    /// The destination of the next message of `source`, never itself; sends(source) must hold.
    NodeId destination(NodeId source, Rng& rng) const;
    /// Whether the destination is a function of the source alone.
    bool fixed() const { return !fixed_.empty(); }
    /// Nodes that take part.
    NodeId senders() const;
    /// The share of the messages of `source`, which takes part, that go to `destination`.
    double share(NodeId source, NodeId destination) const;

private:
    NodeId nodes_;
    NodeId root_ = 0;
    bool hotspot_ = false;
    double hotspot_fraction_ = 0;
    std::uint64_t hotspot_threshold_ = 0;  ///< fraction * 2^64; all ones when it is 1
    std::vector<NodeId> fixed_;            ///< per source; empty where destinations are drawn
};

/// Everything that the message streams of one run share. Checks rates and message numbers.
struct PatternTraffic {
    /// Throws ConfigError with every finding.
    PatternTraffic(const Config& config, const Graph& graph);

    Pattern pattern;
    Geometric gap;  ///< cycles without a message between two messages of a node
    NodeId nodes = 0;
    std::uint64_t bytes = 0;  ///< payload of every message
    std::uint64_t seed = 0;
    Cycle measured_from = 0;  ///< end of the warm-up
    Cycle end = 0;            ///< and of the measurement; no send begins in or after it
    /// The first cycle of the second half of the measurement.
    Cycle middle() const { return measured_from + (end - measured_from) / 2; }
};

/// The messages of one node in order of time: in every cycle before the end of generation one
/// begins with probability injection_rate / flits per message (header included). Sources of
/// different nodes do not depend on each other: the k-th message of node n has the id
/// k * nodes + n.
class PatternSource {
public:
    PatternSource(std::shared_ptr<const PatternTraffic> traffic, NodeId node);

    /// The next message and the cycle in which its send begins (strictly later than the one
    /// before); false when generation is over. Throws std::overflow_error when message ids do not
    /// suffice, which the checks of PatternTraffic make all but impossible.
    bool next(Message& message, Cycle& begin);
    /// Messages of the measurement that begin before `end`, those included that nobody has asked
    /// for; next() makes no sense any more. All of them when `end` is the end of the measurement.
    Halves generated_before(Cycle end);

private:
    bool draw();
    void count(Cycle begin, Halves& counts) const;

    std::shared_ptr<const PatternTraffic> traffic_;
    NodeId node_;
    Rng rng_;
    Cycle cycle_ = 0;
    Cycle begin_ = kNever;  // of the last message drawn
    std::uint64_t sequence_ = 0;
    Halves generated_{};  // before that one
};

/// The same traffic as data: a timed program, its transfers by time, then source. Message ids are
/// the program's own.
Program materialise(const Config& config, const Graph& graph);

struct PatternKind {
    std::string name;
    std::string summary;
    /// Keys of `traffic` that it reads and that not every pattern has.
    std::vector<std::string> keys = {};

    bool reads(const std::string& key) const;
};
const std::vector<PatternKind>& pattern_kinds();
/// The pattern of this name, or nullptr.
const PatternKind* find_pattern_kind(const std::string& pattern);

}  // namespace flitscope
