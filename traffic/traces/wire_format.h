// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The wire format of protocol buffers, as far as our readers need it: fields with their numbers,
// one after the other, without a schema and without copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace flitscope {

/// One field of a message. The wire type says whether it has `bytes` or `number`.
struct WireField {
    enum class Type : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
    std::uint32_t id = 0;
    Type type = Type::kVarint;
    std::uint64_t number = 0;  ///< kVarint, kFixed64, kFixed32
    std::string_view bytes;    ///< kBytes
};

/// Goes through the bytes of a message. A failure is permanent: offset() gives its place.
class WireReader {
public:
    explicit WireReader(std::string_view bytes) : bytes_(bytes) {}

    bool at_end() const { return at_ == bytes_.size(); }
    std::size_t offset() const { return at_; }

    /// A number of 7 bits per byte, at most 64 bits; nothing if it is invalid.
    std::optional<std::uint64_t> varint() {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < 10 && at_ + i < bytes_.size(); ++i) {
            const auto byte = static_cast<unsigned char>(bytes_[at_ + i]);
            if (i == 9 && byte > 1) return std::nullopt;
            value |= static_cast<std::uint64_t>(byte & 0x7fU) << (7 * i);
            if ((byte & 0x80U) != 0) continue;
            at_ += i + 1;
            return value;
        }
        return std::nullopt;
    }
    /// A length and as many bytes.
    std::optional<std::string_view> block() {
        const std::size_t begin = at_;
        const auto length = varint();
        if (!length || *length > bytes_.size() - at_) {
            at_ = begin;
            return std::nullopt;
        }
        const std::string_view found = bytes_.substr(at_, *length);
        at_ += *length;
        return found;
    }
    /// The next field; nothing if it is broken, or a group, which is not used any more.
    std::optional<WireField> field() {
        const std::size_t begin = at_;
        if (auto found = read_field()) return found;
        at_ = begin;
        return std::nullopt;
    }

private:
    std::optional<WireField> read_field() {
        const auto key = varint();
        if (!key || *key >> 3U == 0 || *key >> 3U > (1U << 29U) - 1) return std::nullopt;
        WireField field;
        field.id = static_cast<std::uint32_t>(*key >> 3U);
        field.type = static_cast<WireField::Type>(*key & 7U);
        switch (field.type) {
            case WireField::Type::kVarint:
                if (const auto number = varint()) {
                    field.number = *number;
                    return field;
                }
                return std::nullopt;
            case WireField::Type::kFixed64:
                return fixed(field, 8);
            case WireField::Type::kFixed32:
                return fixed(field, 4);
            case WireField::Type::kBytes:
                if (const auto bytes = block()) {
                    field.bytes = *bytes;
                    return field;
                }
                return std::nullopt;
        }
        return std::nullopt;
    }

    std::optional<WireField> fixed(WireField field, std::size_t size) {
        if (bytes_.size() - at_ < size) return std::nullopt;
        for (std::size_t i = size; i-- > 0;) {
            field.number = field.number << 8U | static_cast<unsigned char>(bytes_[at_ + i]);
        }
        at_ += size;
        return field;
    }

    std::string_view bytes_;
    std::size_t at_ = 0;
};

}  // namespace flitscope
