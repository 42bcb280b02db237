// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What messages carry for those who sent them, in files about a run.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/base/types.h"

namespace flitscope {

/// A message of an access to memory.
struct MessageLabel {
    enum class Kind : std::uint8_t {
        kReadRequest,
        kWriteRequest,
        kOtherRequest,
        kReadResponse,
        kWriteResponse,
        kOtherResponse,
    };
    /// The words of the kinds, in their order.
    static constexpr std::array kKinds{"read_request",  "write_request",  "other_request",
                                       "read_response", "write_response", "other_response"};

    std::uint64_t address = 0;
    std::uint32_t initiator = 0;  ///< number of its socket
    Kind kind = Kind::kOtherRequest;

    const char* kind_name() const { return kKinds[static_cast<std::size_t>(kind)]; }
};

/// Knows the messages under way.
class MessageLabels {
public:
    virtual ~MessageLabels() = default;
    /// Called when a packet of the message is given a channel. Nothing: it is no access.
    virtual std::optional<MessageLabel> of(MessageId message) const = 0;
};

}  // namespace flitscope
