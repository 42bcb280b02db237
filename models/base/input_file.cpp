// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/input_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>
#include <vector>

#include "models/base/digest.h"
#include "models/base/memory.h"

namespace flitscope {

namespace {

/// Paths with the digests of what was read; an empty digest if other code read the file. One for
/// the whole process, since code that writes files cannot see which were read.
std::map<std::string, std::string>& inputs() {
    static std::map<std::string, std::string> digests;
    return digests;
}

/// A path in the form of inputs(); empty if the current folder is gone.
std::string full_path(const std::string& path) {
    std::error_code failed;
    const std::filesystem::path full = std::filesystem::absolute(path, failed);
    return failed ? std::string() : full.string();
}

/// Calls take(bytes, count) for the file, part by part; `holds`: in memory.
template <class Take>
void read_parts(const std::string& path, const char* what, std::size_t max_bytes,
                const Location& named_at, bool holds, const Take& take) {
    const Location where = named_at.source.empty() ? Location{path, 0, 0} : named_at;
    const std::string name = named_at.source.empty() ? what : fmt::format("{} '{}'", what, path);
    std::error_code failed;
    const auto status = std::filesystem::status(path, failed);
    if (!std::filesystem::exists(status)) {
        throw ConfigError(where, "no such " + name, looked_for(path, named_at));
    }
    if (std::filesystem::is_directory(status)) {
        throw ConfigError(where, fmt::format("the {} is a folder", name), "name a file in it");
    }
    note_input(path);
    std::ifstream file(path, std::ios::binary);
    // A growing text takes up to three times its size, next to the data built from it.
    const std::uint64_t memory = usable_memory() / 4;
    const bool may_be_longer = !holds && std::filesystem::is_regular_file(status);
    const std::uint64_t most =
        may_be_longer ? max_bytes : std::min<std::uint64_t>(max_bytes, memory);
    std::vector<char> part(1U << 16);
    Digest digest;
    std::uint64_t size = 0;
    while (file && size <= most) {
        file.read(part.data(), static_cast<std::streamsize>(part.size()));
        const auto count = static_cast<std::size_t>(file.gcount());
        take(part.data(), count);
        digest.append(part.data(), count);
        size += count;
    }
    if (!file.is_open() || file.bad())
        throw ConfigError(where, fmt::format("cannot read the {}", name));
    if (size > max_bytes) {
        throw ConfigError(where, fmt::format("the {} has more than {} bytes", name, max_bytes));
    }
    if (size > most) {
        throw ConfigError(where,
                          fmt::format("the {} has more than {}, a quarter of the memory that "
                                      "this process may use",
                                      name, memory_text(memory)));
    }
    const std::string full = full_path(path);
    if (!full.empty()) inputs()[full] = digest.text();
}

}  // namespace

std::string looked_for(const std::string& path, const Location& named_at) {
    std::error_code failed;
    const std::filesystem::path full = std::filesystem::absolute(path, failed);
    if (failed || path.empty() || named_at.source.empty() || full == path) return {};
    const bool on_command_line = named_at.line == 0;
    return fmt::format("looked for {}{}", full.lexically_normal().string(),
                       on_command_line ? "; on the command line names are relative to the current "
                                         "folder, not to the configuration file"
                                       : "");
}

void note_input(const std::string& path) {
    const std::string full = full_path(path);
    if (!full.empty()) inputs()[full];
}

std::optional<std::string> input_digest(const std::string& path) {
    const auto input = inputs().find(full_path(path));
    if (input == inputs().end() || input->second.empty()) return std::nullopt;
    return input->second;
}

std::string read_input_file(const std::string& path, const char* what, std::size_t max_bytes,
                            const Location& named_at) {
    std::string text;
    read_parts(path, what, max_bytes, named_at, true,
               [&](const char* bytes, std::size_t count) { text.append(bytes, count); });
    return text;
}

Spool spool_input_file(const std::string& path, const char* what, std::size_t max_bytes,
                       const Location& named_at) {
    Spool spool;
    read_parts(path, what, max_bytes, named_at, false,
               [&](const char* bytes, std::size_t count) { spool.append(bytes, count); });
    spool.close();
    return spool;
}

bool lead_to_one_file(const std::string& path, const std::string& other) {
    std::error_code unknown;
    if (std::filesystem::equivalent(path, other, unknown)) return true;  // links, too
    const auto place = std::filesystem::weakly_canonical(full_path(path), unknown);
    return !unknown && !place.empty() &&
           place == std::filesystem::weakly_canonical(full_path(other), unknown);
}

void require_no_input(const std::string& path, const Location& where) {
    for (const auto& [input, digest] : inputs()) {
        if (!lead_to_one_file(path, input)) continue;
        throw ConfigError(where, fmt::format("{} has been read, and would be overwritten", path),
                          "choose another name or folder for what is written");
    }
}

}  // namespace flitscope
