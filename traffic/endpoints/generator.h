// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Traffic generators: modules that play one node's part of a program, or a synthetic pattern, into
// the message port of whatever fabric they are bound to. They have no process; they react.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "models/fabric/message_port.h"
#include "traffic/computations/computation_run.h"
#include "traffic/endpoints/program_observer.h"
#include "traffic/patterns/closed_loop.h"
#include "traffic/patterns/pattern_source.h"
#include "traffic/program/operation_observer.h"
#include "traffic/program/operation_player.h"
#include "traffic/program/program.h"

namespace flitscope {

/// A node's traffic: a module with one port to the fabric, notified of injections and deliveries.
class Generator : public sc_core::sc_module, public MessageListener {
public:
    sc_core::sc_port<MessagePort> fabric{"fabric"};

    /// The reason why this node still waits, for the report of a run that ended before cycle `end`;
    /// empty if it has finished, or if its next send begins in that cycle or later.
    virtual std::string waiting_for(Cycle end) const = 0;
    /// The run has ended, for any reason: completes the remaining work of the node. False if that
    /// waits for a message that has not arrived; waiting_for() then names it.
    virtual bool finish() { return true; }
    /// Messages handed to the fabric so far.
    std::uint64_t messages_begun() const { return messages_begun_; }

protected:
    explicit Generator(sc_core::sc_module_name name) : sc_module(name) {}
    void send(const Message& message, Cycle begin, const SendOptions& options = {}) {
        ++messages_begun_;
        fabric->send(message, begin, options);
    }
    void withdraw(const Message& message) {
        --messages_begun_;
        fabric->withdraw(message.message_class, message.plane);
    }

private:
    std::uint64_t messages_begun_ = 0;
};

class ProgramGenerator;

/// State that the generators of one program share: the program, which messages have arrived, the
/// barrier between steps, and the computation.
class ProgramRun {
public:
    /// The way in which the interfaces of nodes take messages.
    enum class HandOver : std::uint8_t {
        kOneByOne,  ///< the next one when the one before has been injected
        kAtOnce,  ///< all that begin: they may leave over several channels or queues, or as copies
    };

    /// `program`, and observers unless they are null, must outlive the run; overheads in cycles.
    /// `format` is for OperationRun.
    ProgramRun(const Program& program, Cycle recv_overhead,
               HandOver hand_over = HandOver::kOneByOne, ProgramObserver* observer = nullptr,
               Cycle send_overhead = 0, OperationObserver* operation_observer = nullptr,
               const PacketFormat& format = {});

    const Program& program() const { return program_; }
    const NodePrograms& nodes() const { return nodes_; }

    HandOver hand_over() const { return hand_over_; }
    Message message(MessageId id) const;
    SendOptions send_options(MessageId id) const;
    /// `is_early`: the receiver does not wait for it yet, and will fetch it by taken().
    void delivered(MessageId id, Cycle cycle, bool is_early);
    bool has_arrived(MessageId id) const { return arrived_[id]; }
    /// The cycle after the receive of a message is complete that is delivered in `cycle`.
    Cycle ready_after(Cycle cycle) const { return cycle + recv_overhead_ + 1; }
    /// ready_after() of a message that came early and is now due at its receiver.
    Cycle taken(MessageId id);
    /// The computation of the program; null if it only carries bytes.
    ComputationRun* computation() { return computation_ ? &*computation_ : nullptr; }
    /// The operations of the nodes; null if the program has no operations.
    OperationRun* operations() { return operations_ ? &*operations_ : nullptr; }
    /// The first step in which any node takes part; only with a barrier.
    StepId first_step() const { return first_step_; }
    bool has_barrier() const { return program_.barrier_cycles.has_value(); }

    ProgramObserver* observer() const { return observer_; }
    void enroll(ProgramGenerator& generator) { generators_.push_back(&generator); }
    /// A node completed `step` and could begin its next one in `ready`. When it is the last of
    /// those that take part, all nodes that take part in the following step are released.
    void arrive(StepId step, Cycle ready);

private:
    const Program& program_;
    NodePrograms nodes_;
    Cycle recv_overhead_;
    HandOver hand_over_;
    ProgramObserver* observer_;
    std::vector<bool> arrived_;     // per message; none of operations, whose players keep them
    std::vector<Cycle> delivered_;  // per message of a timed program
    /// Messages of steps that came early: few if the nodes keep step.
    std::unordered_map<MessageId, Cycle> early_;
    std::optional<ComputationRun> computation_;
    std::optional<OperationRun> operations_;

    std::vector<ProgramGenerator*> generators_;
    StepId first_step_ = 0;
    std::vector<std::uint32_t> awaited_;  // per step: nodes that have not completed it
    Cycle latest_ = 0;
};

/// Plays one node's steps (hw/TIMING.md, "Node programs").
class ProgramGenerator final : public Generator {
public:
    ProgramGenerator(sc_core::sc_module_name name, NodeId node, ProgramRun& run);

    void on_injected(const Message& message, Cycle cycle) override;
    void on_delivered(const Message& message, Cycle cycle) override;
    std::string waiting_for(Cycle end) const override;

    /// The step this node plays next or is playing, or kNoStep when it has finished.
    static constexpr StepId kNoStep = UINT32_MAX;
    StepId step() const;
    /// The barrier before step() has opened.
    void release(Cycle begin);

private:
    void start_of_simulation() override;
    const NodeStep& current() const { return current_; }
    bool finished() const { return current_.is_end(); }
    void go_on() { current_ = run_.nodes().next(node_, current_); }
    void enter(Cycle begin);
    void send_next();
    void next_timed();
    bool awaits(const Message& message) const;
    void proceed();
    void use_values();
    void be_ready(Cycle cycle, const ReadyReason& reason);
    void tell_ready() const;

    NodeId node_;
    ProgramRun& run_;
    bool timed_;
    bool at_once_;  // ProgramRun::HandOver
    NodeStep current_;
    bool entered_ = false;
    Cycle begin_ = 0;                 // start of the current step
    Cycle ready_ = 0;                 // earliest start of the next step, as far as known
    ReadyReason reason_;              // why no earlier
    std::uint32_t sent_ = 0;          // sends of the current step handed over
    std::uint32_t injected_ = 0;      // and wholly injected
    std::uint64_t all_injected_ = 0;  // injected in all steps
    std::uint32_t awaited_ = 0;       // receives of the current step that have not arrived
};

/// Plays one node's operations (hw/TIMING.md, "Operation programs"). Hands a send over as soon as
/// it is known, ahead of its time, and takes it back if an arrival puts another one first. On
/// several planes it goes on when it knows what all of them did in the cycle.
class OperationGenerator final : public Generator {
public:
    SC_HAS_PROCESS(OperationGenerator);
    /// Generator for a run of operations.
    OperationGenerator(sc_core::sc_module_name name, NodeId node, ProgramRun& run);

    void on_injected(const Message& message, Cycle cycle) override;
    void on_delivered(const Message& message, Cycle cycle) override;
    bool hears_heads() const override { return run_.operations()->hears_heads(); }
    void on_arriving(const Message& message, Cycle cycle) override;
    std::string waiting_for(Cycle) const override { return player_.waiting_for(); }
    bool finish() override {
        player_.finish();
        return player_.has_finished();
    }

    const OperationPlayer& player() const { return player_; }

private:
    void start_of_simulation() override { go_on(); }
    void hear();
    void go_on();
    void keep_those_that_stay();

    ProgramRun& run_;
    OperationPlayer player_;
    std::optional<sc_core::sc_event> heard_;  // of several planes
    /// Those that interfaces have not injected wholly, in the order handed over; the last `open_`
    /// of them may change.
    std::vector<OperationPlayer::Send> at_hand_;
    std::size_t open_ = 0;
};

/// Makes the generator that plays a node's part of the program of `run`.
std::unique_ptr<Generator> make_program_generator(const std::string& name, NodeId node,
                                                  ProgramRun& run);

/// Plays a synthetic pattern: an endless queue per class and plane at the source, whose head is
/// handed over when the interface is ready for it. Replies join the queue in order of time
/// (traffic/README.md, "Replies"): a message that has been handed over ahead of its time gives way
/// to them.
class PatternGenerator final : public Generator {
public:
    PatternGenerator(sc_core::sc_module_name name, std::shared_ptr<const PatternTraffic> traffic,
                     NodeId node);

    void on_injected(const Message& message, Cycle cycle) override;
    void on_delivered(const Message& message, Cycle cycle) override;
    std::string waiting_for(Cycle end) const override;
    /// The traffic that the node generated in the measurement before `end`, once the run has ended:
    /// PatternSource::generated_before() and the replies that began.
    GeneratedTraffic generated_before(Cycle end);
    PatternSource& source() { return source_; }

private:
    struct Pending {
        Message message;
        Cycle begin = kNever;  // kNever: no message, or one that waits for a reply
    };
    /// Which message the interface has that is not wholly injected.
    enum class AtHand : std::uint8_t { kNothing, kNext, kReply };
    /// The messages of one class on one plane.
    struct Queue {
        bool is_drawn = false;        // the source has messages for it
        Pending next;                 // next message of the source
        std::list<Pending> ahead;     // later messages, drawn in search of one of another queue
        std::deque<Pending> replies;  // in order of time
        AtHand at_hand = AtHand::kNothing;

        /// The message at hand, or else the one to hand over: that of the source unless a reply is.
        const Pending& first() const { return at_hand == AtHand::kReply ? replies.front() : next; }
    };
    /// A reply that generated_replies_ does not count yet.
    struct Replied {
        Cycle begin = 0;
        bool is_futile = false;
    };
    void start_of_simulation() override;
    Queue& queue_of(const Message& message) {
        return queues_[message.message_class * traffic_->planes + message.plane];
    }
    void draw(Queue& queue);
    void schedule(Queue& queue, std::optional<Cycle> begin);
    void hand_over(Queue& queue);
    void send_first(Queue& queue, AtHand as);
    void take_back(Queue& queue);
    void take_request(const Message& request, Cycle cycle);
    void take_reply(Cycle cycle);
    void count_request(GeneratedTraffic& generated, Cycle end) const;
    void count_replies(Cycle end);
    GeneratedTraffic requests_before(Cycle end) const;

    NodeId node_;
    std::shared_ptr<const PatternTraffic> traffic_;
    PatternSource source_;
    std::vector<Queue> queues_;  // per class and plane
    std::deque<Replied> replied_;
    GeneratedTraffic generated_replies_;
    // With traffic.outstanding:
    std::optional<ClosedLoop> loop_;
    Queue* requests_ = nullptr;            // the only queue of requests, from the first one on
    GeneratedTraffic generated_requests_;  // those before the last one
    Pending last_request_;                 // of which the begin is known
};

}  // namespace flitscope
