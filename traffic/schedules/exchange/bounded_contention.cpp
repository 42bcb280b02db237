// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/exchange/bounded_contention.h"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "models/topology/graph.h"
#include "traffic/schedules/exchange/line_classes.h"
#include "traffic/schedules/exchange/square_phases.h"

namespace flitscope {
namespace {

/// Multiplies the classes of the dimensions: a phase takes a class of each dimension and one
/// pattern of each class, such that any all but one of the patterns determine the last.
class PhaseBuilder {
public:
    PhaseBuilder(const Graph& graph, std::uint64_t bytes, std::uint32_t contention)
        : graph_(graph), bytes_(bytes), contention_(contention) {
        goes_both_ways_ = contention == 1 && gains_by_directions(graph);
        bool can_interleave = true;
        for (const GridDimension& dimension : graph.wiring()->dimensions()) {
            classes_.push_back(goes_both_ways_   ? directed_ring_classes(dimension.side)
                               : dimension.wraps ? ring_classes(dimension.side)
                                                 : line_classes(dimension.side));
            for (const LineClass& c : classes_.back()) patterns_ = std::max(patterns_, c.size());
            can_interleave = can_interleave && !dimension.wraps && dimension.side % 4 == 0;
        }
        // Classes 2g and 2g + 1 take the same positions, so the same nodes are active in all 2^d
        // blocks of a group of classes.
        variants_ = can_interleave ? 2 : 1;
    }

    Program build() {
        program_.name = "bounded-contention";
        program_.nodes = graph_.node_count();
        program_.transfers.reserve(std::size_t{program_.nodes} * (program_.nodes - 1));
        if (contention_ == 1 && has_square_phases(graph_)) {
            visit_square_phases(graph_.dims().front(),
                                [this](const std::vector<PatternProduct>& phase) { add(phase); });
        } else {
            choose_group(0);
        }
        return std::move(program_);
    }

private:
    std::size_t dims() const { return classes_.size(); }

    /// Whether one-directional patterns, two products per phase, make fewer phases: if turns of
    /// both directions cannot be paired within the patterns of the longest ring.
    static bool gains_by_directions(const Graph& graph) {
        std::uint32_t longest = 0;
        for (const GridDimension& dimension : graph.wiring()->dimensions()) {
            if (!dimension.wraps) return false;
            longest = std::max(longest, dimension.side);
        }
        const std::uint32_t turns = (longest + 3) / 4;
        return turns > 1 && turns % 2 == 1;
    }

    /// Whether the network is a square mesh for which visit_square_phases() has fewer phases.
    static bool has_square_phases(const Graph& graph) {
        const std::vector<GridDimension>& dimensions = graph.wiring()->dimensions();
        return dimensions.size() == 2 && !dimensions[0].wraps && !dimensions[1].wraps &&
               dimensions[0].side == dimensions[1].side && dimensions[0].side > 4 &&
               dimensions[0].side % 4 != 0;
    }
    /// A phase of such a mesh, as a separate step.
    void add(const std::vector<PatternProduct>& phase) {
        for (const PatternProduct& product : phase) {
            for (const Move& a : product.first) {
                for (const Move& b : product.second) {
                    send(a.from * graph_.stride(0) + b.from * graph_.stride(1),
                         a.to * graph_.stride(0) + b.to * graph_.stride(1));
                }
            }
        }
        ++step_;
    }

    /// Every combination of groups: one superblock.
    void choose_group(std::size_t dim) {
        chosen_.resize(dims());
        if (dim == dims()) {
            if (contention_ <= patterns_) in_step_ = 0;  // steps do not straddle superblocks
            choose_variant(0);
            return;
        }
        // If two products have all directions reversed, each is the second one of the other.
        const std::size_t classes = classes_[dim].size() / (goes_both_ways_ && dim == 0 ? 2 : 1);
        for (std::size_t first = 0; first < classes; first += variants_) {
            chosen_[dim] = first;
            choose_group(dim + 1);
        }
    }
    /// Every combination of the classes in the groups: one block of phases.
    void choose_variant(std::size_t dim) {
        if (dim == dims()) {
            for (std::size_t k = 0; k < patterns_; ++k) add_phase(k);
            return;
        }
        const std::size_t first = chosen_[dim];
        for (std::size_t variant = 0; variant < variants_; ++variant) {
            chosen_[dim] = first + variant;
            choose_variant(dim + 1);
        }
        chosen_[dim] = first;
    }

    void add_phase(std::size_t k) {
        if (in_step_ == 0 || in_step_ == contention_) {
            in_step_ = 0;
            if (step_has_sends_) ++step_;
            step_has_sends_ = false;
        }
        ++in_step_;
        combine(0, k, 0, 0);
        if (!goes_both_ways_) return;
        // The next product of the reversed classes has other senders and receivers than this one.
        reverse();
        combine(0, k + 1, 0, 0);
        reverse();
    }
    /// Takes the classes with the same positions in the other direction.
    void reverse() {
        for (std::size_t dim = 0; dim < dims(); ++dim) {
            const std::size_t side = classes_[dim].size();
            chosen_[dim] = (chosen_[dim] + side / 2) % side;
        }
    }
    /// Adds the moves of dimensions `dim` and up to (source, destination).
    void combine(std::size_t dim, std::size_t pattern_sum, NodeId source, NodeId destination) {
        const LineClass& patterns = classes_[dim][chosen_[dim]];
        const bool is_last = dim + 1 == dims();
        const std::size_t only = pattern_sum % patterns_;
        for (std::size_t i = is_last ? only : 0; i < patterns.size(); ++i) {
            for (const Move& move : patterns[i]) {
                const NodeId from = source + move.from * graph_.stride(dim);
                const NodeId to = destination + move.to * graph_.stride(dim);
                if (is_last) {
                    send(from, to);
                } else {
                    combine(dim + 1, pattern_sum + i, from, to);
                }
            }
            if (is_last) return;
        }
    }
    void send(NodeId source, NodeId destination) {
        if (source == destination) return;
        program_.send(source, destination, bytes_, step_);
        step_has_sends_ = true;
    }

    const Graph& graph_;
    std::uint64_t bytes_;
    std::uint32_t contention_;
    std::vector<std::vector<LineClass>> classes_;  // per dimension
    std::size_t patterns_ = 1;                     // M: patterns of the class with most
    std::size_t variants_ = 1;
    bool goes_both_ways_ = false;      // classes have a direction, the reversed half a side on
    std::vector<std::size_t> chosen_;  // per dimension: the class
    Program program_;
    StepId step_ = 0;
    std::uint32_t in_step_ = 0;  // phases
    bool step_has_sends_ = false;
};

}  // namespace

Program bounded_contention(const Graph& graph, std::uint64_t bytes, std::uint32_t contention) {
    const bool fits = graph.wiring() && graph.wiring()->is_mesh_or_torus();
    if (!fits || contention == 0) {
        throw std::invalid_argument("bounded_contention: a mesh or torus, contention >= 1");
    }
    return PhaseBuilder(graph, bytes, contention).build();
}

}  // namespace flitscope
