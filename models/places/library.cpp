// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Of the library in somebody else's program, which says where its routers are.
#include "models/places/places.h"

namespace flitscope {

std::filesystem::path verilated_routers_place() { return {}; }

std::filesystem::path rtl_sources_place() { return {}; }

std::filesystem::path headers_place() { return {}; }

std::string how_to_verilate(const std::string& variant) {
    return "verilate it with flitscope_add_router(" + variant +
           ") of the CMake package flitscope, and name its folder in NetworkOptions::rtl_libraries";
}

}  // namespace flitscope
