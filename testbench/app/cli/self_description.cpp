// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/self_description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "models/base/shell_word.h"
#include "models/config/config_table.h"
#include "testbench/app/cli/help_layout.h"
#include "testbench/app/configuration/configuration.h"

namespace flitscope::cli {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) { return app.get_subcommands({}); }

std::vector<std::string> parts_of(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
    return parts;
}

/// The name of a value, such as "FILE.vcd|FILE.fst", without the list of choices after it.
std::string value_name(const CLI::Option& option) {
    const std::string name = option.get_type_name();
    return name.substr(0, name.find(':'));
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_min() > 0; }

/// The values that an option or argument can have, if it lists them: "ENGINE:{cycle,tlm}", or words
/// among other things ("STUDY.yaml|front|axes").
std::vector<std::string> choices_of(const CLI::Option& option) {
    const std::string name = option.get_type_name();
    const std::size_t open = name.find('{');
    if (open != std::string::npos) {
        return parts_of(name.substr(open + 1, name.find('}') - open - 1), ',');
    }
    std::vector<std::string> words;
    for (const std::string& part : parts_of(value_name(option), '|')) {
        const bool is_word = std::all_of(part.begin(), part.end(), [](unsigned char c) {
            return std::islower(c) != 0 || c == '-';
        });
        if (is_word) words.push_back(part);
    }
    return words;
}

/// Whether the value may be a file or folder.
bool names_file(const CLI::Option& option) {
    const std::string name = value_name(option);
    const auto has = [&name](const char* part) { return name.find(part) != std::string::npos; };
    return has("FILE") || has("DIR") || has(".yaml") || has("CHUNK");
}

// ------------------------------------------------------------------------------------- manual page

/// Text on a line as troff takes it: no escapes, no requests.
std::string roff(const std::string& text) {
    const bool is_request = !text.empty() && (text.front() == '.' || text.front() == '\'');
    std::string out = is_request ? "\\&" : "";
    for (const char c : text) {
        if (c == '\\') {
            out += "\\e";
        } else if (c == '-') {
            out += "\\-";
        } else {
            out += c;
        }
    }
    return out;
}

/// The text of an option or a command: the entries of a list begin lines.
std::string roff_text(const std::string& text) {
    std::vector<std::string> paragraphs = paragraphs_of(text);
    for (std::string& paragraph : paragraphs) paragraph = roff(paragraph);
    return fmt::format("{}", fmt::join(paragraphs, "\n.br\n"));
}

/// An option with its value.
std::string roff_names(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : shown_names(option))
        names.push_back("\\fB" + roff(name) + "\\fR");
    std::string text = fmt::format("{}", fmt::join(names, ", "));
    if (names.empty()) text = "\\fI" + roff(value_name(option)) + "\\fR";
    if (!names.empty() && takes_value(option)) {
        text += " \\fI" + roff(value_name(option)) + "\\fR";
    }
    return text;
}

void write_options(const CLI::App& command, std::string& page) {
    for (const CLI::Option* option : command.get_options()) {
        page += ".TP\n" + roff_names(*option) + '\n' + roff_text(option->get_description()) + '\n';
        if (option->get_type_name().find('{') != std::string::npos) {
            page += fmt::format(".br\nOne of {}.\n",
                                roff(fmt::format("{}", fmt::join(choices_of(*option), ", "))));
        }
        const std::string by_default = option->get_default_str();
        if (!by_default.empty()) page += ".br\nDefault: " + roff(by_default) + ".\n";
    }
}

// -------------------------------------------------------------------------------------- completion

std::vector<std::string> option_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        const std::vector<std::string> more = shown_names(*option);
        names.insert(names.end(), more.begin(), more.end());
    }
    return names;
}

/// The choices for a word that is not an option.
std::vector<std::string> argument_choices(const CLI::App& command, bool& files) {
    std::vector<std::string> choices;
    files = false;
    for (const CLI::Option* option : command.get_options()) {
        if (!shown_names(*option).empty()) continue;
        const std::vector<std::string> more = choices_of(*option);
        choices.insert(choices.end(), more.begin(), more.end());
        files = files || names_file(*option);
    }
    return choices;
}

/// Whether it takes a key of the configuration with a value.
bool takes_key_and_value(const CLI::Option& option) {
    return value_name(option).rfind("KEY=", 0) == 0;
}

/// The words that a key of the configuration may have for a value, key by key.
std::string bash_choices_of_keys() {
    const ConfigTable& table = configuration_table();
    std::string cases;
    for (const std::string& path : table.all_paths()) {
        const ConfigKey* const key = table.find_key(path);
        if (key == nullptr || key->choices.empty()) continue;
        cases += fmt::format("    {}) echo {} ;;\n", path,
                             shell_word(fmt::format("{}", fmt::join(key->choices, " "))));
    }
    return cases;
}

std::string bash_reply(const std::vector<std::string>& words, bool files) {
    return fmt::format("COMPREPLY=($(compgen {}-W {} -- \"$word\"))", files ? "-f " : "",
                       shell_word(fmt::format("{}", fmt::join(words, " "))));
}

std::string bash_script(const CLI::App& app) {
    const std::string keys = fmt::format("{}", fmt::join(configuration_table().all_paths(), " "));
    std::vector<std::string> first = option_names(app);
    std::string values;
    std::string options;
    std::string arguments;
    for (const CLI::App* command : commands_of(app)) {
        const std::string& name = command->get_name();
        first.push_back(name);
        for (const CLI::Option* option : command->get_options()) {
            if (!takes_value(*option)) continue;
            const std::string reply = takes_key_and_value(*option)
                                          ? "_flitscope_complete_key"
                                          : bash_reply(choices_of(*option), names_file(*option));
            for (const std::string& flag : shown_names(*option)) {
                values += fmt::format("        '{} {}') {} ;;\n", name, flag, reply);
            }
        }
        options +=
            fmt::format("            {}) {} ;;\n", name, bash_reply(option_names(*command), false));
        bool files = false;
        std::vector<std::string> choices = argument_choices(*command, files);
        if (name == "keys") choices = configuration_table().all_paths();
        arguments += fmt::format("            {}) {} ;;\n", name, bash_reply(choices, files));
    }
    return fmt::format(R"sh(# bash completion for flitscope; made by `flitscope completion bash`
_flitscope_keys={}
_flitscope_choices() {{
    case $1 in
{}    esac
}}
_flitscope_complete_key() {{
    compopt -o nospace 2>/dev/null
    COMPREPLY=($(compgen -S = -W "$_flitscope_keys" -- "$word"))
}}
_flitscope() {{
    local IFS=$' \t\n' word=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}}
    local previous=${{COMP_WORDS[COMP_CWORD - 1]}}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        {}
        return
    fi
    # KEY=VALUE is three words.
    if [ "$word" = = ] || [ "$previous" = = ]; then
        local key=$previous
        if [ "$word" = = ]; then word=; else key=${{COMP_WORDS[COMP_CWORD - 2]}}; fi
        COMPREPLY=($(compgen -W "$(_flitscope_choices "$key")" -- "$word"))
        return
    fi
    case "$command $previous" in
{}        *)
            case $word in
            -*)
                case $command in
{}                esac
                ;;
            *)
                case $command in
{}                esac
                ;;
            esac
            ;;
    esac
}}
complete -o filenames -F _flitscope flitscope
)sh",
                       shell_word(keys), bash_choices_of_keys(), bash_reply(first, false), values,
                       options, arguments);
}

/// Escapes text for a description of _arguments or _describe.
std::string zsh_text(const std::string& text) {
    std::string out;
    for (const char c : text.substr(0, text.find('\n'))) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

std::string zsh_value(const CLI::Option& option) {
    const std::vector<std::string> choices = choices_of(option);
    const std::string name = zsh_text(value_name(option));
    if (takes_key_and_value(option)) return fmt::format(":{}:_flitscope_keys", name);
    if (!choices.empty() && names_file(option)) {
        return fmt::format(":{}:{{_alternative 'words:word:({})' 'files:file:_files'}}", name,
                           fmt::join(choices, " "));
    }
    if (!choices.empty()) return fmt::format(":{}:({})", name, fmt::join(choices, " "));
    return fmt::format(":{}:{}", name, names_file(option) ? "_files" : "");
}

std::string zsh_script(const CLI::App& app) {
    std::string commands;
    std::string cases;
    for (const CLI::App* command : commands_of(app)) {
        const std::string& name = command->get_name();
        commands += fmt::format("        {}\n",
                                shell_word(name + ':' + zsh_text(command->get_description())));
        cases += fmt::format("    {})\n        _arguments", name);
        for (const CLI::Option* option : command->get_options()) {
            const std::string value =
                takes_value(*option) || shown_names(*option).empty() ? zsh_value(*option) : "";
            if (shown_names(*option).empty()) {
                cases += " \\\n            " + shell_word("*" + value);
            }
            for (const std::string& flag : shown_names(*option)) {
                cases += " \\\n            " +
                         shell_word(fmt::format("*{}[{}]{}", flag,
                                                zsh_text(option->get_description()), value));
            }
        }
        cases += "\n        ;;\n";
    }
    return fmt::format(R"(#compdef flitscope
# zsh completion for flitscope; made by `flitscope completion zsh`
_flitscope_keys() {{
    compadd -S '' -- {}
}}
_flitscope() {{
    local -a commands
    commands=(
{}    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    local command=${{words[2]}}
    shift words
    (( CURRENT-- ))
    case $command in
{}    esac
}}
_flitscope "$@"
)",
                       fmt::format("{}=", fmt::join(configuration_table().all_paths(), "= ")),
                       commands, cases);
}

}  // namespace

std::string manual_page(const CLI::App& app, const std::string& version) {
    std::string page = fmt::format(
        ".\\\" made by `flitscope manual`\n.TH FLITSCOPE 1 \"\" \"flitscope {}\" \"User "
        "Commands\"\n"
        ".SH NAME\nflitscope \\- hardware\\-level models of interconnection networks\n"
        ".SH SYNOPSIS\n.B flitscope\n\\fICOMMAND\\fR [\\fIARGUMENT\\fR...]\n"
        ".SH DESCRIPTION\n{}\n.SH OPTIONS\n",
        version, roff_text(app.get_description()));
    write_options(app, page);
    page += ".SH COMMANDS\n";
    for (const CLI::App* command : commands_of(app)) {
        page +=
            fmt::format(".SS {}\n{}\n", command->get_name(), roff_text(command->get_description()));
        write_options(*command, page);
        if (!command->get_footer().empty())
            page += ".PP\n" + roff_text(command->get_footer()) + '\n';
    }
    page += ".SH EXIT STATUS\n" + roff_text(app.get_footer()) + '\n';
    return page;
}

std::vector<std::string> completed_shells() { return {"bash", "zsh"}; }

std::string completion_script(const CLI::App& app, const std::string& shell) {
    return shell == "bash" ? bash_script(app) : zsh_script(app);
}

}  // namespace flitscope::cli
