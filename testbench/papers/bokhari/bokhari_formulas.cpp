// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/bokhari/bokhari_formulas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "models/config/config.h"
#include "testbench/app/configuration/configuration.h"

namespace flitscope::reproduce::paragon_exchange {
namespace {

constexpr double kNsPerMs = 1e6;

std::string bounded_key(std::uint32_t n, std::uint32_t level, std::uint64_t bytes,
                        const Setting& setting) {
    return fmt::format("bokhari/bounded-{}/{}x{}/{}/{}", setting.name, n, n, level, bytes);
}
std::string planes_key(std::uint32_t n, std::uint32_t level) {
    return fmt::format("bokhari/bounded-two-planes/{}x{}/{}/{}", n, n, level, kSlice);
}
std::string naive_key(std::uint32_t n, Naive order, std::uint64_t bytes, const Setting& setting) {
    return fmt::format("bokhari/naive-{}{}/{}x{}/{}", order == Naive::kFromNext ? "next" : "zero",
                       setting.buffer_depth == 0 ? "" : "-small", n, n, bytes);
}
std::string recursive_key(std::uint32_t n, std::uint64_t bytes) {
    return fmt::format("bokhari/recursive/{}x{}/{}", n, n, bytes);
}

std::string yaml(std::uint32_t n, const std::string& traffic, const Setting& setting = kParagon) {
    const std::string buffers =
        setting.buffer_depth == 0 ? "" : fmt::format(", buffer_depth: {}", setting.buffer_depth);
    return fmt::format(
        "machine: paragon\nfabric: {{topology: {{kind: mesh, dims: [{}, {}]}}{}}}\n"
        "traffic: {{{}}}\n",
        n, n, buffers, traffic);
}

double clock_ns() { return parse_config(yaml(4, "schedule: gen"), "bokhari").clock_ns; }

/// Seconds, roughly: they grow with the packets and the hops of each.
double weight(std::uint32_t n, std::uint64_t bytes) {
    const auto packets = static_cast<double>((bytes + 1791) / 1792);
    return 0.02 + 0.25 * packets * std::pow(n / 16.0, 5);
}

Experiment bounded(std::uint32_t n, std::uint32_t level, std::uint64_t bytes,
                   const Setting& setting) {
    // In cycles, per doubling of the n^2 nodes; the machine's own cost if they are equal.
    std::string barrier = "true";
    if (setting.slope != kParagon.slope) {
        const double cycles_per_us = 1000 / clock_ns();
        barrier = fmt::format("{{per_doubling: {:.4f}, fixed: {:.4f}}}",
                              setting.slope / 2 * cycles_per_us, setting.fixed * cycles_per_us);
    }
    return {bounded_key(n, level, bytes, setting),
            yaml(n,
                 fmt::format("schedule: bounded-contention, contention: {}, message_bytes: {}, "
                             "barrier: {}",
                             level, bytes, barrier),
                 setting),
            "tlm", weight(n, bytes)};
}

/// With the barriers of the Paragon, of which there are half as many.
Experiment bounded_on_two_planes(std::uint32_t n, std::uint32_t level) {
    return {planes_key(n, level),
            fmt::format("machine: paragon\nfabric: {{topology: {{kind: mesh, dims: [{}, {}]}}, "
                        "planes: 2}}\ntraffic: {{schedule: bounded-contention, contention: {}, "
                        "message_bytes: {}, barrier: true}}\n",
                        n, n, level, kSlice),
            "cycle", 10 * weight(n, kSlice)};
}

Experiment naive_exchange(std::uint32_t n, Naive order, std::uint64_t bytes,
                          const Setting& setting) {
    return {naive_key(n, order, bytes, setting),
            yaml(n,
                 fmt::format("schedule: naive, algorithm: {}, message_bytes: {}",
                             order == Naive::kFromNext ? "from_next" : "from_zero", bytes),
                 setting),
            "tlm", weight(n, bytes)};
}

/// lg n^2 messages per node, each of half of all blocks.
Experiment recursive_exchange(std::uint32_t n, std::uint64_t bytes) {
    return {recursive_key(n, bytes),
            yaml(n, fmt::format("schedule: recursive-exchange, message_bytes: {}", bytes)), "tlm",
            2 * weight(n, bytes)};
}

}  // namespace

double Setting::barrier_us(std::uint32_t n) const { return slope * std::log2(n) + fixed; }

std::vector<std::uint32_t> levels(std::uint32_t n) {
    static const std::map<std::uint32_t, std::vector<std::uint32_t>> all = {
        {4, {1, 2, 4, 8, 16}},
        {8, {1, 2, 4, 8, 16, 32, 64, 128}},
        {12, {1, 2, 3, 6, 12, 24, 48, 144, 432}},
        {16, {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}}};
    return all.at(n);
}

std::vector<std::uint32_t> levels_on_planes(std::uint32_t n) {
    if (n == 4) return {1, 4};  // one message of a node from n / 4 on
    return {1, n / 4, n};
}

double message_ms(std::uint64_t bytes) { return (231 + 0.022 * static_cast<double>(bytes)) / 1000; }

double lower_ms(std::uint32_t n, std::uint32_t level, std::uint64_t bytes, const Setting& setting) {
    const double messages = static_cast<double>(phases(n)) / std::min(level, n / 4);
    return messages * message_ms(bytes) + phases(n) / level * setting.barrier_us(n) / 1000;
}

double upper_ms(std::uint32_t n, std::uint32_t level, std::uint64_t bytes, const Setting& setting) {
    return phases(n) * message_ms(bytes) + phases(n) / level * setting.barrier_us(n) / 1000;
}

std::vector<Experiment> experiments() {
    std::map<std::string, Experiment> all;  // some are needed for more than one purpose
    const auto add = [&all](Experiment experiment) {
        std::string key = experiment.key;
        all.emplace(std::move(key), std::move(experiment));
    };
    for (const std::uint32_t n : kSides) {
        for (const std::uint64_t bytes : kSizes) {
            for (const std::uint32_t level : levels(n)) add(bounded(n, level, bytes, kParagon));
            add(naive_exchange(n, Naive::kFromNext, bytes, kParagon));
            add(naive_exchange(n, Naive::kFromZero, bytes, kParagon));
        }
        for (const std::uint32_t level : {n / 4, phases(n)}) {
            add(bounded(n, level, kSlice, kSmallBuffers));
        }
        add(naive_exchange(n, Naive::kFromNext, kSlice, kSmallBuffers));
        add(naive_exchange(n, Naive::kFromZero, kSlice, kSmallBuffers));
        if (n == 16) continue;  // not worth its run time
        for (const std::uint32_t level : levels_on_planes(n)) add(bounded_on_two_planes(n, level));
        for (const std::uint32_t level : levels(n)) {
            add(bounded(n, level, kSlice, kCheaper));
            add(bounded(n, level, kSlice, kDedicated));
        }
    }
    for (const std::uint32_t n : kSmallSides) {
        for (const std::uint64_t bytes : kSmallSizes) {
            add(bounded(n, phases(n), bytes, kParagon));
            add(naive_exchange(n, Naive::kFromNext, bytes, kParagon));
            add(recursive_exchange(n, bytes));
        }
    }
    std::vector<Experiment> list;
    for (auto& [key, experiment] : all) list.push_back(std::move(experiment));
    return list;
}

Times::Times(const Outcomes& outcomes) : outcomes_(outcomes), clock_ns_(clock_ns()) {}

double Times::ms(const std::string& key) const {
    return static_cast<double>(outcomes_.at(key).cycles) * clock_ns_ / kNsPerMs;
}

double Times::bounded(std::uint32_t n, std::uint32_t level, std::uint64_t bytes,
                      const Setting& setting) const {
    return ms(bounded_key(n, level, bytes, setting)) + setting.barrier_us(n) / 1000;
}

double Times::on_two_planes(std::uint32_t n, std::uint32_t level) const {
    return ms(planes_key(n, level)) + kParagon.barrier_us(n) / 1000;
}

double Times::naive(std::uint32_t n, Naive order, std::uint64_t bytes,
                    const Setting& setting) const {
    return ms(naive_key(n, order, bytes, setting)) + setting.barrier_us(n) / 1000;
}

double Times::recursive(std::uint32_t n, std::uint64_t bytes) const {
    return ms(recursive_key(n, bytes)) + kParagon.barrier_us(n) / 1000;
}

std::uint32_t Times::best_level(std::uint32_t n, std::uint64_t bytes,
                                const Setting& setting) const {
    const std::vector<std::uint32_t> all = levels(n);
    return *std::min_element(all.begin(), all.end(), [&](std::uint32_t a, std::uint32_t b) {
        return bounded(n, a, bytes, setting) < bounded(n, b, bytes, setting);
    });
}

double Times::improvement(std::uint32_t n, std::uint32_t level, std::uint64_t bytes,
                          Naive order) const {
    return 1 - bounded(n, level, bytes) / naive(n, order, bytes);
}

}  // namespace flitscope::reproduce::paragon_exchange
