// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists in files without a name: written entries are read, and no file is left behind.
#include "models/base/spool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/base/split_mix.h"

namespace flitscope {
namespace {

namespace fs = std::filesystem;

using Numbers = SpooledList<std::uint64_t>;

/// 0 .. count - 1, mixed, in pieces of up to `piece`.
Numbers mixed(std::uint64_t count, std::size_t in_memory, std::size_t piece) {
    Numbers list(in_memory);
    std::vector<std::uint64_t> part;
    for (std::uint64_t i = 0; i < count; ++i) {
        part.push_back(split_mix(i));
        if (part.size() < piece && i + 1 < count) continue;
        list.append(part.data(), part.size());
        part.clear();
    }
    list.close();
    return list;
}

void expect_mixed(const Numbers& list, std::uint64_t count) {
    ASSERT_EQ(list.size(), count);
    for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(list[i], split_mix(i)) << i;
    EXPECT_EQ(static_cast<std::uint64_t>(list.end() - list.begin()), count);
}

std::size_t temporary_files() {
    const fs::directory_iterator files(fs::temp_directory_path());
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

TEST(Spool, GivesBackWhatItTookFromMemoryAndFromAFile) {
    for (const std::size_t in_memory : {0, 1, 800, 1 << 20}) {
        for (const std::uint64_t count : {0, 1, 99, 100, 101, 5000}) {
            for (const std::size_t piece : {1, 7, 100000}) {
                SCOPED_TRACE(testing::Message() << in_memory << ' ' << count << ' ' << piece);
                const Numbers list = mixed(count, in_memory, piece);
                expect_mixed(list, count);
                list.forget();
                expect_mixed(list, count);
            }
        }
    }
}

TEST(Spool, LeavesTheMemoryWhereItIsLong) {
    const std::vector<std::byte> bytes(100);
    Spool spool(250);
    spool.append(bytes.data(), bytes.size());
    spool.append(bytes.data(), bytes.size());
    EXPECT_FALSE(spool.is_in_file());
    spool.append(bytes.data(), bytes.size());
    EXPECT_TRUE(spool.is_in_file());
    spool.close();
    EXPECT_TRUE(spool.is_in_file());
    EXPECT_EQ(spool.size(), 300U);
}

TEST(Spool, ShowsNobodyItsFile) {
    const std::size_t before = temporary_files();
    const Numbers list = mixed(100000, 1000, 100);
    EXPECT_EQ(temporary_files(), before);
}

TEST(Spool, Moves) {
    for (const std::size_t in_memory : {0, 1 << 20}) {
        Numbers first = mixed(1000, in_memory, 100);
        Numbers second = std::move(first);
        expect_mixed(second, 1000);
        Numbers third = mixed(5, in_memory, 1);
        third = std::move(second);
        expect_mixed(third, 1000);
    }
}

TEST(Spool, NamesTheFolderThatTakesNothing) {
    const char* const named = std::getenv("TMPDIR");
    const std::string before = named == nullptr ? "" : named;
    const auto why = [&](const std::string& folder) -> std::string {
        setenv("TMPDIR", folder.c_str(), 1);
        std::string what = "taken";
        try {
            mixed(100, 0, 10);
        } catch (const std::runtime_error& error) {
            what = error.what();
        }
        setenv("TMPDIR", before.c_str(), 1);
        return what;
    };
    EXPECT_EQ(why(before.empty() ? "/tmp" : before), "taken");
    EXPECT_THAT(why("/proc/self"), testing::HasSubstr("a temporary file in /proc/self"));
    EXPECT_THAT(why("/proc/self"), testing::HasSubstr("TMPDIR"));
}

}  // namespace
}  // namespace flitscope
