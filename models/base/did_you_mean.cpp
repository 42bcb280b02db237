// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/did_you_mean.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>

namespace flitscope {

std::string did_you_mean(const std::string& near, const std::string& otherwise) {
    return near.empty() ? otherwise : fmt::format("did you mean '{}'?", near);
}

std::string did_you_mean(const std::vector<std::string>& near, const std::string& otherwise) {
    if (near.empty()) return otherwise;
    std::string names = '\'' + near.front() + '\'';
    for (std::size_t i = 1; i < near.size(); ++i) {
        names += fmt::format("{}'{}'", i + 1 < near.size() ? ", " : " or ", near[i]);
    }
    return fmt::format("did you mean {}?", names);
}

std::string did_you_mean_of(const std::string& near, const std::string& title,
                            const std::vector<std::string>& all) {
    const std::string list = fmt::format("{}: {}", title, fmt::join(all, ", "));
    return near.empty() ? list : did_you_mean(near, "") + ' ' + list;
}

}  // namespace flitscope
