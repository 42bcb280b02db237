// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plays the operations of one node (hw/TIMING.md, "Operation programs"). It has no clock: it runs
// ahead of the network to the node's next send, and rolls back from there when a message arrives
// before that send begins. So the order in which an engine reports events does not matter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/message.h"
#include "traffic/program/operations.h"

namespace flitscope {

/// State that the players of all nodes share.
class OperationRun {
public:
    /// `operations`, which validate() accepts, must outlive the run; times in cycles.
    OperationRun(const Operations& operations, Cycle send_overhead, Cycle recv_overhead);

    const Operations& operations() const { return operations_; }
    Cycle send_overhead() const { return send_overhead_; }
    Cycle recv_overhead() const { return recv_overhead_; }

private:
    friend class OperationPlayer;

    const Operations& operations_;
    Cycle send_overhead_;
    Cycle recv_overhead_;
    std::vector<std::uint32_t> waits_;  // per operation: dependencies that are open
    std::vector<OperationId> send_of_;  // per message
    /// The kinds of matching that receives use, each once: by source or not, by tag or not.
    std::vector<std::pair<bool, bool>> names_;
    ForgetfulReading<Operations> reading_;
};

class OperationPlayer {
public:
    struct Send {
        MessageId message = kNoMessage;
        Cycle begin = 0;
    };

    /// `run` must outlive the player. All players of a run are for different nodes.
    OperationPlayer(OperationRun& run, NodeId node);

    /// The node's next send, as far as known: the first not yet handed over. Nothing while the node
    /// waits, or has finished.
    std::optional<Send> next();
    /// next() has been given to the network interface.
    void hand_over() { ++handed_; }
    /// The interface can take another message; the tail of this one was injected in `cycle`, or
    /// will be.
    void injected(const Message& message, Cycle cycle);
    /// A message arrived in `cycle`, later than all before. Returns whether the send handed over
    /// last, not yet begun, is open again: next() gives the one that comes first now.
    bool delivered(const Message& message, Cycle cycle);

    /// Does all that can be done without further messages. Only after the run has ended, for any
    /// reason.
    void finish();
    /// Whether all operations have completed, and the cycle from which on that is so.
    bool has_finished() const { return completed_ == last_ - first_; }
    Cycle end() const { return end_; }
    OperationId operations() const { return last_ - first_; }
    /// The reason why the node waits; call after finish(). Empty if the node has finished.
    std::string waiting_for() const;

private:
    using Key = std::array<std::uint64_t, 4>;
    using Keys = std::set<Key>;
    enum Event : std::uint64_t { kReleased, kInjected, kDelivered };  // per cycle, in this order

    /// Undoes speculative steps.
    class Journal {
    public:
        void insert(Keys& keys, const Key& key) {
            if (keys.insert(key).second) changes_.push_back({&keys, nullptr, nullptr, key, true});
        }
        void erase(Keys& keys, const Key& key) {
            if (keys.erase(key) != 0) changes_.push_back({&keys, nullptr, nullptr, key, false});
        }
        void assign(std::uint64_t& word, std::uint64_t value) {
            changes_.push_back({nullptr, &word, nullptr, {word}, false});
            word = value;
        }
        void assign(std::uint32_t& word, std::uint32_t value) {
            changes_.push_back({nullptr, nullptr, &word, {word}, false});
            word = value;
        }
        void commit() { changes_.clear(); }
        void roll_back();

    private:
        struct Change {
            Keys* keys;
            std::uint64_t* word;
            std::uint32_t* half;
            Key old;
            bool is_inserted;
        };
        std::vector<Change> changes_;
    };

    /// A stream of the node; receives are posted on the first, which is never busy.
    struct Stream {
        Keys ready;  // {cycle, operation}
        std::uint64_t busy = 0;
    };

    bool step();
    void keep_up(Cycle cycle);
    bool begin_next();
    void begin(OperationId id);
    void post(OperationId id);
    void arrive(MessageId message, NodeId source);
    void apply(const Key& event);
    void complete(OperationId id);
    void meet_dependencies(OperationId id, bool on_begin);
    void make_ready(OperationId id);
    void process(OperationId id);
    std::optional<Key> find_posted(NodeId source, std::uint32_t tag) const;
    std::optional<Key> find_arrived(const Operation& receive) const;
    template <class Visit>
    void visit_names(NodeId source, std::uint32_t tag, Visit visit) const;
    const Operation& operation(OperationId id) const { return run_.operations_[id]; }
    Send& begun(std::uint64_t number) { return begun_[number % begun_.size()]; }

    OperationRun& run_;
    NodeId node_;
    OperationId first_;
    OperationId last_;
    Journal journal_;
    std::vector<Stream> streams_;
    Keys events_;  // {cycle, Event, operation or message, source of the message}
    Keys posted_;  // {source, tag, sequence, operation}
    /// One key for every name by which a receive may match a message: {source or kAnySource, tag or
    /// kAnyTag, sequence, source << 32 | message}.
    Keys arrived_;
    // At most one of the sends begun has not been handed over, and one can be undone.
    std::array<Send, 2> begun_;  // the last of them, by number
    std::uint64_t begun_count_ = 0;
    std::uint64_t handed_ = 0;
    std::uint64_t now_ = 0;  // played until here
    std::uint64_t sequence_ = 0;
    std::uint64_t completed_ = 0;
    std::uint64_t end_ = 0;
};

}  // namespace flitscope
