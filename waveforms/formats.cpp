// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "waveforms/formats.h"

#include "models/base/diagnostics.h"
#include "waveforms/event_trace.h"
#include "waveforms/fst_writer.h"
#include "waveforms/occupancy_trace.h"
#include "waveforms/vcd_writer.h"

namespace flitscope {
namespace {

template <class Writer>
std::unique_ptr<WaveSink> create(const std::string& path, const std::string& timescale,
                                 const std::string& comment) {
    return std::make_unique<Writer>(path, timescale, comment);
}

std::unique_ptr<RunTrace> open_signals(const std::string& path, const Config& config,
                                       const Graph& graph, const std::vector<PathCause>& causes,
                                       const MessageNumbers& numbers) {
    return open_trace(path, config, graph, causes, numbers);
}

std::unique_ptr<RunTrace> open_events(const std::string& path, const Config& config,
                                      const Graph& graph, const std::vector<PathCause>& causes,
                                      const MessageNumbers& numbers) {
    return std::make_unique<EventTrace>(path, config, graph, causes, numbers);
}

bool ends_with(const std::string& text, const std::string& tail) {
    return text.size() >= tail.size() &&
           text.compare(text.size() - tail.size(), tail.size(), tail) == 0;
}

}  // namespace

const std::vector<WaveformFormat>& waveform_formats() {
    static const std::vector<WaveformFormat> kFormats = {
        {".vcd", "text, read by every viewer", create<VcdWriter>, open_signals},
        {".fst", "small, for GTKWave", create<FstWriter>, open_signals},
        {".json", "Chrome's trace events, for Perfetto", nullptr, open_events},
    };
    return kFormats;
}

const WaveformFormat& waveform_format_of(const std::string& path) {
    std::string hint;
    for (const WaveformFormat& format : waveform_formats()) {
        if (ends_with(path, format.extension)) return format;
        hint +=
            (hint.empty() ? "end it in " : " or ") + format.extension + " (" + format.summary + ')';
    }
    throw ConfigError(Location{path},
                      "the file extension selects the format of a trace, and this one is unknown",
                      hint);
}

std::unique_ptr<RunTrace> open_run_trace(const std::string& path, const Config& config,
                                         const Graph& graph, const std::vector<PathCause>& causes,
                                         const MessageNumbers& numbers) {
    return waveform_format_of(path).open(path, config, graph, causes, numbers);
}

}  // namespace flitscope
