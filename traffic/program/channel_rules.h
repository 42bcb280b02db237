// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The requirements of a program on the channels between nodes and routers, and whether a machine
// meets them (hw/TIMING.md, "Port models").
#pragma once

#include <functional>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/types.h"
#include "models/routing/routing.h"
#include "traffic/program/program.h"

namespace flitscope {

class Graph;
struct HardwareConfig;

/// Classes that the fabric does not have, ports that a message names without a link there, ports
/// and streams on nodes with one channel, copies that do not leave together over links to their
/// destinations, messages that stream in several packets. For a valid program (validate()); at most
/// 20 findings, placed by `locate`.
std::vector<Diagnostic> check_channels(const Program& program, const HardwareConfig& config,
                                       const Graph& graph,
                                       const std::function<Location(MessageId)>& locate);

/// Only classes that the fabric does not have; at most 20 findings, placed by `locate`.
std::vector<Diagnostic> check_fabric_classes(const Program& program, const HardwareConfig& config,
                                             const std::function<Location(MessageId)>& locate);

/// The first link of a message that names another than `routing` has it; kNoLink if it does not.
LinkId detour(const Transfer& transfer, const Graph& graph, const Routing& routing);

/// `routing` for the deadlock check, plus the channels that messages of `program` with an explicit
/// first link wait for while they hold it.
class DetouredRouting final : public Routing {
public:
    /// All arguments must outlive this object.
    DetouredRouting(const Program& program, const Graph& graph, const Routing& routing,
                    std::uint32_t virtual_channels);

    /// Whether there is any such message.
    bool has_detours() const { return has_detours_; }
    std::string name() const override { return routing_.name(); }
    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override;

private:
    RouteChoice hop(RouterId at, NodeId destination) const override {
        return routing_.route(at, destination);
    }

    struct Detour {
        LinkId first = kNoLink;
        NodeId destination = 0;
    };
    const Routing& routing_;
    std::uint32_t virtual_channels_;
    bool has_detours_ = false;
    std::vector<Detour> detours_;  // those that continue
};

}  // namespace flitscope
