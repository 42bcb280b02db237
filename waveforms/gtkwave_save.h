// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes a GTKWave save file next to a trace, so that the first look at it shows named, coloured
// and grouped rows instead of an empty window.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "waveforms/node_loads.h"
#include "waveforms/occupancy_file.h"

namespace flitscope {

/// The save file of `trace_path`: "run/trace.fst.gtkw" for "run/trace.fst", so that traces of
/// several formats in one folder have one each.
std::string gtkwave_save_path(const std::string& trace_path);

/// All files for GTKWave that every trace has, with or without a marked path.
std::vector<std::string> gtkwave_files(const std::string& trace_path, bool has_path);

/// Writes the files for GTKWave. Call it after trace.close(): the zoom shows the whole run. The
/// overview names the ends of `loads`. Either all files are written, or none. Throws
/// std::runtime_error with path and reason when they cannot be written.
void write_gtkwave_save(const std::string& trace_path, const OccupancyFile& trace,
                        const std::optional<NodeLoads::Range>& loads = {});

}  // namespace flitscope
