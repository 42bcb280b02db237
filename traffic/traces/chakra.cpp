// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/traces/chakra.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "models/base/gzip.h"
#include "models/base/input_file.h"
#include "models/config/value_readers.h"
#include "traffic/traces/chakra_node.h"
#include "traffic/traces/expansion.h"
#include "traffic/traces/wire_format.h"

namespace flitscope {
namespace {

constexpr std::uint64_t kMostTag = (1ULL << 31) - 1;  // above them are those of collectives

/// Streams of a rank. Marks take no time, and wait for nothing that does.
enum Stream : std::uint16_t { kProcessor, kAccelerator, kMessages, kMarks };
static_assert(kMessages == kMessageStream);

enum NodeType : std::uint64_t {
    kMetadata = 1,
    kMemoryLoad = 2,
    kMemoryStore = 3,
    kComputation = 4,
    kSend = 5,
    kReceive = 6,
    kCollective = 7
};

/// How the schedules that a collective becomes count bytes, from `comm_size`; barriers have a fixed
/// size.
enum class Size : std::uint8_t { kWhole, kPerRank, kBarrier };
struct CollectiveType {
    std::uint64_t number;
    const char* schedule;
    Size size;
    bool has_root = false;
    bool is_reversed = false;
    bool may_differ = false;  ///< the sizes of the ranks
};
constexpr std::array<CollectiveType, 10> kCollectives = {
    {{0, "allreduce", Size::kWhole},
     {1, "reduce", Size::kWhole, true},
     {2, "allgather", Size::kWhole},
     {3, "scatter", Size::kWhole, true, true},  // gather
     {4, "scatter", Size::kPerRank, true},
     {5, "broadcast", Size::kWhole, true},
     {6, "gen", Size::kPerRank, false, false, true},
     {7, "reduce-scatter", Size::kPerRank},
     {8, "reduce-scatter", Size::kPerRank},  // in blocks
     {9, "allreduce", Size::kBarrier}}};
/// The messages of the ranks at a barrier, in the minimum number of steps.
constexpr std::uint64_t kBarrierBytes = 8;
constexpr const char* kBarrierAlgorithm = "recursive_doubling";

class ChakraReader {
public:
    ChakraReader(std::string_view bytes, const std::string& source, RankId ranks,
                 const TraceReadingConfig& reading)
        : bytes_(bytes), source_(source), ranks_(ranks), reading_(reading) {}

    RankTrace read() {
        WireReader blocks(bytes_);
        if (!blocks.block()) refuse("the file does not begin with metadata and its length");
        while (!blocks.at_end()) {
            const std::size_t offset = blocks.offset();
            const auto block = blocks.block();
            if (!block) refuse(fmt::format("at byte {}: the file ends within a node", offset));
            add(read_chakra_node(*block, offset, source_));
        }
        for (const Wait& wait : data_) wait_for(wait);
        if (awaits_control()) {
            for (const Wait& wait : control_) wait_for(wait);
        } else {
            pass_over_control();
        }
        return std::move(rank_);
    }

private:
    struct Wait {
        OperationId operation;
        std::uint64_t id;
        std::size_t node;  // in names_
    };

    [[noreturn]] void refuse(const std::string& what) const {
        throw ConfigError({source_, 0, 0}, what);
    }
    [[noreturn]] void refuse_node(const std::string& name, const std::string& what,
                                  std::string hint = {}) const {
        refuse_chakra_node(source_, name, what, std::move(hint));
    }

    void note(TraceNote note, const std::string& name) {
        rank_.notes.add(note, fmt::format("node '{}'", name));
    }

    void wait_for(const Wait& wait) {
        const auto on = end_of_.find(wait.id);
        if (on == end_of_.end()) {
            refuse_node(names_[wait.node],
                        fmt::format("depends on node {}, which does not exist", wait.id));
        }
        rank_.dependencies.push_back({wait.operation, on->second, false});
    }

    /// Chakra's feeder waits for data dependencies alone, that of ASTRA-sim for both kinds, and
    /// refuses a file with ids that it lacks. So what was generated to be awaited is awaited; in
    /// recorded traces callers are missing, or wait for what they called.
    bool awaits_control() const {
        if (reading_.control != ControlDependencies::kAuto) {
            return reading_.control == ControlDependencies::kAwaited;
        }
        const auto exists = [this](const Wait& wait) { return end_of_.count(wait.id) != 0; };
        return std::all_of(control_.begin(), control_.end(), exists) && can_await_control();
    }

    /// Whether no operations would wait for each other cyclically (Kahn 1962).
    bool can_await_control() const {
        if (control_.empty()) return true;
        const std::size_t count = rank_.operations.size();
        std::vector<std::vector<OperationId>> successors(count);
        std::vector<std::uint32_t> waits(count);
        const auto add = [&](OperationId operation, OperationId on) {
            successors[on].push_back(operation);
            ++waits[operation];
        };
        for (const OperationDependency& d : rank_.dependencies) add(d.operation, d.on);
        for (const Wait& wait : control_) add(wait.operation, end_of_.at(wait.id));
        std::vector<OperationId> done;
        for (OperationId id = 0; id < count; ++id) {
            if (waits[id] == 0) done.push_back(id);
        }
        for (std::size_t i = 0; i < done.size(); ++i) {
            for (const OperationId next : successors[done[i]]) {
                if (--waits[next] == 0) done.push_back(next);
            }
        }
        return done.size() == count;
    }

    void pass_over_control() {
        for (const Wait& wait : control_) {
            note(TraceNote::kControlDependency, names_[wait.node]);
            if (end_of_.count(wait.id) == 0) note(TraceNote::kMissingParent, names_[wait.node]);
        }
    }

    void add(const ChakraNode& node) {
        const auto first = static_cast<OperationId>(rank_.operations.size());
        TraceOperation operation;
        operation.stream = kMarks;
        switch (node.type) {
            case kMetadata:
                break;
            case kComputation:
            case kMemoryLoad:
            case kMemoryStore:
                add_duration(node, operation);
                break;
            case kSend:
            case kReceive:
                add_message(node, operation);
                break;
            case kCollective:
                if (is_host_call(node)) {
                    note(TraceNote::kHostCall, node.name);
                    operation.amount = nanoseconds(node);
                    operation.stream = kProcessor;
                } else {
                    add_collective(node, first);
                }
                break;
            default:
                refuse_node(node.name, fmt::format("is of unknown type {}", node.type),
                            "1: metadata, 2, 3: memory, 4: computation, 5: send, 6: receive, "
                            "7: collective");
        }
        rank_.operations.push_back(operation);
        const auto last = static_cast<OperationId>(rank_.operations.size() - 1);
        if (!end_of_.emplace(node.id, last).second) {
            refuse_node(node.name, fmt::format("has the id {} of another node", node.id));
        }
        for (const std::uint64_t id : node.data_dependencies) {
            data_.push_back({first, id, names_.size()});
        }
        for (const std::uint64_t id : node.control_dependencies) {
            control_.push_back({first, id, names_.size()});
        }
        names_.push_back(node.name);
    }

    /// As in both feeders a node without the attribute is one of the accelerator.
    bool is_on_cpu(const ChakraNode& node) const {
        return node.optional_number("is_cpu_op", 1, source_).value_or(0) != 0;
    }

    /// PyTorch records `c10d::allreduce_` and the like on the CPU, and the collective itself as the
    /// kernel that waits for it.
    bool is_host_call(const ChakraNode& node) const {
        return is_on_cpu(node) && node.attributes.count("comm_type") == 0;
    }

    std::uint64_t nanoseconds(const ChakraNode& node) const {
        if (node.duration_micros > kMostTraceNs / 1000) refuse_node(node.name, "takes too long");
        return node.duration_micros * 1000;
    }

    void add_duration(const ChakraNode& node, TraceOperation& operation) {
        operation.stream = is_on_cpu(node) ? kProcessor : kAccelerator;
        operation.amount = nanoseconds(node);
        if (operation.amount != 0) return;
        const auto work = [&](const char* name) {
            return node.optional_number(name, UINT64_MAX, source_).value_or(0);
        };
        const std::uint64_t flops = work("num_ops");
        const std::uint64_t bytes = work("tensor_size");
        if (flops == 0 && bytes == 0) {
            note(TraceNote::kNoTime, node.name);
        } else if (reading_.compute.is_given()) {
            note(TraceNote::kRoofline, node.name);
            operation.amount = roofline(node, flops, bytes);
        } else {
            refuse_node(node.name, "has no duration",
                        "how long num_ops or tensor_size take depends on a processor: set "
                        "traffic.trace.compute, or duration_micros");
        }
    }

    std::uint64_t roofline(const ChakraNode& node, std::uint64_t flops, std::uint64_t bytes) const {
        const auto time = [](std::uint64_t work, double per_ns) {
            return per_ns > 0 ? static_cast<double>(work) / per_ns : 0;
        };
        const double longest = std::max(time(flops, reading_.compute.flops_per_ns),
                                        time(bytes, reading_.compute.bytes_per_ns));
        if (longest > static_cast<double>(kMostTraceNs)) refuse_node(node.name, "takes too long");
        return static_cast<std::uint64_t>(std::llround(longest));
    }

    void add_message(const ChakraNode& node, TraceOperation& operation) const {
        const bool sends = node.type == kSend;
        const auto number = [&](const char* name, std::uint64_t most) {
            return node.number(name, most, source_);
        };
        operation.kind = sends ? Operation::Kind::kSend : Operation::Kind::kReceive;
        operation.amount = number("comm_size", kMostMessageBytes);
        operation.peer = static_cast<RankId>(number(sends ? "comm_dst" : "comm_src", ranks_ - 1));
        operation.tag = static_cast<std::uint32_t>(
            node.optional_number("comm_tag", kMostTag, source_).value_or(0));
        operation.stream = kMessageStream;
    }

    /// The name of the group of ranks that a collective is of; none: all.
    std::optional<std::string> group_of(const ChakraNode& node) const {
        for (const char* const name : {"pg_name", "comm_group"}) {
            const auto found = node.attributes.find(name);
            if (found == node.attributes.end()) continue;
            if (found->second.is_text) return found->second.text;
            if (found->second.is_number) return fmt::format("{}", found->second.number);
        }
        return std::nullopt;
    }

    /// It ends at the operation that follows this; it begins at the one before.
    void add_collective(const ChakraNode& node, OperationId begin) {
        const std::uint64_t type = node.number("comm_type", UINT32_MAX, source_);
        const CollectiveType* found = nullptr;
        for (const CollectiveType& known : kCollectives) {
            if (known.number == type) found = &known;
        }
        if (found == nullptr) {
            refuse_node(node.name, fmt::format("collectives of type {} are not expanded", type),
                        "0: all-reduce, 1: reduce, 2: all-gather, 3: gather, 4: scatter, "
                        "5: broadcast, 6: all-to-all, 7, 8: reduce-scatter, 9: barrier");
        }
        const auto dimensions = node.attributes.find("involved_dim");
        if (dimensions != node.attributes.end() && dimensions->second.has_false) {
            refuse_node(node.name, "is a collective of some dimensions (involved_dim)",
                        "collectives of all ranks are expanded");
        }
        TraceCollective collective;
        collective.schedule = found->schedule;
        collective.group = group_of(node);
        collective.is_reversed = found->is_reversed;
        collective.has_root = found->has_root;
        if (found->has_root) {
            const auto root = node.optional_number("root_rank", ranks_ - 1, source_);
            if (root) collective.root = static_cast<RankId>(*root);
        }
        collective.may_differ = found->may_differ;
        if (found->size == Size::kBarrier) {
            collective.algorithm = kBarrierAlgorithm;
            collective.bytes = kBarrierBytes;
        } else {
            // Shares are computed later: the size of the group is known only after all files.
            collective.bytes = node.number("comm_size", kMostMessageBytes, source_);
            collective.is_share = found->size == Size::kPerRank;
        }
        collective.begin = begin;
        collective.end = begin + 1;
        collective.name = node.name;
        rank_.collectives.push_back(std::move(collective));
        rank_.operations.emplace_back().stream = kMarks;
        rank_.dependencies.push_back({begin + 1, begin, false});
    }

    std::string_view bytes_;
    const std::string& source_;
    RankId ranks_;
    const TraceReadingConfig& reading_;
    RankTrace rank_;
    std::unordered_map<std::uint64_t, OperationId> end_of_;  // per id of a node
    std::vector<std::string> names_;                         // of nodes
    std::vector<Wait> data_;                                 // their dependencies
    std::vector<Wait> control_;
};

constexpr std::string_view kEnding = ".et";

std::string file_of(const std::string& prefix, RankId rank) {
    return fmt::format("{}.{}{}", prefix, rank, kEnding);
}

/// The file of a rank beyond the first one without a file; normally empty.
std::string file_beyond(const std::string& prefix, RankId ranks) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(prefix).parent_path();
    const std::string name = fs::path(prefix).filename().string();
    std::optional<std::uint64_t> first;
    std::error_code unknown;
    for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, unknown)) {
        const std::string file = entry.path().filename().string();
        if (file.size() <= name.size() + 1 + kEnding.size()) continue;
        const auto rank = kinds::to_unsigned(std::string_view(file).substr(
            name.size() + 1, file.size() - name.size() - 1 - kEnding.size()));
        if (!rank || *rank <= ranks || *rank > kMostRanks) continue;
        if (file == file_of(name, static_cast<RankId>(*rank)))
            first = std::min(*rank, first.value_or(*rank));
    }
    return first ? file_of(prefix, static_cast<RankId>(*first)) : "";
}

}  // namespace

RankTrace parse_chakra_rank(std::string_view bytes, const std::string& source, RankId ranks,
                            const TraceReadingConfig& reading) {
    return ChakraReader(bytes, source, ranks, reading).read();
}

std::vector<std::string> replaceable_collectives() {
    std::vector<std::string> names;
    for (const CollectiveType& type : kCollectives) {
        if (std::find(names.begin(), names.end(), type.schedule) == names.end()) {
            names.emplace_back(type.schedule);
        }
    }
    return names;
}

std::vector<std::string> chakra_files(const std::string& prefix) {
    std::vector<std::string> files;
    std::error_code failed;
    while (files.size() <= kMostRanks) {
        std::string file = file_of(prefix, static_cast<RankId>(files.size()));
        if (!std::filesystem::exists(file, failed)) break;
        files.push_back(std::move(file));
    }
    return files;
}

bool is_chakra(const std::string& name) {
    if (std::filesystem::path(name).extension() == kEnding) return true;
    std::error_code unknown;
    return !std::filesystem::exists(name, unknown) && !chakra_files(name).empty();
}

std::string chakra_prefix(const std::string& name) {
    const std::filesystem::path path(name);
    // PREFIX.0.et: both endings.
    return path.extension() == kEnding ? path.parent_path() / path.stem().stem() : path;
}

void read_chakra(const std::string& prefix, const Location& named_at, TraceSink& sink,
                 const TraceReadingConfig& reading) {
    const std::vector<std::string> files = chakra_files(prefix);
    if (files.empty() || files.size() > kMostRanks) {
        throw ConfigError(named_at,
                          files.empty() ? fmt::format("there is no file {}", file_of(prefix, 0))
                                        : fmt::format("there are more than {} ranks", kMostRanks),
                          "traces of Chakra are PREFIX.0.et, PREFIX.1.et, ...: name the prefix");
    }
    const auto ranks = static_cast<RankId>(files.size());
    if (const std::string beyond = file_beyond(prefix, ranks); !beyond.empty()) {
        throw ConfigError(named_at,
                          fmt::format("there is {}, and no {}", beyond, file_of(prefix, ranks)),
                          "every rank has its file, from PREFIX.0.et on");
    }
    sink.begin(ranks);
    for (RankId rank = 0; rank < ranks; ++rank) {
        const std::string file =
            read_input_file(files[rank], "trace", kMostTraceFileBytes, named_at);
        Spool unpacked;
        std::string_view bytes = file;
        if (is_gzip(file)) {
            unpacked = gunzip(file, files[rank], kMostTraceFileBytes);
            bytes = unpacked.text();
        }
        if (!sink.take(rank, parse_chakra_rank(bytes, files[rank], ranks, reading))) return;
    }
}

}  // namespace flitscope
