// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The bus of Accellera's examples as a network: the same sockets and addresses, a
// flitscope::Interconnect on a 4 x 4 mesh in between, and a checker of the base protocol on every
// socket.
#pragma once

#include <flitscope/interconnect.h>
#include <fmt/format.h>

#include <cstddef>
#include <systemc>
#include <tlm>

#include "testbench/verification/tests/tlm/tlm_protocol_checker.h"

/// Stands for their SimpleBusAT and SimpleBusLT, which know blocking or non-blocking transport
/// only. Target `i` has the addresses from i * 2^28 on, as there.
template <unsigned int initiators, unsigned int targets>
class MeshBus final : public sc_core::sc_module {
public:
    sc_core::sc_vector<tlm::tlm_target_socket<>> target_socket{"target_socket", initiators};
    sc_core::sc_vector<tlm::tlm_initiator_socket<>> initiator_socket{"initiator_socket", targets};

    explicit MeshBus(sc_core::sc_module_name name)
        : sc_module(name), interconnect_("interconnect", config()) {
        for (std::size_t i = 0; i < initiators; ++i) {
            target_socket[i].bind(behind_initiator_[i].from_initiator);
            behind_initiator_[i].to_target.bind(interconnect_.from_initiator[i]);
        }
        for (std::size_t i = 0; i < targets; ++i) {
            interconnect_.to_target[i].bind(before_target_[i].from_initiator);
            before_target_[i].to_target.bind(initiator_socket[i]);
        }
    }

    /// Their programs end with their top module: the figures are printed then.
    ~MeshBus() override {
        for (std::size_t i = 0; i < initiators; ++i) {
            print("initiator", interconnect_.counts_of_initiator(i), behind_initiator_[i]);
        }
        for (std::size_t i = 0; i < targets; ++i) {
            print("target", interconnect_.counts_of_target(i), before_target_[i]);
        }
    }

private:
    /// Initiators along the upper edge, targets along the lower one.
    static flitscope::Config config() {
        flitscope::Config config;
        config.fabric.topology.kind = "mesh";
        config.fabric.topology.dims = {4, 4};
        config.interconnect.emplace();
        config.interconnect->dmi = true;
        for (unsigned int i = 0; i < initiators; ++i) {
            config.interconnect->initiators.push_back(i);
        }
        for (unsigned int i = 0; i < targets; ++i) {
            flitscope::InterconnectTarget target;
            target.node = 12 + i;
            target.base = static_cast<std::uint64_t>(i) << 28;
            target.size = 1U << 28;
            config.interconnect->targets.push_back(target);
        }
        return config;
    }

    static void print(const char* side, const flitscope::SocketCounts& counts,
                      const flitscope::TlmProtocolChecker& checker) {
        fmt::print(
            "{} at node {}: {} transactions, {} unfinished, mean latency {:.1f} cycles, {} "
            "violations\n",
            side, counts.node, counts.transactions, checker.under_way(), counts.latency.mean(),
            checker.violations().size());
        for (const std::string& violation : checker.violations()) fmt::print("  {}\n", violation);
    }

    flitscope::Interconnect interconnect_;
    sc_core::sc_vector<flitscope::TlmProtocolChecker> behind_initiator_{"behind_initiator",
                                                                        initiators};
    sc_core::sc_vector<flitscope::TlmProtocolChecker> before_target_{"before_target", targets};
};
