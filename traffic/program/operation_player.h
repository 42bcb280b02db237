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
#include "models/config/packet_format.h"
#include "models/fabric/message.h"
#include "traffic/program/operation_observer.h"
#include "traffic/program/operations.h"
#include "traffic/program/rank_times.h"
#include "traffic/program/transfers.h"

namespace flitscope {

/// State that the players of all nodes share.
class OperationRun {
public:
    /// `operations`, which validate() accepts, must outlive the run; times in cycles. On several
    /// planes `messages`, which must outlive it too, says which one a message crosses, and sends
    /// are complete once they have been buffered. `observer`, unless it is null, outlives it, too.
    /// `format` gives the flits of messages, which receives with ReceiveTime::kTransfer need; these
    /// throw std::invalid_argument without `messages`.
    OperationRun(const Operations& operations, Cycle send_overhead, Cycle recv_overhead,
                 const Transfers* messages = nullptr, OperationObserver* observer = nullptr,
                 const PacketFormat& format = {});

    const Operations& operations() const { return operations_; }
    /// Whether receives begin with the first flit of their message (OperationPlayer::arriving()).
    bool hears_heads() const { return operations_.receive_time == ReceiveTime::kTransfer; }
    /// How long an operation keeps its stream, at least: for a receive that hears_heads() without
    /// the time of the flits of its message.
    Cycle busy_cycles(const Operation& operation) const {
        return flitscope::busy_cycles(operation, send_overhead_, recv_overhead_);
    }
    /// The same of a receive that hears_heads(), for that message.
    Cycle receive_cycles(MessageId message) const;
    /// Those that messages cross, from 0 on.
    std::uint32_t planes() const { return planes_; }
    std::uint8_t plane(MessageId message) const {
        return planes_ == 1 ? std::uint8_t{0} : messages_->plane(message);
    }

private:
    friend class OperationPlayer;

    const Operations& operations_;
    const Transfers* messages_;
    OperationObserver* observer_;  // null: nobody watches
    std::uint32_t planes_ = 1;
    Cycle send_overhead_;
    Cycle recv_overhead_;
    PacketFormat format_;
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
    /// waits, has finished, or has a message at each interface that is still going to get one.
    std::optional<Send> next();
    /// next() has been given to the network interface.
    void hand_over();
    /// The interface can take another message; the tail of this one was injected in `cycle`, or
    /// will be.
    void injected(const Send& send, Cycle cycle);
    /// A message arrived in `cycle`; so did all before, or earlier. Returns how many of the sends
    /// handed over, the last ones, are open again, since they have not begun: next() gives what
    /// comes in their place.
    std::size_t delivered(const Message& message, Cycle cycle);
    /// In a run that hears_heads(), before delivered(): the first flit of a message arrived in
    /// `cycle`; so did all before, or earlier. What happened in the cycle before may be told later.
    /// Returns the same.
    std::size_t arriving(const Message& message, Cycle cycle);

    /// Does all that can be done without further messages. Only after the run has ended, for any
    /// reason.
    void finish();
    /// Whether all operations have completed, and the cycle from which on that is so.
    bool has_finished() const { return completed_ == last_ - first_; }
    Cycle end() const { return end_; }
    /// What the node did until then; after finish().
    const RankTimes& times() const { return times_; }
    OperationId operations() const { return last_ - first_; }
    /// The reason why the node waits; call after finish(). Empty if the node has finished.
    std::string waiting_for() const;

private:
    using Key = std::array<std::uint64_t, 4>;
    using Keys = std::set<Key>;
    /// Per cycle, in this order.
    enum Event : std::uint64_t { kReleased, kInjected, kArriving, kDelivered };

    /// Undoes speculative steps, each of a cycle.
    class Journal {
    public:
        /// What follows is of that cycle.
        void enter(std::uint64_t cycle) { cycle_ = cycle; }
        void insert(Keys& keys, const Key& key) {
            if (keys.insert(key).second) note({&keys, nullptr, nullptr, key, true});
        }
        void erase(Keys& keys, const Key& key) {
            if (keys.erase(key) != 0) note({&keys, nullptr, nullptr, key, false});
        }
        void assign(std::uint64_t& word, std::uint64_t value) {
            note({nullptr, &word, nullptr, {word}, false});
            word = value;
        }
        void assign(std::uint32_t& word, std::uint32_t value) {
            note({nullptr, nullptr, &word, {word}, false});
            word = value;
        }
        /// What was done up to `cycle` is not going to be undone.
        void commit(std::uint64_t cycle);
        /// Undoes what was done after `cycle`.
        void roll_back(std::uint64_t cycle);

    private:
        struct Change {
            Keys* keys;
            std::uint64_t* word;
            std::uint32_t* half;
            Key old;
            bool is_inserted;
            std::uint64_t cycle = 0;
        };
        void note(Change change) {
            change.cycle = cycle_;
            changes_.push_back(change);
        }
        std::vector<Change> changes_;  // in the order of their cycles
        std::uint64_t cycle_ = 0;
    };

    /// What the interface to a plane has of this node.
    struct Plane {
        std::uint32_t left = 0;  ///< sends that it is going to get
        std::uint32_t open = 0;  ///< those it has, not wholly injected
    };

    /// A stream of the node; receives are posted on the first, which is never busy.
    struct Stream {
        Keys ready;  // {cycle, operation, its message}
        std::uint64_t busy = 0;
    };

    bool is_served() const;
    Plane& plane_of(const Send& send) { return planes_[run_.plane(send.message)]; }
    bool step();
    void enter(std::uint64_t cycle);
    void commit(Cycle cycle);
    void note(OperationEvent::Kind kind, OperationId id, MessageId message = kNoMessage,
              Cycle until = 0, Cycle since = 0);
    void tell(OperationEvent event);
    void keep_up(Cycle cycle);
    std::size_t hear(Event event, const Message& message, Cycle cycle, Cycle certain);
    bool begin_next();
    Cycle keeps_until(OperationId id, MessageId message);
    void begin(OperationId id, MessageId message);
    void post(OperationId id);
    void arrive(MessageId message, NodeId source);
    void be_whole(MessageId message);
    void apply(const Key& event);
    void complete(OperationId id);
    void meet_dependencies(OperationId id, bool on_begin);
    void make_ready(OperationId id);
    void process(OperationId id, MessageId message);
    std::optional<Key> find_posted(NodeId source, std::uint32_t tag) const;
    std::optional<Key> find_arrived(const Operation& receive) const;
    template <class Visit>
    void visit_names(NodeId source, std::uint32_t tag, Visit visit) const;
    const Operation& operation(OperationId id) const { return run_.operations_[id]; }
    Send& begun(std::uint64_t number) { return begun_[number - first_begun_]; }

    OperationRun& run_;
    NodeId node_;
    OperationId first_;
    OperationId last_;
    Journal journal_;
    std::vector<OperationEvent> noted_;  // in order, those that can still be undone
    RankTimes times_;                    // of the others
    std::vector<Stream> streams_;
    Keys events_;  // {cycle, Event, operation or message, source of the message}
    // With ReceiveTime::kTransfer, of messages whose first flit has come:
    Keys whole_;   // {message}: all of it is there, and no receive has begun with it
    Keys coming_;  // {message, receive that has begun with it, when}: not all of it is there
    Keys posted_;  // {source, tag, sequence, operation}
    /// One key for every name by which a receive may match a message: {source or kAnySource, tag or
    /// kAnyTag, sequence, source << 32 | message}.
    Keys arrived_;
    std::vector<Plane> planes_;
    std::vector<Send> begun_;  // by number, from the first one on that can be undone
    std::uint64_t first_begun_ = 0;
    std::uint64_t begun_count_ = 0;
    std::uint64_t handed_ = 0;
    std::uint64_t now_ = 0;           // played until here
    std::uint64_t arrival_ = kNever;  // the cycle in which a message arrived last
    std::uint64_t sequence_ = 0;
    std::uint64_t completed_ = 0;
    std::uint64_t end_ = 0;
};

}  // namespace flitscope
