// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A file of a folder that is exported, before it is written.
#pragma once

#include <string>

namespace flitscope {

struct ExportedFile {
    std::string path;  ///< relative to the folder
    std::string text;
};

}  // namespace flitscope
