// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/workload_config.h"

#include <cstddef>

namespace flitscope {

Location WorkloadConfig::where(const std::string& key) const {
    std::string path = key;
    while (!path.empty()) {
        const auto it = locations.find(path);
        if (it != locations.end()) return it->second;
        const std::size_t dot = path.rfind('.');
        path.resize(dot == std::string::npos ? 0 : dot);
    }
    return {source, 0, 0};
}

Diagnostic no_traffic(const WorkloadConfig& config) {
    return {config.where("traffic"),
            "no traffic: none of 'traffic.schedule', 'traffic.pattern', 'traffic.program', "
            "'traffic.trace.file' is set",
            "set exactly one of them"};
}

const std::vector<std::string>& traffic_sources() {
    static const std::vector<std::string> kSources = {"traffic.schedule", "traffic.pattern",
                                                      "traffic.program", "traffic.trace.file"};
    return kSources;
}

}  // namespace flitscope
