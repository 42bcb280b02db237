// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the classes of messages that an arbiter prefers: by priority, and within one priority by
// weighted turns (hw/TIMING.md, "Class arbiters"). Within the preferred classes round robin
// decides.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "models/base/limits.h"
#include "models/base/types.h"
#include "models/config/fabric_config.h"
#include "models/routing/routing.h"

namespace flitscope::hw {

/// A set of classes: bit k = class k.
using ClassMask = std::uint16_t;
static_assert(std::numeric_limits<ClassMask>::digits == kMaxVirtualChannels);

/// How classes of messages share virtual channels and arbiters.
struct ClassPolicy {
    std::uint32_t channels_per_class = 0;   ///< 0: there are no classes
    std::vector<std::uint32_t> priorities;  ///< per class; empty: all alike
    std::vector<std::uint32_t> weights;     ///< per class; empty: none

    ClassPolicy() = default;
    explicit ClassPolicy(const FabricConfig& fabric)
        : channels_per_class(fabric.has_classes() ? fabric.channels_per_class() : 0),
          priorities(fabric.class_priorities),
          weights(fabric.class_weights) {}

    bool has_classes() const { return channels_per_class != 0; }
    /// Whether some class may be served before another.
    bool prefers() const { return has_classes() && (!priorities.empty() || !weights.empty()); }
    MessageClass class_of(std::uint32_t vc) const {
        return static_cast<MessageClass>(vc / channels_per_class);
    }
    /// The virtual channels of `classes`, as a bit mask.
    std::uint32_t channels_of(ClassMask classes) const;
    /// Those that a packet on virtual channel `vc` can be given: of its class, or all of them.
    VcMask network_of(std::uint32_t vc) const {
        if (!has_classes()) return kAllVirtualChannels;
        return static_cast<VcMask>(channels_of(static_cast<ClassMask>(1U << class_of(vc))));
    }
};

/// The state of one arbiter: the rest of the round of each class.
class ClassArbiter {
public:
    explicit ClassArbiter(const ClassPolicy& policy);

    /// Those of the competing classes (at least one) of which a member may be served.
    ClassMask preferred(ClassMask competing) const;
    /// A flit of class `sender` was sent past the arbiter.
    void sent(MessageClass sender);

private:
    static constexpr std::size_t kMost = kMaxVirtualChannels;  // classes

    std::array<ClassMask, kMost> equals_{};   // per class, the classes of its priority
    std::array<ClassMask, kMost> betters_{};  // per class, the classes of higher priorities
    std::vector<std::uint32_t> weights_;      // empty: no budgets
    std::array<std::uint32_t, kMost> left_{};
    ClassMask in_budget_ = 0;
};

}  // namespace flitscope::hw
