// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The change path (value, bits, level, set_time) formats straight into one large buffer: no stream,
// no allocation, one system call per mebibyte.
#include "waveforms/vcd_writer.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "models/base/diagnostics.h"
#include "waveforms/binary_digits.h"

namespace flitscope {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
/// Room for one time stamp and one change: '#' and 20 digits and a line feed, 'b' and 64 digits
/// with 7 more overwritten, a space, an identifier code of 8 bytes. Longer values go through put().
constexpr std::size_t kSlackBytes = 128;
constexpr char kFirstCode = '!';
constexpr std::uint32_t kCodeRadix = 94;  // printable characters '!' to '~'

}  // namespace

VcdWriter::VcdWriter(const std::string& path, const std::string& timescale,
                     const std::string& comment)
    : path_(path),
      unfinished_(path),
      file_(unfinished_.path().empty() ? nullptr : std::fopen(unfinished_.path().c_str(), "wb")),
      buffer_(kBufferBytes + kSlackBytes) {
    if (file_ == nullptr) {
        throw ConfigError(Location{path},
                          std::string("cannot write the trace: ") + std::strerror(errno),
                          "name a file in a folder that exists and is writable");
    }
    std::setvbuf(file_, nullptr, _IONBF, 0);  // buffer_ is the buffer
    out_ = buffer_.data();
    limit_ = out_ + kBufferBytes;
    put("$version flitscope $end\n$timescale " + timescale + " $end\n$comment\n" + comment +
        "\n$end\n");
}

VcdWriter::~VcdWriter() {
    if (file_ == nullptr) return;
    try {
        close(time_);
    } catch (const std::exception&) {
        // A destructor has nobody to tell; those who want to know call close().
    }
}

void VcdWriter::open_scope(const std::string& name) { put("$scope module " + name + " $end\n"); }

void VcdWriter::close_scope() { put("$upscope $end\n"); }

SignalId VcdWriter::declare(const std::string& name, std::uint32_t width) {
    const auto signal = static_cast<SignalId>(codes_.size());
    Code code{};
    std::uint32_t rest = signal;
    do {
        code.text[code.length++] = static_cast<char>(kFirstCode + rest % kCodeRadix);
        rest /= kCodeRadix;
    } while (rest != 0);
    put("$var wire " + std::to_string(width) + " " + std::string(code.text.data(), code.length) +
        " " + ranged_name(name, width, " ") + " $end\n");
    code.text[code.length++] = '\n';
    code.scalar = width == 1;
    codes_.push_back(code);
    return signal;
}

void VcdWriter::begin(std::uint64_t time) {
    put("$enddefinitions $end\n");
    begun_ = true;
    time_ = time;
    put_time();
    put("$dumpvars\n");
}

void VcdWriter::end_dump() { put("$end\n"); }

void VcdWriter::set_time(std::uint64_t time) {
    if (time == time_) return;
    time_ = time;
    time_pending_ = true;
}

void VcdWriter::value(SignalId signal, std::uint64_t value) {
    prepare();
    const Code& code = codes_[signal];
    char* out = out_;
    if (code.scalar) {
        *out++ = static_cast<char>('0' + (value & 1));
    } else {
        *out++ = 'b';
        out = write_digits(out, value, bit_length(value));  // a reader adds the leading zeros
        *out++ = ' ';
    }
    finish_change(out, code);
}

void VcdWriter::bits(SignalId signal, std::string_view digits) {
    prepare();
    const Code& code = codes_[signal];
    if (code.scalar) {
        *out_++ = digits.front();
    } else {
        while (digits.size() > 1 && left_extension(digits[1]) == digits[0]) digits.remove_prefix(1);
        *out_++ = 'b';
        put(digits);
        *out_++ = ' ';
    }
    finish_change(out_, code);
}

void VcdWriter::level(SignalId signal, Level level) {
    prepare();
    const Code& code = codes_[signal];
    char* out = out_;
    if (code.scalar) {
        *out++ = static_cast<char>(level);
    } else {
        *out++ = 'b';
        *out++ = static_cast<char>(level);
        *out++ = ' ';
    }
    finish_change(out, code);
}

void VcdWriter::close(std::uint64_t time) {
    if (file_ == nullptr) return;
    if (!begun_) {
        begin(time);
        end_dump();
    }
    set_time(time);
    if (time_pending_) put_time();
    std::FILE* const file = std::exchange(file_, nullptr);
    const bool flushed = flush_to(file);
    if (!flushed) std::fclose(file);
    if (!flushed || std::fclose(file) != 0) fail();
    unfinished_.finish();
}

void VcdWriter::put(std::string_view text) {
    const char* from = text.data();
    std::size_t left = text.size();
    while (left != 0) {
        if (out_ >= limit_) flush();
        const auto room = static_cast<std::size_t>(limit_ - out_);
        const std::size_t part = left < room ? left : room;
        std::memcpy(out_, from, part);
        out_ += part;
        from += part;
        left -= part;
    }
}

void VcdWriter::put_time() {
    time_pending_ = false;
    if (out_ > limit_) flush();
    std::array<char, 20> digits;
    std::size_t first = digits.size();
    std::uint64_t rest = time_;
    do {
        digits[--first] = static_cast<char>('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    *out_++ = '#';
    std::memcpy(out_, digits.data() + first, digits.size() - first);
    out_ += digits.size() - first;
    *out_++ = '\n';
}

inline void VcdWriter::prepare() {
    if (time_pending_) put_time();
    if (out_ > limit_) flush();
}

inline void VcdWriter::finish_change(char* out, const Code& code) {
    std::memcpy(out, &code, sizeof code);
    out_ = out + code.length;
}

void VcdWriter::flush() {
    if (!flush_to(file_)) fail();
}

bool VcdWriter::flush_to(std::FILE* file) {
    const auto bytes = static_cast<std::size_t>(out_ - buffer_.data());
    out_ = buffer_.data();
    if (!failure_.empty()) return false;  // a file with a hole is not worth going on with
    if (bytes == 0 || std::fwrite(buffer_.data(), 1, bytes, file) == bytes) return true;
    failure_ = std::strerror(errno);
    return false;
}

void VcdWriter::fail() {
    if (failure_.empty()) failure_ = std::strerror(errno);
    throw std::runtime_error("cannot write " + path_ + ": " + failure_);
}

}  // namespace flitscope
