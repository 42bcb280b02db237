// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Does work in other processes, forked from this one so that what is loaded need not be loaded
// again. A crash, a kill or an endless loop of one is an outcome, and harms no other. A process
// does one piece of work after the other, because starting one takes as long as a small simulation.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace flitscope::study {

/// The end of a piece of work.
struct Finished {
    std::size_t task = 0;
    bool is_done = false;
    std::string text;  ///< the result of the work; if it is not done, the cause
};

/// The answer of a process.
struct Answer {
    std::string text;
    bool is_last = false;  ///< the process ends after this answer, and with it all that it has left
};

/// Does a piece of work by its description.
using Work = std::function<Answer(const std::string& what)>;

class ProcessPool {
public:
    /// Processes begin when there is work for them, with the state of this one at that time. They
    /// ignore SIGINT, as their parent decides, and end with their parent.
    ProcessPool(unsigned processes, Work work);
    /// Ends what is still at work, and the programs that it has started.
    ~ProcessPool();
    ProcessPool(const ProcessPool&) = delete;
    ProcessPool& operator=(const ProcessPool&) = delete;

    bool has_room() const { return busy() < most_; }
    bool is_idle() const { return busy() == 0; }
    /// Starts work in another process; only while there is room. If the work throws a
    /// std::exception, its text is that of a Finished that is not done, and the process ends.
    /// Throws std::runtime_error when there can be no further process.
    void start(std::size_t task, const std::string& what);
    /// Waits for the next work that ends; nothing if none does within `patience`.
    std::optional<Finished> wait(std::chrono::milliseconds patience);

private:
    struct Worker {
        pid_t process;
        int socket;
        std::optional<std::size_t> task;  ///< the task it works on
        std::string received;             ///< the part of its answer that has come
    };

    std::size_t busy() const;
    Worker& add_worker();
    /// Gives work to a worker. False if its process has ended.
    [[nodiscard]] static bool give(Worker& worker, std::size_t task, const std::string& what);
    /// Reads from a worker. Returns the answer once it is complete.
    std::optional<Finished> receive(Worker& worker);
    Finished bury(Worker& worker);

    std::size_t most_;
    Work work_;
    std::vector<Worker> workers_;
};

}  // namespace flitscope::study
