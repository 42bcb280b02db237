// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "flitscope/interconnect.h"
#include "hw/verilated/rtl_variant.h"
#include "testbench/app/package/network_fabric.h"

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

/// That the kernel can keep time by the clock: a period is rounded to its resolution, which may be
/// far coarser.
void require_period(const Config& config) {
    // Half a picosecond of a quarter of a nanosecond: by default clocks up to 4 GHz are this near.
    constexpr double kNoise = 0.002;
    constexpr double kMostError = 0.1;
    const double period_ns =
        sc_core::sc_time(config.clock_ns, sc_core::SC_NS) / sc_core::sc_time(1, sc_core::SC_NS);
    const double error = std::abs(period_ns / config.clock_ns - 1);
    if (error <= kNoise) return;
    const std::string what =
        fmt::format("a period of {} ns is {} ns for the time resolution of this kernel, {}",
                    config.clock_ns, period_ns, sc_core::sc_get_time_resolution().to_string());
    const char* const remedy = "call sc_core::sc_set_time_resolution(1, sc_core::SC_FS) first";
    if (error > kMostError) throw ConfigError(config.where("clock_ns"), what, remedy);
    SC_REPORT_WARNING(
        "/flitscope/clock",
        fmt::format("{}: clock_ns: {}, and all times with it ({})", config.source, what, remedy)
            .c_str());
}

Config checked(const Config& config) {
    Config whole = named(config);
    check(whole);
    require_period(whole);
    return whole;
}

/// By default an interconnect is on the TLM engine; with annotated timing none simulates anything.
NetworkOptions default_options(const Config& config) {
    NetworkOptions options;
    const bool is_exact =
        !config.interconnect || config.interconnect->timing == AccessTiming::kExact;
    if (is_exact) options.engine = "tlm";
    return options;
}

Machine machine_of(const Config& config) {
    Machine machine = build_machine(checked(config));
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
std::vector<const ChannelSignals*> Network::signals() const { return fabric_->signals(); }
const ChannelSignals& Network::signals(const std::string& channel) const {
    return fabric_->signals(channel);
}
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

Interconnect::Interconnect(sc_core::sc_module_name name, const Config& config)
    : Interconnect(name, config, fabric_with(default_options(config))) {}

Interconnect::Interconnect(sc_core::sc_module_name name, const Config& config,
                           const FabricMaker& make_fabric)
    : TlmInterconnect(name, checked(config), make_fabric) {
    if (auto* const made = dynamic_cast<NetworkFabric*>(&fabric())) made->observe_accesses(*this);
}

namespace {

/// Null: it was made by a FabricMaker of the user.
const NetworkFabric* network_fabric(const Interconnect& interconnect) {
    return dynamic_cast<const NetworkFabric*>(&interconnect.fabric());
}

}  // namespace

const std::string& Interconnect::engine() const {
    static const std::string kOther;
    const NetworkFabric* const chosen = network_fabric(*this);
    return chosen != nullptr ? chosen->engine().name : kOther;
}

std::vector<const ChannelSignals*> Interconnect::signals() const {
    const NetworkFabric* const chosen = network_fabric(*this);
    return chosen != nullptr ? chosen->signals() : std::vector<const ChannelSignals*>();
}

const ChannelSignals& Interconnect::signals(const std::string& channel) const {
    const NetworkFabric* const chosen = network_fabric(*this);
    if (chosen != nullptr) return chosen->signals(channel);
    throw ConfigError({config().source, 0, 0}, "a fabric of your own has no signals",
                      "use fabric_with()");
}

const char* library_version() { return FLITSCOPE_VERSION; }

FabricMaker fabric_with(const NetworkOptions& options) { return fabric_with(options, {}); }

FabricMaker fabric_with(const NetworkOptions& options,
                        std::function<void(const ExplainedAccess&)> listener) {
    return [options, listener = std::move(listener)](
               const char*, const Config& config, const Graph& graph,
               const Routing& routing) -> std::unique_ptr<Fabric> {
        // The interconnect has built and checked all of it, and its routing outlives the fabric.
        const std::shared_ptr<const Routing> borrowed(std::shared_ptr<const Routing>(), &routing);
        return std::make_unique<NetworkFabric>(
            Machine{named(config), graph, borrowed, {}, {}, {}, {}}, options, listener);
    };
}

std::string rtl_router_name(const Config& config) {
    const Machine machine = machine_of(config);
    return hw::rtl_variant(machine.config, machine.graph, *machine.routing).name();
}

}  // namespace flitscope
