// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/command_helpers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "models/base/rounded.h"
#include "models/config/unit_values.h"
#include "models/config/value_readers.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/cli/progress_line.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/gate_synthesis/router_of.h"
#include "testbench/app/run/simulation.h"
#include "testbench/app/study/loads.h"
#include "testbench/app/study/saturation.h"

namespace flitscope::cli {

bool shows_progress(const Options& options) {
    return options.progress || isatty(STDERR_FILENO) != 0;
}

int exit_code(Verdict verdict) {
    switch (verdict) {
        case Verdict::kComplete:
            return kExitOk;
        case Verdict::kFailed:
            return kExitFailed;
        case Verdict::kDeadlock:
        case Verdict::kTimeout:
            return kExitDeadlock;
        case Verdict::kInterrupted:
            return kExitInterrupted;
    }
    return kExitFailed;
}

int judge(const SimulationResult& run, bool tells_problems) {
    if (run.verdict != Verdict::kComplete) {
        std::cout.flush();
        std::cerr << "error: " << name_of(run.verdict) << '\n';
        if (tells_problems) {
            for (const std::string& text : run.problems) std::cerr << "  " << text << '\n';
        }
    }
    return exit_code(run.verdict);
}

Explanation run_machine(const Machine& machine, const std::string& engine,
                        const SimulationOptions& simulation, bool is_explained) {
    if (is_explained) return explain(machine, engine, simulation);
    Explanation explanation;
    explanation.run = simulate(machine, engine, simulation);
    return explanation;
}

namespace {

/// The numbers given by one word of a list.
struct Numbers {
    std::vector<double> numbers;  ///< none if it is wrong
    std::string problem;          ///< for a series, the error in it
};

/// "FROM:TO:STEP" as many as there are.
Numbers series_of(const std::string& word) {
    constexpr double kMost = 1000;
    std::vector<std::optional<double>> parts;
    for (std::size_t begin = 0; begin <= word.size();) {
        const std::size_t end = std::min(word.find(':', begin), word.size());
        parts.push_back(kinds::to_real(word.substr(begin, end - begin)));
        begin = end + 1;
    }
    if (parts.size() != 3) {
        return {{}, fmt::format("a series has three parts, FROM:TO:STEP, not {}", parts.size())};
    }
    const auto& [from, to, step] = std::tie(parts[0], parts[1], parts[2]);
    if (!from || !to || !step) return {{}, "FROM, TO and STEP are numbers"};
    if (*step <= 0) return {{}, "STEP is not above 0"};
    if (*to < *from) return {{}, "FROM is above TO"};
    const double steps = std::floor((*to - *from) / *step * (1 + 1e-9));
    if (steps >= kMost) return {{}, fmt::format("these are more than {:.0f}", kMost)};
    Numbers series;
    for (double i = 0; i <= steps; ++i) {
        series.numbers.push_back(rounded(*from + i * *step));
    }
    return series;
}

Numbers numbers_of(const std::string& word) {
    if (word.find(':') != std::string::npos) return series_of(word);
    const std::optional<double> number = kinds::to_real(word);
    return number ? Numbers{{*number}, ""} : Numbers{};
}

}  // namespace

std::vector<double> read_numbers(const std::string& place, const std::string& list,
                                 const std::string& what, bool (*fits)(double),
                                 const std::string& remedy) {
    std::vector<double> numbers;
    std::vector<Diagnostic> findings;
    std::size_t from = 0;
    while (from <= list.size()) {
        const std::size_t until = std::min(list.find(',', from), list.size());
        from = std::min(list.find_first_not_of(' ', from), until);
        const std::string word = list.substr(from, until - from);
        from = until + 1;
        const auto& [meant, problem] = numbers_of(word);
        if (!meant.empty() && std::all_of(meant.begin(), meant.end(), fits)) {
            numbers.insert(numbers.end(), meant.begin(), meant.end());
        } else {
            findings.push_back(
                {{place, 0, 0},
                 fmt::format("'{}' is no {}{}{}", word, what, problem.empty() ? "" : ": ", problem),
                 remedy});
        }
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

unsigned processes(const Options& options) {
    return options.jobs != 0 ? options.jobs : std::max(std::thread::hardware_concurrency(), 1U);
}

Config load_clocked_config(const Options& options) {
    Config config = load_config(options.config, options.overrides);
    resolve_synthesized(config);
    return config;
}

Config with_known_load(Config config, const std::string& engine) {
    const std::optional<double> share = config.traffic.share_of_saturation;
    if (!share) return config;
    StatusPace pace;
    study::LoadOptions loads;
    loads.engine = engine;
    loads.on_run = [&, done = 0](const study::LoadPoint&) mutable {
        ++done;
        if (pace.is_due()) {
            show_status(fmt::format("saturation: {} of at most {} runs", done, study::kMostLoads));
        }
    };
    const auto found = study::resolve_share(config, loads);
    clear_status();
    std::cerr << fmt::format("note: {} (between {:.4g} and {:.4g}) is {:.4g} flits/node/cycle\n",
                             kinds::share_text(*share), found->lower, found->upper,
                             config.traffic.injection_rate);
    return config;
}

Machine load_machine(const Options& options) {
    return build_machine(with_known_load(load_clocked_config(options), options.engine));
}

}  // namespace flitscope::cli
