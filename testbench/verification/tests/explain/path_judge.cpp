// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/tests/explain/path_judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "testbench/app/build/machine.h"

namespace flitscope {
namespace {

bool is_same_flit(const GoldenSent& a, const GoldenSent& b) {
    return a.message == b.message && a.packet == b.packet && a.flit == b.flit;
}

/// In arbitration, against an unknown winner.
bool has_lost_to_nobody(const Event& event) {
    return event.cause == Cause::kSwitchStall && event.holder == kNoMessage;
}

bool is_credit(GoldenLack lack) {
    return lack == GoldenLack::kCredit || lack == GoldenLack::kRoom || lack == GoldenLack::kEmpty;
}

}  // namespace

void JudgedCounts::add(const JudgedCounts& other) {
    for (std::size_t i = 0; i < kCauses; ++i) events[i] += other.events[i];
    streams += other.streams;
    copies += other.copies;
    distant_winners += other.distant_winners;
    no_winners += other.no_winners;
    held_up += other.held_up;
}

std::string text(const JudgedCounts& counts) {
    std::string all;
    for (std::size_t i = 0; i < kCauses; ++i) {
        all += fmt::format("{} {}, ", cause_name(static_cast<Cause>(i)), counts.events[i]);
    }
    return all + fmt::format("streams {}, copies {}, distant winners {}, no winners {}, held up {}",
                             counts.streams, counts.copies, counts.distant_winners,
                             counts.no_winners, counts.held_up);
}

std::string text(const Event& e) {
    return fmt::format("cycle {}: {} since {} before {} at {} sends {}, message {} holder {}",
                       e.cycle, cause_name(e.cause), e.since, e.before, e.channel,
                       e.sends == kNoChannel ? "nothing" : std::to_string(e.sends), e.message,
                       e.holder);
}

PathJudge::PathJudge(const Machine& machine, const GoldenResult& golden,
                     const GoldenWitness& witness)
    : machine_(machine), golden_(golden), witness_(witness), channels_(machine.graph) {
    first_packet_.resize(machine.program->transfers.size());
    for (std::size_t i = golden.packets.size(); i-- > 0;) {
        first_packet_[golden.packets[i].message] = i;
    }
}

const GoldenCycle& PathJudge::at(Cycle cycle) const {
    static const GoldenCycle kNothing;
    return cycle < witness_.cycles.size() ? witness_.cycles[cycle] : kNothing;
}

const GoldenSent* PathJudge::sent(Cycle cycle, ChannelId channel) const {
    for (const GoldenSent& s : at(cycle).sent) {
        if (s.channel == channel) return &s;
    }
    return nullptr;
}

const GoldenSent* PathJudge::popped(Cycle cycle, ChannelId channel, std::uint32_t vc) const {
    for (const GoldenSent& s : at(cycle).sent) {
        if (s.channel != channel && s.from == channel && s.from_vc == vc) return &s;
    }
    return nullptr;
}

/// The entry of this flit in another cycle; null: it was not there, or was sent.
const GoldenWait* PathJudge::wait(Cycle cycle, const GoldenSent& flit) const {
    for (const GoldenWait& w : at(cycle).waits) {
        if (w.at == flit.from && w.message == flit.message && w.packet == flit.packet &&
            w.flit == flit.flit) {
            return &w;
        }
    }
    return nullptr;
}

const GoldenWait* PathJudge::header(Cycle cycle, MessageId message) const {
    for (const GoldenWait& w : at(cycle).waits) {
        if (w.message == message) return &w;
    }
    return nullptr;
}

const std::vector<GoldenLacking>& PathJudge::program(Cycle cycle, NodeId node) const {
    static const std::vector<GoldenLacking> kNothing;
    for (const GoldenProgramWait& w : at(cycle).programs) {
        if (w.node == node) return w.lacks;
    }
    return kNothing;
}

/// The last cycle before `before` in which `channel` sent this flit; kNever: none.
Cycle PathJudge::when(const GoldenSent& flit, ChannelId channel, Cycle before) const {
    while (before-- > 0) {
        const GoldenSent* const s = sent(before, channel);
        if (s != nullptr && is_same_flit(*s, flit)) return before;
    }
    return kNever;
}

Cycle PathJudge::begin_of(MessageId message) const {
    return golden_.packets[first_packet_[message]].begin;
}

Cycle PathJudge::injected(MessageId message) const {
    std::size_t last = first_packet_[message];
    while (last + 1 < golden_.packets.size() && golden_.packets[last + 1].message == message) {
        ++last;
    }
    return golden_.packets[last].tail_injected;
}

Cycle PathJudge::delivered(MessageId message) const {
    Cycle cycle = 0;
    for (std::size_t i = first_packet_[message];
         i < golden_.packets.size() && golden_.packets[i].message == message; ++i) {
        cycle = std::max(cycle, golden_.packets[i].tail_delivered);
    }
    return cycle;
}

/// The first thing that a flit, sent in whatever cycle, lacked in `cycle`.
PathJudge::Need PathJudge::need_of(const GoldenSent& flit, Cycle cycle) const {
    const GoldenWait* const w = wait(cycle, flit);
    if (w == nullptr) return Need::kOwn;  // it had not come, or its send had not begun
    const auto own = {GoldenLack::kVisible, GoldenLack::kStored,   GoldenLack::kTurn,
                      GoldenLack::kStartup, GoldenLack::kAssembly, GoldenLack::kStream};
    for (const GoldenLack lack : own) {
        if (lacks(w, lack)) return Need::kOwn;
    }
    if (lacks(w, GoldenLack::kFront) || lacks(w, GoldenLack::kQueue)) return Need::kFront;
    const auto on_its_channel = [&](const GoldenLacking& l) {
        return l.channel == flit.channel && l.vc == flit.vc;
    };
    const bool is_held = lacks(w, [&](const GoldenLacking& l) {
        return (l.lack == GoldenLack::kTaken || l.lack == GoldenLack::kGiven) && on_its_channel(l);
    });
    if (is_held) return Need::kHeld;
    const bool at_node = flit.from == flit.channel;
    const bool has_no_credit = lacks(w, [&](const GoldenLacking& l) {
        return is_credit(l.lack) && (at_node || on_its_channel(l));
    });
    if (has_no_credit) return Need::kCredit;
    const bool is_link_busy = lacks(w, [&](const GoldenLacking& l) {
        return l.lack == GoldenLack::kLink && on_its_channel(l);
    });
    if (is_link_busy) return Need::kLink;
    const bool has_lost = lacks(w, [&](const GoldenLacking& l) {
        return (l.lack == GoldenLack::kInput || l.lack == GoldenLack::kOutput ||
                l.lack == GoldenLack::kSwitch || l.lack == GoldenLack::kHeldUp) &&
               on_its_channel(l);
    });
    return has_lost ? Need::kArbitration : Need::kNone;
}

PathJudge::Need PathJudge::need_of(Cause cause) {
    switch (cause) {
        case Cause::kTraversal:
        case Cause::kStore:
            return Need::kOwn;
        case Cause::kSerialization:
        case Cause::kSourceQueue:
        case Cause::kHeadOfLine:
            return Need::kFront;
        case Cause::kVcBusy:
            return Need::kHeld;
        case Cause::kCreditStall:
            return Need::kCredit;
        case Cause::kSwitchStall:
            return Need::kArbitration;
        default:
            return Need::kNone;
    }
}

std::string PathJudge::judge(const std::vector<Event>& events) {
    if (events.empty()) return end() == 0 ? "" : "no path";
    const Event begin;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const Event& event = events[i];
        const Event* const because = i == 0 ? nullptr : &events[i - 1];
        const Event& cause = i == 0 ? begin : events[i - 1];
        const Event* const next = i + 1 == events.size() ? nullptr : &events[i + 1];
        ++counts_.events[static_cast<std::size_t>(event.cause)];
        std::string fault = judge_order(event, because);
        if (fault.empty() && event.sends != kNoChannel) {
            fault = judge_flits(event, cause);
        } else if (fault.empty() && event.cycle != 0 && next != nullptr &&
                   has_lost_to_nobody(*next)) {
            const GoldenSent* const flit = sent(next->cycle, next->sends);
            fault = flit == nullptr ? "the flit is not sent" : judge_flit(event, cause, *flit);
        } else if (fault.empty() && event.cause == Cause::kBarrier) {
            fault = i < 2 ? "a barrier without cause"
                          : judge_barrier(event, events[i - 1], events[i - 2]);
        } else if (fault.empty()) {
            fault = judge_node(event, cause, next);
        }
        if (fault.empty()) continue;
        return fmt::format("{}\n  {}\n  because of {}", fault, text(event),
                           because == nullptr ? "nothing" : text(*because));
    }
    return judge_last(events.back());
}

/// Among the deliveries in the last cycle, that of the message with the lowest number.
std::string PathJudge::judge_last(const Event& event) const {
    if (event.cycle != end()) return "the path does not end with the last event";
    if (has_operations()) return {};
    for (const GoldenPacket& packet : golden_.packets) {
        if (delivered(packet.message) + 1 != golden_.makespan) continue;
        return packet.message == event.message ? "" : "the path ends with another message";
    }
    return "nobody delivers last";
}

/// Causes come first, and send flits for as long as they matter.
std::string PathJudge::judge_order(const Event& event, const Event* because) const {
    if (event.since > event.before || event.before > event.cycle) return "cycles out of order";
    if (because == nullptr) return event.before == 0 ? "" : "it begins after the start";
    if (because->cycle > event.before) return "its cause comes later";
    for (Cycle cycle = because->cycle; cycle < event.before; ++cycle) {
        const GoldenSent* const s = sent(cycle, because->sends);
        if (s == nullptr || s->message != because->message) {
            return fmt::format("its cause does not send in cycle {}", cycle);
        }
    }
    return {};
}

/// Flits of `event.message` begin to be sent.
std::string PathJudge::judge_flits(const Event& event, const Event& because) {
    const GoldenSent* const flit = sent(event.cycle, event.sends);
    if (flit == nullptr || flit->message != event.message) return "the flit is not sent";
    if (machine_.config.fabric.switches_circuits()) return judge_first_element(event, because);
    if (event.cycle == 0) return event.cause == Cause::kTraversal ? "" : "a cause before the start";
    return judge_flit(event, because, *flit);
}

/// A flit was sent, or could have been but for arbitration, because of this event.
std::string PathJudge::judge_flit(const Event& event, const Event& because,
                                  const GoldenSent& flit) {
    const Need need = need_of(flit, event.cycle - 1);
    if (need == Need::kLink) return judge_link(event, because, flit);
    if (need != need_of(event.cause)) {
        return fmt::format("need {} is to be named, not {}", static_cast<int>(need),
                           static_cast<int>(need_of(event.cause)));
    }
    return need == Need::kOwn ? judge_own(event, because, flit)
                              : judge_waiting(event, because, flit);
}

/// It waits for nobody, but for a stream.
std::string PathJudge::judge_own(const Event& event, const Event& because, const GoldenSent& flit) {
    const GoldenWait* const lacked = wait(event.cycle - 1, flit);
    if (event.cause == Cause::kStore) {
        if (!lacks(lacked, GoldenLack::kStored)) return "the packet was stored";
        const GoldenSent* const tail = sent(event.before, flit.from);
        const bool is_tail =
            tail != nullptr && tail->message == flit.message && tail->packet == flit.packet &&
            because.message == flit.message && because.sends == flit.from &&
            when({0, 0, 0, 0, flit.message, flit.packet, tail->flit + 1}, flit.from, event.cycle) ==
                kNever;
        if (!is_tail || event.holder != kNoMessage) return "not stored with this flit";
        return judge_since(event, flit);
    }
    if (event.since != event.before) return "its own way has no other begin";
    if (flit.from != flit.channel) {
        if (event.holder != kNoMessage || event.channel != flit.from) return "not its own way";
        const GoldenSent* const before = sent(event.before, flit.from);
        if (before == nullptr || !is_same_flit(*before, flit)) return "the flit came otherwise";
        if (because.sends != flit.from || because.message != flit.message) {
            return "others sent the flit";
        }
        if (lacked != nullptr && !lacks(lacked, GoldenLack::kVisible)) return "it was visible";
        return {};
    }
    if (event.holder != kNoMessage) {
        ++counts_.streams;
        const bool begins = lacked == nullptr && begin_of(event.message) == event.cycle;
        if (!begins && !lacks(lacked, GoldenLack::kStream, event.holder)) {
            return "it does not lack the stream";
        }
        const GoldenSent* const before = sent(event.before, because.sends);
        const bool is_followed = before != nullptr && before->message == event.holder &&
                                 before->flit == flit.flit && because.message == event.holder &&
                                 event.before + 1 == event.cycle &&
                                 channels_.is_ejection(because.sends);
        return is_followed ? "" : "it follows another flit";
    }
    if (event.before != event.cycle || because.cycle != event.cycle) return "startup has no cause";
    if (lacks(lacked, GoldenLack::kStream)) return "it lacks a stream";
    switch (because.cause) {
        case Cause::kAssembly:
            if (lacks(lacked, GoldenLack::kAssembly)) return {};
            return "it was assembled";
        case Cause::kStartup:
            if (lacks(lacked, GoldenLack::kStartup) || lacked == nullptr) return {};
            return "the startup was over";
        case Cause::kSourceQueue:
            if (lacks(lacked, GoldenLack::kTurn)) return {};
            return "it was its turn";
        default:
            break;
    }
    if (begin_of(event.message) != event.cycle) return "the send begins in another cycle";
    const NodeId node = machine_.program->transfers[event.message].source;
    return judge_ready(node, event.cycle, because);
}

/// The cycle from which a flit waits is the one in which it could have gone but for the others.
std::string PathJudge::judge_since(const Event& event, const GoldenSent& flit) const {
    Cycle since = 0;
    const GoldenSent before{0, 0, 0, 0, flit.message, flit.packet, flit.flit - 1};
    if (flit.from != flit.channel) {
        // The first cycle in which it was there and visible.
        since = when(flit, flit.from, event.cycle) + 1;
        while (since < event.cycle) {
            const GoldenWait* const w = wait(since, flit);
            // A flit behind others of its packet has no entry: it is there, but not next.
            if (w != nullptr && !lacks(w, GoldenLack::kVisible)) break;
            ++since;
        }
        if (flit.flit != 0) since = std::max(since, when(before, flit.channel, event.cycle) + 1);
    } else if (flit.flit != 0) {
        since = when(before, flit.channel, event.cycle) + 1;
    } else {
        if (flit.packet == 0) since = witness_.starts[flit.message].ready;
        // The golden model keeps no such cycle.
        if (flit.packet != 0 && machine_.config.node.assembles()) return {};
        if (flit.packet != 0 && event.cause != Cause::kSerialization) {
            const GoldenWait* const w = wait(event.since, flit);
            const bool is_next = w != nullptr && !lacks(w, GoldenLack::kQueue);
            return is_next ? "" : "it waits too early";
        }
        if (event.cause == Cause::kSerialization) {
            since = event.cycle - 1;
        } else if (event.cause != Cause::kSourceQueue) {
            // A packet further back in the queue than second has no entry.
            while (since < event.cycle &&
                   (wait(since, flit) == nullptr || lacks(wait(since, flit), GoldenLack::kQueue))) {
                ++since;
            }
        }
    }
    // A credit, the rest of a packet, or a slow link may have been on its way to it by then.
    const bool began_before = event.cause == Cause::kCreditStall || event.cause == Cause::kStore ||
                              event.cause == Cause::kSwitchStall || event.cause == Cause::kVcBusy;
    if (began_before) since = std::min(since, event.before);
    if (since != event.since) return fmt::format("it waits since {}", since);
    return {};
}

/// It waits for somebody.
std::string PathJudge::judge_waiting(const Event& event, const Event& because,
                                     const GoldenSent& flit) {
    const Cycle last = event.cycle - 1;
    const GoldenWait* const lacked = wait(last, flit);
    if (!has_lost_to_nobody(event)) {
        if (std::string fault = judge_since(event, flit); !fault.empty()) return fault;
    }
    const GoldenSent* const before = sent(event.before, because.sends);
    if (event.cause == Cause::kRouteChoice) {
        return event.holder == kNoMessage ? "" : "a choice waits for nobody";
    }
    if (event.cause == Cause::kSwitchStall) return judge_arbitration(event, because, flit);
    if (event.cause == Cause::kSerialization) {
        const bool is_own = lacks(lacked, GoldenLack::kQueue, flit.message) && before != nullptr &&
                            before->message == flit.message && before->packet + 1 == flit.packet &&
                            event.before == last && event.holder == kNoMessage;
        return is_own ? "" : "it follows no packet of its message";
    }
    if (before == nullptr || before->message != event.holder || because.message != event.holder) {
        return "its holder does not send";
    }
    switch (event.cause) {
        case Cause::kSourceQueue:
            if (event.before == last && lacks(lacked, GoldenLack::kQueue, event.holder)) return {};
            return "another message was before it";
        case Cause::kHeadOfLine:
            if (event.before == last && lacks(lacked, GoldenLack::kFront, event.holder) &&
                before->from == flit.from && before->from_vc == flit.from_vc) {
                return {};
            }
            return "another packet was in front";
        case Cause::kVcBusy: {
            const bool is_holder = lacks(lacked, [&](const GoldenLacking& l) {
                return (l.lack == GoldenLack::kTaken || l.lack == GoldenLack::kGiven) &&
                       l.channel == flit.channel && l.vc == flit.vc && l.whose == event.holder;
            });
            if (is_holder && event.before == last && before->channel == flit.channel &&
                before->vc == flit.vc && event.channel == flit.channel) {
                return {};
            }
            return "another packet held the channel";
        }
        case Cause::kCreditStall:
            break;
        default:
            return "no cause of ours";
    }
    if (event.channel != flit.channel) ++counts_.copies;
    Cycle delay =
        channels_.is_link(event.channel) ? machine_.graph.link(event.channel).delay : Cycle{1};
    // Ready crosses the cycles before the FIFO as the flits do.
    const FabricConfig& fabric = machine_.config.fabric;
    if (fabric.has_valid_ready_links()) delay += fabric.router_delay - 1;
    const bool came = lacks(lacked, [&](const GoldenLacking& l) {
        if (!is_credit(l.lack) || l.channel != event.channel) return false;
        if (event.channel == flit.channel && l.vc != flit.vc) return false;
        const GoldenSent* const pop = popped(event.before, l.channel, l.vc);
        return pop != nullptr && pop->message == event.holder && pop->channel == because.sends;
    });
    return came && event.before + delay == event.cycle ? "" : "this credit was not lacking";
}

/// It waits for a slow link, which takes the flit before: of its own message, or of another one.
std::string PathJudge::judge_link(const Event& event, const Event& because,
                                  const GoldenSent& flit) const {
    const GoldenSent* const before = sent(event.before, flit.channel);
    if (before == nullptr || because.sends != flit.channel || event.channel != flit.channel) {
        return "it waits for no flit of this link";
    }
    if (event.before + machine_.graph.link(flit.channel).rate_cycles != event.cycle) {
        return "the link takes a flit in another time";
    }
    if (before->message != because.message) return "another message was on the link";
    if (before->message == flit.message) {
        const bool is_own = event.cause == Cause::kSerialization && event.holder == kNoMessage &&
                            event.since == event.before;
        return is_own ? "" : "it follows a flit of its own message";
    }
    const Cause cause = before->vc == flit.vc ? Cause::kVcBusy : Cause::kSwitchStall;
    if (event.cause != cause || event.holder != before->message) {
        return "it waits for another message on the link";
    }
    return judge_since(event, flit);
}

std::string PathJudge::judge_arbitration(const Event& event, const Event& because,
                                         const GoldenSent& flit) {
    const Cycle last = event.cycle - 1;
    const auto has_winner = [&](Cycle cycle) {
        return lacks(wait(cycle, flit), [&](const GoldenLacking& l) {
            return l.lack == GoldenLack::kInput || l.lack == GoldenLack::kOutput;
        });
    };
    const auto has_lost_to = [&](Cycle cycle) {
        const GoldenSent* const before = sent(cycle, because.sends);
        if (before == nullptr || before->message != event.holder) return false;
        return lacks(wait(cycle, flit), [&](const GoldenLacking& l) {
            if (l.whose != event.holder) return false;
            if (l.lack == GoldenLack::kOutput) return before->channel == flit.channel;
            return l.lack == GoldenLack::kInput && before->from == flit.from;
        });
    };
    if (event.before == last && event.holder != kNoMessage) {
        if (!has_lost_to(last)) return "it has not lost to its holder";
        const bool named_output = sent(last, because.sends)->channel == flit.channel;
        if (!named_output && lacks(wait(last, flit), GoldenLack::kOutput)) {
            return "the winner of the output comes first";
        }
        return {};
    }
    if (has_winner(last)) return "it has lost to somebody";
    if (lacks(wait(last, flit), GoldenLack::kHeldUp)) {
        ++counts_.held_up;
        return event.holder == kNoMessage ? judge_since(event, flit) : "it waits for nobody";
    }
    ++(event.holder == kNoMessage ? counts_.no_winners : counts_.distant_winners);
    const bool is_known = event.holder != kNoMessage;
    for (Cycle cycle = event.before; cycle <= last; ++cycle) {
        if (const Need need = need_of(flit, cycle); need != Need::kArbitration) {
            return fmt::format("it lacked more meanwhile: need {} in cycle {}",
                               static_cast<int>(need), cycle);
        }
        if (cycle == event.before && is_known) continue;
        if (has_winner(cycle)) return "it has lost to somebody since";
    }
    if (is_known) return has_lost_to(event.before) ? "" : "it has not lost to its holder";
    return need_of(flit, event.before - 1) != Need::kArbitration ? "" : "it lost before";
}

std::string PathJudge::judge(const std::vector<PathSegment>& segments,
                             const std::vector<Event>& events) {
    if (segments.empty() || events.empty())
        return segments.size() == events.size() ? "" : "no path";
    // From the end: every cycle is the last event's that covers it, or a part of which covers an
    // earlier one.
    std::vector<PathSegment> parts;
    Cycle until = events.back().cycle;
    for (std::size_t i = events.size(); i-- > 0;) {
        const Event& event = events[i];
        PathSegment part;
        part.message = event.message;
        part.from = event.cycle;
        part.to = until;
        part.cause = Cause::kSerialization;
        part.channel = event.sends;
        if (until > event.cycle) parts.push_back(part);
        part.from = event.since;
        part.to = event.cycle;
        part.cause = event.cause;
        part.channel = event.channel;
        part.holder = event.holder;
        part.operation = event.operation;
        if (event.since < event.cycle) parts.push_back(part);
        until = event.before;
    }
    auto segment = segments.rbegin();
    auto part = parts.begin();
    for (Cycle cycle = events.back().cycle; cycle-- > 0;) {
        while (segment->from > cycle || segment->from == segment->to) ++segment;
        while (part != parts.end() && part->from > cycle) ++part;
        if (part == parts.end()) return fmt::format("cycle {} has no event", cycle);
        if (part->cause != segment->cause || part->channel != segment->channel ||
            part->message != segment->message || part->holder != segment->holder ||
            part->operation != segment->operation) {
            return fmt::format("cycle {} counts for {}, and not for {}", cycle,
                               cause_name(segment->cause), cause_name(part->cause));
        }
    }
    return {};
}

}  // namespace flitscope
