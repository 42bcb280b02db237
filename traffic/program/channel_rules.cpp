// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/channel_rules.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "models/base/finding_list.h"
#include "models/base/types.h"
#include "models/config/hardware_config.h"
#include "models/config/node_config.h"
#include "models/topology/graph.h"

namespace flitscope {
namespace {

/// The finding on the class of a message; nothing if the fabric has it.
std::optional<Diagnostic> class_finding(const Program& program, MessageId id,
                                        const HardwareConfig& config,
                                        const std::function<Location(MessageId)>& locate) {
    const std::uint32_t classes = config.fabric.class_count();
    const MessageClass of_message = program.transfers.message_class(id);
    if (of_message < classes) return std::nullopt;
    return Diagnostic{locate(id),
                      fmt::format("message {} is of class {}", program.number(id), of_message),
                      classes == 1 ? "name classes in fabric.classes, or leave `class` out"
                                   : fmt::format("fabric.classes names 0 .. {}", classes - 1)};
}

/// The finding on the plane of a message; nothing if the fabric has it.
std::optional<Diagnostic> plane_finding(const Program& program, MessageId id,
                                        const HardwareConfig& config,
                                        const std::function<Location(MessageId)>& locate) {
    const std::uint32_t planes = config.fabric.planes;
    const std::uint32_t of_message = program.transfers.plane(id);
    if (of_message < planes) return std::nullopt;
    return Diagnostic{locate(id),
                      fmt::format("message {} crosses plane {}", program.number(id), of_message),
                      planes == 1 ? "set fabric.planes, or leave `plane` out"
                                  : fmt::format("there are planes 0 .. {}", planes - 1)};
}

class ChannelChecker {
public:
    ChannelChecker(const Program& program, const HardwareConfig& config, const Graph& graph,
                   const std::function<Location(MessageId)>& locate)
        : program_(program),
          config_(config),
          graph_(graph),
          locate_(locate),
          has_channels_(config.node.has_channels_per_link()),
          replicates_(config.node.port_model == PortModel::kSameValue) {}

    std::vector<Diagnostic> check() {
        const auto& transfers = program_.transfers;
        for (MessageId id = 0; id < transfers.representatives() && findings_.size() < kMostFindings;
             ++id) {
            check_port(id);
            if (auto finding = class_finding(program_, id, config_, locate_)) {
                findings_.push_back(*std::move(finding));
            }
            if (auto finding = plane_finding(program_, id, config_, locate_)) {
                findings_.push_back(*std::move(finding));
            }
            if (transfers.streams(id)) check_stream(id);
            if (!replicates_) continue;
            const bool is_copied =
                id + std::size_t{1} < transfers.size() && transfers.is_copy(id + 1);
            if (transfers.is_copy(id) || is_copied) check_copy(id);
        }
        return std::move(findings_);
    }

private:
    Transfer of(MessageId id) const { return program_.transfers[id]; }
    std::uint64_t number(MessageId id) const { return program_.number(id); }
    void report(MessageId id, std::string what, std::string remedy) {
        findings_.push_back({locate_(id), std::move(what), std::move(remedy)});
    }

    /// The link at the port that the message names; kNoLink if there is none.
    LinkId link_of(const Transfer& t) const {
        return t.port < graph_.port_count() ? graph_.out_link(graph_.router_of(t.source), t.port)
                                            : kNoLink;
    }

    void check_port(MessageId id) {
        if (program_.transfers.port(id) == kLocalPort) return;
        const Transfer& t = of(id);
        if (!has_channels_) {
            report(id,
                   fmt::format("message {} names port {}, and nodes have one channel "
                               "(node.port_model: single)",
                               number(id), t.port),
                   "set node.port_model: one_output, same_value or independent, or leave `port` "
                   "out");
        } else if (link_of(t) == kNoLink) {
            std::string ports;
            const RouterId router = graph_.router_of(t.source);
            for (PortId port = graph_.local_ports(); port < graph_.port_count(); ++port) {
                const LinkId link = graph_.out_link(router, port);
                if (link == kNoLink) continue;
                ports += fmt::format("{}{} (to node {})", ports.empty() ? "" : ", ", port,
                                     graph_.node_at(graph_.link(link).to, kLocalPort));
            }
            report(id, fmt::format("node {} has no link at port {}", t.source, t.port),
                   ports.empty() ? "it has no links" : "ports with links: " + ports);
        }
    }

    void check_stream(MessageId id) {
        if (!has_channels_) {
            report(id,
                   fmt::format("message {} streams, which needs an interface with one channel per "
                               "link (node.port_model: single)",
                               number(id)),
                   "set node.port_model: one_output, same_value or independent");
        } else if (config_.packet_format().packets(of(id).bytes) > 1) {
            report(id, fmt::format("message {} streams in several packets", number(id)),
                   "a streamed message is one packet: set node.packet_bytes: 0");
        }
    }

    /// A copy waits for the channels of all, so none may hold a link that others wait for.
    void check_copy(MessageId id) {
        const Transfer& t = of(id);
        const LinkId link = link_of(t);
        if (link == kNoLink || graph_.link(link).to != graph_.router_of(t.destination)) {
            report(id,
                   fmt::format("message {} is one of several copies and does not name the port of "
                               "a link to its destination, node {}",
                               number(id), t.destination),
                   "copies go to neighbours, over a port each");
            return;
        }
        for (MessageId other = id; of(other).is_copy && other-- > 0;) {
            if (of(other).port != t.port) continue;
            report(id,
                   fmt::format("messages {} and {} are copies over the same port", number(other),
                               number(id)),
                   "copies go to neighbours, over a port each");
            return;
        }
    }

    const Program& program_;
    const HardwareConfig& config_;
    const Graph& graph_;
    const std::function<Location(MessageId)>& locate_;
    bool has_channels_;
    bool replicates_;
    std::vector<Diagnostic> findings_;
};

}  // namespace

std::vector<Diagnostic> check_channels(const Program& program, const HardwareConfig& config,
                                       const Graph& graph,
                                       const std::function<Location(MessageId)>& locate) {
    return ChannelChecker(program, config, graph, locate).check();
}

std::vector<Diagnostic> check_fabric_classes(const Program& program, const HardwareConfig& config,
                                             const std::function<Location(MessageId)>& locate) {
    std::vector<Diagnostic> findings;
    for (MessageId id = 0; id < program.transfers.size() && findings.size() < kMostFindings; ++id) {
        if (auto finding = class_finding(program, id, config, locate)) {
            findings.push_back(*std::move(finding));
        }
    }
    return findings;
}

LinkId detour(const Transfer& transfer, const Graph& graph, const Routing& routing) {
    if (transfer.port == kLocalPort) return kNoLink;
    const RouterId at = graph.router_of(transfer.source);
    const bool usual = routing.route(at, transfer.destination).port == transfer.port;
    return usual ? kNoLink : graph.out_link(at, transfer.port);
}

DetouredRouting::DetouredRouting(const Program& program, const Graph& graph, const Routing& routing,
                                 std::uint32_t virtual_channels)
    : Routing(routing.places()), routing_(routing), virtual_channels_(virtual_channels) {
    for (std::size_t id = 0; id < program.transfers.representatives(); ++id) {
        const Transfer transfer = program.transfers[id];
        const LinkId first = detour(transfer, graph, routing);
        has_detours_ = has_detours_ || first != kNoLink;
        if (first == kNoLink) continue;
        if (graph.link(first).to == graph.router_of(transfer.destination)) continue;
        detours_.push_back({first, transfer.destination});
    }
}

void DetouredRouting::visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const {
    routing_.visit_dependencies(graph, visit);
    for (const Detour& d : detours_) {
        const RouterId at = graph.link(d.first).to;
        const RouteChoice next = routing_.route(at, d.destination);
        const VirtualLink wants{graph.out_link(at, next.port),
                                lowest_channel(next.virtual_channels)};
        // It may be given any virtual channel of its first link, so one of every class.
        for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) visit({d.first, vc}, wants);
    }
}

}  // namespace flitscope
