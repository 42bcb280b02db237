// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The CMake component `waveforms`: what goes on in a fabric as a file for a viewer. A Network that
// is given NetworkOptions::trace does all of this by itself; this is for fabrics and events of your
// own, over a Graph of yours. A RunTrace is a ChannelObserver: tell it what goes on, then finish()
// it.
#pragma once

#include "models/config/config.h"
#include "models/topology/graph.h"
#include "waveforms/formats.h"
#include "waveforms/run_trace.h"
