// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/export/rtl_packaging.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace flitscope {
namespace {

bool is_word(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '$';
}

bool is_source(const std::string& path) {
    return path.size() > 3 && path.compare(path.size() - 3, 3, ".sv") == 0;
}

/// The words of a SystemVerilog text, with what is between them; comments are no words.
struct Piece {
    std::string text;
    bool is_word = false;
};

std::vector<Piece> pieces_of(const std::string& text) {
    std::vector<Piece> pieces;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + 1;
        const bool word = is_word(text[at]);
        if (text.compare(at, 2, "//") == 0) {
            end = std::min(text.find('\n', at), text.size());
        } else if (text[at] == '"') {
            end = std::min(text.find('"', at + 1), text.size() - 1) + 1;
        } else if (word) {
            while (end < text.size() && is_word(text[end])) ++end;
        }
        pieces.push_back({text.substr(at, end - at), word});
        at = end;
    }
    return pieces;
}

/// Number of the next piece after `at` that is not white space, or that of pieces.
std::size_t next_of(const std::vector<Piece>& pieces, std::size_t at) {
    do {
        ++at;
    } while (at < pieces.size() && pieces[at].text.size() == 1 &&
             std::isspace(static_cast<unsigned char>(pieces[at].text[0])) != 0);
    return at;
}

bool is_declaration(const std::string& word) {
    return word == "module" || word == "package" || word == "import";
}

/// `name` is used as a module or package, and not as a wire of the same name: it is declared, or
/// instantiated (followed by parameters or the name of the instance), or followed by ::.
bool names_module(const std::vector<Piece>& pieces, std::size_t at, const std::string& before) {
    if (is_declaration(before)) return true;
    const std::size_t next = next_of(pieces, at);
    if (next == pieces.size()) return false;
    const bool scope = pieces[next].text == ":" && next + 1 < pieces.size() &&
                       pieces[next + 1].text == ":" && next == at + 1;
    return scope || pieces[next].text == "#" || pieces[next].is_word;
}

std::string prefixed(const std::string& prefix, const std::string& text,
                     const std::set<std::string>& names) {
    const std::vector<Piece> pieces = pieces_of(text);
    std::string result;
    std::string before;  // the word
    for (std::size_t at = 0; at < pieces.size(); ++at) {
        const Piece& piece = pieces[at];
        if (piece.is_word && names.count(piece.text) > 0 && names_module(pieces, at, before)) {
            result += prefix;
        }
        result += piece.text;
        if (piece.is_word) before = piece.text;
    }
    return result;
}

std::string stem_of(const std::string& path) {
    const std::size_t first = path.rfind('/') + 1;  // npos + 1 is 0
    return path.substr(first, path.size() - 3 - first);
}

std::string prefixed_path(const std::string& prefix, std::string path) {
    return path.insert(path.rfind('/') + 1, prefix);
}

/// Options, each with a blank behind it, as entries of a list in YAML that goes on.
std::string list_items(const std::string& options) {
    std::string text;
    for (const char letter : options) text += letter == ' ' ? ", " : std::string(1, letter);
    return text;
}

std::string items(const std::vector<std::string>& paths, const char* indent) {
    std::string text;
    for (const std::string& path : paths) text += fmt::format("{}- {}\n", indent, path);
    return text;
}

}  // namespace

std::string with_asynchronous_reset(const std::string& source) {
    const std::string clocked = "always_ff @(posedge clk_i) begin";
    std::string text;
    std::size_t at = 0;
    for (std::size_t found = 0; (found = source.find(clocked, at)) != std::string::npos;) {
        const std::size_t end = found + clocked.size();
        const std::size_t first = source.find_first_not_of(" \n", end);
        text += source.substr(at, found - at);
        text += source.compare(first, 12, "if (!rst_ni)") == 0
                    ? "always_ff @(posedge clk_i or negedge rst_ni) begin"
                    : clocked;
        at = end;
    }
    return text + source.substr(at);
}

void add_prefix(const std::string& prefix, std::vector<ExportedFile>& files,
                const std::vector<std::vector<std::string>*>& listed) {
    if (prefix.empty()) return;
    // A file has one module or package, of the same name.
    std::set<std::string> names;
    for (const ExportedFile& file : files) {
        if (is_source(file.path)) names.insert(stem_of(file.path));
    }
    for (ExportedFile& file : files) {
        if (!is_source(file.path)) continue;
        file.text = prefixed(prefix, file.text, names);
        file.path = prefixed_path(prefix, file.path);
    }
    for (std::vector<std::string>* const list : listed) {
        for (std::string& path : *list) path = prefixed_path(prefix, path);
    }
}

std::string timing_script(const std::string& top, const std::string& reset) {
    return fmt::format(R"(read_liberty $::env(LIB)
read_verilog netlist.v
link_design {}
source fabric.sdc
{}report_checks -path_delay max
report_worst_slack
)",
                       top,
                       reset.empty()
                           ? ""
                           : "# Layout makes a tree of this net, which one gate drives here.\n"
                             "set_false_path -through [get_pins " +
                                 reset + "]\n");
}

std::string bender_manifest(const std::string& top, const SourceLists& sources) {
    return fmt::format(
        R"(# For Bender: the sources in the order of reading; the test bench for simulations.
package:
  name: {}

sources:
  - files:
{}{}  - target: simulation
    files:
{})",
        top, items(sources.design, "      "), items(sources.structs, "      "),
        items(sources.bench, "      "));
}

std::string openroad_config(const std::string& top, const SourceLists& sources) {
    std::string files;
    for (const std::string& path : sources.design) files += " \\\n    $(HERE)" + path;
    return fmt::format(
        R"(# For OpenROAD-flow-scripts: make DESIGN_CONFIG=/path/to/config.mk. Another platform or utilization:
# PLATFORM=sky130hd, CORE_UTILIZATION=50 behind it.
HERE := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))
export DESIGN_NAME = {}
export PLATFORM ?= ihp-sg13g2
export SDC_FILE = $(HERE)fabric.sdc
export CORE_UTILIZATION ?= 40
export VERILOG_FILES ={}
)",
        top, files);
}

std::string fusesoc_core(const std::string& top, const std::string& bench,
                         const SourceLists& sources, const std::vector<std::string>& data,
                         const std::string& options, const std::string& simulation) {
    std::string copied;
    for (const std::string& path : data) {
        copied += fmt::format("      - {0}: {{file_type: user, copyto: {0}}}\n", path);
    }
    return fmt::format(
        R"(CAPI=2:
# For FuseSoC: fusesoc run --target sim {0}, and --target lint.
name: flitscope::{0}:1.0.0
description: A fabric written by flitscope export
filesets:
  rtl:
    file_type: systemVerilogSource
    files:
{1}{7}  bench:
    file_type: systemVerilogSource
    files:
{2}{3}{8}targets:
  default: &default
    filesets: [rtl{9}]
    toplevel: {0}
  lint:
    <<: *default
    default_tool: verilator
    tools:
      verilator: {{mode: lint-only, verilator_options: [{5}-Wall]}}
  sim:
    <<: *default
    filesets: [rtl, bench{9}]
    toplevel: {4}
    default_tool: verilator
    tools:
      verilator: {{mode: binary, verilator_options: [{6}--timing, --assert]}}
)",
        top, items(sources.design, "      "), items(sources.bench, "      "), copied, bench,
        list_items(options), list_items(simulation + options), items(sources.structs, "      "),
        sources.waivers.empty()
            ? ""
            : "  waivers:\n    file_type: vlt\n    files:\n" + items(sources.waivers, "      "),
        sources.waivers.empty() ? "" : ", waivers");
}

}  // namespace flitscope
