// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The routing of a network that changes during the run: first one, then another. Both fixed.
#pragma once

#include <string>

#include "models/routing/routing.h"

namespace flitscope::hw {

class ChangingRouting final : public Routing {
public:
    /// Both routings must outlive this object.
    ChangingRouting(const Routing& first, const Routing& later)
        : Routing(first.places()), present_(&first), later_(later) {}

    void change() { present_ = &later_; }

    std::string name() const override { return present_->name(); }

private:
    RouteChoice hop(RouterId at, NodeId destination) const override {
        return present_->route(at, destination);
    }

    const Routing* present_;
    const Routing& later_;
};

}  // namespace flitscope::hw
