// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Initial texts for fuzzers, in addition to the shipped files.
#pragma once

#include <string>
#include <vector>

namespace flitscope::fuzz {

/// Configurations with the keys that no shipped one has.
std::vector<std::string> config_seeds();
/// Studies with all that a study may say, for the folder of those that are shipped.
std::vector<std::string> study_seeds();
/// Graphs with all that a graph may say.
std::vector<std::string> graph_yaml_seeds();
std::vector<std::string> dot_seeds();
std::vector<std::string> graphml_seeds();
/// Programs with the columns that no shipped one has.
std::vector<std::string> program_csv_seeds();
std::vector<std::string> program_yaml_seeds();
std::string goal_text_seed();
/// The two ranks of a trace in binary: computes and sends; receives.
std::string goal_binary_seed();
/// The files of the ranks of two, with a message from the first to the second and a collective.
std::string chakra_seed(int rank);
/// Cell libraries; a router can be synthesized with the first one.
std::vector<std::string> liberty_seeds();
/// Netlists of routers as yosys writes them, in cells of the first library.
std::vector<std::string> netlist_seeds();
/// Reports of yosys and OpenSTA, one after the other.
std::vector<std::string> report_seeds();

}  // namespace flitscope::fuzz
