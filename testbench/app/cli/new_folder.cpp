// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/new_folder.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <stdexcept>
#include <system_error>

#include "models/base/diagnostics.h"
#include "models/base/output_file.h"

namespace flitscope::cli {
namespace {

namespace fs = std::filesystem;

/// The path without a slash at the end, and with symbolic links resolved. Throws ConfigError if a
/// folder cannot be made: something is there, or permission is missing.
fs::path resolved(const Location& where, const std::string& path) {
    if (path.empty()) throw ConfigError(where, "a folder needs a name");
    try {
        fs::path target = fs::weakly_canonical(fs::absolute(path));
        if (!target.has_filename()) target = target.parent_path();
        if (fs::exists(target) && !fs::is_directory(target)) {
            throw ConfigError(where, "a file is in the way", "choose another folder");
        }
        if (fs::is_directory(target) && !fs::is_empty(target)) {
            throw ConfigError(where, "the folder is not empty, and nothing in it is overwritten",
                              "remove it, or choose another");
        }
        return target;
    } catch (const fs::filesystem_error& error) {
        throw ConfigError(where, "cannot create the folder: " + error.code().message());
    }
}

}  // namespace

std::vector<std::string> missing_folders(const std::string& path) {
    std::vector<std::string> missing;
    fs::path folder = fs::absolute(path).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();  // "out/"
    std::error_code error;
    for (; !folder.empty() && !exists(fs::symlink_status(folder, error));
         folder = folder.parent_path()) {
        missing.push_back(folder.string());
    }
    return missing;
}

NewFolder::NewFolder(const std::string& option, const std::string& path)
    : where_{option + ' ' + path, 0, 0} {
    std::error_code error;
    const fs::path target = resolved(where_, path);
    target_ = target.string();
    created_ = missing_folders(target.parent_path().string());
    fs::create_directories(target.parent_path(), error);
    if (!error) unfinished_ = removed_.create_folder(target_ + '.', 0777);
    if (unfinished_.empty()) {
        const std::string why = error ? error.message() : std::strerror(errno);
        for (const std::string& folder : created_) fs::remove(folder, error);
        throw ConfigError(where_, "cannot create the folder: " + why);
    }
}

NewFolder::~NewFolder() {
    if (unfinished_.empty()) return;
    std::error_code error;
    fs::remove_all(unfinished_, error);
    for (const std::string& folder : created_) fs::remove(folder, error);
}

void NewFolder::write(const std::string& name, const std::string& text) const {
    const fs::path file = fs::path(unfinished_) / name;
    fs::create_directories(file.parent_path());
    write_whole_file(file.string(), [&text](std::ostream& out) { out << text; });
}

void NewFolder::finish() {
    if (std::rename(unfinished_.c_str(), target_.c_str()) != 0) {
        throw std::runtime_error("cannot rename " + unfinished_ + " to " + target_ + ": " +
                                 std::strerror(errno));
    }
    removed_.forget();
    unfinished_.clear();
}

}  // namespace flitscope::cli
