// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Boppana and Raghavendra 1990: algorithm AAP and its interleaved variant with circuit switching.
#include "testbench/papers/boppana/boppana.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "testbench/papers/boppana/boppana_formulas.h"
#include "testbench/papers/framework/script.h"

namespace flitscope::reproduce {

extern const char* const kBoppanaScript;  // made by CMake

namespace {

using namespace aap_forms;

/// The functions of the script; unless they say otherwise, at the costs that Costs has.
Names formulas() {
    const Costs costs;
    Names names;
    names.define("nodes", nodes);
    names.define("total_by_size", [costs](std::uint32_t n) { return total_by_size(n, costs); });
    names.define("total_of", [costs](std::uint32_t n, Cycle elements) {
        return total_by_size(n, {costs.startup, costs.setup, elements});
    });
    names.define("printed_etas", [costs](std::uint32_t n) { return printed_etas(n, costs); });
    names.define("printed_interleaved",
                 [costs](std::uint32_t n) { return printed_interleaved(n, costs); });
    names.define("model_of", [costs](const std::string& variant, std::uint32_t n) {
        return model_of(variant, n, costs);
    });
    names.define("disjoint_transitions",
                 [](std::uint32_t n) { return disjoint_transitions(n).first; });
    names.define("transitions", [](std::uint32_t n) { return disjoint_transitions(n).second; });
    names.define("ipsc860_total", ipsc860_total);
    names.define("ipsc860_bound", ipsc860_bound);
    // Whole numbers, each a fifth more than the one before.
    names.define("growing", [](double from, double to) {
        std::vector<Cycle> all;
        for (double k = from; k <= to; k *= 1.2) all.push_back(static_cast<Cycle>(k));
        return all;
    });
    names.define("met", [](double error) {
        return error < 1e-9 ? std::string("to the cycle")
                            : fmt::format("within {:.2f} %", 100 * error);
    });
    return names;
}

std::vector<Experiment> experiments() { return scripted_experiments(kBoppanaScript, formulas()); }

Report report(const Outcomes& outcomes, const Wanted& wanted) {
    Names names = formulas();
    names.define("ipsc_us", [&outcomes](std::uint32_t n, Cycle bytes) {
        const std::string key = fmt::format("boppana/ipsc860/by_size/{}/{}", n, bytes);
        return kUnit * static_cast<double>(outcomes.at(key).cycles);
    });
    return scripted_report(kBoppanaScript, names, outcomes, wanted);
}

}  // namespace

Paper boppana() {
    return {"boppana",
            "R. V. Boppana and C. S. Raghavendra, On Optimal and Practical Routing Methods for a "
            "Massive Data Movement Operation on Hypercubes, USC CENG 90-20, 1990",
            experiments, report};
}

}  // namespace flitscope::reproduce
