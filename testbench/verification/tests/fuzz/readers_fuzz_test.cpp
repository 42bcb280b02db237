// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Every reader on texts that are nearly right, always the same ones: it either rejects a text with
// an error or accepts it. FLITSCOPE_DEPTH=N tries N texts per reader; `./dev fuzz` looks for texts
// that reach new places in the code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <exception>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "models/config/config_table.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/fuzz/readers.h"
#include "testbench/verification/tests/support/depth.h"

namespace flitscope::fuzz {
namespace {

std::vector<FuzzedReader> readers() { return fuzzed_readers(FLITSCOPE_CONFIGS); }

std::size_t texts(const FuzzedReader& reader) { return cases_of(reader.tries / 4, reader.tries); }

/// `text` with one to four changes: parts lost, doubled, moved, taken from another, and pieces that
/// mean something to one format or another.
std::string mutated(std::string text, const std::vector<std::string>& others,
                    std::mt19937_64& rng) {
    static const std::vector<std::string> kPieces = {"0",
                                                     "1",
                                                     "-1",
                                                     "65535",
                                                     "65536",
                                                     "4294967295",
                                                     "18446744073709551615",
                                                     "18446744073709551616",
                                                     "1e308",
                                                     "1e-308",
                                                     "nan",
                                                     ".inf",
                                                     "0x10",
                                                     "1/0",
                                                     "true",
                                                     "null",
                                                     "~",
                                                     "\n",
                                                     "\r",
                                                     "\t",
                                                     "\"",
                                                     "'",
                                                     "\\",
                                                     "\\x",
                                                     "#",
                                                     "[",
                                                     "]",
                                                     "{",
                                                     "}",
                                                     "<",
                                                     ">",
                                                     ",",
                                                     ":",
                                                     ";",
                                                     "=",
                                                     "-",
                                                     "--",
                                                     "->",
                                                     "+",
                                                     "/*",
                                                     "//",
                                                     "&a",
                                                     "*a",
                                                     "!t",
                                                     "<<:",
                                                     "---\n",
                                                     "%",
                                                     "|",
                                                     "&lt;",
                                                     "<!DOCTYPE a>",
                                                     "]]>",
                                                     std::string(1, '\0'),
                                                     "\x1b",
                                                     "\x7f",
                                                     "\xff",
                                                     "\xc2\x9b",
                                                     "\xef\xbb\xbf",
                                                     std::string(3000, 'x'),
                                                     std::string(300, '[')};
    const auto below = [&rng](std::size_t count) { return count == 0 ? 0 : rng() % count; };
    for (std::size_t change = 0; change < 1 + below(4); ++change) {
        const std::size_t at = below(text.size() + 1);
        const std::size_t length = below(std::min<std::size_t>(text.size() - at, 40) + 1);
        switch (below(6)) {
            case 0:
                text.erase(at, length);
                break;
            case 1:
                text.insert(below(text.size() + 1), text.substr(at, length));
                break;
            case 2:
                text.insert(at, kPieces[below(kPieces.size())]);
                break;
            case 3:
                text.replace(at, length, kPieces[below(kPieces.size())]);
                break;
            case 4: {
                const std::string& other = others[below(others.size())];
                text.insert(at, other.substr(below(other.size() + 1), below(60)));
                break;
            }
            default:
                if (at < text.size()) text[at] = static_cast<char>(below(256));
        }
    }
    return text;
}

class Readers : public testing::TestWithParam<FuzzedReader> {};

TEST_P(Readers, TakeTheirSeeds) {
    ASSERT_FALSE(GetParam().seeds.empty());
    for (const std::string& seed : GetParam().seeds) EXPECT_TRUE(GetParam().read(seed)) << seed;
}

TEST_P(Readers, RefuseInWordsWhatTheyDoNotTake) {
    const FuzzedReader& reader = GetParam();
    std::mt19937_64 rng(1);
    for (std::size_t i = 0; i < texts(reader); ++i) {
        std::string text = mutated(reader.seeds[rng() % reader.seeds.size()], reader.seeds, rng);
        try {
            reader.read(text);
        } catch (const std::exception& error) {
            FAIL() << "text " << i << ": " << error.what() << "\n" << text;
        }
    }
}

/// A new key is tried as soon as it is in the table.
TEST(Seeds, HoldEveryKeyOfTheTable) {
    std::string seeds;
    for (const FuzzedReader& reader : readers()) {
        if (reader.name != "config" && reader.name != "set") continue;
        for (const std::string& seed : reader.seeds) seeds += seed + '\n';
    }
    for (const std::string& path : configuration_table().all_paths()) {
        const std::string key = path.substr(path.rfind('.') + 1) + ':';
        const bool is_set = seeds.find(path + '=') != std::string::npos;
        EXPECT_TRUE(is_set || std::regex_search(seeds, std::regex("[ {,\n]" + key))) << path;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Readers, testing::ValuesIn(readers()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace flitscope::fuzz
