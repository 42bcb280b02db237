// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/transfers.h"

#include <limits>
#include <stdexcept>
#include <utility>

#include "models/base/split_mix.h"

namespace flitscope {
namespace {

constexpr std::uint32_t kLow = 0xffff;
constexpr std::size_t kFewestRecent = 64;
constexpr std::size_t kMostRecent = std::size_t{1} << 20;

}  // namespace

Transfers::Transfers(const std::vector<Transfer>& list) {
    reserve(list.size());
    for (const Transfer& transfer : list) push_back(transfer);
}

Transfers::Transfers(std::shared_ptr<const TransferRule> rule, std::uint64_t bytes)
    : rule_(std::move(rule)), kinds_(1) {
    kinds_.front().bytes = bytes;
}

/// Expands a rule into a list.
void Transfers::list() {
    if (rule_ == nullptr) return;
    const Transfers by_rule = std::exchange(*this, {});
    reserve(by_rule.size());
    for (const Transfer& transfer : by_rule) push_back(transfer);
}

const std::vector<MessageId>& Transfers::after(std::size_t id) const {
    static const std::vector<MessageId> kNone;
    return after_.empty() ? kNone : after_[id];
}

bool Transfers::are_equal(const Kind& a, const Kind& b) {
    return a.bytes == b.bytes && a.step == b.step && a.port == b.port &&
           a.message_class == b.message_class && a.plane == b.plane && a.is_copy == b.is_copy &&
           a.streams == b.streams && a.high_source == b.high_source &&
           a.high_destination == b.high_destination;
}

std::size_t Transfers::hash(const Kind& kind) {
    const std::uint64_t marks = (kind.is_copy ? 1U : 0U) | (kind.streams ? 2U : 0U) |
                                kind.message_class << 2 | std::uint64_t{kind.plane} << 10 |
                                std::uint64_t{kind.port} << 16;
    return static_cast<std::size_t>(split_mix(split_mix(kind.bytes ^ marks << 32) ^ kind.step));
}

/// The index of the transfer's kind, which is added if it is new.
std::uint32_t Transfers::index_of(const Transfer& transfer) {
    Kind of;
    of.bytes = transfer.bytes;
    of.step = transfer.step;
    of.port = transfer.port;
    of.message_class = transfer.message_class;
    of.plane = transfer.plane;
    of.is_copy = transfer.is_copy;
    of.streams = transfer.streams;
    of.high_source = static_cast<std::uint16_t>(transfer.source >> 16);
    of.high_destination = static_cast<std::uint16_t>(transfer.destination >> 16);
    if (!ends_.empty() && are_equal(kinds_[ends_.back().kind], of)) return ends_.back().kind;
    if (kinds_.size() >= recent_.size() && recent_.size() < kMostRecent) {
        recent_.assign(recent_.empty() ? kFewestRecent : 2 * recent_.size(), 0);
        for (std::uint32_t i = 0; i < kinds_.size(); ++i) {
            recent_[hash(kinds_[i]) & (recent_.size() - 1)] = i + 1;
        }
    }
    std::uint32_t& last = recent_[hash(of) & (recent_.size() - 1)];
    if (last == 0 || !are_equal(kinds_[last - 1], of)) {
        if (kinds_.size() == std::numeric_limits<std::uint32_t>::max()) {
            throw std::length_error("a program of too many messages");
        }
        kinds_.push_back(of);
        last = static_cast<std::uint32_t>(kinds_.size());
    }
    return last - 1;
}

Transfers::Ends Transfers::ends_of(const Transfer& transfer) {
    return {static_cast<std::uint16_t>(transfer.source & kLow),
            static_cast<std::uint16_t>(transfer.destination & kLow), index_of(transfer)};
}

void Transfers::set_timing(std::size_t id, const Transfer& transfer) {
    if (transfer.time != 0 && times_.empty()) times_.resize(size());
    if (!times_.empty()) times_[id] = transfer.time;
    if (!transfer.after.empty() && after_.empty()) after_.resize(size());
    if (!after_.empty()) after_[id] = transfer.after;
}

void Transfers::add_after(std::size_t id, MessageId awaited) {
    list();
    if (after_.empty()) after_.resize(size());
    after_[id].push_back(awaited);
}

void Transfers::set_class(MessageClass of) {
    for (Kind& kind : kinds_) kind.message_class = of;
}

void Transfers::push_back(const Transfer& transfer) {
    list();
    ends_.push_back(ends_of(transfer));
    if (!times_.empty()) times_.push_back(0);
    if (!after_.empty()) after_.emplace_back();
    set_timing(size() - 1, transfer);
}

void Transfers::set(std::size_t id, const Transfer& transfer) {
    list();
    ends_[id] = ends_of(transfer);
    set_timing(id, transfer);
}

}  // namespace flitscope
