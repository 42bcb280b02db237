// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Channels of a network as signals of SystemC: for sc_trace(), and for processes of your own.
#pragma once

#include <string>
#include <systemc>
#include <utility>

#include "models/base/types.h"

namespace flitscope {

/// What a channel does in the cycle that simulated time is in, as waveforms show it
/// (waveforms/README.md): cycle t is from t x `clock_ns` on, and the signals have its values from
/// then on, two delta cycles later. They are read only. With several virtual channels `message` and
/// what follows it are those of the packet that sends, or of the first one that waits.
struct ChannelSignals {
    ChannelSignals(std::string its_name, ChannelId its_channel)
        : name(std::move(its_name)), channel(its_channel) {}

    std::string name;   ///< ChannelMap::name(): "link_005_007", "inject_005", "eject_005"
    ChannelId channel;  ///< its number

    sc_core::sc_signal<bool> busy{(name + "_busy").c_str()};        ///< it sends a flit
    sc_core::sc_signal<bool> blocked{(name + "_blocked").c_str()};  ///< held; nothing is sent
    /// The message of the packet that holds it; kNoMessage: none does.
    sc_core::sc_signal<MessageId> message{(name + "_message").c_str(), kNoMessage};
    sc_core::sc_signal<NodeId> source{(name + "_source").c_str(), kNoNode};  ///< or kNoNode
    sc_core::sc_signal<NodeId> destination{(name + "_destination").c_str(), kNoNode};
};

/// Traces all of them, as NAME_busy, NAME_blocked and so on.
void sc_trace(sc_core::sc_trace_file* file, const ChannelSignals& signals, const std::string& name);

}  // namespace flitscope
