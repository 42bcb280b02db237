// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/zlib_stream.h"

#include <zlib.h>

#include <new>
#include <stdexcept>

namespace flitscope {

std::string zlib_stream(const std::string& bytes, int level) {
    uLongf size = compressBound(bytes.size());
    std::string stream(size, '\0');
    const int status = compress2(reinterpret_cast<Bytef*>(stream.data()), &size,
                                 reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), level);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK) throw std::logic_error("zlib_stream: no such level");
    stream.resize(size);
    return stream;
}

}  // namespace flitscope
