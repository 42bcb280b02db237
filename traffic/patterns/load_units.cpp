// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/load_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "models/base/rounded.h"
#include "models/config/workload_config.h"
#include "traffic/patterns/replies.h"

namespace flitscope {

double most_injected(const WorkloadConfig& config) {
    if (config.fabric.planes == 1) return 1;
    const double flits = exchange_flits(MessageLengths(config), replies_of(config));
    return std::min<double>(config.fabric.planes, flits);
}

LoadUnits::LoadUnits(const WorkloadConfig& config)
    : clock_ns_(config.clock_ns),
      flit_bits_(config.fabric.flit_bits),
      most_(most_injected(config)) {
    const MessageLengths lengths(config);
    const std::optional<Replies> replies = replies_of(config);
    flits_ = exchange_flits(lengths, replies);
    bits_ = 8 * (lengths.mean_bytes() + static_cast<double>(replies ? replies->bytes() : 0));
}

double LoadUnits::rate(const UnitLoad& load, const Location& where, const std::string& what) const {
    if (load.unit == LoadUnit::kGbps && bits_ == 0) {
        throw ConfigError(where,
                          fmt::format("{} of {}, but messages have no payload", what, load.str()),
                          "set traffic.message_bytes, or give messages per ns: 0.02 /ns");
    }
    const double most = load.unit == LoadUnit::kGbps ? gbps(1) : messages_per_ns(1);
    const double rate = load.number / most;
    if (rounded(rate) <= most_) return std::min(rate, most_);
    const std::string carried =
        most_ == 1 ? "a channel carries one" : fmt::format("its channels carry {:.4g}", most_);
    throw ConfigError(
        where,
        fmt::format("{} of {} is {:.4g} flits per cycle and node, and {}: {} that is {:.6g} {}",
                    what, load.str(), rate, carried, basis(), most_ * most, name_of(load.unit)),
        "a lower load, wider flits (fabric.flit_bits) or a shorter clock_ns");
}

std::string LoadUnits::basis() const {
    return fmt::format(
        "at clock_ns {:.6g}, flit_bits {} and {:.6g} flits for {:.6g} bytes of payload", clock_ns_,
        flit_bits_, flits_, bits_ / 8);
}

void resolve_load(WorkloadConfig& config) {
    constexpr const char* kKey = "traffic.injection_rate";
    if (const auto share = config.traffic.share_of_saturation) {
        throw ConfigError(config.where(kKey),
                          fmt::format("'{}' of {} is known to commands that simulate alone", kKey,
                                      kinds::share_text(*share)),
                          "flitscope saturate finds the load; or give it in flits per cycle");
    }
    if (!config.traffic.load_in_units || config.clock_is_synthesized) return;
    config.traffic.injection_rate = LoadUnits(config).rate(
        *config.traffic.load_in_units, config.where(kKey), fmt::format("'{}'", kKey));
}

}  // namespace flitscope
