// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The file that a trace is written to, of whatever format.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#include "models/base/output_file.h"

namespace flitscope {

/// An output file that gets its name when it is closed. It is unbuffered: callers collect. A
/// failure throws std::runtime_error with path and reason, and so does every later call, since a
/// file with a hole is useless.
class TraceOutput {
public:
    /// Throws ConfigError when it cannot be created.
    explicit TraceOutput(const std::string& path);
    /// Leaves no file unless it was closed.
    ~TraceOutput();
    TraceOutput(const TraceOutput&) = delete;
    TraceOutput& operator=(const TraceOutput&) = delete;

    /// A pipe or a device, which cannot be rewritten.
    bool is_stream() const { return is_stream_; }
    /// Neither closed nor discarded.
    bool is_open() const { return file_ != nullptr; }

    void write(const void* bytes, std::size_t count);
    /// Goes to the start of the file: later output overwrites it.
    void rewind();
    /// Gives the complete file its name.
    void close();
    /// Call instead of close(): removes the file.
    void discard();

private:
    void require(bool succeeded);

    std::string path_;
    UnfinishedFile unfinished_;
    bool is_stream_;
    std::FILE* file_;
    std::string failure_;  // the error; later calls repeat it
};

}  // namespace flitscope
