// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys of the routing and of the deadlock check, by whatever names other tools and books know
// the algorithms.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/config/config.h"
#include "models/config/entry_reader.h"
#include "models/config/fabric_config.h"
#include "models/config/key_kinds.h"
#include "models/routing/route_file.h"
#include "models/routing/routing_factory.h"

namespace flitscope {
namespace {

/// The key of the routing; instead of its name a map may name a file of routes.
ConfigKey with_route_file(ConfigKey key) {
    key.type = "enum, or map of `file` (file name)";
    key.read = [word = key.read](const ConfigTree& value, Config& config,
                                 const ReadContext& context) {
        if (!value.is_map()) return word(value, config, context);
        const kinds::EntryReader read(value, context, {"file"});
        read("file", "write {file: routes.csv}",
             [&](const ConfigTree& child, const ReadContext& inner) {
                 const auto file = kinds::read_path(child, inner);
                 if (!file) return;
                 config.fabric.routing = kRoutesFromFile;
                 config.fabric.routes_file = *file;
             });
    };
    key.write = [word = key.write](const Config& config) {
        if (config.fabric.routing != kRoutesFromFile) return word(config);
        return fmt::format("{{file: {}}}", kinds::written_path(config.fabric.routes_file));
    };
    return key;
}

/// The condition that the routing is a table, and which ones are.
Condition tables() {
    kinds::Names names;
    for (const RoutingKind& routing : routing_kinds()) {
        if (routing.is_table) names.push_back(routing.name);
    }
    return {fmt::format("routing `{}`", fmt::join(names, "`, `")),
            [names](const Config& config) -> std::string {
                const std::string& set = config.fabric.routing;
                const bool is_among = std::find(names.begin(), names.end(), set) != names.end();
                return is_among ? "" : "routing '" + set + '\'';
            }};
}

}  // namespace

ConfigKeys routing_keys() {
    // By the names that other tools and books have for them.
    const auto other_words = [] {
        std::vector<std::pair<std::string, std::string>> words;
        for (const char* word : {"xy", "XY", "xyz", "XYZ", "dor", "DOR", "e-cube", "ecube"}) {
            words.emplace_back(word, "that is 'dimension_order' here");
        }
        for (const char* word : {"dim_order_balanced", "dim_order_balanced_torus"}) {
            words.emplace_back(word, "that is 'dimension_order_balanced' here");
        }
        for (const char* word : {"min_adapt", "min_adapt_mesh", "min_adapt_torus"}) {
            words.emplace_back(word, "that is 'minimal_adaptive' here");
        }
        for (const char* word : {"xy_yx", "xy_yx_mesh"}) {
            words.emplace_back(word, "that is 'o1turn' here");
        }
        for (const char* word : {"val", "valiant_mesh", "valiant_torus"}) {
            words.emplace_back(word, "that is 'valiant' here");
        }
        words.emplace_back("nca", "that is 'up_down' here, on a fat tree");
        words.emplace_back("anca", "that is 'up_down_adaptive' here, on a fat tree");
        words.emplace_back("adaptive", "did you mean 'minimal_adaptive'?");
        words.emplace_back("ugal", "that is 'ugal_local' or 'ugal_global' here");
        words.emplace_back("par", "that is 'progressive_adaptive' here");
        words.emplace_back("up*/down*", "that is 'up_down' here");
        return words;
    };
    kinds::Names names{kAutomaticRouting};
    for (const RoutingKind& routing : routing_kinds()) names.push_back(routing.name);
    ConfigKeys keys;
    keys.push_back(
        with_route_file(
            kinds::choice("fabric.routing", "routing", names,
                          "routing algorithm; `auto` takes the one of the topology, or the best "
                          "table; or your own routes, given by their file "
                          "(models/routing/README.md)",
                          kinds::at(&Config::fabric, &FabricConfig::routing)))
            .knows(other_words()));
    keys.push_back(
        kinds::enumeration("fabric.spread", "spread", kSpreads,
                           "which of several equally good next links a table takes: the one at the "
                           "lowest port, the one that the fewest destinations share, the one over "
                           "which the fewest nodes send, or that of the least busy path; `auto` "
                           "tries all (models/routing/README.md)",
                           kinds::at(&Config::fabric, &FabricConfig::spread))
            .only_for(tables()));
    return keys;
}

ConfigKeys deadlock_check_keys() {
    ConfigKeys keys;
    keys.push_back(kinds::flag("fabric.allow_deadlock",
                               "run even if the deadlock check finds a cycle",
                               kinds::at(&Config::fabric, &FabricConfig::allow_deadlock)));
    return keys;
}

}  // namespace flitscope
