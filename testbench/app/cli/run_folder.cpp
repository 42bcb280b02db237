// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/run_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "models/base/file_text.h"
#include "models/base/input_file.h"
#include "models/base/printable.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/run/input_files.h"

namespace flitscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfig = RunFile::kConfig;
constexpr const char* kSummary = RunFile::kSummary;

}  // namespace

RunFolder::RunFolder(const std::string& path) : path_(path) {
    if (!has(kConfig)) {
        throw ConfigError({path, 0, 0}, "is not the folder of a run (run --out)",
                          "name a configuration, or the database of a study");
    }
    const std::string remedy = "report its configuration: flitscope report " + config();
    if (!has(kSummary)) {
        throw ConfigError(
            {path, 0, 0},
            fmt::format("has no {}, which a run writes last: the run did not finish", kSummary),
            remedy);
    }
    auto summary = parse_summary(read(kSummary));
    if (!summary) throw ConfigError({file(kSummary), 0, 0}, "was not written by a run", remedy);
    summary_ = std::move(*summary);
    if (summary_.status == name_of(Verdict::kInterrupted)) {
        throw ConfigError({path, 0, 0},
                          "the run was interrupted, which cannot be repeated in the same cycle",
                          remedy);
    }
}

bool RunFolder::is_of_run(const RunFile& table, const Machine& machine) const {
    return table.request ? (summary_.*table.request->was_made)() : table.is_of(machine);
}

bool RunFolder::has_messages() const {
    return summary_.may_have_messages() && has(RunFile::kMessages);
}

std::vector<std::string> RunFolder::others(const Machine& machine) const {
    std::vector<std::string> names;
    for (const RunFile& table : run_files()) {
        if (table.name == kConfig || table.name == kSummary) continue;
        if (!is_of_run(table, machine) && has(table.name)) names.push_back(file(table.name));
    }
    return names;
}

void RunFolder::require_files(const Machine& machine) const {
    for (const RunFile& kept : run_files()) {
        if (kept.request || !kept.is_of(machine) || has(kept.name)) continue;
        throw ConfigError({path_, 0, 0},
                          "has no " + kept.name + ", which every run of its " + kConfig + " leaves",
                          "report its configuration: flitscope report " + config());
    }
}

void RunFolder::require_inputs(const Machine& machine) const {
    const std::vector<std::string> inputs = input_files(machine.config);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::string kept = summary_.digest_of_input(i, inputs[i]);
        const std::optional<std::string> now = input_digest(inputs[i]);
        if (kept.empty() || !now || *now == kept) continue;
        throw ConfigError({inputs[i], 0, 0},
                          fmt::format("has changed since the run in {} read it", path_),
                          "for a page of its present contents: flitscope report " + config());
    }
}

std::optional<Diagnostic> RunFolder::difference(const Machine& machine,
                                                const Explanation& again) const {
    if (again.is_explained && !summary_.json.contains("causes")) {
        Explanation unexplained;  // as the run was then
        unexplained.run = again.run;
        return difference(machine, unexplained);
    }
    // As the file has it, to the last digit.
    const Json now = Json::parse(json_text(explained_run_json(machine, again)));
    if (const auto what = summary_difference(summary_.json, now)) return differs(kSummary, *what);
    for (const RunFile& table : run_files()) {
        if (table.name == kConfig || table.name == kSummary) continue;
        if (!is_of_run(table, machine) || (table.request && !has(table.name))) continue;
        std::ostringstream text;
        table.write(text, machine, again);
        std::istringstream before(read(table.name));
        std::istringstream after(text.str());
        std::string left;
        std::string right;
        for (std::size_t line = 1;; ++line) {
            const bool has_left = static_cast<bool>(std::getline(before, left));
            const bool has_right = static_cast<bool>(std::getline(after, right));
            if (!has_left && !has_right) break;
            if (has_left && has_right && left == right) continue;
            return differs(table.name, fmt::format("line {} is '{}', but '{}'", line,
                                                   has_left ? left : "", has_right ? right : ""));
        }
    }
    return std::nullopt;
}

Diagnostic RunFolder::differs(const std::string& name, const std::string& what) const {
    const bool may_be_older = name == RunFile::kMessages && !summary_.files;
    return {{file(name), 0, 0},
            fmt::format("{} when it is run again: written by flitscope {}, run again by {}", what,
                        printable(summary_.version), version()),
            (may_be_older ? "remove it if it is left over from an earlier run; " : "") +
                ("for a page of the run as it is now: flitscope report " + config())};
}

std::string RunFolder::file(const std::string& name) const {
    return (fs::path(path_) / name).string();
}

bool RunFolder::has(const std::string& name) const {
    std::error_code error;
    const fs::file_status status = fs::status(file(name), error);
    if (status.type() == fs::file_type::none) {
        throw ConfigError({file(name), 0, 0}, "cannot be read: " + error.message());
    }
    return fs::exists(status);
}

std::string RunFolder::read(const std::string& name) const {
    std::optional<std::string> text = file_text(file(name));
    if (!text) throw ConfigError({file(name), 0, 0}, "cannot be read");
    return *std::move(text);
}

}  // namespace flitscope::cli
