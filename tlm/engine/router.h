// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The router of the TLM fabric: gives outputs to packets, and with several virtual channels the
// switch to those that stream (hw/TIMING.md, "One cycle of a router", "Combined allocation" and
// "Switching", with switch_arbitration hold).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/arena.h"
#include "models/base/module_list.h"
#include "models/base/types.h"
#include "models/config/fabric_config.h"
#include "models/routing/routing.h"
#include "tlm/engine/receiver.h"
#include "tlm/engine/sender.h"

namespace flitscope::burst {

struct RouterParameters {
    RouterId id;
    PortId local_ports = 1;  ///< ports below this are those of nodes
    std::uint32_t virtual_channels = 1;
    bool combined = false;       ///< allocation
    bool whole_packets = false;  ///< a link is granted when there is room for all of a packet
    /// Store and forward: cycles from a packet's visible tail to its request for a link.
    std::optional<Tick> combining_delay;
    // The channels that end and begin here, per port; none if a port is not connected.
    std::vector<std::optional<ChannelParameters>> inputs;
    std::vector<std::optional<ChannelParameters>> outputs;
};

class Router final : public sc_core::sc_module, public SenderOwner, public ReceiverOwner {
public:
    Router(sc_core::sc_module_name name, const RouterParameters& parameters, const Routing& routing,
           const FabricContext& context, Arena& memory);
    ~Router() override;

    /// The end of a channel; null if there is no such channel.
    Receiver* input(PortId port, std::uint32_t vc) const { return inputs_[port * vcs_ + vc].get(); }
    Sender* output(PortId port, std::uint32_t vc) const {
        return outputs_[port * vcs_ + vc].sender;
    }
    /// The name of a receiver of ours: that of its socket, if it has one.
    std::string name_of(const Receiver& receiver) const;
    /// The choices of the packet at the front of one of our receivers.
    void route(const Receiver& receiver, RouteChoices& choices) const;

    void begin(Sender& sender, Tick now) override;
    void on_stalled(Sender& sender, Tick now) override;
    void on_released(Sender& sender, Tick now) override;
    void on_free_credit(Sender& sender, Tick from) override;
    void on_head(Receiver& receiver, Tick from) override;

private:
    /// An output virtual channel.
    struct Output {
        Sender* sender = nullptr;
        Receiver* requests = nullptr;  // heads that request this port; with its first VC
        std::uint32_t pointer = 0;     // round robin over input virtual channels
    };
    /// A port of the switch; unused with one virtual channel.
    struct SwitchPort {
        std::uint32_t input_pointer = 0;   // round robin over virtual channels
        std::uint32_t output_pointer = 0;  // round robin over input ports
        std::uint32_t vc_pointer = 0;      // combined: round robin over the output's channels
        Receiver* candidate = nullptr;     // this cycle's best so far at this input port
        Receiver* proposal = nullptr;      // and among those that propose to this output port
        bool input_streams = false;        // one of its virtual channels sends, and keeps it
        bool output_streams = false;       // the same for the output port
    };
    /// Runs allocate() in every cycle in which there may be something to allocate.
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
    bool is_local(PortId port) const { return port < local_ports_; }
    /// The heads that request an output port.
    Receiver*& requests(PortId port) { return outputs_[port * vcs_].requests; }
    RouteQuery query(const Receiver& receiver) const;
    bool stores(const Receiver& receiver) const;
    void request(Receiver& receiver, RouteChoice choice);
    Receiver** next_request(const Output& output, Tick now);
    void withdraw_request(Receiver& receiver, PortId port);
    bool grant(Output& output, Tick now);
    FlitIndex credits_to_grant(const Receiver& receiver) const;
    bool has_credits(Sender& sender, FlitIndex credits, Tick now);
    bool is_link_free(Sender& sender, Tick now);
    Tick earliest_request(PortId port) const;
    void await_requests(PortId port, Tick now);

    void allocate(Tick now);
    void choose_outputs(Tick now);
    RouteChoice open_choice(const RouteChoices& choices, Tick now);
    bool keep_open(RouteChoice& choice, bool empty_only, Tick now);
    void take_back_requests();
    bool allocate_virtual_channels(Tick now);
    void offer_virtual_channels(Tick now);
    Sender* offer(PortId port, const Receiver& head, Tick now);
    static Sender* target(const Receiver& receiver);
    void allocate_switch(Tick now);
    void compete(Receiver& receiver);
    void propose(Receiver& candidate);
    void send(Receiver& winner, Tick now);
    bool is_somebody_waiting() const;
    void stop_streaming(const Sender& sender);

    // Data needed for every packet is contiguous, the outputs next to their senders.
    const Routing& routing_;
    Output* outputs_;  // port * vcs + vc
    RouterId id_;
    PortId local_ports_;
    PathChoice path_choice_;
    bool combined_;
    bool whole_packets_;
    bool stores_;
    bool heads_need_credits_;  // to be granted a virtual channel, or to choose one
    std::uint32_t vcs_;
    std::uint32_t input_count_;
    ModuleList<ArenaPtr<Receiver>> inputs_;  // port * vcs + vc
    ModuleList<ArenaPtr<Sender>> senders_;
    std::vector<SwitchPort> switch_;
    Tick combining_delay_;
    Allocation allocation_;
    // The lists to look at when there may be something to allocate.
    Receiver* undecided_ = nullptr;  // adaptive: heads that request no output in this cycle, a list
    std::vector<PortId> asked_;      // output ports with requests
    std::vector<Receiver*> waiting_;  // input virtual channels that hold an output, and do not send
    std::vector<PortId> inputs_with_candidate_;  // in the current cycle
    std::vector<PortId> outputs_with_proposal_;  // likewise
};

}  // namespace flitscope::burst
