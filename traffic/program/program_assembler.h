// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The half of the program file readers that does not depend on the format: from cells of text with
// their places to a checked program. Private to program_file.cpp.
#pragma once

#include "models/base/diagnostics.h"
#include "traffic/program/program.h"
#include "traffic/program/program_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flitscope::program_file {

inline constexpr std::size_t kMaxFindings = 20;

enum Column : std::size_t {
    kId,
    kSource,
    kDestination,
    kBytes,
    kStep,
    kTime,
    kAfter,
    kPort,
    kCopy,
    kStreams,
    kColumns
};
inline constexpr std::array<const char*, kColumns> kColumnNames = {
    "id", "source", "destination", "bytes", "step", "time", "after", "port", "copy", "streams"};

inline std::optional<Column> column_of(std::string_view name) {
    for (std::size_t c = 0; c < kColumns; ++c) {
        if (name == kColumnNames[c]) return static_cast<Column>(c);
    }
    return std::nullopt;
}

inline std::string unknown_hint(std::string_view name, const std::vector<std::string>& names) {
    const std::string near = nearest(name, names);
    return near.empty() ? fmt::format("one of: {}", fmt::join(names, ", "))
                        : fmt::format("did you mean '{}'?", near);
}

inline std::string unknown_column_hint(std::string_view name) {
    return unknown_hint(name, {kColumnNames.begin(), kColumnNames.end()});
}

/// What to show of a user's text: not endless, and nothing that a terminal would act upon.
inline std::string shown(std::string_view text) {
    std::string result(text.substr(0, 40));
    for (char& c : result) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    }
    return result;
}

struct Place {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

/// The findings about one file; throws as soon as there are too many to be useful.
class Findings {
public:
    explicit Findings(std::string source) : source_(std::move(source)) {}

    Location at(Place place) const { return {source_, place.line, place.column}; }
    void add(Place place, std::string what, std::string hint = {}) {
        add({at(place), std::move(what), std::move(hint)});
    }
    void add(Diagnostic finding) {
        list_.push_back(std::move(finding));
        if (list_.size() < kMaxFindings) return;
        list_.push_back(
            {{source_, 0, 0}, "too many errors; the rest of the file was not read", ""});
        throw_if_any();
    }
    void throw_if_any() {
        if (!list_.empty()) throw ConfigError(std::move(list_));
    }

private:
    std::string source_;
    std::vector<Diagnostic> list_;
};

/// One value of the file; `after` may have several.
struct Cell {
    std::string_view text;
    Place place;
};

/// The cells of one message; a column that is not given is empty.
struct Row {
    Place place;
    std::array<std::vector<Cell>, kColumns> cells;

    bool has(Column column) const { return !cells[column].empty(); }
};

/// Turns rows into transfers, then ids into message numbers.
class Assembler {
public:
    Assembler(Findings& findings, NodeId nodes, std::string name, ProgramCheck check)
        : findings_(findings), check_(std::move(check)) {
        program_.name = std::move(name);
        program_.nodes = nodes;
    }

    void set_ordering(Ordering ordering) { program_.ordering = ordering; }
    void set_barrier(const BarrierCost& cost) {
        program_.barrier_cycles = cost.cycles(program_.nodes);
    }

    void add(const Row& row) {
        if (program_.transfers.size() == kMaxTransfers) {
            findings_.add(row.place, fmt::format("more than {} messages", kMaxTransfers));
            findings_.throw_if_any();
        }
        const auto index = static_cast<MessageId>(program_.transfers.size());
        Transfer transfer;
        transfer.source = node(row, kSource);
        transfer.destination = node(row, kDestination);
        transfer.bytes = number(row, kBytes, 1ULL << 56);
        if (row.has(kStep)) {
            transfer.step = static_cast<StepId>(number(row, kStep, kMostSteps - 1));
        }
        if (row.has(kTime)) transfer.time = number(row, kTime, kLongTime);
        if (row.has(kPort)) {
            transfer.port = static_cast<std::uint16_t>(number(row, kPort, UINT16_MAX));
        }
        transfer.is_copy = row.has(kCopy) && number(row, kCopy, 1) == 1;
        transfer.streams = row.has(kStreams) && number(row, kStreams, 1) == 1;
        for (const Cell& cell : row.cells[kAfter]) {
            const std::optional<std::uint64_t> id = number(cell, kAfter, UINT64_MAX);
            if (id) waits_.push_back({index, *id, cell.place});
        }
        const std::uint64_t id = row.has(kId) ? number(row, kId, UINT64_MAX) : index;
        const auto [known, is_new] = ids_.emplace(id, index);
        if (!is_new) {
            findings_.add(row.has(kId) ? row.cells[kId].front().place : row.place,
                          fmt::format("id {} is taken by the message in line {}", id,
                                      places_[known->second].line),
                          "ids are unique");
        }
        places_.push_back(row.place);
        program_.transfers.push_back(std::move(transfer));
    }

    Program finish() {
        for (const Wait& wait : waits_) {
            const auto found = ids_.find(wait.id);
            if (found == ids_.end()) {
                findings_.add(wait.place, fmt::format("there is no message with id {}", wait.id),
                              "`after` names the ids of messages of this file");
            } else {
                program_.transfers[wait.message].after.push_back(found->second);
            }
        }
        findings_.throw_if_any();
        const auto place = [&](MessageId id) { return findings_.at(places_[id]); };
        add_all(validate(program_, place));
        findings_.throw_if_any();
        if (check_) add_all(check_(program_, place));
        findings_.throw_if_any();
        return std::move(program_);
    }

private:
    struct Wait {
        MessageId message;
        std::uint64_t id;
        Place place;
    };

    void add_all(std::vector<Diagnostic> list) {
        for (Diagnostic& finding : list) findings_.add(std::move(finding));
    }

    /// The cell as a number, 0 .. largest; otherwise a finding and nothing.
    std::optional<std::uint64_t> number(const Cell& cell, Column column, std::uint64_t largest) {
        std::uint64_t value = 0;
        const char* end = cell.text.data() + cell.text.size();
        const auto [stop, error] = std::from_chars(cell.text.data(), end, value);
        const bool whole = !cell.text.empty() && stop == end;
        if (whole && error == std::errc() && value <= largest) return value;
        const bool too_large =
            whole && (error == std::errc() || error == std::errc::result_out_of_range);
        const bool is_node = column == kSource || column == kDestination;
        const char* name = kColumnNames[column];
        const char* verdict = !too_large ? "is not a whole number"
                              : is_node  ? "does not exist"
                                         : "is too large";
        findings_.add(cell.place,
                      cell.text.empty()
                          ? fmt::format("{} is empty", name)
                          : fmt::format("{} '{}' {}", name, shown(cell.text), verdict),
                      fmt::format("{}0 .. {}", is_node ? "nodes are " : "", largest));
        return std::nullopt;
    }

    std::uint64_t number(const Row& row, Column column, std::uint64_t largest) {
        if (!row.has(column)) {
            findings_.add(row.place, fmt::format("{} is missing", kColumnNames[column]));
            return 0;
        }
        return number(row.cells[column].front(), column, largest).value_or(0);
    }

    /// A bad node is reported here, at its own column, and replaced by one that raises no further
    /// finding.
    NodeId node(const Row& row, Column column) {
        return static_cast<NodeId>(
            number(row, column, program_.nodes == 0 ? 0 : program_.nodes - 1));
    }

    Findings& findings_;
    ProgramCheck check_;
    Program program_;
    std::map<std::uint64_t, MessageId> ids_;
    std::vector<Place> places_;
    std::vector<Wait> waits_;
};

}  // namespace flitscope::program_file
