// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a reader passed over or took to mean something that the file does not say. Runs print it, so
// that nobody takes the result for that of the file to the letter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace flitscope {

enum class TraceNote : std::uint8_t {
    kNoTime,             ///< operations recorded with 0 us
    kRoofline,           ///< operations timed by traffic.trace.compute
    kControlDependency,  ///< control dependencies that nobody waits for
    kMissingParent,      ///< those of them on nodes that are not in the file
    kHostCall,           ///< collectives on the CPU, which only start those of the accelerator
    kNoRoot,             ///< collectives whose root is not named
    kUnevenExchange,     ///< all-to-alls whose ranks send different amounts
    kLargeTag,           ///< tags beyond 32 bits
    kInterface,          ///< messages of network interfaces other than 0
    kRepeatedLabel,      ///< labels of several operations that no dependency uses
};
inline constexpr std::size_t kTraceNotes = 10;

/// How often each was met, and where first.
class TraceNotes {
public:
    /// `first` names the place if it is the first of its kind: "node 'x'", "line 7".
    void add(TraceNote note, const std::string& first);
    /// Adds the notes of a later part of the trace.
    void add(const TraceNotes& later);

    std::uint64_t count(TraceNote note) const { return of(note).count; }
    /// A sentence for each kind that was met, with its number and its first place.
    std::vector<std::string> sentences() const;

private:
    struct Entry {
        std::uint64_t count = 0;
        std::string first;
    };
    const Entry& of(TraceNote note) const { return all_[static_cast<std::size_t>(note)]; }

    std::array<Entry, kTraceNotes> all_;
};

}  // namespace flitscope
