// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Several planes (hw/TIMING.md, "Planes"): fabrics of any engine side by side, which meet at the
// nodes only. Each has a clock domain of its own; this one makes them stop in the same cycle.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "hw/common/fabric_options.h"
#include "models/fabric/fabric.h"
#include "models/fabric/loss_counts.h"
#include "models/fabric/observers.h"
#include "models/fabric/run_control.h"
#include "models/topology/channel_map.h"

namespace flitscope {

class PlanesFabric final : public sc_core::sc_module, public Fabric {
public:
    /// Makes the fabric of one plane.
    using Make = std::function<std::unique_ptr<Fabric>(const hw::FabricOptions&)>;

    SC_HAS_PROCESS(PlanesFabric);
    /// `channels` numbers the channels of all planes; what is observed has these numbers.
    /// `clock_ns` is the period of all clocks.
    PlanesFabric(sc_core::sc_module_name name, const ChannelMap& channels, double clock_ns,
                 const hw::FabricOptions& options, const Make& make);
    ~PlanesFabric() override;

    MessagePort& port(NodeId node) override;
    void attach(NodeId node, MessageListener& listener) override;
    void start(const RunControl& control) override;
    RunEnd finish() override;
    void halt() override;  // hides that of sc_module
    Cycle now() const override;
    Cycle end_cycle() const override;
    Cycle cycles_of_moves() const override;
    std::uint32_t rtl_routers() const override;
    std::uint32_t parts() const override;
    std::uint64_t flits_sent(ChannelId channel) const override;
    std::vector<std::string> broken_invariants(bool drained) const override;
    std::vector<WaitingPacket> find_deadlock() const override;

private:
    class Plane;
    class Port;

    void inspect();
    bool poll(Cycle now);
    Cycle latest(Cycle (Fabric::*of_plane)() const) const;

    ChannelMap channels_;
    sc_core::sc_time period_;
    std::vector<std::unique_ptr<Plane>> planes_;
    std::vector<std::unique_ptr<Port>> ports_;  // by node
    RunControl control_;
    Cycle next_ = kNever;  // inspection
    sc_core::sc_event due_;
    bool settled_ = false;       // all planes have done the cycle of the inspection
    Cycle stopped_at_ = kNever;  // the cycle after which an inspection ended the run
    bool interrupted_ = false;
};

}  // namespace flitscope
