// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/router.h"

#include <fmt/format.h>

#include <new>
#include <type_traits>
#include <utility>

#include "hw/router_pipeline.h"
#include "hw/rtl_pipeline.h"

namespace flitscope::hw {
namespace {

template <class Pipeline, class... Args>
RouterPipeline* create(std::pmr::memory_resource* memory, Args&&... args) {
    constexpr std::size_t kCacheLine = 64;
    void* const place = memory->allocate(sizeof(Pipeline), kCacheLine);
    return new (place) Pipeline(std::forward<Args>(args)...);
}

template <std::size_t kWords, class... Args>
RouterPipeline* create_pipeline(bool single_vc, bool observed, Args&&... args) {
    if (single_vc) {
        return observed ? create<RouterPipelineImpl<kWords, true, true>>(args...)
                        : create<RouterPipelineImpl<kWords, true, false>>(args...);
    }
    return observed ? create<RouterPipelineImpl<kWords, false, true>>(args...)
                    : create<RouterPipelineImpl<kWords, false, false>>(args...);
}

}  // namespace

Router::Router(sc_core::sc_module_name name, const RouterConfig& config, const Routing& routing,
               ClockDomain& clock, std::pmr::memory_resource* memory, ChannelProbe probe)
    : sc_module(name),
      in("in", config.ports),
      out("out", config.ports),
      config_(config),
      routing_(routing),
      clock_(clock),
      memory_(memory),
      probe_(std::move(probe)) {}

Router::~Router() {
    if (pipeline_ != nullptr) pipeline_->~RouterPipeline();  // its place goes with memory_
}

void Router::end_of_elaboration() {
    if (config_.rtl != nullptr) {
        pipeline_ = create<RtlPipeline>(memory_, config_, routing_, clock_, *this, probe_);
        return;
    }
    unsigned stride = 1;
    while (stride < config_.virtual_channels) stride *= 2;
    const unsigned bits = config_.ports * stride;
    const bool single_vc = config_.virtual_channels == 1;
    const bool observed = probe_.observer != nullptr;
    const auto of_words = [&](auto words) {
        pipeline_ = create_pipeline<decltype(words)::value>(
            single_vc, observed, memory_, config_, routing_, clock_, *this, probe_, memory_);
    };
    if (bits <= BitMask<1>::kBits) {
        of_words(std::integral_constant<std::size_t, 1>());
    } else if (bits <= BitMask<4>::kBits) {
        of_words(std::integral_constant<std::size_t, 4>());
    } else if (bits <= BitMask<32>::kBits) {
        of_words(std::integral_constant<std::size_t, 32>());
    } else {
        SC_REPORT_FATAL(
            "/flitscope/router/ports",
            fmt::format("{}: {} ports with {} virtual channels are more than {} "
                        "virtual channels per router",
                        name(), config_.ports, config_.virtual_channels, BitMask<32>::kBits)
                .c_str());
    }
}

}  // namespace flitscope::hw
