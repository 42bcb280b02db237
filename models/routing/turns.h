// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which turns the packets of a routing take, so that hardware need not be built with others.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

class Graph;
class Routing;

/// A set of turns of one router: pairs of an input and an output port.
class Turns {
public:
    explicit Turns(PortId ports) : ports_(ports), has_(std::size_t{ports} * ports) {}

    PortId ports() const { return ports_; }
    bool has(PortId in, PortId out) const { return has_[index(in, out)]; }
    void add(PortId in, PortId out) { has_[index(in, out)] = true; }
    /// Whether there is a turn from the port.
    bool has_input(PortId port) const;
    /// Whether there is a turn from, or to, the port.
    bool uses(PortId port) const;
    std::size_t count() const;
    bool is_all() const { return count() == has_.size(); }

    /// The set after every port p has become port `renamed[p]`.
    Turns renamed(const std::vector<PortId>& renamed) const;

    /// The parameter Turns of hw/rtl/router.sv in hexadecimal: bit out * ports + in, without a
    /// width.
    std::string hex() const;

    bool operator==(const Turns& other) const {
        return ports_ == other.ports_ && has_ == other.has_;
    }

private:
    std::size_t index(PortId in, PortId out) const { return std::size_t{out} * ports_ + in; }

    PortId ports_;
    std::vector<bool> has_;
};

/// The set that Turns::hex() gave for a router with this many ports; without digits that is all
/// turns. Throws std::invalid_argument if the text is not such a number.
Turns turns_of_hex(PortId ports, const std::string& hex);

/// By router: the turns of packets between any two nodes. Wants a routing with fixed paths
/// (PathChoice::kFixed); takes nodes * routers calls of route(), or for dimension order time in
/// proportion to the links.
std::vector<Turns> turns_taken(const Graph& graph, const Routing& routing);

/// The turns between all ports of a router that have a link or a node: all but those back through
/// the same port.
Turns turns_between_ports(const Graph& graph, RouterId router);

}  // namespace flitscope
