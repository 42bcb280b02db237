// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/slurm/slurm.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <set>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "models/base/diagnostics.h"
#include "models/base/environment.h"
#include "models/base/file_text.h"
#include "testbench/app/gate_synthesis/tool_process.h"
#include "testbench/app/gate_synthesis/toolchain.h"
#include "testbench/app/study/worker_pool.h"

namespace flitscope::study {

Slurm::Slurm(std::string name, std::string folder, std::function<bool()> is_cancelled)
    : name_(std::move(name)), folder_(std::move(folder)), is_cancelled_(std::move(is_cancelled)) {}

/// Runs a program of Slurm and returns what it prints.
std::string Slurm::ask(std::initializer_list<std::string> command) const {
    const ToolCommand tool{command, folder_, "slurm.txt", {}};
    if (!run_tool(tool, [&] { return !is_cancelled_ || !is_cancelled_(); })) throw Cancelled{};
    return read_file(folder_ + "/slurm.txt");
}

void Slurm::require() const {
    // Slurm itself would look for the file for a minute.
    const std::string named = environment("SLURM_CONF");
    std::error_code unknown;
    if (!named.empty() && !std::filesystem::exists(named, unknown)) {
        throw ConfigError({"--slurm", 0, 0},
                          fmt::format("SLURM_CONF names '{}', and there is no such file", named),
                          "it is the configuration of a cluster");
    }
    if (find_program("sinfo").empty()) {
        throw ConfigError({"--slurm", 0, 0}, "Slurm is not installed here",
                          "--jobs N runs on this machine only; apt-get install slurm-wlm");
    }
    try {
        ask({"sinfo", "--noheader"});
    } catch (const std::runtime_error& error) {
        throw ConfigError({"--slurm", 0, 0},
                          fmt::format("no Slurm controller answers:\n{}", error.what()),
                          "SLURM_CONF names the configuration of a cluster, and "
                          "testbench/tools/local_slurm.sh brings up one on this machine; --jobs N "
                          "works without");
    }
}

unsigned Slurm::processors() const {
    const std::string chosen = environment("SBATCH_PARTITION");
    std::istringstream lines(ask({"sinfo", "--noheader", "--format=%P %C"}));
    unsigned sum = 0;
    std::string partition;
    std::string processors;  // allocated/idle/other/total
    while (lines >> partition >> processors) {
        const bool is_default = partition.back() == '*';
        if (is_default) partition.pop_back();
        const bool is_chosen =
            (',' + chosen + ',').find(',' + partition + ',') != std::string::npos;
        if (chosen.empty() ? !is_default : !is_chosen) continue;
        unsigned allocated = 0;
        unsigned idle = 0;
        if (std::sscanf(processors.c_str(), "%u/%u/", &allocated, &idle) == 2) {
            sum += allocated + idle;
        }
    }
    return sum;
}

std::string Slurm::submit(const std::string& script, unsigned count, const std::string& log) const {
    const std::string text =
        ask({"sbatch", "--parsable", "--requeue", "--open-mode=append", "--job-name=" + name_,
             "--ntasks=1", "--cpus-per-task=1", fmt::format("--array=0-{}", count - 1),
             "--output=" + log, script});
    // The number, and ;CLUSTER if there are several.
    const std::string job = text.substr(0, text.find_first_of(";\n"));
    if (job.empty() || job.find_first_not_of("0123456789") != std::string::npos) {
        throw std::runtime_error("sbatch did not print the job number:\n" + last_lines(text));
    }
    return job;
}

std::map<ArrayElement, std::string> Slurm::states() const {
    const std::string text = ask({"squeue", "--noheader", "--array", "--me", "--states=all",
                                  "--name=" + name_, "--format=%F %K %T"});
    std::map<ArrayElement, std::string> states;
    std::istringstream lines(text);
    std::string job;
    std::string state;
    unsigned index = 0;
    while (lines >> job >> index >> state) states[{job, index}] = state;
    return states;
}

void Slurm::cancel() const { ask({"scancel", "--me", "--name=" + name_}); }

bool is_alive(const std::string& state) {
    static const std::set<std::string> kEnded = {"BOOT_FAIL",     "CANCELLED", "COMPLETED",
                                                 "DEADLINE",      "FAILED",    "NODE_FAIL",
                                                 "OUT_OF_MEMORY", "PREEMPTED", "TIMEOUT"};
    return kEnded.count(state) == 0;
}

}  // namespace flitscope::study
