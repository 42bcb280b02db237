// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The scopes and signals of a trace of occupancy, and their names.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "models/topology/graph.h"
#include "waveforms/binary_digits.h"
#include "waveforms/occupancy_file.h"

namespace flitscope {
namespace {

constexpr std::array<const char*, kChannelSignals> kSignalNames{
    "owner", "busy", "blocked", "source", "destination", "message", "step", "buffered"};

constexpr std::array<const char*, kAccessWidths.size()> kAccessNames{"access", "address",
                                                                     "initiator"};

}  // namespace

void OccupancyFile::declare(const TracedFabric& fabric, const TraceSelection& selection) {
    sink_->open_scope("fabric");
    if (!selection.links.empty()) {
        sink_->open_scope("links");
        for (const LinkId id : selection.links) {
            for (std::uint32_t plane = 0; plane < channels_.planes(); ++plane) {
                const ChannelId channel = channels_.link(id, plane);
                declare_channel(channel, "fabric.links.", channels_.name(channel), fabric);
            }
        }
        sink_->close_scope();
    }
    if (!selection.endpoints.empty()) {
        sink_->open_scope("endpoints");
        for (const NodeId node : selection.endpoints) declare_ends(node, true, fabric);
        for (const NodeId node : selection.endpoints) declare_ends(node, false, fabric);
        sink_->close_scope();
    }
    declare_overview(fabric);
    if (path_.causes().empty()) return;
    sink_->open_scope("critical");
    path_signal_ = declare_signal("cause", cause_bits());
    sink_->declare_words("cause", WordTable::kCause);
    declare_signal("channel", channel_bits());
    sink_->declare_words("channel", WordTable::kChannel);
    declare_signal("message", width_of(ChannelSignal::kMessage));
    sink_->close_scope();
}

SignalId OccupancyFile::declare_signal(const std::string& name, std::uint32_t width) {
    ++signals_;
    return sink_->declare(name, width);
}

void OccupancyFile::declare_overview(const TracedFabric& fabric) {
    const std::vector<Overview::Group>& groups = overview_.groups();
    if (groups.empty()) return;
    std::uint32_t links = 0;
    for (const Overview::Group& group : groups) links += group.links;
    for (const Link& link : graph_.links()) {
        const ChannelTiming timing = fabric.timings.link(link);
        const std::uint64_t buffered = std::uint64_t{timing.depth} * virtual_channels_;
        most_on_link_ = std::max(most_on_link_, std::max<std::uint64_t>(buffered, link.delay));
    }
    sink_->open_scope("overview");
    declare_counts("fabric.overview", "all links", links);
    steps_signal_ = declare_signal("oldest_step", 32);
    declare_signal("newest_step", 32);
    for (const char* const name : {"oldest_step", "newest_step"}) {
        overview_scopes_.back().signals.push_back(ranged_name(name, 32));
    }
    for (const Overview::Group& group : groups) {
        if (groups.size() == 1) break;
        const bool lies = group.dimension != kNoDimension;
        const std::string name = lies ? fmt::format("dimension_{}", group.dimension) : "others";
        sink_->open_scope(name);
        declare_counts("fabric.overview." + name,
                       lies ? fmt::format("dimension {}", group.dimension) : name, group.links);
        sink_->close_scope();
    }
    sink_->close_scope();
}

/// Declares the counts of a number of links.
void OccupancyFile::declare_counts(const std::string& path, const std::string& title,
                                   std::uint32_t links) {
    const std::uint64_t most_flits = links * most_on_link_;
    const std::uint32_t flit_bits = bit_length(most_flits);
    const std::uint32_t link_bits = bit_length(links);
    shown_groups_.push_back({declare_signal("flits_in_flight", flit_bits), most_flits, 0, 0});
    declare_signal("blocked_links", link_bits);
    overview_scopes_.push_back(
        {path,
         title,
         {ranged_name("flits_in_flight", flit_bits), ranged_name("blocked_links", link_bits)}});
}

/// The injection channels of a node, or its ejection channels.
void OccupancyFile::declare_ends(NodeId node, bool injection, const TracedFabric& fabric) {
    const auto declare = [&](ChannelId channel) {
        declare_channel(channel, "fabric.endpoints.", channels_.name(channel), fabric);
    };
    if (!graph_.has_per_link_endpoints()) {
        for (std::uint32_t plane = 0; plane < channels_.planes(); ++plane) {
            declare(injection ? channels_.injection(node, plane) : channels_.ejection(node, plane));
        }
        return;
    }
    const RouterId router = graph_.router_of(node);
    for (PortId port = graph_.local_ports(); port < graph_.port_count(); ++port) {
        const LinkId link =
            injection ? graph_.out_link(router, port) : graph_.in_link(router, port);
        if (link == kNoLink) continue;
        declare(injection ? channels_.injection_of(link) : channels_.ejection_of(link));
    }
}

void OccupancyFile::declare_channel(ChannelId channel, const std::string& parent,
                                    const std::string& name, const TracedFabric& fabric) {
    sink_->open_scope(name);
    if (virtual_channels_ == 1) {
        const std::uint32_t unit = declare_unit(channel, parent + name, kNone, false, fabric);
        unit_of_[slot(channel, 0)] = unit;
        whole_[channel] = unit;
    } else {
        const std::uint32_t sum = declare_unit(channel, parent + name, kNone, true, fabric);
        whole_[channel] = sum;
        for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
            const std::string scope = fmt::format("vc{}", vc);
            sink_->open_scope(scope);
            unit_of_[slot(channel, vc)] =
                declare_unit(channel, parent + name + "." + scope, sum, false, fabric);
            sink_->close_scope();
        }
    }
    sink_->close_scope();
}

std::uint32_t OccupancyFile::declare_unit(ChannelId channel, const std::string& path,
                                          std::uint32_t sum, bool is_sum,
                                          const TracedFabric& fabric) {
    Unit unit;
    unit.sum = sum;
    unit.is_sum = is_sum;
    const bool is_link = channels_.is_link(channel);
    if (is_link) unit.group = overview_.group_of(graph_.link(channels_.link_of(channel)));
    std::uint32_t signals = kChannelSignals;
    const ChannelTiming timing = fabric.timings.of(graph_, channel);
    unit.has_details = details_ && !is_sum;
    unit.shows_fifo = unit.has_details && timing.has_fifo();
    if (!unit.has_details) {
        signals = offset(ChannelSignal::kBlocked) + 1;
    } else if (!unit.shows_fifo) {
        signals = offset(ChannelSignal::kStep) + 1;  // an interface consumes at once
    }
    if (unit.shows_fifo) {
        unit.line = lines_.of(timing.delay - 1);  // the cycle before a flit is visible
    } else if (is_link && !is_sum && !timing.has_fifo()) {
        unit.line = lines_.of(graph_.link(channels_.link_of(channel)).delay);
    }
    for (std::uint32_t i = 0; i < signals; ++i) {
        const SignalId id = declare_signal(kSignalNames[i], widths_[i]);
        if (i != 0) continue;
        unit.first_signal = id;
        sink_->declare_words(kSignalNames[i], WordTable::kOwner);
    }
    const bool has_critical = !path_.causes().empty() && sum == kNone;
    if (has_critical) {
        declare_signal("critical", cause_bits());
        sink_->declare_words("critical", WordTable::kCause);
    }
    const bool has_access = numbers_.labels() != nullptr && unit.has_details;
    for (std::size_t i = 0; has_access && i < kAccessNames.size(); ++i) {
        declare_signal(kAccessNames[i], kAccessWidths[i]);
        if (i == 0) sink_->declare_words(kAccessNames[i], WordTable::kAccess);
    }
    scopes_.push_back({channel, path, sum != kNone, signals, has_critical});
    units_.push_back(unit);
    blocked_cycles_.push_back(0);
    return static_cast<std::uint32_t>(units_.size() - 1);
}

std::string OccupancyFile::signal_name(ChannelSignal signal) const {
    return ranged_name(kSignalNames[offset(signal)], width_of(signal));
}

std::vector<std::string> OccupancyFile::path_signals() const {
    return {ranged_name("cause", cause_bits()), ranged_name("channel", channel_bits()),
            signal_name(ChannelSignal::kMessage)};
}

std::string OccupancyFile::critical_name() const { return ranged_name("critical", cause_bits()); }

std::uint32_t OccupancyFile::cause_bits() const { return bit_length(path_.causes().size() - 1); }
std::uint32_t OccupancyFile::channel_bits() const { return bit_length(channels_.count() - 1); }

}  // namespace flitscope
