// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/endpoints/scoreboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "traffic/endpoints/pair_order.h"
#include "traffic/endpoints/round_trips.h"
#include "traffic/endpoints/scoreboard_config.h"

namespace flitscope {
namespace {

constexpr std::size_t kReported = 10;  // sentences per kind; a broken fabric would fill the disk

}  // namespace

Scoreboard::Scoreboard(const ScoreboardConfig& config, const Program* program)
    : config_(std::make_unique<const ScoreboardConfig>(config)),
      program_(program),
      delivered_(program == nullptr ? 0 : program->transfers.size(), false),
      order_(std::make_unique<PairOrder>(config.in_order ? config.nodes : 0)) {
    if (config.replies) round_trips_ = std::make_unique<RoundTrips>(*config.replies);
    if (config.classes > 1) classes_.resize(config.classes);
}

Scoreboard::~Scoreboard() = default;

bool Scoreboard::is_measured(Cycle cycle) const {
    return cycle >= config_->measure_from && cycle < config_->measure_until;
}

void Scoreboard::violation(std::string what) {
    ++violation_count_;
    if (violations_.size() < kReported) violations_.push_back(std::move(what));
}

void Scoreboard::on_packet(const PacketRecord& packet) {
    if (packet.message.id == kNoMessage) {
        violation(
            fmt::format("a packet arrived in cycle {} that was never sent, or had already arrived",
                        packet.tail_delivered));
        return;
    }
    check(packet);
    flits_ += packet.flits;
    makespan_ = std::max(makespan_, packet.tail_delivered + 1);
    if (is_measured(packet.tail_delivered)) {
        const bool late = packet.tail_delivered >= config_->measure_middle();
        flits_measured_[late ? 1 : 0] += packet.flits;
        if (!classes_.empty()) classes_[packet.message.message_class].flits += packet.flits;
    }
    const bool measured = is_measured(packet.begin);
    if (measured && packet.index == 0) head_latency_.add(packet.head_delivered - packet.begin);
    const std::optional<Cycle> injected = completed(packet);
    if (!injected) return;
    ++messages_;
    bytes_ += packet.message.bytes;
    if (measured) {
        latency_.add(packet.tail_delivered - packet.begin);
        network_latency_.add(packet.tail_delivered - *injected);
    }
    if (!classes_.empty()) {
        ClassTraffic& of = classes_[packet.message.message_class];
        ++of.delivered;
        if (measured) of.latency.add(packet.tail_delivered - packet.begin);
    }
    if (round_trips_) end_round_trip(packet);
}

void Scoreboard::end_round_trip(const PacketRecord& last) {
    RoundTrips::End end = round_trips_->delivered(last);
    if (!end.problem.empty()) violation(std::move(end.problem));
    if (end.began && is_measured(*end.began)) round_trip_.add(last.tail_delivered - *end.began);
}

void Scoreboard::check(const PacketRecord& packet) {
    const Message& m = packet.message;
    if (packet.corrupt_flits != 0) {
        violation(fmt::format("message {} from node {} to node {}: {} of {} flits were not as sent",
                              number(m.id), m.source, m.destination, packet.corrupt_flits,
                              packet.flits));
    }
    if (program_ != nullptr) {
        if (m.id >= program_->transfers.size()) {
            violation(fmt::format("message {} is not in the program", m.id));
            return;
        }
        const Transfer& t = program_->transfers[m.id];
        if (t.source != m.source || t.destination != m.destination || t.bytes != m.bytes ||
            t.message_class != m.message_class) {
            violation(
                fmt::format("message {} is not the one that the program holds", number(m.id)));
        }
    }
    const std::uint64_t expected = config_->format.flits(m.bytes, packet.index);
    if (packet.flits != expected) {
        violation(fmt::format("packet {} of message {} has {} flits instead of {}", packet.index,
                              number(m.id), packet.flits, expected));
    }
    if (config_->in_order) {
        if (packet.sequence < order_->exchange(m.source, m.destination, packet.sequence + 1)) {
            violation(fmt::format(
                "a packet of message {} from node {} to node {} was overtaken by a later one",
                number(m.id), m.source, m.destination));
        }
    }
}

std::optional<Cycle> Scoreboard::completed(const PacketRecord& packet) {
    const MessageId id = packet.message.id;
    if (id >= delivered_.size()) {
        if (program_ != nullptr) return std::nullopt;  // already reported
        delivered_.resize(std::max<std::size_t>(id + std::size_t{1}, 2 * delivered_.size()), false);
    }
    if (delivered_[id]) {
        violation(fmt::format("message {} was delivered twice", number(id)));
        return std::nullopt;
    }
    Cycle injected = packet.head_injected;
    const std::uint32_t packets = config_->format.packets(packet.message.bytes);
    if (packets > 1) {
        Partial& partial = partial_[id];
        partial.arrived.resize(packets, false);
        if (packet.index >= packets || partial.arrived[packet.index]) {
            violation(fmt::format("packet {} of message {} was delivered twice or is not one of {}",
                                  packet.index, number(id), packets));
            return std::nullopt;
        }
        partial.arrived[packet.index] = true;
        partial.injected = std::min(partial.injected, injected);
        if (++partial.count < packets) return std::nullopt;
        injected = partial.injected;
        partial_.erase(id);
    }
    delivered_[id] = true;
    return injected;
}

std::vector<std::string> Scoreboard::violations() const {
    std::vector<std::string> all = violations_;
    if (violation_count_ > all.size()) {
        all.push_back(fmt::format("and {} more", violation_count_ - all.size()));
    }
    return all;
}

std::vector<std::string> Scoreboard::missing() const {
    std::vector<std::string> all;
    if (program_ == nullptr) return all;
    std::uint64_t count = 0;
    for (MessageId id = 0; id < delivered_.size(); ++id) {
        if (delivered_[id] || ++count > kReported) continue;
        const Transfer& t = program_->transfers[id];
        const std::string step =
            program_->has_steps() ? fmt::format(" (step {})", t.step + 1) : std::string();
        all.push_back(fmt::format("message {} from node {} to node {}{} never arrived", number(id),
                                  t.source, t.destination, step));
    }
    if (count > kReported) all.push_back(fmt::format("and {} more", count - kReported));
    return all;
}

}  // namespace flitscope
