// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The change path (changes, bits, set_time) formats straight into one buffer: no stream, no
// allocation.
#include "waveforms/vcd_writer.h"

#include <cstring>
#include <exception>

#include "waveforms/binary_digits.h"

namespace flitscope {

namespace {

/// More would push the simulation out of the second-level cache.
constexpr std::size_t kBufferBytes = std::size_t{1} << 16;
/// Room for one time stamp and one change: '#' and 20 digits and a line feed, 'b' and 64 digits
/// with 7 more overwritten, a space, an identifier code of 8 bytes. Longer values go through put().
constexpr std::size_t kSlackBytes = 128;
/// The identifier code of a signal: six bits a character, from '!' on, the lowest first.
std::string code_of(SignalId signal) {
    std::string code;
    do {
        code += static_cast<char>('!' + (signal & 0x3FU));
        signal >>= 6;
    } while (signal != 0);
    return code;
}

}  // namespace

VcdWriter::VcdWriter(const std::string& path, const std::string& timescale,
                     const std::string& comment)
    : file_(path), buffer_(kBufferBytes + kSlackBytes) {
    out_ = buffer_.data();
    limit_ = out_ + kBufferBytes;
    put("$version flitscope $end\n$timescale " + timescale + " $end\n$comment\n" + comment +
        "\n$end\n");
}

VcdWriter::~VcdWriter() {
    if (!begun_) discard();
    if (!file_.is_open()) return;
    try {
        close(time_);
    } catch (const std::exception&) {
        // A destructor cannot report errors; callers that need them call close().
    }
}

void VcdWriter::open_scope(const std::string& name) { put("$scope module " + name + " $end\n"); }

void VcdWriter::close_scope() { put("$upscope $end\n"); }

SignalId VcdWriter::declare(const std::string& name, std::uint32_t width) {
    const auto signal = static_cast<SignalId>(endings_.size());
    const std::string code = code_of(signal);
    put("$var wire " + std::to_string(width) + " " + code + " " + ranged_name(name, width, " ") +
        " $end\n");
    Ending& ending = endings_.emplace_back();
    ending.length = static_cast<std::uint8_t>((code + '\n').copy(ending.text, sizeof ending.text));
    ending.is_scalar = width == 1;
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

void VcdWriter::changes(const Change* first, std::size_t count) {
    if (time_pending_) put_time();
    char* out = out_;
    for (const Change* change = first; change != first + count; ++change) {
        if (out > limit_) {
            out_ = out;
            flush();
            out = out_;
        }
        const bool is_number = change->level == Level::kNone;
        if (change->width == 1) {
            *out++ = static_cast<char>(is_number ? '0' + change->value
                                                 : static_cast<std::uint64_t>(change->level));
        } else {
            *out++ = 'b';
            if (is_number) {
                // A reader adds the leading zeros.
                out = write_few_digits(out, change->value, bit_length(change->value));
            } else {
                *out++ = static_cast<char>(change->level);
            }
            *out++ = ' ';
        }
        out = endings_[change->signal].write(out);
    }
    out_ = out;
}

void VcdWriter::bits(SignalId signal, std::string_view digits) {
    if (time_pending_) put_time();
    if (out_ > limit_) flush();
    if (endings_[signal].is_scalar) {
        *out_++ = digits.front();
    } else {
        while (digits.size() > 1 && left_extension(digits[1]) == digits[0]) digits.remove_prefix(1);
        *out_++ = 'b';
        put(digits);
        *out_++ = ' ';
    }
    out_ = endings_[signal].write(out_);
}

void VcdWriter::discard() { file_.discard(); }

void VcdWriter::close(std::uint64_t time) {
    if (!file_.is_open()) return;
    if (!begun_) {
        begin(time);
        end_dump();
    }
    set_time(time);
    if (time_pending_) put_time();
    flush();
    file_.close();
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

void VcdWriter::flush() {
    const auto bytes = static_cast<std::size_t>(out_ - buffer_.data());
    out_ = buffer_.data();
    file_.write(buffer_.data(), bytes);
}

}  // namespace flitscope
