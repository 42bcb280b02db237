// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Events of a run, each with the one that let it happen. From time to time all events are forgotten
// to which no path from the present leads, so a long run needs memory for what is under way and for
// the paths that led there, most of which they share.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "testbench/app/explain/cause.h"
#include "traffic/program/operations.h"

namespace flitscope {

/// Something that happened in `cycle`, and not earlier because of what `because` had been doing
/// until `before`. The cycles from `since` on count for `cause`.
struct Event {
    Cycle cycle = 0;
    Cycle before = 0;  ///< a cycle of `because`
    /// No later than `before`: a wait for others begins when the packet could have gone on without
    /// them, whatever these did in the meantime.
    Cycle since = 0;
    ChannelId channel = kNoChannel;  ///< the channel at which the cycles passed
    /// The channel that sends flits of `message` from `cycle` on, one per cycle.
    ChannelId sends = kNoChannel;
    MessageId message = kNoMessage;
    MessageId holder = kNoMessage;  ///< the message that was waited for
    Cause cause = Cause::kTraversal;
    /// The operation of a node that took the cycles; none if a message did.
    OperationId operation = kNoOperation;
};

/// Cycles of a path: `from` .. `to` - 1.
struct PathSegment {
    Cycle from = 0;
    Cycle to = 0;  ///< equal to `from` for a dependency
    Cause cause = Cause::kTraversal;
    ChannelId channel = kNoChannel;  ///< kNoChannel: in the node
    MessageId message = kNoMessage;
    MessageId holder = kNoMessage;
    OperationId operation = kNoOperation;

    Cycle length() const { return to - from; }
};

class EventGraph {
public:
    /// The number of an event, which may be forgotten unless a holder marks it.
    class Handle {
    public:
        Handle() = default;
        explicit operator bool() const { return id_ != kNone; }
        friend bool operator==(Handle a, Handle b) { return a.id_ == b.id_; }

    private:
        friend class EventGraph;
        explicit Handle(std::uint32_t id) : id_(id) {}

        std::uint32_t id_ = kNone;
    };
    /// Keeps events over calls of prune().
    class Holder {
    public:
        virtual void mark_events(EventGraph& graph) const = 0;

    protected:
        ~Holder() = default;
    };

    EventGraph() = default;
    EventGraph(const EventGraph&) = delete;
    EventGraph& operator=(const EventGraph&) = delete;

    /// Registers a holder, which must live as long as prune() is called.
    void add_holder(const Holder& holder) { holders_.push_back(&holder); }

    /// Adds an event. `because` may be empty: the start of the run.
    Handle add(const Event& event, Handle because) {
        if (free_ == kNone) {
            events_.push_back({event, because.id_, 0});
            return Handle(static_cast<std::uint32_t>(events_.size() - 1));
        }
        const std::uint32_t id = free_;
        free_ = events_[id].because;
        events_[id] = {event, because.id_, 0};
        return Handle(id);
    }
    /// Adds an event of which only is known that it will happen.
    Handle announce() {
        Event event;
        event.cycle = kNever;
        return add(event, {});
    }
    /// Fills in an announced event that has happened.
    void complete(Handle announced, const Event& event, Handle because) {
        events_[announced.id_] = {event, because.id_, 0};
    }

    const Event& operator[](Handle handle) const { return events_[handle.id_].event; }

    /// Forgets, if many have gathered, all events but those that are held and those that led to
    /// them. Call only when no handles but those of holders are in use.
    void prune() {
        if (free_ == kNone && events_.size() >= limit_) forget_unmarked();
    }
    /// Called by holders: keeps the event of `handle`, which may be empty.
    void mark(Handle handle) {
        ++marked_;
        for (std::uint32_t id = handle.id_; id != kNone; id = events_[id].because) {
            if (events_[id].mark == round_) return;
            events_[id].mark = round_;
            ++kept_;
        }
    }

    /// The path from the start of the run to `last`. The segments follow each other without gaps
    /// from cycle 0 to that of `last`; neighbours that differ only in their cycles are merged.
    std::vector<PathSegment> path_to(Handle last) const;

    /// Calls visit(segment, from) for all that may count along the path to `last`, from its end on:
    /// the segment, without its cycles, counts from cycle `from` on, up to those that one before
    /// has counted. Ends if that returns false. False if an event on the way is only announced.
    template <class Visit>
    bool follow_back(Handle last, const Visit& visit) const;

    /// The events of the path to `last`, in order, each with the one before it as its cause.
    std::vector<Event> events_to(Handle last) const;

    /// The most memory that events have taken so far.
    std::uint64_t peak_bytes() const { return events_.size() * sizeof(Kept); }

private:
    static constexpr std::uint32_t kNone = UINT32_MAX;
    struct Kept {
        Event event;
        std::uint32_t because = kNone;  // in a free place: the next free one
        std::uint32_t mark = 0;         // the last round in which it was held
    };

    void forget_unmarked();

    std::vector<Kept> events_;
    std::vector<const Holder*> holders_;
    std::uint32_t free_ = kNone;
    std::uint32_t round_ = 0;
    // So many places, all of them used, before it is worth looking for those that are free again.
    std::size_t limit_ = 64;
    std::size_t marked_ = 0;  // in this round, by holders,
    std::size_t kept_ = 0;    // and with what led there
};

template <class Visit>
bool EventGraph::follow_back(Handle last, const Visit& visit) const {
    Cycle at = kNever;  // how far the event at hand had got when it mattered
    for (std::uint32_t id = last.id_; id != kNone; id = events_[id].because) {
        const Event& event = events_[id].event;
        if (event.cycle == kNever) return false;
        PathSegment segment;
        segment.message = event.message;
        if (at != kNever && at > event.cycle) {
            segment.cause = Cause::kSerialization;
            segment.channel = event.sends;
            if (!visit(segment, event.cycle)) return true;
        }
        segment.cause = event.cause;
        segment.channel = event.channel;
        segment.holder = event.holder;
        segment.operation = event.operation;
        if (!visit(segment, event.since)) return true;
        at = event.before;
    }
    return true;
}

}  // namespace flitscope
