// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/common/partition_outbox.h"

namespace flitscope::hw {

void PartitionOutbox::tell(ChannelObserver& observer, Cycle cycle) {
    Events& events = events_[cycle % kCycles];
    auto granted = events.granted.begin();
    auto lost_visible = events.lost_visible.begin();
    for (const Event& event : events.list) {
        switch (event.kind) {
            case Kind::kGrant:
                observer.on_grant(event.channel, event.vc, *granted++, cycle);
                break;
            case Kind::kSendBegin:
                observer.on_send_begin(event.channel, event.vc, event.popped, event.popped_vc,
                                       cycle);
                break;
            case Kind::kSendEnd:
                observer.on_send_end(event.channel, event.vc, cycle);
                break;
            case Kind::kRelease:
                observer.on_release(event.channel, event.vc, cycle);
                break;
            case Kind::kCut:
                observer.on_cut(event.channel, event.vc, cycle);
                break;
            case Kind::kLoss:
                observer.on_loss(event.channel, event.vc, *lost_visible++, cycle);
                break;
        }
    }
    events.list.clear();
    events.granted.clear();
    events.lost_visible.clear();
    occupied_ &= ~(std::uint64_t{1} << cycle % kCycles);
}

void PartitionOutbox::empty_into(std::vector<Arrived>& arriving, std::vector<Arrived>& arrived,
                                 std::vector<Injected>& injected) {
    arriving.insert(arriving.end(), arriving_.begin(), arriving_.end());
    arrived.insert(arrived.end(), arrived_.begin(), arrived_.end());
    injected.insert(injected.end(), injected_.begin(), injected_.end());
    arrived_.clear();
    injected_.clear();
    arriving_.clear();
}

}  // namespace flitscope::hw
