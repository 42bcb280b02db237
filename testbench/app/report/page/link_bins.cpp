// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/page/link_bins.h"

#include <algorithm>

namespace flitscope {

LinkBins::LinkBins(LinkId links, std::size_t most_bins)
    : most_(most_bins), states_(links), bins_(links * most_bins) {}

std::size_t LinkBins::most_bins(LinkId links) {
    constexpr std::size_t kMost = 1U << 21;  // for all links: 32 MiB here, some 4 MB of a page
    std::size_t bins = 256;
    while (bins > 16 && bins * links > kMost) bins /= 2;
    return bins;
}

void LinkBins::on_grant(ChannelId channel, std::uint32_t, const Message&, Cycle cycle) {
    if (State* const state = until(channel, cycle)) ++state->held;
}

void LinkBins::on_send_begin(ChannelId channel, std::uint32_t, ChannelId, std::uint32_t,
                             Cycle cycle) {
    if (State* const state = until(channel, cycle)) ++state->sending;
}

void LinkBins::on_send_end(ChannelId channel, std::uint32_t, Cycle cycle) {
    if (State* const state = until(channel, cycle)) --state->sending;
}

void LinkBins::on_release(ChannelId channel, std::uint32_t, Cycle cycle) {
    if (State* const state = until(channel, cycle)) --state->held;
}

void LinkBins::finish(Cycle end) {
    end_ = end;
    for (LinkId link = 0; link < states_.size(); ++link) account(link, states_[link], end);
    while (width_ * most_ < end_) widen();  // nothing happened lately
}

std::size_t LinkBins::count() const {
    return std::max<std::size_t>((end_ + width_ - 1) / width_, 1);
}

LinkBins::State* LinkBins::until(ChannelId channel, Cycle cycle) {
    if (channel >= states_.size()) return nullptr;
    account(channel, states_[channel], cycle);
    return &states_[channel];
}

void LinkBins::account(LinkId link, State& state, Cycle cycle) {
    if (cycle <= state.since) return;
    if (state.sending != 0) {
        add(link, state.since, cycle, &Bin::busy);
    } else if (state.held != 0) {
        add(link, state.since, cycle, &Bin::blocked);
    }
    state.since = cycle;
}

void LinkBins::add(LinkId link, Cycle from, Cycle to, std::uint64_t Bin::*share) {
    while (width_ * most_ < to) widen();
    while (from < to) {
        const std::size_t bin = from / width_;
        const Cycle next = std::min<Cycle>((bin + 1) * width_, to);
        bins_[at(link, bin)].*share += next - from;
        from = next;
    }
}

void LinkBins::widen() {
    width_ *= 2;
    for (LinkId link = 0; link < states_.size(); ++link) {
        Bin* const bins = &bins_[at(link, 0)];
        for (std::size_t i = 0; i < most_; ++i) {
            const std::size_t first = 2 * i;
            bins[i] = first < most_ ? Bin{bins[first].busy + bins[first + 1].busy,
                                          bins[first].blocked + bins[first + 1].blocked}
                                    : Bin{};
        }
    }
}

}  // namespace flitscope
