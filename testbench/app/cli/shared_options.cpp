// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/shared_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/shell_word.h"
#include "models/config/config_overrides.h"
#include "models/config/config_tree.h"
#include "models/config/technology_config.h"
#include "testbench/app/cli/unquoted.h"
#include "testbench/app/run/engines.h"
#include "waveforms/formats.h"

namespace flitscope::cli {
namespace {

/// The values of --engine, with a description of each.
std::string engine_help() {
    std::string text = "Simulation engine";
    for (const Engine& engine : engines()) {
        text += fmt::format("\n{}: {}", engine.name, engine.summary);
    }
    return text + fmt::format("\n{}: the fastest engine that is exact here", kAutoEngine);
}

/// How many brackets the text leaves open; negative if it closes more than it opens.
int open_brackets(const std::string& text) {
    int open = 0;
    visit_unquoted(text, [&](std::size_t place) {
        const char c = text[place];
        open += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    });
    return open;
}

/// Whether both set the same key, and the first one to an entry of a map: "key=kind:mesh", as a
/// shell leaves of key={kind:mesh,dims:[8]}.
bool are_entries_of_a_map(const std::string& first, const std::string& second) {
    const std::size_t equals = first.find('=');
    if (equals == first.npos || second.compare(0, equals + 1, first, 0, equals + 1) != 0) {
        return false;
    }
    const std::size_t colon = first.find(':', equals);
    return colon != first.npos && first.find_first_of("{[\"' /", equals) > colon;
}

}  // namespace

void require_whole(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (words[i].find('=') == std::string::npos) continue;
        if (are_entries_of_a_map(words[i], words[i + 1])) {
            throw ConfigError(override_place(words[i]),
                              "the shell has split the value at its commas",
                              "write it in quotes, with a blank after each colon: --set "
                              "'fabric.topology={kind: mesh, dims: [8, 8]}'");
        }
        std::string whole = words[i];
        for (std::size_t j = i + 1; j < words.size() && open_brackets(whole) > 0; ++j) {
            if (words[j].find('=') != std::string::npos) break;
            whole += ' ' + words[j];
        }
        // If that does not restore it, the shell was not the cause.
        if (whole == words[i] || open_brackets(whole) != 0) continue;
        throw ConfigError(override_place(words[i]), "the shell has split the value at its blanks",
                          "write it in quotes: --set " + shell_word(whole));
    }
}

void add_overrides(CLI::App& command, Options& options) {
    command
        .add_option("--set", options.overrides,
                    "Override a key, e.g. --set fabric.buffer_depth=4; may be repeated")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);  // the word after the value belongs to the command
}

void add_technology(CLI::App& command, Options& options) {
    const auto sets = [&options](const char* key) {
        return [&options, key](const std::string& value) {
            options.overrides.push_back(
                fmt::format("technology.{}={}", key, value.empty() ? "''" : yaml_scalar(value)));
        };
    };
    command
        .add_option_function<std::string>(
            "--liberty", sets("library"),
            "Cell library in which routers and links are priced, instead of osu018: a file in\n"
            "liberty format, which may be compressed by gzip, or a name (flitscope doctor),\n"
            "such as ihp-sg13g2 or sky130hd, found in PDK_ROOT or FLOW_HOME/platforms")
        ->type_name("FILE|NAME");
    command
        .add_option_function<std::string>(
            "--corner", sets("corner"),
            "Operating conditions of the library for timing and power, or the part of the name of\n"
            "the file beside it that has them (slow); its default otherwise")
        ->type_name("NAME");
    std::vector<std::string> wires;
    for (const WireLoad one : kWireLoads) wires.push_back(name_of(one));
    command
        .add_option_function<std::string>(
            "--wires", sets("wires"),
            "Wires between the cells of a router: none (default), by the wire load models of the\n"
            "library, or a length per sink estimated from the size of the cells")
        ->check(CLI::IsMember(wires))
        ->type_name("WIRES");
    command.add_flag_function(
        "--clock-gates",
        [&options](std::int64_t given) {
            options.overrides.push_back(fmt::format("technology.clock_gates={}", given > 0));
        },
        "Clock gates of the library before wide registers, which are clocked only to take a\n"
        "value: less area and energy, where the library has such cells");
}

void add_config(CLI::App& command, Options& options) {
    command.add_option("config", options.config, "Configuration file (YAML)")
        ->required()
        ->type_name("CONFIG.yaml");
    add_overrides(command, options);
}

void add_no_verilate(CLI::App& command, Options& options) {
    command.add_flag("--no-verilate,--offline", options.no_verilate,
                     "Fail instead of verilating a missing router");
}

void add_engine(CLI::App& command, Options& options) {
    add_no_verilate(command, options);
    command.add_option("--engine", options.engine, engine_help())
        ->check(CLI::IsMember(engine_requests()))
        ->type_name("ENGINE")
        ->capture_default_str();
}

void add_jobs(CLI::App& command, Options& options, const std::string& what) {
    command
        .add_option("--jobs", options.jobs,
                    what + " at a time (default: as many as there are processors)")
        ->check(CLI::Range(1U, 1024U))
        ->type_name("N");
}

CLI::Validator number_within(double least, double most) {
    const CLI::Range range(least, most);
    const auto problem = [range](std::string& text) {
        double value = 0;
        if (!CLI::detail::lexical_cast(text, value) || !std::isnan(value)) return range(text);
        return "Value " + text + " is not a number";
    };
    return CLI::Validator(problem, range.get_description());
}

void add_json(CLI::App& command, Options& options, const std::string& in_place_of) {
    const std::string place = in_place_of.empty() ? "" : " instead of " + in_place_of;
    CLI::Option* const json =
        command.add_flag("--json", options.json, "Print one JSON object" + place);
    command
        .add_flag("--json-errors",
                  "With --json: print errors as one JSON object in its place, for programs")
        ->needs(json);
}

void add_progress(CLI::App& command, Options& options) {
    command.add_flag("--progress", options.progress,
                     "Show progress on standard error (the default on a terminal)");
}

void add_plot(CLI::App& command, Options& options, const std::string& what) {
    command
        .add_option("--plot", options.plot,
                    "Draw " + what + " with gnuplot; its data go into a .csv file next to it")
        ->type_name("FILE.svg");
}

void add_load_options(CLI::App& command, Options& options) {
    add_engine(command, options);
    add_jobs(command, options, "Runs");
}

std::string trace_type() {
    std::vector<std::string> names;
    for (const WaveformFormat& format : waveform_formats()) {
        names.push_back("FILE" + format.extension);
    }
    return fmt::format("{}", fmt::join(names, "|"));
}

std::string trace_formats_help() {
    std::string text;
    for (const WaveformFormat& format : waveform_formats()) {
        text += fmt::format("\n{}: {}", format.extension, format.summary);
    }
    return text;
}

}  // namespace flitscope::cli
