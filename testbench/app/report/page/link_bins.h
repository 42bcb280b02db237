// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Activity of each link over time, in bins: cycles in which it is busy (it sends a flit) or blocked
// (packets hold it, and none of them moves). Memory is bounded whatever the length of the run: when
// it outgrows the bins, neighbours become one and all are twice as wide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/fabric/observers.h"

namespace flitscope {

/// Bins of equal width from cycle 0 on, for this many links.
class LinkBins final : public ChannelObserver {
public:
    LinkBins(LinkId links, std::size_t most_bins);
    /// Bins that keep the memory, and the page that is made of them, within bounds: 256, less for
    /// networks of more than 8192 links, 16 at least.
    static std::size_t most_bins(LinkId links);

    void on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                  Cycle cycle) override;
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                       std::uint32_t popped_vc, Cycle cycle) override;
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override;
    void on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) override;

    /// Ends everything that is still open in `end`, the number of cycles simulated.
    void finish(Cycle end);

    // Once that is done.
    Cycle width() const { return width_; }  ///< cycles per bin, a power of two
    std::size_t count() const;              ///< bins, at least 1
    /// Busy cycles, in each of which one flit was sent.
    std::uint64_t busy(LinkId link, std::size_t bin) const { return bins_[at(link, bin)].busy; }
    std::uint64_t blocked(LinkId link, std::size_t bin) const {
        return bins_[at(link, bin)].blocked;
    }

private:
    struct Bin {
        std::uint64_t busy = 0;
        std::uint64_t blocked = 0;
    };
    struct State {
        Cycle since = 0;
        std::uint32_t held = 0;     // virtual channels that belong to packets
        std::uint32_t sending = 0;  // at most 1 but within a cycle, whose calls come in any order
    };

    std::size_t at(LinkId link, std::size_t bin) const { return link * most_ + bin; }
    /// Null for an injection or ejection channel.
    State* until(ChannelId channel, Cycle cycle);
    void account(LinkId link, State& state, Cycle cycle);
    void add(LinkId link, Cycle from, Cycle to, std::uint64_t Bin::*share);
    void widen();

    std::size_t most_;
    Cycle width_ = 1;
    Cycle end_ = 0;
    std::vector<State> states_;
    std::vector<Bin> bins_;  // per link
};

}  // namespace flitscope
