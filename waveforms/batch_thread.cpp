// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "waveforms/batch_thread.h"

#include <utility>

namespace flitscope {

BatchThread::BatchThread(std::function<void(const EventBatch&)> take)
    : take_(std::move(take)), empty_(kBatches), thread_([this] { run(); }) {}

BatchThread::~BatchThread() { end(); }

void BatchThread::put(EventBatch& batch) {
    std::unique_lock lock(mutex_);
    has_changed_.wait(lock, [this] { return !empty_.empty(); });
    if (failure_) std::rethrow_exception(failure_);
    full_.push_back(std::exchange(batch, std::move(empty_.back())));
    empty_.pop_back();
    if (full_.size() == 1) has_changed_.notify_one();
}

void BatchThread::finish() {
    end();
    if (failure_) std::rethrow_exception(failure_);
}

void BatchThread::end() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    has_changed_.notify_one();
    thread_.join();
}

void BatchThread::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        has_changed_.wait(lock, [this] { return !full_.empty() || is_ending_; });
        if (full_.empty()) return;
        EventBatch batch = std::move(full_.front());
        full_.pop_front();
        if (!failure_) {
            lock.unlock();
            std::exception_ptr failure;
            try {
                take_(batch);
            } catch (...) {
                failure = std::current_exception();
            }
            lock.lock();
            failure_ = failure;
        }
        batch.clear();
        empty_.push_back(std::move(batch));
        if (empty_.size() == 1) has_changed_.notify_one();
    }
}

}  // namespace flitscope
