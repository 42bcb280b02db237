// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/waiting_cycle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/base/split_mix.h"

namespace flitscope {
namespace {

constexpr std::size_t kMostOperations = std::size_t{1} << 20;
constexpr std::size_t kShown = 8;
constexpr OperationId kNothing = UINT32_MAX;

/// Plays everything that can happen, in no time.
class Play {
public:
    Play(const Operations& operations, const Transfers& messages)
        : operations_(operations),
          messages_(messages),
          awaited_(operations.size()),
          has_ended_(operations.size()) {
        for (OperationId id = 0; id < operations.size(); ++id) {
            awaited_[id] = operations.waits(id);
            if (awaited_[id] == 0) ready_.push_back(id);
            const Operation& operation = operations[id];
            if (operation.kind != Kind::kReceive) continue;
            has_any_source_ = has_any_source_ || operation.source == kAnySource;
            has_any_tag_ = has_any_tag_ || operation.tag == kAnyTag;
        }
        while (!ready_.empty()) {
            const OperationId id = ready_.back();
            ready_.pop_back();
            begin(id);
        }
    }

    /// Operations each of which waits for the next, and the last for the first; empty: none.
    std::vector<OperationId> cycle() {
        const std::vector<OperationId> waits_for = all_waits();
        std::vector<OperationId> seen_from(operations_.size(), kNothing);
        for (OperationId start = 0; start < operations_.size(); ++start) {
            OperationId at = start;
            while (at != kNothing && !has_ended_[at] && seen_from[at] == kNothing) {
                seen_from[at] = start;
                at = waits_for[at];
            }
            if (at == kNothing || has_ended_[at] || seen_from[at] != start) continue;
            std::vector<OperationId> found{at};
            for (OperationId next = waits_for[at]; next != at; next = waits_for[next]) {
                found.push_back(next);
            }
            return found;
        }
        return {};
    }

private:
    using Kind = Operation::Kind;
    /// What a receive takes.
    struct Envelope {
        NodeId node;
        NodeId source;
        std::uint32_t tag;
        friend bool operator==(const Envelope& a, const Envelope& b) {
            return a.node == b.node && a.source == b.source && a.tag == b.tag;
        }
    };
    struct EnvelopeHash {
        std::size_t operator()(const Envelope& e) const {
            return split_mix(split_mix(std::uint64_t{e.node} << 32 | e.source) ^ e.tag);
        }
    };
    struct Matching {
        bool has_message = false;
        std::vector<OperationId> receives;  // that wait
    };

    bool has_begun(OperationId id) const { return awaited_[id] == 0; }

    void begin(OperationId id) {
        const Operation& operation = operations_[id];
        happened(id, true);
        if (operation.kind == Kind::kReceive) {
            Matching& matching = matchings_[envelope_of(id)];
            matching.receives.push_back(id);
            if (matching.has_message) serve(matching);
            return;
        }
        end(id);
        if (operation.kind != Kind::kSend) return;
        visit_envelopes(id, [&](const Envelope& envelope) {
            Matching& matching = matchings_[envelope];
            matching.has_message = true;
            serve(matching);
        });
    }

    void serve(Matching& matching) {
        const std::vector<OperationId> served = std::move(matching.receives);
        matching.receives.clear();
        for (const OperationId id : served) end(id);
    }

    void end(OperationId id) {
        has_ended_[id] = true;
        happened(id, false);
    }

    void happened(OperationId id, bool is_begin) {
        operations_.visit_successors(id, [&](const Successor& successor) {
            if (successor.on_begin == is_begin && --awaited_[successor.operation] == 0) {
                ready_.push_back(successor.operation);
            }
        });
    }

    Envelope envelope_of(OperationId receive) const {
        const Operation& operation = operations_[receive];
        return {operations_.node_of(receive), operation.source, operation.tag};
    }
    /// Calls visit() with those of all receives that could take the message of a send.
    template <class Visit>
    void visit_envelopes(OperationId send, const Visit& visit) const {
        const Operation& operation = operations_[send];
        const Transfer message = messages_[operation.message];
        for (const NodeId source : {message.source, kAnySource}) {
            if (source == kAnySource && !has_any_source_) continue;
            visit(Envelope{message.destination, source, operation.tag});
            if (has_any_tag_) visit(Envelope{message.destination, source, kAnyTag});
        }
    }

    /// For each operation that has not ended one that it waits for, if there is any.
    std::vector<OperationId> all_waits() const {
        std::vector<OperationId> waits_for(operations_.size(), kNothing);
        for (OperationId id = 0; id < operations_.size(); ++id) {
            if (has_ended_[id]) continue;
            const bool begun = has_begun(id);
            operations_.visit_successors(id, [&](const Successor& successor) {
                if (!successor.on_begin || !begun) waits_for[successor.operation] = id;
            });
            if (begun || operations_[id].kind != Kind::kSend) continue;
            visit_envelopes(id, [&](const Envelope& envelope) {
                const auto matching = matchings_.find(envelope);
                if (matching == matchings_.end()) return;
                for (const OperationId receive : matching->second.receives) waits_for[receive] = id;
            });
        }
        return waits_for;
    }

    const Operations& operations_;
    const Transfers& messages_;
    std::vector<std::uint32_t> awaited_;  // dependencies that have not happened
    std::vector<bool> has_ended_;
    std::vector<OperationId> ready_;
    bool has_any_source_ = false;  // some receive
    bool has_any_tag_ = false;
    std::unordered_map<Envelope, Matching, EnvelopeHash> matchings_;
};

}  // namespace

std::optional<Diagnostic> find_waiting_cycle(const Operations& operations,
                                             const Transfers& messages, const std::string& source) {
    if (operations.size() > kMostOperations) return std::nullopt;
    const std::vector<OperationId> cycle = Play(operations, messages).cycle();
    if (cycle.empty()) return std::nullopt;
    std::string text = "ranks wait for each other in a dependency cycle: ";
    for (std::size_t i = 0; i < std::min(cycle.size(), kShown); ++i) {
        text += operations.describe(cycle[i]) + " waits for ";
    }
    text += cycle.size() > kShown ? fmt::format("... ({} operations in all)", cycle.size())
                                  : "the first one";
    return Diagnostic{{source, operations.line(cycle.front()), 0},
                      std::move(text),
                      "one of these ranks has to send before it receives"};
}

}  // namespace flitscope
