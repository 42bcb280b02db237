// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Verilates the routers that a configuration asks for and nobody has built. They are kept in the
// cache, under a name that changes with everything that they are made of: parameters, sources,
// tools. Other processes that ask for the same one meanwhile wait for it.
#pragma once

#include "hw/verilated/rtl_routers.h"

namespace flitscope {

/// For hw::set_rtl_library_maker(). What it is doing is said on standard error, since it takes some
/// ten seconds. It throws ConfigError when a router would have to be made and `is_offline`, when
/// programs are missing, and, with what they complain about, when these fail; std::runtime_error
/// when it is interrupted or the disk does not take the result.
hw::RtlLibraryMaker router_maker(bool is_offline);

}  // namespace flitscope
