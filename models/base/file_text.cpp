// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/file_text.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <stdexcept>

#include "models/base/memory.h"

namespace flitscope {

std::optional<std::string> file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text;
    std::array<char, 1 << 14> part;
    const std::uint64_t most = usable_memory() / 4;
    while (file) {
        file.read(part.data(), part.size());
        text.append(part.data(), static_cast<std::size_t>(file.gcount()));
        if (text.size() > most) return std::nullopt;
    }
    if (!file.is_open() || file.bad()) return std::nullopt;  // bad: also for a folder
    return text;
}

std::string read_file(const std::string& path) {
    std::optional<std::string> text = file_text(path);
    if (!text) throw std::runtime_error("cannot read " + path);
    return *std::move(text);
}

}  // namespace flitscope
