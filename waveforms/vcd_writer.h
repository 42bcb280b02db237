// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes a Value Change Dump (IEEE Std 1364-2005, clause 18). The file depends on nothing but the
// calls: no date, no path, no host, so equal runs give equal bytes.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "waveforms/trace_output.h"
#include "waveforms/wave_sink.h"

namespace flitscope {

class VcdWriter final : public WaveSink {
public:
    /// The file appears under the name `path` when it is closed. `timescale` is one tick ("1ps");
    /// `comment` goes into the header; there is no $end in it. Throws ConfigError when the file
    /// cannot be created.
    VcdWriter(const std::string& path, const std::string& timescale, const std::string& comment);
    ~VcdWriter() override;
    VcdWriter(const VcdWriter&) = delete;
    VcdWriter& operator=(const VcdWriter&) = delete;

    void open_scope(const std::string& name) override;
    void close_scope() override;
    SignalId declare(const std::string& name, std::uint32_t width) override;
    void begin(std::uint64_t time) override;
    void end_dump() override;
    void set_time(std::uint64_t time) override;
    void changes(const Change* first, std::size_t count) override;
    void bits(SignalId signal, std::string_view digits) override;
    void close(std::uint64_t time) override;
    void discard() override;

private:
    void put(std::string_view text);
    void put_time();
    void flush();

    /// What ends every change of a signal: its identifier code and a line feed. Looked up: a code
    /// took half of the time of a change when it was generated.
    struct Ending {
        char text[6] = {};
        std::uint8_t length = 0;
        bool is_scalar = false;  ///< one bit, written without b and gap

        /// Overwrites as many characters as the whole has.
        char* write(char* out) const {
            std::memcpy(out, this, sizeof *this);
            return out + length;
        }
    };

    TraceOutput file_;
    std::vector<char> buffer_;
    char* out_;
    char* limit_;  ///< flush when out_ is beyond; the rest holds a time and a number
    std::vector<Ending> endings_;  ///< per signal
    std::uint64_t time_ = 0;
    bool time_pending_ = false;  ///< time_ is not in the file yet
    bool begun_ = false;
};

}  // namespace flitscope
