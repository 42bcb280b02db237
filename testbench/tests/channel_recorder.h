// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Records everything that a fabric reports, in a form that can be compared with the golden model:
// the busy intervals of every channel and the times of every packet.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "models/fabric/observers.h"
#include "testbench/golden/golden_model.h"

namespace flitscope {

class ChannelRecorder final : public ChannelObserver {
public:
    ChannelRecorder(ChannelId channels, std::uint32_t virtual_channels)
        : vcs_(virtual_channels),
          busy_(channels),
          open_(static_cast<std::size_t>(channels) * vcs_, kNever),
          owned_(open_.size(), false) {}

    void on_grant(ChannelId channel, std::uint32_t vc, const Message&, Cycle cycle) override {
        require(!owned_[at(channel, vc)], "granted twice");
        owned_[at(channel, vc)] = true;
        forward(cycle);
    }
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId, std::uint32_t,
                       Cycle cycle) override {
        require(owned_[at(channel, vc)], "sends without a grant");
        require(open_[at(channel, vc)] == kNever, "sends twice");
        open_[at(channel, vc)] = cycle;
        forward(cycle);
    }
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        const Cycle first = open_[at(channel, vc)];
        require(first != kNever && first < cycle, "ends what did not begin");
        open_[at(channel, vc)] = kNever;
        busy_[channel].push_back({first, cycle});
        forward(cycle);
    }
    void on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        require(owned_[at(channel, vc)] && open_[at(channel, vc)] == kNever, "released");
        owned_[at(channel, vc)] = false;
        forward(cycle);
    }

    /// Maximal runs of cycles in which the channel sends, whichever virtual channel it is.
    std::vector<BusyInterval> busy(ChannelId channel) const {
        std::vector<BusyInterval> all = busy_[channel];
        std::sort(all.begin(), all.end(),
                  [](const BusyInterval& a, const BusyInterval& b) { return a.first < b.first; });
        std::vector<BusyInterval> merged;
        for (const BusyInterval& i : all) {
            if (!merged.empty() && merged.back().last_plus_one == i.first) {
                merged.back().last_plus_one = i.last_plus_one;
            } else {
                merged.push_back(i);
            }
        }
        return merged;
    }

private:
    std::size_t at(ChannelId channel, std::uint32_t vc) const {
        return static_cast<std::size_t>(channel) * vcs_ + vc;
    }
    void forward(Cycle cycle) {
        require(cycle >= now_, "reported late");
        now_ = cycle;
    }
    static void require(bool condition, const char* what) {
        if (!condition) throw std::logic_error(what);
    }

    std::uint32_t vcs_;
    std::vector<std::vector<BusyInterval>> busy_;
    std::vector<Cycle> open_;
    std::vector<bool> owned_;
    Cycle now_ = 0;
};

class PacketRecorder final : public PacketObserver {
public:
    void on_packet(const PacketRecord& p) override { packets_.push_back(p); }

    /// By message, then packet number.
    const std::vector<PacketRecord>& sorted() {
        std::sort(packets_.begin(), packets_.end(),
                  [](const PacketRecord& a, const PacketRecord& b) {
                      return std::tie(a.message.id, a.index) < std::tie(b.message.id, b.index);
                  });
        return packets_;
    }

private:
    std::vector<PacketRecord> packets_;
};

}  // namespace flitscope
