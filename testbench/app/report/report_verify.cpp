// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "testbench/app/build/machine.h"
#include "testbench/app/compare/run_record.h"
#include "testbench/app/compare/verify.h"
#include "testbench/app/report/report.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/report/report_parts.h"

namespace flitscope {
namespace {

const char* outcome(const VerifyResult& result) {
    if (result.difference) return "different";
    return result.interrupted ? "interrupted" : "equal";
}

/// An engine after an interrupt or a difference has had no turn.
bool ran(const VerifiedEngine& engine) { return !engine.result.engine.empty(); }

std::string engine_text(const VerifyResult& result, const VerifiedEngine& engine) {
    if (!engine.left_out.empty()) return "left out: " + engine.left_out;
    if (!ran(engine)) return "did not run";
    const double seconds = engine.result.wall_seconds;
    std::string text =
        fmt::format("{} cycles in {:.3f} s", grouped(engine.result.simulated_cycles), seconds);
    if (&engine == &result.engines.front()) return text + ", the reference";
    return text + fmt::format(", {:.2f} times as fast",
                              result.reference().wall_seconds / std::max(seconds, 1e-9));
}

Json engine_json(const VerifiedEngine& engine) {
    Json json;
    json["engine"] = engine.name;
    json["available"] = engine.left_out.empty();
    json["reason"] = engine.left_out;
    const bool has = ran(engine);
    json["status"] = has ? Json(name_of(engine.result.verdict)) : Json();
    json["rtl_routers"] = has ? Json(engine.result.rtl_routers) : Json();
    json["cycles"] = has ? Json(engine.result.cycles) : Json();
    json["simulated_cycles"] = has ? Json(engine.result.simulated_cycles) : Json();
    json["wall_seconds"] = has ? Json(engine.result.wall_seconds) : Json();
    return json;
}

}  // namespace

Json verify_json(const Machine& machine, const VerifyResult& result) {
    Json json;
    json["version"] = version();
    json["equal"] = result.equal();
    json["outcome"] = outcome(result);
    json["status"] = name_of(result.reference().verdict);
    json["topology"] = machine.graph.description();
    add_size(json, machine.graph);
    json["schedule"] = machine.traffic_name();
    json["seed"] = machine.config.seed;
    json["engines"] = Json::array();
    for (const VerifiedEngine& engine : result.engines) {
        json["engines"].push_back(engine_json(engine));
    }
    json["compared"] = {{"packets", result.packets},
                        {"channels", result.channels},
                        {"busy_intervals", result.busy_intervals},
                        {"flit_hops", result.reference().flit_hops}};
    json["difference"] = Json();
    if (result.difference) {
        const RunDifference& d = *result.difference;
        json["difference"] = {{"engine", result.different_engine},
                              {"cycle", d.cycle ? Json(*d.cycle) : Json()},
                              {"subject", d.subject},
                              {"reference", d.ours},
                              {"found", d.theirs}};
    }
    return json;
}

void print_verify(std::ostream& out, const Machine& machine, const VerifyResult& result) {
    out << fmt::format("{}: {}\n", machine.traffic_name(), outcome(result));
    print_machine(out, machine);
    for (const VerifiedEngine& engine : result.engines) {
        print_line(out, "engine " + engine.name, engine_text(result, engine));
    }
    if (!result.interrupted) {
        print_line(out, "compared",
                   fmt::format("{} packets (start; head and tail, injected and delivered)",
                               grouped(result.packets)));
        print_line(out, "",
                   fmt::format("{} busy intervals of {} channels, {} flit-hops",
                               grouped(result.busy_intervals), grouped(result.channels),
                               grouped(result.reference().flit_hops)));
    }
    if (result.equal()) {
        const SimulationResult& run = result.reference();
        print_line(out, "the run itself",
                   fmt::format("{}, {} {} cycles, on all engines", name_of(run.verdict),
                               machine.pattern ? "simulated" : "makespan",
                               grouped(machine.pattern ? run.simulated_cycles : run.cycles)));
    }
    if (result.difference) {
        const RunDifference& d = *result.difference;
        print_line(out, "first difference",
                   (d.cycle ? fmt::format("cycle {}, ", *d.cycle) : "") + d.subject);
        print_line(out, "  " + result.engines.front().name, d.ours);
        print_line(out, "  " + result.different_engine, d.theirs);
    }
}

}  // namespace flitscope
