// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/endpoints/round_trips.h"

#include <fmt/format.h>

namespace flitscope {

RoundTrips::End RoundTrips::delivered(const PacketRecord& last) {
    const Message& message = last.message;
    if (!Replies::is_reply(message.id)) {
        open_[message.id] = {message, last.begin, last.tail_delivered};
        return {};
    }
    const auto request = open_.find(Replies::request_of(message.id));
    if (request == open_.end()) {
        return {{}, fmt::format("message {} replies to one that has not arrived", message.id)};
    }
    const Request of = request->second;
    open_.erase(request);
    ++replied_;
    const bool is_due =
        message.source == of.message.destination && message.destination == of.message.source &&
        message.bytes == replies_.bytes() && last.begin == replies_.begin(of.delivered);
    if (is_due) return {of.begin, {}};
    return {of.begin, fmt::format("message {} is not the reply that was due to message {}",
                                  message.id, of.message.id)};
}

}  // namespace flitscope
