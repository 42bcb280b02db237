// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/plot.h"

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/file_text.h"
#include "models/base/output_file.h"
#include "testbench/app/gate_synthesis/tool_process.h"
#include "testbench/app/gate_synthesis/toolchain.h"
#include "testbench/app/gate_synthesis/work_folder.h"
#include "testbench/app/report/plot_script.h"
#include "testbench/app/study/worker_pool.h"

namespace flitscope {

Plot plot_at(const std::string& path, const std::vector<std::string>& suffixes) {
    const std::filesystem::path file(path);
    const Location where{"--plot " + path, 0, 0};
    if (file.extension() != ".svg") {
        throw ConfigError(where, "not a known kind of picture", "name it .svg");
    }
    require_writable(path, where);
    const std::string base = std::filesystem::path(path).replace_extension().string();
    require_writable(base + ".csv", where);
    for (const std::string& suffix : suffixes) {
        for (const char* const ending : {".svg", ".csv"}) {
            require_writable(base + suffix + ending, where);
        }
    }
    Plot plot;
    plot.name = file.stem().string();
    return plot;
}

std::string plot_folder(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

bool can_draw() { return !find_program("gnuplot").empty(); }

DrawnPlot drawn(const Plot& plot) {
    const SignalWatch watch;  // outlives the work, which is gone when the signal is met
    const WorkFolder work;
    for (const GnuplotFile& file : gnuplot_files(plot)) work.write(file.name, file.text);
    if (!run_tool({{"gnuplot", kPlotScript}, work.path(), "log", {}}, [] { return true; })) {
        throw study::Cancelled{};
    }
    return {plot_data(plot), read_file(work.file(kPlotPicture))};
}

void draw(const std::string& folder, const Plot& plot) {
    const DrawnPlot files = drawn(plot);
    const std::string base = folder + "/" + plot.name;
    write_whole_file(base + ".csv", [&](std::ostream& out) { out << files.data; });
    write_whole_file(base + ".svg", [&](std::ostream& out) { out << files.picture; });
}

}  // namespace flitscope
