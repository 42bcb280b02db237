// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/message_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "models/base/printable.h"
#include "models/config/config.h"
#include "models/config/fabric_config.h"
#include "models/config/key_kinds.h"

namespace flitscope {

using namespace kinds;

namespace {

constexpr IntegerRange kPriorities{0, 255};
constexpr IntegerRange kWeights{1, 1000};
constexpr std::size_t kLongestName = 32;

/// Whether a configuration takes unquoted text for the absence of a value, as written
/// configurations and words of the command line do.
bool means_nothing(const std::string& text) { return text == "none" || reads_as_null(text); }

ConfigKey class_names() {
    ConfigKey key;
    key.path = "fabric.classes";
    key.type = "list of names";
    key.range = fmt::format("2 to {} different names", kMostClasses);
    key.meaning =
        "classes of messages, each with its own `virtual_channels` / classes virtual channels, "
        "such as `[control, bulk]` (hw/TIMING.md)";
    key.read = [](const ConfigTree& value, Config& config, const ReadContext& context) {
        const std::string names = fmt::format("a list of 2 to {} names", kMostClasses);
        if (!value.is_sequence()) {
            mistyped(value, context, names, "write [control, bulk]");
            return;
        }
        if (!IntegerRange{2, kMostClasses}.holds(value.children.size())) {
            context.findings.push_back({value.where,
                                        fmt::format("'{}' must be {}, found {} of them",
                                                    context.name, names, value.children.size()),
                                        "write [control, bulk]"});
            return;
        }
        config.fabric.classes.clear();
        for (std::size_t i = 0; i < value.children.size(); ++i) {
            const ConfigTree& child = value.children[i];
            const ReadContext entry{fmt::format("{}[{}]", context.name, i), context.folder,
                                    context.findings};
            if (child.is_scalar() && means_nothing(child.text)) {
                context.findings.push_back(
                    {child.where, fmt::format("a class cannot be called '{}'", child.text),
                     "in a configuration this says that there is no value: choose another name"});
            } else if (!child.is_scalar() || !is_class_name(child.text)) {
                mistyped(child, entry,
                         fmt::format("a name of at most {} letters, digits and underscores",
                                     kLongestName));
            } else if (config.fabric.class_named(child.text)) {
                context.findings.push_back(
                    {child.where, fmt::format("class '{}' is named twice", child.text), ""});
            } else {
                config.fabric.classes.push_back(child.text);
            }
        }
    };
    key.write = [](const Config& config) -> std::string {
        if (!config.fabric.has_classes()) return "";
        return fmt::format("[{}]", fmt::join(config.fabric.classes, ", "));
    };
    return key;
}

ConfigKey numbers_of_classes(const char* path, IntegerRange range, const char* meaning,
                             std::vector<std::uint32_t> FabricConfig::*list) {
    const auto field = [list](auto& config) -> auto& { return config.fabric.*list; };
    ConfigKey key = integers(path, range, {1, kMostClasses}, meaning, field);
    key.write = [list, write = key.write](const Config& config) {
        return (config.fabric.*list).empty() ? std::string() : write(config);
    };
    return std::move(key).only_for(message_classes());
}

/// Reports faults or retransmission combined with classes: only interfaces with one queue, and
/// nodes that accept everything, support these.
void require_no_losses(RuleContext& context, const char* beside) {
    const WorkloadConfig& config = context.config;
    const auto refuse = [&](const char* path, const char* remedy) {
        context.report({config.where(path), fmt::format("'{}' does not go with '{}'", path, beside),
                        fmt::format("{}, or leave {} out", remedy, beside)});
    };
    if (config.faults && config.faults->come_later()) refuse("faults.at", "set faults.at: 0");
    if (config.node.retransmit) refuse("node.retransmit", "remove the section node.retransmit");
}

}  // namespace

std::optional<std::string> read_class(const std::string& name, const Location& where,
                                      const ReadContext& context) {
    if (is_class_name(name)) return name;
    context.findings.push_back(
        {where, fmt::format("'{}' in '{}' is not the name of a class", excerpt(name), context.name),
         "write one of fabric.classes"});
    return std::nullopt;
}

ConfigKey class_key(std::string path, std::string meaning,
                    std::function<std::string&(Config&)> field,
                    std::function<std::string(const Config&)> value) {
    ConfigKey key;
    key.path = std::move(path);
    key.type = "name";
    key.range = "one of `fabric.classes`";
    key.meaning = std::move(meaning);
    key.read = [field = std::move(field)](const ConfigTree& tree, Config& config,
                                          const ReadContext& context) {
        const auto name = read_class(tree.is_scalar() ? tree.text : "", tree.where, context);
        if (name) field(config) = *name;
    };
    key.write = std::move(value);
    return key;
}

void require_class(RuleContext& context, const char* path, const std::string& name) {
    const FabricConfig& fabric = context.config.fabric;
    if (name.empty() || !fabric.has_classes() || fabric.class_named(name)) return;
    context.report({context.config.where(path), fmt::format("there is no class '{}'", name),
                    suggest_choice(name, fabric.classes)});
}

bool is_class_name(const std::string& text) {
    return is_identifier(text) && text.size() <= kLongestName && !means_nothing(text);
}

Condition message_classes() {
    return {"a fabric with `classes`", [](const Config& config) -> std::string {
                return config.fabric.has_classes() ? "" : "a fabric without 'classes'";
            }};
}

ConfigKeys message_class_keys() {
    ConfigKeys keys;
    keys.push_back(class_names());
    keys.push_back(numbers_of_classes("fabric.class_priorities", kPriorities,
                                      "priority of each class: wherever messages compete, only the "
                                      "highest priority that has a flit to send is served",
                                      &FabricConfig::class_priorities));
    keys.push_back(numbers_of_classes(
        "fabric.class_weights", kWeights,
        "weight of each class: number of flits that it sends per round wherever classes of equal "
        "priority compete; without weights, virtual channels and ports are served round-robin",
        &FabricConfig::class_weights));
    return keys;
}

void check_request_queue(RuleContext& context, const char* path) {
    const WorkloadConfig& config = context.config;
    require_no_losses(context, path);
    if (!config.fabric.switches_circuits()) return;
    context.report({config.where(path),
                    "the receiver of a circuit accepts any circuit, however many requests its node "
                    "is processing",
                    fmt::format("leave {} out, or set another fabric.switching", path)});
}

void check_message_classes(RuleContext& context) {
    const WorkloadConfig& config = context.config;
    const FabricConfig& fabric = config.fabric;
    if (config.traffic.reply_queue != 0) check_request_queue(context, "traffic.reply_queue");
    if (!fabric.has_classes()) return;
    require_no_losses(context, "fabric.classes");
    const std::uint32_t classes = fabric.class_count();
    if (fabric.virtual_channels % classes != 0) {
        context.report(
            {config.where("fabric.classes"),
             fmt::format("{} classes cannot share {} virtual channel{} evenly", classes,
                         fabric.virtual_channels, fabric.virtual_channels == 1 ? "" : "s"),
             classes > fabric.most_virtual_channels()
                 ? "remove fabric.classes: circuits have one virtual channel"
                 : fmt::format("set fabric.virtual_channels: {}",
                               std::max(1U, fabric.virtual_channels / classes) * classes)});
    }
    const auto require_all = [&](const char* path, std::size_t entries) {
        if (entries == 0 || entries == classes) return;
        context.report({config.where(path),
                        fmt::format("{} entries for {} classes", entries, classes),
                        "give one for each of fabric.classes"});
    };
    require_all("fabric.class_priorities", fabric.class_priorities.size());
    require_all("fabric.class_weights", fabric.class_weights.size());
    const NodeConfig& node = config.node;
    const auto refuse = [&](const char* path, const char* what, const char* remedy) {
        context.report(
            {config.where(path),
             fmt::format("{}, and with fabric.classes a node has a queue for each", what), remedy});
    };
    if (node.serialize_overhead) {
        refuse("node.serialize_overhead", "a node works on the startups of one queue in turn",
               "set node.serialize_overhead: false");
    }
    if (node.assembles()) {
        refuse("node.injection_bandwidth", "a node's memory feeds one queue",
               "set node.injection_bandwidth: 1");
    }
}

std::optional<Refusal> refuse_classes(const WorkloadConfig& config, const char* reason) {
    if (!config.fabric.has_classes()) return std::nullopt;
    return Refusal{"fabric.classes", reason, {"leave fabric.classes out"}};
}

std::optional<Refusal> refuse_reply_queue(const WorkloadConfig& config, const char* engine) {
    if (config.traffic.reply_queue == 0) return std::nullopt;
    return Refusal{"traffic.reply_queue",
                   fmt::format("{} hand a node all that arrives, also beyond {} requests "
                               "(traffic.reply_queue, interconnect.request_queue)",
                               engine, config.traffic.reply_queue),
                   {"leave that key out"}};
}

}  // namespace flitscope
