// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a router of which only the pins are known has taken and not sent yet, packet by packet. The
// first flit that does not add up is reported in its cycle: the router that is at fault, and not
// the one that its packets end up in.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "hw/common/flit.h"
#include "models/routing/routing.h"

namespace flitscope::hw {

class RouterLedger {
public:
    static constexpr std::uint32_t kNone = UINT32_MAX;
    /// Cycles in which a router may pass over a packet, while it serves others, although nothing
    /// else is in its way.
    static constexpr Cycle kPatience = 1024;
    using HasCredit = std::function<bool(std::uint32_t output)>;

    /// A packet of which flits are inside the router.
    struct Packet {
        std::uint64_t header = 0;
        Cycle since = 0;                  ///< in which its head arrived
        std::uint64_t first = 0;          ///< number of its head among the flits of its input
        std::uint64_t sent = 0;           ///< flits of it that have left
        std::deque<std::uint64_t> words;  ///< of the flits that have arrived and not left
        bool is_complete = false;         ///< its tail has arrived
        std::uint32_t output = kNone;     ///< on which its head has left
    };

    /// Inputs and outputs are numbered port * virtual channels + vc. `depth`: flits that fit into
    /// the FIFO of an input. `has_credit`: whether an output can send, by the credits that the
    /// router has.
    RouterLedger(const Routing& routing, RouterId router, PortId ports,
                 std::uint32_t virtual_channels, std::uint32_t depth, HasCredit has_credit);

    /// A flit has arrived; networks deliver packets whole and in order.
    void take(std::uint32_t input, const Flit& flit, Cycle now);
    /// The router has returned the credit of a flit.
    void pop(std::uint32_t input) { ++inputs_[input].popped; }
    /// A flit leaves. Says what is wrong with that; empty if nothing is.
    std::string send(std::uint32_t output, const Flit& flit);
    /// Says what a router that does nothing until something arrives should have done before; empty
    /// if it could do nothing.
    std::string at_rest() const;
    /// Says which packet could have left since the last call, on an output that sent nothing
    /// meanwhile. To be called every kPatience cycles.
    std::string idle();

    /// The input of the packet whose flit left last on `output`.
    std::uint32_t source(std::uint32_t output) const { return outputs_[output].source; }
    /// The packet of `input` that has to leave first; null if all have left.
    const Packet* front(std::uint32_t input) const {
        return inputs_[input].packets.empty() ? nullptr : &inputs_[input].packets.front();
    }

private:
    struct Input {
        std::list<Packet> packets;  // those that have not left completely, in order of arrival
        std::uint64_t taken = 0;    // flits
        std::uint64_t popped = 0;
        std::uint64_t sent = 0;
        // At the last call of idle(): the output on which its front could leave, or kNone, and what
        // it and this input had sent.
        std::uint32_t idle_output = kNone;
        std::uint64_t idle_sent = 0;
    };
    struct Output {
        Packet* open = nullptr;  // its head has left and its tail has not
        std::uint32_t source = kNone;
        std::optional<std::uint64_t> last_header;  // of the packet that left last, or leaves
        std::uint64_t last_word = 0;               // of the flit that left last
        std::uint64_t sent = 0;                    // flits
    };

    std::string begin(std::uint32_t output, std::uint64_t header);
    std::string unknown_head(std::uint64_t header) const;
    std::string next(std::uint32_t output, const Flit& flit);
    std::string wrong_word(const Packet& packet, std::uint64_t last, std::uint64_t word) const;
    void leave(std::uint32_t output, const Flit& flit);
    std::uint32_t next_output(const Input& at) const;
    std::uint32_t free_output(const Packet& packet) const;
    std::string stuck(std::uint32_t input, std::uint32_t output, const std::string& how) const;
    std::string place(const char* side, std::uint32_t number) const;

    const Routing& routing_;
    RouterId router_;
    std::uint32_t vcs_;
    std::uint32_t depth_;
    HasCredit has_credit_;
    std::vector<Input> inputs_;
    std::vector<Output> outputs_;
};

/// "packet 4 of node 1 for node 7".
std::string packet_named(std::uint64_t header);

}  // namespace flitscope::hw
