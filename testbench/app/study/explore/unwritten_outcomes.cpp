// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/unwritten_outcomes.h"

#include <utility>

#include "testbench/app/study/explore/exploration.h"

namespace flitscope::study {

void UnwrittenOutcomes::add(const std::string& digest, PointRow point, PointOutcome outcome) {
    digests_.insert(digest);
    waiting_.push_back({digest, std::move(point), std::move(outcome)});
}

void UnwrittenOutcomes::write() {
    database_.begin();
    for (Unwritten& one : waiting_) {
        // The appraisal of such a point has its configuration, and was written before.
        if (one.point.config.empty()) {
            one.point.config = database_.config(appraisal_digest(one.digest));
        }
        keep_outcome(database_, one.digest, one.point, one.outcome);
    }
    database_.commit();
    waiting_.clear();
    digests_.clear();
}

std::optional<PointOutcome> UnwrittenOutcomes::find_complete(const std::string& point) {
    if (digests_.count(point) != 0) write();
    std::optional<PointOutcome> known = database_.find(point);
    if (known && known->status == PointStatus::kStopped) return std::nullopt;
    return known;
}

}  // namespace flitscope::study
