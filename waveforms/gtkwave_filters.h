// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The translate filters by which GTKWave shows texts in colours instead of numbers: a line for each
// value, in base 10, with its colour and text ("Translate filters" of its manual). That of owners
// is OwnerTable::filter().
#pragma once

#include <string>
#include <vector>

#include "waveforms/occupancy_file.h"

namespace flitscope {

/// Path of the translate filter named by the save file, which says in words and colours which
/// packet holds a channel: "run/trace.fst.owners".
std::string owner_filter_path(const std::string& trace_path);

/// Paths of the filters that say in words the cause and the channel of the path in a cycle:
/// "run/trace.fst.causes" and "run/trace.fst.channels".
std::string cause_filter_path(const std::string& trace_path);
std::string channel_filter_path(const std::string& trace_path);

/// Path of the filter that marks numbers of `buffered` above the depth of a FIFO; written only if
/// there are any: "run/trace.fst.buffered".
std::string buffered_filter_path(const std::string& trace_path);

/// Whether a FIFO seemed to hold more flits than fit.
bool is_overfull(const OccupancyFile& trace);

std::string cause_filter(const std::vector<PathCause>& causes);
/// Of the channels of the path.
std::string channel_filter(const OccupancyFile& trace);
/// Of numbers of flits above the depth; others are shown as they are.
std::string buffered_filter(const OccupancyFile& trace);

}  // namespace flitscope
