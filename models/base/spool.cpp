// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/spool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "models/base/output_file.h"

namespace flitscope {
namespace {

std::string folder() {
    std::error_code failed;
    const std::filesystem::path named = std::filesystem::temp_directory_path(failed);
    return failed ? "/tmp" : named.string();
}

[[noreturn]] void fail(const char* what) {
    fail_in_temporary_folder(fmt::format("{} a temporary file in {}", what, folder()));
}

int open_without_name() {
    const std::string in = folder();
    const int descriptor = open(in.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
    if (descriptor >= 0) return descriptor;
    std::string name = in + "/flitscope.XXXXXX";  // file systems without O_TMPFILE
    const int named = mkostemp(name.data(), O_CLOEXEC);
    if (named < 0) fail("create");
    unlink(name.c_str());
    return named;
}

}  // namespace

Spool::~Spool() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (file_ != nullptr) munmap(file_, size_);
}

void Spool::swap(Spool& other) noexcept {
    std::swap(in_memory_, other.in_memory_);
    std::swap(size_, other.size_);
    std::swap(memory_, other.memory_);
    std::swap(descriptor_, other.descriptor_);
    std::swap(file_, other.file_);
}

void Spool::append(const void* bytes, std::size_t count) {
    const auto* const from = static_cast<const std::byte*>(bytes);
    size_ += count;
    if (memory_.size() + count <= in_memory_) {
        memory_.insert(memory_.end(), from, from + count);
        return;
    }
    write_out(memory_.data(), memory_.size());
    memory_.clear();
    write_out(from, count);
}

void Spool::write_out(const std::byte* bytes, std::size_t count) {
    if (descriptor_ < 0) descriptor_ = open_without_name();
    while (count != 0) {
        const ssize_t written = write(descriptor_, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail("write");
        bytes += written;
        count -= static_cast<std::size_t>(written);
    }
}

void Spool::close() {
    if (descriptor_ < 0) return;
    write_out(memory_.data(), memory_.size());
    memory_ = {};
    // No other process can truncate the file, so all data written can be read.
    void* const mapped = mmap(nullptr, size_, PROT_READ, MAP_SHARED, descriptor_, 0);
    if (mapped == MAP_FAILED) fail("read");
    file_ = static_cast<std::byte*>(mapped);
    ::close(std::exchange(descriptor_, -1));
}

void Spool::forget() const {
    if (file_ != nullptr) madvise(file_, size_, MADV_DONTNEED);
}

}  // namespace flitscope
