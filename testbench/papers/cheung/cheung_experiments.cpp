// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/cheung/cheung_experiments.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "testbench/papers/frame/routers.h"
#include "traffic/computations/grid_computations.h"

namespace flitscope::reproduce::cheung_lau {
namespace {

const std::string kTwoChannels = ", virtual_channels: 2, switch_arbitration: hold";

std::string schedule(const std::string& name, const std::string& more = "") {
    return fmt::format("schedule: {}{}", name, more.empty() ? "" : ", " + more);
}

/// Long buffers, so that long wires cost time but no throughput.
Experiment with_wires(const std::string& key, const std::string& wires, const std::string& topology,
                      const std::string& traffic, const std::string& fabric, std::uint32_t bytes,
                      std::uint32_t nodes) {
    Experiment result;
    result.weight = 0.1 + nodes / 4000.0;
    result.key = key;
    result.yaml = fmt::format(
        "fabric: {{topology: {{{}}}, buffer_depth: 64, link_delay: {}{}}}\n"
        "traffic: {{{}, message_bytes: {}}}\n",
        topology, wires, fabric, traffic, bytes);
    return result;
}

Experiment experiment(const std::string& key, const std::string& topology,
                      const std::string& traffic, bool is_linear, const std::string& fabric = "",
                      std::uint32_t bytes = kSmall, std::uint32_t nodes = 0) {
    return with_wires(full_key(key, is_linear), is_linear ? "{model: linear}" : "{model: constant}",
                      topology, traffic, fabric, bytes, nodes);
}

/// In millimetres, at the clock of a router.
Experiment physical(const std::string& key, int pitch_mm, const std::string& router,
                    const std::string& topology, const std::string& fabric, std::uint32_t bytes,
                    std::uint32_t nodes) {
    Experiment result =
        with_wires(physical_key(key, pitch_mm), physical_wires(pitch_mm), topology,
                   schedule("semigroup", "operation: concat"), fabric, bytes, nodes);
    result.yaml += fmt::format("clock_ns: {}\n", router_clock_ns(router));
    return result;
}

std::vector<Experiment> physical_experiments() {
    std::vector<Experiment> all;
    for (const int pitch : kPitchesMm) {
        for (const std::uint32_t length : kLengths) {
            all.push_back(physical(length_key(length), pitch, kLineRouter,
                                   express(std::to_string(kLine), length), "", kSmall, kLine));
        }
        const auto grown = [&](const Network& network, std::uint32_t s, std::uint32_t bytes) {
            all.push_back(physical(
                growth_key(network, s, bytes), pitch, network.router, network.topology(s),
                fmt::format("{}, pin_budget: {}", network.fabric, kPins), bytes, s * s * s * s));
        };
        for (const Network& network : networks()) {
            for (const std::uint32_t bytes : {kSmall, kLarge}) grown(network, kPhysicalRoot, bytes);
        }
        for (const std::string& key : kOnAllSizes) {
            for (const std::uint32_t s : kClaimedRoots) {
                if (s == kPhysicalRoot) continue;
                for (const std::uint32_t bytes : {kSmall, kLarge}) grown(network_of(key), s, bytes);
            }
        }
    }
    return all;
}

}  // namespace

std::string express(const std::string& dims, std::uint32_t segment, const std::string& layout,
                    std::uint32_t levels) {
    return fmt::format("kind: express_mesh, dims: [{}], segment: {}, layout: {}{}", dims, segment,
                       layout, levels == 0 ? "" : fmt::format(", levels: {}", levels));
}

std::string square(std::uint32_t side) { return fmt::format("{0}, {0}", side); }

// ---- Step counts --------------------------------------------------------------------------------

std::vector<Row> rows(std::uint32_t s) {
    const std::uint32_t n = s * s;
    const std::string side = square(n);
    const std::string concat = "operation: concat";
    const auto semigroup = [&](const std::string& algorithm, const std::string& operation) {
        return schedule("semigroup", fmt::format("algorithm: {}, {}", algorithm, operation));
    };
    std::vector<Row> all = {
        {"alg1", "Algorithm 1, a line of n", "4", "O(N^1/2)", express(std::to_string(n), s),
         semigroup("rows", concat), 2 * s - 2, "2 s - 2"},
        {"alg2", "Algorithm 2", "5", "O(N^1/4)", express(side, s), semigroup("rows", concat),
         4 * s - 4, "4 s - 4"},
        {"alg3", "Algorithm 3, sparse", "6", "O(N^1/4)", express(side, s, "sparse"),
         semigroup("submeshes", concat), 4 * s - 4, "4 s - 4"},
        {"alg4_as_printed", "Algorithm 4 as printed, sum", "6", "O(N^1/4)",
         express(side, s, "sparse"), semigroup("row_major_printed", "operation: sum"), 6 * s - 6,
         "6 s - 6"},
        {"alg4", "Algorithm 4, corrected", "6", "O(N^1/4)", express(side, s, "sparse"),
         semigroup("row_major", concat), 5 * s - 5, "5 s - 5"},
        {"shifted", "Algorithm 3, degree 5, shifted links", "7", "same order",
         express(side, s, "shifted"), semigroup("submeshes", concat), 6 * s - 4, "6 s - 4"},
        {"compound", "Algorithm 3, degree 5, compound nodes", "7", "same order",
         express(side, s, "compound"), semigroup("submeshes", concat), 4 * s - 2, "4 s - 2", true},
        {"prefix", "Prefix", "9", "Theta(N^1/4)", express(side, s), schedule("prefix", concat),
         8 * s - 8, "8 s - 8"},
        {"median_row", "Median row", "9", "Theta(N^1/4)", express(side, s), schedule("median-row"),
         8 * s - 8, "8 s - 8"},
        {"closest", "All points closest neighbour", "9", "Theta(N^1/4)", express(side, s),
         schedule("closest-neighbour"), 12 * s - 12, "12 s - 12"},
        {"median", "Median finding", "9", "O(N^1/4 log N)", express(side, s), schedule("median"),
         (4 * s - 4) * (2 * median_rounds(n * n, 1) + 1), "(4 s - 4)(2 R + 1)"},
        {"mesh", "Ordinary mesh", "2", "Omega(N^1/2)", "kind: mesh, dims: [" + side + "]",
         semigroup("rows", concat), 2 * (n - 1), "2 (n - 1)"},
    };
    if (s == 8) {
        all.push_back({"hierarchy2", "Hierarchy, two levels of 4", "8", "O(N^1/6)",
                       express(side, 4, "hierarchy", 2), semigroup("submeshes", concat), 18,
                       "2 (r + 1)(b - 1)"});
        all.push_back({"hierarchy5", "Hierarchy, five levels of 2", "8", "O(N^1/12)",
                       express(side, 2, "hierarchy", 5), semigroup("submeshes", concat), 12,
                       "2 (r + 1)(b - 1)"});
    }
    if (s == 4) {
        all.push_back({"cube", "Algorithm 2 in three dimensions", "5", "Theta(N^1/6)",
                       express("16, 16, 16", s), semigroup("rows", concat), 3 * (2 * s - 2),
                       "3 (2 s - 2)"});
    }
    return all;
}

// ---- Length of the express links ----------------------------------------------------------------

std::string length_key(std::uint32_t length) { return fmt::format("length/{:03}", length); }

// ---- Growth, at equal cost ----------------------------------------------------------------------

const std::vector<Network>& networks() {
    static const std::vector<Network> kAll = {
        {"express", "express mesh, L = s",
         [](std::uint32_t s) { return express(square(s * s), s); }, 10, "",
         "router_p9_v1_d4_w64_r1_mesh"},
        {"sparse", "sparse express mesh, L = s",
         [](std::uint32_t s) { return express(square(s * s), s, "sparse"); }, 10, "",
         "router_p9_v1_d4_w64_r1_mesh"},
        {"mesh", "mesh",
         [](std::uint32_t s) { return fmt::format("kind: mesh, dims: [{}]", square(s * s)); }, 10,
         "", "router_p5_v1_d4_w128_r1_mesh"},
        {"torus", "folded torus",
         [](std::uint32_t s) {
             return fmt::format("kind: torus, dims: [{}], folded: true", square(s * s));
         },
         10, kTwoChannels, "router_p5_v2_d4_w128_r1_mesh_hold"},
        {"how", "HOW, window 3",
         [](std::uint32_t s) {
             return fmt::format("kind: how, dims: [{}], window: 3", square(s * s));
         },
         10, "", "router_p13_v1_d4_w40_r1_mesh"},
        {"how_wide", "HOW, window s",
         [](std::uint32_t s) {
             return fmt::format("kind: how, dims: [{}], window: {}", square(s * s),
                                std::min(s, s * s - 1));
         },
         8, "", "router_p33_v1_d4_w16_r1_mesh"},
    };
    return kAll;
}

const Network& network_of(const std::string& key) {
    for (const Network& network : networks()) {
        if (network.key == key) return network;
    }
    throw std::logic_error("no network is called " + key);
}

std::string growth_key(const Network& network, std::uint32_t s, std::uint32_t bytes) {
    return fmt::format("growth/{}/{}/{}", network.key, s * s, bytes);
}

// ---- Several values per node --------------------------------------------------------------------

std::uint32_t values_per_node(std::uint32_t s) {
    return (kValues + s * s * s * s - 1) / (s * s * s * s);
}
std::string values_key(std::uint32_t s) { return fmt::format("values/{}", s); }

// ---- Experiments --------------------------------------------------------------------------------

std::vector<Experiment> experiments() {
    std::vector<Experiment> all;
    const std::string semigroup = schedule("semigroup", "operation: concat");
    for (const bool is_linear : {false, true}) {
        for (const std::uint32_t s : kRoots) {
            for (const Row& row : rows(s)) {
                all.push_back(experiment(row_key(s, row.key), row.topology, row.traffic, is_linear,
                                         row.needs_two_channels ? kTwoChannels : "", kSmall,
                                         s * s * s * s));
            }
        }
        for (const std::uint32_t length : kLengths) {
            all.push_back(experiment(length_key(length), express(std::to_string(kLine), length),
                                     semigroup, is_linear, "", kSmall, kLine));
        }
        for (const std::uint32_t s : kGrowth) {
            for (const Network& network : networks()) {
                if (s > network.largest) continue;
                for (const std::uint32_t bytes : {kSmall, kLarge}) {
                    all.push_back(experiment(
                        growth_key(network, s, bytes), network.topology(s), semigroup, is_linear,
                        fmt::format("{}, pin_budget: {}", network.fabric, kPins), bytes,
                        s * s * s * s));
                }
            }
        }
    }
    for (const std::uint32_t s : kProcessorRoots) {
        all.push_back(experiment(values_key(s), express(square(s * s), s),
                                 schedule("semigroup", fmt::format("operation: sum, "
                                                                   "values_per_node: {}",
                                                                   values_per_node(s))),
                                 false, "", kSmall, s * s * s * s));
    }
    for (Experiment& one : physical_experiments()) all.push_back(std::move(one));
    return all;
}

std::string row_key(std::uint32_t s, const std::string& row) {
    return fmt::format("steps/{}/{}", s * s, row);
}

std::string full_key(const std::string& key, bool is_linear) {
    return "cheung/" + key + (is_linear ? "/linear" : "/constant");
}

std::string physical_key(const std::string& key, int pitch_mm) {
    return "cheung/" + key + pitch_key(pitch_mm);
}

}  // namespace flitscope::reproduce::cheung_lau
