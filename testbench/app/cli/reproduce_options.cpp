// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/reproduce_options.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <vector>

namespace flitscope::cli {

Command add_reproduce(CLI::App& app, int (*carry_out)(const ReproduceOptions&)) {
    const auto given = std::make_shared<ReproduceOptions>();
    ReproduceOptions& options = *given;
    CLI::App* const command = app.add_subcommand(
        "reproduce", "Print the tables and formulas of the papers beside what is measured here");
    std::vector<std::string> papers{"all"};
    papers.insert(papers.end(), kPaperNames.begin(), kPaperNames.end());
    command->add_option("paper", options.paper, "Which one, or all of them")
        ->check(CLI::IsMember(papers))
        ->type_name("PAPER")
        ->capture_default_str();
    add_json(*command, options, "the tables");
    command
        ->add_option(
            "--out", options.out,
            "Write tables, plots and their data here, and keep the outcome of every run in\n"
            "DIR/runs: rerunning the command resumes an interrupted reproduction")
        ->type_name("DIR");
    command
        ->add_option(
            "--only", options.only,
            "Only the tables and plots with these words in their titles, of the runs that\n"
            "they need: --only \"figure 13\", which takes seconds. No conclusions; --out has\n"
            "the plots, and keeps the runs")
        ->type_name("WORDS")
        ->check([](const std::string& words) {
            const bool has_words = std::any_of(
                words.begin(), words.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
            return has_words ? std::string() : "words of a title, as in --only \"figure 13\"";
        });
    command
        ->add_flag(
            "--physical,--synthesized", options.physical,
            "Say also what every run takes in nanoseconds and in energy with its router\n"
            "synthesized, which takes minutes where flitscope synth has not done it; with --out\n"
            "in PAPER_synthesized.csv as well")
        ->excludes("--only");
    add_technology(*command, options);
    for (const char* const name : {"--liberty", "--corner", "--wires", "--clock-gates"}) {
        command->get_option(name)->needs(command->get_option("--physical"));
    }
    command->footer(
        "Runs as many simulations at a time as there are processors. Progress goes to standard\n"
        "error. What the papers conclude, and what the runs say to it: testbench/papers.");
    return make_command(command, given, carry_out);
}

}  // namespace flitscope::cli
