// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The waveform of a run, to compare engines by.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"

namespace flitscope {

struct Machine;

/// The VCD file of a run on `engine`, which has to complete.
inline std::string waveform(const Machine& machine, const std::string& engine) {
    namespace fs = std::filesystem;
    // A suite of the same name may run in parallel.
    const fs::path path =
        fs::path(testing::TempDir()) / (engine + std::to_string(getpid()) + ".vcd");
    {
        const FreshKernel kernel;
        SimulationOptions options;
        options.trace_path = path.string();
        EXPECT_EQ(simulate(machine, engine, options).verdict, Verdict::kComplete);
    }
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    fs::remove(path);
    fs::remove(path.string() + ".gtkw");
    return text.str();
}

}  // namespace flitscope
