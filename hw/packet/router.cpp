// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/packet/router.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "hw/packet/packet_router_core.h"

namespace flitscope::hw {
namespace {

std::string name_of(const sc_core::sc_interface* bound) {
    const auto* const channel = dynamic_cast<const FlitChannel*>(bound);
    return channel != nullptr ? channel->name() : "";
}

}  // namespace

Router::Router(sc_core::sc_module_name name, const RouterConfig& config, const Routing& routing,
               WakeupWheel& clock, std::pmr::memory_resource* memory, ChannelProbe probe,
               RouterCoreFactory make_core)
    : sc_module(name),
      in(config.ports()),
      out(config.ports()),
      ejections(config.local.count),
      config_(config),
      routing_(routing),
      clock_(clock),
      memory_(memory),
      probe_(std::move(probe)),
      make_core_(make_core ? std::move(make_core) : make_packet_router_core) {}

void Router::end_of_elaboration() {
    RouterCoreSetup setup(routing_, clock_, memory_);
    setup.name = name();
    setup.config = config_;
    setup.probe = probe_;
    for (PortId port = 0; port < config_.ports(); ++port) {
        FlitSource* const source = in[port].channel();
        FlitSink* const sink = out[port].channel();
        if ((source != nullptr) != config_.inputs[port] ||
            (sink != nullptr) != config_.outputs[port]) {
            throw std::logic_error(std::string(name()) + ": port " + std::to_string(port) +
                                   " is not bound as its configuration has it");
        }
        if (probe_.inner_signals != nullptr) {
            setup.input_names.push_back(name_of(source));
            setup.output_names.push_back(name_of(sink));
        }
        for (std::uint32_t vc = 0; vc < config_.virtual_channels; ++vc) {
            setup.inputs.push_back(source != nullptr ? &source->source(vc) : nullptr);
            setup.outputs.push_back(sink != nullptr ? &sink->sink(vc) : nullptr);
        }
    }
    for (const auto& ejection : ejections) setup.ejections.push_back(ejection.channel());
    core_ = make_core_(std::move(setup));
}

}  // namespace flitscope::hw
