// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A library like those of verilated routers, of routers with one fault each: the number of the
// router selects it (broken_router.h). A flit leaves in the cycle after its arrival, and returns
// its credit then.
#include "testbench/verification/tests/support/broken_router.h"

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "hw/verilated/rtl_model.h"

namespace flitscope::hw {
namespace {

constexpr std::uint32_t kPorts = 3;

class BrokenRouter final : public RtlModel {
public:
    explicit BrokenRouter(const RtlLibraryEntry::Setup& setup)
        : fault_(static_cast<Fault>(setup.router.number())),
          routing_(*setup.routing),
          router_(setup.router) {}

    void edge(RtlPins& pins) override {
        pins.out.flit_valid = {};
        pins.out.credits = {};
        pins.in.flit_valid.for_each([&](std::uint32_t input) {
            const Flit flit = pins.in.flits[input].flit;
            if (flit.head) {
                ++packets_;
                position_ = 0;
                port_ = routing_.route(router_, Header::destination_of(flit.word)).port;
            }
            pass(flit);
            if (returns_credit()) pins.out.credits.set(input);
            ++position_;
        });
        if (leaving_.empty()) return;
        pins.out.flits[port_] = {leaving_.front(), 0};
        pins.out.flit_valid.set(port_);
        leaving_.pop_front();
    }
    void finish() override {}
    bool granted(std::uint32_t) const override { return false; }
    std::uint32_t held_output(std::uint32_t) const override { return kNone; }
    void trace(RtlSignalSink&) override {}
    void dump(const RtlPins&) override {}

private:
    bool is_struck() const { return packets_ == 1; }
    bool returns_credit() const {
        return !is_struck() || (fault_ != Fault::kHolds && fault_ != Fault::kKeepsCredits);
    }
    /// Puts a flit into the register at the output, or what the fault makes of it.
    void pass(Flit flit) {
        const std::size_t before = leaving_.size();
        leaving_.push_back(flit);
        if (!is_struck()) return;
        Flit& here = leaving_[before];
        const bool is_chosen = position_ == kStruckFlit;
        switch (fault_) {
            case Fault::kSwallowsFlit:
                if (is_chosen) leaving_.pop_back();
                break;
            case Fault::kSwallowsPacket:
            case Fault::kHolds:
                leaving_.pop_back();
                break;
            case Fault::kSwallowsTail:
                if (flit.tail) leaving_.pop_back();
                break;
            case Fault::kDoublesFlit:
                if (is_chosen) leaving_.push_back(flit);
                break;
            case Fault::kDoublesTail:
                if (flit.tail) leaving_.push_back(flit);
                break;
            case Fault::kDoublesHead:
                if (flit.head) leaving_.push_back(flit);
                break;
            case Fault::kDoublesPacket:
                packet_.push_back(flit);
                if (flit.tail) leaving_.insert(leaving_.end(), packet_.begin(), packet_.end());
                break;
            case Fault::kChangesWord:
                if (is_chosen) here.word ^= 1;
                break;
            case Fault::kChangesHead:
                if (flit.head) here.word ^= std::uint64_t{1} << 40;
                break;
            case Fault::kLosesTail:
                here.tail = false;
                break;
            case Fault::kEndsEarly:
                here.tail = is_chosen || flit.tail;
                break;
            default:
                break;
        }
    }

    Fault fault_;
    const Routing& routing_;
    RouterId router_;
    std::uint32_t packets_ = 0;  // that have begun to arrive
    std::uint32_t position_ = 0;
    PortId port_ = 0;
    std::deque<Flit> leaving_;
    std::vector<Flit> packet_;  // the first one
};

RtlLibraryEntry make_entry() {
    RtlLibraryEntry entry;
    entry.ports = kPorts;
    entry.virtual_channels = 1;
    entry.depth = kBrokenDepth;
    entry.router_delay = 1;
    entry.quiet_cycles = kBrokenQuiet;
    entry.create = [](const RtlLibraryEntry::Setup& setup) -> std::unique_ptr<RtlModel> {
        return std::make_unique<BrokenRouter>(setup);
    };
    return entry;
}

}  // namespace
}  // namespace flitscope::hw

extern "C" __attribute__((visibility("default")))
const flitscope::hw::RtlLibraryEntry flitscope_rtl_library;
const flitscope::hw::RtlLibraryEntry flitscope_rtl_library = flitscope::hw::make_entry();
