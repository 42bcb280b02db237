// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Where programs that flitscope starts do their work.
#pragma once

#include <string>

#include "models/base/output_file.h"

namespace flitscope {

/// A private folder for the time of a job: in $TMPDIR, or in /tmp if that is not set. Removed with
/// its contents.
class WorkFolder {
public:
    /// Throws std::runtime_error that names the folder of temporary files when it takes none.
    WorkFolder();
    ~WorkFolder();
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;

    const std::string& path() const { return path_; }
    std::string file(const std::string& name) const { return path_ + '/' + name; }
    /// Writes a file in it. Throws as the constructor does.
    void write(const std::string& name, const std::string& text) const;

private:
    std::string path_;
    RemovedBySignal removed_;
};

}  // namespace flitscope
