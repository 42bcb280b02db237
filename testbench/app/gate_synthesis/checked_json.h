// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON in a cache, with a checksum: what is not what was written there is not believed.
#pragma once

#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "models/base/output_file.h"

namespace flitscope {

/// The text of a file with these figures and a checksum: of them, and of `beside` where it is not
/// empty, which is not in the file.
std::string checked_json(const nlohmann::ordered_json& figures, const std::string& beside = {});

/// The figures in a file of such a text. Throws std::exception where it holds anything else, or is
/// no ordinary file.
nlohmann::ordered_json read_checked_json(const std::string& file, const std::string& beside = {});

/// What `read` returns, an optional, of an entry of a cache. Where that throws, the entry is set
/// aside with the reason `why`, and there is nothing: unless what is lacking is memory.
template <class Read>
auto read_kept(const std::string& entry, const std::string& why, const Read& read)
    -> decltype(read()) {
    try {
        return read();
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception&) {
        set_aside(entry, why);
        return std::nullopt;
    }
}

}  // namespace flitscope
