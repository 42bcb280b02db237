// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/export/systemc_export.h"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <set>

#include "hw/verilated/rtl_routers.h"
#include "models/base/diagnostics.h"
#include "models/base/input_file.h"
#include "models/base/printable.h"
#include "models/fabric/model_version.h"
#include "testbench/app/export/config_code.h"

namespace flitscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // their readers have limits of their own
constexpr const char* kRouterSources = "routers";

constexpr const char* kProgram = R"(// {source} as a SystemC program:
// {machine}, {traffic}.
//
// Written by flitscope export --systemc (flitscope {version}, model {model}), and yours from here on:
// change the configuration; put modules of your own where TrafficPlayer stands (Network::port() and
// attach()), or observers of your own into NetworkOptions. The headers say what there is.
//
// usage: {name} [WAVEFORM.vcd|WAVEFORM.fst]
// Exit code 0 when everything arrived, 1 when not, 2 when there can be no such network.
#include <flitscope/fabric.h>
#include <flitscope/traffic.h>

#include <cstdio>
#include <string>
#include <systemc>

namespace {{

/// What is not set has the default of flitscope::Config.
flitscope::Config configuration() {{
    flitscope::Config config;
{config}    return config;
}}

int simulate(const char* waveform) {{
    flitscope::NetworkOptions options;
    if (waveform != nullptr) options.trace = waveform;
{options}    flitscope::Network network("network", configuration(), options);
    flitscope::TrafficPlayer traffic("traffic", network);
    sc_core::sc_start();
    network.finish();

    const flitscope::Scoreboard& arrived = traffic.scoreboard();
    std::printf("engine %s, %llu of %llu messages in %llu cycles, latency %.2f cycles on average\n",
                network.engine().c_str(),
                static_cast<unsigned long long>(arrived.messages_delivered()),
                static_cast<unsigned long long>(traffic.messages_expected()),
                static_cast<unsigned long long>(arrived.makespan()), traffic.latency().mean());
    for (const std::string& problem : traffic.problems()) std::printf("  %s\n", problem.c_str());
    return traffic.problems().empty() ? 0 : 1;
}}

}}  // namespace

int sc_main(int argc, char* argv[]) {{
    try {{
        return simulate(argc > 1 ? argv[1] : nullptr);
    }} catch (const flitscope::ConfigError& error) {{
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }}
}}
)";

constexpr const char* kBuild = R"(# Build: cmake -B build && cmake --build build
# (-DCMAKE_PREFIX_PATH=DIR where flitscope is not installed in the usual place)
cmake_minimum_required(VERSION 3.25)
project({name} CXX)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()

find_package(flitscope {version} CONFIG REQUIRED COMPONENTS fabric traffic)

add_executable({name} main.cpp)
target_link_libraries({name} PRIVATE flitscope::fabric flitscope::traffic)
)";

std::string router_of(const Machine& machine) {
    if (hw::rtl_router_count(machine.config, machine.graph) == 0) return {};
    return hw::rtl_variant(machine.config, machine.graph, *machine.routing).name();
}

/// Whether a target of another kind has this name: those that CMake makes with some generator, the
/// folder of its files, and verilated routers.
bool is_taken(const std::string& name) {
    static const std::string kOfCMake =
        " ALL_BUILD CMakeFiles INSTALL PACKAGE RUN_TESTS ZERO_CHECK all clean codegen "
        "default_target "
        "depend edit_cache help install list_install_components package package_source preinstall "
        "rebuild_cache routers test verilated ";
    return kOfCMake.find(' ' + name + ' ') != std::string::npos || name.rfind("router_", 0) == 0;
}

/// A comment must end where its line ends.
std::string in_comment(const std::string& text) { return printable(text, false); }

std::string program_text(const Machine& machine, const std::string& version) {
    const std::string options =
        router_of(machine).empty()
            ? ""
            : "    options.rtl_libraries = FLITSCOPE_ROUTERS;  // CMakeLists.txt verilates them\n";
    return fmt::format(
        kProgram, fmt::arg("machine", in_comment(machine.graph.description())),
        fmt::arg("traffic", in_comment(machine.traffic_name())),
        fmt::arg("source", in_comment(fs::path(machine.config.source).filename().string())),
        fmt::arg("version", version), fmt::arg("model", kModelVersion),
        fmt::arg("name", program_name(machine.config)),
        fmt::arg("config", config_code(machine.config)), fmt::arg("options", options));
}

std::string build_text(const Machine& machine, const std::string& version, bool has_files) {
    const std::string name = program_name(machine.config);
    std::string text = fmt::format(kBuild, fmt::arg("name", name),
                                   fmt::arg("version", version.substr(0, version.rfind('.'))));
    if (has_files) {
        text += fmt::format(
            "target_compile_definitions({} PRIVATE "
            "FLITSCOPE_FILES=\"${{CMAKE_CURRENT_SOURCE_DIR}}\")\n",
            name);
    }
    const std::string router = router_of(machine);
    if (router.empty()) return text;
    std::string sources;
    for (const std::string& source : machine.config.fabric.rtl_module().sources) {
        sources += fmt::format("{} {}/{}", sources.empty() ? " SOURCES" : "", kRouterSources,
                               fs::path(source).filename().string());
    }
    text += fmt::format(
        "\n# Its routers in SystemVerilog, with the parameters that the configuration asks for.\n"
        "set(router {router})\n"
        "flitscope_add_router(${{router}}{sources})\n"
        "target_compile_definitions({name} PRIVATE "
        "FLITSCOPE_ROUTERS=\"$<TARGET_FILE_DIR:${{router}}>\")\n"
        "add_dependencies({name} ${{router}})  # loaded when the program runs\n",
        fmt::arg("router", router), fmt::arg("name", name), fmt::arg("sources", sources));
    return text;
}

}  // namespace

std::string program_name(const Config& config) {
    std::string name;
    for (const char c : fs::path(config.source).stem().string()) {
        const bool is_plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        name += is_plain ? c : '_';
    }
    constexpr std::size_t kLongest = 100;  // no longer than file names may be
    const bool has_letter = name.find_first_not_of("0123456789_") != std::string::npos;
    if (!has_letter || is_taken(name)) name = "fabric_" + name;
    return name.substr(0, kLongest);
}

std::vector<ExportedFile> systemc_files(const Machine& machine, const std::string& version) {
    std::vector<ExportedFile> files;
    for (const FileInCode& file : files_in_code(machine.config)) {
        files.push_back({file.name, read_input_file(file.path, "file", kMostBytes)});
    }
    const bool has_files = !files.empty();
    std::set<std::string> names;
    for (const fs::path& source : hw::own_rtl_sources(machine.config)) {
        const std::string name = source.filename().string();
        if (!names.insert(name).second) {
            throw ConfigError(
                machine.config.where(machine.config.fabric.rtl_key()),
                fmt::format("two sources of the router are called {}, and all go into "
                            "the folder {}",
                            name, kRouterSources),
                "rename one");
        }
        files.push_back({fmt::format("{}/{}", kRouterSources, name),
                         read_input_file(source.string(), "router source", kMostBytes)});
    }
    files.push_back({"main.cpp", program_text(machine, version)});
    files.push_back({"CMakeLists.txt", build_text(machine, version, has_files)});
    return files;
}

}  // namespace flitscope
