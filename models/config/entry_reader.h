// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads maps that are entries of a list in the configuration, such as router overrides.
#pragma once

#include "models/base/did_you_mean.h"
#include "models/base/printable.h"
#include "models/config/value_readers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace flitscope::kinds {

/// Finds the keys of `map` that are not among `known`. They are not paths of the table, which
/// cannot contain the entries of a list.
inline void refuse_unknown_keys(const ConfigTree& map, const ReadContext& context,
                                const Names& known) {
    for (const ConfigTree& child : map.children) {
        if (std::find(known.begin(), known.end(), child.key) != known.end()) continue;
        // A place on the command line has no column that would identify the entry.
        const std::string prefix = child.key_where.line == 0 ? context.name + '.' : "";
        const std::string near = nearest(child.key, known);
        context.findings.push_back(
            {child.key_where, fmt::format("unknown key '{}'", excerpt(prefix + child.key)),
             did_you_mean(near.empty() ? near : prefix + near,
                          fmt::format("keys of '{}': {}", context.name, fmt::join(known, ", ")))});
    }
}

/// Reads the keys of one map.
class EntryReader {
public:
    /// Adds a finding for each key that is not among `known`.
    EntryReader(const ConfigTree& map, const ReadContext& context, const Names& known)
        : map_(map), context_(context), before_(context.findings.size()) {
        refuse_unknown_keys(map, context, known);
    }
    /// Calls read_value(child, context) for `key`, or adds a finding with `remedy` that it is
    /// missing.
    template <class ReadValue>
    void operator()(const char* key, const std::string& remedy, const ReadValue& read_value) const {
        const ReadContext inner{context_.name + '.' + key, context_.folder, context_.findings};
        if (const ConfigTree* const child = map_.find(key)) {
            read_value(*child, inner);
        } else {
            context_.findings.push_back(
                {map_.where, fmt::format("key '{}' is missing", inner.name), remedy});
        }
    }
    /// Calls read_value(child, context) for `key` if it is there.
    template <class ReadValue>
    void optional(const char* key, const ReadValue& read_value) const {
        if (map_.find(key) != nullptr) (*this)(key, {}, read_value);
    }
    /// Whether no finding has been added.
    bool is_sound() const { return context_.findings.size() == before_; }

private:
    const ConfigTree& map_;
    const ReadContext& context_;
    std::size_t before_;
};

}  // namespace flitscope::kinds
