// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/reference/golden_table.h"

#include <vector>

namespace flitscope {

bool leads_to(const std::set<Dependency>& dependencies, LinkId from, LinkId to) {
    std::set<LinkId> seen{from};
    std::vector<LinkId> open{from};
    while (!open.empty()) {
        const LinkId at = open.back();
        open.pop_back();
        if (at == to) return true;
        for (auto next = dependencies.lower_bound({at, 0});
             next != dependencies.end() && next->first == at; ++next) {
            if (seen.insert(next->second).second) open.push_back(next->second);
        }
    }
    return false;
}

}  // namespace flitscope
