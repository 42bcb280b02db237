// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A verilated router as a core: moves flits and credits between the channels and its pins, one
// clock edge per cycle, and lets it sleep when nothing happens.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/common/output_queues.h"
#include "hw/common/router_core.h"
#include "hw/verilated/pin_views.h"
#include "hw/verilated/router_ledger.h"
#include "hw/verilated/rtl_model.h"
#include "hw/verilated/rtl_routers.h"
#include "hw/verilated/wire_ends.h"

namespace flitscope::hw {

class RtlRouterCore final : public RouterCore {
public:
    RtlRouterCore(const RtlRouters& routers, RouterCoreSetup setup);

    Cycle tick(Cycle now) override;
    void report_waits(std::vector<WaitReport>& reports) const override;
    /// Reports the inner signals of the last cycle, which otherwise wait for the next one.
    void finish() override;
    Cycle end_of_departures() const override { return queues_ ? queues_->end() : 0; }

private:
    /// Carries the inner signals of our model to the observer, under our name.
    class SignalRelay final : public RtlSignalSink {
    public:
        SignalRelay(InnerSignalObserver& observer, std::string scope)
            : observer_(observer), scope_(std::move(scope)) {}
        std::uint32_t declare(const std::string& scope, const std::string& name,
                              std::uint32_t width) override {
            const std::uint32_t signal = observer_.declare_inner(scope_ + '.' + scope, name, width);
            if (scope.find('.') == std::string::npos) pins_.add(name, signal, width);
            return signal;
        }
        /// Called when all signals are declared: says how to read the pins of the ports.
        void show(std::uint32_t virtual_channels, const std::vector<PinnedPort>& ports) {
            for (SignalView& view : pins_.views(scope_, virtual_channels, ports)) {
                observer_.on_inner_view(std::move(view));
            }
        }
        void change(std::uint32_t signal, std::string_view digits) override {
            observer_.on_inner_change(signal, cycle, digits);
        }
        Cycle cycle = 0;

    private:
        InnerSignalObserver& observer_;
        std::string scope_;
        PinSignals pins_;
    };

    struct Input {
        WireReader from;
        std::uint64_t header = 0;  // that of the last head popped
        bool bound = false;
    };
    struct Output {
        WireWriter to;          // not attached: ejection, or the edge of the network
        bool sending = false;   // observation only: a flit went in the last cycle,
        bool released = false;  // and it was a tail
        bool sent = false;      // one goes in this cycle
    };

    struct Front {
        std::uint64_t header = 0;
        bool at_head = false;
        std::uint32_t held = RtlModel::kNone;  // output
    };

    bool gather(Cycle now);
    bool take_flit(std::uint32_t input, Cycle now);
    bool take_credit(std::uint32_t output, Cycle now);
    Cycle await_wires();
    Cycle await_wire(std::uint32_t wire);
    std::uint64_t& word_of(std::uint32_t wire) { return watched_[wire / 64]; }
    bool traverse(Cycle now);
    void enter_sends(Cycle now);
    void enter_queues();
    void leave_queues(Cycle now);
    bool has_credit(std::uint32_t output) const;
    void require_rest(Cycle now) const;
    void require_progress(Cycle now);
    void pop(std::uint32_t input, Cycle now);
    void send(PortId port, Cycle now);
    void report_releases(Cycle now);
    void report_grants(Cycle now);
    void report_sends(Cycle now);
    std::uint32_t source_of(PortId port) const;
    static std::vector<PinnedPort> pinned_ports(const RouterCoreSetup& setup);
    std::optional<Front> front_of(std::uint32_t input) const;
    std::uint32_t held_output(std::uint32_t input) const;
    bool waits_for_output(std::uint32_t input, WaitReport& report) const;
    [[noreturn]] void broken(Cycle now, const std::string& what) const;

    WakeupWheel& clock_;
    std::string name_;  // the router's
    const Routing& routing_;
    const RtlRouters& routers_;
    RtlLibraryEntry traits_;
    std::unique_ptr<RtlModel> model_;
    std::unique_ptr<SignalRelay> relay_;    // null: the inner signals are not traced
    std::vector<EjectionSink*> ejections_;  // per local port, null without a node
    RouterId router_;
    PortId ports_;
    std::uint32_t vcs_;
    ClassPolicy classes_;
    bool combined_;                             // as RouterConfig::combines_allocation
    std::vector<std::uint32_t> rate_cycles_;    // likewise; empty: no slow link
    std::uint32_t switch_outputs_;              // per port
    std::optional<OutputQueues> queues_;        // what ours has in its queues, if it has some
    Cycle links_free_from_ = 0;                 // all of them
    std::uint32_t module_;                      // our name in the clock domain
    std::uint32_t quiet_ = 0;                   // ticks in which nothing happened, in a row
    decltype(RtlPins::Side::credits) ejected_;  // ejected flits are credits at the next edge
    std::uint64_t inside_flits_ = 0;            // received and not popped
    // A bit per wire, the inputs' first: something may be on its way. A module that puts something
    // on a wire whose bit is not set raises it.
    std::vector<std::uint64_t> watched_;
    std::vector<Input> inputs_;           // port * virtual channels + vc
    std::vector<Output> outputs_;         // likewise
    std::optional<RouterLedger> ledger_;  // of a router that does not report grants
    Cycle next_look_ = 0;                 // into the ledger, for packets that are passed over
    RtlPins pins_;
    ChannelProbe probe_;
};

/// A core from the library of `routers`, which outlives it.
ArenaPtr<RouterCore> make_rtl_router_core(const RtlRouters& routers, RouterCoreSetup setup);

}  // namespace flitscope::hw
