// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A design whose bounds are dominated by one that was measured cannot be on the front, whatever its
// result. The order in which designs are measured decides how many are measured, not the front. So
// designs likely to be on it go first: by their bounds, each made worse by as much as the bound of
// the most similar design fell short of what was measured.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "testbench/app/study/explore/losses.h"
#include "testbench/app/study/explore/objectives.h"
#include "testbench/app/study/explore/search.h"

namespace flitscope::study {
namespace {

/// Designs that no measured one is expected to dominate come first; among them, and among the
/// others, those with the smallest product of objectives.
using Score = std::pair<bool, double>;

/// Rows of equally many numbers, one after the other: a walk over a million of them is quick.
class Rows {
public:
    explicit Rows(std::size_t width) : width_(width) {}

    double* operator[](std::size_t row) { return numbers_.data() + row * width_; }
    const double* operator[](std::size_t row) const { return numbers_.data() + row * width_; }
    std::size_t width() const { return width_; }
    void resize(std::size_t rows) { numbers_.resize(rows * width_); }
    void set(std::size_t row, const Objectives& numbers) {
        std::copy(numbers.begin(), numbers.end(), (*this)[row]);
    }

private:
    std::size_t width_;
    std::vector<double> numbers_;
};

/// A design that waits, and how alike those are by which it is judged.
struct Waiting {
    std::size_t design = 0;
    std::uint32_t alike = 0;  ///< axes in which the most similar measured designs agree with it
    std::uint32_t count = 0;  ///< number of these designs
    Score score;
    bool is_gone = false;       ///< handed out or settled
    bool is_outdated = false;   ///< its expected result has changed since it was scored
    bool is_estimated = false;  ///< its router is
    /// By estimates, which may change, it cannot be on the front.
    bool is_out = false;

    bool is_candidate() const { return !is_gone && !is_out; }
};

/// Whenever a process is free, the best waiting design is sought, and every outcome updates those
/// that wait. So that neither costs as much as a simulation, however many wait, results that an
/// outcome does not change are kept: scores, in blocks with the best of each, and the members of
/// the front with which a design was compared. A member that leaves the front is dominated by one
/// that came, so a dominated design stays so.
class ExactSearch {
public:
    explicit ExactSearch(Explorer& explorer)
        : explorer_(explorer),
          best_(explorer.study().objectives.size()),
          expected_(best_.width()),
          excess_(best_.width()),
          choices_(explorer.study().axes.size()) {
        for (std::size_t id = 0; id < explorer.designs().size(); ++id) {
            const Design& design = explorer.designs()[id];
            if (design.state != DesignState::kWaiting) continue;
            Waiting& waiting = waiting_.emplace_back();
            waiting.design = id;
            for (std::size_t axis = 0; axis < choices_.size(); ++axis) {
                choices_[axis].push_back(static_cast<std::uint32_t>(design.choices[axis]));
            }
        }
        resize();
        look_again();
    }

    void run() {
        explorer_.measure([&] { return next(); }, [&](std::size_t id) { learn(id); });
        for (const Waiting& waiting : waiting_) {
            const Design& design = explorer_.designs()[waiting.design];
            if (waiting.is_gone || design.state != DesignState::kWaiting) continue;
            const std::string why =
                design.ruled_out.empty()
                    ? dominated_by(*explorer_.front().dominator(design.best), design)
                    : design.ruled_out;
            explorer_.settle(waiting.design, DesignState::kPruned,
                             why + ", with its router estimated");
        }
        explorer_.keep();
    }

private:
    static constexpr std::size_t kBlock = 512;

    /// A large pool would measure everything before the first outcome can prune. So no more designs
    /// are under way than were measured, and at most half of the work is in vain.
    bool has_enough_under_way() const {
        constexpr std::size_t kFew = 16;
        return under_way_ >= std::max({kFew, explorer_.processes(), learned_});
    }

    std::optional<std::size_t> next() {
        if (has_enough_under_way()) return std::nullopt;
        for (;;) {
            take_news();
            const std::optional<std::size_t> best = best_candidate();
            if (!best) return std::nullopt;
            if (waiting_[*best].is_estimated) {
                make_certain();
                continue;
            }
            remove(*best);
            ++under_way_;
            return waiting_[*best].design;
        }
    }

    /// Synthesizes the routers of the best candidates, one per process. Candidates expected to be
    /// dominated are skipped unless none is better.
    void make_certain() {
        std::vector<std::pair<Score, std::size_t>> candidates;
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            if (waiting_[i].is_candidate()) candidates.emplace_back(waiting_[i].score, i);
        }
        std::sort(candidates.begin(), candidates.end());
        std::vector<std::size_t> ids;
        std::set<std::pair<TechnologyConfig, std::string>> routers;
        for (const auto& [score, i] : candidates) {
            if (!waiting_[i].is_estimated || (score.first && !ids.empty())) continue;
            const std::size_t id = waiting_[i].design;
            const Design& design = explorer_.designs()[id];
            if (routers.emplace(design.technology, design.router).second) ids.push_back(id);
            if (ids.size() == explorer_.processes()) break;
        }
        explorer_.make_certain(ids);
        look_again();
    }

    /// With its bounds in all objectives.
    std::string dominated_by(std::size_t id, const Design& loser) const {
        const Design& winner = explorer_.designs()[id];
        const std::vector<Objective>& goals = explorer_.study().objectives;
        std::vector<std::string> all;
        for (std::size_t i = 0; i < goals.size(); ++i) {
            const bool is_exact =
                find_metric(goals[i].metric)->is_known && !explorer_.is_estimated(loser);
            const double sign = goals[i].is_maximised ? -1 : 1;
            all.push_back(against_text(goals[i].metric,
                                       is_exact                ? ""
                                       : goals[i].is_maximised ? "at most "
                                                               : "at least ",
                                       sign * loser.best[i], sign * winner.objectives[i]));
        }
        return fmt::format("{}{}: {}", kDominatedBy, winner.digest, fmt::join(all, ", "));
    }

    // ---- Who waits ------------------------------------------------------------------------------

    void remove(std::size_t i) {
        waiting_[i].is_gone = true;
        ++gone_;
        is_stale_[i / kBlock] = true;
    }

    void resize() {
        const std::size_t size = waiting_.size();
        best_.resize(size);
        expected_.resize(size);
        excess_.resize(size);
        for (std::vector<std::uint32_t>& of_axis : choices_) of_axis.resize(size);
        agree_.resize(size);
        const std::size_t blocks = (size + kBlock - 1) / kBlock;
        best_of_block_.assign(blocks, std::nullopt);
        is_stale_.assign(blocks, true);
    }

    /// Forgets those that are gone, once they are most; the others stay in their order.
    void compact() {
        if (2 * gone_ <= waiting_.size()) return;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            if (waiting_[i].is_gone) continue;
            waiting_[kept] = waiting_[i];
            for (Rows* const rows : {&best_, &expected_, &excess_}) {
                std::copy_n((*rows)[i], rows->width(), (*rows)[kept]);
            }
            for (std::vector<std::uint32_t>& of_axis : choices_) of_axis[kept] = of_axis[i];
            ++kept;
        }
        waiting_.resize(kept);
        gone_ = 0;
        resize();
    }

    /// Takes bounds as they are now, and compares them with the whole front.
    void look_again() {
        const Front& front = explorer_.front();
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            Waiting& waiting = waiting_[i];
            if (waiting.is_gone) continue;
            const Design& design = explorer_.designs()[waiting.design];
            if (design.state != DesignState::kWaiting) {
                remove(i);
                continue;
            }
            best_.set(i, design.best);
            waiting.is_estimated = explorer_.is_estimated(design);
            waiting.is_out = waiting.is_estimated && !design.ruled_out.empty();
            if (const auto by = front.dominator(design.best)) rule_out(i, *by);
            if (waiting.is_candidate()) score(i);
        }
        new_.clear();
        compact();
    }

    void rule_out(std::size_t i, std::size_t by) {
        is_stale_[i / kBlock] = true;
        if (waiting_[i].is_estimated) {
            waiting_[i].is_out = true;
        } else {
            const std::size_t id = waiting_[i].design;
            explorer_.settle(id, DesignState::kPruned, dominated_by(by, explorer_.designs()[id]));
            remove(i);
        }
    }

    /// Settles those that a new member of the front dominates; scores the others as far as their
    /// scores have changed.
    void take_news() {
        if (new_.empty()) return;
        std::vector<const Front::Member*> members;  // in their order: the first one is named
        for (const Front::Member& member : explorer_.front().members()) {
            if (new_.count(member.id) != 0) members.push_back(&member);
        }
        new_.clear();
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            if (!waiting_[i].is_candidate()) continue;
            if (const Front::Member* const by = dominator(members, best_[i])) {
                rule_out(i, by->id);
            } else if (waiting_[i].is_outdated) {
                score(i);
            } else if (!waiting_[i].score.first && dominator(members, expected_[i]) != nullptr) {
                waiting_[i].score.first = true;
                is_stale_[i / kBlock] = true;
            }
        }
        compact();
    }

    static const Front::Member* dominator(const std::vector<const Front::Member*>& members,
                                          const double* objectives) {
        const auto it = std::find_if(
            members.begin(), members.end(),
            [&](const Front::Member* member) { return dominates(member->objectives, objectives); });
        return it == members.end() ? nullptr : *it;
    }

    // ---- Who goes first -------------------------------------------------------------------------

    void score(std::size_t i) {
        Waiting& waiting = waiting_[i];
        double* const expected = expected_[i];
        double sum = 0;
        for (std::size_t k = 0; k < best_.width(); ++k) {
            expected[k] = best_[i][k];
            if (!std::isfinite(expected[k])) continue;
            if (waiting.count != 0) {
                expected[k] *= std::exp(excess_[i][k] / static_cast<double>(waiting.count));
            }
            const double size = std::log(std::max(std::abs(expected[k]), 1e-12));
            sum += expected[k] < 0 ? -size : size;
        }
        const std::vector<Front::Member>& front = explorer_.front().members();
        const bool is_dominated = std::any_of(
            front.begin(), front.end(),
            [&](const Front::Member& member) { return dominates(member.objectives, expected); });
        waiting.score = {is_dominated, sum};
        waiting.is_outdated = false;
        is_stale_[i / kBlock] = true;
    }

    /// The candidate with the best score; of equal ones the first.
    std::optional<std::size_t> best_candidate() {
        std::optional<std::size_t> best;
        const auto take = [this](std::optional<std::size_t>& chosen, std::size_t i) {
            if (!chosen || waiting_[i].score < waiting_[*chosen].score) chosen = i;
        };
        for (std::size_t block = 0; block < is_stale_.size(); ++block) {
            std::optional<std::size_t>& of_block = best_of_block_[block];
            if (is_stale_[block]) {
                of_block.reset();
                const std::size_t end = std::min((block + 1) * kBlock, waiting_.size());
                for (std::size_t i = block * kBlock; i < end; ++i) {
                    if (waiting_[i].is_candidate()) take(of_block, i);
                }
                is_stale_[block] = false;
            }
            if (of_block) take(best, *of_block);
        }
        return best;
    }

    void learn(std::size_t id) {
        --under_way_;
        ++learned_;
        const Design& measured = explorer_.designs()[id];
        if (measured.state != DesignState::kSimulated) return;
        new_.insert(id);
        std::vector<double> excess;  // logarithms; 0 if unknown
        for (std::size_t k = 0; k < best_.width(); ++k) {
            const double ratio = measured.objectives[k] / measured.best[k];
            excess.push_back(std::isfinite(ratio) && ratio > 0 ? std::log(ratio) : 0);
        }
        std::fill(agree_.begin(), agree_.end(), 0);
        for (std::size_t axis = 0; axis < choices_.size(); ++axis) {
            const auto choice = static_cast<std::uint32_t>(measured.choices[axis]);
            const std::vector<std::uint32_t>& of_axis = choices_[axis];
            for (std::size_t i = 0; i < agree_.size(); ++i) agree_[i] += of_axis[i] == choice;
        }
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            Waiting& waiting = waiting_[i];
            if (agree_[i] < waiting.alike || waiting.is_gone) continue;
            if (agree_[i] > waiting.alike) {
                waiting.alike = agree_[i];
                waiting.count = 0;
                std::fill_n(excess_[i], excess_.width(), 0.0);
            }
            ++waiting.count;
            for (std::size_t k = 0; k < excess.size(); ++k) excess_[i][k] += excess[k];
            waiting.is_outdated = true;
        }
    }

    Explorer& explorer_;
    std::vector<Waiting> waiting_;  // by design, as are the following rows
    Rows best_;                     // bounds
    Rows expected_;                 // expected from similar designs
    Rows excess_;                   // sum of the logarithms of measured / bound over these
    std::vector<std::vector<std::uint32_t>> choices_;  // by axis
    std::vector<std::uint32_t> agree_;                 // axes, with the one that was measured last
    std::size_t gone_ = 0;
    std::vector<std::optional<std::size_t>> best_of_block_;
    std::vector<bool> is_stale_;  // blocks of which the best one is not known
    std::set<std::size_t> new_;   // measured, and not compared with those that wait
    std::size_t under_way_ = 0;
    std::size_t learned_ = 0;
};

}  // namespace

void search_exactly(Explorer& explorer) { ExactSearch(explorer).run(); }

}  // namespace flitscope::study
