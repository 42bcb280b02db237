// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

#include "models/base/diagnostics.h"

namespace flitscope {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib: the largest window, in a gzip header

struct EndInflation {
    void operator()(z_stream* stream) const { inflateEnd(stream); }
};

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.substr(0, 2) == "\x1f\x8b"; }

Spool gunzip(std::string_view bytes, const std::string& source, std::size_t max_bytes) {
    z_stream stream = {};
    if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw std::bad_alloc();
    const std::unique_ptr<z_stream, EndInflation> guard(&stream);
    std::vector<Bytef> part(std::size_t{1} << 16);
    constexpr std::size_t kMostInput = std::size_t{1} << 30;  // zlib counts 32 bits
    Spool content;
    int status = Z_OK;
    while (status != Z_STREAM_END || !bytes.empty()) {
        if (status == Z_STREAM_END) inflateReset(&stream);  // another member
        const std::size_t given = std::min(bytes.size(), kMostInput);
        // zlib only reads what it is given.
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        stream.avail_in = static_cast<uInt>(given);
        stream.next_out = part.data();
        stream.avail_out = static_cast<uInt>(part.size());
        status = inflate(&stream, Z_NO_FLUSH);
        bytes.remove_prefix(given - stream.avail_in);
        const std::size_t count = part.size() - stream.avail_out;
        if (content.size() + count > max_bytes) {
            throw ConfigError({source, 0, 0},
                              fmt::format("its content has more than {} bytes", max_bytes));
        }
        content.append(part.data(), count);
        if (status == Z_BUF_ERROR) {  // it waits for more input
            throw ConfigError({source, 0, 0}, "this gzip file ends early");
        }
        if (status != Z_OK && status != Z_STREAM_END) {
            throw ConfigError({source, 0, 0}, "this gzip file is damaged",
                              stream.msg == nullptr ? "" : stream.msg);
        }
    }
    content.close();
    return content;
}

}  // namespace flitscope
