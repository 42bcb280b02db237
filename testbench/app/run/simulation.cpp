// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/run/simulation.h"

#include <memory>
#include <new>

#include "hw/verilated/rtl_routers.h"
#include "models/base/stopwatch.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/run/engines.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation_instance.h"
#include "waveforms/selection.h"

namespace flitscope {

const char* name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::kComplete:
            return "complete";
        case Verdict::kFailed:
            return "failed";
        case Verdict::kDeadlock:
            return "deadlock";
        case Verdict::kTimeout:
            return "timeout";
        case Verdict::kInterrupted:
            return "interrupted";
    }
    return "";
}

void require_runnable(const Machine& machine) {
    select_channels(machine.config, machine.graph);
    const hw::RtlRouters routers(machine.config, machine.graph, *machine.routing);
}

SimulationResult simulate(const Machine& machine, const std::string& engine,
                          const SimulationOptions& options) {
    const EngineChoice choice = choose_engine(machine, engine);
    require_deadlock_freedom(machine);
    require_runnable(machine);
    const Stopwatch watch;
    auto instance = std::make_unique<SimulationInstance>(machine, *choice.engine, options);
    const double elaboration_seconds = watch.seconds();
    SimulationResult result;
    double wall_seconds = 0;
    try {
        instance->start();
        const Stopwatch simulation;
        run_kernel();
        wall_seconds = simulation.seconds();
        result = instance->finish();
    } catch (const std::bad_alloc&) {
        instance->discard_trace();  // nothing is wrong with the run that its beginning could show
        throw;
    }
    result.engine_reason = choice.reason;
    result.elaboration_seconds = elaboration_seconds;
    result.wall_seconds = wall_seconds;
    static const SimulationInstance* kept = nullptr;  // still reachable, so not a leak
    if (options.keep_modules) kept = instance.release();
    static_cast<void>(kept);
    return result;
}

}  // namespace flitscope
