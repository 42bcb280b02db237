// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Thakur, Choudhary and Fox 1993: complete exchange on the Intel Touchstone Delta. The machine was
// fitted to Tables 2 and 5; Tables 3, 4 and 6 are predictions.
#include "testbench/papers/thakur/thakur.h"

#include "testbench/papers/frame/paper.h"
#include "testbench/papers/thakur/thakur_study.h"

namespace flitscope::reproduce {
namespace {

using namespace delta_exchange;

Experiment exchange(const std::string& schedule, const DeltaMesh& mesh, std::uint64_t bytes) {
    constexpr double kSecondsPerPacketHop = 300e-9;
    const double nodes = mesh.nodes();
    const double hops = (mesh.rows + mesh.columns) / 3.0 + 2;
    const double packets = static_cast<double>(bytes) / 1024 + 1;
    return {key(schedule, mesh, bytes), configuration("delta", schedule, mesh, bytes), "tlm",
            nodes * nodes * packets * hops * kSecondsPerPacketHop};
}

std::vector<Experiment> experiments() {
    std::vector<Experiment> all;
    for (const std::uint64_t bytes : kMessageSizes) {
        for (const DeltaMesh& mesh : kSquareMeshes) {
            for (const char* schedule : kSquareSchedules) {
                all.push_back(exchange(schedule, mesh, bytes));
            }
        }
        for (const DeltaMesh& mesh : kOtherMeshes) {
            for (const char* schedule : kOtherSchedules) {
                all.push_back(exchange(schedule, mesh, bytes));
            }
        }
    }
    for (const std::uint32_t nodes : kLines) all.push_back(exchange("pex", {1, nodes}, kLineBytes));
    record_causes(all, keys_with_causes());
    return all;
}

Report report(const Outcomes& outcomes) {
    const Data data(outcomes);
    return {tables(data), plots(data), conclusions(data)};
}

}  // namespace

Paper thakur() {
    return {"thakur", "Thakur, Choudhary, Fox: Complete Exchange on a Wormhole Routed Mesh (1993)",
            experiments, report};
}

}  // namespace flitscope::reproduce
