// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What is done to texts, of users most of all, before others read them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "models/base/html_text.h"

namespace flitscope {
namespace {

TEST(HtmlText, HasNeitherTagsNorEntities) {
    EXPECT_EQ(html_text("mesh 8x8"), "mesh 8x8");
    EXPECT_EQ(html_text("<b>a & b</b> \"&lt;\""), "&lt;b&gt;a &amp; b&lt;/b&gt; \"&amp;lt;\"");
    EXPECT_EQ(html_text(""), "");
}

}  // namespace
}  // namespace flitscope
