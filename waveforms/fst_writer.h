// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes GTKWave's compressed FST format. There is no date in the file, so equal runs give equal
// bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "waveforms/fst_hierarchy.h"
#include "waveforms/trace_output.h"
#include "waveforms/wave_sink.h"

namespace flitscope {

class FstWriter final : public WaveSink {
public:
    /// A section ends at this size. Larger ones pack better and take more memory, in readers too.
    static constexpr std::size_t kSectionBytes = std::size_t{1} << 24;

    /// The file appears under the name `path` when it is closed. `timescale` is one tick ("1ps");
    /// `comment` is shown by readers. Throws ConfigError when the file cannot be created.
    FstWriter(const std::string& path, const std::string& timescale, const std::string& comment,
              std::size_t section_bytes = kSectionBytes);
    ~FstWriter() override;
    FstWriter(const FstWriter&) = delete;
    FstWriter& operator=(const FstWriter&) = delete;

    void open_scope(const std::string& name) override { hierarchy_.open_scope(name); }
    void close_scope() override { hierarchy_.close_scope(); }
    SignalId declare(const std::string& name, std::uint32_t width) override;
    void declare_words(const std::string& name, WordTable table) override {
        hierarchy_.add_words(name, table);
    }
    void set_words(WordTable table, std::uint32_t width,
                   const std::vector<ValueWord>& words) override {
        hierarchy_.set_words(table, width, words);
    }
    void begin(std::uint64_t time) override;
    void end_dump() override {}
    void set_time(std::uint64_t time) override;
    void changes(const Change* first, std::size_t count) override;
    void bits(SignalId signal, std::string_view digits) override;
    void close(std::uint64_t time) override;
    void discard() override;

private:
    /// The changes of a signal since the section began, as the file has them: how many of the
    /// section's times have passed since the one before, and the value.
    struct Chain {
        std::vector<std::uint8_t> bytes;  // more than are used
        std::uint32_t used = 0;
        std::uint32_t last = 0;  // start of the last change
        std::uint32_t time = 0;  // number of its time in the section
        std::uint32_t width = 0;
        std::size_t shown = 0;  // its first digit in values_
    };

    std::uint8_t* room_for(Chain& chain, std::size_t bytes);
    void end_change(Chain& chain, const std::uint8_t* end);
    void put_time();
    void begin_section(std::uint64_t time);
    void end_section();
    void take_last_value(Chain& chain);
    void write_header();
    void write_geometry();
    void write_hierarchy();
    void write_number(std::uint64_t number);

    TraceOutput file_;
    std::uint8_t timescale_;
    std::size_t section_bytes_;

    FstHierarchy hierarchy_;
    std::vector<Chain> chains_;  ///< per signal
    std::string values_;         ///< of all signals at section start, a character per digit

    std::uint64_t first_time_ = 0;
    std::uint64_t time_ = 0;
    std::uint64_t written_time_ = 0;
    bool time_pending_ = false;
    bool begun_ = false;

    // The section that is being collected.
    std::uint64_t section_begin_ = 0;
    std::string times_;             ///< each less the one before
    std::uint32_t time_count_ = 0;  ///< number of times
    std::size_t chain_bytes_ = 0;
    std::uint64_t sections_ = 0;  ///< in the file
    std::unique_ptr<std::uint64_t[]> packer_;
    std::string packed_;
};

}  // namespace flitscope
