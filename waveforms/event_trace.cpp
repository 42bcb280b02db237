// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The format is that of "Trace Event Format" (Google, 2016). Events of a cycle are collected and
// written, by track, when the cycle is complete: so their order does not matter.
#include "waveforms/event_trace.h"

#include <fmt/compile.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>

#include "models/base/json_string.h"
#include "models/config/config.h"
#include "models/topology/graph.h"

namespace flitscope {

namespace {

// The "processes" that tracks are grouped by.
constexpr int kNodes = 1;
constexpr int kLinks = 2;
constexpr int kOverview = 3;
constexpr int kPath = 4;

int process_of(const ChannelMap& map, std::size_t channel) {
    return map.is_link(static_cast<ChannelId>(channel)) ? kLinks : kNodes;
}

}  // namespace

EventTrace::EventTrace(const std::string& path, const Config& config, const Graph& graph,
                       const std::vector<PathCause>& causes, const MessageNumbers& numbers)
    : file_(path),
      graph_(graph),
      map_(graph),
      virtual_channels_(config.fabric.virtual_channels),
      has_fifos_(ChannelTimings(config.fabric).buffer_depth != 0),
      format_(config.packet_format()),
      axis_(make_time_axis(config.clock_ns)),
      from_(config.trace.from),
      until_(config.trace.until),
      tracks_(static_cast<std::size_t>(map_.count()) * virtual_channels_),
      channels_(map_.count()),
      overview_(graph, select_channels(config, graph).links),
      causes_(causes),
      numbers_(numbers),
      keeps_flows_(config.node.retransmit.has_value()) {
    Config with_nodes = config;  // messages begin and end at nodes
    with_nodes.trace.endpoints = true;
    text_ += fmt::format(
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"version\":\"flitscope\","
        "\"network\":{},\"clock_ns\":{}}},\"traceEvents\":[",
        json_string(graph.description()), config.clock_ns);
    declare(select_channels(with_nodes, graph));
}

void EventTrace::name_process(int process, const char* name) {
    begin_event();
    text_ += fmt::format(
        "\"ph\":\"M\",\"pid\":{0},\"name\":\"process_name\",\"args\":{{\"name\":\"{1}"
        "\"}}}},\n{{\"ph\":\"M\",\"pid\":{0},\"name\":\"process_sort_index\",\"args\":"
        "{{\"sort_index\":{0}}}}}",
        process, name);
}

void EventTrace::declare(const TraceSelection& selection) {
    has_spans_.resize(graph_.node_count());
    for (const NodeId node : selection.endpoints) has_spans_[node] = true;
    name_process(kNodes, "nodes");
    name_process(kLinks, "links");
    name_process(kOverview, "overview");
    if (!causes_.empty()) name_process(kPath, "critical path");
    std::uint32_t sort_index = 0;
    // Sends and receipts of a node are neighbours.
    for (const NodeId node : selection.endpoints) {
        if (!graph_.has_per_link_endpoints()) {
            for (std::uint32_t plane = 0; plane < map_.planes(); ++plane) {
                declare_track(map_.injection(node, plane), sort_index++);
                declare_track(map_.ejection(node, plane), sort_index++);
            }
            continue;
        }
        const RouterId router = graph_.router_of(node);
        for (PortId port = graph_.local_ports(); port < graph_.port_count(); ++port) {
            const LinkId out = graph_.out_link(router, port);
            if (out != kNoLink) declare_track(map_.injection_of(out), sort_index++);
        }
        for (PortId port = graph_.local_ports(); port < graph_.port_count(); ++port) {
            const LinkId in = graph_.in_link(router, port);
            if (in != kNoLink) declare_track(map_.ejection_of(in), sort_index++);
        }
    }
    for (const LinkId id : selection.links) {
        const Link& link = graph_.link(id);
        for (std::uint32_t plane = 0; plane < map_.planes(); ++plane) {
            Channel& channel = channels_[map_.link(id, plane)];
            channel.group = overview_.group_of(link);
            if (!has_fifos_) channel.line = lines_.of(link.delay);
            declare_track(map_.link(id, plane), sort_index++);
        }
    }
}

void EventTrace::declare_track(ChannelId channel, std::uint32_t sort_index) {
    for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
        const std::size_t track = track_of(channel, vc);
        tracks_[track].is_shown = true;
        std::string name = map_.name(channel);
        if (virtual_channels_ > 1) name += fmt::format(" vc{}", vc);
        begin_event();
        text_ += fmt::format(
            "\"ph\":\"M\",\"pid\":{0},\"tid\":{1},\"name\":\"thread_name\",\"args\":{{\"name\":"
            "\"{2}\"}}}},\n{{\"ph\":\"M\",\"pid\":{0},\"tid\":{1},\"name\":\"thread_sort_index\","
            "\"args\":{{\"sort_index\":{3}}}}}",
            process_of(map_, channel), track + 1, name, sort_index * virtual_channels_ + vc);
    }
}

void EventTrace::on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                          Cycle cycle) {
    if (is_complete_) return;
    enter(cycle);
    const std::size_t at = track_of(channel, vc);
    Track& track = tracks_[at];
    track.is_held = true;
    track.message = message;
    if (numbers_.labels() != nullptr) track.label = numbers_.labels()->of(message.id);
    track.granted = cycle;
    track.sent = 0;
    track.has_begun = false;
    ++channels_[channel].holders;
    touch(channel);
    if (channels_[channel].group != kNoGroup) overview_.granted(numbers_.of_step(message.step));
}

void EventTrace::on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                               std::uint32_t popped_vc, Cycle cycle) {
    if (is_complete_) return;
    enter(cycle);
    Track& track = tracks_[track_of(channel, vc)];
    track.is_sending = true;
    track.sending_since = cycle;
    track.popped = popped != channel ? track_of(popped, popped_vc) : SIZE_MAX;
    Channel& own = channels_[channel];
    ++own.sending;
    touch(channel);
    if (own.group != kNoGroup) {
        overview_.flits_enter(own.group, +1);
        if (!has_fifos_) lines_[own.line].push(cycle, own.group, +1);
    }
    if (popped != channel && channels_[popped].group != kNoGroup) {
        overview_.flits_leave(channels_[popped].group, +1);
    }
    if (std::exchange(track.has_begun, true) || !track.is_shown || !is_shown(cycle)) return;
    const auto [flow, is_new] = flows_.try_emplace(track.message.id);
    if (is_new) flow->second.packets_left = format_.packets(track.message.bytes);
    flow->second.places.emplace_back(cycle, track_of(channel, vc));
}

void EventTrace::on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    if (is_complete_) return;
    enter(cycle);
    Track& track = tracks_[track_of(channel, vc)];
    track.is_sending = false;
    track.sent += shown_cycles(track.sending_since, cycle);
    Channel& own = channels_[channel];
    --own.sending;
    touch(channel);
    if (own.group != kNoGroup) {
        overview_.flits_enter(own.group, -1);
        if (!has_fifos_) lines_[own.line].push(cycle, own.group, -1);
    }
    if (track.popped != SIZE_MAX) {
        const std::uint8_t group = channels_[track.popped / virtual_channels_].group;
        if (group != kNoGroup) overview_.flits_leave(group, -1);
    }
}

/// A packet holds the channel no longer.
void EventTrace::end_hold(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    enter(cycle);
    const std::size_t at = track_of(channel, vc);
    Track& track = tracks_[at];
    track.is_held = false;
    --channels_[channel].holders;
    touch(channel);
    if (channels_[channel].group != kNoGroup) {
        overview_.released(numbers_.of_step(track.message.step));
    }
    if (track.is_shown)
        ended_.push_back({at, track.message, track.label, track.granted, cycle, track.sent});
}

void EventTrace::on_cut(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    if (is_complete_) return;
    end_hold(channel, vc, cycle);
}

void EventTrace::on_loss(ChannelId channel, std::uint32_t /*vc*/, Cycle /*visible*/, Cycle cycle) {
    if (is_complete_) return;
    enter(cycle);
    if (channels_[channel].group != kNoGroup) overview_.flit_lost(channels_[channel].group);
}

void EventTrace::on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    if (is_complete_) return;
    end_hold(channel, vc, cycle);
    if (!map_.is_ejection(channel)) return;
    const Message& message = tracks_[track_of(channel, vc)].message;
    const auto found = flows_.find(message.id);
    if (found == flows_.end() || found->second.packets_left == 0) return;
    Flow& flow = found->second;
    if (--flow.packets_left != 0) return;
    if (is_whole(flow, format_.packets(message.bytes))) {
        arrived_.push_back({message.id, {std::move(flow.places), 0}});
    }
    if (keeps_flows_) {
        flow.places = {};
    } else {
        flows_.erase(found);
    }
}

/// 0: injection channel, 1: link, 2: ejection channel.
int EventTrace::stage(std::size_t track) const {
    const auto channel = static_cast<ChannelId>(track / virtual_channels_);
    return map_.is_injection(channel) ? 0 : map_.is_link(channel) ? 1 : 2;
}

/// Whether `packets` packets were seen to leave and to arrive: an arrow needs both ends.
bool EventTrace::is_whole(const Flow& flow, std::uint64_t packets) const {
    std::array<std::uint64_t, 3> seen{};
    for (const auto& place : flow.places) ++seen[static_cast<std::size_t>(stage(place.second))];
    return seen[0] == packets && seen[2] == packets;
}

void EventTrace::finish(Cycle end) {
    is_complete_ = true;  // or will never be
    enter(std::max(end, cycle_));
    finish_cycle();
    for (std::size_t at = 0; at < tracks_.size(); ++at) {
        Track& track = tracks_[at];
        if (!track.is_held || !track.is_shown) continue;
        const Cycle sent =
            track.sent + (track.is_sending ? shown_cycles(track.sending_since, end) : 0);
        write_slice({at, track.message, track.label, track.granted, end, sent});
    }
    write_path();
    write_ranks();
    text_ += "\n]}\n";
    flush();
    file_.close();
}

void EventTrace::touch(ChannelId channel) {
    if (std::exchange(channels_[channel].is_touched, true)) return;
    touched_.push_back(channel);
}

void EventTrace::enter(Cycle cycle) {
    if (cycle < cycle_) {
        throw std::logic_error(
            fmt::format("event in cycle {} after one in cycle {}", cycle, cycle_));
    }
    while (cycle_ < cycle) {
        finish_cycle();
        Cycle next = overview_.is_moving() ? cycle_ + 1 : cycle;
        next = std::min(next, lines_.due());
        cycle_ = std::max(std::min(next, cycle), cycle_ + 1);
    }
}

void EventTrace::finish_cycle() {
    for (const ChannelId id : touched_) {
        Channel& channel = channels_[id];
        channel.is_touched = false;
        const bool blocked = channel.holders != 0 && channel.sending == 0;
        if (blocked == channel.is_blocked) continue;
        channel.is_blocked = blocked;
        if (channel.group != kNoGroup) overview_.blocked(channel.group, blocked ? +1 : -1);
    }
    touched_.clear();
    std::sort(ended_.begin(), ended_.end(), [](const Slice& a, const Slice& b) {
        return std::pair(a.track, a.begin) < std::pair(b.track, b.begin);
    });
    for (const Slice& slice : ended_) write_slice(slice);
    ended_.clear();
    std::sort(arrived_.begin(), arrived_.end(),
              [](const Arrived& a, const Arrived& b) { return a.message < b.message; });
    for (const Arrived& arrived : arrived_) write_flow(arrived);
    arrived_.clear();
    if (is_shown(cycle_)) write_counters(!std::exchange(counted_, true));
    lines_.take_due(cycle_, [this](const DelayLine::Entry& entry) {
        overview_.flits_leave(static_cast<std::uint8_t>(entry.unit), entry.change);
    });
    overview_.advance();
    if (text_.size() >= kFlushBytes) flush();
}

void EventTrace::write_slice(const Slice& slice) {
    const Cycle begin = std::max(slice.begin, from_);
    const Cycle end = std::min(slice.end, until_);
    if (begin >= end) return;
    const Message& message = slice.message;
    begin_event();
    fmt::format_to(std::back_inserter(text_),
                   FMT_COMPILE("\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"name\":"
                               "\"{}>{} s{}\",\"cat\":\"packet\",\"args\":{{\"message\":{},"
                               "\"blocked\":{}"),
                   process_of(map_, slice.track / virtual_channels_), slice.track + 1, time(begin),
                   time(end - begin), message.source, message.destination,
                   numbers_.of_step(message.step), numbers_.of(message.id),
                   end - begin - slice.sent);
    if (slice.label) {
        fmt::format_to(std::back_inserter(text_),
                       FMT_COMPILE(",\"access\":\"{}\",\"address\":\"{:#x}\",\"initiator\":{}"),
                       slice.label->kind_name(), slice.label->address, slice.label->initiator);
    }
    text_ += "}}";
}

void EventTrace::write_flow(const Arrived& arrived) {
    std::vector<std::pair<Cycle, std::size_t>> places = arrived.flow.places;
    // From the injection to the ejection, also within one cycle.
    std::sort(places.begin(), places.end(), [this](const auto& a, const auto& b) {
        return std::tuple(a.first, stage(a.second), a.second) <
               std::tuple(b.first, stage(b.second), b.second);
    });
    for (std::size_t i = 0; i < places.size(); ++i) {
        const bool is_last = i + 1 == places.size();
        begin_event();
        fmt::format_to(std::back_inserter(text_),
                       FMT_COMPILE("\"ph\":\"{}\",{}\"pid\":{},\"tid\":{},\"ts\":{},\"id\":{},"
                                   "\"name\":\"message\",\"cat\":\"message\"}}"),
                       i == 0    ? 's'
                       : is_last ? 'f'
                                 : 't',
                       is_last ? "\"bp\":\"e\"," : "",
                       process_of(map_, places[i].second / virtual_channels_), places[i].second + 1,
                       time(places[i].first), numbers_.of(arrived.message));
    }
}

/// Writes the path as one track: its pieces follow each other.
void EventTrace::write_path() {
    if (marks_.empty()) return;
    begin_event();
    text_ += fmt::format(
        "\"ph\":\"M\",\"pid\":{},\"tid\":1,\"name\":\"thread_name\",\"args\":{{\"name\":"
        "\"cause\"}}}}",
        kPath);
    for (const PathMark& mark : marks_) {
        const Cycle begin = std::max(mark.from, from_);
        const Cycle end = std::min(mark.to, until_);
        if (begin >= end) continue;
        begin_event();
        text_ += fmt::format(
            "\"ph\":\"X\",\"pid\":{},\"tid\":1,\"ts\":{},\"dur\":{},\"name\":\"{}\","
            "\"cat\":\"path\",\"args\":{{",
            kPath, time(begin), time(end - begin), causes_[mark.cause].name);
        const char* gap = "";
        if (mark.channel) {
            text_ += fmt::format("\"channel\":\"{}\"", map_.name(*mark.channel));
            gap = ",";
        }
        if (mark.message != kNoMessage) {
            text_ += fmt::format("{}\"message\":{}", gap, numbers_.of(mark.message));
        }
        text_ += "}}";
        if (text_.size() >= kFlushBytes) flush();
    }
}

/// Writes the counters that have changed, or `all`.
void EventTrace::write_counters(bool all) {
    std::uint64_t flits = 0;
    std::uint64_t blocked = 0;
    for (const Overview::Group& group : overview_.groups()) {
        flits += static_cast<std::uint64_t>(std::max<std::int64_t>(group.flits, 0));
        blocked += group.blocked;
    }
    if (all || flits != shown_flits_) write_counter("flits in flight", "flits", flits);
    if (all || blocked != shown_blocked_) write_counter("blocked links", "links", blocked);
    shown_flits_ = flits;
    shown_blocked_ = blocked;
}

void EventTrace::write_counter(const char* name, const char* unit, std::uint64_t value) {
    begin_event();
    fmt::format_to(
        std::back_inserter(text_),
        FMT_COMPILE("\"ph\":\"C\",\"pid\":{},\"ts\":{},\"name\":\"{}\",\"args\":{{\"{}\":"
                    "{}}}}}"),
        kOverview, time(cycle_), name, unit, value);
}

/// The time of a cycle in microseconds, exactly.
std::string EventTrace::time(Cycle cycle) const {
    // Without a product that has no room.
    const std::uint64_t periods = cycle / axis_.per_microsecond;
    const std::uint64_t ticks = cycle % axis_.per_microsecond * axis_.per_cycle;
    const std::uint64_t whole = periods * axis_.per_cycle + ticks / axis_.per_microsecond;
    const std::uint64_t rest = ticks % axis_.per_microsecond;
    if (rest == 0) return std::to_string(whole);
    const int places = axis_.per_microsecond == 1'000'000 ? 6 : 9;
    std::string text = fmt::format(FMT_COMPILE("{}.{:0{}}"), whole, rest, places);
    text.erase(text.find_last_not_of('0') + 1);
    return text;
}

void EventTrace::begin_event() {
    constexpr std::string_view kFirst = "\n{";
    constexpr std::string_view kNext = ",\n{";
    text_.append(std::exchange(has_events_, true) ? kNext : kFirst);
}

void EventTrace::flush() {
    file_.write(text_.data(), text_.size());
    text_.clear();
}

}  // namespace flitscope
