// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/virtual_networks.h"

#include <utility>

#include "models/routing/link_queues.h"

namespace flitscope {
namespace {

/// The queues of links as the routing of one network sees them.
class NetworkQueues final : public LinkQueues {
public:
    /// The network has `channels` virtual channels from `first` on.
    NetworkQueues(const LinkQueues& all, std::uint32_t first, std::uint32_t channels)
        : all_(all), first_(first), channels_(channels) {}

    std::uint64_t queued(LinkId link, VcMask virtual_channels, Cycle now) const override {
        if (virtual_channels == kAllVirtualChannels) {
            return all_.queued(link, kAllVirtualChannels, now);
        }
        const std::uint32_t own = virtual_channels & ((1U << channels_) - 1);
        return all_.queued(link, static_cast<VcMask>(own << first_), now);
    }

private:
    const LinkQueues& all_;
    std::uint32_t first_;
    std::uint32_t channels_;
};

class VirtualNetworks final : public Routing {
public:
    VirtualNetworks(std::unique_ptr<Routing> inner, std::uint32_t networks, std::uint32_t channels)
        : Routing(inner->places()),
          inner_(std::move(inner)),
          networks_(networks),
          channels_(channels) {}

    std::string name() const override { return inner_->name(); }
    PathChoice path_choice() const override { return inner_->path_choice(); }
    std::optional<PathCoin> path_coin() const override { return inner_->path_coin(); }
    bool takes_dimensions_in_order() const override { return inner_->takes_dimensions_in_order(); }

    RouteChoice hop(RouterId at, NodeId destination) const override {
        return in_all(inner_->route(at, destination));
    }
    RouteChoice hop(const RouteQuery& query) const override {
        return in_one(inner_->route(inner_query(query)), query.in_vc);
    }
    RouteChoice hop(const RouteQuery& query, const LinkQueues& queues, Cycle now) const override {
        const NetworkQueues own(queues, first_channel(query.in_vc), channels_);
        return in_one(inner_->route(inner_query(query), own, now), query.in_vc);
    }
    void hops(const RouteQuery& query, RouteChoices& choices) const override {
        RouteChoices inner;
        inner_->route(inner_query(query), inner);
        choices.clear();
        for (std::size_t i = 0; i < inner.size(); ++i) {
            const RouteChoice choice = in_one(inner[i], query.in_vc);
            if (i < inner.escape()) {
                choices.add(choice);
            } else {
                choices.add_escape(choice);
            }
        }
    }
    /// Visits the dependencies of the first network: no packet waits for a channel of another, and
    /// all are alike.
    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override {
        inner_->visit_dependencies(graph, visit);
    }

private:
    std::uint32_t own_channels(RouteChoice choice) const {
        return choice.virtual_channels & ((1U << channels_) - 1);
    }
    RouteChoice in_all(RouteChoice choice) const {
        std::uint32_t all = 0;
        for (std::uint32_t k = 0; k < networks_; ++k) all |= own_channels(choice) << k * channels_;
        return {choice.port, static_cast<VcMask>(all)};
    }
    RouteChoice in_one(RouteChoice choice, std::uint32_t vc) const {
        return {choice.port, static_cast<VcMask>(own_channels(choice) << first_channel(vc))};
    }
    /// The first channel of the network that has `vc`.
    std::uint32_t first_channel(std::uint32_t vc) const { return vc / channels_ * channels_; }
    RouteQuery inner_query(RouteQuery query) const {
        query.in_vc %= channels_;
        return query;
    }

    std::unique_ptr<Routing> inner_;
    std::uint32_t networks_;
    std::uint32_t channels_;
};

}  // namespace

std::unique_ptr<Routing> make_virtual_networks(std::unique_ptr<Routing> inner,
                                               std::uint32_t networks, std::uint32_t channels) {
    return std::make_unique<VirtualNetworks>(std::move(inner), networks, channels);
}

}  // namespace flitscope
