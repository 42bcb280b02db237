// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/node_finder.h"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <system_error>

#include "models/base/diagnostics.h"
#include "models/base/did_you_mean.h"
#include "models/base/printable.h"

namespace flitscope {

std::optional<NodeId> to_node_number(std::string_view text) {
    NodeId node = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, node);
    if (error != std::errc() || stop != end) return std::nullopt;
    return node;
}

std::optional<NodeId> NodeFinder::find(std::string_view text) const {
    if (const std::optional<NodeId> number = to_node_number(text)) return number;
    if (numbers_.empty()) {
        for (std::size_t node = 0; node < names_.size(); ++node) {
            numbers_.emplace(names_[node], static_cast<NodeId>(node));
        }
    }
    const auto found = numbers_.find(text);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<NodeId> NodeFinder::find(std::string_view text, NodeId count) const {
    const std::optional<NodeId> found = find(text);
    return found && *found < count ? found : std::nullopt;
}

std::vector<std::pair<NodeId, NodeId>> NodeFinder::find_ends(std::string_view text) const {
    std::vector<std::pair<NodeId, NodeId>> found;
    for (std::size_t dash = text.find('-'); dash != text.npos; dash = text.find('-', dash + 1)) {
        const auto from = find(text.substr(0, dash));
        const auto to = from ? find(text.substr(dash + 1)) : std::nullopt;
        if (to) found.emplace_back(*from, *to);
    }
    return found;
}

std::string NodeFinder::name_of(NodeId node) const {
    return node < names_.size() ? fmt::format("'{}'", excerpt(names_[node])) : std::to_string(node);
}

std::string NodeFinder::remedy(std::string_view text) const {
    return did_you_mean(nearest(text, names_), "flitscope topology lists the names of the nodes");
}

std::string NodeFinder::remedy(std::string_view text, const std::string& numbers) const {
    return find(text) || !has_names() ? numbers : remedy(text);
}

}  // namespace flitscope
