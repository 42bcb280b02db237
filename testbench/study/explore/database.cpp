// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/study/explore/database.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/input_file.h"
#include "models/config/choices.h"
#include "models/config/config_tree.h"
#include "testbench/configuration/configuration.h"
#include "testbench/study/explore/kept_columns.h"

namespace flitscope::study {
namespace {

constexpr int kApplication = 0x666c6974;  // "flit"
constexpr int kVersion = 2;
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

// Not part of the schema: a database without it is read, and gets it when it is written.
constexpr const char* kSearchTable = R"(
CREATE TABLE IF NOT EXISTS search(study TEXT PRIMARY KEY, designs INTEGER, has_ended INTEGER)
    WITHOUT ROWID;
)";

std::string host_name() {
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return name;
}

DesignState state_of(const std::string& name) {
    return value_named(kDesignStates, name).value_or(DesignState::kWaiting);
}

}  // namespace

Json objectives_json(const std::vector<ObjectiveRow>& objectives) {
    Json list = Json::array();
    for (const ObjectiveRow& objective : objectives) {
        list.push_back({{"name", objective.name},
                        {"goal", objective.is_maximised ? "max" : "min"},
                        {"unit", objective.unit}});
    }
    return list;
}

PointRow point_row(const Point& point) {
    return {point.measurement, point.engine, to_yaml(point.config)};
}

const char* name_of(DesignState state) {
    switch (state) {
        case DesignState::kSimulated:
            return "simulated";
        case DesignState::kPruned:
            return "pruned";
        case DesignState::kRefused:
            return "refused";
        case DesignState::kWaiting:
            return "waiting";
    }
    return "";
}

const ObjectiveRow& StudyRow::objective(const std::string& metric) const {
    const auto it = std::find_if(objectives.begin(), objectives.end(),
                                 [&](const ObjectiveRow& one) { return one.name == metric; });
    if (it == objectives.end()) {
        throw std::out_of_range("the study has no objective '" + metric + '\'');
    }
    return *it;
}

/// A statement with its values. It is prepared once for each database, which keeps it: no two of
/// the same text at a time.
class Database::Statement {
public:
    Statement(Database& database, const std::string& sql) : database_(database) {
        sqlite3_stmt*& prepared = database.statements_[sql];
        if (prepared == nullptr &&
            sqlite3_prepare_v2(database.db_, sql.c_str(), -1, &prepared, nullptr) != SQLITE_OK) {
            database.fail("cannot be read");
        }
        statement_ = prepared;
    }
    ~Statement() { sqlite3_reset(statement_); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    Statement& bind(const std::string& text) {
        sqlite3_bind_text(statement_, ++bound_, text.data(), static_cast<int>(text.size()),
                          SQLITE_TRANSIENT);
        return *this;
    }
    Statement& bind(double value) {
        sqlite3_bind_double(statement_, ++bound_, value);
        return *this;
    }
    Statement& bind(std::uint64_t value) {
        sqlite3_bind_int64(statement_, ++bound_, static_cast<sqlite3_int64>(value));
        return *this;
    }
    /// Whether there is a row.
    bool step() {
        switch (sqlite3_step(statement_)) {
            case SQLITE_ROW:
                return true;
            case SQLITE_DONE:
                return false;
            default:
                database_.fail("cannot be read or written");
        }
    }
    /// Runs a statement that gives no rows; afterwards it takes new values.
    void run() {
        step();
        sqlite3_reset(statement_);
        bound_ = 0;
    }

    std::string text(int column) const {
        const auto* const text = sqlite3_column_text(statement_, column);
        return text == nullptr ? "" : reinterpret_cast<const char*>(text);
    }
    double number(int column) const { return sqlite3_column_double(statement_, column); }
    std::uint64_t count(int column) const {
        return static_cast<std::uint64_t>(sqlite3_column_int64(statement_, column));
    }

private:
    const Database& database_;
    sqlite3_stmt* statement_ = nullptr;
    int bound_ = 0;
};

Database::Database(const std::string& path, Access access)
    : path_(path.empty() ? ":memory:" : path) {
    const bool is_file = !path.empty();
    const bool writes = access == Access::kWrite;
    if (is_file) require_own_file(writes);
    try {
        open_file(is_file, writes);
        bool is_new = require_own_tables(writes);
        if (writes && is_file) {  // and nothing is left beside a file that is no database
            lock();
            is_new = is_new && ask(kCountTables) == 0;
        }
        if (is_new) create_tables();
        if (writes) execute(kSearchTable);
        has_searches_ = ask("SELECT count(*) FROM sqlite_master WHERE name = 'search'") != 0;
        execute("PRAGMA synchronous=NORMAL");
        // The same pages change again and again: the fewer times they are copied, the better.
        execute("PRAGMA wal_autocheckpoint=8000");  // 32 MB
    } catch (...) {
        close_all();
        throw;
    }
}

/// That the file and what is written beside it are nobody else's.
void Database::require_own_file(bool writes) const {
    std::error_code unknown;
    if (!writes && !std::filesystem::exists(path_, unknown)) {
        throw ConfigError({"--db " + path_, 0, 0}, "there is no such file",
                          "flitscope explore STUDY.yaml --db FILE makes one");
    }
    // What SQLite and we write and remove beside it.
    for (const char* const ending : {"-wal", "-shm", "-journal", kLock}) {
        require_no_input(path_ + ending, {"--db " + path_, 0, 0});
    }
    const std::filesystem::file_status status = std::filesystem::status(path_, unknown);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        refuse("is no file");
    }
    note_input(path_);
}

void Database::open_file(bool is_file, bool writes) {
    const int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
    // Of a plain name SQLite makes what it likes: ":memory:", "file:other.db?mode=memory".
    const bool is_plain = is_file && path_.front() != '/';
    const std::string file = (is_plain ? "./" : "") + path_;
    if (sqlite3_open_v2(file.c_str(), &db_, flags, nullptr) != SQLITE_OK) fail("cannot be opened");
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
    if (application != kApplication) refuse("is no database of flitscope");
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

/// The number that a question has for an answer; 0 where it has none.
std::uint64_t Database::ask(const char* sql) {
    Statement statement(*this, sql);
    return statement.step() ? statement.count(0) : 0;
}

Database::~Database() { close_all(); }

void Database::close_all() {
    for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
    sqlite3_close(db_);
    if (lock_ >= 0) close(lock_);
}

/// Locks a file beside the database, since SQLite has its own locks on the database. Forked
/// processes do not inherit the lock, and it ends with this one.
void Database::lock() {
    const std::string name = path_ + kLock;
    lock_ = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
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
    if (db_ != nullptr && sqlite3_errcode(db_) == SQLITE_NOTADB) refuse("is no database");
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

std::optional<PointOutcome> Database::find(const std::string& digest) {
    Statement attempt(*this, "SELECT state, error, wall_s FROM attempt WHERE digest = ?");
    if (!attempt.bind(digest).step()) return std::nullopt;
    PointOutcome outcome;
    outcome.status = attempt.text(0);
    outcome.problem = attempt.text(1);
    outcome.wall_seconds = attempt.number(2);
    Statement metrics(
        *this, "SELECT name, unit, value, half_width, n, method FROM metric WHERE digest = ?");
    metrics.bind(digest);
    while (metrics.step()) {
        outcome.metrics.push_back({metrics.text(0), metrics.text(1), metrics.number(2),
                                   metrics.number(3), metrics.count(4), metrics.text(5)});
    }
    Statement words(*this, "SELECT name, value FROM word WHERE digest = ?");
    words.bind(digest);
    while (words.step()) outcome.words.emplace_back(words.text(0), words.text(1));
    return outcome;
}

std::string Database::config(const std::string& digest) {
    Statement statement(*this, "SELECT config FROM point WHERE digest = ?");
    return statement.bind(digest).step() ? statement.text(0) : "";
}

void Database::put(const std::string& digest, const PointRow& point, const PointOutcome& outcome) {
    begin();
    Statement(*this, "INSERT OR REPLACE INTO point VALUES(?, ?, ?, ?)")
        .bind(digest)
        .bind(std::string(name_of(point.measurement)))
        .bind(point.engine)
        .bind(point.config)
        .run();
    Statement(*this,
              "INSERT OR REPLACE INTO attempt(digest, state, error, wall_s, host, program) "
              "VALUES(?, ?, ?, ?, ?, ?)")
        .bind(digest)
        .bind(outcome.status)
        .bind(outcome.problem)
        .bind(outcome.wall_seconds)
        .bind(host_name())
        .bind(program_name())
        .run();
    Statement metric(*this, "INSERT OR REPLACE INTO metric VALUES(?, ?, ?, ?, ?, ?, ?)");
    for (const Metric& m : outcome.metrics) {
        metric.bind(digest).bind(m.name).bind(m.unit).bind(m.value).bind(m.half_width);
        metric.bind(m.count).bind(m.method).run();
    }
    Statement word(*this, "INSERT OR REPLACE INTO word VALUES(?, ?, ?)");
    for (const auto& [name, value] : outcome.words) word.bind(digest).bind(name).bind(value).run();
    commit();
}

void Database::begin_study(const StudyRow& study) {
    begin();
    // The latest study has the greatest id.
    Statement(*this, "DELETE FROM study WHERE name = ?").bind(study.name).run();
    Statement(*this, "DELETE FROM design WHERE study = ?").bind(study.name).run();
    Statement(*this, "INSERT INTO study(name, text, objectives) VALUES(?, ?, ?)")
        .bind(study.name)
        .bind(study.text)
        .bind(objectives_json(study.objectives).dump())
        .run();
    Statement(*this, "INSERT OR REPLACE INTO search VALUES(?, 0, 0)").bind(study.name).run();
    commit();
}

void Database::expect_designs(const std::string& study, std::uint64_t designs) {
    Statement(*this, "UPDATE search SET designs = ? WHERE study = ?")
        .bind(designs)
        .bind(study)
        .run();
}

void Database::end_study(const std::string& study) {
    Statement(*this, "UPDATE search SET has_ended = 1 WHERE study = ?").bind(study).run();
}

void Database::put_design(const std::string& study, std::size_t ordinal, const DesignRow& row,
                          const std::vector<MemberRow>& members) {
    begin();
    Statement(*this, "INSERT OR REPLACE INTO design VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .bind(study)
        .bind(std::uint64_t{ordinal})
        .bind(row.digest)
        .bind(std::string(name_of(row.state)))
        .bind(row.reason)
        .bind(row.axes.dump())
        .bind(row.objectives.dump())
        .bind(row.period_ns)
        .bind(std::uint64_t{row.is_synthesized})
        .run();
    Statement member(*this, "INSERT OR REPLACE INTO member VALUES(?, ?, ?, ?, ?)");
    // All that cannot be built have the same digest, the empty one, and have no points.
    for (std::size_t i = 0; !row.digest.empty() && i < members.size(); ++i) {
        member.bind(row.digest).bind(std::uint64_t{i}).bind(members[i].workload);
        member.bind(members[i].weight).bind(members[i].point).run();
    }
    commit();
}

void Database::refuse_row(const std::string& row, const std::string& what) const {
    throw ConfigError({"--db " + path_, 0, 0},
                      fmt::format("holds what flitscope has not written: {} {}", row, what),
                      "name another file, or have the study explored into a new one");
}

std::vector<StudyRow> Database::studies() {
    Statement statement(*this, "SELECT name, text, objectives FROM study ORDER BY id");
    std::vector<StudyRow> rows;
    while (statement.step()) {
        StudyRow row{statement.text(0), statement.text(1), {}};
        try {
            row.objectives = parse_objectives(statement.text(2));
        } catch (const std::invalid_argument& error) {
            refuse_row(fmt::format("table study, '{}': objectives", excerpt(row.name)),
                       error.what());
        }
        read_extent(row);
        rows.push_back(std::move(row));
    }
    return rows;
}

void Database::read_extent(StudyRow& study) {
    Statement designs(*this, "SELECT count(*) FROM design WHERE study = ?");
    if (designs.bind(study.name).step()) study.designs = designs.count(0);
    if (!has_searches_) return;
    Statement search(*this, "SELECT designs, has_ended FROM search WHERE study = ?");
    if (!search.bind(study.name).step()) return;
    study.expected = search.count(0);
    study.is_complete = search.count(1) != 0;
}

std::vector<DesignRow> Database::read_designs(const std::string& clause,
                                              const std::vector<std::string>& values) {
    const std::string sql =
        "SELECT digest, state, reason, axes, objectives, period_ns, is_synthesized, study, ordinal "
        "FROM design WHERE " +
        clause;
    Statement statement(*this, sql);
    for (const std::string& value : values) statement.bind(value);
    const auto parsed = [&](int column, const char* name, Json (*parse)(const std::string&)) {
        try {
            return parse(statement.text(column));
        } catch (const std::invalid_argument& error) {
            refuse_row(fmt::format("table design, number {} of '{}': {}", statement.count(8),
                                   excerpt(statement.text(7)), name),
                       error.what());
        }
    };
    std::vector<DesignRow> rows;
    while (statement.step()) {
        rows.push_back({statement.text(0), state_of(statement.text(1)), statement.text(2),
                        parsed(3, "axes", parse_labels), parsed(4, "objectives", parse_values),
                        statement.number(5), statement.count(6) != 0});
    }
    return rows;
}

std::vector<DesignRow> Database::designs(const StudyRow& study) {
    std::vector<DesignRow> rows = read_designs("study = ? ORDER BY ordinal", {study.name});
    try {
        require_alike(rows, study.objectives);
    } catch (const std::invalid_argument& error) {
        refuse_row(fmt::format("of '{}',", excerpt(study.name)), error.what());
    }
    return rows;
}

std::vector<DesignRow> Database::designs_like(const std::string& digest, const std::string& study) {
    std::vector<DesignRow> rows = read_designs(
        fmt::format("substr(digest, 1, {}) = ? AND ? IN ('', study) "
                    "ORDER BY digest, state = '{}' DESC, (SELECT id FROM study WHERE name = "
                    "design.study) DESC",
                    digest.size(), name_of(DesignState::kSimulated)),
        {digest, study});
    const auto is_same = [](const DesignRow& a, const DesignRow& b) {
        return a.digest == b.digest;
    };
    rows.erase(std::unique(rows.begin(), rows.end(), is_same), rows.end());
    return rows;
}

std::vector<MemberRow> Database::members(const std::string& design) {
    Statement statement(*this,
                        "SELECT workload, weight, point FROM member WHERE design = ? "
                        "ORDER BY ordinal");
    statement.bind(design);
    std::vector<MemberRow> rows;
    while (statement.step()) {
        rows.push_back({statement.text(0), statement.number(1), statement.text(2)});
    }
    return rows;
}

}  // namespace flitscope::study
