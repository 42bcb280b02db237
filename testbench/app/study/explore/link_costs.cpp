// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/link_costs.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace flitscope::study {

bool LinkCosts::take_from_cache(const std::string& name) {
    const auto found = cached_link(*parse_link_variant(name), technology_);
    if (found) known_[name] = *found;
    return found.has_value();
}

std::vector<std::string> LinkCosts::look_up(const std::vector<LinkVariant>& variants) {
    std::set<std::string> missing;
    for (const LinkVariant& variant : variants) {
        if (known_.count(variant.name()) == 0) missing.insert(variant.name());
    }
    std::vector<std::string> waiting;
    std::copy_if(missing.begin(), missing.end(), std::back_inserter(waiting),
                 [&](const std::string& name) { return !take_from_cache(name); });
    return waiting;
}

void LinkCosts::add(const std::vector<LinkVariant>& variants) {
    const std::vector<std::string> waiting = look_up(variants);
    problems_ = synthesize_all(
        waiting,
        [this](const std::string& name) {
            synthesize_link(*parse_link_variant(name), technology_);
        },
        syntheses_);
    for (const std::string& name : waiting) {
        if (!take_from_cache(name)) problems_.emplace(name, "the cache has lost it");
    }
}

std::optional<double> LinkCosts::area_um2(const LinkVariant& variant) const {
    const auto found = known_.find(variant.name());
    return found == known_.end() ? std::nullopt : std::optional(found->second);
}

std::string LinkCosts::problem(const LinkVariant& variant) const {
    const auto found = problems_.find(variant.name());
    return found == problems_.end() ? "" : found->second;
}

}  // namespace flitscope::study
