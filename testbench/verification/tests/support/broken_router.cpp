// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A library like those of verilated routers, of routers with one fault each: the number of the
// router selects it (broken_router.h). A flit leaves in the cycle after its arrival, and returns
// its credit then.
#include "testbench/verification/tests/support/broken_router.h"

#include <array>
#include <deque>
#include <memory>
#include <vector>

#include "testbench/verification/tests/support/fake_router.h"

namespace flitscope::hw {
namespace {

constexpr std::uint32_t kStruckInput = 2;  // from node 0

class BrokenRouter final : public FakeRouter {
public:
    explicit BrokenRouter(const RtlLibraryEntry::Setup& setup)
        : fault_(static_cast<Fault>(setup.router.number())),
          routing_(*setup.routing),
          router_(setup.router) {}

    void edge(RtlPins& pins) override {
        pins.out.flit_valid = {};
        pins.out.credits = {};
        if (fault_ == Fault::kDelays) send(pins);
        pins.in.flit_valid.for_each([&](std::uint32_t input) {
            Stream& stream = streams_[input];
            const Flit flit = pins.in.flits[input].flit;
            if (flit.head) {
                ++stream.packets;
                stream.position = 0;
                stream.port = routing_.route(router_, Header::destination_of(flit.word)).port;
            }
            const bool is_struck = input == kStruckInput && stream.packets == 1;
            pass(flit, is_struck, stream);
            if (!is_struck || (fault_ != Fault::kHolds && fault_ != Fault::kKeepsCredits)) {
                pins.out.credits.set(input);
            }
            ++stream.position;
        });
        if (fault_ != Fault::kDelays) send(pins);
    }

private:
    /// The packets of an input, which have an output for themselves.
    struct Stream {
        std::uint32_t packets = 0;  // that have begun to arrive
        std::uint32_t position = 0;
        PortId port = 0;
        std::deque<Flit> leaving;
    };

    void send(RtlPins& pins) {
        for (Stream& stream : streams_) {
            if (stream.leaving.empty()) continue;
            pins.out.flits[stream.port] = {stream.leaving.front(), 0};
            pins.out.flit_valid.set(stream.port);
            stream.leaving.pop_front();
        }
    }
    /// Puts a flit into the register at the output, or what the fault makes of it.
    void pass(const Flit& flit, bool is_struck, Stream& stream) {
        std::deque<Flit>& leaving = stream.leaving;
        const std::size_t before = leaving.size();
        leaving.push_back(flit);
        if (!is_struck) return;
        Flit& here = leaving[before];
        const bool is_chosen = stream.position == kStruckFlit;
        switch (fault_) {
            case Fault::kSwallowsFlit:
                if (is_chosen) leaving.pop_back();
                break;
            case Fault::kSwallowsPacket:
            case Fault::kHolds:
                leaving.pop_back();
                break;
            case Fault::kSwallowsTail:
                if (flit.tail) leaving.pop_back();
                break;
            case Fault::kDoublesFlit:
                if (is_chosen) leaving.push_back(flit);
                break;
            case Fault::kDoublesTail:
                if (flit.tail) leaving.push_back(flit);
                break;
            case Fault::kDoublesHead:
                if (flit.head) leaving.push_back(flit);
                break;
            case Fault::kDoublesPacket:
                packet_.push_back(flit);
                if (flit.tail) leaving.insert(leaving.end(), packet_.begin(), packet_.end());
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
    std::array<Stream, kFakePorts> streams_;
    std::vector<Flit> packet_;  // the first one
};

std::unique_ptr<RtlModel> create(const RtlLibraryEntry::Setup& setup) {
    return std::make_unique<BrokenRouter>(setup);
}

}  // namespace
}  // namespace flitscope::hw

const flitscope::hw::RtlLibraryEntry flitscope_rtl_library =
    flitscope::hw::fake_entry(1, flitscope::hw::create);
