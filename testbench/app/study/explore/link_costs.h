// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The costs of the registers of the links of a study, like those of routers in routers.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testbench/app/gate_synthesis/link_synthesis.h"
#include "testbench/app/study/syntheses.h"

namespace flitscope::study {

class LinkCosts {
public:
    /// All in one `technology`.
    LinkCosts(SynthesesOptions syntheses, TechnologyConfig technology)
        : syntheses_(std::move(syntheses)), technology_(std::move(technology)) {}

    /// Gets the costs of these: each is synthesized once, and again if that has failed. Throws
    /// Cancelled.
    void add(const std::vector<LinkVariant>& variants);
    /// Looks links up without a synthesis. Returns the names of those that are not in the cache,
    /// each once.
    std::vector<std::string> look_up(const std::vector<LinkVariant>& variants);

    /// Nothing if it is not known.
    std::optional<double> area_um2(const LinkVariant& variant) const;
    /// Why it could not be synthesized by the last add(); empty if it was, or was not tried.
    std::string problem(const LinkVariant& variant) const;

private:
    /// Whether the cache has it.
    bool take_from_cache(const std::string& name);

    SynthesesOptions syntheses_;
    TechnologyConfig technology_;
    std::map<std::string, double> known_;  // by name
    std::map<std::string, std::string> problems_;
};

}  // namespace flitscope::study
