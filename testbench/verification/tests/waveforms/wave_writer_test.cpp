// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Signals of any width, over any time, as VCD and FST have them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "testbench/verification/tests/waveforms/waveform_fixture.h"
#include "waveforms/fst_writer.h"
#include "waveforms/vcd_writer.h"

namespace flitscope::testing {
namespace {

using ::testing::HasSubstr;

/// All inputs of bits(), at three times.
void write_bits(WaveSink& sink) {
    sink.open_scope("top");
    const SignalId flag = sink.declare("flag", 1);
    const SignalId byte = sink.declare("byte", 8);
    const SignalId wide = sink.declare("wide", 320);
    const SignalId number = sink.declare("number", 64);
    sink.close_scope();
    sink.begin(0);
    sink.bits(flag, "x");
    sink.bits(byte, "z");
    sink.bits(wide, "x");
    sink.change(5, number, 64);
    sink.end_dump();
    sink.set_time(10);
    sink.bits(flag, "1");
    sink.bits(byte, "0000x01z");
    sink.bits(wide, "1" + std::string(319, '0'));
    sink.bits(number, std::string(64, '1'));
    sink.set_time(20);
    sink.bits(flag, "z");
    sink.bits(byte, "zz1");
    sink.bits(wide, "101");
    sink.change(0, number, 64, Level::kHighZ);
    sink.close(30);
}

TEST_F(Waveform, OfDigitsIsAsShortInVcdAsItsReaderAllows) {
    VcdWriter writer(path("t.vcd"), "1ps", "digits");
    write_bits(writer);
    const std::string text = read_file(path("t.vcd"));
    EXPECT_EQ(text.substr(text.find("#0")),
              "#0\n$dumpvars\nx!\nbz \"\nbx #\nb101 $\n$end\n"
              "#10\n1!\nb0x01z \"\nb1" +
                  std::string(319, '0') + " #\nb" + std::string(64, '1') +
                  " $\n"
                  "#20\nz!\nbz1 \"\nb101 #\nbz $\n#30\n");
}

TEST_F(Waveform, OfDigitsHasAllOfThemInFst) {
    FstWriter writer(path("t.fst"), "1ps", "digits");
    write_bits(writer);
    const std::string text = read_fst("t.fst");
    EXPECT_THAT(text, HasSubstr("\nb0000x01z \"\n"));
    EXPECT_THAT(text, HasSubstr("\nbzzzzzzz1 \"\n"));
    EXPECT_THAT(text, HasSubstr("\nb" + std::string(317, '0') + "101 #\n"));
    VcdWriter other(path("t.vcd"), "1ps", "digits");
    write_bits(other);
    EXPECT_EQ(Vcd(text).changes, Vcd(read_file(path("t.vcd"))).changes);
    EXPECT_EQ(Vcd(text).widths.at("top.wide[319:0]"), 320U);
}

/// Values that do not fit what is left of a writer's buffer, nor all of it.
void write_long_values(WaveSink& sink, std::vector<std::string>& expected) {
    constexpr std::uint32_t kWidth = 300'007;
    std::mt19937_64 random(3);
    const SignalId signal = sink.declare("long", kWidth);
    const SignalId longest = sink.declare("longest", 9 * kWidth);
    sink.begin(0);
    for (std::uint64_t t = 0; t < 20; ++t) {
        std::string digits(kWidth, '1');
        for (char& digit : digits) digit = "01xz"[random() % 4];
        expected.push_back(Vcd::readable(digits));
        sink.set_time(t);
        sink.bits(signal, digits);
        if (t == 0) sink.bits(longest, "1" + std::string(9 * kWidth - 1, '0'));
        if (t == 0) sink.end_dump();
    }
    sink.close(20);
}

/// The start of every section of an FST, and the digits of all signals then, as the file has them.
std::vector<std::pair<std::uint64_t, std::string>> section_begins(const std::string& fst) {
    const auto number = [&](std::size_t at) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < 8; ++i) value = value << 8 | std::uint8_t(fst[at + i]);
        return value;
    };
    std::vector<std::pair<std::uint64_t, std::string>> begins;
    for (std::size_t at = 0; at < fst.size(); at += 1 + number(at + 1)) {
        if (fst[at] != 8) continue;  // no section
        std::size_t place = at + 1 + 4 * 8;
        const auto varint = [&] {
            std::uint64_t value = 0;
            for (int shift = 0;; shift += 7) {
                const auto byte = std::uint8_t(fst[place++]);
                value |= std::uint64_t{byte & 0x7FU} << shift;
                if (byte < 0x80) return value;
            }
        };
        uLongf length = varint();
        const std::uint64_t packed = varint();
        varint();  // signals
        std::string digits = fst.substr(place, packed);
        if (packed != length) {
            digits.resize(length);
            EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(digits.data()), &length,
                                 reinterpret_cast<const Bytef*>(fst.data() + place), packed),
                      Z_OK);
        }
        begins.emplace_back(number(at + 9), digits);
    }
    return begins;
}

TEST_F(Waveform, OfManySectionsIsOneInFst) {
    // Widths around whole bytes; signals that change alike, rarely, or never again.
    const std::vector<std::uint32_t> widths{1, 7, 8, 9, 17, 33, 63, 64, 1, 17, 64, 5};
    const auto write = [&](WaveSink& sink) {
        std::mt19937_64 random(5);
        sink.open_scope("top");
        for (std::size_t i = 0; i < widths.size(); ++i) {
            sink.declare("s" + std::to_string(i), widths[i]);
        }
        const SignalId wide = sink.declare("wide", 130);
        sink.close_scope();
        sink.begin(70);
        for (SignalId i = 0; i < widths.size(); ++i) sink.change(0, i, widths[i], Level::kHighZ);
        sink.bits(wide, "x");
        sink.end_dump();
        std::uint64_t time = 70;
        for (std::uint64_t step = 0; step < 3000; ++step) {
            // Now and then nothing for a long time.
            sink.set_time(time += step % 100 == 0 ? 1'000'000'000 : 1 + random() % 300);
            const std::uint64_t all = random();
            const auto value = [&](SignalId i) {
                return (all + step * (i < 8)) >> (64 - widths[i]);
            };
            for (SignalId i = 0; i < widths.size(); ++i) {
                const bool is_rare = i == 10 || i == 11;
                if (is_rare ? step != 1500 : (i < 8 && (all >> i & 1) != 0)) continue;
                const bool is_high_z = (all >> 20 & 7) == 0;
                sink.change(is_high_z ? 0 : value(i), i, widths[i],
                            is_high_z ? Level::kHighZ : Level::kNone);
            }
            if (step % 7 == 0) sink.bits(wide, step % 2 == 0 ? "1" : "x01z0");
        }
        sink.close(time + 5);
    };
    VcdWriter vcd(path("t.vcd"), "1ps", "sections");
    write(vcd);
    const Vcd expected(read_file(path("t.vcd")));
    for (const std::size_t section :
         {std::size_t{200}, std::size_t{5000}, FstWriter::kSectionBytes}) {
        FstWriter fst(path("t.fst"), "1ps", "sections", section);
        write(fst);
        const Vcd read(read_fst("t.fst"));
        EXPECT_EQ(read.widths, expected.widths);
        // fst2vcd prints a value that does not differ from the one before no more than once.
        for (const auto& [name, changes] : expected.changes) {
            for (const auto& entry : changes) {
                ASSERT_EQ(read.at(name, entry.first), entry.second) << name << ' ' << entry.first;
            }
            ASSERT_LE(read.changes.at(name).size(), changes.size()) << name << section;
        }
        EXPECT_EQ(read.times.back(), expected.times.back());
        // The initial values for readers that do not read from the start.
        const auto begins = section_begins(read_file(path("t.fst")));
        EXPECT_EQ(begins.front().second.find_first_not_of('x'), std::string::npos);
        for (std::size_t number = 1; number < begins.size(); ++number) {
            const auto& [time, digits] = begins[number];
            std::size_t place = 0;
            for (std::size_t i = 0; i < widths.size(); ++i) {
                const std::string name = "top." + ranged_name("s" + std::to_string(i), widths[i]);
                ASSERT_EQ(Vcd::readable(digits.substr(place, widths[i])), expected.at(name, time))
                    << name << ' ' << time;
                place += widths[i];
            }
        }
        EXPECT_EQ(begins.size() > 100, section == 200) << begins.size();
        EXPECT_EQ(begins.size() > 10, section <= 5000) << begins.size();
    }
}

TEST_F(Waveform, OfDigitsMayBeWiderThanABuffer) {
    std::vector<std::string> expected;
    VcdWriter vcd(path("t.vcd"), "1ps", "long");
    write_long_values(vcd, expected);
    std::vector<std::string> unused;
    FstWriter fst(path("t.fst"), "1ps", "long");
    write_long_values(fst, unused);
    for (const std::string& text : {read_file(path("t.vcd")), read_fst("t.fst")}) {
        const Vcd read(text);
        for (std::uint64_t t = 0; t < 20; ++t) {
            EXPECT_TRUE(read.at("long[300006:0]", t) == expected[t]) << t;
        }
        EXPECT_EQ(read.changes.at("longest[2700062:0]").at(0).size(), 1U + 2'700'063U);
    }
}

}  // namespace
}  // namespace flitscope::testing
