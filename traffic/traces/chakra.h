// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Execution traces of MLCommons Chakra (schema/protobuf/et_def.proto): a file for each rank, whose
// messages in protobuf's wire format each follow their length.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/application_trace_config.h"
#include "traffic/traces/trace.h"

namespace flitscope {

/// The file of one of `ranks` ranks, unpacked; `source` names it in findings. Throws ConfigError,
/// with the name of the node, for unsupported types of nodes and fields, values that are not
/// numbers; for messages and collectives without a size, computations that name their work and
/// neither duration nor roofline, dependencies on missing nodes. Takes memory in proportion to
/// `bytes`.
RankTrace parse_chakra_rank(std::string_view bytes, const std::string& source, RankId ranks,
                            const TraceReadingConfig& reading = {});

/// The schedules that collectives become, each once.
std::vector<std::string> replaceable_collectives();

/// PREFIX.0.et, PREFIX.1.et, ..., as far as there are any; at most one more than kMostRanks.
std::vector<std::string> chakra_files(const std::string& prefix);

/// Whether a name is that of such a trace: its prefix, which is not a file itself, or one of its
/// files.
bool is_chakra(const std::string& name);
/// The prefix of the trace whose prefix or file a name is.
std::string chakra_prefix(const std::string& name);

/// Hands on the trace of the files PREFIX.0.et, PREFIX.1.et, ..., each plain or packed by gzip.
/// Throws ConfigError, also if there is no file.
void read_chakra(const std::string& prefix, const Location& named_at, TraceSink& sink,
                 const TraceReadingConfig& reading);

}  // namespace flitscope
