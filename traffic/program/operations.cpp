// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace flitscope {
namespace {

constexpr std::size_t kMostFindings = 20;
constexpr std::size_t kShownOfCircle = 8;

/// The dependencies by what they wait for: those on operation i are by_on[first[i]] ..
struct Successors {
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> by_on;  // indices of dependencies
    std::vector<std::uint32_t> waits;  // per operation: how many others it waits for

    explicit Successors(const Operations& operations)
        : first(operations.all.size() + 1),
          by_on(operations.dependencies.size()),
          waits(operations.all.size()) {
        for (const OperationDependency& d : operations.dependencies) {
            ++first[std::size_t{d.on} + 1];
            ++waits[d.operation];
        }
        std::partial_sum(first.begin(), first.end(), first.begin());
        std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
        for (std::uint32_t i = 0; i < by_on.size(); ++i) {
            by_on[next[operations.dependencies[i].on]++] = i;
        }
    }
};

/// Visits the operations in an order in which each comes after all that it waits for (Kahn 1962).
/// `visit(operation, successors)` of those that can be reached so; returns what is left, which is a
/// circle or waits for one.
template <typename Visit>
std::vector<std::uint32_t> visit_in_order(const Operations& operations, Visit visit) {
    Successors successors(operations);
    std::vector<OperationId> ready;
    for (OperationId id = 0; id < operations.all.size(); ++id) {
        if (successors.waits[id] == 0) ready.push_back(id);
    }
    while (!ready.empty()) {
        const OperationId id = ready.back();
        ready.pop_back();
        for (std::uint32_t i = successors.first[id]; i < successors.first[id + 1]; ++i) {
            const OperationDependency& d = operations.dependencies[successors.by_on[i]];
            visit(id, d);
            if (--successors.waits[d.operation] == 0) ready.push_back(d.operation);
        }
    }
    return std::move(successors.waits);
}

class Checker {
public:
    Checker(const Operations& operations, NodeId nodes, std::size_t messages, std::string source)
        : operations_(operations), nodes_(nodes), messages_(messages), source_(std::move(source)) {}

    std::vector<Diagnostic> check() {
        if (!fits()) {
            refuse({}, "the operations do not fit the nodes", "");
            return std::move(findings_);
        }
        check_messages();
        for (const OperationDependency& d : operations_.dependencies) check(d);
        if (findings_.empty()) check_circles();
        return std::move(findings_);
    }

private:
    bool fits() const {
        const Operations& o = operations_;
        return o.first.size() == std::size_t{nodes_} + 1 && o.first.front() == 0 &&
               o.first.back() == o.all.size() && std::is_sorted(o.first.begin(), o.first.end()) &&
               (o.lines.empty() || o.lines.size() == o.all.size()) && o.ranks.size() == nodes_;
    }
    void refuse(std::size_t line, std::string what, std::string hint) {
        if (findings_.size() < kMostFindings) {
            findings_.push_back({{source_, line, 0}, std::move(what), std::move(hint)});
        }
    }
    std::size_t line(OperationId id) const {
        return operations_.lines.empty() ? 0 : operations_.lines[id];
    }

    void check_messages() {
        std::vector<std::uint8_t> sent(messages_);
        for (OperationId id = 0; id < operations_.all.size(); ++id) {
            const Operation& operation = operations_.all[id];
            if (operation.stream >= kMostStreams) {
                refuse(line(id), fmt::format("there is no stream {}", operation.stream),
                       fmt::format("streams are 0 .. {}", kMostStreams - 1));
            }
            if (operation.kind != Operation::Kind::kSend) continue;
            if (operation.message >= messages_ || sent[operation.message] != 0) {
                refuse(line(id),
                       fmt::format("message {} is none, or sent twice", operation.message), "");
                continue;
            }
            sent[operation.message] = 1;
        }
        if (std::find(sent.begin(), sent.end(), 0) != sent.end()) {
            refuse(0, "a message is never sent", "");
        }
    }

    void check(const OperationDependency& d) {
        const std::size_t count = operations_.all.size();
        if (d.operation >= count || d.on >= count) {
            refuse(0, "a dependency on an operation that does not exist", "");
        } else if (operations_.node_of(d.operation) != operations_.node_of(d.on)) {
            refuse(line(d.operation), "an operation waits for one of another node",
                   "what one node waits for of another is a message");
        }
    }

    void check_circles() {
        const std::vector<std::uint32_t> waits =
            visit_in_order(operations_, [](OperationId, const OperationDependency&) {});
        const auto stuck = std::find_if(waits.begin(), waits.end(),
                                        [](std::uint32_t count) { return count != 0; });
        if (stuck == waits.end()) return;
        // What is stuck waits for something stuck, so following that comes back to where it was.
        std::vector<OperationId> waits_for(operations_.all.size());
        for (const OperationDependency& d : operations_.dependencies) {
            if (waits[d.on] != 0) waits_for[d.operation] = d.on;
        }
        std::vector<OperationId> path;
        std::vector<bool> visited(operations_.all.size());
        auto at = static_cast<OperationId>(stuck - waits.begin());
        for (; !visited[at]; at = waits_for[at]) {
            visited[at] = true;
            path.push_back(at);
        }
        path.erase(path.begin(), std::find(path.begin(), path.end(), at));
        std::string text = "operations wait for each other and none can begin: ";
        for (std::size_t i = 0; i < std::min(path.size(), kShownOfCircle); ++i) {
            text += fmt::format("{} ({}) waits for ", line(path[i]) == 0 ? path[i] : line(path[i]),
                                operations_.describe(path[i]));
        }
        text += path.size() > kShownOfCircle ? fmt::format("... ({} in all)", path.size())
                                             : "the first one";
        refuse(line(path.front()), std::move(text), "remove one of these dependencies");
    }

    const Operations& operations_;
    NodeId nodes_;
    std::size_t messages_;
    std::string source_;
    std::vector<Diagnostic> findings_;
};

}  // namespace

NodeId Operations::node_of(OperationId id) const {
    return static_cast<NodeId>(std::upper_bound(first.begin(), first.end(), id) - first.begin() -
                               1);
}

std::string Operations::name_of(NodeId node) const {
    const bool is_known = node < ranks.size() && ranks[node] != kNoRank;
    return is_known ? fmt::format("rank {}", ranks[node]) : fmt::format("node {}", node);
}

std::string Operations::describe(OperationId id) const {
    const Operation& operation = all[id];
    std::string text = name_of(node_of(id));
    if (!lines.empty() && lines[id] != 0) text += fmt::format(", line {}", lines[id]);
    switch (operation.kind) {
        case Operation::Kind::kCompute:
            return text + fmt::format(": compute {} cycles", operation.cycles);
        case Operation::Kind::kSend:
            return text + fmt::format(": send message {}", operation.message);
        case Operation::Kind::kReceive:
            break;
    }
    text += ": receive from ";
    text += operation.source == kAnySource ? "any rank" : name_of(operation.source);
    return text + (operation.tag == kAnyTag ? ", any tag" : fmt::format(", tag {}", operation.tag));
}

std::vector<Diagnostic> validate(const Operations& operations, NodeId nodes, std::size_t messages,
                                 const std::string& source) {
    return Checker(operations, nodes, messages, source).check();
}

std::vector<Cycle> earliest_begins(const Operations& operations, Cycle send_startup) {
    std::vector<Cycle> begins(operations.all.size(), 0);
    visit_in_order(operations, [&](OperationId id, const OperationDependency& d) {
        const Operation& before = operations.all[id];
        Cycle from = begins[id];
        if (!d.on_begin && before.kind == Operation::Kind::kCompute) from += before.cycles;
        if (!d.on_begin && before.kind == Operation::Kind::kSend) from += send_startup;
        begins[d.operation] = std::max(begins[d.operation], from);
    });
    return begins;
}

}  // namespace flitscope
