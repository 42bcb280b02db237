// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "waveforms/gtkwave_filters.h"

#include <fmt/format.h>

#include "models/topology/channel_map.h"

namespace flitscope {

std::string owner_filter_path(const std::string& trace_path) { return trace_path + ".owners"; }

std::string cause_filter_path(const std::string& trace_path) { return trace_path + ".causes"; }

std::string channel_filter_path(const std::string& trace_path) { return trace_path + ".channels"; }

std::string buffered_filter_path(const std::string& trace_path) { return trace_path + ".buffered"; }

bool is_overfull(const OccupancyFile& trace) {
    return trace.most_buffered() > trace.buffer_depth();
}

std::string cause_filter(const std::vector<PathCause>& causes) {
    std::string text;
    for (std::size_t i = 0; i < causes.size(); ++i) {
        text += fmt::format("{} {}{}\n", i, causes[i].waits ? kBlockedColor : kBusyColor,
                            causes[i].name);
    }
    return text;
}

std::string buffered_filter(const OccupancyFile& trace) {
    std::string text;
    for (std::uint32_t flits = trace.buffer_depth() + 1; flits <= trace.most_buffered(); ++flits) {
        text += fmt::format("{} {}{} of {}\n", flits, kBlockedColor, flits, trace.buffer_depth());
    }
    return text;
}

std::string channel_filter(const OccupancyFile& trace) {
    const ChannelMap channels(trace.graph());
    std::string text;
    for (const ChannelId channel : trace.path().channels()) {
        text += fmt::format("{} {}{}\n", channel, kBusyColor, channels.name(channel));
    }
    return text;
}

}  // namespace flitscope
