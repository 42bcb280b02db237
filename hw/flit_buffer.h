// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The flit FIFO of one virtual channel together with the wire that leads to it and the credit wire
// back. Kernel-free: a ring of slots with time stamps (hw/TIMING.md, last section).
#pragma once

#include <cstdint>
#include <memory>

#include "hw/clock_domain.h"
#include "hw/flit.h"
#include "models/types.h"

namespace flitscope::hw {

/// Somebody asleep until a flit or a credit comes: the bit to raise and the module to tick.
struct Sleeper {
    std::uint64_t* word = nullptr;
    std::uint64_t bit = 0;
    std::uint32_t module = 0;
    bool waiting = false;

    void wake(ClockDomain& clock, Cycle at) {
        waiting = false;
        *word |= bit;
        clock.wake(module, at);
    }
};

/// One place of a FIFO. Both stamps are kNever while what they speak of is not to be had.
struct FlitSlot {
    Cycle visible = kNever;  ///< from when the reader sees the flit
    Cycle credit = 0;        ///< from when the writer may use the place that the last flit freed
    Flit flit;
};

/// One writer (the sending router or interface), one reader (the receiving router), each with a
/// half of its own so that the two share nothing but the slots. A flit pushed in cycle s is visible
/// from s + delay; a slot popped in cycle t is a usable credit from t + credit_delay. Both delays
/// are at least 1, so it makes no difference which side is evaluated first within a cycle.
class FlitBuffer {
public:
    /// The half of whoever takes flits out.
    class Reader {
    public:
        /// The cycle from which the front flit is visible; kNever when none is on its way.
        Cycle visible_from() const { return slots_[popped_ & mask_].visible; }
        const Flit& front() const { return slots_[popped_ & mask_].flit; }
        void pop(Cycle now, ClockDomain& clock) {
            FlitSlot& slot = slots_[popped_ & mask_];
            slot.visible = kNever;
            slot.credit = now + credit_delay_;
            ++popped_;
            if (writer_sleeper_.waiting) writer_sleeper_.wake(clock, now + credit_delay_);
        }

    private:
        friend class FlitBuffer;
        FlitSlot* slots_ = nullptr;
        std::uint64_t popped_ = 0;
        std::uint32_t mask_ = 0;
        std::uint32_t credit_delay_ = 1;
        Sleeper writer_sleeper_;  // the writer, when it waits for a credit
    };

    /// The half of whoever puts flits in.
    class Writer {
    public:
        /// The cycle from which the next push is allowed; kNever when no credit is on its way.
        Cycle credit_from() const { return slots_[(pushed_ - depth_) & mask_].credit; }
        void push(const Flit& flit, Cycle now, ClockDomain& clock) {
            FlitSlot& slot = slots_[pushed_ & mask_];
            slot.visible = now + delay_;
            slot.credit = kNever;
            slot.flit = flit;
            ++pushed_;
            if (reader_sleeper_.waiting) reader_sleeper_.wake(clock, now + delay_);
        }

    private:
        friend class FlitBuffer;
        FlitSlot* slots_ = nullptr;
        std::uint64_t pushed_ = 0;
        std::uint32_t mask_ = 0;
        std::uint32_t depth_ = 0;
        Sleeper reader_sleeper_;  // the reader, when it waits for a flit
        std::uint32_t delay_ = 1;
    };

    /// `depth` >= 1 flits, `delay` >= 1 and `credit_delay` >= 1 cycles.
    void configure(std::uint32_t depth, std::uint32_t delay, std::uint32_t credit_delay) {
        // Flit n lies in slot n modulo the ring and wants the place of flit n - depth. Rounding the
        // ring up to a power of two keeps that slot untouched until flit n has asked for it.
        std::uint32_t slots = 1;
        while (slots < depth) slots *= 2;
        slots_ = std::make_unique<FlitSlot[]>(slots);
        reader_.slots_ = writer_.slots_ = slots_.get();
        reader_.mask_ = writer_.mask_ = slots - 1;
        writer_.depth_ = depth;
        writer_.delay_ = delay;
        reader_.credit_delay_ = credit_delay;
    }

    Reader& reader() { return reader_; }
    Writer& writer() { return writer_; }

    /// Whom to wake when the next flit is pushed; the reader's to set.
    Sleeper& reader_sleeper() { return writer_.reader_sleeper_; }
    /// Whom to wake when the next flit is popped; the writer's to set.
    Sleeper& writer_sleeper() { return reader_.writer_sleeper_; }

    std::uint64_t pushed() const { return writer_.pushed_; }
    std::uint64_t popped() const { return reader_.popped_; }
    std::uint32_t depth() const { return writer_.depth_; }
    bool full() const { return pushed() - popped() == depth(); }
    bool empty() const { return pushed() == popped(); }

private:
    std::unique_ptr<FlitSlot[]> slots_;
    Reader reader_;
    alignas(64) Writer writer_;
};

}  // namespace flitscope::hw
