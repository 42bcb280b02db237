// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The circuit seam: the ports at which circuit routers, network interfaces and links meet, and the
// link (hw/TIMING.md, "Circuits"). Signals along a path take time; signals back do not.
#pragma once

#include <cstdint>
#include <systemc>

#include "hw/common/flit.h"
#include "models/base/types.h"

namespace flitscope::hw {

/// The end of a wire that a header and then the elements of its message come out of.
class CircuitSink : public virtual sc_core::sc_interface {
public:
    /// A header that may be acted on from cycle `at` on; not in the past.
    virtual void set_up(std::uint64_t header, Cycle at) = 0;
    /// An element that may be passed on from cycle `at` on; one per cycle, in order.
    virtual void pass(const Flit& element, Cycle at) = 0;
};

/// The sending end, which the module at the end of the wire answers to in the same cycle.
class CircuitSource : public virtual sc_core::sc_interface {
public:
    /// The path of the header that came last is complete.
    virtual void connect(Cycle now) = 0;
    /// The tail of the path is delivered in cycle `now`; the path is free from the next one on.
    virtual void release(Cycle now) = 0;
};

/// One direction between two routers: it delays elements, and nothing can stop them.
class CircuitLink final : public sc_core::sc_module, public CircuitSink, public CircuitSource {
public:
    sc_core::sc_port<CircuitSink> to{"to"};        ///< input of the router that it leads to
    sc_core::sc_port<CircuitSource> from{"from"};  ///< output of the router that it comes from

    /// `setup_delay` and `delay` in cycles, at least 1 each: of a header and of an element.
    CircuitLink(sc_core::sc_module_name name, std::uint32_t setup_delay, std::uint32_t delay)
        : sc_module(name), setup_delay_(setup_delay), delay_(delay) {}

    void set_up(std::uint64_t header, Cycle at) override { to->set_up(header, at + setup_delay_); }
    void pass(const Flit& element, Cycle at) override { to->pass(element, at + delay_); }
    void connect(Cycle now) override { from->connect(now); }
    void release(Cycle now) override { from->release(now); }

private:
    Cycle setup_delay_;
    Cycle delay_;
};

}  // namespace flitscope::hw
