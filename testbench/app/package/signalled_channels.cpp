// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/package/signalled_channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "models/topology/channel_map.h"

namespace flitscope {
namespace {

/// Whether `name` is the pattern, in which `*` stands for any characters.
bool matches(std::string_view pattern, std::string_view name) {
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos) return pattern == name;
    if (name.substr(0, star) != pattern.substr(0, star)) return false;
    const std::string_view rest = pattern.substr(star + 1);
    for (std::size_t from = star; from <= name.size(); ++from) {
        if (matches(rest, name.substr(from))) return true;
    }
    return false;
}

Diagnostic no_channel(const Config& config, const std::string& pattern,
                      const std::vector<std::string>& names) {
    const std::string near = nearest(pattern, names);
    return {{config.source, 0, 0},
            fmt::format("there is no channel '{}' to be a signal", pattern),
            near.empty() ? fmt::format("channels are called as {}; * stands for any characters",
                                       names.front())
                         : fmt::format("did you mean '{}'?", near)};
}

}  // namespace

void sc_trace(sc_core::sc_trace_file* file, const ChannelSignals& signals,
              const std::string& name) {
    sc_core::sc_trace(file, signals.busy, name + "_busy");
    sc_core::sc_trace(file, signals.blocked, name + "_blocked");
    sc_core::sc_trace(file, signals.message, name + "_message");
    sc_core::sc_trace(file, signals.source, name + "_source");
    sc_core::sc_trace(file, signals.destination, name + "_destination");
}

SignalledChannels::SignalledChannels(sc_core::sc_module_name name, const Config& config,
                                     const Graph& graph, const std::vector<std::string>& patterns)
    : sc_module(name),
      period_(config.clock_ns, sc_core::SC_NS),
      vcs_(config.fabric.virtual_channels) {
    const ChannelMap map(graph);
    const std::vector<std::string> names = map.names();
    place_of_.assign(map.count(), kNone);
    std::vector<bool> chosen(map.count(), false);
    std::vector<Diagnostic> findings;
    for (const std::string& pattern : patterns) {
        bool is_found = false;
        for (ChannelId channel = 0; channel < map.count(); ++channel) {
            if (!matches(pattern, names[channel])) continue;
            chosen[channel] = is_found = true;
        }
        if (!is_found) findings.push_back(no_channel(config, pattern, names));
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
    for (ChannelId channel = 0; channel < map.count(); ++channel) {
        if (!chosen[channel]) continue;
        place_of_[channel] = static_cast<std::uint32_t>(signals_.size());
        signals_.push_back(std::make_unique<ChannelSignals>(names[channel], channel));
    }
    virtual_channels_.resize(signals_.size() * vcs_);
    SC_METHOD(update);
    sensitive << due_;
    dont_initialize();
}

void SignalledChannels::on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                                 Cycle cycle) {
    if (VirtualChannel* const of = changed(channel, vc, cycle)) {
        of->is_held = true;
        of->message = message;
    }
}

void SignalledChannels::on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId /*popped*/,
                                      std::uint32_t /*popped_vc*/, Cycle cycle) {
    if (VirtualChannel* const of = changed(channel, vc, cycle)) of->sends = true;
}

void SignalledChannels::on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    if (VirtualChannel* const of = changed(channel, vc, cycle)) of->sends = false;
}

void SignalledChannels::on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    if (VirtualChannel* const of = changed(channel, vc, cycle)) of->is_held = false;
}

SignalledChannels::VirtualChannel* SignalledChannels::changed(ChannelId channel, std::uint32_t vc,
                                                              Cycle cycle) {
    const std::uint32_t place = place_of_[channel];
    if (place == kNone) return nullptr;
    const Cycle now = sc_core::sc_time_stamp().value() / period_.value();
    if (cycle != now) {
        throw std::logic_error(
            fmt::format("an event of cycle {} was reported in cycle {}", cycle, now));
    }
    if (changed_.empty()) due_.notify(sc_core::SC_ZERO_TIME);
    changed_.push_back(place);
    return &virtual_channels_[std::size_t{place} * vcs_ + vc];
}

void SignalledChannels::update() {
    for (const std::uint32_t place : changed_) show(place);
    changed_.clear();
}

/// Shows the packet that sends, otherwise the one in the first virtual channel that is held.
void SignalledChannels::show(std::uint32_t place) {
    const VirtualChannel* const first = &virtual_channels_[std::size_t{place} * vcs_];
    const VirtualChannel* const end = first + vcs_;
    const auto* shown = std::find_if(first, end, [](const auto& vc) { return vc.sends; });
    const bool is_busy = shown != end;
    if (!is_busy) shown = std::find_if(first, end, [](const auto& vc) { return vc.is_held; });
    const bool is_held = shown != end;
    ChannelSignals& signals = *signals_[place];
    signals.busy.write(is_busy);
    signals.blocked.write(is_held && !is_busy);
    signals.message.write(is_held ? shown->message.id : kNoMessage);
    signals.source.write(is_held ? shown->message.source : kNoNode);
    signals.destination.write(is_held ? shown->message.destination : kNoNode);
}

}  // namespace flitscope
