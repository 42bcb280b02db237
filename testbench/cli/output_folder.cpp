// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/cli/output_folder.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "models/diagnostics.h"

namespace flitscope::cli {

OutputFolder::OutputFolder(std::string path) : path_(std::move(path)) {
    if (!used()) return;
    const Location where{"--out " + path_, 0, 0};
    std::error_code error;
    std::filesystem::create_directories(path_, error);
    if (error) throw ConfigError(where, "cannot create the folder: " + error.message());
    const std::string probe = path_ + "/.flitscope";
    const bool writable = static_cast<bool>(std::ofstream(probe));
    std::filesystem::remove(probe, error);
    if (!writable) throw ConfigError(where, "cannot write to the folder");
}

void OutputFolder::write(const std::string& name,
                         const std::function<void(std::ostream&)>& content) const {
    const std::string file = path_ + "/" + name;
    const std::string partial = file + ".partial";
    {
        std::ofstream out(partial);
        content(out);
        out.close();
        if (!out) {
            std::remove(partial.c_str());
            throw std::runtime_error("cannot write " + file);
        }
    }
    if (std::rename(partial.c_str(), file.c_str()) != 0) {
        throw std::runtime_error("cannot rename " + partial + " to " + name);
    }
}

}  // namespace flitscope::cli
