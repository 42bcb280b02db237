// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "waveforms/batch_thread.h"

#include <pthread.h>
#include <signal.h>

#include <system_error>
#include <utility>

namespace flitscope {

BatchThread::BatchThread(std::function<void(const EventBatch&)> take)
    : take_(std::move(take)), empty_(kBatches) {
    try {
        thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
        // The system has no more threads for us, or no memory for the stack of one.
    }
}

BatchThread::~BatchThread() { end(); }

void BatchThread::put(EventBatch& batch) {
    if (!thread_.joinable()) {
        if (!failure_) failure_ = failure_of(batch);
        if (failure_) std::rethrow_exception(failure_);
        batch.clear();
        return;
    }
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

/// Takes a batch; returns the exception that it throws, or null.
std::exception_ptr BatchThread::failure_of(const EventBatch& batch) const {
    try {
        take_(batch);
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

void BatchThread::run() {
    // Signals go to the thread that can defer them (MetisGuard).
    sigset_t waits;
    sigemptyset(&waits);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&waits, number);
    pthread_sigmask(SIG_BLOCK, &waits, nullptr);
    std::unique_lock lock(mutex_);
    while (true) {
        has_changed_.wait(lock, [this] { return !full_.empty() || is_ending_; });
        if (full_.empty()) return;
        EventBatch batch = std::move(full_.front());
        full_.pop_front();
        if (!failure_) {
            lock.unlock();
            const std::exception_ptr failure = failure_of(batch);
            lock.lock();
            failure_ = failure;
        }
        batch.clear();
        empty_.push_back(std::move(batch));
        if (empty_.size() == 1) has_changed_.notify_one();
    }
}

}  // namespace flitscope
