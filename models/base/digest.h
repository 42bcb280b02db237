// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Identifies texts and files: XXH3, 128 bits, as 32 hexadecimal digits. Not cryptographic.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace flitscope {

std::string digest_of(std::string_view text);

/// The digest of a text that comes part by part, or of several texts.
class Digest {
public:
    Digest();
    void append(const void* bytes, std::size_t count);
    /// Adds one delimited text: the digest of two differs from that of their concatenation.
    void add(std::string_view text);
    std::string text() const;

private:
    struct Release {
        void operator()(void* state) const;
    };
    std::unique_ptr<void, Release> state_;
};

}  // namespace flitscope
