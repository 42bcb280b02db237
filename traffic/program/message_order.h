// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages of a program in some order, which takes no memory if it is that of the program.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "models/base/index_iterator.h"
#include "models/base/types.h"

namespace flitscope {

class MessageOrder {
public:
    using const_iterator = IndexIterator<MessageOrder>;
    using value_type = MessageId;

    /// 0 .. count - 1 with rising key(id), those of one key in their order.
    template <class Key>
    static MessageOrder by(std::size_t count, Key key) {
        MessageOrder order(count);
        MessageId id = 1;
        while (id < count && !(key(id) < key(id - 1))) ++id;
        if (id >= count) return order;
        order.ids_.resize(count);
        std::iota(order.ids_.begin(), order.ids_.end(), MessageId{0});
        std::stable_sort(order.ids_.begin(), order.ids_.end(),
                         [&](MessageId a, MessageId b) { return key(a) < key(b); });
        return order;
    }

    /// 0 .. count - 1.
    static MessageOrder as_listed(std::size_t count) { return MessageOrder(count); }

    std::size_t size() const { return count_; }
    MessageId operator[](std::size_t place) const {
        return ids_.empty() ? static_cast<MessageId>(place) : ids_[place];
    }
    /// Whether it is the order of the program, which takes no memory; for tests.
    bool is_as_listed() const { return ids_.empty(); }
    const_iterator begin() const { return {*this, 0}; }
    const_iterator end() const { return {*this, count_}; }

private:
    explicit MessageOrder(std::size_t count) : count_(count) {}

    std::size_t count_;
    std::vector<MessageId> ids_;
};

}  // namespace flitscope
