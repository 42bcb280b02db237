// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "waveforms/traced_events.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/output_file.h"

namespace flitscope {

static_assert(std::is_trivially_copyable_v<TracedEvent>);

namespace {

std::FILE* open_nameless(const std::string& beside) {
    RemovedBySignal named;
    const std::string& name = named.create_file(beside + '.', ".partial");
    if (name.empty()) return std::tmpfile();
    std::FILE* const file = std::fopen(name.c_str(), "w+b");
    std::remove(name.c_str());
    return file;
}

}  // namespace

BatchStore::BatchStore(std::string trace) : trace_(std::move(trace)), file_(open_nameless(trace_)) {
    if (file_ == nullptr) {
        throw ConfigError(
            Location{trace_},
            std::string("no temporary file can be made for the trace: ") + std::strerror(errno),
            "name a file in a folder that exists and is writable");
    }
    std::setvbuf(file_, nullptr, _IONBF, 0);  // batches are large
}

BatchStore::~BatchStore() { std::fclose(file_); }

void BatchStore::put(const EventBatch& batch) {
    if (!failure_.empty()) fail();  // a file with a hole is not worth completing
    const std::array<std::size_t, 2> sizes{batch.count, batch.digits.size()};
    write(sizes.data(), sizeof sizes);
    write(batch.events.get(), batch.count * sizeof(TracedEvent));
    write(batch.digits.data(), batch.digits.size());
    ++left_;
}

bool BatchStore::get(EventBatch& batch) {
    if (!failure_.empty()) fail();
    if (!std::exchange(reading_, true)) std::rewind(file_);
    if (left_ == 0) return false;
    --left_;
    std::array<std::size_t, 2> sizes{};
    read(sizes.data(), sizeof sizes);
    batch.count = sizes[0];
    batch.digits.resize(sizes[1]);
    read(batch.events.get(), batch.count * sizeof(TracedEvent));
    read(batch.digits.data(), batch.digits.size());
    return true;
}

void BatchStore::write(const void* from, std::size_t bytes) {
    if (std::fwrite(from, 1, bytes, file_) != bytes) fail();
}

void BatchStore::read(void* to, std::size_t bytes) {
    if (std::fread(to, 1, bytes, file_) != bytes) fail();
}

void BatchStore::fail() {
    if (failure_.empty()) failure_ = std::strerror(errno);
    throw std::runtime_error("cannot keep what " + trace_ + " is made of: " + failure_);
}

}  // namespace flitscope
