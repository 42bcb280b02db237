// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/reference/golden_rings.h"

#include <algorithm>
#include <cstddef>

namespace flitscope {
namespace {

/// A ring of a torus, walked place by place.
struct Ring {
    unsigned side;

    /// + the shorter way; from places that are even modulo half the side where both are as long.
    bool goes_up(unsigned here, unsigned there) const {
        if (side == 2) return here < there;
        const unsigned up = (there + side - here) % side;
        const unsigned down = side - up;
        return up == down ? here % (side / 2) % 2 == 0 : up < down;
    }
    unsigned next(unsigned here, unsigned there) const {
        return (here + (goes_up(here, there) ? 1 : side - 1)) % side;
    }
    unsigned hops(unsigned here, unsigned there) const {
        const unsigned up = (there + side - here) % side;
        return goes_up(here, there) ? up : side - up;
    }
    bool crosses(unsigned here, unsigned there) const {
        return goes_up(here, there) != (here < there);
    }
    bool takes_lower(unsigned here, unsigned there) const {
        if (crosses(here, there)) return true;
        for (unsigned other = 0; other < side; ++other) {
            const bool is_with_it = other != there && goes_up(other, there) == goes_up(here, there);
            if (is_with_it && crosses(other, there)) return false;
        }
        return hops(here, there) > std::max(1U, (3 * side + 10) / 20);
    }
};

class GoldenRings final : GoldenPaths {
public:
    explicit GoldenRings(const GoldenPaths& paths) : GoldenPaths(paths) {}

    GoldenTable table() const {
        GoldenTable table(graph_);
        const std::uint32_t half = virtual_channels_ / 2;
        const auto lower = static_cast<VcMask>((1U << half) - 1);
        const auto upper = static_cast<VcMask>(~lower);
        for (RouterId at; at < graph_.router_count(); ++at) {
            for (const NodeId destination : destinations()) {
                const RouterId last = router_of(destination);
                if (at == last) continue;
                std::size_t dim = graph_.dims().size() - 1;
                while (graph_.coordinate(at, dim) == graph_.coordinate(last, dim)) --dim;
                const Ring ring{graph_.dims()[dim]};
                const unsigned here = graph_.coordinate(at, dim);
                const unsigned there = graph_.coordinate(last, dim);
                for (const LinkId id : links_from_[at]) {
                    const Link& link = graph_.link(id);
                    const bool is_next = link.dimension == dim &&
                                         graph_.coordinate(link.to, dim) == ring.next(here, there);
                    if (!is_next) continue;
                    const bool is_lower = ring.takes_lower(here, there);
                    table.set(at, destination, {link.from_port, is_lower ? lower : upper});
                }
            }
        }
        return table;
    }
};

}  // namespace

GoldenTable golden_balanced_rings(const GoldenPaths& paths) { return GoldenRings(paths).table(); }

}  // namespace flitscope
