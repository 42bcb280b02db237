// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "models/base/byte_order_mark.h"
#include "models/base/csv_cells.h"
#include "models/base/trimmed.h"
#include "models/topology/files/graph_file.h"
#include "models/topology/graph.h"

namespace flitscope::graph_file {
namespace {

struct Cell {
    std::string_view text;
    Place place;
};

/// Far more than there are; a line of only commas is not worth its memory.
constexpr std::size_t kMostColumns = 1000;

constexpr const char* kNodes = "nodes";
constexpr const char* kNodesPerRouter = "nodes_per_router";

class CsvReader {
public:
    explicit CsvReader(Assembler& assembler) : assembler_(assembler) {}

    Graph read(std::string_view text) {
        text.remove_prefix(byte_order_mark(text));
        for (std::size_t number = 1; !text.empty(); ++number) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            read_line(text.substr(0, end), number);
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        if (columns_.empty()) {
            assembler_.fail({}, "the graph file has no header",
                            "begin with a line such as: from,to,length,delay,both");
        }
        return assembler_.finish(header_);
    }

private:
    void read_line(std::string_view line, std::size_t number) {
        const std::string_view content = trimmed(line);
        if (content.empty()) return;
        if (content.front() == '#') {
            read_comment(content, number);
            return;
        }
        std::vector<Cell> cells;
        for_each_cell(line, ",", [&](std::string_view cell, const char* begin) {
            const auto column = static_cast<std::size_t>(begin - line.data()) + 1;
            cells.push_back({cell, {number, column}});
            return cells.size() <= kMostColumns;
        });
        if (cells.size() > kMostColumns) {
            assembler_.fail({number, 1}, fmt::format("more than {} columns", kMostColumns));
            assembler_.throw_if_findings();
        }
        columns_.empty() ? read_header(cells) : read_link(cells);
    }

    /// "# nodes: 16", "# nodes_per_router: 4"; other comments are for people.
    void read_comment(std::string_view content, std::size_t number) {
        content = trimmed(content.substr(1));
        const std::string name(content.substr(0, content.find(':')));
        if (name.size() == content.size() || (name != kNodes && name != kNodesPerRouter)) return;
        if (!columns_.empty()) {
            assembler_.fail({number, 1}, "the number of nodes is given below the header",
                            "write it above");
            return;
        }
        const auto count = assembler_.number(name, trimmed(content.substr(name.size() + 1)),
                                             {number, 1}, {1, kMaxNodes});
        auto& known = name == kNodes ? nodes_ : nodes_per_router_;
        if (known) {
            assembler_.fail({number, 1}, fmt::format("'{}' is given twice", name), "remove one");
            return;
        }
        known = count;
        if (name == kNodes) nodes_place_ = {number, 1};
    }

    void count_routers() {
        if (nodes_per_router_) assembler_.set_nodes_per_router(*nodes_per_router_);
        const std::uint32_t each = nodes_per_router_.value_or(1);
        if (nodes_ && *nodes_ % each != 0) {
            assembler_.fail(nodes_place_,
                            fmt::format("{} nodes on routers of {} nodes each", *nodes_, each),
                            "'nodes' is a multiple of 'nodes_per_router'");
        }
        if (nodes_) assembler_.set_router_count(*nodes_ / each);
    }

    void read_header(const std::vector<Cell>& cells) {
        header_ = cells.front().place;
        count_routers();
        std::vector<std::string> known = LinkAttributes::names();
        known.insert(known.begin(), {"from", "to"});
        for (const Cell& cell : cells) {
            const std::string name(cell.text);
            if (std::find(known.begin(), known.end(), name) == known.end()) {
                assembler_.fail_unknown(cell.place, "column", name, known);
            } else if (std::find(columns_.begin(), columns_.end(), name) != columns_.end()) {
                assembler_.fail(cell.place, fmt::format("column {} occurs twice", name));
            }
            columns_.push_back(name);
        }
        for (const char* const needed : {"from", "to"}) {
            if (std::find(columns_.begin(), columns_.end(), needed) == columns_.end()) {
                assembler_.fail(header_, fmt::format("column {} is missing", needed),
                                "begin with a line such as: from,to,length,delay,both");
            }
        }
        assembler_.throw_if_findings();  // without its columns no row can be understood
    }

    void read_link(const std::vector<Cell>& cells) {
        if (cells.size() != columns_.size()) {
            assembler_.fail(cells.front().place,
                            fmt::format("{} values for {} columns", cells.size(), columns_.size()));
            return;
        }
        const std::size_t before = assembler_.finding_count();
        LinkAttributes attributes;
        RouterId from;
        RouterId to;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const auto& [text, place] = cells[i];
            if (columns_[i] == "from" || columns_[i] == "to") {
                (columns_[i] == "from" ? from : to) =
                    RouterId(assembler_.number(columns_[i], text, place, assembler_.router_range())
                                 .value_or(0));
            } else if (!text.empty()) {
                assembler_.read_attribute(attributes, columns_[i], text, place);
            }
        }
        if (assembler_.finding_count() == before) {
            assembler_.add_link(cells.front().place, from, to, attributes);
        }
    }

    Assembler& assembler_;
    std::optional<NodeId> nodes_;
    Place nodes_place_;
    std::optional<std::uint32_t> nodes_per_router_;
    std::vector<std::string> columns_;
    Place header_;
};

}  // namespace

Graph read_csv(const std::string& text, Assembler& assembler) {
    return CsvReader(assembler).read(text);
}

}  // namespace flitscope::graph_file
