// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Modules, or ports, that belong to another one, and are destroyed in the reverse order of their
// creation. SystemC searches its list for a destroyed object from the end: a large fabric taken
// down in the order of its creation would take minutes.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace flitscope {

/// Owns what `Pointer`s (std::unique_ptr, ArenaPtr) point to. If an owner has several lists, the
/// one filled last must be declared last.
template <class Pointer>
class ModuleList {
public:
    ModuleList() = default;
    /// `count` empty places.
    explicit ModuleList(std::size_t count) : modules_(count) {}
    ModuleList(const ModuleList&) = delete;
    ModuleList& operator=(const ModuleList&) = delete;
    ~ModuleList() {
        while (!modules_.empty()) modules_.pop_back();
    }

    void reserve(std::size_t count) { modules_.reserve(count); }
    void push_back(Pointer module) { modules_.push_back(std::move(module)); }
    bool empty() const { return modules_.empty(); }
    std::size_t size() const { return modules_.size(); }
    const Pointer& back() const { return modules_.back(); }
    const Pointer& operator[](std::size_t i) const { return modules_[i]; }
    Pointer& operator[](std::size_t i) { return modules_[i]; }
    auto begin() const { return modules_.begin(); }
    auto end() const { return modules_.end(); }

private:
    std::vector<Pointer> modules_;
};

}  // namespace flitscope
