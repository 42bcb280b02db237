// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The CMake component `interconnect`: a network as a TLM-2.0 component of a virtual platform.
//
//     const flitscope::Config config = flitscope::load_config("mesh.yaml");
//     flitscope::Interconnect interconnect("interconnect", config);
//     cpu.socket.bind(interconnect.from_initiator[0]);
//     interconnect.to_target[0].bind(memory.socket);
//
// Data move when the target executes an access; the simulation determines when. Times, order,
// errors and limits: INTERCONNECT.md.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "flitscope/fabric.h"
#include "tlm/interconnect/access_class.h"
#include "tlm/interconnect/explained_access.h"
#include "tlm/interconnect/interconnect.h"

namespace flitscope {

/// Checks its configuration by the rules of configuration files, however that was made, as Network
/// does.
class Interconnect final : public TlmInterconnect {
public:
    /// On the TLM engine.
    Interconnect(sc_core::sc_module_name name, const Config& config);
    Interconnect(sc_core::sc_module_name name, const Config& config,
                 const FabricMaker& make_fabric);

    /// "cycle" or "tlm"; empty for a fabric of your own FabricMaker.
    const std::string& engine() const;
    /// As Network::signals(); a fabric of your own FabricMaker has none.
    std::vector<const ChannelSignals*> signals() const;
    const ChannelSignals& signals(const std::string& channel) const;
};

/// Makes a fabric for the constructor of Interconnect by NetworkOptions: its engine, observers,
/// trace and verilated routers, which it copies. Its `control` does not count: a platform ends as
/// it likes. The trace is completed by Interconnect::fabric().finish() after sc_start(), or by the
/// destructor.
FabricMaker fabric_with(const NetworkOptions& options);

/// Also tells `listener`, which it copies and which must not throw, where the time of every access
/// went: when the access has ended and the last flit of its response has left the network. The
/// constructor of Interconnect throws ConfigError if the delays of messages cannot be explained:
/// circuits, port models other than `single`, annotated timing.
///
///     [](const flitscope::ExplainedAccess& access) {
///         if (access.cycles() >= 400) std::cout << access;
///     }
FabricMaker fabric_with(const NetworkOptions& options,
                        std::function<void(const ExplainedAccess&)> listener);

}  // namespace flitscope
