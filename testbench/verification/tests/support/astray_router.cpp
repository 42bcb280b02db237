// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A library like those of verilated routers, of somebody's router that goes wrong: a packet to node
// d leaves through port d modulo the number of ports, on virtual channel d / ports + 1 as far as
// the pins hold that number, whatever the routing says, and whether there is one of that number or
// not.
#include <deque>
#include <memory>
#include <vector>

#include "testbench/verification/tests/support/fake_router.h"

namespace flitscope::hw {
namespace {

constexpr std::uint32_t kVcs = FLITSCOPE_VIRTUAL_CHANNELS;
constexpr std::uint32_t kPinnedVcs = 2;  // of one bit, which there is for one virtual channel, too
static_assert(kVcs <= kPinnedVcs);

class AstrayRouter final : public FakeRouter {
public:
    void edge(RtlPins& pins) override {
        pins.in.flit_valid.for_each([&](std::uint32_t port) {
            const RtlPins::FlitPin& pin = pins.in.flits[port];
            fifos_[port * kVcs + pin.vc].push_back(pin.flit);
        });
        pins.out.flit_valid = {};
        pins.out.credits = {};
        for (std::uint32_t input = 0; input < kFakePorts * kVcs; ++input) {
            if (fifos_[input].empty()) continue;
            const Flit flit = fifos_[input].front();
            if (flit.head) destination_[input] = Header::destination_of(flit.word);
            const std::uint32_t port = destination_[input] % kFakePorts;
            fifos_[input].pop_front();
            pins.out.flits[port] = {flit, (destination_[input] / kFakePorts + 1) % kPinnedVcs};
            pins.out.flit_valid.set(port);
            pins.out.credits.set(input);
        }
    }

private:
    std::vector<std::deque<Flit>> fifos_{kFakePorts * kVcs};
    std::vector<NodeId> destination_ = std::vector<NodeId>(kFakePorts * kVcs);
};

std::unique_ptr<RtlModel> create(const RtlLibraryEntry::Setup&) {
    return std::make_unique<AstrayRouter>();
}

}  // namespace
}  // namespace flitscope::hw

const flitscope::hw::RtlLibraryEntry flitscope_rtl_library =
    flitscope::hw::fake_entry(flitscope::hw::kVcs, flitscope::hw::create);
