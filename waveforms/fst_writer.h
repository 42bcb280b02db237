// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes GTKWave's compressed FST format through fstapi. The header's date is a fixed text, so
// equal runs give equal bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/output_file.h"
#include "waveforms/trace_sink.h"

namespace flitscope {

class FstWriter final : public TraceSink {
public:
    /// The file appears under the name `path` when it is closed. `timescale` is one tick ("1ps");
    /// `comment` is shown by readers. Throws ConfigError when the file cannot be created.
    FstWriter(const std::string& path, const std::string& timescale, const std::string& comment);
    ~FstWriter() override;
    FstWriter(const FstWriter&) = delete;
    FstWriter& operator=(const FstWriter&) = delete;

    void open_scope(const std::string& name) override;
    void close_scope() override;
    SignalId declare(const std::string& name, std::uint32_t width) override;
    void begin(std::uint64_t time) override;
    void end_dump() override {}
    void set_time(std::uint64_t time) override;
    void changes(const Change* first, std::size_t count) override;
    void bits(SignalId signal, std::string_view digits) override;
    void close(std::uint64_t time) override;

private:
    void put_time();

    std::string path_;
    UnfinishedFile unfinished_;
    void* context_ = nullptr;            ///< fstapi's writer
    std::vector<std::uint32_t> widths_;  ///< per signal; its FST handle is its id + 1
    std::vector<char> digits_;           ///< room for one value of the widest signal
    std::uint64_t time_ = 0;
    bool time_pending_ = false;
    bool begun_ = false;
};

}  // namespace flitscope
