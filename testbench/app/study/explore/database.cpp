// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/database.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/input_file.h"
#include "testbench/app/study/explore/statement.h"

namespace flitscope::study {
namespace {

constexpr int kApplication = 0x666c6974;  // "flit"
constexpr int kVersion = 3;
constexpr const char* kCountTables = "SELECT count(*) FROM sqlite_master";
constexpr const char* kLock = ".lock";  // after the name of the database

constexpr const char* kSchema = R"(
CREATE TABLE point(digest TEXT PRIMARY KEY, measurement TEXT, engine TEXT, config TEXT)
    WITHOUT ROWID;
CREATE TABLE attempt(digest TEXT PRIMARY KEY, state TEXT, error TEXT, wall_s REAL, host TEXT,
    program TEXT, at TEXT DEFAULT CURRENT_TIMESTAMP) WITHOUT ROWID;
CREATE TABLE metric(digest TEXT, name TEXT, unit TEXT, value REAL, half_width REAL, n INTEGER,
    method TEXT, PRIMARY KEY(digest, name)) WITHOUT ROWID;
CREATE TABLE word(digest TEXT, name TEXT, value TEXT, PRIMARY KEY(digest, name)) WITHOUT ROWID;
CREATE TABLE study(id INTEGER PRIMARY KEY, name TEXT UNIQUE, text TEXT, objectives TEXT);
CREATE TABLE design(study TEXT, ordinal INTEGER, digest TEXT, state TEXT, reason TEXT, axes TEXT,
    objectives TEXT, period_ns REAL, is_synthesized INTEGER, PRIMARY KEY(study, ordinal))
    WITHOUT ROWID;
CREATE INDEX design_digest ON design(digest);
CREATE TABLE member(design TEXT, ordinal INTEGER, workload TEXT, weight REAL, point TEXT,
    PRIMARY KEY(design, ordinal)) WITHOUT ROWID;
)";

// Not part of the schema: a database without them is read, and gets them when it is written.
constexpr const char* kLaterTables = R"(
CREATE TABLE IF NOT EXISTS search(study TEXT PRIMARY KEY, designs INTEGER, has_ended INTEGER)
    WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS setting(study TEXT PRIMARY KEY, overrides TEXT) WITHOUT ROWID;
)";

}  // namespace

Database::Database(const std::string& path, Access access)
    : path_(path.empty() ? ":memory:" : path) {
    const bool is_file = !path.empty();
    const bool writes = access == Access::kWrite;
    std::error_code unknown;
    is_made_here_ = is_file && writes && !std::filesystem::exists(path, unknown);
    if (is_file) require_own_file(writes);
    try {
        open_file(writes);
        bool is_new = require_own_tables(writes);
        if (writes && is_file) {  // and nothing is left next to a file that is not a database
            lock();
            is_new = is_new && ask(kCountTables) == 0;
        }
        if (is_new) create_tables();
        if (writes) execute(kLaterTables);
        has_searches_ = has_table("search");
        has_settings_ = has_table("setting");
        execute("PRAGMA synchronous=NORMAL");
        // The same pages change again and again: the fewer times they are copied, the better.
        execute("PRAGMA wal_autocheckpoint=8000");  // 32 MB
    } catch (...) {
        close_all();
        throw;
    }
}

/// That the file is there, or can be made.
void Database::require_own_file(bool writes) const {
    std::error_code unknown;
    if (!writes && !std::filesystem::exists(path_, unknown)) {
        throw ConfigError({"--db " + path_, 0, 0}, "there is no such file",
                          "flitscope explore STUDY.yaml --db FILE makes one");
    }
    const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
    if (writes && !folder.empty() && !std::filesystem::is_directory(folder, unknown)) {
        refuse(fmt::format("there is no folder {}", folder.string()));
    }
    if (std::filesystem::is_directory(path_, unknown)) refuse("is a folder");
    note_input(path_);
}

void Database::open_file(bool writes) {
    const int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
    if (sqlite3_open_v2(path_.c_str(), &db_, flags, nullptr) != SQLITE_OK) fail("cannot be opened");
    sqlite3_busy_timeout(db_, 10'000);
}

/// That what is there is a database of ours; whether there is nothing yet, and it is to be written.
bool Database::require_own_tables(bool writes) {
    execute("BEGIN");  // all of them of one moment: another process may just be making it
    const std::uint64_t application = ask("PRAGMA application_id");
    const std::uint64_t version = ask("PRAGMA user_version");
    const std::uint64_t tables = ask(kCountTables);
    execute("COMMIT");
    if (tables == 0 && writes) return true;
    if (application != kApplication) refuse("is not a flitscope database");
    if (version != kVersion) {
        refuse(fmt::format("was made by another version of flitscope (schema {}, not {})", version,
                           kVersion));
    }
    return false;
}

void Database::create_tables() {
    // An outcome that is written outlives the end of any process; only a machine that loses its
    // power may lose the latest ones, and no more than these.
    execute("PRAGMA journal_mode=WAL");
    begin();
    execute(kSchema);
    execute(fmt::format("PRAGMA application_id={}", kApplication).c_str());
    execute(fmt::format("PRAGMA user_version={}", kVersion).c_str());
    commit();
}

/// The number that a query returns; 0 if it returns none.
std::uint64_t Database::ask(const char* sql) {
    Statement statement(*this, sql);
    return statement.step() ? statement.count(0) : 0;
}

bool Database::has_table(const char* name) {
    Statement statement(*this, "SELECT count(*) FROM sqlite_master WHERE name = ?");
    return statement.bind(std::string(name)).step() && statement.count(0) != 0;
}

Database::~Database() { close_all(); }

void Database::close_all() {
    for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
    statements_.clear();
    sqlite3_close(std::exchange(db_, nullptr));
    if (lock_ >= 0) close(std::exchange(lock_, -1));
}

void Database::discard_if_unused() {
    if (!is_made_here_ || !studies().empty()) return;
    close_all();
    std::error_code unknown;
    std::filesystem::remove(path_, unknown);
    std::filesystem::remove(path_ + kLock, unknown);
}

/// Locks a file next to the database, since SQLite has its own locks on the database. Forked
/// processes do not inherit the lock, and it ends with this one.
void Database::lock() {
    const std::string name = path_ + kLock;
    lock_ = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock_ < 0) {
        throw DatabaseError(fmt::format("cannot write '{}': {}", name, std::strerror(errno)));
    }
    struct flock whole = {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    if (fcntl(lock_, F_SETLK, &whole) == 0) return;
    struct flock other = whole;
    const bool is_known = fcntl(lock_, F_GETLK, &other) == 0 && other.l_type != F_UNLCK;
    close(lock_);
    lock_ = -1;
    throw DatabaseError(
        fmt::format("another exploration writes '{}'{}; wait for it, or name another file", path_,
                    is_known ? fmt::format(" (process {})", other.l_pid) : ""));
}

void Database::fail(const std::string& what) const {
    if (db_ != nullptr && sqlite3_errcode(db_) == SQLITE_NOTADB) refuse("is not a database");
    if (db_ != nullptr && sqlite3_errcode(db_) == SQLITE_CORRUPT) {
        refuse(fmt::format("{}: {}", what, sqlite3_errmsg(db_)));
    }
    if (db_ == nullptr || sqlite3_errcode(db_) == SQLITE_NOMEM) throw std::bad_alloc();
    std::string why = sqlite3_errmsg(db_);
    const int number = sqlite3_system_errno(db_);
    if (number != 0) why += fmt::format(" ({})", std::strerror(number));
    throw DatabaseError(fmt::format("the database '{}' {}: {}", path_, what, why));
}

void Database::refuse(const std::string& what) const {
    throw ConfigError({"--db " + path_, 0, 0}, what, "name another file");
}

void Database::execute(const char* sql) {
    if (sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail("cannot be written");
}

void Database::begin() {
    if (depth_++ == 0) execute("BEGIN IMMEDIATE");
}

void Database::commit() {
    if (--depth_ == 0) execute("COMMIT");
}

}  // namespace flitscope::study
