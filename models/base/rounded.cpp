// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/rounded.h"

#include <fmt/format.h>

#include <charconv>
#include <string>

namespace flitscope {

double rounded(double figure) {
    const std::string text = fmt::format("{:.12g}", figure);
    double result = figure;
    std::from_chars(text.data(), text.data() + text.size(), result);
    return result;
}

}  // namespace flitscope
