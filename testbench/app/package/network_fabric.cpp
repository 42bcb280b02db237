// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/package/network_fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <set>
#include <stdexcept>
#include <utility>

#include "models/base/limits.h"
#include "models/fabric/switching.h"
#include "testbench/app/run/message_log.h"
#include "tlm/interconnect/interconnect.h"

namespace flitscope {
namespace {

/// Chooses the engine, with findings in words for programmers.
const Engine& engine_for(const Machine& machine, const std::string& requested) {
    return *choose_engine(machine, requested,
                          {"NetworkOptions::engine",
                           fmt::format("there is no engine '{}'", requested), "choose the engine "})
                .engine;
}

/// Whether this is called by a process of `module`, or of one in it.
bool is_within(const sc_core::sc_object* module) {
    const sc_core::sc_object* object = sc_core::sc_get_current_process_b();
    while (object != nullptr && object != module) object = object->get_parent_object();
    return object != nullptr;
}

/// The port of a node, for messages made by a user's program: a message that no engine can carry is
/// a fatal SystemC error, with the message and the node.
class GuardedPort final : public MessagePort {
public:
    /// `engine` is the module of the engine, whose processes tell listeners and observers.
    GuardedPort(MessagePort& port, NodeId node, const Machine& machine,
                const sc_core::sc_object* engine)
        : port_(port),
          node_(node),
          machine_(machine),
          engine_(engine),
          period_(machine.config.clock_ns, sc_core::SC_NS) {}

    void send(const Message& message, Cycle begin, const SendOptions& options) override {
        const std::string wrong = problem(message, begin);
        if (!wrong.empty()) fail(message, wrong);
        try {
            port_.send(message, soonest(begin), options);
        } catch (const std::invalid_argument& error) {
            fail(message, fmt::format("cannot be sent so: {}", error.what()));
        }
    }
    void withdraw(MessageClass of, std::uint8_t plane) override {
        try {
            if (of >= machine_.config.fabric.class_count())
                throw std::logic_error(class_problem(of));
            port_.withdraw(of, plane);
        } catch (const std::logic_error& error) {
            fail(fmt::format("node {} cannot take back a message: {}", node_, error.what()));
        }
    }

private:
    static void fail(const std::string& text) {
        SC_REPORT_FATAL("/flitscope/network", text.c_str());
    }
    void fail(const Message& message, const std::string& why) const {
        fail(fmt::format("message {} of node {} {}", message.id, node_, why));
    }
    std::string class_problem(MessageClass of) const {
        const std::uint32_t classes = machine_.config.fabric.class_count();
        return fmt::format("class {}, and there {} (fabric.classes)", of,
                           classes == 1 ? "is one" : fmt::format("are {}", classes));
    }
    /// While an engine notifies somebody, it is in a defined cycle. In between, its last cycle may
    /// be long ago, and the current one has begun.
    Cycle soonest(Cycle begin) const {
        const Cycle now = sc_core::sc_time_stamp().value() / period_.value();
        if (begin > now || sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME) return begin;
        return is_within(engine_) ? begin : now + 1;
    }
    std::string problem(const Message& message, Cycle begin) const {
        const Graph& graph = machine_.graph;
        if (message.source != node_) {
            return fmt::format("says that it comes from node {}", message.source);
        }
        if (message.destination >= graph.node_count()) {
            return fmt::format("goes to node {}, and there are {} that messages can go to",
                               message.destination, graph.node_count());
        }
        if (!graph.is_alive(message.destination)) {
            return fmt::format("goes to node {}, which has failed (section faults)",
                               message.destination);
        }
        if (message.message_class >= machine_.config.fabric.class_count()) {
            return "is of " + class_problem(message.message_class);
        }
        if (message.plane >= graph.planes()) {
            return fmt::format("crosses plane {}, and fabric.planes is {}", message.plane,
                               graph.planes());
        }
        if (message.bytes > kMostMessageBytes) {
            return fmt::format("has {} bytes, more than 2^56", message.bytes);
        }
        if (message.id == kNoMessage) return "has the reserved number for no message (kNoMessage)";
        if (begin > kLatest) {
            return fmt::format("begins in cycle {}, later than {}", begin, kLatest);
        }
        if (const auto found = find_packet_without_room(machine_.config, message.bytes)) {
            return fmt::format("has {} bytes, and {} ({})", message.bytes, found->what,
                               found->hint);
        }
        return "";
    }

    static constexpr Cycle kLatest = 2 * kLongTime;  // of a program, plus what its nodes add

    MessagePort& port_;
    NodeId node_;
    const Machine& machine_;
    const sc_core::sc_object* engine_;
    sc_core::sc_time period_;
};

/// The traces of all networks of this program.
std::set<std::string>& open_traces() {
    static std::set<std::string> traces;
    return traces;
}

}  // namespace

NetworkFabric::NetworkFabric(Machine machine, const NetworkOptions& options,
                             AccessExplainer::Listener listener)
    : machine_(std::move(machine)), engine_(engine_for(machine_, options.engine)) {
    if (machine_.later != nullptr && !machine_.config.has_traffic()) {
        throw ConfigError(machine_.config.where("faults.at"),
                          "nodes of your own program would not be notified of lost messages",
                          "set faults.at: 0, or give the configuration its traffic");
    }
    const bool is_platform = machine_.config.interconnect.has_value();
    if (!options.trace.empty()) {
        trace_name_ = options.trace;
        if (open_traces().count(trace_name_) != 0) {
            throw ConfigError({trace_name_, 0, 0},
                              "another network of this program writes this file",
                              "give each network a trace of its own");
        }
        trace_ = open_run_trace(options.trace, machine_.config, machine_.graph, {},
                                is_platform ? MessageNumbers(*this) : MessageNumbers());
    }
    if (listener) explainer_ = std::make_unique<AccessExplainer>(machine_, std::move(listener));
    if (!options.signals.empty()) {
        signals_ = std::make_unique<SignalledChannels>("signals", machine_.config, machine_.graph,
                                                       options.signals);
    }
    channels_.add(trace_.get());
    channels_.add(signals_.get());
    if (explainer_) channels_.add(&explainer_->recorder());
    channels_.add(options.channels);
    packets_.add(options.packets);
    if (explainer_) packets_.add(&explainer_->recorder());
    hw::FabricOptions parts;
    parts.channels = channels_.get();
    parts.packets = &packets_;
    parts.inner_signals = trace_ ? trace_->inner_signals() : nullptr;
    parts.threads = options.threads;
    parts.rtl_libraries = options.rtl_libraries;
    fabric_ = create_fabric(engine_, machine_, parts);
    if (trace_ != nullptr) open_traces().insert(trace_name_);
}

NetworkFabric::~NetworkFabric() {
    if (trace_ != nullptr) open_traces().erase(trace_name_);
    if (!started_ || trace_ == nullptr || trace_is_complete_) return;
    try {
        finish();
    } catch (const std::exception& error) {
        SC_REPORT_WARNING("/flitscope/trace", error.what());
    }
}

std::vector<const ChannelSignals*> NetworkFabric::signals() const {
    std::vector<const ChannelSignals*> all;
    if (signals_ == nullptr) return all;
    for (const auto& signals : signals_->all()) all.push_back(signals.get());
    return all;
}

const ChannelSignals& NetworkFabric::signals(const std::string& channel) const {
    for (const ChannelSignals* const signals : this->signals()) {
        if (signals->name == channel) return *signals;
    }
    throw ConfigError({machine_.config.source, 0, 0},
                      fmt::format("the channel '{}' is no signal", channel),
                      "add its name to NetworkOptions::signals");
}

MessagePort& NetworkFabric::port(NodeId node) {
    require_living(node);
    std::unique_ptr<MessagePort>& guard = guards_[node];
    if (guard == nullptr) {
        guard =
            std::make_unique<GuardedPort>(watched_port(node), node, machine_,
                                          dynamic_cast<const sc_core::sc_object*>(fabric_.get()));
    }
    return *guard;
}

MessagePort& NetworkFabric::watched_port(NodeId node) {
    MessagePort& port = fabric_->port(node);
    if (explainer_ == nullptr) return port;
    return *(watched_[node] = std::make_unique<WatchedPort>(port, *explainer_));
}

void NetworkFabric::observe_accesses(TlmInterconnect& interconnect) {
    interconnect_ = &interconnect;
    if (explainer_ == nullptr) return;
    const auto names = [](const auto& sockets) {
        std::vector<std::string> all;
        for (const auto& socket : sockets) all.emplace_back(socket.name());
        return all;
    };
    explainer_->name_sockets(names(interconnect.from_initiator), names(interconnect.to_target));
    interconnect.observe(*explainer_);
}

std::optional<MessageLabel> NetworkFabric::of(MessageId message) const {
    using Kind = MessageLabel::Kind;
    const CarriedAccess* const access =
        interconnect_ == nullptr ? nullptr : interconnect_->access_of(message);
    if (access == nullptr) return std::nullopt;
    MessageLabel label;
    label.address = access->address;
    label.initiator = access->initiator;
    if (access->command == tlm::TLM_READ_COMMAND) {
        label.kind = access->is_response ? Kind::kReadResponse : Kind::kReadRequest;
    } else if (access->command == tlm::TLM_WRITE_COMMAND) {
        label.kind = access->is_response ? Kind::kWriteResponse : Kind::kWriteRequest;
    } else {
        label.kind = access->is_response ? Kind::kOtherResponse : Kind::kOtherRequest;
    }
    return label;
}

void NetworkFabric::attach(NodeId node, MessageListener& listener) {
    require_living(node);
    if (!attached_.insert(node).second) {
        throw ConfigError({machine_.config.source, 0, 0},
                          fmt::format("node {} has a listener already", node),
                          "attach one that notifies the others");
    }
    fabric_->attach(node, listener);
}

void NetworkFabric::require_living(NodeId node) const {
    const Graph& graph = machine_.graph;
    if (node >= graph.node_count()) {
        throw ConfigError({machine_.config.source, 0, 0},
                          fmt::format("there is no node {} that sends and receives", node),
                          graph.node_count() == 1
                              ? "there is node 0"
                              : fmt::format("they are 0 to {}", graph.node_count() - 1));
    }
    if (!graph.is_alive(node)) {
        throw ConfigError(machine_.config.where("faults"),
                          fmt::format("node {} has failed: nothing can be connected to it", node),
                          "let it live, or use another node");
    }
}

void NetworkFabric::start(const RunControl& control) {
    RunControl own = control;
    own.poll_interval = std::min(own.poll_interval, engine_.poll_interval);
    fabric_->start(own);
    started_ = true;
}

RunEnd NetworkFabric::finish() {
    const RunEnd end = fabric_->finish();
    // Once, even if it fails. The engine still reports to the trace if the simulation goes on.
    if (trace_ != nullptr && !std::exchange(trace_is_complete_, true)) {
        trace_->finish(fabric_->end_cycle());
    }
    return end;
}

}  // namespace flitscope
