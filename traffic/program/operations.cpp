// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "models/base/finding_list.h"

namespace flitscope {
namespace {

constexpr std::size_t kShownOfCycle = 8;

/// Visits the operations of a node in an order in which each comes after all that it waits for
/// (Kahn 1962). Calls `visit(operation, successor)` for those reachable so; returns for each the
/// number of others that it still waits for then: the rest are a cycle or wait for one.
template <typename Visit>
std::vector<std::uint32_t> visit_in_order(const Operations& operations, NodeId node, Visit visit) {
    const OperationId first = operations.first(node);
    const OperationId last = operations.last(node);
    std::vector<std::uint32_t> waits;
    waits.reserve(last - first);
    std::vector<OperationId> ready;
    for (OperationId id = first; id < last; ++id) {
        waits.push_back(operations.waits(id));
        if (waits.back() == 0) ready.push_back(id);
    }
    while (!ready.empty()) {
        const OperationId id = ready.back();
        ready.pop_back();
        operations.visit_successors(id, [&](const Successor& successor) {
            visit(id, successor);
            if (--waits[successor.operation - first] == 0) ready.push_back(successor.operation);
        });
    }
    return waits;
}

class OperationChecker {
public:
    OperationChecker(const Operations& operations, const Transfers& messages, std::string source)
        : operations_(operations),
          messages_(messages),
          sent_(messages.size()),
          findings_(std::move(source)) {}

    std::vector<Diagnostic> check() {
        operations_.visit_nodes([this](NodeId node) {
            for (OperationId id = operations_.first(node); id < operations_.last(node); ++id) {
                check(id, node);
            }
            if (findings_.empty()) check_cycles(node);
        });
        if (std::find(sent_.begin(), sent_.end(), false) != sent_.end()) {
            refuse(0, "a message is never sent", "");
        }
        if (findings_.empty() && stray_ != kNoMessage) {
            refuse(0, fmt::format("message {} is sent by another node than its source", stray_),
                   "");
        }
        return findings_.take();
    }

private:
    void refuse(std::size_t line, std::string what, std::string hint) {
        findings_.add(line, 0, std::move(what), std::move(hint));
    }

    void check(OperationId id, NodeId node) {
        const Operation& operation = operations_[id];
        if (operation.stream >= kMostStreams) {
            refuse(operations_.line(id), fmt::format("there is no stream {}", operation.stream),
                   fmt::format("streams are 0 .. {}", kMostStreams - 1));
        }
        if (operation.kind != Operation::Kind::kSend) return;
        if (operation.message >= sent_.size() || sent_[operation.message]) {
            refuse(operations_.line(id),
                   fmt::format("message {} does not exist, or is sent twice", operation.message),
                   "");
            return;
        }
        sent_[operation.message] = true;
        if (stray_ == kNoMessage && messages_.source(operation.message) != node) {
            stray_ = operation.message;
        }
    }

    void check_cycles(NodeId node) {
        const std::vector<std::uint32_t> waits =
            visit_in_order(operations_, node, [](OperationId, const Successor&) {});
        const auto stuck = std::find_if(waits.begin(), waits.end(),
                                        [](std::uint32_t count) { return count != 0; });
        if (stuck == waits.end()) return;
        // A stuck operation waits for a stuck one, so following that returns to an earlier one.
        const OperationId first = operations_.first(node);
        std::vector<OperationId> waits_for(waits.size());
        for (OperationId on = 0; on < waits.size(); ++on) {
            if (waits[on] == 0) continue;
            operations_.visit_successors(first + on, [&](const Successor& successor) {
                waits_for[successor.operation - first] = on;
            });
        }
        std::vector<OperationId> path;
        std::vector<bool> visited(waits.size());
        auto at = static_cast<OperationId>(stuck - waits.begin());
        for (; !visited[at]; at = waits_for[at]) {
            visited[at] = true;
            path.push_back(at);
        }
        path.erase(path.begin(), std::find(path.begin(), path.end(), at));
        std::string text = "operations wait for each other and none can begin: ";
        for (std::size_t i = 0; i < std::min(path.size(), kShownOfCycle); ++i) {
            const OperationId id = first + path[i];
            text += fmt::format("{} ({}) waits for ",
                                operations_.line(id) == 0 ? id : operations_.line(id),
                                operations_.describe(id));
        }
        text += path.size() > kShownOfCycle ? fmt::format("... ({} in all)", path.size())
                                            : "the first one";
        refuse(operations_.line(first + path.front()), std::move(text),
               "remove one of these dependencies");
    }

    const Operations& operations_;
    const Transfers& messages_;
    std::vector<bool> sent_;        // messages
    MessageId stray_ = kNoMessage;  // the first that another node sends
    FindingList findings_;
};

}  // namespace

Cycle busy_cycles(const Operation& operation, Cycle send_overhead, Cycle recv_overhead) {
    switch (operation.kind) {
        case Operation::Kind::kSend:
            return send_overhead;
        case Operation::Kind::kReceive:
            return recv_overhead;
        case Operation::Kind::kCompute:
            break;
    }
    return operation.cycles;
}

void Operations::add(NodeId node, const OperationList& of) {
    const auto count = static_cast<OperationId>(of.all.size());
    const auto first = static_cast<OperationId>(all_.size());
    Node& entry = nodes_[node];
    entry.rank = of.rank;
    if (count == 0) return;
    std::vector<std::uint32_t> waits(count);
    std::vector<std::uint32_t> place(std::size_t{count} + 1);
    for (const OperationDependency& d : of.dependencies) {
        if (d.operation >= count || d.on >= count) {
            throw std::invalid_argument("Operations: a dependency on an operation of nobody");
        }
        ++waits[d.operation];
        ++place[std::size_t{d.on} + 1];
    }
    std::partial_sum(place.begin(), place.end(), place.begin());
    const std::uint64_t before = successors_.size();
    for (OperationId id = 0; id < count; ++id) first_successor_.push_back(before + place[id]);
    std::vector<Successor> successors(of.dependencies.size());
    for (const OperationDependency& d : of.dependencies) {
        successors[place[d.on]++] = {first + d.operation, d.on_begin};
    }
    entry.first = first;
    entry.count = count;
    for (const Operation& operation : of.all) {
        if (operation.kind == Operation::Kind::kSend) ++entry.sends;
        entry.streams = std::max(entry.streams, operation.stream + 1U);
    }
    all_.append(of.all.data(), count);
    waits_.append(waits.data(), count);
    successors_.append(successors.data(), successors.size());
    if (of.lines.empty()) {
        for (OperationId id = 0; id < count; ++id) lines_.push_back(0);
    } else {
        lines_.append(of.lines.data(), count);
    }
    added_.push_back(node);
}

void Operations::close() {
    all_.close();
    lines_.close();
    waits_.close();
    first_successor_.close();
    successors_.close();
}

void Operations::forget() const {
    all_.forget();
    lines_.forget();
    waits_.forget();
    first_successor_.forget();
    successors_.forget();
}

std::size_t Operations::ranks() const {
    return static_cast<std::size_t>(std::count_if(
        nodes_.begin(), nodes_.end(), [](const Node& node) { return node.rank != kNoRank; }));
}

NodeId Operations::node_of(OperationId id) const {
    const auto behind =
        std::upper_bound(added_.begin(), added_.end(), id,
                         [this](OperationId of, NodeId node) { return of < nodes_[node].first; });
    return *std::prev(behind);
}

std::string Operations::name_of(NodeId node) const {
    const bool is_known = node < nodes() && nodes_[node].rank != kNoRank;
    return is_known ? fmt::format("rank {}", nodes_[node].rank) : fmt::format("node {}", node);
}

std::string Operations::describe(OperationId id) const {
    const Operation& operation = all_[id];
    std::string text = name_of(node_of(id));
    if (line(id) != 0) text += fmt::format(", line {}", line(id));
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

std::vector<Diagnostic> validate(const Operations& operations, const Transfers& messages,
                                 const std::string& source) {
    return OperationChecker(operations, messages, source).check();
}

std::vector<Cycle> earliest_begins(const Operations& operations, Cycle send_overhead) {
    std::vector<Cycle> begins(operations.size(), 0);
    operations.visit_nodes([&](NodeId node) {
        visit_in_order(operations, node, [&](OperationId id, const Successor& successor) {
            const Operation& before = operations[id];
            Cycle from = begins[id];
            if (!successor.on_begin && before.kind == Operation::Kind::kCompute) {
                from += before.cycles;
            }
            if (!successor.on_begin && before.kind == Operation::Kind::kSend) from += send_overhead;
            begins[successor.operation] = std::max(begins[successor.operation], from);
        });
    });
    return begins;
}

}  // namespace flitscope
