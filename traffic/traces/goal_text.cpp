// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/traces/goal_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <unordered_map>
#include <utility>

#include "models/base/printable.h"
#include "traffic/traces/goal_scanner.h"

namespace flitscope {
namespace {

using goal::Scanner;
using goal::Token;
using Kind = Operation::Kind;

/// A token as shown to the user.
std::string shown(const Token& token) {
    if (token.kind == Token::Kind::kEnd) return "the end of the file";
    if (token.kind == Token::Kind::kNewline) return "the end of the line";
    return fmt::format("'{}'", excerpt(std::string(token.text)));
}

class GoalReader {
public:
    GoalReader(std::string_view text, const std::string& source, TraceSink& sink,
               const TraceReadingConfig& reading)
        : text_(text),
          source_(source),
          findings_(source, MoreFindings::kStop),
          scanner_(text, findings_),
          sink_(sink),
          reading_(reading) {
        advance();
    }

    void read() {
        while (token_.kind != Token::Kind::kEnd && wants_more_) {
            if (token_.kind == Token::Kind::kNewline) {
                advance();
            } else if (!read_top()) {
                skip_line();
            }
        }
        findings_.throw_if_any();
        if (!has_count_) {
            findings_.add(0, 0, "there is no num_ranks", "begin with num_ranks and their number");
        }
        findings_.throw_if_any();
    }

private:
    /// A label of the current rank.
    struct Label {
        OperationId operation = 0;
        bool is_used = false;
        bool is_repeated = false;
    };
    struct Use {
        Token label;
        Token on;
        bool on_begin = false;
    };

    void advance() { token_ = scanner_.next(); }
    void skip_line() {
        while (token_.kind != Token::Kind::kNewline && token_.kind != Token::Kind::kEnd) advance();
    }
    bool refuse(const Token& at, std::string what, std::string hint = {}) {
        findings_.add(at.line, at.column, std::move(what), std::move(hint));
        return false;
    }
    bool expected(const std::string& what, std::string hint = {}) {
        return refuse(token_, fmt::format("expected {}, found {}", what, shown(token_)),
                      std::move(hint));
    }
    bool is_word(std::string_view word) const {
        return token_.kind == Token::Kind::kWord && token_.text == word;
    }
    bool take_word(std::string_view word) {
        if (!is_word(word)) return expected(fmt::format("'{}'", word));
        advance();
        return true;
    }
    /// A number from 0 to `most`.
    bool take_number(std::uint64_t most, const char* what, std::uint64_t& number) {
        if (token_.kind != Token::Kind::kNumber) return expected(what);
        if (token_.is_large || token_.number > most) {
            return refuse(token_, fmt::format("{} is too large for {}", shown(token_), what),
                          fmt::format("0 to {}", most));
        }
        number = token_.number;
        advance();
        return true;
    }
    bool ends_rank() const { return token_.text == "}"; }
    /// Whether the line of a statement ends here.
    bool end_line() {
        if (token_.kind == Token::Kind::kNewline || token_.kind == Token::Kind::kEnd) return true;
        return expected("the end of the line", ends_rank() ? "write } on its own line" : "");
    }
    /// The rest of a statement.
    void skip_statement() {
        while (token_.kind != Token::Kind::kNewline && token_.kind != Token::Kind::kEnd &&
               !ends_rank()) {
            advance();
        }
    }

    bool read_top() {
        if (is_word("num_ranks")) return read_count();
        if (is_word("rank")) return read_rank();
        if (is_liballprof()) {
            refuse(token_, "this is a trace of liballprof, the MPI calls of one rank, not GOAL",
                   "schedgen of LogGOPSim converts it: schedgen --ptrn trace --traces "
                   "FILE-OF-RANK-0 -o app.goal");
            findings_.throw_if_any();
        }
        expected(
            "'num_ranks' or 'rank'",
            is_csv() ? "for CSV set traffic.trace.format: csv; import takes GOAL and Chakra" : "");
        if (is_csv()) findings_.throw_if_any();  // the same of every line
        return false;
    }
    /// Whether it is called so, and nothing in it is GOAL as yet.
    bool is_csv() const {
        return !has_count_ && std::filesystem::path(source_).extension() == ".csv";
    }

    /// Its files begin with a comment that names it, calls follow: MPI_Init:...
    bool is_liballprof() const {
        const bool calls = token_.kind == Token::Kind::kWord && token_.text.substr(0, 4) == "MPI_";
        return !has_count_ && (calls || text_.substr(0, 13) == "# htor's PMPI");
    }

    bool read_count() {
        const Token at = token_;
        advance();
        std::uint64_t count = 0;
        if (!take_number(kMostRanks, "the number of ranks", count)) return false;
        if (has_count_) return refuse(at, "num_ranks is there twice", "remove one of them");
        if (count == 0) return refuse(at, "there are no ranks", "num_ranks is 1 or more");
        has_count_ = true;
        seen_.resize(count);
        sink_.begin(static_cast<RankId>(count));
        return true;
    }

    bool read_rank() {
        const Token at = token_;
        advance();
        std::uint64_t rank = 0;
        const Token number = token_;
        if (!take_number(kMostRanks, "the number of a rank", rank)) return false;
        if (token_.text != "{") return expected("'{'");
        advance();
        if (!has_count_) {
            findings_.add(at.line, at.column, "a rank before num_ranks",
                          "begin with num_ranks and their number");
            findings_.throw_if_any();
        }
        const bool is_there = rank < seen_.size();
        const bool is_new = is_there && !seen_[rank];
        if (!is_there) {
            refuse(number, fmt::format("there is no rank {}", rank),
                   fmt::format("ranks are 0 .. {}", seen_.size() - 1));
        } else if (!is_new) {
            refuse(number, fmt::format("rank {} is there twice", rank), "write one block for it");
        }
        RankTrace of;
        read_operations(of, at);  // whatever rank it is, for its errors
        if (!is_new) return true;
        seen_[rank] = true;
        // With findings there is no trace, and a rank with gaps would be refused for these.
        if (findings_.empty()) wants_more_ = sink_.take(static_cast<RankId>(rank), std::move(of));
        return true;
    }

    void read_operations(RankTrace& rank, const Token& begin) {
        labels_ = {};  // not clear(), which takes as long as the largest rank
        uses_.clear();
        while (true) {
            if (token_.kind == Token::Kind::kNewline) {
                advance();
            } else if (ends_rank()) {
                advance();
                break;
            } else if (token_.kind == Token::Kind::kEnd) {
                refuse(begin, "this rank does not end", "close it with }");
                return;
            } else if (!read_statement(rank) || !end_line()) {
                skip_statement();
            }
        }
        for (const Use& use : uses_) depend(rank, use);
    }

    bool read_statement(RankTrace& rank) {
        if (token_.kind != Token::Kind::kWord) {
            return expected("'send', 'recv', 'calc', a label or '}'");
        }
        if (is_operation()) return read_operation(rank);
        const Token label = token_;
        advance();
        if (token_.text == ":") {
            advance();
            if (!is_operation()) return expected("'send', 'recv' or 'calc'");
            define(rank, label);
            return read_operation(rank);
        }
        const bool on_begin = is_word("irequires");
        if (!on_begin && !is_word("requires")) return expected("':', 'requires' or 'irequires'");
        advance();
        if (token_.kind != Token::Kind::kWord) return expected("a label");
        const auto operation = labels_.find(label.text);
        const auto on = labels_.find(token_.text);
        if (operation != labels_.end() && on != labels_.end()) {
            depend(rank, {label, token_, on_begin});
        } else {
            uses_.push_back({label, token_, on_begin});
        }
        advance();
        return true;
    }

    /// The label of the next operation. Schedgen repeats labels, and txt2bin keeps the first of
    /// each; what a dependency would mean by them it does not say.
    void define(RankTrace& rank, const Token& label) {
        const auto number = static_cast<OperationId>(rank.operations.size());
        const auto [known, is_new] = labels_.emplace(label.text, Label{number});
        if (is_new) return;
        known->second.is_repeated = true;
        if (known->second.is_used) refuse_repeated(label);
        rank.notes.add(TraceNote::kRepeatedLabel,
                       fmt::format("{} in line {}", shown(label), label.line));
    }
    void refuse_repeated(const Token& label) {
        refuse(label, fmt::format("label {} is there twice", shown(label)),
               "the labels of a rank that dependencies use differ");
    }

    bool is_operation() const { return is_word("send") || is_word("recv") || is_word("calc"); }

    bool read_operation(RankTrace& rank) {
        TraceOperation operation;
        operation.line = static_cast<std::uint32_t>(token_.line);
        if (is_word("calc")) {
            operation.kind = Kind::kCompute;
        } else {
            operation.kind = is_word("send") ? Kind::kSend : Kind::kReceive;
        }
        advance();
        const bool computes = operation.kind == Kind::kCompute;
        if (computes) {
            if (!take_number(kMostTraceNs, "nanoseconds", operation.amount)) return false;
        } else if (!read_message(rank, operation)) {
            return false;
        }
        if (!read_places(rank, operation)) return false;
        rank.operations.push_back(operation);
        return true;
    }

    bool read_message(RankTrace& rank, TraceOperation& operation) {
        const bool receives = operation.kind == Kind::kReceive;
        if (!take_number(kMostMessageBytes, "bytes", operation.amount)) return false;
        if (!take_word("b") || !take_word(receives ? "from" : "to")) return false;
        if (receives && token_.kind == Token::Kind::kAny) {
            operation.peer = kAnySource;
            advance();
        } else {
            std::uint64_t peer = 0;
            if (!take_number(kMostRanks, "a rank", peer)) return false;
            operation.peer = static_cast<RankId>(peer);
        }
        if (!is_word("tag")) return true;
        advance();
        if (receives && token_.kind == Token::Kind::kAny) {
            operation.tag = kAnyTag;
            advance();
            return true;
        }
        return take_tag(rank, operation);
    }

    /// Of any length: txt2bin keeps 32 bits of it.
    bool take_tag(RankTrace& rank, TraceOperation& operation) {
        if (token_.kind != Token::Kind::kNumber) return expected("a tag");
        operation.tag = static_cast<std::uint32_t>(token_.number);
        if (operation.tag == kAnyTag && operation.kind == Kind::kSend) {
            return refuse(
                token_,
                fmt::format("{} stands for any tag, which only receives may have", shown(token_)),
                "its lower 32 bits are all set");
        }
        if (token_.is_large || token_.number > UINT32_MAX) {
            rank.notes.add(TraceNote::kLargeTag, fmt::format("line {}", token_.line));
        }
        advance();
        return true;
    }

    /// Processor and network interface.
    bool read_places(RankTrace& rank, TraceOperation& operation) {
        if (is_word("cpu")) {
            advance();
            std::uint64_t stream = 0;
            if (!take_number(kMostStreams - 1, "a processor", stream)) return false;
            operation.stream = static_cast<std::uint16_t>(stream);
        }
        if (operation.kind == Kind::kCompute || !is_word("nic")) return true;
        advance();
        std::uint64_t interface = 0;
        const Token at = token_;
        if (!take_number(UINT8_MAX, "a network interface", interface)) return false;
        if (interface == 0) return true;
        if (reading_.interfaces == TraceInterfaces::kRefused) {
            return refuse(at, fmt::format("network interface {} of a rank", interface),
                          "set traffic.trace.interfaces: shared or planes");
        }
        operation.interface = static_cast<std::uint8_t>(interface);
        if (reading_.interfaces == TraceInterfaces::kShared) {
            rank.notes.add(TraceNote::kInterface, fmt::format("line {}", at.line));
        }
        return true;
    }

    void depend(RankTrace& rank, const Use& use) {
        const auto find = [&](const Token& label) -> std::optional<OperationId> {
            const auto found = labels_.find(label.text);
            if (found == labels_.end()) {
                refuse(label, fmt::format("this rank has no label {}", shown(label)));
                return std::nullopt;
            }
            found->second.is_used = true;
            if (found->second.is_repeated) refuse_repeated(label);
            return found->second.operation;
        };
        const auto operation = find(use.label);
        const auto on = find(use.on);
        if (operation && on) rank.dependencies.push_back({*operation, *on, use.on_begin});
    }

    std::string_view text_;
    const std::string& source_;
    FindingList findings_;
    Scanner scanner_;
    TraceSink& sink_;
    const TraceReadingConfig& reading_;
    bool wants_more_ = true;
    Token token_;
    bool has_count_ = false;
    std::vector<bool> seen_;  // ranks
    std::unordered_map<std::string_view, Label> labels_;
    std::vector<Use> uses_;  // uses of labels not defined yet
};

void write_operation(const TraceOperation& operation, std::ostream& out) {
    if (operation.kind == Kind::kCompute) {
        out << fmt::format("calc {}", operation.amount);
        if (operation.stream != 0) out << fmt::format(" cpu {}", operation.stream);
        return;
    }
    const bool receives = operation.kind == Kind::kReceive;
    const auto or_any = [](std::uint32_t number, std::uint32_t any) {
        return number == any ? std::string("-1") : std::to_string(number);
    };
    out << fmt::format("{} {}b {} {}", receives ? "recv" : "send", operation.amount,
                       receives ? "from" : "to", or_any(operation.peer, kAnySource));
    if (operation.tag != 0) out << fmt::format(" tag {}", or_any(operation.tag, kAnyTag));
    if (operation.stream != 0) out << fmt::format(" cpu {}", operation.stream);
}

}  // namespace

void read_goal_text(std::string_view text, const std::string& source, TraceSink& sink,
                    const TraceReadingConfig& reading) {
    GoalReader(text, source, sink, reading).read();
}

Trace parse_goal_text(std::string_view text, const std::string& source,
                      const TraceReadingConfig& reading) {
    WholeTrace whole(source);
    read_goal_text(text, source, whole, reading);
    return std::move(whole.trace);
}

void write_goal_text(const Trace& trace, std::ostream& out) {
    out << fmt::format("num_ranks {}\n", trace.ranks.size());
    for (RankId rank = 0; rank < trace.ranks.size(); ++rank) {
        out << fmt::format("\nrank {} {{\n", rank);
        const RankTrace& of = trace.ranks[rank];
        std::vector<bool> is_named(of.operations.size());
        for (const OperationDependency& d : of.dependencies) {
            is_named[d.operation] = is_named[d.on] = true;
        }
        for (OperationId id = 0; id < of.operations.size(); ++id) {
            if (is_named[id]) out << fmt::format("l{}: ", id);
            write_operation(of.operations[id], out);
            out << '\n';
        }
        for (const OperationDependency& d : of.dependencies) {
            out << fmt::format("l{} {} l{}\n", d.operation, d.on_begin ? "irequires" : "requires",
                               d.on);
        }
        out << "}\n";
    }
}

}  // namespace flitscope
