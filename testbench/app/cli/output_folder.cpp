// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/output_folder.h"

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/folder_lock.h"
#include "testbench/app/cli/new_folder.h"

namespace flitscope::cli {

OutputFolder::OutputFolder(std::string path, const std::vector<std::string>& files)
    : path_(std::move(path)) {
    if (!used()) return;
    try {
        create();
        for (const std::string& name : files) require_writable(file(name), where());
    } catch (...) {
        remove_created();
        throw;
    }
}

OutputFolder::~OutputFolder() { remove_created(); }

void OutputFolder::create() {
    created_ = missing_folders(path_);
    std::error_code error;
    std::filesystem::create_directories(path_, error);
    if (!error) return;
    // A file in its place, or in that of a folder above it.
    for (std::filesystem::path place = path_; !place.empty(); place = place.parent_path()) {
        std::error_code unknown;
        if (std::filesystem::is_regular_file(place, unknown)) {
            const bool is_this = place == std::filesystem::path(path_);
            throw ConfigError(where(),
                              is_this ? "is a file, not a folder"
                                      : "'" + place.string() + "' is a file, not a folder",
                              "choose another folder");
        }
        if (place == place.parent_path()) break;
    }
    throw ConfigError(where(), "cannot create the folder: " + error.message());
}

void OutputFolder::remove_created() const {
    std::error_code not_empty;  // then it stays
    for (const std::string& folder : created_) std::filesystem::remove(folder, not_empty);
}

void OutputFolder::write(const std::string& name,
                         const std::function<void(std::ostream&)>& content) {
    files_.push_back(write_unfinished(file(name), content));
}

void OutputFolder::publish(const std::function<std::vector<std::string>()>& outdated) {
    if (files_.empty()) return;
    const FolderLock lock(path_);
    const std::vector<std::string> others = outdated ? outdated() : std::vector<std::string>();
    std::remove(files_.back()->file().c_str());
    for (const std::string& name : others) std::remove(file(name).c_str());
    for (const auto& file : files_) file->finish();
    files_.clear();
}

}  // namespace flitscope::cli
