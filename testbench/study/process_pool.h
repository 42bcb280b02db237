// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Work in processes of their own, forked from this one so that what is loaded need not be loaded
// again: a crash, a kill or an endless loop of one is an outcome, and takes nobody with it. A
// process does one piece of work after the other, for to start one takes as long as a small
// simulation.
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
    std::string text;  ///< what it returned; of one that is not done, what ended it
};

/// What a process finds.
struct Answer {
    std::string text;
    bool is_last = false;  ///< the process ends, and with it what it has left behind
};

/// Does a piece of work by its description.
using Work = std::function<Answer(const std::string& what)>;

class ProcessPool {
public:
    /// Processes begin when there is work for them, and know what this one knew then. They ignore
    /// SIGINT, for their parent decides, and end with their parent.
    ProcessPool(unsigned processes, Work work);
    /// Ends what is still at work, and the programs that it has started.
    ~ProcessPool();
    ProcessPool(const ProcessPool&) = delete;
    ProcessPool& operator=(const ProcessPool&) = delete;

    bool has_room() const { return busy() < most_; }
    bool is_idle() const { return busy() == 0; }
    /// Has it done in another process, while there is room. What the work throws, if that is a
    /// std::exception, is the text of what is not done, and ends the process. Throws
    /// std::runtime_error when there can be no further process.
    void start(std::size_t task, const std::string& what);
    /// The next one that ends; nothing when none does for so long.
    std::optional<Finished> wait(std::chrono::milliseconds patience);

private:
    struct Worker {
        pid_t process;
        int socket;
        std::optional<std::size_t> task;  ///< that it is at
        std::string received;             ///< of its answer
    };

    std::size_t busy() const;
    Worker& add_worker();
    /// Whether the worker takes it; otherwise its process has ended.
    [[nodiscard]] static bool give(Worker& worker, std::size_t task, const std::string& what);
    /// What has arrived from a worker, once that is all of it.
    std::optional<Finished> receive(Worker& worker);
    Finished bury(Worker& worker);

    std::size_t most_;
    Work work_;
    std::vector<Worker> workers_;
};

}  // namespace flitscope::study
