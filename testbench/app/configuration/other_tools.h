// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of other network simulators (BookSim, Garnet, Noxim), for users of those: their names here,
// and how units differ.
#pragma once

#include <vector>

#include "models/config/config_table.h"

namespace flitscope {

std::vector<OtherNames> names_of_other_tools();

}  // namespace flitscope
