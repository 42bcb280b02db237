// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/former_names.h"

#include <fmt/format.h>

namespace flitscope {

void use_current_names(const ConfigTable& table, const std::string& path, ConfigTree& tree,
                       std::vector<Diagnostic>& findings) {
    if (tree.is_scalar()) {
        const std::string value = path + '=' + tree.text;
        const std::string now = table.current_name(value);
        if (now != value) tree.text = now.substr(now.find('=') + 1);
    }
    if (!tree.is_map()) return;
    for (ConfigTree& child : tree.children) {
        const std::string child_path = table.current_name(join_path(path, child.key));
        const std::string name = leaf_name(child_path);
        if (name != child.key && tree.find(name) != nullptr) {
            findings.push_back({child.key_where,
                                fmt::format("'{}' is the former name of '{}', which is set as well",
                                            child.key, name),
                                "leave one of them out"});
        }
        child.key = name;
        use_current_names(table, child_path, child, findings);
    }
}

}  // namespace flitscope
