// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The entry point of libFuzzer: the reader that the environment variable FLITSCOPE_FUZZED_READER
// names, which processes started by libFuzzer inherit. Before its own options: `-readers` prints
// the names of all, `-seeds=FOLDER` writes the seeds there, the words of the reader into
// FOLDER.dict, and ends.
#include <sys/types.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "testbench/verification/fuzz/readers.h"

namespace {

using flitscope::fuzz::FuzzedReader;

std::vector<FuzzedReader> readers() { return flitscope::fuzz::fuzzed_readers(FLITSCOPE_CONFIGS); }

const FuzzedReader& reader() {
    static const FuzzedReader found = [] {
        const char* const name = std::getenv("FLITSCOPE_FUZZED_READER");
        for (FuzzedReader& one : readers()) {
            if (name != nullptr && one.name == name) return std::move(one);
        }
        std::cerr << "FLITSCOPE_FUZZED_READER names no reader; -readers lists them\n";
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
    const std::string seeds = "-seeds=";
    for (int i = 1; i < *argc; ++i) {
        const std::string word = (*argv)[i];
        const bool lists = word == "-readers";
        if (!lists && word.compare(0, seeds.size(), seeds) != 0) continue;
        if (lists) {
            for (const FuzzedReader& one : readers()) std::cout << one.name << '\n';
        } else {
            write_seeds(word.substr(seeds.size()));
        }
        std::exit(0);
    }
    reader();
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    reader().read(std::string(reinterpret_cast<const char*>(data), size));
    return 0;
}
