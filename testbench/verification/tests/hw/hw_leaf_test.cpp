// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernel-free leaves of the hardware: sets, words, FIFO, packets under way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "hw/common/bit_mask.h"
#include "hw/common/flit.h"
#include "hw/common/flit_buffer.h"
#include "hw/common/packet_pool.h"
#include "hw/common/wakeup_wheel.h"
#include "hw/verilated/pin_views.h"
#include "testbench/verification/tests/support/scripted_module.h"

namespace flitscope {
namespace {

using testing::ElementsAre;

template <class Mask>
class BitMaskTest : public testing::Test {};
using MaskSizes = testing::Types<hw::BitMask<1>, hw::BitMask<4>, hw::BitMask<32>>;
TYPED_TEST_SUITE(BitMaskTest, MaskSizes);

TYPED_TEST(BitMaskTest, RoundRobinChoosesTheFirstMemberAtOrAfterThePointer) {
    std::mt19937_64 random(1);
    for (const unsigned members : {1U, 2U, 5U, 40U, TypeParam::kBits}) {
        TypeParam mask;
        std::vector<bool> naive(TypeParam::kBits, false);
        for (unsigned k = 0; k < members; ++k) {
            const auto i = static_cast<unsigned>(random() % TypeParam::kBits);
            mask.set(i);
            naive[i] = true;
        }
        // An arbiter's pointer is one past the winner, which may be one past the end.
        for (unsigned from = 0; from <= TypeParam::kBits; ++from) {
            unsigned expected = from;
            while (expected >= TypeParam::kBits || !naive[expected]) {
                expected = expected >= TypeParam::kBits ? 0 : expected + 1;
            }
            ASSERT_EQ(mask.round_robin(from), expected) << members << " members, from " << from;
        }
    }
}

TYPED_TEST(BitMaskTest, VisitsItsMembersInAscendingOrder) {
    TypeParam mask;
    std::vector<unsigned> expected;
    for (unsigned i = 0; i < TypeParam::kBits; i += 1 + i % 5) {
        mask.set(i);
        expected.push_back(i);
    }
    std::vector<unsigned> seen;
    mask.for_each([&seen](unsigned i) { seen.push_back(i); });
    EXPECT_EQ(seen, expected);
}

TYPED_TEST(BitMaskTest, DifferenceAndIntersectionHoldTheRightMembers) {
    TypeParam a;
    TypeParam b;
    const unsigned last = TypeParam::kBits - 1;
    for (const unsigned i : {0U, 7U, last}) a.set(i);
    for (const unsigned i : {7U, 9U}) b.set(i);
    for (unsigned i = 0; i < TypeParam::kBits; ++i) {
        EXPECT_EQ((a - b).test(i), i == 0 || i == last) << i;
        EXPECT_EQ((a & b).test(i), i == 7) << i;
    }
    a.clear(7);
    EXPECT_FALSE((a & b).any());
    EXPECT_EQ(a.field(last - 3, 4), 8U);
}

TYPED_TEST(BitMaskTest, PutsInAndTakesOutMembersAndWholeFields) {
    const unsigned last = TypeParam::kBits - 1;
    TypeParam mask;
    EXPECT_TRUE(mask.at_most_one());
    mask.assign(last, true);
    EXPECT_TRUE(mask.at_most_one());
    EXPECT_EQ(mask.first(), last);
    mask.assign(0, true);  // in another word if there are several
    EXPECT_FALSE(mask.at_most_one());
    EXPECT_EQ(mask.first(), 0U);
    mask.assign(0, false);
    mask.set(last - 1);
    EXPECT_FALSE(mask.at_most_one());
    mask.clear_if(last - 1, false);
    EXPECT_TRUE(mask.test(last - 1));
    mask.set(1);
    EXPECT_EQ(mask.part(last - 3, 15).field(last - 3, 4), 12U);
    EXPECT_FALSE(mask.part(last - 3, 15).test(1));
    mask.clear_field(last - 3, 4);
    EXPECT_TRUE(mask.test(1) && mask.at_most_one());
    mask.keep_if(true);
    EXPECT_TRUE(mask.any());
    mask.clear_if(1, true);
    EXPECT_FALSE(mask.any());
    mask.set(5);
    mask.keep_if(false);
    EXPECT_FALSE(mask.any());
}

TEST(Header, KeepsItsFieldsInTheirBits) {
    const hw::Header header{0xabcd, 0x1234, 0x5eadbeef, true};
    EXPECT_EQ(header.pack(), 0xdeadbeef1234abcdU);
    EXPECT_EQ((hw::Header{0xabcd, 0x1234, 0xdeadbeef, false}.pack()), 0x5eadbeef1234abcdU);
    EXPECT_EQ(hw::Header::unpack(header.pack()).destination, 0xabcdU);
    EXPECT_EQ(hw::Header::unpack(header.pack()).source, 0x1234U);
    EXPECT_EQ(hw::Header::unpack(header.pack()).sequence, 0x5eadbeefU);
    EXPECT_TRUE(hw::Header::unpack(header.pack()).more);
    EXPECT_FALSE(hw::Header::unpack(header.pack() ^ 1ULL << 63).more);
    EXPECT_EQ(hw::Header::destination_of(header.pack()), 0xabcdU);
}

TEST(PayloadWords, DifferByPositionAndByPacket) {
    std::vector<std::uint64_t> words;
    for (std::uint32_t packet = 0; packet < 50; ++packet) {
        const hw::PayloadWords payload(hw::Header{packet % 3, packet / 10, packet}.pack());
        for (std::uint64_t position = 1; position <= 100; ++position) {
            words.push_back(payload.word(position));
        }
    }
    std::sort(words.begin(), words.end());
    EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());
}

struct BufferShape {
    std::uint32_t depth;
    std::uint32_t delay;
    std::uint32_t credit_delay;
};

class FlitBufferTest : public testing::TestWithParam<BufferShape> {
protected:
    FlitBufferTest() {
        reader_.attach(buffer_);
        writer_.attach(buffer_);
    }
    static hw::Flit flit(std::uint64_t word) {
        hw::Flit f;
        f.word = word;
        return f;
    }

    BufferShape shape_ = GetParam();
    hw::WakeupWheel clock_;
    hw::FlitBuffer buffer_{shape_.depth, shape_.delay, shape_.credit_delay};
    hw::FlitReader reader_;
    hw::FlitWriter writer_;
};

TEST_P(FlitBufferTest, TakesDepthFlitsAndNoMore) {
    for (std::uint32_t n = 0; n < shape_.depth; ++n) {
        ASSERT_EQ(writer_.credit_from(), 0U) << n;
        ASSERT_FALSE(buffer_.full());
        writer_.push(flit(n), 10 + n, clock_);
    }
    EXPECT_EQ(writer_.credit_from(), kNever);
    EXPECT_TRUE(buffer_.full());
}

TEST_P(FlitBufferTest, FlitAndCreditAppearAfterTheirDelays) {
    EXPECT_EQ(reader_.visible_from(), kNever);
    for (std::uint32_t n = 0; n < shape_.depth; ++n) writer_.push(flit(n), 100 + n, clock_);
    EXPECT_EQ(reader_.visible_from(), 100 + shape_.delay);
    EXPECT_EQ(reader_.front().word, 0U);
    reader_.pop(150, clock_);
    EXPECT_EQ(writer_.credit_from(), 150 + shape_.credit_delay);
    EXPECT_EQ(reader_.visible_from(), shape_.depth == 1 ? kNever : 101 + shape_.delay);
}

TEST_P(FlitBufferTest, WakesWhoeverSleepsInTheCycleOfTheFlitAndOfTheCredit) {
    Scripted reader;
    Scripted writer;
    Scripted driver;
    std::uint64_t reader_word = 0;
    std::uint64_t writer_word = 0;
    const std::uint32_t reader_name = clock_.add(reader);
    const std::uint32_t writer_name = clock_.add(writer);
    driver.answer = [&](Cycle now) -> Cycle {
        if (now == 20) {
            reader_.await({&reader_word, reader_name, 0, 0, 2});
            for (std::uint32_t n = 0; n < shape_.depth; ++n) writer_.push(flit(n), now, clock_);
            writer_.await({&writer_word, writer_name, 0, 0, 3});
            return 40;
        }
        reader_.pop(now, clock_);
        return now + 1 < 40 + shape_.depth ? now + 1 : kNever;
    };
    clock_.wake(clock_.add(driver), 20);
    for (Cycle now = 20; now != kNever; now = clock_.next_cycle()) clock_.tick_awake(now);
    // Once each: no side waits for the flits and credits that follow.
    EXPECT_THAT(reader.ticks, ElementsAre(20 + shape_.delay));
    EXPECT_THAT(writer.ticks, ElementsAre(40 + shape_.credit_delay));
    EXPECT_EQ(reader_word, 4U);
    EXPECT_EQ(writer_word, 8U);
}

/// A full FIFO between two wheels, or on one, whose writer waits for a credit.
struct AwaitedFifo {
    AwaitedFifo(const BufferShape& shape, bool spans)
        : buffer(shape.depth, shape.delay, shape.credit_delay),
          readers(spans ? own_wheel : senders) {
        if (spans) {
            senders.join(0, 2);
            own_wheel.join(1, 2);
            buffer.span(senders, own_wheel);
        }
        reader.attach(buffer);
        writer.attach(buffer);
        name = senders.add(sender);
        fill(20);
    }
    void fill(Cycle now) {
        for (std::uint32_t n = 0; n < buffer.depth(); ++n) writer.push({}, now, senders);
        writer.await({&word, name, 0, 0, 3});
    }
    /// Takes out the front flit, and has the writer's wheel hear of it.
    void pop(Cycle now) {
        reader.pop(now, readers);
        if (&readers == &senders) return;
        senders.begin_round();
        own_wheel.begin_round();
        senders.take_news(own_wheel);
    }

    hw::WakeupWheel senders;
    hw::WakeupWheel own_wheel;
    hw::FlitBuffer buffer;
    hw::FlitReader reader;
    hw::FlitWriter writer;
    hw::WakeupWheel& readers;
    Scripted sender;
    std::uint32_t name = 0;
    std::uint64_t word = 0;  // gets the bit 3 when the writer is woken
};

TEST_P(FlitBufferTest, WakesNobodyWhoWaitedBeforeFlitsWereLost) {
    for (const bool spans : {false, true}) {
        for (const std::uint32_t step : {0U, 1U, 2U}) {  // none are lost, all, every second one
            AwaitedFifo fifo(shape_, spans);
            std::vector<bool> is_lost;
            for (std::uint32_t n = 0; n < shape_.depth; ++n) {
                is_lost.push_back(step != 0 && n % step == 0);
            }
            fifo.reader.lose(is_lost, 30);
            while (fifo.reader.held() > 0) fifo.pop(40);
            EXPECT_TRUE(fifo.senders.idle());
            EXPECT_EQ(fifo.word, 0U);
            // Who waits from then on is woken.
            fifo.fill(60);
            fifo.pop(80);
            EXPECT_EQ(fifo.word, 8U);
        }
    }
}

TEST_P(FlitBufferTest, AnnouncesEveryFlitInItsCycleWhoeverIsAttachedFirst) {
    for (const bool writer_first : {true, false}) {
        constexpr std::uint32_t kCycles = 64;
        std::array<std::uint64_t, 2 * kCycles> ring{};
        std::array<std::uint64_t, 2 * kCycles> expected{};
        hw::WakeupWheel clock;
        hw::FlitBuffer buffer(shape_.depth, shape_.delay, shape_.credit_delay);
        hw::FlitReader reader;
        hw::FlitWriter writer;
        Scripted module;
        if (writer_first) writer.attach(buffer);
        reader.attach(buffer);
        reader.announce({ring.data(), clock.add(module), 0, 2 * kCycles - 2, 5});
        if (!writer_first) writer.attach(buffer);
        std::vector<Cycle> visible;
        for (std::uint32_t n = 0; n < shape_.depth; ++n) {
            writer.push(flit(n), 20 + n, clock);
            visible.push_back(20 + n + shape_.delay);
            expected[2 * visible.back() % ring.size()] |= 1U << 5;
        }
        for (Cycle now = clock.next_cycle(); now != kNever; now = clock.next_cycle()) {
            clock.tick_awake(now);
        }
        EXPECT_EQ(module.ticks, visible);
        EXPECT_EQ(ring, expected);
    }
}

TEST_P(FlitBufferTest, EqualsAQueueOfFlitsAndAQueueOfCreditsUnderRandomUse) {
    std::mt19937_64 random(shape_.depth * 100 + shape_.delay * 10 + shape_.credit_delay);
    std::deque<std::pair<Cycle, std::uint64_t>> flits;
    std::deque<Cycle> credits(shape_.depth, 0);
    std::uint64_t sent = 0;
    for (Cycle now = 1; now < 5000; ++now) {
        // Phases in which the reader, the writer or neither holds the other up.
        const std::uint64_t phase = now / 200 % 3;
        const bool wants_push = phase != 0 || random() % 4 == 0;
        const bool wants_pop = phase != 1 || random() % 4 == 0;
        const bool credit = !credits.empty() && credits.front() <= now;
        const bool visible = !flits.empty() && flits.front().first <= now;
        ASSERT_EQ(writer_.credit_from() <= now, credit) << now;
        ASSERT_EQ(writer_.has_credit(now), credit) << now;
        ASSERT_EQ(reader_.visible_from() <= now, visible) << now;
        ASSERT_EQ(reader_.visible(now), visible) << now;
        for (std::size_t k = 0; k < shape_.depth; ++k) {
            ASSERT_EQ(writer_.credit_from(k + 1), k < credits.size() ? credits[k] : kNever) << now;
            ASSERT_EQ(writer_.has_credit(now, k + 1), k < credits.size() && credits[k] <= now);
            ASSERT_EQ(reader_.visible_from(k), k < flits.size() ? flits[k].first : kNever) << now;
        }
        const auto usable = std::count_if(credits.begin(), credits.end(),
                                          [now](Cycle from) { return from <= now; });
        const std::uint64_t queued = shape_.depth - static_cast<std::uint64_t>(usable);
        ASSERT_EQ(buffer_.queued(now), queued) << now;
        if (credit && wants_push) {
            writer_.push(flit(sent), now, clock_);
            flits.emplace_back(now + shape_.delay, sent++);
            credits.pop_front();
        }
        if (visible && wants_pop) {
            ASSERT_EQ(reader_.front().word, flits.front().second);
            reader_.pop(now, clock_);
            flits.pop_front();
            credits.push_back(now + shape_.credit_delay);
        }
        ASSERT_EQ(buffer_.queued(now), queued) << now;  // moves of this cycle do not count
    }
    EXPECT_EQ(buffer_.pushed(), sent);
    EXPECT_EQ(buffer_.popped(), sent - flits.size());
    EXPECT_GT(sent, 200U);
}

/// Two FIFOs, and the module that passes flits from one to the other.
class Passage {
public:
    explicit Passage(const BufferShape& shape)
        : from_(shape.depth, shape.delay, shape.credit_delay),
          to_(shape.depth + 1, shape.credit_delay, shape.delay) {
        writer_.attach(from_);
        from_reader_.attach(from_);
        to_writer_.attach(to_);
        reader_.attach(to_);
    }

    /// The cycles in which flits came out after it: with `ahead` all whose times are known at a
    /// time, otherwise each in its cycle. They are put in and taken out at random, by `seed`.
    std::vector<Cycle> taken(bool ahead, std::uint64_t seed) {
        std::mt19937_64 random(seed);
        std::vector<Cycle> taken;
        std::uint64_t sent = 0;
        Cycle at = 0;
        for (Cycle now = 1; now < 3000; ++now) {
            const std::uint64_t phase = now / 100 % 3;
            const bool wants_push = phase != 0 || random() % 3 == 0;
            const bool wants_pop = phase != 1 || random() % 3 == 0;
            const bool is_tail = random() % 5 == 0;
            if (ahead) {
                at = std::max(at, now);
                const hw::StreamEnd end =
                    from_reader_.stream(to_writer_, now + 5, at, clock_, [](Cycle) {});
                went_ahead_ += at > now + 1 ? 1 : 0;
                EXPECT_TRUE(end != hw::StreamEnd::kLater || at > now + 5);
            } else if (from_reader_.visible(now) && to_writer_.has_credit(now)) {
                from_reader_.forward(to_writer_, now, clock_);
            }
            if (reader_.visible(now) && wants_pop) {
                EXPECT_EQ(reader_.front().word, taken.size());
                reader_.pop(now, clock_);
                taken.push_back(now);
            }
            if (writer_.has_credit(now) && wants_push) {
                writer_.push({sent++, false, is_tail}, now, clock_);
            }
        }
        return taken;
    }
    std::uint64_t went_ahead() const { return went_ahead_; }

private:
    hw::WakeupWheel clock_;
    hw::FlitBuffer from_;
    hw::FlitBuffer to_;
    hw::FlitWriter writer_;
    hw::FlitReader from_reader_;
    hw::FlitWriter to_writer_;
    hw::FlitReader reader_;
    std::uint64_t went_ahead_ = 0;
};

TEST_P(FlitBufferTest, PassesFlitsOnInTheSameCyclesAheadOfTimeOrNot) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        Passage in_time(GetParam());
        Passage ahead(GetParam());
        const std::vector<Cycle> expected = in_time.taken(false, seed);
        EXPECT_GT(expected.size(), 200U);
        EXPECT_EQ(ahead.taken(true, seed), expected);
        if (GetParam().delay > 2) {
            EXPECT_GT(ahead.went_ahead(), 20U);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, FlitBufferTest,
                         testing::Values(BufferShape{1, 1, 1}, BufferShape{1, 4, 3},
                                         BufferShape{2, 1, 1}, BufferShape{3, 2, 1},
                                         BufferShape{4, 2, 2}, BufferShape{5, 7, 4},
                                         BufferShape{7, 1, 6}, BufferShape{8, 3, 2},
                                         BufferShape{9, 9, 9}, BufferShape{17, 2, 1}));

TEST(PacketPool, FindsExactlyThePacketsUnderWay) {
    std::mt19937_64 random(1);
    hw::PacketPool pool(3);
    std::map<std::uint64_t, std::uint32_t> under_way;  // header -> index
    std::vector<std::uint64_t> gone;
    std::array<std::uint32_t, 3> sequence = {0, 0x7ffffff0, 7};  // one wraps round
    for (int round = 0; round < 20'000; ++round) {
        // Few, then many packets at a time, and back.
        const std::size_t wanted = round / 2500 % 2 == 0 ? 3 : 60;
        if (under_way.size() < wanted) {
            const auto source = static_cast<NodeId>(random() % 3);
            hw::Packet packet;
            packet.header = hw::Header{9, source, sequence[source]++}.pack();
            packet.record.message.id = static_cast<MessageId>(round);
            under_way[packet.header] = pool.add(packet);
            ASSERT_EQ(pool.message_of(packet.header).id, static_cast<MessageId>(round));
        } else {
            auto packet = under_way.begin();
            std::advance(packet, random() % under_way.size());
            pool.remove(packet->second);
            gone.push_back(packet->first);
            under_way.erase(packet);
        }
        ASSERT_EQ(pool.in_flight(), under_way.size());
        if (round % 50 != 0) continue;
        for (const auto& [header, index] : under_way) ASSERT_EQ(pool.find(header), index);
        for (const std::uint64_t header : gone) {
            ASSERT_EQ(pool.find(header), hw::PacketPool::kNone);
        }
        gone.clear();
    }
    EXPECT_EQ(pool.find(hw::Header{9, 77, 0}.pack()), hw::PacketPool::kNone);  // no such node
}

std::string text_of(const SignalPart& part) {
    return std::to_string(part.signal) + ": " + part.name + ' ' +
           std::to_string(part.lsb + part.width - 1) + ".." + std::to_string(part.lsb);
}

TEST(PinSignals, AreCutIntoTheFieldsOfEveryPort) {
    hw::PinSignals pins;  // three ports, two virtual channels, flits of 72 bits
    pins.add("flit_valid_i", 1, 3);
    pins.add("flit_head_i", 2, 3);
    pins.add("flit_vc_i", 3, 3);
    pins.add("flit_data_i", 4, 216);
    pins.add("credit_o", 5, 6);
    pins.add("flit_valid_o", 6, 3);
    const std::vector<SignalView> views =
        pins.views("fabric.router_7", 2, {{"inject_7", "ejection"}, {"", ""}, {"link_8_7", ""}});
    ASSERT_EQ(views.size(), 3U);
    EXPECT_EQ(views[0].title, "in 0: inject_7");
    EXPECT_EQ(views[1].title, "out 0: ejection");
    EXPECT_EQ(views[2].title, "in 2: link_8_7");
    EXPECT_EQ(views[2].label, "in 2");
    EXPECT_EQ(views[2].scope, "fabric.router_7");
    std::vector<std::string> parts;
    for (const SignalPart& part : views[2].parts) parts.push_back(text_of(part));
    EXPECT_THAT(
        parts, ElementsAre("1: valid 2..2", "2: head 2..2", "3: vc 2..2", "4: destination 159..144",
                           "4: source 175..160", "4: sequence 206..176", "4: more 207..207",
                           "4: word 215..144", "5: credit 5..4"));
}

}  // namespace
}  // namespace flitscope
