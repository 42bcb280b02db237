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

/// Throws ConfigError, placed at `where`, if `file` cannot be written in the end: it is one that
/// this process has read, a folder, or its folder is not there or protected.
void require_writable(const std::string& file, const Location& where);

/// Throws std::runtime_error for a failure in the folder of temporary files: operation, errno text,
/// and how to name another folder.
[[noreturn]] void fail_in_temporary_folder(const std::string& what);

/// Handler of signals that end the process, or called by one: removes the files and folders
/// that RemovedBySignal created in this process, and ends it by that signal.
void end_by_signal(int number);

/// A new file, or a new folder with all that will be in it, that end_by_signal() removes as long as
/// this lives. It is noted before it exists, so a signal leaves it at no moment.
class RemovedBySignal {
public:
    RemovedBySignal() = default;
    ~RemovedBySignal() { forget(); }
    RemovedBySignal(const RemovedBySignal&) = delete;
    RemovedBySignal& operator=(const RemovedBySignal&) = delete;

    /// Creates an empty file `before`XXXXXX`after`, where XXXXXX makes the name a new one, and
    /// returns its name; if it cannot be created, an empty name, with errno set.
    const std::string& create_file(const std::string& before, const std::string& after);
    /// Creates an empty folder `before`XXXXXX as create_file() does; of `permissions` it gets those
    /// that the user's mask permits.
    const std::string& create_folder(const std::string& before, unsigned permissions);
    /// From now on a signal leaves it.
    void forget();

private:
    template <class Create>
    const std::string& create(const std::string& before, const std::string& after, bool is_folder,
                              const Create& try_to);
    void note(bool is_folder);

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
