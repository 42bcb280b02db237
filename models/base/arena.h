// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory for objects that a fabric touches in every cycle. On the heap they would be scattered
// among names and ports of SystemC objects, and a simulation would wait for the address translation
// of thousands of pages; here they are contiguous, on large pages if the system has them.
#pragma once

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <new>
#include <type_traits>
#include <utility>

namespace flitscope {

/// Destroys an object without giving its memory back.
struct DestroyOnly {
    template <class T>
    void operator()(T* object) const {
        object->~T();
    }
};
/// An object in an Arena, which must outlive it.
template <class T>
using ArenaPtr = std::unique_ptr<T, DestroyOnly>;

/// Hands out memory that is returned all at once when this object goes.
class Arena {
public:
    std::pmr::memory_resource* resource() { return &pool_; }

    template <class T, class... Arguments>
    ArenaPtr<T> make(Arguments&&... arguments) {
        void* const place = pool_.allocate(sizeof(T), alignof(T));
        return ArenaPtr<T>(new (place) T(std::forward<Arguments>(arguments)...));
    }

    /// `count` objects that need no destructor.
    template <class T>
    T* make_array(std::size_t count) {
        static_assert(std::is_trivially_destructible_v<T>);
        auto* const items = static_cast<T*>(pool_.allocate(count * sizeof(T), alignof(T)));
        std::uninitialized_value_construct_n(items, count);
        return items;
    }

private:
    /// Gives the pool its blocks: aligned to large pages, and with a hint to the system to use
    /// them.
    class LargePages final : public std::pmr::memory_resource {
        void* do_allocate(std::size_t bytes, std::size_t alignment) override;
        void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override;
        bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
            return this == &other;
        }
    };

    LargePages pages_;
    std::pmr::monotonic_buffer_resource pool_{std::size_t{1} << 20, &pages_};
};

}  // namespace flitscope
