// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws the machines and the traffic. The distributions favour what breaks fabrics: few buffers,
// short packets, many senders with one destination, packets that wait on several channels at once.
#include "testbench/reference/random_machine.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "models/fabric/message_classes.h"
#include "models/fabric/switching.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/families/topology_families.h"
#include "testbench/reference/draw.h"
#include "testbench/reference/random_ports.h"
#include "traffic/program/operations.h"

namespace flitscope {
namespace {

NodeId node_count(const TopologyConfig& topology) {
    const std::optional<TopologySize> size = topology_size(topology);
    return size ? static_cast<NodeId>(size->endpoints) : topology.dims[0];
}

/// Routers beside those of nodes.
bool has_switches(const TopologyConfig& topology) {
    const std::optional<TopologySize> size = topology_size(topology);
    return size && size->endpoints != size->nodes;
}

/// One that is drawn, not built by a family.
bool is_random_tree(const TopologyConfig& topology) { return !topology_size(topology); }

TopologyConfig draw_topology(Draw& draw) {
    TopologyConfig topology;
    if (draw.percent(30)) {
        topology.kind = "hypercube";
        topology.dimensions = draw.pick<std::uint32_t>({0, 1, 2, 2, 3, 3, 3, 4, 4, 5});
        return topology;
    }
    topology.kind = "mesh";
    switch (draw.below(4)) {
        case 0:
            topology.dims = {draw.between(1, 12)};
            break;
        case 1:
            topology.dims = {1, draw.between(1, 10)};
            if (draw.percent(50)) std::swap(topology.dims[0], topology.dims[1]);
            break;
        case 2:
            topology.dims = {draw.between(2, 6), draw.between(2, 5)};
            break;
        default:
            topology.dims = {draw.between(1, 3), draw.between(2, 4), draw.between(1, 3)};
            break;
    }
    return topology;
}

FabricConfig draw_fabric(Draw& draw) {
    FabricConfig fabric;
    fabric.topology = draw_topology(draw);
    if (draw.percent(20)) fabric.routing = "dimension_order";
    fabric.virtual_channels = draw.pick<std::uint32_t>({1, 1, 1, 1, 1, 2, 2, 2, 3, 4, 4, 5, 8});
    fabric.buffer_depth = draw.pick<std::uint32_t>({1, 1, 2, 2, 3, 4, 4, 5, 8, 8, 16});
    fabric.flit_bits = draw.pick<std::uint32_t>({64, 64, 64, 64, 32, 128});
    fabric.router_delay = draw.pick<std::uint32_t>({1, 1, 1, 2, 2, 3, 4});
    if (draw.percent(15)) {
        fabric.link_delay.model = LinkDelayModel::kLinear;
        fabric.link_delay.reach = draw.between(1, 3);
    } else {
        fabric.link_delay.cycles = draw.pick<std::uint32_t>({1, 1, 1, 1, 2, 2, 3, 4, 5, 6});
    }
    return fabric;
}

/// Wires in millimetres, up to two cycles long per node pitch.
void vary_wires(Draw& draw, Config& config) {
    LinkDelayConfig& wires = config.fabric.link_delay;
    wires.model = LinkDelayModel::kPhysical;
    wires.pitch_mm = draw.between(1, 20) / 10.0;
    wires.ns_per_mm = draw.between(1, 10) / 10.0;
    config.clock_ns = draw.between(10, 50) / 10.0;
}

/// Depths and delays up to what nobody builds, so that many bursts are on a wire at once.
FabricConfig draw_wide_fabric(Draw& draw) {
    FabricConfig fabric;
    if (draw.percent(25)) {
        fabric.topology.kind = "custom";
        fabric.topology.dims = {draw.between(2, 20)};
    } else {
        fabric.topology = draw_topology(draw);
    }
    fabric.virtual_channels = draw.pick<std::uint32_t>({1, 1, 1, 1, 1, 1, 2, 2, 3, 4});
    fabric.switch_arbitration = SwitchArbitration::kHold;
    fabric.buffer_depth = draw.percent(50) ? draw.between(1, 10) : draw.between(1, 40);
    fabric.router_delay = draw.pick<std::uint32_t>({1, 1, 1, 2, 3, 5});
    if (draw.percent(50)) fabric.link_delay.cycles = draw.between(1, 4);
    if (draw.percent(25)) fabric.link_delay.cycles = draw.between(5, 10);
    return fabric;
}

TopologyConfig draw_torus(Draw& draw, bool has_datelines) {
    TopologyConfig torus;
    torus.kind = "torus";
    const std::uint32_t longest = has_datelines ? 7 : 4;  // rings that need no datelines
    switch (draw.below(3)) {
        case 0:
            torus.dims = {draw.between(1, has_datelines ? 12 : 4)};
            break;
        case 1:
            torus.dims = {draw.between(2, longest), draw.between(2, 5)};
            torus.dims[1] = std::min(torus.dims[1], longest);
            break;
        default:
            torus.dims = {draw.between(2, 4), draw.between(1, 3), draw.between(2, 4)};
            break;
    }
    torus.folded = draw.percent(30);
    return torus;
}

/// A HOW, or with the widest windows the generalized hypercube that it is then.
TopologyConfig draw_how(Draw& draw) {
    TopologyConfig how;
    const bool has_windows = draw.percent(70);
    how.kind = has_windows ? "how" : "ghc";
    switch (draw.below(3)) {
        case 0:
            how.dims = {draw.between(2, 14)};
            break;
        case 1:
            how.dims = {draw.between(2, 6), draw.between(2, 6)};
            break;
        default:
            how.dims = {draw.between(1, 3), draw.between(2, 4), draw.between(1, 4)};
            break;
    }
    if (!has_windows) return how;
    for (const std::uint32_t side : how.dims) {
        how.windows.push_back(draw.between(1, std::max(side - 1, 1U)));
    }
    return how;
}

TopologyConfig draw_express_mesh(Draw& draw) {
    TopologyConfig mesh;
    mesh.kind = "express_mesh";
    mesh.layout = draw.pick<ExpressLayout>(
        {ExpressLayout::kFull, ExpressLayout::kFull, ExpressLayout::kFull, ExpressLayout::kSparse,
         ExpressLayout::kSparse, ExpressLayout::kSparse, ExpressLayout::kShifted,
         ExpressLayout::kCompound, ExpressLayout::kHierarchy});
    mesh.segment = mesh.layout == ExpressLayout::kShifted ? 4 : draw.between(2, 4);
    if (mesh.layout == ExpressLayout::kHierarchy) {
        mesh.segment = 2;
        mesh.levels = draw.between(1, 2);
    }
    if (mesh.layout != ExpressLayout::kCompound && draw.percent(30)) {
        mesh.dims = {draw.between(5, 15)};
    } else {
        mesh.dims = {draw.between(5, 7), draw.between(5, 8)};
    }
    return mesh;
}

/// Few nodes below many switches, or many below few.
TopologyConfig draw_fat_tree(Draw& draw) {
    TopologyConfig tree;
    tree.kind = "fat_tree";
    const std::uint32_t arity = draw.between(2, 4);
    tree.parameters["arity"] = arity;
    tree.parameters["height"] = draw.between(1, arity == 2 ? 4 : 2);
    return tree;
}

/// With all global channels connected, with some left over, or with several between two groups.
TopologyConfig draw_dragonfly(Draw& draw) {
    TopologyConfig dragonfly;
    dragonfly.kind = "dragonfly";
    const std::uint32_t routers = draw.between(1, 4);
    const std::uint32_t links = draw.between(1, 3);
    dragonfly.parameters["group_size"] = routers;
    dragonfly.parameters["global_links"] = links;
    dragonfly.parameters["groups"] = draw.between(links + 1, std::min(routers * links + 1, 8U));
    return dragonfly;
}

/// The routings beside `auto` that do for the machine without deadlock.
std::vector<std::string> routings_for(const FabricConfig& fabric) {
    Config config;
    config.fabric = fabric;
    const Graph graph = build_topology(config);
    const std::uint32_t vcs = fabric.virtual_channels;
    std::vector<std::string> names{"up_down"};
    if (graph.shape<DragonflyShape>() != nullptr) {
        if (vcs > 1) names.emplace_back("dragonfly_minimal");
        if (vcs > 3) names.insert(names.end(), {"valiant", "valiant"});
    }
    if (!graph.wiring()) return names;
    const GridWiring& wiring = *graph.wiring();
    if (wiring.is_mesh() && graph.dims().size() == 2) {
        names.insert(names.end(), {"west_first", "odd_even", "west_first", "odd_even"});
        if (vcs > 1) names.insert(names.end(), {"o1turn", "o1turn"});
    }
    if (wiring.is_mesh()) names.emplace_back("negative_first");
    if (wiring.has_port_per_direction() && wiring.has_equal_places() &&
        vcs > (wiring.has_rings() ? 2 : 1)) {
        names.insert(names.end(), {"minimal_adaptive", "minimal_adaptive"});
    }
    if (vcs > (wiring.has_rings() ? 3 : 1)) names.emplace_back("valiant");
    const auto* const express = graph.shape<ExpressShape>();
    if (express != nullptr && vcs > 1 && express->joins_terminals()) {
        names.insert(names.end(), {"express_shortest", "express_shortest", "express_shortest"});
    }
    return names;
}

/// Puts switches without nodes, or groups, in the place of one network in eight.
void vary_family(Draw& draw, FabricConfig& fabric) {
    if (is_random_tree(fabric.topology) || !draw.percent(12)) return;
    fabric.topology = draw.percent(50) ? draw_fat_tree(draw) : draw_dragonfly(draw);
    fabric.routing = draw.percent(50) ? "auto" : draw.pick(routings_for(fabric));
}

/// Puts another wiring in the place of every third mesh or hypercube, and another routing on many.
void vary_network(Draw& draw, FabricConfig& fabric) {
    if (is_random_tree(fabric.topology)) return;
    const bool rewired = draw.percent(35);
    if (rewired) {
        fabric.routing = "auto";
        switch (draw.below(4)) {
            case 0:
                fabric.topology = draw_torus(draw, fabric.virtual_channels > 1);
                break;
            case 1:
            case 2:
                fabric.topology = draw_how(draw);
                break;
            default:
                fabric.topology = draw_express_mesh(draw);
                break;
        }
    }
    if (draw.percent(rewired ? 60 : 50)) fabric.routing = draw.pick(routings_for(fabric));
}

NodeConfig draw_node(Draw& draw, std::uint32_t flit_bits) {
    NodeConfig node;
    if (draw.percent(40)) node.send_startup = draw.between(1, 30);
    if (draw.percent(40)) node.recv_overhead = draw.between(1, 25);
    if (draw.percent(40)) {
        node.injection_rate = draw.pick<Rate>({{3, 3}, {1, 2}, {2, 3}, {3, 7}, {1, 5}, {9, 10}});
    }
    node.header_flits = draw.pick<std::uint32_t>({1, 1, 1, 2, 3});
    if (draw.percent(50)) {
        const std::uint32_t flits = draw.percent(50) ? draw.between(1, 3) : draw.between(4, 20);
        node.packet_bytes = std::uint64_t{flits} * flit_bits / 8;
        if (draw.percent(30)) node.packet_bytes -= draw.below(flit_bits / 8);
    }
    return node;
}

/// Lengths of messages, in one of several mixtures per case.
class Sizes {
public:
    Sizes(Draw& draw, std::uint32_t flit_bits, CaseRange range)
        : draw_(draw), flit_bytes_(flit_bits / 8), style_(draw.pick<Style>(styles())) {
        equal_ = whole_flits(draw.between(0, 40));
        if (range == CaseRange::kWide && draw.percent(60)) {
            style_ = draw.pick<Style>({Style::kLogarithmic, Style::kLongOrShort, Style::kEqual});
            equal_ = whole_flits(draw.between(1, 600));
        }
    }

    std::uint64_t bytes() {
        switch (style_) {
            case Style::kEqual:
                return equal_;
            case Style::kTiny:
                return ragged(draw_.between(0, 3));
            case Style::kLogarithmic:  // 0 to 4999 beside the header
                return ragged((1U << draw_.between(0, 12)) + draw_.between(0, 900) - 1);
            case Style::kLongOrShort:
                return ragged(draw_.percent(50) ? draw_.between(0, 3) : draw_.between(50, 400));
            case Style::kMixed:
                break;
        }
        if (draw_.percent(8)) return 0;
        if (draw_.percent(3)) return ragged(draw_.between(80, 250));
        return ragged(draw_.between(1, draw_.percent(50) ? 6 : 40));
    }

private:
    enum class Style { kEqual, kTiny, kMixed, kLogarithmic, kLongOrShort };
    static std::vector<Style> styles() {
        return {Style::kEqual, Style::kTiny, Style::kMixed, Style::kMixed};
    }
    std::uint64_t whole_flits(std::uint32_t flits) const {
        return std::uint64_t{flits} * flit_bytes_;
    }
    std::uint64_t ragged(std::uint32_t flits) {
        return flits == 0 ? 0 : whole_flits(flits) - draw_.below(flit_bytes_);
    }

    Draw& draw_;
    std::uint32_t flit_bytes_;
    Style style_;
    std::uint64_t equal_ = 0;
};

/// Fills a program with messages until a budget of flits is spent.
class Traffic {
public:
    Traffic(Draw& draw, const Config& config, CaseRange range)
        : draw_(draw),
          format_(config.packet_format()),
          sizes_(draw, config.fabric.flit_bits, range),
          self_percent_(draw.percent(30) ? 10 : 0) {
        program_.nodes = node_count(config.fabric.topology);
        const FabricConfig& fabric = config.fabric;
        const std::uint32_t round_trip = fabric.router_delay + 2 * fabric.link_delay.cycles;
        // A machine with little buffering spends many cycles per flit; it gets fewer flits.
        slowness_ = std::max(1U, round_trip / fabric.buffer_depth);
        budget_ = draw.between(60, range == CaseRange::kWide ? 20'000 : 1500) / slowness_;
    }

    Program make() {
        switch (draw_.below(6)) {
            case 0:
                timed_uniform();
                break;
            case 1:
                hotspot();
                break;
            case 2:
                permutations();
                break;
            case 3:
            case 4:
                random_steps();
                break;
            default:
                dependent();
                break;
        }
        return std::move(program_);
    }

private:
    NodeId any_node() { return static_cast<NodeId>(draw_.below(program_.nodes)); }
    /// Another node than `source`, or now and then the same.
    NodeId partner(NodeId source) {
        if (program_.nodes == 1 || draw_.percent(self_percent_)) return source;
        const NodeId other = static_cast<NodeId>(draw_.below(program_.nodes - 1));
        return other < source ? other : other + 1;
    }
    /// So long that the budget is spent by it.
    Transfer drawn(NodeId source, NodeId destination) {
        Transfer transfer;
        transfer.source = source;
        transfer.destination = destination;
        transfer.bytes = sizes_.bytes();
        spent_ += format_.message_flits(transfer.bytes);
        return transfer;
    }
    void add(NodeId source, NodeId destination, StepId step = 0) {
        Transfer transfer = drawn(source, destination);
        transfer.step = step;
        program_.transfers.push_back(transfer);
    }
    bool has_budget() const {
        const std::size_t fewest = std::max<std::size_t>(6, program_.nodes);
        return spent_ < budget_ || program_.transfers.size() < fewest;
    }

    /// Release times of a timed program: all at once, spread in order, or spread in any order (the
    /// program order of a node is then not the order of the list).
    void spread_times(bool in_order = false) {
        const std::uint64_t style = in_order ? 1 : draw_.below(3);
        if (style == 0) return;
        const std::uint64_t horizon = 1 + draw_.below(2 * budget_);
        std::vector<Cycle> times;
        for (std::size_t i = 0; i < program_.transfers.size(); ++i) {
            times.push_back(draw_.below(horizon));
        }
        if (style == 1) std::sort(times.begin(), times.end());
        for (std::size_t i = 0; i < times.size(); ++i) {
            program_.transfers.change(i, [&](Transfer& t) { t.time = times[i]; });
        }
    }

    void timed_uniform() {
        program_.name = "uniform";
        program_.ordering = Ordering::kTimed;
        while (has_budget()) {
            const NodeId source = any_node();
            const StepId step = draw_.between(0, 3);
            add(source, partner(source), step);
        }
        spread_times();
    }

    void hotspot() {
        program_.name = "hotspot";
        program_.ordering = Ordering::kTimed;
        const NodeId hot = any_node();
        const std::uint32_t share = draw_.between(50, 100);
        while (has_budget()) {
            const NodeId source = any_node();
            const bool to_hot = draw_.percent(share) && (source != hot || program_.nodes == 1);
            add(source, to_hot ? hot : partner(source));
        }
        spread_times();
    }

    void permutations() {
        program_.name = "permutations";
        draw_barrier();
        std::vector<NodeId> image(program_.nodes);
        for (NodeId node = 0; node < program_.nodes; ++node) image[node] = node;
        StepId step = 0;
        while (has_budget()) {
            draw_.shuffle(image);
            for (NodeId node = 0; node < program_.nodes; ++node) {
                const bool to_self = image[node] == node;
                if (to_self && self_percent_ == 0 && program_.nodes > 1) continue;
                add(node, image[node], step);
            }
            ++step;
        }
    }

    void random_steps() {
        program_.name = "random steps";
        draw_barrier();
        const StepId steps = draw_.between(1, 12);
        const StepId stride = draw_.percent(30) ? 3 : 1;  // leaves steps without any transfer
        while (has_budget()) {
            const NodeId source = any_node();
            const StepId step = stride * draw_.between(0, steps - 1);
            add(source, partner(source), step);
        }
    }

    void dependent() {
        program_.name = "dependent";
        program_.ordering = Ordering::kTimed;
        const std::uint32_t chance = draw_.between(20, 100);
        std::vector<std::vector<MessageId>> received(program_.nodes);
        while (has_budget()) {
            const auto id = static_cast<MessageId>(program_.transfers.size());
            const NodeId source = any_node();
            Transfer transfer = drawn(source, partner(source));
            // Waiting for earlier messages only, a message never waits for itself.
            std::vector<MessageId> candidates = received[source];
            draw_.shuffle(candidates);
            const std::size_t wanted = draw_.percent(chance) ? draw_.between(1, 3) : 0;
            candidates.resize(std::min(candidates.size(), wanted));
            transfer.after = std::move(candidates);
            received[transfer.destination].push_back(id);
            program_.transfers.push_back(transfer);
        }
        if (draw_.percent(30)) spread_times(true);  // else messages might wait in a circle
    }

    void draw_barrier() {
        program_.ordering = Ordering::kSteps;
        if (draw_.percent(40)) program_.barrier_cycles = draw_.percent(30) ? 0 : draw_.below(40);
    }

    Draw& draw_;
    PacketFormat format_;
    Sizes sizes_;
    std::uint32_t self_percent_;
    std::uint32_t slowness_ = 1;
    std::uint64_t budget_ = 0;
    std::uint64_t spent_ = 0;
    Program program_;
};

/// Draws of the link delays; apart from those of the case, so that neither disturbs the other.
constexpr std::uint64_t kDelayStream = 0x9e3779b97f4a7c15U;

/// Draws of the trees.
constexpr std::uint64_t kTreeStream = 0x165667b19e3779f9U;

/// Draws of the wiring and the routing.
constexpr std::uint64_t kNetworkStream = 0x27d4eb2f165667c5U;

/// Draws of wires in millimetres.
constexpr std::uint64_t kWireStream = 0x3c6ef372fe94f82bU;

/// Draws of fat trees and dragonflies.
constexpr std::uint64_t kFamilyStream = 0x9e6c63d0876a9a47U;

/// Draw of the switch arbitration; apart from the others for the same reason.
constexpr std::uint64_t kSwitchStream = 0xc2b2ae3d27d4eb4fU;

/// Draw of the allocation.
constexpr std::uint64_t kAllocationStream = 0xa0761d6478bd642fU;

/// Draws of the port model and what programs make of it.
constexpr std::uint64_t kPortStream = 0x94d049bb133111ebU;

/// Draws of the switching method, which makes buffers as deep as it needs.
constexpr std::uint64_t kSwitchingStream = 0x85ebca77c2b2ae63U;

/// Draw of the serial startups.
constexpr std::uint64_t kStartupStream = 0x94d049bb133111ebU;

/// Another switching method for every third machine, with buffers that hold a packet and a bit; not
/// where packets are so long that nobody would build these.
void vary_switching(Draw& draw, RandomCase& random) {
    if (!draw.percent(35)) return;
    std::uint64_t longest = 1;
    for (const Transfer& transfer : random.program.transfers) {
        longest = std::max(longest, random.config.packet_format().flits(transfer.bytes, 0));
    }
    if (longest > 500) return;
    FabricConfig& fabric = random.config.fabric;
    fabric.switching =
        draw.percent(50) ? Switching::kVirtualCutThrough : Switching::kStoreAndForward;
    if (fabric.stores_packets()) {
        fabric.combining_delay = draw.pick<std::uint32_t>({0, 0, 0, 1, 2, 7, 40, 100});
    }
    const auto flits = static_cast<std::uint32_t>(longest);
    fabric.buffer_depth = flits + draw.pick<std::uint32_t>({0, 0, 0, 1, 2, 5, flits, 2 * flits});
}

/// Draws of the circuits.
constexpr std::uint64_t kCircuitStream = 0x2545f4914f6cdd1dU;

/// Draw of the machines that send nothing at all.
constexpr std::uint64_t kSilenceStream = 0xd6e8feb86659fd93U;

/// Circuits for three in ten of the machines that can have them: one virtual channel, one path.
void vary_circuits(Draw& draw, Config& config) {
    FabricConfig& fabric = config.fabric;
    const std::vector<std::string> fixed = {"auto", "dimension_order", "up_down"};
    const bool is_fixed = std::find(fixed.begin(), fixed.end(), fabric.routing) != fixed.end();
    if (fabric.virtual_channels > 1 || !is_fixed || !draw.percent(30)) return;
    fabric.switching = Switching::kCircuit;
    fabric.combining_delay = 0;
    fabric.setup_delay = draw.pick<std::uint32_t>({1, 1, 1, 2, 2, 3, 5, 9, 30, 100});
    config.node.packet_bytes = 0;
    config.node.injection_rate = {};
}

/// Draws of the request-reply traffic.
constexpr std::uint64_t kOperationStream = 0x2545f4914f6cdd1dU;
constexpr std::uint64_t kClassStream = 0xda942042e4dd58b5U;
constexpr std::uint64_t kReplyStream = 0xbf58476d1ce4e5b9U;
/// For what steady cases have in place of a fixed measurement.
constexpr std::uint64_t kSteadyStream = 0xff51afd7ed558ccdU;

bool has_uneven_delays(Draw& draw) { return draw.percent(20); }

/// Every node hangs on one with a lower number. A route in a tree never turns back, so packets
/// cannot wait for each other in a circle.
Graph random_tree(const RandomCase& random) {
    const NodeId nodes = random.config.fabric.topology.dims[0];
    Draw draw(random.config.seed ^ kTreeStream);
    Graph graph("custom", {nodes}, nodes);  // a port per other node, the local one first
    std::vector<PortId> used(nodes, 1);
    for (NodeId node = 1; node < nodes; ++node) {
        const auto parent = static_cast<NodeId>(draw.below(node));
        Link link;
        link.from = node;
        link.from_port = used[node]++;
        link.to = parent;
        link.to_port = used[parent]++;
        link.delay = random.config.fabric.link_delay.cycles;
        graph.add_link(link);
        std::swap(link.from, link.to);
        std::swap(link.from_port, link.to_port);
        graph.add_link(link);
    }
    return graph;
}

/// Operations that send and receive the transfers of a program. They can end: taken in the order of
/// the transfers, a send before its receive, each waits only for earlier ones, and where several
/// receives take the same messages they are posted in order.
class RandomOperations {
public:
    RandomOperations(Draw& draw, const Program& program)
        : draw_(draw), program_(program), nodes_(program.nodes) {
        for (Node& node : nodes_) {
            node.streams = draw_.between(1, 3);
            node.takes_any_source = draw_.percent(30);
            node.takes_any_tag = draw_.percent(30);
        }
        longest_ = draw_.pick<std::uint32_t>({0, 2, 9, 60});
        dependencies_ = draw_.pick<std::uint32_t>({0, 30, 60, 90});
        tags_ = draw_.between(1, 3);
    }

    std::shared_ptr<const Operations> make() {
        for (MessageId id = 0; id < program_.transfers.size(); ++id) {
            const Transfer& transfer = program_.transfers[id];
            if (draw_.percent(40)) compute(nodes_[transfer.source]);
            if (draw_.percent(20)) compute(nodes_[transfer.destination]);
            const auto tag = static_cast<std::uint32_t>(draw_.below(tags_));
            send(id, tag);
            receive(transfer, tag);
        }
        auto operations = std::make_shared<Operations>(static_cast<NodeId>(nodes_.size()));
        for (NodeId id = 0; id < nodes_.size(); ++id) {
            nodes_[id].rank = id;
            operations->add(id, nodes_[id]);
        }
        operations->close();
        if (draw_.percent(40)) operations->completion = SendCompletion::kInjected;
        return operations;
    }

private:
    struct Node : OperationList {
        std::uint32_t streams = 1;
        bool takes_any_source = false;
        bool takes_any_tag = false;
        std::map<std::pair<NodeId, std::uint32_t>, OperationId> last_receive;  // of each envelope
    };

    void compute(Node& node) {
        Operation operation;
        operation.kind = Operation::Kind::kCompute;
        operation.cycles = draw_.below(longest_ + 1);
        add(node, operation);
    }

    void send(MessageId id, std::uint32_t tag) {
        Operation operation;
        operation.kind = Operation::Kind::kSend;
        operation.message = id;
        operation.tag = tag;
        add(nodes_[program_.transfers[id].source], operation);
    }

    void receive(const Transfer& transfer, std::uint32_t tag) {
        Node& node = nodes_[transfer.destination];
        Operation operation;
        operation.kind = Operation::Kind::kReceive;
        operation.source = node.takes_any_source ? kAnySource : transfer.source;
        operation.tag = node.takes_any_tag ? kAnyTag : tag;
        add(node, operation);
        const auto id = static_cast<OperationId>(node.all.size() - 1);
        const auto [before, is_first] =
            node.last_receive.emplace(std::pair(operation.source, operation.tag), id);
        if (is_first) return;
        node.dependencies.push_back({id, before->second, true});
        before->second = id;
    }

    void add(Node& node, Operation operation) {
        operation.stream = static_cast<std::uint16_t>(draw_.below(node.streams));
        const auto id = static_cast<OperationId>(node.all.size());
        for (int i = 0; i < 2 && id != 0; ++i) {
            if (!draw_.percent(dependencies_)) continue;
            // Mostly on what was listed just before.
            const auto back = static_cast<OperationId>(1 + draw_.below(draw_.percent(70) ? 3 : id));
            node.dependencies.push_back({id, id - std::min(id, back), draw_.percent(25)});
        }
        node.all.push_back(operation);
    }

    Draw& draw_;
    const Program& program_;
    std::vector<Node> nodes_;
    std::uint32_t longest_ = 0;
    std::uint32_t dependencies_ = 0;  // percent
    std::uint32_t tags_ = 1;
};

}  // namespace

RandomCase random_case(std::uint64_t seed, CaseRange range) {
    Draw draw(seed);
    RandomCase random;
    random.range = range;
    random.config.seed = seed;
    random.config.source = "random case " + std::to_string(seed);
    const bool wide = range == CaseRange::kWide;
    random.config.fabric = wide ? draw_wide_fabric(draw) : draw_fabric(draw);
    if (!wide && random.config.fabric.virtual_channels > 1 &&
        Draw(seed ^ kSwitchStream).percent(50)) {
        random.config.fabric.switch_arbitration = SwitchArbitration::kHold;
    }
    Draw network(seed ^ kNetworkStream);
    vary_network(network, random.config.fabric);
    Draw family(seed ^ kFamilyStream);
    vary_family(family, random.config.fabric);
    if (Draw wires(seed ^ kWireStream); wires.percent(10)) vary_wires(wires, random.config);
    random.config.node = draw_node(draw, random.config.fabric.flit_bits);
    random.config.node.serial_startup = Draw(seed ^ kStartupStream).percent(40);
    random.program = Traffic(draw, random.config, range).make();
    if (!wide) {
        Draw ports(seed ^ kPortStream);
        const bool varies = ports.percent(30);
        if (varies && !has_switches(random.config.fabric.topology)) vary_ports(ports, random);
    }
    Draw switching(seed ^ kSwitchingStream);
    vary_switching(switching, random);
    if (!wide) {
        Draw circuits(seed ^ kCircuitStream);
        if (!random.config.node.has_channels_per_link()) vary_circuits(circuits, random.config);
    }
    FabricConfig& fabric = random.config.fabric;
    if (fabric.switching == Switching::kWormhole && Draw(seed ^ kAllocationStream).percent(40)) {
        fabric.allocation = Allocation::kCombined;
    }
    if (Draw(seed ^ kSilenceStream).percent(2)) random.program.transfers.clear();
    return random;
}

Graph random_case_graph(const RandomCase& random) {
    const FabricConfig& fabric = random.config.fabric;
    Graph graph =
        is_random_tree(fabric.topology) ? random_tree(random) : build_topology(random.config);
    Draw draw(random.config.seed ^ kDelayStream);
    if (has_uneven_delays(draw)) {
        const std::uint32_t longest = random.range == CaseRange::kWide ? 10 : 6;
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            graph.set_delay(id, draw.between(1, longest));
        }
    }
    return graph;
}

RandomCase tlm_case(RandomCase random) {
    FabricConfig& fabric = random.config.fabric;
    fabric.switch_arbitration = SwitchArbitration::kHold;
    if (fabric.switches_circuits()) fabric.switching = Switching::kWormhole;
    random.config.node.port_model = PortModel::kSingle;
    random.program.transfers.change_all([&](Transfer& transfer) {
        transfer.port = kLocalPort;
        transfer.streams = false;
    });
    return random;
}

namespace {

/// Classes of requests and replies.
void draw_message_classes(Draw& draw, Config& config) {
    TrafficConfig& traffic = config.traffic;
    const std::vector<std::string>& classes = config.fabric.classes;
    if (draw.percent(80)) traffic.reply_class = draw.pick(classes);
    if (draw.percent(30)) {
        for (const auto& [bytes, weight] : traffic.message_lengths) {
            traffic.length_classes[bytes] = draw.pick(classes);
        }
        return;
    }
    const bool is_separate = draw.percent(60);
    for (const std::string& name : classes) {
        if (is_separate && name == traffic.reply_class) continue;
        if (draw.percent(70)) traffic.classes[name] = draw.between(1, 5);
    }
    if (traffic.classes.empty() || !is_separate || traffic.reply_class.empty()) return;
    // Where replies do not wait for requests, nodes need not take all of these.
    if (draw.percent(70)) {
        config.node.packet_bytes = 0;
        traffic.reply_queue = draw.pick<std::uint32_t>({1, 1, 1, 2, 2, 3, 5, 20});
    }
}

}  // namespace

RandomCase reply_case(RandomCase random) {
    Draw draw(random.config.seed ^ kReplyStream);
    random.program = {};
    random.config.node.port_model = PortModel::kSingle;
    const NodeId nodes = node_count(random.config.fabric.topology);
    TrafficConfig& traffic = random.config.traffic;
    traffic.pattern = draw.pick<std::string>({"uniform", "uniform", "hotspot"});
    traffic.root = static_cast<NodeId>(draw.below(nodes));
    traffic.hotspot_fraction = draw.pick<double>({0.2, 0.5, 0.9});
    traffic.arrivals = draw.pick<ArrivalKind>(
        {ArrivalKind::kBernoulli, ArrivalKind::kPeriodic, ArrivalKind::kBursty});
    traffic.burst_cycles = draw.pick<double>({5, 20, 60});
    const std::vector<std::uint64_t> bytes =
        random.range == CaseRange::kWide ? std::vector<std::uint64_t>{0, 8, 40, 300, 2'000, 20'000}
                                         : std::vector<std::uint64_t>{0, 0, 1, 8, 9, 24, 60, 130};
    for (std::uint32_t count = draw.between(1, 3); count != 0; --count) {
        traffic.message_lengths[draw.pick(bytes)] = draw.between(1, 4);
    }
    traffic.reply_bytes = draw.pick(bytes);
    traffic.reply_delay = draw.pick<Cycle>({0, 0, 0, 1, 2, 3, 7, 30, 200});
    traffic.injection_rate = draw.pick<double>({0.02, 0.1, 0.3, 0.6, 1});
    if (random.config.fabric.has_classes()) draw_message_classes(draw, random.config);
    traffic.warmup_cycles = 0;
    traffic.measure_cycles =
        draw.between(20, random.range == CaseRange::kWide ? 3'000 : 6'000 / (nodes + 10));
    FabricConfig& fabric = random.config.fabric;
    if (fabric.has_packet_flow_control()) {
        const std::uint64_t flits =
            random.config.packet_format().flits(traffic.longest_message(), 0);
        fabric.buffer_depth = std::max(fabric.buffer_depth, static_cast<std::uint32_t>(flits));
    }
    return random;
}

RandomCase class_case(RandomCase random) {
    Draw draw(random.config.seed ^ kClassStream);
    FabricConfig& fabric = random.config.fabric;
    if (fabric.switches_circuits()) fabric.switching = Switching::kWormhole;
    NodeConfig& node = random.config.node;
    node.port_model = PortModel::kSingle;
    node.serial_startup = false;
    node.injection_rate = {};
    if (fabric.virtual_channels > kMostClasses / 2) fabric.virtual_channels = kMostClasses / 2;
    const auto most = static_cast<std::uint32_t>(kMostClasses / fabric.virtual_channels);
    const std::uint32_t count = draw.between(2, most);
    fabric.virtual_channels *= count;
    const bool has_priorities = draw.percent(50);
    const bool has_weights = draw.percent(60);
    for (std::uint32_t k = 0; k < count; ++k) {
        fabric.classes.push_back("c" + std::to_string(k));
        if (has_priorities) fabric.class_priorities.push_back(draw.between(0, 2));
        if (has_weights) fabric.class_weights.push_back(draw.pick<std::uint32_t>({1, 1, 2, 3, 7}));
    }
    if (draw.percent(30)) fabric.switch_arbitration = SwitchArbitration::kHold;
    random.program.transfers.change_all([&](Transfer& transfer) {
        transfer.port = kLocalPort;
        transfer.streams = false;
        transfer.is_copy = false;
        transfer.message_class = static_cast<MessageClass>(draw.below(count));
    });
    return random;
}

RandomCase operation_case(RandomCase random) {
    random.config.node.port_model = PortModel::kSingle;
    random.program.transfers.change_all([&](Transfer& transfer) {
        Transfer plain;
        plain.source = transfer.source;
        plain.destination = transfer.destination;
        plain.bytes = transfer.bytes;
        transfer = plain;
    });
    random.program.ordering = Ordering::kOperations;
    random.program.barrier_cycles.reset();
    Draw draw(random.config.seed ^ kOperationStream);
    random.program.operations = RandomOperations(draw, random.program).make();
    return random;
}

RandomCase steady_case(RandomCase random) {
    RandomCase steady = reply_case(std::move(random));
    Draw draw(steady.config.seed ^ kSteadyStream);
    if (draw.percent(50)) steady.config.traffic.reply_bytes.reset();
    steady.config.traffic.injection_rate = draw.pick<double>({0.02, 0.1, 0.3});
    steady.config.steady.emplace();
    steady.config.steady->half_width = 0.5;
    steady.config.steady->max_cycles = 40'000;
    return steady;
}

std::string describe(const RandomCase& random) {
    const FabricConfig& fabric = random.config.fabric;
    const NodeConfig& node = random.config.node;
    const TrafficConfig& traffic = random.config.traffic;
    const Program& program = random.program;
    std::ostringstream text;
    text << "seed " << random.config.seed << ": ";
    if (is_random_tree(fabric.topology)) {
        text << "tree of " << fabric.topology.dims[0];
    } else {
        text << build_topology(random.config).description();
    }
    text << ", " << fabric.routing << ", virtual_channels " << fabric.virtual_channels;
    if (fabric.virtual_channels > 1) text << " (" << name_of(fabric.switch_arbitration) << ')';
    if (fabric.has_classes()) {
        text << ", " << fabric.class_count() << " classes";
        const auto list = [&text](const char* name, const std::vector<std::uint32_t>& numbers) {
            if (numbers.empty()) return;
            text << ", " << name;
            for (const std::uint32_t number : numbers) text << ' ' << number;
        };
        list("priorities", fabric.class_priorities);
        list("weights", fabric.class_weights);
    }
    if (fabric.combines_allocation()) text << ", combined allocation";
    if (fabric.switching != Switching::kWormhole) text << ", " << switching_text(fabric);
    text << ", buffer_depth " << fabric.buffer_depth << ", flit_bits " << fabric.flit_bits
         << ", router_delay " << fabric.router_delay;
    Draw draw(random.config.seed ^ kDelayStream);
    const LinkDelayConfig& wires = fabric.link_delay;
    switch (wires.model) {
        case LinkDelayModel::kConstant:
            text << ", link_delay " << wires.cycles;
            break;
        case LinkDelayModel::kLinear:
            text << ", link_delay linear, reach " << wires.reach;
            break;
        case LinkDelayModel::kPhysical:
            text << ", link_delay physical, " << wires.pitch_mm << " mm, " << wires.ns_per_mm
                 << " ns/mm, clock_ns " << random.config.clock_ns;
            break;
    }
    if (has_uneven_delays(draw))
        text << (random.range == CaseRange::kWide ? " (random_case_graph: 1-10 per link)"
                                                  : " (random_case_graph: 1-6 per link)");
    text << ", header_flits " << node.header_flits << ", packet_bytes " << node.packet_bytes
         << ", send_startup " << node.send_startup << (node.serial_startup ? " (serial)" : "")
         << ", recv_overhead " << node.recv_overhead << ", injection_rate "
         << node.injection_rate.numerator << '/' << node.injection_rate.denominator;
    if (node.has_channels_per_link()) text << ", port_model " << name_of(node.port_model);
    if (!traffic.pattern.empty()) {
        text << "; " << traffic.pattern << ", " << name_of(traffic.arrivals) << " at "
             << traffic.injection_rate;
        if (random.config.steady) {
            text << " until it is steady";
        } else {
            text << " for " << traffic.measure_cycles << " cycles";
        }
        if (traffic.reply_bytes) {
            text << ", replies of " << *traffic.reply_bytes << " bytes after "
                 << traffic.reply_delay;
        }
        return text.str();
    }
    text << "; " << program.name << ", " << program.transfers.size() << " messages, "
         << (program.ordering == Ordering::kSteps   ? "steps"
             : program.ordering == Ordering::kTimed ? "timed"
                                                    : "operations");
    if (program.barrier_cycles) text << ", barrier " << *program.barrier_cycles;
    return text.str();
}

}  // namespace flitscope
