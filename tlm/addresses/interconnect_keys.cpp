// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/addresses/interconnect_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "models/base/limits.h"
#include "models/config/config.h"
#include "models/config/entry_reader.h"
#include "models/config/key_kinds.h"
#include "models/config/node_keys.h"
#include "models/fabric/message_classes.h"
#include "models/fabric/switching.h"
#include "tlm/addresses/address_map.h"

namespace flitscope {
namespace {

using namespace kinds;

/// A number of up to 64 bits, decimal or hexadecimal with 0x: addresses are read by people, too.
std::optional<std::uint64_t> read_address(const ConfigTree& value, const ReadContext& context,
                                          std::uint64_t least) {
    std::optional<std::uint64_t> number;
    if (value.is_scalar() && !value.quoted) {
        const std::string_view text = value.text;
        if (text.size() > 2 && (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X")) {
            std::uint64_t parsed = 0;
            const auto end =
                std::from_chars(text.data() + 2, text.data() + text.size(), parsed, 16);
            if (end.ec == std::errc{} && end.ptr == text.data() + text.size()) number = parsed;
        } else if (text.size() == 1 || text.substr(0, 1) != "0") {
            number = to_unsigned(text);
        }
    }
    if (number && *number >= least) return number;
    mistyped(value, context,
             fmt::format("an integer from {} to 2^64 - 1, decimal or hexadecimal", least),
             value.quoted ? "remove the quotes" : "write 65536 or 0x10000");
    return std::nullopt;
}

std::optional<InterconnectTarget> read_interconnect_target(
    const ConfigTree& value, const ReadContext& context, std::vector<NamedNode>& named,
    const std::function<void(Config&, NodeId)>& set) {
    if (!value.is_map()) {
        mistyped(value, context, "a map of node, base and size",
                 "write {node: 5, base: 0x0, size: 0x10000}");
        return std::nullopt;
    }
    const EntryReader read(value, context, {"node", "base", "size"});
    InterconnectTarget result;
    read("node", "number of the node that the target is attached to",
         [&](const ConfigTree& child, const ReadContext& inner) {
             result.node = read_node(child, inner, named, set).value_or(0);
         });
    read("base", "first address that the target answers to",
         [&](const ConfigTree& child, const ReadContext& inner) {
             result.base = read_address(child, inner, 0).value_or(0);
         });
    read("size", "bytes from 'base' on", [&](const ConfigTree& child, const ReadContext& inner) {
        result.size = read_address(child, inner, 1).value_or(1);
    });
    if (!read.is_sound()) return std::nullopt;
    return result;
}

template <class Field>
ConfigKey interconnect_targets(std::string path, std::string meaning, Field field) {
    const auto read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        if (!value.is_sequence() || value.children.empty()) {
            mistyped(value, context, "a list of at least one map",
                     "write [{node: 5, base: 0x0, size: 0x10000}]");
            return;
        }
        field(config).clear();
        for (std::size_t i = 0; i < value.children.size(); ++i) {
            const ReadContext inner{fmt::format("{}[{}]", context.name, i), context.folder,
                                    context.findings};
            const auto set = [=, at = field(config).size()](Config& in, NodeId node) {
                if (at < field(in).size()) field(in)[at].node = node;
            };
            const auto entry =
                read_interconnect_target(value.children[i], inner, config.named_nodes, set);
            if (!entry) continue;
            field(config).push_back(*entry);
            field(config).back().where = value.children[i].where;
        }
    };
    const auto write = [=](const Config& config) {
        Names entries;
        for (const InterconnectTarget& entry : field(config)) {
            entries.push_back(fmt::format("{{node: {}, base: {:#x}, size: {:#x}}}", entry.node,
                                          entry.base, entry.size));
        }
        return fmt::format("[{}]", fmt::join(entries, ", "));
    };
    return {std::move(path),
            "list of maps, each of `node` (integer or name), `base` and `size` (integers, also "
            "hexadecimal)",
            fmt::format("node: 0 to {}; base: 0 to 2^64 - 1; size: 1 to 2^64 - 1", kMaxNodes - 1),
            "bytes",
            std::move(meaning),
            read,
            write};
}

Condition with_interconnect() {
    return {"a configuration with `interconnect`", [](const Config& config) -> std::string {
                return config.interconnect ? "" : "a configuration without 'interconnect'";
            }};
}

Condition with_annotated_timing() {
    return both("`interconnect.timing: annotated`", with_interconnect(),
                {"", [](const Config& config) -> std::string {
                     if (config.interconnect->timing == AccessTiming::kAnnotated) return "";
                     return "interconnect.timing: exact";
                 }});
}

/// Rules of the classes of accesses, and of nodes that do not accept all requests.
void check_requests(RuleContext& context) {
    const Config& config = context.config;
    const InterconnectConfig& interconnect = *config.interconnect;
    require_class(context, "interconnect.request_class", interconnect.request_class);
    require_class(context, "interconnect.response_class", interconnect.response_class);
    if (auto found = find_packet_without_room(config, interconnect.header_bytes)) {
        found->where = config.where("fabric.buffer_depth");
        found->what = fmt::format("no access fits: {}", found->what);
        context.report(std::move(*found));
    }
    if (interconnect.request_queue == 0) return;
    check_request_queue(context, "interconnect.request_queue");
    const auto refuse = [&](const char* key, const std::string& what, const std::string& remedy) {
        context.report(
            {config.where(key), what, remedy + ", or leave interconnect.request_queue out"});
    };
    if (config.node.has_channels_per_link()) {
        refuse("node.port_model", "nodes with a channel per link accept all requests",
               "set node.port_model: single");
    }
    if (config.fabric.has_rtl_routers()) {
        refuse("fabric.router", "RTL routers hand a node all requests that arrive",
               "set fabric.router: systemc");
    }
    const std::uint32_t header = interconnect.header_bytes;
    if (config.packet_format().packets(header) > 1) {
        refuse("node.packet_bytes", "a request is a single packet, and its header is more",
               fmt::format("set node.packet_bytes: {} or more", header));
    }
    if (interconnect.timing == AccessTiming::kAnnotated) {
        refuse("interconnect.timing",
               "annotated timing knows no other accesses that a target could have",
               "set interconnect.timing: exact");
    }
}

}  // namespace

ConfigKeys interconnect_keys() {
    ConfigKeys keys;
    const auto in = [](auto member) { return in_section(at(&Config::interconnect), member); };
    const Condition with_classes = both("a configuration with `interconnect` and `fabric.classes`",
                                        with_interconnect(), message_classes());
    keys.push_back(node_keys("interconnect.initiators", {1, kMaxNodes},
                             "node of each initiator; each has a target socket, in this order",
                             in(&InterconnectConfig::initiators))
                       .only_for(with_interconnect())
                       .required());
    keys.push_back(
        interconnect_targets("interconnect.targets",
                             "address map; each target has an initiator socket, in this order, for "
                             "example `[{node: 5, base: 0x0, size: 0x10000}]`",
                             in(&InterconnectConfig::targets))
            .only_for(with_interconnect())
            .required());
    keys.push_back(integer("interconnect.header_bytes", {0, 1024}, "bytes",
                           "size of the header of a request and of a response, added to the data",
                           in(&InterconnectConfig::header_bytes))
                       .only_for(with_interconnect()));
    keys.push_back(integer("interconnect.outstanding", {1, 65536}, "",
                           "maximum number of outstanding requests of an initiator; the next one "
                           "is accepted when one of them has been answered",
                           in(&InterconnectConfig::outstanding))
                       .only_for(with_interconnect()));
    keys.push_back(class_key("interconnect.request_class",
                             "class of requests; default: the first one",
                             in(&InterconnectConfig::request_class))
                       .only_for(with_classes));
    keys.push_back(class_key("interconnect.response_class",
                             "class of responses, so that they do not wait behind requests; "
                             "default: that of requests",
                             in(&InterconnectConfig::response_class))
                       .only_for(with_classes));
    keys.push_back(integer("interconnect.request_queue", {0, 1'000'000}, "requests",
                           "maximum number of requests that the targets of a node have accepted "
                           "and not yet answered; further ones wait in the network; 0 = unlimited",
                           in(&InterconnectConfig::request_queue))
                       .only_for(with_interconnect()));
    keys.push_back(enumeration("interconnect.timing", "timing", kAccessTimings,
                               "time of an access: `exact`, that of its messages on the simulated "
                               "network; `annotated`, that of messages that meet no other, which "
                               "is added to the delay of the transaction: initiators may run ahead "
                               "by their quantum",
                               in(&InterconnectConfig::timing))
                       .only_for(with_interconnect()));
    keys.push_back(integer("interconnect.queueing", {0, 1'000'000}, "cycles",
                           "what annotated timing adds to each message for the other traffic of a "
                           "network in use: the mean latency of `flitscope curve` at the expected "
                           "load, less that of an idle network",
                           in(&InterconnectConfig::queueing))
                       .only_for(with_annotated_timing()));
    keys.push_back(flag("interconnect.dmi",
                        "pass requests for direct memory access on to the targets; such accesses "
                        "bypass the network",
                        in(&InterconnectConfig::dmi))
                       .only_for(with_interconnect()));
    return keys;
}

ConfigSection interconnect_section() {
    ConfigSection section;
    section.path = "interconnect";
    section.meaning = "addresses of the TLM-2.0 component (tlm/interconnect/INTERCONNECT.md)";
    section.open = [](Config& config) { config.interconnect.emplace(); };
    section.is_set = [](const Config& config) { return config.interconnect.has_value(); };
    return section;
}

void check_interconnect(RuleContext& context) {
    if (!context.config.interconnect) return;
    check_requests(context);
    for (Diagnostic& found : interconnect_findings(context.config, context.nodes)) {
        context.report(std::move(found));
    }
}

}  // namespace flitscope
