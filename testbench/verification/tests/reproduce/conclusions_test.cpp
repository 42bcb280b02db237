// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// That all papers are judged by one rule, and the results of claims that need no run, or only the
// stored runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/papers/framework/paper.h"
#include "testbench/papers/framework/render.h"
#include "testbench/papers/papers.h"
#include "testbench/papers/ziavras/ziavras_formulas.h"

namespace flitscope::reproduce {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Cases, OfAllHalfAndFewerDecide) {
    EXPECT_EQ(Cases::of(4, 4).finding(), Finding::kConfirmed);
    EXPECT_EQ(Cases::of(3, 4).finding(), Finding::kPartly);
    EXPECT_EQ(Cases::of(2, 4).finding(), Finding::kPartly);
    EXPECT_EQ(Cases::of(1, 4).finding(), Finding::kRefuted);
    EXPECT_EQ(Cases::of(0, 4).finding(), Finding::kRefuted);
    EXPECT_EQ(Cases{true}.finding(), Finding::kConfirmed);
    EXPECT_EQ(Cases{false}.finding(), Finding::kRefuted);
    const Cases parts{true, false};
    EXPECT_EQ(parts.finding(), Finding::kPartly);
    EXPECT_EQ(parts.text(), "1 of 2");
}

TEST(Cases, AreAddedUp) {
    Cases cases;
    EXPECT_THROW(static_cast<void>(cases.finding()), std::logic_error);
    cases.add(true);
    cases.add(Cases::of(2, 5));
    EXPECT_EQ(cases.text(), "3 of 6");
    EXPECT_THROW(Cases::of(2, 1), std::logic_error);
}

TEST(Cases, MostIsMoreThanHalf) {
    EXPECT_EQ(Cases::most_of(Cases::of(3, 5)).finding(), Finding::kConfirmed);
    EXPECT_EQ(Cases::most_of(Cases::of(2, 4)).finding(), Finding::kRefuted);
    EXPECT_EQ(Cases::most_of(Cases::of(4, 5)).all(), 1U);
}

Breakdown breakdown_of(const std::string& run, Cycle body, Cycle held) {
    Breakdown breakdown{run, {}};
    breakdown.by_cause[static_cast<std::size_t>(Cause::kSerialization)] = body;
    breakdown.by_cause[static_cast<std::size_t>(Cause::kVcBusy)] = held;
    return breakdown;
}

TEST(ReportText, TimesByCauseStandBesideTheirClaim) {
    EXPECT_EQ(breakdown_of("r", 250, 750).share(kHeldUp), 0.75);
    EXPECT_EQ(breakdown_of("r", 250, 750).text(), "vc_busy 75.0 %, serialization 25.0 %");
    EXPECT_EQ(breakdown_of("r", 9999, 1).text(), "serialization 100.0 %");
    const Report report{
        {},
        {},
        {{"it waits", "Sec. 1", {true}, "Yes.", {breakdown_of("a run", 300, 700)}, "So it does."},
         {"it is fast", "Sec. 2", {false}, "No."}}};
    const Paper paper{"p", "A paper", nullptr, nullptr};
    std::ostringstream out;
    print_report(out, paper, report);
    EXPECT_THAT(
        out.str(),
        HasSubstr("             Yes.\n"
                  "             - a run, 1,000 cycles: vc_busy 70.0 %, serialization 30.0 %\n"
                  "             So it does.\n"
                  "  refuted    it is fast"));
    const Json conclusions = report_json(paper, report)["conclusions"];
    EXPECT_EQ(conclusions[0]["runs"][0]["causes"]["vc_busy"], 700);
    EXPECT_EQ(conclusions[0]["meaning"], "So it does.");
    EXPECT_FALSE(conclusions[1].contains("runs"));
}

TEST(ReportText, AFindingInNanosecondsSaysWhatBecomesOfTheOne) {
    Report report;
    for (const Cases& before : {Cases{true}, Cases{true, false}, Cases{false}}) {
        for (const Cases& after : {Cases{true}, Cases{false}}) {
            Conclusion& conclusion = report.conclusions.emplace_back();
            conclusion = {"it is fast", "Sec. 1", before, "Yes."};
            conclusion.physical = PhysicalFinding{after, "Long wires."};
        }
    }
    report.conclusions.push_back({"it is small", "Sec. 2", {true}, "Very."});
    const Paper paper{"p", "A paper", nullptr, nullptr};
    std::ostringstream out;
    print_report(out, paper, report);
    EXPECT_THAT(out.str(), HasSubstr("             in ns: is reversed, refuted. Long wires.\n"));
    std::vector<std::string> changes;
    const Json json = report_json(paper, report);
    for (const Json& conclusion : json["conclusions"]) {
        changes.push_back(conclusion.contains("physical")
                              ? conclusion["physical"]["change"].get<std::string>()
                              : "-");
    }
    EXPECT_THAT(changes, ElementsAre("holds", "is reversed", "changes", "changes", "is reversed",
                                     "holds", "-"));
}

/// The report of the kept outcomes.
Report kept_report(const std::string& name) {
    for (const Paper& paper : papers()) {
        if (paper.name != name) continue;
        std::ifstream outcomes(std::string(FLITSCOPE_GOLDEN) + "/" + name + ".csv");
        return paper.report(Outcomes::read(outcomes));
    }
    throw std::out_of_range(name);
}

const Conclusion& conclusion(const Report& report, const std::string& begin) {
    for (const Conclusion& entry : report.conclusions) {
        if (entry.claim.rfind(begin, 0) == 0) return entry;
    }
    throw std::out_of_range(begin);
}

const Table& table(const Report& report, const std::string& begin) {
    for (const Table& entry : report.tables) {
        if (entry.title.rfind(begin, 0) == 0) return entry;
    }
    throw std::out_of_range(begin);
}

TEST(Papers, EvidenceHasTheCountsOfItsCases) {
    std::size_t counted = 0;
    for (const Paper& paper : papers()) {
        for (const Conclusion& entry : kept_report(paper.name).conclusions) {
            EXPECT_GT(entry.cases.all(), 0U) << entry.claim;
            counted += entry.cases.all() > 2 ? 1 : 0;
        }
    }
    EXPECT_GT(counted, 30U);
}

// Errata 003: n = 16 and 64, by breadth-first search.
TEST(CheungAndLau, TheDerivedLengthHasNotTheLeastDiameter) {
    const Report report = kept_report("cheung");
    const Table& diameters = table(report, "Diameter");
    EXPECT_THAT(diameters.columns,
                ElementsAre("L", "a line of 64", "a line of 256", "16 x 16", "64 x 64"));
    const auto of = [&](std::uint32_t length, std::size_t column) {
        for (const std::vector<Cell>& row : diameters.rows) {
            if (row[0].value == length) return row.at(column).text;
        }
        return std::string("none");
    };
    EXPECT_EQ(of(16, 2), "37");
    EXPECT_EQ(of(14, 2), "30");
    EXPECT_EQ(of(18, 2), "30");
    EXPECT_EQ(of(2, 3), "16");
    for (const std::uint32_t length : {3U, 4U, 5U, 6U}) EXPECT_EQ(of(length, 3), "14") << length;
    EXPECT_EQ(of(8, 3), "22");
    EXPECT_EQ(of(4, 4), "38");
    EXPECT_EQ(of(6, 4), "30");
    EXPECT_EQ(of(8, 4), "34");
    EXPECT_EQ(of(10, 4), "28");
    EXPECT_EQ(of(16, 4), "50");
    EXPECT_EQ(of(64, 4), "-");
    EXPECT_EQ(conclusion(report, "The best length").cases.text(), "2 of 4");
}

TEST(CheungAndLau, ExpressLinksAreJudgedOverTheWholeRange) {
    const Conclusion gain = conclusion(kept_report("cheung"), "Express links are a significant");
    EXPECT_EQ(gain.cases.text(), "18 of 20");
    EXPECT_THAT(gain.evidence,
                HasSubstr("(enough from N = 625 on) for 256 bytes with linear wire delay."));
    EXPECT_EQ(gain.physical->cases.text(), "16 of 20");
    EXPECT_THAT(gain.evidence, HasSubstr("up to N = 1296 for 256 bytes with linear wire delay"));
}

TEST(Boppana, OtherOperationsAreJudgedByMessagesOverSeveralLinksToo) {
    const Report report = kept_report("boppana");
    std::vector<std::string> links;
    for (const std::vector<Cell>& row : table(report, "The other three operations").rows) {
        links.push_back(row.at(1).text + ' ' + row.at(2).text);
    }
    EXPECT_THAT(links, testing::IsSupersetOf({"scatter binomial 1.00", "scatter direct 2.58",
                                              "allgather ring 1.94"}));
    EXPECT_EQ(conclusion(report, "For the other three operations").cases.all(), 3U);
}

// Errata 004.1.
TEST(Ziavras, PrintedWidthsAreThoseOfTheTheorem) {
    const auto width = [](std::uint32_t p, std::uint32_t w) {
        return printed_collective_width({p, w, 1});
    };
    EXPECT_EQ(width(16, 2), 2U);
    EXPECT_EQ(width(16, 3), 4U);
    EXPECT_EQ(width(16, 5), 9U);
    EXPECT_EQ(width(16, 8), 20U);
    EXPECT_EQ(width(64, 16), 72U);
    EXPECT_EQ(width(4, 3), 3U);
    EXPECT_EQ(width(8, 7), 10U);
    EXPECT_EQ(width(64, 63), 528U);
    EXPECT_EQ(width(16, 12), std::nullopt);
}

TEST(Ziavras, CollectivesInTwoDimensionsAreJudged) {
    const Report report = kept_report("ziavras");
    const Conclusion broadcast = conclusion(report, "In two dimensions a one-to-all broadcast");
    EXPECT_EQ(broadcast.cases.text(), "21 of 21");
    const Conclusion one = conclusion(report, "In two dimensions a node with one output");
    EXPECT_EQ(one.cases.finding(), Finding::kRefuted);  // as on lines
    EXPECT_EQ(conclusion(report, "In two dimensions it takes s ceil").cases.text(), "7 of 7");
}

TEST(Ziavras, WidthsOfTheTheoremAreCounted) {
    const Conclusion widths = conclusion(kept_report("ziavras"), "The maximum collective width");
    EXPECT_EQ(widths.cases.finding(), Finding::kConfirmed);
    EXPECT_GT(widths.cases.all(), 200U);
}

}  // namespace
}  // namespace flitscope::reproduce
