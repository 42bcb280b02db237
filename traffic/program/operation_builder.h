// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes programs of operations, node by node in any order.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "traffic/program/operations.h"
#include "traffic/program/program.h"

namespace flitscope {

class OperationBuilder {
public:
    /// Operations of a node that others of it wait for; numbers as add and its likes return them.
    using After = std::vector<OperationId>;

    OperationBuilder(std::string name, NodeId nodes) : nodes_(nodes) {
        program_.name = std::move(name);
        program_.nodes = nodes;
        program_.ordering = Ordering::kOperations;
    }

    NodeId nodes() const { return static_cast<NodeId>(nodes_.size()); }

    OperationId compute(NodeId node, Cycle cycles, const After& after, std::uint16_t stream = 0) {
        Operation operation;
        operation.kind = Operation::Kind::kCompute;
        operation.cycles = cycles;
        operation.stream = stream;
        return add(node, operation, after);
    }
    OperationId send(NodeId node, NodeId destination, std::uint64_t bytes, std::uint32_t tag,
                     const After& after, std::uint16_t stream = 0) {
        Operation operation;
        operation.kind = Operation::Kind::kSend;
        operation.message = static_cast<MessageId>(program_.transfers.size());
        operation.tag = tag;
        operation.stream = stream;
        program_.send(node, destination, bytes, 0);
        return add(node, operation, after);
    }
    /// `source` and `tag` may be any.
    OperationId receive(NodeId node, NodeId source, std::uint32_t tag, const After& after,
                        std::uint16_t stream = 0) {
        Operation operation;
        operation.kind = Operation::Kind::kReceive;
        operation.source = source;
        operation.tag = tag;
        operation.stream = stream;
        return add(node, operation, after);
    }

    /// The program; nothing remains.
    Program take() {
        auto operations = std::make_shared<Operations>(nodes());
        for (NodeId node = 0; node < nodes(); ++node) {
            nodes_[node].rank = node;
            operations->add(node, nodes_[node]);
            nodes_[node] = {};
        }
        operations->close();
        program_.operations = std::move(operations);
        return std::move(program_);
    }

private:
    OperationId add(NodeId node, const Operation& operation, const After& after) {
        OperationList& of = nodes_[node];
        const auto id = static_cast<OperationId>(of.all.size());
        for (const OperationId on : after) of.dependencies.push_back({id, on, false});
        of.all.push_back(operation);
        return id;
    }

    Program program_;
    std::vector<OperationList> nodes_;
};

}  // namespace flitscope
