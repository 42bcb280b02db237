// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The folder that --out names. Files appear in it whole or not at all.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace flitscope::cli {

class OutputFolder {
public:
    /// Creates the folder, with its parents, and makes sure that files can be written to it.
    /// Throws ConfigError otherwise. An empty path: no folder is wanted.
    explicit OutputFolder(std::string path);

    bool used() const { return !path_.empty(); }

    /// Writes `name` under a temporary name and renames it when it is complete. Throws
    /// std::runtime_error when the disk does not take it.
    void write(const std::string& name, const std::function<void(std::ostream&)>& content) const;

private:
    std::string path_;
};

}  // namespace flitscope::cli
