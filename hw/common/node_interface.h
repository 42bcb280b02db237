// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A node's network interface as the fabric sees it: with one channel each way
// (hw/packet/network_interface.h) or with one for every link (multi_port_interface.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <systemc>

#include "hw/common/flit_channel.h"
#include "models/config/config.h"
#include "models/fabric/message_port.h"
#include "models/fabric/observers.h"

namespace flitscope::hw {

struct NetworkInterfaceConfig {
    NodeId node = 0;
    std::uint32_t virtual_channels = 1;
    PacketFormat format;
    std::uint32_t send_startup = 0;  ///< cycles
    Rate injection_rate;             ///< flits per cycle at which packets are assembled
    bool serial_startup = false;     ///< a startup waits for the end of the message before
    bool whole_packets = false;      ///< a packet begins only where there are credits for all of it
};

/// Who watches an interface; either may be null.
struct InterfaceObservers {
    ChannelObserver* channels = nullptr;
    PacketObserver* packets = nullptr;
    ChannelId injection = 0;  ///< our injection channel, where there is one
};

class NodeInterface : public sc_core::sc_module, public MessagePort, public EjectionSink {
public:
    sc_core::sc_port<MessageListener, 1, sc_core::SC_ZERO_OR_MORE_BOUND> node{"node"};

    /// Messages handed over that are not wholly injected yet.
    virtual std::size_t pending() const = 0;
    /// Flits taken out of the network so far through the end of the router's `port`; kLocalPort
    /// where there is one channel.
    virtual std::uint64_t flits_ejected(PortId port) const = 0;

protected:
    explicit NodeInterface(sc_core::sc_module_name name) : sc_module(name) {}
};

}  // namespace flitscope::hw
