// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How much every channel of a network has carried, by name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

class Fabric;
class Graph;

/// One channel: a link, or the injection or ejection channel of a node.
struct ChannelCount {
    ChannelId channel = 0;
    std::string name;         ///< ChannelMap::name(): "link_005_007", "inject_005", "eject_005"
    std::uint64_t flits = 0;  ///< sent so far, by all of its virtual channels
};

/// All channels of `fabric`, which is built over `graph`, in order of their numbers. At any time of
/// the simulation, and after it.
std::vector<ChannelCount> channel_counts(const Fabric& fabric, const Graph& graph);

}  // namespace flitscope
