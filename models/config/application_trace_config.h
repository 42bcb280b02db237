// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The section `traffic.trace`: an application that a tool recorded.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace flitscope {

/// traffic.trace.format: the format of an application trace.
enum class TraceFormat : std::uint8_t {
    kGoal,    ///< LogGOPSim, ATLAHS: text, or the output of txt2bin
    kCsv,     ///< messages with times
    kChakra,  ///< MLCommons execution traces, a file for each rank
};

/// traffic.trace.placement: which node is which rank.
enum class RankPlacement : std::uint8_t {
    kLinear,  ///< rank n is node n
    kRandom,  ///< drawn from the seed
    kFile,    ///< a list
    kVolume,  ///< ranks that send each other much are near each other
};

/// The values of each, in the order of the enumeration; the default comes first.
inline constexpr std::array kTraceFormats{TraceFormat::kGoal, TraceFormat::kCsv,
                                          TraceFormat::kChakra};
inline constexpr std::array kRankPlacements{RankPlacement::kLinear, RankPlacement::kRandom,
                                            RankPlacement::kFile, RankPlacement::kVolume};

/// The word that configurations and reports have for a value.
std::string name_of(TraceFormat format);
std::string name_of(RankPlacement placement);

/// A trace of an application, as a tool recorded it (traffic/traces/README.md).
struct ApplicationTraceConfig {
    /// Resolved against the config's folder; with format chakra the beginning of several names.
    std::string file;
    TraceFormat format = TraceFormat::kGoal;
    RankPlacement placement = RankPlacement::kLinear;
    std::string placement_file;  ///< resolved against the config's folder
    bool sends_block = false;    ///< a send completes when its tail has been injected
    /// Algorithms of the schedules that replace collectives, such as "allreduce/ring"; default: the
    /// first of each.
    std::vector<std::string> algorithms;
    /// Messages of more bytes wait for their receive (rendezvous); none: none does.
    std::optional<std::uint64_t> eager_bytes;
};

}  // namespace flitscope
