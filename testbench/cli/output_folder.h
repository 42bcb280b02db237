// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The folder that --out names.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace flitscope::cli {

class OutputFolder {
public:
    /// Creates the folder, with its parents, and makes sure that `files` can be written to it.
    /// Throws ConfigError otherwise. An empty path: no folder is wanted.
    OutputFolder(std::string path, const std::vector<std::string>& files);
    /// Removes what the constructor created if nothing was put into it.
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

    bool used() const { return !path_.empty(); }

    /// write_whole_file() in the folder.
    void write(const std::string& name, const std::function<void(std::ostream&)>& content) const;

private:
    void create();
    void remove_created() const;

    std::string path_;
    std::vector<std::string> created_;  // folders, the innermost first
};

}  // namespace flitscope::cli
