// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/page/message_sample.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "models/base/split_mix.h"
#include "models/topology/graph.h"

namespace flitscope {

MessageSample::MessageSample(const Graph& graph, std::uint32_t virtual_channels,
                             const PacketFormat& format, std::size_t most)
    : map_(graph),
      vcs_(virtual_channels),
      format_(format),
      most_(most),
      lanes_(static_cast<std::size_t>(graph.link_count()) * virtual_channels),
      injecting_(static_cast<std::size_t>(map_.count()) * virtual_channels, kNoMessage) {}

void MessageSample::on_send(const Message& message, Cycle begin) {
    if (keeps(message.id)) waiting_[message.id] = begin;
}

void MessageSample::on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                             Cycle cycle) {
    if (!keeps(message.id)) return;
    if (const auto waiting = waiting_.find(message.id); waiting != waiting_.end()) {
        const MessageTimes times{message.id,   message.source, message.destination,
                                 message.step, message.bytes,  waiting->second};
        messages_.try_emplace(message.id, Life{times});
        waiting_.erase(waiting);
    }
    if (Lane* const held = lane(channel, vc)) {
        held->stay = {channel, vc, message.id, cycle, cycle, 0};
        held->is_held = true;
    }
    if (map_.is_injection(channel)) injecting_[at(channel, vc)] = message.id;
    thin();
}

void MessageSample::on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId, std::uint32_t,
                                  Cycle cycle) {
    if (Lane* const sending = lane(channel, vc)) sending->sending_since = cycle;
    const MessageId injected = std::exchange(injecting_[at(channel, vc)], kNoMessage);
    if (injected == kNoMessage) return;
    const auto found = messages_.find(injected);
    if (found == messages_.end()) return;
    MessageTimes& times = found->second.times;
    if (times.injected == kNever) times.injected = cycle;
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
    return map_.is_link(channel) ? &lanes_[at(channel, vc)] : nullptr;
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
        const auto leave_out = [this](auto& by_message) {
            for (auto it = by_message.begin(); it != by_message.end();) {
                it = keeps(it->first) ? std::next(it) : by_message.erase(it);
            }
        };
        leave_out(waiting_);
        leave_out(messages_);
        stays_.erase(std::remove_if(stays_.begin(), stays_.end(),
                                    [this](const LinkStay& stay) { return !keeps(stay.message); }),
                     stays_.end());
    }
}

}  // namespace flitscope
