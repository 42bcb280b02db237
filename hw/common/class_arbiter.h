// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which classes of messages an arbiter prefers: by priority, and of one priority by weighted turns
// (hw/TIMING.md, "Class arbiters"). Who of a preferred class is served is round robin's to say.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "models/config/config.h"

namespace flitscope::hw {

/// A set of classes: bit k = class k.
using ClassMask = std::uint8_t;

/// What the classes of a fabric have of the virtual channels, and of every arbiter.
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
    /// Some class may be served before another.
    bool prefers() const { return has_classes() && (!priorities.empty() || !weights.empty()); }
    MessageClass class_of(std::uint32_t vc) const {
        return static_cast<MessageClass>(vc / channels_per_class);
    }
    /// The virtual channels of these classes.
    std::uint32_t channels_of(ClassMask classes) const;
};

/// The state of one arbiter: what is left of the round of each class.
class ClassArbiter {
public:
    explicit ClassArbiter(const ClassPolicy& policy);

    /// Of the classes that compete, at least one, those of which one is served.
    ClassMask preferred(ClassMask competing) const;
    /// A flit of class `sender` was sent past the arbiter.
    void sent(MessageClass sender);

private:
    static constexpr std::size_t kMost = kMaxVirtualChannels;  // classes

    std::array<ClassMask, kMost> equals_{};   // per class, those of its priority
    std::array<ClassMask, kMost> betters_{};  // and those of higher ones
    std::vector<std::uint32_t> weights_;      // empty: no budgets
    std::array<std::uint32_t, kMost> left_{};
    ClassMask in_budget_ = 0;
};

}  // namespace flitscope::hw
