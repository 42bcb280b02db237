// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "hw/verilated/rtl_limitations.h"
#include "hw/verilated/rtl_routers.h"
#include "models/fabric/switching.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topology_families.h"
#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/command_table.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/configuration/machine_presets.h"
#include "testbench/app/report/report.h"
#include "testbench/app/run/engines.h"
#include "traffic/patterns/pattern.h"
#include "traffic/schedules/schedule_catalogue.h"

namespace flitscope::cli {
namespace {

struct Named {
    std::string name;
    std::string summary;
    std::vector<std::string> refuses = {};  ///< what it cannot do
};

/// The choices for a key of a configuration or an option of the program.
struct Section {
    std::string title;
    std::string where;
    std::vector<Named> names;
};

template <class Kinds>
std::vector<Named> named(const Kinds& kinds) {
    std::vector<Named> result;
    for (const auto& kind : kinds) result.push_back({kind.name, kind.summary});
    return result;
}

std::vector<Named> switching_methods() {
    std::vector<Named> result;
    for (const SwitchingKind& kind : switching_kinds()) {
        result.push_back({name_of(kind.method), kind.summary});
    }
    return result;
}

std::vector<Named> rtl_variants() {
    std::vector<Named> result;
    for (const std::string& name : hw::built_rtl_variants()) {
        const auto v = hw::parse_rtl_variant(name);
        if (!v) continue;
        result.push_back(
            {name,
             fmt::format("{} ports, {} x {} flits of {} bits, router delay {}", v->ports,
                         v->virtual_channels, v->depth, v->flit_bits, v->router_delay),
             {}});
    }
    return result;
}

std::vector<std::string> named_limitations(const std::vector<Limitation>& limitations) {
    std::vector<std::string> names;
    for (const Limitation& limitation : limitations) names.push_back(limitation.what);
    return names;
}

std::vector<std::string> rtl_refuses() {
    std::vector<std::string> names = named_limitations(hw::rtl_limitations());
    for (std::string& name : named_limitations(hw::verilated_limitations())) {
        names.push_back(std::move(name));
    }
    return names;
}

std::vector<Named> engine_list() {
    std::vector<Named> list;
    std::vector<std::string> quicker;
    for (const Engine& engine : engines()) {
        list.push_back({engine.name, engine.summary, named_limitations(engine.limitations())});
        if (engine.appraise != nullptr) quicker.push_back(engine.name);
    }
    list.push_back({kAutoEngine,
                    fmt::format("{} if it is exact and faster, otherwise {}",
                                fmt::join(quicker, " or "), reference_engine().name),
                    {}});
    return list;
}

std::vector<Section> sections_before_schedules() {
    return {{"machines", "machine", named(machine_presets())},
            {"topologies", "fabric.topology.kind", named(topology_families())},
            {"routings", "fabric.routing", named(routing_kinds())},
            {"switching methods", "fabric.switching", switching_methods()}};
}

std::vector<Section> sections_after_schedules() {
    return {{"patterns", "traffic.pattern", named(pattern_kinds())},
            {"engines", "--engine", engine_list()},
            {"routers",
             "fabric.router",
             {{"systemc", "cycle-accurate SystemC", {}},
              {"rtl", "SystemVerilog, verilated, cycle-exact", rtl_refuses()}}},
            {"built RTL routers", "others are verilated when a configuration asks for them",
             rtl_variants()}};
}

void print(const std::vector<Section>& sections) {
    for (const Section& section : sections) {
        std::cout << fmt::format("{} ({})\n", section.title, section.where);
        std::size_t width = 0;
        for (const Named& entry : section.names) width = std::max(width, entry.name.size());
        width = std::max<std::size_t>(width + 2, 20);
        for (const Named& entry : section.names) {
            std::cout << fmt::format("  {:<{}}{}\n", entry.name, width, entry.summary);
            if (entry.refuses.empty()) continue;
            std::cout << fmt::format("  {:<{}}refuses {}\n", "", width,
                                     fmt::join(entry.refuses, ", "));
        }
    }
}

void print_schedules() {
    std::cout << "schedules (traffic.schedule), below them their algorithms (traffic.algorithm), "
                 "the default first\n";
    std::size_t width = 0;
    for (const std::string& name : schedule_names()) width = std::max(width, name.size());
    for (const std::string& name : algorithm_names()) width = std::max(width, name.size() + 2);
    width += 2;
    for (const ScheduleKind& schedule : schedule_kinds()) {
        std::cout << fmt::format("  {:<{}}{}", schedule.name, width, schedule.summary);
        for (const AlgorithmKind& algorithm : schedule.algorithms) {
            if (schedule.has_variants()) {
                std::cout << fmt::format("\n    {:<{}}{}", algorithm.name, width - 2,
                                         algorithm.summary);
            }
            std::cout << fmt::format(" ({})", algorithm.source);
        }
        std::cout << '\n';
    }
}

/// "built RTL routers" as the name of a field: "built_rtl_routers".
std::string field_name(std::string title) {
    for (char& c : title) {
        c = c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return title;
}

void add(Json& json, const std::vector<Section>& sections) {
    for (const Section& section : sections) {
        Json list = Json::array();
        for (const Named& entry : section.names) {
            Json named = {{"name", entry.name}, {"summary", entry.summary}};
            if (!entry.refuses.empty()) named["refuses"] = entry.refuses;
            list.push_back(std::move(named));
        }
        json[field_name(section.title)] = std::move(list);
    }
}

Json schedules_json() {
    Json list = Json::array();
    for (const ScheduleKind& schedule : schedule_kinds()) {
        Json algorithms = Json::array();
        for (const AlgorithmKind& algorithm : schedule.algorithms) {
            algorithms.push_back({{"name", algorithm.name},
                                  {"summary", algorithm.summary},
                                  {"source", algorithm.source}});
        }
        list.push_back({{"name", schedule.name},
                        {"summary", schedule.summary},
                        {"algorithms", std::move(algorithms)}});
    }
    return list;
}

int machines_command(const Options&) {
    std::cout << preset_reference();
    return kExitOk;
}

struct KeysOptions : Options {
    std::vector<std::string> names;
    bool markdown = false;
};

int keys_command(const KeysOptions& options) {
    if (options.markdown) {
        std::cout << config_reference();
        return kExitOk;
    }
    std::string text = options.names.empty() ? describe_keys("") : "";
    for (const std::string& name : options.names) {
        std::string described = describe_keys(configuration_table().current_name(name));
        const OtherNames* const other =
            described.empty() ? configuration_table().find_other_names(leaf_name(name)) : nullptr;
        if (other != nullptr && !other->ours.empty()) {
            described = name + ": " + other->hint() + '\n' + describe_keys(other->ours);
        }
        if (described.empty()) {
            throw ConfigError(
                {"keys " + name, 0, 0}, "no such key",
                configuration_table().suggest_key(parent_path(name), leaf_name(name), true));
        }
        text += described;
    }
    std::cout << text;
    return kExitOk;
}

int list_command(const Options& options) {
    if (!options.json) {
        print(sections_before_schedules());
        print_schedules();
        print(sections_after_schedules());
        return kExitOk;
    }
    Json json = {{"version", version()}};
    add(json, sections_before_schedules());
    json["schedules"] = schedules_json();
    add(json, sections_after_schedules());
    std::cout << json_text(json) << '\n';
    return kExitOk;
}

}  // namespace

Command add_list(CLI::App& app) {
    const auto given = std::make_shared<Options>();
    Options& options = *given;
    CLI::App* const command = app.add_subcommand(
        "list", "List machines, topologies, routings, schedules, patterns and engines");
    add_json(*command, options);
    return make_command(command, given, list_command);
}

Command add_keys(CLI::App& app) {
    const auto given = std::make_shared<KeysOptions>();
    CLI::App* const command = app.add_subcommand(
        "keys", "Print the meaning of all configuration keys, or of the given ones");
    CLI::Option* const names = command->add_option(
        "key", given->names,
        "A key, a section (traffic, fabric.topology), or the last word of a path\n"
        "(arrivals)");
    command
        ->add_flag("--markdown", given->markdown,
                   "Print all keys as a Markdown table (models/config/KEYS.md)")
        ->excludes(names);
    command->footer("Key names of other simulators (vcs, packet_size) are found, too.");
    return make_command(command, given, keys_command);
}

Command add_machines(CLI::App& app) {
    const auto given = std::make_shared<Options>();
    CLI::App* const command = app.add_subcommand(
        "machines", "Print the values of all machines (machine: NAME), with their sources");
    command->footer("The output is Markdown (models/config/MACHINES.md).");
    return make_command(command, given, machines_command);
}

}  // namespace flitscope::cli
