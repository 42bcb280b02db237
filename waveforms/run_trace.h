// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A file about a run, in whatever format, that is written while the run goes on.
#pragma once

#include <memory>
#include <string>

#include "models/config/config.h"
#include "models/fabric/inner_signals.h"
#include "models/fabric/observers.h"
#include "models/topology/graph.h"

namespace flitscope {

class RunTrace : public ChannelObserver {
public:
    /// Who is told of the signals inside modules; null: nobody.
    virtual InnerSignalObserver* inner_signals() { return nullptr; }
    /// Completes the file, and writes what belongs beside it; `end` is the number of cycles that
    /// were simulated. Throws std::runtime_error with path and reason when the disk is full.
    virtual void finish(Cycle end) = 0;
};

/// The trace that `config` asks for, written to `path` in the format that its name says
/// (formats.h). Throws ConfigError when it says none, when the selection names something that does
/// not exist, and when the file cannot be created. `graph` must outlive the trace.
std::unique_ptr<RunTrace> open_run_trace(const std::string& path, const Config& config,
                                         const Graph& graph);

}  // namespace flitscope
