// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Settings with a fixed set of values are enumerations. Words are read and written at the boundary
// (key_kinds.h, reports); everywhere else a switch without a default covers every value, and the
// compiler refuses one that does not.
#pragma once

#include <optional>
#include <string>

namespace flitscope {

/// The one of `values` whose name_of() is `name`; nothing when none has it.
template <class Values>
std::optional<typename Values::value_type> value_named(const Values& values,
                                                       const std::string& name) {
    for (const auto value : values) {
        if (name_of(value) == name) return value;
    }
    return std::nullopt;
}

}  // namespace flitscope
