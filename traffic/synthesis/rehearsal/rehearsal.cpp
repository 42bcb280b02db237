// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/synthesis/rehearsal/rehearsal.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <utility>
#include <vector>

#include "models/performance/channel_pace.h"
#include "models/performance/idle_latency.h"

namespace flitscope::synthesis {
namespace {

constexpr std::uint32_t kNobody = UINT32_MAX;

/// A virtual channel of a channel.
struct LaneId {
    ChannelId channel = kNoChannel;
    std::uint32_t lane = 0;
};

/// Who has it, and the worms in its FIFO, the first one in front.
struct Lane {
    std::uint32_t owner = kNobody;
    LaneId from;  ///< in whose FIFO the owner is; of injection channels none
    std::vector<std::uint32_t> fifo;
    std::uint64_t room = 0;  ///< flits
    std::uint32_t pointer = 0;
};

struct Channel {
    Cycle delay = 0;  ///< from sending to visibility
    Cycle loop = 0;   ///< until a slot can be filled again
    NodeId to = 0;
    PortId to_port = kLocalPort;
    bool is_ejection = false;
    bool is_touched = false;
    Cycle wire_free = 0;
    std::vector<std::uint32_t> waiting;  ///< worms that ask for a lane
    std::vector<std::uint32_t> granted;  ///< worms that have one and have not begun
};

/// A worm's stay in a channel; from `leaves` + 1 on another worm can have it.
struct Hold {
    LaneId of;
    Cycle leaves = 0;
};

/// A packet on its way.
struct Worm {
    MessageId message = 0;
    NodeId destination = 0;
    std::uint64_t flits = 0;
    bool is_last = false;  ///< of its message
    LaneId in;             ///< in whose FIFO its head is, or will be; none at its node
    bool has_arrived = false;
    // What it asks for, or has and has not begun.
    LaneId next;
    std::uint8_t lanes = kAllVirtualChannels;
    std::uint32_t input = 0;  ///< input virtual channel
    std::vector<Hold> holds;  ///< those whose end is not known
    Cycle tail = 0;           ///< when its tail leaves the last of these, if nothing keeps it back
};

struct Event {
    enum class Kind : std::uint8_t { kRelease, kArrival, kPacket, kWire, kSend };

    Cycle time = 0;
    Kind kind = Kind::kRelease;
    std::uint32_t of = 0;  ///< channel; worm; queue; channel; message
    std::uint32_t lane = 0;
    std::uint64_t order = 0;

    bool operator>(const Event& other) const {
        return time != other.time ? time > other.time : order > other.order;
    }
};

/// Messages of a node that leave one after the other.
struct Queue {
    struct Waiting {
        MessageId message = 0;
        Cycle begin = 0;
    };
    std::deque<Waiting> messages;  ///< the first one is being sent
    std::uint32_t packet = 0;      ///< of the first one
    std::uint64_t flits = 0;       ///< of its packets so far, with that
    Cycle assembly = 0;            ///< begin, of the first one
    Cycle free = 0;                ///< the next startup, or assembly, begins no sooner
    bool is_busy = false;
};

struct Player {
    NodeStep step;
    Cycle ready = 0;
    std::uint32_t injected = 0;
    std::uint32_t received = 0;
};

}  // namespace

class Rehearsal::Run {
public:
    Run(Rehearsal& rehearsal, const Program& program, Cycle latest)
        : own_(rehearsal),
          config_(rehearsal.config_),
          graph_(rehearsal.graph_),
          routing_(rehearsal.routing_),
          format_(config_.packet_format()),
          pace_(config_.fabric),
          program_(program),
          nodes_(program),
          map_(graph_),
          latest_(latest),
          lane_count_(config_.fabric.virtual_channels),
          depth_(config_.fabric.buffer_depth) {
        make_channels();
        packets_left_.resize(program.transfers.size());
        for (std::size_t id = 0; id < packets_left_.size(); ++id) {
            packets_left_[id] = format_.packets(program.transfers[id].bytes);
        }
    }

    std::optional<Cycle> cycles() {
        if (program_.has_steps()) {
            for (NodeId node = 0; node < program_.nodes; ++node) {
                players_[node].step = nodes_.first(node);
                if (!players_[node].step.is_end()) enter(node, 0);
                go_on(node);
            }
        } else {
            begin_by_the_clock();
        }
        settle(0);
        while (!events_.empty()) {
            const Cycle now = events_.top().time;
            if (now > latest_ || own_.work_ > own_.most_work_) return std::nullopt;
            while (!events_.empty() && events_.top().time == now) {
                const Event event = events_.top();
                events_.pop();
                handle(event);
            }
            settle(now);
        }
        if (delivered_ != packets_left_.size()) return std::nullopt;
        return end_;
    }

private:
    void make_channels() {
        channels_.resize(map_.count());
        lanes_.resize(map_.count() * lane_count_);
        for (Lane& lane : lanes_) lane.room = depth_;
        const ChannelTimings timings(config_.fabric);
        for (LinkId l = 0; l < graph_.link_count(); ++l) {
            const Link& link = graph_.link(l);
            Channel& channel = channels_[map_.link(l)];
            channel.delay = timings.link(link).delay;
            channel.loop = pace_.loop(link);
            channel.to = link.to;
            channel.to_port = link.to_port;
        }
        const bool per_link = graph_.has_per_link_endpoints();
        const std::uint32_t ends = per_link ? graph_.link_count() : graph_.node_count();
        for (std::uint32_t i = 0; i < ends; ++i) {
            Channel& in = channels_[per_link ? map_.injection_of(i) : map_.injection(i)];
            in.delay = timings.injection().delay;
            in.loop = pace_.injection_loop();
            in.to = per_link ? graph_.link(i).from : i;
            in.to_port =
                per_link ? graph_.endpoint_port(graph_.link(i).from_port) : PortId{kLocalPort};
            Channel& out = channels_[per_link ? map_.ejection_of(i) : map_.ejection(i)];
            out.is_ejection = true;
        }
        queues_.resize(map_.count());
        players_.resize(std::max(graph_.node_count(), program_.nodes));
    }

    // Nodes.

    /// The node's current step begins.
    void enter(NodeId node, Cycle begin) {
        Player& player = players_[node];
        player.ready = begin;
        player.injected = 0;
        player.received = 0;
        const auto early = early_.find({node, player.step.step});
        if (early != early_.end()) {
            player.received = early->second.first;
            player.ready = std::max(player.ready, early->second.second);
            early_.erase(early);
        }
        for (std::uint32_t s = 0; s < player.step.send_count; ++s) {
            const MessageId id = nodes_.sends[player.step.first_send + s];
            send(id, begin);
        }
    }

    void send(MessageId id, Cycle begin) {
        const ChannelId queue = injection_of(id);
        queues_[queue].messages.push_back({id, begin});
        if (!queues_[queue].is_busy) begin_message(queue);
    }

    /// Messages that wait for nothing but their time.
    void begin_by_the_clock() {
        waits_for_.resize(packets_left_.size());
        waited_by_.resize(packets_left_.size());
        for (MessageId id = 0; id < packets_left_.size(); ++id) {
            const Transfer transfer = program_.transfers[id];
            waits_for_[id] = static_cast<std::uint32_t>(transfer.after.size());
            for (const MessageId before : transfer.after) waited_by_[before].push_back(id);
            if (transfer.after.empty()) push(transfer.time, Event::Kind::kSend, id);
        }
    }

    void go_on_after(MessageId id, Cycle ready) {
        for (const MessageId next : waited_by_[id]) {
            if (--waits_for_[next] != 0) continue;
            push(std::max(ready, program_.transfers[next].time), Event::Kind::kSend, next);
        }
    }

    void go_on(NodeId node) {
        Player& player = players_[node];
        while (!player.step.is_end() && player.injected == player.step.send_count &&
               player.received == player.step.receive_count) {
            player.step = nodes_.next(node, player.step);
            if (!player.step.is_end()) enter(node, player.ready);
        }
    }

    void injected(NodeId node, Cycle time) {
        if (!program_.has_steps()) return;
        ++players_[node].injected;
        players_[node].ready = std::max(players_[node].ready, time + 1);
        go_on(node);
    }

    void delivered(MessageId id, Cycle time) {
        ++delivered_;
        end_ = std::max(end_, time + 1);
        const Cycle ready = time + config_.node.recv_overhead + 1;
        if (!program_.has_steps()) {
            go_on_after(id, ready);
            return;
        }
        const TransferPlace place = program_.transfers.place(id);
        Player& player = players_[place.destination];
        if (player.step.is_end() || player.step.step != place.step) {
            auto& early = early_[{place.destination, place.step}];
            ++early.first;
            early.second = std::max(early.second, ready);
            return;
        }
        ++player.received;
        player.ready = std::max(player.ready, ready);
        go_on(place.destination);
    }

    ChannelId injection_of(MessageId id) const {
        const TransferPlace place = program_.transfers.place(id);
        if (!graph_.has_per_link_endpoints()) return map_.injection(place.source);
        const PortId given = program_.transfers[id].port;
        const PortId port =
            given != kLocalPort ? given : routing_.route(place.source, place.destination).port;
        return map_.injection_of(graph_.out_link(place.source, port));
    }

    /// Startup and assembly of the first message of a queue.
    void begin_message(ChannelId at) {
        Queue& queue = queues_[at];
        queue.is_busy = true;
        queue.packet = 0;
        queue.flits = 0;
        const Cycle begin = queue.messages.front().begin;
        const Cycle startup = config_.node.send_startup;
        queue.assembly = config_.node.serial_startup ? std::max(begin, queue.free) + startup
                                                     : std::max(begin + startup, queue.free);
        assemble(at);
    }

    bool is_slow() const {
        return config_.node.injection_rate.numerator < config_.node.injection_rate.denominator;
    }

    void assemble(ChannelId at) {
        Queue& queue = queues_[at];
        const std::uint64_t bytes = bytes_of(queue.messages.front().message);
        queue.flits += format_.flits(bytes, queue.packet);
        Cycle ready = queue.assembly;
        if (is_slow()) {
            ready += assembly_cycles(queue.flits, config_.node.injection_rate);
            queue.free = ready;
        }
        // Of what has been assembled in the meantime the head follows the tail before it.
        push(std::max(ready, now_), Event::Kind::kPacket, at);
    }

    std::uint64_t bytes_of(MessageId id) const { return program_.transfers[id].bytes; }

    void add_packet(ChannelId at) {
        const Queue& queue = queues_[at];
        const MessageId id = queue.messages.front().message;
        const std::uint64_t bytes = bytes_of(id);
        const std::uint32_t number = new_worm();
        Worm& worm = worms_[number];
        worm.message = id;
        worm.destination = program_.transfers.place(id).destination;
        worm.flits = format_.flits(bytes, queue.packet);
        worm.is_last = queue.packet + 1 == format_.packets(bytes);
        worm.next.channel = at;
        channels_[at].waiting.push_back(number);
        touch(at);
    }

    /// The tail of its packet has left a queue.
    void leave_queue(ChannelId at, Cycle time, bool is_last) {
        Queue& queue = queues_[at];
        if (!is_last) {
            ++queue.packet;
            assemble(at);
            return;
        }
        const MessageId id = queue.messages.front().message;
        queue.messages.pop_front();
        queue.is_busy = false;
        if (!is_slow()) queue.free = time + 1;
        if (!queue.messages.empty()) begin_message(at);
        injected(program_.transfers.place(id).source, time);
    }

    // Channels.

    std::uint32_t new_worm() {
        if (free_worms_.empty()) {
            worms_.emplace_back();
            return static_cast<std::uint32_t>(worms_.size() - 1);
        }
        const std::uint32_t number = free_worms_.back();
        free_worms_.pop_back();
        worms_[number] = Worm();
        return number;
    }

    Lane& lane(LaneId id) { return lanes_[std::size_t{id.channel} * lane_count_ + id.lane]; }

    void push(Cycle time, Event::Kind kind, std::uint32_t of, std::uint32_t lane = 0) {
        events_.push({time, kind, of, lane, order_++});
    }

    void touch(ChannelId channel) {
        if (channels_[channel].is_touched) return;
        channels_[channel].is_touched = true;
        touched_.push_back(channel);
    }

    void handle(const Event& event) {
        now_ = event.time;
        switch (event.kind) {
            case Event::Kind::kRelease:
                release({event.of, event.lane});
                return;
            case Event::Kind::kArrival:
                worms_[event.of].has_arrived = true;
                if (lane(worms_[event.of].in).fifo.front() == event.of) ask(event.of);
                return;
            case Event::Kind::kPacket:
                add_packet(event.of);
                return;
            case Event::Kind::kWire:
                touch(event.of);
                return;
            case Event::Kind::kSend:
                send(event.of, now_);
                return;
        }
    }

    /// The tail of the owner has left, for good the FIFO before.
    void release(LaneId id) {
        Lane& left = lane(id);
        const std::uint32_t number = left.owner;
        left.owner = kNobody;
        touch(id.channel);
        if (left.from.channel != kNoChannel) {
            std::vector<std::uint32_t>& fifo = lane(left.from).fifo;
            fifo.erase(fifo.begin());
            if (!fifo.empty() && worms_[fifo.front()].has_arrived) ask(fifo.front());
        } else {
            leave_queue(id.channel, now_ - 1, worms_[number].is_last);
        }
        if (!channels_[id.channel].is_ejection) return;
        const MessageId message = worms_[number].message;
        free_worms_.push_back(number);
        if (--packets_left_[message] == 0) delivered(message, now_ - 1);
    }

    /// Its head is in front of a FIFO: it asks for the next channel.
    void ask(std::uint32_t number) {
        Worm& worm = worms_[number];
        const Channel& from = channels_[worm.in.channel];
        const NodeId at = from.to;
        worm.input = from.to_port * lane_count_ + worm.in.lane;
        worm.lanes = kAllVirtualChannels;
        if (at == worm.destination) {
            worm.next.channel = graph_.has_per_link_endpoints() ? map_.ejection_of(worm.in.channel)
                                                                : map_.ejection(at);
        } else {
            const RouteChoice choice = routing_.route(at, worm.destination);
            worm.next.channel = map_.link(graph_.out_link(at, choice.port));
            worm.lanes = choice.virtual_channels;
        }
        channels_[worm.next.channel].waiting.push_back(number);
        touch(worm.next.channel);
    }

    /// Settles all channels at which something has changed.
    void settle(Cycle now) {
        now_ = now;
        // What begins gives room in the channel before it.
        for (std::size_t i = 0; i < touched_.size(); ++i) {
            const ChannelId channel = touched_[i];
            channels_[channel].is_touched = false;
            grant(channel);
            begin_granted(channel);
        }
        touched_.clear();
    }

    /// Virtual channels that are free, each to the first who asks from its pointer on.
    void grant(ChannelId at) {
        Channel& channel = channels_[at];
        for (std::uint32_t v = 0; v < lane_count_ && !channel.waiting.empty(); ++v) {
            Lane& free = lane({at, v});
            if (free.owner != kNobody) continue;
            std::size_t best = channel.waiting.size();
            std::uint32_t least = 0;
            for (std::size_t i = 0; i < channel.waiting.size(); ++i) {
                const Worm& worm = worms_[channel.waiting[i]];
                if ((worm.lanes >> v & 1) == 0) continue;
                // Inputs before the pointer come after all others.
                const std::uint32_t rank = worm.input >= free.pointer
                                               ? worm.input - free.pointer
                                               : worm.input - free.pointer + (1U << 31);
                if (best != channel.waiting.size() && rank >= least) continue;
                best = i;
                least = rank;
            }
            if (best == channel.waiting.size()) continue;
            const std::uint32_t number = channel.waiting[best];
            channel.waiting.erase(channel.waiting.begin() + static_cast<std::ptrdiff_t>(best));
            free.owner = number;
            free.pointer = worms_[number].input + 1;
            worms_[number].next.lane = v;
            channel.granted.push_back(number);
        }
    }

    void begin_granted(ChannelId at) {
        Channel& channel = channels_[at];
        for (std::size_t i = 0; i < channel.granted.size(); ++i) {
            if (channel.wire_free > now_) return;
            const std::uint32_t number = channel.granted[i];
            const Worm& worm = worms_[number];
            if (!channel.is_ejection && lane(worm.next).room < taken(worm.flits)) continue;
            channel.granted.erase(channel.granted.begin() + static_cast<std::ptrdiff_t>(i));
            begin(number);
            return;
        }
    }

    /// Slots that a packet has of a FIFO.
    std::uint64_t taken(std::uint64_t flits) const { return std::min(flits, depth_); }

    /// The head of a worm is sent over the channel that it has.
    void begin(std::uint32_t number) {
        ++own_.work_;
        Worm& worm = worms_[number];
        const LaneId at = worm.next;
        const Channel& channel = channels_[at.channel];
        // Where FIFOs are shallow it is not sooner than behind the channel before.
        const Cycle tail =
            std::max(now_ + pace_.packet_span(worm.flits, channel.loop), worm.tail + 1);
        worm.tail = tail;
        if (lane_count_ > 1) {
            const Cycle free = now_ + wire_cycles(worm.flits, channel.loop, tail);
            channels_[at.channel].wire_free = free;
            push(free, Event::Kind::kWire, at.channel);
        }
        lane(at).from = worm.in;
        if (worm.in.channel != kNoChannel) {
            lane(worm.in).room += taken(worm.flits);
            touch(worm.in.channel);
        }
        hold(worm, at, tail);
        if (channel.is_ejection) return;
        lane(at).room -= taken(worm.flits);
        lane(at).fifo.push_back(number);
        worm.in = at;
        worm.has_arrived = false;
        const bool is_stored = config_.fabric.switching == Switching::kStoreAndForward &&
                               at.channel < graph_.link_count();
        push(now_ + channel.delay +
                 (is_stored ? tail - now_ + config_.fabric.combining_delay : Cycle{0}),
             Event::Kind::kArrival, number);
    }

    /// For how long no other virtual channel begins.
    Cycle wire_cycles(std::uint64_t flits, Cycle loop, Cycle tail) const {
        if (depth_ >= loop) return tail + 1 - now_;
        // All of them together leave the wire idle, or one packet its share.
        return depth_ * lane_count_ <= loop ? taken(flits) : Cycle{flits};
    }

    /// The channel, and those behind it as long as the rest of the worm has no room in the FIFOs
    /// between them and its head.
    void hold(Worm& worm, LaneId at, Cycle tail) {
        std::vector<Hold>& holds = worm.holds;
        holds.push_back({at, 0});
        for (std::size_t i = 0; i < holds.size(); ++i) {
            const std::uint64_t slots = (holds.size() - 1 - i) * depth_;
            holds[i].leaves = std::max({holds[i].leaves, now_, tail > slots ? tail - slots : 0});
        }
        std::size_t known = 0;
        while (known < holds.size() && (channels_[at.channel].is_ejection ||
                                        (holds.size() - known) * depth_ >= worm.flits)) {
            const Hold& done = holds[known++];
            push(done.leaves + 1, Event::Kind::kRelease, done.of.channel, done.of.lane);
        }
        holds.erase(holds.begin(), holds.begin() + static_cast<std::ptrdiff_t>(known));
    }

    Rehearsal& own_;
    const Config& config_;
    const Graph& graph_;
    const Routing& routing_;
    const PacketFormat format_;
    const ChannelPace pace_;
    const Program& program_;
    const NodePrograms nodes_;
    const ChannelMap map_;
    const Cycle latest_;
    const std::uint32_t lane_count_;
    const std::uint64_t depth_;

    Cycle now_ = 0;
    Cycle end_ = 0;
    std::size_t delivered_ = 0;
    std::uint64_t order_ = 0;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::vector<Channel> channels_;
    std::vector<Lane> lanes_;  // by channel
    std::vector<ChannelId> touched_;
    std::vector<Worm> worms_;
    std::vector<std::uint32_t> free_worms_;
    std::vector<Queue> queues_;  // by injection channel
    std::vector<Player> players_;
    std::vector<std::uint32_t> packets_left_;  // by message
    // Where messages begin by the clock: how many each waits for, and those that wait for it.
    std::vector<std::uint32_t> waits_for_;
    std::vector<std::vector<MessageId>> waited_by_;
    // Messages of later steps, and when they have been received, by node and step.
    std::map<std::pair<NodeId, StepId>, std::pair<std::uint32_t, Cycle>> early_;
};

Rehearsal::Rehearsal(const Config& config, const Graph& graph, const Routing& routing)
    : config_(config), graph_(graph), routing_(routing) {}

std::optional<Cycle> Rehearsal::cycles_of(const Program& program, Cycle latest) {
    return Run(*this, program, latest).cycles();
}

}  // namespace flitscope::synthesis
