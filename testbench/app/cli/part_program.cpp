// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/part_program.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "models/base/diagnostics.h"

namespace flitscope::cli {

std::string beside_this_program(const std::string& name) {
    std::error_code unknown;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", unknown);
    return (self.parent_path() / name).string();
}

void become_program(const std::string& name, const Options& options) {
    const std::string program = beside_this_program(name);
    std::vector<std::string> arguments = options.arguments;
    std::vector<char*> words{const_cast<char*>(program.c_str())};
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    execv(program.c_str(), words.data());
    throw ConfigError({options.typed, 0, 0},
                      "the program " + program + " carries this out, and cannot be run: " +
                          std::generic_category().message(errno),
                      "./dev build builds all programs; an installation has it beside flitscope");
}

}  // namespace flitscope::cli
