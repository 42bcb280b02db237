// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The formats of traces, one row each; the name of a trace selects one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "waveforms/run_trace.h"
#include "waveforms/wave_sink.h"

namespace flitscope {

class Graph;
struct Config;

struct WaveformFormat {
    std::string extension;  ///< ".vcd"
    std::string summary;    ///< "text, read by every viewer"
    /// Creates the file `path`. `timescale` is one tick ("1ps"); `comment` is shown by readers.
    /// Throws ConfigError when the file cannot be created. Null: it holds no signals.
    std::unique_ptr<WaveSink> (*create)(const std::string& path, const std::string& timescale,
                                        const std::string& comment);
    /// open_run_trace() of this format.
    std::unique_ptr<RunTrace> (*open)(const std::string& path, const Config& config,
                                      const Graph& graph, const std::vector<PathCause>& causes,
                                      const MessageNumbers& numbers);
};

const std::vector<WaveformFormat>& waveform_formats();

/// Throws ConfigError when the name of `path` says no format.
const WaveformFormat& waveform_format_of(const std::string& path);

}  // namespace flitscope
