// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/traces/chakra.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "models/base/input_file.h"
#include "models/base/printable.h"
#include "models/config/value_readers.h"
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
};
constexpr std::array<CollectiveType, 10> kCollectives = {
    {{0, "allreduce", Size::kWhole},
     {1, "reduce", Size::kWhole, true},
     {2, "allgather", Size::kWhole},
     {3, "scatter", Size::kWhole, true, true},  // gather
     {4, "scatter", Size::kPerRank, true},
     {5, "broadcast", Size::kWhole, true},
     {6, "gen", Size::kPerRank},
     {7, "reduce-scatter", Size::kPerRank},
     {8, "reduce-scatter", Size::kPerRank},  // in blocks
     {9, "allreduce", Size::kBarrier}}};
/// The messages of the ranks at a barrier, in the minimum number of steps.
constexpr std::uint64_t kBarrierBytes = 8;
constexpr const char* kBarrierAlgorithm = "recursive_doubling";

/// The supported part of an attribute: a whole number, or none of these.
struct Attribute {
    bool is_number = false;
    bool is_negative = false;
    std::uint64_t number = 0;
    bool has_false = false;  ///< a list of booleans, one of which is false
    bool is_text = false;
    std::string text;
};

/// One node, as far as it matters.
struct ChakraNode {
    std::optional<std::uint64_t> id;
    std::string name;
    std::uint64_t type = 0;
    std::uint64_t duration_micros = 0;
    std::vector<std::uint64_t> waits;
    std::unordered_map<std::string_view, Attribute> attributes;
};

class ChakraReader {
public:
    ChakraReader(std::string_view bytes, std::string source, RankId ranks)
        : bytes_(bytes), source_(std::move(source)), ranks_(ranks) {}

    RankTrace read() {
        WireReader blocks(bytes_);
        if (!blocks.block()) {
            refuse("the file does not begin with metadata and its length");
        }
        while (!blocks.at_end()) {
            const std::size_t offset = blocks.offset();
            const auto block = blocks.block();
            if (!block) refuse(fmt::format("at byte {}: the file ends within a node", offset));
            const ChakraNode node = read_node(*block, offset);
            add(node);
        }
        for (const auto& [operation, id, name] : waits_) {
            const auto on = end_of_.find(id);
            if (on == end_of_.end()) {
                refuse_node(name, fmt::format("depends on node {}, which does not exist", id));
            }
            rank_.dependencies.push_back({operation, on->second, false});
        }
        return std::move(rank_);
    }

private:
    struct Wait {
        OperationId operation;
        std::uint64_t id;
        std::string name;
    };

    [[noreturn]] void refuse(const std::string& what, std::string hint = {}) const {
        throw ConfigError({source_, 0, 0}, what, std::move(hint));
    }
    [[noreturn]] void refuse_node(const std::string& name, const std::string& what,
                                  std::string hint = {}) const {
        throw ConfigError({source_, 0, 0}, fmt::format("node '{}': {}", name, what),
                          std::move(hint));
    }

    ChakraNode read_node(std::string_view bytes, std::size_t offset) const {
        ChakraNode node;
        node.name = fmt::format("at byte {}", offset);
        WireReader reader(bytes);
        while (!reader.at_end()) {
            const auto field = reader.field();
            if (!field) refuse_node(node.name, "is not a protobuf message");
            read_field(node, *field);
        }
        if (!node.id) node.id = 0;  // proto3 does not write zeros
        return node;
    }

    void read_field(ChakraNode& node, const WireField& field) const {
        const auto expect = [&](WireField::Type type) {
            if (field.type == type) return;
            refuse_node(node.name, fmt::format("field {} is of another type", field.id));
        };
        switch (field.id) {
            case 1:
                expect(WireField::Type::kVarint);
                node.id = field.number;
                return;
            case 2:
                expect(WireField::Type::kBytes);
                node.name = excerpt(std::string(field.bytes));
                return;
            case 3:
                expect(WireField::Type::kVarint);
                node.type = field.number;
                return;
            case 4:
            case 5:
                read_waits(node, field);
                return;
            case 6:  // when it was recorded: it is played when it can be
                expect(WireField::Type::kVarint);
                return;
            case 7:
                expect(WireField::Type::kVarint);
                node.duration_micros = field.number;
                return;
            case 8:
            case 9:  // shapes and types of tensors
                expect(WireField::Type::kBytes);
                return;
            case 10:
                expect(WireField::Type::kBytes);
                read_attribute(node, field.bytes);
                return;
            default:
                refuse_node(node.name, fmt::format("has an unknown field {}", field.id));
        }
    }

    /// One number, or several in one field.
    void read_waits(ChakraNode& node, const WireField& field) const {
        if (field.type == WireField::Type::kVarint) {
            node.waits.push_back(field.number);
            return;
        }
        WireReader list(field.bytes);
        while (field.type == WireField::Type::kBytes && !list.at_end()) {
            const auto number = list.varint();
            if (!number) refuse_node(node.name, "has dependencies that are not numbers");
            node.waits.push_back(*number);
        }
        if (field.type != WireField::Type::kBytes) {
            refuse_node(node.name, fmt::format("field {} is of another type", field.id));
        }
    }

    void read_attribute(ChakraNode& node, std::string_view bytes) const {
        std::string_view name;
        Attribute value;
        WireReader reader(bytes);
        while (!reader.at_end()) {
            const auto field = reader.field();
            if (!field) refuse_node(node.name, "has an attribute that is not a protobuf message");
            if (field->id == 1 && field->type == WireField::Type::kBytes) {
                name = field->bytes;
            } else if (field->id >= 3 && field->id <= 32) {
                value = value_of(node, *field);
            } else if (field->id != 2) {
                refuse_node(node.name, fmt::format("has an unknown field {} in attribute '{}'",
                                                   field->id, excerpt(std::string(name))));
            }
        }
        node.attributes[name] = value;
    }

    /// Whole numbers of every kind.
    Attribute value_of(const ChakraNode& node, const WireField& field) const {
        Attribute value;
        const auto number = [&](WireField::Type type) {
            if (field.type != type)
                refuse_node(node.name, "has an attribute whose value does not match its type");
            value.is_number = true;
            return field.number;
        };
        const auto set_signed = [&](std::int64_t with_sign) {
            value.is_negative = with_sign < 0;
            value.number = static_cast<std::uint64_t>(with_sign);
        };
        switch (field.id) {
            case 7:  // int32
            case 9:  // int64
                set_signed(static_cast<std::int64_t>(number(WireField::Type::kVarint)));
                break;
            case 11:  // uint32
            case 13:  // uint64
            case 27:  // bool
                value.number = number(WireField::Type::kVarint);
                break;
            case 15:    // sint32
            case 17: {  // sint64
                const std::uint64_t zigzag = number(WireField::Type::kVarint);
                set_signed(static_cast<std::int64_t>(zigzag >> 1U) ^
                           -static_cast<std::int64_t>(zigzag & 1U));
                break;
            }
            case 19:  // fixed32
                value.number = number(WireField::Type::kFixed32);
                break;
            case 21:  // fixed64
                value.number = number(WireField::Type::kFixed64);
                break;
            case 23:  // sfixed32
                set_signed(static_cast<std::int32_t>(
                    static_cast<std::uint32_t>(number(WireField::Type::kFixed32))));
                break;
            case 25:  // sfixed64
                set_signed(static_cast<std::int64_t>(number(WireField::Type::kFixed64)));
                break;
            case 28:  // list of switches: {1: packed}
                value.has_false = has_false(node, field);
                break;
            case 29:
                value.is_text = !field.bytes.empty();
                value.text = excerpt(std::string(field.bytes));
                break;
            default:  // floating-point numbers, bytes and lists: nothing that we look at
                break;
        }
        return value;
    }

    bool has_false(const ChakraNode& node, const WireField& field) const {
        WireReader list(field.bytes);
        while (!list.at_end()) {
            const auto values = list.field();
            if (!values || values->id != 1) refuse_node(node.name, "has a malformed list");
            if (values->type == WireField::Type::kVarint && values->number == 0) return true;
            WireReader packed(values->bytes);
            while (!packed.at_end()) {
                const auto one = packed.varint();
                if (!one) refuse_node(node.name, "has a malformed list");
                if (*one == 0) return true;
            }
        }
        return false;
    }

    /// A required whole number from 0 to `most`; missing data of the trace is not made up.
    std::uint64_t number(const ChakraNode& node, const char* name, std::uint64_t most) const {
        const auto value = optional_number(node, name, most);
        if (!value) refuse_node(node.name, fmt::format("has no attribute {}", name));
        return *value;
    }

    std::optional<std::uint64_t> optional_number(const ChakraNode& node, const char* name,
                                                 std::uint64_t most) const {
        const auto found = node.attributes.find(name);
        if (found == node.attributes.end()) return std::nullopt;
        const Attribute& value = found->second;
        if (!value.is_number || value.is_negative || value.number > most) {
            refuse_node(node.name,
                        fmt::format("attribute {} is not a whole number from 0 to {}", name, most));
        }
        return value.number;
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
                add_collective(node, first);
                break;
            default:
                refuse_node(node.name, fmt::format("is of unknown type {}", node.type),
                            "1: metadata, 2, 3: memory, 4: computation, 5: send, 6: receive, "
                            "7: collective");
        }
        rank_.operations.push_back(operation);
        const auto last = static_cast<OperationId>(rank_.operations.size() - 1);
        if (!end_of_.emplace(*node.id, last).second) {
            refuse_node(node.name, fmt::format("has the id {} of another node", *node.id));
        }
        for (const std::uint64_t id : node.waits) waits_.push_back({first, id, node.name});
    }

    void add_duration(const ChakraNode& node, TraceOperation& operation) const {
        if (node.duration_micros == 0) {
            refuse_node(node.name, "has no duration",
                        "how long num_ops or tensor_size take depends on a processor: set "
                        "duration_micros");
        }
        if (node.duration_micros > kMostTraceNs / 1000) refuse_node(node.name, "takes too long");
        operation.amount = node.duration_micros * 1000;
        const auto on_cpu = optional_number(node, "is_cpu_op", 1);
        operation.stream = on_cpu.value_or(1) != 0 ? kProcessor : kAccelerator;
    }

    void add_message(const ChakraNode& node, TraceOperation& operation) const {
        const bool sends = node.type == kSend;
        operation.kind = sends ? Operation::Kind::kSend : Operation::Kind::kReceive;
        operation.amount = number(node, "comm_size", kMostMessageBytes);
        operation.peer =
            static_cast<RankId>(number(node, sends ? "comm_dst" : "comm_src", ranks_ - 1));
        operation.tag =
            static_cast<std::uint32_t>(optional_number(node, "comm_tag", kMostTag).value_or(0));
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
        const std::uint64_t type = number(node, "comm_type", UINT32_MAX);
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
        if (found->has_root) {
            collective.root = static_cast<RankId>(number(node, "root_rank", ranks_ - 1));
        }
        if (found->size == Size::kBarrier) {
            collective.algorithm = kBarrierAlgorithm;
            collective.bytes = kBarrierBytes;
        } else {
            // Shares are computed later: the size of the group is known only after all files.
            collective.bytes = number(node, "comm_size", kMostMessageBytes);
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
    std::string source_;
    RankId ranks_;
    RankTrace rank_;
    std::unordered_map<std::uint64_t, OperationId> end_of_;  // per id of a node
    std::vector<Wait> waits_;
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

RankTrace parse_chakra_rank(std::string_view bytes, const std::string& source, RankId ranks) {
    return ChakraReader(bytes, source, ranks).read();
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

void read_chakra(const std::string& prefix, const Location& named_at, TraceSink& sink) {
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
        const std::string bytes =
            read_input_file(files[rank], "trace", kMostTraceFileBytes, named_at);
        if (!sink.take(rank, parse_chakra_rank(bytes, files[rank], ranks))) return;
    }
}

}  // namespace flitscope
