// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Synthesis results for the user: a table, JSON, Markdown for the docs.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "testbench/app/gate_synthesis/link_synthesis.h"
#include "testbench/app/gate_synthesis/synthesis.h"

namespace flitscope {

/// The assumptions of the figures in one line; `results` give the periods of the power column.
std::string conditions_text(const std::vector<SynthesisResult>& results);

/// Prints one row per result, and the conditions below.
void print_synthesis(std::ostream& out, const std::vector<SynthesisResult>& results);

nlohmann::ordered_json synthesis_json(const SynthesisResult& result);
nlohmann::ordered_json synthesis_json(const std::vector<SynthesisResult>& results);

/// A link and the cost of its registers.
struct LinkArea {
    LinkVariant variant;
    double area_um2 = 0;
};
/// Prints one line per link.
void print_links(std::ostream& out, const std::vector<LinkArea>& links);
nlohmann::ordered_json links_json(const std::vector<LinkArea>& links);

/// The table of results in Markdown, sorted by ports, virtual channels and depth. Width, router
/// delay and routing are columns only if they differ between the rows.
std::string markdown_table(std::vector<SynthesisResult> results);

}  // namespace flitscope
