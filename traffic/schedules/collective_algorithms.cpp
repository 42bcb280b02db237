// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/collective_algorithms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "models/base/did_you_mean.h"
#include "models/base/printable.h"
#include "models/config/application_trace_config.h"
#include "models/config/config_table.h"
#include "models/config/value_readers.h"
#include "models/config/workload_config.h"
#include "traffic/schedules/schedule_catalogue.h"
#include "traffic/traces/chakra.h"

namespace flitscope {
namespace {

using Names = std::vector<std::string>;

/// Whether collectives become this schedule.
bool is_of_collectives(const std::string& schedule) {
    const Names schedules = replaceable_collectives();
    return std::find(schedules.begin(), schedules.end(), schedule) != schedules.end();
}

/// An entry of the list, "schedule/algorithm" or "schedule/algorithm up to bytes".
struct Choice {
    explicit Choice(const std::string& entry) {
        constexpr std::string_view kUpTo = " up to ";
        const std::size_t limit = entry.find(kUpTo);
        const std::string choice = entry.substr(0, limit);
        schedule = choice.substr(0, choice.find('/'));
        has_algorithm = schedule.size() < choice.size();
        if (has_algorithm) algorithm = choice.substr(schedule.size() + 1);
        if (limit == std::string::npos) return;
        most_bytes = kinds::to_unsigned(std::string_view(entry).substr(limit + kUpTo.size()));
        has_bad_limit = !most_bytes;
    }

    bool is_known() const {
        return !algorithm.empty() && is_of_collectives(schedule) &&
               find_algorithm_kind(schedule, algorithm) != nullptr;
    }

    std::string schedule;
    bool has_algorithm = false;
    std::string algorithm;
    std::optional<std::uint64_t> most_bytes;  // none: any number
    bool has_bad_limit = false;
};

/// The remedy for a choice that is not known.
std::string remedy(const Choice& choice) {
    if (!choice.has_algorithm) {
        return "write schedule/algorithm, such as allreduce/ring (flitscope list)";
    }
    if (!is_of_collectives(choice.schedule)) {
        const Names schedules = replaceable_collectives();
        return did_you_mean_of(nearest(choice.schedule, schedules), "schedules", schedules);
    }
    const Names algorithms = algorithms_of(choice.schedule);
    return algorithms.empty() ? "leave it out: this schedule has no variants"
                              : suggest_choice(choice.algorithm, algorithms);
}

/// How MPICH chooses, by the bytes of a vector, or of the blocks of all ranks together (Thakur,
/// Rabenseifner and Gropp 2005; the defaults of MPIR_CVAR_*_SHORT_MSG_SIZE, *_LONG_MSG_SIZE and
/// BCAST_MIN_PROCS). The first rule that holds counts.
struct LibraryRule {
    enum class Bytes : std::uint8_t { kWhole, kBlock };  // of traffic.message_bytes

    const char* schedule;
    Bytes bytes;
    const char* algorithm;
    std::uint64_t most_bytes = UINT64_MAX;
    NodeId most_ranks = UINT32_MAX;
    bool for_powers_of_two = false;
};
constexpr std::uint64_t kKiB = 1024;
constexpr auto kWhole = LibraryRule::Bytes::kWhole;
constexpr auto kBlock = LibraryRule::Bytes::kBlock;
constexpr std::array<LibraryRule, 10> kLibraryRules = {{
    {"allreduce", kWhole, "recursive_doubling", 2 * kKiB},
    {"allreduce", kWhole, "rabenseifner"},
    {"allgather", kBlock, "recursive_doubling", 512 * kKiB - 1, UINT32_MAX, true},
    {"allgather", kBlock, "ring"},
    {"broadcast", kWhole, "binomial", UINT64_MAX, 7},
    {"broadcast", kWhole, "binomial", 12 * kKiB - 1},
    {"broadcast", kWhole, "scatter_doubling", 512 * kKiB - 1, UINT32_MAX, true},
    {"broadcast", kWhole, "scatter_allgather"},
    {"reduce-scatter", kBlock, "recursive_halving", 512 * kKiB - 1, UINT32_MAX, true},
    {"reduce-scatter", kBlock, "ring"},
}};

/// The bytes by which the algorithm is chosen, of a collective with `bytes` as its
/// traffic.message_bytes.
std::uint64_t deciding_bytes(const std::string& schedule, std::uint64_t bytes, NodeId ranks) {
    const auto rule =
        std::find_if(kLibraryRules.begin(), kLibraryRules.end(),
                     [&](const LibraryRule& one) { return schedule == one.schedule; });
    const bool has_blocks = rule != kLibraryRules.end() && rule->bytes == kBlock;
    return has_blocks ? bytes * ranks : bytes;
}

}  // namespace

std::string library_algorithm(const std::string& schedule, std::uint64_t bytes, NodeId ranks) {
    const bool is_power_of_two = (ranks & (ranks - 1)) == 0;
    const std::uint64_t all = deciding_bytes(schedule, bytes, ranks);
    for (const LibraryRule& rule : kLibraryRules) {
        if (schedule == rule.schedule && all <= rule.most_bytes && ranks <= rule.most_ranks &&
            (is_power_of_two || !rule.for_powers_of_two)) {
            return rule.algorithm;
        }
    }
    return {};
}

std::vector<Diagnostic> check_collective_algorithms(const WorkloadConfig& config) {
    const ApplicationTraceConfig& trace = config.traffic.trace;
    std::vector<Diagnostic> findings;
    if (trace.file.empty() || trace.algorithms.empty()) return findings;
    const auto report = [&](std::string what, std::string hint) {
        findings.push_back(
            {config.where("traffic.trace.algorithms"), std::move(what), std::move(hint)});
    };
    if (trace.format != TraceFormat::kChakra) {
        report(fmt::format("a trace of format '{}' has no collectives that could have algorithms",
                           name_of(trace.format)),
               "leave algorithms out; traces of format 'chakra' have collectives");
        return findings;
    }
    std::map<std::string, std::string> last;  // entry, by schedule
    for (const std::string& entry : trace.algorithms) {
        const Choice choice(entry);
        if (!choice.is_known()) {
            report(fmt::format("'{}' names no algorithm of a schedule that collectives become",
                               excerpt(entry)),
                   remedy(choice));
            continue;
        }
        if (choice.has_bad_limit) {
            report(fmt::format("'{}' does not end with a number of bytes", excerpt(entry)),
                   "write, for example, allreduce/ring up to 65536");
            continue;
        }
        const auto [before, is_first] = last.emplace(choice.schedule, entry);
        const std::string named = std::exchange(before->second, entry);
        if (is_first) continue;
        const std::optional<std::uint64_t> most = Choice(named).most_bytes;
        if (!most) {
            report(fmt::format("'{}' and '{}' both choose the algorithm of schedule '{}'", named,
                               entry, choice.schedule),
                   "leave one of them out, or say up to how many bytes the first one holds: "
                   "allreduce/ring up to 65536");
        } else if (choice.most_bytes && *choice.most_bytes <= *most) {
            report(fmt::format("'{}' never holds after '{}'", entry, named),
                   "name the smaller number of bytes first");
        }
    }
    return findings;
}

std::string collective_algorithm(const ApplicationTraceConfig& trace, const std::string& schedule,
                                 std::uint64_t bytes, NodeId ranks) {
    const std::uint64_t all = deciding_bytes(schedule, bytes, ranks);
    for (const std::string& entry : trace.algorithms) {
        const Choice choice(entry);
        if (choice.schedule == schedule && all <= choice.most_bytes.value_or(all)) {
            return choice.algorithm;
        }
    }
    return {};
}

}  // namespace flitscope
