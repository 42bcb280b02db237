// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "models/base/limits.h"
#include "models/config/config.h"
#include "models/config/faults_config.h"
#include "models/config/key_kinds.h"
#include "models/config/node_keys.h"
#include "models/topology/faults/faults.h"

namespace flitscope {
namespace {

using namespace kinds;

template <class Member>
auto in(Member member) {
    return in_section(at(&Config::faults), member);
}

/// A number of things, or with a decimal point a share of them.
template <class Field>
ConfigKey amount(std::string path, std::string meaning, Field field) {
    constexpr IntegerRange kCount{0, std::uint64_t{kMaxNodes} * kMaxNodes / 2 - 1};
    const auto read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        const bool plain = value.is_scalar() && !value.quoted;
        const bool is_share = plain && value.text.find('.') != std::string::npos;
        if (const std::optional<double> share = is_share ? to_real(value.text) : std::nullopt;
            share && *share >= 0 && *share <= 1) {
            field(config) = {0, *share};
            return;
        }
        const auto count = plain && !is_share ? to_unsigned(value.text) : std::nullopt;
        if (count && kCount.holds(*count)) {
            field(config) = {static_cast<std::uint32_t>(*count), std::nullopt};
            return;
        }
        mistyped(value, context, "a whole number, or a share from 0.0 to 1.0",
                 plain || !value.quoted ? "" : "remove the quotes");
    };
    const auto write = [=](const Config& config) {
        const FaultAmount& amount = field(config);
        if (!amount.share) return fmt::format("{}", amount.count);
        std::string text = fmt::format("{}", *amount.share);
        if (text.find('.') == std::string::npos) text = fmt::format("{:.20f}", *amount.share);
        return text;
    };
    return {std::move(path),
            "integer or share",
            fmt::format("{}; with a decimal point a share, 0.0 to 1.0", kCount.str()),
            "",
            std::move(meaning),
            read,
            write};
}

}  // namespace

ConfigKeys fault_keys() {
    constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
    ConfigKeys keys;
    keys.push_back(texts("faults.links", "3-4, link_003_004 or names of nodes, cpu0-hub, each",
                         "failed channels, in both directions", in(&FaultsConfig::links)));
    keys.push_back(
        node_keys("faults.nodes", {0, kMostEntries},
                  "failed nodes; a router whose nodes have all failed fails with its links; where "
                  "every node has its own router, switches are numbered after the nodes",
                  in(&FaultsConfig::nodes)));
    keys.push_back(texts("faults.routers", "numbers or names of routers",
                         "failed routers, with all of their links and nodes",
                         in(&FaultsConfig::routers)));
    keys.push_back(amount("faults.random_links",
                          "number of channels that fail at random, among those still working",
                          in(&FaultsConfig::random_links)));
    keys.push_back(
        amount("faults.random_nodes",
               "number of nodes and switches that fail at random, among those not named in `nodes`",
               in(&FaultsConfig::random_nodes)));
    keys.push_back(integer("faults.seed", {0, kLargest}, "",
                           "seed of the random failures; all else equal, a larger random_links "
                           "fails a superset of a smaller one",
                           in(&FaultsConfig::seed)));
    keys.push_back(flag("faults.keep_connected",
                        "skip random failures that would disconnect nodes or switches",
                        in(&FaultsConfig::keep_connected)));
    keys.push_back(choice("faults.traffic", "word", {"refuse", "drop"},
                          "handling of messages from and to failed nodes: an error, or they are "
                          "left out and counted (traffic/README.md)",
                          in(&FaultsConfig::drops_messages)));
    keys.push_back(integer("faults.at", {0, FaultsConfig::kLatest}, "cycles",
                           "cycle at whose start all of these fail (hw/TIMING.md, \"Faults while "
                           "running\"); 0: failed from the start",
                           in(&FaultsConfig::at)));
    return keys;
}

ConfigSection fault_section() {
    ConfigSection section;
    section.path = "faults";
    section.meaning = "failed links, routers and nodes (models/topology/README.md)";
    section.open = [](Config& config) {
        if (!config.faults) config.faults.emplace();
    };
    section.is_set = [](const Config& config) { return config.faults.has_value(); };
    return section;
}

}  // namespace flitscope
