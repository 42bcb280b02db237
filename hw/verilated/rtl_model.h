// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A verilated router as C++ sees it: its pins, one clock edge at a time. Implemented by
// verilated_router.cpp, compiled once per variant into a separate shared library.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "hw/common/bit_mask.h"
#include "hw/common/flit.h"
#include "models/base/limits.h"
#include "models/base/types.h"
#include "models/routing/routing.h"

namespace flitscope::hw {

/// Bits of a node number at the pins: router_pkg::NodeBits.
inline constexpr std::uint32_t kRtlNodeBits = 16;
/// Bits of the rate of a link there: router_pkg::RateBits.
inline constexpr std::uint32_t kRtlRateBits = 6;

/// The pins of a router (rtl/README.md). Bits of credits are numbered port * virtual channels + vc.
struct RtlPins {
    static constexpr std::uint32_t kMaxPorts = 64;

    struct FlitPin {
        Flit flit;
        std::uint32_t vc = 0;
    };
    struct Side {
        BitMask<kMaxPorts / 64> flit_valid;  ///< ports
        std::array<FlitPin, kMaxPorts> flits;
        BitMask<kMaxPorts * kMaxVirtualChannels / 64> credits;
    };
    Side in;   ///< what arrives in a cycle
    Side out;  ///< what is sent, and popped, in a cycle
};

/// What `routing` looks at of the head `word` at an input virtual channel of a router.
inline RouteQuery query_of_head(const Routing& routing, RouterId router, PortId port,
                                std::uint32_t vc, std::uint64_t word) {
    const Header header = Header::unpack(word);
    const bool is_injected = port < routing.places()->local_ports();
    return {router, port, vc, header.source, header.destination, header.sequence, is_injected};
}

/// Takes the inner signals of a router, as digits of VCD.
class RtlSignalSink {
public:
    virtual ~RtlSignalSink() = default;
    /// Returns the number of the signal; `scope` has dots between its parts and starts with the
    /// name of the top module.
    virtual std::uint32_t declare(const std::string& scope, const std::string& name,
                                  std::uint32_t width) = 0;
    virtual void change(std::uint32_t signal, std::string_view digits) = 0;
};

/// One instance of a verilated router, out of reset.
class RtlModel {
public:
    virtual ~RtlModel() = default;

    /// Takes what `pins.in` holds, which arrived in the cycle that ends here, then shows in
    /// `pins.out` what the router does in the cycle that begins. Throws std::runtime_error when an
    /// assertion of the RTL fails.
    virtual void edge(RtlPins& pins) = 0;

    /// Runs the `final` blocks, once, after the last edge. Throws std::runtime_error when an
    /// assertion in one of them fails.
    virtual void finish() = 0;

    /// Input virtual channels that were granted an output virtual channel in this cycle.
    virtual bool granted(std::uint32_t input) const = 0;
    /// The output virtual channel (port * virtual channels + vc) that the packet at `input` holds,
    /// or kNone: it holds none, or the router does not report it.
    static constexpr std::uint32_t kNone = UINT32_MAX;
    virtual std::uint32_t held_output(std::uint32_t input) const = 0;

    /// Declares every inner signal to `sink`, which must outlive the model; afterwards dump()
    /// reports those that changed. Only for a model created with tracing, before its first edge.
    virtual void trace(RtlSignalSink& sink) = 0;
    /// The state of the cycle that the next edge ends, `pins.in` being what arrives in it.
    virtual void dump(const RtlPins& pins) = 0;
};

/// A library's description of its router, and the function that makes one.
struct RtlLibraryEntry {
    static constexpr std::uint32_t kVersion = 9;  ///< of this header
    static constexpr const char* kSymbol = "flitscope_rtl_library";

    std::uint32_t version = kVersion;
    std::uint32_t ports = 0;
    std::uint32_t virtual_channels = 0;
    std::uint32_t depth = 0;
    std::uint32_t router_delay = 0;
    bool hold = false;
    bool combined = false;
    std::uint32_t input_speedup = 1;
    std::uint32_t output_speedup = 1;
    std::uint32_t output_queue = 1;
    const char* classes = "272'h0001";  ///< rtl_classes_parameter(); the default: one class
    bool slow_links = false;
    /// A router without arrivals that does nothing for this many cycles will do nothing until
    /// something arrives.
    std::uint32_t quiet_cycles = 0;
    /// The model reports grants and held outputs.
    bool tells_grants = false;

    struct Setup {
        RouterId router;
        NodeId node = 0;          ///< its number at the pins: the first of its nodes
        NodeId destinations = 0;  ///< that packets have: 0 to one less
        const Routing* routing = nullptr;
        const std::uint16_t* fields = nullptr;  ///< per dimension: its bits of a node number
        std::uint32_t field_count = 0;
        /// Per port: minimum cycles per flit that leaves there, 1 to 64; null: 1. Only if the
        /// router has slow links.
        const std::uint32_t* rate_cycles = nullptr;
        bool traced = false;
    };
    std::unique_ptr<RtlModel> (*create)(const Setup& setup) = nullptr;
};

}  // namespace flitscope::hw
