// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Time in nanoseconds and energy of the runs of a reproduction, each with its own router,
// synthesized: the metrics that a study has of a design.
#pragma once

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testbench/app/study/design_point.h"
#include "testbench/app/study/explore/objectives.h"
#include "testbench/app/study/syntheses.h"
#include "testbench/papers/framework/paper.h"

namespace flitscope::reproduce {

class SynthesizedRuns {
public:
    /// Characterizes the routers of `experiments` in the technology that `overrides` of their
    /// configurations select: those not in the cache are synthesized. Throws study::Cancelled, and
    /// ConfigError if tools are missing, and as require_technology() does.
    SynthesizedRuns(const std::vector<Experiment>& experiments,
                    const std::vector<std::string>& overrides,
                    const study::SynthesesOptions& syntheses);

    /// The experiments to run; with a known router they count events for energy. If wire delays
    /// follow from the clock, a second one at its router's clock is added.
    const std::vector<Experiment>& experiments() const { return wanted_; }

    /// Notes the outcome of one of experiments(); others are ignored.
    void note(const Experiment& experiment, const study::PointOutcome& outcome);

    /// A row for each of `experiments`: its router, the clock of that, time, energy; or why these
    /// are missing.
    Table table(const std::vector<Experiment>& experiments) const;
    /// Writes the table as CSV, in full precision; cells without a figure are empty.
    void write_csv(std::ostream& out, const std::vector<Experiment>& experiments) const;

private:
    struct Figures {
        Cycle cycles = 0;
        double time_ns = 0;
        double energy_uj = 0;
        std::optional<double> energy_per_bit_pj;  // if messages have payload
    };
    struct Run {
        std::string routers;  // hw::text_of() those that are built; empty without one
        std::string router;   // name of the variant that has all ports and turns
        std::string problem;  // why there are no figures
        double clock_ns = 0;
        std::optional<Figures> figures;  // once it has run
    };

    TechnologyConfig technology_;
    std::vector<Experiment> wanted_;
    std::map<std::string, study::RouterCost> costs_;  // by routers as built
    std::map<std::string, Run> runs_;                 // runs of the experiments, by key
};

}  // namespace flitscope::reproduce
