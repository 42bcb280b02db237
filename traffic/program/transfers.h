// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The messages of a program, by a rule or packed: an exchange among 4096 nodes has 16.8 million of
// them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/base/index_iterator.h"
#include "models/base/types.h"
#include "models/fabric/message.h"
#include "traffic/program/transfer_rule.h"

namespace flitscope {

/// One message of a program. Its index in Program::transfers is its MessageId.
struct Transfer {
    NodeId source = 0;
    NodeId destination = 0;
    std::uint64_t bytes = 0;
    StepId step = 0;
    std::uint16_t port = 0;  ///< port of the source's router to leave by; 0: as routed
    MessageClass message_class = 0;
    bool is_copy = false;  ///< carries the same value as the transfer listed before it
    bool streams = false;  ///< each flit follows those of the messages in `after`, as they arrive
    Cycle time = 0;        ///< earliest cycle in which the send begins (timed programs)
    std::vector<MessageId> after = {};  ///< messages the source must have received (timed programs)
    std::uint8_t plane = 0;             ///< network that it crosses
};

/// A list of transfers, which are passed by value. Those of a rule take no memory; others take 8
/// bytes each, plus their common properties (length, step, port, ...) once per kind, and only timed
/// programs have times and `after`. There are no references to entries: change() changes one. A
/// rule that is added to or changed becomes a list.
class Transfers {
public:
    using const_iterator = IndexIterator<Transfers>;
    using value_type = Transfer;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using reference = Transfer;
    using const_reference = Transfer;
    using iterator = const_iterator;

    Transfers() = default;
    Transfers(const std::vector<Transfer>& list);
    /// Messages of `bytes` each.
    Transfers(std::shared_ptr<const TransferRule> rule, std::uint64_t bytes);

    std::size_t size() const { return rule_ != nullptr ? rule_->size() : ends_.size(); }
    bool empty() const { return size() == 0; }
    /// The first so many transfers are of every kind that there is: messages of a rule differ in
    /// their places alone.
    std::size_t representatives() const {
        return rule_ != nullptr ? std::min<std::size_t>(1, size()) : size();
    }
    /// The rule that the transfers follow; null: they are listed.
    const TransferRule* rule() const { return rule_.get(); }
    Transfer operator[](std::size_t id) const {
        const Kind& of = kind(id);
        const TransferPlace at = place(id);
        Transfer transfer{at.source, at.destination, of.bytes, at.step};
        transfer.port = of.port;
        transfer.message_class = of.message_class;
        transfer.plane = of.plane;
        transfer.is_copy = of.is_copy;
        transfer.streams = of.streams;
        transfer.time = time(id);
        if (!after_.empty()) transfer.after = after_[id];
        return transfer;
    }
    Transfer front() const { return (*this)[0]; }
    Transfer back() const { return (*this)[size() - 1]; }
    const_iterator begin() const { return {*this, 0}; }
    const_iterator end() const { return {*this, size()}; }

    // Parts of a transfer, for callers that need no more.
    TransferPlace place(std::size_t id) const {
        if (rule_ != nullptr) return (*rule_)[static_cast<MessageId>(id)];
        return {source(id), destination(id), step(id)};
    }
    NodeId source(std::size_t id) const {
        if (rule_ != nullptr) return place(id).source;
        return ends_[id].source | std::uint32_t{kind(id).high_source} << 16;
    }
    NodeId destination(std::size_t id) const {
        if (rule_ != nullptr) return place(id).destination;
        return ends_[id].destination | std::uint32_t{kind(id).high_destination} << 16;
    }
    std::uint64_t bytes(std::size_t id) const { return kind(id).bytes; }
    StepId step(std::size_t id) const { return rule_ != nullptr ? place(id).step : kind(id).step; }
    std::uint16_t port(std::size_t id) const { return kind(id).port; }
    MessageClass message_class(std::size_t id) const { return kind(id).message_class; }
    std::uint8_t plane(std::size_t id) const { return kind(id).plane; }
    bool is_copy(std::size_t id) const { return kind(id).is_copy; }
    bool streams(std::size_t id) const { return kind(id).streams; }
    Cycle time(std::size_t id) const { return times_.empty() ? 0 : times_[id]; }
    const std::vector<MessageId>& after(std::size_t id) const;

    void push_back(const Transfer& transfer);
    void set(std::size_t id, const Transfer& transfer);
    /// Adds a message that the source of `id` must have received.
    void add_after(std::size_t id, MessageId awaited);
    /// Calls make(Transfer&) for an existing transfer.
    template <class Make>
    void change(std::size_t id, const Make& make) {
        Transfer transfer = (*this)[id];
        make(transfer);
        set(id, transfer);
    }
    template <class Make>
    void change_all(const Make& make) {
        for (std::size_t id = 0; id < size(); ++id) change(id, make);
    }
    /// Sets the class of all messages.
    void set_class(MessageClass of);
    void reserve(std::size_t count) { ends_.reserve(count); }
    void clear() { *this = {}; }

private:
    /// Source and destination, and the rest as an index of `kinds_`.
    struct Ends {
        std::uint16_t source;
        std::uint16_t destination;
        std::uint32_t kind;
    };
    /// Upper halves of node numbers are 0 in every program that is valid.
    struct Kind {
        std::uint64_t bytes = 0;
        StepId step = 0;
        std::uint16_t port = 0;
        MessageClass message_class = 0;
        std::uint8_t plane = 0;
        bool is_copy = false;
        bool streams = false;
        std::uint16_t high_source = 0;
        std::uint16_t high_destination = 0;
    };

    const Kind& kind(std::size_t id) const { return kinds_[rule_ != nullptr ? 0 : ends_[id].kind]; }
    static bool are_equal(const Kind& a, const Kind& b);
    static std::size_t hash(const Kind& kind);
    std::uint32_t index_of(const Transfer& transfer);
    Ends ends_of(const Transfer& transfer);
    void set_timing(std::size_t id, const Transfer& transfer);
    void list();

    std::shared_ptr<const TransferRule> rule_;  // then there is one kind and no ends
    std::vector<Ends> ends_;
    std::vector<Kind> kinds_;
    /// Per hash, the kind seen last, as index + 1. A recurring kind is mostly found; one that is
    /// not found is kept twice.
    std::vector<std::uint32_t> recent_;
    std::vector<Cycle> times_;                   ///< per transfer; empty: all are 0
    std::vector<std::vector<MessageId>> after_;  ///< per transfer; empty: no dependencies
};

}  // namespace flitscope
