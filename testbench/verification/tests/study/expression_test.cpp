// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Conditions on axes, as studies write them.
#include "testbench/app/study/explore/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "testbench/verification/tests/support/refused_with.h"

namespace flitscope::study {
namespace {

using testing::HasSubstr;

bool holds(const std::string& text) {
    static const std::vector<AxisLabels> axes = {{"fabric.topology", {"mesh", "pex-gen"}},
                                                 {"fabric.buffer_depth", {"4", "8"}},
                                                 {"node.injection_bandwidth", {"1/2", "1"}}};
    return Expression(text, {"s.yaml", 1, 1}, axes).holds({"pex-gen", "8", "1/2"});
}

std::string error_of_expression(const std::string& text) {
    return refused_with([&] { holds(text); });
}

TEST(Expression, ComparesAxesWithWordsAndNumbers) {
    EXPECT_TRUE(holds("fabric.topology == pex-gen"));
    EXPECT_FALSE(holds("fabric.topology != 'pex-gen'"));
    EXPECT_TRUE(holds("fabric.buffer_depth >= 8"));
    EXPECT_TRUE(holds("fabric.buffer_depth == 8.0"));
    EXPECT_TRUE(holds("fabric.buffer_depth < 10"));  // not as texts
    EXPECT_TRUE(holds("2 * fabric.buffer_depth - 1 == 30 / 2"));
    EXPECT_TRUE(holds("10 - 2 - 3 == 5"));
    EXPECT_TRUE(holds("node.injection_bandwidth == 1/2"));
    EXPECT_FALSE(holds("node.injection_bandwidth != 0.5"));
    EXPECT_TRUE(holds("node.injection_bandwidth < 1"));
    EXPECT_TRUE(holds("not fabric.topology == mesh and fabric.buffer_depth > 2"));
    EXPECT_TRUE(holds("1 == 2 and 1 == 1 or 3 == 3"));
    EXPECT_FALSE(holds("1 == 2 and (1 == 1 or 3 == 3)"));
}

TEST(Expression, TheLastBitsOfASumDoNotDecide) {
    EXPECT_TRUE(holds("3 * 0.1 == 0.3"));
    EXPECT_TRUE(holds("3 * 0.1 <= 0.3"));
    EXPECT_FALSE(holds("3 * 0.1 > 0.3"));
    EXPECT_FALSE(holds("3 * 0.1 != 0.3"));
}

TEST(Expression, ASlipInTheNameOfAnAxisIsOne) {
    for (const char* text : {"topolgy != mesh", "mesh == topolgy", "topolgy != \"mesh\""}) {
        EXPECT_THAT(error_of_expression(text), HasSubstr("is not an axis of this study")) << text;
    }
    EXPECT_EQ(error_of_expression("\"mesh\" == fabric.topology"), "");
}

TEST(Expression, SaysWhatIsWrong) {
    EXPECT_THAT(
        error_of_expression("fabric.buffer_dept > 2"),
        HasSubstr("s.yaml:1:1: error: 'fabric.buffer_dept' is not an axis of this study (did "
                  "you mean 'fabric.buffer_depth'?)"));
    EXPECT_THAT(error_of_expression("1 <"), HasSubstr("it ends too early"));
    EXPECT_THAT(error_of_expression("(1 == 1"), HasSubstr("')' is missing"));
    EXPECT_THAT(error_of_expression("1 = 1"), HasSubstr("'=' is not an operator"));
    EXPECT_THAT(error_of_expression("1 == 1 1"), HasSubstr("'1' is one too many"));
    EXPECT_THAT(error_of_expression("'open"), HasSubstr("a quote is not closed"));
    EXPECT_THAT(error_of_expression("fabric.topology > 3"), HasSubstr("'pex-gen' is not a number"));
    EXPECT_THAT(error_of_expression("fabric.buffer_depth / 0 > 1"), HasSubstr("divides by 0"));
    EXPECT_THAT(error_of_expression("fabric.topology"), HasSubstr("neither true nor false"));
    for (const char* text : {"fabric.topology != meshh", "meshh == fabric.topology"}) {
        EXPECT_THAT(
            error_of_expression(text),
            HasSubstr("'meshh' is not a value of fabric.topology in this study (did you mean "
                      "'mesh'?)"));
    }
    EXPECT_EQ(error_of_expression("fabric.topology != 'meshh' or fabric.buffer_depth == 16"), "");
    EXPECT_THAT(error_of_expression(std::string(300, '(')), HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace flitscope::study
