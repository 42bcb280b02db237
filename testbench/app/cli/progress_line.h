// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// One line on standard error that shows the progress of a run and, if known, the remaining time.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "testbench/app/run/simulation.h"

namespace flitscope::cli {

/// Shows a line on standard error, rewritten in place on a terminal.
void show_status(const std::string& text);
/// Removes the status line from a terminal.
void clear_status();

/// Paces a status line: a few times a second on a terminal, else every ten seconds.
class StatusPace {
public:
    StatusPace();
    /// Whether it is time for the next status.
    bool is_due();

private:
    using Clock = std::chrono::steady_clock;

    bool terminal_;
    Clock::time_point next_;
};

class ProgressLine {
public:
    explicit ProgressLine(bool enabled);

    /// Rewrites the line, at most a few times a second; nothing in the first second of a run.
    void show(const Progress& progress);
    /// Removes the line.
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    bool enabled_;
    bool shown_ = false;
    Clock::time_point start_;
    StatusPace pace_;
};

/// Returns a function for on_progress: shows the progress on `line`, which must outlive it, until
/// the user interrupts.
std::function<bool(const Progress&)> show_until_interrupted(ProgressLine& line);

}  // namespace flitscope::cli
