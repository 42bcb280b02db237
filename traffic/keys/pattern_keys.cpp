// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/keys/pattern_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/base/printable.h"
#include "models/config/key_kinds.h"
#include "models/config/node_keys.h"
#include "models/config/unit_keys.h"
#include "models/fabric/message_classes.h"
#include "traffic/patterns/pattern.h"
#include "traffic/schedules/schedule_catalogue.h"

namespace flitscope {

using namespace kinds;

Condition patterns() {
    return traffic("a pattern", [](const TrafficConfig& t) { return !t.pattern.empty(); });
}

std::string patterns_reading(const std::string& key) {
    Names names;
    for (const PatternKind& kind : pattern_kinds()) {
        if (kind.reads(key)) names.push_back(kind.name);
    }
    return "pattern " + alternatives(names);
}

namespace {

/// The condition that the pattern reads `traffic.` + `key`.
Condition patterns_that_read(const std::string& key) {
    return traffic(patterns_reading(key),
                   [key](const TrafficConfig& t) { return pattern_reads(t, key); });
}

/// The condition that the traffic is a pattern, and `instead` returns nothing (Condition::instead).
Condition patterns_and(std::string when, std::function<std::string(const Config&)> instead) {
    return both(std::move(when), patterns(), {"", std::move(instead)});
}

Condition bursty() {
    return patterns_and("arrivals `bursty`", [](const Config& config) -> std::string {
        if (config.traffic.arrivals == ArrivalKind::kBursty) return "";
        return "arrivals '" + name_of(config.traffic.arrivals) + '\'';
    });
}

Condition replying() {
    return patterns_and(
        patterns().when + " with `reply_bytes`", [](const Config& config) -> std::string {
            return config.traffic.reply_bytes ? "" : "a pattern without 'reply_bytes'";
        });
}

/// The condition that a pattern is measured for a given time.
Condition timed_patterns() {
    return patterns_and(patterns().when + " without the section `steady`",
                        [](const Config& config) -> std::string {
                            return config.steady ? "a pattern with the section 'steady'" : "";
                        });
}

constexpr IntegerRange kWeights{1, 1'000'000};

/// Reads a map to weights; its keys are converted by `read_name`.
template <class Map, class ReadName>
void read_weights(const ConfigTree& value, const ReadContext& context, const char* example,
                  Map& weights, ReadName read_name) {
    weights.clear();
    if (!value.is_map() || value.children.empty()) {
        mistyped(value, context, "a map of weights", fmt::format("write {}", example));
        return;
    }
    for (const ConfigTree& child : value.children) {
        const ReadContext entry{context.name + '.' + child.key, context.folder, context.findings};
        const auto name = read_name(child, context);
        const auto weight = read_integer(child, entry, kWeights);
        if (name && weight) weights[*name] = static_cast<std::uint32_t>(*weight);
    }
}

/// The name of an entry, which is a number of bytes.
std::optional<std::uint64_t> read_bytes_name(const ConfigTree& entry, const ReadContext& map) {
    ConfigTree name;  // name of the entry, as a separate value
    name.kind = ConfigTree::Kind::kScalar;
    name.text = entry.key;
    name.where = entry.key_where;
    return read_integer(name, map, {0, kLargestBytes}, "bytes");
}

template <class Map>
std::string written_weights(const Map& weights) {
    std::vector<std::string> entries;
    for (const auto& [name, weight] : weights)
        entries.push_back(fmt::format("{}: {}", name, weight));
    return entries.empty() ? "" : fmt::format("{{{}}}", fmt::join(entries, ", "));
}

ConfigKey mix() {
    ConfigKey key;
    key.path = "traffic.mix";
    key.type = "map of integers";
    key.range = fmt::format("{}: weight, {}", fmt::join(mix_parts(), ", "), kWeights.str());
    key.meaning =
        "patterns and their weights; each message follows one of them, such as "
        "`{uniform: 3, transpose: 1}`";
    key.read = [](const ConfigTree& value, Config& config, const ReadContext& context) {
        const auto read_part = [](const ConfigTree& entry,
                                  const ReadContext& map) -> std::optional<std::string> {
            const Names parts = mix_parts();
            if (std::find(parts.begin(), parts.end(), entry.key) != parts.end()) return entry.key;
            map.findings.push_back(
                {entry.key_where,
                 fmt::format("'{}' cannot be a part of '{}'", excerpt(entry.key), map.name),
                 suggest_choice(entry.key, parts)});
            return std::nullopt;
        };
        read_weights(value, context, "{uniform: 3, transpose: 1}, patterns and their weight",
                     config.traffic.mix, read_part);
    };
    key.write = [](const Config& config) { return written_weights(config.traffic.mix); };
    return std::move(key).only_for(patterns_that_read("mix"));
}

ConfigKey class_shares() {
    ConfigKey key;
    key.path = "traffic.classes";
    key.type = "map of integers";
    key.range = fmt::format("class: weight, {}", kWeights.str());
    key.meaning =
        "classes of the messages, drawn by weight, such as `{control: 1, bulk: 9}`; a schedule or "
        "a trace has a single class; by default all messages are of the first class. A program "
        "file has a column `class`";
    key.read = [](const ConfigTree& value, Config& config, const ReadContext& context) {
        read_weights(value, context, "{control: 1, bulk: 9}, classes and their weight",
                     config.traffic.classes, [](const ConfigTree& entry, const ReadContext& map) {
                         return read_class(entry.key, entry.key_where, map);
                     });
    };
    key.write = [](const Config& config) { return written_weights(config.traffic.classes); };
    return std::move(key).only_for(message_classes());
}

ConfigKey length_classes() {
    ConfigKey key;
    key.path = "traffic.length_classes";
    key.type = "map of names";
    key.range = fmt::format("0 to {}: class", kLargestBytes);
    key.unit = "bytes";
    key.meaning =
        "class of the messages of each payload size, instead of `classes`, such as `{8: control, "
        "256: "
        "bulk}`";
    key.read = [](const ConfigTree& value, Config& config, const ReadContext& context) {
        config.traffic.length_classes.clear();
        if (!value.is_map() || value.children.empty()) {
            mistyped(value, context, "a map of classes",
                     "write {8: control, 256: bulk}, bytes and the class of such messages");
            return;
        }
        for (const ConfigTree& child : value.children) {
            const auto bytes = read_bytes_name(child, context);
            const ReadContext entry{context.name + '.' + child.key, context.folder,
                                    context.findings};
            const auto name = read_class(child.is_scalar() ? child.text : "", child.where, entry);
            if (bytes && name) config.traffic.length_classes[*bytes] = *name;
        }
    };
    key.write = [](const Config& config) { return written_weights(config.traffic.length_classes); };
    return std::move(key)
        .replaces({"traffic.classes"})
        .only_for(both(patterns(), message_classes()));
}

ConfigKey reply_class() {
    return class_key("traffic.reply_class",
                     "class of the replies, so that they do not wait behind requests; default: the "
                     "class of the request",
                     at(&Config::traffic, &TrafficConfig::reply_class))
        .only_for(both(replying(), message_classes()));
}

/// A node takes a request with its head.
void require_single_packets(RuleContext& context) {
    const Config& config = context.config;
    const TrafficConfig& traffic = config.traffic;
    const std::uint64_t longest = traffic.message_lengths.empty()
                                      ? traffic.message_bytes
                                      : traffic.message_lengths.rbegin()->first;
    if (config.packet_format().packets(longest) == 1) return;
    context.report({config.where("node.packet_bytes"),
                    fmt::format("requests of {} bytes are several packets, and with "
                                "traffic.reply_queue a request must be a single packet",
                                longest),
                    fmt::format("set node.packet_bytes: {} or more", longest)});
}

}  // namespace

void check_closed_loop(RuleContext& context) {
    const Config& config = context.config;
    const TrafficConfig& traffic = config.traffic;
    if (traffic.outstanding == 0) return;
    const auto refuse = [&](const char* path, const char* what, const char* remedy) {
        context.report({config.where(path), what,
                        fmt::format("{}, or leave traffic.outstanding out", remedy)});
    };
    std::set<std::string> of_lengths;
    for (const auto& [bytes, name] : traffic.length_classes) of_lengths.insert(name);
    if (traffic.classes.size() > 1 || of_lengths.size() > 1) {
        refuse(traffic.classes.size() > 1 ? "traffic.classes" : "traffic.length_classes",
               "a node with traffic.outstanding has one queue of requests",
               "let all requests be of one class");
    }
    if (config.fabric.planes > 1) {
        refuse("fabric.planes", "a node with traffic.outstanding has one queue of requests",
               "set fabric.planes: 1");
    }
    if (!config.faults) return;
    if (config.faults->come_later()) {
        refuse("faults.at", "the place of a request that is lost would never be free again",
               "set faults.at: 0");
    } else if (config.faults->drops_messages) {
        refuse("faults.traffic", "a request that is dropped has no reply",
               "set faults.traffic: refuse");
    }
}

void check_classes(RuleContext& context) {
    const Config& config = context.config;
    const TrafficConfig& traffic = config.traffic;
    if (traffic.reply_queue != 0) require_single_packets(context);
    if (!config.fabric.has_classes()) return;
    for (const auto& [name, weight] : traffic.classes) {
        require_class(context, "traffic.classes", name);
    }
    for (const auto& [bytes, name] : traffic.length_classes) {
        require_class(context, "traffic.length_classes", name);
    }
    require_class(context, "traffic.reply_class", traffic.reply_class);
    if (traffic.classes.empty() && traffic.length_classes.empty()) return;
    if (!traffic.classes.empty() && !traffic.length_classes.empty()) {
        context.report(
            {context.key_where("traffic.classes"),
             "'traffic.classes' and 'traffic.length_classes' both set the class of messages",
             "remove one of them"});
    }
    if (!traffic.program.empty()) {
        context.report({context.key_where("traffic.classes"),
                        "a program file sets the class of each message itself",
                        "give it a column 'class'"});
    } else if (traffic.pattern.empty() && traffic.classes.size() > 1) {
        context.report({config.where("traffic.classes"),
                        fmt::format("the messages of a schedule or a trace have one class, not {}",
                                    traffic.classes.size()),
                        "name one"});
    }
    if (traffic.length_classes.empty()) return;
    const auto require_length = [&](std::uint64_t bytes) {
        if (traffic.length_classes.count(bytes) != 0) return;
        context.report({config.where("traffic.length_classes"),
                        fmt::format("messages of {} bytes have no class", bytes),
                        fmt::format("add {}: {}", bytes, config.fabric.classes.front())});
    };
    for (const auto& [bytes, weight] : traffic.message_lengths) require_length(bytes);
    if (traffic.message_lengths.empty()) require_length(traffic.message_bytes);
}

ConfigKey message_lengths_key() {
    ConfigKey key;
    key.path = "traffic.message_lengths";
    key.type = "map of integers";
    key.range = fmt::format("0 to {}: weight, {}", kLargestBytes, kWeights.str());
    key.unit = "bytes";
    key.meaning =
        "distribution of message payloads, as weights, instead of `message_bytes`; drawn for each "
        "message, such as `{64: 4, 1024: 1}`";
    key.read = [](const ConfigTree& value, Config& config, const ReadContext& context) {
        read_weights(value, context, "{64: 4, 1024: 1}, bytes and their weight",
                     config.traffic.message_lengths, read_bytes_name);
    };
    key.write = [](const Config& config) {
        return written_weights(config.traffic.message_lengths);
    };
    return std::move(key).replaces({"traffic.message_bytes"}).only_for(patterns());
}

namespace {

/// Flits per cycle, or a load in units.
ConfigKey injection_rate() {
    ConfigKey key = real("traffic.injection_rate", {0, kMostPlanes, true}, "flits/node/cycle",
                         "offered load, headers included; or payload of a sending node (replies "
                         "included), or messages per ns that it begins, which a change of the "
                         "clock, of `flit_bits` or of the packet format leaves as they are; or a "
                         "share of the load at which the network saturates, which is found first",
                         at(&Config::traffic, &TrafficConfig::injection_rate));
    key.type = "number or load";
    key.range += "; 6.4 Gbit/s; 0.02 /ns; 0.3 of saturation";
    key.read = [number = std::move(key.read)](const ConfigTree& value, Config& config,
                                              const ReadContext& context) {
        std::optional<UnitLoad>& load = config.traffic.load_in_units;
        std::optional<double>& share = config.traffic.share_of_saturation;
        load = value.is_scalar() ? to_load(value.text) : std::nullopt;
        share = value.is_scalar() ? to_share(value.text) : std::nullopt;
        if (load || share) return;
        const std::size_t before = context.findings.size();
        number(value, config, context);
        if (context.findings.size() == before || !value.is_scalar()) return;
        const std::string hint = load_hint(value.text);
        if (!hint.empty()) context.findings.back().hint = hint;
    };
    key.write = [number = std::move(key.write)](const Config& config) {
        const std::optional<UnitLoad>& load = config.traffic.load_in_units;
        const std::optional<double>& share = config.traffic.share_of_saturation;
        if (share) return share_text(*share);
        return load ? load->str() : number(config);
    };
    return key;
}

}  // namespace

ConfigKeys source_keys() {
    ConfigKeys keys;
    const auto in = [](auto member) {
        return [=](auto& config) -> auto& { return config.traffic.*member; };
    };
    keys.push_back(injection_rate().only_for(patterns()));
    keys.push_back(enumeration("traffic.arrivals", "kind of arrivals", kArrivalKinds,
                               "arrival process of messages: in every cycle with the same "
                               "probability, as evenly as whole cycles allow, or in bursts with "
                               "pauses that keep the mean load at `injection_rate`",
                               in(&TrafficConfig::arrivals))
                       .only_for(patterns()));
    keys.push_back(real_cycles("traffic.burst_cycles", {1, 1e9}, "mean length of a burst",
                               in(&TrafficConfig::burst_cycles))
                       .only_for(bursty()));
    keys.push_back(real("traffic.burst_rate", {0, 1, true}, "flits/node/cycle",
                        "offered load during a burst, no less than `injection_rate`",
                        in(&TrafficConfig::burst_rate))
                       .only_for(bursty()));
    keys.push_back(
        optional_integer("traffic.reply_bytes", {0, kLargestBytes}, "bytes",
                         "every message is a request: its destination sends a reply of this "
                         "payload to its source once it is delivered; `injection_rate` and "
                         "`burst_rate` count both",
                         in(&TrafficConfig::reply_bytes))
            .only_for(patterns()));
    keys.push_back(cycles("traffic.reply_delay", {0, kLongTime},
                          "processing time of a received request before its reply begins",
                          in(&TrafficConfig::reply_delay))
                       .only_for(replying()));
    keys.push_back(integer("traffic.reply_queue", {0, 1'000'000}, "requests",
                           "maximum number of requests that a node has accepted and not yet "
                           "answered; further ones wait in the network; 0 = unlimited",
                           in(&TrafficConfig::reply_queue))
                       .only_for(replying()));
    keys.push_back(integer("traffic.outstanding", {0, 1'000'000}, "requests",
                           "maximum number of requests of a node that wait for a reply; with that "
                           "many its source stops until one arrives (closed loop); 0 = unlimited",
                           in(&TrafficConfig::outstanding))
                       .only_for(replying()));
    keys.push_back(class_shares());
    keys.push_back(length_classes());
    keys.push_back(reply_class());
    keys.push_back(real("traffic.hotspot_fraction", {0, 1}, "",
                        "share of the messages that go to `root`, or to `hot_nodes`",
                        in(&TrafficConfig::hotspot_fraction))
                       .only_for(patterns_that_read("hotspot_fraction")));
    ConfigKey hot_nodes =
        node_keys("traffic.hot_nodes", {1, kMostEntries},
                  "hot region instead of the single `root`; all of its nodes receive the same load",
                  in(&TrafficConfig::hot_nodes))
            .replaces({"traffic.root"})
            .only_for(patterns_that_read("hot_nodes"));
    hot_nodes.write = [write = hot_nodes.write](const Config& config) {
        return config.traffic.hot_nodes.empty() ? std::string() : write(config);
    };
    keys.push_back(std::move(hot_nodes));
    keys.push_back(mix());
    keys.push_back(path_key("traffic.matrix",
                            "file of one row of weights per node, relative to the folder of the "
                            "configuration file (traffic/README.md)",
                            in(&TrafficConfig::matrix))
                       .only_for(patterns_that_read("matrix")));
    keys.push_back(integer("traffic.warmup_cycles", {0, kLongTime}, "cycles",
                           "time before the measurement", in(&TrafficConfig::warmup_cycles))
                       .only_for(timed_patterns()));
    keys.push_back(integer("traffic.measure_cycles", {1, kLongTime}, "cycles",
                           "length of the measurement", in(&TrafficConfig::measure_cycles))
                       .only_for(timed_patterns()));
    return keys;
}

}  // namespace flitscope
