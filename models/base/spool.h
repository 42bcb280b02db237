// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists that are written once, from front to back, and then read: short ones stay in memory, long
// ones go to a file, of which only the part being read is in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

namespace flitscope {

/// A list of bytes that moves to a file when it is long. The file has no name, so no other process
/// sees it and nothing is left of it, however the process ends. It is in $TMPDIR, or in /tmp. If
/// that is full, std::runtime_error names the folder.
class Spool {
public:
    static constexpr std::size_t kInMemory = std::size_t{1} << 20;

    /// More than `in_memory` bytes go to a file.
    explicit Spool(std::size_t in_memory = kInMemory) : in_memory_(in_memory) {}
    ~Spool();
    Spool(Spool&& other) noexcept : in_memory_(other.in_memory_) { swap(other); }
    Spool& operator=(Spool&& other) noexcept {
        swap(other);
        return *this;
    }

    /// Appends bytes. Not after close().
    void append(const void* bytes, std::size_t count);
    /// No more follows: it can be read.
    void close();

    std::size_t size() const { return size_; }
    /// The bytes, aligned for every type. Only after close().
    const std::byte* data() const { return file_ == nullptr ? memory_.data() : file_; }
    /// The same as text.
    std::string_view text() const { return {reinterpret_cast<const char*>(data()), size_}; }
    bool is_in_file() const { return file_ != nullptr || descriptor_ >= 0; }  ///< for tests
    /// Nothing of the file need stay in memory; the next read fetches it again.
    void forget() const;

private:
    void write_out(const std::byte* bytes, std::size_t count);
    void swap(Spool& other) noexcept;

    std::size_t in_memory_;
    std::size_t size_ = 0;
    std::vector<std::byte> memory_;  // all, or the rest for the file
    int descriptor_ = -1;            // until close()
    std::byte* file_ = nullptr;      // after close()
};

/// A Spool of values of one type.
template <class T>
class SpooledList {
public:
    static_assert(std::is_trivially_copyable_v<T>);

    SpooledList() = default;
    explicit SpooledList(std::size_t in_memory) : spool_(in_memory) {}

    void append(const T* values, std::size_t count) { spool_.append(values, count * sizeof(T)); }
    void push_back(const T& value) { append(&value, 1); }
    void close() {
        spool_.close();
        first_ = reinterpret_cast<const T*>(spool_.data());
    }

    std::size_t size() const { return spool_.size() / sizeof(T); }
    // Only after close():
    const T& operator[](std::size_t place) const { return first_[place]; }
    const T* begin() const { return first_; }
    const T* end() const { return first_ + size(); }
    void forget() const { spool_.forget(); }

private:
    Spool spool_;
    const T* first_ = nullptr;
};

/// Makes a list that is read in order release the memory already read, now and then.
template <class List>
class ForgetfulReading {
public:
    explicit ForgetfulReading(const List& list) : list_(list) {}

    /// Notes that about `values` further values have been read.
    void read(std::uint64_t values) {
        read_ += values;
        if (read_ < kMuch) return;
        read_ = 0;
        list_.forget();
    }

private:
    static constexpr std::uint64_t kMuch = 1U << 18;

    const List& list_;
    std::uint64_t read_ = 0;
};

}  // namespace flitscope
