// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The observations of the golden model in a run: all flits sent and, for those not sent, what they
// lacked in that cycle, read from the state in which the cycle was decided.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

enum class GoldenLack : std::uint8_t {
    // For a node's program, for its next step (kSteps) or send (kTimed):
    kReceived,  ///< `whose` has not been delivered, or not been received since
    kInjected,  ///< the tail of `whose` has not been injected before this cycle
    kTime,      ///< the program says: not before
    kBarrier,   ///< all of the step is done; the barrier takes its cycles
    // For a packet at its node, for its next flit:
    kTurn,      ///< its startup, or assembly, comes after another message's
    kStartup,   ///< its startup is not over
    kAssembly,  ///< it is not assembled
    kQueue,     ///< a packet of `whose` goes before it
    kStream,    ///< the flit of `whose` that its flit follows has not been ejected before
    // For a packet at its node or in a FIFO, for its next flit:
    kCredit,  ///< a usable credit of `channel` and `vc`
    kRoom,    ///< usable credits of `channel` and `vc` for the whole packet
    // For a packet in a FIFO:
    kVisible,  ///< the flit is not visible yet
    kStored,   ///< the packet is not stored yet
    kFront,    ///< a packet of `whose` is in front in the same FIFO
    kTaken,    ///< `channel` and `vc` are held by `whose`
    kGiven,    ///< in this cycle they are given to `whose`
    kHeldUp,   ///< `whose` is next for them and lacks room, so no packet gets them
    kEmpty,    ///< the FIFO that they lead to must be empty, beside an escape
    kLink,     ///< it has all, but the link still takes a flit of `whose`
    kInput,    ///< it has all, but the switch passes a flit of `whose` from its input port
    kOutput,   ///< the same to its output port
    kSwitch,   ///< neither; it was not proposed, and the proposal is not accepted
    // For a circuit (kTaken and kGiven, too):
    kHeader,  ///< the header is not in a router
    kSender,  ///< the path is complete; the sender is busy with `whose`
};

struct GoldenLacking {
    GoldenLack lack{};
    ChannelId channel = 0;
    std::uint32_t vc = 0;
    MessageId whose = 0;
};

/// A flit that was sent, from the front of the FIFO of another channel; one that was injected, and
/// every element of a circuit, from its own channel.
struct GoldenSent {
    ChannelId channel = 0;
    std::uint32_t vc = 0;
    ChannelId from = 0;
    std::uint32_t from_vc = 0;
    MessageId message = 0;
    std::uint32_t packet = 0;  ///< its number within the message
    std::uint64_t flit = 0;    ///< its number within the packet
};

/// A flit that was not sent: the next one of its packet, in the FIFO of channel `at`, or about to
/// be injected into it. For a circuit, `at` is the injection channel and `flit` is 0.
struct GoldenWait {
    ChannelId at = 0;
    MessageId message = 0;
    std::uint32_t packet = 0;
    std::uint64_t flit = 0;
    std::vector<GoldenLacking> lacks;
};

/// A node whose program did not advance.
struct GoldenProgramWait {
    NodeId node = 0;
    std::vector<GoldenLacking> lacks;
};

struct GoldenCycle {
    std::vector<GoldenSent> sent;
    std::vector<GoldenWait> waits;
    std::vector<GoldenProgramWait> programs;
};

/// The start of a message. Cycles that do not exist for it, or did not come, are kNever.
struct GoldenStart {
    Cycle startup_from = kNever;
    Cycle startup_to = kNever;     ///< for a circuit: its header is in the router of its node
    Cycle assembly_from = kNever;  ///< only with an injection rate below 1
    Cycle ready = kNever;          ///< the first packet's head may be injected from here on
};

/// The cycles of an operation; kNever: not within the run.
struct GoldenOperation {
    Cycle ready = kNever;            ///< all that it waits for has happened
    Cycle begin = kNever;            ///< it has begun; a receive has been posted
    Cycle matched = kNever;          ///< a receive has its message
    Cycle starts = kNever;           ///< it keeps its stream from then on
    Cycle frees = kNever;            ///< up to then
    Cycle end = kNever;              ///< it has completed
    MessageId message = kNoMessage;  ///< of a receive, once it has one
};

struct GoldenWitness {
    std::vector<GoldenCycle> cycles;
    std::vector<GoldenStart> starts;          ///< per message
    std::vector<GoldenOperation> operations;  ///< of a program of operations, whose end is awaited
};

}  // namespace flitscope
