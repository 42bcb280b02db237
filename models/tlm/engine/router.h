// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The router of the TLM fabric: gives outputs to packets, and with several virtual channels the
// switch to those that stream (hw/TIMING.md, "One cycle of a router" and "Combined allocation",
// with switch_arbitration hold).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/arena.h"
#include "models/base/module_list.h"
#include "models/base/types.h"
#include "models/routing/routing.h"
#include "models/tlm/engine/receiver.h"
#include "models/tlm/engine/sender.h"

namespace flitscope::burst {

struct RouterParameters {
    NodeId node = 0;
    std::uint32_t virtual_channels = 1;
    bool combined = false;  ///< allocation
    // The channels that end and begin here, per port; none where a port is not connected.
    std::vector<std::optional<ChannelParameters>> inputs;
    std::vector<std::optional<ChannelParameters>> outputs;
};

class Router final : public sc_core::sc_module, public SenderOwner, public ReceiverOwner {
public:
    Router(sc_core::sc_module_name name, const RouterParameters& parameters, const Routing& routing,
           const FabricContext& context, Arena& memory);
    ~Router() override;

    /// The end of a channel; null where there is no such channel.
    Receiver* input(PortId port, std::uint32_t vc) const { return inputs_[port * vcs_ + vc].get(); }
    Sender* output(PortId port, std::uint32_t vc) const {
        return outputs_[port * vcs_ + vc].sender;
    }
    /// What a receiver of ours is called: its socket, where it has one.
    std::string name_of(const Receiver& receiver) const;
    /// The choice for the packet at the front of one of our receivers.
    RouteChoice route(const Receiver& receiver) const;

    void begin(Sender& sender, Tick now) override;
    void on_released(Sender& sender, Tick now) override;
    void on_free_credit(Sender& sender, Tick from) override;
    void on_head(Receiver& receiver, Tick from) override;

private:
    /// An output virtual channel.
    struct Output {
        Sender* sender = nullptr;
        Receiver* requests = nullptr;  // heads that ask for this port; with its first VC
        std::uint32_t pointer = 0;     // round robin over input virtual channels
    };
    /// Of the switch, which needs none with one virtual channel.
    struct SwitchPort {
        std::uint32_t input_pointer = 0;   // round robin over virtual channels
        std::uint32_t output_pointer = 0;  // round robin over input ports
        std::uint32_t vc_pointer = 0;      // combined: round robin over the output's channels
        Receiver* proposal = nullptr;      // this cycle's best so far
    };
    /// Has allocate() run in every cycle in which there may be something to allocate.
    class Allocation final : public Event {
    public:
        explicit Allocation(Router& router) : Event(false), router_(router) {}
        void run(Tick now) override { router_.allocate(now); }

    private:
        Router& router_;
    };

    void create_ends(const RouterParameters& parameters, Arena& memory);
    void end_of_elaboration() override;
    PortId port_count() const { return static_cast<PortId>(switch_.size()); }
    PortId port_of(const Receiver& receiver) const { return receiver.index() / vcs_; }
    /// The heads that ask for an output port.
    Receiver*& requests(PortId port) { return outputs_[port * vcs_].requests; }
    Receiver* take_request(const Output& output, Tick now);
    void withdraw_request(Receiver& receiver, PortId port);
    void grant(Output& output, Tick now);
    bool is_kept(PortId output) const;
    Tick earliest_request(PortId port) const;

    void allocate(Tick now);
    void allocate_virtual_channels(Tick now);
    void offer_virtual_channels(Tick now);
    Sender* offer(PortId port, const Receiver& head, Tick now);
    static Sender* target(const Receiver& receiver);
    void allocate_switch(Tick now);
    void propose(PortId input, Tick now);

    // What every packet needs lies together, the outputs beside their senders.
    const Routing& routing_;
    Output* outputs_;  // port * vcs + vc
    NodeId node_;
    bool fixed_paths_;
    bool combined_;
    std::uint32_t vcs_;
    std::uint32_t input_count_;
    ModuleList<ArenaPtr<Receiver>> inputs_;  // port * vcs + vc
    ModuleList<ArenaPtr<Sender>> senders_;
    std::vector<SwitchPort> switch_;
    Allocation allocation_;
};

}  // namespace flitscope::burst
