// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The data of the page of networks under load: what curves and saturations of them have found.
#pragma once

#include <string>
#include <vector>

#include "testbench/app/report/report.h"

namespace flitscope {

/// What `flitscope curve --json` or `saturate --json` has printed.
struct LoadsFile {
    std::string path;
    Json content;
};

/// Reads such a file. Throws ConfigError if it is another.
LoadsFile read_loads(const std::string& path);

/// The data of the page (README.md, "Data of loads"). Throws ConfigError if two files have the same
/// measurement of the same network.
Json loads_page_json(const std::vector<LoadsFile>& files, const std::string& command);

}  // namespace flitscope
