// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What packets ask for and wait for, as the golden model keeps it: in maps and sets.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "models/base/limits.h"
#include "models/base/types.h"
#include "models/routing/routing.h"
#include "models/topology/graph.h"

namespace flitscope {

/// What a packet asks for, by router and destination.
class GoldenTable final : public Routing {
public:
    explicit GoldenTable(const Graph& graph) : Routing(graph.shared_places()) {}

    std::string name() const override { return "golden"; }
    void set(RouterId at, NodeId destination, RouteChoice choice) {
        choices_[{at, destination}] = choice;
    }
    void add_missing(const GoldenTable& other) {
        choices_.insert(other.choices_.begin(), other.choices_.end());
    }
    void change_channels(const std::function<VcMask(RouterId, NodeId, VcMask)>& change) {
        for (auto& [key, choice] : choices_) {
            choice.virtual_channels = change(key.first, key.second, choice.virtual_channels);
        }
    }

protected:
    RouteChoice hop(RouterId at, NodeId destination) const override {
        const auto found = choices_.find({at, destination});
        return found == choices_.end() ? RouteChoice{} : found->second;
    }

private:
    std::map<std::pair<RouterId, NodeId>, RouteChoice> choices_;
};

using Dependency = std::pair<LinkId, LinkId>;  // a packet holds the first, and waits for the second

/// Whether `from` leads to `to` over any number of dependencies.
bool leads_to(const std::set<Dependency>& dependencies, LinkId from, LinkId to);

}  // namespace flitscope
