// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables of designs as people read them.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "testbench/study/explore/database.h"

namespace flitscope {

/// So much of a digest names a design for people.
inline constexpr std::size_t kShortDigest = 10;

/// Columns as wide as their widest cell, to the right.
class TextTable {
public:
    explicit TextTable(std::vector<std::string> heading) { rows_.push_back(std::move(heading)); }

    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    void print(std::ostream& out) const;

private:
    std::vector<std::vector<std::string>> rows_;
};

/// A number in four digits, or whole where it is long; "-" for what is none.
std::string number_text(const nlohmann::ordered_json& value);

/// Name and unit of an objective of a study, the unit where the name does not say it.
std::string objective_heading(const study::ObjectiveRow& objective);

}  // namespace flitscope
