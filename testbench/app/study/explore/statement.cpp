// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/statement.h"

#include <sqlite3.h>

namespace flitscope::study {

Database::Statement::Statement(Database& database, const std::string& sql) : database_(database) {
    sqlite3_stmt*& prepared = database.statements_[sql];
    if (prepared == nullptr &&
        sqlite3_prepare_v2(database.db_, sql.c_str(), -1, &prepared, nullptr) != SQLITE_OK) {
        database.fail("cannot be read");
    }
    statement_ = prepared;
}

Database::Statement::~Statement() { sqlite3_reset(statement_); }

Database::Statement& Database::Statement::bind(const std::string& text) {
    sqlite3_bind_text(statement_, ++bound_, text.data(), static_cast<int>(text.size()),
                      SQLITE_TRANSIENT);
    return *this;
}

Database::Statement& Database::Statement::bind(double value) {
    sqlite3_bind_double(statement_, ++bound_, value);
    return *this;
}

Database::Statement& Database::Statement::bind(std::uint64_t value) {
    sqlite3_bind_int64(statement_, ++bound_, static_cast<sqlite3_int64>(value));
    return *this;
}

Database::Statement& Database::Statement::bind(const std::optional<double>& value) {
    if (value) return bind(*value);
    sqlite3_bind_null(statement_, ++bound_);
    return *this;
}

bool Database::Statement::step() {
    switch (sqlite3_step(statement_)) {
        case SQLITE_ROW:
            return true;
        case SQLITE_DONE:
            return false;
        default:
            database_.fail("cannot be read or written");
    }
}

void Database::Statement::run() {
    step();
    sqlite3_reset(statement_);
    bound_ = 0;
}

std::string Database::Statement::text(int column) const {
    const auto* const text = sqlite3_column_text(statement_, column);
    return text == nullptr ? "" : reinterpret_cast<const char*>(text);
}

double Database::Statement::number(int column) const {
    return sqlite3_column_double(statement_, column);
}

std::optional<double> Database::Statement::known_number(int column) const {
    if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
    return number(column);
}

std::uint64_t Database::Statement::count(int column) const {
    return static_cast<std::uint64_t>(sqlite3_column_int64(statement_, column));
}

}  // namespace flitscope::study
