// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Text that is written value by value is that of the same values in a tree.
#include "testbench/app/report/json_writer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace flitscope {
namespace {

TEST(JsonWriter, WritesWhatTheTreeOfTheSameValuesPrints) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
    const Json latency{{"mean", 12.5}, {"p50", nullptr}};
    JsonWriter json;
    json.open_object();
    json.field("name", "link_000_001");
    json.field("most", kMost);
    json.field("least", kLeast);
    json.field("mean", 1.0 / 3);
    json.field("whole", 2.0);
    json.field("gained", std::optional<std::int64_t>(-7));
    json.field("not_tried", std::optional<std::int64_t>());
    json.key("latency");
    json.value(latency);
    json.key("nothing");
    json.open_array();
    json.close_array();
    json.key("rows");
    json.open_array();
    for (std::uint32_t i = 0; i < 3; ++i) {
        json.open_object();
        json.field("number", i);
        json.key("parts");
        json.open_array();
        for (std::uint32_t k = 0; k < i; ++k) json.value(k);
        json.close_array();
        json.key("empty");
        json.open_object();
        json.close_object();
        json.close_object();
    }
    json.close_array();
    json.field("last", nullptr);
    json.close_object();

    Json tree{{"name", "link_000_001"}, {"most", kMost},     {"least", kLeast},
              {"mean", 1.0 / 3},        {"whole", 2.0},      {"gained", -7},
              {"not_tried", Json()},    {"latency", latency}};
    tree["nothing"] = Json::array();
    tree["rows"] = Json::array();
    for (std::uint32_t i = 0; i < 3; ++i) {
        Json parts = Json::array();
        for (std::uint32_t k = 0; k < i; ++k) parts.push_back(k);
        tree["rows"].push_back({{"number", i}, {"parts", parts}, {"empty", Json::object()}});
    }
    tree["last"] = Json();
    EXPECT_EQ(json_text(json.take()), json_text(tree));
}

TEST(JsonWriter, EscapesAndRepairsTextAsTheTreeDoes) {
    for (const std::string& text :
         {std::string("a \"quoted\" \\ name"), std::string("tab\tand\nline"), std::string("\x7f~ "),
          std::string("caf\xc3\xa9"), std::string("\xff bad"), std::string(1, '\0'),
          std::string()}) {
        JsonWriter json;
        json.open_object();
        json.field("name", text);
        json.close_object();
        const Json tree{{"name", text}};
        EXPECT_EQ(json_text(json.take()), json_text(tree));
    }
}

}  // namespace
}  // namespace flitscope
