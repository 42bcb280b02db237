// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Events of a run, each with the one that let it happen. Only what a path from the present can
// still lead to is kept: an event goes when nobody refers to it any more, so a long run needs
// memory for what is under way and for the ways that led there, most of which they share.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "models/base/slot_pool.h"
#include "models/base/types.h"
#include "testbench/explain/cause.h"

namespace flitscope {

inline constexpr ChannelId kNoChannel = UINT32_MAX;

/// Something that happened in `cycle`, and not earlier because of what `because` had been doing
/// until `before`. The cycles from `since` on count for `cause`.
struct Event {
    Cycle cycle = 0;
    Cycle before = 0;  ///< a cycle of `because`
    /// No later than `before`: whoever waits for others does so from when it could have gone on but
    /// for them, whatever these did meanwhile.
    Cycle since = 0;
    ChannelId channel = kNoChannel;  ///< where the cycles went
    /// The channel that sends flits of `message` from `cycle` on, one per cycle.
    ChannelId sends = kNoChannel;
    MessageId message = kNoMessage;
    MessageId holder = kNoMessage;  ///< the one that was waited for
    Cause cause = Cause::kMoving;
};

/// Cycles of a path: `from` .. `to` - 1.
struct PathSegment {
    Cycle from = 0;
    Cycle to = 0;  ///< of a dependency equal to `from`
    Cause cause = Cause::kMoving;
    ChannelId channel = kNoChannel;  ///< kNoChannel: in the node
    MessageId message = kNoMessage;
    MessageId holder = kNoMessage;

    Cycle length() const { return to - from; }
};

class EventGraph {
public:
    /// A share in an event, which is kept as long as anybody has one.
    class Handle {
    public:
        Handle() = default;
        Handle(const Handle& other) : graph_(other.graph_), id_(other.id_) {
            if (graph_ != nullptr) ++graph_->events_[id_].shares;
        }
        Handle(Handle&& other) noexcept
            : graph_(std::exchange(other.graph_, nullptr)), id_(other.id_) {}
        Handle& operator=(Handle other) noexcept {
            std::swap(graph_, other.graph_);
            std::swap(id_, other.id_);
            return *this;
        }
        ~Handle() {
            if (graph_ != nullptr && --graph_->events_[id_].shares == 0) graph_->forget(id_);
        }

        explicit operator bool() const { return graph_ != nullptr; }
        const Event& operator*() const { return graph_->events_[id_].event; }
        const Event* operator->() const { return &**this; }
        friend bool operator==(const Handle& a, const Handle& b) {
            return a.graph_ == b.graph_ && a.id_ == b.id_;
        }

    private:
        friend class EventGraph;
        Handle(EventGraph& graph, std::uint32_t id) : graph_(&graph), id_(id) {}

        EventGraph* graph_ = nullptr;
        std::uint32_t id_ = 0;
    };

    EventGraph() = default;
    EventGraph(const EventGraph&) = delete;
    EventGraph& operator=(const EventGraph&) = delete;

    /// `because` may be empty: the begin of the run.
    Handle add(const Event& event, Handle because);
    /// An event of which nothing is known yet but that it will happen.
    Handle announce() { return add({}, {}); }
    /// What was announced has happened.
    void complete(const Handle& announced, const Event& event, Handle because);

    /// The way to `last` from the begin of the run. The segments follow each other without gaps
    /// from cycle 0 to that of `last`; neighbours of which only the cycles differ are one.
    std::vector<PathSegment> path_to(const Handle& last) const;

    /// The events of that way, from the first to `last`, each with the one before it as its cause.
    std::vector<Event> events_to(const Handle& last) const;

    /// The most memory that events have taken so far.
    std::uint64_t peak_bytes() const { return peak_ * sizeof(Kept); }

private:
    static constexpr std::uint32_t kNone = UINT32_MAX;
    struct Kept {
        Event event;
        std::uint32_t because = kNone;
        std::uint32_t shares = 0;  // handles, and events because of this one
    };

    void forget(std::uint32_t id);

    SlotPool<Kept> events_;
    std::uint64_t peak_ = 0;
};

}  // namespace flitscope
