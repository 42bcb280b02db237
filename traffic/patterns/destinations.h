// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Destinations of a node's messages: a fixed node, nodes at random, the weights of a matrix, or a
// mix of these.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/base/types.h"
#include "traffic/patterns/matrix_file.h"
#include "traffic/patterns/rng.h"

namespace flitscope {

/// Sums up the rate received by every node, source by source.
class ReceivedRates {
public:
    explicit ReceivedRates(NodeId nodes) : at_(nodes) {}

    void add(NodeId node, double rate) { at_[node] += rate; }
    /// Adds a rate to every node but one.
    void add_to_others(NodeId node, double rate) {
        everywhere_ += rate;
        at_[node] -= rate;
    }
    /// Once all are added: nothing gets there.
    void remove(NodeId node) { at_[node] = -everywhere_; }
    double of(NodeId node) const { return everywhere_ + at_[node]; }

private:
    std::vector<double> at_;
    double everywhere_ = 0;
};

class Destinations {
public:
    virtual ~Destinations() = default;

    /// Whether `node` sends at all.
    virtual bool sends(NodeId node) const = 0;
    /// The destination of the next message of `source`, never itself; sends(source) must hold.
    virtual NodeId draw(NodeId source, Rng& rng) const = 0;
    /// The share of the messages of `source`, which sends, that go to `destination`.
    virtual double share(NodeId source, NodeId destination) const = 0;
    /// Adds the rates to every node from `source`, which sends at `rate`.
    virtual void add_received(NodeId source, double rate, ReceivedRates& received) const = 0;
    /// The load of `node`, which sends, as a share of that of the busiest node.
    virtual double offered(NodeId /*node*/) const { return 1; }
    /// Whether the destination is a function of only the source.
    virtual bool are_fixed() const { return false; }
};

/// One destination per node; a node whose destination is itself sends nothing.
std::unique_ptr<Destinations> fixed_destinations(std::vector<NodeId> destinations);

/// Every other node alike.
std::unique_ptr<Destinations> uniform_destinations(NodeId nodes);

/// With probability `fraction` one of `region`, each alike, otherwise every other node alike. The
/// only node of a region always sends as if there were no region.
std::unique_ptr<Destinations> hot_destinations(NodeId nodes, const std::vector<NodeId>& region,
                                               double fraction);

/// Destinations by the rows of a matrix, whose sums are the offered loads of nodes.
std::unique_ptr<Destinations> matrix_destinations(const TrafficMatrix& matrix);

/// A part of a mix, which every message may go by.
struct MixPart {
    std::unique_ptr<Destinations> destinations;
    std::uint32_t weight = 1;
};
/// Each message follows a part drawn by weight among those in which its node sends.
std::unique_ptr<Destinations> mixed_destinations(std::vector<MixPart> parts);

}  // namespace flitscope
