// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A flat map holds what std::map does, whatever comes and goes, and however its keys collide.
#include "models/base/flat_map.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>

namespace flitscope {
namespace {

/// Few keys have a place of their own.
struct Colliding {
    std::uint64_t operator()(std::uint32_t key) const { return std::uint64_t{key % 3} << 62U; }
};

template <class Hash>
void compare_with_map(std::uint32_t keys) {
    std::mt19937 draw(keys);
    FlatMap<std::uint32_t, std::uint64_t, Hash> flat;
    std::map<std::uint32_t, std::uint64_t> map;
    constexpr int kChanges = 20'000;
    for (int i = 0; i < kChanges; ++i) {
        const auto key = static_cast<std::uint32_t>(draw() % keys);
        if (draw() % 2 == 0) {
            ASSERT_EQ(flat[key], map[key]);
            flat[key] = map[key] = draw();
        } else {
            flat.erase(key);
            map.erase(key);
        }
        ASSERT_EQ(flat.size(), map.size());
        ASSERT_EQ(flat.empty(), map.empty());
        const auto asked = static_cast<std::uint32_t>(draw() % keys);
        const std::uint64_t* const found = flat.find(asked);
        const auto in_map = map.find(asked);
        ASSERT_EQ(found != nullptr, in_map != map.end()) << asked;
        if (found != nullptr) ASSERT_EQ(*found, in_map->second);
    }
    std::map<std::uint32_t, std::uint64_t> visited;
    flat.visit([&](std::uint32_t key, std::uint64_t value) {
        ASSERT_TRUE(visited.emplace(key, value).second);
    });
    ASSERT_EQ(visited, map);
}

TEST(FlatMap, HoldsWhatAMapDoes) {
    for (const std::uint32_t keys : {1U, 2U, 7U, 40U, 1000U}) compare_with_map<NumberHash>(keys);
}

TEST(FlatMap, KeepsKeysThatCollide) {
    for (const std::uint32_t keys : {2U, 7U, 40U}) compare_with_map<Colliding>(keys);
}

TEST(FlatMap, FindsNothingInAnEmptyMap) {
    FlatMap<std::uint32_t, int> map;
    EXPECT_EQ(map.find(0), nullptr);
    map.erase(0);
    EXPECT_TRUE(map.empty());
}

}  // namespace
}  // namespace flitscope
