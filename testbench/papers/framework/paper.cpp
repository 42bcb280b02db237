// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/framework/paper.h"

#include <fmt/format.h>

#include "testbench/app/report/report_lines.h"

namespace flitscope::reproduce {

Cell::Cell(std::uint64_t number) : text(grouped(number)), value(number) {}

Cell::Cell(double number, int digits)
    : text(fmt::format("{:.{}f}", number, digits)), value(number) {}

Cell relative_error(double measured, double reference) {
    Cell cell;
    if (reference == 0) return cell;
    const double error = (measured - reference) / reference;
    cell.text = fmt::format("{:+.1f} %", 100 * error);
    cell.value = error;
    return cell;
}

}  // namespace flitscope::reproduce
