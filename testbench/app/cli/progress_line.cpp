// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "testbench/app/cli/interrupts.h"
#include "testbench/app/report/report_lines.h"

namespace flitscope::cli {
namespace {

std::string progress_text(const Progress& p, double elapsed) {
    std::string text;
    if (p.fraction) text = fmt::format("{:5.1f} %  ", 100 * *p.fraction);
    text += fmt::format("cycle {}  {:.0f} k cycles/s  {} messages", p.cycle,
                        static_cast<double>(p.cycle) / elapsed / 1000, p.messages_delivered);
    if (p.messages_expected != 0) text += fmt::format(" of {}", p.messages_expected);
    if (p.precision) {
        text += fmt::format("  latency +- {:.1f} %, {:.1f} % wanted", 100 * p.precision->half_width,
                            100 * p.precision->wanted);
    }
    if (p.fraction && *p.fraction > 0) {
        text += fmt::format("  {} left", duration_text(elapsed * (1 - *p.fraction) / *p.fraction));
    }
    return text;
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

StatusPace::StatusPace()
    : terminal_(isatty(STDERR_FILENO) != 0), next_(Clock::now() + std::chrono::seconds(1)) {}

bool StatusPace::is_due() {
    const auto now = Clock::now();
    if (now < next_) return false;
    next_ = now + (terminal_ ? std::chrono::milliseconds(250) : std::chrono::milliseconds(10'000));
    return true;
}

ProgressLine::ProgressLine(bool enabled) : enabled_(enabled), start_(Clock::now()) {}

void ProgressLine::show(const Progress& p) {
    if (!enabled_ || !pace_.is_due()) return;
    const auto now = Clock::now();
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    show_status(progress_text(p, elapsed));
    shown_ = true;
}

void ProgressLine::clear() {
    if (shown_) clear_status();
    shown_ = false;
}

std::function<bool(const Progress&)> show_until_interrupted(ProgressLine& line) {
    return [&line](const Progress& progress) {
        line.show(progress);
        return !is_interrupted();
    };
}

}  // namespace flitscope::cli
