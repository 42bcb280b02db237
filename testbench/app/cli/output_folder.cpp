// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/output_folder.h"

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/folder_lock.h"
#include "models/base/input_file.h"
#include "testbench/app/cli/new_folder.h"

namespace flitscope::cli {
namespace {

/// A link in a folder that others write to may lead anywhere, and a pipe may never be read.
void require_ordinary(const std::string& folder, const std::string& name, const Location& where) {
    std::error_code unknown;  // the writer reports why it cannot write there
    const auto status = std::filesystem::symlink_status(folder + "/" + name, unknown);
    if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return;
    const char* const what = std::filesystem::is_directory(status) ? "a folder"
                             : std::filesystem::is_symlink(status) ? "a symbolic link"
                             : std::filesystem::is_fifo(status)    ? "a pipe"
                                                                   : nullptr;
    throw ConfigError(where,
                      what == nullptr ? name + " is not a regular file"
                                      : std::string(what) + " is in the way of the file " + name,
                      "remove it, or choose another --out");
}

}  // namespace

OutputFolder::OutputFolder(std::string path, const std::vector<std::string>& files)
    : path_(std::move(path)) {
    if (!used()) return;
    try {
        create();
        const std::string probe = create_beside(path_ + "/probe");
        if (probe.empty()) throw ConfigError(where(), "cannot write to the folder");
        std::remove(probe.c_str());
        for (const std::string& name : files) {
            require_ordinary(path_, name, where());
            require_no_input(file(name), where());
        }
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
                              is_this ? "is a file, and no folder"
                                      : "'" + place.string() + "' is a file, and no folder",
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
    require_ordinary(path_, name, where());
    files_.push_back(write_unfinished(file(name), content));
}

bool OutputFolder::has_file(const std::string& name) const {
    std::error_code unknown;  // then it is none
    return std::filesystem::is_regular_file(std::filesystem::symlink_status(file(name), unknown));
}

void OutputFolder::publish(const std::function<std::vector<std::string>()>& outdated) {
    if (files_.empty()) return;
    const FolderLock lock(path_);
    const std::vector<std::string> others = outdated ? outdated() : std::vector<std::string>();
    std::remove(files_.back()->file().c_str());
    for (const std::string& name : others) {
        if (has_file(name)) std::remove(file(name).c_str());
    }
    for (const auto& file : files_) file->finish();
    files_.clear();
}

}  // namespace flitscope::cli
