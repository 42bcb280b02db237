// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A page that a browser opens without a network: one HTML file with its style, its scripts and its
// data.
#pragma once

#include <iosfwd>

#include "testbench/app/report/report.h"

namespace flitscope {

/// `data` has a "page" ("run", "study", "loads", "pair") and a "title"; README.md says what else.
void write_page(std::ostream& out, const Json& data);

}  // namespace flitscope
