// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "waveforms/formats.h"

#include "models/base/diagnostics.h"
#include "waveforms/fst_writer.h"
#include "waveforms/vcd_writer.h"

namespace flitscope {
namespace {

template <class Writer>
std::unique_ptr<TraceSink> create(const std::string& path, const std::string& timescale,
                                  const std::string& comment) {
    return std::make_unique<Writer>(path, timescale, comment);
}

bool ends_with(const std::string& text, const std::string& tail) {
    return text.size() >= tail.size() &&
           text.compare(text.size() - tail.size(), tail.size(), tail) == 0;
}

}  // namespace

const std::vector<WaveformFormat>& waveform_formats() {
    static const std::vector<WaveformFormat> kFormats = {
        {".vcd", "text, read by every viewer", create<VcdWriter>},
        {".fst", "small, for GTKWave", create<FstWriter>},
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
    throw ConfigError(Location{path}, "the name of a trace says its format, and this one does not",
                      hint);
}

}  // namespace flitscope
