// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/packet/router.h"

#include <string>
#include <utility>

#include "hw/packet/packet_router_core.h"

namespace flitscope::hw {
namespace {

std::string name_of(sc_core::sc_interface* bound) {
    const auto* const module = dynamic_cast<const sc_core::sc_object*>(bound);
    return module != nullptr ? module->basename() : "";
}

}  // namespace

Router::Router(sc_core::sc_module_name name, const RouterConfig& config, const Routing& routing,
               WakeWheel& clock, std::pmr::memory_resource* memory, ChannelProbe probe,
               RouterCoreFactory make_core)
    : sc_module(name),
      in("in", config.inputs),
      out("out", config.outputs),
      config_(config),
      routing_(routing),
      clock_(clock),
      memory_(memory),
      probe_(std::move(probe)),
      make_core_(make_core ? std::move(make_core) : make_packet_router_core) {}

void Router::end_of_elaboration() {
    RouterCoreSetup setup{name(), config_, routing_, {},      {},    {},
                          {},     nullptr, clock_,   memory_, probe_};
    for (PortId port = 0; port < config_.ports(); ++port) {
        if (probe_.inner_signals != nullptr) {
            setup.input_names.push_back(in.has(port) ? name_of(in[port].get_interface()) : "");
            setup.output_names.push_back(out.has(port) ? name_of(out[port].get_interface()) : "");
        }
        for (std::uint32_t vc = 0; vc < config_.virtual_channels; ++vc) {
            setup.inputs.push_back(in.has(port) ? &in[port]->source(vc) : nullptr);
            setup.outputs.push_back(out.has(port) ? &out[port]->sink(vc) : nullptr);
        }
    }
    if (ejection.size() != 0) setup.ejection = ejection.operator->();
    core_ = make_core_(std::move(setup));
}

}  // namespace flitscope::hw
