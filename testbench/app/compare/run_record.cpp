// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/compare/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "testbench/app/run/simulation_instance.h"

namespace flitscope {
namespace {

void require(bool condition, const char* what) {
    if (!condition) throw std::logic_error(what);
}

auto name_of(const PacketTimes& p) { return std::tie(p.message, p.index); }

/// The earliest time that the lives of a packet do not share; kNever when they are the same.
Cycle parting(const PacketTimes& a, const PacketTimes& b) {
    Cycle earliest = kNever;
    for (const auto time :
         {&PacketTimes::begin, &PacketTimes::head_injected, &PacketTimes::tail_injected,
          &PacketTimes::head_delivered, &PacketTimes::tail_delivered}) {
        if (a.*time != b.*time) earliest = std::min({earliest, a.*time, b.*time});
    }
    return earliest;
}

std::string text_of(const PacketTimes* p) {
    if (p == nullptr) return "not delivered";
    return fmt::format("begins {}, head injected {} delivered {}, tail injected {} delivered {}",
                       p->begin, p->head_injected, p->head_delivered, p->tail_injected,
                       p->tail_delivered);
}

std::string text_of(const SendInterval* i) {
    if (i == nullptr) return "sends nothing more";
    return fmt::format("sends in cycles {} to {}", i->first, i->last_plus_one - 1);
}

/// Keeps the earliest of the differences that it is shown, of equal ones the first.
class Earliest {
public:
    bool takes(Cycle cycle) const { return !found_ || cycle < *found_->cycle; }
    void take(Cycle cycle, std::string subject, std::string ours, std::string theirs) {
        found_ = RunDifference{cycle, std::move(subject), std::move(ours), std::move(theirs)};
    }
    std::optional<RunDifference>& found() { return found_; }

private:
    std::optional<RunDifference> found_;
};

void compare_channel(const RunRecord& ours, const RunRecord& theirs, ChannelId channel,
                     const Graph& graph, Earliest& earliest) {
    const std::vector<SendInterval>& a = ours.busy[channel];
    const std::vector<SendInterval>& b = theirs.busy[channel];
    const auto differ = [](const SendInterval& x, const SendInterval& y) {
        return x.first != y.first || x.last_plus_one != y.last_plus_one;
    };
    std::size_t i = 0;
    while (i < std::min(a.size(), b.size()) && !differ(a[i], b[i])) ++i;
    const SendInterval* const one = i < a.size() ? &a[i] : nullptr;
    const SendInterval* const other = i < b.size() ? &b[i] : nullptr;
    if (one == nullptr && other == nullptr) return;
    Cycle cycle = kNever;
    if (one != nullptr && other != nullptr && one->first == other->first) {
        cycle = std::min(one->last_plus_one, other->last_plus_one);
    } else {
        if (one != nullptr) cycle = one->first;
        if (other != nullptr) cycle = std::min(cycle, other->first);
    }
    if (!earliest.takes(cycle)) return;
    earliest.take(cycle, channel_name(graph, channel), text_of(one), text_of(other));
}

void compare_packets(const RunRecord& ours, const RunRecord& theirs, Earliest& earliest) {
    auto a = ours.packets.begin();
    auto b = theirs.packets.begin();
    while (a != ours.packets.end() || b != theirs.packets.end()) {
        const PacketTimes* one = a != ours.packets.end() ? &*a : nullptr;
        const PacketTimes* other = b != theirs.packets.end() ? &*b : nullptr;
        if (one != nullptr && other != nullptr) {
            if (name_of(*one) < name_of(*other)) {
                other = nullptr;
            } else if (name_of(*other) < name_of(*one)) {
                one = nullptr;
            }
        }
        Cycle cycle = kNever;
        if (one != nullptr && other != nullptr) {
            cycle = parting(*one, *other);
        } else {
            cycle = (one != nullptr ? one : other)->tail_delivered;
        }
        if (cycle != kNever && earliest.takes(cycle)) {
            const PacketTimes& any = *(one != nullptr ? one : other);
            earliest.take(cycle, fmt::format("message {} packet {}", any.message, any.index),
                          text_of(one), text_of(other));
        }
        if (one != nullptr) ++a;
        if (other != nullptr) ++b;
    }
}

std::string outcome(const RunRecord& record) {
    std::string text = name_of(record.verdict);
    for (const std::string& problem : record.problems) text += "; " + problem;
    return text;
}

std::optional<RunDifference> compare_totals(const RunRecord& ours, const RunRecord& theirs,
                                            const Graph& graph) {
    for (ChannelId channel = 0; channel < theirs.flits_sent.size(); ++channel) {
        const std::uint64_t a = ours.flits_sent[channel];
        const std::uint64_t b = theirs.flits_sent[channel];
        if (a == b) continue;
        return RunDifference{{},
                             channel_name(graph, channel),
                             fmt::format("{} flits", a),
                             fmt::format("{} flits", b)};
    }
    const auto cycles = [](const char* what, Cycle a, Cycle b) {
        return RunDifference{{}, what, fmt::format("{}", a), fmt::format("{}", b)};
    };
    if (ours.makespan != theirs.makespan) {
        return cycles("makespan", ours.makespan, theirs.makespan);
    }
    if (ours.simulated_cycles != theirs.simulated_cycles) {
        return cycles("cycles simulated", ours.simulated_cycles, theirs.simulated_cycles);
    }
    if (ours.verdict != theirs.verdict || ours.problems != theirs.problems) {
        return RunDifference{{}, "outcome", outcome(ours), outcome(theirs)};
    }
    return std::nullopt;
}

}  // namespace

std::uint64_t RunRecord::busy_intervals() const {
    std::uint64_t count = 0;
    for (const std::vector<SendInterval>& intervals : busy) count += intervals.size();
    return count;
}

std::optional<RunDifference> first_difference(const RunRecord& ours, const RunRecord& theirs,
                                              const Graph& graph) {
    Earliest earliest;
    const std::size_t channels = std::min(ours.busy.size(), theirs.busy.size());
    for (ChannelId channel = 0; channel < channels; ++channel) {
        compare_channel(ours, theirs, channel, graph, earliest);
    }
    compare_packets(ours, theirs, earliest);
    if (earliest.found()) return std::move(earliest.found());
    return compare_totals(ours, theirs, graph);
}

ChannelRecorder::ChannelRecorder(ChannelId channels, std::uint32_t virtual_channels)
    : vcs_(virtual_channels),
      busy_(channels),
      open_(static_cast<std::size_t>(channels) * vcs_, kNever),
      owned_(open_.size(), false) {}

void ChannelRecorder::on_grant(ChannelId channel, std::uint32_t vc, const Message&, Cycle cycle) {
    require(!owned_[at(channel, vc)], "granted twice");
    owned_[at(channel, vc)] = true;
    forward(cycle);
}

void ChannelRecorder::on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId, std::uint32_t,
                                    Cycle cycle) {
    require(owned_[at(channel, vc)], "sends without a grant");
    require(open_[at(channel, vc)] == kNever, "sends twice");
    open_[at(channel, vc)] = cycle;
    forward(cycle);
}

void ChannelRecorder::on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    const Cycle first = std::exchange(open_[at(channel, vc)], kNever);
    require(first != kNever && first < cycle, "ends what did not begin");
    keep(channel, {first, cycle});
    forward(cycle);
}

void ChannelRecorder::on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) {
    require(owned_[at(channel, vc)] && open_[at(channel, vc)] == kNever, "released");
    owned_[at(channel, vc)] = false;
    forward(cycle);
}

std::vector<std::vector<SendInterval>> ChannelRecorder::take(Cycle end) {
    for (std::size_t place = 0; place < open_.size(); ++place) {
        const Cycle first = std::exchange(open_[place], kNever);
        if (first != kNever) keep(static_cast<ChannelId>(place / vcs_), {first, end});
    }
    return std::move(busy_);
}

void ChannelRecorder::forward(Cycle cycle) {
    require(cycle >= now_, "reported late");
    now_ = cycle;
}

void ChannelRecorder::keep(ChannelId channel, SendInterval interval) {
    std::vector<SendInterval>& kept = busy_[channel];
    if (!kept.empty()) {
        // One flit per cycle: a packet that ends later also began later.
        require(kept.back().last_plus_one <= interval.first, "two virtual channels send at once");
        if (kept.back().last_plus_one == interval.first) {
            kept.back().last_plus_one = interval.last_plus_one;
            return;
        }
    }
    ++intervals_;
    kept.push_back(interval);
}

const std::vector<PacketRecord>& PacketRecorder::sorted() {
    std::sort(packets_.begin(), packets_.end(), [](const PacketRecord& a, const PacketRecord& b) {
        return std::tie(a.message.id, a.index) < std::tie(b.message.id, b.index);
    });
    return packets_;
}

RunRecord make_run_record(const SimulationResult& result, PacketRecorder& packets,
                          ChannelRecorder* channels) {
    RunRecord record;
    record.verdict = result.verdict;
    record.problems = result.problems;
    record.makespan = result.cycles;
    record.simulated_cycles = result.simulated_cycles;
    record.flits_sent = result.channel_flits;
    for (const PacketRecord& p : packets.sorted()) {
        record.packets.push_back({p.message.id, p.index, p.begin, p.head_injected, p.tail_injected,
                                  p.head_delivered, p.tail_delivered});
    }
    if (channels != nullptr) record.busy = channels->take(result.simulated_cycles);
    return record;
}

}  // namespace flitscope
