// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The flit FIFO of one virtual channel together with the wire that leads to it and the credit wire
// back. Kernel-free: a ring of slots with one time stamp each (hw/TIMING.md, last section).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "hw/common/flit.h"
#include "hw/common/wakeup_wheel.h"
#include "models/base/powers_of_two.h"
#include "models/base/types.h"

namespace flitscope::hw {

/// One place of a FIFO: a word and a tag. The tag of a flit is the cycle from which the reader sees
/// it, and its head and tail bits; the tag of a free place is the cycle from which the writer may
/// use it, under the bit kFree. So one comparison tells either side whether to go ahead, and four
/// places fill a cache line. The sides may be ticked by two threads: a tag shows which side owns
/// the word, and the side that changes the word sets the tag afterwards.
class alignas(16) FlitSlot {
public:
    static constexpr std::uint64_t kTail = 1;
    static constexpr std::uint64_t kHead = 2;
    static constexpr std::uint64_t kEnds = kHead | kTail;
    static constexpr std::uint64_t kAwaited =
        4;  ///< the other side sleeps until this place changes
    static constexpr unsigned kCycleShift = 3;
    static constexpr std::uint64_t kFree = std::uint64_t{1} << 63;

    static constexpr std::uint64_t tag_of(Cycle cycle) { return cycle << kCycleShift; }
    /// A bound above all tags of cycles up to `now`, whatever their low bits.
    static std::uint64_t after(Cycle now) { return (now + 1) << kCycleShift; }
    static Cycle cycle_of(std::uint64_t tag) { return tag < kFree ? tag >> kCycleShift : kNever; }

    std::uint64_t tag() const { return tag_.load(std::memory_order_acquire); }
    std::uint64_t word() const { return word_; }
    /// The flit in the slot.
    Flit flit() const {
        const std::uint64_t tag = this->tag();
        return {word_, (tag & kHead) != 0, (tag & kTail) != 0};
    }
    bool awaited() const { return (tag_.load(std::memory_order_relaxed) & kAwaited) != 0; }
    /// Sets the word, then the tag.
    void fill(std::uint64_t tag, std::uint64_t word) {
        word_ = word;
        set_tag(tag);
    }
    void set_tag(std::uint64_t tag) { tag_.store(tag, std::memory_order_release); }
    /// Marks that the side which waits for the slot sleeps until it is changed. If another thread
    /// may change it at the same time, the mark is always set.
    void await() {
        const std::uint64_t tag = tag_.load(std::memory_order_relaxed);
        if ((tag & kAwaited) == 0) tag_.store(tag | kAwaited, std::memory_order_relaxed);
    }
    /// Takes the mark away. Only between two cycles.
    void forget() { tag_.store(tag() & ~kAwaited, std::memory_order_relaxed); }
    /// Copies word and tag of `other`. Only between two cycles.
    void take(const FlitSlot& other) {
        tag_.store(other.tag(), std::memory_order_relaxed);
        word_ = other.word_;
    }

private:
    std::atomic<std::uint64_t> tag_{kFree};
    std::uint64_t word_ = 0;
};

class FlitReader;
class FlitWriter;

/// The reason why FlitReader::stream() ends.
enum class StreamEnd : std::uint8_t {
    kTail,      ///< the tail has been sent
    kNoFlit,    ///< the next flit is not on its way
    kNoCredit,  ///< the next flit is known, but no credit for it is on its way
    kLater,     ///< the next flit goes later than may be decided now
};

/// One writer (the sending router or interface) and one reader (the receiving router) share a ring
/// of slots and nothing else that changes with every flit. A flit pushed in cycle s is visible from
/// s + delay; a slot popped in cycle t is a usable credit from t + credit_delay. Both delays are at
/// least 1, so it makes no difference which side is evaluated first within a cycle.
class FlitBuffer {
public:
    /// `depth` >= 1 flits, `delay` >= 1 and `credit_delay` >= 1 cycles, below 2^29.
    FlitBuffer(std::uint32_t depth, std::uint32_t delay, std::uint32_t credit_delay,
               std::pmr::memory_resource* memory = std::pmr::get_default_resource())
        : lines_((ring_size(depth) + 3) / 4, memory),
          mask_(ring_size(depth) - 1),
          depth_(depth),
          delay_(delay),
          credit_delay_(credit_delay) {}

    /// Says that the module that writes and the one that reads are ticked on different wheels. Call
    /// before anything is attached.
    void span(const WakeupWheel& writers, const WakeupWheel& readers) {
        writer_waiter_.live_on(writers);
        reader_waiter_.live_on(readers);
        always_awaited_ = FlitSlot::kAwaited;
        for (CacheLine& line : lines_) {
            for (FlitSlot& slot : line.slots) slot.await();
        }
    }

    /// Number of flits put in, and taken out, so far; 0 while nothing is attached.
    inline std::uint64_t pushed() const;
    inline std::uint64_t popped() const;
    /// Flits among popped() that were lost, not taken.
    std::uint64_t lost() const { return lost_; }
    std::uint32_t depth() const { return depth_; }
    std::uint32_t delay() const { return delay_; }
    std::uint32_t credit_delay() const { return credit_delay_; }
    /// The flits in the FIFO and on the wire that leads to it, in order.
    std::vector<Flit> flits() const {
        std::vector<Flit> held;
        for (std::uint64_t n = popped(); n != pushed(); ++n) held.push_back(slot(n).flit());
        return held;
    }
    /// The cycle of the last push or pop; 0 when there has been none.
    Cycle last_move() const {
        Cycle last = 0;
        for (const CacheLine& line : lines_) {
            for (const FlitSlot& slot : line.slots) {
                const std::uint64_t tag = slot.tag();
                const bool free = (tag & FlitSlot::kFree) != 0;
                const Cycle cycle = (tag & ~FlitSlot::kFree) >> FlitSlot::kCycleShift;
                const Cycle ago = free ? credit_delay_ : delay_;
                if (cycle >= ago && cycle - ago > last) last = cycle - ago;
            }
        }
        return last;
    }
    /// Flits pushed before cycle `now` whose credits are not usable in it. Pushes and pops of this
    /// cycle change nothing, whatever the order of modules and the thread that ticks them, because
    /// a flit is visible, and a credit usable, in a later one. Only if neither end runs ahead.
    std::uint64_t queued(Cycle now) const {
        std::uint64_t flits = 0;
        for (const CacheLine& line : lines_) {
            for (const FlitSlot& slot : line.slots) {
                const std::uint64_t tag = slot.tag();
                const Cycle cycle = (tag & ~FlitSlot::kFree) >> FlitSlot::kCycleShift;
                const bool free = (tag & FlitSlot::kFree) != 0;
                flits += (free ? cycle > now : cycle < now + delay_) ? 1 : 0;
            }
        }
        return flits;
    }
    /// Number of flits sent by the end of cycle `now`: those put in, but for those that are still
    /// to leave the queue of an output port. Only if the writer does not run ahead.
    std::uint64_t sent(Cycle now) const {
        std::uint64_t flits = pushed();
        while (flits != popped() && FlitSlot::cycle_of(slot(flits - 1).tag()) > now + delay_) {
            --flits;
        }
        return flits;
    }
    /// The last of them; in the cycle in which it was sent it cannot have been popped.
    Flit last_sent(Cycle now) const { return slot(sent(now) - 1).flit(); }
    bool full() const { return pushed() - popped() == depth(); }
    bool empty() const { return pushed() == popped(); }

private:
    friend class FlitReader;
    friend class FlitWriter;
    friend class WireReader;
    friend class WireWriter;

    /// Flit n is in slot n modulo the ring size and needs the credit of flit n - depth. Rounding
    /// the ring up to a power of two makes the modulo cheap, and leaves the slot of flit n - depth
    /// as it is until flit n has asked for it.
    static std::uint32_t ring_size(std::uint32_t depth) {
        return static_cast<std::uint32_t>(next_power_of_two(depth));
    }

    /// The slot of flit n.
    const FlitSlot& slot(std::uint64_t n) const {
        const std::uint32_t at = static_cast<std::uint32_t>(n) & mask_;
        return lines_[at / 4].slots[at % 4];
    }

    /// The ring has its own cache lines, and no slot straddles two of them.
    struct alignas(64) CacheLine {
        FlitSlot slots[4];
    };
    Waiter reader_waiter_;
    Waiter writer_waiter_;
    std::pmr::vector<CacheLine> lines_;
    std::uint32_t mask_;
    std::uint32_t depth_;
    std::uint32_t delay_;
    std::uint32_t credit_delay_;
    std::uint64_t lost_ = 0;
    const FlitReader* reader_ = nullptr;
    FlitWriter* writer_ = nullptr;
    Sleeper told_;  // notified of flits by a writer on the same wheel; unused if it has no word
    // kAwaited between two wheels, where every tag has it; else 0
    std::uint32_t always_awaited_ = 0;
};

/// The end of a FlitBuffer at which flits are taken out. It lives with the module that does so,
/// next to whatever else that module touches for every flit, and must not move once attached.
class FlitReader {
public:
    FlitReader() = default;
    bool attached() const { return buffer_ != nullptr; }
    void attach(FlitBuffer& buffer) {
        buffer_ = &buffer;
        buffer.reader_ = this;
        slots_ = buffer.lines_.front().slots;
        mask_ = buffer.mask_;
        credit_tag_ = buffer.always_awaited_ |
                      static_cast<std::uint32_t>(FlitSlot::tag_of(buffer.credit_delay_));
    }

    /// The cycle from which the flit `behind` places after the front one is visible; kNever if it
    /// is not on its way. `behind` is less than the depth.
    Cycle visible_from(std::uint64_t behind = 0) const {
        return FlitSlot::cycle_of(slot(behind).tag());
    }
    bool visible(Cycle now) const { return slot().tag() < FlitSlot::after(now); }
    Flit front() const { return slot().flit(); }
    std::uint64_t front_word() const { return slot().word(); }

    /// Takes the visible front flit out.
    void pop(Cycle now, WakeupWheel& clock) { pop(slot().tag(), now, clock); }

    /// Passes the visible front flit on to `to`, which has a credit. Returns whether it is a tail.
    bool forward(FlitWriter& to, Cycle now, WakeupWheel& clock);
    /// Passes flits of one packet on to `to`, which is the packet's until its tail has gone: so
    /// each goes as soon as it is visible, has a credit and the one before is gone, but not before
    /// cycle `at`. Passes on all that is known ahead of time, up to cycle `until`. Calls
    /// `moved(cycle)` for each, and leaves in `at` the first cycle in which the next flit may go,
    /// as far as is known.
    template <class Moved>
    StreamEnd stream(FlitWriter& to, Cycle until, Cycle& at, WakeupWheel& clock, Moved moved);
    /// Like the stream() above, but `take(flit, cycle)` takes the flits, and the tail goes only
    /// when its cycle is `now`.
    template <class Take>
    StreamEnd stream(Take take, Cycle now, Cycle until, Cycle& at, WakeupWheel& clock);

    /// Removes those of FlitBuffer::flits() for which `is_lost` is true, as if popped in cycle
    /// `now`; the others keep their order and their times. The writer stops waiting: its credit may
    /// have come already, or belong to another packet when it comes. The caller has to wake the
    /// modules at both ends.
    void lose(const std::vector<bool>& is_lost, Cycle now) {
        // Backwards, so that the flits that stay end up just before the writer's place.
        std::uint64_t to = is_lost.size();
        for (std::uint64_t from = is_lost.size(); from-- > 0;) {
            if (is_lost[from]) continue;
            if (--to != from) slot(to).take(slot(from));
            if (buffer_->always_awaited_ == 0) slot(to).forget();
        }
        buffer_->writer_waiter_.forget();
        const std::uint64_t usable = FlitSlot::tag_of(now) + credit_tag_;
        for (std::uint64_t n = 0; n < to; ++n) slot(n).set_tag(usable | FlitSlot::kFree);
        popped_ += to;
        buffer_->lost_ += to;
    }
    const FlitBuffer& buffer() const { return *buffer_; }
    /// Number of flits in the FIFO and on the wire that leads to it.
    std::uint64_t held() const { return buffer_->pushed() - popped_; }

    /// Has `sleeper` woken when the flit becomes visible. Only if that is not on its way.
    void await(const Sleeper& sleeper, std::uint64_t behind = 0) {
        buffer_->reader_waiter_.set(sleeper);
        buffer_->reader_waiter_.wait();
        slot(behind).await();
    }

    /// Has `sleeper` woken for every flit, in the cycle from which it is visible. Call before the
    /// first flit.
    inline void announce(const Sleeper& sleeper);

protected:
    friend class FlitBuffer;
    /// Takes the visible front flit out, whose tag is `old_tag`.
    void pop(std::uint64_t old_tag, Cycle now, WakeupWheel& clock) {
        const std::uint64_t tag = FlitSlot::tag_of(now) + credit_tag_;
        slot().set_tag(tag | FlitSlot::kFree);
        ++popped_;
        if ((old_tag & FlitSlot::kAwaited) != 0) {
            buffer_->writer_waiter_.wake(clock, FlitSlot::cycle_of(tag));
        }
    }
    bool forward(std::uint64_t tag, FlitWriter& to, Cycle now, WakeupWheel& clock);
    FlitSlot& slot(std::uint64_t behind = 0) const { return slots_[(popped_ + behind) & mask_]; }

    FlitSlot* slots_ = nullptr;
    std::uint64_t popped_ = 0;
    std::uint32_t mask_ = 0;
    std::uint32_t credit_tag_ = 0;  // added to the tag of the cycle in a pop
    FlitBuffer* buffer_ = nullptr;
};

/// The end of a FlitBuffer at which flits are put in. Like FlitReader, it lives with the module
/// that uses it, and must not move once attached.
class FlitWriter {
public:
    FlitWriter() = default;
    bool attached() const { return buffer_ != nullptr; }
    void attach(FlitBuffer& buffer) {
        buffer_ = &buffer;
        buffer.writer_ = this;
        slots_ = buffer.lines_.front().slots;
        mask_ = buffer.mask_;
        depth_ = buffer.depth_;
        told_ = buffer.told_;
        flit_tag_ =
            buffer.always_awaited_ | static_cast<std::uint32_t>(FlitSlot::tag_of(buffer.delay_));
    }

    /// The cycle from which the next push is allowed, or the next `flits` pushes (1 to depth);
    /// kNever when the credit for the last of them is not on its way.
    Cycle credit_from(std::uint64_t flits = 1) const {
        return FlitSlot::cycle_of(credit(flits).tag() ^ FlitSlot::kFree);
    }
    bool has_credit(Cycle now, std::uint64_t flits = 1) const {
        return (credit(flits).tag() ^ FlitSlot::kFree) < FlitSlot::after(now);
    }

    /// The cycle from which all credits are home, so FIFO and wire are empty; kNever while the last
    /// flit has not been taken out.
    Cycle empty_from() const { return FlitSlot::cycle_of(last().tag() ^ FlitSlot::kFree); }
    bool empty(Cycle now) const { return (last().tag() ^ FlitSlot::kFree) < FlitSlot::after(now); }
    /// Has `sleeper` woken when all credits are home. Only while the last flit has not been taken
    /// out.
    void await_empty(const Sleeper& sleeper) {
        buffer_->writer_waiter_.set(sleeper);
        buffer_->writer_waiter_.wait();
        last().await();
    }

    /// Sends a flit; has_credit() must hold.
    void push(const Flit& flit, Cycle now, WakeupWheel& clock) {
        fill(flit.word, (flit.head ? FlitSlot::kHead : 0) | (flit.tail ? FlitSlot::kTail : 0), now,
             clock);
    }

    /// Has `sleeper` woken when the credit for the last of the next `flits` pushes can be used.
    /// Only if that is not on its way.
    void await(const Sleeper& sleeper, std::uint64_t flits = 1) {
        buffer_->writer_waiter_.set(sleeper);
        buffer_->writer_waiter_.wait();
        credit(flits).await();
    }
    /// Returns has_credit(). If false, `next` is no later than the cycle in which it will be true;
    /// if that is unknown, `sleeper` is woken then.
    bool has_credit_or_wakes(Cycle now, std::uint64_t flits, const Sleeper& sleeper, Cycle& next) {
        if (has_credit(now, flits)) return true;
        if (const Cycle from = credit_from(flits); from != kNever) {
            next = std::min(next, from);
        } else {
            await(sleeper, flits);
        }
        return false;
    }

protected:
    friend class FlitBuffer;
    friend class FlitReader;
    void fill(std::uint64_t word, std::uint64_t ends, Cycle now, WakeupWheel& clock) {
        const std::uint64_t tag = (FlitSlot::tag_of(now) + flit_tag_) | ends;
        FlitSlot& place = slots_[pushed_ & mask_];
        ++pushed_;
        if (told_.word != nullptr) {
            place.fill(tag, word);
            told_.wake(clock, tag >> FlitSlot::kCycleShift);
            return;
        }
        const bool awaited = place.awaited();
        place.fill(tag, word);
        if (awaited) buffer_->reader_waiter_.wake(clock, FlitSlot::cycle_of(tag));
    }
    /// The slot of flit n - depth, whose pop is the credit for flit n: the last of the next
    /// `flits`.
    FlitSlot& credit(std::uint64_t flits = 1) const {
        return slots_[(pushed_ + (flits - 1) - depth_) & mask_];
    }
    /// The slot of the flit that was pushed last.
    FlitSlot& last() const { return slots_[(pushed_ - 1) & mask_]; }

    FlitSlot* slots_ = nullptr;
    std::uint64_t pushed_ = 0;
    std::uint32_t mask_ = 0;
    std::uint32_t depth_ = 0;
    std::uint32_t flit_tag_ = 0;  // added to the tag of the cycle in a push
    FlitBuffer* buffer_ = nullptr;
    Sleeper told_;  // copy of FlitBuffer::told_ in a cache line that is at hand
};

inline void FlitReader::announce(const Sleeper& sleeper) {
    if (buffer_->always_awaited_ != 0) {
        buffer_->reader_waiter_.set(sleeper);
        buffer_->reader_waiter_.wait_always();
        return;
    }
    buffer_->told_ = sleeper;
    if (buffer_->writer_ != nullptr) buffer_->writer_->told_ = sleeper;
}

inline bool FlitReader::forward(FlitWriter& to, Cycle now, WakeupWheel& clock) {
    return forward(slot().tag(), to, now, clock);
}

/// Passes on the front flit, whose tag is `tag`.
inline bool FlitReader::forward(std::uint64_t tag, FlitWriter& to, Cycle now, WakeupWheel& clock) {
    to.fill(slot().word(), tag & FlitSlot::kEnds, now, clock);
    pop(tag, now, clock);
    return (tag & FlitSlot::kTail) != 0;
}

template <class Moved>
StreamEnd FlitReader::stream(FlitWriter& to, Cycle until, Cycle& at, WakeupWheel& clock,
                             Moved moved) {
    for (bool is_tail = false; !is_tail; ++at) {
        const std::uint64_t tag = slot().tag();
        if (tag >= FlitSlot::kFree) return StreamEnd::kNoFlit;
        const std::uint64_t credit = to.credit().tag() ^ FlitSlot::kFree;
        if (credit >= FlitSlot::kFree) return StreamEnd::kNoCredit;
        at = std::max({at, FlitSlot::cycle_of(tag), FlitSlot::cycle_of(credit)});
        if (at > until) return StreamEnd::kLater;
        is_tail = forward(tag, to, at, clock);
        moved(at);
    }
    return StreamEnd::kTail;
}

template <class Take>
StreamEnd FlitReader::stream(Take take, Cycle now, Cycle until, Cycle& at, WakeupWheel& clock) {
    for (bool is_tail = false; !is_tail; ++at) {
        const Cycle visible = visible_from();
        if (visible == kNever) return StreamEnd::kNoFlit;
        at = std::max(at, visible);
        const Flit flit = front();
        is_tail = flit.tail;
        if (at > now && (is_tail || at > until)) return StreamEnd::kLater;
        pop(at, clock);
        take(flit, at);
    }
    return StreamEnd::kTail;
}

std::uint64_t FlitBuffer::pushed() const { return writer_ == nullptr ? 0 : writer_->pushed_; }
std::uint64_t FlitBuffer::popped() const { return reader_ == nullptr ? 0 : reader_->popped_; }

}  // namespace flitscope::hw
