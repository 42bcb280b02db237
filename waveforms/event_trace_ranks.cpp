// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The ranks of a trace or a kernel as tracks, one for each of their streams.
#include <fmt/compile.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>
#include <utility>

#include "waveforms/event_trace.h"

namespace flitscope {
namespace {

constexpr int kRanks = 5;  // the "process" after those of event_trace.cpp

const char* name_of(RankSpan::Kind kind) {
    constexpr std::array<const char*, 4> kNames{"compute", "send", "receive", "wait"};
    return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace

void EventTrace::on_span(const RankSpan& span) {
    const bool is_seen = std::max(span.from, from_) < std::min(span.to, until_);
    if (is_seen && has_spans_[span.node]) spans_.push_back(span);
}

/// Engines differ in the order of spans of several ranks, so they are written when all are known.
void EventTrace::write_ranks() {
    if (spans_.empty()) return;
    name_process(kRanks, "ranks");
    std::sort(spans_.begin(), spans_.end(), [](const RankSpan& a, const RankSpan& b) {
        return std::tuple(a.rank, a.stream, a.from) < std::tuple(b.rank, b.stream, b.from);
    });
    std::size_t track = 0;
    const RankSpan* before = nullptr;
    for (const RankSpan& span : spans_) {
        if (before == nullptr || before->rank != span.rank || before->stream != span.stream) {
            ++track;
            begin_event();
            text_ += fmt::format(
                "\"ph\":\"M\",\"pid\":{0},\"tid\":{1},\"name\":\"thread_name\",\"args\":"
                "{{\"name\":\"rank {2}{3}\"}}}},\n{{\"ph\":\"M\",\"pid\":{0},\"tid\":{1},"
                "\"name\":\"thread_sort_index\",\"args\":{{\"sort_index\":{1}}}}}",
                kRanks, track, span.rank,
                span.stream == 0 ? "" : fmt::format(" stream {}", span.stream));
        }
        write_span(span, track);
        before = &span;
    }
}

void EventTrace::write_span(const RankSpan& span, std::size_t track) {
    const Cycle begin = std::max(span.from, from_);
    const Cycle end = std::min(span.to, until_);
    begin_event();
    fmt::format_to(std::back_inserter(text_),
                   FMT_COMPILE("\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},"
                               "\"name\":\"{}\",\"cat\":\"rank\",\"args\":{{"),
                   kRanks, track, time(begin), time(end - begin), name_of(span.kind));
    if (span.message != kNoMessage) {
        text_ += fmt::format("\"message\":{}", numbers_.of(span.message));
    }
    text_ += "}}";
    if (text_.size() >= kFlushBytes) flush();
}

}  // namespace flitscope
