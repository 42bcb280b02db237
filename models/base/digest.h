// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What texts and files are told apart by: XXH3, 128 bits, as 32 hexadecimal digits. No secret is
// kept by it.
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
    /// A text of its own: two of them do not give what their concatenation gives.
    void add(std::string_view text);
    std::string text() const;

private:
    struct Release {
        void operator()(void* state) const;
    };
    std::unique_ptr<void, Release> state_;
};

}  // namespace flitscope
