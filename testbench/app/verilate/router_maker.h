// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Verilates the routers that a configuration asks for and that are not built. They are kept in the
// cache, under a name that changes with everything that they are made of: parameters, sources,
// tools. Other processes that ask for the same router wait for it.
#pragma once

#include "hw/verilated/rtl_routers.h"

namespace flitscope {

/// A maker for hw::set_rtl_library_maker(). It says on standard error what it is doing, since that
/// takes some ten seconds. Throws ConfigError when a router would have to be made and
/// `no_verilate`, when programs are missing, and, with their messages, when these fail;
/// std::runtime_error when it is interrupted or the disk does not take the result.
hw::RtlLibraryMaker router_maker(bool no_verilate);

}  // namespace flitscope
