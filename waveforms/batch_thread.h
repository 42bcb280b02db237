// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A thread that turns the events of a run into its trace, concurrently with the simulation.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "waveforms/traced_events.h"

namespace flitscope {

/// Takes batches in a dedicated thread, in the order in which they are put. put() waits when
/// kBatches are waiting.
class BatchThread {
public:
    static constexpr std::size_t kBatches = 4;

    /// `take` is called in the thread, or by put() if the system provides no thread. After an
    /// exception it is not called again.
    explicit BatchThread(std::function<void(const EventBatch&)> take);
    /// Takes the remaining batches.
    ~BatchThread();
    BatchThread(const BatchThread&) = delete;
    BatchThread& operator=(const BatchThread&) = delete;

    /// Exchanges `batch` for an empty one; waits until there is one. Rethrows failures of `take`.
    void put(EventBatch& batch);
    /// Waits until all is taken, and ends the thread. Rethrows failures of `take`.
    void finish();

private:
    std::exception_ptr failure_of(const EventBatch& batch) const;
    void run();
    void end();

    const std::function<void(const EventBatch&)> take_;
    std::mutex mutex_;  // guards the following members
    std::condition_variable has_changed_;
    std::deque<EventBatch> full_;
    std::vector<EventBatch> empty_;
    std::exception_ptr failure_;
    bool is_ending_ = false;
    std::thread thread_;  // begins when all else is there
};

}  // namespace flitscope
