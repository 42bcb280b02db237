// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// That the study of collectives says what its outcomes say: marks, sizes at which the choice
// changes, conclusions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/papers/collectives/collectives.h"
#include "testbench/papers/framework/paper.h"

namespace flitscope::reproduce {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// The parts of collectives/SCHEDULE/ALGORITHM/NETWORK/BYTES.
std::vector<std::string> parts(const std::string& key) {
    std::vector<std::string> words;
    std::istringstream text(key);
    for (std::string word; std::getline(text, word, '/');) words.push_back(word);
    return words;
}

using Time = std::function<double(const std::string& algorithm, double bytes)>;

/// The report of a world in which everything takes `time`.
Report report_of(const Time& time) {
    Outcomes outcomes;
    for (const Experiment& experiment : collectives().experiments()) {
        const std::vector<std::string> words = parts(experiment.key);
        Outcome outcome;
        outcome.cycles = static_cast<Cycle>(time(words.at(2), std::stod(words.at(4))));
        outcome.steps = 63;
        outcome.messages = 63;
        if (experiment.by_cause) {
            outcome.by_cause.emplace();
            outcome.by_cause->front() = outcome.cycles;
        }
        outcomes.add(experiment.key, outcome);
    }
    return collectives().report(outcomes);
}

/// Scatters pay from 10000 bytes on, the chain from 10 MB on; halves from 4000 on, the ring never.
double as_in_books(const std::string& algorithm, double bytes) {
    if (algorithm == "binomial") return 1000 + bytes;
    if (algorithm == "dimension_order") return 1000 + bytes - std::floor(bytes / 1000);
    if (algorithm == "scatter_doubling") return 6000 + bytes / 2;
    if (algorithm == "pipelined_chain") return 2627000 + bytes / 4;
    if (algorithm == "recursive_doubling") return 1000 + bytes;
    if (algorithm == "rabenseifner") return 3000 + bytes / 2;
    return 1e6 + 2 * bytes;
}

TEST(CollectivesStudy, RunsEveryAlgorithmOnceAtEverySize) {
    std::set<std::string> keys;
    for (const Experiment& experiment : collectives().experiments()) {
        EXPECT_TRUE(keys.insert(experiment.key).second) << experiment.key;
        EXPECT_EQ(parts(experiment.key).size(), 5U) << experiment.key;
        const Config config = parse_config(experiment.yaml, experiment.key);
        EXPECT_EQ(config.traffic.schedule, parts(experiment.key)[1]);
        EXPECT_EQ(config.traffic.algorithm, parts(experiment.key)[2]);
        EXPECT_EQ(std::to_string(config.traffic.message_bytes), parts(experiment.key)[4]);
    }
    EXPECT_GE(keys.size(), 10U * 4 * 10);
}

TEST(CollectivesStudy, MarksTheFastestAndSaysWhereTheChoiceChanges) {
    const Report report = report_of(as_in_books);
    const Table& table = report.tables.at(0);
    EXPECT_THAT(table.title, HasSubstr("broadcast on mesh 8x8"));
    ASSERT_EQ(table.columns.at(1), "binomial");
    ASSERT_EQ(table.columns.at(4), "scatter_doubling");
    EXPECT_EQ(table.rows.at(0).at(1).text, "1,008 *");  // as dimension_order
    EXPECT_THAT(table.rows.at(0).at(4).text, EndsWith("  "));
    const std::size_t last = table.rows.size() - 1;
    EXPECT_THAT(table.rows.at(last).at(1).text, EndsWith("  "));
    EXPECT_THAT(table.rows.at(last).at(5).text, EndsWith(" *"));
    // 1000 + b = 6000 + b / 2 at 10000 bytes; 6000 + b / 2 = 2627000 + b / 4 at 10 MB.
    ASSERT_EQ(table.notes.size(), 1U);
    EXPECT_EQ(table.notes[0],
              "Choose dimension_order to about 9.78 KB, then scatter_doubling to about 10 MB, then "
              "pipelined_chain.");
    EXPECT_EQ(report.tables.at(4).notes.at(0),
              "Choose recursive_doubling to about 3.91 KB, then rabenseifner.");
    EXPECT_EQ(report.plots.size(), 8U);
}

TEST(CollectivesStudy, ConcludesFromTheNumbers) {
    const auto findings = [](const Time& time) {
        std::vector<Finding> found;
        for (const Conclusion& c : report_of(time).conclusions) found.push_back(c.cases.finding());
        return found;
    };
    constexpr Finding kYes = Finding::kConfirmed;
    constexpr Finding kPartly = Finding::kPartly;
    constexpr Finding kNo = Finding::kRefuted;
    // Scatters are the fastest up to 4 MB, the chain from 16 MB on. A flit takes 8 bytes: a quarter
    // of a cycle for a byte is twice the least.
    EXPECT_THAT(findings([](const std::string& algorithm, double bytes) {
                    return algorithm == "binomial" ? 999 + bytes : as_in_books(algorithm, bytes);
                }),
                testing::ElementsAre(kPartly, kYes, kNo, kYes, kNo));
    EXPECT_THAT(findings([](const std::string& algorithm, double bytes) {
                    if (algorithm == "pipelined_chain") return 1000 + bytes / 8;
                    if (algorithm == "dimension_order") return 1000 + 2 * bytes;
                    if (algorithm == "ring") return 63 * 1104 + bytes / 4 * 63 / 64;
                    if (algorithm == "rabenseifner" && bytes > 1e6) return bytes;
                    return as_in_books(algorithm, bytes) * 0.7;
                }),
                testing::ElementsAre(kNo, kNo, kYes, kPartly, kYes));
    const Conclusion first = report_of(as_in_books).conclusions.at(0);
    EXPECT_THAT(first.evidence, StartsWith("mesh 8x8: 4 of 5 short sizes and 3 of 5 long ones "
                                           "(dimension_order to about 9.78 KB, then"));
    EXPECT_EQ(first.cases.text(), "28 of 40");
}

}  // namespace
}  // namespace flitscope::reproduce
