// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "waveforms/trace_output.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "models/base/diagnostics.h"

namespace flitscope {

TraceOutput::TraceOutput(const std::string& path)
    : path_(path),
      unfinished_(path),
      is_stream_(unfinished_.path() == path),
      file_(unfinished_.path().empty() ? nullptr : std::fopen(unfinished_.path().c_str(), "wb")) {
    if (file_ == nullptr) {
        throw ConfigError(Location{path},
                          std::string("cannot write the trace: ") + std::strerror(errno),
                          "name a file in a folder that exists and is writable");
    }
    std::setvbuf(file_, nullptr, _IONBF, 0);
}

TraceOutput::~TraceOutput() { discard(); }

void TraceOutput::write(const void* bytes, std::size_t count) {
    require(failure_.empty() && std::fwrite(bytes, 1, count, file_) == count);
}

void TraceOutput::rewind() {
    // Not std::rewind(), which forgets that something failed.
    require(failure_.empty() && std::fseek(file_, 0, SEEK_SET) == 0);
}

void TraceOutput::close() {
    std::FILE* const file = std::exchange(file_, nullptr);
    const bool is_closed = std::fclose(file) == 0;
    require(failure_.empty() && is_closed);
    unfinished_.finish();
}

void TraceOutput::discard() {
    if (file_ != nullptr) std::fclose(std::exchange(file_, nullptr));
}

/// Throws if `succeeded` is false, with the errno of the first failure.
void TraceOutput::require(bool succeeded) {
    if (succeeded) return;
    if (failure_.empty()) failure_ = std::strerror(errno);
    throw std::runtime_error("cannot write " + path_ + ": " + failure_);
}

}  // namespace flitscope
