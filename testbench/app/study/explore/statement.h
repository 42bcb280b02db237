// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The statements of a database (database.h): SQL with its values, and the rows that it gives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "testbench/app/study/explore/database.h"

namespace flitscope::study {

/// A statement with its values. It is prepared once for each database, which keeps it: no two of
/// the same text at a time.
class Database::Statement {
public:
    Statement(Database& database, const std::string& sql);
    ~Statement();
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    Statement& bind(const std::string& text);
    Statement& bind(double value);
    Statement& bind(std::uint64_t value);
    /// Nothing is NULL.
    Statement& bind(const std::optional<double>& value);
    /// Whether there is a row.
    bool step();
    /// Runs a statement that gives no rows; afterwards it takes new values.
    void run();

    std::string text(int column) const;
    double number(int column) const;
    /// Nothing if it is NULL.
    std::optional<double> known_number(int column) const;
    std::uint64_t count(int column) const;

private:
    const Database& database_;
    sqlite3_stmt* statement_ = nullptr;
    int bound_ = 0;
};

}  // namespace flitscope::study
