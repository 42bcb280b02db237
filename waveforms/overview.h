// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The traced links at a glance: the number of flits in flight on them, the number of blocked links,
// and the steps of their packets. The module that follows the channels keeps it up to date.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/topology/link.h"

namespace flitscope {

class Graph;

class Overview {
public:
    static constexpr std::uint8_t kNoGroup = UINT8_MAX;

    /// Counts of the links of one dimension.
    struct Group {
        std::uint32_t dimension = 0;  ///< by the number that users know
        std::uint32_t links = 0;
        /// Flits that entered a link in an earlier cycle and were not taken out of the FIFO at its
        /// end in an earlier cycle. A link without a FIFO has a flit for its link delay.
        std::int64_t flits = 0;
        std::uint32_t blocked = 0;  ///< links that belong to packets and send nothing
        std::int32_t slope = 0;     ///< by how much `flits` grows from this cycle to the next
    };
    /// Range of steps, counted from 1; 0: no packet holds a link.
    struct Steps {
        std::uint32_t oldest = 0;
        std::uint32_t newest = 0;
    };

    /// Counts `links`. Links without a dimension are one group, with dimension kNoDimension.
    Overview(const Graph& graph, const std::vector<LinkId>& links);

    /// The groups, in order of their dimensions.
    const std::vector<Group>& groups() const { return groups_; }
    std::uint8_t group_of(const Link& link) const;

    // In this cycle: a link begins (ends) to send, or its FIFO to be emptied, one flit per cycle.
    void flits_enter(std::uint8_t group, std::int32_t change) { groups_[group].slope += change; }
    void flits_leave(std::uint8_t group, std::int32_t change) { groups_[group].slope -= change; }
    /// A flit on a link, or in the FIFO at its end, is there no longer.
    void flit_lost(std::uint8_t group) { --groups_[group].flits; }
    void blocked(std::uint8_t group, std::int32_t change) {
        groups_[group].blocked += static_cast<std::uint32_t>(change);
    }
    /// A packet of `step` (from 1) is given a virtual channel of a link, or gives it back.
    void granted(std::uint32_t step);
    void released(std::uint32_t step) { --held_[step]; }

    /// Goes to the next cycle. True if a number of flits has changed.
    bool advance() {
        std::int32_t moved = 0;
        for (Group& group : groups_) {
            group.flits += group.slope;
            moved |= group.slope;
        }
        moving_ = moved != 0;
        return moving_;
    }
    /// Whether advance() would change anything, as far as is known now.
    bool is_moving() const { return moving_; }
    Steps steps();

private:
    const Graph* graph_;
    std::vector<Group> groups_;
    std::vector<std::uint32_t> held_;  // per step: virtual channels of links that it holds
    std::uint32_t oldest_ = 1;         // none before it holds any
    std::uint32_t newest_ = 0;         // none after it
    bool moving_ = false;
};

}  // namespace flitscope
