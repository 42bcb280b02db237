// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/matrix_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "models/base/byte_order_mark.h"
#include "models/base/finding_list.h"
#include "models/base/input_file.h"
#include "models/base/printable.h"
#include "models/base/trimmed.h"
#include "models/config/value_readers.h"

namespace flitscope {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30;
constexpr double kLargestWeight = 1e15;  // the sum of 65536 of them is still exact enough

class Reader {
public:
    Reader(const std::string& source, NodeId nodes)
        : nodes_(nodes), findings_(source, MoreFindings::kStop) {}

    TrafficMatrix read(std::string_view text) {
        text.remove_prefix(byte_order_mark(text));
        for (std::size_t line = 1; !text.empty(); ++line) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            const std::string_view row = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            const std::string_view content = trimmed(row);
            if (content.empty() || content.front() == '#') continue;
            if (matrix_.size() == nodes_) {
                refuse(line, 0, fmt::format("a row more than the {} nodes", nodes_),
                       "write one row for every node, without a header");
                break;
            }
            matrix_.push_back(read_row(row, line));
        }
        if (findings_.empty()) check();
        findings_.throw_if_any();
        return std::move(matrix_);
    }

private:
    TrafficRow read_row(std::string_view row, std::size_t line) {
        TrafficRow weights;
        NodeId count = 0;
        for (std::size_t begin = 0; begin <= row.size(); ++count) {
            const std::size_t end = std::min(row.find(',', begin), row.size());
            const std::string_view cell = trimmed(row.substr(begin, end - begin));
            begin = end + 1;
            if (count >= nodes_) continue;
            if (nodes_ > 1 && cell.size() == trimmed(row).size() &&
                cell.find_first_of(" \t") != cell.npos) {
                refuse(line, 1, "values are separated by blanks",
                       "write commas between them; with numpy, savetxt(..., delimiter=',')");
                findings_.throw_if_any();  // the rows below are as well
            }
            const std::size_t column = static_cast<std::size_t>(cell.data() - row.data()) + 1;
            const double weight = read_weight(cell, line, column);
            if (weight > 0 && count == matrix_.size()) {
                refuse(line, column, fmt::format("node {} sends to itself", count),
                       "such a message crosses no network: write 0");
            } else if (weight > 0) {
                weights.push_back({count, weight});
            }
        }
        if (count != nodes_) {
            refuse(line, 1,
                   fmt::format("the row of node {} has {} weights, but there are {} nodes",
                               matrix_.size(), count, nodes_),
                   "write one for every node, 0 for none");
        }
        return weights;
    }

    double read_weight(std::string_view cell, std::size_t line, std::size_t column) {
        const std::optional<double> weight = kinds::to_real(cell);
        if (!weight || !(*weight >= 0 && *weight <= kLargestWeight)) {
            refuse(line, column, fmt::format("'{}' is not a weight", excerpt(std::string(cell))),
                   fmt::format("weights are numbers from 0 to {:g}", kLargestWeight));
            return 0;
        }
        return *weight;
    }

    /// Checks that need the whole matrix.
    void check() {
        if (matrix_.size() < nodes_) {
            refuse(0, 0,
                   fmt::format("the matrix has {} rows, but there are {} nodes", matrix_.size(),
                               nodes_),
                   "write one row for every node, with zeros if it sends nothing");
            return;
        }
        const bool sends = std::any_of(matrix_.begin(), matrix_.end(),
                                       [](const TrafficRow& row) { return !row.empty(); });
        if (nodes_ > 1 && !sends) {
            refuse(0, 0, "all weights are 0: nothing is sent", "write some above 0");
        }
    }

    void refuse(std::size_t line, std::size_t column, std::string what, std::string hint) {
        findings_.add(line, column, std::move(what), std::move(hint));
    }

    NodeId nodes_;
    TrafficMatrix matrix_;
    FindingList findings_;
};

}  // namespace

TrafficMatrix read_matrix(const std::string& path, NodeId nodes, const Location& named_at) {
    return parse_matrix(read_input_file(path, "traffic matrix", kMostBytes, named_at), path, nodes);
}

TrafficMatrix parse_matrix(const std::string& text, const std::string& source, NodeId nodes) {
    return Reader(source, nodes).read(text);
}

}  // namespace flitscope
