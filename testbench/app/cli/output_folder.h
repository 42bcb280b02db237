// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The folder that --out names. Its files appear together: those of two runs do not mix.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "models/base/output_file.h"

namespace flitscope::cli {

class OutputFolder {
public:
    /// Creates the folder, with its parents, and checks that `files` can be written to it, and that
    /// none of them has been read by this process. Throws ConfigError otherwise. An empty path: no
    /// folder is wanted.
    OutputFolder(std::string path, const std::vector<std::string>& files);
    /// Removes what the constructor created if nothing was put into it.
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

    bool used() const { return !path_.empty(); }

    /// Writes a file, which publish() gives its name. Throws std::runtime_error when it cannot be
    /// written.
    void write(const std::string& name, const std::function<void(std::ostream&)>& content);
    /// Gives the written files their names, while no other process does so in this folder. The file
    /// written last is the last to appear; until then there is none of its name. Those that
    /// `outdated` names, asked at that time, are removed. Throws std::runtime_error when that is
    /// not possible.
    void publish(const std::function<std::vector<std::string>()>& outdated = {});
    std::string file(const std::string& name) const { return path_ + "/" + name; }

private:
    Location where() const { return {"--out " + path_, 0, 0}; }
    void create();
    void remove_created() const;

    std::string path_;
    std::vector<std::string> created_;  // folders, the innermost first
    std::vector<std::unique_ptr<UnfinishedFile>> files_;
};

}  // namespace flitscope::cli
