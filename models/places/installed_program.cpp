// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// For an installed program: all files are located relative to the program, so the installation can
// be moved. Nothing is searched for.
#include <system_error>

#include "models/places/places.h"

namespace flitscope {
namespace {

/// `relative` to the folder of the program that runs.
std::filesystem::path beside_program(const char* relative) {
    std::error_code unknown;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", unknown);
    if (unknown) return {};
    return (program.parent_path() / relative).lexically_normal();
}

}  // namespace

std::filesystem::path verilated_routers_place() {
    return beside_program(FLITSCOPE_INSTALLED_ROUTERS);
}

std::filesystem::path rtl_sources_place() { return beside_program(FLITSCOPE_INSTALLED_RTL); }

std::filesystem::path headers_place() { return beside_program(FLITSCOPE_INSTALLED_HEADERS); }

}  // namespace flitscope
