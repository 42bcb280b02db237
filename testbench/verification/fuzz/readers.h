// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything that reads text of unknown origin, as one call each for fuzzers: libFuzzer
// (fuzz_target.cpp) and the test with a fixed number of tries.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace flitscope::fuzz {

struct FuzzedReader {
    std::string name;                ///< "graph_dot"
    std::vector<std::string> seeds;  ///< texts that it takes
    /// Reads a text, and returns whether it was accepted. It may only be refused with ConfigError,
    /// whose message is for a terminal. An accepted text must meet the guarantees of the reader.
    /// Throws std::logic_error if it does not.
    std::function<bool(const std::string& text)> read;
    std::size_t tries = 2000;  ///< for the test with a fixed number of texts
    std::vector<std::string> words =
        {};  ///< that mean something to it, for libFuzzer to put together
};

/// `configs`: the folder with the configurations that are shipped, from which most seeds are.
std::vector<FuzzedReader> fuzzed_readers(const std::string& configs);

}  // namespace flitscope::fuzz
