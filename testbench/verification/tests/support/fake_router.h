// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What libraries of routers have in common that stand for somebody's verilated router: one flit a
// cycle and port, and nothing to see inside. Each defines flitscope_rtl_library, as verilated
// routers do (hw/verilated/rtl_model.h).
#pragma once

#include <cstdint>

#include "hw/verilated/rtl_model.h"

namespace flitscope::hw {

class FakeRouter : public RtlModel {
public:
    void finish() final {}
    bool granted(std::uint32_t) const final { return false; }
    std::uint32_t held_output(std::uint32_t) const final { return kNone; }
    void trace(RtlSignalSink&) final {}
    void dump(const RtlPins&) final {}
};

inline constexpr std::uint32_t kFakePorts = 3;
inline constexpr std::uint32_t kFakeDepth = 8;
inline constexpr std::uint32_t kFakeQuiet = 16;  ///< cycles, as RtlLibraryEntry::quiet_cycles

inline RtlLibraryEntry fake_entry(std::uint32_t virtual_channels,
                                  decltype(RtlLibraryEntry::create) create) {
    RtlLibraryEntry entry;
    entry.ports = kFakePorts;
    entry.virtual_channels = virtual_channels;
    entry.depth = kFakeDepth;
    entry.router_delay = 1;
    entry.quiet_cycles = kFakeQuiet;
    entry.create = create;
    return entry;
}

}  // namespace flitscope::hw

extern "C" __attribute__((visibility("default")))
const flitscope::hw::RtlLibraryEntry flitscope_rtl_library;
