// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// fstapi reports no write errors, so the finished file is walked block by block.
#include "waveforms/fst_writer.h"

#include <fstapi.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "models/base/diagnostics.h"
#include "waveforms/binary_digits.h"

namespace flitscope {

namespace {

/// fstapi would write the time of day here.
constexpr const char* kNoDate = "not recorded";

/// Measured on occupancy traces (README.md, "Speed and size"): half the time of zlib for files
/// half as large again.
constexpr fstWriterPackType kPackType = FST_WR_PT_LZ4;

[[noreturn]] void throw_unwritable(const std::string& path, int error) {
    throw ConfigError(Location{path},
                      std::string("cannot write the trace: ") +
                          (error != 0 ? std::strerror(error) : "no temporary files can be made"),
                      "name a file in a folder that exists and is writable");
}

/// fstapi keeps tables in temporary files that are mapped into memory. Where the disk has no room
/// for them the kernel raises SIGBUS, behind which nothing can go on: the program ends with a word
/// to the user, and without the unfinished file. Of several writers the latest one's file is
/// removed.
struct OnFullDisk {
    std::array<char, 8192> message{};
    std::array<char, 4096> unfinished{};
    std::array<char, 4096> hierarchy{};  // fstapi's file beside it
    unsigned writers = 0;
    struct sigaction before {};
};
OnFullDisk on_full_disk;

extern "C" void end_on_full_disk(int) {
    const char* const message = on_full_disk.message.data();
    [[maybe_unused]] const ssize_t said = write(STDERR_FILENO, message, std::strlen(message));
    unlink(on_full_disk.unfinished.data());
    unlink(on_full_disk.hierarchy.data());
    _exit(1);
}

void watch_full_disk(const std::string& path, const std::string& unfinished) {
    std::snprintf(
        on_full_disk.message.data(), on_full_disk.message.size(),
        "flitscope: error: cannot write %s: no space left on its disk, or in /tmp for its "
        "tables\n",
        path.c_str());
    std::snprintf(on_full_disk.unfinished.data(), on_full_disk.unfinished.size(), "%s",
                  unfinished.c_str());
    std::snprintf(on_full_disk.hierarchy.data(), on_full_disk.hierarchy.size(), "%s.hier",
                  unfinished.c_str());
    if (on_full_disk.writers++ != 0) return;
    struct sigaction action {};
    action.sa_handler = end_on_full_disk;
    sigaction(SIGBUS, &action, &on_full_disk.before);
}

void end_watch() {
    if (--on_full_disk.writers == 0) sigaction(SIGBUS, &on_full_disk.before, nullptr);
}

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::uint64_t read_big_endian(const unsigned char* bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8 | bytes[i];
    return value;
}

/// Whether `path` is a sequence of complete FST blocks that begins with the header and contains
/// hierarchy, geometry and values. A block is a type byte, a big-endian length that counts itself,
/// and that many bytes; fstapi marks a block it has not completed with FST_BL_SKIP.
bool is_complete(const std::string& path, std::uint64_t end_time) {
    const File file(std::fopen(path.c_str(), "rb"));
    if (!file || std::fseek(file.get(), 0, SEEK_END) != 0) return false;
    const long size = std::ftell(file.get());
    long at = 0;
    std::array<bool, 256> seen{};
    while (at < size) {
        std::array<unsigned char, 25> head;  // type, length, and the header's two times
        if (std::fseek(file.get(), at, SEEK_SET) != 0 ||
            std::fread(head.data(), 1, head.size(), file.get()) != head.size()) {
            return false;
        }
        const std::uint64_t length = read_big_endian(head.data() + 1);
        if (head[0] == FST_BL_SKIP || length < 8) return false;
        if (length > static_cast<std::uint64_t>(size - at) - 1) return false;
        if (head[0] == FST_BL_HDR && read_big_endian(head.data() + 17) != end_time) return false;
        seen[head[0]] = true;
        at += 1 + static_cast<long>(length);
    }
    return seen[FST_BL_HDR] && seen[FST_BL_GEOM] &&
           (seen[FST_BL_HIER] || seen[FST_BL_HIER_LZ4] || seen[FST_BL_HIER_LZ4DUO]) &&
           (seen[FST_BL_VCDATA] || seen[FST_BL_VCDATA_DYN_ALIAS] || seen[FST_BL_VCDATA_DYN_ALIAS2]);
}

}  // namespace

FstWriter::FstWriter(const std::string& path, const std::string& timescale,
                     const std::string& comment)
    : path_(path), unfinished_(path) {
    const std::string& unfinished = unfinished_.path();
    if (unfinished.empty()) throw_unwritable(path, errno);
    if (unfinished == path) {
        throw ConfigError(Location{path}, "cannot write the trace: a pipe or a device takes no FST",
                          "write a .vcd to it");
    }
    errno = 0;
    context_ = fstWriterCreate(unfinished.c_str(), 1);
    if (context_ == nullptr) throw_unwritable(path, errno);
    watch_full_disk(path, unfinished);
    fstWriterSetPackType(context_, kPackType);
    fstWriterSetTimescaleFromString(context_, timescale.c_str());
    fstWriterSetVersion(context_, "flitscope");
    fstWriterSetDate(context_, kNoDate);
    fstWriterSetComment(context_, comment.c_str());
}

FstWriter::~FstWriter() {
    try {
        close(time_);
    } catch (const std::exception&) {
        // A destructor has nobody to tell; those who want to know call close().
    }
}

void FstWriter::open_scope(const std::string& name) {
    fstWriterSetScope(context_, FST_ST_VCD_MODULE, name.c_str(), nullptr);
}

void FstWriter::close_scope() { fstWriterSetUpscope(context_); }

SignalId FstWriter::declare(const std::string& name, std::uint32_t width) {
    const fstHandle handle = fstWriterCreateVar(context_, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width,
                                                ranged_name(name, width, " ").c_str(), 0);
    widths_.push_back(width);
    if (width > digits_.size()) digits_.resize(width);
    if (handle != widths_.size()) throw std::logic_error("fstapi numbers handles differently");
    return handle - 1;
}

void FstWriter::begin(std::uint64_t time) {
    begun_ = true;
    time_ = time;
    put_time();
}

void FstWriter::set_time(std::uint64_t time) {
    if (time == time_) return;
    time_ = time;
    time_pending_ = true;
}

void FstWriter::changes(const Change* first, std::size_t count) {
    if (time_pending_) put_time();
    for (const Change* change = first; change != first + count; ++change) {
        if (change->level != Level::kNone) {
            const char digit = static_cast<char>(change->level);
            bits(change->signal, {&digit, 1});
            continue;
        }
        std::array<char, 72> digits;
        write_digits(digits.data(), change->value, change->width);
        fstWriterEmitValueChange(context_, change->signal + 1, digits.data());
    }
}

void FstWriter::bits(SignalId signal, std::string_view digits) {
    if (time_pending_) put_time();
    write_extended(digits_.data(), widths_[signal], digits);
    fstWriterEmitValueChange(context_, signal + 1, digits_.data());
}

void FstWriter::close(std::uint64_t time) {
    if (context_ == nullptr) return;
    if (!begun_) {
        begin(time);
        end_dump();
    }
    set_time(time);
    if (time_pending_) put_time();
    fstWriterClose(context_);
    context_ = nullptr;
    end_watch();
    if (!widths_.empty() && !is_complete(unfinished_.path(), time)) {
        throw std::runtime_error("cannot write " + path_ +
                                 ": the file is incomplete, probably because the disk is full");
    }
    unfinished_.finish();
}

void FstWriter::put_time() {
    time_pending_ = false;
    fstWriterEmitTimeChange(context_, time_);
}

}  // namespace flitscope
