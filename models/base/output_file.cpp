// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "models/base/input_file.h"

namespace flitscope {

namespace {

/// A file that has not got its name yet, or never will, for the signal handler.
struct Unfinished {
    std::atomic<const char*> path{nullptr};
    std::atomic<bool> is_folder{false};
    std::atomic<pid_t> process{0};  // a child forked in between does not remove it
};

/// More at a time than any command writes; a file beyond these is left behind if a signal ends us.
std::array<Unfinished, 64>& unfinished() {
    static std::array<Unfinished, 64> all;
    return all;
}

/// Removes a folder by calls that a signal handler may make.
void remove_folder(const char* path) {
    const pid_t remover = _Fork();
    if (remover == 0) {
        execl("/bin/rm", "rm", "-rf", "--", path, nullptr);
        _exit(1);
    }
    while (remover > 0 && waitpid(remover, nullptr, 0) < 0 && errno == EINTR) continue;
}

/// Six characters that hardly any other process comes up with.
std::string random_characters() {
    constexpr std::string_view kCharacters = "0123456789abcdefghijklmnopqrstuvwxyz";
    std::random_device source;
    std::uniform_int_distribution<std::size_t> any(0, kCharacters.size() - 1);
    std::string six(6, ' ');
    for (char& one : six) one = kCharacters[any(source)];
    return six;
}

/// Whether its owner has write-protected a file. A missing file is not protected: another process
/// that writes to the folder may just have removed it.
bool is_protected(const std::string& file) {
    return access(file.c_str(), W_OK) != 0 && errno != ENOENT;
}

}  // namespace

void require_writable(const std::string& file, const Location& where) {
    require_no_input(file, where);
    std::error_code unknown;
    const std::filesystem::file_status status = std::filesystem::status(file, unknown);
    if (std::filesystem::is_directory(status)) {
        throw ConfigError(where, "a folder is in the way: " + file, "choose another name");
    }
    const bool is_replaced =
        !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
    if (is_replaced && UnfinishedFile(file).path().empty()) {
        const bool is_full = errno == ENOSPC;
        throw ConfigError(where, "cannot write " + file + ": " + std::strerror(errno),
                          is_full ? "make room, or choose another place"
                                  : "does the folder exist, and may you write there?");
    }
}

void fail_in_temporary_folder(const std::string& what) {
    throw std::runtime_error("cannot " + what + ": " + std::strerror(errno) +
                             " (the environment variable TMPDIR names another place)");
}

void end_by_signal(int number) {
    for (Unfinished& one : unfinished()) {
        const char* const path = one.path.load();
        if (path == nullptr || one.process.load() != getpid()) continue;
        if (one.is_folder.load()) {
            remove_folder(path);
        } else {
            unlink(path);
        }
    }
    std::signal(number, SIG_DFL);
    raise(number);  // met as soon as the handler has returned
}

const std::string& RemovedBySignal::create_file(const std::string& before,
                                                const std::string& after) {
    return create(before, after, false, [](const char* path) {
        const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor != -1) close(descriptor);
        return descriptor != -1;
    });
}

const std::string& RemovedBySignal::create_folder(const std::string& before, unsigned permissions) {
    return create(before, "", true,
                  [permissions](const char* path) { return mkdir(path, permissions) == 0; });
}

template <class Create>
const std::string& RemovedBySignal::create(const std::string& before, const std::string& after,
                                           bool is_folder, const Create& try_to) {
    do {
        forget();
        path_ = before + random_characters() + after;
        note(is_folder);
        if (try_to(path_.c_str())) return path_;
    } while (errno == EEXIST);
    const int why = errno;
    forget();
    path_.clear();
    errno = why;
    return path_;
}

void RemovedBySignal::note(bool is_folder) {
    std::array<Unfinished, 64>& all = unfinished();
    for (std::size_t i = 0; i < all.size(); ++i) {
        pid_t nobody = 0;
        if (!all[i].process.compare_exchange_strong(nobody, getpid())) continue;
        all[i].is_folder.store(is_folder);
        all[i].path.store(path_.c_str());
        slot_ = static_cast<int>(i);
        return;
    }
}

void RemovedBySignal::forget() {
    if (slot_ == -1) return;
    Unfinished& mine = unfinished()[static_cast<std::size_t>(std::exchange(slot_, -1))];
    mine.path.store(nullptr);
    mine.process.store(0);
}

UnfinishedFile::UnfinishedFile(std::string file) : file_(std::move(file)) {
    std::error_code unknown;
    const std::filesystem::file_status status = std::filesystem::status(file_, unknown);
    require_no_input(file_, {});
    if (std::filesystem::is_directory(status)) {
        errno = EISDIR;
    } else if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        path_ = file_;
    } else if (is_protected(file_)) {
        return;  // with the errno of access()
    } else {
        // If the name is a symbolic link, the file that it leads to is replaced.
        const std::filesystem::path target = std::filesystem::weakly_canonical(file_, unknown);
        if (!unknown) file_ = target.string();
        path_ = removed_.create_file(file_ + '.', ".partial");
    }
}

UnfinishedFile::~UnfinishedFile() {
    if (path_ != file_ && !path_.empty()) std::remove(path_.c_str());
    removed_.forget();
}

void UnfinishedFile::finish() {
    if (path_ == file_) return;
    if (std::rename(path_.c_str(), file_.c_str()) != 0) {
        throw std::runtime_error("cannot rename " + path_ + " to " + file_ + ": " +
                                 std::strerror(errno));
    }
    removed_.forget();
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

}  // namespace flitscope
