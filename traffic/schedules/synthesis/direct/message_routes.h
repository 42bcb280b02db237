// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The ways of messages that go to their destinations at once, on the fabric's routes, and the
// occupancy of channels by a message that never waits (hw/TIMING.md).
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "models/routing/routing.h"
#include "traffic/schedules/synthesis/task/collective.h"

namespace flitscope {
class Graph;
struct HardwareConfig;
}  // namespace flitscope

namespace flitscope::synthesis {

/// The paths of the messages of a task whose chunks go from one node to one other (kAllToAll,
/// kScatter), on a machine whose nodes have one channel each way and whose routing is fixed.
/// Message m brings chunk m.
class MessageRoutes {
public:
    MessageRoutes(const Task& task, const HardwareConfig& config, const Graph& graph,
                  const Routing& routing);

    /// The use of a channel by a message or one of its packets, in cycles after the start of the
    /// send.
    struct Use {
        ChannelId channel = 0;
        std::uint32_t stay = 0;  ///< which of the few lengths that stays have
        Cycle offset = 0;
    };
    /// The channels of one message: the injection channel, links, the ejection channel. If a node
    /// assembles packets slower than links carry them, others can pass between them: then links and
    /// the ejection channel are listed once for each packet.
    class Uses {
    public:
        Uses(const Use* first, const Use* last) : first_(first), last_(last) {}
        const Use* begin() const { return first_; }
        const Use* end() const { return last_; }
        std::size_t size() const { return static_cast<std::size_t>(last_ - first_); }
        const Use& operator[](std::size_t i) const { return first_[i]; }

    private:
        const Use* first_;
        const Use* last_;
    };

    std::size_t messages() const { return first_.size() - 1; }
    std::size_t channels() const { return least_busy_.size(); }
    Uses of(std::size_t message) const {
        return {&uses_[first_[message]], uses_.data() + first_[message + 1]};
    }
    /// Cycles for which a message, or a packet if those are listed, keeps the channel, or longer:
    /// by the slowest channel of its path, and until the next one finds room.
    Cycle busy(const Use& use) const { return lengths_[use.stay]; }
    Cycle length_of(std::uint32_t stay) const { return lengths_[stay]; }
    /// The least of all messages that use the channel.
    Cycle least_busy(ChannelId channel) const { return least_busy_[channel]; }
    /// Cycles from the start of its send up to and including that of its delivery. Exact if
    /// messages are one packet or their packets are listed, and chunks are equal in flits;
    /// otherwise an upper bound.
    Cycle duration(std::size_t message) const { return durations_[message]; }
    /// No timetable of chunks like the longest ends sooner: the load of the fullest channel, and
    /// the shortest ways to it and from it.
    Cycle least_end() const { return least_end_; }

private:
    void use(ChannelId channel, Cycle offset, Cycle busy);
    Cycle find_least_end() const;

    std::vector<Use> uses_;
    std::vector<std::size_t> first_;  // range of a message in uses_
    std::vector<Cycle> lengths_;      // lengths of stays
    std::vector<Cycle> least_busy_;   // per channel
    std::vector<Cycle> durations_;
    Cycle least_end_ = 0;
};

}  // namespace flitscope::synthesis
