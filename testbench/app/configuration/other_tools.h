// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of other network simulators (BookSim, Garnet, Noxim), for users of those: their names here,
// and how units differ. And those of earlier versions.
#pragma once

#include <vector>

#include "models/config/config_table.h"

namespace flitscope {

std::vector<OtherNames> names_of_other_tools();
/// What keys and values were called before 0.2.
std::vector<FormerName> former_names();

}  // namespace flitscope
