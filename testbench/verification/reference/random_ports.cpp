// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/reference/random_ports.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "models/routing/channel_dependency.h"
#include "models/routing/routing_factory.h"
#include "models/topology/graph.h"
#include "traffic/program/channel_rules.h"

namespace flitscope {
namespace {

std::vector<LinkId> links_from(const Graph& graph, RouterId router) {
    std::vector<LinkId> links;
    for (PortId port = graph.local_ports(); port < graph.port_count(); ++port) {
        const LinkId link = graph.out_link(router, port);
        if (link != kNoLink) links.push_back(link);
    }
    return links;
}

/// Nothing to oneself; some messages name a port: the usual one, or in some programs any.
void name_ports(Draw& draw, Program& program, const Graph& graph, const Routing& routing,
                std::uint32_t virtual_channels) {
    program.transfers.change_all([&](Transfer& t) {
        if (t.source == t.destination) t.destination = (t.source + 1) % program.nodes;
    });
    program.transfers.change_all([&](Transfer& t) {  // moved ones are not received here
        const auto elsewhere = [&](MessageId id) {
            return program.transfers[id].destination != t.source;
        };
        t.after.erase(std::remove_if(t.after.begin(), t.after.end(), elsewhere), t.after.end());
    });
    const std::uint32_t share = draw.pick<std::uint32_t>({0, 30, 100});
    const bool anywhere = draw.percent(30);
    program.transfers.change_all([&](Transfer& t) {
        if (!draw.percent(share)) return;
        t.port = static_cast<std::uint16_t>(
            routing.route(graph.router_of(t.source), t.destination).port);
        if (anywhere && draw.percent(30)) {
            const LinkId link = draw.pick(links_from(graph, graph.router_of(t.source)));
            t.port = static_cast<std::uint16_t>(graph.link(link).from_port);
        }
    });
    const DetouredRouting detoured(program, graph, routing, virtual_channels);
    if (find_dependency_cycle(graph, detoured).empty()) return;
    program.transfers.change_all([&](Transfer& t) { t.port = kLocalPort; });
}

/// Values that nodes hand to some of their neighbours: their own, or what they receive, whole or as
/// it arrives.
class NeighbourProgram {
public:
    NeighbourProgram(Draw& draw, const Graph& graph, std::uint32_t flit_bits)
        : draw_(draw), graph_(graph), received_(graph.node_count()) {
        program_.name = "neighbours";
        program_.nodes = graph.node_count();
        timed_ = draw.percent(75);
        program_.ordering = timed_ ? Ordering::kTimed : Ordering::kSteps;
        if (!timed_ && draw.percent(40)) program_.barrier_cycles = draw.below(30);
        for (int i = 0; i < 3; ++i) {
            const std::uint32_t flits = draw.percent(50) ? draw.between(0, 6) : draw.between(0, 40);
            lengths_.push_back(std::uint64_t{flits} * flit_bits / 8);
        }
        messages_ = draw.between(program_.nodes, 80);
        spread_ = draw.pick<std::uint32_t>({0, 0, 0, 1, 4, 20});
    }

    Program make() {
        while (program_.transfers.size() < messages_) {
            const auto node = static_cast<NodeId>(draw_.below(program_.nodes));
            if (!links_from(graph_, graph_.router_of(node)).empty()) hand_out(node);
        }
        return std::move(program_);
    }

private:
    void hand_out(NodeId node) {
        Transfer transfer{node, 0, draw_.pick(lengths_)};
        if (timed_) {
            time_ += draw_.below(std::uint64_t{spread_} + 1);
            transfer.time = time_;
            take_up(transfer);
        } else {
            step_ += draw_.percent(40) ? 1 : 0;
            transfer.step = step_;
        }
        std::vector<LinkId> links = links_from(graph_, graph_.router_of(node));
        draw_.shuffle(links);
        links.resize(draw_.percent(50)
                         ? 1
                         : draw_.between(1, static_cast<std::uint32_t>(
                                                std::min<std::size_t>(links.size(), 5))));
        for (const LinkId link : links) {
            transfer.destination = graph_.node_at(graph_.link(link).to, kLocalPort);
            transfer.port = static_cast<std::uint16_t>(graph_.link(link).from_port);
            received_[transfer.destination].push_back(
                static_cast<MessageId>(program_.transfers.size()));
            program_.transfers.push_back(transfer);
            transfer.is_copy = true;
        }
    }

    /// Makes the transfer depend on what its node receives, most often as a stream of it. Messages
    /// that are waited for come earlier in the program, so none waits for itself.
    void take_up(Transfer& transfer) {
        std::vector<MessageId> candidates = received_[transfer.source];
        if (candidates.empty() || draw_.percent(20)) return;
        draw_.shuffle(candidates);
        transfer.streams = draw_.percent(75);
        if (transfer.streams) {
            transfer.bytes = program_.transfers[candidates.front()].bytes;
            const auto differs = [&](MessageId id) {
                return program_.transfers[id].bytes != transfer.bytes;
            };
            candidates.erase(std::remove_if(candidates.begin(), candidates.end(), differs),
                             candidates.end());
        }
        const std::size_t wanted = draw_.pick<std::size_t>({1, 1, 1, 2, 3});
        candidates.resize(std::min(candidates.size(), wanted));
        transfer.after = std::move(candidates);
    }

    Draw& draw_;
    const Graph& graph_;
    Program program_;
    bool timed_ = false;
    std::vector<std::uint64_t> lengths_;
    std::size_t messages_ = 0;
    std::uint32_t spread_ = 0;
    Cycle time_ = 0;
    StepId step_ = 0;
    std::vector<std::vector<MessageId>> received_;
};

}  // namespace

void vary_ports(Draw& draw, RandomCase& random) {
    Config& config = random.config;
    if (random.program.nodes < 2) return;
    config.node.port_model = draw.pick<PortModel>(
        {PortModel::kOneOutput, PortModel::kSameValue, PortModel::kIndependent});
    if (make_routing(config, random_case_graph(random))->path_choice() != PathChoice::kFixed) {
        config.fabric.routing = "auto";
    }
    const Graph graph = random_case_graph(random);
    if (draw.percent(60)) {
        config.node.packet_bytes = 0;
        random.program = NeighbourProgram(draw, graph, config.fabric.flit_bits).make();
        return;
    }
    const auto routing = make_routing(config, graph);
    name_ports(draw, random.program, graph, *routing, config.fabric.virtual_channels);
}

}  // namespace flitscope
