// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/boppana/boppana_experiments.h"

#include <fmt/format.h>

#include <utility>

namespace flitscope::reproduce::hypercube_exchange {
namespace {

using aap_forms::Costs;
using aap_forms::ipsc860;
using aap_forms::nodes;

/// Flits of the smallest width; `elements` of them are the payload of a message.
std::string machine_yaml(std::uint32_t n, const Costs& costs, const std::string& fabric,
                         const std::string& traffic) {
    return fmt::format(
        "fabric: {{topology: {{kind: hypercube, dimensions: {}}}, flit_bits: 16, {}}}\n"
        "node: {{send_startup: {}}}\n"
        "traffic: {{message_bytes: {}, {}}}\n",
        n, fabric, costs.startup, 2 * costs.elements, traffic);
}

std::string circuits(const Costs& costs) {
    return fmt::format("switching: circuit, setup_delay: {}", costs.setup);
}

/// The same time per link: tau in the router, and one cycle on the wire.
std::string packets(const std::string& switching, const Costs& costs, Cycle depth) {
    return fmt::format("switching: {}, router_delay: {}, buffer_depth: {}", switching, costs.setup,
                       depth);
}

std::string aap_traffic(const std::string& algorithm) {
    return "schedule: aap, algorithm: " + algorithm;
}

/// In seconds, by flits and links.
double weight(std::uint32_t n, const Costs& costs) {
    const auto hops = static_cast<double>(nodes(n) * nodes(n) * n / 2 * costs.elements);
    return 0.02 + hops / 8e6;
}

/// Of the runs whose time the conclusions split by cause.
std::vector<std::string> keys_with_causes() {
    return {size_key("by_size", kLargest),
            size_key("interleaved", kLargest),
            size_key("interleaved_waiting", kLargest),
            ipsc_key("by_size", 7, 100),
            ipsc_key("interleaved", 7, 100),
            ipsc_key("interleaved_waiting", 7, 100),
            size_key("by_size", kLargestOfPackets),
            switching_key("wormhole", kLargestOfPackets),
            switching_key("store_and_forward", kLargestOfPackets)};
}

}  // namespace

const std::vector<Operation>& operations() {
    static const std::vector<Operation> kAll = {
        {"one-to-all broadcast", "broadcast dimension_order",
         "schedule: broadcast, algorithm: dimension_order", false, "k/n",
         [](double k, double n, double) { return k / n; }},
        {"one-to-all personalized", "scatter binomial", "schedule: scatter, algorithm: binomial",
         true, "k/2", [](double k, double, double) { return k / 2; }},
        {"all-to-all broadcast", "allgather recursive_doubling",
         "schedule: allgather, algorithm: recursive_doubling", true, "k(N-1)/n",
         [](double k, double n, double nodes) { return k * (nodes - 1) / n; }},
        {"all-to-all personalized", "AAP", "schedule: aap, algorithm: by_size", true, "kN/2",
         [](double k, double, double nodes) { return k * nodes / 2; }}};
    return kAll;
}
std::string size_key(const std::string& algorithm, std::uint32_t n) {
    return fmt::format("boppana/{}/{}", algorithm, n);
}
std::string eta_key(Cycle elements) { return fmt::format("boppana/eta/{}", elements); }
std::string ipsc_key(const std::string& algorithm, std::uint32_t n, Cycle bytes) {
    return fmt::format("boppana/ipsc860/{}/{}/{}", algorithm, n, bytes);
}
std::string switching_key(const std::string& switching, std::uint32_t n) {
    return fmt::format("boppana/{}/aap/{}", switching, n);
}

std::string operation_key(const std::string& switching, std::size_t number) {
    return fmt::format("boppana/table1/{}/{}", switching, number);
}

std::string alternative_key(const std::string& switching, const Alternative& alternative) {
    return fmt::format("boppana/operations/{}/{}-{}", switching, alternative.schedule,
                       alternative.algorithm);
}

std::vector<Experiment> experiments() {
    std::vector<Experiment> all;
    const auto add = [&all](std::string key, std::string yaml, double seconds) {
        all.push_back({std::move(key), std::move(yaml), "auto", seconds});
    };
    const auto add_aap = [&add](std::string key, std::uint32_t n, const Costs& costs,
                                const std::string& algorithm) {
        add(std::move(key), machine_yaml(n, costs, circuits(costs), aap_traffic(algorithm)),
            weight(n, costs));
    };
    for (std::uint32_t n = 2; n <= kLargest; ++n) {
        add_aap(size_key("by_size", n), n, kCosts, "by_size");
        for (const std::string& variant : kVariants) {
            add_aap(size_key(variant, n), n, kCosts, variant);
        }
    }
    for (const Cycle elements : kEtaElements) {
        add_aap(eta_key(elements), kEtaSize, {kCosts.startup, kCosts.setup, elements}, "by_size");
    }
    for (const std::uint32_t n : kIpscSizes) {
        for (const Cycle bytes : kIpscBytes) {
            add_aap(ipsc_key("by_size", n, bytes), n, ipsc860(bytes), "by_size");
        }
    }
    for (const std::string& variant : kVariants) {
        add_aap(ipsc_key(variant, 7, 100), 7, ipsc860(100), variant);
    }
    for (std::uint32_t n = 2; n <= kLargestOfPackets; ++n) {
        for (const char* switching : {"wormhole", "store_and_forward"}) {
            const Cycle depth = std::string(switching) == "wormhole" ? 8 : kCosts.elements + 1;
            add(switching_key(switching, n),
                machine_yaml(n, kCosts, packets(switching, kCosts, depth), aap_traffic("by_size")),
                weight(n, kCosts));
        }
    }
    const Cycle longest = nodes(kOperationSize) / 2 * kCosts.elements + 1;
    const auto add_operation = [&](std::string by_circuit, std::string by_storing,
                                   const std::string& traffic) {
        const std::uint32_t n = kOperationSize;
        add(std::move(by_circuit), machine_yaml(n, kCosts, circuits(kCosts), traffic), 0.1);
        add(std::move(by_storing),
            machine_yaml(n, kCosts, packets("store_and_forward", kCosts, longest), traffic), 0.1);
    };
    for (std::size_t i = 0; i < operations().size(); ++i) {
        add_operation(operation_key("circuit", i), operation_key("store_and_forward", i),
                      operations()[i].traffic);
    }
    for (const Alternative& alternative : kAlternatives) {
        add_operation(alternative_key("circuit", alternative),
                      alternative_key("store_and_forward", alternative),
                      fmt::format("schedule: {}, algorithm: {}", alternative.schedule,
                                  alternative.algorithm));
    }
    record_causes(all, keys_with_causes());
    return all;
}

}  // namespace flitscope::reproduce::hypercube_exchange
