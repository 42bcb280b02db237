// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/run/input_files.h"

#include "hw/verilated/rtl_routers.h"
#include "traffic/traces/trace_program.h"

namespace flitscope {

std::vector<std::string> input_files(const Config& config) {
    std::vector<std::string> files;
    for (const std::string& file :
         {config.fabric.topology.file, config.traffic.program, config.traffic.matrix}) {
        if (!file.empty()) files.push_back(file);
    }
    for (std::string& file : trace_files(config)) files.push_back(std::move(file));
    for (const auto& file : hw::own_rtl_sources(config)) files.push_back(file.string());
    return files;
}

}  // namespace flitscope
