// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The findings on a configuration, as text, and configurations to add a line to.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "testbench/app/configuration/configuration.h"

namespace flitscope {

using Overrides = std::vector<std::string>;

// One key per line, so that a test can name the line of what it adds: line 4 on.
inline const std::string kFabric =
    "fabric:\n"
    "  topology: {kind: mesh, dims: [4, 4]}\n"
    "traffic: {schedule: pex}\n";

inline std::vector<std::string> findings(const std::string& text, const Overrides& overrides = {}) {
    std::vector<std::string> found;
    try {
        parse_config(text, "c.yaml", overrides);
    } catch (const ConfigError& error) {
        for (const Diagnostic& finding : error.findings()) found.push_back(finding.str());
    }
    return found;
}

/// The only finding about `text`.
inline std::string finding(const std::string& text, const Overrides& overrides = {}) {
    const std::vector<std::string> found = findings(text, overrides);
    EXPECT_EQ(found.size(), 1U) << ::testing::PrintToString(found);
    return found.empty() ? "" : found.front();
}

/// The names of a table, or the words of an enumeration's values, as findings list them.
template <class Table>
std::string listed(const Table& table) {
    std::string all;
    for (const auto& entry : table) {
        all += all.empty() ? "" : ", ";
        if constexpr (std::is_enum_v<typename Table::value_type>) {
            all += name_of(entry);
        } else {
            all += entry.name;
        }
    }
    return all;
}

/// kFabric with a line instead of its traffic.
inline std::string with_traffic(const std::string& line) {
    return "fabric: {topology: {kind: mesh, dims: [4, 4]}}\ntraffic: {" + line + "}\n";
}

inline std::string with_topology(const std::string& line) {
    return "fabric: {topology: {" + line + "}}\ntraffic: {schedule: pex}\n";
}

/// kFabric with a line in its fabric: line 3.
inline std::string with_fabric(const std::string& line) {
    return "fabric:\n"
           "  topology: {kind: mesh, dims: [4, 4]}\n"
           "  " +
           line + "\ntraffic: {schedule: pex}\n";
}

}  // namespace flitscope
