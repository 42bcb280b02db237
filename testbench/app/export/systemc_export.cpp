// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/export/systemc_export.h"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <set>
#include <utility>

#include "hw/verilated/rtl_routers.h"
#include "models/base/diagnostics.h"
#include "models/base/input_file.h"
#include "models/base/printable.h"
#include "models/config/config.h"
#include "models/fabric/model_version.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "traffic/traces/trace_program.h"

namespace flitscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // their readers have their own limits
constexpr const char* kRouterSources = "routers";

constexpr const char* kProgram = R"(// {source} as a SystemC program:
// {machine}, {traffic}.
//
// Written by flitscope export --systemc (flitscope {version}, model {model}), and yours from here on:
// change config.yaml, which has all values ("flitscope keys" says what they mean); put modules of
// your own where TrafficPlayer stands (Network::port() and attach()), or observers of your own into
// NetworkOptions. The headers say what there is.
//
// usage: {name} [WAVEFORM.vcd|WAVEFORM.fst]
// Exit code 0 when everything arrived, 1 when not, 2 when there can be no such network.
#include <flitscope/fabric.h>
#include <flitscope/traffic.h>

#include <cstdio>
#include <string>
#include <systemc>

namespace {{

int simulate(const char* waveform) {{
    const flitscope::Config config = flitscope::load_config(FLITSCOPE_CONFIG);
    flitscope::NetworkOptions options;
    if (waveform != nullptr) options.trace = waveform;
{options}    flitscope::Network network("network", config, options);
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
target_compile_definitions({name} PRIVATE
    FLITSCOPE_CONFIG="${{CMAKE_CURRENT_SOURCE_DIR}}/config.yaml")
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

/// Where a source of the routers is in the folder.
std::string router_source(const fs::path& path) {
    return fmt::format("{}/{}", kRouterSources, path.filename().string());
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
        fmt::arg("name", program_name(machine.config)), fmt::arg("options", options));
}

/// As a configuration has it that is written into the folder: to_yaml().
std::string beside(const std::string& name) { return "./" + name; }

void name_copies(RtlModule& module) {
    for (std::string& source : module.sources) source = beside(router_source(source));
    if (!module.include.empty()) module.include = {beside(kRouterSources)};
}

/// The sources of routers are those in the folder of the program.
void name_copies(FabricConfig& fabric) {
    name_copies(fabric.router.module);
    for (RouterOverride& entry : fabric.router_overrides) name_copies(entry.router.module);
}

std::string build_text(const Machine& machine, const std::string& version) {
    const std::string name = program_name(machine.config);
    std::string text = fmt::format(kBuild, fmt::arg("name", name),
                                   fmt::arg("version", version.substr(0, version.rfind('.'))));
    const std::string router = router_of(machine);
    if (router.empty()) return text;
    FabricConfig fabric = machine.config.fabric;
    name_copies(fabric);
    text += fmt::format(
        "\n# Its routers in SystemVerilog, with the parameters that the configuration asks for.\n"
        "set(router {router})\n"
        "flitscope_add_router(${{router}}{arguments})\n"
        "target_compile_definitions({name} PRIVATE "
        "FLITSCOPE_ROUTERS=\"$<TARGET_FILE_DIR:${{router}}>\")\n"
        "add_dependencies({name} ${{router}})  # loaded when the program runs\n",
        fmt::arg("router", router), fmt::arg("name", name),
        fmt::arg("arguments", hw::router_arguments(fabric)));
    return text;
}

/// The files that a configuration names, copied into the folder of the program, and the
/// configuration that names the copies.
class ProgramFolder {
public:
    explicit ProgramFolder(const Config& config) : config_(config) {
        take(config_.fabric.topology.file, "graph");
        take(config_.traffic.program, "program");
        take(config_.traffic.matrix, "matrix");
        take_trace();
        take(config_.traffic.trace.placement_file, "placement");
        take_routers();
    }
    const Config& config() const { return config_; }
    std::vector<ExportedFile> take_files() { return std::move(files_); }

private:
    void copy(const std::string& path, const std::string& name, const char* what = "file") {
        files_.push_back({name, read_input_file(path, what, kMostBytes)});
    }
    /// Names keep their extensions, from which readers infer formats.
    void take(std::string& path, const std::string& name) {
        if (path.empty()) return;
        const std::string own = name + fs::path(path).extension().string();
        copy(path, own);
        path = beside(own);
    }
    void take_trace() {
        const std::string name = "trace";
        ApplicationTraceConfig& trace = config_.traffic.trace;
        if (trace.format != TraceFormat::kChakra) return take(trace.file, name);
        // The configuration has the common prefix of their names.
        for (const std::string& path : trace_files(config_)) {
            if (path != trace.placement_file) copy(path, name + path.substr(trace.file.size()));
        }
        trace.file = beside(name);
    }
    void take_routers() {
        if (!config_.fabric.router_places.empty()) {
            throw ConfigError(config_.where("fabric.router_parameters"),
                              "a router that has its place as a parameter is verilated once per "
                              "place, which an exported program cannot do",
                              "give it pins for its place (hw/rtl/README.md)");
        }
        std::set<std::string> names;
        for (const fs::path& source : hw::own_rtl_sources(config_.fabric)) {
            if (!names.insert(source.filename().string()).second) {
                throw ConfigError(config_.where(config_.fabric.rtl_key()),
                                  fmt::format("two sources of the router are called {}, and all go "
                                              "into the folder {}",
                                              source.filename().string(), kRouterSources),
                                  "rename one");
            }
            copy(source.string(), router_source(source), "router source");
        }
        name_copies(config_.fabric);
    }

    Config config_;
    std::vector<ExportedFile> files_;
};

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
    ProgramFolder folder(machine.config);
    std::vector<ExportedFile> files = folder.take_files();
    files.push_back({"config.yaml", to_yaml(folder.config())});
    files.push_back({"main.cpp", program_text(machine, version)});
    files.push_back({"CMakeLists.txt", build_text(machine, version)});
    return files;
}

}  // namespace flitscope
