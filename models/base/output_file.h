// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Files that appear under their name complete, or not at all.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>

#include "models/base/diagnostics.h"

namespace flitscope {

/// The permissions out of `mode` that files and folders usually get: those that the user's mask
/// permits.
unsigned usual_permissions(unsigned mode);

/// A new empty file FILE.XXXXXX.partial, unique to this run; if it cannot be created, an empty
/// name, with errno set.
std::string create_beside(const std::string& file);

/// Throws ConfigError, placed at `where`, if `file` cannot be written in the end: it is one that
/// this process has read, a folder, or its folder is not there or protected.
void require_writable(const std::string& file, const Location& where);

/// Throws std::runtime_error for a failure in the folder of temporary files: operation, errno text,
/// and how to name another folder.
[[noreturn]] void fail_in_temporary_folder(const std::string& what);

/// Handler of signals that end the process, or called by one: removes the files and folders noted
/// by RemovedBySignal in this process, and ends it by that signal.
void end_by_signal(int number);

/// A file, or a folder with all that is in it, that end_by_signal() removes as long as this lives.
class RemovedBySignal {
public:
    RemovedBySignal() = default;
    ~RemovedBySignal() { forget(); }
    RemovedBySignal(const RemovedBySignal&) = delete;
    RemovedBySignal& operator=(const RemovedBySignal&) = delete;

    void note_file(std::string path) { note(std::move(path), false); }
    void note_folder(std::string path) { note(std::move(path), true); }
    void forget();

private:
    void note(std::string path, bool is_folder);

    std::string path_;
    int slot_ = -1;  ///< slot of the path for end_by_signal()
};

/// A file that is written under a temporary name next to its final one. A non-regular file
/// (/dev/stdout, /dev/null) is written directly.
class UnfinishedFile {
public:
    /// If the file cannot be created path() is empty, and errno says why. Throws ConfigError if it
    /// would replace a file that this process has read (require_no_input()).
    explicit UnfinishedFile(std::string file);
    /// Removes the file unless it was finished.
    ~UnfinishedFile();
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;

    /// The name that it is going to have.
    const std::string& file() const { return file_; }
    /// The name to write to.
    const std::string& path() const { return path_; }
    /// Gives the complete file its name. Throws std::runtime_error when that is not possible.
    void finish();

private:
    std::string file_;
    std::string path_;
    RemovedBySignal removed_;
};

/// Writes a file that finish() gives its name. Throws std::runtime_error when it cannot be written.
std::unique_ptr<UnfinishedFile> write_unfinished(const std::string& file,
                                                 const std::function<void(std::ostream&)>& content);

/// Writes `file` as a whole. If it cannot be written, throws std::runtime_error and leaves no part
/// of it.
void write_whole_file(const std::string& file, const std::function<void(std::ostream&)>& content);

}  // namespace flitscope
