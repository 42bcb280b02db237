// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/run/planes_fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace flitscope {

/// One of the fabrics, in a module that gives its own ones names; it tells an observer of the
/// channels of all planes.
class PlanesFabric::Plane final : public sc_core::sc_module, public ChannelObserver {
public:
    Plane(sc_core::sc_module_name name, ChannelId first, const hw::FabricOptions& options,
          const Make& make)
        : sc_module(name), first_(first), observer_(options.channels) {
        hw::FabricOptions own = options;
        if (observer_ != nullptr) own.channels = this;
        fabric_ = make(own);
    }

    Fabric& operator*() const { return *fabric_; }
    Fabric* operator->() const { return fabric_.get(); }
    ChannelId first() const { return first_; }

    void on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                  Cycle cycle) override {
        observer_->on_grant(first_ + channel, vc, message, cycle);
    }
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                       std::uint32_t popped_vc, Cycle cycle) override {
        const ChannelId from = popped == kNoChannel ? kNoChannel : first_ + popped;
        observer_->on_send_begin(first_ + channel, vc, from, popped_vc, cycle);
    }
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        observer_->on_send_end(first_ + channel, vc, cycle);
    }
    void on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        observer_->on_release(first_ + channel, vc, cycle);
    }
    void on_cut(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        observer_->on_cut(first_ + channel, vc, cycle);
    }
    void on_loss(ChannelId channel, std::uint32_t vc, Cycle visible, Cycle cycle) override {
        observer_->on_loss(first_ + channel, vc, visible, cycle);
    }

private:
    ChannelId first_;
    ChannelObserver* observer_;
    std::unique_ptr<Fabric> fabric_;
};

/// Hands messages over to the interface of their plane.
class PlanesFabric::Port final : public MessagePort {
public:
    explicit Port(std::vector<MessagePort*> planes) : planes_(std::move(planes)) {}
    void send(const Message& message, Cycle begin, const SendOptions& options) override {
        planes_.at(message.plane)->send(message, begin, options);
    }
    void withdraw(MessageClass of, std::uint8_t plane) override {
        planes_.at(plane)->withdraw(of, plane);
    }

private:
    std::vector<MessagePort*> planes_;
};

PlanesFabric::PlanesFabric(sc_core::sc_module_name name, const ChannelMap& channels,
                           double clock_ns, const hw::FabricOptions& options, const Make& make)
    : sc_module(name), channels_(channels), period_(clock_ns, sc_core::SC_NS) {
    for (std::uint32_t plane = 0; plane < channels.planes(); ++plane) {
        planes_.push_back(std::make_unique<Plane>(fmt::format("plane{}", plane).c_str(),
                                                  channels.first(plane), options, make));
    }
    SC_METHOD(inspect);
    dont_initialize();
    sensitive << due_;
}

PlanesFabric::~PlanesFabric() = default;

MessagePort& PlanesFabric::port(NodeId node) {
    if (ports_.size() <= node) ports_.resize(std::size_t{node} + 1);
    if (ports_[node] == nullptr) {
        std::vector<MessagePort*> planes;
        for (const auto& plane : planes_) planes.push_back(&(*plane)->port(node));
        ports_[node] = std::make_unique<Port>(std::move(planes));
    }
    return *ports_[node];
}

void PlanesFabric::attach(NodeId node, MessageListener& listener) {
    for (const auto& plane : planes_) (*plane)->attach(node, listener);
}

/// The planes do not run ahead of an inspection, which comes when all of them have done its cycle.
/// In that cycle they do not know of the next one yet, so they ask again in the cycle after it.
void PlanesFabric::start(const RunControl& control) {
    control_ = control;
    if (control.inspect) next_ = control.first_inspection;
    RunControl own = control;
    own.owns_kernel = false;
    own.inspect = [this](Cycle now) { return next_ > now ? next_ : now + 1; };
    own.first_inspection = next_;
    if (control.keep_going) own.keep_going = [this](Cycle now) { return poll(now); };
    for (const auto& plane : planes_) (*plane)->start(own);
    if (next_ < control.limit) due_.notify(period_ * static_cast<double>(next_));
}

void PlanesFabric::inspect() {
    if (!std::exchange(settled_, true)) {
        due_.notify(sc_core::SC_ZERO_TIME);
        return;
    }
    settled_ = false;
    const Cycle now = next_;
    next_ = control_.inspect(now);
    if (next_ == RunControl::kStop) {
        stopped_at_ = now;
        halt();
        next_ = kNever;
        return;
    }
    if (next_ < control_.limit) due_.notify(period_ * static_cast<double>(next_ - now));
}

bool PlanesFabric::poll(Cycle now) {
    interrupted_ = interrupted_ || !control_.keep_going(now);
    if (interrupted_) halt();
    return !interrupted_;
}

RunEnd PlanesFabric::finish() {
    RunEnd end = RunEnd::kIdle;
    for (const auto& plane : planes_) end = std::max(end, (*plane)->finish());
    return interrupted_ || stopped_at_ != kNever ? RunEnd::kInterrupted : end;
}

void PlanesFabric::halt() {
    for (const auto& plane : planes_) (*plane)->halt();
}

Cycle PlanesFabric::latest(Cycle (Fabric::*of_plane)() const) const {
    Cycle latest = 0;
    for (const auto& plane : planes_) latest = std::max(latest, (**plane.*of_plane)());
    return latest;
}

Cycle PlanesFabric::now() const { return latest(&Fabric::now); }

Cycle PlanesFabric::end_cycle() const {
    return stopped_at_ != kNever ? stopped_at_ + 1 : latest(&Fabric::end_cycle);
}

Cycle PlanesFabric::cycles_of_moves() const { return latest(&Fabric::cycles_of_moves); }

std::uint32_t PlanesFabric::rtl_routers() const {
    std::uint32_t routers = 0;
    for (const auto& plane : planes_) routers += (*plane)->rtl_routers();
    return routers;
}

std::uint32_t PlanesFabric::parts() const { return (*planes_.front())->parts(); }

std::uint64_t PlanesFabric::flits_sent(ChannelId channel) const {
    return (*planes_[channels_.plane(channel)])->flits_sent(channels_.in_first_plane(channel));
}

std::vector<std::string> PlanesFabric::broken_invariants(bool drained) const {
    std::vector<std::string> all;
    for (std::size_t plane = 0; plane < planes_.size(); ++plane) {
        for (const std::string& broken : (*planes_[plane])->broken_invariants(drained)) {
            all.push_back(fmt::format("plane {}: {}", plane, broken));
        }
    }
    return all;
}

std::vector<WaitingPacket> PlanesFabric::find_deadlock() const {
    for (const auto& plane : planes_) {
        std::vector<WaitingPacket> cycle = (*plane)->find_deadlock();
        if (cycle.empty()) continue;
        for (WaitingPacket& packet : cycle) {
            packet.at += plane->first();
            packet.wants += plane->first();
        }
        return cycle;
    }
    return {};
}

}  // namespace flitscope
