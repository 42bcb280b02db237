// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Processing of texts, mainly those of users, before others read them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/base/byte_order_mark.h"
#include "models/base/csv_cells.h"
#include "models/base/did_you_mean.h"
#include "models/base/digest.h"
#include "models/base/finding_list.h"
#include "models/base/html_text.h"
#include "models/base/rounded.h"
#include "models/base/text_table.h"
#include "models/base/trimmed.h"

namespace flitscope {
namespace {

TEST(HtmlText, HasNeitherTagsNorEntities) {
    EXPECT_EQ(html_text("mesh 8x8"), "mesh 8x8");
    EXPECT_EQ(html_text("<b>a & b</b> \"&lt;\""), "&lt;b&gt;a &amp; b&lt;/b&gt; \"&amp;lt;\"");
    EXPECT_EQ(html_text(""), "");
}

std::string printed(const TextTable& table) {
    std::ostringstream out;
    table.print(out);
    return out.str();
}

TEST(TextTable, BreaksItsHeadingOnlyIfItIsWiderThanATerminal) {
    TextTable narrow({"fabric.routing", "area [mm2]"});
    narrow.add({"west_first", "86"});
    EXPECT_EQ(printed(narrow),
              "  fabric.routing  area [mm2]\n"
              "      west_first          86\n");
    TextTable wide({std::string(80, 'x'), "fabric.routing", "area [mm2]"});
    wide.add({"1", "west_first", "86"});
    EXPECT_EQ(printed(wide), std::string(87, ' ') + "fabric.   area\n" + "  " +
                                 std::string(80, 'x') + "     routing  [mm2]\n" +
                                 std::string(81, ' ') + "1  west_first     86\n");
}

TEST(Trimmed, IsAPartOfTheTextEvenWhereNothingRemains) {
    const std::string_view text = "\t a b \r\n";
    EXPECT_EQ(trimmed(text), "a b");
    EXPECT_EQ(trimmed(text).data(), text.data() + 2);  // whose column a message can give
    EXPECT_EQ(trimmed("a"), "a");
    const std::string_view blank = " \r\n";
    EXPECT_TRUE(trimmed(blank).empty());
    EXPECT_EQ(trimmed(blank).data(), blank.data() + blank.size());
}

TEST(ByteOrderMark, IsKnownAtTheBeginningAlone) {
    EXPECT_EQ(byte_order_mark("\xef\xbb\xbf"
                              "from,to"),
              3U);
    EXPECT_EQ(byte_order_mark("from\xef\xbb\xbf"), 0U);
    EXPECT_EQ(byte_order_mark("\xef\xbb"), 0U);
    EXPECT_EQ(byte_order_mark(""), 0U);
}

TEST(CsvCells, HaveNeitherBlanksNorQuotesAroundThem) {
    using Cells = std::vector<std::pair<std::string, std::size_t>>;
    const auto cells = [](std::string_view line, std::size_t most = 10) {
        Cells all;
        for_each_cell(line, ",;", [&](std::string_view cell, const char* begin) {
            all.emplace_back(cell, begin - line.data());
            return all.size() < most;
        });
        return all;
    };
    EXPECT_EQ(cells("a, \"b c\" ,;\" d\"\r"), (Cells{{"a", 0}, {"b c", 3}, {"", 10}, {"d", 11}}));
    EXPECT_EQ(cells("\",\"\""), (Cells{{"\"", 0}, {"", 2}}));  // one quote is not a pair
    EXPECT_EQ(cells(""), (Cells{{"", 0}}));
    EXPECT_EQ(cells("a,b,c", 2), (Cells{{"a", 0}, {"b", 2}}));
}

TEST(DidYouMean, NamesTheNearOneOrWhatThereIsOtherwise) {
    EXPECT_EQ(did_you_mean("mesh", "see the manual"), "did you mean 'mesh'?");
    EXPECT_EQ(did_you_mean("", "see the manual"), "see the manual");
    using Names = std::vector<std::string>;
    EXPECT_EQ(did_you_mean(Names{}, "see the manual"), "see the manual");
    EXPECT_EQ(did_you_mean(Names{"mesh"}, ""), "did you mean 'mesh'?");
    EXPECT_EQ(did_you_mean(Names{"mesh", "ghc"}, ""), "did you mean 'mesh' or 'ghc'?");
    EXPECT_EQ(did_you_mean(Names{"mesh", "ghc", "how"}, ""),
              "did you mean 'mesh', 'ghc' or 'how'?");
    EXPECT_EQ(did_you_mean_of("mesh", "choices", {"mesh", "torus"}),
              "did you mean 'mesh'? choices: mesh, torus");
    EXPECT_EQ(did_you_mean_of("", "one of", {"mesh", "torus"}), "one of: mesh, torus");
}

TEST(FindingList, EndsWithTheNumberOfThoseThatItDoesNotTell) {
    FindingList list("file", MoreFindings::kCount, 2);
    list.throw_if_any();
    for (std::size_t line = 1; line <= 5; ++line) list.add(line, 0, "wrong");
    EXPECT_EQ(list.count(), 5U);
    const std::vector<Diagnostic> all = list.take();
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[1].str(), "file:2: error: wrong");
    EXPECT_EQ(all[2].str(), "file:3: error: 3 more of these");
    EXPECT_TRUE(list.empty());
    EXPECT_TRUE(list.take().empty());
}

TEST(FindingList, StopsAReaderWithTheLastThatItTells) {
    FindingList list("file", MoreFindings::kStop, 2);
    list.add(1, 0, "wrong", "write it right");
    try {
        list.add(2, 0, "wrong");
        FAIL() << "goes on";
    } catch (const ConfigError& error) {
        ASSERT_EQ(error.findings().size(), 3U);
        EXPECT_EQ(error.findings()[0].str(), "file:1: error: wrong (write it right)");
        EXPECT_EQ(error.findings()[2].str(),
                  "file: error: too many errors; the rest of the file was not read");
    }
}

TEST(Digest, OfPartsIsThatOfTheWholeAndOfTextsTellsThemApart) {
    Digest parts;
    parts.append("ab", 2);
    parts.append("c", 1);
    EXPECT_EQ(parts.text(), digest_of("abc"));
    EXPECT_EQ(digest_of(""), "99aa06d3014798d86001c324468d497f");  // digest by XXH3 itself
    const auto of = [](const std::vector<std::string>& texts) {
        Digest digest;
        for (const std::string& text : texts) digest.add(text);
        return digest.text();
    };
    EXPECT_EQ(of({"a", "bc"}), of({"a", "bc"}));
    EXPECT_NE(of({"a", "bc"}), of({"ab", "c"}));
    EXPECT_NE(of({"a"}), of({"a", ""}));
}

TEST(Rounded, FiguresAreAsOneWouldWriteThem) {
    EXPECT_NE(0.1 + 0.1 + 0.1, 0.3);
    EXPECT_EQ(rounded(0.1 + 0.1 + 0.1), 0.3);
    EXPECT_EQ(rounded(113 * 1.1), 124.3);
    EXPECT_EQ(rounded(-1234567890123.4), -1234567890120);
    EXPECT_EQ(rounded(5e-324), 5e-324);
    EXPECT_EQ(rounded(-INFINITY), -INFINITY);
    EXPECT_TRUE(std::isnan(rounded(NAN)));
}

}  // namespace
}  // namespace flitscope
