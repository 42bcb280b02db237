// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The silicon cost of the registers of links: hw/rtl/fabric/link.sv, mapped to cells as routers
// are. Kept in the same cache.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "models/config/technology_config.h"
#include "testbench/app/gate_synthesis/toolchain.h"

namespace flitscope {

class Graph;

/// A link as the exported fabric has it.
struct LinkVariant {
    std::uint32_t virtual_channels = 1;
    std::uint32_t flit_bits = 64;   ///< payload; head and tail mark and the virtual channel on top
    std::uint32_t delay = 1;        ///< cycles, >= 1
    std::uint32_t rate_cycles = 1;  ///< k of a rate of 1/k, 1 to 64

    /// "link_v1_w64_d2", "link_v1_w64_d2_k4".
    std::string name() const;
    /// Flits are kept in `delay` registers, credits of every virtual channel in one less. On a slow
    /// link these hold only one part of a flit: the others wait at its start, and then at its end.
    std::uint64_t flip_flops() const;
};

/// The variant of that name, or nothing if the name is not one of a variant.
std::optional<LinkVariant> parse_link_variant(const std::string& name);

/// The files that a link of that rate is made of. Throws ConfigError if one is missing.
std::vector<RtlSource> link_sources(std::uint32_t rate_cycles = 1);

/// The area of the cells of one link in um2, from the cache or from yosys and abc, in a second or
/// two. Throws as synthesize() (synthesis.h) does.
double synthesize_link(const LinkVariant& variant, const TechnologyConfig& technology);
/// The area of a link if it is in the cache; runs nothing. Throws ConfigError when there is no RTL
/// to look for.
std::optional<double> cached_link(const LinkVariant& variant, const TechnologyConfig& technology);

/// Delay of a link in cycles, and k of its rate of 1/k.
struct LinkKind {
    std::uint32_t delay = 1;
    std::uint32_t rate_cycles = 1;

    bool operator<(const LinkKind& other) const {
        return std::tie(rate_cycles, delay) < std::tie(other.rate_cycles, other.delay);
    }
};

/// Number of links of a network per kind.
using LinkCounts = std::map<LinkKind, std::uint64_t>;
LinkCounts link_counts(const Graph& graph);

/// All links of a fabric: width and virtual channels as in `like`, whose kind does not count.
/// Of every rate, up to 8 cycles each delay is synthesized; longer links are as large as the one of
/// 7 or 8 cycles (abc saves an inverter in every other register, so odd and even ones differ) and
/// more registers of the mean size of those of the shorter ones.
struct FabricLinks {
    LinkVariant like;
    LinkCounts counts;

    LinkVariant variant(const LinkKind& kind) const;
    /// The link variants whose areas total_um2() needs.
    std::vector<LinkVariant> variants() const;
    /// Nothing if `area_um2` lacks some variant.
    std::optional<double> total_um2(
        const std::function<std::optional<double>(const LinkVariant&)>& area_um2) const;
};

}  // namespace flitscope
