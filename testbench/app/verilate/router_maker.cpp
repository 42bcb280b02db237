// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/verilate/router_maker.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/digest.h"
#include "models/base/file_text.h"
#include "models/base/folder_lock.h"
#include "models/base/output_file.h"
#include "models/base/printable.h"
#include "models/base/stopwatch.h"
#include "models/config/workload_config.h"
#include "models/places/places.h"
#include "testbench/app/gate_synthesis/synthesis_cache.h"
#include "testbench/app/gate_synthesis/tool_process.h"
#include "testbench/app/gate_synthesis/toolchain.h"
#include "testbench/app/gate_synthesis/work_folder.h"

namespace flitscope {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLog = "verilate.log";

/// Programs that the build needs; verilator calls make itself.
const std::vector<std::string> kPrograms = {"cmake", "make", "verilator", "c++"};

fs::path verilated_sources() { return rtl_sources_place().parent_path() / "verilated"; }

/// Adds a source, and the headers of flitscope that it includes, however far down.
void add_with_headers(Digest& digest, const fs::path& file, std::set<std::string>& seen) {
    static const std::regex kInclude("(?:^|\n)#include \"([^\"\n]+)\"");
    const std::string text = read_file(file.string());
    digest.add(text);
    for (std::sregex_iterator it(text.begin(), text.end(), kInclude), end; it != end; ++it) {
        const fs::path header = headers_place() / it->str(1);
        std::error_code error;  // others are verilator's
        if (fs::is_regular_file(header, error) && seen.insert(it->str(1)).second) {
            add_with_headers(digest, header, seen);
        }
    }
}

void add_files(Digest& digest, const std::vector<fs::path>& files) {
    for (const fs::path& file : files) {
        digest.add(file.filename().string());
        digest.add(read_file(file.string()));
    }
}

/// Our sources that verilator reads, sorted by name.
std::vector<fs::path> rtl_files(const fs::path& folder) {
    static const std::set<std::string> kSuffixes = {".sv", ".vlt", ".txt"};
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (kSuffixes.count(entry.path().extension().string()) != 0) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// The arguments of flitscope_add_router() that the configuration names.
std::string arguments_of(FabricConfig fabric) {
    const auto make_absolute = [](std::vector<std::string>& paths) {
        for (std::string& path : paths) path = fs::absolute(path).string();
    };
    make_absolute(fabric.router.module.sources);
    make_absolute(fabric.router.module.include);
    for (RouterOverride& entry : fabric.router_overrides) {
        make_absolute(entry.router.module.sources);
        make_absolute(entry.router.module.include);
    }
    return hw::router_arguments(fabric);
}

std::string key_of(const hw::RtlVariant& variant, const WorkloadConfig& config) {
    Digest digest;
    digest.add(variant.name());
    add_files(digest, rtl_files(rtl_sources_place()));
    add_files(digest, rtl_files(rtl_sources_place() / "foreign"));
    add_files(digest, hw::own_rtl_sources(config.fabric));
    digest.add(arguments_of(config.fabric));
    for (const char* const script : {"Routers.cmake", "verilate.cmake"})
        digest.add(read_file((verilated_sources() / script).string()));
    std::set<std::string> seen;
    add_with_headers(digest, verilated_sources() / "verilated_router.cpp", seen);
    add_with_headers(digest, verilated_sources() / "rtl_print.h", seen);
    for (const std::string& program : kPrograms)
        digest.add(program_identity(find_program(program)));
    // The script that is called verilator runs this.
    digest.add(program_identity(find_program("verilator_bin")));
    return digest.text();
}

/// The folder for a router, whether or not it exists.
fs::path made_router_folder(const hw::RtlVariant& variant, const WorkloadConfig& config) {
    return fs::path(cache_folder("rtl")) / (variant.name() + '_' + key_of(variant, config));
}

/// A CMake project of one library.
std::string project(const hw::RtlVariant& variant, const WorkloadConfig& config) {
    return fmt::format(
        "cmake_minimum_required(VERSION 3.25)\n"
        "project(router CXX)\n"
        "set(CMAKE_UNITY_BUILD ON)\n"  // in one go: half of the time goes into headers
        "add_library(flitscope::headers INTERFACE IMPORTED)\n"
        "target_include_directories(flitscope::headers INTERFACE [==[{}]==])\n"
        "include([==[{}]==])\n"
        "flitscope_add_router({}{} OUTPUT_DIRECTORY ${{CMAKE_CURRENT_SOURCE_DIR}}/made)\n",
        headers_place().string(), (verilated_sources() / "Routers.cmake").string(), variant.name(),
        arguments_of(config.fabric));
}

/// The first lines of a log with such a word, those that CMake adds to one included.
std::string lines_like(const std::string& log, const std::regex& word) {
    constexpr std::size_t kShown = 6;
    std::string shown;
    std::size_t count = 0;
    bool is_of_cmake = false;
    std::istringstream lines(log);
    for (std::string line; count < kShown && std::getline(lines, line);) {
        const bool goes_on = is_of_cmake && line.rfind("  ", 0) == 0;
        const bool is_shown = goes_on || std::regex_search(line, word);
        is_of_cmake = is_shown && (goes_on || line.rfind("CMake Error", 0) == 0);
        if (!is_shown) continue;
        shown += "\n  " + line;
        ++count;
    }
    return shown;
}

/// The errors of the tools, without those of make and the script that only says verilator failed;
/// the whole end of the log if there are none. Messages of CMake are indented below the line that
/// announces them.
std::string complaints(const std::string& log) {
    static const std::regex kError(
        "%Error(?!: Exiting due to)|error:|CMake Error(?! at .*/verilate\\.cmake)|fatal");
    static const std::regex kWarning("%Warning");
    for (const std::regex* const kind : {&kError, &kWarning}) {
        if (const std::string shown = lines_like(log, *kind); !shown.empty()) return shown;
    }
    return '\n' + last_lines(log);
}

/// Requires that the sources of the router are there.
void require_sources(const hw::RtlVariant& variant, const WorkloadConfig& config) {
    const Location where = config.where(config.fabric.rtl_key());
    for (const fs::path& needed :
         {rtl_sources_place() / "router.sv", verilated_sources() / "Routers.cmake",
          verilated_sources() / "verilated_router.cpp"}) {
        if (fs::is_regular_file(needed)) continue;
        throw ConfigError(
            where,
            fmt::format(
                "the router {} is not built, and its sources are not installed: there is no {}",
                variant.name(), needed.string()),
            "install the part dev of flitscope (Debian package libflitscope-dev)");
    }
    const RtlModule& module = config.fabric.rtl_module();
    const bool has_source =
        module.is_own() || !module.sources.empty() ||
        fs::is_regular_file(rtl_sources_place() / "foreign" / (module.top + ".sv"));
    if (has_source) return;
    throw ConfigError(where,
                      fmt::format("the router {} is not built, and flitscope has no module '{}'",
                                  variant.name(), module.top),
                      fmt::format("name its files: {{top: {0}, sources: [{0}.sv]}}", module.top));
}

/// CMake and make find the sources where they are, in separate files, in which many characters of a
/// name would have a meaning: `a$(shell ls).sv`.
void require_plain_names(const WorkloadConfig& config) {
    std::vector<fs::path> sources = hw::own_rtl_sources(config.fabric);
    const std::vector<std::string>& folders = config.fabric.rtl_module().include;
    sources.insert(sources.end(), folders.begin(), folders.end());
    for (const fs::path& source : sources) {
        const std::string path = fs::absolute(source).string();
        const auto odd = std::find_if(path.begin(), path.end(), [](char c) {
            const auto code = static_cast<unsigned char>(c);
            return code < 0x80 && std::isalnum(code) == 0 &&
                   std::string("_-+.,@~/' ").find(c) == std::string::npos;
        });
        if (odd == path.end()) continue;
        throw ConfigError(
            config.where(config.fabric.rtl_key()),
            fmt::format("the name of the source {} has a '{}', which CMake or make would take for "
                        "something else",
                        excerpt(path), *odd),
            "rename the file or its folder: letters, digits, blanks and any of _-+.,@~' will do");
    }
}

void require_programs(const std::string& name, const Location& where) {
    std::vector<std::string> missing;
    for (const std::string& program : kPrograms) {
        if (find_program(program).empty()) missing.push_back(program);
    }
    if (missing.empty()) return;
    throw ConfigError(where,
                      fmt::format("the router {} is not built, and to build it takes {}", name,
                                  fmt::join(missing, ", ")),
                      "install verilator, cmake, make and g++, which are Debian packages");
}

[[noreturn]] void fail_to_write(const fs::path& path, const std::error_code& why) {
    throw std::runtime_error(fmt::format(
        "cannot write {}: {} (the environment variable FLITSCOPE_CACHE names another folder)",
        path.string(), why.message()));
}

void make_router(const hw::RtlVariant& variant, const WorkloadConfig& config,
                 const fs::path& library) {
    const Location where = config.where(config.fabric.rtl_key());
    const std::string name = variant.name();
    std::cerr << "verilating " << name << ", once: it will be in "
              << printable(library.parent_path().string()) << '\n';
    const Stopwatch time;
    const SignalWatch watch;  // outlives the work, which is gone when the signal is met
    const WorkFolder work;
    work.write("CMakeLists.txt", project(variant, config));
    const auto run = [&](std::vector<std::string> arguments) {
        const bool is_done = run_tool({std::move(arguments), work.path(), kLog, {}},
                                      [] { return SignalWatch::caught() == 0; });
        if (!is_done) throw std::runtime_error("verilating " + name + " was interrupted");
    };
    try {
        run({find_program("cmake"), "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=Release"});
        run({find_program("cmake"), "--build", "build"});
    } catch (const std::runtime_error&) {
        if (SignalWatch::caught() != 0) throw;
        const fs::path log = library.parent_path() / kLog;
        std::error_code error;
        fs::copy_file(work.file(kLog), log, fs::copy_options::overwrite_existing, error);
        throw ConfigError(
            where,
            fmt::format("{} cannot be verilated:{}", name, complaints(read_file(work.file(kLog)))),
            fmt::format("all of it is in {}", log.string()));
    }
    RemovedBySignal removed;
    const std::string& partial = removed.create_file(library.string() + '.', ".partial");
    std::error_code error;
    fs::copy_file(work.file("made/" + name + ".so"), partial, fs::copy_options::overwrite_existing,
                  error);
    if (!error) fs::rename(partial, library, error);
    if (error) {
        const std::error_code why = error;
        fs::remove(partial, error);
        fail_to_write(library, why);
    }
    std::cerr << fmt::format("verilated in {:.0f} s\n", time.seconds());
}

/// The library in the cache, which is made first if it is missing.
fs::path find_or_make(const hw::RtlVariant& variant, const WorkloadConfig& config,
                      bool no_verilate) {
    require_sources(variant, config);
    require_plain_names(config);
    const fs::path folder = made_router_folder(variant, config);
    fs::path library = folder / (variant.name() + ".so");
    std::error_code error;
    if (fs::is_regular_file(library, error)) return library;
    if (no_verilate) {
        throw ConfigError(config.where(config.fabric.rtl_key()),
                          fmt::format("the router {} is not built, and --no-verilate keeps it from "
                                      "being verilated now",
                                      variant.name()),
                          "leave --no-verilate out once");
    }
    require_programs(variant.name(), config.where(config.fabric.rtl_key()));
    fs::create_directories(folder, error);
    if (error) fail_to_write(folder, error);
    const FolderLock lock(folder.string());
    if (!fs::is_regular_file(library, error)) make_router(variant, config, library);
    return library;
}

}  // namespace

hw::RtlLibraryMaker router_maker(bool no_verilate) {
    // All sources are read to find out: once for each router, however often its machine is built.
    auto known = std::make_shared<std::map<std::pair<std::string, std::string>, fs::path>>();
    return [no_verilate, known](const hw::RtlVariant& variant, const WorkloadConfig& config) {
        fs::path& library = (*known)[{variant.name(), hw::router_arguments(config.fabric)}];
        if (library.empty()) library = find_or_make(variant, config, no_verilate);
        return library;
    };
}

}  // namespace flitscope
