// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/run/input_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "hw/verilated/rtl_routers.h"
#include "models/base/diagnostics.h"
#include "models/base/input_file.h"
#include "models/config/workload_config.h"
#include "traffic/traces/trace_program.h"

namespace flitscope {

namespace {

struct NamedFile {
    std::string path;
    const char* key;  ///< that names it
};

std::vector<NamedFile> named_files(const WorkloadConfig& config) {
    std::vector<NamedFile> files;
    const auto add = [&files](const std::string& path, const char* key) {
        if (!path.empty()) files.push_back({path, key});
    };
    add(config.fabric.topology.file, "fabric.topology.file");
    add(config.traffic.program, "traffic.program");
    add(config.traffic.matrix, "traffic.matrix");
    const std::string& placement = config.traffic.trace.placement_file;
    for (const std::string& file : trace_files(config)) {
        add(file, file == placement ? "traffic.trace.placement_file" : "traffic.trace.file");
    }
    const std::string& library = config.technology.library;
    if (is_library_file(library)) add(library, "technology.library");
    for (const auto& file : hw::own_rtl_sources(config.fabric)) add(file.string(), "fabric.router");
    return files;
}

}  // namespace

std::vector<std::string> input_files(const WorkloadConfig& config) {
    std::vector<std::string> files;
    for (NamedFile& file : named_files(config)) files.push_back(std::move(file.path));
    return files;
}

void require_input_files(const WorkloadConfig& config) {
    for (const NamedFile& file : named_files(config)) {
        std::error_code unknown;
        if (std::filesystem::exists(file.path, unknown)) continue;
        const Location where = config.where(file.key);
        throw ConfigError(where, fmt::format("no such file '{}'", file.path),
                          looked_for(file.path, where));
    }
}

}  // namespace flitscope
