// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Output about a machine and a run: JSON objects and text.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "testbench/app/explain/cause.h"
#include "testbench/app/study/explore/database.h"

namespace flitscope {

namespace study {
struct AxisEffect;
struct BudgetChoice;
struct CrossTable;
struct ExploreEstimate;
struct ExploreResult;
struct LoadPoint;
struct Saturation;
struct Study;
}  // namespace study

namespace synthesis {
struct CollectiveBound;
}

class Graph;
struct Config;
struct CosimResult;
struct DeliveryResult;
struct ExplainedTraffic;
struct Explanation;
struct LoadCurve;
struct Machine;
struct SimulationResult;
struct SynthesisRun;
struct VerifyResult;
struct WhatIf;

using Json = nlohmann::ordered_json;

/// Indented. Bytes in it that are not UTF-8, as names of files may have, become U+FFFD.
std::string json_text(const Json& json);

/// A JSON value that is text already (json_writer.h).
struct JsonText {
    std::string text;
};
inline const std::string& json_text(const JsonText& json) { return json.text; }

/// Version of the program, as every output states it.
const char* version();

Json run_json(const Machine& machine, const SimulationResult& result);
Json topology_json(const Machine& machine);
Json schedule_json(const Machine& machine);
Json cosim_json(const Machine& machine, const CosimResult& result);
Json delivery_json(const Machine& machine, const DeliveryResult& result);
Json verify_json(const Machine& machine, const VerifyResult& result);

/// For several curves, a list.
Json curves_json(const std::vector<LoadCurve>& curves);
Json saturation_json(const Machine& machine, const study::Saturation& found);

/// The cycles of a run by cause.
Json causes_json(const CauseCycles& cycles);
JsonText explain_json(const Machine& machine, const Explanation& explanation,
                      const std::vector<WhatIf>& changes);
void print_explain(std::ostream& out, const Machine& machine, const Explanation& explanation,
                   const std::vector<WhatIf>& changes);
/// The cycles of the packets of a pattern by cause and channel.
JsonText delays_json(const Machine& machine, const ExplainedTraffic& explained);
void print_delays(std::ostream& out, const Machine& machine, const ExplainedTraffic& explained);
/// Cycles of all packets, a row per channel and cause.
void write_delays_csv(std::ostream& out, const Machine& machine, const ExplainedTraffic& explained);
/// The report of a run with a line, or the causes, of why it took as long as it did, as far as it
/// is explained, and with the files that it leaves.
Json explained_run_json(const Machine& machine, const Explanation& explanation);
void print_explained_run(std::ostream& out, const Machine& machine, const Explanation& explanation);
/// The critical path, a row per segment.
void write_path_csv(std::ostream& out, const Machine& machine, const Explanation& explanation);
/// The slack of every node's steps, a row each; for a timed program, of every send, for a trace or
/// a kernel of every operation.
void write_slack_csv(std::ostream& out, const Machine& machine, const Explanation& explanation);

/// A schedule that was found, its bound, and the result of its run.
Json found_schedule_json(const SynthesisRun& synthesis);
void print_found_schedule(std::ostream& out, const SynthesisRun& synthesis);
/// The certificate that proves a bound on the machine of `config`, in full and in a line.
Json certificate_json(const synthesis::CollectiveBound& bound, const Config& config,
                      const Graph& graph);
std::string bound_text(const synthesis::CollectiveBound& bound, const Graph& graph);

/// The summary that a person reads after a run.
void print_run(std::ostream& out, const Machine& machine, const SimulationResult& result);
void print_topology(std::ostream& out, const Machine& machine);
void print_schedule(std::ostream& out, const Machine& machine);
void print_cosim(std::ostream& out, const Machine& machine, const CosimResult& result);
void print_delivery(std::ostream& out, const Machine& machine, const DeliveryResult& result);
void print_verify(std::ostream& out, const Machine& machine, const VerifyResult& result);
/// Pictures: latency by load as `path`, a .svg; with "_accepted" after its name, accepted by
/// offered load; for a single curve with "_by_hops", mean latency of each distance, if that was
/// measured. Throws std::runtime_error if they cannot be drawn.
void draw_curves(const std::string& path, const std::vector<LoadCurve>& curves);
/// The loads for which draw_curves() draws no latency, with their status; empty if there are none.
std::string left_out_text(const std::vector<study::LoadPoint>& points);
/// Prints a table each.
void print_curves(std::ostream& out, const std::vector<LoadCurve>& curves);
/// For several curves, the first column is the name.
void write_curves_csv(std::ostream& out, const std::vector<LoadCurve>& curves);
/// Writes one row per load and distance.
void write_hops_csv(std::ostream& out, const std::vector<LoadCurve>& curves);
void print_saturation(std::ostream& out, const Machine& machine, const study::Saturation& found);

Json estimate_json(const study::Study& study, const study::ExploreEstimate& estimate);
void print_estimate(std::ostream& out, const study::Study& study,
                    const study::ExploreEstimate& estimate);
Json explore_json(const study::Study& study, const study::ExploreResult& result);
void print_explore(std::ostream& out, const study::Study& study,
                   const study::ExploreResult& result);
/// The front of a study from its database: of `rows`, the designs that were simulated and keep the
/// constraints.
Json front_json(const study::StudyRow& study, const std::vector<study::DesignRow>& rows);
void print_front(std::ostream& out, const study::StudyRow& study,
                 const std::vector<study::DesignRow>& rows);
/// A study of a database with its designs.
struct StoredStudy {
    study::StudyRow study;
    std::vector<study::DesignRow> designs;
};
/// A row each: how many designs, how many of them on the front, whether that is of all.
Json studies_json(const std::vector<StoredStudy>& studies);
void print_studies(std::ostream& out, const std::vector<StoredStudy>& studies);
/// The designs that were simulated, and the front with names, by the first two objectives.
void draw_front(const std::string& path, const study::StudyRow& study,
                const std::vector<study::DesignRow>& rows);
/// Views of a study (views.h): the effect of each axis, the best design within each budget, the
/// best of each kind. `designs`, all of the study, supplies clock periods, and axes that are the
/// same in all.
Json effects_json(const study::StudyRow& study, const std::vector<study::AxisEffect>& effects);
void print_effects(std::ostream& out, const study::StudyRow& study,
                   const std::vector<study::AxisEffect>& effects,
                   const std::vector<study::DesignRow>& designs);
Json budgets_json(const study::StudyRow& study, const std::string& budget,
                  const std::vector<study::BudgetChoice>& choices);
void print_budgets(std::ostream& out, const study::StudyRow& study, const std::string& budget,
                   const std::vector<study::BudgetChoice>& choices,
                   const std::vector<study::DesignRow>& designs);
Json cross_json(const study::StudyRow& study, const std::string& objective,
                const study::CrossTable& table);
void print_cross(std::ostream& out, const study::StudyRow& study, const std::string& objective,
                 const study::CrossTable& table);
/// Prints a design as a configuration that `run` takes, with its outcome above: `measurement` is
/// one of its `members`.
void print_design(std::ostream& out, study::Database& database, const study::DesignRow& design,
                  const std::vector<study::MemberRow>& members,
                  const study::MemberRow& measurement);
/// The configuration of a point that was measured, or only appraised.
std::string config_of(study::Database& database, const std::string& point);
/// Writes all designs, a row each.
void write_designs_csv(std::ostream& out, const study::StudyRow& study,
                       const std::vector<study::DesignRow>& rows);

/// The resolved machine with deadlock and schedule check; as JSON with what proves the bound.
Json check_json(const Machine& machine);
void print_check(std::ostream& out, const Machine& machine);

}  // namespace flitscope
