// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Outcomes on their way to the database. Each is written by a transaction that waits for the disk,
// so several are written together.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "testbench/app/study/explore/database.h"

namespace flitscope::study {

class UnwrittenOutcomes {
public:
    explicit UnwrittenOutcomes(Database& database) : database_(database) {}

    /// `digest`: that of its point.
    void add(const std::string& digest, PointRow point, PointOutcome outcome);
    std::size_t size() const { return waiting_.size(); }
    void write();

    /// The outcome of a point that was measured to its end. Outcomes that wait to be written are
    /// written first.
    std::optional<PointOutcome> find_complete(const std::string& point);

private:
    struct Unwritten {
        std::string digest;
        PointRow point;
        PointOutcome outcome;
    };

    Database& database_;
    std::vector<Unwritten> waiting_;
    std::set<std::string> digests_;  // digests of these
};

}  // namespace flitscope::study
