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

/// traffic.trace.control_dependencies: whether the nodes of an execution trace of Chakra wait for
/// their `ctrl_deps`. Recorded traces name callers there, generated ones what comes before.
enum class ControlDependencies : std::uint8_t {
    kAuto,     ///< in a file whose nodes could all be played so
    kAwaited,  ///< always
    kIgnored,  ///< never
};

/// traffic.trace.interfaces: what becomes of messages that name a network interface.
enum class TraceInterfaces : std::uint8_t {
    kShared,   ///< they are like those that name none
    kPlanes,   ///< `nic N` is the interface to plane N
    kRefused,  ///< others than the first are an error
};

/// The values of each, in the order of the enumeration; the default comes first.
inline constexpr std::array kTraceFormats{TraceFormat::kGoal, TraceFormat::kCsv,
                                          TraceFormat::kChakra};
inline constexpr std::array kRankPlacements{RankPlacement::kLinear, RankPlacement::kRandom,
                                            RankPlacement::kFile, RankPlacement::kVolume};
inline constexpr std::array kControlDependencies{
    ControlDependencies::kAuto, ControlDependencies::kAwaited, ControlDependencies::kIgnored};
inline constexpr std::array kTraceInterfaces{TraceInterfaces::kShared, TraceInterfaces::kPlanes,
                                             TraceInterfaces::kRefused};

/// The word that configurations and reports have for a value.
std::string name_of(TraceFormat format);
std::string name_of(RankPlacement placement);
std::string name_of(ControlDependencies dependencies);
std::string name_of(TraceInterfaces interfaces);

/// Time of operations that name their work and no duration: the longer of both (a roofline).
struct RooflineConfig {
    double flops_per_ns = 0;  ///< arithmetic operations (`num_ops`); 0: they take no time
    double bytes_per_ns = 0;  ///< memory traffic (`tensor_size`); 0: it takes no time

    bool is_given() const { return flops_per_ns > 0 || bytes_per_ns > 0; }
};

/// How the files of a trace are read where they leave a choice.
struct TraceReadingConfig {
    ControlDependencies control = ControlDependencies::kAuto;
    RooflineConfig compute;
    TraceInterfaces interfaces = TraceInterfaces::kShared;
};

/// A trace of an application, as a tool recorded it (traffic/traces/README.md).
struct ApplicationTraceConfig : TraceReadingConfig {
    /// Resolved against the config's folder; with format chakra the beginning of several names.
    std::string file;
    TraceFormat format = TraceFormat::kGoal;
    RankPlacement placement = RankPlacement::kLinear;
    std::string placement_file;  ///< resolved against the config's folder
    double compute_scale = 1;    ///< by which the times of all computations are multiplied
    bool sends_block = false;    ///< a send completes when its tail has been injected
    /// A receive keeps its stream while its message comes in, not only once it is there.
    bool receives_transfer = false;
    /// Algorithms of the schedules that replace collectives, such as "allreduce/ring"; default: by
    /// size and number of ranks, as library_algorithm() chooses.
    std::vector<std::string> algorithms;
    /// Messages of more bytes make a rendezvous with their receive; none: none does.
    std::optional<std::uint64_t> eager_bytes;
    /// Such a message goes at once, and its send waits for the answer of its receive.
    bool acknowledges = false;
};

}  // namespace flitscope
