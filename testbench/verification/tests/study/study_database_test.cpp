// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Databases of studies: their contents, and files that are not databases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testbench/app/study/design_point.h"
#include "testbench/verification/tests/study/exploration_fixture.h"
#include "testbench/verification/tests/support/refused_with.h"

namespace flitscope::study {
namespace {

using testing::HasSubstr;

TEST_F(Exploration, OutcomesComeBackAsTheyWere) {
    PointOutcome outcome;
    outcome.status = PointStatus::kComplete;
    outcome.wall_seconds = 0.25;
    outcome.metrics = {{"a", "ns", 1.0 / 3, 0.5, 7, "guess"},
                       {"b", "", 9007199254740991.0},
                       {"c", "cycles", 11, 0.0, 5, "batch means"}};
    outcome.words = {{"engine", "tlm"}};
    DesignPoint point;
    {
        Database database(path("x.db"), Database::Access::kWrite);
        EXPECT_FALSE(database.find("d"));
        database.put("d", point_row(point), outcome);
    }
    Database database(path("x.db"), Database::Access::kRead);
    const auto found = database.find("d");
    ASSERT_TRUE(found);
    EXPECT_EQ(to_json(*found), to_json(outcome));
}

TEST_F(Exploration, HalfWidthsThatAreNotKnownAreNullAndOlderZerosAreNotKnown) {
    const std::string db = path("widths.db");
    std::remove(db.c_str());
    PointOutcome outcome;
    outcome.status = PointStatus::kStable;
    outcome.metrics = {{"cycles", "cycles", 100},
                       {"mean_latency", "cycles", 11, 0.0, 5, "batch means"},
                       {"mean_round_trip", "cycles", 30, 0.5, 7, "batch means"}};
    Database(db, Database::Access::kWrite).put("d", point_row({}), outcome);
    const auto half_width = [&](const char* name) {
        return Database(db, Database::Access::kRead).find("d")->find(name)->half_width;
    };
    EXPECT_EQ(half_width("cycles"), std::nullopt);
    EXPECT_EQ(half_width("mean_latency"), 0.0);
    EXPECT_EQ(half_width("mean_round_trip"), 0.5);
    // As older programs wrote it.
    sqlite3* file = nullptr;
    sqlite3_open(db.c_str(), &file);
    sqlite3_exec(file, "UPDATE metric SET half_width = 0 WHERE half_width IS NULL", nullptr,
                 nullptr, nullptr);
    EXPECT_EQ(sqlite3_changes(file), 1);
    sqlite3_close(file);
    EXPECT_EQ(half_width("cycles"), std::nullopt);
    EXPECT_EQ(half_width("mean_latency"), std::nullopt);
    EXPECT_EQ(half_width("mean_round_trip"), 0.5);
}

TEST_F(Exploration, SettingsOfTheCommandLineAreKeptAndAnotherStudyOfThatNameIsTold) {
    const std::string db = path("settings.db");
    std::remove(db.c_str());
    std::vector<std::pair<StudyRow, StudyRow>> told;
    const auto run_with = [&](const std::vector<std::string>& settings) {
        study(
            "vary: {fabric.buffer_depth: [2, 4]}\nobjectives: {min: cycles}\n"
            "equal_cost: {fabric.pin_budget: 256}\n");
        ExploreOptions options{"auto", 2, process_worker_pool({2})};
        options.on_replaced = [&](const StudyRow& kept, const StudyRow& now) {
            told.emplace_back(kept, now);
        };
        Database database(db, Database::Access::kWrite);
        explore(load_study(path("study.yaml"), settings), database, options);
        return database.studies().back().settings;
    };
    const std::vector<std::string> small = {"traffic.message_bytes=64", "seed=2"};
    const std::vector<std::string> large = {"traffic.message_bytes=4096"};
    EXPECT_EQ(run_with(small), small);
    EXPECT_TRUE(told.empty());
    EXPECT_EQ(run_with(large), large);
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].first.settings, small);
    EXPECT_EQ(told[0].second.settings, large);
    EXPECT_EQ(told[0].first.text, told[0].second.text);
    EXPECT_EQ(run_with({}), std::vector<std::string>{});
    EXPECT_EQ(told.back().first.settings, large);
}

TEST_F(Exploration, ADatabaseWithoutSettingsDoesNotSayThatThereWereNone) {
    const std::string db = path("older.db");
    std::remove(db.c_str());
    run("vary: {fabric.buffer_depth: [2, 4]}\nobjectives: {min: cycles}\n", 2, "older.db");
    sqlite3* file = nullptr;
    sqlite3_open(db.c_str(), &file);
    sqlite3_exec(file, "DROP TABLE setting", nullptr, nullptr, nullptr);
    sqlite3_close(file);
    const auto known = [&](Database::Access access) {
        return Database(db, access).studies().back().settings.has_value();
    };
    EXPECT_FALSE(known(Database::Access::kRead));
    EXPECT_FALSE(known(Database::Access::kWrite));  // which has made the table
    run("vary: {fabric.buffer_depth: [2, 4]}\nobjectives: {min: cycles}\n", 2, "older.db");
    EXPECT_TRUE(known(Database::Access::kRead));
}

TEST_F(Exploration, ADatabaseHasOneWriter) {
    const Database first(path("one.db"), Database::Access::kWrite);
    // Locks are between processes.
    const pid_t child = fork();
    if (child == 0) {
        try {
            const Database second(path("one.db"), Database::Access::kWrite);
        } catch (const DatabaseError& error) {
            _exit(std::string(error.what()).find("another exploration") != std::string::npos ? 7
                                                                                             : 8);
        }
        _exit(9);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST_F(Exploration, StrangeFilesAreRefused) {
    std::ofstream(path("text.db")) << std::string(5000, 'x');
    EXPECT_THROW(Database(path("text.db"), Database::Access::kWrite), ConfigError);
    sqlite3* db = nullptr;
    sqlite3_open(path("other.db").c_str(), &db);
    sqlite3_exec(db, "CREATE TABLE t(x)", nullptr, nullptr, nullptr);
    sqlite3_close(db);
    EXPECT_THROW(Database(path("other.db"), Database::Access::kWrite), ConfigError);
    { const Database ours(path("new.db"), Database::Access::kWrite); }
    sqlite3_open(path("new.db").c_str(), &db);
    sqlite3_exec(db, "PRAGMA user_version=1", nullptr, nullptr, nullptr);
    sqlite3_close(db);
    EXPECT_THAT(
        refused_with([&] { const Database newer(path("new.db"), Database::Access::kRead); }),
        HasSubstr("schema 1, not 3"));
    EXPECT_THROW(Database(path("nowhere.db"), Database::Access::kRead), ConfigError);
}

}  // namespace
}  // namespace flitscope::study
