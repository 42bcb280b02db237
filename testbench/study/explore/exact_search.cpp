// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A design whose bounds are dominated by one that was measured cannot be on the front, whatever it
// would come to. The order in which designs are measured decides how many that are, not what the
// front is. So those go first that are likely to be on it: by their bounds, each made worse by as
// much as the bound of the most similar design fell short of what was measured.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "testbench/study/explore/search.h"

namespace flitscope::study {
namespace {

/// What is expected of a design that waits.
struct Expectation {
    std::size_t design = 0;
    std::size_t alike = 0;       ///< axes in which the most similar measured designs agree with it
    std::size_t count = 0;       ///< of these designs
    std::vector<double> excess;  ///< sum of the logarithms of measured / bound, per objective
};

class ExactSearch {
public:
    explicit ExactSearch(Explorer& explorer) : explorer_(explorer) {
        for (std::size_t id = 0; id < explorer.designs().size(); ++id) {
            const Design& design = explorer.designs()[id];
            if (design.state != DesignState::kWaiting) continue;
            waiting_.push_back({id, 0, 0, std::vector<double>(design.best.size(), 0)});
        }
    }

    void run() {
        explorer_.measure([&] { return next(); }, [&](std::size_t id) { learn(id); });
        for (const Expectation& expectation : waiting_) {
            const Design& design = explorer_.designs()[expectation.design];
            const std::string why = design.ruled_out.empty()
                                        ? dominated_by(*explorer_.front().dominator(design.best))
                                        : design.ruled_out;
            explorer_.settle(expectation.design, DesignState::kPruned,
                             why + ", with its router estimated");
        }
        explorer_.keep();
    }

private:
    /// A crew with a long arm would measure everything before the first outcome can prune: as many
    /// designs are under way as were measured, so at most half of them in vain.
    bool has_enough_under_way() const {
        constexpr std::size_t kFew = 16;
        return under_way_ >= std::max({kFew, explorer_.processes(), learned_});
    }

    std::optional<std::size_t> next() {
        if (has_enough_under_way()) return std::nullopt;
        for (;;) {
            prune();
            std::vector<std::pair<std::pair<bool, double>, std::size_t>> candidates;
            for (std::size_t i = 0; i < waiting_.size(); ++i) {
                if (!is_out(waiting_[i])) candidates.emplace_back(score(waiting_[i]), i);
            }
            if (candidates.empty()) return std::nullopt;
            const auto best = std::min_element(candidates.begin(), candidates.end());
            const std::size_t id = waiting_[best->second].design;
            if (explorer_.is_estimated(explorer_.designs()[id])) {
                std::sort(candidates.begin(), candidates.end());
                make_certain(candidates);
                continue;
            }
            waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(best->second));
            ++under_way_;
            return id;
        }
    }

    /// The routers of the best, as many as can be synthesized at a time; nobody waits for one that
    /// is likely to be for nothing, unless it is the first.
    void make_certain(
        const std::vector<std::pair<std::pair<bool, double>, std::size_t>>& candidates) {
        std::vector<std::size_t> ids;
        std::set<std::string> routers;
        for (const auto& [score, i] : candidates) {
            const std::size_t id = waiting_[i].design;
            const Design& design = explorer_.designs()[id];
            if (!explorer_.is_estimated(design) || (score.first && !ids.empty())) continue;
            if (routers.insert(design.router).second) ids.push_back(id);
            if (ids.size() == explorer_.processes()) break;
        }
        explorer_.make_certain(ids);
    }

    std::string dominated_by(std::size_t id) const {
        return "dominated by " + explorer_.designs()[id].digest;
    }

    /// Whether it cannot be on the front as far as estimates go, which may change.
    bool is_out(const Expectation& expectation) const {
        const Design& design = explorer_.designs()[expectation.design];
        return explorer_.is_estimated(design) &&
               (!design.ruled_out.empty() || explorer_.front().dominator(design.best));
    }

    void prune() {
        const auto is_settled = [&](const Expectation& expectation) {
            const Design& design = explorer_.designs()[expectation.design];
            if (design.state != DesignState::kWaiting) return true;
            if (explorer_.is_estimated(design)) return false;
            const auto by = explorer_.front().dominator(design.best);
            if (!by) return false;
            explorer_.settle(expectation.design, DesignState::kPruned, dominated_by(*by));
            return true;
        };
        waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(), is_settled),
                       waiting_.end());
    }

    /// First those that nothing measured is expected to dominate, then the others; the smallest
    /// product of the objectives first.
    std::pair<bool, double> score(const Expectation& e) const {
        const Design& design = explorer_.designs()[e.design];
        Objectives expected = design.best;
        double sum = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (!std::isfinite(expected[i])) continue;
            if (e.count != 0) {
                expected[i] *= std::exp(e.excess[i] / static_cast<double>(e.count));
            }
            const double size = std::log(std::max(std::abs(expected[i]), 1e-12));
            sum += expected[i] < 0 ? -size : size;
        }
        return {explorer_.front().dominator(expected).has_value(), sum};
    }

    void learn(std::size_t id) {
        --under_way_;
        ++learned_;
        const Design& measured = explorer_.designs()[id];
        if (measured.state != DesignState::kSimulated) return;
        for (Expectation& e : waiting_) {
            const Design& design = explorer_.designs()[e.design];
            std::size_t alike = 0;
            for (std::size_t axis = 0; axis < design.choices.size(); ++axis) {
                if (design.choices[axis] == measured.choices[axis]) ++alike;
            }
            if (alike < e.alike) continue;
            if (alike > e.alike) {
                e.alike = alike;
                e.count = 0;
                std::fill(e.excess.begin(), e.excess.end(), 0.0);
            }
            ++e.count;
            for (std::size_t i = 0; i < e.excess.size(); ++i) {
                const double ratio = measured.objectives[i] / measured.best[i];
                if (std::isfinite(ratio) && ratio > 0) e.excess[i] += std::log(ratio);
            }
        }
    }

    Explorer& explorer_;
    std::vector<Expectation> waiting_;
    std::size_t under_way_ = 0;
    std::size_t learned_ = 0;
};

}  // namespace

void search_exactly(Explorer& explorer) { ExactSearch(explorer).run(); }

}  // namespace flitscope::study
