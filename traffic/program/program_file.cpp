// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Program files: two readers that cut CSV and YAML into cells, one assembler that turns cells into
// transfers, and the writers.
#include "traffic/program/program_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string_view>

#include "models/base/byte_order_mark.h"
#include "models/base/csv_cells.h"
#include "models/base/input_file.h"
#include "models/base/limits.h"
#include "models/base/output_file.h"
#include "models/base/printable.h"
#include "models/base/trimmed.h"
#include "models/config/config_tree.h"
#include "models/config/value_readers.h"
#include "models/topology/graph.h"
#include "traffic/program/program_assembler.h"

namespace flitscope {
namespace {

using namespace program_file;

constexpr std::size_t kMaxProgramBytes = std::size_t{1} << 30;

// --- CSV -----------------------------------------------------------------------------------------

/// Far more than there are; a line of only commas is not worth its memory.
constexpr std::size_t kMostCells = 1000;

/// The parts of `text` between any of `separators`, each with its place in `line`, and no more than
/// `most` and one. Quotes around a part are taken off.
std::vector<Cell> split(std::string_view text, const char* separators, std::string_view line,
                        std::uint32_t number, std::size_t most = kMaxTransfers) {
    std::vector<Cell> cells;
    for_each_cell(text, separators, [&](std::string_view cell, const char* begin) {
        const auto column = static_cast<std::uint32_t>(begin - line.data() + 1);
        cells.push_back({cell, {number, column}});
        return cells.size() <= most;
    });
    return cells;
}

/// The columns that a header names, and whether they make steps or times.
class Header {
public:
    Header(const std::vector<Cell>& cells, Findings& findings) {
        for (const Cell& cell : cells) {
            const std::optional<NamedColumn> named = column_of(cell.text);
            const Column column = named ? named->column : kColumns;
            columns_.push_back(column);
            units_ns_.push_back(named ? named->unit_ns : 0);
            if (!named) {
                findings.add(cell.place,
                             fmt::format("unknown column '{}'", excerpt(std::string(cell.text))),
                             unknown_column_hint(cell.text));
            } else if (std::count(columns_.begin(), columns_.end(), column) > 1) {
                findings.add(cell.place, fmt::format("column {} occurs twice", cell.text));
            }
        }
        const Place place = cells.front().place;
        for (const Column needed : {kSource, kDestination, kBytes}) {
            if (!has(needed)) {
                findings.add(place, fmt::format("column {} is missing", kColumnNames[needed]));
            }
        }
        const bool timed = has(kTime) || has(kAfter);
        if (has(kStep) && timed) {
            findings.add(place, "the columns give both steps and times",
                         "step makes a step program, time and after a timed one: use one kind");
        } else if (!has(kStep) && !timed) {
            findings.add(place, "neither step nor time is a column",
                         "add step (a step program) or time (a timed program)");
        }
        findings.throw_if_any();  // without its columns no row can be understood
    }

    const std::vector<Column>& columns() const { return columns_; }
    /// Unit in ns of the times in a column; 0: cycles.
    double unit_ns(std::size_t i) const { return units_ns_[i]; }
    Ordering ordering() const { return has(kStep) ? Ordering::kSteps : Ordering::kTimed; }

private:
    bool has(Column column) const {
        return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
    }

    std::vector<Column> columns_;
    std::vector<double> units_ns_;
};

Row csv_row(const std::vector<Cell>& cells, const Header& header, std::string_view line) {
    Row row;
    row.place = cells.front().place;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Column column = header.columns()[i];
        if (column != kAfter) {
            row.cells[column].push_back(cells[i]);
            row.cells[column].back().unit_ns = header.unit_ns(i);
            continue;
        }
        for (const Cell& id : split(cells[i].text, "; \t", line, cells[i].place.line)) {
            if (!id.text.empty()) row.cells[kAfter].push_back(id);
        }
    }
    return row;
}

Program parse_csv(std::string_view text, Findings& findings, Assembler& assembler) {
    std::optional<Header> header;
    std::uint32_t number = 0;
    text.remove_prefix(byte_order_mark(text));
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        const std::string_view content = trimmed(line);
        if (content.empty() || content.front() == '#') continue;
        const std::vector<Cell> cells = split(line, ",", line, number, kMostCells);
        if (cells.size() > kMostCells) {
            findings.add(cells.front().place, fmt::format("more than {} values", kMostCells));
            findings.throw_if_any();
        }
        if (!header) {
            header.emplace(cells, findings);
            assembler.set_ordering(header->ordering());
        } else if (cells.size() != header->columns().size()) {
            findings.add(cells.front().place, fmt::format("{} values for {} columns", cells.size(),
                                                          header->columns().size()));
        } else {
            assembler.add(csv_row(cells, *header, line));
        }
    }
    if (!header) {
        findings.add({}, "the program file is empty",
                     "begin with a line such as: source,destination,bytes,step");
    }
    return assembler.finish();
}

// --- YAML ----------------------------------------------------------------------------------------

Place place_of(const Location& where) {
    return {static_cast<std::uint32_t>(where.line), static_cast<std::uint32_t>(where.column)};
}

bool require_map(const ConfigTree& tree, const char* what, Findings& findings) {
    if (!tree.is_map()) {
        findings.add(place_of(tree.where),
                     fmt::format("{} must be a map, found {}", what, tree.found()));
    }
    return tree.is_map();
}

/// Cells point into `node`, which must outlive the row.
Row yaml_row(const ConfigTree& node, Findings& findings) {
    Row row;
    row.place = place_of(node.where);
    for (const ConfigTree& value : node.children) {
        const std::optional<NamedColumn> named = column_of(value.key);
        const Column column = named ? named->column : kColumns;
        const Place at = place_of(value.key_where);
        if (!named) {
            findings.add(at, fmt::format("unknown key '{}'", excerpt(value.key)),
                         unknown_column_hint(value.key));
        } else if (row.has(column)) {
            findings.add(at, fmt::format("{} occurs twice", kColumnNames[column]));
        } else if (value.is_scalar()) {
            row.cells[column].push_back({value.text, place_of(value.where), named->unit_ns});
        } else if (column == kAfter && value.is_sequence()) {
            for (const ConfigTree& id : value.children) {
                if (id.is_scalar()) {
                    row.cells[kAfter].push_back({id.text, place_of(id.where)});
                } else {
                    findings.add(place_of(id.where), "after must list message ids");
                }
            }
        } else {
            findings.add(at, fmt::format("{} must be a number", value.key));
        }
    }
    return row;
}

BarrierCost yaml_barrier(const ConfigTree& node, Findings& findings) {
    BarrierCost cost;
    if (!require_map(node, "barrier", findings)) return cost;
    for (const ConfigTree& value : node.children) {
        if (value.key != "per_doubling" && value.key != "fixed") {
            findings.add(place_of(value.key_where),
                         fmt::format("unknown key '{}'", excerpt(value.key)),
                         unknown_hint(value.key, {"per_doubling", "fixed"}));
            continue;
        }
        const std::optional<double> number =
            value.is_scalar() ? kinds::to_real(value.text) : std::nullopt;
        if (!number || std::abs(*number) > static_cast<double>(kLongTime)) {
            findings.add(place_of(value.where),
                         fmt::format("{} must be a number of cycles", value.key),
                         fmt::format("at most {}", kLongTime));
            continue;
        }
        (value.key == "fixed" ? cost.fixed : cost.per_doubling) = *number;
    }
    return cost;
}

/// Steps or times: the kind used by all transfers of the file.
class Kind {
public:
    void add(const Row& row, Findings& findings) {
        const bool steps = row.has(kStep);
        const bool timed = row.has(kTime) || row.has(kAfter);
        if (!steps && !timed) {
            findings.add(row.place, "the transfer has neither step nor time");
        } else if (steps && timed) {
            findings.add(row.place, "the transfer has both a step and a time or `after`");
        } else if (!timed_) {
            timed_ = timed;
        } else if (*timed_ != timed) {
            findings.add(row.place,
                         fmt::format("this transfer has a {}, those before have a {}",
                                     timed ? "time" : "step", timed ? "step" : "time"),
                         "a program has steps, or times and `after`, but not both");
        }
    }
    Ordering ordering() const {
        return timed_.value_or(false) ? Ordering::kTimed : Ordering::kSteps;
    }

private:
    std::optional<bool> timed_;
};

Program parse_yaml(const std::string& text, const std::string& source, Findings& findings,
                   Assembler& assembler) {
    std::vector<Diagnostic> repeated;
    const ConfigTree root = parse_tree(text, source, repeated, kMaxProgramBytes);
    for (Diagnostic& finding : repeated) findings.add(std::move(finding));
    if (root.is_null()) {
        findings.add({}, "the program file is empty", "write transfers: [...]");
    } else if (root.is_sequence()) {
        findings.add(place_of(root.where), "a program must be a map, found a list",
                     "write 'transfers:' above the list");
    } else if (require_map(root, "a program", findings)) {
        for (const ConfigTree& value : root.children) {
            if (value.key == "barrier") {
                assembler.set_barrier(yaml_barrier(value, findings));
            } else if (value.key != "transfers") {
                findings.add(place_of(value.key_where),
                             fmt::format("unknown key '{}'", excerpt(value.key)),
                             unknown_hint(value.key, {"transfers", "barrier"}));
            } else if (!value.is_sequence()) {
                findings.add(place_of(value.key_where), "transfers must be a list");
            }
        }
    }
    const ConfigTree* const transfers = root.is_map() ? root.find("transfers") : nullptr;
    if (root.is_map() && transfers == nullptr) {
        findings.add(place_of(root.where), "transfers is missing");
    }
    Kind kind;
    if (transfers != nullptr && transfers->is_sequence()) {
        for (const ConfigTree& node : transfers->children) {
            if (!require_map(node, "a transfer", findings)) continue;
            const Row row = yaml_row(node, findings);
            kind.add(row, findings);
            assembler.add(row);
        }
    }
    assembler.set_ordering(kind.ordering());
    return assembler.finish();
}

/// Which of the columns that most programs do without a program has.
struct Extras {
    explicit Extras(const Program& program) : plane(program.names_planes) {
        for (const Transfer& t : program.transfers) {
            port = port || t.port != 0;
            copy = copy || t.is_copy;
            streams = streams || t.streams;
            of_class = of_class || t.message_class != 0;
            plane = plane || t.plane != 0;
        }
    }
    bool port = false;
    bool copy = false;
    bool streams = false;
    bool of_class = false;
    bool plane = false;
};

void write_csv(const Program& program, std::ostream& out) {
    const bool timed = program.ordering == Ordering::kTimed;
    const Extras extras(program);
    if (program.barrier_cycles) {
        out << fmt::format("# barrier of {} cycles between steps: set traffic.barrier.fixed\n",
                           *program.barrier_cycles);
    }
    out << "source,destination,bytes," << (timed ? "time,after" : "step")
        << (extras.port ? ",port" : "") << (extras.copy ? ",copy" : "")
        << (extras.streams ? ",streams" : "") << (extras.of_class ? ",class" : "")
        << (extras.plane ? ",plane" : "") << '\n';
    for (const Transfer& t : program.transfers) {
        out << fmt::format("{},{},{},", t.source, t.destination, t.bytes);
        if (timed) {
            out << fmt::format("{},{}", t.time, fmt::join(t.after, ";"));
        } else {
            out << t.step;
        }
        if (extras.port) out << ',' << t.port;
        if (extras.copy) out << (t.is_copy ? ",1" : ",0");
        if (extras.streams) out << (t.streams ? ",1" : ",0");
        if (extras.of_class) out << fmt::format(",{}", t.message_class);
        if (extras.plane) out << fmt::format(",{}", t.plane);
        out << '\n';
    }
}

void write_yaml(const Program& program, std::ostream& out) {
    const bool timed = program.ordering == Ordering::kTimed;
    if (program.barrier_cycles) {
        out << fmt::format("barrier: {{fixed: {}}}\n", *program.barrier_cycles);
    }
    out << (program.transfers.empty() ? "transfers: []\n" : "transfers:\n");
    for (const Transfer& t : program.transfers) {
        out << fmt::format("  - {{source: {}, destination: {}, bytes: {}, ", t.source,
                           t.destination, t.bytes);
        if (timed) {
            out << fmt::format("time: {}", t.time);
        } else {
            out << fmt::format("step: {}", t.step);
        }
        if (!t.after.empty()) out << fmt::format(", after: [{}]", fmt::join(t.after, ", "));
        if (t.port != 0) out << fmt::format(", port: {}", t.port);
        if (t.is_copy) out << ", copy: 1";
        if (t.streams) out << ", streams: 1";
        if (t.message_class != 0) out << fmt::format(", class: {}", t.message_class);
        if (program.names_planes || t.plane != 0) out << fmt::format(", plane: {}", t.plane);
        out << "}\n";
    }
}

}  // namespace

ProgramFormat program_format(const std::string& path, const Location& where) {
    const std::string extension = std::filesystem::path(path).extension().string();
    if (extension == ".csv") return ProgramFormat::kCsv;
    if (extension == ".yaml" || extension == ".yml") return ProgramFormat::kYaml;
    throw ConfigError(where, fmt::format("'{}' is not a known kind of program file", path),
                      "name it .csv, .yaml or .yml");
}

Program parse_program(const std::string& text, ProgramFormat format, const std::string& source,
                      NodeId nodes, const ProgramCheck& check, const ProgramReading& reading) {
    Findings findings(source);
    Assembler assembler(findings, nodes, source, check, reading);
    return format == ProgramFormat::kCsv ? parse_csv(text, findings, assembler)
                                         : parse_yaml(text, source, findings, assembler);
}

Program read_program(const std::string& path, NodeId nodes, const Location& named_at,
                     const ProgramCheck& check, const ProgramReading& reading) {
    const Location where = named_at.source.empty() ? Location{path, 0, 0} : named_at;
    const ProgramFormat format = program_format(path, where);
    const std::string text = read_input_file(path, "program file", kMaxProgramBytes, named_at);
    return parse_program(text, format, path, nodes, check, reading);
}

void write_program(const Program& program, std::ostream& out, ProgramFormat format) {
    if (format == ProgramFormat::kCsv) {
        write_csv(program, out);
    } else {
        write_yaml(program, out);
    }
}

void write_program(const Program& program, const std::string& path) {
    const Location where{path, 0, 0};
    const ProgramFormat format = program_format(path, where);
    try {
        write_whole_file(path, [&](std::ostream& out) { write_program(program, out, format); });
    } catch (const ConfigError&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw ConfigError(where, error.what(), "choose another place");
    }
}

}  // namespace flitscope
