// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The synthetic patterns: destinations by name and keys.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "traffic/patterns/destinations.h"
#include "traffic/patterns/rng.h"

namespace flitscope {

class Graph;
struct WorkloadConfig;
struct TrafficConfig;

/// A pattern: the destinations of messages, and the offered load of each node. The permutations are
/// those of permutations.h, in which nodes in addition to the grid neither send nor receive; in all
/// other patterns they are nodes like any other;
/// - uniform: every other node alike, never the node itself;
/// - random_permutation: one other node, drawn from `seed`;
/// - hotspot: with probability `hotspot_fraction` to `hot_nodes`, each of them except the sender
///   alike, otherwise uniform. `root` is a region of one node, which itself always sends uniformly;
/// - mixed: every message by one of the patterns of `mix`, drawn by weight among those in which its
///   node sends;
/// - matrix: by the weights of a file, whose row sums are the offered loads.
class Pattern {
public:
    /// The pattern that `config.traffic` names. Throws ConfigError when the network does not have
    /// the shape the pattern needs, or when it would send nothing at all.
    Pattern(const WorkloadConfig& config, const Graph& graph);

    /// Whether `node` takes part; a node that the pattern maps to itself sends nothing, and neither
    /// does a dead node.
    bool sends(NodeId node) const {
        return nodes_ > 1 && !is_dead(node) && destinations_->sends(node);
    }
    /// Whether the node is dead: messages to it are dropped.
    bool is_dead(NodeId node) const { return !dead_.empty() && dead_[node]; }
    /// A dead node that would send or receive, if there is one.
    std::optional<NodeId> dead_party() const;
    /// The destination of the next message of `source`, never itself, dead or not; sends(source)
    /// must hold.
    NodeId destination(NodeId source, Rng& rng) const { return destinations_->draw(source, rng); }
    /// Whether the destination is a function of only the source.
    bool fixed() const { return destinations_->are_fixed(); }
    /// Nodes that take part, and not only to have everything dropped.
    NodeId senders() const;
    /// The share of the messages of `node`, which takes part, that is not dropped.
    double kept(NodeId node) const { return kept_.empty() ? 1 : kept_[node]; }
    /// The share of the messages of `source`, which takes part, that are sent to `destination`.
    double share(NodeId source, NodeId destination) const {
        return is_dead(destination) ? 0 : destinations_->share(source, destination);
    }
    /// The load that `node` offers as a share of injection_rate, dropped messages included; 0 if it
    /// does not take part.
    double offered(NodeId node) const { return sends(node) ? destinations_->offered(node) : 0; }
    /// The sum of that over all nodes, without dropped messages.
    double offered() const;
    /// The load that each node receives, in the unit of offered().
    ReceivedRates received() const;

private:
    NodeId nodes_;
    std::vector<bool> dead_;    // empty: all are alive
    std::vector<double> kept_;  // empty: everything
    std::unique_ptr<const Destinations> destinations_;
};

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
/// Whether the pattern, or a part of a mixed one, reads `traffic.` + `key`.
bool pattern_reads(const TrafficConfig& traffic, const std::string& key);
/// The patterns that a mix may consist of: all but the mix itself.
std::vector<std::string> mix_parts();

}  // namespace flitscope
