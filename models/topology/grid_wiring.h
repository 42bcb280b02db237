// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which hops the dimensions of a grid offer, and the port of each: common to the builders of
// meshes, tori, hypercubes, generalized hypercubes, HOWs and express meshes, and sufficient for
// routing by coordinates.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

/// One dimension: `side` positions in a line, or in a ring.
struct GridDimension {
    std::uint32_t side = 1;
    std::vector<std::uint32_t> spans{1};  ///< positions that a hop may pass, ascending, 1 first
    bool wraps = false;                   ///< a ring: the last position is next to the first
};

/// The places at which the hops of a dimension begin.
enum class HopPlaces : std::uint8_t {
    kEverywhere,     ///< wherever they stay within their line: all places are alike
    kAtMultiples,    ///< in every line at the multiples of their length
    kInSomeLines,    ///< the longer ones in some lines only, there at the multiples of their length
    kAtOtherPlaces,  ///< the longer ones in some lines only, at places that their builder knows
};

/// Which hops of a node have a port in common.
enum class SharedPorts : std::uint8_t {
    kNone,         ///< one port for each hop, + and -, at places that lack it, too
    kByPlace,      ///< as many as the place with most hops has, in a line with all hops: see port()
    kExpressHops,  ///< all hops longer than 1, at most one per node
    kDirections,   ///< + and -, in lines of at most two places, in which a node has one of them
};

class GridWiring {
public:
    /// `dimensions` in the order of Graph::dims(): the last one varies fastest.
    explicit GridWiring(std::vector<GridDimension> dimensions,
                        HopPlaces places = HopPlaces::kEverywhere,
                        SharedPorts shared = SharedPorts::kNone)
        : dimensions_(std::move(dimensions)),
          first_(dimensions_.size()),
          places_(places),
          shared_(shared) {
        for (std::size_t dim = dimensions_.size(); dim-- > 0;) {
            first_[dim] = port_count_;
            port_count_ += ports_along(dim);
        }
        if (shared_ == SharedPorts::kExpressHops) ++port_count_;
    }

    // ---- What a network of such lines can do ----------------------------------------------------

    /// Whether all places of a line have all hops that stay within it: the network is a product of
    /// equal lines.
    bool has_equal_places() const { return places_ == HopPlaces::kEverywhere; }
    /// Whether all lines of a dimension are wired alike, though their places may not be: hops begin
    /// at least at multiples of their length.
    bool has_equal_lines() const {
        return places_ == HopPlaces::kEverywhere || places_ == HopPlaces::kAtMultiples;
    }
    /// A dimension goes round: packets cross its end on other virtual channels (datelines).
    bool has_rings() const {
        return std::any_of(dimensions_.begin(), dimensions_.end(),
                           [](const GridDimension& line) { return line.wraps; });
    }
    /// No hop passes a place.
    bool joins_neighbours_only() const {
        return std::all_of(dimensions_.begin(), dimensions_.end(),
                           [](const GridDimension& line) { return line.spans.size() == 1; });
    }
    /// All places of a line are alike and have hops of every length up to the longest.
    bool has_equal_windows() const {
        return has_equal_places() &&
               std::all_of(dimensions_.begin(), dimensions_.end(), [](const GridDimension& line) {
                   return line.spans.size() == line.spans.back();
               });
    }
    /// Lines without rings in which a node is joined to all that are within a window of it; in
    /// those of a mesh the window is 1.
    bool has_windows() const {
        return has_equal_windows() && has_port_per_direction() && !has_rings();
    }
    /// A mesh: neighbours in lines, each with its own port.
    bool is_mesh() const { return has_windows() && joins_neighbours_only(); }
    /// A mesh in which some lines may be rings.
    bool is_mesh_or_torus() const {
        return has_equal_places() && has_port_per_direction() && joins_neighbours_only();
    }
    /// A + and a - hop never have a port in common.
    bool has_port_per_direction() const { return shared_ != SharedPorts::kDirections; }
    /// A binary hypercube: port 1 + k leads to the node whose number differs in bit k.
    bool has_port_per_address_bit() const { return shared_ == SharedPorts::kDirections; }

    const std::vector<GridDimension>& dimensions() const { return dimensions_; }
    std::vector<std::uint32_t> sides() const {
        std::vector<std::uint32_t> sides;
        for (const GridDimension& dimension : dimensions_) sides.push_back(dimension.side);
        return sides;
    }
    /// The local ports, one at first, and those of all hops. Dimensions come fastest-varying first,
    /// within one the hops by span, of each the + direction before the - (hw/TIMING.md, "Numbers").
    PortId port_count() const { return port_count_; }
    void set_local_ports(PortId ports) {
        for (PortId& first : first_) first += ports - local_ports_;
        port_count_ += ports - local_ports_;
        local_ports_ = ports;
    }
    /// Whether that hop stays within its line and may begin at that place, in a line with all hops.
    bool has_hop(std::size_t dim, std::size_t span_index, bool minus, std::uint32_t place) const {
        const GridDimension& line = dimensions_[dim];
        const std::uint32_t span = line.spans[span_index];
        if (begins_at_multiples() && place % span != 0) return false;
        return line.wraps || (minus ? place >= span : place + span < line.side);
    }
    /// Port of the hop over spans[span_index] from `place` of a line of `dim`, which has that hop.
    /// With kByPlace, in lines without a place that has all hops, those of each place are numbered
    /// without gaps.
    PortId port(std::size_t dim, std::size_t span_index, bool minus, std::uint32_t place) const {
        if (shared_ == SharedPorts::kDirections) return first_[dim];
        if (shared_ == SharedPorts::kExpressHops && span_index > 0) return port_count_ - 1;
        if (shared_ == SharedPorts::kByPlace && !has_full_place(dimensions_[dim])) {
            return first_[dim] + hops_before(dim, span_index, minus, place);
        }
        return first_[dim] + static_cast<PortId>(2 * span_index + (minus ? 1 : 0));
    }
    /// A hop has the same port at all places that have it.
    bool has_ports_alike() const {
        return shared_ != SharedPorts::kByPlace ||
               std::all_of(dimensions_.begin(), dimensions_.end(), has_full_place);
    }

private:
    bool begins_at_multiples() const {
        return places_ == HopPlaces::kAtMultiples || places_ == HopPlaces::kInSomeLines;
    }
    /// Some place has all hops. They begin everywhere, or each is a multiple of the one before: one
    /// that is as far from both ends as the longest hop.
    static bool has_full_place(const GridDimension& line) {
        return 2ULL * line.spans.back() < line.side;
    }
    /// Number of hops that a place has before this one, in lines without rings.
    PortId hops_before(std::size_t dim, std::size_t span_index, bool minus,
                       std::uint32_t place) const {
        if (begins_at_multiples()) {  // spans are few: they grow by factors
            PortId before = 0;
            for (std::size_t i = 0; i <= span_index; ++i) {
                if ((i < span_index || minus) && has_hop(dim, i, false, place)) ++before;
                if (i < span_index && has_hop(dim, i, true, place)) ++before;
            }
            return before;
        }
        const GridDimension& line = dimensions_[dim];
        const std::uint32_t ahead = line.side - 1 - place;
        const auto shorter = line.spans.begin() + static_cast<std::ptrdiff_t>(span_index);
        const bool follows_plus = minus && *shorter <= ahead;
        return fitting(line, shorter, ahead) + fitting(line, shorter, place) +
               (follows_plus ? 1 : 0);
    }
    /// Number of the hops before `end` that stay within `room` places.
    static PortId fitting(const GridDimension& line, std::vector<std::uint32_t>::const_iterator end,
                          std::uint32_t room) {
        return static_cast<PortId>(std::upper_bound(line.spans.begin(), end, room) -
                                   line.spans.begin());
    }
    /// Number of hops of the place that has the most in a line.
    PortId most_hops(std::size_t dim) const {
        const GridDimension& line = dimensions_[dim];
        if (has_full_place(line)) return static_cast<PortId>(2 * line.spans.size());
        PortId most = 0;
        for (std::uint32_t place = 0; place < line.side; ++place) {
            most = std::max(most, hops_of(dim, place));
        }
        return most;
    }
    PortId hops_of(std::size_t dim, std::uint32_t place) const {
        const GridDimension& line = dimensions_[dim];
        if (!begins_at_multiples()) {
            return fitting(line, line.spans.end(), line.side - 1 - place) +
                   fitting(line, line.spans.end(), place);
        }
        PortId hops = 0;
        for (std::size_t i = 0; i < line.spans.size(); ++i) {
            if (has_hop(dim, i, false, place)) ++hops;
            if (has_hop(dim, i, true, place)) ++hops;
        }
        return hops;
    }
    PortId ports_along(std::size_t dim) const {
        const GridDimension& line = dimensions_[dim];
        switch (shared_) {
            case SharedPorts::kNone:
                return static_cast<PortId>(2 * line.spans.size());
            case SharedPorts::kByPlace:
                return most_hops(dim);
            case SharedPorts::kExpressHops:
                return 2;
            case SharedPorts::kDirections:
                return line.side > 1 ? 1 : 0;
        }
        return 0;
    }

    std::vector<GridDimension> dimensions_;
    std::vector<PortId> first_;  // per dimension: the port of its shortest + hop
    PortId local_ports_ = 1;
    PortId port_count_ = 1;
    HopPlaces places_;
    SharedPorts shared_;
};

}  // namespace flitscope
