// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/replies.h"

#include "models/config/workload_config.h"

namespace flitscope {

Replies::Replies(const WorkloadConfig& config)
    : bytes_(*config.traffic.reply_bytes),
      flits_(config.packet_format().message_flits(bytes_)),
      receive_(config.node.recv_overhead + 1),
      delay_(config.traffic.reply_delay),
      class_(config.fabric.class_named(config.traffic.reply_class)) {}

Message Replies::reply_to(const Message& request) const {
    Message reply;
    reply.id = request.id + 1;
    reply.source = request.destination;
    reply.destination = request.source;
    reply.bytes = bytes_;
    reply.role = MessageRole::kReply;
    reply.plane = request.plane;
    reply.message_class = class_.value_or(request.message_class);
    return reply;
}

std::optional<Replies> replies_of(const WorkloadConfig& config) {
    if (!config.traffic.reply_bytes) return std::nullopt;
    return Replies(config);
}

double exchange_flits(const MessageLengths& lengths, const std::optional<Replies>& replies) {
    return lengths.mean_flits() + static_cast<double>(replies ? replies->flits() : 0);
}

}  // namespace flitscope
