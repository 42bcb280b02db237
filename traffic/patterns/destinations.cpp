// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/destinations.h"

#include <algorithm>
#include <utility>

namespace flitscope {
namespace {

class FixedDestinations final : public Destinations {
public:
    explicit FixedDestinations(std::vector<NodeId> destinations)
        : destinations_(std::move(destinations)) {}

    bool sends(NodeId node) const override { return destinations_[node] != node; }
    NodeId draw(NodeId source, Rng&) const override { return destinations_[source]; }
    double share(NodeId source, NodeId destination) const override {
        return source != destination && destinations_[source] == destination ? 1 : 0;
    }
    void add_received(NodeId source, double rate, ReceivedRates& received) const override {
        received.add(destinations_[source], rate);
    }
    bool are_fixed() const override { return true; }

private:
    std::vector<NodeId> destinations_;
};

/// Every other node alike, except a region that receives more; it may be empty.
class RandomDestinations final : public Destinations {
public:
    RandomDestinations(NodeId nodes, std::vector<NodeId> region, double fraction)
        : nodes_(nodes),
          region_(std::move(region)),
          is_hot_(nodes),
          fraction_(fraction),
          threshold_(threshold_of(fraction)) {
        for (const NodeId node : region_) is_hot_[node] = true;
    }

    bool sends(NodeId) const override { return nodes_ > 1; }

    NodeId draw(NodeId source, Rng& rng) const override {
        const std::size_t targets = targets_of(source);
        if (targets != 0 && rng.bits() < threshold_) {
            std::size_t target = targets == 1 ? 0 : rng.below(targets);
            if (is_hot_[source]) {  // passed over: it sends nothing to itself
                const auto self = std::find(region_.begin(), region_.end(), source);
                if (target >= static_cast<std::size_t>(self - region_.begin())) ++target;
            }
            return region_[target];
        }
        const auto other = static_cast<NodeId>(rng.below(nodes_ - 1));
        return other < source ? other : other + 1;
    }

    double share(NodeId source, NodeId destination) const override {
        if (source == destination) return 0;
        const double at_random = 1.0 / (nodes_ - 1);
        const std::size_t targets = targets_of(source);
        if (targets == 0) return at_random;
        return (is_hot_[destination] ? fraction_ / static_cast<double>(targets) : 0) +
               (1 - fraction_) * at_random;
    }

    void add_received(NodeId source, double rate, ReceivedRates& received) const override {
        const std::size_t targets = targets_of(source);
        const double hot = targets == 0 ? 0 : fraction_;
        for (const NodeId node : region_) {
            if (targets != 0 && node != source) {
                received.add(node, rate * hot / static_cast<double>(targets));
            }
        }
        received.add_to_others(source, rate * (1 - hot) / (nodes_ - 1));
    }

private:
    /// Nodes of the region to which `source` can send.
    std::size_t targets_of(NodeId source) const {
        return region_.empty() ? 0 : region_.size() - (is_hot_[source] ? 1 : 0);
    }

    NodeId nodes_;
    std::vector<NodeId> region_;
    std::vector<bool> is_hot_;
    double fraction_;
    std::uint64_t threshold_;
};

class MatrixDestinations final : public Destinations {
public:
    explicit MatrixDestinations(const TrafficMatrix& matrix) : rows_(matrix.size()) {
        double most = 0;
        for (const TrafficRow& row : matrix) {
            double sum = 0;
            for (const TrafficWeight& entry : row) sum += entry.weight;
            most = std::max(most, sum);
        }
        for (std::size_t source = 0; source < matrix.size(); ++source) {
            Row& row = rows_[source];
            double sum = 0;
            for (const TrafficWeight& entry : matrix[source]) sum += entry.weight;
            row.offered = most > 0 ? sum / most : 0;
            double before = 0;
            for (const TrafficWeight& entry : matrix[source]) {
                before += entry.weight;
                row.choices.push_back(
                    {entry.destination, threshold_of(before / sum), entry.weight / sum});
            }
        }
    }

    bool sends(NodeId node) const override { return !rows_[node].choices.empty(); }

    NodeId draw(NodeId source, Rng& rng) const override {
        const std::vector<Choice>& choices = rows_[source].choices;
        const std::uint64_t drawn = rng.bits();
        // The last one takes the rounding error.
        return std::upper_bound(choices.begin(), choices.end() - 1, drawn,
                                [](std::uint64_t value, const Choice& choice) {
                                    return value < choice.threshold;
                                })
            ->destination;
    }

    double share(NodeId source, NodeId destination) const override {
        const std::vector<Choice>& choices = rows_[source].choices;
        const auto found = std::lower_bound(
            choices.begin(), choices.end(), destination,
            [](const Choice& choice, NodeId node) { return choice.destination < node; });
        return found != choices.end() && found->destination == destination ? found->share : 0;
    }

    void add_received(NodeId source, double rate, ReceivedRates& received) const override {
        for (const Choice& choice : rows_[source].choices) {
            received.add(choice.destination, rate * choice.share);
        }
    }
    double offered(NodeId node) const override { return rows_[node].offered; }

private:
    struct Choice {
        NodeId destination;
        std::uint64_t threshold;  ///< sum of the shares up to and including this one
        double share;
    };
    struct Row {
        std::vector<Choice> choices;  ///< by destination
        double offered = 0;
    };
    std::vector<Row> rows_;
};

class MixedDestinations final : public Destinations {
public:
    explicit MixedDestinations(std::vector<MixPart> parts) : parts_(std::move(parts)) {}

    bool sends(NodeId node) const override { return weight_of(node) != 0; }

    NodeId draw(NodeId source, Rng& rng) const override {
        std::uint64_t drawn = rng.below(weight_of(source));
        const MixPart* part = nullptr;
        for (const MixPart& candidate : parts_) {
            if (!candidate.destinations->sends(source)) continue;
            part = &candidate;
            if (drawn < candidate.weight) break;
            drawn -= candidate.weight;
        }
        return part->destinations->draw(source, rng);
    }

    double share(NodeId source, NodeId destination) const override {
        double sum = 0;
        for (const MixPart& part : parts_) {
            if (!part.destinations->sends(source)) continue;
            sum += part.weight * part.destinations->share(source, destination);
        }
        return sum / static_cast<double>(weight_of(source));
    }

    void add_received(NodeId source, double rate, ReceivedRates& received) const override {
        const auto all = static_cast<double>(weight_of(source));
        for (const MixPart& part : parts_) {
            if (!part.destinations->sends(source)) continue;
            part.destinations->add_received(source, rate * part.weight / all, received);
        }
    }

private:
    /// Weight of the parts in which `node` sends.
    std::uint64_t weight_of(NodeId node) const {
        std::uint64_t sum = 0;
        for (const MixPart& part : parts_) {
            if (part.destinations->sends(node)) sum += part.weight;
        }
        return sum;
    }

    std::vector<MixPart> parts_;
};

}  // namespace

std::unique_ptr<Destinations> fixed_destinations(std::vector<NodeId> destinations) {
    return std::make_unique<FixedDestinations>(std::move(destinations));
}

std::unique_ptr<Destinations> uniform_destinations(NodeId nodes) {
    return hot_destinations(nodes, {}, 0);
}

std::unique_ptr<Destinations> hot_destinations(NodeId nodes, const std::vector<NodeId>& region,
                                               double fraction) {
    return std::make_unique<RandomDestinations>(nodes, region, fraction);
}

std::unique_ptr<Destinations> matrix_destinations(const TrafficMatrix& matrix) {
    return std::make_unique<MatrixDestinations>(matrix);
}

std::unique_ptr<Destinations> mixed_destinations(std::vector<MixPart> parts) {
    return std::make_unique<MixedDestinations>(std::move(parts));
}

}  // namespace flitscope
