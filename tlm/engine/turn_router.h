// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The router of the TLM fabric whose virtual channels take turns flit by flit: hw/TIMING.md, "One
// cycle of a router", with switch_arbitration round_robin.
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/arena.h"
#include "models/base/module_list.h"
#include "models/base/types.h"
#include "models/routing/routing.h"
#include "tlm/engine/router.h"
#include "tlm/engine/turn_planner.h"
#include "tlm/engine/turn_receiver.h"
#include "tlm/engine/turn_sender.h"

namespace flitscope::burst {

class TurnRouter final : public sc_core::sc_module,
                         public TurnSender::Owner,
                         public TurnReceiver::Owner {
public:
    /// Sequential allocation, wormhole switching, and no adaptive routing.
    TurnRouter(sc_core::sc_module_name name, const RouterParameters& parameters,
               const Routing& routing, const FabricContext& context, Arena& memory);
    ~TurnRouter() override;

    /// The end of a channel; null where there is no such channel.
    TurnReceiver* input(PortId port, std::uint32_t vc) const {
        return inputs_[port * vcs_ + vc].get();
    }
    TurnSender* output(PortId port, std::uint32_t vc) const {
        return outputs_[port * vcs_ + vc].sender;
    }
    std::string name_of(const TurnReceiver& receiver) const;
    /// The choices of the packet at the front of one of our receivers.
    void route(const TurnReceiver& receiver, RouteChoices& choices) const;

    void begin(TurnSender&, Tick) override {}
    void on_stalled(TurnSender&, Tick) override {}
    void on_released(TurnSender& sender, Tick now) override;
    void on_free_credit(TurnSender&, Tick) override {}
    void on_head(TurnReceiver& receiver, Tick from) override;

private:
    /// An output virtual channel.
    struct Output {
        TurnSender* sender = nullptr;
        std::uint32_t pointer = 0;  // round robin over input virtual channels
    };
    class Allocation final : public Event {
    public:
        explicit Allocation(TurnRouter& router) : Event(false), router_(router) {}
        void run(Tick now) override { router_.allocate(now); }

    private:
        TurnRouter& router_;
    };

    RouteQuery query(const TurnReceiver& receiver) const;
    void allocate(Tick now);
    void allocate_virtual_channels(PortId port, Tick now);
    void grant(Output& output, Tick now);
    void plan_streams(Tick now);
    void collect_group(std::size_t first, Tick now);

    const Routing& routing_;
    NodeId node_;
    PathChoice path_choice_;
    std::uint32_t vcs_;
    std::uint32_t input_count_;
    ModuleList<ArenaPtr<TurnReceiver>> inputs_;  // port * vcs + vc
    ModuleList<ArenaPtr<TurnSender>> senders_;
    std::vector<Output> outputs_;          // port * vcs + vc
    std::vector<TurnReceiver*> requests_;  // heads that ask for a port, lists
    std::vector<PortId> asked_;            // output ports with requests
    std::vector<TurnSender*> streams_;     // outputs that a packet holds
    Switch switch_;
    Allocation allocation_;
    // In plan_streams().
    std::vector<TurnSender*> group_;
    std::vector<std::uint64_t> input_groups_;   // the group that has an input port
    std::vector<std::uint64_t> output_groups_;  // likewise
    std::uint64_t group_number_ = 0;
};

}  // namespace flitscope::burst
