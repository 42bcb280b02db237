// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The format is that of GTKWave's fstapi (its names for blocks and kinds are used here): blocks of
// a type, a length and a content. Changes come in sections. A section has the values of all signals
// at its start, then for each signal its changes, packed one by one, then the offsets of these,
// then its times. Unlike fstapi this writes a change at once in its final form, and keeps no
// auxiliary files: README.md has the cost of fstapi.
#include "waveforms/fst_writer.h"

#include <fstapi.h>
#include <lz4.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <functional>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/zlib_stream.h"
#include "waveforms/binary_digits.h"
#include "waveforms/fst_varint.h"

namespace flitscope {

namespace {

/// Instead of the time of day.
constexpr const char* kNoDate = "not recorded";

/// Less is not packed.
constexpr std::uint32_t kPackedFrom = 33;
constexpr int kZlibLevel = 4;

// Codes of single bits other than 0 and 1, in the low four bits, below the time. (Codes of 0 and 1
// take two bits.)
constexpr std::uint64_t kBitUnknown = 1;
constexpr std::uint64_t kBitHighZ = 3;

constexpr std::size_t kHeaderBytes = 330;
constexpr std::size_t kVersionBytes = 128;
constexpr std::size_t kDateBytes = 119;

const std::uint8_t* read_varint(const std::uint8_t* in, std::uint64_t& number) {
    number = 0;
    for (int shift = 0;; shift += 7) {
        number |= std::uint64_t{*in & 0x7FU} << shift;
        if ((*in++ & 0x80) == 0) return in;
    }
}

/// Like append_varint(); the seventh bit of the last byte is the sign.
void append_signed_varint(std::string& text, std::int64_t number) {
    while (number < -0x40 || number >= 0x40) {
        text += static_cast<char>(number | 0x80);
        number >>= 7;
    }
    text += static_cast<char>(number & 0x7F);
}

std::string big_endian(std::uint64_t number) {
    std::string bytes(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(number >> (56 - 8 * i));
    return bytes;
}

/// Packs by zlib, or leaves the text unchanged if that is not shorter.
std::string packed_by_zlib(const std::string& content) {
    std::string packed = zlib_stream(content, kZlibLevel);
    return packed.size() < content.size() ? packed : content;
}

/// The power of ten of "1ps".
std::uint8_t exponent_of(const std::string& timescale) {
    const int exponent = timescale.find('f') != std::string::npos ? -15 : -12;
    return static_cast<std::uint8_t>(exponent);
}

/// The changes of all signals of a section, packed one by one, and their offsets per signal.
/// Signals that change alike share the written changes.
class PackedChains {
public:
    /// `content` gets the packed data. `packer` is the state of LZ4.
    PackedChains(std::string& content, void* packer, std::size_t signals)
        : content_(content), packer_(packer) {
        content_.clear();
        first_of_.reserve(signals);
    }

    /// Adds the changes of the next signal.
    void add(const char* changes, std::uint32_t size) {
        ++signal_;
        if (size == 0) {
            ++unchanged_;
            return;
        }
        end_unchanged();
        const std::size_t begin = content_.size();
        append_packed(changes, size);
        const std::string_view packed = std::string_view(content_).substr(begin);
        const auto [known, is_first] = first_of_.try_emplace(std::hash<std::string_view>()(packed),
                                                             First{signal_, begin, packed.size()});
        const First& first = known->second;
        if (!is_first && std::string_view(content_).substr(first.begin, first.size) == packed) {
            content_.resize(begin);
            index_twin(first.signal);
        } else {
            index_place(begin);
        }
    }

    std::string take_index() {
        end_unchanged();
        return std::move(index_);
    }

private:
    struct First {
        std::int64_t signal;
        std::size_t begin;
        std::size_t size;
    };

    /// The size, then the changes by LZ4; 0 and the raw changes if they are not longer.
    void append_packed(const char* changes, std::uint32_t size) {
        const std::size_t begin = content_.size();
        if (size >= kPackedFrom) {
            append_varint(content_, size);
            const std::size_t from = content_.size();
            const int most = LZ4_compressBound(static_cast<int>(size));
            content_.resize(from + static_cast<std::size_t>(most));
            const int length = LZ4_compress_fast_extState(packer_, changes, content_.data() + from,
                                                          static_cast<int>(size), most, 1);
            if (length != 0 && static_cast<std::uint32_t>(length) < size) {
                content_.resize(from + static_cast<std::size_t>(length));
                return;
            }
            content_.resize(begin);
        }
        append_varint(content_, 0);
        content_.append(changes, size);
    }

    /// Even: number of signals without changes.
    void end_unchanged() {
        if (unchanged_ != 0) append_varint(index_, std::exchange(unchanged_, 0) << 1);
    }

    /// Odd, above 0: distance from the last place; places count from 1.
    void index_place(std::size_t begin) {
        const auto place = static_cast<std::int64_t>(begin) + 1;
        append_signed_varint(index_, (place - last_place_) * 2 + 1);
        last_place_ = place;
    }

    /// Odd, below 0: as that signal; 0 times 2: as the one of the last twin.
    void index_twin(std::int64_t signal) {
        append_signed_varint(index_, signal == last_twin_ ? 1 : -signal * 2 + 1);
        last_twin_ = signal;
    }

    std::string& content_;
    void* packer_;
    std::string index_;
    std::unordered_map<std::size_t, First> first_of_;  ///< by hash of the packed data
    std::int64_t signal_ = 0;                          ///< from 1
    std::int64_t last_place_ = 0;
    std::int64_t last_twin_ = 0;
    std::uint64_t unchanged_ = 0;  ///< signals since the last that the index has
};

}  // namespace

FstWriter::FstWriter(const std::string& path, const std::string& timescale,
                     const std::string& comment, std::size_t section_bytes)
    : file_(path),
      timescale_(exponent_of(timescale)),
      section_bytes_(section_bytes),
      hierarchy_(comment),
      packer_(new std::uint64_t[static_cast<std::size_t>(LZ4_sizeofState()) / 8 + 1]) {
    if (file_.is_stream()) {
        throw ConfigError(Location{path}, "cannot write the trace: a pipe or a device takes no FST",
                          "write a .vcd to it");
    }
}

FstWriter::~FstWriter() {
    if (!begun_) discard();
    if (!file_.is_open()) return;
    try {
        close(time_);
    } catch (const std::exception&) {
        // A destructor cannot report errors; callers that need them call close().
    }
}

SignalId FstWriter::declare(const std::string& name, std::uint32_t width) {
    hierarchy_.add_variable(name, width);
    Chain chain;
    chain.width = width;
    chain.shown = values_.size();
    chains_.push_back(chain);
    values_.append(width, 'x');
    return static_cast<SignalId>(chains_.size() - 1);
}

void FstWriter::begin(std::uint64_t time) {
    begun_ = true;
    first_time_ = time;
    time_ = time;
    write_header();  // room for it
    begin_section(time);
    append_varint(times_, time);
    time_count_ = 1;
    written_time_ = time;
}

void FstWriter::set_time(std::uint64_t time) {
    if (time == time_) return;
    time_ = time;
    time_pending_ = true;
}

void FstWriter::put_time() {
    time_pending_ = false;
    if (chain_bytes_ + times_.size() >= section_bytes_) {
        end_section();
        begin_section(written_time_);
        append_varint(times_, written_time_);
        time_count_ = 1;
    }
    append_varint(times_, time_ - written_time_);
    ++time_count_;
    written_time_ = time_;
}

/// Room for `bytes` bytes after those used.
inline std::uint8_t* FstWriter::room_for(Chain& chain, std::size_t bytes) {
    if (chain.used + bytes > chain.bytes.size()) {
        chain.bytes.resize(std::max(2 * chain.bytes.size(), chain.used + bytes));
    }
    chain.last = chain.used;
    return chain.bytes.data() + chain.used;
}

inline void FstWriter::end_change(Chain& chain, const std::uint8_t* end) {
    chain.used = static_cast<std::uint32_t>(end - chain.bytes.data());
    chain.time = time_count_ - 1;
    chain_bytes_ += chain.used - chain.last;
}

void FstWriter::changes(const Change* first, std::size_t count) {
    if (time_pending_) put_time();
    for (const Change* change = first; change != first + count; ++change) {
        Chain& chain = chains_[change->signal];
        const std::uint64_t passed = time_count_ - 1 - chain.time;
        const std::uint32_t width = change->width;
        std::uint8_t* out = room_for(chain, kMostVarint + 64);
        if (width == 1) {
            const bool is_high_z = change->level == Level::kHighZ;
            const std::uint64_t other = passed << 4 | (is_high_z ? kBitHighZ : kBitUnknown);
            out = write_varint(
                out, change->level == Level::kNone ? passed << 2 | change->value << 1 : other);
        } else if (change->level == Level::kNone) {
            out = write_varint(out, passed << 1);
            const std::uint64_t left = __builtin_bswap64(change->value << (64 - width));
            std::memcpy(out, &left, sizeof left);
            out += (width + 7) / 8;
        } else {
            out = write_varint(out, passed << 1 | 1);
            std::memset(out, static_cast<char>(change->level), width);
            out += width;
        }
        end_change(chain, out);
    }
}

void FstWriter::bits(SignalId signal, std::string_view digits) {
    if (time_pending_) put_time();
    Chain& chain = chains_[signal];
    if (chain.width == 1) {
        const char digit = digits.front();
        const bool is_number = digit == '0' || digit == '1';
        const Change change{digit == '1' ? 1U : 0U, signal,
                            is_number ? Level::kNone : static_cast<Level>(digit), 1};
        changes(&change, 1);
        return;
    }
    const std::uint64_t passed = time_count_ - 1 - chain.time;
    std::uint8_t* out = room_for(chain, kMostVarint + chain.width);
    std::string whole(chain.width, '0');
    write_extended(whole.data(), chain.width, digits);
    if (whole.find_first_not_of("01") != std::string::npos) {
        out = write_varint(out, passed << 1 | 1);
        std::memcpy(out, whole.data(), whole.size());
        out += whole.size();
    } else {
        out = write_varint(out, passed << 1);
        std::memset(out, 0, (whole.size() + 7) / 8);
        for (std::size_t i = 0; i < whole.size(); ++i) {
            out[i / 8] |= static_cast<std::uint8_t>((whole[i] & 1) << (7 - i % 8));
        }
        out += (whole.size() + 7) / 8;
    }
    end_change(chain, out);
}

void FstWriter::discard() { file_.discard(); }

void FstWriter::close(std::uint64_t time) {
    if (!file_.is_open()) return;
    if (!begun_) {
        begin(time);
        end_dump();
    }
    set_time(time);
    if (time_pending_) put_time();
    if (chain_bytes_ != 0) end_section();
    write_geometry();
    write_hierarchy();
    file_.rewind();
    write_header();
    file_.close();
}

void FstWriter::begin_section(std::uint64_t time) {
    section_begin_ = time;
    times_.clear();
    chain_bytes_ = 0;
    for (Chain& chain : chains_) {
        chain.used = 0;
        chain.last = 0;
        chain.time = 0;
    }
}

/// Writes the section, and takes over the values at its end.
void FstWriter::end_section() {
    ++sections_;
    const std::string values = packed_by_zlib(values_);
    std::string begin;
    append_varint(begin, values_.size());
    append_varint(begin, values.size());
    append_varint(begin, chains_.size());
    begin += values;
    append_varint(begin, chains_.size());
    begin += '4';  // LZ4-packed contents

    std::uint64_t unpacked = 0;  // the reader's buffer size
    PackedChains packed(packed_, packer_.get(), chains_.size());
    for (Chain& chain : chains_) {
        packed.add(reinterpret_cast<const char*>(chain.bytes.data()), chain.used);
        if (chain.used == 0) continue;
        unpacked += chain.used;
        take_last_value(chain);
    }
    const std::string index = packed.take_index();
    const std::string times = packed_by_zlib(times_);

    const char type = FST_BL_VCDATA_DYN_ALIAS2;
    file_.write(&type, 1);
    write_number(4 * 8 + begin.size() + packed_.size() + index.size() + 8 + times.size() + 3 * 8);
    write_number(section_begin_);
    write_number(written_time_);
    write_number(unpacked);
    file_.write(begin.data(), begin.size());
    file_.write(packed_.data(), packed_.size());
    file_.write(index.data(), index.size());
    write_number(index.size());
    file_.write(times.data(), times.size());
    write_number(times_.size());
    write_number(times.size());
    write_number(time_count_);
}

/// The digits of the last change, for the start of the next section.
void FstWriter::take_last_value(Chain& chain) {
    char* const digits = values_.data() + chain.shown;
    std::uint64_t head = 0;
    const std::uint8_t* const value = read_varint(chain.bytes.data() + chain.last, head);
    if (chain.width == 1) {
        *digits = (head & 1) == 0             ? static_cast<char>('0' + (head >> 1 & 1))
                  : (head & 0xF) == kBitHighZ ? 'z'
                                              : 'x';
    } else if ((head & 1) != 0) {
        std::memcpy(digits, value, chain.width);
    } else {
        for (std::uint32_t i = 0; i < chain.width; ++i) {
            digits[i] = static_cast<char>('0' + (value[i / 8] >> (7 - i % 8) & 1));
        }
    }
}

void FstWriter::write_header() {
    std::string header(1, static_cast<char>(FST_BL_HDR));
    header += big_endian(kHeaderBytes - 1);
    header += big_endian(first_time_);
    header += big_endian(written_time_);
    constexpr double kByteOrder = 2.7182818284590452354;  // identifies the byte order
    header.append(reinterpret_cast<const char*>(&kByteOrder), sizeof kByteOrder);
    header += big_endian(section_bytes_);  // memory of the writer
    header += big_endian(hierarchy_.scopes());
    header += big_endian(hierarchy_.variables());
    header += big_endian(chains_.size());  // variables with their own values
    header += big_endian(sections_);
    header += static_cast<char>(timescale_);
    std::string version = "flitscope";
    version.resize(kVersionBytes);
    std::string date = kNoDate;
    date.resize(kDateBytes);
    header += version + date;
    header += static_cast<char>(FST_FT_VERILOG);
    header += big_endian(0);  // the zero of times
    if (header.size() != kHeaderBytes) throw std::logic_error("an FST header of another size");
    file_.write(header.data(), header.size());
}

/// The width of every signal.
void FstWriter::write_geometry() {
    if (chains_.empty()) return;
    std::string widths;
    for (const Chain& chain : chains_) append_varint(widths, chain.width);
    const std::string packed = packed_by_zlib(widths);
    const char type = FST_BL_GEOM;
    file_.write(&type, 1);
    write_number(packed.size() + 3 * 8);
    write_number(widths.size());
    write_number(chains_.size());
    file_.write(packed.data(), packed.size());
}

void FstWriter::write_hierarchy() {
    const std::string all = hierarchy_.text();
    const int size = static_cast<int>(all.size());
    std::string packed(static_cast<std::size_t>(LZ4_compressBound(size)), '\0');
    const int length = LZ4_compress_fast_extState(packer_.get(), all.data(), packed.data(), size,
                                                  static_cast<int>(packed.size()), 1);
    const char type = FST_BL_HIER_LZ4;
    file_.write(&type, 1);
    write_number(static_cast<std::uint64_t>(length) + 2 * 8);
    write_number(all.size());
    file_.write(packed.data(), static_cast<std::size_t>(length));
}

void FstWriter::write_number(std::uint64_t number) {
    const std::string bytes = big_endian(number);
    file_.write(bytes.data(), bytes.size());
}

}  // namespace flitscope
