// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/digest.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <new>
#include <string>

namespace flitscope {
namespace {

std::string digits(const XXH128_hash_t& hash) {
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

XXH3_state_t* state_of(void* state) { return static_cast<XXH3_state_t*>(state); }

}  // namespace

std::string digest_of(std::string_view text) {
    return digits(XXH3_128bits(text.data(), text.size()));
}

void Digest::Release::operator()(void* state) const { XXH3_freeState(state_of(state)); }

Digest::Digest() : state_(XXH3_createState()) {
    if (state_ == nullptr) throw std::bad_alloc();
    XXH3_128bits_reset(state_of(state_.get()));
}

void Digest::append(const void* bytes, std::size_t count) {
    XXH3_128bits_update(state_of(state_.get()), bytes, count);
}

void Digest::add(std::string_view text) {
    // The length goes in front, so that "ab", "c" and "a", "bc" differ.
    const std::string length = std::to_string(text.size()) + ':';
    append(length.data(), length.size());
    append(text.data(), text.size());
}

std::string Digest::text() const { return digits(XXH3_128bits_digest(state_of(state_.get()))); }

}  // namespace flitscope
