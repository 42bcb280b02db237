// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The simulations of the reproduction of Cheung and Lau 1995, and the keys that name them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "testbench/papers/frame/paper.h"

namespace flitscope::reproduce {

/// On an express mesh of side n = s * s with express links of length L = s.
namespace cheung_lau {

inline constexpr std::uint32_t kPins = 512;  ///< wires per node and direction, at equal cost
inline constexpr std::uint32_t kSmall = 8;   ///< bytes: one value
inline constexpr std::uint32_t kLarge = 256;

std::string express(const std::string& dims, std::uint32_t segment,
                    const std::string& layout = "full", std::uint32_t levels = 0);
/// The dimensions of a square, as text.
std::string square(std::uint32_t side);

/// A computation of the paper.
struct Row {
    std::string key;
    std::string name;
    std::string source;
    std::string printed;  ///< what the paper says
    std::string topology;
    std::string traffic;
    std::uint32_t corrected = 0;  ///< steps by the errata
    std::string formula;
    bool needs_two_channels = false;
};

std::vector<Row> rows(std::uint32_t s);
inline const std::vector<std::uint32_t> kRoots = {4, 8};  ///< s, of n = 16 and 64
std::string row_key(std::uint32_t s, const std::string& row);

/// Lengths of the express links of a line.
inline constexpr std::uint32_t kLine = 256;
inline const std::vector<std::uint32_t> kLengths = {2,  4,  8,  12, 14, 15, 16,
                                                    17, 18, 20, 24, 32, 64, 128};
std::string length_key(std::uint32_t length);

/// Networks at equal cost.
struct Network {
    std::string key;
    std::string name;
    std::function<std::string(std::uint32_t s)> topology;
    std::uint32_t largest = 10;  ///< s; beyond it channels would be too narrow
    std::string fabric = {};
    /// The router on N = 4096 with kPins wires: ports, virtual channels, bits (frame/routers.h).
    std::string router = {};
};

const std::vector<Network>& networks();
/// Throws std::logic_error where there is none of that key.
const Network& network_of(const std::string& key);
inline const std::vector<std::uint32_t> kGrowth = {2, 3, 4, 5, 6, 8, 10};  ///< s
std::string growth_key(const Network& network, std::uint32_t s, std::uint32_t bytes);

/// Several values per node.
inline constexpr std::uint32_t kValues = 4096;
inline const std::vector<std::uint32_t> kProcessorRoots = {2, 3, 4, 5, 6, 7, 8};  ///< s, of P = s^4
std::uint32_t values_per_node(std::uint32_t s);
std::string values_key(std::uint32_t s);

/// The key of an experiment with constant or linear wire delay.
std::string full_key(const std::string& key, bool is_linear);

/// In nanoseconds: the root s of N = 4096, of all networks; of some, whose routers are the same on
/// all of these sizes, those from a few hundred to tens of thousands of nodes, and the two that
/// exponents are taken between.
inline constexpr std::uint32_t kPhysicalRoot = 8;
inline const std::vector<std::uint32_t> kClaimedRoots = {4, 5, 6, 8, 10};
inline constexpr std::uint32_t kExponentRoots[] = {6, 10};
inline const std::vector<std::string> kOnAllSizes = {"express", "mesh"};
/// The router of a line with express links.
inline constexpr const char* kLineRouter = "router_p5_v1_d4_w64_r1_mesh";
std::string physical_key(const std::string& key, int pitch_mm);

std::vector<Experiment> experiments();

}  // namespace cheung_lau
}  // namespace flitscope::reproduce
