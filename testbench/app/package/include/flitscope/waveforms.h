// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The CMake component `waveforms`: the events in a fabric as a file for a viewer. A Network that is
// given NetworkOptions::trace does all of this by itself; this is for your own fabrics and events,
// over your own Graph. A RunTrace is a ChannelObserver: pass it the events, then finish() it.
#pragma once

#include "models/config/config.h"
#include "models/topology/graph.h"
#include "waveforms/formats.h"
#include "waveforms/run_trace.h"
