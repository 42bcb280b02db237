// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/router.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "hw/router_pipeline.h"

namespace flitscope::hw {
namespace {

template <std::size_t kWords, class... Args>
std::unique_ptr<RouterPipeline> make_pipeline(bool single_vc, bool observed, Args&&... args) {
    if (single_vc && observed) {
        return std::make_unique<RouterPipelineImpl<kWords, true, true>>(args...);
    }
    if (single_vc) return std::make_unique<RouterPipelineImpl<kWords, true, false>>(args...);
    if (observed) return std::make_unique<RouterPipelineImpl<kWords, false, true>>(args...);
    return std::make_unique<RouterPipelineImpl<kWords, false, false>>(args...);
}

}  // namespace

Router::Router(sc_core::sc_module_name name, const RouterConfig& config, const Routing& routing,
               ClockDomain& clock, ChannelProbe probe)
    : sc_module(name),
      in("in", config.ports),
      out("out", config.ports),
      config_(config),
      routing_(routing),
      clock_(clock),
      probe_(std::move(probe)) {}

void Router::end_of_elaboration() {
    unsigned stride = 1;
    while (stride < config_.virtual_channels) stride *= 2;
    const unsigned bits = config_.ports * stride;
    const bool single_vc = config_.virtual_channels == 1;
    const bool observed = probe_.observer != nullptr;
    if (bits <= BitMask<1>::kBits) {
        pipeline_ = make_pipeline<1>(single_vc, observed, config_, routing_, clock_, *this, probe_);
    } else if (bits <= BitMask<4>::kBits) {
        pipeline_ = make_pipeline<4>(single_vc, observed, config_, routing_, clock_, *this, probe_);
    } else if (bits <= BitMask<32>::kBits) {
        pipeline_ =
            make_pipeline<32>(single_vc, observed, config_, routing_, clock_, *this, probe_);
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
