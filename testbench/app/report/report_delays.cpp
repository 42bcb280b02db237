// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the packets of a pattern spent their cycles.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "models/base/text_table.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/explain/packet_delays.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/report/report_parts.h"

namespace flitscope {
namespace {

/// A kind of channels, and how many of them are listed.
struct ChannelKind {
    const char* title;
    bool (ChannelMap::*is_of_it)(ChannelId) const;
    std::size_t shown;
};
constexpr ChannelKind kChannelKinds[] = {
    {"the links with most waiting", &ChannelMap::is_link, 5},
    {"the ejection channels with most waiting", &ChannelMap::is_ejection, 3},
    {"the injection channels with most waiting, source queues among it", &ChannelMap::is_injection,
     3},
};

double per_packet(Cycle cycles, std::uint64_t packets) {
    return static_cast<double>(cycles) / static_cast<double>(std::max<std::uint64_t>(packets, 1));
}

double throughput(const Occupancy& occupancy) {
    const Cycle cycles = std::max<Cycle>(occupancy.window.length(), 1);
    return static_cast<double>(occupancy.delivered) / static_cast<double>(cycles);
}

/// The cause with most cycles, apart from what the packet does itself.
Cycle most_of(CauseCycles waiting, Cause& cause) {
    waiting[static_cast<std::size_t>(Cause::kTraversal)] = 0;
    waiting[static_cast<std::size_t>(Cause::kSerialization)] = 0;
    const auto most = std::max_element(waiting.begin(), waiting.end());
    cause = static_cast<Cause>(most - waiting.begin());
    return *most;
}

/// Groups of packets, the causes that take most cycles of all of them beside each other.
class GroupTable {
public:
    GroupTable(const char* title, const DelaySums& all)
        : causes_(ranked_causes(all.by_cause)), table_(heading(title)) {}

    void add(const std::string& name, const DelaySums& sums) {
        std::vector<std::string> row{"    " + name, grouped(sums.packets),
                                     fmt::format("{:.1f}", sums.mean())};
        for (const Cause cause : causes_) {
            row.push_back(
                fmt::format("{:.1f}", per_packet(cycles_of(sums.by_cause, cause), sums.packets)));
        }
        table_.add(std::move(row));
    }
    void print(std::ostream& out) const { table_.print(out); }

private:
    std::vector<std::string> heading(const char* title) {
        constexpr std::size_t kColumns = 5;
        causes_.resize(std::min(kColumns, causes_.size()));
        std::vector<std::string> words{fmt::format("    {}", title), "packets", "latency"};
        for (const Cause cause : causes_) words.emplace_back(cause_name(cause));
        return words;
    }

    std::vector<Cause> causes_;
    TextTable table_;
};

void print_distances(std::ostream& out, const PacketDelays& delays) {
    out << "\n  by distance, mean cycles\n\n";
    GroupTable table("links", delays.all);
    for (const auto& [hops, sums] : delays.by_hops) table.add(std::to_string(hops), sums);
    table.print(out);
}

void print_delays_of_classes(std::ostream& out, const Machine& machine,
                             const PacketDelays& delays) {
    if (delays.by_class.empty()) return;
    out << "\n  by class of messages, mean cycles\n\n";
    GroupTable table("class", delays.all);
    for (std::size_t k = 0; k < delays.by_class.size(); ++k) {
        table.add(machine.config.fabric.classes[k], delays.by_class[k]);
    }
    table.print(out);
}

/// Packets of a group, their cycles and causes, as fields of an object.
void write_sums(JsonWriter& json, const DelaySums& sums) {
    json.field("packets", sums.packets);
    json.field("cycles", sums.cycles);
    write_causes(json, sums.by_cause);
}

/// Share of the measurement in which a channel sends, or takes a flit over a slow link.
double busy_share(const SimulationResult& run, const Graph& graph, ChannelId channel) {
    const ChannelMap map(graph);
    return static_cast<double>(run.window_flits[channel] * map.rate_cycles(channel)) /
           static_cast<double>(std::max<Cycle>(run.window.length(), 1));
}

/// Links apart from the channels of nodes: in the source queues of an overloaded network, more
/// waits than for the links that cause it.
void print_channels(std::ostream& out, const Machine& machine, const ExplainedTraffic& explained,
                    const ChannelKind& kind) {
    const ChannelMap names(machine.graph);
    std::vector<const ChannelDelays*> channels;
    Cycle waited = 0;
    for (const ChannelDelays& channel : explained.delays.channels) {
        if (!(names.*kind.is_of_it)(channel.channel) || channel.waited == 0) continue;
        channels.push_back(&channel);
        waited += channel.waited;
    }
    if (channels.empty()) return;
    const Cycle all = explained.delays.all.cycles;
    out << fmt::format("\n  {}: {} of {} cycles of all packets, {}\n\n", kind.title,
                       grouped(waited), grouped(all), share_text(waited, all));
    channels.resize(std::min(kind.shown, channels.size()));
    for (const ChannelDelays* const channel : channels) {
        Cause main{};
        const Cycle most = most_of(channel->by_cause, main);
        out << fmt::format("    {:<14}{:>12}{:>9}   {:>5.1f} % busy, {} of them {}{}\n",
                           names.name(channel->channel), grouped(channel->waited),
                           share_text(channel->waited, all),
                           100 * busy_share(explained.run, machine.graph, channel->channel),
                           grouped(most), cause_meaning(main),
                           given_name_text(machine.graph, channel->channel));
    }
}

/// Routers whose packets wait longest for what leads out of them, each cause with its share.
void print_routers(std::ostream& out, const Machine& machine, const PacketDelays& delays) {
    constexpr std::size_t kShown = 5;
    std::vector<RouterStalls> routers = delays.routers(machine.graph);
    if (routers.empty()) return;
    Cycle waited = 0;
    for (const RouterStalls& router : routers) waited += router.waited;
    out << fmt::format(
        "\n  the routers with most waiting, for their links and nodes: of {} cycles\n\n",
        grouped(waited));
    routers.resize(std::min(kShown, routers.size()));
    for (const RouterStalls& router : routers) {
        std::string causes;
        for (const Cause cause : ranked_causes(router.by_cause)) {
            causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", cause_name(cause),
                                  share_text(cycles_of(router.by_cause, cause), router.waited));
        }
        out << fmt::format("    {:<14}{:>12}{:>9}   {}\n", machine.graph.router_name(router.router),
                           grouped(router.waited), share_text(router.waited, waited), causes);
    }
}

}  // namespace

JsonText delays_json(const Machine& machine, const ExplainedTraffic& explained) {
    const PacketDelays& delays = explained.delays;
    const ChannelMap names(machine.graph);
    JsonWriter json;
    json.open_object();
    json.field("version", version());
    json.field("engine", explained.run.engine);
    json.field("status", name_of(explained.run.verdict));
    json.field("packets", delays.all.packets);
    json.key("latency");
    json.value(latency_json(delays.latency));
    json.field("cycles", delays.all.cycles);
    write_causes(json, delays.all.by_cause);
    json.key("distances");
    json.open_array();
    for (const auto& [hops, sums] : delays.by_hops) {
        json.open_object();
        json.field("hops", hops);
        write_sums(json, sums);
        json.close_object();
    }
    json.close_array();
    json.key("classes");
    json.open_array();
    for (std::size_t k = 0; k < delays.by_class.size(); ++k) {
        json.open_object();
        json.field("class", machine.config.fabric.classes[k]);
        write_sums(json, delays.by_class[k]);
        json.close_object();
    }
    json.close_array();
    json.key("channels");
    json.open_array();
    for (const ChannelDelays& channel : delays.channels) {
        json.open_object();
        json.field("channel", names.name(channel.channel));
        json.field("stall_cycles", channel.waited);
        write_causes(json, channel.by_cause);
        json.close_object();
    }
    json.close_array();
    json.key("routers");
    json.open_array();
    for (const RouterStalls& router : delays.routers(machine.graph)) {
        json.open_object();
        json.field("router", router.router.number());
        json.field("stall_cycles", router.waited);
        write_causes(json, router.by_cause);
        json.close_object();
    }
    json.close_array();
    const Occupancy& occupancy = delays.occupancy;
    json.key("occupancy");
    json.open_object();
    json.field("from", occupancy.window.from);
    json.field("until", occupancy.window.until);
    json.field("packet_cycles", occupancy.packet_cycles);
    json.field("mean_packets", occupancy.mean_packets());
    json.field("delivered", occupancy.delivered);
    json.field("throughput", throughput(occupancy));
    json.field("mean_residence", per_packet(occupancy.residence, occupancy.delivered));
    json.close_object();
    json.close_object();
    return json.take();
}

void print_delays(std::ostream& out, const Machine& machine, const ExplainedTraffic& explained) {
    const PacketDelays& delays = explained.delays;
    const DelaySums& all = delays.all;
    const std::string outcome = outcome_text(explained.run);
    out << fmt::format(
        "{}: {}{}\n", machine.traffic_name(),
        outcome == name_of(Verdict::kComplete) ? "" : outcome + ", ",
        all.packets == 0
            ? "nothing that counts was delivered"
            : fmt::format("{} packets, on average {:.1f} cycles from the start of the send",
                          grouped(all.packets), all.mean()));
    print_load_warnings(out, machine, explained.run);
    if (all.packets == 0) return;
    out << "\n  latency breakdown: mean cycles, and their share\n\n";
    for (const Cause cause : ranked_causes(all.by_cause)) {
        const Cycle cycles = cycles_of(all.by_cause, cause);
        out << fmt::format("    {:<14}{:>12.2f}{:>9}   {}\n", cause_name(cause),
                           per_packet(cycles, all.packets), share_text(cycles, all.cycles),
                           cause_meaning(cause));
    }
    print_delays_of_classes(out, machine, delays);
    print_distances(out, delays);
    print_routers(out, machine, delays);
    for (const ChannelKind& kind : kChannelKinds) print_channels(out, machine, explained, kind);
    const Occupancy& occupancy = delays.occupancy;
    out << fmt::format(
        "\n  in the network: {:.2f} packets on average; {:.4f} delivered per cycle, mean "
        "residence {:.2f} cycles,\n  that of the delivery included\n",
        occupancy.mean_packets(), throughput(occupancy),
        per_packet(occupancy.residence, occupancy.delivered));
}

void write_delays_csv(std::ostream& out, const Machine& machine,
                      const ExplainedTraffic& explained) {
    const ChannelMap names(machine.graph);
    out << "channel,cause,cycles\n";
    for (const ChannelDelays& channel : explained.delays.channels) {
        for (const Cause cause : ranked_causes(channel.by_cause)) {
            out << fmt::format("{},{},{}\n", names.name(channel.channel), cause_name(cause),
                               cycles_of(channel.by_cause, cause));
        }
    }
}

}  // namespace flitscope
