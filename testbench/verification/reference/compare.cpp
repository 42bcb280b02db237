// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/reference/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "models/routing/routing_factory.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/compare/run_record.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "testbench/verification/reference/golden_model.h"
#include "testbench/verification/reference/golden_routes.h"

namespace flitscope {
namespace {

constexpr Cycle kMaxCycles = 1'000'000;

/// The record by the golden model of the machine's program, or of a pattern with replies.
RunRecord golden_record(const Machine& machine, const Routing& routing) {
    if (machine.program) {
        return golden_run_record(
            run_golden(machine.config, machine.graph, routing, *machine.program, kMaxCycles));
    }
    const Program requests = materialise(machine.config, machine.graph);
    GoldenResult golden = run_golden(machine.config, machine.graph, routing, requests, kMaxCycles);
    // A fabric numbers the k-th request of node n 2 (k * nodes + n), and its reply one higher.
    std::vector<MessageId> numbers;
    std::vector<MessageId> sent(requests.nodes, 0);
    for (const Transfer& request : requests.transfers) {
        numbers.push_back(2 * (sent[request.source]++ * requests.nodes + request.source));
    }
    for (GoldenPacket& packet : golden.packets) {
        const bool is_reply = packet.message >= numbers.size();
        packet.message =
            is_reply ? numbers[packet.message - numbers.size()] + 1 : numbers[packet.message];
    }
    std::sort(golden.packets.begin(), golden.packets.end(),
              [](const GoldenPacket& a, const GoldenPacket& b) {
                  return std::tie(a.message, a.index) < std::tie(b.message, b.index);
              });
    return golden_run_record(golden);
}

/// `ours` is that of a fabric; `theirs` is the reference, for a run that completes.
std::string compare(const Machine& machine, const RunRecord& ours, const RunRecord& theirs,
                    CompareCounts& counts) {
    if (theirs.verdict != Verdict::kComplete) return "the reference did not complete";
    if (const auto d = first_difference(ours, theirs, machine.graph)) {
        return (d->cycle ? fmt::format("cycle {}, ", *d->cycle) : "") + d->subject + ": " +
               d->ours + ", instead of " + d->theirs;
    }
    counts.packets += ours.packets.size();
    counts.busy_intervals += ours.busy_intervals();
    for (LinkId link = 0; link < machine.graph.link_count(); ++link) {
        counts.flit_hops += ours.flits_sent[link];
    }
    return {};
}

}  // namespace

std::vector<std::uint32_t> random_parts(std::uint32_t routers, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto parts = static_cast<std::uint32_t>(2 + random() % 3);
    std::vector<std::uint32_t> part_of(routers);
    for (std::uint32_t router = 0; router < routers; ++router) {
        part_of[router] = router < parts ? router : static_cast<std::uint32_t>(random() % parts);
    }
    std::shuffle(part_of.begin(), part_of.end(), random);
    return part_of;
}

void vary(CompareRun& run, std::uint32_t routers, std::uint64_t seed) {
    run.runs_ahead = seed % 5 != 0;
    if (seed % 3 != 0 || routers < 4) return;
    run.threads = 1 + static_cast<std::uint32_t>(seed / 3 % 3);
    run.parts = random_parts(routers, seed);
}

FabricRun run_fabric(const Machine& machine, const CompareRun& run) {
    const FreshKernel kernel;
    ChannelRecorder channels(ChannelMap(machine.graph).count(),
                             machine.config.fabric.virtual_channels);
    PacketRecorder packets;
    SimulationOptions options;
    options.scan_order = run.order;
    options.runs_ahead = run.runs_ahead;
    options.threads = run.threads;
    options.parts = run.parts;
    options.packets = &packets;
    if (run.observed) options.channels = &channels;
    FabricRun done;
    done.result = simulate(machine, run.engine, options);
    done.record = make_run_record(done.result, packets, run.observed ? &channels : nullptr);
    return done;
}

RunRecord golden_run_record(const GoldenResult& golden) {
    RunRecord record;
    record.verdict = golden.completed ? Verdict::kComplete : Verdict::kTimeout;
    record.makespan = golden.makespan;
    record.simulated_cycles = golden.makespan;  // a delivery is the last thing to happen
    for (const GoldenPacket& p : golden.packets) {
        if (p.tail_delivered == kNever) continue;
        record.packets.push_back({p.message, p.index, p.begin, p.head_injected, p.tail_injected,
                                  p.head_delivered, p.tail_delivered});
    }
    for (const std::vector<BusyInterval>& channel : golden.busy) {
        record.busy.emplace_back();
        for (const BusyInterval& i : channel) {
            record.busy.back().push_back({i.first, i.last_plus_one});
        }
    }
    record.flits_sent = golden.flits_sent;
    return record;
}

Machine machine_of(const RandomCase& test) {
    Machine machine{test.config, random_case_graph(test), {}, {}, {}, {}, {}};
    machine.routing = make_routing(machine.config, machine.graph);
    if (test.config.traffic.pattern.empty()) {
        machine.program = std::make_shared<const Program>(test.program);
    } else {
        machine.pattern = std::make_shared<const PatternTraffic>(machine.config, machine.graph);
    }
    return machine;
}

std::string compare_with_golden(const RandomCase& test, const CompareRun& run,
                                CompareCounts& counts) {
    const Machine machine = machine_of(test);
    const std::unique_ptr<Routing> own = golden_routes(machine.config, machine.graph);
    return compare(machine, run_fabric(machine, run).record,
                   golden_record(machine, own ? *own : *machine.routing), counts);
}

std::string compare_machine_with_golden(const Machine& machine, const CompareRun& run,
                                        CompareCounts& counts) {
    return compare(machine, run_fabric(machine, run).record,
                   golden_record(machine, *machine.routing), counts);
}

std::string compare_engines(const RandomCase& test, const std::string& engine,
                            CompareCounts& counts) {
    return compare_engines(machine_of(test), engine, counts);
}

std::string compare_engines(const Machine& machine, const std::string& engine,
                            CompareCounts& counts) {
    CompareRun in_time;
    in_time.runs_ahead = false;
    const RunRecord reference = run_fabric(machine, in_time).record;
    const auto differs = [&](const std::string& name, bool observed, CompareCounts& into) {
        CompareRun run;
        run.engine = name;
        run.observed = observed;
        const std::string difference =
            compare(machine, run_fabric(machine, run).record, reference, into);
        return difference.empty() || observed ? difference : "without observers: " + difference;
    };
    if (std::string difference = differs(engine, true, counts); !difference.empty()) {
        return difference;
    }
    CompareCounts counted_before;
    const std::string& ahead = reference_engine().name;
    // Without observers the cycle engine looks less closely, and no engine may need them.
    for (const auto& [name, observed] :
         {std::pair(engine, false), std::pair(ahead, true), std::pair(ahead, false)}) {
        const std::string difference = differs(name, observed, counted_before);
        if (!difference.empty()) return name + ", " + difference;
    }
    return {};
}

}  // namespace flitscope
