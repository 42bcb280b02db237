// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Iterators over lists that hand out their entries by value.
#pragma once

#include <cstddef>
#include <iterator>

namespace flitscope {

/// Iterator over a `List` with a value_type and operator[], which must outlive it.
template <class List>
class IndexIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = typename List::value_type;
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type*;
    using reference = value_type;

    IndexIterator(const List& of, std::size_t at) : of_(&of), at_(at) {}
    value_type operator*() const { return (*of_)[at_]; }
    IndexIterator& operator++() {
        ++at_;
        return *this;
    }
    IndexIterator operator++(int) {
        const IndexIterator before = *this;
        ++at_;
        return before;
    }
    friend bool operator==(const IndexIterator& a, const IndexIterator& b) {
        return a.at_ == b.at_;
    }
    friend bool operator!=(const IndexIterator& a, const IndexIterator& b) { return !(a == b); }

private:
    const List* of_;
    std::size_t at_;
};

}  // namespace flitscope
