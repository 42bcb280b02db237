// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/reference/random_operations.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace flitscope {
namespace {

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

    std::shared_ptr<const Operations> make(ReceiveTime receive_time) {
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
        if (draw_.percent(40) && !program_.names_planes) {
            operations->completion = SendCompletion::kInjected;
        }
        operations->receive_time = receive_time;
        return operations;
    }

private:
    struct Node : OperationList {
        std::uint32_t streams = 1;
        bool takes_any_source = false;
        bool takes_any_tag = false;
        std::map<std::pair<NodeId, std::uint32_t>, OperationId> last_receive;  // per envelope
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

std::shared_ptr<const Operations> random_operations(Draw& draw, const Program& program,
                                                    ReceiveTime receive_time) {
    return RandomOperations(draw, program).make(receive_time);
}

}  // namespace flitscope
