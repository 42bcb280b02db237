// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The interface of a waveform file: declare scopes and variables, take values in time order, close.
// VcdWriter and FstWriter are the two files; OccupancyTrace decides the contents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace flitscope {

using SignalId = std::uint32_t;  ///< number of a declared variable, from 0 in declaration order

/// A non-numeric value, for all bits of a variable.
enum class Level : char {
    kHighZ = 'z',    ///< not driven; a viewer draws a line in the middle
    kUnknown = 'x',  ///< was never simulated
    kNone = 0,       ///< it is a number
};

/// A new value of a variable. Not initialised, since room for some is made for every channel that
/// changes.
struct Change {
    std::uint64_t value;  ///< fits the width
    SignalId signal;
    Level level;         ///< other than kNone: this; `value` is 0 then
    std::uint8_t width;  ///< of the variable, at most 64 bits
};

/// Tables of words for the values of variables, by their numbers in a file.
enum class WordTable : std::uint8_t { kOwner = 1, kCause, kChannel, kAccess };

struct ValueWord {
    std::uint64_t value;
    std::string word;
};

/// A waveform file being written. Calls come in this order: scopes and variables; begin();
/// a value for every variable; end_dump(); then times and changed values; close().
class WaveSink {
public:
    virtual ~WaveSink() = default;

    virtual void open_scope(const std::string& name) = 0;
    virtual void close_scope() = 0;
    /// Declares a variable of `width` bits, at least 1, in the scope that is open.
    virtual SignalId declare(const std::string& name, std::uint32_t width) = 0;
    /// Shows the variable declared last once more, `name` with "_word" after it, by the words of a
    /// table; nothing if the format has no tables. (As a variable of its own, because GTKWave
    /// ignores translate filters for one with a table.)
    virtual void declare_words(const std::string& /*name*/, WordTable /*table*/) {}
    /// Sets the words of a table, at least one; before close(), for all tables, in their order. A
    /// file has the first ones if it has no room for all.
    virtual void set_words(WordTable /*table*/, std::uint32_t /*width*/,
                           const std::vector<ValueWord>& /*words*/) {}

    /// Ends the declarations; the values up to end_dump() are the state at `time` (in ticks).
    virtual void begin(std::uint64_t time) = 0;
    virtual void end_dump() = 0;

    /// Values that follow are of `time`, which is later than any before. A time without values
    /// leaves no mark in the file.
    virtual void set_time(std::uint64_t time) = 0;
    /// The caller passes actual changes only, each signal once per time, in ascending order.
    virtual void changes(const Change* first, std::size_t count) = 0;
    void change(std::uint64_t value, SignalId signal, std::uint32_t width,
                Level level = Level::kNone) {
        const Change change{value, signal, level, static_cast<std::uint8_t>(width)};
        changes(&change, 1);
    }
    /// A change of a variable of any width: '0', '1', 'x' and 'z', most significant first, at least
    /// one digit. If there are fewer than bits, the first one is repeated, or '0' if it is '1'.
    virtual void bits(SignalId signal, std::string_view digits) = 0;

    /// Writes the last time stamp, so that the last values have an extent, and completes the file.
    /// Throws std::runtime_error with path and reason when the file could not be written. Without
    /// this call the destructor completes the file at the last time and reports nothing; a file
    /// that was not begun is removed.
    virtual void close(std::uint64_t time) = 0;
    /// Call instead of close(), as the last call: removes the file.
    virtual void discard() = 0;
};

/// The name of a variable as the files and GTKWave write it: "busy", "source[5:0]". `gap` goes
/// before the range.
inline std::string ranged_name(const std::string& name, std::uint32_t width, const char* gap = "") {
    if (width == 1) return name;
    return name + gap + "[" + std::to_string(width - 1) + ":0]";
}

}  // namespace flitscope
