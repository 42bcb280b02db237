// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists of SystemVerilog files as simulators and synthesis tools read them (`-f files.f`).
#pragma once

#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/router_choice.h"

namespace flitscope {

/// Whether `text` can be the value of a macro: letters, digits, `_`, `'`, `.` and `-`, or nothing.
bool is_macro_value(const std::string& text);

/// Adds the files, folders of included files and macros that the list at `path` names to `module`,
/// in its order. Paths in it are relative to its folder. Understood are names of files,
/// `+incdir+DIR`, `+define+NAME=VALUE`, several of either with `+` between them, `-f LIST` and `-F
/// LIST` of other lists, and comments behind `//` and `#`. Adds a finding, at the line of the list,
/// for anything else, a file that is not there, and lists that name each other in a circle;
/// `named_at` is where the user named the list.
void read_file_list(const std::string& path, const Location& named_at,
                    std::vector<Diagnostic>& findings, RtlModule& module);

}  // namespace flitscope
