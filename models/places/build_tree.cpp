// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// For programs that run in their build tree, including tests.
#include "models/places/places.h"

namespace flitscope {

std::filesystem::path verilated_routers_place() { return FLITSCOPE_BUILT_ROUTERS; }

std::filesystem::path rtl_sources_place() { return FLITSCOPE_RTL_SOURCES; }

std::filesystem::path headers_place() { return FLITSCOPE_HEADERS; }

}  // namespace flitscope
