// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// For the library in a user's program, which sets the place of its routers.
#include "models/places/places.h"

namespace flitscope {

std::filesystem::path verilated_routers_place() { return {}; }

std::filesystem::path rtl_sources_place() { return {}; }

std::filesystem::path headers_place() { return {}; }

}  // namespace flitscope
