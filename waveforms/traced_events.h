// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The events of a run for a waveform, in order of arrival: recorded first, made signals later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/message_labels.h"
#include "waveforms/owner_table.h"

namespace flitscope {

/// An event of a channel or of an inner signal, as the fabric reported it.
struct TracedEvent {
    // In the order in which they happen within a cycle.
    enum Kind : std::uint8_t { kSendEnd = 1, kRelease = 2, kGrant = 4, kSendBegin = 8 };
    // By themselves.
    static constexpr std::uint8_t kInner = 16;
    static constexpr std::uint8_t kLoss = 32;  ///< loss of a flit

    Cycle cycle;
    std::uint32_t unit;  ///< unit of the trace; or the inner signal
    std::uint8_t kinds;
    Owner owner;  ///< owner, for a grant
    /// Units whose FIFO was emptied until now, and is from now on. For an inner signal: number of
    /// the batch's digits, and the first one. For a loss, in `begin_fifo`: cycles until the flit
    /// would have been in the FIFO.
    std::uint32_t end_fifo;
    std::uint32_t begin_fifo;
};

/// Events one after the other, with the new values of inner signals.
struct EventBatch {
    static constexpr std::size_t kMost = 4096;

    std::unique_ptr<TracedEvent[]> events{new TracedEvent[kMost]};
    std::size_t count = 0;
    std::string digits;
    /// Of the grants, in their order, if messages have labels.
    std::vector<std::optional<MessageLabel>> labels;

    void clear() {
        count = 0;
        digits.clear();
        labels.clear();
    }
};

/// Keeps batches, without labels, in a file without a name, which need not be removed. It is next
/// to the trace, or if no file can be made there (the trace goes to a pipe), in the folder of
/// temporary files.
class BatchStore {
public:
    /// Throws ConfigError if no file can be made for `trace`.
    explicit BatchStore(std::string trace);
    ~BatchStore();
    BatchStore(const BatchStore&) = delete;
    BatchStore& operator=(const BatchStore&) = delete;

    /// Throws std::runtime_error with the trace's path and the reason when the disk is full; so do
    /// all later calls.
    void put(const EventBatch& batch);
    /// Reads back the batches, from the first; false after the last one. Throws as put() does.
    bool get(EventBatch& batch);

private:
    void write(const void* from, std::size_t bytes);
    void read(void* to, std::size_t bytes);
    [[noreturn]] void fail();

    std::string trace_;
    std::FILE* file_;
    std::size_t left_ = 0;  // batches in the file that have not been read
    bool reading_ = false;
    std::string failure_;
};

}  // namespace flitscope
