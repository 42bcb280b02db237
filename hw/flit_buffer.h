// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The flit FIFO of one virtual channel together with the wire that leads to it and the credit wire
// back. Kernel-free: a ring of slots with one time stamp each (hw/TIMING.md, last section).
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

    void wake(ClockDomain& clock, Cycle at) const {
        *word |= bit;
        clock.wake(module, at);
    }
};

/// One place of a FIFO. It holds a flit, visible to the reader from cycle `stamp`; or it is free,
/// and `stamp` without kFree is the cycle from which the writer may use it. So one comparison of
/// the stamp (or of its complement in kFree) with the time tells either side whether to go ahead.
struct FlitSlot {
    static constexpr Cycle kFree = Cycle{1} << 63;

    Cycle stamp = kFree;
    std::uint64_t word = 0;  // the fields of a Flit; not a Flit, whose padding `awaited` fills
    std::uint32_t packet = 0;
    bool head = false;
    bool tail = false;
    bool awaited = false;  ///< the other side sleeps until this place is filled, or freed

    Flit flit() const { return {word, packet, head, tail}; }
    void fill(const Flit& flit) {
        word = flit.word;
        packet = flit.packet;
        head = flit.head;
        tail = flit.tail;
    }
};

class FlitReader;
class FlitWriter;

/// One writer (the sending router or interface) and one reader (the receiving router) share a ring
/// of slots and nothing else that changes with every flit: flit n lies in slot n modulo the depth,
/// which is also the slot whose credit it needs. A flit pushed in cycle s is visible from
/// s + delay; a slot popped in cycle t is a usable credit from t + credit_delay. Both delays are at
/// least 1, so it makes no difference which side is evaluated first within a cycle.
class FlitBuffer {
public:
    /// `depth` >= 1 flits, `delay` >= 1 and `credit_delay` >= 1 cycles.
    void configure(std::uint32_t depth, std::uint32_t delay, std::uint32_t credit_delay) {
        slots_ = std::make_unique<FlitSlot[]>(depth);
        depth_ = depth;
        delay_ = delay;
        credit_delay_ = credit_delay;
    }

    /// Flits put in and taken out so far; 0 while nothing is attached.
    inline std::uint64_t pushed() const;
    inline std::uint64_t popped() const;
    std::uint32_t depth() const { return depth_; }
    bool full() const { return pushed() - popped() == depth(); }
    bool empty() const { return pushed() == popped(); }

private:
    friend class FlitReader;
    friend class FlitWriter;

    /// What an end keeps here because it needs it once per turn of the ring, or less.
    template <class End>
    struct Side {
        const End* end = nullptr;
        std::uint64_t turns = 0;
        Sleeper sleeper;
    };

    std::unique_ptr<FlitSlot[]> slots_;
    std::uint32_t depth_ = 0;
    std::uint32_t delay_ = 1;
    std::uint32_t credit_delay_ = 1;
    Side<FlitReader> reader_;
    Side<FlitWriter> writer_;
};

/// The end of a FlitBuffer at which flits are taken out. It lives with the module that does so,
/// next to whatever else that module touches for every flit, and must not move once attached.
class FlitReader {
public:
    FlitReader() = default;
    bool attached() const { return buffer_ != nullptr; }
    void attach(FlitBuffer& buffer) {
        buffer_ = &buffer;
        buffer.reader_.end = this;
        slot_ = buffer.slots_.get();
        last_ = slot_ + buffer.depth_ - 1;
        credit_delay_ = buffer.credit_delay_;
    }

    /// The cycle from which the front flit is visible; kNever when none is on its way.
    Cycle visible_from() const { return slot_->stamp < FlitSlot::kFree ? slot_->stamp : kNever; }
    bool visible(Cycle now) const { return slot_->stamp <= now; }
    Flit front() const { return slot_->flit(); }

    /// Takes the visible front flit out.
    void pop(Cycle now, ClockDomain& clock) {
        FlitSlot* const place = slot_;
        place->stamp = (now + credit_delay_) | FlitSlot::kFree;
        if (place->awaited) wake_writer(now, clock);
        if (place != last_) {
            slot_ = place + 1;
        } else {
            slot_ = buffer_->slots_.get();
            ++buffer_->reader_.turns;
        }
    }

    /// No flit is on its way: has `sleeper` woken when the next one becomes visible.
    void await(const Sleeper& sleeper) {
        buffer_->reader_.sleeper = sleeper;
        slot_->awaited = true;
    }

private:
    friend class FlitBuffer;
    void wake_writer(Cycle now, ClockDomain& clock) const {
        slot_->awaited = false;
        buffer_->writer_.sleeper.wake(clock, now + credit_delay_);
    }

    FlitSlot* slot_ = nullptr;  // front of the FIFO
    FlitSlot* last_ = nullptr;  // of the ring
    FlitBuffer* buffer_ = nullptr;
    std::uint32_t credit_delay_ = 1;
};

/// The end of a FlitBuffer at which flits are put in; as FlitReader.
class FlitWriter {
public:
    FlitWriter() = default;
    bool attached() const { return buffer_ != nullptr; }
    void attach(FlitBuffer& buffer) {
        buffer_ = &buffer;
        buffer.writer_.end = this;
        slot_ = buffer.slots_.get();
        last_ = slot_ + buffer.depth_ - 1;
        delay_ = buffer.delay_;
    }

    /// The cycle from which the next push is allowed; kNever when no credit is on its way.
    Cycle credit_from() const {
        const Cycle stamp = slot_->stamp ^ FlitSlot::kFree;
        return stamp < FlitSlot::kFree ? stamp : kNever;
    }
    bool has_credit(Cycle now) const { return (slot_->stamp ^ FlitSlot::kFree) <= now; }

    /// Sends a flit; has_credit() must hold.
    void push(const Flit& flit, Cycle now, ClockDomain& clock) {
        FlitSlot* const place = slot_;
        place->stamp = now + delay_;
        place->fill(flit);
        if (place->awaited) wake_reader(now, clock);
        if (place != last_) {
            slot_ = place + 1;
        } else {
            slot_ = buffer_->slots_.get();
            ++buffer_->writer_.turns;
        }
    }

    /// No credit is on its way: has `sleeper` woken when the next one can be used.
    void await(const Sleeper& sleeper) {
        buffer_->writer_.sleeper = sleeper;
        slot_->awaited = true;
    }

private:
    friend class FlitBuffer;
    void wake_reader(Cycle now, ClockDomain& clock) const {
        slot_->awaited = false;
        buffer_->reader_.sleeper.wake(clock, now + delay_);
    }

    FlitSlot* slot_ = nullptr;  // the next flit goes here
    FlitSlot* last_ = nullptr;  // of the ring
    FlitBuffer* buffer_ = nullptr;
    std::uint32_t delay_ = 1;
};

std::uint64_t FlitBuffer::pushed() const {
    if (writer_.end == nullptr) return 0;
    return writer_.turns * depth_ + static_cast<std::uint64_t>(writer_.end->slot_ - slots_.get());
}

std::uint64_t FlitBuffer::popped() const {
    if (reader_.end == nullptr) return 0;
    return reader_.turns * depth_ + static_cast<std::uint64_t>(reader_.end->slot_ - slots_.get());
}

}  // namespace flitscope::hw
