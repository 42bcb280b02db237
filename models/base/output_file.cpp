// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/output_file.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "models/base/input_file.h"

namespace flitscope {

std::string create_beside(const std::string& file) {
    constexpr const char* kEnding = ".partial";
    std::string name = file + ".XXXXXX" + kEnding;
    const int descriptor = mkstemps(name.data(), static_cast<int>(std::strlen(kEnding)));
    if (descriptor == -1) return {};
    // As the files that programs usually make: for those whom the mask of the user lets in.
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    close(descriptor);
    return name;
}

UnfinishedFile::UnfinishedFile(std::string file) : file_(std::move(file)) {
    std::error_code unknown;
    const std::filesystem::file_status status = std::filesystem::status(file_, unknown);
    require_no_input(file_, {});
    if (std::filesystem::is_directory(status)) {
        errno = EISDIR;
    } else if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        path_ = file_;
    } else if (std::filesystem::exists(status) && access(file_.c_str(), W_OK) != 0) {
        return;  // a file that its owner protects is not replaced
    } else {
        // Behind a symbolic link it is the file that it names which is replaced.
        const std::filesystem::path target = std::filesystem::weakly_canonical(file_, unknown);
        if (!unknown) file_ = target.string();
        path_ = create_beside(file_);
    }
}

UnfinishedFile::~UnfinishedFile() {
    if (path_ != file_ && !path_.empty()) std::remove(path_.c_str());
}

void UnfinishedFile::finish() {
    if (path_ == file_) return;
    if (std::rename(path_.c_str(), file_.c_str()) != 0) {
        throw std::runtime_error("cannot rename " + path_ + " to " + file_ + ": " +
                                 std::strerror(errno));
    }
    path_ = file_;
}

std::unique_ptr<UnfinishedFile> write_unfinished(
    const std::string& file, const std::function<void(std::ostream&)>& content) {
    const auto fail = [&file] {
        throw std::runtime_error("cannot write " + file + ": " + std::strerror(errno));
    };
    auto unfinished = std::make_unique<UnfinishedFile>(file);
    if (unfinished->path().empty()) fail();
    std::ofstream out(unfinished->path());
    content(out);
    out.close();
    if (!out) fail();
    return unfinished;
}

void write_whole_file(const std::string& file, const std::function<void(std::ostream&)>& content) {
    write_unfinished(file, content)->finish();
}

void set_aside(const std::string& path, const std::string& why) {
    const std::string damaged = path + ".damaged";
    std::error_code error;
    std::filesystem::remove_all(damaged, error);
    std::filesystem::rename(path, damaged, error);
    std::cerr << "warning: " << path << ' ' << why << ": "
              << (error ? "it is not used" : "set aside as " + damaged) << ", and made again\n";
}

}  // namespace flitscope
