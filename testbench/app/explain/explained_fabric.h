// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which fabrics the histories of this folder can interpret.
#pragma once

#include <string>

namespace flitscope {

struct Config;

/// Throws ConfigError, of the key, for several planes ("explain supports one plane"), for queues
/// between switch and links ("explain knows no queues ..."), since a history takes a flit out of
/// its FIFO in the cycle in which it leaves the router, and for receives that begin with the first
/// flit of their message, whose causes are then those of a second time, the end of the message.
void require_explained_fabric(const Config& config, const std::string& what);

}  // namespace flitscope
