// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Storage of outcomes and studies: an SQLite file with one writer. Every outcome is written as a
// whole as soon as its process has work again, so a killed study loses the simulations in progress,
// and no more than one outcome of each process.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/app/study/measurement.h"
#include "testbench/app/study/point_outcome.h"

struct sqlite3;
struct sqlite3_stmt;

namespace flitscope::study {

struct DesignPoint;

/// An error of a database, in a sentence that names the database.
class DatabaseError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

enum class DesignState : std::uint8_t {
    kSimulated,  ///< measured, now or before
    kPruned,     ///< proved not to be on the front, or outside a constraint
    kRefused,    ///< it can not be built or measured
    kWaiting,    ///< not settled
};
inline constexpr std::array kDesignStates{DesignState::kSimulated, DesignState::kPruned,
                                          DesignState::kRefused, DesignState::kWaiting};
/// The word for it in databases and reports: simulated, pruned, refused, waiting.
const char* name_of(DesignState state);

/// A design of a study as it is kept.
struct DesignRow {
    std::string digest;
    DesignState state = DesignState::kWaiting;
    std::string reason;           ///< if the design was pruned or refused
    Json axes;                    ///< name of the axis to label
    Json objectives;              ///< name to value; empty unless simulated
    double period_ns = 0;         ///< by which cycles became times; the first workload's
    bool is_synthesized = false;  ///< that of its router, and not clock_ns
    Json derived =
        Json::object();  ///< name to value of derived figures, as far as read (derived.h)

    /// Whether the design takes part in comparisons: measured, and within all constraints.
    bool counts() const { return state == DesignState::kSimulated && reason.empty(); }
};

/// A point as it is kept.
struct PointRow {
    Measurement measurement = Measurement::kRun;
    std::string engine;
    std::string config;  ///< YAML
};
PointRow point_row(const DesignPoint& point);

/// The points of a design.
struct MemberRow {
    std::string workload;
    double weight = 1;
    std::string point;  ///< digest
};

/// A metric that a study minimises or maximises.
struct ObjectiveRow {
    std::string name;
    std::string unit;
    bool is_maximised = false;

    double value(const DesignRow& design) const { return design.objectives.at(name); }
    bool is_better(double a, double b) const { return is_maximised ? a > b : a < b; }
};

struct StudyRow {
    std::string name;
    std::string text;  ///< text of its file
    std::vector<ObjectiveRow> objectives;
    std::uint64_t designs = 0;   ///< its stored designs
    std::uint64_t expected = 0;  ///< that its search has to settle; 0: not known
    bool is_complete = true;     ///< its search has finished; also if the database does not say
    /// Those of the command line; nothing if the database does not say.
    std::optional<std::vector<std::string>> settings = {};

    /// Throws std::out_of_range if it has none of that name.
    const ObjectiveRow& objective(const std::string& metric) const;
};

/// A list of {name, goal, unit}, as they are kept.
Json objectives_json(const std::vector<ObjectiveRow>& objectives);

class Database {
public:
    enum class Access : std::uint8_t { kWrite, kRead };

    /// Opens a database; with an empty path, one in memory. Throws ConfigError if it is not a
    /// database of ours or of another version, DatabaseError if another process writes it or it
    /// cannot be opened.
    Database(const std::string& path, Access access);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// Closes it, and removes its files if this object has made them and no study is in them: that
    /// of a study which was refused. To be called last.
    void discard_if_unused();

    // ---- Outcomes -------------------------------------------------------------------------------

    std::optional<PointOutcome> find(const std::string& digest);
    /// The configuration of an outcome, as YAML; empty if there is none.
    std::string config(const std::string& digest);
    void put(const std::string& digest, const PointRow& point, const PointOutcome& outcome);

    // ---- Studies --------------------------------------------------------------------------------

    /// The study that begin_study() would replace: name, text and settings of the study of that
    /// name. Nothing if there is none.
    std::optional<StudyRow> replaced_by(const StudyRow& study);
    /// Replaces what is kept of the study of that name; outcomes stay. It is incomplete until its
    /// search has ended.
    void begin_study(const StudyRow& study);
    /// So many designs will be settled.
    void expect_designs(const std::string& study, std::uint64_t designs);
    void end_study(const std::string& study);
    /// The design with this number in the study.
    void put_design(const std::string& study, std::size_t ordinal, const DesignRow& row,
                    const std::vector<MemberRow>& members);

    std::vector<StudyRow> studies();  ///< the latest last
    std::vector<DesignRow> designs(const StudyRow& study);
    /// The designs of a study, or of any if that is empty, whose digest begins so: each digest
    /// once, from the latest study that has simulated it, else from the latest one.
    std::vector<DesignRow> designs_like(const std::string& digest, const std::string& study);
    std::vector<MemberRow> members(const std::string& design);

    /// Begins a transaction: everything up to commit() is written together or not at all.
    void begin();
    void commit();

private:
    class Statement;
    void require_own_file(bool writes) const;
    void open_file(bool writes);
    bool require_own_tables(bool writes);
    void create_tables();
    std::uint64_t ask(const char* sql);
    void execute(const char* sql);
    bool has_table(const char* name);
    void read_extent(StudyRow& study);
    std::optional<std::vector<std::string>> settings_of(const std::string& study);
    std::vector<DesignRow> read_designs(const std::string& clause,
                                        const std::vector<std::string>& values);
    [[noreturn]] void fail(const std::string& what) const;
    [[noreturn]] void refuse(const std::string& what) const;
    void lock();
    void close_all();

    std::string path_;
    sqlite3* db_ = nullptr;
    std::map<std::string, sqlite3_stmt*> statements_;  // prepared, by their text
    // Databases of before November 2026 have no such tables.
    bool has_searches_ = false;
    bool has_settings_ = false;
    bool is_made_here_ = false;  // its file was not there before
    int lock_ = -1;
    int depth_ = 0;
};

}  // namespace flitscope::study
