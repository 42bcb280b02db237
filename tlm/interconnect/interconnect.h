// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network as a component of a virtual platform: a standard TLM-2.0 base-protocol interconnect
// whose reads and writes contend for the links of a simulated fabric (INTERCONNECT.md).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/config/config.h"
#include "models/fabric/channel_counts.h"
#include "models/fabric/fabric.h"
#include "models/routing/routing.h"
#include "models/topology/graph.h"
#include "tlm/addresses/address_map.h"
#include "tlm/interconnect/access.h"
#include "tlm/interconnect/socket_counts.h"
#include "tlm/interconnect/wide_sockets.h"

namespace flitscope {

/// Makes a fabric of some engine, as a child of the module under construction. `config`, `graph`
/// and `routing` outlive it.
using FabricMaker = std::function<std::unique_ptr<Fabric>(
    const char* name, const Config& config, const Graph& graph, const Routing& routing)>;

/// Reads and writes take the time of the messages that carry them. Errors of construction are
/// ConfigErrors; violations of the base protocol are SC_ERRORs of type
/// "/flitscope/interconnect/protocol", accesses that the network cannot carry of type
/// "/flitscope/interconnect/length". Payloads remain owned by their initiators; a reference to
/// each is held until it is completed.
class TlmInterconnect : public sc_core::sc_module {
public:
    /// One for each of `interconnect.initiators`, in their order; each is to be bound.
    sc_core::sc_vector<WideTargetSocket> from_initiator{"from_initiator"};
    /// One for each of `interconnect.targets`, in their order; each is to be bound.
    sc_core::sc_vector<WideInitiatorSocket> to_target{"to_target"};

    /// Over the TLM fabric; copies `config`. Throws ConfigError as the other one does, and if that
    /// engine does not support `config` (TlmFabric).
    TlmInterconnect(sc_core::sc_module_name name, const Config& config);
    /// Over a fabric of the caller's choice. Throws ConfigError when `config` has no
    /// `interconnect`, or one that does not fit the network, and when the routing can deadlock and
    /// the configuration does not allow that.
    TlmInterconnect(sc_core::sc_module_name name, const Config& config,
                    const FabricMaker& make_fabric);
    ~TlmInterconnect() override;

    const AddressMap& address_map() const;
    Fabric& fabric();
    const Fabric& fabric() const;
    /// As it was given, with the times and widths that follow from it.
    const Config& config() const;
    /// Names of the channels of fabric(): ChannelMap(graph()).name(channel).
    const Graph& graph() const;
    const Routing& routing() const;

    // At any time of the simulation, and after it.

    /// What has passed from_initiator[i] and to_target[i] so far.
    const SocketCounts& counts_of_initiator(std::size_t i) const;
    const SocketCounts& counts_of_target(std::size_t i) const;
    /// What every channel has carried so far, in order of their numbers.
    std::vector<ChannelCount> channel_counts() const;

    /// Also notifies `observer`, which must outlive the simulation, of every access.
    void observe(AccessObserver& observer);
    /// What a message carries, for observers of channels and packets; null if it is not under way.
    /// It is from its send until the initiator or the target can react to it: while any observer
    /// hears of it, but for the end of its last packet in the network.
    const CarriedAccess* access_of(MessageId message) const;

private:
    void end_of_elaboration() override;

    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace flitscope
