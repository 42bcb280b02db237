// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Router numbers in texts.
#pragma once

#include <fmt/format.h>

#include "models/base/types.h"

template <>
struct fmt::formatter<flitscope::RouterId> : fmt::formatter<std::uint32_t> {
    template <class Context>
    auto format(flitscope::RouterId router, Context& context) const {
        return fmt::formatter<std::uint32_t>::format(router.number(), context);
    }
};
