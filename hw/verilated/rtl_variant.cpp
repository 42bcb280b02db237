// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/verilated/rtl_variant.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <regex>
#include <set>
#include <stdexcept>
#include <string_view>

#include "models/base/limits.h"
#include "models/base/powers_of_two.h"
#include "models/config/hardware_config.h"
#include "models/fabric/channel_timing.h"
#include "models/routing/turns.h"
#include "models/topology/graph.h"

namespace flitscope::hw {
namespace {

constexpr std::string_view kTurnsMark = "_t";
constexpr const char* kSpeedupMark = "_x";
constexpr const char* kOutputsMark = "_o";
constexpr const char* kQueueMark = "q";
constexpr const char* kHexadecimals = "0123456789abcdef";
constexpr const char* kClassesMark = "_c";
constexpr const char* kPolicyMark = "_k";
constexpr std::size_t kPolicyDigits = 4;  // hexadecimal, of a class
constexpr unsigned kRankAt = 12;

RtlRouting routing_of(const Graph& graph, const Routing& routing) {
    if (routing.path_coin()) return RtlRouting::kPins;  // tables have no room for two paths
    // Logic compares the numbers of nodes as those of their routers.
    if (!graph.has_node_per_router()) return RtlRouting::kTable;
    if (!routing.takes_dimensions_in_order() || !graph.wiring()) return RtlRouting::kTable;
    if (graph.wiring()->has_port_per_address_bit()) return RtlRouting::kHypercube;
    const bool has_fields = std::all_of(graph.dims().begin(), graph.dims().end(), is_power_of_two);
    const bool is_mesh = graph.wiring()->is_mesh() && graph.wiring()->has_ports_alike();
    return is_mesh && has_fields ? RtlRouting::kMesh : RtlRouting::kTable;
}

/// The first number in `text`, 0 if it has too many digits.
std::uint32_t number_in(const std::string& text) {
    constexpr std::size_t kMostDigits = 6;
    const char* const kDigits = "0123456789";
    const std::size_t first = text.find_first_of(kDigits);
    if (first == std::string::npos) return 0;
    const std::string digits = text.substr(first, text.find_first_not_of(kDigits, first) - first);
    return digits.size() > kMostDigits ? 0 : static_cast<std::uint32_t>(std::stoul(digits));
}

std::string digits_of(const std::vector<std::uint16_t>& policy) {
    std::string digits;
    for (const std::uint16_t word : policy) digits.insert(0, fmt::format("{:04x}", word));
    return digits;
}

/// What those digits say of so many classes; nothing if they do not fit.
std::vector<std::uint16_t> policy_of(const std::string& digits, std::size_t classes) {
    std::vector<std::uint16_t> policy;
    const bool fits = digits.size() == kPolicyDigits * classes &&
                      digits.find_first_not_of(kHexadecimals) == std::string::npos;
    if (!fits) return policy;
    for (std::size_t k = classes; k-- > 0;) {
        const std::string word = digits.substr(kPolicyDigits * k, kPolicyDigits);
        policy.push_back(static_cast<std::uint16_t>(std::stoul(word, nullptr, 16)));
    }
    return policy;
}

std::vector<std::uint16_t> policy_of(const FabricConfig& fabric) {
    const std::set<std::uint32_t> levels(fabric.class_priorities.begin(),
                                         fabric.class_priorities.end());
    if (levels.size() < 2 && fabric.class_weights.empty()) return {};
    std::vector<std::uint16_t> policy(fabric.class_count());
    for (std::size_t k = 0; k < policy.size(); ++k) {
        std::size_t rank = 0;
        if (!levels.empty()) {
            rank = static_cast<std::size_t>(
                std::distance(levels.begin(), levels.find(fabric.class_priorities[k])));
        }
        const std::uint32_t weight = fabric.class_weights.empty() ? 0 : fabric.class_weights[k];
        policy[k] = static_cast<std::uint16_t>(rank << kRankAt | weight);
    }
    return policy;
}

}  // namespace

std::string RtlVariant::name() const {
    std::string way = "mesh";
    if (routing == RtlRouting::kHypercube) way = "hypercube";
    if (routing == RtlRouting::kTable) way = fmt::format("table{}", table_entries);
    if (routing == RtlRouting::kPins) way = "pins";
    const auto if_several = [](const char* mark, std::uint32_t count) {
        return count == 1 ? "" : fmt::format("{}{}", mark, count);
    };
    return fmt::format(
        "{}_p{}_v{}_d{}_w{}_r{}_{}{}{}{}{}{}{}{}{}{}{}{}{}{}", module, ports, virtual_channels,
        depth, flit_bits, router_delay, way, hold ? "_hold" : "", combined ? "_combined" : "",
        slow_links ? "_slow" : "", valid_ready ? "_valid_ready" : "", direct ? "_direct" : "",
        if_several(kSpeedupMark, input_speedup), if_several(kOutputsMark, output_speedup),
        if_several(kQueueMark, output_queue), if_several(kClassesMark, classes),
        class_policy.empty() ? "" : kPolicyMark, digits_of(class_policy),
        turns.empty() ? "" : kTurnsMark, turns);
}

std::optional<RtlVariant> parse_rtl_variant(const std::string& text) {
    const std::size_t mark = text.rfind(kTurnsMark);
    const bool has_turns =
        mark != std::string::npos &&
        text.find_first_not_of(kHexadecimals, mark + kTurnsMark.size()) == std::string::npos;
    const std::string name = has_turns ? text.substr(0, mark) : text;
    constexpr std::size_t kLongest = 255;  // of a file name; the regex recurses once per letter
    if (name.size() > kLongest) return std::nullopt;
    static const std::regex kPattern(kRtlVariantName);
    std::smatch part;
    if (!std::regex_match(name, part, kPattern)) return std::nullopt;
    RtlVariant variant;
    variant.module = part[1].str();
    variant.ports = number_in(part[2]);
    variant.virtual_channels = number_in(part[3]);
    variant.depth = number_in(part[4]);
    variant.flit_bits = number_in(part[5]);
    variant.router_delay = number_in(part[6]);
    variant.routing = RtlRouting::kTable;
    if (part[7] == "mesh") variant.routing = RtlRouting::kMesh;
    if (part[7] == "hypercube") variant.routing = RtlRouting::kHypercube;
    if (part[7] == "pins") variant.routing = RtlRouting::kPins;
    if (variant.routing == RtlRouting::kTable) variant.table_entries = number_in(part[7]);
    variant.hold = part[8].str().find("_hold") != std::string::npos;
    variant.combined = part[8].str().find("_combined") != std::string::npos;
    variant.slow_links = part[8].str().find("_slow") != std::string::npos;
    variant.valid_ready = part[8].str().find("_valid_ready") == 0;
    variant.direct = part[8] == "_valid_ready_direct";
    const std::string several = part[9].str();
    const auto number_behind = [&several](const char* key, std::uint32_t& number) {
        const std::size_t at = several.find(key);
        if (at != std::string::npos) number = number_in(several.substr(at));
    };
    number_behind(kSpeedupMark, variant.input_speedup);
    number_behind(kOutputsMark, variant.output_speedup);
    number_behind(kQueueMark, variant.output_queue);
    number_behind(kClassesMark, variant.classes);
    const std::size_t policy = several.find(kPolicyMark);
    if (policy != std::string::npos) {
        variant.class_policy =
            policy_of(several.substr(policy + std::strlen(kPolicyMark)), variant.classes);
    }
    if (variant.name() != name) return std::nullopt;  // zeros before a number, too many digits
    const bool has_zero = variant.ports == 0 || variant.virtual_channels == 0 ||
                          variant.depth == 0 || variant.flit_bits == 0 ||
                          variant.router_delay == 0 || variant.input_speedup == 0 ||
                          variant.classes == 0 ||
                          (variant.routing == RtlRouting::kTable && variant.table_entries == 0);
    if (has_zero || variant.virtual_channels % variant.input_speedup != 0) return std::nullopt;
    if (variant.virtual_channels % variant.classes != 0) return std::nullopt;
    if (variant.hold && variant.virtual_channels == 1) return std::nullopt;
    const bool has_switch_outputs =
        variant.output_speedup <= std::min(variant.virtual_channels, variant.output_queue);
    if (variant.output_speedup == 0 || !has_switch_outputs) return std::nullopt;
    if (variant.output_speedup == 1 && variant.output_queue != 1) return std::nullopt;
    if (variant.output_speedup > 1 && (variant.hold || variant.combined)) return std::nullopt;
    if (!has_turns) return variant;
    variant.turns = text.substr(mark + kTurnsMark.size());
    try {
        if (variant.turns.empty()) return std::nullopt;
        turns_of_hex(variant.ports, variant.turns);
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
    return variant;
}

RtlVariant rtl_variant(const HardwareConfig& config, const Graph& graph, const Routing& routing) {
    RtlVariant variant;
    variant.module = config.fabric.rtl_module().top;
    variant.ports = graph.port_count();
    variant.virtual_channels = config.fabric.virtual_channels;
    variant.depth = ChannelTimings(config.fabric).most_depth(graph);
    variant.flit_bits = config.fabric.channel_bits();
    variant.router_delay = config.fabric.router_delay;
    variant.valid_ready = config.fabric.rtl_module().protocol == RtlProtocol::kValidReady;
    variant.direct = variant.valid_ready && config.fabric.has_valid_ready_links();
    variant.hold = config.fabric.holds_switch() && !variant.valid_ready;
    variant.combined = config.fabric.combines_allocation() && !variant.valid_ready;
    variant.input_speedup = config.fabric.input_speedup;
    if (config.fabric.has_output_queues()) {
        variant.output_speedup = config.fabric.output_speedup;
        variant.output_queue = config.fabric.output_queue;
    }
    variant.classes = config.fabric.class_count();
    variant.class_policy = policy_of(config.fabric);
    variant.slow_links = graph.whole().has_slow_links() && !variant.is_foreign();
    const bool has_table = config.fabric.rtl_module().routes == RtlRoutes::kTable;
    variant.routing = has_table ? RtlRouting::kTable : routing_of(graph, routing);
    if (variant.routing == RtlRouting::kTable) {
        const std::uint64_t entries = std::max<std::uint64_t>(2, graph.node_count());
        variant.table_entries = static_cast<std::uint32_t>(next_power_of_two(entries));
    }
    return variant;
}

std::string rtl_classes_parameter(const RtlVariant& variant) {
    constexpr int kBits = 16 + 16 * kMaxVirtualChannels;  // router_pkg::ClassesBits
    return fmt::format("{}'h{}{:04x}", kBits, digits_of(variant.class_policy), variant.classes);
}

std::string class_policy_text(const RtlVariant& variant) {
    std::string text;
    for (const std::uint16_t word : variant.class_policy) {
        text += fmt::format("{}{}:{}", text.empty() ? "" : ",", word >> kRankAt,
                            word & ((1U << kRankAt) - 1));
    }
    return text;
}

NodeId rtl_number(const Graph& graph, RouterId router) {
    const NodesOfRouter nodes = graph.nodes_at(router);
    return nodes.empty() ? router.number() : nodes[0];
}

std::vector<std::uint16_t> rtl_fields(const RtlVariant& variant, const Graph& graph) {
    std::vector<std::uint16_t> fields;
    if (variant.routing != RtlRouting::kMesh) return fields;
    for (std::size_t k = graph.dims().size(); k-- > 0;) {
        fields.push_back(static_cast<std::uint16_t>((graph.dims()[k] - 1) * graph.stride(k)));
    }
    return fields;
}

}  // namespace flitscope::hw
