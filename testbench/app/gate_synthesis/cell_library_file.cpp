// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/cell_library_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/environment.h"
#include "models/base/words.h"

namespace flitscope {
namespace {

namespace fs = std::filesystem;

/// A library that flitscope knows by name.
struct KnownLibrary {
    const char* name;
    const char* process;
    const char* package;  ///< of Debian 12; nullptr: it is part of a process design kit
    /// Where its file is: absolute; or in the folder of process design kits as open_pdks and ciel
    /// lay them out, and as the platforms of OpenROAD-flow-scripts do.
    std::array<const char*, 2> places;
};

constexpr const char* kSky130 =
    "sky130A/libs.ref/sky130_fd_sc_hd/lib/sky130_fd_sc_hd__tt_025C_1v80.lib";
constexpr const char* kSky130Platform = "sky130hd/lib/sky130_fd_sc_hd__tt_025C_1v80.lib";

constexpr std::array<KnownLibrary, 6> kKnown = {{
    {"osu018",
     "0.18 um",
     "qflow-tech-osu018",
     {"/usr/share/qflow/tech/osu018/osu018_stdcells.lib"}},
    {"osu035",
     "0.35 um",
     "qflow-tech-osu035",
     {"/usr/share/qflow/tech/osu035/osu035_stdcells.lib"}},
    {"osu050", "0.5 um", "qflow-tech-osu050", {"/usr/share/qflow/tech/osu050/osu05_stdcells.lib"}},
    {"sky130A", "0.13 um", nullptr, {kSky130, kSky130Platform}},
    {"sky130hd", "0.13 um", nullptr, {kSky130, kSky130Platform}},
    {"ihp-sg13g2",
     "0.13 um",
     nullptr,
     {"ihp-sg13g2/libs.ref/sg13g2_stdcell/lib/sg13g2_stdcell_typ_1p20V_25C.lib",
      "ihp-sg13g2/lib/sg13g2_stdcell_typ_1p20V_25C.lib"}},
}};

bool is_file(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error);
}

/// The folders that have one of a process each.
std::vector<fs::path> kit_folders() {
    std::vector<fs::path> folders;
    const std::string kits = environment("PDK_ROOT");
    const std::string flow = environment("FLOW_HOME");
    if (!kits.empty()) folders.emplace_back(kits);
    if (!flow.empty()) folders.push_back(fs::path(flow) / "platforms");
    return folders;
}

/// The file of a library: the first of its places where there is one, else the first place.
std::string place_of(const KnownLibrary& known) {
    std::vector<fs::path> folders = kit_folders();
    if (folders.empty()) folders.emplace_back("$PDK_ROOT");
    for (const fs::path& folder : folders) {
        for (const char* const place : known.places) {
            // An absolute place stays as it is.
            if (place != nullptr && is_file(folder / place)) return fs::absolute(folder / place);
        }
    }
    return (folders.front() / known.places.front()).string();
}

std::string how_to_get(const KnownLibrary& known) {
    if (known.package != nullptr) return std::string("Debian 12's package ") + known.package;
    return "set PDK_ROOT to the folder of the process design kits, or FLOW_HOME to that of "
           "OpenROAD-flow-scripts";
}

/// The name of a file without .lib or .lib.gz; empty if it ends in neither.
std::string stem(const fs::path& file) {
    const std::string name = file.filename().string();
    for (const std::string end : {".lib", ".lib.gz"}) {
        if (name.size() > end.size() &&
            name.compare(name.size() - end.size(), end.size(), end) == 0) {
            return name.substr(0, name.size() - end.size());
        }
    }
    return {};
}

/// The libraries in a folder, in order of their names.
std::vector<fs::path> libraries_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        if (!stem(it->path()).empty() && is_file(it->path())) files.push_back(it->path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<std::string> parts_of(const std::string& name) { return words_of(name, "_"); }

/// Where the parts begin in a name, one after the other; its end if they are not there.
std::size_t place_in(const std::vector<std::string>& name, const std::vector<std::string>& parts) {
    const auto found = std::search(name.begin(), name.end(), parts.begin(), parts.end());
    return static_cast<std::size_t>(found - name.begin());
}

[[noreturn]] void refuse_several(const std::string& named, const std::vector<fs::path>& files) {
    std::vector<std::string> names;
    for (const fs::path& file : files) names.push_back(stem(file));
    throw ConfigError({named, 0, 0}, fmt::format("{} libraries there have this name", files.size()),
                      fmt::format("name one of the files: {}", fmt::join(names, ", ")));
}

/// The file beside `file` whose name has the corner where that of `file` has its own; empty if
/// there is none.
std::string file_of_corner(const fs::path& file, const std::string& corner) {
    const std::vector<std::string> own = parts_of(stem(file));
    const std::vector<std::string> wanted = parts_of(corner);
    std::vector<fs::path> found;
    for (const fs::path& other : libraries_in(file.parent_path())) {
        if (stem(other) == corner) return other.string();  // as refuse_several() advises
        const std::vector<std::string> parts = parts_of(stem(other));
        const std::size_t place = place_in(parts, wanted);
        if (wanted.empty() || place == parts.size() || place == 0 || place > own.size()) continue;
        const auto begin = parts.begin();
        if (std::equal(begin, begin + static_cast<std::ptrdiff_t>(place), own.begin())) {
            found.push_back(other);
        }
    }
    if (found.size() > 1) refuse_several("--corner " + corner, found);
    return found.empty() ? std::string() : found.front().string();
}

/// The typical library in the folder that has the name of a process; empty if there is none.
std::string file_of_process(const std::string& name) {
    std::vector<fs::path> found;
    for (const fs::path& kits : kit_folders()) {
        std::vector<fs::path> folders = {kits / name / "lib"};
        std::error_code error;
        for (fs::directory_iterator it(kits / name / "libs.ref", error), end; !error && it != end;
             it.increment(error)) {
            folders.push_back(it->path() / "lib");
        }
        for (const fs::path& folder : folders) {
            for (const fs::path& file : libraries_in(folder)) {
                const std::vector<std::string> parts = parts_of(lower_case(stem(file)));
                const auto is_typical = [](const std::string& part) {
                    return part == "tt" || part == "typ" || part == "typical";
                };
                if (std::any_of(parts.begin(), parts.end(), is_typical)) found.push_back(file);
            }
        }
        if (!found.empty()) break;
    }
    if (found.size() > 1) refuse_several(name, found);
    return found.empty() ? std::string() : found.front().string();
}

/// Without a corner.
CellLibraryFile typical_file(const std::string& library) {
    for (const KnownLibrary& known : kKnown) {
        if (library != known.name) continue;
        return {known.name, place_of(known), how_to_get(known), known.process, ""};
    }
    std::string file = is_file(library) ? library : "";
    if (file.empty() && !library.empty() && library.find('/') == std::string::npos) {
        file = file_of_process(library);
    }
    if (file.empty()) {
        throw ConfigError({library.empty() ? "synthesis" : library, 0, 0},
                          "there is no such cell library", cell_library_choices());
    }
    return {library, fs::absolute(file).lexically_normal(), "", "", ""};
}

}  // namespace

CellLibraryFile cell_library_file(const std::string& library, const std::string& corner) {
    CellLibraryFile file = typical_file(library);
    if (corner.empty()) return file;
    const std::string other = file_of_corner(file.liberty, corner);
    if (other.empty()) {
        file.corner = corner;
    } else {
        file.liberty = other;
    }
    return file;
}

std::vector<CellLibraryFile> known_cell_libraries() {
    std::vector<CellLibraryFile> files;
    for (const KnownLibrary& known : kKnown) files.push_back(cell_library_file(known.name));
    return files;
}

std::string cell_library_choices() {
    std::vector<std::string> names;
    for (const KnownLibrary& known : kKnown) names.emplace_back(known.name);
    return fmt::format(
        "a file in liberty format, one of {}, or a folder of PDK_ROOT or FLOW_HOME/platforms",
        fmt::join(names, ", "));
}

}  // namespace flitscope
