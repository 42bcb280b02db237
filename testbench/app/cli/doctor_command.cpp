// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <regex>
#include <string>
#include <systemc>
#include <vector>

#include "models/base/shell_word.h"
#include "models/fabric/model_version.h"
#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/command_table.h"
#include "testbench/app/cli/part_program.h"
#include "testbench/app/gate_synthesis/cell_library.h"
#include "testbench/app/gate_synthesis/toolchain.h"
#include "testbench/app/report/report.h"

namespace flitscope::cli {
namespace {

/// A program that commands start.
struct Tool {
    std::vector<const char*> names;  ///< any of them will do
    const char* asks_version;        ///< arguments with which it prints its version; "": it cannot
    const char* for_what;
    const char* remedy;
};

constexpr const char* kRouters = "RTL routers that are not built yet: cosim, run";
constexpr const char* kGates = "synth, --energy, clock_ns: synth";

const std::vector<Tool>& tools() {
    static const std::vector<Tool> kTools = {
        {{"verilator"}, "--version", kRouters, "apt-get install verilator"},
        {{"cmake"}, "--version", kRouters, "apt-get install cmake"},
        {{"c++", "g++"}, "--version", kRouters, "apt-get install g++"},
        {{"yosys"}, "-V", kGates, "apt-get install yosys"},
        {{"yosys-abc", "berkeley-abc"},
         "",
         kGates,
         "apt-get install yosys (Debian 13) or berkeley-abc (Debian 12)"},
        {{"sta"}, "-version", kGates, "apt-get install opensta"},
        {{"gnuplot"}, "--version", "--plot, reproduce --out", "apt-get install gnuplot-nox"},
        {{"sbatch"}, "-V", "explore --slurm", "apt-get install slurm-wlm"},
        {{"gtkwave"}, "", "looking at waveforms", "apt-get install gtkwave"},
        {{"flitscope-reproduce"}, "--version", "reproduce", "./dev build"},
    };
    return kTools;
}

/// The doctor's findings on a tool or a cell library.
struct Finding {
    std::string name;
    std::string version;  ///< "5.006"; empty if it prints none
    std::string path;     ///< empty: it is missing
    std::string for_what;
    std::string remedy;
};

/// The first number with a point in a program's output: its version; empty if there is none.
std::string version_of(const std::string& program, const std::string& arguments) {
    const std::string command = shell_word(program) + ' ' + arguments + " 2>&1 </dev/null";
    const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
    if (output == nullptr) return {};
    std::string text;
    std::array<char, 4096> part{};
    // To the end: a program that cannot print may complain.
    while (fgets(part.data(), part.size(), output.get()) != nullptr) text += part.data();
    std::smatch number;
    return std::regex_search(text, number, std::regex(R"(\d+(\.\d+)+)")) ? number.str() : "";
}

/// A program in PATH, or next to this one.
std::string find_beside_or_in_path(const std::string& name) {
    std::error_code unknown;
    const std::string beside = beside_this_program(name);
    if (name.rfind("flitscope-", 0) == 0 && std::filesystem::exists(beside, unknown)) return beside;
    return find_program(name);
}

Finding find(const Tool& tool) {
    Finding finding{tool.names.front(), {}, {}, tool.for_what, tool.remedy};
    for (const char* const name : tool.names) {
        finding.path = find_beside_or_in_path(name);
        if (finding.path.empty()) continue;
        finding.name = name;
        if (*tool.asks_version != '\0') {
            finding.version = version_of(finding.path, tool.asks_version);
        }
        break;
    }
    return finding;
}

std::vector<Finding> findings() {
    std::vector<Finding> all;
    for (const Tool& tool : tools()) all.push_back(find(tool));
    for (const CellLibraryFile& library : known_cell_libraries()) {
        std::error_code error;
        const bool is_there = std::filesystem::is_regular_file(library.liberty, error);
        all.push_back({library.name, library.process, is_there ? library.liberty : "",
                       "cells for synth --liberty " + library.name, library.origin});
    }
    return all;
}

std::string compiler() {
#ifdef __clang__
    return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

std::string system_c() {
    return fmt::format("{}.{}.{}", sc_core::sc_version_major, sc_core::sc_version_minor,
                       sc_core::sc_version_patch);
}

Json doctor_json(const std::vector<Finding>& found) {
    Json list = Json::array();
    for (const Finding& one : found) {
        list.push_back({{"name", one.name},
                        {"path", one.path.empty() ? Json() : Json(one.path)},
                        {"version", one.version.empty() ? Json() : Json(one.version)},
                        {"for", one.for_what},
                        {"remedy", one.remedy}});
    }
    return {{"version", version()},
            {"model", kModelVersion},
            {"compiler", compiler()},
            {"systemc", system_c()},
            {"tools", list}};
}

void print_doctor(std::ostream& out, const std::vector<Finding>& found) {
    out << fmt::format("flitscope {}, model {}: built with {}, SystemC {}\n\n", version(),
                       kModelVersion, compiler(), system_c());
    for (const Finding& one : found) {
        const bool is_there = !one.path.empty();
        const std::string version = one.version.empty() ? "found" : one.version;
        out << fmt::format("  {:<20} {:<9} {}{}\n", one.name, is_there ? version : "missing",
                           one.for_what, is_there ? "" : " (" + one.remedy + ')');
    }
    out << "\nWhat is missing stops the commands beside it, and no others.\n";
}

int doctor_command(const Options& options) {
    tell(options, doctor_json, print_doctor, findings());
    return kExitOk;
}

}  // namespace

Command add_doctor(CLI::App& app) {
    const auto options = std::make_shared<Options>();
    CLI::App* const command = app.add_subcommand(
        "doctor", "Show which programs and cell libraries are there, and what needs those missing");
    add_json(*command, *options, "the list");
    return make_command(command, options, doctor_command);
}

}  // namespace flitscope::cli
