// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <systemc>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/did_you_mean.h"
#include "models/base/memory.h"
#include "models/base/shell_word.h"
#include "models/fabric/model_version.h"
#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/error_report.h"
#include "testbench/app/cli/help_layout.h"
#include "testbench/app/cli/interrupts.h"
#include "testbench/app/report/report.h"
#include "testbench/app/verilate/router_maker.h"

namespace flitscope::cli {
namespace {

constexpr const char* kDescription =
    "Hardware-level models of interconnection networks: simulate, check and inspect.";
constexpr const char* kFooter =
    "Exit codes: 0 all well; 1 a check of the run failed (lost or damaged data, broken\n"
    "invariant); 2 bad configuration or usage, or memory ran out; 3 deadlock or time-out;\n"
    "130 interrupted.\n"
    "Messages and progress go to standard error, results to standard output.";

/// The command of this name, or of this former name; nullptr if there is none.
const CLI::App* find_command(const CLI::App& app, const std::string& name) {
    for (const CLI::App* command : app.get_subcommands({})) {
        if (command->check_name(name)) return command;
    }
    return nullptr;
}

[[noreturn]] void unknown_command(const CLI::App& app, const std::string& word) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    throw ConfigError(
        {}, fmt::format("unknown command '{}'", word),
        did_you_mean_of(nearest(word, names), "commands", names) + "; see flitscope --help");
}

/// The words that the command does not know, in the order given: options first, since what follows
/// one may be its value. Empty if the parser has to report the error.
std::vector<Diagnostic> unknown_options(const CLI::App& command, int argc, char** argv, int first) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
    }
    std::vector<Diagnostic> unknown;
    for (int i = first; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--") break;
        if (word.size() < 2 || word.front() != '-') continue;
        const std::string name = word.substr(0, word.find('='));
        const CLI::Option* option = command.get_option_no_throw(name);
        const bool may_be_short = option == nullptr && word[1] != '-';
        if (may_be_short) option = command.get_option_no_throw(word.substr(0, 2));  // -oFILE
        if (option == nullptr) {
            unknown.push_back({{},
                               fmt::format("unknown option '{}'", name),
                               did_you_mean(nearest(name, names), "")});
        } else if (option == command.get_help_ptr()) {
            return {};
        } else if (name == word && !may_be_short && option->get_items_expected_min() > 0) {
            ++i;  // its value
        }
    }
    return unknown;
}

/// The options that are given an empty name for a file or a folder, such as a shell variable that
/// is not set: nothing would be written, without an error.
std::vector<Diagnostic> without_names(const CLI::App& command) {
    std::vector<Diagnostic> errors;
    for (const CLI::Option* option : command.get_options()) {
        const std::string type = option->get_type_name();
        if (type.find("FILE") == std::string::npos && type != "DIR") continue;
        for (const std::string& name : option->results()) {
            if (name.empty()) errors.push_back({{}, option->get_name() + " needs a name", {}});
        }
    }
    return errors;
}

/// The command line is wrong.
class UsageError : public ConfigError {
public:
    UsageError(const CLI::App& command, std::vector<Diagnostic> findings)
        : ConfigError(std::move(findings)),
          command_(command.get_parent() == nullptr ? "" : command.get_name() + ' ') {}

    /// The line that says where to read what there is.
    std::string help() const {
        return fmt::format("Run flitscope {}--help for what there is.\n", command_);
    }

private:
    std::string command_;
};

/// A missing argument, by its possible values.
std::string missing_word(const CLI::App& command, const CLI::Option& argument) {
    std::string choices = argument.get_type_name();  // "STUDY.yaml|list|front"
    for (std::size_t bar = choices.find('|'); bar != std::string::npos; bar = choices.find('|')) {
        const bool is_last = choices.find('|', bar + 1) == std::string::npos;
        choices.replace(bar, 1, is_last ? " or " : ", ");
    }
    return fmt::format("{} needs {}", command.get_name(), choices);
}

/// Arguments and options that are missing.
std::vector<Diagnostic> what_is_missing(const CLI::App& command, const CLI::RequiredError& error) {
    std::vector<Diagnostic> missing;
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_required() && option->get_positional() && option->count() == 0) {
            missing.push_back({{}, missing_word(command, *option), {}});
        }
    }
    if (missing.empty()) missing.push_back({{}, error.what(), {}});
    return missing;
}

bool takes_overrides(const CLI::App& command) {
    return command.get_option_no_throw("--set") != nullptr;
}

/// Words beyond those that the command takes, in the order given.
[[noreturn]] void surplus_words(const CLI::App& command) {
    constexpr std::string_view kConfig = ".yaml";
    const std::vector<const CLI::Option*> options = command.get_options();
    const bool takes_other = command.get_option_no_throw("other") != nullptr;
    const bool takes_config = std::any_of(options.begin(), options.end(), [](const CLI::Option* o) {
        return o->get_type_name() == "CONFIG.yaml";
    });
    std::vector<Diagnostic> errors;
    for (const std::string& word : command.remaining()) {
        const std::size_t end = word.size() - std::min(word.size(), kConfig.size());
        const bool is_config = takes_config && word.compare(end, word.npos, kConfig) == 0;
        std::string hint;
        if (is_config) {
            hint = fmt::format(
                "{} takes {} configuration{}; compare and curve take several, explain and report "
                "two",
                command.get_name(), takes_other ? "two" : "one", takes_other ? "s" : "");
        } else if (takes_overrides(command) && word.find('=') != word.npos) {
            hint = "each --set takes one KEY=VALUE";
        }
        errors.push_back({{}, fmt::format("unexpected '{}'", word), hint});
    }
    throw UsageError(command, errors);
}

/// The words from the first --set on, without --set itself: values, and whatever a shell may have
/// made of one.
std::vector<std::string> words_of_overrides(const CLI::App& command, int argc, char** argv,
                                            int first) {
    constexpr std::string_view kJoined = "--set=";
    std::vector<std::string> words;
    if (!takes_overrides(command)) return words;
    bool has_begun = false;
    for (int i = first; i < argc; ++i) {
        const std::string_view word = argv[i];
        const bool is_joined = word.substr(0, kJoined.size()) == kJoined;
        has_begun = has_begun || is_joined || word == "--set";
        if (!has_begun || word == "--set") continue;
        words.emplace_back(is_joined ? word.substr(kJoined.size()) : word);
    }
    return words;
}

[[noreturn]] void parse_error(const CLI::App& command, const CLI::ParseError& error) {
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) surplus_words(command);
    const auto* const missing = dynamic_cast<const CLI::RequiredError*>(&error);
    if (missing != nullptr) throw UsageError(command, what_is_missing(command, *missing));
    throw UsageError(command, {{{}, error.what(), {}}});
}

/// The command line as a shell reads it.
std::string command_line(int argc, char** argv) {
    std::string line = "flitscope";
    for (int i = 1; i < argc; ++i) line += ' ' + typed_word(argv[i]);
    return line;
}

Diagnostic memory_finding(const std::string& what) {
    return {{},
            what + ": this process may use " + memory_text(usable_memory()),
            "use fewer nodes or messages, or a machine with more"};
}

int carry_out(int argc, char** argv, const CommandTable& add_commands) {
    CLI::App app(kDescription, "flitscope");
    app.footer(kFooter);
    app.formatter(std::make_shared<HelpLayout>());
    app.set_version_flag("--version",
                         fmt::format("flitscope {}, model {}", version(), kModelVersion));
    app.require_subcommand(1);
    const std::vector<Command> commands = add_commands(app);

    const bool has_command = argc > 1 && argv[1][0] != '-';
    const CLI::App* command = has_command ? find_command(app, argv[1]) : &app;
    if (command == nullptr) unknown_command(app, argv[1]);
    const int first = has_command ? 2 : 1;
    const std::vector<Diagnostic> unknown = unknown_options(*command, argc, argv, first);
    if (!unknown.empty()) throw UsageError(*command, unknown);
    const std::vector<std::string> overrides = words_of_overrides(*command, argc, argv, first);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) {
            app.exit(e);  // prints the help, or the version
            return kExitOk;
        }
        require_whole(overrides);
        parse_error(*command, e);
    }
    require_whole(overrides);
    const std::vector<Diagnostic> nameless = without_names(*command);
    if (!nameless.empty()) throw UsageError(*command, nameless);
    const auto asked = std::find_if(commands.begin(), commands.end(),
                                    [](const Command& c) { return c.app->parsed(); });
    asked->options->typed = command_line(argc, argv);
    asked->options->arguments.assign(argv + 1, argv + argc);
    hw::set_rtl_library_maker(router_maker(asked->options->no_verilate));
    return asked->carry_out();
}

}  // namespace

int run_program(int argc, char** argv, const CommandTable& add_commands) {
    tidy_up_after_signals();
    const ErrorReport errors(asks_for_json_errors(argc, argv));
    try {
        const int code = carry_out(argc, argv, add_commands);
        std::cout.flush();
        if (!std::cout) {
            std::cerr << "error: cannot write to standard output\n";
            return kExitFailed;
        }
        return code;
    } catch (const UsageError& e) {
        errors.tell(e.findings(), e.help());
        return kExitUsage;
    } catch (const ConfigError& e) {
        errors.tell(e.findings());
        return kExitUsage;
    } catch (const std::bad_alloc&) {
        errors.tell({memory_finding(kOutOfMemory)});
        return kExitUsage;
    } catch (const MemoryError& e) {
        errors.tell({memory_finding(e.what())});
        return kExitUsage;
    } catch (const sc_core::sc_report& e) {  // a module's exception, less where SystemC caught it
        errors.tell({{{}, e.get_msg(), {}}});
        return kExitFailed;
    } catch (const std::exception& e) {
        errors.tell({{{}, e.what(), {}}});
        return kExitFailed;
    }
}

}  // namespace flitscope::cli

int sc_main(int, char**) { return 0; }  // libsystemc refers to it; main() starts the kernel itself

// In place of those of libsystemc, whose pool does not look at what malloc() has returned.
void* sc_core::sc_mempool::allocate(std::size_t bytes) { return ::operator new(bytes); }
void sc_core::sc_mempool::release(void* place, std::size_t) { ::operator delete(place); }
