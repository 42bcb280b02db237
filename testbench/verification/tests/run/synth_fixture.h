// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A synthesis in its own folder, with tools that report without working.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/base/file_text.h"
#include "models/config/fabric_config.h"
#include "testbench/app/gate_synthesis/cell_library.h"
#include "testbench/app/gate_synthesis/synthesis.h"

namespace flitscope {

namespace fs = std::filesystem;

// yosys 0.23.
inline const std::string kCells = R"(
10. Printing statistics.

=== router_p5_v1_d2_w64_r1_mesh ===

   Number of wires:               6052
   Number of wire bits:           7839
   Number of public wires:          51
   Number of public wire bits:    1838
   Number of memories:               0
   Number of memory bits:            0
   Number of processes:              0
   Number of cells:               1469
     AND2X1                         13
     BUFX2                         377
     DFFNEGX1                       14
     DFFPOSX1                     1065

   Chip area for module '\router_p5_v1_d2_w64_r1_mesh': 267413.500000

)";

// OpenSTA 2.0.17.
inline const std::string kTiming =
    R"(Warning: timing.tcl, 5 set_input_delay relative to a clock defined on the same port/pin not allowed.
worst slack -3.6713
Startpoint: _13117_ (rising edge-triggered flip-flop clocked by clk)
           -3.671   slack (VIOLATED)


Group                    Internal    Switching      Leakage        Total
                            Power        Power        Power        Power
------------------------------------------------------------------------
Sequential           1.477389e-01 2.671051e-03 1.711719e-07 1.504101e-01  22.0%
Combinational        3.596528e-01 1.739942e-01 3.036513e-07 5.336474e-01  78.0%
Macro                0.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00   0.0%
Pad                  0.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00   0.0%
------------------------------------------------------------------------
Total                5.073895e-01 1.766666e-01 4.748232e-07 6.840566e-01 100.0%
                            74.2%        25.8%         0.0%
)";

inline std::string without(std::string text, const std::string& part,
                           const std::string& other = {}) {
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return text.replace(at, part.size(), other);
}

/// What `action` throws as a std::runtime_error, ConfigError included.
template <typename Action>
inline std::string error_of(const Action& action) {
    try {
        action();
    } catch (const std::runtime_error& e) {
        return e.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

inline const CellLibrary& osu018() { return read_cell_library(cell_library_file("osu018"), ""); }

/// Checked: a test would else try another text.
inline void write_file(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
    EXPECT_EQ(read_file(path), text);
}

class Synthesis : public ::testing::Test {
protected:
    Synthesis() {
        folder_ = fs::temp_directory_path() / "synth";
        for (const char* sub : {"rtl", "bin"}) fs::create_directories(folder_ / sub);
        set("FLITSCOPE_CACHE", folder_ / "cache");
        set("FLITSCOPE_RTL_DIR", folder_ / "rtl");
        write("rtl/router.sv", "module router; endmodule\n");
        write("rtl/sources.txt", "router.sv\n");
    }
    ~Synthesis() override {
        for (const auto& [name, value] : old_) {
            if (value) {
                setenv(name.c_str(), value->c_str(), 1);
            } else {
                unsetenv(name.c_str());
            }
        }
        fs::remove_all(folder_);
    }

    void set(const std::string& name, const std::string& value) {
        remember(name);
        setenv(name.c_str(), value.c_str(), 1);
    }
    void unset(const std::string& name) {
        remember(name);
        unsetenv(name.c_str());
    }
    std::string path(const std::string& name) const { return folder_ / name; }
    void write(const std::string& name, const std::string& text) const {
        write_file(path(name), text);
    }

    /// A program in the only folder of PATH.
    void program(const std::string& name, const std::string& script) {
        set("PATH", path("bin"));
        write("bin/" + name, "#!/bin/sh\nPATH=/usr/bin:/bin\n" + script);
        chmod(path("bin/" + name).c_str(), 0755);
    }
    /// Programs that report without working. The circuit needs 4.55 ns.
    void fake_tools() {
        write("cells", kCells);
        write("timing", kTiming);
        program("yosys", "echo run >> " + path("runs") + "\ncp " + path("cells") +
                             " cells.txt\necho netlist > netlist.v\n");
        program("yosys-abc", "exit 1\n");
        program("sta",
                "for script; do :; done\n"
                "if grep -q 'period 4 ' $script; then slack=-0.55; else slack=0.05; fi\n"
                "sed \"s/^worst slack.*/worst slack $slack/\" " +
                    path("timing") + "\n");
    }
    /// How often the fake yosys ran.
    std::size_t runs() const {
        if (!fs::exists(path("runs"))) return 0;
        const std::string text = read_file(path("runs"));
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }

    /// The contents of the cache, sorted.
    std::vector<std::string> entries() const {
        std::vector<std::string> names;
        const fs::path cache = folder_ / "cache" / "synth";
        if (fs::exists(cache)) {
            for (const auto& entry : fs::directory_iterator(cache)) {
                names.push_back(entry.path().filename());
            }
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    hw::RtlVariant variant_;
    SynthesisConditions conditions_;
    fs::path folder_;

private:
    void remember(const std::string& name) {
        const char* const value = std::getenv(name.c_str());
        old_.emplace(name,
                     value == nullptr ? std::nullopt : std::make_optional<std::string>(value));
    }

    std::map<std::string, std::optional<std::string>> old_;
};

}  // namespace flitscope
