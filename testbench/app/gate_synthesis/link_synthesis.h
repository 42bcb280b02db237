// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the registers of links cost in silicon: hw/rtl/fabric/link.sv in the cells of the library
// that SynthesisConditions has by default, mapped as routers are. Kept in the same cache.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testbench/app/gate_synthesis/toolchain.h"

namespace flitscope {

class Graph;

/// A link as the exported fabric has it.
struct LinkVariant {
    std::uint32_t virtual_channels = 1;
    std::uint32_t flit_bits = 64;  ///< payload; head and tail mark and the virtual channel on top
    std::uint32_t delay = 1;       ///< cycles, >= 1

    /// "link_v1_w64_d2".
    std::string name() const;
    /// Flits are kept in `delay` registers, credits of every virtual channel in one less.
    std::uint64_t flip_flops() const;
};

/// The variant of that name, or nothing when it is none.
std::optional<LinkVariant> parse_link_variant(const std::string& name);

/// The files that a link is made of. Throws ConfigError where one is not there.
std::vector<RtlSource> link_sources();

/// The area of the cells of one link in um2, from the cache or from yosys and abc, in a second or
/// two. Throws as synthesize() (synthesis.h) does.
double synthesize_link(const LinkVariant& variant);
/// The area of a link if it is in the cache; runs nothing. Throws ConfigError when there is no RTL
/// to look for.
std::optional<double> cached_link(const LinkVariant& variant);

/// Number of links of a network per delay in cycles.
using LinkDelays = std::map<std::uint32_t, std::uint64_t>;
LinkDelays link_delays(const Graph& graph);

/// All links of a fabric: width and virtual channels as in `like`, whose delay does not count.
/// Up to 8 cycles each delay is synthesized; longer links are as large as the one of 7 or 8 cycles
/// (abc saves an inverter in every other register, so odd and even ones differ) and more registers
/// of the mean size of those of the shorter ones.
struct FabricLinks {
    LinkVariant like;
    LinkDelays delays;

    /// The link variants whose areas total_um2() needs.
    std::vector<LinkVariant> variants() const;
    /// Nothing where `area_um2` has none of some variant.
    std::optional<double> total_um2(
        const std::function<std::optional<double>(const LinkVariant&)>& area_um2) const;
};

}  // namespace flitscope
