// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Shows chosen channels as signals: from events, which engines report in the cycle of the event or
// before it, to values that change when simulated time is in that cycle.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/message.h"
#include "models/fabric/observers.h"
#include "testbench/app/package/channel_signals.h"

namespace flitscope {

class Graph;
struct Config;

/// Its work follows the events of the chosen channels.
class SignalledChannels final : public sc_core::sc_module, public ChannelObserver {
public:
    SC_HAS_PROCESS(SignalledChannels);
    /// `patterns` are names of channels, in which `*` stands for any characters. Throws ConfigError
    /// with each that no channel has.
    SignalledChannels(sc_core::sc_module_name name, const Config& config, const Graph& graph,
                      const std::vector<std::string>& patterns);

    /// In order of their numbers.
    const std::vector<std::unique_ptr<ChannelSignals>>& all() const { return signals_; }

    // An event of a cycle that is over is a std::logic_error: no signal changes in the past.
    void on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                  Cycle cycle) override;
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                       std::uint32_t popped_vc, Cycle cycle) override;
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override;
    void on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) override;

private:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    enum class Kind : std::uint8_t { kGrant, kSendBegin, kSendEnd, kRelease };
    struct Event {
        Cycle cycle;
        std::uint32_t place;  ///< of the channel in signals_
        std::uint32_t vc;
        Kind kind;
        Message message;  ///< of a grant
    };
    struct VirtualChannel {
        bool is_held = false;
        bool sends = false;
        Message message;
    };

    void add(ChannelId channel, std::uint32_t vc, Kind kind, Cycle cycle,
             const Message& message = {});
    void wake_for(Cycle cycle);
    void update();
    void take(const Event& event);
    void show(std::uint32_t place);
    VirtualChannel* virtual_channels(std::uint32_t place) {
        return &virtual_channels_[std::size_t{place} * vcs_];
    }

    sc_core::sc_time period_;
    std::uint32_t vcs_;
    std::vector<std::uint32_t> place_of_;  // per channel; kNone: it was not chosen
    std::vector<std::unique_ptr<ChannelSignals>> signals_;
    std::vector<VirtualChannel> virtual_channels_;
    std::deque<Event> waiting_;           // with rising cycles
    std::vector<std::uint32_t> changed_;  // places, some several times
    sc_core::sc_event due_;
};

}  // namespace flitscope
