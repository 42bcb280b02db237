// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The half of the program file readers that does not depend on the format: from cells of text with
// their places to a checked program. Private to program_file.cpp.
#pragma once

#include "models/base/diagnostics.h"
#include "models/base/did_you_mean.h"
#include "models/base/finding_list.h"
#include "models/base/limits.h"
#include "models/base/node_finder.h"
#include "models/base/printable.h"
#include "models/config/value_readers.h"
#include "traffic/program/program.h"
#include "traffic/program/program_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flitscope::program_file {

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
    kClass,
    kPlane,
    kColumns
};
inline constexpr std::array<const char*, kColumns> kColumnNames = {
    "id",    "source", "destination", "bytes",   "step",  "time",
    "after", "port",   "copy",        "streams", "class", "plane"};

/// The meaning of a column's name.
struct NamedColumn {
    const char* name;
    Column column;
    double unit_ns = 0;  ///< unit of times; 0: cycles
};
/// Names that other tools write, and times in a unit.
inline constexpr std::array<NamedColumn, 8> kOtherNames = {{{"src", kSource},
                                                            {"dst", kDestination},
                                                            {"size", kBytes},
                                                            {"time_ps", kTime, 1e-3},
                                                            {"time_ns", kTime, 1},
                                                            {"time_us", kTime, 1e3},
                                                            {"time_ms", kTime, 1e6},
                                                            {"time_s", kTime, 1e9}}};

inline std::optional<NamedColumn> column_of(std::string_view name) {
    for (std::size_t c = 0; c < kColumns; ++c) {
        if (name == kColumnNames[c]) return NamedColumn{kColumnNames[c], static_cast<Column>(c)};
    }
    for (const NamedColumn& other : kOtherNames) {
        if (name == other.name) return other;
    }
    return std::nullopt;
}

inline std::string unknown_hint(std::string_view name, const std::vector<std::string>& names) {
    return did_you_mean(nearest(name, names), fmt::format("one of: {}", fmt::join(names, ", ")));
}

inline std::string unknown_column_hint(std::string_view name) {
    std::vector<std::string> names(kColumnNames.begin(), kColumnNames.end());
    for (const NamedColumn& other : kOtherNames) names.emplace_back(other.name);
    return unknown_hint(name, names);
}

struct Place {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

/// The findings about one file, by place.
class Findings {
public:
    explicit Findings(std::string source) : list_(std::move(source), MoreFindings::kStop) {}

    Location at(Place place) const { return list_.at(place.line, place.column); }
    void add(Place place, std::string what, std::string hint = {}) {
        list_.add(place.line, place.column, std::move(what), std::move(hint));
    }
    void add(Diagnostic finding) { list_.add(std::move(finding)); }
    void throw_if_any() { list_.throw_if_any(); }

private:
    FindingList list_;
};

/// One value of the file; `after` may have several.
struct Cell {
    std::string_view text;
    Place place;
    double unit_ns = 0;  ///< unit of a time; 0: cycles
};

/// The cells of one message; a column that is not given is empty.
struct Row {
    Place place;
    std::array<std::vector<Cell>, kColumns> cells;

    bool has(Column column) const { return !cells[column].empty(); }
};

/// Finds the message of an id. Most files count their messages: rising ids take one list entry
/// each.
template <class Named>
class IdTable {
public:
    /// What `id` names; null if nothing yet.
    const Named* find(std::uint64_t id) const {
        const auto at = std::lower_bound(
            rising_.begin(), rising_.end(), id,
            [](const auto& entry, std::uint64_t wanted) { return entry.first < wanted; });
        if (at != rising_.end() && at->first == id) return &at->second;
        const auto found = others_.find(id);
        return found == others_.end() ? nullptr : &found->second;
    }
    /// Adds an id that names nothing yet.
    void add(std::uint64_t id, const Named& named) {
        if (rising_.empty() || id > rising_.back().first) {
            rising_.emplace_back(id, named);
        } else {
            others_.emplace(id, named);
        }
    }

private:
    std::vector<std::pair<std::uint64_t, Named>> rising_;
    std::map<std::uint64_t, Named> others_;
};

/// Turns rows into transfers, then ids into message numbers.
class Assembler {
public:
    Assembler(Findings& findings, NodeId nodes, std::string name, ProgramCheck check,
              const ProgramReading& reading)
        : findings_(findings),
          check_(std::move(check)),
          reading_(reading),
          finder_(reading.node_names == nullptr ? no_names() : *reading.node_names) {
        program_.name = std::move(name);
        program_.nodes = nodes;
    }

    void set_ordering(Ordering ordering) { program_.ordering = ordering; }
    void set_barrier(const BarrierCost& cost) {
        program_.barrier_cost = cost;
        program_.barrier_cycles = cost.cycles(program_.nodes);
    }

    void add(const Row& row) {
        if (program_.transfers.size() == kMaxTransfers) {
            findings_.add(row.place, fmt::format("more than {} messages", kMaxTransfers));
            findings_.throw_if_any();
        }
        Transfer transfer{node(row, kSource), node(row, kDestination),
                          number(row, kBytes, kMostMessageBytes)};
        if (row.has(kStep)) {
            transfer.step = static_cast<StepId>(number(row, kStep, kMostSteps - 1));
        }
        if (row.has(kTime)) transfer.time = time(row.cells[kTime].front());
        if (row.has(kPort)) {
            transfer.port = static_cast<std::uint16_t>(number(row, kPort, UINT16_MAX));
        }
        if (row.has(kClass)) {
            constexpr std::uint64_t kLargestClass = std::numeric_limits<MessageClass>::max();
            transfer.message_class = static_cast<MessageClass>(number(row, kClass, kLargestClass));
        }
        if (row.has(kPlane)) {
            transfer.plane = static_cast<std::uint8_t>(number(row, kPlane, kMostPlanes - 1));
            program_.names_planes = true;
        }
        transfer.is_copy = row.has(kCopy) && number(row, kCopy, 1) == 1;
        transfer.streams = row.has(kStreams) && number(row, kStreams, 1) == 1;
        const std::uint64_t id = row.has(kId) ? number(row, kId, UINT64_MAX) : rows_;
        ++rows_;
        check_copy(row, transfer);
        const bool is_dropped = reading_.drops_self && transfer.source == transfer.destination;
        const auto index = static_cast<MessageId>(program_.transfers.size());
        if (const Known* const known = ids_.find(id)) {
            findings_.add(row.has(kId) ? row.cells[kId].front().place : row.place,
                          fmt::format("id {} is taken by the message in line {}", id, known->line),
                          "ids are unique");
        } else {
            ids_.add(id, {is_dropped, index, row.place.line});
        }
        if (is_dropped) {
            ++program_.dropped;
            return;
        }
        for (const Cell& cell : row.cells[kAfter]) {
            const std::optional<std::uint64_t> before = number(cell, kAfter, UINT64_MAX);
            if (before) waits_.push_back({index, *before, cell.place});
        }
        keep_number(id);
        places_.push_back(row.place);
        program_.transfers.push_back(std::move(transfer));
    }

    Program finish() {
        for (const Wait& wait : waits_) {
            const Known* const found = ids_.find(wait.id);
            if (found == nullptr) {
                findings_.add(wait.place, fmt::format("there is no message with id {}", wait.id),
                              "`after` names the ids of messages of this file");
            } else if (found->is_dropped) {
                findings_.add(wait.place,
                              fmt::format("message {} goes from a node to itself and is dropped "
                                          "(traffic.self_messages)",
                                          wait.id),
                              "name the messages that it waits for instead");
            } else {
                program_.transfers.add_after(wait.message, found->message);
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

    /// The message that an id names.
    struct Known {
        bool is_dropped;
        MessageId message;
        std::uint32_t line;
    };

    /// The value that copies carry must not go with a message that is dropped.
    void check_copy(const Row& row, const Transfer& transfer) {
        const bool is_self = reading_.drops_self && transfer.source == transfer.destination;
        if (transfer.is_copy && value_dropped_ && !is_self) {
            findings_.add(row.place, "a copy of a message that is dropped (traffic.self_messages)",
                          "list a message to another node first");
        }
        if (!transfer.is_copy) value_dropped_ = is_self;
    }

    /// Numbers are kept from the first one on that is not the index of its message.
    void keep_number(std::uint64_t number) {
        std::vector<std::uint64_t>& numbers = program_.numbers;
        const std::size_t index = program_.transfers.size();
        if (numbers.empty() && number == index) return;
        for (std::size_t before = numbers.size(); before < index; ++before) {
            numbers.push_back(before);
        }
        numbers.push_back(number);
    }

    /// The time of a cell in cycles; if the column has a unit, the nearest cycle.
    Cycle time(const Cell& cell) {
        if (cell.unit_ns == 0) return number(cell, kTime, kLongTime).value_or(0);
        const std::optional<double> value = kinds::to_real(cell.text);
        const double cycles = value.value_or(-1) * cell.unit_ns / reading_.clock_ns;
        if (value && *value >= 0 && cycles <= static_cast<double>(kLongTime)) {
            return static_cast<Cycle>(std::llround(cycles));
        }
        findings_.add(cell.place,
                      fmt::format("time '{}' is {}", excerpt(std::string(cell.text)),
                                  value && *value >= 0 ? "too large" : "not a decimal number"),
                      fmt::format("0 .. {} cycles", kLongTime));
        return 0;
    }

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
                      cell.text.empty() ? fmt::format("{} is empty", name)
                                        : fmt::format("{} '{}' {}", name,
                                                      excerpt(std::string(cell.text)), verdict),
                      fmt::format("{}0 .. {}{}", is_node ? "nodes are " : "", largest,
                                  column == kTime && kinds::to_real(cell.text)
                                      ? " cycles; decimal times take a unit: time_ns, time_us"
                                      : ""));
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
        if (finder_.has_names() && row.has(column)) return node(row.cells[column].front(), column);
        return static_cast<NodeId>(
            number(row, column, program_.nodes == 0 ? 0 : program_.nodes - 1));
    }

    /// The same, also for node names.
    NodeId node(const Cell& cell, Column column) {
        if (cell.text.empty() || kinds::is_digits(cell.text)) {
            return static_cast<NodeId>(number(cell, column, program_.nodes - 1).value_or(0));
        }
        const std::optional<NodeId> found = finder_.find(cell.text);
        if (found && *found < program_.nodes) return *found;
        findings_.add(cell.place,
                      fmt::format("{} '{}' is {}", kColumnNames[column],
                                  excerpt(std::string(cell.text)), found ? "a switch" : "no node"),
                      found ? "switches send and receive nothing" : finder_.remedy(cell.text));
        return 0;
    }
    static const std::vector<std::string>& no_names() {
        static const std::vector<std::string> none;
        return none;
    }

    Findings& findings_;
    ProgramCheck check_;
    Program program_;
    ProgramReading reading_;
    NodeFinder finder_;
    std::uint64_t rows_ = 0;
    bool value_dropped_ = false;  ///< the last message that was not a copy has been dropped
    IdTable<Known> ids_;
    std::vector<Place> places_;
    std::vector<Wait> waits_;
};

}  // namespace flitscope::program_file
