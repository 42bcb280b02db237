// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A configuration as C++ that fills in a flitscope::Config.
#pragma once

#include <string>
#include <vector>

#include "models/config/config.h"

namespace flitscope {

/// A statement for every member of `config` that is not what a Config begins with, indented by four
/// places, 100 columns wide, with its unit. Members that are files of the user become names in the
/// folder `FLITSCOPE_FILES`, a macro that is a string: files_in_code(). `source`, `locations` and
/// the sources of routers, which are a matter of the build, are left out. A configuration whose
/// clock or wires follow from a synthesis has the figures of it.
std::string config_code(const Config& config);

/// A file that a configuration names.
struct FileInCode {
    std::string path;
    std::string name;  ///< in that folder
};

/// All files that a configuration names. Names keep their endings, by which readers know formats.
std::vector<FileInCode> files_in_code(const Config& config);

}  // namespace flitscope
