// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The runs for Boppana and Raghavendra (1990), and the keys of their outcomes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "testbench/papers/boppana/boppana_formulas.h"
#include "testbench/papers/frame/paper.h"

namespace flitscope::reproduce::hypercube_exchange {

inline constexpr aap_forms::Costs kCosts;
inline constexpr std::uint32_t kLargest = 8;  ///< dimensions
inline constexpr std::uint32_t kLargestOfPackets = 6;
inline const std::vector<std::string> kVariants = {"interleaved", "interleaved_small_first",
                                                   "interleaved_waiting"};
inline const std::vector<std::uint32_t> kIpscSizes = {3, 5, 7};
inline const std::vector<Cycle> kIpscBytes = {10, 20, 50, 100};
inline const std::vector<Cycle> kEtaElements = {10, 30, 100, 300, 1000, 3000};
inline constexpr std::uint32_t kEtaSize = 5;

/// A row of Table 1.
struct Operation {
    const char* name;
    const char* algorithm;  ///< in words
    const char* traffic;
    bool sends_all;  ///< a node sends, or receives, N - 1 messages
    const char* bandwidth;
    double (*bandwidth_bound)(double k, double n, double nodes);
};

const std::vector<Operation>& operations();
inline constexpr std::uint32_t kOperationSize = 5;

/// An algorithm for an operation other than the exchange, beside the one of operations(), which
/// sends to neighbours only.
struct Alternative {
    std::size_t operation;  ///< of operations()
    const char* schedule;
    const char* algorithm;
};
inline constexpr Alternative kAlternatives[] = {{0, "broadcast", "scatter_doubling"},
                                                {0, "broadcast", "scatter_allgather"},
                                                {1, "scatter", "direct"},
                                                {2, "allgather", "ring"}};

std::string size_key(const std::string& algorithm, std::uint32_t n);
std::string eta_key(Cycle elements);
std::string ipsc_key(const std::string& algorithm, std::uint32_t n, Cycle bytes);
std::string switching_key(const std::string& switching, std::uint32_t n);
std::string operation_key(const std::string& switching, std::size_t number);
std::string alternative_key(const std::string& switching, const Alternative& alternative);

std::vector<Experiment> experiments();

}  // namespace flitscope::reproduce::hypercube_exchange
