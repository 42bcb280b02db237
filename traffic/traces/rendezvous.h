// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Long messages, which meet their receive before they are sent, or before their send completes.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "models/base/finding_list.h"
#include "traffic/traces/trace.h"

namespace flitscope {

/// Makes a rendezvous of every message of more than `eager_bytes` bytes: its sender announces it,
/// its receiver answers once the receive has been begun, both with messages of no bytes, and then
/// it is sent. Or it is `acknowledged`: it is sent at once, its receiver answers once the receive
/// has completed, and the send completes with that answer.
class Rendezvous {
public:
    /// `source` names the trace in findings.
    Rendezvous(const std::string& source, std::uint64_t eager_bytes, bool acknowledged)
        : findings_(source, MoreFindings::kStop),
          eager_bytes_(eager_bytes),
          acknowledged_(acknowledged) {}

    /// Rewrites a rank of the trace, whose receives are as long as their messages; call for one
    /// rank after the other.
    void rewrite(RankTrace& rank);
    /// Throws ConfigError if the match of a receive with any source or tag remained open.
    void throw_if_any() { findings_.throw_if_any(); }

private:
    class Rewritten;

    std::uint32_t tag(const TraceOperation& of, std::uint32_t part);

    FindingList findings_;
    std::uint64_t eager_bytes_;
    bool acknowledged_;
    std::map<std::uint32_t, std::uint32_t> numbers_;  // numbers of tags
};

/// Rewrites a whole trace that check_trace() accepts. The length of the send decides: a receive,
/// which may be longer, becomes as long as the send that match_ends() finds for it. Throws
/// ConfigError as Rendezvous does.
void make_rendezvous(Trace& trace, std::uint64_t eager_bytes, bool acknowledged = false);

}  // namespace flitscope
