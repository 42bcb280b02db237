// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The ends of a channel for routers that have their own FIFOs and credit counters, such as
// verilated ones: they see flits and credits as these come off the wire. A flit that such a router
// has taken off the wire but not popped yet still occupies the channel's FIFO, so other modules see
// no difference.
#pragma once

#include <cstdint>

#include "hw/common/flit_buffer.h"

namespace flitscope::hw {

/// The receiving end: flits come off the wire with receive(); pop() reports that the router has
/// popped one, in the same order.
class WireReader : public FlitReader {
public:
    void attach(FlitBuffer& buffer) {
        FlitReader::attach(buffer);
        depth_ = buffer.depth();
    }

    /// The cycle from which the next flit off the wire is visible at the front of an empty FIFO;
    /// kNever when none is on its way.
    Cycle next_visible_from() const { return room() ? FlitSlot::cycle_of(next().tag()) : kNever; }
    bool next_visible(Cycle now) const { return room() && next().tag() < FlitSlot::after(now); }
    Flit receive() {
        const FlitSlot& slot = next();
        ++received_;
        return slot.flit();
    }
    /// Flits received and not popped: those inside the router.
    std::uint64_t inside() const { return received_ - popped_; }

    /// Sets what await_next() has woken.
    void set_sleeper(const Sleeper& sleeper) { buffer_->reader_waiter_.set(sleeper); }
    /// Has the sleeper woken when a flit is on its way; call when none is. False if every slot is
    /// held: then none can come before a pop, and nothing is woken.
    bool await_next() {
        if (!room()) return false;
        buffer_->reader_waiter_.wait();
        next().await();
        return true;
    }

private:
    /// Whether a slot is free. If all are held, the next one would be the first again.
    bool room() const { return inside() < depth_; }
    FlitSlot& next() const { return slots_[received_ & mask_]; }

    std::uint64_t received_ = 0;
    std::uint32_t depth_ = 0;  // here, so that a look at the wire touches no buffer
};

/// The sending end: credits come back with return_credit(); push() sends, and the router itself
/// makes sure that it has one.
class WireWriter : public FlitWriter {
public:
    /// The cycle from which the next credit off the wire can be spent; kNever when none is on its
    /// way.
    Cycle next_credit_from() const {
        return outstanding() == 0 ? kNever : FlitSlot::cycle_of(next().tag() ^ FlitSlot::kFree);
    }
    bool next_credit(Cycle now) const {
        return outstanding() != 0 && (next().tag() ^ FlitSlot::kFree) < FlitSlot::after(now);
    }
    void return_credit() { ++returned_; }
    /// Credits that have not come back.
    std::uint64_t outstanding() const { return pushed_ - returned_; }
    bool all_credits_out() const { return outstanding() == depth_; }

    /// Sets what await_next() has woken.
    void set_sleeper(const Sleeper& sleeper) { buffer_->writer_waiter_.set(sleeper); }
    /// Has the sleeper woken when a credit is on its way; call when none is. If no credit is
    /// outstanding, none can come before a push, and nothing is woken.
    void await_next() {
        if (outstanding() == 0) return;
        buffer_->writer_waiter_.wait();
        next().await();
    }

private:
    FlitSlot& next() const { return slots_[returned_ & mask_]; }

    std::uint64_t returned_ = 0;
};

}  // namespace flitscope::hw
