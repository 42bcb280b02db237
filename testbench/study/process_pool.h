// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Work in processes of their own, forked from this one so that what is loaded need not be loaded
// again: a crash, a kill or an endless loop of one is an outcome, and takes nobody with it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace flitscope::study {

/// What became of a piece of work.
struct Finished {
    std::size_t task = 0;
    bool is_done = false;
    std::string text;  ///< what it returned; of one that is not done, how its process ended
};

class ProcessPool {
public:
    explicit ProcessPool(unsigned processes) : most_(processes == 0 ? 1 : processes) {}
    /// Ends what is still at work.
    ~ProcessPool();
    ProcessPool(const ProcessPool&) = delete;
    ProcessPool& operator=(const ProcessPool&) = delete;

    bool has_room() const { return workers_.size() < most_; }
    bool is_idle() const { return workers_.empty(); }
    /// Has `work` done in a process of its own, which ignores SIGINT, for its parent decides, and
    /// ends with its parent. What it
    /// throws, if that is a std::exception, ends the process with its text as `text`. Throws
    /// std::runtime_error when there can be no further process.
    void start(std::size_t task, const std::function<std::string()>& work);
    /// The next one that ends; nothing when none does for so long.
    std::optional<Finished> wait(std::chrono::milliseconds patience);

private:
    struct Worker {
        std::size_t task;
        pid_t process;
        int pipe;
        std::string text;
    };
    Finished finish(std::size_t index);

    std::size_t most_;
    std::vector<Worker> workers_;
};

}  // namespace flitscope::study
