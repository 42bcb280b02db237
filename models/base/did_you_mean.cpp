// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/did_you_mean.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace flitscope {

std::string did_you_mean(const std::string& near, const std::string& otherwise) {
    return near.empty() ? otherwise : fmt::format("did you mean '{}'?", near);
}

std::string did_you_mean_of(const std::string& near, const std::string& title,
                            const std::vector<std::string>& all) {
    const std::string list = fmt::format("{}: {}", title, fmt::join(all, ", "));
    return near.empty() ? list : did_you_mean(near, "") + ' ' + list;
}

}  // namespace flitscope
