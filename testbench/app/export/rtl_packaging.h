// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How exported SystemVerilog fits into the design of its user: names of its own, the kind of reset,
// manifests for package managers.
#pragma once

#include <string>
#include <vector>

#include "testbench/app/export/exported_file.h"

namespace flitscope {

/// Makes the reset of every register that has one asynchronous: the blocks that begin with
/// `if (!rst_ni)`, which contain no other registers.
std::string with_asynchronous_reset(const std::string& source);

/// Puts `prefix` before the names of all modules and packages of `files` that end in .sv, in all of
/// these, and before the names of their files. `listed` are lists of such files.
void add_prefix(const std::string& prefix, std::vector<ExportedFile>& files,
                const std::vector<std::vector<std::string>*>& listed);

/// The sources of an exported fabric, and of its test bench.
struct SourceLists {
    std::vector<std::string> design;
    std::vector<std::string> bench;  ///< in addition to those
    /// The types of structs and the top that has them, which follow the design; and what else the
    /// test bench needs to go through them.
    std::vector<std::string> structs;
    std::vector<std::string> struct_bench;
    /// Rules of lint that are waived, for verilator.
    std::vector<std::string> waivers;
};

/// The script of OpenSTA: timing of the netlist of `top` with the cells of the library that the
/// environment variable LIB names. `reset` is the pin of an asynchronous reset inside, empty: none.
std::string timing_script(const std::string& top, const std::string& reset);

/// Bender.yml.
std::string bender_manifest(const std::string& top, const SourceLists& sources);

/// config.mk of OpenROAD-flow-scripts: the sources and fabric.sdc, from wherever it is read.
std::string openroad_config(const std::string& top, const SourceLists& sources);

/// The description for FuseSoC (CAPI2). `bench` is the top of the test bench, which reads `data`;
/// `options` are further ones of verilator, and `simulation` those to simulate, each with a blank
/// behind it.
std::string fusesoc_core(const std::string& top, const std::string& bench,
                         const SourceLists& sources, const std::vector<std::string>& data,
                         const std::string& options, const std::string& simulation);

}  // namespace flitscope
