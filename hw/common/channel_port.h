// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The place where a channel is bound to a router. Not an sc_port: with their entries in the
// kernel's tables, those would take a quarter of the memory of a large network.
#pragma once

#include <stdexcept>

namespace flitscope::hw {

/// The place of one `Interface` (FlitSource, FlitSink, ...), which is bound before elaboration is
/// complete.
template <class Interface>
class ChannelPort {
public:
    /// Throws std::logic_error if a channel is bound already.
    void bind(Interface& channel) {
        if (channel_ != nullptr) throw std::logic_error("ChannelPort: bound twice");
        channel_ = &channel;
    }
    /// The channel that is bound here, or null.
    Interface* channel() const { return channel_; }

private:
    Interface* channel_ = nullptr;
};

}  // namespace flitscope::hw
