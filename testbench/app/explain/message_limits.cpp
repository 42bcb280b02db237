// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/explain/message_limits.h"

#include <algorithm>

#include "models/config/packet_format.h"
#include "models/routing/routing.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"
#include "traffic/program/channel_rules.h"
#include "traffic/program/program.h"

namespace flitscope {

MessageLimits::MessageLimits(const Machine& machine, const MessageTimes& times, Cycle makespan)
    : times_(times), limits_(machine.program->transfers.size(), kNever) {
    const Program& program = *machine.program;
    const bool may_meet_anybody =
        times.is_incomplete() || depends_on_traffic(machine.routing->path_choice());
    for (MessageId id = 0; id < limits_.size(); ++id) {
        const MessageTimes::Times& message = times.of(id);
        const Cycle gap = message.gap == MessageTimes::kNoLimit ? kNever : message.gap;
        lower(id, may_meet_anybody ? 0 : gap);
        lower(id, makespan - std::min(message.delivered + 1, makespan));
        if (program.operations != nullptr) continue;
        // These wait for each other flit by flit.
        const Transfer& transfer = program.transfers[id];
        if (transfer.is_copy) limits_[id] = limits_[id - 1] = 0;
        if (!transfer.streams) continue;
        limits_[id] = 0;
        for (const MessageId before : transfer.after) limits_[before] = 0;
    }
}

void MessageLimits::lower_by_next(MessageId id, Cycle later_next) {
    const std::uint32_t gap = times_.of(id).gap_to_next;
    if (gap != MessageTimes::kNoLimit) lower(id, std::max<Cycle>(gap, later_next));
}

std::vector<LinkSlack> slack_of_links(const Machine& machine, const std::vector<Cycle>& slack) {
    std::vector<LinkSlack> links(machine.graph.link_count());
    const PacketFormat format = machine.config.packet_format();
    const auto& transfers = machine.program->transfers;
    for (MessageId id = 0; id < transfers.size(); ++id) {
        const Transfer& t = transfers[id];
        LinkId first = detour(t, machine.graph, *machine.routing);
        RouterId at = machine.graph.router_of(t.source);
        const RouterId end = machine.graph.router_of(t.destination);
        while (at != end) {
            const LinkId link =
                first != kNoLink
                    ? first
                    : machine.graph.out_link(at, machine.routing->route(at, t.destination).port);
            first = kNoLink;
            at = machine.graph.link(link).to;
            LinkSlack& crossed = links[link];
            ++crossed.messages;
            crossed.flits += format.message_flits(t.bytes);
            crossed.slack = std::min(crossed.slack, slack[id]);
        }
    }
    for (LinkId link = 0; link < links.size(); ++link) links[link].link = link;
    links.erase(std::remove_if(links.begin(), links.end(),
                               [](const LinkSlack& link) { return link.messages == 0; }),
                links.end());
    std::stable_sort(links.begin(), links.end(),
                     [](const LinkSlack& a, const LinkSlack& b) { return a.flits > b.flits; });
    return links;
}

}  // namespace flitscope
