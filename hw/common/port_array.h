// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The ports of a module by number, if not every number has one. SystemC pays for every port, bound
// or not, and in a network of long lines half of a router's numbers lead nowhere.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "models/base/module_list.h"

namespace flitscope::hw {

template <class Port>
class PortArray {
public:
    /// Port i is called "<prefix>_<i>" and exists if exists[i] holds.
    PortArray(const char* prefix, const std::vector<bool>& exists) : ports_(exists.size()) {
        for (std::size_t i = 0; i < exists.size(); ++i) {
            if (!exists[i]) continue;
            const std::string name = std::string(prefix) + '_' + std::to_string(i);
            ports_[i] = std::make_unique<Port>(name.c_str());
        }
    }

    bool has(std::size_t i) const { return ports_[i] != nullptr; }
    /// has(i) must hold.
    Port& operator[](std::size_t i) { return *ports_[i]; }

private:
    ModuleList<std::unique_ptr<Port>> ports_;
};

}  // namespace flitscope::hw
