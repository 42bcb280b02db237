// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// By what a receive takes its message.
#pragma once

#include <cstdint>

#include "models/base/split_mix.h"
#include "models/base/types.h"

namespace flitscope {

struct Envelope {
    NodeId node = 0;    ///< that receives
    NodeId source = 0;  ///< a node, or kAnySource
    std::uint32_t tag = 0;

    friend bool operator==(const Envelope& a, const Envelope& b) {
        return a.node == b.node && a.source == b.source && a.tag == b.tag;
    }
};

/// For a FlatMap.
struct EnvelopeHash {
    std::uint64_t operator()(const Envelope& of) const {
        return split_mix(split_mix(std::uint64_t{of.node} << 32U | of.source) ^ of.tag);
    }
};

}  // namespace flitscope
