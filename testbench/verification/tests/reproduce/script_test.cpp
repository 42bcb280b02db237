// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The scripts of papers: formulas, texts and cells, sweeps, and the report that they come to.
#include "testbench/papers/framework/script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace flitscope::reproduce {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::ThrowsMessage;

Outcome outcome_of(Cycle body, Cycle held) {
    Outcome outcome;
    outcome.cycles = body + held;
    outcome.steps = 3;
    outcome.by_cause.emplace();
    (*outcome.by_cause)[static_cast<std::size_t>(Cause::kSerialization)] = body;
    (*outcome.by_cause)[static_cast<std::size_t>(Cause::kVcBusy)] = held;
    return outcome;
}

class FormulaTest : public testing::Test {
protected:
    FormulaTest() : run_(outcome_of(250, 750)) {
        names_.set("two", 2);
        names_.set("word", "pex");
        names_.set("list", List{3, 1, 2});
        names_.set("none", Value());
        names_.set("cases", Cases::of(10, 12));
        names_.set("record", Record{{"name", "first"}, {"size", 7}});
        names_.set("run", reproduce::Run{&run_, "the run"});
        names_.set("held_up", List{"vc_busy", "credit_stall"});
        names_.define("half", [](double x) { return x / 2; });
        names_.define("throws", []() -> double { throw std::out_of_range("asked"); });
    }
    double number(const std::string& formula) const { return value_of(formula, names_).number(); }

    Outcome run_;
    Names names_;
};

TEST_F(FormulaTest, BindsAsUsual) {
    EXPECT_EQ(number("1 + two * 3 - 8 / 4"), 5);
    EXPECT_EQ(number("8 - 4 - 2"), 2);
    EXPECT_EQ(number("-(1 + 2) * -2"), 6);
    EXPECT_EQ(number("1 < 2 and 3 >= 3 and two != 1"), 1);
    EXPECT_EQ(number("1 > 2 or two == 2"), 1);
    EXPECT_EQ(number("word == 'pex' and word != 'gen'"), 1);
    EXPECT_EQ(number("half(6) + pow(two, 3) + 1e1"), 21);
    EXPECT_EQ(number("least(list) + 10 * most(list) + 100 * median(list)"), 231);
    EXPECT_EQ(value_of("where_most(list, list)", names_).number(), 3);
    EXPECT_EQ(number("is_there(none)"), 0);
}

TEST_F(FormulaTest, AsksForOneSideOfAChoiceOnly) {
    EXPECT_EQ(number("if(two > 1, two, throws())"), 2);
    EXPECT_EQ(number("if(two > 2, nothing.at_all, if(two > 1, 4, throws()))"), 4);
}

TEST_F(FormulaTest, KnowsThePartsOfThings) {
    EXPECT_EQ(number("run.cycles + run.steps"), 1003);
    EXPECT_EQ(number("run.held_up"), 75);
    EXPECT_EQ(number("run.serialization.cycles"), 250);
    EXPECT_EQ(number("cases.held / cases.all"), 10.0 / 12);
    EXPECT_EQ(number("record.size"), 7);
    EXPECT_EQ(value_of("mostly(cases)", names_).cases().text(), "1 of 1");
}

TEST_F(FormulaTest, MistakesAreQuoted) {
    const auto is_refused = [&](const std::string& formula, const std::string& says) {
        EXPECT_THAT([&] { value_of(formula, names_); },
                    ThrowsMessage<std::logic_error>(HasSubstr(says)))
            << formula;
    };
    is_refused("two + three", "no name is three, in 'two + three'");
    is_refused("twice(two)", "no function is twice");
    is_refused("half(1, 2)", "half takes 1 arguments, not 2");
    is_refused("two +", "is no formula");
    is_refused("two two", "is no formula from 'two'");
    is_refused("word + 1", "'pex' is no number");
    is_refused("run.laziness", "a run has no laziness");
    EXPECT_THROW(filled("{two", names_), std::logic_error);
}

TEST_F(FormulaTest, TextsAreFilledIn) {
    EXPECT_EQ(filled("{{{two}}} of {record}: {list}, {cases}", names_),
              "{2} of first: 3, 1, 2, 10 of 12");
    EXPECT_EQ(filled("{1234567:,} {two / 3:.2f} {run.text}", names_), "1,234,567 0.67 the run");
    EXPECT_EQ(filled("{if(two > 1, ': {', '')}{filled('{two}')}", names_), ": {2");
}

TEST_F(FormulaTest, CellsAreNumbersOrWords) {
    EXPECT_EQ(cell_of("1234", names_).text, "1,234");
    EXPECT_EQ(cell_of("1234", names_).value.dump(), "1234");
    EXPECT_EQ(cell_of("two / 8; .1f", names_).text, "0.2");
    EXPECT_EQ(cell_of("two / 8; .1f", names_).value.dump(), "0.25");
    EXPECT_EQ(cell_of("error(11, 10); %", names_).text, "+10.0 %");
    EXPECT_EQ(cell_of("two; {two} *", names_).text, "2 *");
    EXPECT_EQ(cell_of("two; {two} *", names_).value, 2);
    EXPECT_EQ(cell_of("{two} of 3", names_).value, "2 of 3");
    EXPECT_EQ(cell_of("none", names_).text, "-");
    EXPECT_TRUE(cell_of("error(1, 0); %", names_).value.is_null());
}

constexpr const char* kScript = R"yaml(
let: {sizes: [1, 2, 3], names: [{name: a, more: 1}, {name: b, more: 2}]}
runs: {slow: ["run/{last(sizes)}", the slow one]}
experiments:
- for: {one: names}
  experiments:
  - for: {size: 1..one.more}
    key: other/{one}/{size}
    configuration: |
      fabric: {{size: {size}}}
    weight: size / 2
- for: {size: sizes}
  if: size != 2
  key: run/{size}
  configuration: ""
  engine: tlm
  weight: 1
measured:
- for: {size: [1, 3]}
  runs: {run: "run/{size}"}
  cases: {long: run.cycles > 500}
  lists: {cycles: run.cycles}
tables:
- each: {factor: [1, 10]}
  title: Times {factor}
  columns: [size, {for: {one: names}, name: "{one}"}]
  rows:
  - for: {size: [1, 3]}
    rows:
    - cells: [size, {for: {one: names}, cell: "size * factor * one.more"}]
    - {for: {last: [9]}, cells: [last, "'x'", none]}
  notes: ["{if(factor == 1, 'once', '')}"]
plots:
- name: p
  title: P
  x: size
  y: cycles
  log: y
  series:
  - name: all
    model: 1
    points: {for: {size: [1, 3]}, runs: {run: "run/{size}"}, x: size, y: run.cycles}
claims:
- claim: It is long
  where: 1
  over:
  - for: {outer: [1, 2]}
    over:
    - {for: {size: sizes}, if: size > outer, cases: {above: size > 2}}
    cases: {all_above: above}
    lists: {found: "{above} above {outer}"}
  holds: [long, all_above, 1 > 0]
  evidence: "{long}; {found}; {total(cycles)}."
  shows: [slow]
  meaning: "{slow.text}: {slow.held_up:.0f} %."
  in_ns: {for: {size: sizes}, cases: {odd: size != 2}, holds: odd, evidence: "{odd}"}
)yaml";

TEST(ScriptTest, ExperimentsAreThoseOfTheirSweeps) {
    const std::vector<Experiment> all = scripted_experiments(kScript, Names());
    std::vector<std::string> keys;
    for (const Experiment& experiment : all) keys.push_back(experiment.key);
    EXPECT_THAT(keys, ElementsAre("other/a/1", "other/b/1", "other/b/2", "run/1", "run/3"));
    EXPECT_EQ(all[2].yaml, "fabric: {size: 2}\n");
    EXPECT_EQ(all[2].engine, "auto");
    EXPECT_EQ(all[2].weight, 1);
    EXPECT_EQ(all[3].engine, "tlm");
    EXPECT_FALSE(all[3].by_cause);
    EXPECT_TRUE(all[4].by_cause);
}

TEST(ScriptTest, ReportsFollowFromTheOutcomes) {
    Outcomes outcomes;
    outcomes.add("run/1", outcome_of(100, 0));
    outcomes.add("run/3", outcome_of(250, 750));
    const Report report = scripted_report(kScript, Names(), outcomes);
    ASSERT_THAT(report.tables, SizeIs(2));
    const Table& table = report.tables[1];
    EXPECT_EQ(table.title, "Times 10");
    EXPECT_THAT(table.columns, ElementsAre("size", "a", "b"));
    ASSERT_THAT(table.rows, SizeIs(4));
    EXPECT_EQ(table.rows[2][2].text, "60");
    EXPECT_EQ(table.rows[3][1].text, "x");
    EXPECT_EQ(table.rows[3][2].text, "-");
    EXPECT_THAT(report.tables[0].notes, ElementsAre("once"));
    EXPECT_THAT(table.notes, SizeIs(0));
    ASSERT_THAT(report.plots, SizeIs(1));
    EXPECT_FALSE(report.plots[0].log_x);
    EXPECT_TRUE(report.plots[0].log_y);
    EXPECT_FALSE(report.plots[0].series.at(0).is_measured);
    EXPECT_EQ(report.plots[0].series[0].points.at(1).y, 1000);
    ASSERT_THAT(report.conclusions, SizeIs(1));
    const Conclusion& claim = report.conclusions[0];
    EXPECT_EQ(claim.cases.text(), "4 of 6");
    EXPECT_EQ(claim.evidence, "1 of 2; 1 of 2 above 1, 1 of 1 above 2; 1100.");
    ASSERT_THAT(claim.breakdowns, SizeIs(1));
    EXPECT_EQ(claim.breakdowns[0].run, "the slow one");
    EXPECT_EQ(claim.meaning, "the slow one: 75 %.");
    EXPECT_EQ(claim.physical->evidence, "2 of 3");
    outcomes = Outcomes();
    EXPECT_THROW(scripted_report(kScript, Names(), outcomes), std::out_of_range);
}

}  // namespace
}  // namespace flitscope::reproduce
