// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Sections `faults` of configurations, drawn at random: most name existing parts, some missing
// ones, and some are malformed.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace flitscope {

class FaultSections {
public:
    explicit FaultSections(std::uint64_t seed) : rng_(seed) {}

    std::size_t below(std::size_t count) { return rng_() % count; }

    std::string next() {
        static const std::vector<std::string> kKeys = {"links",          "routers",      "nodes",
                                                       "random_links",   "random_nodes", "seed",
                                                       "keep_connected", "traffic",      "at"};
        std::string text;
        for (const std::string& key : kKeys) {
            if (below(2) == 0) continue;
            text += (text.empty() ? "" : ", ") + key + ": " + value_of(key);
        }
        if (below(8) != 0) return '{' + text + '}';
        return mutated('{' + text + '}');
    }

private:
    /// Mostly what fits the key, sometimes what fits another one, or nothing at all.
    std::string value_of(const std::string& key) {
        static const std::vector<std::string> kOdd = {"-1",
                                                      "4294967295",
                                                      "18446744073709551615",
                                                      "18446744073709551616",
                                                      "1e9",
                                                      "0.5",
                                                      "1.0",
                                                      "1.0000001",
                                                      "nan",
                                                      ".inf",
                                                      "~",
                                                      "''",
                                                      "[]",
                                                      "{}",
                                                      "[[]]",
                                                      "'3'",
                                                      "true",
                                                      "drop",
                                                      "[0-0]",
                                                      "[0-1-2]",
                                                      "- 3",
                                                      "2147483647",
                                                      "[link_0_]",
                                                      "[link_000_001]",
                                                      "0.0",
                                                      "-0.0",
                                                      "0x3",
                                                      "[99999999999-1]"};
        if (below(12) == 0) return kOdd[below(kOdd.size())];
        if (key == "links" || key == "routers" || key == "nodes") {
            std::string list;
            for (std::size_t i = below(4); i > 0; --i) {
                const std::size_t node = below(24);
                const std::size_t apart = below(3) == 0 ? below(24) : 1 + below(5);
                list += (list.empty() ? "" : ", ") +
                        (key != "links" ? std::to_string(node)
                                        : fmt::format(below(4) == 0 ? "link_{:03}_{:03}" : "{}-{}",
                                                      node, node + apart));
            }
            return '[' + list + ']';
        }
        if (key == "keep_connected") return below(2) == 0 ? "true" : "false";
        if (key == "traffic") return below(2) == 0 ? "drop" : "refuse";
        if (key == "at") return std::to_string(below(3) == 0 ? 0 : below(400));
        if (key == "seed") return std::to_string(rng_());
        return below(3) == 0 ? fmt::format("{:.2f}", static_cast<double>(below(110)) / 100)
                             : std::to_string(below(12));
    }

    std::string mutated(std::string text) {
        static const std::string kCharacters = "{}[]:,-0123456789.#'\"&*\n _x\xff";
        for (std::size_t change = 0; change < 1 + below(3); ++change) {
            const std::size_t at = below(text.size());
            switch (below(3)) {
                case 0:
                    text.erase(at, 1 + below(4));
                    break;
                case 1:
                    text.insert(at, 1, kCharacters[below(kCharacters.size())]);
                    break;
                default:
                    text.insert(at, text.substr(below(text.size()), below(20)));
            }
            if (text.empty()) text = " ";
        }
        return text;
    }

    std::mt19937_64 rng_;
};

}  // namespace flitscope
