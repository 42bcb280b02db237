// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Studies over a base configuration in a folder, explored in this process.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "testbench/app/study/explore/exploration.h"
#include "testbench/verification/tests/support/refused_with.h"

namespace flitscope::study {

/// A folder with a base configuration, and studies in it.
class Exploration : public testing::Test {
protected:
    Exploration() {
        std::ofstream(path("base.yaml")) << "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
                                            "traffic: {schedule: pex, message_bytes: 64}\n";
    }

    static std::string path(const std::string& name) { return testing::TempDir() + name; }

    static Study study(const std::string& text) {
        std::ofstream(path("study.yaml")) << "base: base.yaml\n" << text;
        return load_study(path("study.yaml"), {});
    }
    static std::string error_of(const std::string& text) {
        return refused_with([&] {
            const Study bad = study(text);
            Database database("", Database::Access::kWrite);
            explore(bad, database, {"auto", 2});
        });
    }
    static ExploreResult run(const std::string& text, unsigned processes = 2,
                             const std::string& db = "") {
        const Study chosen = study(text);
        Database database(db.empty() ? "" : path(db), Database::Access::kWrite);
        return explore(chosen, database, {"auto", processes, process_worker_pool({processes})});
    }
    static std::vector<std::string> front(const ExploreResult& result) {
        std::vector<std::string> digests;
        for (const Design& design : result.front) digests.push_back(design.digest);
        return digests;
    }
};

constexpr const char* kSpace = R"(
vary:
  fabric.topology:
    mesh: {kind: mesh, dims: [4, 4]}
    torus: {kind: torus, dims: [2, 8]}
    cube: {kind: hypercube, dimensions: 4}
    how: {kind: how, dims: [4, 4], window: 2}
  fabric.flit_bits: [16, 32, 64]
  fabric.buffer_depth: [1, 2, 4, 8]
  fabric.virtual_channels: [1, 2]
  traffic.schedule: [pex, gen, naive]
)";
constexpr const char* kEverything = "search: {method: random, evaluations: 100000}\n";

}  // namespace flitscope::study
