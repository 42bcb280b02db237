// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/configuration/configuration.h"

#include <sstream>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/printable.h"
#include "models/config/run_keys.h"
#include "models/fabric/fabric_keys.h"
#include "models/fabric/link_protocol.h"
#include "models/fabric/message_classes.h"
#include "models/fabric/router_choice_keys.h"
#include "models/fabric/switching.h"
#include "models/performance/wire_budget.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/link_rates.h"
#include "models/topology/families/topology_keys.h"
#include "models/topology/faults/faults.h"
#include "testbench/app/configuration/machine_presets.h"
#include "testbench/app/configuration/other_tools.h"
#include "tlm/addresses/interconnect_keys.h"
#include "traffic/keys/pattern_keys.h"
#include "traffic/keys/traffic_keys.h"
#include "waveforms/trace_keys.h"

namespace flitscope {
namespace {

/// The only place that names all owners of settings.
ConfigTable make_table() {
    ConfigTable table;
    for (auto keys : {machine_keys, topology_keys, routing_keys, router_keys, message_class_keys,
                      wire_budget_keys, router_delay_keys, link_delay_keys, link_rate_keys,
                      deadlock_check_keys, fault_keys, node_keys, traffic_keys, steady_keys,
                      trace_keys, interconnect_keys, run_keys}) {
        table.add(keys());
    }
    for (auto section : {link_delay_section, link_rate_section, fault_section, retransmit_section,
                         barrier_section, steady_section, interconnect_section}) {
        table.add(section());
    }
    table.set_node_naming(given_node_names);
    // Rules after the first ones can rely on the size of the network.
    for (auto rule :
         {check_topology, check_machine, check_wire_budgets, check_interconnect,
          check_input_speedup, check_output_speedup, check_link_protocol, check_message_classes,
          check_classes, check_closed_loop, check_traffic, check_steady, check_trace, check_routers,
          check_headers, check_packets, check_losses}) {
        table.add(ConfigRule(rule));
    }
    for (ConfigPreset& preset : machine_config_presets()) table.add(std::move(preset));
    for (OtherNames& names : names_of_other_tools()) table.add(std::move(names));
    for (FormerName& name : former_names()) table.add(std::move(name));
    return table;
}

}  // namespace

const ConfigTable& configuration_table() {
    static const ConfigTable kTable = make_table();
    return kTable;
}

Config load_config(const std::string& path, const std::vector<std::string>& overrides) {
    return load_config(configuration_table(), path, overrides);
}

Config parse_config(const std::string& text, const std::string& source,
                    const std::vector<std::string>& overrides, const std::string& folder) {
    return parse_config(configuration_table(), text, source, overrides, folder);
}

ConfigParser config_parser(const std::string& text, const std::string& source,
                           const std::string& folder) {
    return config_parser(configuration_table(), text, source, folder);
}

std::string to_yaml(const Config& config) { return to_yaml(configuration_table(), config); }

void require_nameable_files(const Config& config, const std::string& option) {
    std::istringstream lines(to_yaml(config));
    for (std::string line; std::getline(lines, line);) {
        if (is_utf8(line)) continue;
        throw ConfigError({option, 0, 0},
                          "the configuration names a file that has no name in UTF-8, and could not "
                          "be read back:" +
                              line,
                          "rename the file or its folder, or leave out " + option);
    }
}

std::string config_reference() { return config_reference(configuration_table()); }

std::string describe_keys(const std::string& name) {
    return describe_keys(configuration_table(), name);
}

}  // namespace flitscope
