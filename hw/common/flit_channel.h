// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The flit seam: the ports at which routers, network interfaces and channels meet. A channel is a
// separate object, so that any router description can be bound at either end.
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "hw/common/ejection_sink.h"
#include "hw/common/flit_buffer.h"
#include "models/fabric/channel_timing.h"

namespace flitscope::hw {

/// The sending end of a channel.
class FlitSink : public virtual sc_core::sc_interface {
public:
    /// The buffer of virtual channel `vc`, to be used by its writer's side only.
    virtual FlitBuffer& sink(std::uint32_t vc) = 0;
};

/// The receiving end of a channel.
class FlitSource : public virtual sc_core::sc_interface {
public:
    /// The buffer of virtual channel `vc`, to be used by its reader's side only.
    virtual FlitBuffer& source(std::uint32_t vc) = 0;
};

/// A node's ejection channels, to which local ports of a router are bound.
class EjectionChannel : public virtual sc_core::sc_interface, public EjectionSink {};

struct ChannelConfig {
    std::uint32_t virtual_channels = 1;
    ChannelTiming timing;
};

/// A link or an injection channel: wire, FIFOs and credit wire. It has no process and no ports, and
/// is not registered with the kernel, whose tables would take more memory than the channel itself.
class FlitChannel final : public FlitSink, public FlitSource {
public:
    /// `memory` outlives the channel.
    FlitChannel(std::string name, const ChannelConfig& config, std::pmr::memory_resource* memory)
        : name_(std::move(name)) {
        buffers_.reserve(config.virtual_channels);
        for (std::uint32_t vc = 0; vc < config.virtual_channels; ++vc) {
            const ChannelTiming& timing = config.timing;
            buffers_.emplace_back(timing.depth, timing.delay, timing.credit_delay, memory);
        }
    }

    /// Calls FlitBuffer::span() for every virtual channel.
    void span(const WakeupWheel& writers, const WakeupWheel& readers) {
        for (FlitBuffer& buffer : buffers_) buffer.span(writers, readers);
    }

    FlitBuffer& sink(std::uint32_t vc) override { return buffers_[vc]; }
    FlitBuffer& source(std::uint32_t vc) override { return buffers_[vc]; }
    const std::vector<FlitBuffer>& buffers() const { return buffers_; }
    const std::string& name() const { return name_; }

private:
    std::string name_;
    std::vector<FlitBuffer> buffers_;
};

}  // namespace flitscope::hw
