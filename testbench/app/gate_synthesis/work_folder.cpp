// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/work_folder.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "models/base/environment.h"

namespace flitscope {
namespace {

std::string temporary_folder() {
    const std::string folder = environment("TMPDIR");
    return !folder.empty() && folder.front() == '/' ? folder : "/tmp";
}

}  // namespace

WorkFolder::WorkFolder() {
    const std::string folder = temporary_folder();
    path_ = removed_.create_folder(folder + "/flitscope.", 0700);
    if (path_.empty()) fail_in_temporary_folder("create a temporary folder in " + folder);
}

void WorkFolder::write(const std::string& name, const std::string& text) const {
    std::ofstream out(file(name), std::ios::binary);
    out << text;
    out.close();
    if (!out) fail_in_temporary_folder("write the temporary file " + file(name));
}

WorkFolder::~WorkFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
}

}  // namespace flitscope
