// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A reproduction of a paper: the simulations that it needs, and a report made from their outcomes.
// Each paper has its own folder next to this one.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "testbench/app/explain/cause.h"
#include "testbench/app/report/plot.h"
#include "testbench/papers/framework/cases.h"

namespace flitscope::reproduce {

using Json = nlohmann::ordered_json;

/// One simulation.
struct Experiment {
    std::string key;   ///< unique among all papers: "thakur/pex/8x8/4096"; [A-Za-z0-9_./-] only
    std::string yaml;  ///< the configuration, as text
    std::string engine = "auto";
    double weight = 1;      ///< estimate of its cost in seconds: the dear ones run first
    bool by_cause = false;  ///< Outcome::by_cause is requested (record_causes)
    /// Also count the events that energy depends on (study::DesignPoint).
    bool by_energy = false;
};

/// The outcome of an experiment. One that is not complete ends the reproduction with an error.
struct Outcome {
    Cycle cycles = 0;  ///< makespan
    std::string engine;
    std::uint64_t messages = 0;
    std::uint64_t flit_hops = 0;
    Cycle lower_bound = 0;      ///< cycles
    std::uint32_t steps = 0;    ///< in which something is sent
    double mean_latency = 0;    ///< cycles from the start of a message's send to its tail
    std::uint64_t results = 0;  ///< values that the nodes computed and that are right
    /// The cycles by cause, along the critical path, if the experiment requests them.
    std::optional<CauseCycles> by_cause;
};

/// Requests the causes of the experiments with these keys. Throws std::out_of_range, which names
/// the key, if it is missing.
void record_causes(std::vector<Experiment>& experiments, const std::vector<std::string>& keys);

/// Causes by which other packets are in the way, inside the network.
inline constexpr std::initializer_list<Cause> kHeldUp = {Cause::kHeadOfLine, Cause::kVcBusy,
                                                         Cause::kCreditStall, Cause::kSwitchStall,
                                                         Cause::kRouteChoice};

/// The time of a run: its cycles by cause, along the critical path.
struct Breakdown {
    std::string run;  ///< in words
    CauseCycles by_cause{};

    Cycle cycles() const;
    /// The share of some causes, as a fraction of all cycles.
    double share(std::initializer_list<Cause> causes) const;
    Cycle cycles(std::initializer_list<Cause> causes) const;
    /// "serialization 55.2 %, vc_busy 26.9 %": most first, as far as they make 0.05 %.
    std::string text() const;
};

/// Totals of a paper's experiments.
struct Effort {
    std::size_t runs = 0;
    std::size_t tlm_runs = 0;  ///< outcomes not from the reference engine, so in bursts
    std::uint64_t messages = 0;
    std::uint64_t flit_hops = 0;
};

/// The outcomes of experiments, by key.
class Outcomes {
public:
    void add(const std::string& key, Outcome outcome) { outcomes_[key] = std::move(outcome); }
    /// Throws std::out_of_range, which names the key, if it is missing.
    const Outcome& at(const std::string& key) const;
    /// From now on at() notes a missing key and answers with an outcome whose numbers are all 1: a
    /// report made of it shows which experiments it needs.
    void note_missing() { notes_missing_ = true; }
    /// The keys that were noted.
    const std::set<std::string>& missing() const { return missing_; }
    /// The breakdown of the outcome with this key. Throws std::out_of_range if its causes are not
    /// known.
    Breakdown breakdown(const std::string& key, std::string run) const;

    Effort effort(const std::vector<Experiment>& experiments) const;

    /// Writes the outcomes of `experiments` as CSV, one row each, every field; and reads them.
    /// read() throws std::runtime_error, which names the line, if a row is not one of write().
    void write(std::ostream& out, const std::vector<Experiment>& experiments) const;
    static Outcomes read(std::istream& in);

private:
    std::map<std::string, Outcome> outcomes_;
    bool notes_missing_ = false;
    mutable std::set<std::string> missing_;
};

/// The part of a report that is wanted: all of it, or the tables and plots with certain words in
/// their titles or, of plots, names. Without all tables there are no conclusions.
class Wanted {
public:
    Wanted() = default;
    /// "Figure 13": upper and lower case are alike, and what is between words does not matter.
    /// Empty: all.
    explicit Wanted(const std::string& words);

    bool is_all() const { return words_.empty(); }
    bool has(const std::string& title) const;
    /// The titles that has() denied.
    const std::vector<std::string>& others() const { return others_; }

private:
    std::string words_;  // "_figure_13_"
    mutable std::vector<std::string> others_;
};

/// An entry of a table: text for people, and the value for programs.
struct Cell {
    std::string text;
    Json value;

    Cell() : text("-") {}
    Cell(const char* word) : text(word), value(word) {}                // NOLINT: for brace lists
    Cell(const std::string& word) : text(word), value(word) {}         // NOLINT
    Cell(std::uint64_t number);                                        // NOLINT
    Cell(std::uint32_t number) : Cell(std::uint64_t{number}) {}        // NOLINT
    Cell(int number) : text(std::to_string(number)), value(number) {}  // NOLINT
    Cell(double number, int digits);
};

/// (measured - reference) / reference as a cell: "+3.2 %", value 0.032.
Cell relative_error(double measured, double reference);

struct Table {
    std::string title;   ///< "Table 2: PEX on the Delta"
    std::string source;  ///< "Sec. 4", or where the numbers come from
    std::vector<std::string> columns;
    std::vector<std::vector<Cell>> rows;
    std::vector<std::string> notes;  ///< a sentence each, printed below
};

/// The finding of the same runs on a claim if wires have a length in millimetres and every network
/// has the clock of its router (routers.h).
struct PhysicalFinding {
    Cases cases;  ///< by the same measure as those of Conclusion
    std::string evidence;
};

/// A claim of the paper, and the finding of the runs, which follows only from the cases.
struct Conclusion {
    std::string claim;     ///< in our words
    std::string source;    ///< section of the paper
    Cases cases;           ///< the evidence describes them
    std::string evidence;  ///< a sentence or two, with measured numbers
    /// For a claim about contention or synchronisation: the breakdown of the runs that it is about,
    /// and a sentence on its meaning for the claim.
    std::vector<Breakdown> breakdowns = {};
    std::string meaning = {};
    /// For a claim that takes wires, or routers, for equally fast.
    std::optional<PhysicalFinding> physical = {};
};

struct Report {
    std::vector<Table> tables;
    std::vector<Plot> plots;
    std::vector<Conclusion> conclusions;
};

struct Paper {
    std::string name;   ///< thakur, boppana, bokhari, cheung, ziavras
    std::string title;  ///< authors, title, year
    std::vector<Experiment> (*experiments)();
    Report (*make_report)(const Outcomes& outcomes, const Wanted& wanted);

    Report report(const Outcomes& outcomes, const Wanted& wanted = {}) const {
        return make_report(outcomes, wanted);
    }
};

}  // namespace flitscope::reproduce
