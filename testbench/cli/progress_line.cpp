// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace flitscope::cli {
namespace {

std::string duration(double seconds) {
    const auto s = static_cast<long>(seconds + 0.5);
    if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
    return fmt::format("{}:{:02}", s / 60, s % 60);
}

}  // namespace

void show_status(const std::string& text) {
    const bool is_terminal = isatty(STDERR_FILENO) != 0;
    std::fprintf(stderr, is_terminal ? "\r\033[K%s" : "%s\n", text.c_str());
    std::fflush(stderr);
}

void clear_status() {
    if (isatty(STDERR_FILENO) != 0) std::fputs("\r\033[K", stderr);
}

ProgressLine::ProgressLine(bool enabled)
    : enabled_(enabled),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      next_(start_ + std::chrono::seconds(1)) {}

void ProgressLine::show(const Progress& p) {
    if (!enabled_) return;
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + (terminal_ ? std::chrono::milliseconds(250) : std::chrono::milliseconds(5000));
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    std::string text =
        fmt::format("{:5.1f} %  cycle {}  {:.0f} k cycles/s  {} messages", 100 * p.fraction,
                    p.cycle, static_cast<double>(p.cycle) / elapsed / 1000, p.messages_delivered);
    if (p.messages_expected != 0) text += fmt::format(" of {}", p.messages_expected);
    if (p.fraction > 0) {
        text += fmt::format("  {} left", duration(elapsed * (1 - p.fraction) / p.fraction));
    }
    if (terminal_) {
        std::fprintf(stderr, "\r\033[K%s", text.c_str());
    } else {
        std::fprintf(stderr, "%s\n", text.c_str());
    }
    std::fflush(stderr);
    shown_ = true;
}

void ProgressLine::clear() {
    if (shown_ && terminal_) std::fputs("\r\033[K", stderr);
    shown_ = false;
}

}  // namespace flitscope::cli
