// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/page/message_sample.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "models/base/split_mix.h"

namespace flitscope {

MessageSample::MessageSample(LinkId links, std::uint32_t virtual_channels,
                             const PacketFormat& format, std::size_t most)
    : links_(links),
      vcs_(virtual_channels),
      format_(format),
      most_(most),
      lanes_(static_cast<std::size_t>(links) * virtual_channels) {}

void MessageSample::on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                             Cycle cycle) {
    if (!keeps(message.id)) return;
    const MessageTimes times{message.id,   message.source, message.destination,
                             message.step, message.bytes,  cycle};
    messages_.try_emplace(message.id, Life{times});
    if (Lane* const held = lane(channel, vc)) {
        held->stay = {channel, vc, message.id, cycle, cycle, 0};
        held->is_held = true;
    }
    thin();
}

void MessageSample::on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId, std::uint32_t,
                                  Cycle cycle) {
    if (Lane* const sending = lane(channel, vc)) sending->sending_since = cycle;
}

void MessageSample::on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    Lane* const sending = lane(channel, vc);
    if (sending == nullptr || sending->sending_since == kNever) return;
    sending->stay.busy += cycle - std::exchange(sending->sending_since, kNever);
}

void MessageSample::on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    if (Lane* const held = lane(channel, vc)) release(*held, cycle);
    thin();
}

void MessageSample::on_packet(const PacketRecord& packet) {
    const auto found = messages_.find(packet.message.id);
    if (found == messages_.end()) return;
    auto& [times, packets, last] = found->second;
    times.begin = packet.begin;
    if (packet.index == 0) times.injected = packet.head_injected;
    last = std::max(last, packet.tail_delivered);
    if (++packets == format_.packets(packet.message.bytes)) times.delivered = last;
}

void MessageSample::finish(Cycle end) {
    for (Lane& lane : lanes_) {
        if (lane.sending_since != kNever) lane.stay.busy += end - lane.sending_since;
        lane.sending_since = kNever;
        release(lane, end);
    }
    thin();
}

std::vector<MessageTimes> MessageSample::messages() const {
    std::vector<MessageTimes> list;
    list.reserve(messages_.size());
    for (const auto& [id, life] : messages_) list.push_back(life.times);
    std::sort(list.begin(), list.end(), [](const MessageTimes& a, const MessageTimes& b) {
        return std::tie(a.begin, a.id) < std::tie(b.begin, b.id);
    });
    return list;
}

std::vector<LinkStay> MessageSample::stays() const {
    std::vector<LinkStay> list = stays_;
    std::sort(list.begin(), list.end(), [](const LinkStay& a, const LinkStay& b) {
        return std::tie(a.link, a.begin, a.vc) < std::tie(b.link, b.begin, b.vc);
    });
    return list;
}

bool MessageSample::keeps(MessageId message) const { return (split_mix(message) & mask_) == 0; }

MessageSample::Lane* MessageSample::lane(ChannelId channel, std::uint32_t vc) {
    if (channel >= links_) return nullptr;
    return &lanes_[static_cast<std::size_t>(channel) * vcs_ + vc];
}

void MessageSample::release(Lane& lane, Cycle cycle) {
    if (!std::exchange(lane.is_held, false)) return;
    if (!keeps(lane.stay.message)) return;  // left out in the meantime
    lane.stay.end = cycle;
    stays_.push_back(lane.stay);
}

/// Records are only ever added between two calls that leave some out, so how many are left out in
/// the end follows from what happened, and not from the order of calls within a cycle.
void MessageSample::thin() {
    while (messages_.size() + stays_.size() > most_) {
        mask_ = 2 * mask_ + 1;
        for (auto it = messages_.begin(); it != messages_.end();) {
            it = keeps(it->first) ? std::next(it) : messages_.erase(it);
        }
        stays_.erase(std::remove_if(stays_.begin(), stays_.end(),
                                    [this](const LinkStay& stay) { return !keeps(stay.message); }),
                     stays_.end());
    }
}

}  // namespace flitscope
