// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/packet/router.h"

#include <fmt/format.h>

#include <new>
#include <type_traits>
#include <utility>

#include "hw/packet/packet_router_core.h"
#include "hw/verilated/rtl_router_core.h"
#include "models/base/powers_of_two.h"

namespace flitscope::hw {
namespace {

template <class Core, class... Args>
RouterCore* create(std::pmr::memory_resource* memory, Args&&... args) {
    constexpr std::size_t kCacheLine = 64;
    void* const place = memory->allocate(sizeof(Core), kCacheLine);
    return new (place) Core(std::forward<Args>(args)...);
}

template <std::size_t kWords, class... Args>
RouterCore* create_core(bool single_vc, bool observed, Args&&... args) {
    if (single_vc) {
        return observed ? create<PacketRouterCore<kWords, true, true>>(args...)
                        : create<PacketRouterCore<kWords, true, false>>(args...);
    }
    return observed ? create<PacketRouterCore<kWords, false, true>>(args...)
                    : create<PacketRouterCore<kWords, false, false>>(args...);
}

}  // namespace

void require_router_size(const Config& config, PortId ports) {
    constexpr std::uint64_t kMost = BitMask<32>::kBits;
    const std::uint64_t stride = next_power_of_two(config.fabric.virtual_channels);
    if (ports * stride <= kMost) return;
    throw ConfigError(
        config.where("fabric.topology"),
        fmt::format("a router of {} ports with {} virtual channel(s) is more than the clocked "
                    "router can be: {} ports in all",
                    ports, config.fabric.virtual_channels, kMost / stride),
        "use fewer virtual channels, shorter windows or more dimensions, or --engine tlm");
}

Router::Router(sc_core::sc_module_name name, const RouterConfig& config, const Routing& routing,
               ClockDomain& clock, std::pmr::memory_resource* memory, ChannelProbe probe)
    : sc_module(name),
      in("in", config.inputs),
      out("out", config.outputs),
      config_(config),
      routing_(routing),
      clock_(clock),
      memory_(memory),
      probe_(std::move(probe)) {}

Router::~Router() {
    if (core_ != nullptr) core_->~RouterCore();  // its place goes with memory_
}

RouteChoices Router::choices(PortId port, std::uint32_t vc, std::uint64_t header) const {
    const Header packet = Header::unpack(header);
    RouteChoices choices;
    routing_.route({config_.node, port, vc, packet.source, packet.destination, packet.sequence},
                   choices);
    return choices;
}

void Router::end_of_elaboration() {
    if (config_.rtl != nullptr) {
        core_ = create<RtlRouterCore>(memory_, config_, clock_, *this, probe_);
        return;
    }
    unsigned stride = 1;
    while (stride < config_.virtual_channels) stride *= 2;
    const unsigned bits = static_cast<unsigned>(config_.inputs.size()) * stride;
    const bool single_vc = config_.virtual_channels == 1;
    const bool observed = probe_.observer != nullptr;
    const auto of_words = [&](auto words) {
        core_ = create_core<decltype(words)::value>(single_vc, observed, memory_, config_, routing_,
                                                    clock_, *this, probe_, memory_);
    };
    if (bits <= BitMask<1>::kBits) {
        of_words(std::integral_constant<std::size_t, 1>());
    } else if (bits <= BitMask<4>::kBits) {
        of_words(std::integral_constant<std::size_t, 4>());
    } else {
        of_words(std::integral_constant<std::size_t, 32>());
    }
}

}  // namespace flitscope::hw
