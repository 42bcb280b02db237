// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// golden_campaign: the fabrics against the golden model, and against each other, on as many random
// machines as one has patience for. Beyond what the test run affords; not part of it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/fabric/switching.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/reference/losses.h"

int sc_main(int, char**) {
    return 0;
}  // libsystemc refers to it; compare starts the kernels itself

namespace flitscope {
namespace {

struct CampaignOptions {
    std::uint64_t cases = 100'000;
    std::uint64_t first_seed = 1;
    double seconds = 0;  ///< 0: no limit
    /// The reference engine: against the golden model on small machines. Another one: against the
    /// golden model, and on wide ranges against the reference engine.
    std::string engine = reference_engine().name;
    /// Only cases with this switching method; empty: all. For the cycle engine.
    std::string switching;
    bool replies = false;     ///< request-reply traffic instead of the programs
    bool operations = false;  ///< messages as operations send and receive them
    bool classes = false;     ///< message classes
    bool steady = false;      ///< patterns until they are steady: against the reference engine only
    bool losses = false;      ///< links and nodes that die while running, packets sent again
};

/// Chooses how a case is run: the scan order is the other one than the test run takes for the same
/// seed, and half of the cases go without observers, with routers that report nothing.
CompareRun variant(const std::string& engine, std::uint32_t routers, std::uint64_t seed) {
    CompareRun run{engine, seed % 2 == 0 ? hw::ScanOrder::kDescending : hw::ScanOrder::kAscending,
                   seed / 2 % 2 == 0};
    vary(run, routers, seed);
    return run;
}

/// Describes how a case was run.
std::string describe(const CompareRun& run) {
    return fmt::format("scan {}, {}, {}, parts of routers [{}], {} threads",
                       run.order == hw::ScanOrder::kAscending ? "ascending" : "descending",
                       run.observed ? "observed" : "not observed",
                       run.runs_ahead ? "ahead" : "not ahead", fmt::join(run.parts, ", "),
                       run.threads);
}

class Campaign {
public:
    explicit Campaign(const CampaignOptions& options) : options_(options) {}

    int run() {
        bool equal = true;
        while (equal && cases_ < options_.cases && !out_of_time()) {
            const std::uint64_t seed = options_.first_seed + seeds_++;
            equal = options_.losses ? run_losses(seed) : run_case(seed);
            if (seconds() >= next_report_) {
                next_report_ = seconds() + 10;
                fmt::print(stderr, "{} of {} cases, {:.0f} s\n", cases_, options_.cases, seconds());
            }
        }
        fmt::print(
            "seeds {} to {}: {} cases, {} packets, {} busy intervals, {} flit-hops, {} "
            "differences\n",
            options_.first_seed, options_.first_seed + seeds_ - 1, cases_, counts_.compared.packets,
            counts_.compared.busy_intervals, counts_.compared.flit_hops, equal ? 0 : 1);
        if (options_.losses) {
            fmt::print("{} packets and {} flits lost, {} packets sent again\n",
                       counts_.losses.packets_lost, counts_.losses.flits_lost,
                       counts_.losses.packets_repeated);
        }
        return equal && cases_ > 0 ? 0 : 1;
    }

private:
    bool run_case(std::uint64_t seed) {
        const bool wide = find_engine(options_.engine) != &reference_engine();
        // Nine wide cases in ten have too many flits for the golden model.
        RandomCase test = random_case(seed, wide ? CaseRange::kWide : CaseRange::kSmall);
        if (options_.classes) test = class_case(std::move(test));
        if (options_.replies) test = reply_case(std::move(test));
        if (options_.operations) {
            test = operation_case(wide ? tlm_case(std::move(test)) : std::move(test),
                                  seed % 2 == 0 ? ReceiveTime::kOverhead : ReceiveTime::kTransfer);
        }
        if (options_.steady) test = steady_case(std::move(test));
        if (!options_.switching.empty() &&
            name_of(test.config.fabric.switching) != options_.switching) {
            return true;
        }
        ++cases_;
        const std::uint32_t routers = random_case_graph(test).router_count();
        const CompareRun run = variant(options_.engine, routers, seed);
        const std::string difference =
            options_.steady || (wide && seed % 10 != 0)
                ? compare_engines(test, options_.engine, counts_.compared)
                : compare_with_golden(test, run, counts_.compared);
        if (difference.empty()) return true;
        fmt::print("{}\n{}, {}\n", difference, describe(test), describe(run));
        return false;
    }
    bool run_losses(std::uint64_t seed) {
        const Machine machine = loss_machine(seed);
        ++cases_;
        const CompareRun run = variant(options_.engine, machine.graph.router_count(), seed);
        const std::string difference = compare_losses(machine, run, counts_);
        if (!difference.empty()) fmt::print("{}\nseed {}, {}\n", difference, seed, describe(run));
        return difference.empty();
    }
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }
    bool out_of_time() const { return options_.seconds > 0 && seconds() >= options_.seconds; }

    CampaignOptions options_;
    LossTotals counts_;
    std::uint64_t seeds_ = 0;
    std::uint64_t cases_ = 0;
    double next_report_ = 10;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace
}  // namespace flitscope

int main(int argc, char** argv) {
    flitscope::CampaignOptions options;
    CLI::App app("Compares fabrics with the golden model on random machines.");
    app.add_option("--cases", options.cases, "how many")->capture_default_str();
    app.add_option("--first-seed", options.first_seed, "the first of them")->capture_default_str();
    std::vector<std::string> engines;
    for (const flitscope::Engine& engine : flitscope::engines()) engines.push_back(engine.name);
    CLI::Option* const engine =
        app.add_option("--engine", options.engine, "cycle, or tlm (wide ranges)")
            ->check(CLI::IsMember(engines))
            ->capture_default_str();
    app.add_option("--seconds", options.seconds, "stop after this time (0: never)");
    std::vector<std::string> methods;
    for (const flitscope::SwitchingKind& kind : flitscope::switching_kinds()) {
        methods.push_back(name_of(kind.method));
    }
    app.add_option("--switching", options.switching, "only cases with this switching method")
        ->check(CLI::IsMember(methods))
        ->excludes(engine);
    CLI::Option* const replies =
        app.add_flag("--replies", options.replies, "requests and replies in place of programs");
    CLI::Option* const operations =
        app.add_flag("--operations", options.operations,
                     "computations, sends and receives by source and tag in place of programs")
            ->excludes(replies);
    app.add_flag("--classes", options.classes, "classes of messages, with priorities and weights")
        ->excludes(engine);
    app.add_flag("--steady", options.steady,
                 "patterns until they are steady: with --engine tlm, against the cycle engine")
        ->needs(engine)
        ->excludes(replies)
        ->excludes(operations);
    CLI::Option* const losses =
        app.add_flag("--losses", options.losses,
                     "links and nodes that die while running, and packets that are sent again");
    for (const char* const other :
         {"--engine", "--switching", "--replies", "--operations", "--classes", "--steady"}) {
        losses->excludes(app.get_option(other));
    }
    CLI11_PARSE(app, argc, argv);
    return flitscope::Campaign(options).run();
}
