// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/traces/goal_binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace flitscope {
namespace {

constexpr std::uint64_t kCookie = 4223;
constexpr std::size_t kBase = 8;         // origin of offsets in the file
constexpr std::size_t kHeaderBytes = 6;  // ranks, greatest processor, greatest interface
constexpr std::size_t kEntryBytes = 16;  // entry of a rank in the table of ranks: begin, end
constexpr std::size_t kNodeBytes = 39;

/// Numbers of a range of bytes that is known to hold them.
class Numbers {
public:
    explicit Numbers(std::string_view bytes) : bytes_(bytes) {}

    template <typename Number>
    Number at(std::size_t offset) const {
        Number number = 0;
        for (std::size_t i = sizeof(Number); i-- > 0;) {
            number =
                static_cast<Number>(number << 8U | static_cast<unsigned char>(bytes_[offset + i]));
        }
        return number;
    }
    std::uint8_t byte(std::size_t offset) const {
        return static_cast<std::uint8_t>(bytes_[offset]);
    }

private:
    std::string_view bytes_;
};

class BinaryGoalReader {
public:
    BinaryGoalReader(std::string_view bytes, const std::string& source, TraceSink& sink,
                     const TraceReadingConfig& reading)
        : bytes_(bytes),
          source_(source),
          findings_(source, MoreFindings::kStop),
          sink_(sink),
          reading_(reading) {}

    void read() {
        if (bytes_.size() < kBase + kHeaderBytes) refuse(0, "the file ends within its header");
        const Numbers header(bytes_.substr(kBase));
        const auto ranks = header.at<std::uint32_t>(0);
        if (ranks == 0 || ranks > kMostRanks) {
            refuse(kBase, fmt::format("there are {} ranks", ranks),
                   fmt::format("1 to {}", kMostRanks));
        }
        greatest_stream_ = header.byte(4);
        if (reading_.interfaces == TraceInterfaces::kRefused) {
            check_interface(kBase + 5, header.byte(5));
        }
        const std::size_t data = kHeaderBytes + kEntryBytes * ranks;
        const std::size_t size = bytes_.size() - kBase;
        if (data > size) refuse(kBase + kHeaderBytes, "the file ends within the table of ranks");
        sink_.begin(ranks);
        std::uint64_t used = 0;  // so that ranks which share bytes cannot grow the trace
        for (RankId rank = 0; rank < ranks; ++rank) {
            const std::size_t entry = kHeaderBytes + kEntryBytes * rank;
            const auto begin = header.at<std::uint64_t>(entry);
            const auto end = header.at<std::uint64_t>(entry + 8);
            if (begin < data || begin > end || end > size || (used += end - begin) > size) {
                refuse(
                    kBase + entry,
                    fmt::format("rank {} is at {} to {}, which is not a separate range of the file",
                                rank, begin, end));
            }
            RankTrace of;
            read_rank(of, kBase + begin, end - begin);
            if (!sink_.take(rank, std::move(of))) return;
        }
    }

private:
    [[noreturn]] void refuse(std::size_t offset, const std::string& what, std::string hint = {}) {
        findings_.add(0, 0, fmt::format("at byte {}: {}", offset, what), std::move(hint));
        findings_.throw_if_any();
        throw ConfigError({source_, 0, 0}, what);
    }

    void read_rank(RankTrace& rank, std::size_t offset, std::size_t size) {
        const Numbers numbers(bytes_.substr(offset, size));
        if (size < 8) refuse(offset, "the rank ends within its counts");
        const auto nodes = numbers.at<std::uint32_t>(0);
        const auto roots = numbers.at<std::uint32_t>(4);
        const std::uint64_t list = 8 + std::uint64_t{4} * roots;
        const std::uint64_t appendix = list + std::uint64_t{kNodeBytes} * nodes;
        if (roots > nodes || appendix > size || (size - appendix) % 4 != 0) {
            refuse(offset, fmt::format("{} operations, {} of which wait for none, do not fit {} "
                                       "bytes",
                                       nodes, roots, size));
        }
        const std::uint64_t entries = (size - appendix) / 4;
        std::vector<std::uint32_t> waits(nodes);
        rank.operations.reserve(nodes);
        rank.dependencies.reserve(entries);
        for (std::uint32_t id = 0; id < nodes; ++id) {
            const std::size_t node = list + std::size_t{kNodeBytes} * id;
            rank.operations.push_back(read_operation(numbers, node, offset));
            set_interface(rank, offset + node + 22, numbers.byte(node + 22));
            for (const bool on_begin : {false, true}) {
                const std::size_t range = node + (on_begin ? 31 : 23);
                const auto count = numbers.at<std::uint32_t>(range);
                const auto first = numbers.at<std::uint32_t>(range + 4);
                if (count == 0) continue;
                if (std::uint64_t{first} + count > entries ||
                    rank.dependencies.size() + count > entries) {
                    refuse(offset + range, fmt::format("{} dependencies from entry {} on do not "
                                                       "fit {} entries",
                                                       count, first, entries));
                }
                for (std::uint32_t i = 0; i < count; ++i) {
                    const std::size_t at = appendix + std::size_t{4} * (first + i);
                    const auto successor = numbers.at<std::uint32_t>(at);
                    if (successor >= nodes) {
                        refuse(offset + at, fmt::format("there is no operation {}", successor));
                    }
                    ++waits[successor];
                    rank.dependencies.push_back({successor, id, on_begin});
                }
            }
        }
        std::uint32_t free = 0;
        for (std::uint32_t id = 0; id < nodes; ++id) {
            const std::size_t node = list + std::size_t{kNodeBytes} * id;
            if (numbers.at<std::uint32_t>(node) != waits[id]) {
                refuse(
                    offset + node,
                    fmt::format("operation {} waits for {} others, but {} name it as a successor",
                                id, numbers.at<std::uint32_t>(node), waits[id]));
            }
            free += waits[id] == 0 ? 1 : 0;
        }
        if (free != roots) {
            refuse(offset + 4, fmt::format("{} operations wait for none, not {}", free, roots));
        }
    }

    TraceOperation read_operation(const Numbers& numbers, std::size_t node, std::size_t offset) {
        TraceOperation operation;
        const std::uint8_t kind = numbers.byte(node + 4);
        operation.peer = numbers.at<std::uint32_t>(node + 5);
        operation.amount = numbers.at<std::uint64_t>(node + 9);
        operation.tag = numbers.at<std::uint32_t>(node + 17);
        operation.stream = numbers.byte(node + 21);
        switch (kind) {
            case 1:
                operation.kind = Operation::Kind::kSend;
                if (operation.tag == kAnyTag) refuse(offset + node + 17, "a send with any tag");
                break;
            case 2:
                operation.kind = Operation::Kind::kReceive;
                break;
            case 3:
                operation.kind = Operation::Kind::kCompute;
                break;
            default:
                refuse(offset + node + 4, fmt::format("there are no operations of type {}", kind),
                       "1: send, 2: receive, 3: compute");
        }
        const bool computes = operation.kind == Operation::Kind::kCompute;
        const std::uint64_t most = computes ? kMostTraceNs : kMostMessageBytes;
        if (operation.amount > most) {
            refuse(offset + node + 9,
                   fmt::format("{} {} are too many", operation.amount, computes ? "ns" : "bytes"),
                   fmt::format("0 to {}", most));
        }
        if (operation.stream > greatest_stream_) {
            refuse(offset + node + 21, fmt::format("processor {} is above the greatest, {}",
                                                   operation.stream, greatest_stream_));
        }
        return operation;
    }

    void check_interface(std::size_t offset, std::uint8_t interface) {
        if (interface == 0) return;
        refuse(offset, fmt::format("network interface {} of a rank", interface),
               "set traffic.trace.interfaces: shared or planes");
    }
    void set_interface(RankTrace& rank, std::size_t offset, std::uint8_t interface) {
        if (reading_.interfaces == TraceInterfaces::kRefused) check_interface(offset, interface);
        if (interface == 0 || rank.operations.back().kind == Operation::Kind::kCompute) return;
        rank.operations.back().interface = interface;
        if (reading_.interfaces == TraceInterfaces::kShared) {
            rank.notes.add(TraceNote::kInterface, fmt::format("byte {}", offset));
        }
    }

    std::string_view bytes_;
    std::string source_;
    FindingList findings_;
    TraceSink& sink_;
    const TraceReadingConfig& reading_;
    std::uint8_t greatest_stream_ = 0;
};

}  // namespace

bool is_goal_binary(std::string_view bytes) {
    return bytes.size() >= kBase && Numbers(bytes).at<std::uint64_t>(0) == kCookie;
}

void read_goal_binary(std::string_view bytes, const std::string& source, TraceSink& sink,
                      const TraceReadingConfig& reading) {
    BinaryGoalReader(bytes, source, sink, reading).read();
}

Trace parse_goal_binary(std::string_view bytes, const std::string& source) {
    WholeTrace whole(source);
    read_goal_binary(bytes, source, whole, {});
    return std::move(whole.trace);
}

}  // namespace flitscope
