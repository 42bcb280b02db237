// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A file about a run, in whatever format, that is written during the run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/observers.h"
#include "waveforms/message_numbers.h"

namespace flitscope {

class Graph;
class InnerSignalObserver;
struct Config;

/// A cause that a cycle of a path may have.
struct PathCause {
    std::string name;    ///< "vc_busy"
    bool waits = false;  ///< for others; else it makes progress
};

/// Cycles of a path through a run: `from` .. `to` - 1.
struct PathMark {
    Cycle from = 0;
    Cycle to = 0;
    std::uint32_t cause = 0;           ///< place in the list of causes
    std::optional<ChannelId> channel;  ///< none: inside a node
    MessageId message = kNoMessage;

    Cycle length() const { return to - from; }
};

/// Cycles of a node in a program with operations: `from` .. `to` - 1.
struct RankSpan {
    enum class Kind : std::uint8_t { kCompute, kSend, kReceive, kWait };
    NodeId node = 0;
    std::uint32_t rank = 0;
    std::uint32_t stream = 0;
    Cycle from = 0;
    Cycle to = 0;
    MessageId message = kNoMessage;  ///< of a send or a receive
    Kind kind = Kind::kWait;
};

class RunTrace : public ChannelObserver {
public:
    /// What a rank does, and when none of its streams does anything; in whatever order, before
    /// finish(). Waveforms leave it out.
    virtual void on_span(const RankSpan& /*span*/) {}
    /// The observer of the signals inside modules; null: none.
    virtual InnerSignalObserver* inner_signals() { return nullptr; }
    /// Sets the parts to mark in the file, in order of time, without overlaps. Call before
    /// finish(), for a trace that was opened with causes.
    virtual void mark_path(std::vector<PathMark> path) = 0;
    /// Completes the file, and writes its companion files; `end` is the number of cycles that were
    /// simulated. Events that come later are ignored: a platform may go on without its trace.
    /// Throws std::runtime_error with path and reason when the disk is full.
    virtual void finish(Cycle end) = 0;
    /// Call instead of finish(), as the last call: removes the file.
    virtual void discard() = 0;
};

/// The trace that `config` selects, written to `path` in the format given by its name (formats.h).
/// With `causes` a path will be marked in it: it is known when the run is over, so waveforms are
/// written then, and the events until then are in a file without a name. `numbers` are those that
/// the messages have in the file. Throws ConfigError when the name gives none, when the selection
/// names something that does not exist, and when the file cannot be created. `graph` must outlive
/// the trace, and so must the target of `numbers`.
std::unique_ptr<RunTrace> open_run_trace(const std::string& path, const Config& config,
                                         const Graph& graph,
                                         const std::vector<PathCause>& causes = {},
                                         const MessageNumbers& numbers = {});

}  // namespace flitscope
