// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A network made in code, with modules of one's own as its nodes and an observer of one's own: on a
// 4 x 4 mesh fifteen clients ask one server, each as often as it gets answers. Prints how long a
// client waits by its distance, and which channels are the reason. With an argument (run.vcd, .fst)
// also writes a waveform. Exit code 0 when every request was answered, 1 if not, 2 when the network
// cannot be made.
#include <flitscope/fabric.h>
#include <flitscope/waveforms.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

namespace {

using flitscope::ChannelId;
using flitscope::Cycle;
using flitscope::Message;
using flitscope::MessageId;
using flitscope::NodeId;

constexpr NodeId kServer = 5;
constexpr unsigned int kRequests = 20;  // of each client
constexpr std::uint64_t kRequestBytes = 16;
constexpr std::uint64_t kAnswerBytes = 256;
constexpr Cycle kServiceCycles = 10;

/// Numbers that no message of the run has had before.
class Numbers {
public:
    MessageId next() { return ++last_; }

private:
    MessageId last_ = 0;
};

/// The base of both kinds of nodes: a module with a port to the network, notified of its messages.
class Node : public sc_core::sc_module, public flitscope::MessageListener {
public:
    sc_core::sc_port<flitscope::MessagePort> network{"network"};

protected:
    Node(sc_core::sc_module_name name, NodeId node, Numbers& numbers)
        : sc_module(name), node_(node), numbers_(numbers) {}

    /// In `begin` or as soon as the interface is free.
    void send(NodeId to, std::uint64_t bytes, Cycle begin) {
        Message message;
        message.id = numbers_.next();
        message.source = node_;
        message.destination = to;
        message.bytes = bytes;
        network->send(message, begin);
    }

private:
    NodeId node_;
    Numbers& numbers_;
};

/// Asks, waits for the answer, asks again.
class Client final : public Node {
public:
    Client(sc_core::sc_module_name name, NodeId node, Numbers& numbers)
        : Node(name, node, numbers) {}

    unsigned int answers() const { return answers_; }
    Cycle waited() const { return waited_; }

    void on_injected(const Message&, Cycle) override {}
    void on_delivered(const Message&, Cycle cycle) override {
        waited_ += cycle + 1 - asked_;
        if (++answers_ < kRequests) ask(cycle + 1);
    }

private:
    void start_of_simulation() override { ask(0); }
    void ask(Cycle begin) {
        asked_ = begin;
        send(kServer, kRequestBytes, begin);
    }

    unsigned int answers_ = 0;
    Cycle asked_ = 0;
    Cycle waited_ = 0;
};

/// Answers one request after the other.
class Server final : public Node {
public:
    Server(sc_core::sc_module_name name, NodeId node, Numbers& numbers)
        : Node(name, node, numbers) {}

    void on_delivered(const Message& message, Cycle cycle) override {
        waiting_.push_back({message.source, cycle + 1 + kServiceCycles});
        if (!sending_) answer();
    }
    /// The interface has room for the next answer.
    void on_injected(const Message&, Cycle) override {
        sending_ = false;
        if (!waiting_.empty()) answer();
    }

private:
    struct Request {
        NodeId client;
        Cycle ready;
    };

    void answer() {
        const Request next = waiting_.front();
        waiting_.pop_front();
        sending_ = true;
        send(next.client, kAnswerBytes, next.ready);
    }

    std::deque<Request> waiting_;
    bool sending_ = false;
};

/// For how many cycles each channel sends, and for how many a packet holds it and cannot advance.
class Occupancy final : public flitscope::ChannelObserver {
public:
    struct Cycles {
        Cycle held = 0;
        Cycle sending = 0;
    };

    void on_grant(ChannelId channel, std::uint32_t, const Message&, Cycle cycle) override {
        of_[channel].held -= cycle;
    }
    void on_send_begin(ChannelId channel, std::uint32_t, ChannelId, std::uint32_t,
                       Cycle cycle) override {
        of_[channel].sending -= cycle;
    }
    void on_send_end(ChannelId channel, std::uint32_t, Cycle cycle) override {
        of_[channel].sending += cycle;
    }
    void on_release(ChannelId channel, std::uint32_t, Cycle cycle) override {
        of_[channel].held += cycle;
    }

    /// The channels, those that send most first.
    std::vector<std::pair<ChannelId, Cycles>> busiest() const {
        std::vector<std::pair<ChannelId, Cycles>> all(of_.begin(), of_.end());
        std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
            return a.second.sending > b.second.sending;
        });
        return all;
    }

private:
    std::map<ChannelId, Cycles> of_;
};

int run(const char* trace) {
    flitscope::Config config;
    config.fabric.topology.kind = "mesh";
    config.fabric.topology.dims = {4, 4};
    config.fabric.buffer_depth = 4;

    Occupancy occupancy;
    flitscope::NetworkOptions options;
    options.channels = &occupancy;
    if (trace != nullptr) options.trace = trace;
    flitscope::Network network("network", config, options);

    Numbers numbers;
    const NodeId nodes = network.graph().node_count();
    std::vector<std::unique_ptr<Client>> clients(nodes);
    Server server("server", kServer, numbers);
    for (NodeId node = 0; node < nodes; ++node) {
        Node* module = &server;
        if (node != kServer) {
            const std::string name = network.graph().node_name("client", node);
            clients[node] = std::make_unique<Client>(name.c_str(), node, numbers);
            module = clients[node].get();
        }
        module->network.bind(network.port(node));
        network.attach(node, *module);
    }

    sc_core::sc_start();
    const bool ended = network.finish() == flitscope::RunEnd::kIdle;
    const Cycle cycles = network.fabric().end_cycle();

    struct Ring {
        unsigned int clients = 0;
        unsigned int answers = 0;
        Cycle waited = 0;
    };
    std::map<std::size_t, Ring> rings;
    for (NodeId node = 0; node < nodes; ++node) {
        if (node == kServer) continue;
        const std::size_t hops =
            flitscope::route_links(network.graph(), network.routing(), node, kServer).size();
        Ring& ring = rings[hops];
        ++ring.clients;
        ring.answers += clients[node]->answers();
        ring.waited += clients[node]->waited();
    }
    unsigned int answers = 0;
    std::printf("engine %s, %llu cycles\n", network.engine().c_str(),
                static_cast<unsigned long long>(cycles));
    std::printf("%-6s%9s%9s%16s\n", "hops", "clients", "answers", "cycles/answer");
    for (const auto& [hops, ring] : rings) {
        std::printf("%-6zu%9u%9u%16.1f\n", hops, ring.clients, ring.answers,
                    static_cast<double>(ring.waited) / std::max(ring.answers, 1U));
        answers += ring.answers;
    }
    const flitscope::ChannelMap channels(network.graph());
    std::printf("%-14s%9s%9s\n", "channel", "sends", "held");
    const auto busiest = occupancy.busiest();
    for (std::size_t i = 0; i < std::min<std::size_t>(busiest.size(), 4); ++i) {
        const auto& [channel, of] = busiest[i];
        std::printf("%-14s%8.1f%%%8.1f%%\n", channels.name(channel).c_str(),
                    100.0 * static_cast<double>(of.sending) / static_cast<double>(cycles),
                    100.0 * static_cast<double>(of.held) / static_cast<double>(cycles));
    }

    const std::vector<std::string> broken = network.fabric().broken_invariants(true);
    for (const std::string& law : broken) std::printf("%s\n", law.c_str());
    return ended && broken.empty() && answers == kRequests * (nodes - 1) ? 0 : 1;
}

}  // namespace

int sc_main(int argc, char* argv[]) {
    try {
        return run(argc > 1 ? argv[1] : nullptr);
    } catch (const flitscope::ConfigError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
