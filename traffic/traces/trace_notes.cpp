// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/traces/trace_notes.h"

#include <fmt/format.h>

namespace flitscope {
namespace {

/// What follows the number, for one and for several.
struct Sentence {
    TraceNote note;
    const char* one;
    const char* several;
};

constexpr std::array<Sentence, kTraceNotes - 1> kSentences = {{
    {TraceNote::kNoTime, "operation of 0 us takes no time", "operations of 0 us take no time"},
    {TraceNote::kRoofline, "operation without a duration takes that of traffic.trace.compute",
     "operations without a duration take that of traffic.trace.compute"},
    {TraceNote::kControlDependency,
     "control dependency is passed over: it names a caller, and Chakra's own feeder waits for data "
     "dependencies only",
     "control dependencies are passed over: they name callers, and Chakra's own feeder waits for "
     "data dependencies only"},
    {TraceNote::kHostCall,
     "collective on the CPU has no comm_type: it is the call of one on the accelerator, and takes "
     "its duration only",
     "collectives on the CPU have no comm_type: they are the calls of those on the accelerator, "
     "and take their duration only"},
    {TraceNote::kNoRoot, "collective without root_rank has the first rank of its group as root",
     "collectives without root_rank have the first rank of their group as root"},
    {TraceNote::kUnevenExchange,
     "all-to-all has ranks that send different amounts: each sends equal parts of its own to all",
     "all-to-alls have ranks that send different amounts: each sends equal parts of its own to "
     "all"},
    {TraceNote::kLargeTag, "tag beyond 32 bits is taken modulo 2^32, as by txt2bin of LogGOPSim",
     "tags beyond 32 bits are taken modulo 2^32, as by txt2bin of LogGOPSim"},
    {TraceNote::kInterface,
     "message of another network interface than 0 is like those of 0 (traffic.trace.interfaces)",
     "messages of other network interfaces than 0 are like those of 0 (traffic.trace.interfaces)"},
    {TraceNote::kRepeatedLabel, "label is there twice, and no dependency uses it",
     "labels are there twice, and no dependency uses them"},
}};

}  // namespace

void TraceNotes::add(TraceNote note, const std::string& first) {
    Entry& entry = all_[static_cast<std::size_t>(note)];
    if (entry.count++ == 0) entry.first = first;
}

void TraceNotes::add(const TraceNotes& later) {
    for (std::size_t i = 0; i < kTraceNotes; ++i) {
        Entry& entry = all_[i];
        if (entry.count == 0) entry.first = later.all_[i].first;
        entry.count += later.all_[i].count;
    }
}

std::vector<std::string> TraceNotes::sentences() const {
    std::vector<std::string> all;
    for (const Sentence& sentence : kSentences) {
        const Entry& entry = of(sentence.note);
        if (entry.count == 0) continue;
        std::string text =
            fmt::format("{} {}", entry.count, entry.count == 1 ? sentence.one : sentence.several);
        const std::uint64_t missing = count(TraceNote::kMissingParent);
        if (sentence.note == TraceNote::kControlDependency && missing != 0) {
            text += fmt::format("; {} on nodes that are not in the file", missing);
        }
        all.push_back(fmt::format("{} (first: {})", text, entry.first));
    }
    return all;
}

}  // namespace flitscope
