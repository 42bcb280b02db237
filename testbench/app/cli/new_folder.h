// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A folder that appears under its name whole, or not at all.
#pragma once

#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/output_file.h"

namespace flitscope::cli {

/// Lists `path` and those of its parent folders that do not exist, the innermost first. A symbolic
/// link exists, wherever it leads.
std::vector<std::string> missing_folders(const std::string& path);

class NewFolder {
public:
    /// Checks that the folder can be made: nothing is there, or an empty folder. Until then, files
    /// are written to a folder next to it. Throws ConfigError, at `option`, otherwise.
    NewFolder(const std::string& option, const std::string& path);
    /// Removes what was written, and the parents that were made, unless it was finished.
    ~NewFolder();
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;

    /// A file, in subfolders if its name has them. Throws std::runtime_error if it cannot be
    /// written.
    void write(const std::string& name, const std::string& text) const;
    /// Gives the folder its name. Throws std::runtime_error if something has taken it since.
    void finish();

private:
    Location where_;
    std::string target_;
    std::string unfinished_;
    RemovedBySignal removed_;
    std::vector<std::string> created_;  // parents, the innermost first
};

}  // namespace flitscope::cli
