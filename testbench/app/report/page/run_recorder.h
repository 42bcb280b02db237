// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Watches a run for its page, and puts together what the page is made of.
#pragma once

#include <optional>
#include <string>

#include "models/fabric/observers.h"
#include "testbench/app/explain/explanation.h"
#include "testbench/app/explain/packet_delays.h"
#include "testbench/app/report/page/link_bins.h"
#include "testbench/app/report/page/message_sample.h"
#include "testbench/app/report/page/rank_bins.h"
#include "testbench/app/report/report.h"
#include "testbench/app/run/simulation_instance.h"

namespace flitscope {

struct Machine;

class RunRecorder {
public:
    /// `machine` must outlive the recorder.
    explicit RunRecorder(const Machine& machine);
    RunRecorder(const RunRecorder&) = delete;
    RunRecorder& operator=(const RunRecorder&) = delete;

    // The data that the run is to record.
    ChannelObserver& channels() { return channels_; }
    PacketObserver& packets() { return messages_; }
    SendObserver& sends() { return messages_; }
    /// Null if the program has no operations.
    OperationObserver* operations() { return ranks_ ? &*ranks_ : nullptr; }

    /// Once the run has ended: the data of its page (README.md, "Data of a run"). `explanation` has
    /// only the run if that is one of a pattern; then `delays` has those of its packets, or is null
    /// if they cannot be explained. `command` is the command that made the page.
    Json take(const Explanation& explanation, const PacketDelays* delays,
              const std::string& command);

private:
    const Machine& machine_;
    LinkBins bins_;
    MessageSample messages_;
    std::optional<RankBins> ranks_;
    ChannelObservers channels_;
};

}  // namespace flitscope
