// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace flitscope {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

}  // namespace

void* Arena::LargePages::do_allocate(std::size_t bytes, std::size_t alignment) {
    const std::size_t whole = (bytes + kLargePage - 1) / kLargePage * kLargePage;
    void* const block = std::aligned_alloc(std::max(alignment, kLargePage), whole);
    if (block == nullptr) throw std::bad_alloc();
    madvise(block, whole, MADV_HUGEPAGE);  // a wish: without large pages all works, only slower
    return block;
}

void Arena::LargePages::do_deallocate(void* block, std::size_t, std::size_t) { std::free(block); }

}  // namespace flitscope
