// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What libFuzzer calls: the reader that FLITSCOPE_FUZZED_READER names. `-seeds=FOLDER` before its
// own options writes the seeds there, the words that it knows into FOLDER.dict, and ends.
#include <sys/types.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include "testbench/fuzz/readers.h"

namespace {

using flitscope::fuzz::FuzzedReader;

const FuzzedReader& reader() {
    static const FuzzedReader found = [] {
        for (FuzzedReader& one : flitscope::fuzz::fuzzed_readers(FLITSCOPE_CONFIGS)) {
            if (one.name == FLITSCOPE_FUZZED_READER) return std::move(one);
        }
        std::cerr << "no reader has the name " FLITSCOPE_FUZZED_READER "\n";
        std::exit(1);
    }();
    return found;
}

void write_seeds(const std::string& folder) {
    for (std::size_t k = 0; k < reader().seeds.size(); ++k) {
        std::ofstream(folder + "/seed_" + std::to_string(k)) << reader().seeds[k];
    }
    std::ofstream words(folder + ".dict");
    words << "# what " << reader().name << " knows\n";
    for (const std::string& known : reader().words) words << '"' << known << "\"\n";
}

}  // namespace

extern "C" int sc_main(int, char**) { return 0; }  // libsystemc refers to it

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    const std::string option = "-seeds=";
    for (int i = 1; i < *argc; ++i) {
        const std::string word = (*argv)[i];
        if (word.compare(0, option.size(), option) != 0) continue;
        write_seeds(word.substr(option.size()));
        std::exit(0);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    reader().read(std::string(reinterpret_cast<const char*>(data), size));
    return 0;
}
