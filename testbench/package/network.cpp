// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <vector>

#include "flitscope/interconnect.h"
#include "hw/verilated/rtl_variant.h"
#include "testbench/package/network_fabric.h"

namespace flitscope {
namespace {

const char* const kInCode = "the configuration";

/// A configuration that was made in code has no file to name in findings.
Config named(Config config) {
    if (config.source.empty()) config.source = kInCode;
    return config;
}

/// The rules of files, for values that no file has had: findings name keys, not lines, which do not
/// exist.
void check(const Config& config) {
    try {
        parse_config(to_yaml(config), config.source);
    } catch (const ConfigError& error) {
        std::vector<Diagnostic> findings = error.findings();
        for (Diagnostic& finding : findings) finding.where = {config.source, 0, 0};
        throw ConfigError(std::move(findings));
    }
}

Machine machine_of(const Config& config) {
    const Config whole = named(config);
    check(whole);
    Machine machine = build_machine(whole);
    require_deadlock_freedom(machine);
    return machine;
}

}  // namespace

Network::Network(sc_core::sc_module_name name, const Config& config, const NetworkOptions& options)
    : sc_module(name),
      control_(options.control),
      fabric_(std::make_unique<NetworkFabric>(machine_of(config), options)) {
    if (control_.inspect) inspect(control_.first_inspection, control_.inspect);
}

Network::~Network() = default;

const Config& Network::config() const { return fabric_->machine().config; }
const Graph& Network::graph() const { return fabric_->machine().graph; }
const Routing& Network::routing() const { return *fabric_->machine().routing; }
const std::string& Network::engine() const { return fabric_->engine().name; }
MessagePort& Network::port(NodeId node) { return fabric_->port(node); }
void Network::attach(NodeId node, MessageListener& listener) { fabric_->attach(node, listener); }
void Network::observe(PacketObserver& observer) { fabric_->observe(observer); }
Fabric& Network::fabric() { return *fabric_; }
const Fabric& Network::fabric() const { return *fabric_; }
void Network::inspect(Cycle first, std::function<Cycle(Cycle now)> inspection) {
    inspections_.push_back({first, std::move(inspection)});
}
RunEnd Network::finish() { return fabric_->finish(); }

void Network::end_of_elaboration() {
    control_.limit = std::min(control_.limit, config().limits.max_cycles);
    control_.first_inspection = next_inspection();
    control_.inspect = [this](Cycle now) { return inspect_all(now); };
    fabric_->start(control_);
}

Cycle Network::next_inspection() const {
    Cycle next = kNever;
    for (const Inspection& one : inspections_) next = std::min(next, one.next);
    return next;
}

Cycle Network::inspect_all(Cycle now) {
    for (Inspection& one : inspections_) {
        if (one.next > now) continue;
        one.next = one.inspect(now);
        if (one.next == RunControl::kStop) return RunControl::kStop;
    }
    return next_inspection();
}

const char* library_version() { return FLITSCOPE_VERSION; }

FabricMaker fabric_with(const NetworkOptions& options) {
    return [options](const char*, const Config& config, const Graph& graph,
                     const Routing& routing) -> std::unique_ptr<Fabric> {
        // The interconnect has built and checked all of it, and its routing outlives the fabric.
        const std::shared_ptr<const Routing> borrowed(std::shared_ptr<const Routing>(), &routing);
        return std::make_unique<NetworkFabric>(
            Machine{named(config), graph, borrowed, {}, {}, {}, {}}, options);
    };
}

std::string rtl_router_name(const Config& config) {
    const Machine machine = machine_of(config);
    return hw::rtl_variant(machine.config, machine.graph, *machine.routing).name();
}

}  // namespace flitscope
