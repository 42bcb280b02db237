// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Shows chosen channels as signals: from the events that an engine reports when simulated time is
// in their cycle, in whatever process, to values that a process of this module writes.
#pragma once

#include <cstdint>
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

    // An event of another cycle than simulated time is in is a std::logic_error: a signal changes
    // now. Engines that have the kernel to themselves may run ahead of it; none in a Network does.
    void on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                  Cycle cycle) override;
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                       std::uint32_t popped_vc, Cycle cycle) override;
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override;
    void on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) override;

private:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    struct VirtualChannel {
        bool is_held = false;
        bool sends = false;
        Message message;
    };

    /// Null if the channel was not chosen. Otherwise it will be shown.
    VirtualChannel* changed(ChannelId channel, std::uint32_t vc, Cycle cycle);
    void update();
    void show(std::uint32_t place);

    sc_core::sc_time period_;
    std::uint32_t vcs_;
    std::vector<std::uint32_t> place_of_;  // per channel; kNone: it was not chosen
    std::vector<std::unique_ptr<ChannelSignals>> signals_;
    std::vector<VirtualChannel> virtual_channels_;
    std::vector<std::uint32_t> changed_;  // places, some several times
    sc_core::sc_event due_;
};

}  // namespace flitscope
