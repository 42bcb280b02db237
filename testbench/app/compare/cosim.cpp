// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/compare/cosim.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <systemc>
#include <tuple>
#include <utility>

#include "hw/packet/fabric.h"
#include "hw/verilated/rtl_limitations.h"
#include "hw/verilated/rtl_routers.h"
#include "models/base/stopwatch.h"
#include "models/config/config.h"
#include "models/fabric/planes.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation_instance.h"

namespace flitscope {
namespace {

constexpr Cycle kWindow = 12;       // cycles of history printed with a difference
constexpr Cycle kTraceBefore = 60;  // cycles of waveform before a difference
constexpr Cycle kTraceBehind = 20;  // and after it

/// Packets that have arrived and wait to be compared with the other side's.
class Deliveries final : public PacketObserver {
public:
    void on_packet(const PacketRecord& packet) override { packets_.push_back(packet); }
    /// Takes the packets of the cycles up to now, in an order that does not depend on the
    /// evaluation order.
    std::vector<PacketRecord> take() {
        std::sort(packets_.begin(), packets_.end(), [](const auto& a, const auto& b) {
            return std::tie(a.message.id, a.index) < std::tie(b.message.id, b.index);
        });
        return std::exchange(packets_, {});
    }

private:
    std::vector<PacketRecord> packets_;
};

/// One of the two fabrics, under its own module.
class Side final : public sc_core::sc_module {
public:
    Side(sc_core::sc_module_name name, const Machine& machine, SimulationOptions options)
        : sc_module(name), instance(machine, reference_engine(), with(options, deliveries)) {}

    /// The fabric, which is one of packets: circuits have no RTL routers.
    hw::CycleFabric& fabric() { return dynamic_cast<hw::CycleFabric&>(instance.fabric()); }

    Deliveries deliveries;
    SimulationInstance instance;

private:
    static SimulationOptions with(SimulationOptions options, Deliveries& deliveries) {
        options.packets = &deliveries;
        return options;
    }
};

std::string text_of(const hw::Flit& flit) {
    return fmt::format(
        "{} {:016x}",
        flit.head ? (flit.tail ? "single" : "head  ") : (flit.tail ? "tail  " : "body  "),
        flit.word);
}

/// The action of a virtual channel in a cycle.
struct Action {
    bool sends = false;
    hw::Flit flit;        // that it sends
    bool credit = false;  // a slot of its FIFO is given back

    bool nothing() const { return !sends && !credit; }
    friend bool operator==(const Action& a, const Action& b) {
        return a.sends == b.sends && a.credit == b.credit && a.flit == b.flit;
    }
};

std::string text_of(const Action& action) {
    return fmt::format("{}, {}", action.sends ? "sends " + text_of(action.flit) : "idle",
                       action.credit ? "credit" : "no credit");
}

bool equal(const PacketRecord& a, const PacketRecord& b) {
    const auto all = [](const PacketRecord& p) {
        return std::tie(p.message.id, p.index, p.head_injected, p.head_delivered, p.tail_injected,
                        p.tail_delivered, p.flits, p.corrupt_flits);
    };
    return all(a) == all(b);
}

std::string text_of(const PacketRecord* p) {
    if (p == nullptr) return "nothing";
    return fmt::format("message {} packet {}: head in {} out {}, tail in {} out {}, {} flits{}",
                       p->message.id, p->index, p->head_injected, p->head_delivered,
                       p->tail_injected, p->tail_delivered, p->flits,
                       p->corrupt_flits == 0 ? "" : fmt::format(", {} corrupt", p->corrupt_flits));
}

/// Compares after each cycle, a delta cycle after both clocks have had theirs.
class Comparer final : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(Comparer);
    Comparer(sc_core::sc_module_name name, const Machine& machine, Side& systemc, Side& rtl,
             CosimResult& result)
        : sc_module(name),
          machine_(machine),
          map_(machine.graph),
          systemc_(systemc),
          rtl_(rtl),
          result_(result),
          period_(machine.config.clock_ns, sc_core::SC_NS),
          vcs_(machine.config.fabric.virtual_channels),
          seen_(map_.first_ejection() * std::size_t{vcs_}) {
        SC_METHOD(compare);
        dont_initialize();
        sensitive << next_;
        next_.notify(sc_core::SC_ZERO_TIME);
    }

private:
    struct Seen {
        std::uint64_t sent = 0;
        std::uint64_t popped = 0;
    };
    struct Event {
        Cycle cycle;
        std::size_t place;  // channel * vcs + vc
        Action action;      // the same on both sides
    };

    void compare() {
        settled_ = !settled_;
        if (settled_) {  // this is the cycle's first delta, in which the clocks tick
            next_.notify(sc_core::SC_ZERO_TIME);
            return;
        }
        const Cycle now = sc_core::sc_time_stamp().value() / period_.value();
        hw::CycleFabric& a = systemc_.fabric();
        hw::CycleFabric& b = rtl_.fabric();
        while (!history_.empty() && history_.front().cycle + kWindow < now) history_.pop_front();
        const std::size_t count = seen_.size() / vcs_;
        for (std::size_t channel = 0; channel < count && !result_.difference; ++channel) {
            const auto id = static_cast<ChannelId>(channel);
            for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
                compare_channel(id, vc, a.channel(id).buffers()[vc], b.channel(id).buffers()[vc],
                                now);
            }
        }
        if (!result_.difference) compare_ejections(a, b, now);
        if (!result_.difference) compare_packets(now);
        result_.cycles = now + 1;
        const bool stop = result_.difference || a.stopped() || b.stopped();
        if (stop) {
            a.halt();
            b.halt();
        } else if (!a.idle() || !b.idle()) {
            next_.notify(period_);
        }
    }

    void compare_channel(ChannelId channel, std::uint32_t vc, const hw::FlitBuffer& a,
                         const hw::FlitBuffer& b, Cycle now) {
        const std::size_t place = std::size_t{channel} * vcs_ + vc;
        Seen& seen = seen_[place];
        const Action action_a = action_of(a, seen, now);
        const Action action_b = action_of(b, seen, now);
        if (!(action_a == action_b)) {
            report(now, channel, vc, text_of(action_a), text_of(action_b));
            return;
        }
        if (action_a.nothing()) return;
        history_.push_back({now, place, action_a});
        seen = {a.sent(now), a.popped()};
        result_.flits += action_a.sends ? 1 : 0;
        result_.credits += action_a.credit ? 1 : 0;
    }

    static Action action_of(const hw::FlitBuffer& buffer, const Seen& before, Cycle now) {
        const bool sends = buffer.sent(now) != before.sent;
        return {sends, sends ? buffer.last_sent(now) : hw::Flit{},
                buffer.popped() != before.popped};
    }

    void compare_ejections(const hw::CycleFabric& a, const hw::CycleFabric& b, Cycle now) {
        for (NodeId node = 0; node < machine_.graph.node_count(); ++node) {
            const ChannelId channel = map_.ejection(node);
            const std::uint64_t sent_a = a.flits_sent(channel);
            const std::uint64_t sent_b = b.flits_sent(channel);
            if (sent_a == sent_b) continue;
            report(now, channel, 0, fmt::format("{} flits so far", sent_a),
                   fmt::format("{} flits so far", sent_b));
            return;
        }
    }

    void compare_packets(Cycle now) {
        const std::vector<PacketRecord> a = systemc_.deliveries.take();
        const std::vector<PacketRecord> b = rtl_.deliveries.take();
        result_.packets += a.size();
        for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
            const PacketRecord* const one = i < a.size() ? &a[i] : nullptr;
            const PacketRecord* const other = i < b.size() ? &b[i] : nullptr;
            if (one != nullptr && other != nullptr && equal(*one, *other)) continue;
            const NodeId node = (one != nullptr ? one : other)->message.destination;
            report(now, map_.ejection(node), 0, text_of(one), text_of(other));
            return;
        }
    }

    void report(Cycle now, ChannelId channel, std::uint32_t vc, std::string systemc,
                std::string rtl) {
        Difference d;
        d.cycle = now;
        d.channel = channel;
        d.vc = vc;
        d.systemc = std::move(systemc);
        d.rtl = std::move(rtl);
        const std::size_t place = std::size_t{channel} * vcs_ + vc;
        for (const Event& event : history_) {
            if (event.place == place && event.cycle < now) {
                d.window.push_back(fmt::format("cycle {}: {}", event.cycle, text_of(event.action)));
            }
        }
        result_.difference = std::move(d);
    }

    const Machine& machine_;
    ChannelMap map_;
    Side& systemc_;
    Side& rtl_;
    CosimResult& result_;
    sc_core::sc_time period_;
    std::uint32_t vcs_;
    std::vector<Seen> seen_;     // the events of both sides up to the last cycle
    std::deque<Event> history_;  // events of the last cycles
    sc_core::sc_event next_;
    bool settled_ = false;
};

/// For `trace.rtl_nodes`: a node of each of `routers` that is RTL. Where node n is attached to
/// router n this key numbers routers, switches among them.
std::vector<NodeId> nodes_of_rtl_routers(const Machine& machine,
                                         const std::vector<RouterId>& routers) {
    const Graph& graph = machine.graph;
    const std::vector<bool> is_rtl = hw::routers_to_be_rtl(machine.config, graph);
    std::vector<NodeId> nodes;
    for (const RouterId router : routers) {
        if (!is_rtl[router]) continue;
        if (graph.places().is_one_each()) {
            nodes.push_back(router.number());
        } else if (!graph.nodes_at(router).empty()) {
            nodes.push_back(graph.nodes_at(router)[0]);
        }
    }
    return nodes;
}

}  // namespace

Machine all_systemc(Machine machine) {
    machine.config.fabric.router = RouterKind::kSystemC;
    machine.config.fabric.router_overrides.clear();
    machine.config.trace.rtl_nodes.clear();
    return machine;
}

Config cosim_config(Config config) {
    if (!config.fabric.has_rtl_overrides()) {
        if (!config.fabric.router.is_rtl()) config.fabric.router = RouterKind::kRtl;
        config.fabric.router_overrides.clear();
    }
    return config;
}

void require_cosim(const Machine& machine) {
    require_one_plane(machine.config, "cosim");
    require_deadlock_freedom(machine);
    if (const auto refusal =
            hw::verilated_refusal(machine.config, machine.graph, *machine.routing)) {
        throw ConfigError({refusal->diagnostic(machine.config)});
    }
    require_runnable(machine);
}

CosimResult cosimulate(const Machine& machine, const CosimOptions& options) {
    require_cosim(machine);
    const Machine reference = all_systemc(machine);
    CosimResult result;
    SimulationOptions simulation;
    simulation.scan_order = options.scan_order;
    simulation.runs_ahead = false;
    SimulationOptions with_progress = simulation;
    with_progress.on_progress = options.on_progress;
    Side systemc("systemc", reference, with_progress);
    Side rtl("rtl", machine, simulation);
    Comparer comparer("comparer", machine, systemc, rtl, result);
    result.rtl_routers = rtl.fabric().rtl_routers();
    systemc.instance.start();
    rtl.instance.start();
    const Stopwatch watch;
    run_kernel();  // returns when both are idle
    result.wall_seconds = watch.seconds();
    result.systemc = systemc.instance.finish();
    result.rtl = rtl.instance.finish();
    result.router_cycles = result.cycles * result.rtl_routers;
    return result;
}

std::vector<std::string> trace_difference(const Machine& machine, const Difference& difference,
                                          const std::string& path) {
    const std::filesystem::path name(path);
    const ChannelMap map(machine.graph);
    std::vector<RouterId> routers;
    if (map.is_link(difference.channel)) {
        const Link& link = machine.graph.link(difference.channel);
        routers = {link.from, link.to};
    } else {
        routers = {map.router(difference.channel)};
    }
    std::vector<std::string> written;
    for (const bool rtl : {false, true}) {
        Machine side = rtl ? machine : all_systemc(machine);
        Config& config = side.config;
        config.trace.from =
            difference.cycle > kTraceBefore ? difference.cycle - kTraceBefore : Cycle{0};
        config.trace.until = difference.cycle + kTraceBehind;
        config.trace.endpoints = true;
        config.trace.links.clear();
        config.trace.dimensions.clear();
        config.trace.nodes.clear();
        config.trace.routers.clear();
        for (const RouterId router : routers) {  // the channels of the two, and no more
            config.trace.routers.push_back(std::to_string(router.number()));
        }
        config.trace.rtl_nodes = nodes_of_rtl_routers(side, routers);
        config.limits.max_cycles = config.trace.until + 1;
        SimulationOptions options;
        options.trace_path = (name.parent_path() / name.stem()).string() +
                             (rtl ? ".rtl" : ".systemc") + name.extension().string();
        const FreshKernel kernel;
        try {
            simulate(side, reference_engine().name, options);
        } catch (const ConfigError&) {
            throw;
        } catch (const std::exception&) {
            // The waveform is there to show the error of the RTL; it is valid up to that point.
        }
        written.push_back(options.trace_path);
    }
    return written;
}

}  // namespace flitscope
